//! Checks of a card against its model.

use super::block::check_block;
use super::expectations::{
    SettingFault, description_fault, duration_fault, name_fault, normal_force_fault,
    tolerance_fault,
};
use super::level::{Level, level_parameter};
use super::scope::{declared, outputs};
use super::system::check_system;
use super::{
    Card, CardBody, Contacts, Experiment, MeasuredCurve, Model, Motion, PlatePoints, Setting,
};
use crate::assembly::MAX_CONTACTS;
use crate::coupling::{COUPLING, M_EFF};
use crate::element::{F_N, LossRow, RADIUS, Reactions, V_Y};
use crate::law::A;
use crate::variable::{InputError, RANGE, Variable, slot};

/// Form of the law for the card's motion. A card that names anything the law does not have is
/// refused by a sentence about the first fault.
pub(super) fn check(law: &'static Model, card: &Card) -> Result<&'static Model, InputError> {
    check_texts(card)?;
    check_normal_force(card.normal_force)?;
    let Some(model) = card.form(law) else {
        return Err(InputError::new(no_planar_form(law)));
    };
    if let Some(curve) = &card.characteristic {
        check_curve(model, card, curve)?;
    }
    let variables = declared(model, card);
    check_references(law.metadata.name, &variables, &outputs(model, card), card)?;
    check_experiment(&card.experiment)?;
    for variable in &variables {
        for setting in card
            .parameters
            .iter()
            .filter(|(reference, _)| slot(**reference) == variable.slot())
        {
            check_setting(&card.scaled(variable), setting.1)?;
        }
    }
    check_directions(model, card)?;
    let normal_force = card.parameters.get(&F_N.reference);
    if let Some(force) = normal_force.and_then(|setting| setting.start)
        && force <= 0.0
    {
        return Err(InputError::new(format!(
            "F_N = {force:?} N was given where a normal force above 0 is needed; leave F_N out, and \
             it is an input"
        ))
        .about(&[F_N.name]));
    }
    let radius = card
        .parameters
        .get(&RADIUS.reference)
        .and_then(|setting| setting.start);
    if let Some(level) = &card.level {
        check_level(law, card, level)?;
    } else if card.motion == Motion::Rotational && radius.is_none() {
        return Err(InputError::new(
            "a rotational element needs its friction radius; give `radius` in m",
        ));
    }
    if let Some(reactions) = &card.reactions {
        check_reactions(card, reactions)?;
    }
    check_losses(card)?;
    if let Some(contacts) = &card.contacts {
        check_contacts(contacts, card.plate.is_some())?;
    }
    if card.acceleration
        && let Some(why) = no_acceleration(model)
    {
        return Err(InputError::new(why));
    }
    if let Some(block) = &card.block {
        check_block(model, card, block)?;
    }
    if let Some(system) = &card.system {
        check_system(model, card, system)?;
    }
    match &card.plate {
        Some(plate) => check_plate(plate)?,
        None if card.motion == Motion::Patch => {
            return Err(InputError::new(
                "a patch needs the positions of its points; give `positions` in m",
            ));
        }
        None => {}
    }
    match &card.body {
        Some(body) => check_body(model, card, body)?,
        None if card.acceleration && card.motion.is_planar() => {
            return Err(InputError::new(
                "acceleration was given for contacts in a plane without a body, where no observer \
                 uses it; give the section `body`, or \
                 leave acceleration out",
            ));
        }
        None => {}
    }
    Ok(model)
}

/// A joint that states its friction is along a line or about an axis, and has no radius.
fn check_level(law: &'static Model, card: &Card, level: &Level) -> Result<(), InputError> {
    let name = law.metadata.name;
    if card.motion.is_planar() {
        return Err(InputError::new(
            "forces of friction were given for contacts in a plane, which need a normal force; \
             give coefficients",
        ));
    }
    if level.has_gear && (level.has_load || card.motion != Motion::Rotational) {
        return Err(InputError::new(
            "a gear was given for a joint along a line or beside a load, but its load follows from \
             the torques about an axis; leave one of them out",
        ));
    }
    if level_parameter(law).is_none() {
        return Err(InputError::new(format!(
            "{name} has no coefficient mu_s, mu_0 or mu_d whose place a force or a torque could \
             take; give a normal force"
        )));
    }
    if !(level.size.is_finite() && level.size > 0.0) {
        return Err(InputError::new(
            "the largest friction at rest was given as 0 where a value above 0 is needed",
        ));
    }
    Ok(())
}

/// Reactions are those of a joint with this motion, and make its normal force.
fn check_reactions(card: &Card, reactions: &Reactions) -> Result<(), InputError> {
    let (joint, motion) = (reactions.joint.name(), Motion::of_joint(reactions.joint));
    if card.motion != motion {
        return Err(InputError::new(format!(
            "reactions of a {joint} joint were given for a contact that is {}; give motion = \
             \"{joint}\"",
            card.motion.name()
        )));
    }
    if card.level.is_some() || card.gives(F_N.reference) || card.inputs.contains(&F_N.reference) {
        return Err(InputError::new(
            "reactions were given beside a normal force, or a force or torque in its place, but \
             the normal force follows from them; leave one of them out",
        ));
    }
    if reactions.given().next().is_none() {
        return Err(InputError::new(format!(
            "a {joint} joint without any part of its reactions was given; name one at least"
        )));
    }
    let has = |name| reactions.given().any(|part| part.name == name);
    if has("overlap") && !has("bending") {
        return Err(InputError::new(
            "the overlap was given without bending, whose arm it is; name both, or leave overlap \
             out",
        ));
    }
    Ok(())
}

/// Losses are those of a joint with a gear, by rising speeds.
fn check_losses(card: &Card) -> Result<(), InputError> {
    if card.losses.is_empty() {
        return Ok(());
    }
    if !card.level.is_some_and(|level| level.has_gear) || card.has_bodies() {
        return Err(InputError::new(
            "losses over the speed were given for a joint without a gear, or with bodies inside, \
             whose speed changes within a step; leave losses out",
        ));
    }
    let is_sound = |row: &LossRow| {
        let [driven, back] = row.efficiency;
        row.speed >= 0.0
            && (0.0..=1.0).contains(&driven)
            && back > 0.0
            && back <= 1.0
            && row
                .bearings
                .iter()
                .all(|torque| torque.is_finite() && *torque >= 0.0)
    };
    let rises = card
        .losses
        .windows(2)
        .all(|pair| pair[0].speed < pair[1].speed);
    if card.losses.iter().all(is_sound) && rises && card.losses.len() <= MAX_LOSS_ROWS {
        return Ok(());
    }
    Err(InputError::new(format!(
        "losses need 1 to {MAX_LOSS_ROWS} rows by rising speed, efficiencies between 0 and 1, that \
         driven back above 0, and bearing torques of 0 or more; a gear that locks itself has \
         efficiency_backward = 0"
    )))
}

/// Largest number of rows of losses.
const MAX_LOSS_ROWS: usize = 64;

fn check_normal_force(normal_force: f64) -> Result<(), InputError> {
    let Some(expected) = normal_force_fault(normal_force) else {
        return Ok(());
    };
    Err(InputError::new(format!(
        "normal_force = {normal_force:?} N was given where {expected} is needed; give the typical \
         F_N of a contact, and bristles for others as parameters"
    )))
}

fn check_curve(model: &Model, card: &Card, curve: &MeasuredCurve) -> Result<(), InputError> {
    let law = model.metadata.name;
    if model.measured.replaced.is_empty() {
        return Err(InputError::new(format!(
            "{law} takes no measured characteristic; leave it out"
        )));
    }
    let named = card
        .parameters
        .keys()
        .chain(&card.inputs)
        .chain(&card.fixed);
    if let Some(reference) = named
        .into_iter()
        .find(|reference| model.measured.replaces(**reference))
    {
        let variables = model
            .variables()
            .chain(model.metadata.directed.iter().flatten());
        let name = variables
            .into_iter()
            .find(|known| known.slot() == slot(*reference))
            .map_or("a parameter", |known| known.name);
        return Err(InputError::new(format!(
            "{name} is replaced by the measured characteristic; leave one of them out"
        ))
        .about(&[name]));
    }
    if let Some(why) = no_signed_curve(model).filter(|_| curve.is_signed()) {
        return Err(InputError::new(format!(
            "the measured characteristic has points with v < 0, but {why}"
        )));
    }
    curve.measured().map_err(|faults| {
        let rows: Vec<_> = faults
            .iter()
            .map(|fault| format!("row {}: {}", fault.row + 1, fault.sentence))
            .collect();
        InputError::new(format!("characteristic: {}", rows.join("; ")))
    })?;
    Ok(())
}

/// Reason for which a law has one measured curve for both directions; `None` where each may have
/// its own.
pub fn no_signed_curve(model: &Model) -> Option<String> {
    let (law, in_plane) = (
        model.metadata.name,
        if model.metadata.planar {
            " in the plane"
        } else {
            ""
        },
    );
    model.metadata.directed.is_empty().then(|| {
        format!(
            "{law} has one curve for both directions{in_plane}; set directions = \"mean\" in \
                 `characteristic`"
        )
    })
}

/// A parameter has one value for both directions, or one for each.
fn check_directions(model: &Model, card: &Card) -> Result<(), InputError> {
    let each = card.contacts.as_ref().map(|contacts| &contacts.each);
    let is_of_each =
        |variable: &&Variable| each.is_some_and(|each| each.contains(&variable.reference));
    let given = model
        .metadata
        .directed
        .iter()
        .filter(|[forward, _]| card.is_by_direction(forward));
    if let Some(variable) = given.flatten().find(is_of_each) {
        let name = variable.name;
        return Err(InputError::new(format!(
            "{name} is one value for all contacts; leave its parameter out of `each`"
        ))
        .about(&[name]));
    }
    let mut directed = model
        .metadata
        .directed
        .iter()
        .filter(|[forward, _]| card.is_by_direction(forward));
    match directed.find(|[forward, _]| !card.gives(forward.reference)) {
        Some([forward, backward]) => Err(InputError::new(format!(
            "{} is given without {}; give both",
            backward.name, forward.name
        ))
        .about(&[backward.name, forward.name])),
        None => Ok(()),
    }
}

/// Reason for which a law makes no contacts in the plane.
pub fn no_planar_form(law: &Model) -> String {
    let name = law.metadata.name;
    let why = if law.metadata.modes.is_empty() && law.metadata.inputs.is_empty() {
        "its source gives the law along a line only"
    } else {
        "its modes and directions are those of a line: in the plane a velocity has no sign"
    };
    format!(
        "{name} has no form in the plane, because {why}; take a translational element, or another \
         law"
    )
}

fn check_contacts(contacts: &Contacts, has_plate: bool) -> Result<(), InputError> {
    let Contacts { count, names, .. } = contacts;
    if has_plate {
        return Err(InputError::new(
            "the points of a patch are its contacts; leave the table `contacts` out",
        ));
    }
    if !(1..=MAX_CONTACTS as u32).contains(count) {
        return Err(InputError::new(format!(
            "{count} contacts were given where 1 to {MAX_CONTACTS} are possible in one FMU"
        )));
    }
    if !names.is_empty() && names.len() != *count as usize {
        return Err(InputError::new(format!(
            "{} names were given for {count} contacts; give one for each",
            names.len()
        )));
    }
    for (i, name) in names.iter().enumerate() {
        if let Some(expected) = name_fault(name) {
            return Err(InputError::new(format!(
                "the contact {name:?} was given where {expected} is needed"
            )));
        }
        if names[..i].contains(name) {
            return Err(InputError::new(format!(
                "two contacts have the name {name:?}; give each its own"
            )));
        }
    }
    Ok(())
}

fn check_body(model: &Model, card: &Card, body: &CardBody) -> Result<(), InputError> {
    // One contact along a line or about an axis has m_eff.
    if card.contacts.is_none() && card.plate.is_none() && !card.motion.is_planar() {
        return Err(InputError::new(
            "a body along a line needs the table `contacts`; give it, or the mass of the body as \
             m_eff in `coupling`",
        ));
    }
    if let Some(why) = no_shared_body(model) {
        return Err(InputError::new(why));
    }
    if card
        .contacts
        .as_ref()
        .is_some_and(|contacts| contacts.each.contains(&COUPLING.reference))
    {
        return Err(InputError::new(
            "the contacts of one body have one coupling; leave coupling out of `each`",
        ));
    }
    card.mobility(body).map(|_| ())
}

/// Why the observer of a law takes no acceleration, if it does not.
pub fn no_acceleration(model: &Model) -> Option<String> {
    let law = model.metadata.name;
    if !has_observer(model) {
        Some(format!(
            "{law} has no observer of a body that an acceleration could help; leave acceleration \
             out"
        ))
    } else if model.variable(A.reference).is_some() {
        Some(format!(
            "{law} has the acceleration as an input anyway; leave acceleration out"
        ))
    } else {
        None
    }
}

/// Why contacts with a law cannot act on one observed body, if they cannot.
pub fn no_shared_body(model: &Model) -> Option<String> {
    let law = model.metadata.name;
    (!has_observer(model)).then(|| {
        format!("{law} has no bristle that a body could be coupled to; leave the body out")
    })
}

/// Whether contacts with a law can have an observer of their body.
fn has_observer(model: &Model) -> bool {
    // A law in the plane has no m_eff, but its bristle can be coupled to a body that the card
    // gives.
    let has_bristle_in_plane =
        model.variable(V_Y.reference).is_some() && !model.metadata.states.is_empty();
    model.variable(M_EFF.reference).is_some() || has_bristle_in_plane
}

/// Largest deviation of the sum of all shares from 1. Convention: decimal fractions with seven
/// digits pass.
const SHARE_ROUNDING: f64 = 1e-6;

fn check_plate(plate: &PlatePoints) -> Result<(), InputError> {
    let PlatePoints { positions, shares } = plate;
    if !(1..=MAX_CONTACTS).contains(&positions.len()) {
        let count = positions.len();
        return Err(InputError::new(format!(
            "{count} points were given where 1 to {MAX_CONTACTS} are possible in one patch"
        ))
        .about(&["positions"]));
    }
    if !positions
        .iter()
        .flatten()
        .all(|coordinate| coordinate.is_finite())
    {
        return Err(
            InputError::new("a position of a point is not finite; give [x, y] in m")
                .about(&["positions"]),
        );
    }
    if shares.is_empty() {
        return Ok(());
    }
    if shares.len() != positions.len() {
        let (given, points) = (shares.len(), positions.len());
        return Err(InputError::new(format!(
            "{given} shares were given for {points} points; give one for each"
        ))
        .about(&["shares"]));
    }
    let sum: f64 = shares.iter().sum();
    let is_fair = shares.iter().all(|share| *share >= 0.0) && (sum - 1.0).abs() <= SHARE_ROUNDING;
    if is_fair {
        Ok(())
    } else {
        Err(InputError::new(format!(
            "shares with the sum {sum:?} were given where numbers of at least 0 with the sum 1 \
             are needed"
        ))
        .about(&["shares"]))
    }
}

fn check_texts(card: &Card) -> Result<(), InputError> {
    if let Some(expected) = name_fault(&card.name) {
        return Err(InputError::new(format!(
            "name = {:?} was given where {expected} is needed",
            card.name
        )));
    }
    if let Some(expected) = description_fault(&card.description) {
        return Err(InputError::new(format!(
            "description holds a control character; give {expected}"
        )));
    }
    Ok(())
}

fn check_references(
    law: &str,
    variables: &[&Variable],
    outputs: &[&Variable],
    card: &Card,
) -> Result<(), InputError> {
    let find = |reference: u32| {
        variables
            .iter()
            .copied()
            .find(|variable| variable.reference == reference)
    };
    let parameter = |reference: u32| {
        let found = find(reference).filter(|variable| card.has_parameter(variable));
        found.ok_or_else(|| {
            InputError::new(format!(
                "{law} has no parameter with value reference {reference}"
            ))
        })
    };
    let each = card.contacts.iter().flat_map(|contacts| &contacts.each);
    let own = |reference: &u32| *reference < RANGE;
    for reference in card
        .parameters
        .keys()
        .filter(|reference| own(reference))
        .chain(&card.fixed)
        .chain(each)
    {
        parameter(*reference)?;
    }
    for reference in card.parameters.keys().filter(|reference| !own(reference)) {
        let (variable, contact) = (parameter(slot(*reference) as u32)?, reference / RANGE);
        let has_own = |contacts: &Contacts| {
            contacts.each.contains(&variable.reference) && contact <= contacts.count
        };
        if !card.contacts.as_ref().is_some_and(has_own) {
            let name = variable.name;
            return Err(InputError::new(format!(
                "{name} has a value for contact {contact}, which has none of its own; name {name} \
                 in `each`"
            ))
            .about(&[name]));
        }
    }
    for reference in &card.inputs {
        let variable = parameter(*reference)?;
        if variable.is(&F_N) {
            return Err(InputError::new(
                "F_N is among the inputs and has a value; leave one of them out",
            )
            .about(&[F_N.name]));
        }
        if !variable.is_real() {
            return Err(InputError::new(format!(
                "{} is a choice and cannot be a continuous input",
                variable.name
            ))
            .about(&[variable.name]));
        }
        if card.fixed.contains(reference) {
            return Err(InputError::new(format!(
                "{} is both an input and fixed; leave one of them out",
                variable.name
            ))
            .about(&[variable.name]));
        }
    }
    for reference in &card.outputs {
        if !outputs.iter().any(|output| output.reference == *reference) {
            return Err(InputError::new(format!(
                "{law} has no output with value reference {reference}"
            )));
        }
    }
    Ok(())
}

fn check_setting(declared: &Variable, setting: &Setting) -> Result<(), InputError> {
    let name = declared.name;
    let numbers = [
        ("start", setting.start),
        ("min", setting.min),
        ("max", setting.max),
    ];
    for (what, number) in numbers {
        if let Some(number) = number {
            if let Some(expected) = declared.expected_instead_of(number) {
                return Err(InputError::new(format!(
                    "{what} = {number:?} of {name} was given where {expected} is needed"
                ))
                .about(&[name]));
            }
            if what != "start" && !declared.is_real() {
                return Err(
                    InputError::new(format!("{name} is a choice and has no {what}")).about(&[name]),
                );
            }
        }
    }
    let sentence = match setting.fault(declared) {
        None => return Ok(()),
        Some(SettingFault::Bounds { min, max }) => {
            format!("min = {min:?} of {name} exceeds max = {max:?}")
        }
        Some(SettingFault::BelowMin { start, .. } | SettingFault::AboveMax { start, .. }) => {
            format!("{name} starts at {start:?}, outside its bounds")
        }
    };
    Err(InputError::new(sentence).about(&[name]))
}

fn check_experiment(experiment: &Experiment) -> Result<(), InputError> {
    let Experiment {
        stop_time,
        step_size,
        tolerance,
    } = *experiment;
    for (name, number) in [("stop_time", stop_time), ("step_size", step_size)] {
        if let Some(expected) = duration_fault(number) {
            return Err(InputError::new(format!(
                "{name} = {number:?} s was given where {expected} is needed"
            )));
        }
    }
    if step_size > stop_time {
        return Err(InputError::new(format!(
            "step_size = {step_size:?} s exceeds stop_time = {stop_time:?} s"
        )));
    }
    if let Some(expected) = tolerance_fault(tolerance) {
        return Err(InputError::new(format!(
            "tolerance = {tolerance:?} was given where {expected} is needed"
        )));
    }
    Ok(())
}

#[cfg(test)]
mod tests;
