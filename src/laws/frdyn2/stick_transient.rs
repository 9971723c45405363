//! Transient of stick at constant v by collocation, with the logarithm of the decay as the independent variable. See §7 of
//! `docs/internals/numerics.md`.
//!
//! In stick e′ = −e L with L = α + 2Bs − Be. With θ = ln(e_0/e), dθ = L dt, the decay is exact, and the other functions vary only as s
//! does:
//!
//! dr/dθ = κ (ν − e)/L,  dt/dθ = 1/L,  e = e_0 exp(−θ)
//!
//! One step of Gauss's collocation goes over one of two fixed intervals of θ, so that the decays at its nodes are constants. The
//! stages depend on one another through q = Bκ (|ν| + |e_0|)/(s λ²), a few percent: fixed-point iteration solves them.

use super::constants::{
    FIRST_CONTRACTION, FIXED_POINT_SHARE, MAX_FIXED_POINT_ITERATIONS, MIN_REMAINDER, MIN_TRANSIENT_ROOT_RATIO,
    QUADRATURE_SAFETY, STICK_LOSS_RATIO, TURN_CLEARANCE,
};
use super::dimensionless::{DimensionlessLaw, PhasePoint, StepResult};
use crate::integrate::extrema::{larger, smaller};
use crate::integrate::gauss::{INTEGRATION, NODES, STAGES, WEIGHTS, each, plus_product, quadrature_error, sum};

/// An interval of θ that a step goes over.
struct Interval {
    /// Length of the interval.
    theta: f64,
    /// exp(−θ) at the end of the interval.
    end_decay: f64,
    /// exp(−θ) at the nodes.
    decays: [f64; STAGES],
}

/// Intervals of a step, the longer one first: e falls to 1/403 of its start, or to 1/20.
const INTERVALS: [Interval; 2] = [
    Interval {
        theta: 6.0,
        end_decay: 2.478_752_176_666_358_4e-3,
        decays: [
            0.887_692_011_091_447_6,
            0.543_350_560_582_176_2,
            0.240_892_917_429_788_3,
            8.631_981_747_821_094e-2,
            2.871_591_077_323_641_4e-2,
            1.028_985_078_977_602_7e-2,
            4.561_975_925_837_795e-3,
            2.792_356_071_357_055_5e-3,
        ],
    },
    Interval {
        theta: 3.0,
        end_decay: 0.049_787_068_367_863_944,
        decays: [
            0.942_174_087_465_5,
            0.737_123_165_137_398_3,
            0.490_808_432_516_993_7,
            0.293_802_344_235_390_6,
            0.169_457_696_116_866_87,
            0.101_438_901_757_540_86,
            0.067_542_400_948_128_83,
            0.052_842_748_521_978_45,
        ],
    },
];

/// Step of stick with r > 0 over one of the intervals, with the errors of r and of weight·e within `tolerance`; `None` where no
/// interval ends within `rest` (s), stays in the zone and meets the tolerance.
#[inline(never)] // registers saved for it would cost every step at rest
pub fn stick_transient(
    law: &DimensionlessLaw,
    nu: f64,
    start: PhasePoint,
    rest: f64,
    tolerance: f64,
) -> Option<StepResult> {
    INTERVALS.iter().find_map(|interval| over(interval, law, nu, start, rest, tolerance))
}

