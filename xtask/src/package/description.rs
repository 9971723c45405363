//! `modelDescription.xml`: the catalogue's declaration of an element in FMI's words.
//!
//! The structs stand in the order of the standard's schema, and so do their fields: serde writes them as they stand.

use std::collections::{BTreeMap, BTreeSet};

use anyhow::Result;
use bristle::catalogue::Entry;
use bristle::catalogue::interface::{Interface, LOG_CATEGORIES, LogCategory, capabilities};
use bristle::element::DEFAULT_TOLERANCE;
use bristle::variable::{Role, Unit, Variable};
use quick_xml::se::Serializer;
use serde::Serialize;

/// The description of an element.
pub fn write(entry: &Entry) -> Result<String> {
    let mut xml = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n".to_owned();
    let mut serializer = Serializer::new(&mut xml);
    serializer.indent(' ', 2);
    describe(entry).serialize(serializer)?;
    xml.push('\n');
    Ok(xml)
}

#[derive(Serialize)]
#[serde(rename = "fmiModelDescription")]
struct Description {
    #[serde(rename = "@fmiVersion")]
    fmi_version: &'static str,
    #[serde(rename = "@modelName")]
    model_name: &'static str,
    #[serde(rename = "@guid")]
    guid: String,
    #[serde(rename = "@description")]
    description: &'static str,
    #[serde(rename = "@author")]
    author: &'static str,
    #[serde(rename = "@version")]
    version: &'static str,
    #[serde(rename = "@license")]
    license: &'static str,
    #[serde(rename = "@generationTool")]
    generation_tool: &'static str,
    #[serde(rename = "@variableNamingConvention")]
    variable_naming_convention: &'static str,
    #[serde(rename = "@numberOfEventIndicators")]
    number_of_event_indicators: usize,
    #[serde(rename = "ModelExchange")]
    model_exchange: Attributes,
    #[serde(rename = "CoSimulation")]
    co_simulation: Attributes,
    #[serde(rename = "UnitDefinitions")]
    unit_definitions: UnitDefinitions,
    #[serde(rename = "TypeDefinitions", skip_serializing_if = "Option::is_none")]
    type_definitions: Option<TypeDefinitions>,
    #[serde(rename = "LogCategories")]
    log_categories: LogCategories,
    #[serde(rename = "DefaultExperiment")]
    default_experiment: DefaultExperiment,
    #[serde(rename = "ModelVariables")]
    model_variables: ModelVariables,
    #[serde(rename = "ModelStructure")]
    model_structure: ModelStructure,
}

/// An element's attributes, name and value.
struct Attributes(Vec<(&'static str, &'static str)>);

impl Serialize for Attributes {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(name, value)| (format!("@{name}"), value)))
    }
}

#[derive(Serialize)]
struct UnitDefinitions {
    #[serde(rename = "Unit")]
    units: Vec<UnitDefinition>,
}

#[derive(Serialize)]
struct UnitDefinition {
    #[serde(rename = "@name")]
    name: &'static str,
    #[serde(rename = "BaseUnit")]
    base_unit: BaseUnit,
}

#[derive(Serialize)]
struct BaseUnit {
    #[serde(rename = "@kg", skip_serializing_if = "is_zero")]
    kg: i32,
    #[serde(rename = "@m", skip_serializing_if = "is_zero")]
    m: i32,
    #[serde(rename = "@s", skip_serializing_if = "is_zero")]
    s: i32,
}

#[derive(Serialize)]
struct TypeDefinitions {
    #[serde(rename = "SimpleType")]
    types: Vec<SimpleType>,
}

#[derive(Serialize)]
struct SimpleType {
    #[serde(rename = "@name")]
    name: String,
    #[serde(rename = "Enumeration")]
    enumeration: Items,
}

#[derive(Serialize)]
struct Items {
    #[serde(rename = "Item")]
    items: Vec<Item>,
}

#[derive(Serialize)]
struct Item {
    #[serde(rename = "@name")]
    name: &'static str,
    #[serde(rename = "@value")]
    value: usize,
    #[serde(rename = "@description")]
    description: &'static str,
}

#[derive(Serialize)]
struct LogCategories {
    #[serde(rename = "Category")]
    categories: Vec<Category>,
}

#[derive(Serialize)]
struct Category {
    #[serde(rename = "@name")]
    name: &'static str,
    #[serde(rename = "@description")]
    description: &'static str,
}

