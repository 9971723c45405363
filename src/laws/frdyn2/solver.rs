//! The interface between FrDyn2's equations and the methods that advance them, and the general integrator behind it.
//!
//! [`GeneralIntegrator`] is the permanent oracle: it uses nothing but the equations, so that every other [`Solver`] is judged
//! against it, and it is their fallback. See §16 of `docs/numerics.md`.

use super::equations::Equations;
use crate::integrate::SolverError;
use crate::integrate::radau::Radau;
use crate::law::{self, InputTrajectory, Law, StepResult};

/// A communication step, or a part of one.
#[derive(Clone, Copy)]
pub struct Interval<'a> {
    /// The contact over it.
    pub trajectory: &'a InputTrajectory<'a>,
    /// Its length, s.
    pub duration: f64,
    /// Tolerance of F_R over F_s.
    pub tolerance: f64,
}

/// A method that advances the states of [`Equations`] over a communication step.
pub trait Solver {
    /// Advances `x` = (z, ż) as [`Law::advance`] promises. `radau` keeps the general integrator's first step from one communication
    /// step to the next. After a failure `x` is anywhere on its trajectory.
    fn advance(
        &self,
        equations: &Equations,
        interval: &Interval,
        x: &mut [f64; 2],
        radau: &mut Radau,
    ) -> Result<StepResult, SolverError>;
}

/// Radau IIA(5) alone.
pub struct GeneralIntegrator;

impl Solver for GeneralIntegrator {
    #[inline]
    fn advance(
        &self,
        equations: &Equations,
        &Interval { trajectory, duration, tolerance }: &Interval,
        x: &mut [f64; 2],
        radau: &mut Radau,
    ) -> Result<StepResult, SolverError> {
        law::advance(equations, trajectory, x, &mut (), duration, tolerance, radau)
    }
}

impl GeneralIntegrator {
    /// Advances the states as long as the contact sticks at the end of each inner step; returns the time reached, s, too. The
    /// contact stays closed.
    #[inline]
    pub fn advance_while_sticking(
        &self,
        equations: &Equations,
        &Interval { trajectory, duration, tolerance }: &Interval,
        x: &mut [f64; 2],
        radau: &mut Radau,
    ) -> Result<(StepResult, f64), SolverError> {
        law::advance_while(equations, trajectory, x, duration, tolerance, radau, |contact, x| {
            equations.evaluate(contact, x, &()).sticking
        })
    }
}
