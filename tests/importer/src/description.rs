//! Model description as an importer reads it: GUID, capability flags, variables with their value
//! references.

use crate::fmi2::Reference;
use std::collections::BTreeMap;

/// A model description, as far as an importer that steps the FMU needs it.
#[derive(Clone, Debug)]
#[allow(missing_docs)] // the standard's names say it
pub struct Description {
    pub guid: String,
    pub model_name: String,
    pub model_identifier: String,
    /// The attributes of `CoSimulation`, empty if there is none.
    pub co_simulation: BTreeMap<String, String>,
    /// The attributes of `ModelExchange`, empty if there is none.
    pub model_exchange: BTreeMap<String, String>,
    pub log_categories: Vec<String>,
    /// `numberOfEventIndicators`.
    pub event_indicators: usize,
    pub variables: Vec<ScalarVariable>,
    /// `ModelStructure`: `Outputs`, `Derivatives`, `InitialUnknowns`.
    pub outputs: Vec<Unknown>,
    pub derivatives: Vec<Unknown>,
    pub initial_unknowns: Vec<Unknown>,
}

/// An unknown of the model structure with its dependencies, by name.
#[derive(Clone, Debug, PartialEq)]
#[allow(missing_docs)] // the standard's names say it
pub struct Unknown {
    pub name: String,
    /// Name of each known that it depends on, with the kind; `None` where no dependencies are
    /// declared.
    pub dependencies: Option<Vec<(String, String)>>,
}

/// A variable of a model description.
#[derive(Clone, Debug)]
#[allow(missing_docs)] // the standard's names say it
pub struct ScalarVariable {
    pub name: String,
    pub reference: Reference,
    /// `Real`, `Integer`, `Boolean`, `String` or `Enumeration`.
    pub kind: String,
    pub causality: String,
    pub variability: String,
    pub start: Option<String>,
    pub min: Option<f64>,
    pub max: Option<f64>,
    pub reinit: bool,
    pub unit: Option<String>,
    /// The state that it is the derivative of, by its place among the variables, from 1.
    pub derivative: Option<usize>,
}

impl Description {
    /// Reads a model description.
    ///
    /// # Panics
    /// If it is no description of FMI 2.0.
    pub fn parse(xml: &str) -> Self {
        let document =
            roxmltree::Document::parse(xml).expect("modelDescription.xml is well-formed");
        let root = document.root_element();
        assert_eq!(root.attribute("fmiVersion"), Some("2.0"));
        let child = |name: &str| root.children().find(|node| node.has_tag_name(name));
        let attributes = |name: &str| {
            let node = child(name);
            let pairs = node.iter().flat_map(roxmltree::Node::attributes);
            pairs
                .map(|a| (a.name().to_owned(), a.value().to_owned()))
                .collect::<BTreeMap<_, _>>()
        };
        let co_simulation = attributes("CoSimulation");
        let model_exchange = attributes("ModelExchange");
        let identifier = co_simulation
            .get("modelIdentifier")
            .or_else(|| model_exchange.get("modelIdentifier"));
        let elements = |parent: &str, name: &'static str| {
            let children = child(parent).into_iter().flat_map(|node| node.children());
            children
                .filter(move |node| node.has_tag_name(name))
                .collect::<Vec<_>>()
        };
        let variables: Vec<_> = elements("ModelVariables", "ScalarVariable")
            .iter()
            .map(|node| variable(*node))
            .collect();
        let unknowns = |list: &'static str| {
            let lists = elements("ModelStructure", list);
            let nodes = lists
                .iter()
                .flat_map(|node| node.children())
                .filter(|node| node.has_tag_name("Unknown"));
            nodes.map(|node| unknown(node, &variables)).collect()
        };
        Description {
            guid: text(root, "guid"),
            model_name: text(root, "modelName"),
            model_identifier: identifier
                .expect("the FMU is for Co-Simulation or Model Exchange")
                .clone(),
            event_indicators: root
                .attribute("numberOfEventIndicators")
                .map_or(0, |n| n.parse().expect("a number")),
            log_categories: elements("LogCategories", "Category")
                .iter()
                .map(|node| text(*node, "name"))
                .collect(),
            outputs: unknowns("Outputs"),
            derivatives: unknowns("Derivatives"),
            initial_unknowns: unknowns("InitialUnknowns"),
            variables,
            co_simulation,
            model_exchange,
        }
    }

    /// The variable of this name.
    ///
    /// # Panics
    /// If there is none.
    pub fn variable(&self, name: &str) -> &ScalarVariable {
        let found = self.variables.iter().find(|variable| variable.name == name);
        found.unwrap_or_else(|| panic!("{} has no variable {name}", self.model_name))
    }

    /// The value reference of the variable of this name.
    pub fn reference(&self, name: &str) -> Reference {
        self.variable(name).reference
    }
}

fn variable(node: roxmltree::Node) -> ScalarVariable {
    let typed = node
        .children()
        .find(|child| child.is_element())
        .expect("a ScalarVariable has a type");
    let number = |attribute: &str| {
        typed
            .attribute(attribute)
            .map(|text| text.parse().expect("a number"))
    };
    let or =
        |attribute: &str, default: &str| node.attribute(attribute).unwrap_or(default).to_owned();
    ScalarVariable {
        name: text(node, "name"),
        reference: text(node, "valueReference")
            .parse()
            .expect("a valueReference is a natural number"),
        kind: typed.tag_name().name().to_owned(),
        causality: or("causality", "local"),
        variability: or("variability", "continuous"),
        start: typed.attribute("start").map(str::to_owned),
        min: number("min"),
        max: number("max"),
        reinit: typed.attribute("reinit") == Some("true"),
        unit: typed.attribute("unit").map(str::to_owned),
        derivative: typed
            .attribute("derivative")
            .map(|place| place.parse().expect("a place")),
    }
}

fn unknown(node: roxmltree::Node, variables: &[ScalarVariable]) -> Unknown {
    let named = |place: &str| {
        variables[place.parse::<usize>().expect("a place") - 1]
            .name
            .clone()
    };
    let dependencies = node.attribute("dependencies").map(|places| {
        let names: Vec<_> = places.split_whitespace().map(named).collect();
        let kinds = node
            .attribute("dependenciesKind")
            .unwrap_or_default()
            .split_whitespace();
        let kinds: Vec<_> = kinds.map(str::to_owned).collect();
        assert_eq!(names.len(), kinds.len(), "each dependency has a kind");
        names.into_iter().zip(kinds).collect()
    });
    Unknown {
        name: named(&text(node, "index")),
        dependencies,
    }
}

fn text(node: roxmltree::Node, attribute: &str) -> String {
    let value = node.attribute(attribute);
    value
        .unwrap_or_else(|| panic!("{} lacks {attribute}", node.tag_name().name()))
        .to_owned()
}
