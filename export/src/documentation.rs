//! `documentation/index.html`: one page about an element that needs no script, no network and no other file.
//!
//! The text is a template, `page.html`. Its values come from the catalogue, its curves from runs of the element.

mod connections;
mod figure;
mod formula;
mod sketch;
mod variables;

use bristle::catalogue::interface::{CAPABILITIES, Capability, Interface};
use bristle::catalogue::{Motion, Variant};
use bristle::coupling::{K_EFF, M_EFF};
use bristle::element::{DEFAULT_TOLERANCE, MAX_TOLERANCE, MIN_TOLERANCE};
use bristle::variable::Role;
use minijinja::syntax::SyntaxConfig;
use minijinja::value::Value;
use minijinja::{Environment, UndefinedBehavior, context};
use pulldown_latex::config::DisplayMode;

use crate::error::{Context, Result};
use crate::typeset;
use formula::mathml;

pub use figure::plot;

/// Sketch of a contact of this motion with the arrows of its variables, as the text of an SVG file.
pub fn sketch(motion: Motion) -> String {
    sketch::draw(motion).replacen("<svg ", "<svg xmlns=\"http://www.w3.org/2000/svg\" style=\"background:#fff\" ", 1)
}

const TEMPLATE: &str = include_str!("documentation/page.html");
const STYLE: &str = include_str!("documentation/style.css");

/// Normal force of the runs in the figure, N.
const NORMAL_FORCE: f64 = 10.0;

/// Text of the page of an element.
pub fn write(variant: &Variant) -> Result<String> {
    let values = values(variant)?;
    let render = || {
        let mut environment = Environment::new();
        // A value that is missing is an error.
        environment.set_undefined_behavior(UndefinedBehavior::Strict);
        // A line that holds a tag alone leaves nothing.
        environment.set_syntax(SyntaxConfig::builder().trim_blocks(true).lstrip_blocks(true).build()?);
        environment.add_filter("symbols", |text: &str| Value::from_safe_string(typeset::html(text)));
        environment.add_template("page.html", TEMPLATE)?;
        environment.get_template("page.html")?.render(values)
    };
    render().with_context(|| format!("the documentation of {} cannot be written", variant.name()))
}

/// Values that the template shows.
fn values(variant: &Variant) -> Result<Value> {
    let metadata = variant.metadata();
    let has_role = |wanted: Role| variant.variables().any(|variable| variable.role == wanted);
    let of_line = if variant.card().motion.is_planar() { variant.law.metadata.equations } else { &[] };
    let equations = of_line.iter().chain(metadata.equations).map(|equation| {
        let formula = mathml(equation.latex, DisplayMode::Block)?;
        Ok(context! { formula, number => equation.number, meaning => equation.meaning })
    });
    let notes = metadata.notes.iter().map(|&(heading, text)| context! { heading, text });
    let phenomena = &metadata.phenomena;
    Ok(context! {
        style => STYLE,
        name => metadata.name,
        title => metadata.title,
        summary => metadata.summary,
        curves => figure::draw(variant, NORMAL_FORCE),
        normal_force => NORMAL_FORCE.to_string(),
        sketch => sketch::draw(variant.card().motion),
        connections => connections::rows(variant),
        balance => connections::balance(variant.card().motion),
        contacts => connections::contacts(variant),
        is_rotational => variant.card().motion == Motion::Rotational,
        variables => variables::groups(variant)?,
        equations => equations.collect::<Result<Vec<_>>>()?,
        has_stick_output => has_role(Role::BooleanOutput),
        sticking => metadata.sticking,
        phenomena => context! {
            stribeck => phenomena.stribeck,
            pre_sliding => phenomena.pre_sliding,
            memory => phenomena.memory,
            break_away_growth => phenomena.break_away_growth,
            long_term_stick => phenomena.long_term_stick,
        },
        events => metadata.events.to_vec(),
        notes => notes.collect::<Vec<_>>(),
        coupling_limits => coupling_limits(variant)?,
        has_shared_body => variant.card().body.is_some(),
        is_in_plane => variant.card().motion.is_planar(),
        is_patch => variant.card().plate.is_some(),
        has_support => variant.variables().any(|variable| variable.is(&K_EFF)),
        has_body_observer => variant.variables().any(|variable| variable.is(&M_EFF)),
        largest_force => largest_force(variant),
        default_tolerance => format!("{DEFAULT_TOLERANCE:e}"),
        min_tolerance => format!("{MIN_TOLERANCE:e}"),
        max_tolerance => format!("{MAX_TOLERANCE:e}"),
        stiffness => stiffness(variant),
        capabilities => CAPABILITIES.iter().map(capability).collect::<Vec<_>>(),
        source => metadata.source,
        place => metadata.place,
        version => env!("CARGO_PKG_VERSION"),
        licence => env!("CARGO_PKG_LICENSE"),
    })
}

