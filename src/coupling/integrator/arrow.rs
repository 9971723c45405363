//! Steps of a body with its contacts, as a [method](Steps) of `ode`.
//!
//! The states of a law depend on those of another through the body only. In Newton's matrix, s −
//! ∂f/∂u in the basis of Radau IIA, each contact eliminates its own states: with its rates r(v, x)
//! and force F(v, x) it answers a change of v by S = ∂F/∂v + ∂F/∂x (s − ∂r/∂x)⁻¹ ∂r/∂v, and what
//! remains is s + Σ g S c in the coordinates of the body.

mod elimination;
mod unknown;

use self::elimination::{Eliminated, backward, eliminate, forward, substitute, velocities};
use self::unknown::{Unknown, ZERO, row, shift};
use super::super::contact::{BodyContact, ContactScales, LawModes, LawState};
use super::super::linear_body::LinearBody;
use super::{Interval, Motion, Totals};
use crate::integrate::extrema::larger;
use crate::integrate::linear::Complex;
use crate::integrate::polynomial::{over, taylor};
use crate::law::{Contact, Jacobian, MAX_STATES, Path, Polynomial, StepLimits, later};
use crate::ode::tableau::{ESTIMATE, GAMMA, NODES, WEIGHTS};
use crate::ode::{Convergence, Estimate, Limits, Rejected, Steps, Verdict, quadrature_error};
use crate::vector::{Vector, add, dot, size};

/// Lower bound on the error scale of v, over the largest v in the interval, where F_s is
/// negligible.
const RELATIVE_VELOCITY: f64 = 1e-3;
/// Rounding of a state, relative; and the error of a number near 0 that is rounding.
const ROUNDING: [f64; 2] = [1e-14, 1e-100];

/// A contact with its law.
#[derive(Clone, Debug)]
struct Branch {
    is_open: bool,
    /// Lower bound on F_N, N: laws divide by it.
    least_force: f64,
    /// Change of the speed by the loads over the interval, m/s.
    pushed: f64,
    by: Jacobian<MAX_STATES>,
    real: Eliminated<f64>,
    complex: Eliminated<Complex>,
    scales: ContactScales,
    /// 1 over the error of v allowed along each axis.
    weight: Vector,
    /// Velocity (m/s) and force (N) at the start of the step.
    start: [Vector; 2],
    /// Impulse (N·s) and loss (J) of the last step.
    impulse: Vector,
    loss: f64,
}

/// Memory of the steps.
#[derive(Clone, Debug)]
pub struct Arrow {
    coordinates: Vec<Unknown>,
    branches: Vec<Branch>,
    /// States of the laws, one contact after the other, and their number in each.
    states: Vec<Unknown>,
    count: usize,
    rates: Vec<[f64; 3]>,
    real: Vec<f64>,
    complex: Vec<Complex>,
    first: Vec<f64>,
    second: Vec<Complex>,
}

impl Arrow {
    /// Memory for this many contacts on a body with `size` coordinates.
    pub fn new(contacts: usize, size: usize) -> Self {
        let branch = Branch {
            is_open: false,
            least_force: 0.0,
            pushed: 0.0,
            by: Jacobian::ZERO,
            real: Eliminated {
                factors: [0.0; MAX_STATES * MAX_STATES],
                by_v: [[0.0; MAX_STATES]; 2],
            },
            complex: Eliminated {
                factors: [ZERO; MAX_STATES * MAX_STATES],
                by_v: [[ZERO; MAX_STATES]; 2],
            },
            scales: ContactScales::NONE,
            weight: [0.0; 2],
            start: [[0.0; 2]; 2],
            impulse: [0.0; 2],
            loss: 0.0,
        };
        Arrow {
            coordinates: vec![Unknown::ZERO; size],
            branches: vec![branch; contacts],
            states: vec![Unknown::ZERO; contacts * MAX_STATES],
            count: 0,
            rates: vec![[0.0; 3]; size],
            real: vec![0.0; size * size],
            complex: vec![ZERO; size * size],
            first: vec![0.0; size],
            second: vec![ZERO; size],
        }
    }

    /// Takes the motion over, with this number of states of each law.
    pub fn begin(&mut self, motion: &Motion, count: usize) {
        self.count = count;
        self.coordinates
            .iter_mut()
            .zip(&motion.y)
            .for_each(|(unknown, y)| unknown.u = *y);
        for (i, x) in motion.x.iter().enumerate() {
            self.states[i * count..][..count]
                .iter_mut()
                .zip(x)
                .for_each(|(unknown, x)| unknown.u = *x);
        }
    }

