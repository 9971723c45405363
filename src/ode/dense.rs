//! Steps of a [`System`], with dense matrices of its axes.

use super::collocation::{Stages, Start, Step, combine, transform};
use super::estimate::{Estimate, Rejected, estimate, quadrature_error, weights};
use super::steps::{Course, Outcome, Steps, control};
use super::tableau::{INVERSE, NODES, STAGE_POLYNOMIALS, WEIGHTS};
use super::{Done, Integrands, Limits, State, System, Totals};
use crate::integrate::SolverError;
use crate::integrate::memory::Memory;
use core::array;

/// Growth of errors, as the exponent of e, up to which an integration is not repeated: most errors
/// of inner steps are far below their share of the tolerance. Larger: without a repetition, draw
/// 747 of `cards::block_steps` is off by 4 to 38 tolerances at most tolerances; smaller: with 1,
/// blocks on FrDyn2 take an eighth more inner steps.
const ACCEPTED_GROWTH: f64 = 2.0;
/// Least share of the tolerance with which it is repeated.
const REFINEMENT: f64 = 1e-2;

/// Advances as [`advance`] does, and again with a finer tolerance where errors have grown.
pub fn advance_growing<S: System<D>, const D: usize>(
    system: &S,
    x: &mut State<D>,
    end: f64,
    tolerance: f64,
    memory: &mut Memory,
) -> Result<Done<D>, SolverError> {
    let mut again = *x;
    let done = advance(system, x, end, tolerance, memory)?;
    if done.growth <= ACCEPTED_GROWTH || memory.limit.left() <= done.inner_steps {
        return Ok(done);
    }
    let tolerance = libm::exp(ACCEPTED_GROWTH - done.growth).max(REFINEMENT) * tolerance;
    let mut of_repetition = Memory {
        first_step: 0.0,
        ..*memory
    };
    let outcome = advance(system, &mut again, end, tolerance, &mut of_repetition);
    memory.limit = of_repetition.limit;
    let Ok(repeated) = outcome else {
        return Ok(done);
    };
    *x = again;
    Ok(Done {
        inner_steps: done.inner_steps + repeated.inner_steps,
        ..repeated
    })
}

/// Advances `x` from time 0 to `end` (s, > 0), or to the first event before. The error of each
/// inner step is a share of `tolerance` relative to [`System::scale`]; `memory` keeps the length of
/// the first step for the next interval, and counts inner steps: beyond their limit the tolerance
/// is relaxed. After an error `x` holds the states at the time reached.
pub fn advance<S: System<D>, const D: usize>(
    system: &S,
    x: &mut State<D>,
    end: f64,
    tolerance: f64,
    memory: &mut Memory,
) -> Result<Done<D>, SolverError> {
    let mut dense = Dense {
        system,
        x,
        totals: Totals::ZERO,
    };
    let Course {
        inner_steps,
        growth,
        duration,
    } = control(&mut dense, end, tolerance, memory)?;
    Ok(Done {
        totals: dense.totals,
        inner_steps,
        growth,
        duration,
    })
}

/// A system with its states and totals.
struct Dense<'a, S, const D: usize> {
    system: &'a S,
    x: &'a mut State<D>,
    totals: Totals<D>,
}

impl<S: System<D>, const D: usize> Steps for Dense<'_, S, D> {
    type Start = Start<S, D>;
    type Step = Step<S, D>;
    type End = End<D>;
    type Increments = Stages<D>;

    #[inline(always)]
    fn is_linear(&self) -> bool {
        self.system.is_linear()
    }

    #[inline(always)]
    fn closed_form(&mut self, rest: f64, is_start: bool) -> bool {
        let totals = self.system.closed_form(self.x, rest, is_start);
        if let Some(totals) = &totals {
            self.totals.add(totals);
        }
        totals.is_some()
    }

    #[inline(always)]
    fn start(&mut self, t: f64, allowed: f64) -> Start<S, D> {
        start_of(self.system, t, self.x, allowed)
    }

    #[inline(always)]
    fn limits(&self, start: &Start<S, D>) -> Limits {
        self.system.limits(start.t, &start.at, &start.x, &start.f)
    }

    #[inline(always)]
    fn solve(
        &mut self,
        start: &Start<S, D>,
        h: f64,
        last: Option<(&Stages<D>, f64)>,
        contraction: f64,
    ) -> Option<Step<S, D>> {
        start.solve(
            self.system,
            h,
            last.map(|(increments, ratio)| extrapolate(increments, ratio)),
            contraction,
        )
    }

    #[inline(always)]
    fn euler(&mut self, start: &Start<S, D>, h: f64) -> Step<S, D> {
        start.euler(self.system, h)
    }

    #[inline(always)]
    fn passes_over(&self, start: &Start<S, D>, step: &Step<S, D>) -> bool {
        self.system
            .passes_over(&start.at, &start.x, &step.at, &step.states)
    }

    #[inline(always)]
    fn estimate(
        &mut self,
        start: &Start<S, D>,
        step: &Step<S, D>,
        interval: f64,
        rejected: Option<Rejected>,
    ) -> Estimate {
        estimate(self.system, start, step, interval, rejected)
    }

    #[inline(always)]
    fn crossing(&self, start: &Start<S, D>, step: &Step<S, D>, margin: f64) -> Option<f64> {
        start.crossing(self.system, step, margin)
    }

    #[inline(always)]
    fn end(&mut self, start: &Start<S, D>, step: &Step<S, D>) -> End<D> {
        end_of(self.system, start, step)
    }

    #[inline(always)]
    fn totals_error(end: &End<D>) -> f64 {
        end.totals_error
    }

    #[inline(always)]
    fn outcome(step: Step<S, D>) -> Outcome<Stages<D>> {
        Outcome {
            contraction: step.contraction,
            increments: step.w,
        }
    }

    #[inline(always)]
    fn event(&self, start: &Start<S, D>, step: &Step<S, D>) -> Option<f64> {
        if S::IS_HYBRID {
            self.system.event(&start.polynomial(step))
        } else {
            None
        }
    }

    #[inline(always)]
    fn length(step: &Step<S, D>) -> f64 {
        step.h
    }

    #[inline(always)]
    fn cut(&mut self, start: &Start<S, D>, step: &Step<S, D>, part: f64) -> Step<S, D> {
        start.cut(self.system, step, part)
    }

    #[inline(always)]
    fn accept(&mut self, end: End<D>) {
        *self.x = end.x;
        self.totals.add(&end.totals);
    }
}

