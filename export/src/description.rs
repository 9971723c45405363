//! `modelDescription.xml`: the catalogue's declaration of an element in FMI's words.

mod rules;
mod schema;
mod structure;
#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, BTreeSet};

use bristle::catalogue::Variant;
use bristle::catalogue::interface::{Interface, LOG_CATEGORIES, LogCategory, capabilities};
use bristle::variable::{Role, Unit, Variable};
use quick_xml::se::Serializer;
use serde::Serialize;

use crate::error::{Context, Result};
use schema::*;
use structure::{Order, structure};

/// Text of the model description of an element; an error where it would break a rule of FMI.
pub fn write(variant: &Variant) -> Result<String> {
    write_with_sources(variant, &[])
}

/// Text of the model description of an element whose FMU has these files to compile.
pub fn write_with_sources(variant: &Variant, sources: &[&'static str]) -> Result<String> {
    let description = describe(variant, sources);
    rules::check(&description)?;
    xml(&description)
}

/// Text of a file of FMI.
pub(crate) fn xml(content: &impl Serialize) -> Result<String> {
    let mut xml = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n".to_owned();
    let mut serializer = Serializer::new(&mut xml);
    serializer.indent(' ', 2);
    content
        .serialize(serializer)
        .context("a file of the FMU cannot be written")?;
    xml.push('\n');
    Ok(xml)
}

fn describe(variant: &Variant, sources: &[&'static str]) -> Description {
    let (order, experiment) = (Order::of(variant), &variant.card().experiment);
    Description {
        fmi_version: "2.0",
        model_name: variant.name().to_owned(),
        guid: variant.guid(),
        description: variant.description().to_owned(),
        author: "Bristle contributors",
        version: env!("CARGO_PKG_VERSION"),
        license: env!("CARGO_PKG_LICENSE"),
        generation_tool: concat!("Bristle ", env!("CARGO_PKG_VERSION")),
        variable_naming_convention: "structured",
        number_of_event_indicators: variant.event_count(),
        model_exchange: interface(Interface::ModelExchange, variant.name(), sources),
        co_simulation: interface(Interface::CoSimulation, variant.name(), sources),
        unit_definitions: unit_definitions(variant),
        type_definitions: type_definitions(variant),
        log_categories: log_categories(),
        default_experiment: DefaultExperiment {
            start_time: number(0.0),
            stop_time: number(experiment.stop_time),
            tolerance: number(experiment.tolerance),
            step_size: number(experiment.step_size),
        },
        model_variables: ModelVariables {
            variables: variant
                .variables()
                .map(|declared| variable(declared, &order))
                .collect(),
        },
        model_structure: structure(variant, &order),
    }
}

fn interface(interface: Interface, name: &str, sources: &[&'static str]) -> InterfaceElement {
    let flags = capabilities(interface).map(|flag| (flag.attribute, flag.value.to_owned()));
    InterfaceElement {
        attributes: [("modelIdentifier", name.to_owned())]
            .into_iter()
            .chain(flags)
            .collect(),
        source_files: sources.iter().map(|&name| File { name }).collect(),
    }
}

fn unit_definitions(variant: &Variant) -> UnitDefinitions {
    UnitDefinitions {
        units: units(variant.variables())
            .map(|(name, unit, factor)| {
                let [kg, m, s, rad] = unit.exponents();
                UnitDefinition {
                    name,
                    base_unit: BaseUnit {
                        kg,
                        m,
                        s,
                        rad,
                        factor: factor.map(number),
                    },
                }
            })
            .collect(),
    }
}

/// Units of variables, each once: its name, that of SI, and the factor to it where it is another.
pub fn units<'a>(
    variables: impl Iterator<Item = &'a Variable>,
) -> impl Iterator<Item = (&'static str, Unit, Option<f64>)> {
    let mut units = BTreeMap::new();
    for variable in variables.filter(|variable| variable.is_real()) {
        let factor = variable.scale.map(|scale| scale.factor);
        units.insert((variable.unit, variable.unit_name()), factor);
    }
    // Energies and torques are one unit where lengths are not in m: N.mm.
    let mut names = BTreeSet::new();
    units
        .into_iter()
        .filter(move |((_, name), _)| names.insert(*name))
        .map(|((unit, name), factor)| (name, unit, factor))
}

fn type_definitions(variant: &Variant) -> Option<TypeDefinitions> {
    let choice = |variable: &Variable| match variable.role {
        Role::Choice(choices) => {
            let items = choices
                .iter()
                .zip(1..)
                .map(|(&(name, description), value)| Item {
                    name,
                    value,
                    description,
                });
            Some(SimpleType {
                name: type_name(variable),
                enumeration: Items {
                    items: items.collect(),
                },
            })
        }
        _ => None,
    };
    let mut types: Vec<SimpleType> = Vec::new();
    for of_choice in variant.variables().filter_map(choice) {
        if !types.iter().any(|known| known.name == of_choice.name) {
            types.push(of_choice);
        }
    }
    // The schema wants at least one.
    (!types.is_empty()).then_some(TypeDefinitions { types })
}

/// Name of a choice's type, different from every variable's name. A choice that each contact has
/// for itself has one type.
fn type_name(variable: &Variable) -> String {
    let name = variable.name.rsplit('.').next().unwrap_or_default();
    format!("{}Choice", name.split('[').next().unwrap_or_default())
}

fn log_categories() -> LogCategories {
    let category =
        |&LogCategory { name, description }: &LogCategory| Category { name, description };
    LogCategories {
        categories: LOG_CATEGORIES.iter().map(category).collect(),
    }
}

fn variable(variable: &Variable, order: &Order) -> ScalarVariable {
    let (causality, variability, initial) = match variable.role {
        Role::Input => ("input", "continuous", None),
        Role::Output => ("output", "continuous", Some("calculated")),
        Role::BooleanOutput => ("output", "discrete", Some("calculated")),
        Role::State if variable.is_output_state() => ("output", "continuous", Some("exact")),
        Role::State => ("local", "continuous", Some("exact")),
        Role::Derivative { .. } => ("local", "continuous", Some("calculated")),
        Role::DiscreteState { .. } => ("local", "discrete", Some("calculated")),
        Role::Parameter | Role::Choice(_) => ("parameter", "tunable", Some("exact")),
    };
    let derivative = match variable.role {
        Role::Derivative { of } => Some(order.index(of)),
        _ => None,
    };
    let real = || Real {
        unit: variable.unit_name(),
        min: variable.min.map(number),
        max: variable.max.map(number),
        nominal: variable.nominal.map(number),
        start: variable.start.map(number),
        derivative,
        reinit: variable.reinit,
    };
    let mode = match variable.role {
        Role::DiscreteState { most } => Some(Integer { min: -1, max: most }),
        _ => None,
    };
    ScalarVariable {
        name: variable.name,
        value_reference: variable.reference,
        description: variable.description,
        causality,
        variability,
        initial,
        real: variable.is_real().then(real),
        integer: mode,
        boolean: (variable.role == Role::BooleanOutput).then_some(Empty {}),
        enumeration: matches!(variable.role, Role::Choice(_)).then(|| Enumeration {
            declared_type: type_name(variable),
            start: variable.start.map(|start| start as i32),
        }),
    }
}

/// Shortest text that is read back as the same number.
fn number(number: f64) -> String {
    format!("{number:?}")
}
