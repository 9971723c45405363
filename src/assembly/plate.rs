//! Rigid plate on several points of contact: friction against sliding and spin, coupled by the
//! points.
//!
//! A point at (x, y) moves at v + ω × r = (v_x − ω y, v_y + ω x), and on the plate acts the sum of
//! the forces of its points and the torque M_R = Σ (x F_R,y − y F_R,x). Positions are those of the
//! plate's own axes, in which v and F_R are given as well.

use crate::coupling::{F_R_X_MEAN, F_R_Y_MEAN, M_R_MEAN};
use crate::element::{
    A_X, A_Y, AnyElement, E_LOSS, F_N, F_R, F_R_Y, P_LOSS, STICKING, Snapshot, V_X, V_Y,
};
use crate::integrate::SolverError;
use crate::law::MAX_INPUT_DERIVATIVE_ORDER;
use crate::saved_state::{Reader, SavedState, Writer};
use crate::variable::{Unit, Values, Variable};
use crate::vector::Vector;

/// Angular velocity of a plate.
pub const OMEGA: Variable = Variable::input(
    5,
    "omega",
    r"\omega",
    Unit::RadianPerSecond,
    "Angular velocity of the plate relative to its counterpart, from x to y",
)
.nominal(1.0);

/// Angular acceleration of a plate, for the observer of its body.
pub const OMEGA_DOT: Variable = Variable::input(
    7,
    "omega_dot",
    r"\dot\omega",
    Unit::RadianPerSecondSquared,
    "Relative angular acceleration of the plate: the time derivative of omega",
)
.nominal(100.0);

/// Friction torque of a plate.
pub const M_R: Variable = Variable::output(
    15,
    "M_R",
    "M_R",
    Unit::NewtonMetre,
    "Friction torque about the origin of the plate\u{2019}s axes, positive for omega > 0 and \
     opposing it: J d(omega)/dt = M - M_R",
)
.nominal(1.0);

/// Inputs of a plate, beside the normal forces of its points.
pub static PLATE_INPUTS: [Variable; 3] = [V_X, V_Y, OMEGA];
/// Further inputs of a plate whose body has the acceleration as an input.
pub static PLATE_ACCELERATIONS: [Variable; 3] = [A_X, A_Y, OMEGA_DOT];
/// Outputs of a plate.
pub static PLATE_OUTPUTS: [Variable; 6] =
    [crate::element::F_R_X, P_LOSS, E_LOSS, STICKING, F_R_Y, M_R];

/// Point of contact of a plate.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Point {
    /// Position in the plate's axes, m.
    pub position: [f64; 2],
    /// Share of the plate's normal force; `None` where the point has a normal force of its own.
    pub share: Option<f64>,
}

impl Point {
    /// Motion of the point in that of the plate, along its axes, which turn with it.
    fn at(&self, [along_x, along_y]: Vector, turning: f64) -> Vector {
        let [x, y] = self.position;
        [along_x - turning * y, along_y + turning * x]
    }
}

/// Inputs of a point.
struct PointInputs {
    /// Normal force, N, where it is a share of the plate's.
    normal: Option<f64>,
    /// Velocity, m/s.
    v: Vector,
}

/// Inputs of a plate with their time derivatives, and whether it sticks, which a saved state holds.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct PlateInputs {
    /// Values of [`MOTION`], then their time derivatives of order 1 and above.
    orders: [[f64; 4]; MAX_INPUT_DERIVATIVE_ORDER + 1],
    /// a_x, a_y (m/s²) and α (rad/s²), the time derivatives of v_x, v_y and ω at the end of the
    /// last step.
    accelerations: [f64; 3],
    /// Whether the plate stuck at the last event or step.
    sticks: bool,
}

impl SavedState for PlateInputs {
    fn write(&self, writer: &mut Writer) {
        self.orders.iter().for_each(|order| order.write(writer));
        self.accelerations.write(writer);
        self.sticks.write(writer);
    }

    fn read(reader: &mut Reader) -> Option<Self> {
        let mut orders = [[0.0; 4]; MAX_INPUT_DERIVATIVE_ORDER + 1];
        for order in &mut orders {
            *order = SavedState::read(reader)?;
        }
        Some(PlateInputs {
            orders,
            accelerations: SavedState::read(reader)?,
            sticks: SavedState::read(reader)?,
        })
    }
}

/// Inputs of a plate in the order of [`PlateInputs`].
const MOTION: [Variable; 4] = [F_N, V_X, V_Y, OMEGA];

