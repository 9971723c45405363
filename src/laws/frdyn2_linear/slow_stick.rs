//! Slow motion of stick under a moving F_N, by collocation.
//!
//! e′ = v′ − λ e, λ = (F_s/v_s + σ_1)/m_b, is linear, and e decays at the rate λ(t) towards a slow motion E = (v′ − E′)/λ. Its values at the
//! nodes of Gauss's collocation follow from a few iterations, in which E′ is the derivative of the polynomial through the values before, as in
//! [`frdyn2`](super::super::frdyn2). A transient e − E that decays before λ changes has a closed form; any other is left to the series.

use super::super::frdyn2::constants::{
    MAX_FIXED_POINT_ITERATIONS, MAX_SLOW_CONTRACTION, MIN_REMAINDER, MIN_SLOW_LENGTH, QUADRATURE_SAFETY, SLOW_SHARE,
    TURN_CLEARANCE,
};
use super::super::frdyn2::slow_stick::{HALF, try_lengths};
use super::equations::Equations;
use super::stick::{Stick, StickPart};
use crate::integrate::exponential;
use crate::integrate::gauss::{
    DIFFERENTIATION, END_DERIVATIVE, INTEGRATION, NODES, STAGES, START_DERIVATIVE, WEIGHTS, both_errors, bounds, each,
    plus_product, quadrature_error, sum,
};
use crate::law::{Contact, InputTrajectory};

/// Slow motion from the start of a step of `duration` (s) with errors within `tolerance` (of F_R over F_s, and of the loss over F_s |v| of the
/// part); `None` where the contact does not stick, its transient lasts, or no length that is tried stays in stick and meets the tolerance.
/// `longest` (s) is the first length that is tried and becomes that of the next part.
#[inline(never)] // registers saved for it would cost the other methods
pub fn slow_stick(
    equations: &Equations,
    trajectory: &InputTrajectory,
    duration: f64,
    x: &[f64; 2],
    longest: &mut f64,
    tolerance: f64,
) -> Option<StickPart> {
    let start = Start::new(equations, trajectory, x)?;
    let Start { stick, slip, rate, .. } = start;
    // E to first order shows most transients.
    let off = (slip - rate / stick.lambda).abs();
    if stick.lambda * duration.min(*longest) < MIN_SLOW_LENGTH || start.settled_error(off) > tolerance {
        return None;
    }
    let attempt = |length: f64| over(length, equations, trajectory, &start, tolerance).ok_or(HALF);
    try_lengths(duration, longest, stick.lambda, attempt)
}

/// The start of a part.
struct Start {
    stick: Stick,
    /// Change of λ with time, 1/s².
    slope: f64,
    /// e, m/s.
    slip: f64,
    /// F_0, N.
    sticking_force: f64,
    /// dv/dt, m/s².
    rate: f64,
    /// σ_0, N/m.
    stiffness: f64,
    /// z, m.
    deflection: f64,
    contact: Contact,
}

impl Start {
    /// The start of a trajectory from the states `x`; `None` where the contact does not stick.
    fn new(equations: &Equations, trajectory: &InputTrajectory, x: &[f64; 2]) -> Option<Self> {
        let (base, contact) = (&equations.base, trajectory.start);
        let stick = Stick::new(equations, contact.F_N);
        let [slip, sticking_force] = stick.start(equations, contact, x)?;
        let Contact { F_N: slope, v: rate, .. } = trajectory.derivative_at(0.0);
        let slope = base.mu_s * slope * base.inverse_v_s * base.inverse_mass;
        Some(Start { stick, slope, slip, sticking_force, rate, stiffness: base.sigma_0, deflection: x[0], contact })
    }

    /// Error of F_0 over F_s where ∫(e − E) dt is taken as that of a constant λ, with e − E at the start.
    fn settled_error(&self, off: f64) -> f64 {
        let Stick { lambda, F_s: force, .. } = self.stick;
        self.stiffness / force * off.abs() / lambda * self.bending()
    }

    /// Mean of v while the transient decays with λ of the start, and upper bound of the magnitudes of its terms, m/s.
    fn mean_velocity_of_transient(&self, trajectory: &InputTrajectory) -> [f64; 2] {
        let [first, second, third] = trajectory.derivatives.map_or([0.0; 3], |orders| orders.map(|order| order.v));
        let derivatives = [self.contact.v, first, second, third];
        [derivatives, derivatives.map(f64::abs)].map(|v| exponential::mean_over_decay(v, 1.0 / self.stick.lambda))
    }

    /// Relative change of λ within its time constant.
    fn bending(&self) -> f64 {
        self.slope.abs() / (self.stick.lambda * self.stick.lambda)
    }
}

