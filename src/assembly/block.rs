//! Block: a body inside the element, on one contact.
//!
//! m dv/dt = F − F_R − k (x − x_base) − d (v − v_base) and the law form one system, and the contact
//! slides at v − v_surface. In Co-Simulation the system is integrated over the communication step
//! with the tolerance of the element, so that nothing is held between force and motion. For a
//! rotational contact read torques, angles and the moment of inertia.

pub mod variables;

use self::variables::reference::{
    DAMPING, F, F_BASE, MASS, STIFFNESS, V, V_BASE, V_SURFACE, X, X_BASE,
};
use crate::coupling::{ContactStep, Coupling, F_LAW};
use crate::element::{
    self, AnyElement, F_OFFSET, F_R, INNER_STEPS_MAX, Report, Snapshot, no_derivative,
};
use crate::integrate::memory::Memory;
use crate::integrate::step_limit::StepLimit;
use crate::integrate::{SolverError, flush};
use crate::law::{BlockMotion, BlockStep, Contact, F_T, Input, MAX_INPUT_DERIVATIVE_ORDER, Spring};
use crate::saved_state::{Reader, SavedState, Writer};
use crate::variable::{BLOCK, BLOCK_SLOTS, InputError, Values, Variable};

/// Number for each variable of a block, by its reference.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct BlockValues([f64; BLOCK_SLOTS]);

impl BlockValues {
    /// All numbers 0.
    pub const ZERO: Self = BlockValues([0.0; BLOCK_SLOTS]);
}

impl core::ops::Index<u32> for BlockValues {
    type Output = f64;
    fn index(&self, reference: u32) -> &f64 {
        &self.0[(reference - BLOCK) as usize]
    }
}

impl core::ops::IndexMut<u32> for BlockValues {
    fn index_mut(&mut self, reference: u32) -> &mut f64 {
        &mut self.0[(reference - BLOCK) as usize]
    }
}

/// References of the inputs, in the order of their derivatives.
const INPUTS: [u32; 4] = [F, X_BASE, V_BASE, V_SURFACE];

/// Everything of a block that changes.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct BlockState {
    /// Values of all variables.
    pub values: BlockValues,
    /// Time derivatives of the inputs for the coming step, from order 1 on.
    derivatives: [[f64; INPUTS.len()]; MAX_INPUT_DERIVATIVE_ORDER],
    /// Length of the first inner step of the coming step, s; 0: not known.
    first_step: f64,
    /// Mean force on the base over the last step, N or N·m.
    on_base: f64,
}

impl SavedState for BlockState {
    fn write(&self, writer: &mut Writer) {
        let BlockState {
            values,
            derivatives,
            first_step,
            on_base,
        } = self;
        values.0.write(writer);
        derivatives.iter().for_each(|order| order.write(writer));
        first_step.write(writer);
        on_base.write(writer);
    }

    fn read(reader: &mut Reader) -> Option<Self> {
        let values = BlockValues(SavedState::read(reader)?);
        let mut derivatives = [[0.0; INPUTS.len()]; MAX_INPUT_DERIVATIVE_ORDER];
        for order in &mut derivatives {
            *order = SavedState::read(reader)?;
        }
        Some(BlockState {
            values,
            derivatives,
            first_step: f64::read(reader)?,
            on_base: f64::read(reader)?,
        })
    }
}

/// Motion of the block on its base.
fn on_base(values: &BlockValues) -> BlockMotion {
    BlockMotion {
        x: values[X] - values[X_BASE],
        v: values[V] - values[V_BASE],
    }
}

/// Block with its state.
#[derive(Clone, Debug)]
pub struct Block {
    /// Mass after a reset, kg.
    mass: f64,
    /// Spring and damper after a reset.
    spring: Spring,
    state: BlockState,
}

impl Block {
    /// Block at rest with this mass (kg), spring and damper, or those of a rotation.
    pub fn new(mass: f64, spring: Spring) -> Self {
        let mut block = Block {
            mass,
            spring,
            state: BlockState::default(),
        };
        block.reset();
        block
    }

    pub(super) fn reset(&mut self) {
        self.state = BlockState::default();
        self.state.values[MASS] = self.mass;
        self.state.values[STIFFNESS] = self.spring.stiffness;
        self.state.values[DAMPING] = self.spring.damping;
    }

    pub(super) fn values(&self) -> &BlockValues {
        &self.state.values
    }

