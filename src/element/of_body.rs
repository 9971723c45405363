//! An element as a contact of a body that has several.
//!
//! The body moves in the user's variables: for a rotational contact v and F_R stand for ω and M_R
//! here, and the lever converts them for the law.

use super::lever::Lever;
use super::tuning::retuned_deflection;
use super::{Element, LastStep};
use crate::coupling::{BodyContact, ContactScales, ContactStart, ContactStep, LawModes, LawState};
use crate::element::{A_Y, E_LOSS, F_N, F_R, F_R_Y, V, V_Y};
use crate::integrate::SolverError;
use crate::integrate::memory::Memory;
use crate::law::{
    A, BlockMotion, BlockResult, BlockStep, Contact, DiscreteState, Evaluation, F_T, Input,
    InputTrajectory, Jacobian, Law, MAX_INPUT_DERIVATIVE_ORDER, MAX_STATES, NOMINAL_FORCE,
    Numerics, Path, REST, StepLimits, event_iteration, first_event, landing, linearised,
    static_force, stiffness,
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
    /// Force and rates of the law as the body sees them.
    fn of_law(&self, here: Evaluation<N>) -> Evaluation<MAX_STATES> {
        Evaluation {
            F_R: here.F_R * self.lever.radius,
            F_R_y: here.F_R_y,
            sticking: here.sticking,
            rate: padded(here.rate, 0.0),
        }
    }

    /// Force that errors are measured by, N: F_s, or F_N where the law has no bound.
    fn error_force(&self, normal_force: f64) -> f64 {
        let force = static_force(&self.law, normal_force);
        self.lever.radius
            * if force.is_finite() {
                force
            } else {
                normal_force
            }
    }

    /// Contact as the law sees it.
    #[inline]
    fn for_law(&self, contact: Contact) -> Contact {
        Contact {
            v: contact.v * self.lever.radius,
            F_t: contact.F_t * self.lever.inverse,
            ..contact
        }
    }
}