    /// Sets the lower bound on F_N of a contact in an interval, N, and the change of its speed by
    /// the loads, m/s.
    pub fn set_bounds(&mut self, contact: usize, least_force: f64, pushed: f64) {
        let branch = &mut self.branches[contact];
        (branch.least_force, branch.pushed) = (least_force, pushed);
    }

    /// Sets a contact open, or closed.
    pub fn set_open(&mut self, contact: usize, is_open: bool) {
        self.branches[contact].is_open = is_open;
    }

    /// Lower bound on F_N of a closed contact, N.
    pub fn least_force(&self, contact: usize) -> f64 {
        self.branches[contact].least_force
    }

    /// Whether a contact is open.
    pub fn is_open(&self, contact: usize) -> bool {
        self.branches[contact].is_open
    }

    /// States of the law of a contact.
    fn states(&self, contact: usize) -> &[Unknown] {
        &self.states[contact * self.count..][..self.count]
    }

    /// Coordinates and states of the laws.
    fn unknowns(&mut self) -> impl Iterator<Item = &mut Unknown> {
        let count = self.count * self.branches.len();
        self.coordinates.iter_mut().chain(&mut self.states[..count])
    }

    /// Contacts that are closed, with the states of their laws.
    fn closed(&self) -> impl Iterator<Item = (usize, &Branch, &[Unknown])> {
        let of = |(i, branch)| (i, branch, self.states(i));
        self.branches
            .iter()
            .enumerate()
            .filter(|(_, branch)| !branch.is_open)
            .map(of)
    }

    /// Gives the motion back, of the contacts that are closed.
    pub fn end(&self, motion: &mut Motion) {
        self.coordinates
            .iter()
            .zip(&mut motion.y)
            .for_each(|(unknown, y)| *y = unknown.u);
        for (i, _, states) in self.closed() {
            states
                .iter()
                .zip(&mut motion.x[i])
                .for_each(|(unknown, x)| *x = unknown.u);
        }
    }
}

/// A body with its contacts, from a time of the interval on.
pub struct Bodies<'a, C: BodyContact + ?Sized> {
    pub body: &'a LinearBody,
    pub contacts: &'a [Box<C>],
    /// Modes of each law.
    pub modes: &'a [LawModes],
    pub interval: &'a Interval,
    pub arrow: &'a mut Arrow,
    /// Totals that accepted steps are added to, with impulses in place of mean forces.
    pub totals: &'a mut Totals,
    /// Time at which the integration begins, s.
    pub from: f64,
    /// Whether the laws have modes.
    pub has_modes: bool,
}

