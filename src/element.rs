//! A law made runnable: its parameters, states, inputs and bookkeeping, behind one interface for every law.

mod origin;

pub use self::origin::Origin;

use crate::coupling::{self, Body, COUPLING, Coupling, F_LAW, M_EFF, Shadow};
use crate::integrate::radau::Radau;
use crate::integrate::step_limit::StepLimit;
use crate::integrate::{Failure, flush};
pub use crate::law::{F_N, V};

use crate::law::{
    A, Contact, Course, Declaration, Delay, Evaluation, F_T, History, Law, Linearisation, MOST_EVENTS, Memory, ORDERS,
    settle,
};
use crate::variable::{MODES, Refusal, Role, Unit, Values, Variable};

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
const MOMENT: f64 = 1e-12;

/// Everything that changes in an element's life. Two elements of one law with equal snapshots behave the same, bit
/// for bit.
#[derive(Debug, PartialEq)]
pub struct Snapshot {
    /// The table of values.
    pub values: Values,
    /// Time derivatives of the inputs, of order 1 and above, that hold for the next step only.
    pub slopes: Option<[Contact; ORDERS]>,
    /// The contact at the end of the last step …
    pub end: Contact,
    /// … and its time derivative there.
    pub end_slope: Contact,
    /// The error of F_R relative to F_s that steps keep.
    pub tolerance: f64,
    /// The integrator's memory.
    pub solver: Radau,
    /// The time, s, on the clock of the history.
    pub time: f64,
    /// The stiffness of the law that the deflection belongs to, [`Law::stiffness`]; 0 before the simulation begins.
    pub stiffness: f64,
    /// Where the last step began.
    pub origin: Origin,
    /// The shadow of the body, while there is one.
    pub shadow: Option<Shadow>,
    /// The velocities of the past, for a law with a delay.
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
    /// [`prepare`](AnyElement::prepare).
    fn set(&mut self, variable: &Variable, value: f64);

    /// Sets the inputs to those of a contact; what the law does not have as an input is left out.
    fn set_contact(&mut self, contact: Contact);

    /// Sets the time derivative of the given order, 1 to [`ORDERS`], of an input, for the next step only.
    fn set_slope(&mut self, input: &Variable, order: usize, value: f64);

    /// Sets the error of F_R relative to F_s that steps keep, limited to [`MIN_TOLERANCE`] … [`MAX_TOLERANCE`].
    fn set_tolerance(&mut self, tolerance: f64);

    /// Puts changed parameters into force, or says which of them contradict each other; then the old ones stay in force. After
    /// [`begin`](AnyElement::begin), a changed stiffness rescales the deflection: [`Law::retuned_deflection`].
    fn prepare(&mut self) -> Result<(), Refusal>;

    /// Chooses the modes that the present inputs and start values call for, forgets the past, and calculates outputs and
    /// derivatives.
    fn begin(&mut self) -> Result<(), Failure>;

    /// What [`begin`](AnyElement::begin) would give, without touching start values.
    fn preview(&mut self) -> Result<(), Failure>;

    /// Calculates outputs and derivatives from the present inputs, states and modes.
    fn evaluate(&mut self) -> Result<(), Failure>;

    /// Changes modes that no longer hold, and states with them.
    fn settle(&mut self);

    /// A mode does not hold any more with the present inputs and states: [`settle`](AnyElement::settle) would change it.
    fn event_is_due(&self) -> bool;

    /// The event indicators, one for each of the law's events.
    fn indicators(&self) -> [f64; MOST_EVENTS];

    /// Sets the time, s, of inputs and states from now on; [`advance`](AnyElement::advance) moves it by itself.
    fn set_time(&mut self, time: f64);

    /// Makes the present velocity part of the past, for a law with a delay. [`advance`](AnyElement::advance) does so by
    /// itself.
    fn record(&mut self);

    /// Advances the states by `duration` (s, > 0) and leaves the outputs at its end, with the inputs of the step. After a
    /// failure the element is as it was before.
    fn advance(&mut self, duration: f64) -> Result<Report, Failure>;

    /// Back to the start values.
    fn reset(&mut self);

    /// What the user should be told of the law with the present parameters and inputs, if anything.
    fn caution(&self) -> Option<String>;