/// [`stick_transient`] over one interval. Names as in §7: `stake` and `bend` bound the effect of errors, `bent` is the rest of 1/L.
fn over(
    interval: &Interval,
    law: &DimensionlessLaw,
    nu: f64,
    start: PhasePoint,
    rest: f64,
    tolerance: f64,
) -> Option<StepResult> {
    let &Interval { theta, end_decay, ref decays } = interval;
    let &DimensionlessLaw { kappa, alpha, b, weight, .. } = law;
    let PhasePoint { r: r_0, e: e_0, s: s_0 } = start;
    if !(r_0 > 0.0 && s_0 > 0.0 && e_0 <= s_0 && -e_0 <= 1.0 - s_0 && (alpha + b * (2.0 * s_0 - e_0)) * rest > theta) {
        return None;
    }
    // Guess of r at the nodes: with L at s_0, corrected for the change of s by the drift κν.
    let held = alpha + 2.0 * b * s_0;
    let drift = kappa * nu * theta / held;
    let gain = 0.5 * drift * b / (s_0 * held);
    let mut r = each(|i| r_0 + drift * NODES[i] * (1.0 + gain * NODES[i]) - kappa / held * e_0 * (1.0 - decays[i]));
    let s_least = (1.0 - r[0].max(r[STAGES - 1])).sqrt();
    let slowest = alpha + b * (2.0 * s_least - e_0.abs());
    if !(slowest > 0.0 && s_least > MIN_TRANSIENT_ROOT_RATIO * s_0) {
        return None;
    }
    // Bounds: error of r and of weight·e at the end per relative error of L, and relative error of L per error of r.
    let stake = (kappa / slowest).max(weight * end_decay * theta) * e_0.abs();
    let bend = b / (s_least * slowest);
    let of_loss = STICK_LOSS_RATIO * tolerance;
    let e = decays.map(|decay| e_0 * decay);
    let drive = e.map(|e| kappa * theta * (nu - e));
    let root = |r: &[f64; STAGES]| r.map(|r| (1.0 - r).sqrt());
    let time = |s: &[f64; STAGES]| each(|i| 1.0 / (alpha + b * (2.0 * s[i] - e[i])));

    let mut last_change = f64::INFINITY;
    let solved = (0..MAX_FIXED_POINT_ITERATIONS).any(|iteration| {
        let time = time(&root(&r));
        let rate = each(|j| drive[j] * time[j]);
        let next = plus_product(r_0, &INTEGRATION, &rate);
        let change = (0..STAGES).fold(0.0, |most, i| larger((next[i] - r[i]).abs(), most));
        let contraction = if iteration == 0 { FIRST_CONTRACTION } else { change / last_change };
        (r, last_change) = (next, change);
        let remainder = change * (contraction / (1.0 - contraction)).max(MIN_REMAINDER);
        contraction < 1.0 && stake * bend * remainder <= FIXED_POINT_SHARE * tolerance && remainder <= of_loss
    });
    let s = root(&r);
    let time = time(&s);
    // 1/L splits into its closed part with s = s_0 and a small rest, whose quadrature error counts.
    let time_held = each(|i| 1.0 / (held - b * e[i]));
    let bent = each(|i| time[i] - time_held[i]);
    // The stages are as exact as a quadrature that is not split.
    let share = slowest * quadrature_error(&bent) + bend * kappa * e_0.abs() * quadrature_error(&time);
    let moved = each(|i| (r[i] - r_0) * time[i]);
    if !(solved
        && QUADRATURE_SAFETY * stake * share <= tolerance
        && QUADRATURE_SAFETY * slowest * quadrature_error(&moved) <= of_loss)
    {
        return None;
    }

    let growth = libm::log1p(b * e_0 * (1.0 - end_decay) / (held - b * e_0));
    let h = (theta + growth) / held + theta * sum(&WEIGHTS, &bent);
    let area = growth / b + theta * sum(&WEIGHTS, &each(|i| e[i] * bent[i]));
    let dr = kappa * (nu * h - area);
    let (low, high) =
        r.iter().fold((r_0.min(r_0 + dr), r_0.max(r_0 + dr)), |(a, b), r| (smaller(*r, a), larger(*r, b)));
    // r has at most one extremum, at e = ν, and exceeds the values at the nodes by little.
    let turns = nu > e_0.min(0.0) && nu < e_0.max(0.0);
    let one_sided = low >= if turns { TURN_CLEARANCE * (high - low) } else { 0.0 };
    if !(one_sided && high < 1.0 && h <= rest) {
        return None;
    }
    let end = PhasePoint::new(r_0 + dr, e_0 * end_decay);
    // e ≤ s holds as at the start: s falls more slowly than e decays.
    let in_zone = |e: f64, s: f64| -e <= 1.0 - s;
    if !(in_zone(end.e, end.s) && (0..STAGES).all(|i| in_zone(e[i], s[i]))) {
        return None;
    }
    // ∫ (f − r) dt by the equation of e, ∫ r dt by the change of r.
    let impulse = r_0 * h + theta * sum(&WEIGHTS, &moved) - (e_0 * (end_decay - 1.0) + alpha * area) / b;
    Some(StepResult { h, dr, e: end.e, work: nu * impulse })
}

