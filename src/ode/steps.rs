//! The controller: it chooses the lengths of the steps, and adds up their totals.

use super::collocation::{Stages, Start, Step, combine, transform};
use super::estimate::{Estimate, Rejected, estimate, quadrature_error, weights};
use super::tableau::{INVERSE, NODES, STAGE_POLYNOMIALS, WEIGHTS};
use super::{Done, Limits, State, System, Totals};
use crate::integrate::SolverError;
use crate::integrate::extrema::{larger, smaller};
use crate::integrate::memory::Memory;
use crate::integrate::step_limit::{EXCEEDED, UNKNOWN};
use crate::switches::{Method, is_on};
use core::array;

/// Error of an inner step over the tolerance: in stick errors of z do not decay, and those of many inner steps add up.
const SHARE: f64 = 0.1;
/// `SHARE` of a linear system: its steps cost half as much, and a reversal takes more of them.
const SHARE_OF_LINEAR: f64 = 0.03;
/// Share of the length at which the error would be that allowed.
const SAFETY: f64 = 0.9;
/// Bounds on the factor from one step to the next.
const STEP_FACTORS: [f64; 2] = [0.2, 8.0];
/// Smallest factor from a rejected step to the next attempt.
const MIN_FACTOR: f64 = 0.1;
/// Factor to the next attempt where the stage equations have no solution.
const FACTOR_WITHOUT_SOLUTION: f64 = 0.3;
/// Shares of a step between which a crossing of branches is the end of the next attempt: the error of the totals is 0 at some of them by chance.
const CROSSINGS: [f64; 2] = [1e-3, 0.99];
/// Error of a total over the tolerance, by its estimate: the error may be ten times the tolerance.
const TOTALS_TOLERANCE: f64 = 1.0;
/// Least share of the interval that a step has of a total's error.
const MIN_TOTALS_SHARE: f64 = 1.0 / 64.0;
/// Length over that of the interval up to which a step is accepted whatever its error: some hundred roundings of time.
const SHORTEST: f64 = 1e-14;
/// Length of such a step in any interval, s: no rate of a mechanism changes a state within it.
const INSTANT: f64 = 1e-20;

/// Length up to which a step in an interval up to `end` (s) is accepted whatever its error, s.
fn shortest(end: f64) -> f64 {
    larger(SHORTEST * end, INSTANT)
}

/// The accepted step before.
struct Last<const D: usize> {
    h: f64,
    excess: f64,
    contraction: f64,
    w: Stages<D>,
}

/// Advances `x` from time 0 to `end` (s, > 0), or to the first event before. The error of each inner step is a share of `tolerance` relative
/// to [`System::scale`]; `memory` keeps the length of the first step for the next interval, and counts inner steps: beyond their limit the
/// tolerance is relaxed. After an error `x` holds the states at the time reached.
pub fn advance<S: System<D>, const D: usize>(
    system: &S,
    x: &mut State<D>,
    end: f64,
    tolerance: f64,
    memory: &mut Memory,
) -> Result<Done<D>, SolverError> {
    let mut done = Done::ZERO;
    let first_step = if is_on(Method::FirstStep) && memory.first_step > 0.0 && memory.limit.left() > 0 {
        // After an interval that is shorter still.
        larger(memory.first_step, shortest(end))
    } else {
        end
    };
    let mut run = Run { system, end, tolerance, h: first_step, last: None };
    let allowed = tolerance * if system.is_linear() { SHARE_OF_LINEAR } else { SHARE };
    let mut t = 0.0;
    while t < end {
        if let Some(totals) = system.closed_form(x, end - t, t == 0.0) {
            done.inner_steps += 1;
            done.totals.add(&totals);
            t = end;
            break;
        }
        let start = start_of(system, t, x, allowed);
        let accepted = run.step(&start, memory, &mut done.inner_steps)?;
        done.growth += accepted.growth;
        done.totals.add(&accepted.end.totals);
        *x = accepted.end.x;
        t = accepted.reached;
        if accepted.is_event {
            break;
        }
    }
    done.duration = t;
    Ok(done)
}

/// An integration.
struct Run<'a, S, const D: usize> {
    system: &'a S,
    /// Length of the interval, s.
    end: f64,
    tolerance: f64,
    /// Length of the next step, s.
    h: f64,
    last: Option<Last<D>>,
}

/// An accepted step.
struct Accepted<const D: usize> {
    /// Growth of errors, as the exponent of e.
    growth: f64,
    end: End<D>,
    /// Time at its end, s.
    reached: f64,
    /// Whether an event is there.
    is_event: bool,
}

