//! Tail of a stick transient at constant v in closed form: e is so small that its decay rate is nearly constant. See §8 of
//! `docs/internals/numerics.md`.
//!
//! With e′ = −e (α + 2Bs − Be), e ≪ 1 and s nearly constant while e lasts, ∫e dt = e_0/λ with λ = α + 2Bs. The relative errors are
//! Be_0/λ and B|ds/dt|/λ², where r moves by κν and κe. Where r keeps its sign both are corrected to first order, and the
//! remainder is of second order. The closed form is used where that is negligible in r and e, and where a series, which is explicit,
//! would follow the decay with small steps.

use super::constants::{MAX_TAIL_BENDING, MIN_TAIL_LENGTH, STICK_LOSS_RATIO, TAIL_CLEARANCE};
use super::dimensionless::{DimensionlessLaw, PhasePoint, StepResult};
use crate::integrate::extrema::larger;

/// Closed form of stick over all of `rest` (s), §8, with the errors of r and of weight·e within `tolerance`.
pub fn stick_tail(
    law: &DimensionlessLaw,
    nu: f64,
    PhasePoint { r, e, s }: PhasePoint,
    rest: f64,
    tolerance: f64,
) -> Option<StepResult> {
    let lambda = law.alpha + 2.0 * law.b * s;
    if !(lambda * rest >= MIN_TAIL_LENGTH) {
        return None;
    }
    let drift = law.kappa * nu;
    let r_end = r + drift * rest;
    let jump = law.kappa * e.abs() / lambda;
    if !(larger(r.abs(), r_end.abs()) + TAIL_CLEARANCE * jump < 1.0) {
        return None;
    }
    // Relative changes of λ: by e itself, by the drift of r and by the jump of r.
    let [by_e, by_drift, by_jump] = [e, drift / (s * lambda), law.kappa * e / (s * lambda)].map(|x| law.b * x / lambda);
    let bending = by_e.abs() + by_drift.abs() + by_jump.abs();
    let one_sided = r.min(r_end) >= TAIL_CLEARANCE * jump;
    let turn = (drift.abs() + law.kappa * e.abs()) / (s * s * lambda);
    let remainder = if one_sided { bending * (bending + turn) } else { bending };
    let lost = 2.0 * e.abs() / (lambda * rest) * remainder;
    if !(jump * remainder <= tolerance && lost <= STICK_LOSS_RATIO * tolerance && bending < MAX_TAIL_BENDING) {
        return None;
    }
    // ∫e dt, the part of its correction by the drift that comes after the end of the tail, and ∫te dt; r after the fast decay of e (the
    // jump); the change of the exponent of the decay by the jump.
    let [share, late, delay] = if one_sided {
        let delay = 1.0 + 0.75 * by_e + 3.0 * by_drift - 1.25 * by_jump;
        [1.0 + 0.5 * by_e + by_drift - 0.5 * by_jump, by_drift * rest, delay]
    } else {
        [1.0, 0.0, 1.0]
    };
    let area = e / lambda * share;
    let (from, to, before) =
        if one_sided { (r - law.kappa * area, r_end - law.kappa * area, by_e + by_jump) } else { (r, r_end, 0.0) };
    let [s_from, s_end] = [from, to].map(|r| (1.0 - r.abs()).sqrt());
    let decay = libm::exp(before - (law.alpha + 2.0 * law.b * mean_root(from, s_from, to, s_end)) * rest);
    // Relative error of e at the end: the remainder, and where r changes its sign the change of s.
    let uncertainty = if one_sided { remainder * lambda * rest } else { bending + (s - s_end).abs() };
    if law.weight * e.abs() * decay * uncertainty > tolerance {
        return None;
    }
    let area_in_time = area * (1.0 - decay) - late * e * decay;
    let dr = drift * rest - law.kappa * area_in_time;
    // ∫ (f − r) dt: by the equation of e where r keeps its sign, else as ∫ (2se − e²) dt with the first s.
    let beyond = if one_sided {
        (e * (1.0 - decay) - law.alpha * area_in_time) / law.b
    } else {
        (2.0 * s - 0.5 * e * (1.0 + decay)) * area_in_time
    };
    let impulse = (r + 0.5 * drift * rest) * rest
        - law.kappa * (area * rest - e / (lambda * lambda) * delay * (1.0 - decay))
        + beyond;
    Some(StepResult { h: rest, dr, e: e * decay, work: nu * impulse })
}

