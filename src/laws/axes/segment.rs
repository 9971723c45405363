//! A bristle in a smooth part of a communication step, as differential equations.

use super::scales::{Part, Remainder, Scales, Step};
use super::swings::{LIGHT_END, Places, passes_over};
use super::{Bristle, BristleScale, velocity};
use crate::domain::OPEN_FORCE;
use crate::integrate::extrema::{larger, smaller};
use crate::integrate::polynomial::taylor;
use crate::law::{Input, InputTrajectory, StepLimits, longest_at};
use crate::ode::{Integrands, Limits, Linearised, ROUNDING, State, System, TotalScales, Totals};
use crate::scalar::{Dual, Scalar, dot};
use core::array;

/// Relative rounding of a decay rate under the largest normal force of a step: some roundings of
/// F_N. Larger: F_R may be off by as much of its damping; smaller: steps shrink where rounding
/// exceeds the tolerance.
const OF_FORCE: f64 = 4.0 * f64::EPSILON;

/// Inputs at one instant.
#[derive(Clone, Copy)]
pub struct Instant<A, const D: usize> {
    /// Time, s from the start of the segment.
    t: f64,
    /// Normal force, N.
    normal_force: f64,
    /// Velocity, m/s.
    v: [f64; D],
    /// Contact of the law.
    at: A,
}

/// Smooth part of a communication step of a closed contact.
pub struct Segment<'a, B: Bristle<D>, const D: usize> {
    law: &'a B,
    trajectory: &'a InputTrajectory<'a>,
    /// Start of the segment, s from the start of the step.
    from: f64,
    /// Whether the inputs are constant.
    is_held: bool,
    /// Whether they are of second or third order in time.
    is_curved: bool,
    /// Whether a step may pass a border of branches without a sign of it.
    may_pass_unseen: bool,
    /// Normal force (N) and its derivatives at the start.
    normal_force: Input,
    /// Velocity (m/s) and its derivatives at the start.
    v: [Input; D],
    /// Contact at the start.
    start: B::At<f64>,
    /// Normal force at the end, N.
    end_force: f64,
    /// Contact at the end of the communication step, if that is the end of the segment, and it is
    /// closed there; not for a linear bristle.
    end: Option<B::At<f64>>,
    /// Error scales of a linear bristle under moving inputs.
    linear_scales: Option<Scales<D>>,
    /// Largest normal force of the communication step, N.
    largest_force: f64,
    /// Length, s.
    duration: f64,
    /// Totals that errors are measured by over the segment.
    scales_of_totals: TotalScales,
    /// Tolerance of F_R over F_s.
    tolerance: f64,
    /// Relative rounding of the states that the error allowed includes; that of a linear bristle
    /// follows F_N.
    rounding: f64,
}

impl<'a, B: Bristle<D>, const D: usize> Segment<'a, B, D> {
    #[inline(always)]
    pub(super) fn new(
        law: &'a B,
        step: &Step<'a>,
        part: Part,
        remainder: Option<&Remainder>,
    ) -> Self {
        let Part { from, to, largest } = part;
        let trajectory = step.trajectory;
        let start = if from == 0.0 {
            trajectory.start
        } else {
            trajectory.at(from)
        };
        let (mut normal_force, mut v) = ([start.F_N, 0.0, 0.0, 0.0], [[0.0; 4]; D]);
        let mut end_contact = start;
        for (v, start) in v.iter_mut().zip(velocity::<D>(&start)) {
            v[0] = start;
        }
        if trajectory.derivatives.is_some() {
            let (_, orders) = trajectory.orders(from);
            for (k, order) in orders.into_iter().flatten().enumerate() {
                normal_force[k + 1] = order.F_N;
                for (v, order) in v.iter_mut().zip(velocity::<D>(&order)) {
                    v[k + 1] = order;
                }
            }
            end_contact = trajectory.at(to);
        }
        let at_start = law.at(closed(start.F_N), &v.map(|v| v[0]));
        let end = if trajectory.derivatives.is_none() {
            Some(at_start)
        } else if remainder.is_none() && to >= step.duration && !end_contact.is_open() {
            Some(law.at(end_contact.F_N, &velocity(&end_contact)))
        } else {
            None
        };
        let linear_scales =
            remainder.map(|remainder| Scales::new(law, step, part, normal_force, v, remainder));
        let is_curved = v
            .iter()
            .chain([&normal_force])
            .any(|input| input[2..] != [0.0; 2]);
        let duration = to - from;
        // Whether v may turn, and F_0 with it.
        let turns = v.iter().any(|[_, first, second, third]| {
            let last = first + duration * (second + 0.5 * duration * third);
            *third != 0.0 || *second != 0.0 && first * last <= 0.0
        });
        let largest_force = largest.force.max(law.light_force());
        let impulse = law.static_force(largest_force) * duration;
        let fastest_rate = law.fastest_rate(largest_force, f64::INFINITY);
        Segment {
            law,
            trajectory,
            from,
            is_held: trajectory.derivatives.is_none(),
            may_pass_unseen: turns || end_contact.F_N.min(start.F_N) < LIGHT_END * largest.force,
            is_curved,
            normal_force,
            v,
            start: at_start,
            end_force: end_contact.F_N,
            end,
            linear_scales,
            largest_force: largest.force,
            duration,
            scales_of_totals: TotalScales {
                work: impulse * largest.speed,
                impulse,
            },
            tolerance: step.tolerance,
            rounding: rounding_over(fastest_rate, duration),
        }
    }

