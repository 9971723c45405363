//! An element as a contact of a body that has several.
//!
//! The body moves in the user's variables: for a rotational contact v and F_R stand for ω and M_R here, and the lever converts them for the law.

use super::lever::Lever;
use super::tuning::retuned_deflection;
use super::{Element, LastStep};
use crate::coupling::{
    BodyContact, ContactScales, ContactStart, ContactStep, LawModes, LawStage, LawState, StageResponse,
};
use crate::element::{A_Y, E_LOSS, F_N, F_R, F_R_Y, V, V_Y};
use crate::integrate::SolverError;
use crate::integrate::linear::Lu;
use crate::integrate::memory::Memory;
use crate::law::{
    A, BlockMotion, BlockResult, BlockStep, Contact, DiscreteState, Evaluation, Events, F_T, Input, InputTrajectory,
    Law, MAX_EVENTS, MAX_INPUT_DERIVATIVE_ORDER, MAX_STATES, Numerics, event_iteration, linearised, static_force,
    stiffness,
};
use crate::variable::Values;

/// The states of a law, padded.
fn padded<const N: usize>(x: [f64; N], rest: f64) -> LawState {
    core::array::from_fn(|i| if i < N { x[i] } else { rest })
}

/// The states of a law, of the padded ones.
fn own<const N: usize>(x: &LawState) -> [f64; N] {
    core::array::from_fn(|i| x[i])
}

/// Discrete states of a law, of its modes.
fn discrete<L: Law<N>, const N: usize>(modes: &LawModes) -> L::DiscreteState {
    if L::METADATA.modes.is_empty() {
        return L::DiscreteState::default();
    }
    L::DiscreteState::read(&Values::of_modes(modes))
}

/// Modes of discrete states of a law.
fn modes_of<L: Law<N>, const N: usize>(discrete: L::DiscreteState) -> LawModes {
    let mut values = Values::ZERO;
    discrete.write(&mut values);
    values.modes()
}

impl<L: Law<N>, const N: usize> Element<L, N> {
    /// Contact as the law sees it.
    #[inline]
    fn for_law(&self, contact: Contact) -> Contact {
        Contact { v: contact.v * self.lever.radius, F_t: contact.F_t * self.lever.inverse, ..contact }
    }
}

impl<L: Law<N>, const N: usize> BodyContact for Element<L, N> {
    fn start(&self) -> ContactStart {
        const { assert!(N <= MAX_STATES, "a law has at most MAX_STATES states") };
        let (values, [_, normal_rates @ ..]) = (&self.now.values, self.normal_force());
        ContactStart {
            contact: Contact {
                v: values[&V],
                v_y: if L::METADATA.planar { values[&V_Y] } else { 0.0 },
                ..self.contact()
            },
            acceleration: self
                .has_acceleration
                .then(|| [values[&A], if L::METADATA.planar { values[&A_Y] } else { 0.0 }]),
            normal_rates: (normal_rates != [0.0; 3]).then_some(normal_rates),
            force: [values[&F_R] - self.lever.offset, if L::METADATA.planar { values[&F_R_Y] } else { 0.0 }],
            loss: values[&E_LOSS],
            x: padded(Self::flushed_states(&self.now.values), 0.0),
            modes: values.modes(),
            stiffness: self.now.stiffness,
        }
    }

    fn deflection_factor(&self, previous: f64) -> f64 {
        retuned_deflection(previous, stiffness(&self.law))
    }

    fn static_force_under(&self, normal_force: f64) -> f64 {
        static_force(&self.law, normal_force) * self.lever.radius
    }

    fn scales(&self, contact: Contact, x: &LawState, duration: f64) -> ContactScales {
        let (law, x, contact) = (&self.law, own(x), self.for_law(contact));
        let Numerics { scale, velocity_scale, .. } = law.numerics(contact, &x, duration);
        let deflection = scale.first().copied().unwrap_or(f64::INFINITY);
        ContactScales {
            v: velocity_scale.min(deflection / duration) * self.lever.inverse,
            x: padded(scale, f64::MAX),
            force: self.static_force_under(contact.F_N),
        }
    }

    fn stage(&self, given: LawStage, response: &mut StageResponse) {
        let given = LawStage { contact: self.for_law(given.contact), ..given };
        match self.law.coupled(given.tolerance) {
            Some(law) => stage(&law, given, response),
            None => stage(&self.law, given, response),
        }
        // A contact in the plane has no lever, and the radius 1.
        let radius = self.lever.radius;
        if !L::METADATA.planar {
            response.force[0] *= radius;
            response.slope[0][0] *= radius * radius;
            response.dx_dv[0][..N].iter_mut().for_each(|dx| *dx *= radius);
        }
    }

    fn states(&self) -> usize {
        N
    }

    fn has_modes(&self) -> bool {
        !L::METADATA.modes.is_empty()
    }

    fn has_applied_force(&self) -> bool {
        L::METADATA.inputs.iter().any(|input| input.is(&F_T))
    }

    fn event_indicators(&self, contact: Contact, x: &LawState, modes: &LawModes) -> [f64; MAX_EVENTS] {
        discrete::<L, N>(modes).indicators(&self.law, self.for_law(contact), &own(x))
    }

