//! Elements of `modelDescription.xml` as types.
//!
//! The structs and their fields are in the order of the standard's schema: serde writes them in the
//! order of the source.

use serde::Serialize;
use serde::ser::SerializeMap;

/// Root element `fmiModelDescription`.
#[derive(Serialize)]
#[serde(rename = "fmiModelDescription")]
pub struct Description {
    #[serde(rename = "@fmiVersion")]
    pub fmi_version: &'static str,
    #[serde(rename = "@modelName")]
    pub model_name: String,
    #[serde(rename = "@guid")]
    pub guid: String,
    #[serde(rename = "@description")]
    pub description: String,
    #[serde(rename = "@author")]
    pub author: &'static str,
    #[serde(rename = "@version")]
    pub version: &'static str,
    #[serde(rename = "@license")]
    pub license: &'static str,
    #[serde(rename = "@generationTool")]
    pub generation_tool: &'static str,
    #[serde(rename = "@variableNamingConvention")]
    pub variable_naming_convention: &'static str,
    #[serde(rename = "@numberOfEventIndicators")]
    pub number_of_event_indicators: usize,
    #[serde(rename = "ModelExchange")]
    pub model_exchange: InterfaceElement,
    #[serde(rename = "CoSimulation")]
    pub co_simulation: InterfaceElement,
    #[serde(rename = "UnitDefinitions")]
    pub unit_definitions: UnitDefinitions,
    #[serde(rename = "TypeDefinitions", skip_serializing_if = "Option::is_none")]
    pub type_definitions: Option<TypeDefinitions>,
    #[serde(rename = "LogCategories")]
    pub log_categories: LogCategories,
    #[serde(rename = "DefaultExperiment")]
    pub default_experiment: DefaultExperiment,
    #[serde(rename = "ModelVariables")]
    pub model_variables: ModelVariables,
    #[serde(rename = "ModelStructure")]
    pub model_structure: ModelStructure,
}

/// `ModelExchange` or `CoSimulation`.
pub struct InterfaceElement {
    /// Its attributes, name and value.
    pub attributes: Vec<(&'static str, String)>,
    /// Files to compile, none in an FMU without sources.
    pub source_files: Vec<File>,
}

impl Serialize for InterfaceElement {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        for (name, value) in &self.attributes {
            map.serialize_entry(&format!("@{name}"), value)?;
        }
        if !self.source_files.is_empty() {
            let files = SourceFiles {
                files: &self.source_files,
            };
            map.serialize_entry("SourceFiles", &files)?;
        }
        map.end()
    }
}

/// `SourceFiles`.
#[derive(Serialize)]
struct SourceFiles<'a> {
    #[serde(rename = "File")]
    files: &'a [File],
}

/// `File` of `SourceFiles`.
#[derive(Serialize)]
pub struct File {
    #[serde(rename = "@name")]
    pub name: &'static str,
}

/// `UnitDefinitions`.
#[derive(Serialize)]
pub struct UnitDefinitions {
    #[serde(rename = "Unit")]
    pub units: Vec<UnitDefinition>,
}

/// `Unit` of `UnitDefinitions`.
#[derive(Serialize)]
pub struct UnitDefinition {
    #[serde(rename = "@name")]
    pub name: &'static str,
    #[serde(rename = "BaseUnit")]
    pub base_unit: BaseUnit,
}

/// `BaseUnit`: exponents of the SI base units.
#[derive(Serialize)]
pub struct BaseUnit {
    #[serde(rename = "@kg", skip_serializing_if = "is_zero")]
    pub kg: i32,
    #[serde(rename = "@m", skip_serializing_if = "is_zero")]
    pub m: i32,
    #[serde(rename = "@s", skip_serializing_if = "is_zero")]
    pub s: i32,
    #[serde(rename = "@rad", skip_serializing_if = "is_zero")]
    pub rad: i32,
    #[serde(rename = "@factor", skip_serializing_if = "Option::is_none")]
    pub factor: Option<String>,
}

/// `TypeDefinitions`.
#[derive(Serialize)]
pub struct TypeDefinitions {
    #[serde(rename = "SimpleType")]
    pub types: Vec<SimpleType>,
}

/// `SimpleType` of a choice.
#[derive(Serialize)]
pub struct SimpleType {
    #[serde(rename = "@name")]
    pub name: String,
    #[serde(rename = "Enumeration")]
    pub enumeration: Items,
}

/// `Enumeration` of a `SimpleType`.
#[derive(Serialize)]
pub struct Items {
    #[serde(rename = "Item")]
    pub items: Vec<Item>,
}

/// `Item` of an enumeration.
#[derive(Serialize)]
pub struct Item {
    #[serde(rename = "@name")]
    pub name: &'static str,
    #[serde(rename = "@value")]
    pub value: usize,
    #[serde(rename = "@description")]
    pub description: &'static str,
}