/// Mean of s = √(1 − |r|) while r moves linearly from one value to another.
fn mean_root(r: f64, s: f64, r_end: f64, s_end: f64) -> f64 {
    let mean = |a: f64, b: f64| 2.0 / 3.0 * (a * a + a * b + b * b) / (a + b);
    if r * r_end >= 0.0 {
        return mean(s, s_end);
    }
    // Through r = 0, where s = 1.
    (r.abs() * mean(s, 1.0) + r_end.abs() * mean(1.0, s_end)) / (r - r_end).abs()
}

#[cfg(test)]
mod tests {
    use super::super::dimensionless::tests::{LAWS, rk4_stick, shift};
    use super::*;

    #[test]
    fn errors_of_a_tail_stay_below_its_tolerance() {
        // From the shortest tail on, whose end still has a part of the transient.
        for lengths in [MIN_TAIL_LENGTH, 15.0] {
            let mut by_tolerance = [0; 6];
            for law in LAWS {
                for r in [-0.6, -0.05, 0.0, 0.03, 0.4, 0.9, 0.99] {
                    for e in [1e-6, -1e-5, 1e-4, -1e-3, 3e-3, -0.01, 0.03, -0.1] {
                        for nu in [0.0, 1e-4, -0.01, 0.05] {
                            // Mirrored so that w is positive, as in a segment.
                            let side = 1.0_f64.copysign(e + shift(r));
                            let [nu, r, e] = [nu, r, e].map(|x| side * x);
                            let start = PhasePoint::new(r, e);
                            let rest = (1.0 + 1e-12) * lengths / (law.alpha + 2.0 * law.b * start.s);
                            let mut exact = None;
                            for (i, tolerance) in [1e-4, 1e-5, 1e-6, 1e-8, 1e-10, 1e-11].into_iter().enumerate() {
                                let Some(tail) = stick_tail(&law, nu, start, rest, tolerance) else { continue };
                                let [r_end, e_end, work] =
                                    *exact.get_or_insert_with(|| rk4_stick(&law, nu, [r, e], rest));
                                let errors = [tail.dr - (r_end - r), law.weight * (tail.e - e_end)];
                                let rounding = 1e-13;
                                assert!(
                                    errors.iter().all(|error| error.abs() <= tolerance + rounding),
                                    "{law:?} over {lengths} from {r}, {e} at {nu}: {errors:?} for {tolerance:e}"
                                );
                                let mean_error = (tail.work - work).abs() / rest;
                                assert!(
                                    mean_error <= (STICK_LOSS_RATIO * tolerance + rounding) * nu.abs(),
                                    "{law:?} over {lengths} from {r}, {e} at {nu}: {mean_error:e} for {tolerance:e}"
                                );
                                by_tolerance[i] += 1;
                            }
                        }
                    }
                }
            }
            assert!(by_tolerance.iter().all(|used| *used > 50), "{lengths}: {by_tolerance:?}");
        }
    }

    #[test]
    fn the_mean_root_is_the_mean_over_r() {
        for (from, to) in [(0.1, 0.9), (-0.5, 0.7), (0.99, 0.2), (-0.9, -0.3)] {
            let n = 100_000;
            let at = |i: i32| {
                let r: f64 = from + (to - from) * (f64::from(i) + 0.5) / f64::from(n);
                (1.0 - r.abs()).sqrt()
            };
            let mean = (0..n).map(at).sum::<f64>() / f64::from(n);
            let root = |r: f64| (1.0 - r.abs()).sqrt();
            assert!((mean_root(from, root(from), to, root(to)) - mean).abs() < 1e-8, "{from} … {to}");
        }
    }

    #[test]
    fn tail_whose_remaining_e_is_uncertain_is_refused_until_it_has_decayed() {
        let law = LAWS[1];
        for (r, e, tolerance) in [(0.4, 0.1, 1e-6), (0.9, 0.01, 1e-8), (0.9, 3e-3, 1e-10)] {
            let point = PhasePoint::new(r, e);
            let lambda = law.alpha + 2.0 * law.b * point.s;
            let tail = |lengths: f64| stick_tail(&law, 0.0, point, lengths / lambda, tolerance);
            assert!(tail(8.1).is_none(), "{r}, {e}: too early");
            let later = tail(15.0).expect("a tail that has decayed");
            let [_, exact, _] = rk4_stick(&law, 0.0, [r, e], later.h);
            assert!(law.weight * (later.e - exact).abs() <= tolerance, "{r}, {e}: {} for {exact}", later.e);
        }
    }
}
