//! `documentation/index.html`: one page about an element that needs no script, no network and no
//! other file.
//!
//! The text is a template, `page.html`. Its values come from the catalogue, its curves from runs of
//! the element.

mod connections;
mod figure;
mod formula;
mod sketch;
mod texts;
mod variables;

use std::collections::BTreeMap;

use bristle::catalogue::interface::{CAPABILITIES, Capability, Interface};
use bristle::catalogue::{Motion, Variant};
use bristle::characteristic::End;
use bristle::coupling::OUTPUTS_IN_PLANE;
use bristle::element::{DEFAULT_TOLERANCE, MAX_TOLERANCE, MIN_TOLERANCE};
use bristle::law::F_T;
use bristle::variable::{Role, Variable};
use minijinja::syntax::SyntaxConfig;
use minijinja::value::Value;
use minijinja::{Environment, UndefinedBehavior, context};
use pulldown_latex::config::DisplayMode;

use crate::curves::followed_curve;
use crate::error::{Context, Result};
use crate::meanings::{Contact, Meaning, meanings};
use crate::number::short_4;
use crate::plausibility::remarks;
use crate::typeset;
use figure::Figure;
use formula::mathml;
use sketch::Support;
use texts::Texts;

pub use figure::{measured_points, panels, plot};

/// Sketch of a contact of this motion with the arrows of its variables, as the text of an SVG file.
pub fn sketch(motion: Motion) -> String {
    sketch::draw(motion, Support::Master, false).replacen(
        "<svg ",
        "<svg xmlns=\"http://www.w3.org/2000/svg\" style=\"background:#fff\" ",
        1,
    )
}

const TEMPLATE: &str = include_str!("documentation/page.html");
const STYLE: &str = include_str!("documentation/style.css");

/// Text of the page of an element.
pub fn write(variant: &Variant) -> Result<String> {
    let values = values(variant)?;
    let render = || {
        let mut environment = Environment::new();
        // A value that is missing is an error.
        environment.set_undefined_behavior(UndefinedBehavior::Strict);
        // A line that holds a tag alone leaves nothing.
        environment.set_syntax(
            SyntaxConfig::builder()
                .trim_blocks(true)
                .lstrip_blocks(true)
                .build()?,
        );
        environment.add_filter("symbols", |text: &str| {
            Value::from_safe_string(typeset::html(text))
        });
        environment.add_template("page.html", TEMPLATE)?;
        environment.get_template("page.html")?.render(values)
    };
    render().with_context(|| format!("the documentation of {} cannot be written", variant.name()))
}

/// Headings of the notes of static laws on the applied force.
const NOTES_ON_APPLIED_FORCE: [&str; 2] = ["Stick", "If F_t is not connected"];