/// Place of an input among these.
fn place(inputs: &[Variable], input: &Variable) -> Option<usize> {
    inputs.iter().position(|known| known.is(input))
}

/// Rigid plate on several points.
#[derive(Clone, Debug)]
pub struct Plate {
    points: Vec<Point>,
    /// Whether the acceleration is an input.
    has_acceleration: bool,
    inputs: PlateInputs,
    /// Inputs and outputs of the plate.
    values: Values,
}

impl Plate {
    /// Plate at rest on these points.
    pub fn new(points: Vec<Point>) -> Self {
        Plate {
            points,
            has_acceleration: false,
            inputs: PlateInputs::default(),
            values: Values::ZERO,
        }
    }

    /// The plate with its acceleration as an input, or without.
    #[must_use]
    pub fn with_acceleration(self, has_acceleration: bool) -> Self {
        Plate {
            has_acceleration,
            ..self
        }
    }

    pub(super) fn values(&self) -> &Values {
        &self.values
    }

    pub(super) fn inputs(&self) -> PlateInputs {
        self.inputs
    }

    pub(super) fn restore(&mut self, inputs: &PlateInputs) {
        self.inputs = *inputs;
        let numbers = inputs.orders[0].iter().chain(&inputs.accelerations);
        for (input, value) in MOTION.iter().chain(&PLATE_ACCELERATIONS).zip(numbers) {
            self.values[input] = *value;
        }
    }

    pub(super) fn reset(&mut self) {
        self.inputs = PlateInputs::default();
        self.values = Values::ZERO;
    }

    pub(super) fn set(&mut self, input: &Variable, value: f64) {
        self.values[input] = value;
        // E_loss of Model Exchange is a sum of the points', and no other variable of the plate is
        // set than its inputs.
        match place(&MOTION, input) {
            Some(place) => self.inputs.orders[0][place] = value,
            None => place(&PLATE_ACCELERATIONS, input)
                .into_iter()
                .for_each(|place| self.inputs.accelerations[place] = value),
        }
    }

    pub(super) fn set_derivative(&mut self, input: &Variable, order: usize, value: f64) {
        // The observer uses the value of an acceleration only.
        if let Some(place) = place(&MOTION, input) {
            self.inputs.orders[order][place] = value;
        }
    }

    pub(super) fn clear_derivatives(&mut self) {
        self.inputs.orders[1..].fill([0.0; 4]);
    }

    /// Inputs of a point at one order of the time derivatives, from those of [`MOTION`].
    fn of_point(point: &Point, [normal, v_x, v_y, omega]: [f64; 4]) -> PointInputs {
        PointInputs {
            normal: point.share.map(|share| share * normal),
            v: point.at([v_x, v_y], omega),
        }
    }

    /// Acceleration of a point, m/s².
    fn acceleration_of(&self, point: &Point) -> Vector {
        let [a_x, a_y, turning] = self.inputs.accelerations;
        point.at([a_x, a_y], turning)
    }

    /// Gives each point its velocity and its share of the normal force.
    pub(super) fn distribute(&self, contacts: &mut [Box<dyn AnyElement>]) {
        self.distribute_order(0, self.inputs.orders[0], contacts);
        if self.has_acceleration {
            for (point, contact) in self.points.iter().zip(contacts) {
                let [a_x, a_y] = self.acceleration_of(point);
                contact.set(&A_X, a_x);
                contact.set(&A_Y, a_y);
            }
        }
    }

    /// Gives each point the time derivatives of its inputs.
    pub(super) fn distribute_derivatives(&self, contacts: &mut [Box<dyn AnyElement>]) {
        for (order, inputs) in self.inputs.orders.iter().enumerate().skip(1) {
            if *inputs != [0.0; 4] {
                self.distribute_order(order, *inputs, contacts);
            }
        }
    }

    /// Gives the saved points the inputs that they are due.
    pub(super) fn complete(&self, points: &mut [Snapshot]) {
        for (point, snapshot) in self.points.iter().zip(points) {
            let PointInputs { normal, v } = Self::of_point(point, self.inputs.orders[0]);
            let values = &mut snapshot.values;
            values[&F_N] = normal.unwrap_or(values[&F_N]);
            [values[&V_X], values[&V_Y]] = v;
            if self.has_acceleration {
                [values[&A_X], values[&A_Y]] = self.acceleration_of(point);
            }
        }
    }