impl<C: BodyContact + ?Sized> Bodies<'_, C> {
    fn is_open(&self, contact: usize) -> bool {
        self.arrow.is_open(contact)
    }

    /// Contact at a time (s) from the start of the integration, with the unknowns there.
    fn contact(&self, contact: usize, t: f64, of: impl Fn(&Unknown) -> f64) -> Contact {
        let Arrow {
            coordinates,
            branches,
            ..
        } = &*self.arrow;
        let velocity = |row| {
            self.body
                .output(row)
                .iter()
                .zip(coordinates)
                .map(|(c, y)| c * of(y))
                .sum::<f64>()
        };
        let at = self
            .interval
            .contact(self.body, contact, self.from + t, velocity);
        Contact {
            F_N: at.F_N.max(branches[contact].least_force),
            ..at
        }
    }

    fn states_of(&self, contact: usize, of: impl Fn(&Unknown) -> f64) -> LawState {
        let mut x = [0.0; MAX_STATES];
        x.iter_mut()
            .zip(self.arrow.states(contact))
            .for_each(|(x, unknown)| *x = of(unknown));
        x
    }

    /// Velocity (m/s) and force (N) of a contact with the rates of its states, at a time (s) from
    /// the start of the integration.
    fn rates(
        &self,
        contact: usize,
        t: f64,
        of: impl Fn(&Unknown) -> f64 + Copy,
    ) -> ([Vector; 2], LawState) {
        let (at, x) = (self.contact(contact, t, of), self.states_of(contact, of));
        let here = self.contacts[contact].force_and_rates(
            at,
            &x,
            &self.modes[contact],
            self.interval.tolerance,
        );
        ([[at.v, at.v_y], [here.F_R, here.F_R_y]], here.rate)
    }

    /// Rate of a coordinate under its load alone, at a time (s) from the start of the integration.
    fn load(&self, coordinate: usize, t: f64) -> f64 {
        taylor(&self.interval.load[coordinate], self.from + t)
    }

    /// Factors for a shift s of the real part.
    fn factorise(&mut self, s: f64) {
        let Arrow {
            branches,
            count,
            real,
            ..
        } = &mut *self.arrow;
        eliminate(self.body, *count, branches, s, real, |branch| {
            (&branch.by, &mut branch.real)
        });
    }

    /// Solves for the changes of all unknowns in the real part, from right sides in the place of
    /// their errors.
    fn solve_real(&mut self) {
        let body = self.body;
        let Arrow {
            coordinates,
            branches,
            states,
            count,
            real,
            first,
            ..
        } = &mut *self.arrow;
        first
            .iter_mut()
            .zip(&*coordinates)
            .for_each(|(right, y)| *right = y.error);
        for (i, branch) in branches
            .iter()
            .enumerate()
            .filter(|(_, branch)| !branch.is_open)
        {
            let x = &mut states[i * *count..][..*count];
            let mut own = [0.0; MAX_STATES];
            own.iter_mut().zip(&*x).for_each(|(own, x)| *own = x.error);
            forward(
                body,
                i,
                &branch.by.force_x,
                &branch.real.factors,
                &mut own[..*count],
                first,
            );
            x.iter_mut().zip(own).for_each(|(x, own)| x.error = own);
        }
        substitute(real, first);
        coordinates
            .iter_mut()
            .zip(&*first)
            .for_each(|(y, change)| y.error = *change);
        for (i, branch) in branches
            .iter()
            .enumerate()
            .filter(|(_, branch)| !branch.is_open)
        {
            let dv = velocities(body, i, first);
            for (k, x) in states[i * *count..][..*count].iter_mut().enumerate() {
                x.error = backward(&branch.real.by_v, k, x.error, dv);
            }
        }
    }

    /// Largest magnitude of changes over the error allowed, of the velocities and the states of all
    /// contacts; infinite where one is not finite.
    fn size(&self, changes: fn(&Unknown) -> [f64; 3]) -> f64 {
        let coordinates = &self.arrow.coordinates;
        let (mut most, mut sum) = (0.0, 0.0);
        let mut add = |weight: f64, changes: [f64; 3]| {
            for change in changes {
                sum += change;
                most = larger(weight * change.abs(), most);
            }
        };
        coordinates.iter().for_each(|y| add(0.0, changes(y)));
        for (i, branch, states) in self.arrow.closed() {
            for (row, weight) in self.body.rows(i).zip(branch.weight) {
                let mut dv = [0.0; 3];
                for (c, y) in self.body.output(row).iter().zip(coordinates) {
                    dv.iter_mut()
                        .zip(changes(y))
                        .for_each(|(dv, change)| *dv += c * change);
                }
                add(weight, dv);
            }
            states.iter().for_each(|x| add(x.weight, changes(x)));
        }
        if sum.is_finite() { most } else { f64::INFINITY }
    }

    /// One Newton iteration of a step of length `h` (s) from the time t (s); returns its change
    /// over the error allowed.
    fn iterate(&mut self, t: f64, h: f64) -> f64 {
        let (body, shift) = (self.body, shift(h));
        for j in 0..body.size {
            self.arrow.rates[j] = NODES.map(|c| self.load(j, t + c * h));
            (self.arrow.first[j], self.arrow.second[j]) = (0.0, ZERO);
        }
        for i in 0..self.contacts.len() {
            if self.is_open(i) {
                continue;
            }
            let mut own = [[0.0; 3]; MAX_STATES];
            for s in 0..3 {
                let ([_, force], rate) = self.rates(i, t + NODES[s] * h, |x| x.u + x.w[s]);
                own.iter_mut()
                    .zip(rate)
                    .for_each(|(own, rate)| own[s] = rate);
                for (j, rates) in self.arrow.rates.iter_mut().enumerate() {
                    rates[s] -= body.effect(i, j, force);
                }
            }
            let Arrow {
                branches,
                states,
                count,
                first,
                second,
                ..
            } = &mut *self.arrow;
            let (branch, x) = (&branches[i], &mut states[i * *count..][..*count]);
            let (mut real, mut complex) = ([0.0; MAX_STATES], [ZERO; MAX_STATES]);
            for (k, x) in x.iter().enumerate() {
                (real[k], complex[k]) = x.sides(&own[k], h, shift);
            }
            forward(
                body,
                i,
                &branch.by.force_x,
                &branch.real.factors,
                &mut real[..*count],
                first,
            );
            forward(
                body,
                i,
                &branch.by.force_x,
                &branch.complex.factors,
                &mut complex[..*count],
                second,
            );
            for (k, x) in x.iter_mut().enumerate() {
                x.sides = (real[k], complex[k]);
            }
        }
        let Arrow {
            coordinates,
            branches,
            states,
            count,
            rates,
            real,
            complex,
            first,
            second,
        } = &mut *self.arrow;
        for (j, y) in coordinates.iter().enumerate() {
            let (side, of_complex) = y.sides(&rates[j], h, shift);
            (first[j], second[j]) = (first[j] + side, second[j] + of_complex);
        }
        substitute(real, first);
        substitute(complex, second);
        for (j, y) in coordinates.iter_mut().enumerate() {
            y.add((first[j], second[j]));
        }
        for (i, branch) in branches
            .iter()
            .enumerate()
            .filter(|(_, branch)| !branch.is_open)
        {
            let (dv, of_complex) = (velocities(body, i, first), velocities(body, i, second));
            for (k, x) in states[i * *count..][..*count].iter_mut().enumerate() {
                let (alone, complex) = x.sides;
                let real = backward(&branch.real.by_v, k, alone, dv);
                x.add((real, backward(&branch.complex.by_v, k, complex, of_complex)));
            }
        }
        self.size(|x| x.change)
    }

    /// Polynomials of a contact over a step, from the time t (s) on.
    fn path(&self, contact: usize, t: f64, h: f64) -> Path<MAX_STATES> {
        let coordinates = &self.arrow.coordinates;
        let from = self.from + t;
        let row = self.body.rows(contact).start;
        let own = self
            .body
            .output(row)
            .iter()
            .zip(coordinates)
            .map(|(c, y)| y.polynomial() * *c);
        let mut x = [Polynomial::default(); MAX_STATES];
        x.iter_mut()
            .zip(self.arrow.states(contact))
            .for_each(|(x, unknown)| *x = unknown.polynomial());
        Path {
            F_N: over(&later(&self.interval.normal[contact], from), h),
            v: own.fold(
                over(&later(&self.interval.offset[row], from), h),
                |sum, part| sum + part,
            ),
            a: Polynomial::default(),
            F_t: Polynomial::default(),
            x,
        }
    }
}

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
            branch.start = [[at.v, at.v_y], [here.F_R, here.F_R_y]];
            for (j, y) in coordinates.iter_mut().enumerate() {
                y.rate -= body.effect(i, j, branch.start[1]);
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
            branch.weight = branch.start[0].map(|at| weight(v * allowed, at));
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
        self.arrow.closed().any(
            |(
                i,
                Branch {
                    start: [v, _],
                    scales,
                    ..
                },
                _,
            )| {
                let end = self.contact(i, step.t + step.h, |x| x.u + x.w[2]);
                size(add([end.v, end.v_y], -1.0, *v)) > 2.0 * scales.limits.max_dv
            },
        )
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
                let ([_, force], rate) = self.rates(i, t, |x| x.u + x.error);
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
                    .zip(rate)
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
            let stages = [0, 1, 2].map(|s| self.rates(i, t + NODES[s] * h, |x| x.u + x.w[s]).0);
            let branch = &mut self.arrow.branches[i];
            let of = |axis: usize| stages.map(|[_, force]| force[axis]);
            let powers = stages.map(|[v, force]| dot(v, force));
            branch.impulse = [0, 1].map(|axis| h * row(&WEIGHTS, &of(axis)));
            branch.loss = h * row(&WEIGHTS, &powers);
            let scale = branch.scales.force * self.interval.duration;
            for axis in 0..self.body.axes {
                let off = quadrature_error(branch.start[1][axis], of(axis), h, true);
                error = larger(if off > 0.0 { off / scale } else { 0.0 }, error);
            }
        }
        End { h, error }
    }

    fn totals_error(end: &End) -> f64 {
        end.error
    }

    fn outcome(step: Solved) -> (f64, ()) {
        (step.contraction, ())
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

    fn cut(&mut self, _: &f64, step: &Solved, part: f64) -> (Solved, f64) {
        self.arrow.unknowns().for_each(|x| x.cut(part));
        let h = part * step.h;
        (Solved { h, ..*step }, h)
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
    1.0 / (allowed + ROUNDING[0] * value.abs() + ROUNDING[1])
}