#[cfg(test)]
mod tests {
    use super::super::dimensionless::tests::{LAWS, rk4_stick};
    use super::*;

    #[test]
    fn the_tabulated_decays_are_exponentials_of_the_nodes() {
        for Interval { theta, end_decay, decays } in INTERVALS {
            assert!((end_decay / libm::exp(-theta) - 1.0).abs() < 1e-15);
            for (decay, node) in decays.into_iter().zip(NODES) {
                assert!((decay / libm::exp(-theta * node) - 1.0).abs() < 1e-15);
            }
        }
    }

    #[test]
    fn errors_of_a_transient_stay_below_its_tolerance() {
        let mut used = [0; 7];
        let velocities = [0.0, 1e-4, -0.01, 0.05, -0.3, 0.3, 1.0];
        for (law, nu) in LAWS.into_iter().flat_map(|law| velocities.map(|nu| (law, nu))) {
            for r in [0.001, 0.03, 0.2, 0.4, 0.6, 0.9, 0.99, 0.999] {
                for e in [1e-6, -1e-5, 1e-4, -1e-3, 3e-3, -0.01, 0.03, -0.1, 0.1, -0.3, 0.3, -0.6, 0.6] {
                    for (i, tolerance) in [1e-4, 1e-5, 1e-6, 1e-7, 1e-8, 1e-9, 1e-10].into_iter().enumerate() {
                        let start = PhasePoint::new(r, e);
                        let Some(result) = stick_transient(&law, nu, start, 1e3, tolerance) else { continue };
                        let [r_end, e_end, work] = rk4_stick(&law, nu, [r, e], result.h);
                        let errors = [result.dr - (r_end - r), law.weight * (result.e - e_end)];
                        let rounding = 1e-12;
                        assert!(
                            errors.iter().all(|error| error.abs() <= tolerance + rounding),
                            "kappa = {}, nu = {nu}, from {r}, {e}: {errors:?} for {tolerance:e}",
                            law.kappa
                        );
                        // |∂f/∂e| is at most 2.
                        let mean_error = (result.work - work).abs() / result.h;
                        assert!(
                            mean_error <= (2.0 + STICK_LOSS_RATIO) * tolerance * nu.abs(),
                            "{result:?}, not {work}, for {tolerance:e}"
                        );
                        used[i] += 1;
                    }
                }
            }
        }
        assert!(used.iter().all(|used| *used > 500), "{used:?}");
    }

    #[test]
    fn transient_ends_before_the_slip_velocity_reverses() {
        // ν < e, so that r falls towards 0 faster than e decays, and w reaches 0 late in the interval.
        const TOLERANCE: f64 = 1e-9;
        let mut counts = [0; 2];
        for law in LAWS {
            for (r_0, share) in
                [0.05, 0.2, 0.5, 0.8, 0.99].into_iter().flat_map(|r| [0.5, 0.8, 0.95, 1.0].map(|share| (r, share)))
            {
                let root = PhasePoint::new(r_0, 0.0).s;
                let start = PhasePoint::new(r_0, -share * (1.0 - root));
                // The steady fall of r over the shorter interval, from 0.6 to 1.1 of r_0.
                let fall = r_0 * (law.alpha + 2.0 * law.b * root) / (3.0 * law.kappa);
                for nu in (0..500).map(|n| -fall * (0.6 + 1e-3 * f64::from(n))) {
                    let Some(result) = stick_transient(&law, nu, start, 1e3, TOLERANCE) else { continue };
                    let [r_end, e_end, _] = rk4_stick(&law, nu, [start.r, start.e], result.h);
                    let errors = [result.dr - (r_end - start.r), law.weight * (result.e - e_end)];
                    assert!(
                        errors.iter().all(|error| error.abs() <= TOLERANCE + 1e-12),
                        "kappa = {}, nu = {nu}, from {start:?}: {errors:?} in {result:?}",
                        law.kappa
                    );
                    let w_end = PhasePoint::new(r_end, e_end).w();
                    assert!(w_end >= -1e-9, "kappa = {}, nu = {nu}, from {start:?}: w = {w_end:e}", law.kappa);
                    counts[usize::from(w_end < 0.1 * start.w())] += 1;
                }
            }
        }
        assert!(counts.iter().all(|count| *count > 30), "{counts:?} far from the border and next to it");
    }

