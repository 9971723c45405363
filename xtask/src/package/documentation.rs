//! `documentation/index.html`: what a user must know of an element, on one page that needs nothing else: no script, no
//! network. Everything that the catalogue knows is taken from there, curves from runs of the element itself.

use std::fmt::Write;

use anyhow::{Context, Result, bail};
use bristle::catalogue::Entry;
use bristle::catalogue::interface::{CAPABILITIES, Interface};
use bristle::coupling::M_EFF;
use bristle::element::{DEFAULT_TOLERANCE, MAX_TOLERANCE, MIN_TOLERANCE};
use bristle::law::{A, Equation, F_T, Phenomena};
use bristle::variable::{LEAST_POSITIVE, Role, Unit, Variable};
use pulldown_latex::config::{DisplayMode, RenderConfig};
use pulldown_latex::{Parser, Storage, push_mathml};

use crate::experiment;
use crate::plot::{Axis, Curve, Panel, Pen, Spacing, picture};
use crate::typeset::{escape, html};

const STYLE: &str = include_str!("documentation.css");

/// The page of an element.
pub fn write(entry: &Entry) -> Result<String> {
    let declaration = entry.declaration;
    let mut page = Page(String::new());
    page.put(&format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\"/>\n<title>{name}</title>\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n\
         <style>\n{STYLE}</style>\n</head>\n<body>\n<h1>{name}</h1>\n<p class=\"title\">{title}</p>",
        name = escape(declaration.name),
        title = escape(declaration.title),
    ));
    page.paragraph(declaration.summary);
    page.put(&curves(entry)?);
    connecting(entry, &mut page);
    page.heading("Variables");
    page.put(&variables(entry)?);
    page.heading("Equations");
    page.put(&equations(declaration.equations)?);
    if entry.variables().any(|variable| variable.role == Role::BooleanOutput) {
        page.paragraph(&match declaration.sticking {
            "" => "The output sticking is always false: the law has no stick.".to_owned(),
            criterion => format!("The output sticking is true where {criterion}"),
        });
    }
    page.heading("Phenomena");
    page.put(&phenomena(declaration.phenomena));
    if !declaration.events.is_empty() {
        page.heading("Events");
        page.paragraph(
            "In Co-Simulation they are located within a communication step, however long it is. In Model Exchange they are the \
             event indicators, in this order:",
        );
        page.put("<ol>");
        declaration.events.iter().for_each(|event| page.put(&format!("<li>{}</li>", html(event))));
        page.put("</ol>");
    }
    page.heading("Notes");
    for (heading, text) in declaration.notes {
        page.put(&format!("<h3>{}</h3>", escape(heading)));
        page.paragraph(text);
    }
    page.heading("Coupling to a body");
    coupling(entry, &mut page)?;
    shadow(entry, &mut page);
    page.heading("Tolerance");
    page.paragraph(&format!(
        "The tolerance given to fmi2SetupExperiment is the error of F_R relative to the largest friction force at rest, {}, that the \
         inner integration keeps over a communication step. It is {DEFAULT_TOLERANCE:e} unless given and is limited to \
         {MIN_TOLERANCE:e} \u{2026} {MAX_TOLERANCE:e}. In Model Exchange the importer\u{2019}s solver has its own.",
        largest_force(entry)
    ));
    page.heading("Tuning while it runs");
    tuning(entry, &mut page);
    page.heading("Capabilities");
    page.put(&capabilities());
    page.heading("Source");
    page.put(&format!("<p>{}; {}</p>", escape(declaration.source), escape(declaration.place)));
    page.heading("Licence");
    page.put(&format!(
        "<p>Bristle {}, {}. The terms of everything in this FMU stand in <a href=\"licenses/license.txt\">licenses</a>.\
         </p>\n</body>\n</html>",
        env!("CARGO_PKG_VERSION"),
        env!("CARGO_PKG_LICENSE"),
    ));
    Ok(page.0)
}

