//! Friction laws: their inputs, states, rates and force, and their advance over a communication
//! step.
//!
//! The author of a law implements [`Law`] in one file of `laws/`; elements, FMUs and documentation
//! follow from it.

mod block;
mod contact;
mod contact_state;
mod discrete_state;
mod empty;
mod events;
mod history;
mod input_segment;
mod inputs;
mod jacobian;
mod metadata;
mod motion;
mod on_block;
mod path;
mod quadratures;
mod results;
mod structure;
mod trajectory;

pub use self::block::{
    BlockMotion, BlockResult, BlockStep, Input, Openness, Spring, extremes, later, openness, rests,
};
pub use self::contact::Contact;
pub use self::discrete_state::{DiscreteState, Events};
pub use self::events::{
    CommunicationStep, Landing, advance as advance_by_events, event_iteration, first_event, landing,
};
pub use self::history::{Delay, History, PastVelocity, SAMPLES};
pub use self::input_segment::InputSegment;
pub use self::inputs::{
    A, F_N, F_T, NOMINAL_FORCE, NOMINAL_VELOCITY, NORMAL_FORCE, V, light_force, opening,
};
pub use self::jacobian::{Jacobian, along, linearised, quasi_static_response};
pub use self::metadata::{Equation, LawMetadata, MeasuredForm, Phenomena};
pub use self::motion::{
    BEYOND, HYSTERESIS, MIN_STICK_DURATION, MOTION, Motion, REST, resting_speed,
};
pub use self::path::{Path, Rate};
pub(crate) use self::results::longest_at;
pub use self::results::{Evaluation, Numerics, StepLimits, StepResult, static_force, stiffness};
pub use self::structure::{Dependencies, Structure, on};
pub use self::trajectory::{
    Breakpoints, InputTrajectory, Largest, MAX_INPUT_DERIVATIVE_ORDER, Ranges, bisect, quadratic,
};
pub use crate::integrate::polynomial::Polynomial;
pub use crate::scalar::Scalar;

use crate::characteristic::Measured;
use crate::integrate::SolverError;
use crate::integrate::memory::Memory;
use crate::variable::{InputError, Values};

/// Largest number of continuous states of a law: states and derivatives have the references 16 to
/// 27.
pub const MAX_STATES: usize = 6;

/// Largest number of event indicators of a law.
pub const MAX_EVENTS: usize = 4;

/// Largest number of kinks of a force over the speed: those of a table of five points.
pub const MAX_KINKS: usize = 4;

/// A friction law with N continuous states, with its parameters checked and its constants derived:
/// the physics of the law. Its modes, and the events at which they change, are in its
/// [`DiscreteState`](Law::DiscreteState).
///
/// The [crate's documentation](crate#a-law-of-ones-own) has an example.
pub trait Law<const N: usize>: Sized + Send + 'static {
    /// Description of the law.
    const METADATA: &'static LawMetadata;

    /// Discrete states, with the events at which they change: `()` for a law without modes.
    type DiscreteState: Events<Self, N>;

    /// Constructs the law from the parameters in `values`, with a measured characteristic in place
    /// of those that [`LawMetadata::measured`] names, if one is given; an error where they
    /// contradict each other.
    fn new(values: &Values, characteristic: Option<&'static Measured>) -> Result<Self, InputError>;

    /// Law with the constants of `self` for v > 0 and those of `backward` for v < 0, which differ
    /// in parameters that [`LawMetadata::directed`] names and in the measured characteristic; an
    /// error where it cannot have both.
    fn signed(self, _backward: Self) -> Result<Self, InputError> {
        Ok(self)
    }

    /// Force and rates at one instant, in the present mode, over numbers or over dual numbers: the
    /// Jacobian follows. Solvers evaluate them a little beyond the end of the mode as well.
    fn evaluate<S: Scalar>(
        &self,
        contact: Contact<S>,
        x: &[S; N],
        discrete: &Self::DiscreteState,
    ) -> Evaluation<N, S>;

    /// Scales and limits at one instant. `duration` (s) is the time over which a body that the
    /// contact acts on sees the mean of F_R, 0 where F_R counts at each instant.
    fn numerics(&self, contact: Contact, x: &[f64; N], duration: f64) -> Numerics<N>;

    /// Law as a part of one system with a body: with a bounded derivative in place of a singularity
    /// of its rates, off in F_R by at most `tolerance` F_s, and with rest at v = 0 alone. `None`
    /// where it is the law itself.
    fn coupled(&self, _tolerance: f64) -> Option<Self> {
        None
    }

    /// Whether a step as a part of one system with a body may pass over a part of the rates, or
    /// over a border of their branches that counts by the tolerance, without a sign of it at its
    /// start and its stages: these contacts and states.
    fn passes_over(&self, _: &[Contact; 4], _: &[[f64; N]; 4], _tolerance: f64) -> bool {
        false
    }

    /// Number of the smooth branch of force and rates in a closed contact, as a part of one system
    /// with a body; by default that between the [kinks](Numerics::kinks), for each direction.
    fn branch(&self, contact: Contact, x: &[f64; N]) -> u16 {
        let Numerics { kinks, .. } = self.numerics(contact, x, 0.0);
        let below = kinks.iter().filter(|kink| **kink < contact.v.abs()).count() as u16;
        2 * below + u16::from(contact.v < 0.0)
    }

    /// Warning for the user about the model in this contact, one sentence, if there is any.
    fn model_warning(&self, _contact: Contact) -> Option<String> {
        None
    }

    /// Advances states and discrete states over `duration` (s, > 0) under the inputs of
    /// `trajectory`, with the error of F_R relative to F_s within `tolerance`, that of the loss
    /// relative to F_s max|v| `duration` and that of the impulse relative to F_s `duration` within
    /// ten times as much.
    fn advance(
        &self,
        trajectory: &InputTrajectory,
        x: &mut [f64; N],
        discrete: &mut Self::DiscreteState,
        duration: f64,
        tolerance: f64,
        memory: &mut Memory,
    ) -> Result<StepResult, SolverError> {
        let step = CommunicationStep {
            trajectory,
            duration,
            tolerance,
        };
        advance_by_events(self, &step, x, discrete, memory)
    }

    /// Advances the law together with a block on the contact, along a line, as one system with the
    /// error of F_R relative to F_s within `tolerance`.
    fn advance_on_block(
        &self,
        block: &BlockStep,
        motion: &mut BlockMotion,
        x: &mut [f64; N],
        discrete: &mut Self::DiscreteState,
        tolerance: f64,
        memory: &mut Memory,
    ) -> Result<BlockResult, SolverError> {
        let coupled = self.coupled(tolerance);
        let law = coupled.as_ref().unwrap_or(self);
        let mut now = on_block::Now::<Self, N> {
            motion: *motion,
            x: *x,
            discrete: *discrete,
        };
        let result = match N {
            0 => now.advance::<1>(law, block, tolerance, memory),
            1 => now.advance::<2>(law, block, tolerance, memory),
            _ => now.advance::<{ MAX_STATES + 1 }>(law, block, tolerance, memory),
        }?;
        (*motion, *x, *discrete) = (now.motion, now.x, now.discrete);
        Ok(result)
    }
}
