//! First-order bristles under moving inputs, followed in their distance from the steady deflection.
//!
//! Dahl's and LuGre's bristle tends to the deflection g = sgn(v) μ(|v|) F_N/σ_0, at the rate σ_0 |v|/(μ F_N), which has no
//! bound where F_N goes to 0. With e = 1 − z/g, the part of g that is missing,
//!
//! F_N de/dt = −P |e|^α sgn e + Q (1 − e), P = σ_0 |v|/μ, Q = dF_N/dt + F_N/μ dμ/dt:
//!
//! all coefficients are bounded, at F_N = 0 it is the equation of the steady motion, and dz/dt = v |e|^α sgn e has no
//! cancellation. It is solved by Radau IIA with five stages, of order 9, and its stage equations in full: for α = 1
//! they are linear. For α < 1 the unknown is |e|^α sgn e, whose slope at 0 is finite.

use super::symbols::{Exponential, sgn};
use crate::integrate::SolverError;
use crate::integrate::collocation::{self, INVERSE, NODES, SLOPES_AT_START, STAGES, START_FROM_STAGES, WEIGHTS};
use crate::integrate::linear::Lu;
use crate::integrate::radau::Radau;
use crate::law::{Contact, InputSegment, InputTrajectory, Law, Quadratures, Rule, StepResult, bisect, event_iteration};

/// The inner step's share of the tolerance: errors of several inner steps add up, and where F_N falls they grow beside F_s. The
/// estimate, of order 6, is far above the error of the step, of order 10.
const INNER_SHARE: f64 = 0.05;
/// The part of the largest normal force of a step, over the tolerance, below which a bristle no longer moves while F_N goes on
/// to 0: the contact opens, and e may grow beyond all bounds before.
const MIN_FORCE_SHARE: f64 = 1e-4;
/// The part of a segment's largest normal force that errors are measured by at least: where F_N goes to 0 it must not vanish
/// with it.
const LEAST_MEASURE: f64 = 1e-3;
/// The rounding of a time; and of e = 1 − z/g, over the part of the largest normal force that is left.
const ROUNDING: f64 = 4.0 * f64::EPSILON;
/// The part of an inner step's normal force below which it begins near 0.
const LEAST_START: f64 = 0.1;
/// The error of such a step over the fifth difference of e, which an inner step of order 9 stays far below.
const STAGE_ERROR: f64 = 0.1;
/// The part of the step that the error estimate, of order 6, allows.
const SAFETY: f64 = 0.8;
/// The quadrature of loss and impulse on the stages.
const RULE: Rule<STAGES> = Rule { nodes: &NODES, weights: &WEIGHTS, start: &START_FROM_STAGES };
/// Share of a communication step below which nothing moves within a segment: next to a zero of F_N or v both are rounding there.
const SHORTEST_PIECE: f64 = 1e-13;
const MAX_ITERATIONS: usize = 12;
/// The error left in the stage equations, as a share of that allowed in a step.
const NEWTON_SHARE: f64 = 1e-2;
/// The length of a segment over that of a transient, 1/λ, from which on the transient is split off: nothing of it is left then.
const SHORT_TRANSIENT: f64 = 50.0;
/// Deflection over the steady one from which on it is more than a contact that was just closed can have.
const FAR_BENT: f64 = 100.0;
/// Largest relative change of λ within the time constants of a transient.
const STEADY_RATE: f64 = 0.01;
/// The part of the speed and of the Stribeck velocity by which v may move in an inner step, so as not to leap over the falling
/// curve.
const LEAP: f64 = 0.5;

/// The equation of a first-order bristle.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bristle {
    /// The steady coefficient of friction over the speed.
    pub curve: Exponential,
    /// Stiffness, N/m.
    pub sigma_0: f64,
    /// Damping, N·s/m.
    pub sigma_1: f64,
    /// The exponent α.
    pub alpha: f64,
}

/// The coefficients of the equation at one instant.
#[derive(Clone, Copy)]
struct Coefficients {
    normal: f64,
    p: f64,
    q: f64,
    /// The steady deflection g, m.
    steady: f64,
}

/// The unknown at one instant, e and |e|^α sgn e with their slopes by the unknown.
#[derive(Clone, Copy)]
struct Unknown {
    e: f64,
    by_e: f64,
    bending: f64,
    by_bending: f64,
}

