//! Motion of a bristle over a communication step, from part to part of it.

use super::scales::{Part, Remainder, Step};
use super::segment::Segment;
use super::{Axes, Bristle, velocity};
use crate::domain::OPEN_FORCE;
use crate::integrate::SolverError;
use crate::integrate::memory::Memory;
use crate::integrate::step_limit::UNKNOWN;
use crate::law::{Breakpoints, Contact, InputTrajectory, Largest, Ranges, StepResult};
use crate::ode::{self, Done, State, Totals};
use crate::scalar::size;
use core::array;

/// Shares of the tolerance with which a step of an unstable bristle is repeated, until two results
/// agree, each with the displacement of its start in roundings: two with the same one would agree
/// where rounding alone decides.
const REFINEMENTS: [[f64; 2]; 2] = [[1e-2, 1.0], [1e-3, -1.0]];
/// Largest error of the finer one of two results over their difference, 1. Smaller: two that agree
/// by chance are off by up to a hundred tolerances; larger: more right steps are announced.
const OF_DIFFERENCE: f64 = 0.3;
/// Share of the tolerance that an unstable bristle is integrated with, 1, as its errors grow or do
/// not decay. Larger: one step in two thousand, with few e-folds, is off by one or two tolerances;
/// smaller: more inner steps, with 0.3 a tenth.
const SHARE_OF_UNSTABLE: f64 = 0.3;
/// Growth of errors in a step, as the exponent of e, up to which it is not repeated: most errors
/// are far below the tolerance, and decay again in stick. Larger: at 12 a force was off by 230
/// tolerances; smaller: steps at 1 kN, with nine e-folds at a break-away, take three times as long.
const ACCEPTED_GROWTH: f64 = 9.5;
/// Difference of F_R over F_s between a step and its repetition from which on both are equally
/// doubtful.
const DIVERGED: f64 = 0.1;
/// Depth of a dip of F_N over the tolerance, relative to F_N, from which on a step is parted at its
/// minimum: below it F_s hardly changes.
const DIP: f64 = 0.1;
/// Least F_N in a step over its largest one, below which a light contact counts as one that becomes
/// lighter.
const LIGHTER: f64 = 0.1;

/// Kind of a part of a step: whether the contact is open, and the signs of the velocity, where
/// steps are parted at its reversals.
fn kind<const D: usize>(contact: &Contact, parts_reversals: bool) -> (bool, [bool; D]) {
    (
        contact.is_open(),
        velocity::<D>(contact).map(|v| parts_reversals && v > 0.0),
    )
}

/// Whether a component of the velocity reverses and comes back between the breakpoints of a step.
fn reverses_twice<const D: usize>(trajectory: &InputTrajectory, breakpoints: Breakpoints) -> bool {
    let is_curved = |order: &Contact| velocity::<D>(order) != [0.0; D];
    if !trajectory
        .derivatives
        .is_some_and(|orders| orders[1..].iter().any(is_curved))
    {
        return false;
    }
    let (mut from, mut signs, mut changes) = (0.0, None, [0; D]);
    for to in breakpoints.filter(|to| *to > 0.0) {
        let now = velocity::<D>(&trajectory.at(0.5 * (from + to))).map(|v| v > 0.0);
        let before = *signs.get_or_insert(now);
        (0..D).for_each(|axis| changes[axis] += u32::from(now[axis] != before[axis]));
        (from, signs) = (to, Some(now));
    }
    changes.iter().any(|changes| *changes > 1)
}

impl<const D: usize> From<Done<D>> for StepResult {
    fn from(done: Done<D>) -> Self {
        StepResult {
            loss: done.totals.work,
            impulse: done.totals.impulse[0],
            inner_steps: done.inner_steps,
            force_error: 0.0,
        }
    }
}

impl<B: Bristle<D>, const D: usize, const N: usize> Axes<B, D, N> {
    /// Advances the states over a communication step.
    #[inline(always)]
    pub(super) fn advance_states(
        &self,
        step: &Step,
        x: &mut State<D>,
        memory: &mut Memory,
    ) -> Result<StepResult, SolverError> {
        let Step {
            trajectory,
            duration,
            tolerance,
        } = *step;
        if trajectory.derivatives.is_none() {
            let contact = trajectory.start;
            let done = StepResult {
                inner_steps: 1,
                ..StepResult::default()
            };
            if contact.is_open() {
                self.0.relax(x, duration);
                return Ok(done);
            }
            let at = self.0.at(contact.F_N, &velocity(&contact));
            if let Some(Totals { work, impulse }) = self.0.held_motion(&at, tolerance, x, duration)
            {
                return Ok(StepResult {
                    loss: work,
                    impulse: impulse[0],
                    ..done
                });
            }
        }
        match self.0.smoothed(tolerance) {
            Some(law) => Axes::<B, D, N>(law).integrate(step, x, memory),
            None => self.integrate(step, x, memory),
        }
    }

    /// Advances the states over a communication step without a closed form for all of it.
    #[inline(never)] // registers saved for it would cost every step with a closed form
    fn integrate(
        &self,
        step: &Step,
        x: &mut State<D>,
        memory: &mut Memory,
    ) -> Result<StepResult, SolverError> {
        let start = *x;
        let once = self.advance_once(step, x, memory)?;
        Ok(if once.growth > ACCEPTED_GROWTH {
            self.repeat(step, start, x, &once, memory)
        } else {
            once.into()
        })
    }

