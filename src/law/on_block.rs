//! A law and the block that its contact slides on, along a line, as one system of `ode`: the block
//! is the first axis, each state of the law another.
//!
//! While F_R balances the applied force, the block moves with the counterface: x and the force that
//! this takes are polynomials of time, and nothing is integrated.

use super::block::{BlockMotion, BlockResult, BlockStep, Spring, rests};
use super::events::{Landing, first_event, has_modes, landing};
use super::{
    Contact, Evaluation, Jacobian, Law, Numerics, Path, Polynomial, REST, StepLimits, along,
    event_iteration, linearised, longest_at,
};
use crate::domain::{LIGHT_FORCE, OPEN_FORCE};
use crate::integrate::SolverError;
use crate::integrate::memory::Memory;
use crate::integrate::polynomial::{over, taylor};
use crate::integrate::step_limit::UNKNOWN;
use crate::ode::{
    self, Collocation, Integrands, Limits, Linearised, State, System, TotalScales, Totals,
};
use crate::scalar::Dual;
use core::array;

/// Tolerance of the integration over that of the step for laws without states and modes: F_R
/// follows v at once, and errors of v of several inner steps add up. With 1 F_R is off by up to 2.3
/// tolerances in one of a thousand random steps of `cards::block_steps`.
const AT_ONCE: f64 = 0.3;

/// Inputs at one instant.
#[derive(Clone, Copy)]
struct Inputs {
    /// Normal force, N.
    normal: f64,
    /// Push on the block at x = v = 0, N.
    push: f64,
    /// Velocity of the counterface, m/s.
    surface: f64,
    /// Acceleration of the counterface, m/s².
    surface_rate: f64,
}

/// Motion of the block, and the state of the law.
pub struct Now<L: Law<N>, const N: usize> {
    /// Motion of the block.
    pub motion: BlockMotion,
    /// States of the law.
    pub x: [f64; N],
    /// Discrete states of the law.
    pub discrete: L::DiscreteState,
}

/// Part of a communication step in which the contact is open, or closed, throughout.
struct Part<'a, L> {
    law: &'a L,
    block: &'a BlockStep,
    is_open: bool,
    /// Force that errors are measured by, N: F_s under the largest normal force; that itself where
    /// the law has no bound.
    static_force: f64,
    /// F_s under the smaller normal force of start and end, N, likewise: an error of v may count at
    /// the end.
    least_force: f64,
    tolerance: f64,
}

impl<L> Part<'_, L> {
    /// Inputs after a time (s) of the part.
    #[inline(always)]
    fn inputs(&self, t: f64) -> Inputs {
        let BlockStep {
            normal_force,
            v_surface,
            ..
        } = self.block;
        let [_, first, second, third] = *v_surface;
        // Next to an opening rounding may take F_N to 0, and beyond a closing part the law is open.
        let normal = if self.is_open {
            0.0
        } else {
            taylor(normal_force, t).max(OPEN_FORCE.next_up())
        };
        Inputs {
            normal,
            push: self.block.push_at_rest(t),
            surface: taylor(v_surface, t),
            surface_rate: taylor(&[first, second, third], t),
        }
    }

    /// Force on the block but F_R, N.
    #[inline(always)]
    fn push(&self, inputs: &Inputs, motion: BlockMotion) -> f64 {
        let Spring { stiffness, damping } = self.block.spring;
        inputs.push - stiffness * motion.x - damping * motion.v
    }

    /// Contact of the law, with the force that moves the block on with the counterface as the
    /// applied one.
    #[inline(always)]
    fn contact(&self, inputs: &Inputs, motion: BlockMotion) -> Contact {
        let balanced = self.push(inputs, motion) - self.block.mass * inputs.surface_rate;
        Contact {
            F_t: balanced,
            ..Contact::new(inputs.normal, motion.v - inputs.surface)
        }
    }

    /// Contact over `h` (s) from a time (s) of the part as polynomials, for x and v over that time.
    fn path<const N: usize>(&self, t: f64, h: f64, x: Polynomial, v: Polynomial) -> Path<N> {
        let BlockStep {
            mass,
            spring: Spring { stiffness, damping },
            ..
        } = *self.block;
        let BlockStep {
            normal_force,
            force,
            x_base,
            v_base,
            v_surface,
            ..
        } = self.block.part(t, t + h);
        let surface = over(&v_surface, h);
        let [_, first, second, third] = v_surface;
        let inertia = over(&[first, second, third], h) * mass;
        let applied =
            over(&force, h) + (over(&x_base, h) - x) * stiffness + (over(&v_base, h) - v) * damping
                - inertia;
        Path {
            F_N: over(&normal_force, h),
            v: v - surface,
            a: Polynomial::default(),
            F_t: applied,
            x: [Polynomial::default(); N],
        }
    }

    /// Place in `h` (s) from a time (s) of the part at which the mode ends.
    fn event<const N: usize>(
        &self,
        discrete: &L::DiscreteState,
        t: f64,
        h: f64,
        path: &Path<N>,
    ) -> Option<Landing>
    where
        L: Law<N>,
    {
        if self.is_open || !has_modes::<L, N>() {
            return None;
        }
        let contact = |part: f64, reached: f64| Contact {
            F_t: path.F_t.at(part),
            ..Contact::new(self.inputs(reached).normal, path.v.at(part))
        };
        first_event(self.law, discrete, path, t, h, contact).map(|part| landing(t, h, part))
    }
}

