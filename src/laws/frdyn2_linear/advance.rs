//! A communication step of FrDyn2Linear.

use super::equations::Equations;
use crate::integrate::SolverError;
use crate::integrate::radau::Radau;
use crate::law::{self, InputTrajectory, StepResult};

/// Advances `x` = (z, ż) over `duration` (s). After a failure `x` is anywhere on its trajectory.
#[inline]
pub fn advance(
    equations: &Equations,
    trajectory: &InputTrajectory,
    x: &mut [f64; 2],
    duration: f64,
    tolerance: f64,
    radau: &mut Radau,
) -> Result<StepResult, SolverError> {
    law::advance(equations, trajectory, x, &mut (), duration, tolerance, radau)
}