    pub(super) fn state(&self) -> BlockState {
        self.state
    }

    pub(super) fn restore(&mut self, state: &BlockState) {
        self.state = *state;
    }

    pub(super) fn set(&mut self, variable: &Variable, value: f64) {
        self.state.values[variable.reference] = value;
    }

    /// Sets the time derivative of an input; see [`AnyElement::set_input_derivative`].
    pub(super) fn set_derivative(
        &mut self,
        input: &Variable,
        order: usize,
        value: f64,
    ) -> Result<(), InputError> {
        let place = INPUTS
            .iter()
            .position(|reference| *reference == input.reference);
        let derivatives = order
            .checked_sub(1)
            .and_then(|order| self.state.derivatives.get_mut(order));
        let (Some(place), Some(derivatives)) = (place, derivatives) else {
            return Err(no_derivative(input, order));
        };
        derivatives[place] = value;
        Ok(())
    }

    /// Input with its time derivatives over the coming step.
    fn input(&self, reference: u32) -> Input {
        let place = INPUTS
            .iter()
            .position(|known| *known == reference)
            .unwrap_or_default();
        let [first, second, third] = self.state.derivatives.map(|order| order[place]);
        [self.state.values[reference], first, second, third]
    }

    /// The coming step of `duration` (s). Without derivatives of its own the position of the base
    /// follows from its velocity.
    fn step(&self, contact: &dyn AnyElement, duration: f64) -> BlockStep {
        let values = &self.state.values;
        let (mut force, v_base) = (self.input(F), self.input(V_BASE));
        force[0] -= contact.values()[&F_OFFSET];
        let [x, rates @ ..] = self.input(X_BASE);
        let x_base = if rates == [0.0; 3] {
            [x, v_base[0], v_base[1], v_base[2], v_base[3]]
        } else {
            [x, rates[0], rates[1], rates[2], 0.0]
        };
        BlockStep {
            duration,
            mass: values[MASS],
            spring: Spring {
                stiffness: values[STIFFNESS],
                damping: values[DAMPING],
            },
            normal_force: contact.normal_force(),
            force,
            x_base,
            v_base,
            v_surface: self.input(V_SURFACE),
        }
    }

    /// Force on the block but F_R with these parameters, this applied force (N) and motion on the
    /// base, N.
    fn applied(values: &BlockValues, applied: f64, on_base: BlockMotion) -> f64 {
        applied - values[STIFFNESS] * on_base.x - values[DAMPING] * on_base.v
    }

    /// Gives a contact its velocity and the applied force of this state.
    fn give(state: &BlockState, has_applied_force: bool, values: &mut Values) {
        let block = &state.values;
        values[&element::V] = block[V] - block[V_SURFACE];
        if has_applied_force {
            values[&F_T] = Self::applied(block, block[F], on_base(block));
        }
    }

    /// Gives the contact its velocity and the applied force.
    pub(super) fn distribute(&self, contact: &mut dyn AnyElement) {
        let mut values = Values::ZERO;
        let has_applied_force = contact.has_applied_force();
        Self::give(&self.state, has_applied_force, &mut values);
        contact.set(&element::V, values[&element::V]);
        if has_applied_force {
            contact.set(&F_T, values[&F_T]);
        }
    }

    /// Gives the saved contact the inputs that it is due.
    pub(super) fn complete(&self, contact: &dyn AnyElement, snapshot: &mut Snapshot) {
        Self::give(
            &self.state,
            contact.has_applied_force(),
            &mut snapshot.values,
        );
    }

    /// Calculates the derivatives of the states, and the present force on the base.
    pub(super) fn evaluate(&mut self, contact: &dyn AnyElement) {
        let values = &mut self.state.values;
        let motion = on_base(values);
        let force = -Self::applied(values, 0.0, motion);
        values[F_BASE] = force;
        values[X + 1] = values[V];
        values[V + 1] =
            (Self::applied(values, values[F], motion) - contact.values()[&F_R]) / values[MASS];
        self.state.on_base = force;
    }