/// A law in one of its modes, and its block.
struct OnBlock<'a, L: Law<N>, const N: usize> {
    part: &'a Part<'a, L>,
    discrete: &'a L::DiscreteState,
    /// Time of the part at which the integration begins, s.
    from: f64,
    is_held: bool,
    is_curved: bool,
    start: Inputs,
    /// Scales of the states of the law: the smaller ones of those under the normal force at the
    /// start and at the end.
    scale: [f64; N],
    /// Totals that errors are measured by: work (J), and travel (m·s) in place of the impulse.
    scales_of_totals: TotalScales,
}

/// Motion of the block.
#[inline(always)]
fn of_block<const D: usize>(x: &State<D>) -> BlockMotion {
    BlockMotion {
        x: x.z[0],
        v: x.u[0],
    }
}

/// States of the law.
#[inline(always)]
fn of_law<const N: usize, const D: usize>(x: &State<D>) -> [f64; N] {
    array::from_fn(|i| x.u[i + 1])
}

impl<L: Law<N>, const N: usize> OnBlock<'_, L, N> {
    #[inline(always)]
    fn evaluate<const D: usize>(&self, inputs: &Inputs, x: &State<D>) -> Evaluation<N> {
        self.part.law.evaluate(
            self.part.contact(inputs, of_block(x)),
            &of_law(x),
            self.discrete,
        )
    }

    /// Rates of the block and of the states of the law.
    #[inline(always)]
    fn rates<const D: usize>(
        &self,
        inputs: &Inputs,
        x: &State<D>,
        law: &Evaluation<N>,
    ) -> [f64; D] {
        let push = self.part.push(inputs, of_block(x));
        let of_block = (push - law.F_R) / self.part.block.mass;
        array::from_fn(|i| if i == 0 { of_block } else { law.rate[i - 1] })
    }
}