    /// Repeats a step in which errors may have grown, with shares of the tolerance, from a start
    /// that is displaced by its rounding. The difference of both forces is larger than the error
    /// that is left, as long as it is small; that of the mean forces is not, as the instants of
    /// break-away differ by the logarithm of the error.
    #[cold]
    fn repeat(
        &self,
        step: &Step,
        start: State<D>,
        x: &mut State<D>,
        first: &Done<D>,
        memory: &mut Memory,
    ) -> StepResult {
        let Step {
            trajectory,
            duration,
            tolerance,
        } = *step;
        let end = trajectory.at(duration);
        let force = self.0.static_force(end.F_N.max(self.0.light_force()));
        // Without a repetition all of the growth counts.
        let mut result = StepResult {
            force_error: (tolerance * libm::exp(first.growth)).min(UNKNOWN),
            ..(*first).into()
        };
        let mut before = *first;
        for [refinement, rounding] in REFINEMENTS {
            if memory.limit.left() < before.inner_steps {
                break;
            }
            let mut again = start;
            again.z[0] += rounding * f64::EPSILON * force / self.0.stiffness();
            let mut of_repetition = Memory {
                limit: memory.limit,
                ..Memory::default()
            };
            let finer = Step {
                tolerance: refinement * tolerance,
                ..*step
            };
            let outcome = self.advance_once(&finer, &mut again, &mut of_repetition);
            memory.limit = of_repetition.limit;
            let Ok(after) = outcome else {
                break;
            };
            let forces = [*x, again].map(|x| self.force_in(end, &x));
            let of_force = size(&array::from_fn::<f64, D, _>(|i| {
                forces[0][i] - forces[1][i]
            })) / force;
            let change = (before.totals.impulse[0] - after.totals.impulse[0]).abs();
            let of_mean = change / (force * duration);
            let left = if of_force < DIVERGED {
                OF_DIFFERENCE * of_force
            } else {
                of_force
            }
            .max(of_mean);
            *x = again;
            result = StepResult {
                inner_steps: result.inner_steps + after.inner_steps,
                force_error: if left > tolerance { left } else { 0.0 },
                ..after.into()
            };
            if result.force_error == 0.0 {
                break;
            }
            before = after;
        }
        result
    }

    /// Advances the states over a communication step once, part by part. After an error `x` is a
    /// state between the start and the end.
    fn advance_once(
        &self,
        step: &Step,
        x: &mut State<D>,
        memory: &mut Memory,
    ) -> Result<Done<D>, SolverError> {
        let Step {
            trajectory,
            duration,
            tolerance,
        } = *step;
        if trajectory.derivatives.is_none() {
            let largest = Largest {
                force: trajectory.start.F_N,
                speed: size(&velocity::<D>(&trajectory.start)),
            };
            let part = Part {
                from: 0.0,
                to: duration,
                largest,
            };
            return self.advance_part(step, part, None, x, memory);
        }
        let mut once = Done::ZERO;
        let breakpoints = trajectory.breakpoints(duration);
        let Ranges {
            largest,
            least,
            least_at,
            end,
        } = trajectory.ranges(breakpoints);
        // A bristle that rests before and after a dip yields there alone, which no stage of a step
        // over it may see.
        let is_deep =
            least > OPEN_FORCE && least < trajectory.start.F_N.min(end) * (1.0 - DIP * tolerance);
        // Where F_N falls to next to nothing, F_R there does not show on which side of a reversal
        // it is; and no stage of a step may lie between two reversals.
        let parts_reversals = !B::SECOND_ORDER
            || least < self.0.light_force().min(LIGHTER * largest.force)
            || reverses_twice::<D>(trajectory, breakpoints);
        let kind =
            |from: f64, to: f64| kind::<D>(&trajectory.at(0.5 * (from + to)), parts_reversals);
        let (mut breakpoints, mut from) = (breakpoints.peekable(), 0.0);
        while let Some(mut to) = breakpoints.next() {
            if to <= from {
                continue;
            }
            let this = kind(from, to);
            while let Some(next) = breakpoints.next_if(|next| {
                *next <= to || kind(to, *next) == this && !(is_deep && to == least_at)
            }) {
                to = next;
            }
            let remainder = (!B::SECOND_ORDER && self.0.is_linear())
                .then(|| Remainder::new::<D>(trajectory, from, to, breakpoints.clone()));
            let part = Part { from, to, largest };
            once.add(&self.advance_part(step, part, remainder.as_ref(), x, memory)?);
            from = to;
        }
        Ok(once)
    }

    #[inline(always)]
    fn advance_part(
        &self,
        step: &Step,
        part: Part,
        remainder: Option<&Remainder>,
        x: &mut State<D>,
        memory: &mut Memory,
    ) -> Result<Done<D>, SolverError> {
        let Part { from, to, largest } = part;
        let middle = if step.trajectory.derivatives.is_none() {
            step.trajectory.start
        } else {
            step.trajectory.at(0.5 * (from + to))
        };
        if middle.is_open() {
            self.0.relax(x, to - from);
            return Ok(Done {
                inner_steps: 1,
                ..Done::ZERO
            });
        }
        let segment = Segment::new(&self.0, step, part, remainder);
        let share = if largest.force > self.0.max_stable_force() {
            SHARE_OF_UNSTABLE
        } else {
            self.0.tolerance_share()
        };
        let tolerance = share * step.tolerance;
        ode::advance(&segment, x, to - from, tolerance, memory)
    }
}
