//! A law made runnable: its parameters, states, inputs and bookkeeping, behind one interface for every law.

mod last_step;

pub use self::last_step::LastStep;

use crate::coupling::{self, Body, BodyObserver, COUPLING, Coupling, F_LAW, M_EFF};
use crate::integrate::radau::Radau;
use crate::integrate::step_limit::StepLimit;
use crate::integrate::{SolverError, flush};
pub use crate::law::{F_N, V};

use crate::law::{
    A, Contact, Delay, DiscreteState, Evaluation, F_T, History, InputTrajectory, Jacobian, Law, LawMetadata,
    MAX_EVENTS, MAX_INPUT_DERIVATIVE_ORDER, event_iteration,
};
use crate::variable::{InputError, MODES, Role, Unit, Values, Variable};

/// Friction force.
pub const F_R: Variable = Variable::output(
    8,
    "F_R",
    "F_R",
    Unit::Newton,
    "Friction force, positive for v > 0 and opposing it: m dv/dt = F - F_R",
)
.nominal(10.0);

/// Slip velocity.
pub const V_SLIP: Variable =
    Variable::output(9, "v_slip", "v - \\dot z", Unit::MetrePerSecond, "Slip velocity of the bristle tip")
        .nominal(1e-2);

/// Friction power.
pub const P_LOSS: Variable =
    Variable::output(10, "P_loss", "F_R\\,v", Unit::Watt, "Power the contact takes from the bodies: F_R v")
        .nominal(0.1);

/// Friction energy.
pub const E_LOSS: Variable = Variable::output(
    11,
    "E_loss",
    "\\int F_R\\,v\\,\\mathrm{d}t",
    Unit::Joule,
    "Energy the contact has taken from the bodies since initialisation",
)
.nominal(0.1);

/// Stick.
pub const STICKING: Variable = Variable::flag(12, "sticking", "The contact sticks");

/// Limit of inner steps.
pub const INNER_STEPS_MAX: Variable = Variable::parameter(
    61,
    "inner_steps_max",
    r"n_\mathrm{max}",
    Unit::One,
    1e5,
    "Inner steps in a communication step that keep the tolerance. For real time: beyond it the tolerance is relaxed, about twice as \
     many are made at most, and fmi2DoStep returns fmi2Warning with the estimated error of F_R; values above 1e6 count as 1e6",
)
.at_least(1.0);

/// The inputs of every element; a law may need more.
pub static INPUTS: [Variable; 2] = [F_N, V];
/// The outputs of every element.
pub static OUTPUTS: [Variable; 5] = [F_R, V_SLIP, P_LOSS, E_LOSS, STICKING];

/// The error of F_R relative to F_s = μ_s F_N that an element keeps unless told otherwise.
pub const DEFAULT_TOLERANCE: f64 = 1e-6;
/// The tightest tolerance an element can keep.
pub const MIN_TOLERANCE: f64 = 1e-10;
/// The loosest tolerance an element accepts.
pub const MAX_TOLERANCE: f64 = 1e-3;
/// In a shorter step, s, no body moves.
const MIN_OBSERVED_STEP: f64 = 1e-12;

/// Everything that changes in an element's life. Two elements of one law with equal snapshots behave the same, bit
/// for bit.
#[derive(Debug, PartialEq)]
pub struct Snapshot {
    /// The table of values.
    pub values: Values,
    /// Time derivatives of the inputs, of order 1 and above, that hold for the next step only.
    pub derivatives: Option<[Contact; MAX_INPUT_DERIVATIVE_ORDER]>,
    /// The contact at the end of the last step …
    pub end: Contact,
    /// … and its time derivative there.
    pub end_derivative: Contact,
    /// The error of F_R relative to F_s that steps keep.
    pub tolerance: f64,
    /// The integrator's memory.
    pub solver: Radau,
    /// The time, s, on the clock of the history.
    pub time: f64,
    /// The stiffness of the law that the deflection belongs to, [`Law::stiffness`]; 0 before the simulation begins.
    pub stiffness: f64,
    /// Where the last step began.
    pub last_step: LastStep,
    /// The observer of the body, while there is one.
    pub observer: Option<BodyObserver>,
    /// Past velocities, for a law with a delay.
    pub history: Option<Box<History>>,
}

