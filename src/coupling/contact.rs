//! Contact of a body with its law, as the observer of the body sees it.

use crate::integrate::SolverError;
use crate::integrate::memory::Memory;
use crate::law::{
    BlockMotion, BlockResult, BlockStep, Contact, Evaluation, Input, Jacobian, MAX_STATES, Path,
    StepLimits,
};
use crate::variable::MODES;
use crate::vector::Vector;

/// States of a law, padded with zeros.
pub type LawState = [f64; MAX_STATES];

/// Modes of a law, as in its table of values.
pub type LawModes = [f64; MODES];

/// Contact at the start of a communication step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ContactStart {
    /// F_N (N) and v (m/s).
    pub contact: Contact,
    /// Acceleration, m/s², where it is an input.
    pub acceleration: Option<Vector>,
    /// Time derivatives of F_N of order 1 to 3 over the coming step, N/sⁿ, if the master gives any.
    pub normal_rates: Option<[f64; 3]>,
    /// Friction force, N.
    pub force: Vector,
    /// E_loss, J.
    pub loss: f64,
    /// States of the law.
    pub x: LawState,
    /// Modes of the law.
    pub modes: LawModes,
    /// Stiffness that the deflection belongs to, N/m.
    pub stiffness: f64,
}

/// Result of a step of the observer for one contact.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ContactStep {
    /// Length of the step, s.
    pub duration: f64,
    /// Force to apply over the step, N; `None` for the force of the law at its end.
    pub applied: Option<Vector>,
    /// Contact at the start of the step.
    pub start: Contact,
    /// States of the law at the start of the step, by the observer.
    pub start_x: LawState,
    /// Modes of the law at the start of the step, by the observer.
    pub start_modes: LawModes,
    /// Predicted contact at the end of the step.
    pub end: Contact,
    /// Time derivative of the contact there.
    pub end_rate: Contact,
    /// Predicted states of the law at the end of the step.
    pub x: LawState,
    /// Predicted modes of the law at the end of the step.
    pub modes: LawModes,
    /// E_loss, the work of the applied force, predicted for the end of the step, J.
    pub loss: f64,
}

/// Error scales of a contact.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ContactScales {
    /// Change of v along any axis that changes F_R, or over the interval its mean, by about F_s,
    /// m/s.
    pub v: f64,
    /// Change of each state that changes the mean of F_R by about F_s.
    pub x: LawState,
    /// Force that errors are measured by, N: F_s, or F_N where the law has no bound.
    pub force: f64,
    /// Limits of an inner step.
    pub limits: StepLimits,
}

impl ContactScales {
    /// No scales.
    pub const NONE: Self = ContactScales {
        v: f64::INFINITY,
        x: [f64::MAX; MAX_STATES],
        force: f64::INFINITY,
        limits: StepLimits::FREE,
    };
}

/// Contact of a body with its law.
pub trait BodyContact {
    /// Present inputs and states.
    fn start(&self) -> ContactStart;

    /// Factor of the deflection after a change of the stiffness from `previous`.
    fn deflection_factor(&self, previous: f64) -> f64;

    /// Largest friction force at rest under this normal force (N), N; infinite where the law has no
    /// bound.
    fn static_force_under(&self, normal_force: f64) -> f64;

    /// Error scales of a body's motion over `duration` (s).
    fn scales(&self, contact: Contact, x: &LawState, duration: f64) -> ContactScales;

    /// Force (N) and rates of the law, as a part of one system with the body; `tolerance` is the
    /// error of F_R over F_s up to which rates are smoothed.
    fn force_and_rates(
        &self,
        contact: Contact,
        x: &LawState,
        modes: &LawModes,
        tolerance: f64,
    ) -> Evaluation<MAX_STATES>;

    /// Force and rates as [`force_and_rates`](Self::force_and_rates), with their derivatives by
    /// states and velocity.
    fn linearise(
        &self,
        contact: Contact,
        x: &LawState,
        modes: &LawModes,
        tolerance: f64,
        by: &mut Jacobian<MAX_STATES>,
    ) -> Evaluation<MAX_STATES>;

    /// Whether a step of a closed contact may pass over a part of the rates that its start and
    /// stages do not show; see [`Law::passes_over`](crate::law::Law::passes_over).
    fn passes_over(&self, contacts: &[Contact; 4], x: &[LawState; 4], tolerance: f64) -> bool;

    /// Number of the smooth branch of force and rates of a closed contact; see
    /// [`Law::branch`](crate::law::Law::branch).
    fn branch(&self, contact: Contact, x: &LawState) -> u16;

    /// Number of states of the law.
    fn states(&self) -> usize;

    /// Whether the law has modes, which end at events.
    fn has_modes(&self) -> bool;

    /// Whether the law has the applied force as an input.
    fn has_applied_force(&self) -> bool;

    /// Whether a contact of a static law, which is closed, sticks in these modes: it balances the
    /// applied force, at rest.
    fn is_balanced(&self, contact: Contact, modes: &LawModes) -> bool;

    /// Share of a step at which the first event of a closed contact along a line ends it. The step
    /// begins at `from` (s) and is `h` (s) long; F_N is at least `least_force` (N).
    fn first_event(
        &self,
        path: &Path<MAX_STATES>,
        modes: &LawModes,
        from: f64,
        h: f64,
        least_force: f64,
    ) -> Option<f64>;

    /// Changes modes that do not hold, and states with them, until the modes hold; returns whether
    /// a mode changed.
    fn handle_events(&self, contact: Contact, x: &mut LawState, modes: &mut LawModes) -> bool;

    /// Advances states and modes of an open contact over `duration` (s).
    fn advance_open(
        &self,
        contact: Contact,
        x: &mut LawState,
        modes: &mut LawModes,
        duration: f64,
    ) -> Result<(), SolverError>;

    /// Normal force (N) and its time derivatives of order 1 to 3 over the coming step.
    fn normal_force(&self) -> Input;

    /// Advances the law together with a block on the contact; see
    /// [`Law::advance_on_block`](crate::law::Law::advance_on_block).
    fn advance_on_block(
        &self,
        block: &BlockStep,
        motion: &mut BlockMotion,
        x: &mut LawState,
        modes: &mut LawModes,
        tolerance: f64,
        memory: &mut Memory,
    ) -> Result<BlockResult, SolverError>;

    /// Takes the result of a step over, with the outputs that follow from it; an error where a
    /// number is not finite.
    fn accept(&mut self, step: &ContactStep) -> Result<(), SolverError>;

    /// Advances the time by `duration` (s), and nothing else.
    fn skip(&mut self, duration: f64);
}
