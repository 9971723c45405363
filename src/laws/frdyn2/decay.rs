//! A transient of stick under a held velocity, in its own time.
//!
//! In stick e′ = −e L with L = α + 2Bs − Be. In the time θ = ln(e_0/e), dθ = L dt, the decay is known beforehand, and what
//! is left bends only as s does:
//!
//! dr/dθ = κ (ν − e)/L,  dt/dθ = 1/L,  e = e_0 exp(−θ)
//!
//! Gauss's collocation with eight stages (E. Hairer, S. P. Nørsett, G. Wanner, *Solving Ordinary Differential Equations I*,
//! 2nd ed. 1993, Sec. II.7) takes one step over one of two fixed stretches of θ, so that the decays at its nodes are constants.
//! The stages answer to one another by q = Bκ (|ν| + |e_0|)/(s λ²), a few percent: they are found by fixed-point iteration.

use super::scaled::{Scaled, Start, Taken};
use super::series::{larger, smaller};

const STAGES: usize = 8;
/// Sums go over two halves at once: neither waits for the other.
const HALF: usize = STAGES / 2;
/// A stretch of θ that a step goes over.
struct Stretch {
    /// Its length.
    theta: f64,
    /// exp(−θ) at its end …
    decayed: f64,
    /// … and at the nodes.
    decays: [f64; STAGES],
}