impl<S: System<D>, const D: usize> Run<'_, S, D> {
    /// Attempts steps from `start` until one is accepted; each counts in `inner_steps`.
    #[inline(always)]
    fn step(
        &mut self,
        start: &Start<S, D>,
        memory: &mut Memory,
        inner_steps: &mut u32,
    ) -> Result<Accepted<D>, SolverError> {
        let (system, t, end) = (self.system, start.t, self.end);
        let Limits { longest, growth_rate } = system.limits(t, &start.at, &start.x, &start.f);
        let shortest = shortest(end);
        let mut rejected: Option<Rejected> = None;
        // Once from each start: a step over several crossings could be cut to ever shorter ones.
        let mut is_cut = false;
        loop {
            *inner_steps += 1;
            if memory.limit.is_spent() {
                return Err(SolverError::TooManySteps { t, limit: memory.limit.limit() });
            }
            let relaxation = memory.limit.count();
            let rest = end - t;
            let mut h = smaller(self.h, longest * relaxation);
            // The step before the last is at most half of the rest, so that no tiny step is left.
            let is_final = h >= rest * (1.0 - 1e-9);
            h = if is_final { rest } else { smaller(h, 0.5 * rest) };
            let takes_any = relaxation >= EXCEEDED || h <= shortest;
            let guess = self
                .last
                .as_ref()
                .filter(|_| is_on(Method::Extrapolation))
                .map(|last| extrapolate(&last.w, h / last.h));
            let solved = start.solve(system, h, guess, self.last.as_ref().map_or(0.0, |last| last.contraction));
            let step = match solved {
                Some(step) => step,
                None if takes_any => {
                    if relaxation >= EXCEEDED {
                        // The estimate does not see what an Euler step leaves out.
                        memory.limit.accept(UNKNOWN);
                    }
                    start.euler(system, h)
                }
                None => {
                    (self.h, self.last) = (h * FACTOR_WITHOUT_SOLUTION, None);
                    rejected = Some(Rejected { h: f64::INFINITY, error: f64::INFINITY });
                    continue;
                }
            };
            if !takes_any && system.passes_over(&start.at, &start.x, &step.at[2], &step.states[2]) {
                rejected = Some(Rejected { h: f64::INFINITY, error: f64::INFINITY });
                self.h = h * MIN_FACTOR;
                continue;
            }
            let Estimate { mut error, mut excess } = estimate(system, start, &step, end, rejected);
            if error <= 1.0
                && relaxation == 1.0
                && !is_cut
                && system.is_linear()
                && let Some(share) = start.crossing(system, &step, self.tolerance)
                && (CROSSINGS[0]..CROSSINGS[1]).contains(&share)
            {
                (self.h, is_cut) = (h * share, true);
                continue;
            }
            let accepts = |error: f64| error <= relaxation || takes_any && error.is_finite();
            let end_of_step = accepts(error).then(|| end_of(system, start, &step));
            if let Some(End { totals_error, .. }) = end_of_step
                && totals_error > 0.0
            {
                let share = (h / end).max(MIN_TOTALS_SHARE);
                error = error.max(totals_error / (share * TOTALS_TOLERANCE * self.tolerance));
                excess = excess.max(error.sqrt());
            }
            let Some(end_of_step) = end_of_step.filter(|_| accepts(error)) else {
                if h <= shortest {
                    return Err(SolverError::StepTooSmall { t });
                }
                rejected = Some(Rejected { h, error });
                self.h = h * if error.is_finite() { (SAFETY / excess).max(MIN_FACTOR) } else { MIN_FACTOR };
                continue;
            };
            if error > 1.0 {
                // Errors of the states above the tolerance may change F_R by more than their scale.
                memory.limit.accept((error * self.tolerance).min(UNKNOWN));
            }
            let relaxed = excess / relaxation.sqrt().sqrt();
            self.h = h * self.factor(h, [excess, relaxed], relaxation > 1.0, rejected.is_some());
            if t == 0.0 {
                memory.first_step = self.h;
            }
            self.last = Some(Last { h, excess: relaxed, contraction: step.contraction, w: step.w });
            if let Some(part) = self.event(start, &step, relaxation, memory) {
                let step = start.cut(system, &step, part);
                let end = end_of(system, start, &step);
                return Ok(Accepted { growth: step.h * growth_rate, end, reached: t + step.h, is_event: true });
            }
            let reached = if is_final { end } else { t + h };
            return Ok(Accepted { growth: h * growth_rate, end: end_of_step, reached, is_event: false });
        }
    }

    /// Factor from an accepted step of length `h` to the next one, where `excess` is its length over that with the error allowed: in full,
    /// and with the tolerance relaxed. In steps that keep the tolerance it follows the trend (Gustafsson's controller).
    #[inline(always)]
    fn factor(&self, h: f64, [excess, relaxed]: [f64; 2], is_relaxed: bool, was_rejected: bool) -> f64 {
        if is_relaxed {
            return SAFETY / relaxed;
        }
        let trend = self
            .last
            .as_ref()
            .filter(|_| is_on(Method::Trend))
            .map_or(f64::INFINITY, |last| h / last.h * last.excess / (excess * excess));
        let factor = (SAFETY * smaller(trend, 1.0 / excess)).clamp(STEP_FACTORS[0], STEP_FACTORS[1]);
        if was_rejected { factor.min(1.0) } else { factor }
    }

    /// Share of an accepted step at which an event ends it. Beyond one and a half times the limit of inner steps events are left out,
    /// and F_R is unknown.
    #[inline(always)]
    fn event(&self, start: &Start<S, D>, step: &Step<S, D>, relaxation: f64, memory: &mut Memory) -> Option<f64> {
        if !S::IS_HYBRID {
            return None;
        }
        let part = self.system.event(&start.polynomial(step))?;
        if relaxation >= EXCEEDED {
            memory.limit.accept(UNKNOWN);
            return None;
        }
        Some(part)
    }
}