impl Clone for Snapshot {
    fn clone(&self) -> Self {
        Snapshot { history: self.history.clone(), ..*self }
    }

    /// Into the memory that is there already: a master that goes back and forth allocates nothing.
    fn clone_from(&mut self, source: &Self) {
        let kept = self.history.take();
        let history = match (kept, &source.history) {
            (Some(mut kept), Some(history)) => {
                *kept = **history;
                Some(kept)
            }
            (_, history) => history.clone(),
        };
        *self = Snapshot { history, ..*source };
    }
}

/// Outcome of a communication step.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Report {
    /// Inner steps, rejected ones included.
    pub inner_steps: u32,
    /// Estimated error of F_R over F_s, where that is more than the tolerance: an unstable bristle multiplies rounding errors, and
    /// steps beyond the limit have a relaxed tolerance. Otherwise 0.
    pub force_error: f64,
    /// The limit [`INNER_STEPS_MAX`] was met and the tolerance relaxed.
    pub limit_met: bool,
}

/// An element of any law.
pub trait AnyElement: Send {
    /// The value of every variable. States, parameters and inputs are as set; outputs and derivatives as of the last
    /// [`evaluate`](AnyElement::evaluate) or [`advance`](AnyElement::advance).
    fn values(&self) -> &Values;

    /// Sets an input, parameter or start value that [`Variable::check`] accepts. Parameters take effect with the next
    /// [`apply_parameters`](AnyElement::apply_parameters).
    fn set(&mut self, variable: &Variable, value: f64);

    /// Sets the inputs to those of a contact; what the law does not have as an input is left out.
    fn set_contact(&mut self, contact: Contact);

    /// Sets the time derivative of the given order, 1 to [`MAX_INPUT_DERIVATIVE_ORDER`], of an input, for the next step only.
    fn set_input_derivative(&mut self, input: &Variable, order: usize, value: f64);

    /// Sets the error of F_R relative to F_s that steps keep, limited to [`MIN_TOLERANCE`] … [`MAX_TOLERANCE`].
    fn set_tolerance(&mut self, tolerance: f64);

    /// Puts changed parameters into force, or says which of them contradict each other; then the old ones stay in force. After
    /// [`initialize`](AnyElement::initialize), a changed stiffness rescales the deflection: [`Law::retuned_deflection`].
    fn apply_parameters(&mut self) -> Result<(), InputError>;

    /// Chooses the modes that the present inputs and start values call for, forgets the past, and calculates outputs and
    /// derivatives.
    fn initialize(&mut self) -> Result<(), SolverError>;

    /// What [`initialize`](AnyElement::initialize) would give, without touching start values.
    fn evaluate_initial(&mut self) -> Result<(), SolverError>;

    /// Calculates outputs and derivatives from the present inputs, states and modes.
    fn evaluate(&mut self) -> Result<(), SolverError>;

    /// Changes modes that no longer hold, and states with them.
    fn event_iteration(&mut self);

    /// A mode does not hold any more with the present inputs and states: [`event_iteration`](AnyElement::event_iteration) would change it.
    fn event_is_pending(&self) -> bool;

    /// The event indicators, one for each of the law's events.
    fn indicators(&self) -> [f64; MAX_EVENTS];

    /// Sets the time, s, of inputs and states from now on; [`advance`](AnyElement::advance) moves it by itself.
    fn set_time(&mut self, time: f64);

    /// Makes the present velocity part of the past, for a law with a delay. [`advance`](AnyElement::advance) does so by
    /// itself.
    fn record(&mut self);

    /// Advances the states by `duration` (s, > 0) and leaves the outputs at its end, with the inputs of the step. After a
    /// failure the element is as it was before.
    fn advance(&mut self, duration: f64) -> Result<Report, SolverError>;

    /// Back to the start values.
    fn reset(&mut self);

