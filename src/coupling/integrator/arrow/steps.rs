//! Steps of the body: their start, solution, estimate and totals.

use super::elimination::eliminate;
use super::unknown::{Unknown, row, shift};
use super::{Arrow, Bodies, BodyContact, Branch, Rates};
use crate::coupling::contact::ContactScales;
use crate::integrate::extrema::larger;
use crate::law::StepLimits;
use crate::ode::tableau::{ESTIMATE, GAMMA, NODES, WEIGHTS};
use crate::ode::{
    Convergence, Estimate, Limits, Outcome, ROUNDING, Rejected, Steps, Verdict, quadrature_error,
};
use crate::vector::{add, dot, size};

/// Lower bound on the error scale of v, over the largest v in the interval, where F_s is
/// negligible.
const RELATIVE_VELOCITY: f64 = 1e-3;
/// Error of a number near 0 that is rounding.
const LEAST_ERROR: f64 = 1e-100;

/// A step from the time `t` (s) on, with its length (s) and the contraction of its iteration.
pub struct Solved {
    t: f64,
    h: f64,
    contraction: f64,
}

/// End of a step.
pub struct End {
    /// Length of the step, s.
    h: f64,
    /// Error of the impulses over their scales.
    error: f64,
}

impl<C: BodyContact + ?Sized> Steps for Bodies<'_, C> {
    /// Time, s.
    type Start = f64;
    type Step = Solved;
    type End = End;
    /// Each unknown has its own.
    type Increments = ();

    fn start(&mut self, t: f64, allowed: f64) -> f64 {
        let (body, interval) = (self.body, self.interval);
        for j in 0..body.size {
            self.arrow.coordinates[j].rate = self.load(j, t);
        }
        for i in 0..self.contacts.len() {
            if self.is_open(i) {
                continue;
            }
            let (at, x) = (self.contact(i, t, |x| x.u), self.states_of(i, |x| x.u));
            let Arrow {
                coordinates,
                branches,
                states,
                count,
                ..
            } = &mut *self.arrow;
            let branch = &mut branches[i];
            let law = &self.contacts[i];
            let here = law.linearise(at, &x, &self.modes[i], interval.tolerance, &mut branch.by);
            branch.start_v = [at.v, at.v_y];
            branch.start_force = [here.F_R, here.F_R_y];
            for (j, y) in coordinates.iter_mut().enumerate() {
                y.rate -= body.effect(i, j, branch.start_force);
            }
            branch.scales = law.scales(at, &x, interval.duration);
            let ContactScales {
                v,
                x: scales,
                force,
                ..
            } = branch.scales;
            let speed = at.v.abs() + at.v_y.abs() + branch.pushed;
            let v = v
                .min(force * interval.duration * body.mobility(i))
                .max(RELATIVE_VELOCITY * speed);
            branch.weight = branch.start_v.map(|at| weight(v * allowed, at));
            for (k, unknown) in states[i * *count..][..*count].iter_mut().enumerate() {
                (unknown.rate, unknown.weight) = (here.rate[k], weight(scales[k] * allowed, x[k]));
            }
        }
        t
    }

    fn limits(&self, _: &f64) -> Limits {
        let of = |limits: &StepLimits| limits.longest.min(1.0 / limits.growth_rate);
        let longest = self
            .arrow
            .closed()
            .map(|(_, branch, _)| of(&branch.scales.limits));
        Limits {
            longest: longest.fold(f64::INFINITY, f64::min),
            growth_rate: 0.0,
        }
    }

    fn solve(
        &mut self,
        t: &f64,
        h: f64,
        last: Option<(&(), f64)>,
        contraction: f64,
    ) -> Option<Solved> {
        self.factorise(GAMMA / h);
        let Arrow {
            branches,
            count,
            complex,
            ..
        } = &mut *self.arrow;
        eliminate(self.body, *count, branches, shift(h), complex, |branch| {
            (&branch.by, &mut branch.complex)
        });
        let ratio = last.map(|(_, ratio)| ratio);
        self.arrow.unknowns().for_each(|x| x.guess(ratio));
        let mut convergence = Convergence::new(contraction);
        loop {
            match convergence.judge(self.iterate(*t, h)) {
                Verdict::Open => {}
                Verdict::Converged => {
                    return Some(Solved {
                        t: *t,
                        h,
                        contraction: convergence.contraction,
                    });
                }
                Verdict::Diverged => return None,
            }
        }
    }

    fn euler(&mut self, t: &f64, h: f64) -> Solved {
        self.factorise(1.0 / h);
        self.arrow.unknowns().for_each(|x| x.error = x.rate);
        self.solve_real();
        self.factorise(GAMMA / h);
        self.arrow
            .unknowns()
            .for_each(|x| x.w = NODES.map(|c| c * x.error));
        Solved {
            t: *t,
            h,
            contraction: 0.0,
        }
    }

    fn passes_over(&self, _: &f64, step: &Solved) -> bool {
        self.arrow.closed().any(|(i, branch, _)| {
            let end = self.contact(i, step.t + step.h, |x| x.u + x.w[2]);
            let change = size(add([end.v, end.v_y], -1.0, branch.start_v));
            change > 2.0 * branch.scales.limits.max_dv
        })
    }

    fn estimate(
        &mut self,
        _: &f64,
        step: &Solved,
        interval: f64,
        rejected: Option<Rejected>,
    ) -> Estimate {
        let Solved { t, h, .. } = *step;
        self.arrow
            .unknowns()
            .for_each(|x| x.error = x.rate + row(&ESTIMATE, &x.w) / h);
        self.solve_real();
        let mut error = self.size(|x| [x.error, 0.0, 0.0]);
        if rejected.is_some_and(|last| last.leaves_transient(error, h)) {
            for j in 0..self.body.size {
                self.arrow.coordinates[j].again = self.load(j, t);
            }
            for i in 0..self.contacts.len() {
                if self.is_open(i) {
                    continue;
                }
                let Rates {
                    force,
                    states: rates,
                    ..
                } = self.rates(i, t, |x| x.u + x.error);
                let Arrow {
                    coordinates,
                    states,
                    count,
                    ..
                } = &mut *self.arrow;
                for (j, y) in coordinates.iter_mut().enumerate() {
                    y.again -= self.body.effect(i, j, force);
                }
                states[i * *count..][..*count]
                    .iter_mut()
                    .zip(rates)
                    .for_each(|(x, rate)| x.again = rate);
            }
            self.arrow
                .unknowns()
                .for_each(|x| x.error = x.again + row(&ESTIMATE, &x.w) / h);
            self.solve_real();
            error = Estimate::filtered(
                error,
                self.size(|x| [x.error, 0.0, 0.0]),
                error * h / interval,
            );
        }
        Estimate::of_order_3(error)
    }

    fn end(&mut self, _: &f64, step: &Solved) -> End {
        let Solved { t, h, .. } = *step;
        let mut error: f64 = 0.0;
        for i in 0..self.contacts.len() {
            if self.is_open(i) {
                continue;
            }
            let stages = [0, 1, 2].map(|s| self.rates(i, t + NODES[s] * h, |x| x.u + x.w[s]));
            let branch = &mut self.arrow.branches[i];
            let of = |axis: usize| stages.map(|stage| stage.force[axis]);
            let powers = stages.map(|stage| dot(stage.v, stage.force));
            branch.impulse = [0, 1].map(|axis| h * row(&WEIGHTS, &of(axis)));
            branch.loss = h * row(&WEIGHTS, &powers);
            let scale = branch.scales.force * self.interval.duration;
            for axis in 0..self.body.axes {
                let off = quadrature_error(branch.start_force[axis], of(axis), h, true);
                error = larger(if off > 0.0 { off / scale } else { 0.0 }, error);
            }
        }
        End { h, error }
    }

    fn totals_error(end: &End) -> f64 {
        end.error
    }

    fn outcome(step: Solved) -> Outcome<()> {
        Outcome {
            contraction: step.contraction,
            increments: (),
        }
    }

    fn event(&self, _: &f64, step: &Solved) -> Option<f64> {
        let Solved { t, h, .. } = *step;
        let first = |(i, branch, _): (usize, &Branch, &[Unknown])| {
            self.contacts[i].first_event(
                &self.path(i, t, h),
                &self.modes[i],
                self.from + t,
                h,
                branch.least_force,
            )
        };
        if self.has_modes {
            self.arrow.closed().filter_map(first).reduce(f64::min)
        } else {
            None
        }
    }

    fn length(step: &Solved) -> f64 {
        step.h
    }

    fn cut(&mut self, _: &f64, step: &Solved, part: f64) -> Solved {
        self.arrow.unknowns().for_each(|x| x.cut(part));
        Solved {
            h: part * step.h,
            ..*step
        }
    }

    fn accept(&mut self, End { h, .. }: End) {
        for (y, travel) in self.arrow.coordinates.iter().zip(&mut self.totals.travel) {
            *travel += h * (y.u + row(&WEIGHTS, &y.w));
        }
        for (i, branch, _) in self.arrow.closed() {
            self.totals.mean[i] = add(self.totals.mean[i], 1.0, branch.impulse);
            self.totals.loss[i] += branch.loss;
        }
        self.arrow
            .unknowns()
            .for_each(|x| (x.u, x.last) = (x.u + x.w[2], x.w));
    }
}

/// 1 over the error allowed of a number.
fn weight(allowed: f64, value: f64) -> f64 {
    1.0 / (allowed + ROUNDING * value.abs() + LEAST_ERROR)
}
