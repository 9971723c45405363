//! A law made runnable: its parameters, states, inputs and bookkeeping, behind one interface for every law.

use crate::integrate::Failure;
use crate::integrate::radau::Radau;
use crate::law::{Contact, Course, Declaration, Evaluation, Law, Linearisation, ORDERS};
use crate::variable::{Refusal, Role, Unit, Values, Variable};

/// Normal force.
pub const F_N: Variable =
    Variable::input(0, "F_N", "F_N", Unit::Newton, "Normal force; the contact is open where it is not above 0")
        .nominal(10.0);

/// Contact velocity.
pub const V: Variable = Variable::input(
    1,
    "v",
    "v",
    Unit::MetrePerSecond,
    "Contact velocity: tangential velocity of the contact point relative to its counterpart",
)
.nominal(1e-2);

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

/// The inputs of every element.
pub static INPUTS: [Variable; 2] = [F_N, V];
/// The outputs of every element.
pub static OUTPUTS: [Variable; 5] = [F_R, V_SLIP, P_LOSS, E_LOSS, STICKING];

/// The error of F_R relative to F_s = μ_s F_N that an element keeps unless told otherwise.
pub const DEFAULT_TOLERANCE: f64 = 1e-6;
/// The tightest tolerance an element can keep.
pub const MIN_TOLERANCE: f64 = 1e-10;
/// The loosest tolerance an element accepts.
pub const MAX_TOLERANCE: f64 = 1e-3;
/// States below this size are 0: a decay must not end in denormal numbers, which are slow.
const NEGLIGIBLE: f64 = 1e-200;

/// Everything that changes in an element's life. Two elements of one law with equal snapshots behave the same, bit
/// for bit.
#[derive(Clone, Copy, Debug, PartialEq)]
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
}

/// An element of any law.
pub trait AnyElement: Send {
    /// The value of every variable. States, parameters and inputs are as set; outputs and derivatives as of the last
    /// [`evaluate`](AnyElement::evaluate) or [`advance`](AnyElement::advance).
    fn values(&self) -> &Values;

    /// Sets an input, parameter or start value that [`Variable::check`] accepts. Parameters take effect with the next
    /// [`prepare`](AnyElement::prepare).
    fn set(&mut self, variable: &Variable, value: f64);

    /// Sets the time derivative of the given order (1 or above) of an input, for the next step only. Orders that the
    /// element cannot follow are refused.
    fn set_slope(&mut self, input: &Variable, order: usize, value: f64) -> Result<(), Refusal>;

    /// Sets the error of F_R relative to F_s that steps keep, limited to [`MIN_TOLERANCE`] … [`MAX_TOLERANCE`].
    fn set_tolerance(&mut self, tolerance: f64);

    /// Puts changed parameters into force, or says which of them contradict each other; then the old ones stay in force.
    fn prepare(&mut self) -> Result<(), Refusal>;

    /// Calculates outputs and derivatives from the present inputs and states.
    fn evaluate(&mut self) -> Result<(), Failure>;

    /// Advances the states by `duration` (s, > 0) and leaves the outputs at its end, with the inputs of the step.
    /// Returns the number of inner steps. After a failure the element is as it was before.
    fn advance(&mut self, duration: f64) -> Result<u32, Failure>;

    /// Back to the start values.
    fn reset(&mut self);

    /// What the user should be told of the law with the present parameters and inputs, if anything.
    fn caution(&self) -> Option<String>;

    /// The change of every output and derivative (in their slots) for a small change `seed` of inputs and states, at
    /// the present inputs and states. Time alone does not move E_loss: its slot stays 0.
    fn tangent(&self, seed: &Values) -> Values;

    /// The time derivatives of all outputs at the end of the last step, with the inputs and slopes of that step.
    fn output_slopes(&self) -> Values;

    /// A copy of everything that changes.
    fn snapshot(&self) -> Snapshot;

    /// Back to a snapshot of an element of the same law.
    fn restore(&mut self, snapshot: &Snapshot);
}

