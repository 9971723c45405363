//! The interface between the equations of a second-order bristle and the methods that advance them, and the general integrator behind it.
//!
//! The equations are a law of their own, which the general integrator advances. [`GeneralIntegrator`] uses nothing but the equations:
//! it is the reference of the tests for every other [`Solver`], and their fallback. See §16 of `docs/internals/numerics.md`.

use crate::characteristic::Measured;
use crate::integrate::SolverError;
use crate::integrate::radau::Radau;
use crate::integrate::step_limit::StepLimit;
use crate::law::{
    self, BodyStart, Contact, Evaluation, InputTrajectory, Jacobian, Law, LawMetadata, LoadInterval, MAX_EVENTS,
    MIN_NORMAL_FORCE, MeasuredForm, PartialMotion, StepLimits, StepResult, StuckMotion,
};
use crate::laws::frdyn2::constants::{MIN_GENERAL_TOLERANCE, REFINEMENT};
use crate::variable::{InputError, Values};

/// Speed above which the impulse of a held velocity is calculated from its work, m/s: neither is a subnormal number.
const LEAST_SPEED: f64 = 1e-150;

/// Equations of a bristle with the states z and ż and without modes.
pub trait Equations: Law<2, DiscreteState = ()> + Copy {
    /// Largest normal force under which errors grow nowhere on the characteristic, N.
    fn max_stable_force(&self) -> f64;
}

/// A communication step, or a part of one.
#[derive(Clone, Copy)]
pub struct Interval<'a> {
    /// Inputs over the interval.
    pub trajectory: &'a InputTrajectory<'a>,
    /// Length of the interval, s.
    pub duration: f64,
    /// Tolerance of F_R over F_s.
    pub tolerance: f64,
}

/// A method that advances the states of equations over a communication step.
pub trait Solver<E: Equations>: Copy + Default + Send + 'static {
    /// Advances `x` = (z, ż) with the errors of [`Law::advance`]. `radau` keeps the first step of the general integrator from one
    /// communication step to the next. After an error `x` is a state between the start and the end of the step.
    fn advance(
        self,
        equations: &E,
        interval: &Interval,
        x: &mut [f64; 2],
        radau: &mut Radau,
    ) -> Result<StepResult, SolverError>;

    /// Motion of a body stuck to the bristle, see [`Law::stuck_body`].
    fn stuck_body(
        self,
        _equations: &E,
        _mass: f64,
        _x: &[f64; 2],
        _v: f64,
        _interval: &LoadInterval,
    ) -> Option<StuckMotion<2>> {
        None
    }

    /// Motion of a body with the bristle, see [`Law::body_motion`].
    fn body_motion(
        self,
        _equations: &E,
        _start: &BodyStart<2>,
        _interval: &LoadInterval,
        _limit: &mut StepLimit,
    ) -> Option<PartialMotion<2>> {
        None
    }
}

/// Solver by Radau IIA(5) only.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct GeneralIntegrator;

impl<E: Equations> Solver<E> for GeneralIntegrator {
    #[inline]
    fn advance(
        self,
        equations: &E,
        &Interval { trajectory, duration, tolerance }: &Interval,
        x: &mut [f64; 2],
        radau: &mut Radau,
    ) -> Result<StepResult, SolverError> {
        law::advance_without_impulse(equations, trajectory, x, &mut (), duration, tolerance, radau)
    }
}

impl GeneralIntegrator {
    /// Advances the states as long as `holds` is true at the end of each inner step; returns the totals and the time reached, s. The
    /// contact must stay closed.
    #[inline]
    pub fn advance_while<E: Equations>(
        self,
        equations: &E,
        &Interval { trajectory, duration, tolerance }: &Interval,
        x: &mut [f64; 2],
        radau: &mut Radau,
        holds: impl Fn(Contact, &[f64; 2]) -> bool,
    ) -> Result<(StepResult, f64), SolverError> {
        law::advance_while(equations, trajectory, x, duration, tolerance, radau, holds)
    }
}

/// Law of equations with the solver that advances them. All other items of the law are those of the equations.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Solved<E, S> {
    equations: E,
    solver: S,
}

impl<E: Equations, S> Solved<E, S> {
    /// Law with the same parameters, advanced by the general integrator only.
    pub fn with_general_integrator(self) -> E {
        self.equations
    }
}