    fn handle_events(&self, contact: Contact, x: &mut LawState, modes: &mut LawModes) -> bool {
        let (before, mut states) = (discrete::<L, N>(modes), own(x));
        let mut after = before;
        if !event_iteration(&self.law, self.for_law(contact), &mut states, &mut after) {
            return false;
        }
        (*x, *modes) = (padded(states, 0.0), modes_of::<L, N>(after));
        after != before
    }

    fn advance_open(
        &self,
        contact: Contact,
        x: &mut LawState,
        modes: &mut LawModes,
        duration: f64,
    ) -> Result<(), SolverError> {
        let (mut states, mut discrete) = (own(x), discrete::<L, N>(modes));
        let (trajectory, mut solver) = (InputTrajectory::held(self.for_law(contact)), Memory::default());
        let tolerance = self.now.tolerance;
        self.law.advance(&trajectory, &mut states, &mut discrete, duration, tolerance, &mut solver)?;
        (*x, *modes) = (padded(states, 0.0), modes_of::<L, N>(discrete));
        Ok(())
    }

    fn normal_force(&self) -> Input {
        let of_order = |order: Contact| order.F_N;
        let [first, second, third] = self.now.derivatives.map_or([0.0; 3], |orders| orders.map(of_order));
        [self.now.values[&F_N], first, second, third]
    }

    fn advance_on_block(
        &self,
        block: &BlockStep,
        motion: &mut BlockMotion,
        x: &mut LawState,
        modes: &mut LawModes,
        tolerance: f64,
        memory: &mut Memory,
    ) -> Result<BlockResult, SolverError> {
        // The law moves along the contact, with v = r ω and F_R = M_R/r.
        let Lever { radius, inverse, .. } = self.lever;
        let block = block.scaled(radius, inverse);
        let (mut of_law, mut states, mut discrete) =
            (motion.map(|motion| motion * radius), own(x), discrete::<L, N>(modes));
        let done = self.law.advance_on_block(&block, &mut of_law, &mut states, &mut discrete, tolerance, memory)?;
        (*motion, *x) = (of_law.map(|motion| motion * inverse), padded(states, 0.0));
        *modes = modes_of::<L, N>(discrete);
        Ok(BlockResult { travel: done.travel * inverse, acceleration: done.acceleration * inverse, ..done })
    }

    fn accept(&mut self, step: &ContactStep) -> Result<(), SolverError> {
        let discrete = discrete::<L, N>(&step.modes);
        let ends = [step.end, step.end_rate].map(|contact| self.for_law(contact));
        self.store(ends, own(&step.x), discrete, step.loss)?;
        if let Some(applied) = step.applied {
            self.now.values[&F_R] = self.lever.with_offset(applied[0]);
            if L::METADATA.planar {
                self.now.values[&F_R_Y] = applied[1];
            }
        }
        let trajectory = Some((self.for_law(step.start), [Contact::ZERO; MAX_INPUT_DERIVATIVE_ORDER]));
        let (states, modes) = (step.start_x, step.start_modes);
        self.now.last_step = LastStep { duration: step.duration, trajectory, states, modes };
        self.skip(step.duration);
        Ok(())
    }

    fn skip(&mut self, duration: f64) {
        self.now.advance_time(duration);
        self.now.derivatives = None;
    }
}

/// Newton step of an implicit stage; see [`BodyContact::stage`].
fn stage<L: Law<N>, const N: usize>(law: &L, given: LawStage, response: &mut StageResponse) {
    let LawStage { contact, modes, weight, .. } = given;
    let axes = if L::METADATA.planar { 2 } else { 1 };
    let x = own(given.x);
    let (Evaluation { F_R: force, F_R_y: across, rate, .. }, by) =
        linearised(law, contact, &x, &discrete::<L, N>(modes));
    let factors = factors(weight, &by.rate_x);
    let dx: [f64; N] = factors.solve(core::array::from_fn(|i| given.base[i] + weight * rate[i] - x[i]));
    let by_states = |axis: usize, dx: &[f64]| by.force_x[axis].iter().zip(dx).map(|(by, dx)| by * dx).sum::<f64>();
    response.force = [force + by_states(0, &dx), across + by_states(1, &dx)];
    response.dx[..N].copy_from_slice(&dx);
    for (along, to) in response.dx_dv.iter_mut().enumerate().take(axes) {
        let dx_dv: [f64; N] = factors.solve(by.rate_v[along].map(|rate| weight * rate));
        for axis in 0..axes {
            response.slope[axis][along] = by.force_v[axis][along] + by_states(axis, &dx_dv);
        }
        to[..N].copy_from_slice(&dx_dv);
    }
}

/// Factors of 1 − weight ∂rate/∂x.
fn factors<const N: usize>(weight: f64, rate_x: &[[f64; N]; N]) -> Lu<f64, N> {
    Lu::new(core::array::from_fn(|i| core::array::from_fn(|j| f64::from(u8::from(i == j)) - weight * rate_x[i][j])))
}
