//! Step in which the contact is open, opens or closes: its open parts have a closed form, as along a line (§11 of `docs/internals/numerics.md`).

use crate::integrate::SolverError;
use crate::law::{InputTrajectory, StepResult};
use crate::laws::frdyn2::Equations;
use crate::laws::frdyn2::closed_forms::DampedMotion;
use crate::laws::frdyn2::constants::MIN_STATIC_FORCE;

/// Whether the contact may be open at an instant of `duration` (s).
pub fn may_be_open(base: &Equations, trajectory: &InputTrajectory, duration: f64) -> bool {
    base.mu_s * trajectory.min_normal_force(duration) < MIN_STATIC_FORCE
}

/// Advances the bristle through the open and the closed parts of a step in turn; `advance` advances it through a closed one.
pub fn integrate(
    base: &Equations,
    trajectory: &InputTrajectory,
    x: &mut [f64; 4],
    duration: f64,
    mut advance: impl FnMut(&InputTrajectory, &mut [f64; 4], f64) -> Result<StepResult, SolverError>,
) -> Result<StepResult, SolverError> {
    let is_open = |from: f64, to: f64| base.mu_s * trajectory.at(0.5 * (from + to)).F_N < MIN_STATIC_FORCE;
    let mut total = StepResult::default();
    let mut breakpoints = trajectory.breakpoints(duration).peekable();
    let mut from = 0.0;
    while let Some(mut to) = breakpoints.next() {
        if to <= from {
            continue;
        }
        let open = is_open(from, to);
        while let Some(next) = breakpoints.next_if(|next| *next <= to || is_open(to, *next) == open) {
            to = next;
        }
        let length = to - from;
        if open {
            let [z_x, z_y, z_dot_x, z_dot_y] = *x;
            let relaxed = [[z_x, z_dot_x], [z_y, z_dot_y]].map(|x| DampedMotion::new(&x, 0.0, base.omega).at(length));
            *x = [relaxed[0][0], relaxed[1][0], relaxed[0][1], relaxed[1][1]];
            total.inner_steps += 1;
        } else {
            let rest = trajectory.after(from);
            let part = advance(&rest.trajectory(), x, length)?;
            total.loss += part.loss;
            total.inner_steps += part.inner_steps;
            total.force_error = total.force_error.max(part.force_error);
        }
        from = to;
    }
    Ok(total)
}
