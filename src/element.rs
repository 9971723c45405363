//! Element: a law with its parameters, states, inputs and outputs, advanced step by step through
//! one interface for every law.

mod any_element;
mod derivatives;
mod directions;
mod discrete_values;
mod gear;
mod inputs;
mod joint;
mod last_step;
mod lever;
mod of_body;
mod open_contact;
mod planar;
mod reactions;
mod snapshot;
mod source;
mod step;
mod tuning;
mod variables;

pub use self::any_element::{AnyElement, ElementOptions, Report};
pub(crate) use self::derivatives::no_derivative;
pub use self::gear::{Gear, K_E, K_M, LossRow, Losses, TAU_E, TAU_M};
pub use self::joint::Joint;
pub use self::last_step::LastStep;
use self::lever::Lever;
use self::open_contact::OpenContact;
pub use self::planar::{
    A_X, A_Y, F_R_X, F_R_Y, PLANAR_INPUTS, PLANAR_OUTPUTS, V_SLIP_X, V_SLIP_Y, V_X, V_Y,
};
pub use self::reactions::{F_N_OF_REACTIONS, PARTS, Part, ReactionJoint, Reactions};
pub use self::snapshot::Snapshot;
pub use self::source::Source;
use self::step::Point;
use self::variables::step_limit;
pub use self::variables::{
    E_LOSS, F_OFFSET, F_R, INNER_STEPS_MAX, INPUTS, OUTPUTS, P_LOSS, RADIUS, STICKING, V_SLIP,
};
pub use crate::law::{F_N, V};

use crate::coupling::{self, F_LAW};
use crate::integrate::memory::Memory;
use crate::integrate::step_limit::StepLimit;
use crate::integrate::{SolverError, flush};
use crate::law::{
    Contact, DiscreteState, Law, LawMetadata, MAX_EVENTS, NORMAL_FORCE, Spring, static_force,
    stiffness,
};
use crate::variable::{FIRST_PARAMETER, InputError, Role, Unit, Values, Variable};
use crate::vector::size;
use core::mem;

/// Default tolerance: error of F_R relative to F_s = μ_s F_N.
pub const DEFAULT_TOLERANCE: f64 = 1e-6;
/// Tightest tolerance of an element; tighter ones are clamped to it.
pub const MIN_TOLERANCE: f64 = 1e-10;
/// Loosest tolerance of an element; looser ones are clamped to it.
pub const MAX_TOLERANCE: f64 = 1e-3;

/// Element of the law `L`: its parameters, states and inputs, advanced step by step.
///
/// [`Model::instantiate`](crate::catalogue::Model::instantiate) makes an element of any law behind
/// the trait [`AnyElement`].
///
/// ```
/// use bristle::element::{AnyElement, Element, F_N, F_R, V};
/// use bristle::laws::frdyn2::FrDyn2;
///
/// let mut element = Element::<FrDyn2, 2>::new();
/// element.set(&F_N, 10.0);
/// element.set(&V, 0.1);
/// element.initialize()?;
/// let report = element.advance(1e-3)?;
/// assert_eq!(report.force_error, 0.0);
/// // Full sliding: mu_d F_N, with the default mu_d = 0.3.
/// assert!((element.values()[&F_R] - 3.0).abs() < 1e-5);
///
/// // A snapshot restores to the same bits.
/// let snapshot = element.snapshot().clone();
/// element.advance(1e-3)?;
/// let after = *element.values();
/// element.restore(&snapshot);
/// element.advance(1e-3)?;
/// assert_eq!(*element.values(), after);
/// # Ok::<(), bristle::integrate::SolverError>(())
/// ```
pub struct Element<L: Law<N>, const N: usize> {
    /// The law.
    law: L,
    /// Whether parameters were set since the law was constructed.
    parameters_dirty: bool,
    /// Limit of inner steps at the start of a communication step.
    limit: StepLimit,
    /// Watch over a contact that has not been closed yet. It is not part of a snapshot.
    opening: OpenContact,
    /// Friction radius of a rotational contact, 1 of every other, and offset of the force.
    lever: Lever,
    /// Options, which a card gives.
    options: ElementOptions,
    /// Present state.
    now: Snapshot,
}

impl<L: Law<N>, const N: usize> Element<L, N> {
    /// Element with the start values of its metadata.
    ///
    /// # Panics
    /// If the law rejects its own defaults; a test excludes that for every law of the catalogue.
    pub fn new() -> Self {
        let of_coupling = if L::METADATA.is_coupled() {
            &coupling::PARAMETERS[..]
        } else {
            core::slice::from_ref(&coupling::COUPLING_WITHOUT_OBSERVER)
        };
        let parameters = of_coupling
            .iter()
            .chain([&NORMAL_FORCE])
            .chain((N > 0).then_some(&INNER_STEPS_MAX));
        let now = Snapshot::start(L::METADATA, parameters);
        let law = L::new(&now.values, None).expect("a law accepts its own defaults");
        let limit = step_limit::<N>(&now.values);
        let mut element = Element {
            law,
            parameters_dirty: false,
            limit,
            opening: OpenContact::default(),
            lever: Lever::ONE,
            options: ElementOptions::default(),
            now,
        };
        element.now.history = L::METADATA.delay.map(|_| Box::default());
        element
            .evaluate_initial()
            .expect("a law has finite values at its own defaults");
        element
    }