impl<L: Law<N>, const N: usize> BodyContact for Element<L, N> {
    fn start(&self) -> ContactStart {
        const { assert!(N <= MAX_STATES, "a law has at most MAX_STATES states") };
        let (values, [_, normal_rates @ ..]) = (&self.now.values, self.normal_force());
        ContactStart {
            contact: Contact {
                v: values[&V],
                v_y: if L::METADATA.planar {
                    values[&V_Y]
                } else {
                    0.0
                },
                ..self.contact()
            },
            acceleration: self.options.has_acceleration.then(|| {
                [
                    values[&A],
                    if L::METADATA.planar {
                        values[&A_Y]
                    } else {
                        0.0
                    },
                ]
            }),
            normal_rates: (normal_rates != [0.0; 3]).then_some(normal_rates),
            force: [
                values[&F_R] - self.lever.offset,
                if L::METADATA.planar {
                    values[&F_R_Y]
                } else {
                    0.0
                },
            ],
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
        let Numerics {
            scale,
            velocity_scale,
            limits,
            ..
        } = law.numerics(contact, &x, duration);
        let deflection = scale.first().copied().unwrap_or(f64::INFINITY);
        ContactScales {
            v: velocity_scale.min(deflection / duration) * self.lever.inverse,
            x: padded(scale, f64::MAX),
            force: self.error_force(contact.F_N),
            limits: StepLimits {
                max_dv: limits.max_dv * self.lever.inverse,
                ..limits
            },
        }
    }

    fn force_and_rates(
        &self,
        contact: Contact,
        x: &LawState,
        modes: &LawModes,
        tolerance: f64,
    ) -> Evaluation<MAX_STATES> {
        let (contact, x, modes) = (self.for_law(contact), own(x), discrete::<L, N>(modes));
        let coupled = self.law.coupled(tolerance);
        self.of_law(
            coupled
                .as_ref()
                .unwrap_or(&self.law)
                .evaluate(contact, &x, &modes),
        )
    }

    fn linearise(
        &self,
        contact: Contact,
        x: &LawState,
        modes: &LawModes,
        tolerance: f64,
        by: &mut Jacobian<MAX_STATES>,
    ) -> Evaluation<MAX_STATES> {
        let (contact, x, modes) = (self.for_law(contact), own(x), discrete::<L, N>(modes));
        let coupled = self.law.coupled(tolerance);
        let (here, of_law) = linearised(coupled.as_ref().unwrap_or(&self.law), contact, &x, &modes);
        // A contact in the plane has no lever, and the radius 1.
        let radius = self.lever.radius;
        for axis in 0..2 {
            by.rate_v[axis][..N].copy_from_slice(&of_law.rate_v[axis].map(|rate| rate * radius));
            by.force_x[axis][..N]
                .copy_from_slice(&of_law.force_x[axis].map(|force| force * radius));
            by.force_v[axis] = of_law.force_v[axis].map(|force| force * radius * radius);
        }
        by.rate_x
            .iter_mut()
            .zip(&of_law.rate_x)
            .for_each(|(row, of_law)| row[..N].copy_from_slice(of_law));
        self.of_law(here)
    }

    fn passes_over(&self, contacts: &[Contact; 4], x: &[LawState; 4], tolerance: f64) -> bool {
        let contacts = contacts.map(|contact| self.for_law(contact));
        let x = x.each_ref().map(own);
        self.law.passes_over(&contacts, &x, tolerance)
    }

    fn branch(&self, contact: Contact, x: &LawState) -> u16 {
        self.law.branch(self.for_law(contact), &own(x))
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

    fn is_balanced(&self, contact: Contact, modes: &LawModes) -> bool {
        let modes = discrete::<L, N>(modes);
        let balances = || {
            let at_rest = Contact::new(NOMINAL_FORCE, 0.0);
            self.law.evaluate(at_rest, &[0.0; N], &modes).sticking
        };
        N == 0
            && self.has_applied_force()
            && self.for_law(contact).v.abs() <= 2.0 * REST
            && balances()
    }

    fn first_event(
        &self,
        path: &Path<MAX_STATES>,
        modes: &LawModes,
        from: f64,
        h: f64,
        least_force: f64,
    ) -> Option<f64> {
        let path = Path {
            F_N: path.F_N,
            v: path.v * self.lever.radius,
            a: path.a,
            F_t: path.F_t * self.lever.inverse,
            x: core::array::from_fn(|i| path.x[i]),
        };
        let contact = |part: f64, _| Contact {
            F_t: path.F_t.at(part),
            ..Contact::new(path.F_N.at(part).max(least_force), path.v.at(part))
        };
        let coupled = self.law.coupled(self.now.tolerance);
        let law = coupled.as_ref().unwrap_or(&self.law);
        let part = first_event(law, &discrete::<L, N>(modes), &path, from, h, contact)?;
        Some(landing(from, h, part).part)
    }

    fn handle_events(&self, contact: Contact, x: &mut LawState, modes: &mut LawModes) -> bool {
        let (before, mut states) = (discrete::<L, N>(modes), own(x));
        let mut after = before;
        let coupled = self.law.coupled(self.now.tolerance);
        let law = coupled.as_ref().unwrap_or(&self.law);
        if !event_iteration(law, self.for_law(contact), &mut states, &mut after) {
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
        let (trajectory, mut solver) = (
            InputTrajectory::held(self.for_law(contact)),
            Memory::default(),
        );
        let tolerance = self.now.tolerance;
        self.law.advance(
            &trajectory,
            &mut states,
            &mut discrete,
            duration,
            tolerance,
            &mut solver,
        )?;
        (*x, *modes) = (padded(states, 0.0), modes_of::<L, N>(discrete));
        Ok(())
    }

    fn normal_force(&self) -> Input {
        let of_order = |order: Contact| order.F_N;
        let [first, second, third] = self
            .now
            .derivatives
            .map_or([0.0; 3], |orders| orders.map(of_order));
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
        let Lever {
            radius, inverse, ..
        } = self.lever;
        let block = block.scaled(radius, inverse);
        let (mut of_law, mut states, mut discrete) =
            (motion.scaled(radius), own(x), discrete::<L, N>(modes));
        let done = self.law.advance_on_block(
            &block,
            &mut of_law,
            &mut states,
            &mut discrete,
            tolerance,
            memory,
        )?;
        (*motion, *x) = (of_law.scaled(inverse), padded(states, 0.0));
        *modes = modes_of::<L, N>(discrete);
        Ok(BlockResult {
            travel: done.travel * inverse,
            acceleration: done.acceleration * inverse,
            ..done
        })
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
        let trajectory = Some((
            self.for_law(step.start),
            [Contact::ZERO; MAX_INPUT_DERIVATIVE_ORDER],
        ));
        let (states, modes) = (step.start_x, step.start_modes);
        self.now.last_step = LastStep {
            duration: step.duration,
            trajectory,
            states,
            modes,
        };
        self.skip(step.duration);
        Ok(())
    }

    fn skip(&mut self, duration: f64) {
        self.now.advance_time(duration);
        self.now.derivatives = None;
    }
}
