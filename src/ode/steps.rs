//! The controller: it chooses the lengths of the steps of a method.

use super::Limits;
use super::estimate::{Estimate, Rejected};
use crate::integrate::SolverError;
use crate::integrate::extrema::{larger, smaller};
use crate::integrate::memory::Memory;
use crate::integrate::step_limit::{EXCEEDED, UNKNOWN};
use crate::switches::{Method, is_on};
use core::ops::Range;

/// Error of an inner step over the tolerance: in stick errors of z do not decay, and those of many
/// inner steps add up.
const SHARE: f64 = 0.1;
/// `SHARE` of a linear system: its steps cost half as much, and a reversal takes more of them.
const SHARE_OF_LINEAR: f64 = 0.03;
/// Share of the length at which the error would be that allowed.
const SAFETY: f64 = 0.9;
/// Smallest factor from one step to the next.
const MIN_GROWTH: f64 = 0.2;
/// Largest factor from one step to the next.
const MAX_GROWTH: f64 = 8.0;
/// Smallest factor from a rejected step to the next attempt.
const MIN_FACTOR: f64 = 0.1;
/// Factor to the next attempt where the stage equations have no solution.
const FACTOR_WITHOUT_SOLUTION: f64 = 0.3;
/// Shares of a step between which a crossing of branches is the end of the next attempt: the error
/// of the totals is 0 at some of them by chance.
const CROSSINGS: Range<f64> = 1e-3..0.99;
/// Error of a total over the tolerance, by its estimate: the error may be ten times the tolerance.
const TOTALS_TOLERANCE: f64 = 1.0;
/// Least share of the interval that a step has of a total's error.
const MIN_TOTALS_SHARE: f64 = 1.0 / 64.0;
/// Length over that of the interval up to which a step is accepted whatever its error: some hundred
/// roundings of time.
const SHORTEST: f64 = 1e-14;
/// Length of such a step in any interval, s: no rate of a mechanism changes a state within it.
const INSTANT: f64 = 1e-20;

/// Length up to which a step in an interval up to `end` (s) is accepted whatever its error, s.
fn shortest(end: f64) -> f64 {
    larger(SHORTEST * end, INSTANT)
}

/// Steps of a system by one method, whose lengths the controller chooses. The states and the totals
/// are those of the implementor.
pub trait Steps {
    /// States at the start of a step, with all that attempts from there share.
    type Start;
    /// A step whose stage equations are solved.
    type Step;
    /// End of a step, with what it adds to the totals.
    type End;
    /// Increments at the stages, which the next step is extrapolated from.
    type Increments;

    /// Whether f = a − k u with a number k; see [`System::is_linear`](super::System::is_linear).
    fn is_linear(&self) -> bool {
        false
    }

    /// Moves the states over the rest of the interval (s), where that has a closed form; returns
    /// whether it has.
    fn closed_form(&mut self, _rest: f64, _is_start: bool) -> bool {
        false
    }

    /// Start of a step at the present states and the time t, with this error allowed over the
    /// scales.
    fn start(&mut self, t: f64, allowed: f64) -> Self::Start;

    /// Bounds of a step.
    fn limits(&self, start: &Self::Start) -> Limits;

    /// Solves the stage equations of a step of length `h` (s), from the increments of the step
    /// before and the ratio of both lengths where there is one; `None` where the iteration
    /// diverges.
    fn solve(
        &mut self,
        start: &Self::Start,
        h: f64,
        last: Option<(&Self::Increments, f64)>,
        contraction: f64,
    ) -> Option<Self::Step>;

    /// Step of the linearly implicit Euler method.
    fn euler(&mut self, start: &Self::Start, h: f64) -> Self::Step;

    /// Whether a step may pass over a part of f that no stage has seen.
    fn passes_over(&self, start: &Self::Start, step: &Self::Step) -> bool;

    /// Estimated error of a step in an interval of this length (s); `rejected` is the attempt
    /// before from the same start.
    fn estimate(
        &mut self,
        start: &Self::Start,
        step: &Self::Step,
        interval: f64,
        rejected: Option<Rejected>,
    ) -> Estimate;

    /// Share of a step of a linear system at which it comes to another branch; see `collocation`.
    fn crossing(&self, _start: &Self::Start, _step: &Self::Step, _margin: f64) -> Option<f64> {
        None
    }

    /// End of a step.
    fn end(&mut self, start: &Self::Start, step: &Self::Step) -> Self::End;

    /// Estimated error of the totals of a step over their scales; 0 where that of the states stands
    /// for it.
    fn totals_error(end: &Self::End) -> f64;

