//! Card in TOML to element.

use std::collections::BTreeSet;
use std::ops::Range;
use std::path::Path;

use bristle::catalogue::{
    Card, Experiment, MAX_NAME, Model, Variant, declared, description_fault, duration_fault,
    name_fault, normal_force_fault, outputs, tolerance_fault,
};
use bristle::law::{F_N, NOMINAL_FORCE};
use bristle::variable::{InputError, Role, Unit, Variable};
use toml::de::DeTable;

use super::fault::{Fault, Faults, list};
use super::keys::{self, one_of, question};
use super::setting::setting;
use super::{
    block, body, characteristic, contacts, direction, gear, parameters, system, units, unknown_law,
};
use crate::error::{Context, Result};

/// Keys of a card.
const KEYS: [&str; 24] = [
    "name",
    "description",
    "law",
    "motion",
    "reactions",
    "radius",
    "load",
    "positions",
    "shares",
    "normal_force",
    "inputs",
    "fixed",
    "outputs",
    "parameters",
    "direction",
    "characteristic",
    "contacts",
    "body",
    "block",
    "system",
    "coupling",
    "gear",
    "units",
    "experiment",
];

/// Element of a card whose law is one of these models; or all faults of the card.
pub fn read(text: &str, models: &'static [Model]) -> std::result::Result<Variant, Vec<Fault>> {
    read_in(text, None, models).map(|(element, _)| element)
}

/// Element of the card in a file, beside which the files that it names lie. An error has a line for
/// each fault.
pub fn read_file(path: &Path, models: &'static [Model]) -> Result<Variant> {
    let text =
        std::fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))?;
    read_text(&text, path, models)
}

/// Element of the text of the card in a file, as [`read_file`].
pub fn read_text(text: &str, path: &Path, models: &'static [Model]) -> Result<Variant> {
    examine(text, path, models).map(|(element, _)| element)
}

/// Element of the text of the card in a file, and sentences about the files that it names: what was
/// found in them, and what was made of it.
pub fn examine(
    text: &str,
    path: &Path,
    models: &'static [Model],
) -> Result<(Variant, Vec<String>)> {
    // `card.toml` lies in the present folder.
    let folder = path.parent().unwrap_or(Path::new(""));
    read_in(text, Some(folder), models).map_err(|faults| list(&path.display().to_string(), &faults))
}