/// The stretches, the longer one first: e falls to 1/403 of itself, or to 1/20.
const STRETCHES: [Stretch; 2] = [
    Stretch {
        theta: 6.0,
        decayed: 2.478_752_176_666_358_4e-3,
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
    Stretch {
        theta: 3.0,
        decayed: 0.049_787_068_367_863_944,
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
/// The nodes of Gauss's quadrature on 0 … 1 …
const NODES: [f64; STAGES] = [
    1.985_507_175_123_188_4e-2,
    0.101_666_761_293_186_63,
    0.237_233_795_041_835_5,
    0.408_282_678_752_175_1,
    0.591_717_321_247_825,
    0.762_766_204_958_164_5,
    0.898_333_238_706_813_4,
    0.980_144_928_248_768_1,
];
/// … and its weights.
const WEIGHTS: [f64; STAGES] = [
    5.061_426_814_518_813e-2,
    0.111_190_517_226_687_24,
    0.156_853_322_938_943_64,
    0.181_341_891_689_181,
    0.181_341_891_689_181,
    0.156_853_322_938_943_64,
    0.111_190_517_226_687_24,
    5.061_426_814_518_813e-2,
];
/// Legendre's polynomials P_0 … P_8 on 0 … 1 at the nodes.
const LEGENDRE: [[f64; STAGES]; STAGES + 1] = {
    let mut p = [[1.0; STAGES]; STAGES + 1];
    let mut i = 0;
    while i < STAGES {
        let x = 2.0 * NODES[i] - 1.0;
        p[1][i] = x;
        let mut n = 1;
        while n < STAGES {
            p[n + 1][i] = ((2 * n + 1) as f64 * x * p[n][i] - n as f64 * p[n - 1][i]) / (n + 1) as f64;
            n += 1;
        }
        i += 1;
    }
    p
};
/// What each stage's rate adds to the stages: row j holds the integrals of node j's polynomial up to every node.
const FROM: [[f64; STAGES]; STAGES] = {
    let mut from = [[0.0; STAGES]; STAGES];
    let mut j = 0;
    while j < STAGES {
        let mut i = 0;
        while i < STAGES {
            // ∫P_n = (P_{n+1} − P_{n−1})/(4n + 2) on 0 … 1, and P_{−1} = −1 gives what it is for n = 0.
            let mut sum = 0.5 * (LEGENDRE[1][i] + 1.0);
            let mut n = 1;
            while n < STAGES {
                sum += 0.5 * LEGENDRE[n][j] * (LEGENDRE[n + 1][i] - LEGENDRE[n - 1][i]);
                n += 1;
            }
            from[j][i] = WEIGHTS[j] * sum;
            i += 1;
        }
        j += 1;
    }
    from
};
/// What gives the coefficients of degree 2 … 7, in Legendre's polynomials, of what is known at the nodes.
const SPECTRUM: [[f64; STAGES]; STAGES - 2] = {
    let mut spectrum = [[0.0; STAGES]; STAGES - 2];
    let mut k = 0;
    while k < STAGES - 2 {
        let degree = k + 2;
        let mut i = 0;
        while i < STAGES {
            spectrum[k][i] = (2 * degree + 1) as f64 * WEIGHTS[i] * LEGENDRE[degree][i];
            i += 1;
        }
        k += 1;
    }
    spectrum
};

/// Where s falls to a smaller share of itself, the stages cannot tell how.
const FURTHEST: f64 = 0.5;
const MAX_ITERATIONS: usize = 6;
/// The error of the mean friction force over F_s, which loss alone needs.
const LOSS: f64 = 1e-6;
/// The contraction that the first iteration is thought to have.
const FIRST_CONTRACTION: f64 = 0.5;
/// What is missing after an iteration is taken for no less than this share of its change.
const LEAST_MISSING: f64 = 0.05;
/// By how much the spectrum may mislead, as measured.
const MARGIN: f64 = 10.0;

/// One step of stick with r > 0 over one of the stretches, with the errors of r and of `weight`·e within `tolerance`; `None`
/// where none ends within `rest` (s), stays in its zone and is as accurate.
#[inline(never)] // registers saved for it would cost every step at rest
pub fn step(law: &Scaled, nu: f64, start: Start, rest: f64, tolerance: f64) -> Option<Taken> {
    STRETCHES.iter().find_map(|stretch| over(stretch, law, nu, start, rest, tolerance))
}

/// The same over one stretch.
fn over(stretch: &Stretch, law: &Scaled, nu: f64, start: Start, rest: f64, tolerance: f64) -> Option<Taken> {
    let &Stretch { theta, decayed, ref decays } = stretch;
    let &Scaled { kappa, alpha, b, weight, .. } = law;
    let Start { r: r_0, e: e_0, s: s_0 } = start;
    if !(r_0 > 0.0 && s_0 > 0.0 && e_0 <= s_0 && -e_0 <= 1.0 - s_0 && (alpha + b * (2.0 * s_0 - e_0)) * rest > theta) {
        return None;
    }
    // With s held all is known, and what r will come to as well, roughly; better with what the drift makes of s.
    let held = alpha + 2.0 * b * s_0;
    let drift = kappa * nu * theta / held;
    let gain = 0.5 * drift * b / (s_0 * held);
    let mut r = each(|i| r_0 + drift * NODES[i] * (1.0 + gain * NODES[i]) - kappa / held * e_0 * (1.0 - decays[i]));
    let s_least = (1.0 - r[0].max(r[STAGES - 1])).sqrt();
    let slowest = alpha + b * (2.0 * s_least - e_0.abs());
    if !(slowest > 0.0 && s_least > FURTHEST * s_0) {
        return None;
    }
    // What a share of L wrong makes of r and e at the end, and what share an error of r is.
    let stake = (kappa / slowest).max(weight * decayed * theta) * e_0.abs();
    let bend = b / (s_least * slowest);
    let e = decays.map(|decay| e_0 * decay);
    let drive = e.map(|e| kappa * theta * (nu - e));
    let root = |r: &[f64; STAGES]| r.map(|r| (1.0 - r).sqrt());
    let time = |s: &[f64; STAGES]| each(|i| 1.0 / (alpha + b * (2.0 * s[i] - e[i])));

    let mut last_change = f64::INFINITY;
    let solved = (0..MAX_ITERATIONS).any(|iteration| {
        let time = time(&root(&r));
        let rate = each(|j| drive[j] * time[j]);
        let mut next = [r_0; STAGES];
        for j in 0..HALF {
            next = each(|i| next[i] + (FROM[j][i] * rate[j] + FROM[j + HALF][i] * rate[j + HALF]));
        }
        let change = (0..STAGES).fold(0.0, |most, i| larger((next[i] - r[i]).abs(), most));
        let contraction = if iteration == 0 { FIRST_CONTRACTION } else { change / last_change };
        (r, last_change) = (next, change);
        let missing = change * (contraction / (1.0 - contraction)).max(LEAST_MISSING);
        contraction < 1.0 && stake * bend * missing <= 0.1 * tolerance && missing <= LOSS
    });
    let s = root(&r);
    let time = time(&s);
    let time_held = each(|i| 1.0 / (held - b * e[i]));
    let bent = each(|i| time[i] - time_held[i]);
    // The stages themselves are as good as a quadrature that is not split.
    let share = slowest * beyond(&bent) + bend * kappa * e_0.abs() * beyond(&time);
    let moved = each(|i| (r[i] - r_0) * time[i]);
    if !(solved && MARGIN * stake * share <= tolerance && MARGIN * slowest * beyond(&moved) <= LOSS) {
        return None;
    }

    let growth = libm::log1p(b * e_0 * (1.0 - decayed) / (held - b * e_0));
    let h = (theta + growth) / held + theta * sum(&WEIGHTS, &bent);
    let area = growth / b + theta * sum(&WEIGHTS, &each(|i| e[i] * bent[i]));
    let dr = kappa * (nu * h - area);
    let (low, high) =
        r.iter().fold((r_0.min(r_0 + dr), r_0.max(r_0 + dr)), |(a, b), r| (smaller(*r, a), larger(*r, b)));
    // r turns once at most, and does not dip far between two nodes.
    let turns = nu > e_0.min(0.0) && nu < e_0.max(0.0);
    let one_sided = low >= if turns { 0.1 * (high - low) } else { 0.0 };
    let in_zone = one_sided && (0..STAGES).all(|i| e[i] <= s[i] && -e[i] <= 1.0 - s[i]);
    if !(in_zone && high < 1.0 && h <= rest) {
        return None;
    }
    // ∫ (f − r) dt by the equation of e, ∫ r dt by what r has moved.
    let impulse = r_0 * h + theta * sum(&WEIGHTS, &moved) - (e_0 * (decayed - 1.0) + alpha * area) / b;
    Some(Taken { h, dr, e: e_0 * decayed, work: nu * impulse })
}

/// What Gauss's quadrature misses of the integral of what has these values at the nodes. Its spectrum tells: beyond its end
/// it goes on falling as it fell, twice as far as from its second line to its last.
fn beyond(values: &[f64; STAGES]) -> f64 {
    let [second, third, fourth, fifth, sixth, seventh] = SPECTRUM.map(|row| sum(&row, values).abs());
    let (early, middle, late) = (second + third, fourth + fifth, sixth + seventh);
    if late == 0.0 {
        return 0.0;
    }
    let recent = (late / middle).min(1.0);
    let fall = (late / early).min(1.0).max(recent * recent);
    late * fall * fall
}

#[inline(always)]
fn each(value: impl Fn(usize) -> f64) -> [f64; STAGES] {
    core::array::from_fn(value)
}

#[inline(always)]
fn sum(factors: &[f64; STAGES], values: &[f64; STAGES]) -> f64 {
    let [a, b, c, d] =
        core::array::from_fn::<f64, HALF, _>(|i| factors[i] * values[i] + factors[i + HALF] * values[i + HALF]);
    (a + c) + (b + d)
}

#[cfg(test)]
mod tests {
    use super::super::scaled::tests::{LAWS, followed};
    use super::*;

    #[test]
    fn the_method_integrates_polynomials_and_knows_its_decays() {
        for (i, node) in NODES.into_iter().enumerate() {
            for Stretch { theta, decays, .. } in STRETCHES {
                assert!((decays[i] / libm::exp(-theta * node) - 1.0).abs() < 1e-15);
            }
            for degree in 0..8 {
                let power = |x: f64, n: i32| (0..n).fold(1.0, |p, _| p * x);
                let integral: f64 = (0..STAGES).map(|j| FROM[j][i] * power(NODES[j], degree)).sum();
                let exact = power(node, degree + 1) / f64::from(degree + 1);
                assert!((integral - exact).abs() < 1e-15, "degree {degree} up to {node}: {integral} for {exact}");
            }
        }
        for Stretch { theta, decayed, .. } in STRETCHES {
            assert!((decayed / libm::exp(-theta) - 1.0).abs() < 1e-15);
        }
        assert!((sum(&WEIGHTS, &[1.0; STAGES]) - 1.0).abs() < 1e-15);
    }

    #[test]
    fn a_decay_keeps_its_tolerance() {
        let mut used = [0; 7];
        let velocities = [0.0, 1e-4, -0.01, 0.05, -0.3, 0.3, 1.0];
        for (law, nu) in LAWS.into_iter().flat_map(|law| velocities.map(|nu| (law, nu))) {
            for r in [0.001, 0.03, 0.2, 0.4, 0.6, 0.9, 0.99, 0.999] {
                for e in [1e-6, -1e-5, 1e-4, -1e-3, 3e-3, -0.01, 0.03, -0.1, 0.1, -0.3, 0.3, -0.6, 0.6] {
                    for (i, tolerance) in [1e-4, 1e-5, 1e-6, 1e-7, 1e-8, 1e-9, 1e-10].into_iter().enumerate() {
                        let Some(taken) = step(&law, nu, Start::new(r, e), 1e3, tolerance) else { continue };
                        let [r_end, e_end, work] = followed(&law, nu, [r, e], taken.h);
                        let errors = [taken.dr - (r_end - r), law.weight * (taken.e - e_end)];
                        let rounding = 1e-12;
                        assert!(
                            errors.iter().all(|error| error.abs() <= tolerance + rounding),
                            "kappa = {}, nu = {nu}, from {r}, {e}: {errors:?} for {tolerance:e}",
                            law.kappa
                        );
                        // f answers to e with 2 at most.
                        let mean_error = (taken.work - work).abs() / taken.h;
                        assert!(
                            mean_error <= (2.0 * tolerance + LOSS) * nu.abs(),
                            "{taken:?}, not {work}, for {tolerance:e}"
                        );
                        used[i] += 1;
                    }
                }
            }
        }
        assert!(used.iter().all(|used| *used > 500), "{used:?}");
    }
}