/// An element of the law `L`.
pub struct Element<L, const N: usize> {
    law: L,
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
        let now = start(L::DECLARATION);
        let law = L::new(&now.values).expect("a law accepts its own defaults");
        let mut element = Element { law, stale: false, now };
        element.evaluate().expect("a law has finite values at its own defaults");
        element
    }

    fn contact(&self) -> Contact {
        Contact { F_N: self.now.values[&F_N], v: self.now.values[&V] }
    }

    fn course(&self) -> Course {
        Course { start: self.contact(), slopes: self.now.slopes }
    }

    fn states(&self) -> [f64; N] {
        core::array::from_fn(|i| self.now.values[&L::DECLARATION.states[i].0])
    }

    /// Takes over states, the energy lost on the way to them, and what follows from both; or refuses to, where a
    /// number is too large.
    fn show(&mut self, contact: Contact, x: &[f64; N], loss: f64) -> Result<(), Failure> {
        let Evaluation { F_R: force, sticking, rate } = self.law.evaluate(contact, x);
        let power = force * contact.v;
        let energy = self.now.values[&E_LOSS] + loss;
        // The sum of finite numbers may overflow, but never hides one that is not finite.
        let known = contact.F_N.abs() + contact.v.abs() + force.abs() + power.abs() + energy.abs();
        let sum = x.iter().chain(&rate).fold(known, |sum, x| sum + x.abs());
        if !sum.is_finite() {
            return Err(Failure::NotFinite);
        }
        let values = &mut self.now.values;
        values[&F_R] = force;
        values[&V_SLIP] = contact.v - rate.first().unwrap_or(&0.0);
        values[&P_LOSS] = power;
        values[&E_LOSS] = energy;
        values[&STICKING] = f64::from(sticking);
        for (i, (state, derivative)) in L::DECLARATION.states.iter().enumerate() {
            values[state] = x[i];
            values[derivative] = rate[i];
        }
        self.now.end = contact;
        self.now.end_slope = Contact::ZERO;
        Ok(())
    }

    /// The change of outputs and derivatives at a contact and states for a small change of both.
    #[allow(non_snake_case)] // the papers' symbols
    fn tangent_at(&self, contact: Contact, d_contact: Contact, dx: [f64; N]) -> Values {
        let x = self.states();
        let Linearisation { rate_x, rate_F_N, rate_v, F_R_x, F_R_F_N, F_R_v } = self.law.linearise(contact, &x);
        let along = |by_x: &[f64; N], by_normal_force: f64, by_v: f64| {
            let states: f64 = by_x.iter().zip(&dx).map(|(by, d)| by * d).sum();
            states + by_normal_force * d_contact.F_N + by_v * d_contact.v
        };
        let mut change = Values::ZERO;
        for (i, (_, derivative)) in L::DECLARATION.states.iter().enumerate() {
            change[derivative] = along(&rate_x[i], rate_F_N[i], rate_v[i]);
        }
        let d_force = along(&F_R_x, F_R_F_N, F_R_v);
        change[&F_R] = d_force;
        change[&P_LOSS] = d_force * contact.v + self.law.evaluate(contact, &x).F_R * d_contact.v;
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
        self.stale |= variable.role == Role::Parameter;
    }

    fn set_slope(&mut self, input: &Variable, order: usize, value: f64) -> Result<(), Refusal> {
        if !(1..=ORDERS).contains(&order) || !INPUTS.contains(input) {
            return Err(Refusal(format!(
                "derivative {order} of {} was given, but inputs are followed by derivatives 1 to {ORDERS}; leave it out",
                input.name
            )));
        }
        let slopes = self.now.slopes.get_or_insert([Contact::ZERO; ORDERS]);
        let slope = &mut slopes[order - 1];
        *(if *input == F_N { &mut slope.F_N } else { &mut slope.v }) = value;
        if *slopes == [Contact::ZERO; ORDERS] {
            self.now.slopes = None;
        }
        Ok(())
    }

    fn set_tolerance(&mut self, tolerance: f64) {
        self.now.tolerance = tolerance.clamp(MIN_TOLERANCE, MAX_TOLERANCE);
    }

    fn prepare(&mut self) -> Result<(), Refusal> {
        if self.stale {
            self.law = L::new(&self.now.values)?;
            self.stale = false;
        }
        Ok(())
    }

    fn evaluate(&mut self) -> Result<(), Failure> {
        self.show(self.contact(), &self.states(), 0.0)
    }

    fn advance(&mut self, duration: f64) -> Result<u32, Failure> {
        let course = self.course();
        let (end, end_slope) = (course.at(duration), course.slope_at(duration));
        if !(end.F_N + end.v + end_slope.F_N + end_slope.v).is_finite() {
            return Err(Failure::NotFinite);
        }
        let mut x = self.states();
        let mut solver = self.now.solver;
        let advance = self.law.advance(&course, &mut x, duration, self.now.tolerance, &mut solver)?;
        for x in &mut x {
            if x.abs() < NEGLIGIBLE {
                *x = 0.0;
            }
        }
        self.show(end, &x, advance.loss)?;
        self.now.end_slope = end_slope;
        self.now.slopes = None;
        self.now.solver = solver;
        Ok(advance.inner_steps)
    }

    fn reset(&mut self) {
        *self = Self::new();
    }

    fn caution(&self) -> Option<String> {
        self.law.caution(self.contact())
    }

    fn tangent(&self, seed: &Values) -> Values {
        let d_contact = Contact { F_N: seed[&F_N], v: seed[&V] };
        let dx = core::array::from_fn(|i| seed[&L::DECLARATION.states[i].0]);
        self.tangent_at(self.contact(), d_contact, dx)
    }

    fn output_slopes(&self) -> Values {
        let rate = core::array::from_fn(|i| self.now.values[&L::DECLARATION.states[i].1]);
        let mut slopes = self.tangent_at(self.now.end, self.now.end_slope, rate);
        slopes[&E_LOSS] = self.now.values[&P_LOSS];
        slopes
    }

    fn snapshot(&self) -> Snapshot {
        self.now
    }

    fn restore(&mut self, snapshot: &Snapshot) {
        self.now = *snapshot;
        self.stale = true;
    }
}

/// The state of an element that nobody has touched.
fn start(declaration: &Declaration) -> Snapshot {
    let states = declaration.states.iter().map(|(state, _)| state);
    Snapshot {
        values: Values::of(INPUTS.iter().chain(states).chain(declaration.parameters)),
        slopes: None,
        end: Contact::ZERO,
        end_slope: Contact::ZERO,
        tolerance: DEFAULT_TOLERANCE,
        solver: Radau::default(),
    }
}
