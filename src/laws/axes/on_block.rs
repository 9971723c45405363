//! A bristle and the block that its contact slides on, along a line, as one system of `ode` with
//! two axes: the block (x, v), and the bristle.
//!
//! A bristle of first order has its deflection in the place of u, and its integral, on which
//! nothing depends, in the place of z: Newton's matrix is right without an order of each axis.

use super::segment::{closed, rounding_over};
use super::swings::{LIGHT_END, Places, passes_over};
use super::{Bristle, ForceAndRate};
use crate::domain::OPEN_FORCE;
use crate::integrate::SolverError;
use crate::integrate::extrema::larger;
use crate::integrate::memory::Memory;
use crate::integrate::polynomial::taylor;
use crate::law::{BlockMotion, BlockResult, BlockStep, Spring, StepLimits, longest_at, rests};
use crate::ode::{self, Integrands, Limits, Linearised, State, System, TotalScales, Totals};
use crate::scalar::{Dual, Scalar};
use core::array;

/// Inputs at one instant.
#[derive(Clone, Copy, Default)]
struct Inputs {
    /// Normal force, N.
    normal: f64,
    /// Push on the block at x = v = 0, N.
    push: f64,
    /// Velocity of the counterface, m/s.
    surface: f64,
}

/// Smooth part of a communication step: the contact is open, or closed, throughout.
struct OnBlock<'a, B, const D: usize> {
    law: &'a B,
    block: BlockStep,
    is_open: bool,
    is_held: bool,
    is_curved: bool,
    /// Whether a step may pass a border of branches without a sign of it.
    may_pass_unseen: bool,
    /// Inputs at the start.
    start: Inputs,
    /// Smaller normal force of start and end, that of the end, and the largest one, N.
    least_force: f64,
    end_force: f64,
    largest_force: f64,
    /// Static friction force under the largest normal force, N.
    static_force: f64,
    /// Totals that errors are measured by.
    scales_of_totals: TotalScales,
    /// Tolerance of F_R over F_s.
    tolerance: f64,
    /// Whether the error of F_R is held to it.
    is_exact: bool,
    /// Relative rounding of the states that the error allowed includes.
    rounding: f64,
}

impl<'a, B: Bristle<D>, const D: usize> OnBlock<'a, B, D> {
    fn new(law: &'a B, block: BlockStep, is_open: bool, v: f64, tolerance: f64) -> Self {
        let duration = block.duration;
        let [least_force, largest_force] = block.normal_forces();
        let static_force = law.static_force(largest_force.max(law.light_force()));
        let slip = [0.0, duration].map(|t| (v - taylor(&block.v_surface, t)).abs());
        let impulse = static_force * duration;
        let (mass, Spring { stiffness, damping }) = (block.mass, block.spring);
        let fastest_rate = law.fastest_rate(largest_force.max(law.light_force()), mass)
            + damping / mass
            + (stiffness / mass).sqrt();
        let mut segment = OnBlock {
            law,
            is_open,
            is_held: block.is_held(),
            is_curved: block.is_curved(),
            may_pass_unseen: block.is_curved() || least_force < LIGHT_END * largest_force,
            start: Inputs::default(),
            least_force,
            end_force: taylor(&block.normal_force, duration),
            largest_force,
            static_force,
            scales_of_totals: TotalScales {
                work: impulse * (slip[0].max(slip[1]) + impulse / block.mass),
                impulse,
            },
            tolerance,
            is_exact: tolerance <= BlockStep::LARGEST_TOLERANCE,
            rounding: rounding_over(fastest_rate, duration),
            block,
        };
        segment.start = segment.inputs(0.0);
        segment
    }

    #[inline(always)]
    fn inputs(&self, t: f64) -> Inputs {
        let BlockStep {
            normal_force,
            v_surface,
            ..
        } = &self.block;
        Inputs {
            normal: closed(taylor(normal_force, t)),
            push: self.block.push_at_rest(t),
            surface: taylor(v_surface, t),
        }
    }

