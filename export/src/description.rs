//! `modelDescription.xml`: the catalogue's declaration of an element in FMI's words.

mod schema;
mod structure;
#[cfg(test)]
mod tests;

use std::collections::BTreeSet;

use bristle::catalogue::Model;
use bristle::catalogue::interface::{Interface, LOG_CATEGORIES, LogCategory, capabilities};
use bristle::element::DEFAULT_TOLERANCE;
use bristle::variable::{Role, Unit, Variable};
use quick_xml::se::Serializer;
use serde::Serialize;

use crate::error::{Context, Result};
use schema::*;
use structure::{Order, structure};

/// Text of the model description of an element.
pub fn write(entry: &Model) -> Result<String> {
    let mut xml = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n".to_owned();
    let mut serializer = Serializer::new(&mut xml);
    serializer.indent(' ', 2);
    describe(entry).serialize(serializer).context("the model description cannot be written")?;
    xml.push('\n');
    Ok(xml)
}

fn describe(entry: &Model) -> Description {
    let metadata = entry.metadata;
    let order = Order::of(entry);
    Description {
        fmi_version: "2.0",
        model_name: metadata.name,
        guid: entry.guid(),
        description: metadata.title,
        author: "Bristle contributors",
        version: env!("CARGO_PKG_VERSION"),
        license: env!("CARGO_PKG_LICENSE"),
        generation_tool: concat!("Bristle ", env!("CARGO_PKG_VERSION")),
        variable_naming_convention: "structured",
        number_of_event_indicators: metadata.events.len(),
        model_exchange: interface(Interface::ModelExchange, metadata.name),
        co_simulation: interface(Interface::CoSimulation, metadata.name),
        unit_definitions: unit_definitions(entry),
        type_definitions: type_definitions(entry),
        log_categories: log_categories(),
        default_experiment: DefaultExperiment {
            start_time: number(0.0),
            stop_time: number(1.0),
            tolerance: number(DEFAULT_TOLERANCE),
            step_size: number(1e-4),
        },
        model_variables: ModelVariables { variables: entry.variables().map(|v| variable(v, &order)).collect() },
        model_structure: structure(entry, &order),
    }
}

fn interface(interface: Interface, name: &'static str) -> Attributes {
    let flags = capabilities(interface).map(|flag| (flag.attribute, flag.value));
    Attributes([("modelIdentifier", name)].into_iter().chain(flags).collect())
}

fn unit_definitions(entry: &Model) -> UnitDefinitions {
    let reals = entry.variables().filter(|variable| variable.is_real());
    let units: BTreeSet<Unit> = reals.map(|variable| variable.unit).collect();
    let define = |unit: Unit| {
        let [kg, m, s] = unit.exponents();
        UnitDefinition { name: unit.symbol(), base_unit: BaseUnit { kg, m, s } }
    };
    UnitDefinitions { units: units.into_iter().map(define).collect() }
}

fn type_definitions(entry: &Model) -> Option<TypeDefinitions> {
    let choice = |variable: &'static Variable| match variable.role {
        Role::Choice(choices) => {
            let items = choices.iter().zip(1..).map(|(&(name, description), value)| Item { name, value, description });
            Some(SimpleType { name: type_name(variable), enumeration: Items { items: items.collect() } })
        }
        _ => None,
    };
    let types: Vec<SimpleType> = entry.variables().filter_map(choice).collect();
    // The schema wants at least one.
    (!types.is_empty()).then_some(TypeDefinitions { types })
}

/// Name of a choice's type, different from every variable's name.
fn type_name(variable: &Variable) -> String {
    format!("{}Choice", variable.name)
}

fn log_categories() -> LogCategories {
    let category = |&LogCategory { name, description }: &LogCategory| Category { name, description };
    LogCategories { categories: LOG_CATEGORIES.iter().map(category).collect() }
}

fn variable(variable: &'static Variable, order: &Order) -> ScalarVariable {
    let (causality, variability, initial) = match variable.role {
        Role::Input => ("input", "continuous", None),
        Role::Output => ("output", "continuous", Some("calculated")),
        Role::BooleanOutput => ("output", "discrete", Some("calculated")),
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
        unit: variable.unit.symbol(),
        min: variable.min.map(number),
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
