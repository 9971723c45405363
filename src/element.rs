//! A law made runnable: its parameters, states, inputs and bookkeeping, behind one interface for every law.

use crate::integrate::Failure;
use crate::integrate::radau::Radau;
use crate::law::{Contact, Course, Declaration, Law, Linearisation, ORDERS};
use crate::variable::{Refusal, Unit, Values, Variable};

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
    /// Derivatives of the inputs that hold for the next step only.
    pub slopes: [[f64; ORDERS - 1]; INPUTS.len()],
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
    fn evaluate(&mut self);

    /// Advances the states by `duration` (s, > 0) and leaves the outputs at its end, with the inputs of the step.
    /// Returns the number of inner steps. After a failure the element is as it was before.
    fn advance(&mut self, duration: f64) -> Result<u32, Failure>;

    /// Back to the start values.
    fn reset(&mut self);

    /// What the user should be told of the law with the present parameters and inputs, if anything.
    fn caution(&self) -> Option<String>;

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
        element.evaluate();
        element
    }

    /// Partial derivatives of the law at the present inputs and states.
    pub fn linearise(&self) -> Linearisation<N> {
        self.law.linearise(self.contact(), &self.states())
    }

    fn contact(&self) -> Contact {
        Contact { F_N: self.now.values[&F_N], v: self.now.values[&V] }
    }

    fn course(&self) -> Course {
        let of = |value: f64, slopes: [f64; ORDERS - 1]| [value, slopes[0], slopes[1], slopes[2]];
        Course { F_N: of(self.now.values[&F_N], self.now.slopes[0]), v: of(self.now.values[&V], self.now.slopes[1]) }
    }

    fn states(&self) -> [f64; N] {
        core::array::from_fn(|i| self.now.values[&L::DECLARATION.states[i].0])
    }

    /// Outputs and derivatives for a contact and states.
    fn show(&mut self, contact: Contact, x: &[f64; N]) {
        let evaluation = self.law.evaluate(contact, x);
        let values = &mut self.now.values;
        values[&F_R] = evaluation.F_R;
        values[&V_SLIP] = evaluation.v_slip;
        values[&P_LOSS] = evaluation.F_R * contact.v;
        values[&STICKING] = f64::from(evaluation.sticking);
        for (i, (_, derivative)) in L::DECLARATION.states.iter().enumerate() {
            values[derivative] = evaluation.rate[i];
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
        self.now.values[variable] = value;
        self.stale |= variable.role == crate::variable::Role::Parameter;
    }

    fn set_slope(&mut self, input: &Variable, order: usize, value: f64) -> Result<(), Refusal> {
        let row = INPUTS.iter().position(|known| known == input);
        let (Some(row), 1..ORDERS) = (row, order) else {
            return Err(Refusal(format!(
                "derivative {order} of {} was given, but inputs are followed up to derivative {}; leave it out",
                input.name,
                ORDERS - 1
            )));
        };
        self.now.slopes[row][order - 1] = value;
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

    fn evaluate(&mut self) {
        self.show(self.contact(), &self.states());
    }

    fn advance(&mut self, duration: f64) -> Result<u32, Failure> {
        let course = self.course();
        let mut x = self.states();
        let mut solver = self.now.solver;
        let advance = self.law.advance(&course, &mut x, duration, self.now.tolerance, &mut solver)?;
        self.now.solver = solver;
        for (x, (state, _)) in x.iter_mut().zip(L::DECLARATION.states) {
            if x.abs() < NEGLIGIBLE {
                *x = 0.0;
            }
            self.now.values[state] = *x;
        }
        self.now.values[&E_LOSS] += advance.loss;
        self.now.slopes = Default::default();
        self.show(course.at(duration), &x);
        Ok(advance.inner_steps)
    }

    fn reset(&mut self) {
        *self = Self::new();
    }

    fn caution(&self) -> Option<String> {
        self.law.caution(self.contact())
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
        slopes: Default::default(),
        tolerance: DEFAULT_TOLERANCE,
        solver: Radau::default(),
    }
}
