//! Friction laws: their inputs, states, rates and force, and their advance over a communication step.
//!
//! The author of a law implements [`Law`] in one file of `laws/`; elements, FMUs and documentation follow from it.

mod contact;
mod contact_state;
mod discrete_state;
mod empty;
mod events;
mod history;
mod input_segment;
mod inputs;
mod metadata;
mod motion;
mod numerical_jacobian;
mod path;
mod quadratures;
mod results;
mod structure;
mod trajectory;

pub use self::contact::Contact;
pub use self::discrete_state::DiscreteState;
pub use self::events::{advance as advance_by_events, advance_without_impulse, event_iteration};
pub use self::history::{Delay, History, SAMPLES};
pub use self::input_segment::InputSegment;
pub use self::inputs::{A, F_N, F_T, NOMINAL_FORCE, NOMINAL_VELOCITY, V, opening};
pub use self::metadata::{Equation, LawMetadata, MeasuredForm, Phenomena};
pub use self::motion::{BEYOND, HYSTERESIS, MIN_STICK_DURATION, MOTION, Motion, REST, resting_speed};
pub use self::numerical_jacobian::{numerical_jacobian, numerical_planar_jacobian};
pub use self::path::{Path, Rate};
pub use self::results::{Evaluation, Jacobian, PlanarJacobian, StepLimits, StepResult};
pub use self::structure::{Dependencies, Structure, on};
pub use self::trajectory::{Breakpoints, InputTrajectory, MAX_INPUT_DERIVATIVE_ORDER, bisect};
pub use crate::integrate::polynomial::Polynomial;

use crate::characteristic::Measured;
use crate::integrate::SolverError;
use crate::integrate::memory::Memory;
use crate::variable::{InputError, Values};

/// Largest number of continuous states of a law: states and derivatives have the references 16 to 27.
pub const MAX_STATES: usize = 6;

/// Largest number of event indicators of a law.
pub const MAX_EVENTS: usize = 4;

/// Largest number of kinks of a force over the speed: those of a table of five points.
pub const MAX_KINKS: usize = 4;