    #[test]
    fn transient_is_refused_where_the_error_of_its_loss_is_beyond_its_limit() {
        // Without e the force moves at a constant rate: r′ = κν, and θ is a polynomial of s = √(1 − r).
        const TOLERANCE: f64 = 3e-9;
        let mut counts = [0; 2];
        for law in LAWS {
            for (interval, r_0) in INTERVALS.iter().flat_map(|interval| [0.2, 0.6, 0.9].map(|r| (interval, r))) {
                let DimensionlessLaw { kappa, alpha, b, .. } = law;
                let start = PhasePoint::new(r_0, 0.0);
                let rate = |r: f64| alpha + 2.0 * b * (1.0 - r).sqrt();
                let cube = |s: f64| s * s * s;
                let theta = |r: f64| alpha * (r - r_0) + 4.0 / 3.0 * b * (cube(start.s) - cube((1.0 - r).sqrt()));
                for share in (1..60).map(|n| f64::from(n) / 80.0) {
                    let end = r_0 + share * (1.0 - r_0);
                    let nu = theta(end) / (kappa * interval.theta);
                    let moved = NODES.map(|node| {
                        let (mut low, mut high) = (r_0, end);
                        for _ in 0..60 {
                            let r = 0.5 * (low + high);
                            if theta(r) < node * theta(end) { low = r } else { high = r }
                        }
                        (low - r_0) / rate(low)
                    });
                    let estimate = QUADRATURE_SAFETY * rate(end) * quadrature_error(&moved);
                    let step = over(interval, &law, nu, start, 1e3, TOLERANCE);
                    let limit = STICK_LOSS_RATIO * TOLERANCE;
                    if (estimate / limit - 1.0).abs() < 0.1 {
                        continue;
                    }
                    let is_within = estimate < limit;
                    assert_eq!(step.is_some(), is_within, "{kappa}, {nu}, from {r_0}: {estimate:e}");
                    counts[usize::from(is_within)] += 1;
                }
            }
        }
        assert!(counts.iter().all(|count| *count > 10), "{counts:?} refused and accepted");
    }

    #[test]
    fn a_transient_agrees_with_the_general_integrator() {
        use super::super::test_cases::equations;
        use crate::integrate::radau::Radau;
        use crate::law::{Contact, InputTrajectory, Law};
        let equations = equations();
        let mut used = 0;
        for normal_force in [0.5, 9.81, 300.0] {
            for v in [-2e-4, 0.0, 1e-5, 3e-4] {
                for (r, e) in [(0.05, -0.02), (0.2, 0.3), (0.5, -0.2), (0.8, 0.1), (0.95, 0.01)] {
                    let contact = Contact::new(normal_force, v);
                    let static_force = equations.mu_s * normal_force;
                    let law = DimensionlessLaw::new(&equations, contact, 1.0 / static_force, normal_force);
                    let (nu, tolerance) = (v / equations.v_s, 1e-8);
                    let start = PhasePoint::new(r, e);
                    let Some(result) = stick_transient(&law, nu, start, 1.0, tolerance) else { continue };
                    let mut x = [(r * static_force - equations.sigma_1 * v) / equations.sigma_0, v - e * equations.v_s];
                    let trajectory = InputTrajectory::held(contact);
                    let mut radau = Radau::default();
                    let done = equations.advance(&trajectory, &mut x, &mut (), result.h, 1e-10, &mut radau).unwrap();
                    let dr = equations.sticking_force(contact, &x) / static_force - r;
                    let e_end = (v - x[1]) / equations.v_s;
                    assert!((dr - result.dr).abs() < 2.0 * tolerance, "{dr:e} for {result:?}");
                    assert!(law.weight * (e_end - result.e).abs() < 2.0 * tolerance, "{e_end:e} for {result:?}");
                    let loss = result.work * static_force * equations.v_s;
                    assert!((done.loss - loss).abs() <= 1e-6 * static_force * v.abs() * result.h);
                    used += 1;
                }
            }
        }
        assert!(used > 30, "{used}");
    }
}
