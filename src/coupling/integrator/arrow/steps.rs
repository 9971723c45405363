//! Steps of the body: their start, solution, estimate and totals.

use super::elimination::eliminate;
use super::unknown::{Unknown, row, shift};
use super::{Arrow, Bodies, BodyContact, Branch, Forces, Rates};
use crate::coupling::contact::{ContactScales, LawState};
use crate::integrate::extrema::larger;
use crate::integrate::polynomial::taylor;
use crate::law::{BlockStep, Contact, Evaluation, MAX_STATES, StepLimits, longest_at};
use crate::ode::tableau::{ESTIMATE, GAMMA, NODES, WEIGHTS};
use crate::ode::{
    BY_DEFECT, Convergence, Estimate, Limits, Outcome, PLACES, ROUNDING, Rejected, Steps, Verdict,
    quadrature_error,
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
            let (at, x, here) = self.linearise(i, t, |x| x.u);
            let Arrow {
                coordinates,
                branches,
                states,
                count,
                ..
            } = &mut *self.arrow;
            let branch = &mut branches[i];
            let law = &self.forces.contacts[i];
            branch.branch = law.branch(at, &x);
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
            let pushed = force * interval.duration * body.mobility(i);
            let v = if *count == 0 {
                // F_R follows v at once.
                v.min(pushed.max(RELATIVE_VELOCITY * speed))
            } else {
                v.min(pushed).max(RELATIVE_VELOCITY * speed)
            };
            branch.weight = branch.start_v.map(|at| weight(v * allowed, at));
            for (k, unknown) in states[i * *count..][..*count].iter_mut().enumerate() {
                (unknown.rate, unknown.weight) = (here.rate[k], weight(scales[k] * allowed, x[k]));
            }
        }
        t
    }

    fn limits(&self, _: &f64) -> Limits {
        let of = |limits: &StepLimits| limits.longest.min(longest_at(limits.growth_rate));
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
        let Solved { t, h, .. } = *step;
        self.arrow.acting().any(|(i, branch, states)| {
            let at = |s: usize| self.contact(i, t + NODES[s] * h, |x| x.u + x.w[s]);
            let end = at(2);
            let change = size(add([end.v, end.v_y], -1.0, branch.start_v));
            if change > 2.0 * branch.scales.limits.max_dv {
                return true;
            }
            if states.is_empty() {
                return false;
            }
            let contacts = [self.contact(i, t, |x| x.u), at(0), at(1), end];
            let [first, second, last] = [0, 1, 2].map(|s| self.states_of(i, |x| x.u + x.w[s]));
            let x = [self.states_of(i, |x| x.u), first, second, last];
            let tolerance = self.forces.interval.tolerance;
            self.forces.contacts[i].passes_over(&contacts, &x, tolerance)
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
            self.rates_again(t, |x| x.u + x.error);
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
        self.arrow.of_kink = 0.0;
        if error <= 1.0 && self.changes_branch(t + h) {
            error = larger(self.across_branches(step), error);
        }
        Estimate::of_order_3(error)
    }

    fn end(&mut self, _: &f64, step: &Solved) -> End {
        let Solved { t, h, .. } = *step;
        let mut error: f64 = self.arrow.of_kink;
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
        let contacts = self.arrow.closed().filter(|_| self.has_modes);
        let of_contacts = contacts.filter_map(first).reduce(f64::min);
        let coordinate = |j: usize| self.arrow.coordinates[j].polynomial();
        let of_gaps = self.gaps.first_event(self.from + t, h, coordinate);
        of_contacts.into_iter().chain(of_gaps).reduce(f64::min)
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
    /// Linearises the law of a contact at a time (s); returns the contact with its states, and
    /// force and rates there.
    fn linearise(
        &mut self,
        i: usize,
        t: f64,
        of: impl Fn(&Unknown) -> f64 + Copy,
    ) -> (Contact, LawState, Evaluation<MAX_STATES>) {
        let (at, x) = (self.contact(i, t, of), self.states_of(i, of));
        let Forces {
            contacts,
            modes,
            interval,
            ..
        } = &self.forces;
        let by = &mut self.arrow.branches[i].by;
        let here = contacts[i].linearise(at, &x, &modes[i], interval.tolerance, by);
        (at, x, here)
    }

    /// Linearises the laws of all contacts at a time (s).
    fn linearise_all(&mut self, t: f64, of: impl Fn(&Unknown) -> f64 + Copy) {
        for i in 0..self.forces.contacts.len() {
            if self.acts(i) {
                self.linearise(i, t, of);
            }
        }
    }

    /// Calculates the rates of all unknowns at a time (s), in the place of those `again`.
    fn rates_again(&mut self, t: f64, of: impl Fn(&Unknown) -> f64 + Copy) {
        for j in 0..self.body.size {
            self.arrow.coordinates[j].again = self.free_rate(j, t, of);
        }
        for i in 0..self.forces.contacts.len() {
            if !self.acts(i) {
                continue;
            }
            let Rates {
                force,
                states: rates,
                ..
            } = self.rates(i, t, of);
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
    }

    /// Whether a contact is on another branch at the end of a step, at this time (s).
    fn changes_branch(&self, end: f64) -> bool {
        let of = |x: &Unknown| x.u + x.w[2];
        self.arrow.acting().any(|(i, branch, _)| {
            let (at, x) = (self.contact(i, end, of), self.states_of(i, of));
            self.forces.contacts[i].branch(at, &x) != branch.branch
        })
    }

    /// Error of a step that ends on another branch: that of order 3 by the derivatives there, and
    /// those of states and impulses by the defect at [`PLACES`].
    #[cold]
    fn across_branches(&mut self, step: &Solved) -> f64 {
        let Solved { t, h, .. } = *step;
        self.linearise_all(t + h, |x| x.u + x.w[2]);
        self.factorise(GAMMA / h);
        self.arrow
            .unknowns()
            .for_each(|x| x.error = x.rate + row(&ESTIMATE, &x.w) / h);
        self.solve_real();
        let mut error = self.size(|x| [x.error, 0.0, 0.0]);
        for place in PLACES {
            let at = |x: &Unknown| x.polynomial().at(place);
            self.rates_again(t + place * h, at);
            self.arrow
                .unknowns()
                .for_each(|x| x.error = x.again - x.slope(place) / h);
            self.solve_real();
            // The distance from the slow motion; it decays.
            self.arrow
                .unknowns()
                .for_each(|x| x.error *= GAMMA * BY_DEFECT * GAMMA / h);
            self.solve_real();
            error = larger(self.size(|x| [x.error, 0.0, 0.0]), error);
            self.arrow.of_kink = larger(self.kink_of_impulse(step, place), self.arrow.of_kink);
        }
        self.linearise_all(t, |x| x.u);
        error
    }

    /// Error of the impulses of a step with a kink over their scales, by the distance of the forces
    /// at this share of it from the parabola through the stages.
    fn kink_of_impulse(&self, step: &Solved, share: f64) -> f64 {
        let Solved { t, h, .. } = *step;
        let mut error = 0.0;
        for (i, branch, _) in self.arrow.acting() {
            let force = self
                .rates(i, t + share * h, |x| x.polynomial().at(share))
                .force;
            let stages = [0, 1, 2].map(|s| self.rates(i, t + NODES[s] * h, |x| x.u + x.w[s]).force);
            let scale = branch.scales.force * self.forces.interval.duration;
            for (axis, force) in force.into_iter().enumerate().take(self.body.axes) {
                let parabola = through_stages(&stages.map(|force| force[axis]), share);
                let distance = (force - parabola).abs();
                error = larger(BY_DEFECT * h * distance / scale, error);
            }
        }
        error
    }

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

/// Value at a share of a step of the parabola through its stages.
fn through_stages(stages: &[f64; 3], share: f64) -> f64 {
    let [a, b, c] = NODES;
    stages[0] * (share - b) * (share - c) / ((a - b) * (a - c))
        + stages[1] * (share - a) * (share - c) / ((b - a) * (b - c))
        + stages[2] * (share - a) * (share - b) / ((c - a) * (c - b))
}

/// 1 over the error allowed of a number.
fn weight(allowed: f64, value: f64) -> f64 {
    1.0 / (allowed + ROUNDING * value.abs() + LEAST_ERROR)
}