struct Page(String);

impl Page {
    fn put(&mut self, html: &str) {
        self.0.push_str(html);
        self.0.push('\n');
    }

    fn heading(&mut self, text: &str) {
        self.put(&format!("<h2>{}</h2>", escape(text)));
    }

    /// Text with symbols as in the catalogue.
    fn paragraph(&mut self, text: &str) {
        self.put(&format!("<p>{}</p>", html(text)));
    }
}

/// The element's characteristic and its pre-sliding, as it shows them itself.
fn curves(entry: &Entry) -> Result<String> {
    let normal_force = 10.0;
    let mut panels = vec![characteristic(entry, normal_force)?];
    panels.extend(pre_sliding(entry, normal_force)?);
    let svg = picture(
        &panels,
        420.0,
        "The friction coefficient over the contact velocity, and the friction force over a small displacement",
    );
    Ok(format!(
        "<figure>\n{svg}<figcaption>Runs of this element with its default parameters at <i>F</i><sub>N</sub> = \
         {normal_force} N.</figcaption>\n</figure>"
    ))
}

/// The friction coefficient over a sine of the velocity, wide enough to show where the force stops falling.
fn characteristic(entry: &Entry, normal_force: f64) -> Result<Panel> {
    // The widest of the velocities among the parameters is where the characteristic ends.
    let velocities = entry.variables().filter(|v| v.role == Role::Parameter && v.unit == Unit::MetrePerSecond);
    let widest = velocities.filter_map(|v| v.start).fold(0.01, f64::max);
    let amplitude = 2.0 * widest;
    let frequency = 5.0;
    let friction = |points: experiment::Points| points.into_iter().map(|[v, f]| [v, f / normal_force]).collect();
    let (unit, scale) = if amplitude < 0.1 { ("mm/s", 1e3) } else { ("m/s", 1.0) };
    Ok(Panel {
        title: "Characteristic".to_owned(),
        x: Axis { label: "v", unit, scale, spacing: Spacing::Linear, range: None },
        y: Axis { label: "F_R / F_N", unit: "", scale: 1.0, spacing: Spacing::Linear, range: None },
        curves: vec![
            Curve {
                label: format!("v a sine of {} {unit}, {frequency} Hz", amplitude * scale),
                points: friction(experiment::loop_over_velocity(entry, normal_force, amplitude, frequency, 1e-4)?),
                pen: Pen::Main,
            },
            Curve {
                label: "v held until F_R rests".to_owned(),
                points: friction(experiment::steady_over_velocity(entry, normal_force, amplitude, 200)?),
                pen: Pen::Dashed,
            },
        ],
    })
}

/// The force over a small displacement for an element with a bristle, over the applied force for one that knows it.
fn pre_sliding(entry: &Entry, normal_force: f64) -> Result<Option<Panel>> {
    let y = Axis { label: "F_R", unit: "N", scale: 1.0, spacing: Spacing::Linear, range: None };
    if entry.variable(F_T.reference).is_some() {
        return Ok(Some(Panel {
            title: "Stick".to_owned(),
            x: Axis { label: "F_t", unit: "N", scale: 1.0, spacing: Spacing::Linear, range: None },
            y,
            curves: vec![Curve {
                label: "a body that is held, under a rising force".to_owned(),
                points: experiment::held(entry, normal_force, normal_force, 200)?,
                pen: Pen::Main,
            }],
        }));
    }
    let Some((bristle, _)) = entry.declaration.states.first() else { return Ok(None) };
    // In each step of a millisecond a thousandth of the deflection's magnitude.
    let (speed, h) = (bristle.nominal.context("a bristle deflection has a magnitude")?, 1e-3);
    let break_away = experiment::break_away_displacement(entry, normal_force, speed, h)?;
    let turns = |reach: f64| [reach * break_away, -reach * break_away, reach * break_away];
    let (unit, scale) = if break_away < 1e-4 { ("µm", 1e6) } else { ("mm", 1e3) };
    Ok(Some(Panel {
        title: "Pre-sliding".to_owned(),
        x: Axis { label: "displacement", unit, scale, spacing: Spacing::Linear, range: None },
        y,
        curves: vec![
            Curve {
                label: "slow pull beyond break-away, there and back".to_owned(),
                points: experiment::pull(entry, normal_force, speed, h, &turns(2.5))?,
                pen: Pen::Main,
            },
            Curve {
                label: "slow pull to half of it, there and back".to_owned(),
                points: experiment::pull(entry, normal_force, speed, h, &turns(0.5))?,
                pen: Pen::Dashed,
            },
        ],
    }))
}