/// A friction law with N continuous states, with its parameters checked and its constants derived.
///
/// Four items are required: the metadata, the constructor, [`evaluate`](Law::evaluate), and the error scale of the states. The other
/// items have defaults; that of the Jacobian is numerical, and an analytical one is faster and exact. The
/// [crate's documentation](crate#a-law-of-ones-own) has an example.
pub trait Law<const N: usize>: Sized + Send + 'static {
    /// Description of the law.
    const METADATA: &'static LawMetadata;

    /// Discrete states: `()` for a law without modes.
    type DiscreteState: DiscreteState;

    /// Whether the element can be coupled to the body it acts on (`m_eff`): the law has states, and no history beside states and modes.
    const COUPLED: bool = N > 0;

    /// Whether the law is one of contacts in the plane: the second component of the velocity is [`Contact::v_y`], the first two states
    /// are the deflections along x and y, and [`evaluate`](Law::evaluate) has the force along x.
    const PLANAR: bool = false;

    /// Constructs the law from the parameters in `values`; an error where they contradict each other.
    fn new(values: &Values) -> Result<Self, InputError>;

    /// Description of the law with a measured characteristic.
    const MEASURED: &'static MeasuredForm = &MeasuredForm::NONE;

    /// Constructs the law with a measured characteristic in place of the parameters that [`MEASURED`](Law::MEASURED) names.
    fn with_measured(values: &Values, _characteristic: &'static Measured) -> Result<Self, InputError> {
        Self::new(values)
    }

    /// Force and rates at one instant, in the present mode. Solvers evaluate them a little beyond the end of the mode as well.
    fn evaluate(&self, contact: Contact, x: &[f64; N], discrete: &Self::DiscreteState) -> Evaluation<N>;

    /// F_R at one instant with the rates of the states, N: an evaluation that need not calculate these.
    fn force_at_rates(&self, contact: Contact, x: &[f64; N], _rates: &[f64; N], discrete: &Self::DiscreteState) -> f64 {
        self.evaluate(contact, x, discrete).F_R
    }

    /// Force and rates of a law in the plane at one instant, and the second component of the force, N.
    fn evaluate_in_plane(
        &self,
        contact: Contact,
        x: &[f64; N],
        discrete: &Self::DiscreteState,
    ) -> (Evaluation<N>, f64) {
        (self.evaluate(contact, x, discrete), 0.0)
    }

    /// Both components of the friction force of a law in the plane, N.
    fn planar_force(&self, contact: Contact, x: &[f64; N], discrete: &Self::DiscreteState) -> [f64; 2] {
        let (Evaluation { F_R: force, .. }, second) = self.evaluate_in_plane(contact, x, discrete);
        [force, second]
    }

    /// Partial derivatives of both components of the force and of the rates of a law in the plane. The default is numerical.
    fn planar_jacobian(&self, contact: Contact, x: &[f64; N], discrete: &Self::DiscreteState) -> PlanarJacobian<N> {
        numerical_planar_jacobian(self, contact, x, discrete)
    }

    /// Partial derivatives of force and rates; finite everywhere. The default is numerical.
    fn jacobian(&self, contact: Contact, x: &[f64; N], discrete: &Self::DiscreteState) -> Jacobian<N> {
        numerical_jacobian(self, contact, x, discrete)
    }

    /// Error scale of the states: the change of each that changes F_R by about F_s = μ_s F_N.
    fn scale(&self, contact: Contact, x: &[f64; N]) -> [f64; N];

    /// Error scale of the states for the motion of a body: the change of each that changes the mean of F_R over `duration` (s) by
    /// about F_s. It differs from [`scale`](Law::scale) where F_R responds to a change for a short time only.
    fn mean_error_scale(&self, contact: Contact, x: &[f64; N], _duration: f64) -> [f64; N] {
        self.scale(contact, x)
    }

    /// Error scale of the contact velocity, m/s: the change that changes F_R by about F_s at the same instant; infinite where F_R
    /// depends on v through the states only.
    fn velocity_error_scale(&self, _contact: Contact) -> f64 {
        f64::INFINITY
    }

    /// Limits to the length of an inner step from this contact and these states.
    fn step_limits(&self, _contact: Contact, _x: &[f64; N]) -> StepLimits {
        StepLimits::FREE
    }

    /// Largest friction force at rest under this normal force (N), N; infinite where the law has no bound.
    fn static_force(&self, _normal_force: f64) -> f64 {
        f64::INFINITY
    }

    /// Force that errors of loss and mean force are measured by under this normal force (N), N: F_s; infinite where it is the largest force
    /// of the step. Viscous friction, which may be any multiple of F_s, does not count.
    fn error_force(&self, normal_force: f64) -> f64 {
        self.static_force(normal_force)
    }

    /// Speeds at which F_R or a derivative of it jumps, m/s, ascending; infinite where there are fewer. The quadratures of loss and impulse
    /// have panels between them: one that is narrower than a panel could be missed.
    fn kinks(&self) -> [f64; MAX_KINKS] {
        [f64::INFINITY; MAX_KINKS]
    }

    /// Stiffness of the bristle that the first state deflects, N/m, or another number proportional to it; 0 for a law without a
    /// bristle.
    fn stiffness(&self) -> f64 {
        0.0
    }

    /// Factor of the deflection when the stiffness is tuned from `previous` to the present value in a running simulation. A stiffer
    /// bristle keeps its elastic force. A softer one keeps its elastic energy, ½σ_0 z², and loses force: with the same force it
    /// would store more energy than was put in.
    fn retuned_deflection(&self, previous: f64) -> f64 {
        let ratio = previous / self.stiffness();
        if ratio < 1.0 { ratio } else { ratio.sqrt() }
    }

    /// Quasi-static response of F_R to displacement (N/m) and velocity (N·s/m), after the transients of the bristle.
    fn quasi_static_response(&self, contact: Contact, x: &[f64; N], discrete: &Self::DiscreteState) -> [f64; 2] {
        let by = self.jacobian(contact, x, discrete);
        // A sliding contact responds to a displacement for the time of its transients only.
        let sticks = self.evaluate(contact, x, discrete).sticking;
        let stiffness = by.F_R_x.iter().zip(by.rate_v).map(|(force, rate)| force * rate).sum();
        [if sticks { stiffness } else { 0.0 }, by.F_R_v]
    }

    /// Law with a bounded derivative in place of a singularity of its rates, off in F_R by at most `tolerance` F_s. Body and law are
    /// integrated with it as one system. `None` where no rate is singular.
    fn smoothed(&self, _tolerance: f64) -> Option<Self> {
        None
    }

    /// Discrete state at initialisation.
    fn initialize(&self, _contact: Contact) -> Self::DiscreteState {
        Self::DiscreteState::default()
    }

    /// Event indicators, one for each of [`LawMetadata::events`], of order 1; a change of sign is the event. An indicator of a mode is
    /// positive where the mode begins, and [`handle_event`](Law::handle_event) ends the mode a little before its indicator changes sign
    /// ([`BEYOND`] for forces, [`REST`] for velocities): with the element's [`HYSTERESIS`] the mode changes on whichever side of the event
    /// a memory stops.
    fn indicators(&self, _contact: Contact, _x: &[f64; N], _discrete: &Self::DiscreteState) -> [f64; MAX_EVENTS] {
        [1.0; MAX_EVENTS]
    }

    /// Rates of the states in the present mode, if the states are integrals of the inputs as long as it lasts; then they are
    /// calculated exactly. `contact` is open or closed as the segment is.
    fn exact_rates(&self, _contact: Contact, _discrete: &Self::DiscreteState) -> Option<[Rate; N]> {
        (N == 0).then_some([Rate::ZERO; N])
    }

    /// Polynomials of inputs and states, of degree 5 at most, whose changes of sign are the events of the present mode in a closed
    /// contact; a law without modes has none there. With `None` the signs of the [`indicators`](Law::indicators) are sampled within an inner step, and an event that
    /// comes and goes between two samples is missed. Zeros of inputs need no polynomial: a step has breakpoints there. As for the
    /// indicators, [`handle_event`](Law::handle_event) must change the mode a little before.
    fn event_polynomials(&self, _path: &Path<N>, _discrete: &Self::DiscreteState) -> Option<[Polynomial; MAX_EVENTS]> {
        None
    }

    /// Changes the mode, and states with it, if the present one does not hold any more; returns whether it did. One change may cause
    /// another, so that callers repeat it ([`event_iteration`]).
    fn handle_event(&self, _contact: Contact, _x: &mut [f64; N], _discrete: &mut Self::DiscreteState) -> bool {
        false
    }

    /// Time lag of the force behind the velocity, s, for laws with [`Contact::v_past`].
    fn delay(&self) -> Option<f64> {
        None
    }

    /// Warning for the user about the model in this contact, one sentence, if there is any.
    fn model_warning(&self, _contact: Contact) -> Option<String> {
        None
    }

    /// Advances states and discrete states over `duration` (s, > 0) under the inputs of `trajectory`, with the error of F_R relative
    /// to F_s within `tolerance`, and that of the loss relative to F_s max|v| `duration` within ten times as much.
    fn advance(
        &self,
        trajectory: &InputTrajectory,
        x: &mut [f64; N],
        discrete: &mut Self::DiscreteState,
        duration: f64,
        tolerance: f64,
        memory: &mut Memory,
    ) -> Result<StepResult, SolverError> {
        advance_without_impulse(self, trajectory, x, discrete, duration, tolerance, memory)
    }

    /// Advances as [`advance`](Law::advance) does, and integrates the impulse of friction, with an error relative to F_s `duration`
    /// within ten times `tolerance`.
    fn advance_with_impulse(
        &self,
        trajectory: &InputTrajectory,
        x: &mut [f64; N],
        discrete: &mut Self::DiscreteState,
        duration: f64,
        tolerance: f64,
        memory: &mut Memory,
    ) -> Result<StepResult, SolverError> {
        advance_by_events(self, trajectory, x, discrete, duration, tolerance, memory)
    }
}