#[inline(always)]
fn start_of<S: System<D>, const D: usize>(system: &S, t: f64, x: &State<D>, allowed: f64) -> Start<S, D> {
    let at = system.at(t);
    let f = system.linearised(&at, x);
    let weights = weights(system, &at, x, &f, allowed);
    Start { t, at, x: *x, f, weights, allowed }
}

/// The increments of a step, extrapolated to the next one, which is `ratio` times as long.
#[inline(always)]
fn extrapolate<const D: usize>(w: &Stages<D>, ratio: f64) -> Stages<D> {
    let [a, b, c] = array::from_fn(|k| combine(&STAGE_POLYNOMIALS.map(|stage| stage[k]), w));
    NODES.map(|node| {
        let s = node * ratio;
        array::from_fn(|i| s * (a[i] + 2.0 * b[i] + 3.0 * c[i] + s * (b[i] + 3.0 * c[i] + s * c[i])))
    })
}

/// End of a step, and what it adds up to.
struct End<const D: usize> {
    x: State<D>,
    totals: Totals<D>,
    /// Estimated error of the totals over their scales, the larger one; 0 where that of the states stands for it.
    totals_error: f64,
}

/// End of a step with its totals, by the quadrature on its stages. It is as accurate as the states where the force is linear in the rate and the
/// states, and the inputs are linear in time.
#[inline(always)]
fn end_of<S: System<D>, const D: usize>(system: &S, start: &Start<S, D>, step: &Step<S, D>) -> End<D> {
    let h = step.h;
    let states = &step.states;
    let rates = transform(&INVERSE, &step.w);
    let mut totals = Totals::ZERO;
    let (mut forces, mut powers) = ([[0.0; D]; 3], [0.0; 3]);
    for s in 0..3 {
        let rate = array::from_fn(|i| rates[s][i] / h);
        let (force, power) = system.force(&step.at[s], &states[s], &rate);
        (forces[s], powers[s]) = (force, power);
        let weight = h * WEIGHTS[s];
        totals.add(&Totals { work: weight * power, impulse: force.map(|force| weight * force) });
    }
    let has_kink = !S::FORCE_IS_LINEAR && !start.is_on_one_branch(system, step);
    let mut totals_error = 0.0;
    let is_linear = system.is_linear();
    if has_kink || is_linear || system.inputs_are_curved() {
        // A transient of a linear system that the step passes over has no part in its polynomial; its impulse is the change of the state.
        let first = STAGE_POLYNOMIALS.map(|[first, ..]| first);
        let rate = if is_linear { combine(&first, &step.w).map(|change| change / h) } else { start.f.rate };
        let (force, power) = system.force(&start.at, &start.x, &rate);
        let [work, impulse] = system.scales_of_totals();
        let of = |start, stages, scale| match quadrature_error(start, stages, h, !has_kink) {
            error if error > 0.0 => error / scale,
            _ => 0.0,
        };
        totals_error = of(power, powers, work);
        if has_kink || is_linear {
            // At rest the power is 0 at any force.
            totals_error =
                (0..D).fold(totals_error, |most, i| most.max(of(force[i], forces.map(|force| force[i]), impulse)));
        }
    }
    End { x: states[2], totals, totals_error }
}
