//! What every friction law is: declared variables, equations, a rate and a force, and how it advances over a step.
//!
//! The author of a law fills [`Law`] in one file of `laws/`; elements, FMUs and documentation follow from it.

mod contact_state;
mod empty;
mod events;
mod history;
mod hybrid;
mod input_segment;
mod motion;
mod numerical_jacobian;
mod path;
mod quadratures;
mod structure;
mod trajectory;

pub use self::events::{advance, advance_while, event_iteration};
pub use self::history::{Delay, History, SAMPLES};
pub use self::hybrid::HybridSystem;
pub use self::input_segment::InputSegment;
pub use self::motion::{BEYOND, MOTION, Motion, REST};
pub use self::numerical_jacobian::numerical_jacobian;
pub use self::path::{Path, Rate};
pub use self::quadratures::{Quadratures, Rule};
pub use self::structure::{Dependencies, Structure, on};
pub use self::trajectory::{Contact, InputTrajectory, LEAST_NORMAL_FORCE, MAX_INPUT_DERIVATIVE_ORDER, bisect};
pub use crate::integrate::polynomial::Polynomial;

use crate::integrate::SolverError;
use crate::integrate::radau::Radau;
use crate::variable::{InputError, Unit, Values, Variable};

/// Typical normal force of a contact, N.
pub const NOMINAL_FORCE: f64 = 10.0;
/// Typical contact velocity, m/s.
pub const NOMINAL_VELOCITY: f64 = 1e-2;

/// Indicator of the event that the contact opens or closes: above 0 while it is closed, below 0 while it is open, and not 0 where
/// F_N is.
pub fn opening(contact: Contact) -> f64 {
    (contact.F_N - LEAST_NORMAL_FORCE) / NOMINAL_FORCE
}

/// Normal force.
pub const F_N: Variable =
    Variable::input(0, "F_N", "F_N", Unit::Newton, "Normal force; the contact is open where it is not above 0")
        .nominal(NOMINAL_FORCE);

/// Contact velocity.
pub const V: Variable = Variable::input(
    1,
    "v",
    "v",
    Unit::MetrePerSecond,
    "Contact velocity: tangential velocity of the contact point relative to its counterpart",
)
.nominal(NOMINAL_VELOCITY);

/// Relative acceleration, for laws that need it.
pub const A: Variable = Variable::input(
    2,
    "a",
    "a",
    Unit::MetrePerSecondSquared,
    "Relative acceleration of the contact point: the time derivative of v",
)
.nominal(1.0);

/// Applied tangential force, for laws that need it.
pub const F_T: Variable = Variable::input(
    3,
    "F_t",
    "F_t",
    Unit::Newton,
    "Applied tangential force that the contact must bear to stick: all forces on the body but F_R, in the direction of \
     v; a master with a fixed step H adds m v/H, so that the body comes to rest within the step",
)
.nominal(10.0);

/// What a law tells about itself, for catalogue and documentation.
#[derive(Debug)]
pub struct LawMetadata {
    /// The element's name, a C identifier.
    pub name: &'static str,
    /// The law's full name.
    pub title: &'static str,
    /// One sentence: what it is good for.
    pub summary: &'static str,
    /// Its kind in the field's words.
    pub kind: &'static str,
    /// Its source, as one would cite it …
    pub source: &'static str,
    /// … and where in there it stands.
    pub place: &'static str,
    /// The equations, in the order in which one reads them.
    pub equations: &'static [Equation],
    /// When the output `sticking` is true; empty for a law without stick.
    pub sticking: &'static str,
    /// The phenomena of friction that it models.
    pub phenomena: Phenomena,
    /// What it models and what it does not, a heading and a paragraph each.
    pub notes: &'static [(&'static str, &'static str)],
    /// The inputs that it needs beside F_N and v: [`A`], [`F_T`].
    pub inputs: &'static [Variable],
    /// The states, each with its time derivative, in the order of the state vector.
    pub states: &'static [(Variable, Variable)],
    /// The modes: whole numbers that change at events only.
    pub modes: &'static [Variable],
    /// What happens where each of [`Law::indicators`] changes its sign.
    pub events: &'static [&'static str],
    /// The parameters.
    pub parameters: &'static [Variable],
    /// Dependencies of force, stick and rates.
    pub structure: Structure,
}

