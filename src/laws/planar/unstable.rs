//! Step of an unstable bristle in the plane, repeated where its errors may have grown, as along a line (§12 of `docs/numerics.md`).

use super::vector::{add, size};
use crate::integrate::SolverError;
use crate::integrate::radau::Radau;
use crate::law::{self, Contact, InputTrajectory, Law, StepResult};
use crate::laws::frdyn2::Equations;
use crate::laws::frdyn2::constants::{DIVERGED, MAX_FORCE_ERROR, MIN_STATIC_FORCE, REFINEMENT};

/// Error of an inner step of the general integrator over the tolerance.
const INNER_SHARE: f64 = 0.1;

/// Advances `x` by the general integrator, and again with a hundredth of the tolerance from a start that is displaced by its rounding. The
/// difference of both results estimates the error.
pub fn advance<L: Law<4, DiscreteState = ()>>(
    law: &L,
    base: &Equations,
    trajectory: &InputTrajectory,
    x: &mut [f64; 4],
    (duration, tolerance): (f64, f64),
    solver: &mut Radau,
) -> Result<StepResult, SolverError> {
    let start = *x;
    let pressed = Contact::new(trajectory.max_normal_force(duration), 0.0);
    let done = law::advance(law, trajectory, x, &mut (), duration, tolerance, solver)?;
    let grown = INNER_SHARE * tolerance * libm::exp(base.max_growth_rate(pressed) * duration);
    if grown <= tolerance {
        return Ok(done);
    }
    // Too few inner steps are left for a repetition: the estimate is the bound of the growth.
    if solver.limit.left() < done.inner_steps {
        return Ok(StepResult { force_error: grown.min(MAX_FORCE_ERROR), ..done });
    }
    let mut refined = start;
    refined[0] += base.rounding(pressed);
    let mut own = Radau { limit: solver.limit, ..Radau::default() };
    let repeated = law::advance(law, trajectory, &mut refined, &mut (), duration, REFINEMENT * tolerance, &mut own);
    let Ok(again) = repeated else {
        return Ok(StepResult { force_error: MAX_FORCE_ERROR, ..done });
    };
    solver.limit = own.limit;
    let difference = difference(law, trajectory.at(duration), x, &refined);
    let left = if difference < DIVERGED { REFINEMENT * difference } else { difference };
    *x = refined;
    Ok(StepResult {
        inner_steps: done.inner_steps + again.inner_steps,
        force_error: if left > tolerance { left } else { 0.0 },
        ..again
    })
}

/// Difference of two states in terms of F_R/F_s.
fn difference<L: Law<4, DiscreteState = ()>>(law: &L, contact: Contact, a: &[f64; 4], b: &[f64; 4]) -> f64 {
    let scale = law.scale(contact, a);
    let states = (0..4).fold(0.0, |most: f64, i| most.max((a[i] - b[i]).abs() / scale[i]));
    let [one, other] = [a, b].map(|x| law.planar_force(contact, x, &()));
    states.max(size(add(one, -1.0, other)) / law.static_force(contact.F_N).max(MIN_STATIC_FORCE))
}