fn connecting(entry: &Entry, page: &mut Page) {
    page.heading("How to connect it");
    page.put(
        "<table>\n<tr><th>Connect</th><th>to</th><th>sign</th></tr>\n\
         <tr><td><code>F_N</code></td><td>the normal force of the contact, N</td><td>positive in compression; at 0 and \
         below the contact is open and <i>F</i><sub>R</sub> = 0</td></tr>\n\
         <tr><td><code>v</code></td><td>the tangential velocity of the contact point on the body relative to its \
         counterpart, m/s</td><td>any, but the same as for the force</td></tr>",
    );
    for (input, to) in [
        (A, "the time derivative of <i>v</i>, m/s\u{b2}"),
        (
            F_T,
            "all forces on the body but <i>F</i><sub>R</sub>, N; with a master of fixed steps <i>H</i> plus <i>m v</i>/<i>H</i>",
        ),
    ] {
        if entry.variable(input.reference).is_some() {
            page.put(&format!("<tr><td><code>{}</code></td><td>{to}</td><td>that of <i>v</i></td></tr>", input.name));
        }
    }
    page.put(
        "<tr><td><code>F_R</code></td><td>a force on the body against the direction of <i>v</i>, and its reaction on the \
         counterpart, N</td><td>positive for <i>v</i> &gt; 0 and opposing it</td></tr>\n</table>",
    );
    page.put(&format!("<p>For a body of mass <i>m</i> that a force <i>F</i> pushes: {}.</p>", CONNECTED));
    page.paragraph(
        "A body that accelerates by itself after you connected it has the wrong sign of F_R. After a communication step F_R \
         is the force at the end of the step with the input of that step.",
    );
}

/// m dv/dt = F − F_R: short enough to be written as it is shown.
const CONNECTED: &str = "<i>m</i> d<i>v</i>/d<i>t</i> = <i>F</i> \u{2212} <i>F</i><sub>R</sub>";

fn variables(entry: &Entry) -> Result<String> {
    let mut table =
        "<table class=\"variables\">\n<tr><th>Symbol</th><th>Name</th><th>Unit</th><th>Default</th><th>Bound\
                     </th><th>Value ref.</th><th>Description</th></tr>\n"
            .to_owned();
    type Belongs = fn(Role) -> bool;
    let groups: [(&str, Belongs); 5] = [
        ("Inputs", |role| role == Role::Input),
        ("Outputs", |role| matches!(role, Role::Output | Role::BooleanOutput)),
        ("States and their derivatives", |role| matches!(role, Role::State | Role::Derivative { .. })),
        ("Modes, which change at events only", |role| matches!(role, Role::Mode { .. })),
        ("Parameters, tunable between steps", |role| matches!(role, Role::Parameter | Role::Choice(_))),
    ];
    for (heading, belongs) in groups {
        let group: Vec<_> = entry.variables().filter(|variable| belongs(variable.role)).collect();
        if group.is_empty() {
            continue;
        }
        writeln!(table, "<tr class=\"group\"><th colspan=\"7\">{heading}</th></tr>")?;
        for variable in group {
            writeln!(table, "{}", row(variable)?)?;
        }
    }
    table.push_str("</table>");
    Ok(table)
}