impl<E: Equations, S: Solver<E>> Law<2> for Solved<E, S> {
    const METADATA: &'static LawMetadata = E::METADATA;

    type DiscreteState = ();

    fn new(values: &Values) -> Result<Self, InputError> {
        E::new(values).map(|equations| Solved { equations, solver: S::default() })
    }

    const MEASURED: &'static MeasuredForm = E::MEASURED;

    fn with_measured(values: &Values, characteristic: &'static Measured) -> Result<Self, InputError> {
        E::with_measured(values, characteristic).map(|equations| Solved { equations, solver: S::default() })
    }

    #[inline]
    fn evaluate(&self, contact: Contact, x: &[f64; 2], discrete: &()) -> Evaluation<2> {
        self.equations.evaluate(contact, x, discrete)
    }

    fn jacobian(&self, contact: Contact, x: &[f64; 2], discrete: &()) -> Jacobian<2> {
        self.equations.jacobian(contact, x, discrete)
    }

    fn scale(&self, contact: Contact, x: &[f64; 2]) -> [f64; 2] {
        self.equations.scale(contact, x)
    }

    fn stiffness(&self) -> f64 {
        self.equations.stiffness()
    }

    fn static_force(&self, normal_force: f64) -> f64 {
        self.equations.static_force(normal_force)
    }

    fn velocity_error_scale(&self, contact: Contact) -> f64 {
        self.equations.velocity_error_scale(contact)
    }

    fn step_limits(&self, contact: Contact, x: &[f64; 2]) -> StepLimits {
        self.equations.step_limits(contact, x)
    }

    fn stuck_body(&self, mass: f64, x: &[f64; 2], v: f64, interval: &LoadInterval) -> Option<StuckMotion<2>> {
        self.solver.stuck_body(&self.equations, mass, x, v, interval)
    }

    fn body_motion(
        &self,
        start: &BodyStart<2>,
        interval: &LoadInterval,
        limit: &mut StepLimit,
    ) -> Option<PartialMotion<2>> {
        self.solver.body_motion(&self.equations, start, interval, limit)
    }

    fn quasi_static_response(&self, contact: Contact, x: &[f64; 2], discrete: &()) -> [f64; 2] {
        self.equations.quasi_static_response(contact, x, discrete)
    }

    fn indicators(&self, contact: Contact, x: &[f64; 2], discrete: &()) -> [f64; MAX_EVENTS] {
        self.equations.indicators(contact, x, discrete)
    }

    fn model_warning(&self, contact: Contact) -> Option<String> {
        self.equations.model_warning(contact)
    }

    #[inline]
    fn advance(
        &self,
        trajectory: &InputTrajectory,
        x: &mut [f64; 2],
        (): &mut (),
        duration: f64,
        tolerance: f64,
        radau: &mut Radau,
    ) -> Result<StepResult, SolverError> {
        self.solver.advance(&self.equations, &Interval { trajectory, duration, tolerance }, x, radau)
    }

    fn advance_with_impulse(
        &self,
        trajectory: &InputTrajectory,
        x: &mut [f64; 2],
        discrete: &mut (),
        duration: f64,
        tolerance: f64,
        radau: &mut Radau,
    ) -> Result<StepResult, SolverError> {
        let InputTrajectory { start, derivatives, .. } = *trajectory;
        // An open contact has no impulse, and under a held velocity it is the work over v.
        let is_open = trajectory.max_normal_force(duration) <= MIN_NORMAL_FORCE;
        if is_open || derivatives.is_none() && start.v.abs() > LEAST_SPEED {
            let done = self.advance(trajectory, x, discrete, duration, tolerance, radau)?;
            let impulse = if is_open { 0.0 } else { done.loss / start.v };
            return Ok(StepResult { impulse, ..done });
        }
        // Where errors may grow, the step itself is repeated with this part of the tolerance, too.
        let is_stable = trajectory.max_normal_force(duration) <= self.equations.max_stable_force();
        let tolerance = if is_stable { tolerance } else { (REFINEMENT * tolerance).max(MIN_GENERAL_TOLERANCE) };
        self.equations.advance_with_impulse(trajectory, x, discrete, duration, tolerance, radau)
    }
}
