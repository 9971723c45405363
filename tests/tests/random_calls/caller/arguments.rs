//! Random arguments of calls: mostly right ones.

use super::Caller;
use crate::random_calls::numbers::odd;
use bristle_importer::description::ScalarVariable;
use bristle_importer::fmi2::Reference;
use bristle_tests::plausible_values::plausible_value;
use std::ptr::{null, null_mut};

/// Array of an importer: its elements, and NULL in their place if the flag is set.
pub struct Array<T>(pub Vec<T>, pub bool);

impl<T> Array<T> {
    /// Pointer to pass for reading.
    pub fn pointer(&self) -> *const T {
        if self.1 { null() } else { self.0.as_ptr() }
    }

    /// Pointer to pass for writing.
    pub fn place(&mut self) -> *mut T {
        if self.1 {
            null_mut()
        } else {
            self.0.as_mut_ptr()
        }
    }

    /// NULL was passed although elements were announced.
    pub fn missing(&self, n: usize) -> bool {
        self.1 && n > 0
    }
}

impl Caller<'_> {
    /// Random number of elements of an array.
    pub(super) fn count(&mut self) -> usize {
        match self.random.below(40) {
            0 => 10_000,
            1..=4 => 0,
            n => 1 + n % 3,
        }
    }

    pub(super) fn array<T>(&mut self, elements: Vec<T>) -> Array<T> {
        Array(elements, self.random.once_in(25))
    }

    pub(super) fn references(&mut self, n: usize) -> Array<Reference> {
        // Mostly all declared, because an undeclared one refuses the whole batch.
        let stray = self.random.once_in(6);
        let variables = &self.fmu.description.variables;
        let is_declared = |reference: &Reference| {
            variables
                .iter()
                .any(|variable| variable.reference == *reference)
        };
        let mut strays = vec![13, 15, 61, 71, 127, 300, 4711, u32::MAX];
        strays.retain(|reference| !is_declared(reference));
        let random = &mut self.random;
        let references = (0..n).map(|_| match stray && random.once_in(3) {
            true => *random.one_of(&strays),
            false => random.one_of(variables).reference,
        });
        let references = references.collect();
        self.array(references)
    }

    /// Number for a variable, mostly a plausible one.
    pub(super) fn number_for(&mut self, name: &str) -> f64 {
        let variable = self
            .fmu
            .description
            .variables
            .iter()
            .find(|variable| variable.name == name);
        let start = variable.and_then(|variable| variable.start.as_ref()?.parse().ok());
        if self.random.once_in(25) {
            odd(&mut self.random)
        } else {
            plausible_value(&mut self.random, name, start)
        }
    }

    /// Names of the variables that are wanted, in the order of the description.
    pub(super) fn names(&self, wanted: impl Fn(&ScalarVariable) -> bool) -> Vec<String> {
        let variables = self.fmu.description.variables.iter();
        variables
            .filter(|variable| wanted(variable))
            .map(|variable| variable.name.clone())
            .collect()
    }

    /// References of the variables that are wanted.
    pub(super) fn all(&self, wanted: impl Fn(&ScalarVariable) -> bool) -> Vec<Reference> {
        let variables = self.fmu.description.variables.iter();
        variables
            .filter(|variable| wanted(variable))
            .map(|variable| variable.reference)
            .collect()
    }
}

/// References with their values, shortened.
pub fn shown(references: &[Reference], values: &[f64]) -> String {
    let values: Vec<_> = values
        .iter()
        .take(5)
        .map(|value| format!("{value:e}"))
        .collect();
    format!(
        " {} {:?} {values:?}",
        references.len(),
        &references[..references.len().min(5)]
    )
}