    /// Outcome of the iteration of a step.
    fn outcome(step: Self::Step) -> Outcome<Self::Increments>;

    /// Share of a step at which the first event ends it.
    fn event(&self, start: &Self::Start, step: &Self::Step) -> Option<f64>;

    /// Length of a step, s.
    fn length(step: &Self::Step) -> f64;

    /// The first part of a step, up to a share of it.
    fn cut(&mut self, start: &Self::Start, step: &Self::Step, part: f64) -> Self::Step;

    /// Makes the end of a step the present states, and adds its totals.
    fn accept(&mut self, end: Self::End);
}

/// Course of an integration.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Course {
    /// Inner steps, rejected ones included.
    pub inner_steps: u32,
    /// Growth of errors over the interval, as the exponent of e.
    pub growth: f64,
    /// Duration, s: to the end of the interval, or to the first event in it.
    pub duration: f64,
}

/// Advances from time 0 to `end` (s, > 0), or to the first event before. The error of each inner
/// step is a share of `tolerance`; `memory` keeps the length of the first step for the next
/// interval, and counts inner steps: beyond their limit the tolerance is relaxed.
#[inline(always)]
pub fn control<M: Steps>(
    method: &mut M,
    end: f64,
    tolerance: f64,
    memory: &mut Memory,
) -> Result<Course, SolverError> {
    let mut course = Course::default();
    let first_step =
        if is_on(Method::FirstStep) && memory.first_step > 0.0 && memory.limit.left() > 0 {
            // After an interval that is shorter still.
            larger(memory.first_step, shortest(end))
        } else {
            end
        };
    let mut run = Run {
        end,
        tolerance,
        h: first_step,
        last: None,
    };
    let allowed = tolerance
        * if method.is_linear() {
            SHARE_OF_LINEAR
        } else {
            SHARE
        };
    let mut t = 0.0;
    while t < end {
        if method.closed_form(end - t, t == 0.0) {
            course.inner_steps += 1;
            t = end;
            break;
        }
        let start = method.start(t, allowed);
        let accepted = run.step(method, t, &start, memory, &mut course.inner_steps)?;
        course.growth += accepted.growth;
        method.accept(accepted.end);
        t = accepted.reached;
        if accepted.is_event {
            break;
        }
    }
    course.duration = t;
    Ok(course)
}

/// The accepted step before.
struct Last<W> {
    h: f64,
    excess: f64,
    contraction: f64,
    increments: W,
}

/// Outcome of an iteration.
pub struct Outcome<I> {
    /// Contraction.
    pub contraction: f64,
    /// Increments at the stages.
    pub increments: I,
}

/// An integration.
struct Run<W> {
    /// Length of the interval, s.
    end: f64,
    tolerance: f64,
    /// Length of the next step, s.
    h: f64,
    last: Option<Last<W>>,
}

/// An accepted step.
struct Accepted<E> {
    /// Growth of errors, as the exponent of e.
    growth: f64,
    end: E,
    /// Time at its end, s.
    reached: f64,
    /// Whether an event is there.
    is_event: bool,
}

