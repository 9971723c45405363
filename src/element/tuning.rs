//! Parameters that change while the element runs.

use super::Element;
use super::lever::Lever;
use super::variables::step_limit;
use crate::coupling::Body;
use crate::law::Law;
use crate::variable::InputError;

impl<L: Law<N>, const N: usize> Element<L, N> {
    /// [`AnyElement::apply_parameters`](super::AnyElement::apply_parameters).
    pub(super) fn apply(&mut self) -> Result<(), InputError> {
        if self.parameters_dirty {
            (self.body, self.limit) = (Body::new(self.law(&self.now.values)?), step_limit::<N>(&self.now.values));
            self.parameters_dirty = false;
            let previous = core::mem::replace(&mut self.lever, Lever::of(&self.now.values));
            if let Some(derivatives) = self.now.derivatives.as_mut().filter(|_| previous != self.lever) {
                self.lever.convert(previous, derivatives);
            }
            self.rescale_deflection();
        }
        Ok(())
    }

    /// [`AnyElement::apply_parameters_keeping_states`](super::AnyElement::apply_parameters_keeping_states).
    pub(super) fn apply_keeping_states(&mut self) -> Result<(), InputError> {
        if self.parameters_dirty && self.now.stiffness != 0.0 {
            self.now.stiffness = self.law(&self.now.values)?.stiffness();
        }
        self.apply()
    }

    /// Rescales the deflection after a change of the stiffness.
    fn rescale_deflection(&mut self) {
        let (previous, present) = (self.now.stiffness, self.body.law.stiffness());
        let Some((deflection, _)) = L::METADATA.states.first() else { return };
        if previous == 0.0 || previous == present {
            return;
        }
        let factor = self.body.law.retuned_deflection(previous);
        self.now.values[deflection] *= factor;
        if let Some(observer) = &mut self.now.observer {
            observer.rescale_deflection(factor);
        }
        if let Some(support) = &mut self.now.support {
            support.rescale_deflection(factor);
        }
        self.now.stiffness = present;
    }
}