    fn distribute_order(
        &self,
        order: usize,
        inputs: [f64; 4],
        contacts: &mut [Box<dyn AnyElement>],
    ) {
        for (point, contact) in self.points.iter().zip(contacts) {
            let PointInputs {
                normal,
                v: [v_x, v_y],
            } = Self::of_point(point, inputs);
            let numbers = [
                normal.map(|normal| (&F_N, normal)),
                Some((&V_X, v_x)),
                Some((&V_Y, v_y)),
            ];
            for (input, number) in numbers.into_iter().flatten() {
                if order == 0 {
                    contact.set(input, number);
                } else {
                    // These are inputs of every element in the plane.
                    let known = contact.set_input_derivative(input, order, number);
                    debug_assert!(known.is_ok());
                }
            }
        }
    }

    /// Adds the outputs of the points up.
    pub(super) fn collect(&mut self, contacts: &[Box<dyn AnyElement>]) {
        let sums = self.sum_of(contacts.iter().map(|contact| contact.values()));
        for output in &PLATE_OUTPUTS {
            self.values[output] = sums[output];
        }
        self.values[&STICKING] = f64::from(self.inputs.sticks);
    }

    /// Latches whether the plate sticks.
    pub(super) fn latch_sticking(&mut self, contacts: &[Box<dyn AnyElement>]) {
        self.inputs.sticks = Self::sticks(contacts, |point| point.values()[&STICKING] != 0.0);
    }

    /// Whether the plate has begun to stick or to slide since that was latched.
    pub(super) fn sticking_is_old(&self, contacts: &[Box<dyn AnyElement>]) -> bool {
        self.inputs.sticks != Self::sticks(contacts, |point| point.sticks())
    }

    /// Whether every loaded point sticks, and there is one.
    fn sticks(
        contacts: &[Box<dyn AnyElement>],
        point_sticks: impl Fn(&dyn AnyElement) -> bool,
    ) -> bool {
        let mut loaded = contacts
            .iter()
            .filter(|contact| contact.values()[&F_N] > 0.0)
            .peekable();
        loaded.peek().is_some() && loaded.all(|contact| point_sticks(&**contact))
    }

    /// Outputs of the plate for these outputs of the points, to which they are linear.
    pub(super) fn sum(&self, points: &[Values]) -> Values {
        self.sum_of(points.iter())
    }

    /// Whether a plate has the mean of this variable.
    pub(super) fn has_mean(variable: &Variable) -> bool {
        [F_R_X_MEAN, F_R_Y_MEAN, M_R_MEAN]
            .iter()
            .any(|mean| variable.is(mean))
    }

    /// Mean force or torque of the plate, of the components of the mean forces of its points (N).
    pub(super) fn mean(
        &self,
        variable: &Variable,
        of_point: impl Fn(usize, &Variable) -> Result<f64, SolverError>,
    ) -> Result<f64, SolverError> {
        self.points.iter().enumerate().try_fold(
            0.0,
            |sum,
             (
                i,
                Point {
                    position: [x, y], ..
                },
            )| {
                let part = if variable.is(&M_R_MEAN) {
                    x * of_point(i, &F_R_Y_MEAN)? - y * of_point(i, &F_R_X_MEAN)?
                } else {
                    of_point(i, variable)?
                };
                Ok(sum + part)
            },
        )
    }

    fn sum_of<'a>(&self, points: impl Iterator<Item = &'a Values>) -> Values {
        let mut sums = Values::ZERO;
        for (
            Point {
                position: [x, y], ..
            },
            values,
        ) in self.points.iter().zip(points)
        {
            let [force_x, force_y] = [values[&F_R], values[&F_R_Y]];
            sums[&F_R] += force_x;
            sums[&F_R_Y] += force_y;
            sums[&M_R] += x * force_y - y * force_x;
            sums[&P_LOSS] += values[&P_LOSS];
            sums[&E_LOSS] += values[&E_LOSS];
        }
        sums
    }

    /// Seed of a point for a seed of the assembly.
    pub(super) fn seed(&self, contact: usize, seed: &super::Table) -> Values {
        let mut own = seed.contacts.get(contact).copied().unwrap_or(Values::ZERO);
        let shared = &seed.shared;
        let inputs = [shared[&F_N], shared[&V_X], shared[&V_Y], shared[&OMEGA]];
        let PointInputs { normal, v } = Self::of_point(&self.points[contact], inputs);
        own[&F_N] += normal.unwrap_or(0.0);
        [own[&V_X], own[&V_Y]] = v;
        for parameter in (0..own.0.len()).filter(|slot| Variable::is_parameter_slot(*slot)) {
            own.0[parameter] += shared.0[parameter];
        }
        own
    }
}