/// Element of a text whose files lie in `folder`, with its remarks.
fn read_in(
    text: &str,
    folder: Option<&Path>,
    models: &'static [Model],
) -> std::result::Result<(Variant, Vec<String>), Vec<Fault>> {
    let mut faults = Faults::of(text);
    let (document, errors) = DeTable::parse_recoverable(text);
    // The card with points in place of decimal commas.
    let mut mended = text.to_owned();
    for error in errors {
        let place = error.span().unwrap_or_default();
        let start = text
            .get(..place.start)
            .map_or(0, |before| before.rfind('\n').map_or(0, |end| end + 1));
        let first_line = |text: &str| text[start..].lines().next().unwrap_or_default().to_owned();
        let line = first_line(&mended);
        if let Some((key, number)) = keys::with_decimal_comma(&line) {
            faults.add(start..start, key, keys::decimal_comma(number));
            let comma = start + line.find(number).unwrap_or(0) + number.find(',').unwrap_or(0);
            mended.replace_range(comma..=comma, ".");
        } else if line == first_line(text) {
            faults.add(place, "", format!("this is no TOML: {}", error.message()));
        }
    }
    if faults.count() > 0 {
        // The other faults of a card that is TOML but for its commas.
        if mended != text
            && DeTable::parse(&mended).is_ok()
            && let Err(others) = read_in(&mended, folder, models)
        {
            faults.extend(others);
        }
        return Err(faults.finish());
    }
    let table = document.get_ref();
    refuse_unknown(&mut faults, table, models);
    let name = name(&mut faults, table);
    let law = law(&mut faults, table, models);
    let description = description(&mut faults, table);
    let experiment = experiment(&mut faults, table);
    let normal_force = normal_force(&mut faults, table);
    let Some((law_place, law)) = law else {
        let entry = keys::get(table, "law");
        let value = entry.map(|(_, value)| value);
        let given = value.and_then(|value| value.get_ref().as_str());
        let card = Card {
            normal_force,
            ..Card::of_law("", "")
        };
        let with_law = |known: &str| {
            let mut text = text.to_owned();
            if let Some(value) = value {
                text.replace_range(value.span(), &format!("{known:?}"));
            }
            read_in(&text, folder, models).err().unwrap_or_default()
        };
        unknown_law::read(&mut faults, table, folder, models, given, card, with_law);
        return Err(faults.finish());
    };

    let metadata = law.metadata;
    let mut card = Card::of_law(
        metadata.name,
        &description.unwrap_or_else(|| metadata.title.to_owned()),
    );
    card.name = name.unwrap_or_else(|| metadata.name.to_owned());
    card.experiment = experiment;
    card.normal_force = normal_force;
    let before_motion = faults.count();
    let Some(model) = contacts::read_motion(&mut faults, table, Some(law), &mut card) else {
        unknown_law::without_model(&mut faults, table, std::slice::from_ref(law), &mut card);
        return Err(faults.finish());
    };
    gear::read(&mut faults, table, &mut card);
    system::read(&mut faults, table, model, &mut card);
    contacts::read_contacts(&mut faults, table, Some(model), &mut card);
    body::read(&mut faults, table, model, &mut card);
    parameters::read_acceleration(&mut faults, table, model, &mut card);
    block::read(&mut faults, table, model, &mut card);
    characteristic::read(&mut faults, table, folder, Some(model), &mut card);
    let motion_is_sound = faults.count() == before_motion;
    let before = faults.count();
    let mut places = direction::read(&mut faults, table, model, &mut card);
    places.extend(parameters::read(&mut faults, table, model, &mut card));
    let parameters_are_sound = faults.count() == before;
    lists(&mut faults, table, model, &mut card);
    units::read(&mut faults, table, model, &mut card);
    if parameters_are_sound && motion_is_sound {
        if faults.count() > 0 {
            // The lists and the experiment have their faults already.
            card = Card {
                inputs: BTreeSet::new(),
                fixed: BTreeSet::new(),
                outputs: BTreeSet::new(),
                experiment: Experiment::default(),
                ..card
            };
        }
        match Variant::new(law, card) {
            Ok(element) if faults.count() == 0 => return Ok((element, faults.remarks)),
            Ok(_) => {}
            Err(error) => refuse_whole(&mut faults, table, error, &places, law_place),
        }
    }
    Err(faults.finish())
}

/// Adds a fault of the card as a whole, at the first of its keys that the card gives, or else at
/// the law. `places` are those of parameters.
fn refuse_whole(
    faults: &mut Faults,
    table: &DeTable,
    InputError { sentence, keys }: InputError,
    places: &[(String, Range<usize>)],
    law_place: Range<usize>,
) {
    let parameter = places
        .iter()
        .find(|(name, _)| keys.contains(&name.as_str()));
    let other = keys
        .iter()
        .find_map(|key| Some((*key, keys::get(table, key)?.0)));
    match (parameter, other) {
        (Some((name, place)), _) => {
            let sentence = format!("the values contradict each other: {sentence}");
            faults.add(place.clone(), direction::key_of(name), sentence);
        }
        (None, Some((key, place))) => faults.add(place, key, sentence),
        (None, None) => faults.add(law_place, "law", sentence),
    }
}

fn refuse_unknown(faults: &mut Faults, table: &DeTable, models: &'static [Model]) {
    let is_parameter = |name: &str| {
        models
            .iter()
            .flat_map(Model::variables)
            .any(|variable| variable.is_parameter() && variable.name == name)
    };
    for (key, _) in table.iter() {
        let name = key.get_ref().as_ref();
        if KEYS.contains(&name) {
            continue;
        }
        let sentence = if is_parameter(name) {
            "found a parameter, expected it below `[parameters]`".to_owned()
        } else {
            format!(
                "found an unknown key, expected {}{}",
                one_of(&KEYS),
                question(name, &KEYS)
            )
        };
        faults.add(key.span(), name, sentence);
    }
}

