//! Checks of a card against its model.

use super::{Card, Experiment, MAX_NAME, Model, Setting};
use crate::element::{MAX_TOLERANCE, MIN_TOLERANCE};
use crate::variable::{InputError, Role, Variable};

/// Refuses a card that asks for what the model does not have, by a sentence about the first fault.
pub(super) fn check(model: &Model, card: &Card) -> Result<(), InputError> {
    check_texts(card)?;
    check_references(model, card)?;
    check_experiment(&card.experiment)?;
    for (reference, setting) in &card.parameters {
        if let Some(variable) = model.variable(*reference) {
            check_setting(variable, setting)?;
        }
    }
    Ok(())
}

/// Names that Windows keeps for devices, whatever their extension.
const DEVICES: [&str; 4] = ["con", "prn", "aux", "nul"];

/// Why a name cannot be an element's, if it cannot: what is expected instead.
pub fn name_fault(name: &str) -> Option<&'static str> {
    let is_first = |c: char| c.is_ascii_alphabetic() || c == '_';
    let is_identifier = name.starts_with(is_first) && name.chars().all(|c| is_first(c) || c.is_ascii_digit());
    let lower = name.to_ascii_lowercase();
    let is_port = |prefix: &str| {
        lower
            .strip_prefix(prefix)
            .is_some_and(|rest| rest.len() == 1 && rest != "0" && rest.as_bytes()[0].is_ascii_digit())
    };
    if !is_identifier {
        Some("a C identifier: letters, digits and _, no digit first")
    } else if name.len() > MAX_NAME {
        Some("a name of at most 64 characters")
    } else if DEVICES.contains(&&*lower) || is_port("com") || is_port("lpt") {
        Some("a name that Windows does not keep for a device")
    } else {
        None
    }
}

fn check_texts(card: &Card) -> Result<(), InputError> {
    if let Some(expected) = name_fault(&card.name) {
        return Err(InputError(format!("name = {:?} was given where {expected} is needed", card.name)));
    }
    if card.description.contains(char::is_control) {
        return Err(InputError("description holds a control character; give one line of text".to_owned()));
    }
    Ok(())
}

fn check_references(model: &Model, card: &Card) -> Result<(), InputError> {
    let law = model.metadata.name;
    let parameter = |reference: u32| {
        let found = model.variable(reference).filter(|variable| variable.is_parameter());
        found.ok_or_else(|| InputError(format!("{law} has no parameter with value reference {reference}")))
    };
    for reference in card.parameters.keys().chain(&card.fixed) {
        parameter(*reference)?;
    }
    for reference in &card.inputs {
        let variable = parameter(*reference)?;
        if !variable.is_real() {
            return Err(InputError(format!("{} is a choice and cannot be a continuous input", variable.name)));
        }
        if card.fixed.contains(reference) {
            return Err(InputError(format!("{} is both an input and fixed; leave one of them out", variable.name)));
        }
    }
    let is_output = |variable: &&Variable| matches!(variable.role, Role::Output | Role::BooleanOutput);
    for reference in &card.hidden {
        if model.variable(*reference).as_ref().filter(|found| is_output(found)).is_none() {
            return Err(InputError(format!("{law} has no output with value reference {reference}")));
        }
    }
    if model.variables().filter(is_output).all(|output| card.hidden.contains(&output.reference)) {
        return Err(InputError("no output is shown; name at least one".to_owned()));
    }
    Ok(())
}

fn check_setting(declared: &Variable, setting: &Setting) -> Result<(), InputError> {
    let name = declared.name;
    let numbers = [("start", setting.start), ("min", setting.min), ("max", setting.max)];
    for (what, number) in numbers {
        if let Some(number) = number {
            if let Some(expected) = declared.expected_instead_of(number) {
                return Err(InputError(format!("{what} = {number:?} of {name} was given where {expected} is needed")));
            }
            if what != "start" && !declared.is_real() {
                return Err(InputError(format!("{name} is a choice and has no {what}")));
            }
        }
    }
    let [start, min, max] = [setting.start.or(declared.start), setting.min, setting.max];
    let above = |low: Option<f64>, high: Option<f64>| low.zip(high).is_some_and(|(low, high)| low > high);
    let given = |number: Option<f64>| number.unwrap_or(0.0);
    if above(min, max) {
        return Err(InputError(format!("min = {:?} of {name} exceeds max = {:?}", given(min), given(max))));
    }
    if above(min, start) || above(start, max) {
        return Err(InputError(format!("{name} starts at {:?}, outside its bounds", given(start))));
    }
    Ok(())
}

fn check_experiment(experiment: &Experiment) -> Result<(), InputError> {
    let Experiment { stop_time, step_size, tolerance } = *experiment;
    for (name, number) in [("stop_time", stop_time), ("step_size", step_size)] {
        if !(number.is_finite() && number > 0.0) {
            return Err(InputError(format!("{name} = {number:?} s was given where a finite number above 0 is needed")));
        }
    }
    if step_size > stop_time {
        return Err(InputError(format!("step_size = {step_size:?} s exceeds stop_time = {stop_time:?} s")));
    }
    if !(MIN_TOLERANCE..=MAX_TOLERANCE).contains(&tolerance) {
        return Err(InputError(format!(
            "tolerance = {tolerance:?} was given where {MIN_TOLERANCE:e} to {MAX_TOLERANCE:e} is needed"
        )));
    }
    Ok(())
}