/// `LogCategories`.
#[derive(Serialize)]
pub struct LogCategories {
    #[serde(rename = "Category")]
    pub categories: Vec<Category>,
}

/// `Category` of `LogCategories`.
#[derive(Serialize)]
pub struct Category {
    #[serde(rename = "@name")]
    pub name: &'static str,
    #[serde(rename = "@description")]
    pub description: &'static str,
}

/// `DefaultExperiment`.
#[derive(Serialize)]
pub struct DefaultExperiment {
    #[serde(rename = "@startTime")]
    pub start_time: String,
    #[serde(rename = "@stopTime")]
    pub stop_time: String,
    #[serde(rename = "@tolerance")]
    pub tolerance: String,
    #[serde(rename = "@stepSize")]
    pub step_size: String,
}

/// `ModelVariables`.
#[derive(Serialize)]
pub struct ModelVariables {
    #[serde(rename = "ScalarVariable")]
    pub variables: Vec<ScalarVariable>,
}

/// `ScalarVariable`.
#[derive(Serialize)]
pub struct ScalarVariable {
    #[serde(rename = "@name")]
    pub name: &'static str,
    #[serde(rename = "@valueReference")]
    pub value_reference: u32,
    #[serde(rename = "@description")]
    pub description: &'static str,
    #[serde(rename = "@causality")]
    pub causality: &'static str,
    #[serde(rename = "@variability")]
    pub variability: &'static str,
    #[serde(rename = "@initial", skip_serializing_if = "Option::is_none")]
    pub initial: Option<&'static str>,
    #[serde(rename = "Real", skip_serializing_if = "Option::is_none")]
    pub real: Option<Real>,
    #[serde(rename = "Integer", skip_serializing_if = "Option::is_none")]
    pub integer: Option<Integer>,
    #[serde(rename = "Boolean", skip_serializing_if = "Option::is_none")]
    pub boolean: Option<Empty>,
    #[serde(rename = "Enumeration", skip_serializing_if = "Option::is_none")]
    pub enumeration: Option<Enumeration>,
}

/// `Real` of a variable.
#[derive(Serialize)]
pub struct Real {
    #[serde(rename = "@unit")]
    pub unit: &'static str,
    #[serde(rename = "@min", skip_serializing_if = "Option::is_none")]
    pub min: Option<String>,
    #[serde(rename = "@max", skip_serializing_if = "Option::is_none")]
    pub max: Option<String>,
    #[serde(rename = "@nominal", skip_serializing_if = "Option::is_none")]
    pub nominal: Option<String>,
    #[serde(rename = "@start", skip_serializing_if = "Option::is_none")]
    pub start: Option<String>,
    #[serde(rename = "@derivative", skip_serializing_if = "Option::is_none")]
    pub derivative: Option<usize>,
    #[serde(rename = "@reinit", skip_serializing_if = "is_false")]
    pub reinit: bool,
}

/// `Integer` of a variable.
#[derive(Serialize)]
pub struct Integer {
    #[serde(rename = "@min")]
    pub min: i32,
    #[serde(rename = "@max")]
    pub max: i32,
}

/// `Enumeration` of a variable: a choice.
#[derive(Serialize)]
pub struct Enumeration {
    #[serde(rename = "@declaredType")]
    pub declared_type: String,
    #[serde(rename = "@start", skip_serializing_if = "Option::is_none")]
    pub start: Option<i32>,
}

/// Element without attributes.
#[derive(Serialize)]
pub struct Empty {}

/// `ModelStructure`.
#[derive(Serialize)]
pub struct ModelStructure {
    #[serde(rename = "Outputs")]
    pub outputs: Unknowns,
    #[serde(rename = "Derivatives", skip_serializing_if = "Unknowns::is_empty")]
    pub derivatives: Unknowns,
    #[serde(rename = "InitialUnknowns")]
    pub initial_unknowns: Unknowns,
}

/// List of unknowns: `Outputs`, `Derivatives` or `InitialUnknowns`.
#[derive(Serialize)]
pub struct Unknowns {
    #[serde(rename = "Unknown")]
    pub unknowns: Vec<Unknown>,
}

/// `Unknown` with its dependencies by index.
#[derive(Serialize)]
pub struct Unknown {
    #[serde(rename = "@index")]
    pub index: usize,
    #[serde(rename = "@dependencies")]
    pub dependencies: String,
    #[serde(rename = "@dependenciesKind", skip_serializing_if = "String::is_empty")]
    pub kinds: String,
}

impl Unknowns {
    /// No unknown is in the list.
    pub fn is_empty(&self) -> bool {
        self.unknowns.is_empty()
    }
}

fn is_false(flag: &bool) -> bool {
    !flag
}

fn is_zero(exponent: &i32) -> bool {
    *exponent == 0
}