#[derive(Serialize)]
struct DefaultExperiment {
    #[serde(rename = "@startTime")]
    start_time: String,
    #[serde(rename = "@stopTime")]
    stop_time: String,
    #[serde(rename = "@tolerance")]
    tolerance: String,
    #[serde(rename = "@stepSize")]
    step_size: String,
}

#[derive(Serialize)]
struct ModelVariables {
    #[serde(rename = "ScalarVariable")]
    variables: Vec<ScalarVariable>,
}

#[derive(Serialize)]
struct ScalarVariable {
    #[serde(rename = "@name")]
    name: &'static str,
    #[serde(rename = "@valueReference")]
    value_reference: u32,
    #[serde(rename = "@description")]
    description: &'static str,
    #[serde(rename = "@causality")]
    causality: &'static str,
    #[serde(rename = "@variability")]
    variability: &'static str,
    #[serde(rename = "@initial", skip_serializing_if = "Option::is_none")]
    initial: Option<&'static str>,
    #[serde(rename = "Real", skip_serializing_if = "Option::is_none")]
    real: Option<Real>,
    #[serde(rename = "Integer", skip_serializing_if = "Option::is_none")]
    integer: Option<Integer>,
    #[serde(rename = "Boolean", skip_serializing_if = "Option::is_none")]
    boolean: Option<Empty>,
    #[serde(rename = "Enumeration", skip_serializing_if = "Option::is_none")]
    enumeration: Option<Enumeration>,
}

#[derive(Serialize)]
struct Real {
    #[serde(rename = "@unit")]
    unit: &'static str,
    #[serde(rename = "@min", skip_serializing_if = "Option::is_none")]
    min: Option<String>,
    #[serde(rename = "@nominal", skip_serializing_if = "Option::is_none")]
    nominal: Option<String>,
    #[serde(rename = "@start", skip_serializing_if = "Option::is_none")]
    start: Option<String>,
    #[serde(rename = "@derivative", skip_serializing_if = "Option::is_none")]
    derivative: Option<usize>,
    #[serde(rename = "@reinit", skip_serializing_if = "is_false")]
    reinit: bool,
}

#[derive(Serialize)]
struct Integer {
    #[serde(rename = "@min")]
    min: i32,
    #[serde(rename = "@max")]
    max: i32,
}

/// A choice.
#[derive(Serialize)]
struct Enumeration {
    #[serde(rename = "@declaredType")]
    declared_type: String,
    #[serde(rename = "@start", skip_serializing_if = "Option::is_none")]
    start: Option<i32>,
}

#[derive(Serialize)]
struct Empty {}

#[derive(Serialize)]
struct ModelStructure {
    #[serde(rename = "Outputs")]
    outputs: Unknowns,
    #[serde(rename = "Derivatives", skip_serializing_if = "Unknowns::is_empty")]
    derivatives: Unknowns,
    #[serde(rename = "InitialUnknowns")]
    initial_unknowns: Unknowns,
}

#[derive(Serialize)]
struct Unknowns {
    #[serde(rename = "Unknown")]
    unknowns: Vec<Unknown>,
}

#[derive(Serialize)]
struct Unknown {
    #[serde(rename = "@index")]
    index: usize,
    #[serde(rename = "@dependencies")]
    dependencies: String,
    #[serde(rename = "@dependenciesKind", skip_serializing_if = "String::is_empty")]
    kinds: String,
}

impl Unknowns {
    fn is_empty(&self) -> bool {
        self.unknowns.is_empty()
    }
}

fn is_false(flag: &bool) -> bool {
    !flag
}

fn is_zero(exponent: &i32) -> bool {
    *exponent == 0
}