/// What a law shows of friction.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Phenomena {
    /// A force that falls as sliding sets in.
    pub stribeck: bool,
    /// An elastic displacement before sliding.
    pub pre_sliding: bool,
    /// A force that lags behind the velocity, or differs between rising and falling speed.
    pub memory: bool,
    /// A break-away force that grows with the time at rest.
    pub break_away_growth: bool,
    /// Stick for hours under a constant load, without creep.
    pub long_term_stick: bool,
}

/// An equation of a law's documentation.
#[derive(Debug)]
pub struct Equation {
    /// Its number in the source, for instance "(5)".
    pub number: &'static str,
    /// The equation in LaTeX.
    pub latex: &'static str,
    /// What it says, one sentence.
    pub meaning: &'static str,
}

/// What a law says at one instant.
#[allow(non_snake_case)] // the papers' symbols
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Evaluation<const N: usize> {
    /// Friction force F_R, N, positive for v > 0 and opposing it.
    pub F_R: f64,
    /// The contact sticks, by the law's own criterion.
    pub sticking: bool,
    /// Time derivatives of the states. The first state, where there is one, is the bristle deflection z.
    pub rate: [f64; N],
}

/// The partial derivatives of a law at one instant.
#[allow(non_snake_case)] // the papers' symbols
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Jacobian<const N: usize> {
    /// Of the rates with respect to the states, as rows.
    pub rate_x: [[f64; N]; N],
    /// Of the rates with respect to the normal force.
    pub rate_F_N: [f64; N],
    /// Of the rates with respect to the contact velocity.
    pub rate_v: [f64; N],
    /// Of F_R with respect to the states.
    pub F_R_x: [f64; N],
    /// Of F_R with respect to the normal force.
    pub F_R_F_N: f64,
    /// Of F_R with respect to the contact velocity.
    pub F_R_v: f64,
    /// Of F_R with respect to the acceleration.
    pub F_R_a: f64,
    /// Of F_R with respect to the applied tangential force.
    pub F_R_F_t: f64,
    /// Of F_R with respect to the velocity of the past.
    pub F_R_v_past: f64,
}

impl<const N: usize> Jacobian<N> {
    /// Nothing depends on anything.
    pub const ZERO: Self = Jacobian {
        rate_x: [[0.0; N]; N],
        rate_F_N: [0.0; N],
        rate_v: [0.0; N],
        F_R_x: [0.0; N],
        F_R_F_N: 0.0,
        F_R_v: 0.0,
        F_R_a: 0.0,
        F_R_F_t: 0.0,
        F_R_v_past: 0.0,
    };
}

/// What a step over a communication interval reports.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct StepResult {
    /// Friction loss over the interval, ∫ F_R v dt, J.
    pub loss: f64,
    /// The impulse of friction, ∫ F_R dt, N·s; from [`advance`] and [`Law::advance_with_impulse`] only, else 0.
    pub impulse: f64,
    /// Inner steps, rejected ones included.
    pub inner_steps: u32,
    /// By how much F_R over F_s may be wrong at the end, where that is more than the tolerance; otherwise 0.
    pub force_error: f64,
}

/// What a body in contact is under over a stretch of time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LoadInterval {
    /// The normal force at both ends, N; in between it changes evenly.
    pub normal: [f64; 2],
    /// The external force on the body at both ends, N; in between it changes evenly.
    pub load: [f64; 2],
    /// Its length, s.
    pub duration: f64,
    /// The error allowed in F_R over F_s.
    pub tolerance: f64,
}

/// What becomes of a body that stays stuck to a law.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StuckMotion<const N: usize> {
    /// Its velocity at the end, m/s.
    pub v: f64,
    /// How far it came, m.
    pub travel: f64,
    /// The states of the law at the end.
    pub states: [f64; N],
    /// Friction loss, J.
    pub loss: f64,
}

/// What an integration must not do faster than a law allows.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StepLimits {
    /// How far the contact velocity may move, m/s, before one must look again, so as not to leap over what bends the force;
    /// infinite where nothing is passed that errors do not show.
    pub max_dv: f64,
    /// The rate, 1/s, at which errors may grow; 0 where they do not. An implicit method with longer steps would damp what
    /// ought to grow.
    pub growth_rate: f64,
}