    /// What the user should be told of the law with the present parameters and inputs, if anything.
    fn model_warning(&self) -> Option<String>;

    /// The largest friction force that the contact bears at rest under the present normal force, N; infinite where the law does not
    /// say.
    fn static_force(&self) -> f64;

    /// The change of every output and derivative (in their slots) for a small change `seed` of inputs and states, at
    /// the present inputs and states. Time alone does not move E_loss: its slot stays 0.
    fn directional_derivative(&self, seed: &Values) -> Values;

    /// The time derivatives of all outputs at the end of the last step, with the inputs and slopes of that step.
    fn output_derivatives(&self) -> Values;

    /// What is calculated only when it is asked for: [`coupling::F_R_MEAN`], [`coupling::DF_R_DV`] and
    /// [`coupling::DF_R_DF_N`] of the last step, 0 before there was one, and [`coupling::H_MAX`] at its end.
    fn on_demand_output(&self, variable: &Variable) -> Result<f64, SolverError>;

    /// What the user should be told of a coming step of `duration` (s), if anything: that it is too long for a coupling with
    /// held values, or that m_eff does not fit the body.
    fn coupling_warning(&self, duration: f64) -> Option<String>;

    /// Everything that changes.
    fn snapshot(&self) -> &Snapshot;

    /// Back to a snapshot of an element of the same law.
    fn restore(&mut self, snapshot: &Snapshot);
}

/// An element of the law `L`.
pub struct Element<L, const N: usize> {
    /// The law, and the body it acts on where that is known.
    body: Body<L, N>,
    /// Parameters were set that the law does not know yet.
    parameters_dirty: bool,
    now: Snapshot,
}

impl<L: Law<N>, const N: usize> Element<L, N> {
    /// An element with the start values of its declaration.
    ///
    /// # Panics
    /// If the law refuses its own defaults; a test keeps every law of the catalogue from it.
    pub fn new() -> Self {
        let mut parameters: Vec<_> = if L::COUPLED { coupling::PARAMETERS.iter().collect() } else { Vec::new() };
        if N > 0 {
            parameters.push(&INNER_STEPS_MAX);
        }
        let now = start(L::METADATA, &parameters);
        let law = L::new(&now.values).expect("a law accepts its own defaults");
        let mut element = Element { body: Body::new(law), parameters_dirty: false, now };
        element.now.history = element.body.law.delay().map(|_| Box::default());
        element.evaluate_initial().expect("a law has finite values at its own defaults");
        element
    }

    fn contact(&self) -> Contact {
        self.trajectory().at(0.0)
    }