impl Bristle {
    /// μ at a speed and dμ/d|v|.
    fn coefficient(&self, speed: f64) -> (f64, f64) {
        if self.is_flat() { (self.curve.mu_k, 0.0) } else { self.curve.at(speed) }
    }

    fn is_flat(&self) -> bool {
        self.curve.mu_s == self.curve.mu_k
    }

    /// The unknown of a value of e.
    fn unknown(&self, e: f64) -> f64 {
        if self.alpha < 1.0 { libm::pow(e.abs(), self.alpha).copysign(e) } else { e }
    }

    fn at(&self, u: f64) -> Unknown {
        if self.alpha == 1.0 {
            return Unknown { e: u, by_e: 1.0, bending: u, by_bending: 1.0 };
        }
        let exponent = if self.alpha < 1.0 { 1.0 / self.alpha } else { self.alpha };
        let slope = libm::pow(u.abs(), exponent - 1.0);
        let (power, slope) = (slope * u, exponent * slope);
        if self.alpha < 1.0 {
            Unknown { e: power, by_e: slope, bending: u, by_bending: 1.0 }
        } else {
            Unknown { e: u, by_e: 1.0, bending: power, by_bending: slope }
        }
    }
}

/// A step whose stage equations are solved.
struct Solved {
    /// e at the stages.
    e: [f64; STAGES],
    /// The coefficients there.
    coefficients: [Coefficients; STAGES],
    /// The estimated error over that allowed.
    error: f64,
}

/// A transient that is over long before its segment.
struct Transient {
    /// e without it.
    rest: f64,
    /// Its part of the impulse of F_R, N·s.
    impulse: f64,
}

/// A bristle under a segment of a trajectory in which v has one sign and the contact is closed.
struct Relaxation<'a> {
    bristle: &'a Bristle,
    segment: &'a InputSegment<'a>,
    /// The sign of v.
    side: f64,
    /// The normal force that errors are measured by, N.
    measure: f64,
    /// The largest normal force of the step, and that below which the bristle no longer moves, N.
    most: f64,
    least: f64,
}

