//! Stick while v is a polynomial of time and F_N is held, in closed form.
//!
//! e′ = v′ − λ e has the polynomial solution p = v′/λ − v″/λ² + v‴/λ³, so that e = p + (e(0) − p(0)) e^(−λt). z, F_0 and F_R are polynomials
//! of degree 4 and a multiple of the exponential. Their Bernstein coefficients prove that |F_0| and |F_R| stay below F_s; where they do
//! not, the part is halved.

use super::equations::Equations;
use super::stick::{Stick, StickPart};
use crate::integrate::exponential;
use crate::law::InputTrajectory;

/// Number of halvings of the part of a step that is tried, 1: the last part is a sixteenth of the step. The rest is left to the general
/// integrator, whose steps near the end of stick are about as long.
const MAX_HALVINGS: u32 = 4;
/// Largest term of p over v_s, 1: in a step much shorter than 1/λ the terms cancel, with a rounding of 2e-13 of F_R.
const MAX_TERM: f64 = 1e3;

/// Rounding of the loss over F_s |v| of the duration, 1: the terms of the loss cancel as those of p do, and |v| may be far below them. A
/// hundredth of what the loss may have at the default tolerance. Larger: the loss of short steps is wrong (test
/// `loss_of_a_step_far_shorter_than_the_time_constant_keeps_its_digits`).
const MAX_LOSS_ROUNDING: f64 = 1e-7;

/// Terms of a polynomial of degree 4.
const TERMS: usize = 5;

/// Lower and upper bound for 0 ≤ s ≤ 1 of a polynomial of degree 4, from its Bernstein coefficients.
fn bounds(c: &[f64; TERMS]) -> [f64; 2] {
    let [c0, c1, c2, c3, c4] = *c;
    let bernstein =
        [c0, c0 + c1 / 4.0, c0 + c1 / 2.0 + c2 / 6.0, c0 + 0.75 * c1 + c2 / 2.0 + c3 / 4.0, c0 + c1 + c2 + c3 + c4];
    bernstein.into_iter().fold([f64::INFINITY, f64::NEG_INFINITY], |[low, high], b| [low.min(b), high.max(b)])
}

fn value<const N: usize>(c: &[f64; N], t: f64) -> f64 {
    c.iter().rev().fold(0.0, |sum, c| sum * t + c)
}

/// Stick from the start of a step of `duration` (s) as far as it is proved; `None` where the contact does not stick or F_N moves.
pub fn moving_stick(
    equations: &Equations,
    trajectory: &InputTrajectory,
    duration: f64,
    x: &[f64; 2],
) -> Option<StickPart> {
    let &[first, second, third] = trajectory.derivatives?;
    if [first, second, third].iter().any(|order| order.F_N != 0.0) {
        return None;
    }
    let contact = trajectory.start;
    let stick = Stick::new(equations, contact.F_N);
    let [slip, _] = stick.start(equations, contact, x)?;
    let base = &equations.base;
    let v = [contact.v, first.v, second.v / 2.0, third.v / 6.0];
    let per = 1.0 / stick.lambda;
    // The terms of p, and p.
    let terms = [first.v * per, second.v * per * per, third.v * per * per * per];
    if !terms.iter().all(|term| term.abs() <= MAX_TERM * base.v_s) {
        return None;
    }
    let p = [terms[0] - terms[1] + terms[2], (second.v - third.v * per) * per, 0.5 * third.v * per];
    let transient = slip - p[0];
    let (c_0, c) = (base.sigma_0 * transient * per, (base.sigma_0 * per + stick.k) * transient);
    // Polynomial parts of z, F_0 and F_R.
    let z = [x[0] - transient * per, v[0] - p[0], (v[1] - p[1]) / 2.0, (v[2] - p[2]) / 3.0, v[3] / 4.0];
    let sticking: [f64; TERMS] =
        core::array::from_fn(|i| base.sigma_0 * z[i] + if i < 4 { base.sigma_1 * v[i] } else { 0.0 });
    let force: [f64; TERMS] = core::array::from_fn(|i| sticking[i] + if i < 3 { stick.k * p[i] } else { 0.0 });

    let sticks = |length: f64, decay: f64| {
        [(&sticking, c_0), (&force, c)].into_iter().all(|(polynomial, c)| {
            let mut power = 1.0;
            let scaled = polynomial.map(|term| {
                let scaled = term * power;
                power *= length;
                scaled
            });
            let [low, high] = bounds(&scaled);
            high + c.max(c * decay) <= stick.F_s && low + c.min(c * decay) >= -stick.F_s
        })
    };
    let mut length = duration;
    let mut decay = exponential::decay(stick.lambda * length);
    let mut halvings = 0;
    while !sticks(length, decay) {
        if halvings == MAX_HALVINGS {
            return None;
        }
        halvings += 1;
        length *= 0.5;
        decay = exponential::decay(stick.lambda * length);
    }

    let v_end = value(&v, length);
    let e = value(&p, length) + transient * decay;
    let z_end = value(&z, length) + transient * per * decay;
    // ∫ polynomial v dt, and ∫ e^(−λt) v dt by parts.
    let mut product = [0.0; TERMS + 4];
    for (i, force) in force.iter().enumerate() {
        for (j, v) in v.iter().enumerate() {
            product[i + j + 1] += force * v / (i + j + 1) as f64;
        }
    }
    let by_parts = |derivatives: [f64; 4]| exponential::mean_over_decay(derivatives, per) * per;
    let derivatives_end = [v_end, first.v + (second.v + 0.5 * third.v * length) * length, second.v + third.v * length];
    let [_, first_end, second_end] = derivatives_end;
    let exponential =
        by_parts([v[0], first.v, second.v, third.v]) - decay * by_parts([v_end, first_end, second_end, third.v]);
    let magnitude = c.abs() * by_parts([v[0], first.v, second.v, third.v].map(f64::abs));
    let most = [0.0, 0.5 * length, length].into_iter().fold(0.0, |most, t| value(&v, t).abs().max(most));
    if f64::EPSILON * magnitude > MAX_LOSS_ROUNDING * stick.F_s * most * length {
        return None;
    }
    let loss = value(&product, length) + c * exponential;
    Some(StickPart { length, x: [z_end, Stick::z_dot(equations, v_end, e)], loss })
}

#[cfg(test)]
mod tests;