fn row(variable: &Variable) -> Result<String> {
    let symbol = if variable.symbol.is_empty() { String::new() } else { math(variable.symbol, DisplayMode::Inline)? };
    let unit = match (variable.role, variable.unit) {
        (Role::BooleanOutput, _) => "Boolean".to_owned(),
        (Role::Mode { .. }, _) => "Integer".to_owned(),
        (Role::Choice(_), _) => "Enumeration".to_owned(),
        (_, unit) => unit.symbol().replace('.', "\u{b7}").replace('2', "\u{b2}"),
    };
    let bound = match variable.min {
        None => String::new(),
        Some(LEAST_POSITIVE) => "&gt; 0".to_owned(),
        Some(min) => format!("\u{2265} {min}"),
    };
    let mut description = html(variable.description);
    if let Role::Choice(choices) = variable.role {
        for ((name, meaning), number) in choices.iter().zip(1..) {
            write!(description, "<br/>{number} <code>{}</code>: {}", escape(name), html(meaning))?;
        }
    }
    Ok(format!(
        "<tr><td>{symbol}</td><td><code>{}</code></td><td>{unit}</td><td>{}</td><td>{bound}</td><td>{}</td><td>{}</td></tr>",
        escape(variable.name),
        variable.start.map_or(String::new(), short),
        variable.reference,
        description,
    ))
}

/// A number as a person would write it.
fn short(number: f64) -> String {
    let plain = format!("{number}");
    let scientific = format!("{number:e}");
    if plain.len() <= scientific.len() + 3 { plain } else { scientific }
}

fn equations(equations: &[Equation]) -> Result<String> {
    let mut list = "<dl class=\"equations\">\n".to_owned();
    for equation in equations {
        let formula = math(equation.latex, DisplayMode::Block)?;
        writeln!(
            list,
            "<dt><span class=\"formula\">{formula}</span><span class=\"number\">{}</span></dt>\n<dd>{}</dd>",
            escape(equation.number),
            html(equation.meaning)
        )?;
    }
    list.push_str("</dl>");
    Ok(list)
}

fn math(latex: &str, display_mode: DisplayMode) -> Result<String> {
    let storage = Storage::new();
    let mut mathml = String::new();
    let config = RenderConfig { display_mode, ..RenderConfig::default() };
    push_mathml(&mut mathml, Parser::new(latex, &storage), config).context("formula")?;
    // The renderer puts its complaints into the formula, in red.
    if mathml.contains("<merror") {
        bail!("the formula `{latex}` cannot be rendered; correct its LaTeX in the law's file");
    }
    // The renderer leaves comparisons unescaped and writes the micro sign, which browsers do not slant, for the letter.
    Ok(mathml
        .replace("<mo><</mo>", "<mo>&lt;</mo>")
        .replace("<mo>></mo>", "<mo>&gt;</mo>")
        .replace('\u{b5}', "\u{3bc}"))
}

fn phenomena(phenomena: Phenomena) -> String {
    let rows = PHENOMENA.map(|(name, shows)| {
        format!("<tr><td>{name}</td><td>{}</td></tr>\n", if shows(&phenomena) { "yes" } else { "no" })
    });
    format!("<table>\n<tr><th>Phenomenon</th><th>Modelled</th></tr>\n{}</table>", rows.concat())
}

/// The phenomena by name.
type Shows = fn(&Phenomena) -> bool;
const PHENOMENA: [(&str, Shows); 5] = [
    ("Stribeck effect", |p| p.stribeck),
    ("pre-sliding", |p| p.pre_sliding),
    ("memory", |p| p.memory),
    ("break-away growth", |p| p.break_away_growth),
    ("long-term stick", |p| p.long_term_stick),
];