    /// Advances block and contact by `duration` (s). After an error both may have changed; the
    /// caller restores them.
    pub(super) fn advance(
        &mut self,
        contacts: &mut [Box<dyn AnyElement>],
        duration: f64,
    ) -> Result<Report, SolverError> {
        let [contact] = contacts else {
            return Ok(Report::default());
        };
        let (start, step) = (contact.start(), self.step(&**contact, duration));
        // A law without states has no such parameter.
        let limit = if contact.states() > 0 {
            Some(contact.values()[&INNER_STEPS_MAX])
        } else {
            INNER_STEPS_MAX.start
        };
        let limit = StepLimit::new(limit.unwrap_or_default() as u32);
        let mut memory = Memory {
            first_step: self.state.first_step,
            limit,
        };
        let (mut motion, mut x, mut modes) = (
            BlockMotion {
                x: self.state.values[X],
                v: self.state.values[V],
            },
            start.x,
            start.modes,
        );
        let tolerance = contact.snapshot().tolerance;
        let done = contact.advance_on_block(
            &step,
            &mut motion,
            &mut x,
            &mut modes,
            tolerance,
            &mut memory,
        )?;
        self.state.first_step = memory.first_step;
        flush(&mut x);
        let is_parallel = Coupling::of(contact.values()) == Coupling::Parallel;
        let push = step.push(duration, motion);
        self.end(&step, motion, done.travel, is_parallel);
        if !self.state.values.0.iter().all(|value| value.is_finite()) {
            return Err(SolverError::NotFinite);
        }
        let end = step.part(duration, duration);
        let [surface, surface_rate, ..] = end.v_surface;
        // The force with which the contact moves on with the counterface, where it sticks.
        let balanced = push - step.mass * surface_rate;
        contact.accept(&ContactStep {
            duration,
            applied: None,
            start: start.contact,
            start_x: start.x,
            start_modes: start.modes,
            end: Contact {
                F_t: balanced,
                ..Contact::new(end.normal_force[0].max(0.0), motion.v - surface)
            },
            end_rate: Contact::new(end.normal_force[1], done.acceleration - surface_rate),
            x,
            modes,
            loss: start.loss + done.loss,
        })?;
        let force_error = memory.limit.error();
        let values = &mut self.state.values;
        values[X + 1] = values[V];
        values[V + 1] = (push - contact.values()[&F_LAW]) / step.mass;
        self.state.derivatives = Default::default();
        Ok(Report {
            inner_steps: done.inner_steps,
            force_error,
            limit_met: force_error > 0.0,
        })
    }

    /// Takes the motion at the end of a step over, and the mean force on the base. A parallel
    /// coupling applies it over the next step: it is extrapolated.
    fn end(&mut self, step: &BlockStep, end: BlockMotion, travel: f64, is_parallel: bool) {
        let values = &mut self.state.values;
        let base = step.mean_of_base();
        let mean = BlockMotion {
            x: travel / step.duration - base.x,
            v: (end.x - values[X]) / step.duration - base.v,
        };
        let before = core::mem::replace(&mut self.state.on_base, -Self::applied(values, 0.0, mean));
        values[F_BASE] = if is_parallel {
            2.0 * self.state.on_base - before
        } else {
            self.state.on_base
        };
        (values[X], values[V]) = (end.x, end.v);
    }

    /// Seed of the contact for seeds of the block, added to those of its own variables.
    pub(super) fn seed(&self, seed: &BlockValues, own: &mut Values) {
        own[&element::V] = seed[V] - seed[V_SURFACE];
        own[&F_T] = Self::applied(&self.state.values, seed[F], on_base(seed));
    }

    /// Derivatives of the block's variables along seeds, with that of F_R.
    pub(super) fn directional_derivative(&self, seed: &BlockValues, force: f64) -> BlockValues {
        let values = &self.state.values;
        let of_spring = |of: &BlockValues, parameters: &BlockValues| {
            -Self::applied(parameters, 0.0, on_base(of))
        };
        let force_on_base = of_spring(seed, values) + of_spring(values, seed);
        let mut change = *seed;
        change[F_BASE] = force_on_base;
        change[X + 1] = seed[V];
        change[V + 1] =
            (seed[F] - force_on_base - force - values[V + 1] * seed[MASS]) / values[MASS];
        change
    }

    /// Time derivatives of the outputs at the end of the last step. The mean force on the base has
    /// none.
    pub(super) fn output_derivatives(&self) -> BlockValues {
        let mut rates = BlockValues::default();
        (rates[X], rates[V]) = (self.state.values[X + 1], self.state.values[V + 1]);
        rates
    }
}

#[cfg(test)]
mod tests;