    /// Contact of the law at a velocity of the block, m/s.
    #[inline(always)]
    fn contact<S: Scalar>(&self, at: &Inputs, v: S) -> B::At<S> {
        self.contact_under(at.normal, at.surface, v)
    }

    /// Contact of the law under a normal force (N), on a counterface of this velocity (m/s).
    #[inline(always)]
    fn contact_under<S: Scalar>(&self, normal: f64, surface: f64, v: S) -> B::At<S> {
        self.law.at(S::constant(normal), &[v + -surface; D])
    }

    /// F_R (N) and the rate of the bristle.
    #[inline(always)]
    fn force_and_rate<S: Scalar>(&self, at: &Inputs, v: S, z: S, u: S) -> ForceAndRate<S> {
        let (z, u) = ([z; D], [u; D]);
        if self.is_open {
            return ForceAndRate {
                force: S::constant(0.0),
                rate: self.law.open_rate(&z, &u)[0],
            };
        }
        let both = self.law.force_and_rate(&self.contact(at, v), &z, &u);
        ForceAndRate {
            force: both.force[0],
            rate: both.rate[0],
        }
    }

    #[inline(always)]
    fn acceleration(&self, at: &Inputs, x: &State<2>, friction: f64) -> f64 {
        let Spring { stiffness, damping } = self.block.spring;
        (at.push - stiffness * x.z[0] - damping * x.u[0] - friction) / self.block.mass
    }
}

/// State of the bristle.
#[inline(always)]
fn of_bristle<const D: usize>(x: &State<2>) -> State<D> {
    State {
        z: [x.z[1]; D],
        u: [x.u[1]; D],
    }
}

