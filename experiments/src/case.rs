//! An element with the parameters of an experiment.

use bristle::catalogue::{self, Entry};

/// An element and what its parameters are set to; the others have their defaults.
#[derive(Clone, Copy)]
pub struct Case {
    /// The element.
    pub entry: &'static Entry,
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
        self.entry.declaration.name
    }

    /// The value of a parameter here.
    ///
    /// # Panics
    /// If the element has no such parameter.
    pub fn parameter(&self, name: &str) -> f64 {
        let set = self.parameters.iter().find(|(set, _)| *set == name).map(|(_, value)| *value);
        set.or_else(|| self.entry.variables().find(|variable| variable.name == name)?.start)
            .unwrap_or_else(|| panic!("{} has no parameter {name}", self.name()))
    }
}