impl Relaxation<'_> {
    fn coefficients(&self, t: f64) -> Coefficients {
        let Contact { F_N: normal, v, .. } = self.segment.at(t);
        let slope = self.segment.trajectory().derivative_at(t);
        let speed = (self.side * v).max(0.0);
        let (mu, by_speed) = self.bristle.coefficient(speed);
        Coefficients {
            normal,
            p: self.bristle.sigma_0 * speed / mu,
            q: slope.F_N + normal / mu * by_speed * self.side * slope.v,
            steady: self.side * mu * normal / self.bristle.sigma_0,
        }
    }

    /// e at the start of a segment; where F_N comes from 0, that of the steady motion, unless the bristle is bent by far more than that
    /// F_N bears.
    fn start(&self, t: f64, z: f64) -> f64 {
        let Coefficients { normal, p, q, steady } = self.coefficients(t);
        if normal > self.least || z.abs() > FAR_BENT * steady.abs() && steady != 0.0 {
            return 1.0 - z / steady;
        }
        // P |e|^α = Q (1 − e) has one root between 0 and 1, Q being above 0.
        let (mut low, mut high) = (0.0, 1.0);
        if self.bristle.alpha == 1.0 {
            return if q > 0.0 { q / (p + q) } else { 1.0 };
        }
        for _ in 0..60 {
            let e = 0.5 * (low + high);
            if p * libm::pow(e, self.bristle.alpha) < q * (1.0 - e) { low = e } else { high = e }
        }
        high
    }

    /// The transient with which a segment begins at `t` (s), where it is far shorter than the segment, up to `end` (s).
    ///
    /// For α = 1 the equation is linear, and e is the sum of a slow motion e_s and a transient that decays at the rate
    /// λ = (P + Q)/F_N: with e* = Q/(P + Q), e_s = e* − (de*/dt)/λ but for terms of higher order. While the elastic force is
    /// limited, F_R does not follow e: until then it has its value at the limit.
    fn transient(&self, t: f64, end: f64, e: f64, tolerance: f64) -> Option<Transient> {
        let here = self.coefficients(t);
        let rate = (here.p + here.q) / here.normal;
        if self.bristle.alpha != 1.0 || !(rate * (end - t) > SHORT_TRANSIENT) {
            return None;
        }
        let steady = |c: Coefficients| c.q / (c.p + c.q);
        let ahead = 1e-3 * (end - t);
        let slope = (steady(self.coefficients(t + ahead)) - steady(here)) / ahead;
        let rest = steady(here) - slope / rate;
        let Contact { F_N: normal, v, .. } = self.segment.at(t);
        let (mu, _) = self.bristle.coefficient(v.abs());
        let mu_s = self.bristle.curve.mu_s;
        // e from which on F_R follows it, and the time until then, times λ. Where μ is μ_s they never part but for the tolerance.
        let is_limited = |e: f64| (e - 1.0).abs() * mu > mu_s * (1.0 + tolerance);
        let (initialize, until) = if is_limited(e) {
            let nearest = 1.0 + (mu_s / mu).copysign(e - 1.0);
            let initialize = rest + (nearest - rest).abs().max(tolerance).copysign(e - rest);
            (initialize, libm::log((e - rest) / (initialize - rest)))
        } else {
            (e, 0.0)
        };
        let static_force = mu_s * normal.max(self.measure);
        let force = (self.bristle.sigma_1 * v - self.side * mu * normal) * (initialize - rest);
        // The transient's coefficients are taken for constant: as much of its loss is wrong as they change.
        let share = (1.0 + until) / (rate * (end - t));
        let after = self.coefficients((t + share * (end - t)).min(end));
        let change = ((after.p + after.q) / after.normal / rate - 1.0).abs();
        let wrong = force / static_force * share * share.max(change);
        let is_short = until >= 0.0 && SHORT_TRANSIENT * share < 1.0 && change < STEADY_RATE && !is_limited(rest);
        let impulse = force * (1.0 + until) / rate;
        (is_short && wrong.abs() <= INNER_SHARE * tolerance).then_some(Transient { rest, impulse })
    }

    /// The change of e that changes F_R by F_s, in an inner step between these times (s).
    fn scale(&self, times: [f64; 2], e: f64) -> f64 {
        let Exponential { mu_s, .. } = self.bristle.curve;
        let [from, to] = times.map(|t| self.segment.at(t));
        let here = from.F_N.max(to.F_N).max(self.least);
        let normal = here.max(self.measure);
        let quasi_static_response = (self.bristle.sigma_1 * from.v.abs().max(to.v.abs()) / (mu_s * normal)).max(1.0);
        // A share of e is a share of the deflection under the normal force of the moment.
        (1.0 - e).abs().max(1.0) * (normal / here) / quasi_static_response
    }

    /// The rounding of e in an inner step.
    fn rounding(&self, [from, to]: [f64; 2], e: f64) -> f64 {
        let normal = self.segment.at(from).F_N.max(self.segment.at(to).F_N).max(self.least);
        ROUNDING * (1.0 + e.abs()) * (self.most / normal).max(1.0)
    }

    /// The bristle is bent beyond what F_N bears at `t` (s), in or against the direction of v, and remains so until F_N has gone to
    /// 0 at `end`: F_R is limited, and no longer depends on it.
    fn stays_limited(&self, t: f64, end: f64, e: f64) -> bool {
        let Exponential { mu_s, .. } = self.bristle.curve;
        let outward = if e < 1.0 { -1.0 } else { 1.0 };
        let remains = |part: f64| {
            let t = t + part * (end - t);
            let Coefficients { p, q, .. } = self.coefficients(t);
            let (mu, _) = self.bristle.coefficient(self.segment.at(t).v.abs());
            // e at the limit, 1 ∓ μ_s/μ, and the sign of its rate there.
            let limit = 1.0 + outward * mu_s / mu;
            let rate = q * (1.0 - limit) - p * libm::pow(limit.abs(), self.bristle.alpha).copysign(limit);
            outward * (e - limit) > 0.0 && outward * rate > 0.0
        };
        [0.0, 0.25, 0.5, 0.75, 0.999].into_iter().all(remains)
    }

    /// The longest step from `t` (s) that does not leap over the falling curve.
    fn longest(&self, t: f64) -> f64 {
        if self.bristle.is_flat() {
            return f64::INFINITY;
        }
        let max_dv = LEAP * (self.segment.at(t).v.abs() + self.bristle.curve.v_stribeck);
        self.segment.trajectory().time_within(max_dv, t)
    }

    /// One step of length `h` (s) from `e` at `t`, where the equation has the coefficients `here`; `None` where the stage
    /// equations cannot be solved.
    fn step(&self, t: f64, here: Coefficients, h: f64, e: f64, allowed: f64) -> Option<Solved> {
        let stages = NODES.map(|node| self.coefficients(t + node * h));
        let mut u = [self.bristle.unknown(e); STAGES];
        let mut last_size = f64::INFINITY;
        let mut converged = false;
        for _ in 0..MAX_ITERATIONS {
            let x = u.map(|u| self.bristle.at(u));
            let mut matrix = [[0.0; STAGES]; STAGES];
            let mut residual = [0.0; STAGES];
            for i in 0..STAGES {
                let Coefficients { normal, p, q, .. } = stages[i];
                residual[i] = h * (p * x[i].bending - q * (1.0 - x[i].e));
                for j in 0..STAGES {
                    let weight = normal * INVERSE[i][j];
                    residual[i] += weight * (x[j].e - e);
                    matrix[i][j] = weight * x[j].by_e;
                }
                matrix[i][i] += h * (p * x[i].by_bending + q * x[i].by_e);
            }
            let correction = Lu::new(matrix).solve(residual);
            let mut size: f64 = 0.0;
            for i in 0..STAGES {
                u[i] -= correction[i];
                size = size.max((self.bristle.at(u[i]).e - x[i].e).abs());
            }
            if !size.is_finite() {
                return None;
            }
            if self.bristle.alpha == 1.0 || size <= NEWTON_SHARE * allowed {
                converged = true;
                break;
            }
            if size > 2.0 * last_size {
                return None;
            }
            last_size = size;
        }
        let ends = u.map(|u| self.bristle.at(u).e);
        if !converged || !ends.iter().all(|e| e.is_finite()) {
            return None;
        }
        // Where F_N is about to come from 0, the rate of e at the start is known too badly for an estimate: there the distance
        // of e from the polynomial through the stages, of order 5.
        if here.normal < LEAST_START * stages[0].normal.max(stages[STAGES - 1].normal) {
            let bend: f64 = (0..STAGES).map(|i| START_FROM_STAGES[i] * ends[i]).sum();
            return Some(Solved { e: ends, coefficients: stages, error: STAGE_ERROR * (bend - e).abs() / allowed });
        }
        // The defect at the start, filtered: Hairer & Wanner (IV.8.20), times F_N.
        let Coefficients { normal, p, q, .. } = here;
        let rate = q * (1.0 - e) - p * self.bristle.at(self.bristle.unknown(e)).bending;
        let slope: f64 = (0..STAGES).map(|i| SLOPES_AT_START[i] * (ends[i] - e)).sum();
        // For α < 1 the slope at 0 is infinite and would hide every error: no more than at an error that is allowed.
        let steep = self.bristle.at(self.bristle.unknown(e.abs().max(allowed)));
        let filter = collocation::GAMMA * normal / h + q + p * steep.by_bending / steep.by_e;
        let error = ((rate - normal / h * slope) / filter).abs() / allowed;
        error.is_finite().then_some(Solved { e: ends, coefficients: stages, error })
    }
}

