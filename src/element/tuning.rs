//! Parameters that change while the element runs.

use super::Element;
use super::lever::Lever;
use super::variables::step_limit;
use crate::law::{Law, stiffness};
use crate::variable::{InputError, Variable};

/// Factor of the deflection when the stiffness is tuned from `previous` to `present` in a running
/// simulation. A stiffer bristle keeps its elastic force, a softer one its deflection: the elastic
/// energy falls in both cases. 1 before the first step.
pub(super) fn retuned_deflection(previous: f64, present: f64) -> f64 {
    if previous == 0.0 {
        1.0
    } else {
        (previous / present).min(1.0)
    }
}

impl<L: Law<N>, const N: usize> Element<L, N> {
    /// Puts changed parameters into force; a changed stiffness rescales the deflection.
    pub(super) fn apply(&mut self) -> Result<(), InputError> {
        if self.parameters_dirty {
            let law = self.law(&self.now.values)?;
            let factor = self.factor_of_deflection(&law)?;
            if self.now.stiffness != 0.0 {
                self.now.stiffness = stiffness(&law);
            }
            self.limit = step_limit::<N>(&self.now.values);
            self.law = law;
            self.parameters_dirty = false;
            let previous = core::mem::replace(&mut self.lever, Lever::of(&self.now.values));
            if let Some(derivatives) = self
                .now
                .derivatives
                .as_mut()
                .filter(|_| previous != self.lever)
            {
                self.lever.convert(previous, derivatives);
            }
            self.rescale_deflection(factor);
        }
        Ok(())
    }

    /// Puts changed parameters into force and leaves the deflection.
    pub(super) fn apply_keeping_states(&mut self) -> Result<(), InputError> {
        if self.parameters_dirty && self.now.stiffness != 0.0 {
            self.now.stiffness = stiffness(&self.law(&self.now.values)?);
        }
        self.apply()
    }

    /// Deflection of the bristle: the first state, or its two components in the plane.
    fn deflection() -> &'static [(Variable, Variable)] {
        let components = if L::METADATA.planar { 2 } else { 1 };
        &L::METADATA.states[..components.min(N)]
    }

    /// Factor of the deflection for a law with another stiffness; an error where the deflection
    /// leaves the range of numbers.
    fn factor_of_deflection(&self, law: &L) -> Result<f64, InputError> {
        let previous = self.now.stiffness;
        if N == 0 || previous == 0.0 || previous == stiffness(law) {
            return Ok(1.0);
        }
        let factor = retuned_deflection(previous, stiffness(law));
        if Self::deflection()
            .iter()
            .all(|(deflection, _)| (self.now.values[deflection] * factor).is_finite())
        {
            return Ok(factor);
        }
        Err(self.in_words_of_card(InputError::new(format!(
            "the stiffness was changed from {previous:?} N/m to {:?} N/m, with which the \
             deflection is too large for a floating-point \
             number; change it less",
            stiffness(law)
        ))))
    }

    /// Rescales the deflection after a change of the stiffness.
    fn rescale_deflection(&mut self, factor: f64) {
        if factor == 1.0 {
            return;
        }
        for (deflection, _) in Self::deflection() {
            self.now.values[deflection] *= factor;
        }
    }
}