    fn states(&self) -> [f64; N] {
        Self::states_in(&self.now.values)
    }

    fn states_in(values: &Values) -> [f64; N] {
        core::array::from_fn(|i| values[&L::METADATA.states[i].0])
    }

    /// The states that a step starts from, subnormal numbers flushed to 0. The flush stands here
    /// and not at the end of the last step, where it would stall on values that were just written.
    fn flushed_states(values: &Values) -> [f64; N] {
        let mut x = Self::states_in(values);
        flush(&mut x);
        x
    }

    fn discrete(&self) -> L::DiscreteState {
        L::DiscreteState::read(&self.now.values)
    }

    /// Stores contact, states, modes and E_loss with the outputs that follow from them; an error
    /// where a number is not finite, and then nothing is stored.
    #[inline(always)] // runs at the end of every step, with a dozen numbers in registers
    fn store(
        &mut self,
        ends: [Contact; 2],
        x: [f64; N],
        discrete: L::DiscreteState,
        energy: f64,
    ) -> Result<(), SolverError> {
        let point = Point::new(&self.law, ends, x, discrete, energy)?;
        Self::show(&mut self.now, self.lever, &point);
        Ok(())
    }

    /// Shows a point of the law's motion: contact, states and modes with the outputs there.
    #[inline(always)]
    fn show(now: &mut Snapshot, lever: Lever, point: &Point<L, N>) {
        let Point {
            ends: [contact, slope],
            x,
            discrete,
            energy,
            evaluation,
            power,
        } = point;
        let (values, rate) = (&mut now.values, &evaluation.rate);
        values[&F_R] = lever.force(evaluation.F_R);
        values[&F_LAW] = evaluation.F_R * lever.radius;
        values[&V_SLIP] = contact.v - rate.first().unwrap_or(&0.0);
        if L::METADATA.planar {
            values[&F_R_Y] = evaluation.F_R_y;
            values[&V_SLIP_Y] = contact.v_y - rate.get(1).unwrap_or(&0.0);
        }
        values[&P_LOSS] = *power;
        values[&E_LOSS] = *energy;
        values[&STICKING] = f64::from(evaluation.sticking);
        for (i, (state, derivative)) in L::METADATA.states.iter().enumerate() {
            values[state] = x[i];
            values[derivative] = rate[i];
        }
        discrete.write(values);
        (now.end, now.end_derivative) = (*contact, *slope);
    }

    /// The integrator at the start of a communication step, with the limit of inner steps.
    fn solver(&self) -> Memory {
        Memory {
            limit: self.limit,
            ..self.now.solver
        }
    }
}

impl<L: Law<N>, const N: usize> Default for Element<L, N> {
    fn default() -> Self {
        Self::new()
    }
}

impl<L: Law<N>, const N: usize> AnyElement for Element<L, N> {
    fn values(&self) -> &Values {
        &self.now.values
    }

    fn set(&mut self, variable: &Variable, value: f64) {
        let before = mem::replace(&mut self.now.values[variable], value);
        // An input that a card made of a parameter is set at every step, and mostly stays as it is.
        if variable.reference >= FIRST_PARAMETER && variable.is_parameter() {
            self.parameters_dirty |= variable.role != Role::Input || before != value;
        }
        if let Some(source) = &self.options.source
            && source.depends_on(variable)
        {
            self.now.values[&F_N] = source.normal_force(&self.now.values);
        }
    }

    fn set_input(&mut self, slot: usize, value: f64) {
        self.now.values.0[slot] = value;
    }

    fn set_contact(&mut self, contact: Contact) {
        self.set_inputs(contact);
    }

    fn set_input_derivative(
        &mut self,
        input: &Variable,
        order: usize,
        value: f64,
    ) -> Result<(), InputError> {
        self.set_derivative(input, order, value)
    }

    fn set_tolerance(&mut self, tolerance: f64) {
        self.now.tolerance = tolerance.clamp(MIN_TOLERANCE, MAX_TOLERANCE);
    }

    fn parameters_are_dirty(&self) -> bool {
        self.parameters_dirty
    }

    fn apply_parameters(&mut self) -> Result<(), InputError> {
        self.apply()
    }

    fn apply_parameters_keeping_states(&mut self) -> Result<(), InputError> {
        self.apply_keeping_states()
    }

    fn initialize(&mut self) -> Result<(), SolverError> {
        self.start_discrete_values()
    }

