//! Step of an unstable bristle, repeated where its errors may have grown. See §12 of `docs/internals/numerics.md`.
//!
//! The falling branch amplifies every earlier error. Such a step is repeated with a hundredth of the tolerance, from a start that is
//! displaced by its rounding. The difference of both results is a hundred times the remaining error, as long as it is small. An error
//! above the tolerance is reported.

use super::constants::{DIVERGED, MAX_FORCE_ERROR, MIN_STATIC_FORCE, REFINEMENT};
use super::step_totals::StepTotals;
use crate::integrate::SolverError;
use crate::integrate::radau::Radau;
use crate::law::{Contact, Law, StepResult};

/// Accuracy of a step of an unstable bristle.
pub struct UnstableStep<B> {
    /// Tolerance of F_R over F_s.
    pub tolerance: f64,
    /// Error of F_R over F_s of an inner step of the first integration.
    pub inner: f64,
    /// Bound of the grown error, over F_s, up to which the first integration is the result.
    pub accepted: f64,
    /// Tolerances of the methods, of the first integration and of the repeated one.
    pub budgets: [B; 2],
    /// Rounding of z at the start, m: the start state is known to rounding only.
    pub rounding: f64,
}

impl<B> UnstableStep<B> {
    /// Advances the states of a law, of which the first is a deflection, by `integrate`, once or twice, to a contact `end`.
    #[inline]
    pub fn advance<L: Law<N, DiscreteState = ()>, const N: usize>(
        self,
        law: &L,
        end: Contact,
        x: &mut [f64; N],
        radau: &mut Radau,
        integrate: impl Fn(&mut [f64; N], B, &mut Radau) -> Result<StepTotals, SolverError>,
    ) -> Result<StepResult, SolverError> {
        let UnstableStep { tolerance, inner, accepted, budgets: [first, second], rounding } = self;
        let start = *x;
        let StepTotals { loss, inner_steps, growth, .. } = integrate(x, first, radau)?;
        let done = StepResult { loss, inner_steps, ..StepResult::default() };
        let grown = inner * libm::exp(growth);
        if grown <= accepted {
            return Ok(done);
        }
        // Too few inner steps are left for a repetition: the estimate is the bound of the growth.
        if radau.limit.left() < inner_steps {
            return Ok(StepResult { force_error: grown.min(MAX_FORCE_ERROR), ..done });
        }
        let mut refined = start;
        refined[0] += rounding;
        let mut own_radau = Radau { limit: radau.limit, ..Radau::default() };
        let Ok(again) = integrate(&mut refined, second, &mut own_radau) else {
            return Ok(StepResult { force_error: MAX_FORCE_ERROR, ..done });
        };
        radau.limit = own_radau.limit;
        let difference = difference(law, end, x, &refined);
        let left = if difference < DIVERGED { REFINEMENT * difference } else { difference };
        *x = refined;
        Ok(StepResult {
            loss: again.loss,
            inner_steps: inner_steps + again.inner_steps,
            force_error: if left > tolerance { left } else { 0.0 },
            ..done
        })
    }
}

/// Difference of two states in terms of F_R/F_s.
fn difference<L: Law<N, DiscreteState = ()>, const N: usize>(
    law: &L,
    contact: Contact,
    a: &[f64; N],
    b: &[f64; N],
) -> f64 {
    let scale = law.scale(contact, a);
    let states = (0..N).fold(0.0, |most: f64, i| most.max((a[i] - b[i]).abs() / scale[i]));
    let [[x, y], [other_x, other_y]] = [a, b].map(|x| law.planar_force(contact, x, &()));
    states.max(libm::hypot(x - other_x, y - other_y) / law.static_force(contact.F_N).max(MIN_STATIC_FORCE))
}
