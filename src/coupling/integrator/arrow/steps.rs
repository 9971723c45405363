//! Steps of the body: their start, solution, estimate and totals.

use super::elimination::eliminate;
use super::unknown::{row, shift};
use super::{Arrow, Bodies, BodyContact, Branch, Rates};
use crate::coupling::contact::ContactScales;
use crate::integrate::extrema::larger;
use crate::integrate::polynomial::taylor;
use crate::law::{BlockStep, StepLimits};
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
        let (body, interval) = (self.body, self.forces.interval);
        for j in 0..body.size {
            self.arrow.coordinates[j].rate = self.free_rate(j, t, |y| y.u);
        }
        self.weigh_coordinates(t, allowed);
        for i in 0..self.forces.contacts.len() {
            if !self.acts(i) {
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
            let law = &self.forces.contacts[i];
            let here = law.linearise(
                at,
                &x,
                &self.forces.modes[i],
                interval.tolerance,
                &mut branch.by,
            );
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
            .acting()
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
        self.arrow.acting().any(|(i, branch, _)| {
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
                self.arrow.coordinates[j].again = self.free_rate(j, t, |y| y.u + y.error);
            }
            for i in 0..self.forces.contacts.len() {
                if !self.acts(i) {
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
        for i in 0..self.forces.contacts.len() {
            if self.arrow.branches[i].is_stuck {
                let force = self.applied(i, t, h);
                let branch = &mut self.arrow.branches[i];
                branch.impulse = [h * force.integral().at(1.0), 0.0];
                branch.loss = 0.0;
            }
            if !self.acts(i) {
                continue;
            }
            let stages = [0, 1, 2].map(|s| self.rates(i, t + NODES[s] * h, |x| x.u + x.w[s]));
            let branch = &mut self.arrow.branches[i];
            let of = |axis: usize| stages.map(|stage| stage.force[axis]);
            let powers = stages.map(|stage| dot(stage.v, stage.force));
            branch.impulse = [0, 1].map(|axis| h * row(&WEIGHTS, &of(axis)));
            branch.loss = h * row(&WEIGHTS, &powers);
            let scale = branch.scales.force * self.forces.interval.duration;
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
        let first = |(i, branch): (usize, &Branch)| {
            self.forces.contacts[i].first_event(
                &self.path(i, t, h),
                &self.forces.modes[i],
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
        for (i, branch) in self.arrow.closed() {
            self.totals.mean[i] = add(self.totals.mean[i], 1.0, branch.impulse);
            self.totals.loss[i] += branch.loss;
        }
        self.arrow
            .unknowns()
            .for_each(|x| (x.u, x.last) = (x.u + x.w[2], x.w));
    }
}

impl<C: BodyContact + ?Sized> Bodies<'_, C> {
    /// Sets the errors allowed of positions and velocities of bodies inside an element, with the
    /// largest force on any of them: v counts what it changes v by within the step or a
    /// millisecond, x what v changes it by within the step, at most the deflection of its springs
    /// under that force.
    fn weigh_coordinates(&mut self, t: f64, allowed: f64) {
        let (body, interval) = (self.body, self.forces.interval);
        let free = self.forces.body;
        let time = interval.duration.min(BlockStep::SCALE_TIME);
        let count = body.roots.len();
        let mut push = 0.0_f64;
        for i in (0..self.forces.contacts.len()).filter(|_| count > 0) {
            let normal = interval.largest_normal(i).max(0.0);
            let limit = self.forces.contacts[i].static_force_under(normal);
            push = push.max(limit.min(normal) * free.mobility(i).sqrt());
        }
        for (j, root) in body.roots.iter().enumerate() {
            let drift = free.own(count + j).iter().zip(&self.arrow.coordinates);
            let load = taylor(&interval.load[count + j], self.from + t).abs();
            push = push.max(root * drift.fold(load, |sum, (a, y)| sum + (a * y.u).abs()));
        }
        for (j, root) in body.roots.iter().enumerate() {
            let (acceleration, stiffness) = (push / root, free.own(count + j)[j].abs());
            let [x, v] = [j, count + j].map(|j| self.arrow.coordinates[j].u.abs());
            let of_v = (acceleration * time).max(BlockStep::RELATIVE * v);
            let of_x = (acceleration * time * interval.duration).max(BlockStep::RELATIVE * x);
            let of_x = of_x.min(acceleration / stiffness);
            self.arrow.coordinates[j].weight = weight(of_x * allowed, x);
            self.arrow.coordinates[count + j].weight = weight(of_v * allowed, v);
        }
    }
}

/// 1 over the error allowed of a number.
fn weight(allowed: f64, value: f64) -> f64 {
    1.0 / (allowed + ROUNDING * value.abs() + LEAST_ERROR)
}
