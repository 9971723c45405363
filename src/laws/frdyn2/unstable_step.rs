//! Step of an unstable bristle, repeated where its errors may have grown. See §12 of `docs/numerics.md`.
//!
//! The falling branch amplifies every earlier error. Such a step is repeated with a hundredth of the tolerance, from a start that is
//! displaced by its rounding. The difference of both results is a hundred times the remaining error, as long as it is small. An error
//! above the tolerance is reported.

use super::constants::{ACCEPTED_GROWTH_SHARE, DIVERGED, MAX_FORCE_ERROR, MIN_STATIC_FORCE, REFINEMENT};
use super::step_totals::StepTotals;
use crate::integrate::SolverError;
use crate::integrate::radau::Radau;
use crate::law::{Contact, StepResult};
use crate::laws::solver::Equations;

/// Accuracy of a step of an unstable bristle.
pub struct UnstableStep<B> {
    /// Tolerance of F_R over F_s.
    pub tolerance: f64,
    /// Error of F_R over F_s of an inner step of the first integration.
    pub inner: f64,
    /// Tolerances of the methods, of the first integration and of the repeated one.
    pub budgets: [B; 2],
    /// Rounding of z at the start, m: the start state is known to rounding only.
    pub rounding: f64,
}

impl<B> UnstableStep<B> {
    /// Advances `x` = (z, ż) by `integrate`, once or twice, to a contact `end`.
    #[inline]
    pub fn advance(
        self,
        equations: &impl Equations,
        end: Contact,
        x: &mut [f64; 2],
        radau: &mut Radau,
        integrate: impl Fn(&mut [f64; 2], B, &mut Radau) -> Result<StepTotals, SolverError>,
    ) -> Result<StepResult, SolverError> {
        let UnstableStep { tolerance, inner, budgets: [first, second], rounding } = self;
        let start = *x;
        let StepTotals { loss, inner_steps, growth, .. } = integrate(x, first, radau)?;
        let done = StepResult { loss, inner_steps, ..StepResult::default() };
        let grown = inner * libm::exp(growth);
        if grown <= ACCEPTED_GROWTH_SHARE * tolerance {
            return Ok(done);
        }
        // Too few inner steps are left for a repetition: the estimate is the bound of the growth.
        if radau.limit.left() < inner_steps {
            return Ok(StepResult { force_error: grown.min(MAX_FORCE_ERROR), ..done });
        }
        let mut refined = [start[0] + rounding, start[1]];
        let mut own_radau = Radau { limit: radau.limit, ..Radau::default() };
        let Ok(again) = integrate(&mut refined, second, &mut own_radau) else {
            return Ok(StepResult { force_error: MAX_FORCE_ERROR, ..done });
        };
        radau.limit = own_radau.limit;
        let difference = difference(equations, end, x, &refined);
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
fn difference(equations: &impl Equations, contact: Contact, a: &[f64; 2], b: &[f64; 2]) -> f64 {
    let scale = equations.scale(contact, a);
    let states = (0..2).fold(0.0, |most: f64, i| most.max((a[i] - b[i]).abs() / scale[i]));
    let [force, other] = [a, b].map(|x| equations.evaluate(contact, x, &()).F_R);
    states.max((force - other).abs() / equations.static_force(contact.F_N).max(MIN_STATIC_FORCE))
}