/// [`slow_stick`] over one length (s).
fn over(
    length: f64,
    equations: &Equations,
    trajectory: &InputTrajectory,
    start: &Start,
    tolerance: f64,
) -> Option<StickPart> {
    let &Start { stick: first, slip, sticking_force, rate: first_rate, stiffness, deflection, contact, .. } = start;
    let (base, inverse_v_s) = (&equations.base, equations.base.inverse_v_s);
    let at = NODES.map(|node| trajectory.at(node * length));
    let last = trajectory.at(length);
    let sticks = at.map(|contact| Stick::new(equations, contact.F_N));
    let stick_at_end = Stick::new(equations, last.F_N);
    let slowest = sticks.iter().fold(first.lambda.min(stick_at_end.lambda), |least, stick| least.min(stick.lambda));
    let least_force = sticks.iter().fold(first.F_s.min(stick_at_end.F_s), |least, stick| least.min(stick.F_s));
    if !(least_force > 0.0 && slowest * length >= MIN_SLOW_LENGTH) {
        return None;
    }
    let rates = NODES.map(|node| trajectory.derivative_at(node * length).v);
    // Error of F_R over F_s by one of e, and by one of ∫e dt.
    let (by_slip, by_way) = (inverse_v_s, stiffness / least_force);

    let mut e = each(|i| rates[i] / sticks[i].lambda);
    let mut last_change = f64::INFINITY;
    let converged = (0..MAX_FIXED_POINT_ITERATIONS).any(|iteration| {
        let slopes = plus_product(0.0, &DIFFERENTIATION, &e);
        let next = each(|i| (rates[i] - slopes[i] / length) / sticks[i].lambda);
        let change = (0..STAGES).fold(0.0, |most: f64, i| most.max((next[i] - e[i]).abs()));
        let contraction = if iteration == 0 { MAX_SLOW_CONTRACTION } else { change / last_change };
        (e, last_change) = (next, change);
        let remainder = change * (contraction / (1.0 - contraction)).max(MIN_REMAINDER);
        let allowed = SLOW_SHARE * tolerance;
        change == 0.0 || contraction <= MAX_SLOW_CONTRACTION && (by_slip + by_way * length) * remainder <= allowed
    });
    if !converged {
        return None;
    }
    let e_end = (trajectory.derivative_at(length).v - sum(&END_DERIVATIVE, &e) / length) / stick_at_end.lambda;
    // The transient, and the way that it takes from the deflection.
    let off = slip - (first_rate - sum(&START_DERIVATIVE, &e) / length) / first.lambda;
    let settled = off / first.lambda;

    let areas = plus_product(0.0, &INTEGRATION, &e);
    let force = |way: f64, area: f64, v: f64| {
        sticking_force + stiffness * (way - length * area - settled) + base.sigma_1 * (v - contact.v)
    };
    let way = trajectory.displacement_at(length);
    let area = sum(&WEIGHTS, &e);
    let f_0 = each(|i| force(trajectory.displacement_at(NODES[i] * length), areas[i], at[i].v));
    let f_0_end = force(way, area, last.v);
    let power = each(|i| (f_0[i] + sticks[i].k * e[i]) * at[i].v);

    let speed = at.iter().fold(contact.v.abs().max(last.v.abs()), |most, contact| most.max(contact.v.abs()));
    let most_force = sticks.iter().fold(first.F_s, |most, stick| most.max(stick.F_s));
    let [quadrature, interpolation] = both_errors(&e);
    let shape = (by_slip + by_way / slowest) * interpolation;
    let of_states = QUADRATURE_SAFETY * (by_way * length * quadrature + shape);
    let left = by_slip * off.abs() * exponential::decay(slowest * length);
    let of_transient = (first.k + stiffness / first.lambda) * settled;
    let [early, fastest] = start.mean_velocity_of_transient(trajectory);
    let lost =
        2.0 * of_transient.abs() * fastest * start.bending() / length + QUADRATURE_SAFETY * quadrature_error(&power);
    let is_accurate = left.max(start.settled_error(off)) <= SLOW_SHARE * tolerance
        && of_states <= tolerance
        && lost <= tolerance * most_force * speed;

    let [r_0, r_end] = [sticking_force / first.F_s, f_0_end / stick_at_end.F_s];
    let r = each(|i| f_0[i] / sticks[i].F_s);
    let w = each(|i| r[i] + e[i] * inverse_v_s);
    let stays = stays_within([r_0, r_end], &r)
        && stays_within([r_0 + (slip - off) * inverse_v_s, r_end + e_end * inverse_v_s], &w);
    (is_accurate && stays).then(|| {
        let z = deflection + way - length * area - settled;
        let loss = length * sum(&WEIGHTS, &power) + of_transient * early;
        StickPart { length, x: [z, Stick::z_dot(equations, last.v, e_end)], loss }
    })
}

/// Whether a function with these values at the ends and at the nodes stays between −1 and 1.
fn stays_within(ends: [f64; 2], values: &[f64; STAGES]) -> bool {
    let [low, high] = bounds(ends, values, TURN_CLEARANCE);
    low >= -1.0 && high <= 1.0
}

#[cfg(test)]
mod tests;
