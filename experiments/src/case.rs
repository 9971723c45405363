//! An element with the parameters of an experiment.

use bristle::catalogue::{self, ELEMENTS, Model};
use bristle::element::AnyElement;
use bristle::variable::InputError;
use bristle_export::card;
use std::path::Path;

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
        let entry =
            catalogue::find(name).unwrap_or_else(|| panic!("the catalogue has no element {name}"));
        Case { entry, parameters }
    }

    /// The element of this name with the parameters of its source: those of its card in
    /// `cards/papers`.
    ///
    /// # Panics
    /// If there is none, or the card is none.
    pub fn of_paper(name: &str) -> Self {
        let path =
            Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("../cards/papers/Paper{name}.toml"));
        let variant = card::read_file(&path, &ELEMENTS)
            .unwrap_or_else(|fault| panic!("{}: {fault}", path.display()));
        let start = |name| variant.find(name).and_then(|variable| variable.start);
        let of_law = variant.metadata().parameters.iter();
        let parameters: Vec<_> = of_law
            .filter_map(|law| Some((law.name, start(law.name)?)))
            .collect();
        Case::new(name, parameters.leak())
    }

    /// The case with other values of some parameters.
    pub fn with(&self, parameters: &[(&'static str, f64)]) -> Self {
        let is_changed = |name| parameters.iter().any(|(changed, _)| *changed == name);
        let kept = self
            .parameters
            .iter()
            .filter(|(name, _)| !is_changed(*name));
        let all: Vec<_> = kept.chain(parameters).copied().collect();
        // A few hundred bytes that live as long as the program.
        Case {
            entry: self.entry,
            parameters: all.leak(),
        }
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
            let variable = self
                .entry
                .variables()
                .find(|variable| variable.name == *name);
            element.set(
                variable.unwrap_or_else(|| panic!("{} has no parameter {name}", self.name())),
                *value,
            );
        }
        element.apply_parameters()?;
        Ok(element)
    }
}