impl<L: Law<N>, const N: usize, const D: usize> System<D> for OnBlock<'_, L, N> {
    const SECOND_ORDER: bool = true;
    const FORCE_IS_LINEAR: bool = false;
    const IS_HYBRID: bool = has_modes::<L, N>();

    type At = Inputs;

    #[inline(always)]
    fn at(&self, t: f64) -> Inputs {
        if self.is_held {
            self.start
        } else {
            self.part.inputs(self.from + t)
        }
    }

    fn rate(&self, inputs: &Inputs, x: &State<D>) -> [f64; D] {
        self.rates(inputs, x, &self.evaluate(inputs, x))
    }

    fn linearised(&self, inputs: &Inputs, x: &State<D>) -> Linearised<D> {
        let contact = self.part.contact(inputs, of_block(x));
        let (law, by) = linearised(self.part.law, contact, &of_law(x), self.discrete);
        let Jacobian {
            rate_x,
            rate_v: [rate_v, _],
            force_x: [force_x, _],
            force_v: [[force_v, _], _],
            F_R_F_t,
        } = by;
        let BlockStep {
            mass,
            spring: Spring { stiffness, damping },
            ..
        } = *self.part.block;
        let mut f = Linearised {
            rate: self.rates(inputs, x, &law),
            by_z: [[0.0; D]; D],
            by_u: [[0.0; D]; D],
        };
        // The applied force falls with x and v as well.
        f.by_z[0][0] = -stiffness * (1.0 - F_R_F_t) / mass;
        f.by_u[0][0] = -(damping * (1.0 - F_R_F_t) + force_v) / mass;
        for i in 0..N {
            f.by_u[0][i + 1] = -force_x[i] / mass;
            f.by_u[i + 1][0] = rate_v[i];
            f.by_u[i + 1][1..=N].copy_from_slice(&rate_x[i]);
        }
        f
    }

    fn judges_kinks(&self) -> bool {
        self.part.tolerance <= BlockStep::LARGEST_TOLERANCE
    }

    fn decay_rate(&self, _: &Inputs) -> f64 {
        0.0
    }

    fn scale(&self, inputs: &Inputs, x: &State<D>, f: &Linearised<D>) -> State<D> {
        let (
            motion,
            Part {
                law,
                block,
                static_force,
                least_force,
                ..
            },
        ) = (of_block(x), self.part);
        let contact = self.part.contact(inputs, motion);
        let closed = Contact {
            F_N: contact.F_N.max(LIGHT_FORCE),
            ..contact
        };
        let Numerics { velocity_scale, .. } = law.numerics(closed, &of_law(x), 0.0);
        let by_force = velocity_scale.min(least_force / (block.mass * f.by_u[0][0].abs()));
        let scale = block.scales(*static_force, by_force, 0.0, motion, inputs.surface);
        let [mut z, mut u] = [[f64::INFINITY; D]; 2];
        (z[0], u[0]) = (scale.x, scale.v);
        u[1..=N].copy_from_slice(&self.scale);
        State { z, u }
    }

    /// Where F_R falls with the slip, errors of v grow, and a longer step of an implicit method
    /// would damp the motion.
    fn limits(&self, _: f64, inputs: &Inputs, x: &State<D>, f: &Linearised<D>) -> Limits {
        let contact = self.part.contact(inputs, of_block(x));
        let StepLimits {
            longest,
            growth_rate,
            ..
        } = self.part.law.numerics(contact, &of_law(x), 0.0).limits;
        let growth_rate = growth_rate.max(f.by_u[0][0]);
        Limits {
            longest: longest.min(longest_at(growth_rate)),
            growth_rate,
        }
    }

    fn branch(&self, inputs: &Inputs, x: &State<D>) -> u16 {
        let contact = self.part.contact(inputs, of_block(x));
        self.part.law.branch(contact, &of_law(x))
    }

    fn passes_over(
        &self,
        start: &Inputs,
        from: &State<D>,
        [.., end]: &[Inputs; 3],
        [.., to]: &[State<D>; 3],
    ) -> bool {
        let contact = self.part.contact(start, of_block(from));
        let change = self.part.contact(end, of_block(to)).v - contact.v;
        let Numerics { limits, .. } = self.part.law.numerics(contact, &of_law(from), 0.0);
        change.abs() > 2.0 * limits.max_dv
    }

    fn event(&self, step: &Collocation<D>) -> Option<f64> {
        let from = self.from + step.t;
        let of = |[a, b, c, d]: [f64; 4]| Polynomial([a, b, c, d, 0.0, 0.0]);
        let v = of(step.u[0]);
        let x = Polynomial::constant(step.z[0]) + v.integral() * step.h;
        let mut path = self.part.path(from, step.h, x, v);
        path.x = array::from_fn(|i| of(step.u[i + 1]));
        self.part
            .event(self.discrete, from, step.h, &path)
            .map(|end| end.part)
    }

    /// The power, and as an impulse the position, whose mean the base sees.
    fn force(&self, inputs: &Inputs, x: &State<D>, _: &[f64; D]) -> Integrands<D> {
        Integrands {
            power: self.evaluate(inputs, x).F_R * (x.u[0] - inputs.surface),
            force: array::from_fn(|i| if i == 0 { x.z[0] } else { 0.0 }),
        }
    }

    fn inputs_are_curved(&self) -> bool {
        self.is_curved
    }

    fn scales_of_totals(&self) -> TotalScales {
        self.scales_of_totals
    }

    fn closed_form(&self, x: &mut State<D>, rest: f64, is_start: bool) -> Option<Totals<D>> {
        if !is_start || !self.is_held {
            return None;
        }
        let f = self.linearised(&self.start, x);
        let scale = self.scale(&self.start, x, &f);
        if !rests(&f, x, &scale, rest, self.part.tolerance) {
            return None;
        }
        let Integrands { power, force } = self.force(&self.start, x, &x.u);
        Some(Totals {
            work: power * rest,
            impulse: force.map(|force| force * rest),
        })
    }
}