/// Where Model Exchange has no limit, and where it has.
const MODEL_EXCHANGE: &str = "In Model Exchange there is no limit where one solver integrates body and element together and passes v \
     to the element at every evaluation. An importer that exchanges inputs at its output points only, as some co-simulation tools do \
     with Model Exchange units, holds them in between, and the limits above hold for its output step: compare one run with a tenth \
     of that step.";

fn coupling(entry: &Entry, page: &mut Page) -> Result<()> {
    let has = |name| entry.variables().any(|variable| variable.name == name);
    if !(has("sigma_0") && has("sigma_1")) {
        page.paragraph(
            "A Co-Simulation master holds its inputs over the communication step H: coupling by held values is of first order in \
             H, and where the force answers steeply to v or to the displacement a free body chatters if H is too large. \
             Halve H to see what it costs. Masters that iterate with saved states have no such limit.",
        );
        page.paragraph(MODEL_EXCHANGE);
        return Ok(());
    }
    page.put(
        "<p>In stick the element is a spring of stiffness <i>σ</i><sub>0</sub> with a damper <i>σ</i><sub>1</sub>. A \
         Co-Simulation master that holds its inputs over the communication step <i>H</i> is stable with a free body of mass \
         <i>m</i> below these limits:</p>",
    );
    page.put("<table>\n<tr><th>Master</th><th>stays stable for</th></tr>");
    for (master, limit) in [
        ("steps FMU and body at once (parallel, Jacobi)", r"H < \frac{\sigma_1}{\sigma_0 + \sigma_1^2/m}"),
        ("steps the FMU first, then the body (serial)", r"\frac{H^2\,\sigma_0}{m} + \frac{2\,H\,\sigma_1}{m} < 4"),
    ] {
        page.put(&format!("<tr><td>{master}</td><td>{}</td></tr>", math(limit, DisplayMode::Inline)?));
    }
    page.put("</table>");
    page.paragraph(
        "Above them the body chatters. Coupling by held values is of first order in H: halve H to see what it costs. Masters \
         that iterate with saved states have no such limit.",
    );
    page.paragraph(MODEL_EXCHANGE);
    Ok(())
}

/// Effect of a parameter that is changed in a running simulation on the states.
fn tuning(entry: &Entry, page: &mut Page) {
    page.paragraph(
        "Every parameter may be changed between communication steps, in Model Exchange in Event Mode. The parameters take effect \
         together, with the next step or fmi2NewDiscreteStates. The states keep their values, and the force follows the new \
         parameters at once.",
    );
    let stiffness = entry.declaration.parameters.iter().find(|p| ["sigma_0", "beta", "Delta"].contains(&p.name));
    match stiffness.map(|parameter| parameter.name) {
        Some("Delta") => page.paragraph(
            "The displacement x is the exception: with a smaller Delta it shrinks in proportion, so that the force stays; with a larger \
             one it stays, and the force falls. The contact never holds more energy after the change than before.",
        ),
        Some(name) => page.paragraph(&format!(
            "The deflection z is the exception: with a larger {name} it shrinks in proportion, so that the elastic force {name} z stays; \
             with a smaller one it grows with the root of the ratio, so that the elastic energy stays and the force falls. With the \
             same force a softer bristle would hold more energy than was put in."
        )),
        None => {}
    }
}

/// The largest friction force at rest in the law's own symbols.
fn largest_force(entry: &Entry) -> &'static str {
    let has = |name| entry.declaration.parameters.iter().any(|parameter| parameter.name == name);
    match () {
        () if has("mu_s") => "F_s = mu_s F_N",
        () if has("mu_k") => "F_c = mu_k F_N",
        () if has("f_s") => "f_s F_N",
        () if has("mu_0") => "peak mu_0 F_N",
        () => "(mu_C + mu_Sinf) F_N",
    }
}