fn name(faults: &mut Faults, table: &DeTable) -> Option<String> {
    let Some(entry) = keys::get(table, "name") else {
        faults.add(
            0..0,
            "name",
            "found no name, expected a C identifier such as `FrontPad`: the file name of the FMU",
        );
        return None;
    };
    let place = entry.1.span();
    let name = keys::text(faults, "name", entry)?;
    if let Some(expected) = name_fault(name) {
        let found = if name.len() > MAX_NAME {
            format!("{} characters", name.chars().count())
        } else {
            format!("\"{name}\"")
        };
        faults.add(place, "name", format!("found {found}, expected {expected}"));
        return None;
    }
    Some(name.to_owned())
}

fn law(
    faults: &mut Faults,
    table: &DeTable,
    models: &'static [Model],
) -> Option<(Range<usize>, &'static Model)> {
    let known: Vec<_> = models.iter().map(|model| model.metadata.name).collect();
    let Some(entry) = keys::get(table, "law") else {
        faults.add(
            0..0,
            "law",
            format!("found no law, expected one of {}", one_of(&known)),
        );
        return None;
    };
    let place = entry.1.span();
    let name = keys::text(faults, "law", entry)?;
    let model = models.iter().find(|model| model.metadata.name == name);
    if model.is_none() {
        let sentence = format!(
            "found \"{name}\", expected one of {}{}",
            one_of(&known),
            question(name, &known)
        );
        faults.add(place.clone(), "law", sentence);
    }
    Some((place, model?))
}

fn description(faults: &mut Faults, table: &DeTable) -> Option<String> {
    let entry = keys::get(table, "description")?;
    let place = entry.1.span();
    let text = keys::text(faults, "description", entry)?;
    if let Some(expected) = description_fault(text) {
        faults.add(
            place,
            "description",
            format!("found a control character or a second line, expected {expected}"),
        );
        return None;
    }
    // Room in the library is limited, and importers show one line.
    if text.chars().count() > 500 {
        faults.add(
            place,
            "description",
            format!(
                "found {} characters, expected 500 at most",
                text.chars().count()
            ),
        );
        return None;
    }
    Some(text.to_owned())
}

fn experiment(faults: &mut Faults, table: &DeTable) -> Experiment {
    let mut experiment = Experiment::default();
    let Some(table) =
        keys::get(table, "experiment").and_then(|entry| keys::table(faults, "experiment", entry))
    else {
        return experiment;
    };
    let before = faults.count();
    let Experiment {
        stop_time,
        step_size,
        tolerance,
    } = &mut experiment;
    let places = [
        ("stop_time", stop_time),
        ("step_size", step_size),
        ("tolerance", tolerance),
    ];
    keys::refuse_others(
        faults,
        "experiment.",
        table,
        &["stop_time", "step_size", "tolerance"],
    );
    for (name, place) in places {
        let key = format!("experiment.{name}");
        let Some((_, value)) = keys::get(table, name) else {
            continue;
        };
        let is_tolerance = name == "tolerance";
        let unit = if is_tolerance {
            Unit::One
        } else {
            Unit::Second
        };
        let Some(number) = keys::quantity(faults, &key, value, unit) else {
            continue;
        };
        let expected = if is_tolerance {
            tolerance_fault(number)
        } else {
            duration_fault(number).map(str::to_owned)
        };
        match expected {
            Some(expected) => keys::expected(faults, &key, value, &expected),
            None => *place = number,
        }
    }
    if faults.count() == before
        && experiment.step_size > experiment.stop_time
        && let Some((place, _)) =
            keys::get(table, "step_size").or_else(|| keys::get(table, "stop_time"))
    {
        let Experiment {
            stop_time,
            step_size,
            ..
        } = experiment;
        let sentence =
            format!("found {step_size:?} s, expected at most stop_time = {stop_time:?} s");
        faults.add(place, "experiment.step_size", sentence);
    }
    experiment
}

/// Nominal normal force, N.
fn normal_force(faults: &mut Faults, table: &DeTable) -> f64 {
    let stated = keys::get(table, "normal_force").and_then(|(_, value)| {
        let force = keys::quantity(faults, "normal_force", value, Unit::Newton)?;
        if let Some(expected) = normal_force_fault(force) {
            keys::expected(faults, "normal_force", value, &expected);
            return None;
        }
        Some(force)
    });
    if let Some((place, _)) = keys::get_in(table, "characteristic", "normal_force") {
        let sentence = "found the normal force below `[characteristic]`, expected it at the top \
                        of the card, beside `law`; move it there";
        faults.add(place, "characteristic.normal_force", sentence);
    }
    // A normal force that the card gives is the nominal one.
    let of_parameters = keys::get_in(table, "parameters", F_N.name)
        .and_then(|(_, value)| setting(&mut Faults::of(""), F_N.name, &F_N, value)?.start);
    let of_parameters = of_parameters.filter(|force| normal_force_fault(*force).is_none());
    stated.or(of_parameters).unwrap_or(NOMINAL_FORCE)
}

