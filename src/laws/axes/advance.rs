//! Motion of a bristle over a communication step, from part to part of it.

use super::scales::{Part, Remainder};
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

/// Share of the tolerance with which a step of an unstable bristle is repeated.
const REFINEMENT: f64 = 1e-2;
/// Growth of errors in a step, as the exponent of e, up to which it is not repeated: most errors
/// are far below the tolerance, and decay again in stick. Larger: errors exceed the tolerance;
/// smaller: steps at a hundred times the stable normal force take three times as long.
const ACCEPTED_GROWTH: f64 = 12.0;
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
        trajectory: &InputTrajectory,
        x: &mut State<D>,
        duration: f64,
        tolerance: f64,
        memory: &mut Memory,
    ) -> Result<StepResult, SolverError> {
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
            Some(law) => Axes::<B, D, N>(law).integrate(trajectory, x, duration, tolerance, memory),
            None => self.integrate(trajectory, x, duration, tolerance, memory),
        }
    }

    /// Advances the states over a communication step without a closed form for all of it.
    #[inline(never)] // registers saved for it would cost every step with a closed form
    fn integrate(
        &self,
        trajectory: &InputTrajectory,
        x: &mut State<D>,
        duration: f64,
        tolerance: f64,
        memory: &mut Memory,
    ) -> Result<StepResult, SolverError> {
        let start = *x;
        let once = self.advance_once(trajectory, x, duration, tolerance, memory)?;
        let mut result = once.into();
        if once.growth > ACCEPTED_GROWTH {
            self.repeat(
                trajectory,
                start,
                x,
                [duration, tolerance],
                once.growth,
                memory,
                &mut result,
            );
        }
        Ok(result)
    }

    /// Repeats a step whose errors may have grown by exp(`growth`), with a share of the tolerance,
    /// from a start that is displaced by its rounding. The difference of both forces is larger than
    /// the error that is left by the inverse of that share, as long as it is small; that of the
    /// mean forces is not, as the instants of break-away differ by the logarithm of the error.
    #[cold]
    #[allow(clippy::too_many_arguments)] // a step and its result
    fn repeat(
        &self,
        trajectory: &InputTrajectory,
        mut again: State<D>,
        x: &mut State<D>,
        [duration, tolerance]: [f64; 2],
        growth: f64,
        memory: &mut Memory,
        result: &mut StepResult,
    ) {
        let end = trajectory.at(duration);
        let force = self.0.static_force(end.F_N.max(self.0.light_force()));
        // Without a repetition all of the growth counts.
        result.force_error = (tolerance * libm::exp(growth)).min(UNKNOWN);
        if memory.limit.left() < result.inner_steps {
            return;
        }
        again.z[0] += f64::EPSILON * force / self.0.stiffness();
        let mut of_repetition = Memory {
            limit: memory.limit,
            ..Memory::default()
        };
        let outcome = self.advance_once(
            trajectory,
            &mut again,
            duration,
            REFINEMENT * tolerance,
            &mut of_repetition,
        );
        memory.limit = of_repetition.limit;
        let Ok(once) = outcome else { return };
        let [first, second] = [*x, again].map(|x| self.force_in(end, &x));
        let of_force = size(&array::from_fn::<f64, D, _>(|i| first[i] - second[i])) / force;
        let of_mean = (result.impulse - once.totals.impulse[0]).abs() / (force * duration);
        let left = if of_force < DIVERGED {
            REFINEMENT * of_force
        } else {
            of_force
        }
        .max(of_mean);
        *x = again;
        *result = StepResult {
            inner_steps: result.inner_steps + once.inner_steps,
            force_error: if left > tolerance { left } else { 0.0 },
            ..once.into()
        };
    }

    /// Advances the states over a communication step once, part by part. After an error `x` is a
    /// state between the start and the end.
    fn advance_once(
        &self,
        trajectory: &InputTrajectory,
        x: &mut State<D>,
        duration: f64,
        tolerance: f64,
        memory: &mut Memory,
    ) -> Result<Done<D>, SolverError> {
        let mut once = Done::ZERO;
        if trajectory.derivatives.is_none() {
            let largest = Largest {
                force: trajectory.start.F_N,
                speed: size(&velocity::<D>(&trajectory.start)),
            };
            let part = Part {
                from: 0.0,
                to: duration,
                step: duration,
            };
            self.advance_part(
                trajectory, part, None, largest, x, tolerance, memory, &mut once,
            )?;
            return Ok(once);
        }
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
            let part = Part {
                from,
                to,
                step: duration,
            };
            self.advance_part(
                trajectory,
                part,
                remainder.as_ref(),
                largest,
                x,
                tolerance,
                memory,
                &mut once,
            )?;
            from = to;
        }
        Ok(once)
    }

    #[inline(always)]
    #[allow(clippy::too_many_arguments)] // a part of a step, its state and its totals
    fn advance_part(
        &self,
        trajectory: &InputTrajectory,
        part: Part,
        remainder: Option<&Remainder>,
        largest: Largest,
        x: &mut State<D>,
        tolerance: f64,
        memory: &mut Memory,
        once: &mut Done<D>,
    ) -> Result<(), SolverError> {
        let Part { from, to, .. } = part;
        let middle = if trajectory.derivatives.is_none() {
            trajectory.start
        } else {
            trajectory.at(0.5 * (from + to))
        };
        if middle.is_open() {
            self.0.relax(x, to - from);
            once.inner_steps += 1;
            return Ok(());
        }
        let segment = Segment::new(&self.0, trajectory, part, remainder, largest, tolerance);
        let done = ode::advance(
            &segment,
            x,
            to - from,
            self.0.tolerance_share() * tolerance,
            memory,
        )?;
        once.add(&done);
        Ok(())
    }
}
