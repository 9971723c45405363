//! An element with the parameters of an experiment.

use bristle::catalogue::{self, Model};
use bristle::element::AnyElement;
use bristle::variable::{InputError, Variable};

/// Element with values of some parameters; the others have their defaults.
#[derive(Clone, Copy)]
pub struct Case {
    /// The element.
    pub entry: &'static Model,
    /// Parameters by name.
    pub parameters: &'static [(&'static str, f64)],
}

impl Case {
    /// The element of this name with these parameters.
    ///
    /// # Panics
    /// If there is none.
    pub fn new(name: &str, parameters: &'static [(&'static str, f64)]) -> Self {
        let entry = catalogue::find(name).unwrap_or_else(|| panic!("the catalogue has no element {name}"));
        Case { entry, parameters }
    }

    /// The element's name.
    pub fn name(&self) -> &'static str {
        self.entry.metadata.name
    }

    /// The element itself, with these parameters in force.
    ///
    /// # Errors
    /// The law's refusal, if they contradict each other.
    ///
    /// # Panics
    /// If the element has no such parameter.
    pub fn instantiate(&self) -> Result<Box<dyn AnyElement>, InputError> {
        let mut element = self.entry.instantiate();
        for (name, value) in self.parameters {
            element.set(self.variable(name), *value);
        }
        element.apply_parameters()?;
        Ok(element)
    }

    fn variable(&self, name: &str) -> &'static Variable {
        let variable = self.entry.variables().find(|variable| variable.name == name);
        variable.unwrap_or_else(|| panic!("{} has no parameter {name}", self.name()))
    }
}