    fn trajectory(&self) -> InputTrajectory<'_> {
        let values = &self.now.values;
        let start = Contact { F_N: values[&F_N], v: values[&V], a: values[&A], F_t: values[&F_T], v_past: 0.0 };
        let delay = self.body.law.delay().zip(self.now.history.as_deref());
        let delay = delay.map(|(delay, history)| Delay { delay, history, start: self.now.time });
        InputTrajectory { start, derivatives: self.now.derivatives.as_ref(), delay }
    }

    fn states(&self) -> [f64; N] {
        core::array::from_fn(|i| self.now.values[&L::METADATA.states[i].0])
    }

    /// The states that a step starts from. They are flushed here, for at the end of a step a processor would wait until they are
    /// written.
    fn flushed_states(&self) -> [f64; N] {
        let mut x = self.states();
        flush(&mut x);
        x
    }

    /// Rescales the deflection where the stiffness was tuned.
    fn retune(&mut self) {
        let (previous, present) = (self.now.stiffness, self.body.law.stiffness());
        let Some((deflection, _)) = L::METADATA.states.first() else { return };
        if previous == 0.0 || previous == present {
            return;
        }
        let factor = self.body.law.retuned_deflection(previous);
        self.now.values[deflection] *= factor;
        if let Some(observer) = &mut self.now.observer {
            observer.rescale_deflection(factor);
        }
        self.now.stiffness = present;
    }

    fn discrete(&self) -> L::DiscreteState {
        L::DiscreteState::read(&self.now.values)
    }

    /// Takes over the contact with its time derivative, states, modes, E_loss, and what follows from them; or refuses to, where a
    /// number is too large.
    #[inline(always)] // it takes and leaves a dozen numbers, and stands at the end of every step
    fn show(
        &mut self,
        [contact, slope]: [Contact; 2],
        x: &[f64; N],
        discrete: L::DiscreteState,
        energy: f64,
    ) -> Result<(), SolverError> {
        let Evaluation { F_R: force, sticking, rate } = self.body.law.evaluate(contact, x, &discrete);
        let power = force * contact.v;
        // Inputs are finite. The sum of finite numbers may overflow, but never hides one that is not finite.
        let known = force.abs() + power.abs() + energy.abs();
        let sum = x.iter().chain(&rate).fold(known, |sum, x| sum + x.abs());
        if !sum.is_finite() {
            return Err(SolverError::NotFinite);
        }
        let values = &mut self.now.values;
        values[&F_R] = force;
        values[&F_LAW] = force;
        values[&V_SLIP] = contact.v - rate.first().unwrap_or(&0.0);
        values[&P_LOSS] = power;
        values[&E_LOSS] = energy;
        values[&STICKING] = f64::from(sticking);
        for (i, (state, derivative)) in L::METADATA.states.iter().enumerate() {
            values[state] = x[i];
            values[derivative] = rate[i];
        }
        discrete.write(values);
        (self.now.end, self.now.end_derivative) = (contact, slope);
        Ok(())
    }

    /// The integrator's memory at the start of a communication step, with the limit of inner steps that it may use.
    fn solver(&self) -> Radau {
        let limit = if N > 0 { StepLimit::new(self.now.values[&INNER_STEPS_MAX] as u32) } else { StepLimit::default() };
        Radau { limit, ..self.now.solver }
    }

    /// Advances the law under the inputs as they are given.
    #[inline]
    fn advance_alone(&mut self, duration: f64) -> Result<Report, SolverError> {
        let trajectory = self.trajectory();
        let (end, end_derivative) = if trajectory.is_held() {
            (trajectory.start, Contact::ZERO)
        } else {
            (trajectory.at(duration), trajectory.derivative_at(duration))
        };
        if trajectory.derivatives.is_some() && !(end.is_finite() && end_derivative.is_finite()) {
            return Err(SolverError::NotFinite);
        }
        let (mut x, mut discrete, mut solver) = (self.flushed_states(), self.discrete(), self.solver());
        let start = trajectory.start;
        let modes = if L::COUPLED && !L::METADATA.modes.is_empty() { self.now.values.modes() } else { [0.0; MODES] };
        let advance =
            self.body.law.advance(&trajectory, &mut x, &mut discrete, duration, self.now.tolerance, &mut solver)?;
        let before = self.flushed_states();
        self.show([end, end_derivative], &x, discrete, self.now.values[&E_LOSS] + advance.loss)?;
        self.record();
        self.pass(duration);
        self.now.solver.first_step = solver.first_step;
        if L::COUPLED {
            let last_step = &mut self.now.last_step;
            last_step.duration = duration;
            last_step.states[..N].copy_from_slice(&before);
            if !L::METADATA.modes.is_empty() {
                last_step.modes = modes;
            }
            last_step.trajectory = None;
            if let Some(derivatives) = &self.now.derivatives {
                last_step.trajectory = Some((start, *derivatives));
            }
            self.now.observer = None;
        }
        self.now.derivatives = None;
        let relaxed = solver.limit.error();
        let force_error = advance.force_error.max(relaxed);
        let limit_met = relaxed > 0.0 || force_error > 0.0 && solver.limit.left() < advance.inner_steps;
        Ok(Report { inner_steps: advance.inner_steps, force_error, limit_met })
    }

    /// Advances the observer of the body, and leaves the force that makes the body follow as F_R.
    #[inline(never)]
    fn advance_with_shadow(&mut self, body: (f64, Coupling), duration: f64) -> Result<Report, SolverError> {
        let contact = self.contact();
        let values = &self.now.values;
        let initialize =
            || BodyObserver::initialize(body, contact, values[&F_R], &self.states(), values.modes(), values[&E_LOSS]);
        let mut observer = self.now.observer.filter(|observer| observer.is_for(body.1)).unwrap_or_else(initialize);
        observer.set_mass(body.0);
        let limit = self.solver().limit;
        let normal_rate = self.now.derivatives.map(|[first, ..]| first.F_N).filter(|rate| *rate != 0.0);
        let step = observer.step(&mut self.body, contact, normal_rate, duration, self.now.tolerance, limit)?;
        self.show([step.contact, Contact::ZERO], &step.x, step.discrete, step.loss)?;
        self.now.values[&F_R] = step.applied;
        self.pass(duration);
        let trajectory = Some((contact, [Contact::ZERO; MAX_INPUT_DERIVATIVE_ORDER]));
        self.now.last_step = LastStep { duration, trajectory, states: observer.states(), modes: observer.modes() };
        self.now.observer = Some(observer);
        self.now.derivatives = None;
        Ok(Report { inner_steps: step.inner_steps, force_error: step.force_error, limit_met: step.force_error > 0.0 })
    }

    /// Lets time pass; at the end of all numbers it stands still.
    fn pass(&mut self, duration: f64) {
        self.now.time = (self.now.time + duration).min(f64::MAX);
    }

    /// The longest steps of a coupling with held values, in parallel and in series, s; `None` without a mass.
    fn longest_steps(&self) -> Option<[f64; 2]> {
        let mass = self.now.values[&M_EFF];
        let quasi_static_response =
            || self.body.law.quasi_static_response(self.now.end, &self.states(), &self.discrete());
        (mass > 0.0).then(|| coupling::longest_steps(quasi_static_response(), mass))
    }

    /// The change of outputs and derivatives at a contact and states for a small change of both.
    #[allow(non_snake_case)] // the papers' symbols
    fn directional_derivative_at(&self, contact: Contact, d_contact: Contact, dx: [f64; N]) -> Values {
        let (x, discrete) = (self.states(), self.discrete());
        let Jacobian { rate_x, rate_F_N, rate_v, F_R_x, F_R_F_N, F_R_v, F_R_a, F_R_F_t, F_R_v_past } =
            self.body.law.jacobian(contact, &x, &discrete);
        let along = |by_x: &[f64; N], by_normal_force: f64, by_v: f64| {
            let states: f64 = by_x.iter().zip(&dx).map(|(by, d)| by * d).sum();
            states + by_normal_force * d_contact.F_N + by_v * d_contact.v
        };
        let mut change = Values::ZERO;
        for (i, (_, derivative)) in L::METADATA.states.iter().enumerate() {
            change[derivative] = along(&rate_x[i], rate_F_N[i], rate_v[i]);
        }
        let d_force = along(&F_R_x, F_R_F_N, F_R_v)
            + F_R_a * d_contact.a
            + F_R_F_t * d_contact.F_t
            + F_R_v_past * d_contact.v_past;
        change[&F_R] = d_force;
        change[&F_LAW] = d_force;
        change[&P_LOSS] = d_force * contact.v + self.body.law.evaluate(contact, &x, &discrete).F_R * d_contact.v;
        let d_deflection_rate = L::METADATA.states.first().map_or(0.0, |(_, derivative)| change[derivative]);
        change[&V_SLIP] = d_contact.v - d_deflection_rate;
        change
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
        self.now.values[variable] = value;
        self.parameters_dirty |= matches!(variable.role, Role::Parameter | Role::Choice(_));
    }

    fn set_contact(&mut self, contact: Contact) {
        let Contact { F_N: normal_force, v, a, F_t: applied, .. } = contact;
        for (input, value) in [(F_N, normal_force), (V, v), (A, a), (F_T, applied)] {
            if INPUTS.contains(&input) || L::METADATA.inputs.contains(&input) {
                self.now.values[&input] = value;
            }
        }
    }

    fn set_input_derivative(&mut self, input: &Variable, order: usize, value: f64) {
        let derivatives = self.now.derivatives.get_or_insert([Contact::ZERO; MAX_INPUT_DERIVATIVE_ORDER]);
        let slope = &mut derivatives[order - 1];
        *match input.reference {
            reference if reference == F_N.reference => &mut slope.F_N,
            reference if reference == A.reference => &mut slope.a,
            reference if reference == F_T.reference => &mut slope.F_t,
            _ => &mut slope.v,
        } = value;
        if *derivatives == [Contact::ZERO; MAX_INPUT_DERIVATIVE_ORDER] {
            self.now.derivatives = None;
        }
    }

    fn set_tolerance(&mut self, tolerance: f64) {
        self.now.tolerance = tolerance.clamp(MIN_TOLERANCE, MAX_TOLERANCE);
    }

    fn apply_parameters(&mut self) -> Result<(), InputError> {
        if self.parameters_dirty {
            self.body = Body::new(L::new(&self.now.values)?);
            self.parameters_dirty = false;
            self.retune();
        }
        Ok(())
    }

    fn initialize(&mut self) -> Result<(), SolverError> {
        if let Some(history) = &mut self.now.history {
            **history = History::default();
        }
        (self.now.last_step, self.now.observer) = (LastStep::NONE, None);
        self.now.stiffness = self.body.law.stiffness();
        let (contact, start) = (self.contact(), self.states());
        let (mut x, mut discrete) = (start, self.body.law.initialize(contact));
        event_iteration(&self.body.law, contact, &mut x, &mut discrete);
        // Nobody may have set F_N yet: a contact that is open because of that keeps its start values.
        let energy = self.now.values[&E_LOSS];
        let x = if contact.is_open() { &start } else { &x };
        self.show([contact, Contact::ZERO], x, discrete, energy)
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
        self.show([self.contact(), Contact::ZERO], &self.states(), self.discrete(), self.now.values[&E_LOSS])
    }

    fn event_iteration(&mut self) {
        let (mut x, mut discrete) = (self.states(), self.discrete());
        event_iteration(&self.body.law, self.contact(), &mut x, &mut discrete);
        for (x, (state, _)) in x.iter().zip(L::METADATA.states) {
            self.now.values[state] = *x;
        }
        discrete.write(&mut self.now.values);
    }

    fn event_is_pending(&self) -> bool {
        event_iteration(&self.body.law, self.contact(), &mut self.states(), &mut self.discrete())
    }

    fn indicators(&self) -> [f64; MAX_EVENTS] {
        self.body.law.indicators(self.contact(), &self.states(), &self.discrete())
    }

    fn set_time(&mut self, time: f64) {
        self.now.time = time;
    }

    fn record(&mut self) {
        if let (Some(history), Some(delay)) = (&mut self.now.history, self.body.law.delay()) {
            history.add(self.now.time, self.now.values[&V], delay);
        }
    }

    fn advance(&mut self, duration: f64) -> Result<Report, SolverError> {
        match Coupling::shadowed(&self.now.values) {
            Some(_)
                if L::COUPLED
                    && self.now.observer.as_ref().is_some_and(|observer| observer.is_negligible(duration)) =>
            {
                self.pass(duration);
                self.now.derivatives = None;
                Ok(Report::default())
            }
            Some(body) if L::COUPLED && duration >= MIN_OBSERVED_STEP => self.advance_with_shadow(body, duration),
            _ => self.advance_alone(duration),
        }
    }

    fn reset(&mut self) {
        *self = Self::new();
    }

    fn model_warning(&self) -> Option<String> {
        self.body.law.model_warning(self.contact())
    }

    fn static_force(&self) -> f64 {
        self.body.law.static_force(self.now.values[&F_N])
    }

    fn directional_derivative(&self, seed: &Values) -> Values {
        let v_past = self.trajectory().past_share() * seed[&V];
        let d_contact = Contact { F_N: seed[&F_N], v: seed[&V], a: seed[&A], F_t: seed[&F_T], v_past };
        let dx = core::array::from_fn(|i| seed[&L::METADATA.states[i].0]);
        let mut change = self.directional_derivative_at(self.contact(), d_contact, dx);
        if self.now.observer.is_some() {
            // The force to apply is that of the last step, and answers to nothing at once.
            change[&F_R] = 0.0;
        }
        change
    }

    fn output_derivatives(&self) -> Values {
        let rate = core::array::from_fn(|i| self.now.values[&L::METADATA.states[i].1]);
        let mut derivatives = self.directional_derivative_at(self.now.end, self.now.end_derivative, rate);
        derivatives[&E_LOSS] = self.now.values[&P_LOSS];
        if self.now.observer.is_some() {
            // The force to apply is meant to be held.
            derivatives[&F_R] = 0.0;
        }
        derivatives
    }

    fn on_demand_output(&self, variable: &Variable) -> Result<f64, SolverError> {
        let on_demand_output = match variable.reference {
            _ if !L::COUPLED => 0.0,
            reference if reference == coupling::H_MAX.reference => {
                self.longest_steps().map_or(0.0, |[parallel, serial]| {
                    if Coupling::of(self.now.values[&COUPLING]) == Coupling::Serial { serial } else { parallel }
                })
            }
            _ if self.now.last_step.duration == 0.0 => 0.0,
            reference if reference == coupling::F_R_MEAN.reference => self.mean_force()?,
            reference if reference == coupling::DF_R_DV.reference => self.by_velocity()?,
            _ => self.by_normal_force()?,
        };
        if on_demand_output.is_finite() { Ok(on_demand_output) } else { Err(SolverError::NotFinite) }
    }

    fn coupling_warning(&self, duration: f64) -> Option<String> {
        let m_eff = self.now.values[&M_EFF];
        if !L::COUPLED || m_eff == 0.0 {
            return None;
        }
        if let Some(seen) = self.now.observer.as_ref().and_then(BodyObserver::mass_seen) {
            return Some(format!(
                "force and body swung against each other, and the body answered as {seen:.3} kg does, not {m_eff:.3} kg; \
                 the element goes on with that, set m_eff to it"
            ));
        }
        let [parallel, serial] = self.longest_steps()?;
        let held = Coupling::of(self.now.values[&COUPLING]) == Coupling::Held;
        (held && duration > parallel).then(|| {
            format!(
                "H = {duration:.3e} s exceeds {parallel:.3e} s, the longest communication step that a parallel coupling with \
                 held values bears in this state at m_eff = {m_eff:.3} kg ({serial:.3e} s in series): the body may chatter; \
                 set coupling to serial or parallel, or shorten the step"
            )
        })
    }

    fn snapshot(&self) -> &Snapshot {
        &self.now
    }

    fn restore(&mut self, snapshot: &Snapshot) {
        self.now.clone_from(snapshot);
        if self.now.history.is_none() {
            self.now.history = self.body.law.delay().map(|_| Box::default());
        }
        // Parameters that contradict each other on the way to others leave the law in force.
        match L::new(&self.now.values) {
            // A deflection that belongs to another stiffness waits for the next `apply_parameters`.
            Ok(law) => {
                self.parameters_dirty = self.now.stiffness != 0.0 && self.now.stiffness != law.stiffness();
                self.body = Body::new(law);
            }
            Err(_) => self.parameters_dirty = true,
        }
    }
}

/// The state of an element that nobody has touched.
fn start(metadata: &LawMetadata, parameters: &[&Variable]) -> Snapshot {
    let states = metadata.states.iter().map(|(state, _)| state);
    Snapshot {
        values: Values::of(
            INPUTS
                .iter()
                .chain(metadata.inputs)
                .chain(states)
                .chain(metadata.parameters)
                .chain(parameters.iter().copied()),
        ),
        derivatives: None,
        end: Contact::ZERO,
        end_derivative: Contact::ZERO,
        tolerance: DEFAULT_TOLERANCE,
        solver: Radau::default(),
        time: 0.0,
        stiffness: 0.0,
        last_step: LastStep::NONE,
        observer: None,
        history: None,
    }
}