impl StepLimits {
    /// As fast as errors allow.
    pub const FREE: StepLimits = StepLimits { max_dv: f64::INFINITY, growth_rate: 0.0 };
}

/// What a law remembers apart from its continuous states; it changes at events only. Its place between steps is the
/// table of values, in the slots of [`LawMetadata::modes`].
pub trait DiscreteState: Copy + Default + PartialEq + Send + 'static {
    /// The memory in a table of values.
    fn read(values: &Values) -> Self;

    /// Puts the memory into a table of values.
    fn write(self, values: &mut Values);
}

/// Nothing is remembered.
impl DiscreteState for () {
    fn read(_: &Values) -> Self {}

    fn write(self, _: &mut Values) {}
}

/// The most continuous states that a law may have: its states and their derivatives have the references 16 to 27.
pub const MAX_STATES: usize = 6;

/// The most event indicators that a law may have.
pub const MOST_EVENTS: usize = 4;

/// A friction law with N continuous states, its parameters checked and its constants derived.
///
/// Four items are required: the metadata, the constructor, force and rates, and the scale of the states. All else has a default,
/// the Jacobian by differences among them; an analytical one is faster and exact. The
/// [crate's documentation](crate#a-law-of-ones-own) has an example.
pub trait Law<const N: usize>: Sized + Send + 'static {
    /// All that is told of the law.
    const METADATA: &'static LawMetadata;

    /// What it remembers from event to event: `()` for a law without modes.
    type DiscreteState: DiscreteState;

    /// An element of the law can carry the body it acts on: it has states, and remembers nothing but states and modes.
    const COUPLED: bool = N > 0;

    /// The law with the parameters of `values`; refused where they contradict each other.
    fn new(values: &Values) -> Result<Self, InputError>;

    /// Force and rates at one instant, in the present mode: also a little beyond its end, where a solver may look.
    fn evaluate(&self, contact: Contact, x: &[f64; N], discrete: &Self::DiscreteState) -> Evaluation<N>;

    /// Partial derivatives of force and rates; finite everywhere. By differences unless the law gives them.
    fn jacobian(&self, contact: Contact, x: &[f64; N], discrete: &Self::DiscreteState) -> Jacobian<N> {
        numerical_jacobian(self, contact, x, discrete)
    }

    /// The change of each state that changes F_R by about F_s = μ_s F_N: what errors are measured by.
    fn scale(&self, contact: Contact, x: &[f64; N]) -> [f64; N];

    /// The change of each state that changes the mean of F_R over `duration` (s) by about F_s: what the motion of a body answers to.
    /// It differs from [`scale`](Law::scale) where F_R answers to a change for a short time alone.
    fn mean_error_scale(&self, contact: Contact, x: &[f64; N], _duration: f64) -> [f64; N] {
        self.scale(contact, x)
    }

    /// The change of the contact velocity that changes F_R by about F_s at once, m/s; infinite where only states answer.
    fn velocity_error_scale(&self, _contact: Contact) -> f64 {
        f64::INFINITY
    }

    /// How fast an integration may go on here.
    fn step_limits(&self, _contact: Contact, _x: &[f64; N]) -> StepLimits {
        StepLimits::FREE
    }

    /// The largest friction force, N, that a contact bears at rest under this normal force (N); infinite where the law does not
    /// say.
    fn static_force(&self, _normal_force: f64) -> f64 {
        f64::INFINITY
    }

    /// The stiffness of the bristle that the first state deflects, N/m, or another number that its force is proportional to; 0
    /// for a law without a bristle.
    fn stiffness(&self) -> f64 {
        0.0
    }

    /// The factor of the deflection when the stiffness is tuned from `previous` to the present value in a running simulation. A
    /// stiffer bristle keeps its elastic force. A softer one keeps its elastic energy, ½σ_0 z², and gives up force: with the
    /// same force it would hold more energy than was put in.
    fn retuned_deflection(&self, previous: f64) -> f64 {
        let ratio = previous / self.stiffness();
        if ratio < 1.0 { ratio } else { ratio.sqrt() }
    }

    /// How the contact answers to slow changes of displacement (N/m) and velocity (N·s/m), when its own transients are over.
    fn quasi_static_response(&self, contact: Contact, x: &[f64; N], discrete: &Self::DiscreteState) -> [f64; 2] {
        let by = self.jacobian(contact, x, discrete);
        // What slides answers to a displacement for no longer than its own transients.
        let sticks = self.evaluate(contact, x, discrete).sticking;
        let stiffness = by.F_R_x.iter().zip(by.rate_v).map(|(force, rate)| force * rate).sum();
        [if sticks { stiffness } else { 0.0 }, by.F_R_v]
    }

    /// The motion in one segment of a body (kg) and the law, from the law's states and the body's velocity (m/s), where the law
    /// knows it in closed form, because the body stays stuck throughout.
    fn stuck_body(&self, _mass: f64, _x: &[f64; N], _v: f64, _stretch: &LoadInterval) -> Option<StuckMotion<N>> {
        None
    }

    /// The memory that a contact begins with.
    fn initialize(&self, _contact: Contact) -> Self::DiscreteState {
        Self::DiscreteState::default()
    }

    /// Event indicators, one for each of [`LawMetadata::events`], of the order of 1; a change of sign is the event. None is 0
    /// where a mode begins: FMI 2.0 forbids it at the restart after an event. Where an indicator changes its sign,
    /// [`handle_event`](Law::handle_event) leaves the mode on whichever side of the event a solver stops: the mode ends a little before
    /// its indicator does ([`BEYOND`] for forces, [`REST`] for velocities).
    fn indicators(&self, _contact: Contact, _x: &[f64; N], _memory: &Self::DiscreteState) -> [f64; MOST_EVENTS] {
        [1.0; MOST_EVENTS]
    }

    /// The rates of the states in the present mode, if they are integrals of the inputs as long as it lasts; `contact` tells
    /// whether it is open. Then they are calculated exactly, without integration. A law without states has nothing to
    /// integrate.
    fn exact_rates(&self, _contact: Contact, _memory: &Self::DiscreteState) -> Option<[Rate; N]> {
        (N == 0).then_some([Rate::ZERO; N])
    }

    /// Polynomials of inputs and states, of degree 5 at most, whose changes of sign are the events of the present mode in a closed
    /// contact, `None` where a law has none: then the signs of its [`indicators`](Law::indicators) are sampled within an inner
    /// step, and an event that comes and goes between two samples is missed. Inputs that pass through 0 need no polynomial: a
    /// step is cut there. As for the indicators, `handle_event` must change the mode a hair before.
    fn event_polynomials(&self, _path: &Path<N>, _memory: &Self::DiscreteState) -> Option<[Polynomial; MOST_EVENTS]> {
        None
    }

    /// Changes the mode, and states with it, if the present one does not hold any more; returns whether it did. One
    /// change may call for the next.
    fn handle_event(&self, _contact: Contact, _x: &mut [f64; N], _memory: &mut Self::DiscreteState) -> bool {
        false
    }

    /// The time by which the force lags behind the velocity, s, for laws with [`Contact::v_past`].
    fn delay(&self) -> Option<f64> {
        None
    }

    /// What the user must be told of the law in this contact, if anything, as one sentence.
    fn model_warning(&self, _contact: Contact) -> Option<String> {
        None
    }

    /// Advances states and memory over `duration` (s, > 0) while the contact follows `trajectory`, with the error of F_R
    /// relative to F_s within `tolerance`, and that of the loss relative to F_s max|v| `duration` within ten times as much.
    fn advance(
        &self,
        trajectory: &InputTrajectory,
        x: &mut [f64; N],
        discrete: &mut Self::DiscreteState,
        duration: f64,
        tolerance: f64,
        solver: &mut Radau,
    ) -> Result<StepResult, SolverError> {
        advance(self, trajectory, x, discrete, duration, tolerance, solver)
    }

    /// Advances as [`advance`](Law::advance) does, if need be by another method, and knows the impulse of friction, with an
    /// error relative to F_s `duration` within ten times `tolerance`.
    fn advance_with_impulse(
        &self,
        trajectory: &InputTrajectory,
        x: &mut [f64; N],
        discrete: &mut Self::DiscreteState,
        duration: f64,
        tolerance: f64,
        solver: &mut Radau,
    ) -> Result<StepResult, SolverError> {
        advance(self, trajectory, x, discrete, duration, tolerance, solver)
    }
}