/// Values that the template shows.
fn values(variant: &Variant) -> Result<Value> {
    let (metadata, card, texts) = (variant.metadata(), variant.card(), Texts::new(variant));
    let has_role = |wanted: Role| variant.variables().any(|variable| variable.role == wanted);
    let equations = texts.equations().into_iter().map(|equation| {
        let formula = mathml(&equation.latex, DisplayMode::Block)?;
        Ok(context! { formula, number => equation.number, meaning => equation.meaning })
    });
    // Bodies inside give a law the applied force, which is no input then.
    let is_inside = card.has_bodies() && metadata.has_input(&F_T);
    let has_note = |heading: &str| !is_inside || !NOTES_ON_APPLIED_FORCE.contains(&heading);
    let notes = texts
        .notes()
        .into_iter()
        .filter(|(heading, _)| has_note(heading))
        .map(|(heading, text)| context! { heading, text });
    let support = match (&card.block, &card.body) {
        (Some(_), _) => Support::Block,
        (None, Some(_)) => Support::Body,
        (None, None) => Support::Master,
    };
    let phenomena = &metadata.phenomena;
    let normal_force = card.normal_force;
    let figures = figure::draw(variant, normal_force).into_iter();
    Ok(context! {
        style => STYLE,
        name => variant.name(),
        description => variant.description(),
        law => metadata.name,
        title => metadata.title,
        is_stock => variant.name() == metadata.name,
        summary => texts.text(metadata.summary),
        figures => figures.map(|Figure { picture, caption }| context! { picture, caption }).collect::<Vec<_>>(),
        meanings => rows_of_meanings(variant),
        remarks => remarks(variant),
        curve => curve(variant),
        sketch => match &card.system {
            Some(system) => sketch::system(card, system),
            None => sketch::draw(card.motion, support, card.level.is_some()),
        },
        connections => connections::rows(variant),
        balance => [connections::balance(variant), connections::of_gaps(variant)].concat(),
        contacts => connections::contacts(variant),
        is_joint => card.level.is_some(),
        is_rotational => card.motion == Motion::Rotational,
        force => if card.motion == Motion::Rotational { "M_R" } else { "F_R" },
        names => names(variant),
        variables => variables::tables(variant)?,
        equations => equations.collect::<Result<Vec<_>>>()?,
        has_stick_output => has_role(Role::BooleanOutput),
        sticking => texts.text(metadata.sticking),
        phenomena => context! {
            stribeck => phenomena.stribeck,
            pre_sliding => phenomena.pre_sliding,
            memory => phenomena.memory,
            break_away_growth => phenomena.break_away_growth,
            long_term_stick => phenomena.long_term_stick,
        },
        events => metadata.events.iter().map(|event| texts.text(event)).collect::<Vec<_>>(),
        notes => notes.collect::<Vec<_>>(),
        largest_normal_force => if card.level.is_none() {
            Contact::new(variant, 0).largest_normal_force().map(short_4)
        } else {
            None
        },
        coupling_limits => coupling_limits(variant)?,
        has_shared_body => card.body.is_some(),
        has_block => card.block.is_some(),
        has_system => card.system.is_some(),
        is_in_plane => card.motion.is_planar(),
        is_patch => card.plate.is_some(),
        largest_force => texts.largest_force(),
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

/// Names that the element's variables have, by the names that the law declares; of several contacts
/// those without the contact.
fn names(variant: &Variant) -> BTreeMap<&'static str, &'static str> {
    let of_motion = |declared: &'static Variable| variant.card().declared(declared).name;
    let is_shown = |declared: &Variable| variant.variables().any(|variable| variable.is(declared));
    let declared = variant.model.variables().chain(OUTPUTS_IN_PLANE.iter());
    declared
        .filter(|declared| is_shown(declared))
        .map(|declared| (declared.name, of_motion(declared)))
        .collect()
}

/// Rows of the numbers and their meanings.
fn rows_of_meanings(variant: &Variant) -> Vec<Value> {
    let row = |Meaning {
                   name,
                   value,
                   unit,
                   meaning,
               }| context! { name, value => short_4(value), unit, meaning };
    meanings(variant).into_iter().map(row).collect()
}

/// Measured curve of an element, with the deviation of the element from it.
fn curve(variant: &Variant) -> Option<Value> {
    let curve = variant.card().characteristic.as_ref()?;
    let backward = curve.points.iter().take_while(|[v, _]| *v < 0.0).count();
    let (first, last) = (curve.points.get(backward)?, curve.points.last()?);
    Some(context! {
        count => curve.points.len() - backward,
        backward,
        first,
        last,
        units => match (variant.card().level, variant.card().motion) {
            (None, _) => ["m/s", ""],
            (Some(_), Motion::Rotational) => ["rad/s", " N\u{b7}m"],
            (Some(_), _) => ["m/s", " N"],
        },
        is_flat => curve.end == End::Flat,
        deviation => followed_curve(variant).ok().flatten(),
    })
}

/// Largest communication steps with which a free body stays stable, of an element with a bristle.
fn coupling_limits(variant: &Variant) -> Result<Option<Value>> {
    let find = |name| shown_as(variant, name).map(|variable| variable.symbol);
    let (Some(stiffness), Some(damping)) = (find("sigma_0"), find("sigma_1")) else {
        return Ok(None);
    };
    let inline = |latex: &str| mathml(latex, DisplayMode::Inline);
    let parallel = format!(r"H < \frac{{{damping}}}{{{stiffness} + {damping}^2/m}}");
    let serial = format!(r"\frac{{H^2\,{stiffness}}}{{m}} + \frac{{2\,H\,{damping}}}{{m}} < 4");
    Ok(Some(context! {
        stiffness => inline(stiffness)?,
        damping => inline(damping)?,
        parallel => inline(&parallel)?,
        serial => inline(&serial)?,
    }))
}

/// Parameter whose change in a running simulation changes a state.
fn stiffness(variant: &Variant) -> Option<&'static str> {
    let names = ["sigma_0", "Delta"];
    if variant.metadata().states.is_empty() {
        return None;
    }
    names
        .iter()
        .find_map(|name| shown_as(variant, name))
        .map(|found| found.name)
}

/// Shown variable of an element that has this name in its law.
fn shown_as<'a>(variant: &'a Variant, name: &str) -> Option<&'a Variable> {
    let of_law = variant.model.variables().find(|known| known.name == name)?;
    variant.variables().find(|variable| variable.is(of_law))
}

/// Row of the table of capability flags.
fn capability(flag: &Capability) -> Value {
    let cell = |interface| {
        if flag.interfaces.contains(&interface) {
            flag.value
        } else {
            "\u{2013}"
        }
    };
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
mod tests;