impl<L: Law<N>, const N: usize> Now<L, N> {
    /// Advances law and block over a communication step; D is at least N + 1. After an error the
    /// state has no meaning.
    pub fn advance<const D: usize>(
        &mut self,
        law: &L,
        block: &BlockStep,
        tolerance: f64,
        memory: &mut Memory,
    ) -> Result<BlockResult, SolverError> {
        if const { !L::METADATA.allows_block() } {
            // No card has such a block, and no library code for it.
            return Err(SolverError::NotFinite);
        }
        let mut result = BlockResult::default();
        block.for_each_part(|block, is_open| {
            let [least_force, static_force] = block.normal_forces().map(|normal| {
                let normal = normal.max(LIGHT_FORCE);
                law.numerics(Contact::new(normal, 0.0), &self.x, 0.0)
                    .static_force
                    .min(normal)
            });
            let part = Part {
                law,
                block,
                is_open,
                static_force,
                least_force,
                tolerance,
            };
            self.advance_part::<D>(&part, memory, &mut result)
        })?;
        Ok(result)
    }

    /// Advances from event to event to the end of a part.
    fn advance_part<const D: usize>(
        &mut self,
        part: &Part<L>,
        memory: &mut Memory,
        result: &mut BlockResult,
    ) -> Result<(), SolverError> {
        let mut t = 0.0;
        while t < part.block.duration {
            self.handle_events(part, t);
            t = if self.is_balanced(part, t) {
                self.hold(part, t, memory, result)
            } else {
                self.integrate::<D>(part, t, memory, result)?
            };
            if ![self.motion.x, self.motion.v]
                .iter()
                .chain(&self.x)
                .all(|number| number.is_finite())
            {
                return Err(SolverError::NotFinite);
            }
        }
        self.handle_events(part, t);
        let inputs = part.inputs(t);
        let Evaluation { F_R, .. } =
            part.law
                .evaluate(part.contact(&inputs, self.motion), &self.x, &self.discrete);
        result.acceleration = (part.push(&inputs, self.motion) - F_R) / part.block.mass;
        Ok(())
    }

    fn handle_events(&mut self, part: &Part<L>, t: f64) {
        let contact = part.contact(&part.inputs(t), self.motion);
        event_iteration(part.law, contact, &mut self.x, &mut self.discrete);
    }

    /// Whether F_R is the applied force, so that the slip stays as it is.
    fn is_balanced(&self, part: &Part<L>, t: f64) -> bool {
        let (contact, applied) = (
            part.contact(&part.inputs(t), self.motion),
            Contact {
                F_t: 1.0,
                ..Contact::ZERO
            },
        );
        let force = || {
            along(
                part.law,
                [contact, applied],
                [&self.x, &[0.0; N]],
                &self.discrete,
            )
            .F_R
        };
        N == 0
            && has_modes::<L, N>()
            && force()
                == Dual {
                    value: contact.F_t,
                    derivatives: [1.0],
                }
    }