/// Largest communication steps with which a free body stays stable, of an element with a bristle.
fn coupling_limits(variant: &Variant) -> Result<Option<Value>> {
    let has = |name| variant.variables().any(|variable| variable.name == name);
    if !(has("sigma_0") && has("sigma_1")) {
        return Ok(None);
    }
    let parallel = mathml(r"H < \frac{\sigma_1}{\sigma_0 + \sigma_1^2/m}", DisplayMode::Inline)?;
    let serial = mathml(r"\frac{H^2\,\sigma_0}{m} + \frac{2\,H\,\sigma_1}{m} < 4", DisplayMode::Inline)?;
    Ok(Some(context! { parallel, serial }))
}

/// Largest friction force at rest in the law's own symbols.
fn largest_force(variant: &Variant) -> &'static str {
    let has = |name| variant.metadata().parameters.iter().any(|parameter| parameter.name == name);
    match () {
        () if has("mu_s") => "F_s = mu_s F_N",
        () if has("mu_d") => "F_c = mu_d F_N",
        () => "peak mu_0 F_N",
    }
}

/// Parameter whose change in a running simulation changes a state.
fn stiffness(variant: &Variant) -> Option<&'static str> {
    let names = ["sigma_0", "Delta"];
    if variant.metadata().states.is_empty() {
        return None;
    }
    variant.metadata().parameters.iter().find(|parameter| names.contains(&parameter.name)).map(|found| found.name)
}

/// Row of the table of capability flags.
fn capability(flag: &Capability) -> Value {
    let cell = |interface| if flag.interfaces.contains(&interface) { flag.value } else { "\u{2013}" };
    // A test's name is a long word, which may be broken after `_` and `::`.
    let breakable = flag.test.replace('_', "_\n").replace("::", "::\n");
    context! {
        attribute => flag.attribute,
        model_exchange => cell(Interface::ModelExchange),
        co_simulation => cell(Interface::CoSimulation),
        meaning => flag.meaning,
        test => breakable.lines().map(str::to_owned).collect::<Vec<_>>(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use bristle::catalogue::{ELEMENTS, Model};
    use quick_xml::Reader;
    use quick_xml::events::Event;

    #[test]
    fn page_is_well_formed_and_refers_to_no_other_file() {
        for variant in ELEMENTS.iter().map(Model::stock) {
            let variant = &variant;
            let page = write(variant).unwrap();
            let mut reader = Reader::from_str(&page);
            while reader.read_event().unwrap() != Event::Eof {}
            for outside in ["<script", "<link", " src=", "url(", "@import", "href=\"http"] {
                assert!(!page.contains(outside), "{outside}");
            }
        }
    }

    #[test]
    fn page_has_every_variable_equation_and_capability() {
        for variant in ELEMENTS.iter().map(Model::stock) {
            let variant = &variant;
            let page = write(variant).unwrap();
            for variable in variant.variables() {
                assert!(page.contains(&format!("<td><code>{}</code></td>", variable.name)), "{}", variable.name);
            }
            assert!(page.contains("<polyline") && page.contains(">Characteristic<"));
            assert_eq!(page.matches("<dt>").count(), variant.metadata().equations.len());
            for flag in &CAPABILITIES {
                assert!(page.contains(flag.attribute), "{}", flag.attribute);
            }
        }
    }
}