/// What m_eff does.
fn shadow(entry: &Entry, page: &mut Page) {
    if !entry.variables().any(|variable| *variable == M_EFF) {
        return;
    }
    page.put("<h3>Longer steps: m_eff</h3>");
    page.paragraph(
        "With m_eff > 0, the mass in kg that a push of the contact accelerates within one communication step, and coupling = serial or \
         parallel, the element carries a shadow of the body: it finds the external force from the body\u{2019}s velocity, lets \
         body and bristle move in one piece, and returns in F_R the force that makes the body follow. F_R is then the force to \
         apply, which may exceed F_s for a step; F_law is the law\u{2019}s own. Serial: the force acts on the step that begins \
         with the velocity given; parallel: on the step after it. Of a body that shares the mass with other contacts, give a share; \
         when unsure, give less. Leave it at 0 where the motion is prescribed, and in Model Exchange, where it does nothing.",
    );
    page.paragraph(
        "H_max tells the longest step that held values bear in the present state. F_R_mean, dF_R_dv and dF_R_dF_N belong to the last \
         communication step: the mean of the law\u{2019}s force over it, and how its force at the end answers to v and F_N over all \
         of it. Warnings of a step too long, or of an m_eff that does not fit, have the log category logCoupling. The project\u{2019}s \
         docs/coupling.md has the pictures and the measured limits.",
    );
}

fn capabilities() -> String {
    let mut table =
        "<table>\n<tr><th>Flag</th><th>Model Exchange</th><th>Co-Simulation</th><th>Meaning</th><th>Shown by\
                     </th></tr>\n"
            .to_owned();
    for flag in &CAPABILITIES {
        let cell = |interface| if flag.interfaces.contains(&interface) { flag.value } else { "\u{2013}" };
        table.push_str(&format!(
            "<tr><td><code>{}</code></td><td>{}</td><td>{}</td><td>{}</td><td><code>{}</code></td></tr>\n",
            flag.attribute,
            cell(Interface::ModelExchange),
            cell(Interface::CoSimulation),
            escape(flag.meaning),
            // A test's name is a long word.
            flag.test.replace('_', "_<wbr/>").replace("::", "::<wbr/>")
        ));
    }
    table.push_str("</table>");
    table
}

#[cfg(test)]
mod tests {
    use super::*;
    use bristle::catalogue::ELEMENTS;
    use quick_xml::Reader;
    use quick_xml::events::Event;

    #[test]
    fn the_page_is_well_formed_and_needs_nothing_else() {
        for entry in &ELEMENTS {
            let page = write(entry).unwrap();
            let mut reader = Reader::from_str(&page);
            while reader.read_event().unwrap() != Event::Eof {}
            for outside in ["<script", "<link", " src=", "url(", "@import", "href=\"http"] {
                assert!(!page.contains(outside), "{outside}");
            }
        }
    }

    #[test]
    fn every_variable_equation_and_capability_has_its_place() {
        for entry in &ELEMENTS {
            let page = write(entry).unwrap();
            for variable in entry.variables() {
                assert!(page.contains(&format!("<td><code>{}</code></td>", variable.name)), "{}", variable.name);
            }
            assert_eq!(page.matches("<dt>").count(), entry.declaration.equations.len());
            for flag in &CAPABILITIES {
                assert!(page.contains(flag.attribute), "{}", flag.attribute);
            }
        }
    }

    #[test]
    fn latex_that_cannot_be_rendered_is_refused() {
        assert!(math(r"\frac{1}{2", DisplayMode::Inline).is_err());
        assert!(math(r"\nosuchcommand", DisplayMode::Inline).is_err());
        assert!(math(r"a < b", DisplayMode::Inline).unwrap().contains("&lt;"));
    }

    #[test]
    fn numbers_are_written_as_a_person_would() {
        assert_eq!([5e6, 3192.75, 0.6, 1e-3, 0.0, 1e-9].map(short), ["5e6", "3192.75", "0.6", "0.001", "0", "1e-9"]);
    }
}