impl<B: Bristle<D>, const D: usize> System<2> for OnBlock<'_, B, D> {
    const SECOND_ORDER: bool = true;
    const FORCE_IS_LINEAR: bool = B::SECOND_ORDER;

    type At = Inputs;

    #[inline(always)]
    fn at(&self, t: f64) -> Inputs {
        if self.is_held {
            self.start
        } else {
            self.inputs(t)
        }
    }

    #[inline(always)]
    fn rate(&self, at: &Inputs, x: &State<2>) -> [f64; 2] {
        let ForceAndRate { force, rate } = self.force_and_rate(at, x.u[0], x.z[1], x.u[1]);
        [self.acceleration(at, x, force), rate]
    }

    #[inline(always)]
    fn linearised(&self, at: &Inputs, x: &State<2>) -> Linearised<2> {
        let z = if B::SECOND_ORDER {
            Dual::<3>::variable(x.z[1], 1)
        } else {
            Dual::constant(0.0)
        };
        let ForceAndRate { force, rate } =
            self.force_and_rate(at, Dual::variable(x.u[0], 0), z, Dual::variable(x.u[1], 2));
        let ([f_v, f_z, f_u], [r_v, r_z, r_u]) = (force.derivatives, rate.derivatives);
        let Spring { stiffness, damping } = self.block.spring;
        let per_mass = 1.0 / self.block.mass;
        Linearised {
            rate: [self.acceleration(at, x, force.value), rate.value],
            by_z: [[-stiffness * per_mass, -f_z * per_mass], [0.0, r_z]],
            by_u: [[-(damping + f_v) * per_mass, -f_u * per_mass], [r_v, r_u]],
        }
    }

    #[inline(always)]
    fn judges_kinks(&self) -> bool {
        B::SECOND_ORDER || self.is_exact
    }

    fn decay_rate(&self, _: &Inputs) -> f64 {
        0.0
    }

    /// The bristle counts as in a prescribed motion, and the block as [`BlockStep::scales`] says.
    #[inline(always)]
    fn scale(&self, at: &Inputs, x: &State<2>, f: &Linearised<2>) -> State<2> {
        let Inputs {
            normal, surface, ..
        } = *at;
        let light_force = self.law.light_force();
        let opens = self.end_force <= 2.0 * OPEN_FORCE;
        let normal = match (B::SECOND_ORDER, opens) {
            // An error may change F_R more at the end, by the smaller F_s of both.
            (true, _) => normal.min(self.least_force),
            // An error of a deflection that the opening forgets counts by its impulse alone.
            (false, true) => self.largest_force,
            (false, false) => normal,
        };
        let normal = normal.max(light_force);
        let of_bristle_alone = Linearised {
            rate: [f.rate[1]; D],
            by_z: [[f.by_z[1][1]; D]; D],
            by_u: [[f.by_u[1][1]; D]; D],
        };
        // F_R of a bristle of first order is seen at the end, where v is not known: that of now.
        // Where the contact opens it is 0 there.
        let end = (!B::SECOND_ORDER && self.end_force > light_force)
            .then(|| self.contact_under(self.end_force, surface, x.u[0]));
        let own = self.law.scale(
            end.as_ref(),
            self.block.duration,
            normal,
            &of_bristle::<D>(x),
            &of_bristle_alone,
        );
        let by_force = match (self.is_open, B::SECOND_ORDER) {
            (true, _) => f64::INFINITY,
            (false, true) if self.is_exact => own
                .u
                .min(self.law.static_force(normal) / self.law.damping()),
            (false, true) => own.u,
            (false, false) => self.law.velocity_error_scale(normal),
        };
        let deflection = self.static_force / self.law.stiffness();
        let of_block = self.block.scales(
            self.static_force,
            by_force,
            deflection,
            BlockMotion {
                x: x.z[0],
                v: x.u[0],
            },
            surface,
        );
        State {
            z: [
                of_block.x,
                if B::SECOND_ORDER {
                    own.z
                } else {
                    f64::INFINITY
                },
            ],
            u: [of_block.v, own.u],
        }
    }

    #[inline(always)]
    fn rounding(&self, _: &Inputs) -> f64 {
        self.rounding
    }

    #[inline(always)]
    fn limits(&self, _: f64, at: &Inputs, x: &State<2>, f: &Linearised<2>) -> Limits {
        // Where F_R falls with the slip, errors of v grow with the larger eigenvalue of both rates.
        let [[a, b], [c, d]] = f.by_u;
        let grows = !self.is_open && (a + d > 0.0 || a * d < b * c);
        let (mean, half) = (0.5 * (a + d), 0.5 * (a - d));
        let growth_rate = if grows {
            mean + larger(half * half + b * c, 0.0).sqrt()
        } else {
            0.0
        };
        if self.is_open || at.normal <= self.law.max_stable_force() {
            return Limits {
                longest: f64::INFINITY,
                growth_rate,
            };
        }
        let alone = self.law.limits(&self.contact(at, x.u[0]), &of_bristle(x));
        // A longer step of an implicit method would damp an unstable motion.
        Limits {
            longest: longest_at(alone.growth_rate),
            growth_rate: larger(growth_rate, alone.growth_rate),
        }
    }

    #[inline(always)]
    fn branch(&self, at: &Inputs, x: &State<2>) -> u16 {
        if self.is_open {
            return 0;
        }
        // The rate of a bristle of first order has a kink where the slip reverses.
        let side = u16::from(!B::SECOND_ORDER && x.u[0] < at.surface);
        2 * self.law.branch(&self.contact(at, x.u[0]), &of_bristle(x)) + side
    }

    #[inline(always)]
    fn passes_over(
        &self,
        start: &Inputs,
        from: &State<2>,
        stages: &[Inputs; 3],
        states: &[State<2>; 3],
    ) -> bool {
        if self.is_open {
            return false;
        }
        let (before, bristle) = (self.contact(start, from.u[0]), of_bristle::<D>(from));
        let StepLimits { max_dv, .. } = self.law.limits(&before, &bristle);
        let ([.., end], [.., to]) = (stages, states);
        let change_of_slip = (to.u[0] - end.surface) - (from.u[0] - start.surface);
        if change_of_slip.abs() > 2.0 * max_dv {
            return true;
        }
        let [first, second, end] = array::from_fn(|s| self.contact(&stages[s], states[s].u[0]));
        let bristles = states.each_ref().map(of_bristle);
        let places = Places {
            at: [&before, &first, &second, &end],
            normal: [start, &stages[0], &stages[1], &stages[2]].map(|at| at.normal),
            x: [&bristle, &bristles[0], &bristles[1], &bristles[2]],
        };
        passes_over(self.law, &places, self.may_pass_unseen, self.tolerance)
    }

    /// The power, and as an impulse the position, whose mean the base sees.
    #[inline(always)]
    fn force(&self, at: &Inputs, x: &State<2>, rate: &[f64; 2]) -> Integrands<2> {
        if self.is_open {
            return Integrands {
                power: 0.0,
                force: [0.0, x.z[0]],
            };
        }
        let contact = self.contact(at, x.u[0]);
        let force = self
            .law
            .force_at_rate(&contact, &of_bristle(x), &[rate[1]; D])[0];
        Integrands {
            power: force * (x.u[0] - at.surface),
            force: [force, x.z[0]],
        }
    }

    fn inputs_are_curved(&self) -> bool {
        self.is_curved
    }

    fn scales_of_totals(&self) -> TotalScales {
        self.scales_of_totals
    }

    /// Rest under constant inputs: where one linear implicit step over all of the rest changes
    /// nothing that counts, the states stay.
    #[inline(always)]
    fn closed_form(&self, x: &mut State<2>, rest: f64, is_start: bool) -> Option<Totals<2>> {
        if !is_start || !self.is_held {
            return None;
        }
        let f = self.linearised(&self.start, x);
        let scale = self.scale(&self.start, x, &f);
        if !rests(&f, x, &scale, rest, self.tolerance) {
            return None;
        }
        let ForceAndRate { force, .. } = self.force_and_rate(&self.start, x.u[0], x.z[1], x.u[1]);
        Some(Totals {
            work: force * (x.u[0] - self.start.surface) * rest,
            impulse: [force * rest, x.z[0] * rest],
        })
    }
}