    /// The largest friction force that the contact bears at rest under the present normal force, N; infinite where the law does not
    /// say.
    fn static_force(&self) -> f64;

    /// The change of every output and derivative (in their slots) for a small change `seed` of inputs and states, at
    /// the present inputs and states. Time alone does not move E_loss: its slot stays 0.
    fn tangent(&self, seed: &Values) -> Values;

    /// The time derivatives of all outputs at the end of the last step, with the inputs and slopes of that step.
    fn output_slopes(&self) -> Values;

    /// What is calculated only when it is asked for: [`coupling::F_R_MEAN`], [`coupling::DF_R_DV`] and
    /// [`coupling::DF_R_DF_N`] of the last step, 0 before there was one, and [`coupling::H_MAX`] at its end.
    fn detail(&self, variable: &Variable) -> Result<f64, Failure>;

    /// What the user should be told of a coming step of `duration` (s), if anything: that it is too long for a coupling with
    /// held values, or that m_eff does not fit the body.
    fn coupling_caution(&self, duration: f64) -> Option<String>;

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
    stale: bool,
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
        let now = start(L::DECLARATION, &parameters);
        let law = L::new(&now.values).expect("a law accepts its own defaults");
        let mut element = Element { body: Body::new(law), stale: false, now };
        element.now.history = element.body.law.delay().map(|_| Box::default());
        element.preview().expect("a law has finite values at its own defaults");
        element
    }

    fn contact(&self) -> Contact {
        self.course().at(0.0)
    }

    fn course(&self) -> Course<'_> {
        let values = &self.now.values;
        let start = Contact { F_N: values[&F_N], v: values[&V], a: values[&A], F_t: values[&F_T], v_past: 0.0 };
        let delay = self.body.law.delay().zip(self.now.history.as_deref());
        let delay = delay.map(|(delay, history)| Delay { delay, history, start: self.now.time });
        Course { start, slopes: self.now.slopes.as_ref(), delay }
    }

    fn states(&self) -> [f64; N] {
        core::array::from_fn(|i| self.now.values[&L::DECLARATION.states[i].0])
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
        let Some((deflection, _)) = L::DECLARATION.states.first() else { return };
        if previous == 0.0 || previous == present {
            return;
        }
        let factor = self.body.law.retuned_deflection(previous);
        self.now.values[deflection] *= factor;
        if let Some(shadow) = &mut self.now.shadow {
            shadow.rescale_deflection(factor);
        }
        self.now.stiffness = present;
    }

    fn memory(&self) -> L::Memory {
        L::Memory::read(&self.now.values)
    }

    /// Takes over the contact with its time derivative, states, modes, E_loss, and what follows from them; or refuses to, where a
    /// number is too large.
    #[inline(always)] // it takes and leaves a dozen numbers, and stands at the end of every step
    fn show(
        &mut self,
        [contact, slope]: [Contact; 2],
        x: &[f64; N],
        memory: L::Memory,
        energy: f64,
    ) -> Result<(), Failure> {
        let Evaluation { F_R: force, sticking, rate } = self.body.law.evaluate(contact, x, &memory);
        let power = force * contact.v;
        // Inputs are finite. The sum of finite numbers may overflow, but never hides one that is not finite.
        let known = force.abs() + power.abs() + energy.abs();
        let sum = x.iter().chain(&rate).fold(known, |sum, x| sum + x.abs());
        if !sum.is_finite() {
            return Err(Failure::NotFinite);
        }
        let values = &mut self.now.values;
        values[&F_R] = force;
        values[&F_LAW] = force;
        values[&V_SLIP] = contact.v - rate.first().unwrap_or(&0.0);
        values[&P_LOSS] = power;
        values[&E_LOSS] = energy;
        values[&STICKING] = f64::from(sticking);
        for (i, (state, derivative)) in L::DECLARATION.states.iter().enumerate() {
            values[state] = x[i];
            values[derivative] = rate[i];
        }
        memory.write(values);
        (self.now.end, self.now.end_slope) = (contact, slope);
        Ok(())
    }

    /// The integrator's memory at the start of a communication step, with the limit of inner steps that it may use.
    fn solver(&self) -> Radau {
        let limit = if N > 0 { StepLimit::new(self.now.values[&INNER_STEPS_MAX] as u32) } else { StepLimit::default() };
        Radau { limit, ..self.now.solver }
    }

    /// Advances the law under the inputs as they are given.
    #[inline]
    fn advance_alone(&mut self, duration: f64) -> Result<Report, Failure> {
        let course = self.course();
        let (end, end_slope) = if course.is_held() {
            (course.start, Contact::ZERO)
        } else {
            (course.at(duration), course.slope_at(duration))
        };
        if course.slopes.is_some() && !(end.is_finite() && end_slope.is_finite()) {
            return Err(Failure::NotFinite);
        }
        let (mut x, mut memory, mut solver) = (self.flushed_states(), self.memory(), self.solver());
        let start = course.start;
        let modes = if L::COUPLED && !L::DECLARATION.modes.is_empty() { self.now.values.modes() } else { [0.0; MODES] };
        let advance = self.body.law.advance(&course, &mut x, &mut memory, duration, self.now.tolerance, &mut solver)?;
        let before = self.flushed_states();
        self.show([end, end_slope], &x, memory, self.now.values[&E_LOSS] + advance.loss)?;
        self.record();
        self.pass(duration);
        self.now.solver.first_step = solver.first_step;
        if L::COUPLED {
            let origin = &mut self.now.origin;
            origin.duration = duration;
            origin.states[..N].copy_from_slice(&before);
            if !L::DECLARATION.modes.is_empty() {
                origin.modes = modes;
            }
            origin.course = None;
            if let Some(slopes) = &self.now.slopes {
                origin.course = Some((start, *slopes));
            }
            self.now.shadow = None;
        }
        self.now.slopes = None;
        let relaxed = solver.limit.error();
        let force_error = advance.doubt.max(relaxed);
        let limit_met = relaxed > 0.0 || force_error > 0.0 && solver.limit.left() < advance.inner_steps;
        Ok(Report { inner_steps: advance.inner_steps, force_error, limit_met })
    }

    /// Advances the shadow of the body, and leaves the force that makes the body follow as F_R.
    #[inline(never)]
    fn advance_with_shadow(&mut self, body: (f64, Coupling), duration: f64) -> Result<Report, Failure> {
        let contact = self.contact();
        let values = &self.now.values;
        let begin = || Shadow::begin(body, contact, values[&F_R], &self.states(), values.modes(), values[&E_LOSS]);
        let mut shadow = self.now.shadow.filter(|shadow| shadow.fits(body.1)).unwrap_or_else(begin);
        shadow.set_mass(body.0);
        let limit = self.solver().limit;
        let normal_rate = self.now.slopes.map(|[first, ..]| first.F_N).filter(|rate| *rate != 0.0);
        let step = shadow.step(&mut self.body, contact, normal_rate, duration, self.now.tolerance, limit)?;
        self.show([step.contact, Contact::ZERO], &step.x, step.memory, step.loss)?;
        self.now.values[&F_R] = step.applied;
        self.pass(duration);
        let course = Some((contact, [Contact::ZERO; ORDERS]));
        self.now.origin = Origin { duration, course, states: shadow.states(), modes: shadow.modes() };
        self.now.shadow = Some(shadow);
        self.now.slopes = None;
        Ok(Report { inner_steps: step.inner_steps, force_error: step.force_error, limit_met: step.force_error > 0.0 })
    }

    /// Lets time pass; at the end of all numbers it stands still.
    fn pass(&mut self, duration: f64) {
        self.now.time = (self.now.time + duration).min(f64::MAX);
    }

    /// The longest steps of a coupling with held values, in parallel and in series, s; `None` without a mass.
    fn longest_steps(&self) -> Option<[f64; 2]> {
        let mass = self.now.values[&M_EFF];
        let answer = || self.body.law.answer(self.now.end, &self.states(), &self.memory());
        (mass > 0.0).then(|| coupling::longest_steps(answer(), mass))
    }

    /// The change of outputs and derivatives at a contact and states for a small change of both.
    #[allow(non_snake_case)] // the papers' symbols
    fn tangent_at(&self, contact: Contact, d_contact: Contact, dx: [f64; N]) -> Values {
        let (x, memory) = (self.states(), self.memory());
        let Linearisation { rate_x, rate_F_N, rate_v, F_R_x, F_R_F_N, F_R_v, F_R_a, F_R_F_t, F_R_v_past } =
            self.body.law.linearise(contact, &x, &memory);
        let along = |by_x: &[f64; N], by_normal_force: f64, by_v: f64| {
            let states: f64 = by_x.iter().zip(&dx).map(|(by, d)| by * d).sum();
            states + by_normal_force * d_contact.F_N + by_v * d_contact.v
        };
        let mut change = Values::ZERO;
        for (i, (_, derivative)) in L::DECLARATION.states.iter().enumerate() {
            change[derivative] = along(&rate_x[i], rate_F_N[i], rate_v[i]);
        }
        let d_force = along(&F_R_x, F_R_F_N, F_R_v)
            + F_R_a * d_contact.a
            + F_R_F_t * d_contact.F_t
            + F_R_v_past * d_contact.v_past;
        change[&F_R] = d_force;
        change[&F_LAW] = d_force;
        change[&P_LOSS] = d_force * contact.v + self.body.law.evaluate(contact, &x, &memory).F_R * d_contact.v;
        let d_deflection_rate = L::DECLARATION.states.first().map_or(0.0, |(_, derivative)| change[derivative]);
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
        self.stale |= matches!(variable.role, Role::Parameter | Role::Choice(_));
    }

    fn set_contact(&mut self, contact: Contact) {
        let Contact { F_N: normal_force, v, a, F_t: applied, .. } = contact;
        for (input, value) in [(F_N, normal_force), (V, v), (A, a), (F_T, applied)] {
            if INPUTS.contains(&input) || L::DECLARATION.inputs.contains(&input) {
                self.now.values[&input] = value;
            }
        }
    }

    fn set_slope(&mut self, input: &Variable, order: usize, value: f64) {
        let slopes = self.now.slopes.get_or_insert([Contact::ZERO; ORDERS]);
        let slope = &mut slopes[order - 1];
        *match input.reference {
            reference if reference == F_N.reference => &mut slope.F_N,
            reference if reference == A.reference => &mut slope.a,
            reference if reference == F_T.reference => &mut slope.F_t,
            _ => &mut slope.v,
        } = value;
        if *slopes == [Contact::ZERO; ORDERS] {
            self.now.slopes = None;
        }
    }

    fn set_tolerance(&mut self, tolerance: f64) {
        self.now.tolerance = tolerance.clamp(MIN_TOLERANCE, MAX_TOLERANCE);
    }

    fn prepare(&mut self) -> Result<(), Refusal> {
        if self.stale {
            self.body = Body::new(L::new(&self.now.values)?);
            self.stale = false;
            self.retune();
        }
        Ok(())
    }

    fn begin(&mut self) -> Result<(), Failure> {
        if let Some(history) = &mut self.now.history {
            **history = History::default();
        }
        (self.now.origin, self.now.shadow) = (Origin::NONE, None);
        self.now.stiffness = self.body.law.stiffness();
        let (contact, start) = (self.contact(), self.states());
        let (mut x, mut memory) = (start, self.body.law.begin(contact));
        settle(&self.body.law, contact, &mut x, &mut memory);
        // Nobody may have set F_N yet: a contact that is open because of that keeps its start values.
        let energy = self.now.values[&E_LOSS];
        let x = if contact.is_open() { &start } else { &x };
        self.show([contact, Contact::ZERO], x, memory, energy)
    }

    fn preview(&mut self) -> Result<(), Failure> {
        let x = self.states();
        self.begin()?;
        self.now.stiffness = 0.0;
        for (x, (state, _)) in x.into_iter().zip(L::DECLARATION.states) {
            self.now.values[state] = x;
        }
        Ok(())
    }

    fn evaluate(&mut self) -> Result<(), Failure> {
        self.show([self.contact(), Contact::ZERO], &self.states(), self.memory(), self.now.values[&E_LOSS])
    }

    fn settle(&mut self) {
        let (mut x, mut memory) = (self.states(), self.memory());
        settle(&self.body.law, self.contact(), &mut x, &mut memory);
        for (x, (state, _)) in x.iter().zip(L::DECLARATION.states) {
            self.now.values[state] = *x;
        }
        memory.write(&mut self.now.values);
    }

    fn event_is_due(&self) -> bool {
        settle(&self.body.law, self.contact(), &mut self.states(), &mut self.memory())
    }

    fn indicators(&self) -> [f64; MOST_EVENTS] {
        self.body.law.indicators(self.contact(), &self.states(), &self.memory())
    }

    fn set_time(&mut self, time: f64) {
        self.now.time = time;
    }

    fn record(&mut self) {
        if let (Some(history), Some(delay)) = (&mut self.now.history, self.body.law.delay()) {
            history.add(self.now.time, self.now.values[&V], delay);
        }
    }

    fn advance(&mut self, duration: f64) -> Result<Report, Failure> {
        match Coupling::shadowed(&self.now.values) {
            Some(_) if L::COUPLED && self.now.shadow.as_ref().is_some_and(|shadow| shadow.is_sliver(duration)) => {
                self.pass(duration);
                self.now.slopes = None;
                Ok(Report::default())
            }
            Some(body) if L::COUPLED && duration >= MOMENT => self.advance_with_shadow(body, duration),
            _ => self.advance_alone(duration),
        }
    }

    fn reset(&mut self) {
        *self = Self::new();
    }

    fn caution(&self) -> Option<String> {
        self.body.law.caution(self.contact())
    }

    fn static_force(&self) -> f64 {
        self.body.law.static_force(self.now.values[&F_N])
    }

    fn tangent(&self, seed: &Values) -> Values {
        let v_past = self.course().past_share() * seed[&V];
        let d_contact = Contact { F_N: seed[&F_N], v: seed[&V], a: seed[&A], F_t: seed[&F_T], v_past };
        let dx = core::array::from_fn(|i| seed[&L::DECLARATION.states[i].0]);
        let mut change = self.tangent_at(self.contact(), d_contact, dx);
        if self.now.shadow.is_some() {
            // The force to apply is that of the last step, and answers to nothing at once.
            change[&F_R] = 0.0;
        }
        change
    }

    fn output_slopes(&self) -> Values {
        let rate = core::array::from_fn(|i| self.now.values[&L::DECLARATION.states[i].1]);
        let mut slopes = self.tangent_at(self.now.end, self.now.end_slope, rate);
        slopes[&E_LOSS] = self.now.values[&P_LOSS];
        if self.now.shadow.is_some() {
            // The force to apply is meant to be held.
            slopes[&F_R] = 0.0;
        }
        slopes
    }

    fn detail(&self, variable: &Variable) -> Result<f64, Failure> {
        let detail = match variable.reference {
            _ if !L::COUPLED => 0.0,
            reference if reference == coupling::H_MAX.reference => {
                self.longest_steps().map_or(0.0, |[parallel, serial]| {
                    if Coupling::of(self.now.values[&COUPLING]) == Coupling::Serial { serial } else { parallel }
                })
            }
            _ if self.now.origin.duration == 0.0 => 0.0,
            reference if reference == coupling::F_R_MEAN.reference => self.mean_force()?,
            reference if reference == coupling::DF_R_DV.reference => self.by_velocity()?,
            _ => self.by_normal_force()?,
        };
        if detail.is_finite() { Ok(detail) } else { Err(Failure::NotFinite) }
    }

    fn coupling_caution(&self, duration: f64) -> Option<String> {
        let m_eff = self.now.values[&M_EFF];
        if !L::COUPLED || m_eff == 0.0 {
            return None;
        }
        if let Some(seen) = self.now.shadow.as_ref().and_then(Shadow::mass_seen) {
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
            // A deflection that belongs to another stiffness waits for the next `prepare`.
            Ok(law) => {
                self.stale = self.now.stiffness != 0.0 && self.now.stiffness != law.stiffness();
                self.body = Body::new(law);
            }
            Err(_) => self.stale = true,
        }
    }
}

/// The state of an element that nobody has touched.
fn start(declaration: &Declaration, parameters: &[&Variable]) -> Snapshot {
    let states = declaration.states.iter().map(|(state, _)| state);
    Snapshot {
        values: Values::of(
            INPUTS
                .iter()
                .chain(declaration.inputs)
                .chain(states)
                .chain(declaration.parameters)
                .chain(parameters.iter().copied()),
        ),
        slopes: None,
        end: Contact::ZERO,
        end_slope: Contact::ZERO,
        tolerance: DEFAULT_TOLERANCE,
        solver: Radau::default(),
        time: 0.0,
        stiffness: 0.0,
        origin: Origin::NONE,
        shadow: None,
        history: None,
    }
}