    /// Moves the block with the counterface to the end of the part, or of the mode; returns the
    /// time reached, s.
    fn hold(
        &mut self,
        part: &Part<L>,
        t: f64,
        memory: &mut Memory,
        result: &mut BlockResult,
    ) -> f64 {
        result.inner_steps += 1;
        memory.limit.count();
        let BlockStep {
            duration,
            v_surface,
            ..
        } = part.block;
        let (h, slip) = (duration - t, self.motion.v - taylor(v_surface, t));
        // Sliding ends a little before or behind its end.
        let slip = if slip.abs() <= 2.0 * REST { 0.0 } else { slip };
        let v = over(&part.block.part(t, *duration).v_surface, h) + Polynomial::constant(slip);
        let x = Polynomial::constant(self.motion.x) + v.integral() * h;
        let event = part.event::<N>(&self.discrete, t, h, &part.path(t, h, x, v));
        let event = event.filter(|_| !memory.limit.is_exceeded());
        if memory.limit.is_exceeded() {
            memory.limit.accept(UNKNOWN);
        }
        let Landing {
            part: share,
            reached,
        } = event.unwrap_or(Landing {
            part: 1.0,
            reached: *duration,
        });
        result.travel += x.integral().at(share) * h;
        result.loss += part.path::<N>(t, h, x, v).F_t.integral().at(share) * slip * h;
        self.motion = BlockMotion {
            x: x.at(share),
            v: taylor(v_surface, reached) + slip,
        };
        reached
    }

    /// Integrates to the end of the part, or of the mode; returns the time reached, s.
    fn integrate<const D: usize>(
        &mut self,
        part: &Part<L>,
        t: f64,
        memory: &mut Memory,
        result: &mut BlockResult,
    ) -> Result<f64, SolverError> {
        let (block, BlockMotion { x, v }) = (part.block, self.motion);
        let rest = block.duration - t;
        let ends = [t, block.duration].map(|t| part.inputs(t));
        let scales = ends.map(|inputs| {
            let contact = Contact {
                F_N: inputs.normal.max(LIGHT_FORCE),
                ..part.contact(&inputs, self.motion)
            };
            part.law.numerics(contact, &self.x, 0.0).scale
        });
        let slip = ends.map(|inputs| (v - inputs.surface).abs());
        let impulse = part.static_force * rest;
        let scale = block.scales(
            part.static_force,
            f64::INFINITY,
            0.0,
            self.motion,
            ends[0].surface,
        );
        let system = OnBlock {
            part,
            discrete: &self.discrete,
            from: t,
            is_held: block.is_held(),
            is_curved: block.is_curved(),
            start: ends[0],
            scale: array::from_fn(|i| scales[0][i].min(scales[1][i])),
            scales_of_totals: TotalScales {
                work: impulse * (slip[0].max(slip[1]) + impulse / block.mass),
                impulse: scale.x * rest,
            },
        };
        let mut state = State::<D> {
            z: [0.0; D],
            u: [0.0; D],
        };
        (state.z[0], state.u[0]) = (x, v);
        state.u[1..=N].copy_from_slice(&self.x);
        let follows = N == 0 && !has_modes::<L, N>();
        let share = if follows { AT_ONCE } else { 1.0 };
        let tolerance = share * part.tolerance;
        let done = ode::advance_growing(&system, &mut state, rest, tolerance, memory)?;
        (self.motion, self.x) = (of_block(&state), of_law(&state));
        result.loss += done.totals.work;
        result.travel += done.totals.impulse[0];
        result.inner_steps += done.inner_steps;
        Ok(if done.duration < rest {
            (t + done.duration).max(t.next_up())
        } else {
            block.duration
        })
    }
}