/// Advances a bristle and its block over a communication step, part by part: the contact opens and
/// closes between two of them.
pub(super) fn advance<B: Bristle<D>, const D: usize>(
    law: &B,
    block: &BlockStep,
    motion: &mut BlockMotion,
    bristle: &mut State<D>,
    tolerance: f64,
    memory: &mut Memory,
) -> Result<BlockResult, SolverError> {
    if const { !B::METADATA.allows_block() } {
        // No card has such a block, and no library code for it.
        return Err(SolverError::NotFinite);
    }
    let mut x = State {
        z: [motion.x, bristle.z[0]],
        u: [motion.v, bristle.u[0]],
    };
    let mut result = BlockResult::default();
    block.for_each_part(|part, is_open| {
        let segment = OnBlock::new(law, *part, is_open, x.u[0], tolerance);
        if !B::SECOND_ORDER {
            x.z[1] = 0.0;
            // An open contact of a bristle of first order forgets its deflection.
            x.u[1] = if is_open { 0.0 } else { x.u[1] };
        }
        let advance = if B::SECOND_ORDER && !segment.is_exact {
            ode::advance
        } else {
            ode::advance_growing
        };
        let tolerance = law.tolerance_share() * tolerance;
        let done = advance(&segment, &mut x, part.duration, tolerance, memory)?;
        result.loss += done.totals.work;
        result.travel += done.totals.impulse[1];
        result.inner_steps += done.inner_steps;
        let at = segment.inputs(part.duration);
        let ForceAndRate { force, .. } = segment.force_and_rate(&at, x.u[0], x.z[1], x.u[1]);
        result.acceleration = segment.acceleration(&at, &x, force);
        Ok(())
    })?;
    *motion = BlockMotion {
        x: x.z[0],
        v: x.u[0],
    };
    *bristle = State {
        z: [if B::SECOND_ORDER { x.z[1] } else { 0.0 }; D],
        u: [x.u[1]; D],
    };
    Ok(result)
}