#[inline(always)]
fn start_of<S: System<D>, const D: usize>(
    system: &S,
    t: f64,
    x: &State<D>,
    allowed: f64,
) -> Start<S, D> {
    let at = system.at(t);
    let f = system.linearised(&at, x);
    let weights = weights(system, &at, x, &f, allowed);
    Start {
        t,
        at,
        x: *x,
        f,
        weights,
        allowed,
    }
}

/// The increments of a step, extrapolated to the next one, which is `ratio` times as long.
#[inline(always)]
fn extrapolate<const D: usize>(w: &Stages<D>, ratio: f64) -> Stages<D> {
    let [a, b, c] = array::from_fn(|k| combine(&STAGE_POLYNOMIALS.map(|stage| stage[k]), w));
    NODES.map(|node| {
        let s = node * ratio;
        array::from_fn(|i| {
            s * (a[i] + 2.0 * b[i] + 3.0 * c[i] + s * (b[i] + 3.0 * c[i] + s * c[i]))
        })
    })
}

/// End of a step, and what it adds up to.
pub struct End<const D: usize> {
    x: State<D>,
    totals: Totals<D>,
    /// Estimated error of the totals over their scales, the larger one; 0 where that of the states
    /// stands for it.
    totals_error: f64,
}

/// End of a step with its totals, by the quadrature on its stages. It is as accurate as the states
/// where the force is linear in the rate and the states, and the inputs are linear in time.
#[inline(always)]
fn end_of<S: System<D>, const D: usize>(
    system: &S,
    start: &Start<S, D>,
    step: &Step<S, D>,
) -> End<D> {
    let h = step.h;
    let states = &step.states;
    let rates = transform(&INVERSE, &step.w);
    let mut totals = Totals::ZERO;
    let (mut forces, mut powers) = ([[0.0; D]; 3], [0.0; 3]);
    for s in 0..3 {
        let rate = array::from_fn(|i| rates[s][i] / h);
        let Integrands { power, force } = system.force(&step.at[s], &states[s], &rate);
        (forces[s], powers[s]) = (force, power);
        let weight = h * WEIGHTS[s];
        totals.add(&Totals {
            work: weight * power,
            impulse: force.map(|force| weight * force),
        });
    }
    let has_kink = !S::FORCE_IS_LINEAR && !start.is_on_one_branch(system, step);
    let mut totals_error = 0.0;
    let is_linear = system.is_linear();
    if has_kink || is_linear || system.inputs_are_curved() {
        // A transient of a linear system that the step passes over has no part in its polynomial;
        // its impulse is the change of the state.
        let first = STAGE_POLYNOMIALS.map(|[first, ..]| first);
        let rate = if is_linear {
            combine(&first, &step.w).map(|change| change / h)
        } else {
            start.f.rate
        };
        let Integrands { power, force } = system.force(&start.at, &start.x, &rate);
        let scales = system.scales_of_totals();
        let of = |start, stages, scale| match quadrature_error(start, stages, h, !has_kink) {
            error if error > 0.0 => error / scale,
            _ => 0.0,
        };
        totals_error = of(power, powers, scales.work);
        if has_kink || is_linear {
            // At rest the power is 0 at any force.
            totals_error = (0..D).fold(totals_error, |most, i| {
                most.max(of(force[i], forces.map(|force| force[i]), scales.impulse))
            });
        }
    }
    End {
        x: states[2],
        totals,
        totals_error,
    }
}
