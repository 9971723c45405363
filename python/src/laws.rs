//! Laws and variables as Python objects: what the catalogue declares.

use bristle::catalogue::{ELEMENTS, Model};
use bristle::variable::{self, Role};
use pyo3::prelude::*;
use pyo3::types::PyDict;

/// Declaration of a variable of an element.
#[pyclass(module = "bristle", frozen, get_all)]
#[derive(Clone)]
pub struct Variable {
    /// Name: the paper's symbol in ASCII.
    name: &'static str,
    /// Symbol in LaTeX.
    symbol: &'static str,
    /// Unit, as FMI writes it; "1" for a number without unit.
    unit: &'static str,
    /// Meaning and sign convention.
    description: &'static str,
    /// Role: "input", "output", "flag", "state", "derivative", "mode" or "parameter".
    role: &'static str,
    /// Start value; None where the element calculates the variable.
    start: Option<f64>,
    /// Smallest value; None without a bound.
    min: Option<f64>,
    /// Largest value; None without a bound.
    max: Option<f64>,
    /// Typical magnitude.
    nominal: Option<f64>,
    /// Names of the values 1, 2, … of a choice; empty for numbers.
    choices: Vec<&'static str>,
}

impl Variable {
    /// Declaration with the card's values.
    pub fn of(declared: &variable::Variable) -> Self {
        let (role, choices): (_, &[_]) = match declared.role {
            Role::Input => ("input", &[]),
            Role::Output => ("output", &[]),
            Role::BooleanOutput => ("flag", &[]),
            Role::State => ("state", &[]),
            Role::Derivative { .. } => ("derivative", &[]),
            Role::DiscreteState { .. } => ("mode", &[]),
            Role::Parameter => ("parameter", &[]),
            Role::Choice(choices) => ("parameter", choices),
        };
        let &variable::Variable {
            name,
            symbol,
            description,
            start,
            min,
            max,
            nominal,
            ..
        } = declared;
        let choices = choices.iter().map(|(name, _)| *name).collect();
        Variable {
            name,
            symbol,
            unit: declared.unit_name(),
            description,
            role,
            start,
            min,
            max,
            nominal,
            choices,
        }
    }
}

#[pymethods]
impl Variable {
    fn __repr__(&self) -> String {
        let start = self
            .start
            .map_or(String::new(), |start| format!(" = {start:?}"));
        format!(
            "<{} {}{start} [{}]: {}>",
            self.role, self.name, self.unit, self.description
        )
    }
}

/// A friction law of the catalogue.
#[pyclass(module = "bristle", frozen)]
pub struct Law(&'static Model);

#[pymethods]
impl Law {
    /// Name, by which `Element` and `Card` take it.
    #[getter]
    fn name(&self) -> &'static str {
        self.0.metadata.name
    }

    /// Full name.
    #[getter]
    fn title(&self) -> &'static str {
        self.0.metadata.title
    }

    /// Purpose, one sentence.
    #[getter]
    fn summary(&self) -> &'static str {
        self.0.metadata.summary
    }

    /// Class of the law.
    #[getter]
    fn kind(&self) -> &'static str {
        self.0.metadata.kind
    }

    /// Citation of the paper.
    #[getter]
    fn source(&self) -> &'static str {
        self.0.metadata.source
    }

    /// Equations as (number in the source, LaTeX, meaning).
    #[getter]
    fn equations(&self) -> Vec<(&'static str, &'static str, &'static str)> {
        self.0
            .metadata
            .equations
            .iter()
            .map(|equation| (equation.number, equation.latex, equation.meaning))
            .collect()
    }

    /// Scope and limits, as (heading, paragraph).
    #[getter]
    fn notes(&self) -> Vec<(&'static str, &'static str)> {
        self.0.metadata.notes.to_vec()
    }

    /// Variables by name.
    #[getter]
    fn variables<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        by_name(py, self.0.variables())
    }

    /// Parameters by name.
    #[getter]
    fn parameters<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        by_name(
            py,
            self.0
                .variables()
                .filter(|variable| variable.is_parameter()),
        )
    }

    fn __repr__(&self) -> String {
        format!("<law {}: {}>", self.name(), self.title())
    }
}

/// Dictionary of declarations by their names, in the order of the value references.
pub fn by_name<'py, 'a>(
    py: Python<'py>,
    variables: impl Iterator<Item = &'a variable::Variable>,
) -> PyResult<Bound<'py, PyDict>> {
    let found = PyDict::new(py);
    for variable in variables {
        found.set_item(variable.name, Variable::of(variable))?;
    }
    Ok(found)
}

/// Friction laws by their names, in the order of the documentation.
///
/// >>> bristle.laws()["LuGre"].parameters["sigma_0"].unit
/// 'N/m'
#[pyfunction]
pub fn laws(py: Python<'_>) -> PyResult<Bound<'_, PyDict>> {
    let found = PyDict::new(py);
    for model in &ELEMENTS {
        found.set_item(model.metadata.name, Law(model))?;
    }
    Ok(found)
}