    fn evaluate_initial(&mut self) -> Result<(), SolverError> {
        let x = self.states();
        self.initialize()?;
        self.now.stiffness = 0.0;
        for (x, (state, _)) in x.into_iter().zip(L::METADATA.states) {
            self.now.values[state] = x;
        }
        Ok(())
    }

    fn evaluate(&mut self) -> Result<(), SolverError> {
        self.evaluate_at_present()?;
        self.latch_indicators();
        Ok(())
    }

    fn evaluate_between_events(&mut self) -> Result<(), SolverError> {
        let latched = self.now.values[&STICKING];
        let outcome = self.evaluate_at_present();
        self.now.values[&STICKING] = latched;
        outcome
    }

    fn event_iteration(&mut self) {
        self.update_discrete_values();
    }

    fn event_is_pending(&self) -> bool {
        self.modes_are_old()
    }

    fn sticks(&self) -> bool {
        self.law
            .evaluate(self.contact(), &self.states(), &self.discrete())
            .sticking
    }

    fn indicators(&self) -> [f64; MAX_EVENTS] {
        self.indicators_with_hysteresis()
    }

    fn set_time(&mut self, time: f64) {
        self.now.time = time;
    }

    fn record(&mut self) {
        Self::record_velocity(&mut self.now, self.lever);
    }

    fn note_power(&mut self) {
        self.now.noted_power = self.now.values[&P_LOSS];
    }

    fn add_energy(&mut self, duration: f64) -> Result<(), SolverError> {
        let values = &mut self.now.values;
        let energy = values[&E_LOSS] + 0.5 * (values[&P_LOSS] + self.now.noted_power) * duration;
        if !energy.is_finite() {
            return Err(SolverError::NotFinite);
        }
        values[&E_LOSS] = energy;
        Ok(())
    }

    fn advance(&mut self, duration: f64) -> Result<Report, SolverError> {
        self.advance_law(duration)
    }

    fn set_options(&mut self, options: ElementOptions) {
        self.parameters_dirty |= options.change_law();
        self.options = options;
    }

    fn reset(&mut self) {
        let options = mem::take(&mut self.options);
        *self = Self::new();
        self.set_options(options);
    }

    fn model_warning(&self) -> Option<String> {
        let warning = self.law.model_warning(self.contact())?;
        Some(match &self.options.joint {
            Some(joint) => joint.sentence(&warning),
            None => warning,
        })
    }

    fn is_joint(&self) -> bool {
        self.options.joint.is_some()
    }

    fn static_force(&self) -> f64 {
        static_force(&self.law, self.now.values[&F_N])
    }

    fn directional_derivative(&self, seed: &Values) -> Values {
        match &self.options.source {
            Some(source) => {
                let seed = source.with_normal_force(&self.now.values, seed);
                let mut change = self.directional(&seed);
                change[&F_N] = seed[&F_N];
                change
            }
            None => self.directional(seed),
        }
    }

    fn output_derivatives(&self) -> Values {
        self.time_derivatives()
    }

    fn on_demand_output(&self, variable: &Variable) -> Result<f64, SolverError> {
        self.on_demand(variable)
    }

    fn metadata(&self) -> &'static LawMetadata {
        L::METADATA
    }

    fn speed(&self) -> f64 {
        let values = &self.now.values;
        if L::METADATA.planar {
            size([values[&V], values[&V_Y]])
        } else {
            values[&V].abs()
        }
    }

    fn response_at_rest(&self) -> Spring {
        let radius = self.lever.radius;
        self.law_at_rest().scaled(radius).scaled(radius)
    }

    #[inline]
    fn watch_contact(&mut self) -> bool {
        self.opening.record(self.contact())
    }

    fn open_warning(&self) -> Option<String> {
        let values = &self.now.values;
        let unit = if values[&RADIUS] == 0.0 {
            Unit::MetrePerSecond
        } else {
            Unit::RadianPerSecond
        };
        let is_joint = self.options.joint.is_some();
        self.opening
            .warning(self.speed(), unit, values[&F_N], is_joint)
    }

    fn snapshot(&self) -> &Snapshot {
        &self.now
    }

    fn restore(&mut self, snapshot: &Snapshot) {
        self.now.clone_from(snapshot);
        if self.now.history.is_none() {
            self.now.history = L::METADATA.delay.map(|_| Box::default());
        }
        // A snapshot taken between two `set` may hold parameters that contradict each other: the
        // law in force remains.
        match self.law(&self.now.values) {
            // The next `apply_parameters` rescales a deflection that belongs to another stiffness.
            Ok(law) => {
                self.parameters_dirty =
                    self.now.stiffness != 0.0 && self.now.stiffness != stiffness(&law);
                (self.law, self.limit) = (law, step_limit::<N>(&self.now.values));
                self.lever = Lever::of(&self.now.values);
            }
            Err(_) => self.parameters_dirty = true,
        }
    }
}