impl<W> Run<W> {
    /// Attempts steps from `start` at the time t until one is accepted; each counts in
    /// `inner_steps`.
    #[inline(always)]
    fn step<M: Steps<Increments = W>>(
        &mut self,
        method: &mut M,
        t: f64,
        start: &M::Start,
        memory: &mut Memory,
        inner_steps: &mut u32,
    ) -> Result<Accepted<M::End>, SolverError> {
        let end = self.end;
        let Limits {
            longest,
            growth_rate,
        } = method.limits(start);
        let shortest = shortest(end);
        let mut rejected: Option<Rejected> = None;
        // Once from each start: a step over several crossings could be cut to ever shorter ones.
        let mut is_cut = false;
        loop {
            *inner_steps += 1;
            if memory.limit.is_spent() {
                return Err(SolverError::TooManySteps {
                    t,
                    limit: memory.limit.limit(),
                });
            }
            let relaxation = memory.limit.count();
            let rest = end - t;
            let mut h = smaller(self.h, longest * relaxation);
            // The step before the last is at most half of the rest, so that no tiny step is left.
            let is_final = h >= rest * (1.0 - 1e-9);
            h = if is_final {
                rest
            } else {
                smaller(h, 0.5 * rest)
            };
            let takes_any = relaxation >= EXCEEDED || h <= shortest;
            let last = self.last.as_ref();
            let contraction = last.map_or(0.0, |last| last.contraction);
            let before = last
                .filter(|_| is_on(Method::Extrapolation))
                .map(|last| (&last.increments, h / last.h));
            let solved = method.solve(start, h, before, contraction);
            let step = match solved {
                Some(step) => step,
                None if takes_any => {
                    if relaxation >= EXCEEDED {
                        // The estimate does not see what an Euler step leaves out.
                        memory.limit.accept(UNKNOWN);
                    }
                    method.euler(start, h)
                }
                None => {
                    (self.h, self.last) = (h * FACTOR_WITHOUT_SOLUTION, None);
                    rejected = Some(Rejected {
                        h: f64::INFINITY,
                        error: f64::INFINITY,
                    });
                    continue;
                }
            };
            if !takes_any && method.passes_over(start, &step) {
                rejected = Some(Rejected {
                    h: f64::INFINITY,
                    error: f64::INFINITY,
                });
                self.h = h * MIN_FACTOR;
                continue;
            }
            let Estimate {
                mut error,
                mut excess,
            } = method.estimate(start, &step, end, rejected);
            if error <= 1.0
                && relaxation == 1.0
                && !is_cut
                && method.is_linear()
                && let Some(share) = method.crossing(start, &step, self.tolerance)
                && CROSSINGS.contains(&share)
            {
                (self.h, is_cut) = (h * share, true);
                continue;
            }
            let accepts = |error: f64| error <= relaxation || takes_any && error.is_finite();
            let end_of_step = accepts(error).then(|| method.end(start, &step));
            let totals_error = end_of_step.as_ref().map_or(0.0, M::totals_error);
            if totals_error > 0.0 {
                let share = (h / end).max(MIN_TOTALS_SHARE);
                error = error.max(totals_error / (share * TOTALS_TOLERANCE * self.tolerance));
                excess = excess.max(error.sqrt());
            }
            let Some(end_of_step) = end_of_step.filter(|_| accepts(error)) else {
                if h <= shortest {
                    return Err(SolverError::StepTooSmall { t });
                }
                rejected = Some(Rejected { h, error });
                self.h = h * if error.is_finite() {
                    (SAFETY / excess).max(MIN_FACTOR)
                } else {
                    MIN_FACTOR
                };
                continue;
            };
            if error > 1.0 {
                // Errors of the states above the tolerance may change F_R by more than their scale.
                memory.limit.accept((error * self.tolerance).min(UNKNOWN));
            }
            let relaxed = excess / relaxation.sqrt().sqrt();
            self.h = h * self.factor(h, excess, relaxed, relaxation > 1.0, rejected.is_some());
            if t == 0.0 {
                memory.first_step = self.h;
            }
            let event = self.event(method, start, &step, relaxation, memory);
            let cut = event.map(|part| method.cut(start, &step, part));
            let Outcome {
                contraction,
                increments,
            } = M::outcome(step);
            self.last = Some(Last {
                h,
                excess: relaxed,
                contraction,
                increments,
            });
            if let Some(step) = cut {
                let (h, end) = (M::length(&step), method.end(start, &step));
                return Ok(Accepted {
                    growth: h * growth_rate,
                    end,
                    reached: t + h,
                    is_event: true,
                });
            }
            let reached = if is_final { end } else { t + h };
            return Ok(Accepted {
                growth: h * growth_rate,
                end: end_of_step,
                reached,
                is_event: false,
            });
        }
    }

    /// Factor from an accepted step of length `h` to the next one, where `excess` is its length
    /// over that with the error allowed: in full, and with the tolerance relaxed. In steps that
    /// keep the tolerance it follows the trend (Gustafsson's controller).
    #[inline(always)]
    fn factor(
        &self,
        h: f64,
        excess: f64,
        relaxed: f64,
        is_relaxed: bool,
        was_rejected: bool,
    ) -> f64 {
        if is_relaxed {
            return SAFETY / relaxed;
        }
        let trend = self
            .last
            .as_ref()
            .filter(|_| is_on(Method::Trend))
            .map_or(f64::INFINITY, |last| {
                h / last.h * last.excess / (excess * excess)
            });
        let factor = (SAFETY * smaller(trend, 1.0 / excess)).clamp(MIN_GROWTH, MAX_GROWTH);
        if was_rejected {
            factor.min(1.0)
        } else {
            factor
        }
    }

    /// Share of an accepted step at which an event ends it. Beyond one and a half times the limit
    /// of inner steps events are left out, and F_R is unknown.
    #[inline(always)]
    fn event<M: Steps>(
        &self,
        method: &M,
        start: &M::Start,
        step: &M::Step,
        relaxation: f64,
        memory: &mut Memory,
    ) -> Option<f64> {
        let part = method.event(start, step)?;
        if relaxation >= EXCEEDED {
            memory.limit.accept(UNKNOWN);
            return None;
        }
        Some(part)
    }
}