    /// Scales of a linear bristle; a bristle of second order is none at compile time.
    #[inline(always)]
    fn linear_scales(&self) -> Option<&Scales<D>> {
        if B::SECOND_ORDER {
            None
        } else {
            self.linear_scales.as_ref()
        }
    }
}

/// Relative rounding of states over `duration` (s): it changes the increments of a step through the
/// rate alone, at the fastest rate (1/s).
#[inline(always)]
pub(super) fn rounding_over(fastest_rate: f64, duration: f64) -> f64 {
    ROUNDING * smaller(fastest_rate * duration, 1.0)
}

/// Normal force of a closed contact, N: next to an opening rounding may take it to 0.
#[inline(always)]
pub(super) fn closed(normal_force: f64) -> f64 {
    normal_force.max(OPEN_FORCE)
}

impl<B: Bristle<D>, const D: usize> System<D> for Segment<'_, B, D> {
    const SECOND_ORDER: bool = B::SECOND_ORDER;
    const FORCE_IS_LINEAR: bool = B::SECOND_ORDER;

    type At = Instant<B::At<f64>, D>;

    #[inline(always)]
    fn is_linear(&self) -> bool {
        self.law.is_linear()
    }

    #[inline(always)]
    fn at(&self, t: f64) -> Self::At {
        if self.is_held || t == 0.0 {
            return Instant {
                t,
                normal_force: self.normal_force[0],
                v: self.v.map(|v| v[0]),
                at: self.start,
            };
        }
        let (normal_force, v) = (
            closed(taylor(&self.normal_force, t)),
            self.v.map(|v| taylor(&v, t)),
        );
        Instant {
            t,
            normal_force,
            v,
            at: self.law.at(normal_force, &v),
        }
    }

    #[inline(always)]
    fn rate(&self, Instant { at, .. }: &Self::At, x: &State<D>) -> [f64; D] {
        self.law.rate(at, &x.z, &x.u)
    }

    #[inline(always)]
    fn linearised(
        &self,
        Instant {
            normal_force,
            v,
            at,
            ..
        }: &Self::At,
        x: &State<D>,
    ) -> Linearised<D> {
        if self.law.is_linear() {
            let decay = -self.law.decay_rate(at);
            let by_u = array::from_fn(|i| array::from_fn(|j| if i == j { decay } else { 0.0 }));
            return Linearised {
                rate: self.law.rate(at, &x.z, &x.u),
                by_z: [[0.0; D]; D],
                by_u,
            };
        }
        match (D, B::SECOND_ORDER) {
            (1, false) => linearised_by_dual_numbers::<B, D, 1>(self.law, *normal_force, v, x),
            (1, true) | (2, false) => {
                linearised_by_dual_numbers::<B, D, 2>(self.law, *normal_force, v, x)
            }
            (2, true) => linearised_by_dual_numbers::<B, D, 4>(self.law, *normal_force, v, x),
            _ => linearised_by_dual_numbers::<B, D, 6>(self.law, *normal_force, v, x),
        }
    }

    #[inline(always)]
    fn decay_rate(&self, Instant { at, .. }: &Self::At) -> f64 {
        self.law.decay_rate(at)
    }

    /// An error may change F_R more at the end of the segment than where it arises: by the smaller
    /// F_s of both.
    #[inline(always)]
    fn scale(
        &self,
        Instant {
            t, normal_force, ..
        }: &Self::At,
        x: &State<D>,
        f: &Linearised<D>,
    ) -> State<D> {
        if let Some(scales) = self.linear_scales() {
            return State {
                z: [f64::INFINITY; D],
                u: [scales.at(*t, *normal_force, x); D],
            };
        }
        let normal_force = larger(
            smaller(*normal_force, self.end_force),
            self.law.light_force(),
        );
        let BristleScale { z, u } =
            self.law
                .scale(self.end.as_ref(), self.duration, normal_force, x, f);
        State {
            z: [z; D],
            u: [u; D],
        }
    }

    #[inline(always)]
    fn scale_varies(&self) -> bool {
        self.linear_scales().is_some()
    }

    #[inline(always)]
    fn rounding(&self, Instant { normal_force, .. }: &Self::At) -> f64 {
        if self.linear_scales().is_some() {
            OF_FORCE * self.largest_force / normal_force
        } else {
            self.rounding
        }
    }

    #[inline(always)]
    fn limits(
        &self,
        t: f64,
        Instant {
            normal_force, at, ..
        }: &Self::At,
        x: &State<D>,
        _: &Linearised<D>,
    ) -> Limits {
        let is_unstable = *normal_force > self.law.max_stable_force();
        if self.is_held && !is_unstable {
            return Limits {
                longest: f64::INFINITY,
                growth_rate: 0.0,
            };
        }
        let StepLimits {
            max_dv,
            growth_rate,
            longest,
        } = self.law.limits(at, x);
        let growth_rate = if is_unstable { growth_rate } else { 0.0 };
        // A longer step of an implicit method would damp an unstable motion.
        let longest = longest.min(longest_at(growth_rate));
        Limits {
            longest: self
                .trajectory
                .time_within(max_dv, self.from + t)
                .min(longest),
            growth_rate,
        }
    }

    #[inline(always)]
    fn branch(&self, Instant { at, .. }: &Self::At, x: &State<D>) -> u16 {
        self.law.branch(at, x)
    }

    #[inline(always)]
    fn passes_over(
        &self,
        start: &Self::At,
        from: &State<D>,
        stages: &[Self::At; 3],
        states: &[State<D>; 3],
    ) -> bool {
        let [first, second, end] = stages;
        let at = [start, first, second, end];
        let places = Places {
            at: at.map(|at| &at.at),
            normal: at.map(|at| at.normal_force),
            x: [from, &states[0], &states[1], &states[2]],
        };
        passes_over(self.law, &places, self.may_pass_unseen, self.tolerance)
    }

    #[inline(always)]
    fn predict(&self, start: &Self::At, x: &State<D>, later: &Self::At) -> [f64; D] {
        self.law.predict(&start.at, x, &later.at)
    }

    #[inline(always)]
    fn force(
        &self,
        Instant { v, at, .. }: &Self::At,
        x: &State<D>,
        rate: &[f64; D],
    ) -> Integrands<D> {
        let force = self.law.force_at_rate(at, x, rate);
        Integrands {
            power: dot(&force, v),
            force,
        }
    }

    fn inputs_are_curved(&self) -> bool {
        self.is_curved
    }

    fn scales_of_totals(&self) -> TotalScales {
        self.scales_of_totals
    }

    #[inline(always)]
    fn closed_form(&self, x: &mut State<D>, rest: f64, is_start: bool) -> Option<Totals<D>> {
        match (self.is_held, is_start) {
            // It was tried before the integration.
            (true, true) => None,
            (true, false) => self.law.held_motion(&self.start, self.tolerance, x, rest),
            (false, true) if self.normal_force[1..] == [0.0; 3] => {
                self.law.moving_motion(&self.start, &self.v, x, rest)
            }
            _ => None,
        }
    }
}

/// Rate of u with its derivatives by the states, along M directions: z, then u.
#[inline(always)]
fn linearised_by_dual_numbers<B: Bristle<D>, const D: usize, const M: usize>(
    law: &B,
    normal_force: f64,
    v: &[f64; D],
    x: &State<D>,
) -> Linearised<D> {
    let of_u = if B::SECOND_ORDER { D } else { 0 };
    let at = law.at(Dual::<M>::constant(normal_force), &v.map(Dual::constant));
    let z = array::from_fn(|i| {
        if B::SECOND_ORDER {
            Dual::variable(x.z[i], i)
        } else {
            Dual::constant(0.0)
        }
    });
    let u = array::from_fn(|i| Dual::variable(x.u[i], of_u + i));
    let rate = law.rate(&at, &z, &u);
    Linearised {
        rate: rate.map(|rate| rate.value),
        by_z: rate.map(|rate| {
            array::from_fn(|j| {
                if B::SECOND_ORDER {
                    rate.derivatives[j]
                } else {
                    0.0
                }
            })
        }),
        by_u: rate.map(|rate| array::from_fn(|j| rate.derivatives[of_u + j])),
    }
}