fn describe(entry: &Entry) -> Description {
    let declaration = entry.declaration;
    let order = Order::of(entry);
    Description {
        fmi_version: "2.0",
        model_name: declaration.name,
        guid: entry.guid(),
        description: declaration.title,
        author: "Bristle contributors",
        version: env!("CARGO_PKG_VERSION"),
        license: env!("CARGO_PKG_LICENSE"),
        generation_tool: concat!("Bristle ", env!("CARGO_PKG_VERSION")),
        variable_naming_convention: "structured",
        number_of_event_indicators: declaration.events.len(),
        model_exchange: interface(Interface::ModelExchange, declaration.name),
        co_simulation: interface(Interface::CoSimulation, declaration.name),
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

fn unit_definitions(entry: &Entry) -> UnitDefinitions {
    let reals = entry.variables().filter(|variable| variable.is_real());
    let units: BTreeSet<Unit> = reals.map(|variable| variable.unit).collect();
    let define = |unit: Unit| {
        let [kg, m, s] = unit.exponents();
        UnitDefinition { name: unit.symbol(), base_unit: BaseUnit { kg, m, s } }
    };
    UnitDefinitions { units: units.into_iter().map(define).collect() }
}

fn type_definitions(entry: &Entry) -> Option<TypeDefinitions> {
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

/// The name of a choice's type, which must be no variable's.
fn type_name(variable: &Variable) -> String {
    format!("{}Choice", variable.name)
}

fn log_categories() -> LogCategories {
    let category = |&LogCategory { name, description }: &LogCategory| Category { name, description };
    LogCategories { categories: LOG_CATEGORIES.iter().map(category).collect() }
}

/// The place of each variable in the description, from 1, by its reference.
struct Order(BTreeMap<u32, usize>);

impl Order {
    fn of(entry: &Entry) -> Self {
        Order(entry.variables().zip(1..).map(|(variable, place)| (variable.reference, place)).collect())
    }

    /// The places of these references, ascending.
    fn places(&self, references: &BTreeSet<u32>) -> Vec<usize> {
        let mut places: Vec<_> = references.iter().map(|reference| self.0[reference]).collect();
        places.sort_unstable();
        places
    }
}

/// An unknown with its dependencies on the knowns at `places`; a constant partial derivative is told where all are.
fn unknown(variable: &Variable, order: &Order, references: &BTreeSet<u32>, constant: bool) -> Unknown {
    let places = order.places(references);
    let kind = if constant { "constant" } else { "dependent" };
    Unknown {
        index: order.0[&variable.reference],
        dependencies: places.iter().map(usize::to_string).collect::<Vec<_>>().join(" "),
        kinds: vec![kind; places.len()].join(" "),
    }
}

fn variable(variable: &'static Variable, order: &Order) -> ScalarVariable {
    let (causality, variability, initial) = match variable.role {
        Role::Input => ("input", "continuous", None),
        Role::Output => ("output", "continuous", Some("calculated")),
        Role::BooleanOutput => ("output", "discrete", Some("calculated")),
        Role::State => ("local", "continuous", Some("exact")),
        Role::Derivative { .. } => ("local", "continuous", Some("calculated")),
        Role::Mode { .. } => ("local", "discrete", Some("calculated")),
        Role::Parameter | Role::Choice(_) => ("parameter", "tunable", Some("exact")),
    };
    let derivative = match variable.role {
        Role::Derivative { of } => Some(order.0[&of]),
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
        Role::Mode { most } => Some(Integer { min: -1, max: most }),
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

fn structure(entry: &Entry, order: &Order) -> ModelStructure {
    let is_output = |variable: &&Variable| matches!(variable.role, Role::Output | Role::BooleanOutput);
    let is_unknown = |variable: &&Variable| is_output(variable) || matches!(variable.role, Role::Derivative { .. });
    let continuous = |variable: &Variable| {
        let knowns = entry.knowns_of(variable);
        unknown(variable, order, &knowns.continuous, knowns.constant)
    };
    let initial = |variable: &Variable| {
        let knowns = entry.knowns_of(variable);
        unknown(variable, order, &knowns.initial, knowns.constant && knowns.initial == knowns.continuous)
    };
    let derivatives = entry.declaration.states.iter().map(|(_, derivative)| derivative);
    ModelStructure {
        outputs: Unknowns { unknowns: entry.variables().filter(is_output).map(continuous).collect() },
        // In the order of the state vector, which is that of the declaration.
        derivatives: Unknowns { unknowns: derivatives.map(continuous).collect() },
        initial_unknowns: Unknowns { unknowns: entry.variables().filter(is_unknown).map(initial).collect() },
    }
}

/// The shortest text that is read back as the same number.
fn number(number: f64) -> String {
    format!("{number:?}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use bristle::catalogue::ELEMENTS;
    use quick_xml::Reader;
    use quick_xml::events::Event;

    /// Name and attributes of each element of a well-formed document.
    fn elements(xml: &str) -> Vec<(String, BTreeMap<String, String>)> {
        let mut reader = Reader::from_str(xml);
        let mut elements = Vec::new();
        loop {
            match reader.read_event().unwrap() {
                Event::Start(tag) | Event::Empty(tag) => {
                    let attributes = tag.attributes().map(|attribute| {
                        let attribute = attribute.unwrap();
                        (attribute.key.as_ref().to_owned(), attribute.value.into_owned())
                    });
                    elements.push((tag.name().as_ref().to_owned(), attributes.collect()));
                }
                Event::Eof => return elements,
                _ => {}
            }
        }
    }

    #[test]
    fn every_variable_appears_once_in_the_order_of_its_reference() {
        for entry in &ELEMENTS {
            let xml = write(entry).unwrap();
            let named = elements(&xml).into_iter().filter(|(tag, _)| tag == "ScalarVariable");
            let named: Vec<(String, u32)> =
                named.map(|(_, a)| (a["name"].clone(), a["valueReference"].parse().unwrap())).collect();
            assert!(named.is_sorted_by_key(|(_, reference)| *reference));
            let declared: Vec<_> = entry.variables().map(|v| (v.name.to_owned(), v.reference)).collect();
            assert_eq!(named, declared);
        }
    }

    #[test]
    fn each_number_is_read_back_as_the_same() {
        for entry in &ELEMENTS {
            let xml = write(entry).unwrap();
            let reals: Vec<_> = elements(&xml).into_iter().filter(|(tag, _)| tag == "Real").map(|(_, a)| a).collect();
            let declared: Vec<_> = entry.variables().filter(|variable| variable.is_real()).collect();
            assert_eq!(reals.len(), declared.len());
            for (real, variable) in reals.iter().zip(declared) {
                let read = |key: &str| real.get(key).map(|text| text.parse::<f64>().unwrap().to_bits());
                assert_eq!(read("start"), variable.start.map(f64::to_bits));
                assert_eq!(read("nominal"), variable.nominal.map(f64::to_bits));
                assert_eq!(real["unit"], variable.unit.symbol());
            }
        }
        for value in [1e-6, 5e6, 3192.75, 0.1 + 0.2, f64::MIN_POSITIVE, f64::MAX] {
            assert_eq!(number(value).parse::<f64>().unwrap().to_bits(), value.to_bits());
        }
    }

    #[test]
    fn a_choice_is_an_enumeration_whose_type_no_variable_is_called_by() {
        let xml = write(&ELEMENTS[0]).unwrap();
        let all = elements(&xml);
        let named = |tag: &str| -> Vec<_> { all.iter().filter(|(t, _)| t == tag).map(|(_, a)| &*a["name"]).collect() };
        let types = named("SimpleType");
        assert_eq!(types, ["couplingChoice"]);
        assert!(named("ScalarVariable").iter().all(|name| !types.contains(name)));
        let choice = all.iter().find(|(_, a)| a.contains_key("declaredType")).unwrap();
        assert_eq!((&*choice.1["declaredType"], &*choice.1["start"]), ("couplingChoice", "1"));
    }

    #[test]
    fn a_derivative_points_at_its_state() {
        for entry in &ELEMENTS {
            let xml = write(entry).unwrap();
            let all = elements(&xml);
            let variables: Vec<_> = all.iter().filter(|(tag, _)| tag == "ScalarVariable").collect();
            let reals = all.iter().filter(|(tag, a)| {
                ["Real", "Integer", "Boolean"].contains(&tag.as_str()) || a.contains_key("declaredType")
            });
            for ((_, variable), (_, real)) in variables.iter().zip(reals) {
                if let Some(place) = real.get("derivative") {
                    let state = &variables[place.parse::<usize>().unwrap() - 1].1["name"];
                    assert_eq!(variable["name"], format!("der({state})"));
                }
            }
        }
    }

    #[test]
    fn the_attributes_claimed_are_those_of_the_table() {
        let xml = write(&ELEMENTS[0]).unwrap();
        for (tag, attributes) in elements(&xml) {
            let interface = match tag.as_str() {
                "ModelExchange" => Interface::ModelExchange,
                "CoSimulation" => Interface::CoSimulation,
                _ => continue,
            };
            assert_eq!(attributes.len(), 1 + capabilities(interface).count());
            for flag in capabilities(interface) {
                assert_eq!(attributes[flag.attribute], flag.value);
            }
        }
    }
}