/// The lists of names: `inputs`, `fixed`, `outputs`.
fn lists(faults: &mut Faults, table: &DeTable, model: &'static Model, card: &mut Card) {
    let law = model.metadata.name;
    let mut variables: Vec<&Variable> = declared(model, card);
    if card.characteristic.is_some() {
        // The name of a replaced parameter gets a sentence of its own.
        variables.extend(model.measured.replaced);
    }
    variables.retain(|variable| !variable.is_output());
    variables.extend(outputs(model, card));
    let names = |chosen: &dyn Fn(&Variable) -> bool| -> Vec<&str> {
        variables
            .iter()
            .filter(|variable| chosen(variable))
            .map(|variable| variable.name)
            .collect()
    };
    let find = |name: &str| {
        variables
            .iter()
            .copied()
            .find(|variable| variable.name == name)
    };

    for key in ["inputs", "fixed"] {
        let Some(entry) = keys::get(table, key) else {
            continue;
        };
        for (place, name) in keys::texts(faults, key, entry) {
            let found = find(name);
            let Some(variable) = found.filter(|variable| card.has_parameter(variable)) else {
                let kind = found.map_or(String::new(), |variable| {
                    format!(", which is {}", role(variable))
                });
                let parameters = names(&Variable::is_parameter);
                let question = if found.is_some() {
                    String::new()
                } else {
                    question(name, &parameters)
                };
                let expected = format!("expected a parameter of {law}: {}", one_of(&parameters));
                faults.add(
                    place,
                    key,
                    format!("found \"{name}\"{kind}, {expected}{question}"),
                );
                continue;
            };
            if key == "fixed" {
                card.fixed.insert(variable.reference);
                if card.inputs.contains(&variable.reference) {
                    faults.add(
                        place,
                        key,
                        format!(
                            "found \"{name}\", which is among the inputs; leave it out of one \
                                 of the two"
                        ),
                    );
                }
            } else if variable.is_real() {
                card.inputs.insert(variable.reference);
            } else {
                faults.add(
                    place,
                    key,
                    format!(
                        "found \"{name}\", which is a choice, expected a parameter with a \
                             real value"
                    ),
                );
            }
        }
    }

    let Some(entry) = keys::get(table, "outputs") else {
        return;
    };
    let place = entry.0.clone();
    let before = faults.count();
    match entry.1.get_ref().as_str() {
        Some("all") => return card.show_all(model),
        Some(_) => {
            return keys::expected(
                faults,
                "outputs",
                entry.1,
                "a list of names in quotation marks, or \"all\"",
            );
        }
        None => {}
    }
    for (place, name) in keys::texts(faults, "outputs", entry) {
        let found = find(name);
        if let Some(output) = found.filter(|variable| variable.is_output()) {
            card.outputs.insert(output.reference);
            continue;
        }
        let kind = found.map_or(String::new(), |variable| {
            format!(", which is {}", role(variable))
        });
        let outputs = names(&Variable::is_output);
        let question = if found.is_some() {
            String::new()
        } else {
            question(name, &outputs)
        };
        let expected = format!("expected an output of {law}: {}", one_of(&outputs));
        faults.add(
            place,
            "outputs",
            format!("found \"{name}\"{kind}, {expected}{question}"),
        );
    }
    if card.outputs.is_empty() && faults.count() == before {
        faults.add(
            place,
            "outputs",
            "found no name, expected one at least, or \"all\"; leave the key out to show the \
             usual ones",
        );
    }
}

/// Role of a variable in words.
fn role(variable: &Variable) -> &'static str {
    match variable.role {
        Role::Input => "an input anyway",
        Role::Output | Role::BooleanOutput => "an output",
        Role::State => "a state, always shown",
        Role::Derivative { .. } => "the derivative of a state, always shown",
        Role::DiscreteState { .. } => "a mode, always shown",
        Role::Parameter | Role::Choice(_) => "a parameter",
    }
}