/// Advances a bristle over `duration` (s) with loss and impulse; what [`Law::advance_with_impulse`] promises.
pub fn advance<L: Law<1, DiscreteState = ()>>(
    law: &L,
    bristle: &Bristle,
    trajectory: &InputTrajectory,
    x: &mut [f64; 1],
    duration: f64,
    tolerance: f64,
    solver: &mut Radau,
) -> Result<StepResult, SolverError> {
    // A contact that is open at the start only was open before.
    event_iteration(law, trajectory.start, x, &mut ());
    let breakpoints = trajectory.breakpoints(duration);
    let most = trajectory.most(breakpoints);
    let mut quadratures = Quadratures::new(most, duration, breakpoints, tolerance);
    let least = MIN_FORCE_SHARE * tolerance * most[0];
    let mut inner_steps = 0;
    let mut from = 0.0;
    for breakpoint in breakpoints {
        let segment = InputSegment::between_breakpoints(trajectory, [from, breakpoint], 0.0);
        event_iteration(law, segment.at(from), x, &mut ());
        let (open, side) = (segment.at(from).is_open(), sgn(trajectory.at(0.5 * (from + breakpoint)).v));
        if open || side == 0.0 || breakpoint - from <= SHORTEST_PIECE * duration {
            let z = *x;
            quadratures.add(law, &segment, &(), [from, breakpoint], |_| z);
            inner_steps += 1;
        } else {
            let ends = [from, breakpoint].map(|t| segment.at(t).F_N);
            // Where the contact opens within the step the deflection is forgotten, and the loss alone remains.
            let forgotten = breakpoint < duration && trajectory.at(breakpoint).F_N <= least;
            let part = if forgotten { 1.0 } else { LEAST_MEASURE };
            let measure = ends[1].max(part * ends[0].max(ends[1]));
            let relaxation = Relaxation { bristle, segment: &segment, side, measure, most: most[0], least };
            let (mut t, mut e) = (from, relaxation.start(from, x[0]));
            if let Some(Transient { rest, impulse }) = relaxation.transient(from, breakpoint, e, tolerance) {
                quadratures.loss += impulse * trajectory.at(from).v;
                quadratures.impulse += impulse;
                e = rest;
                x[0] = relaxation.coefficients(t).steady * (1.0 - e);
            }
            let mut h = if solver.first_step > 0.0 { solver.first_step } else { breakpoint - from };
            let mut first = from == 0.0;
            let closed = |t: f64| segment.at(t).F_N > least;
            let mut end =
                if closed(from) { bisect(from, breakpoint, closed).unwrap_or(breakpoint) } else { breakpoint };
            let (mut here, mut limited) = (relaxation.coefficients(t), false);
            while t < end {
                if end < breakpoint && relaxation.stays_limited(t, breakpoint, e) {
                    (end, limited) = (t, true);
                    break;
                }
                // What is left is rounding of the time.
                if end - t <= ROUNDING * end {
                    x[0] = relaxation.coefficients(end).steady * (1.0 - e);
                    break;
                }
                inner_steps += 1;
                if solver.limit.is_spent() {
                    return Err(SolverError::TooManySteps { t, limit: solver.limit.limit() });
                }
                let relaxed = solver.limit.count();
                let rest = end - t;
                h = h.min(relaxed * relaxation.longest(t));
                let last = h >= rest * (1.0 - 1e-9);
                h = if last { rest } else { h.min(0.5 * rest) };
                let share = INNER_SHARE * tolerance * relaxed;
                let allowed = share * relaxation.scale([t, t + h], e) + relaxation.rounding([t, t + h], e);
                let solved = relaxation.step(t, here, h, e, allowed);
                let factor = |error: f64| SAFETY / libm::cbrt(error.max(1e-8).sqrt());
                let Some(&Solved { e: stages, coefficients, error }) = solved.as_ref().filter(|s| s.error < 1.0) else {
                    h *= solved.map_or(0.2, |solved| factor(solved.error).clamp(0.1, 0.8));
                    if t + h == t {
                        return Err(SolverError::StepTooSmall { t });
                    }
                    continue;
                };
                if relaxed > 1.0 {
                    solver.limit.accept(error * share);
                    quadratures.stop_adapting();
                }
                let deflections = core::array::from_fn(|i| [coefficients[i].steady * (1.0 - stages[i])]);
                let along = |time: f64| {
                    [relaxation.coefficients(time).steady * (1.0 - collocation::polynomial(e, &stages, (time - t) / h))]
                };
                quadratures.add_stages(law, &segment, &(), [t, h], x, &deflections, &RULE, along);
                *x = deflections[STAGES - 1];
                (e, here) = (stages[STAGES - 1], coefficients[STAGES - 1]);
                t = if last { end } else { t + h };
                h *= factor(error).min(8.0);
                if first {
                    (solver.first_step, first) = (h.min(f64::MAX), false);
                }
            }
            let z = *x;
            if end < breakpoint {
                let segment = InputSegment::between_breakpoints(trajectory, [end, breakpoint], least);
                let steady = |t: f64| [relaxation.coefficients(t).steady * (1.0 - e)];
                quadratures.add(law, &segment, &(), [end, breakpoint], |t| if limited { z } else { steady(t) });
            }
        }
        from = breakpoint;
    }
    event_iteration(law, trajectory.at(duration), x, &mut ());
    if !x[0].is_finite() {
        return Err(SolverError::NotFinite);
    }
    Ok(StepResult { loss: quadratures.loss, impulse: quadratures.impulse, inner_steps, force_error: 0.0 })
}
