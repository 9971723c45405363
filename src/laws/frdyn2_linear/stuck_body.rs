//! A body that stays stuck to the bristle, in closed form under a constant normal force and a load L linear in time.
//!
//! M v′ = L − F_R, z′ = v − e, e′ = v′ − λ e with F_R = σ_0 z + σ_1 v + k e is linear. About the solution v = L′/σ_0, F_R = L, e = 0 its
//! characteristic polynomial is s³ + ((σ_1 + k)/M + λ) s² + (σ_1 λ/M) s + σ_0 λ/M. The leftmost root is real, next to the decay of e;
//! the quadratic factor that is left is the oscillation of body and bristle.

use super::super::frdyn2::oscillator::Oscillator;
use super::equations::Equations;
use super::stick::Stick;
use crate::integrate::exponential;
use crate::law::{Contact, LoadInterval, StuckMotion};

/// Limit of Newton iterations, 1: from −a_2 they converge monotonically, within five for all bristles of the tests.
const MAX_ITERATIONS: usize = 50;
/// Relative change at which the root counts as found, 1: some roundings.
const ROOT_PRECISION: f64 = 4.0 * f64::EPSILON;

/// The system x′ = A x of x = (v, z, e), and its decomposition.
struct Motion {
    mass: f64,
    sigma_0: f64,
    sigma_1: f64,
    k: f64,
    lambda: f64,
}

impl Motion {
    fn rate(&self, [v, z, e]: [f64; 3]) -> [f64; 3] {
        let acceleration = -(self.sigma_0 * z + self.sigma_1 * v + self.k * e) / self.mass;
        [acceleration, v - e, acceleration - self.lambda * e]
    }

    /// Leftmost root, 1/s, and the oscillator of the other two.
    fn factors(&self) -> Option<(f64, Oscillator)> {
        let a_2 = (self.sigma_1 + self.k) / self.mass + self.lambda;
        let [a_1, a_0] = [self.sigma_1, self.sigma_0].map(|sigma| sigma * self.lambda / self.mass);
        let mut root = -a_2;
        for _ in 0..MAX_ITERATIONS {
            let value = ((root + a_2) * root + a_1) * root + a_0;
            let slope = (3.0 * root + 2.0 * a_2) * root + a_1;
            let change = value / slope;
            root -= change;
            if !(change.abs() > ROOT_PRECISION * root.abs()) {
                break;
            }
        }
        let k = -a_0 / root;
        let d = (k - a_1) / root;
        (root < 0.0 && k > 0.0 && d >= 0.0).then_some((root, Oscillator { m: 1.0, d, k }))
    }
}

/// Motion of a body of `mass` (kg) with the velocity `v` (m/s) that stays stuck throughout; `None` where it may not, or where F_N
/// moves.
pub fn stuck_body(
    equations: &Equations,
    mass: f64,
    [z, z_dot]: [f64; 2],
    v: f64,
    interval: &LoadInterval,
) -> Option<StuckMotion<2>> {
    let LoadInterval { normal, load, duration, .. } = *interval;
    let contact = Contact::new(normal[0], v);
    if normal[0] != normal[1] || !equations.base.is_closed(contact) {
        return None;
    }
    let stick = Stick::new(equations, normal[0]);
    let [e, _] = stick.start(equations, contact, &[z, z_dot])?;
    let [sigma_0, sigma_1] = [equations.base.sigma_0, equations.base.sigma_1];
    let Stick { k, lambda, .. } = stick;
    let motion = Motion { mass, sigma_0, sigma_1, k, lambda };
    let (root, oscillator) = motion.factors()?;

    let rate = (load[1] - load[0]) / duration;
    let drift = rate / sigma_0;
    let start = [v - drift, z - (load[0] - sigma_1 * drift) / sigma_0, e];
    // The part along the eigenvector of the root, and the oscillation.
    let [first, second] = [motion.rate(start), motion.rate(motion.rate(start))];
    let at_root = (root + oscillator.d) * root + oscillator.k;
    let fast: [f64; 3] =
        core::array::from_fn(|i| (second[i] + oscillator.d * first[i] + oscillator.k * start[i]) / at_root);
    let slow: [f64; 3] = core::array::from_fn(|i| start[i] - fast[i]);
    let slow_rate = motion.rate(slow);

    // Bounds of F_0 and F_R for all time.
    let most = load[0].abs().max(load[1].abs());
    for k in [0.0, k] {
        let of = |[v, z, e]: [f64; 3]| sigma_0 * z + sigma_1 * v + k * e;
        let [reach, _] = oscillator.bounds([of(slow), of(slow_rate)]);
        if !(most + reach + of(fast).abs() <= stick.F_s) {
            return None;
        }
    }

    let [held, pushed] = oscillator.responses(duration);
    let decay = exponential::decay(-root * duration);
    let end: [f64; 3] = core::array::from_fn(|i| slow[i] * held + slow_rate[i] * pushed + fast[i] * decay);
    let v_end = end[0] + drift;
    let z_change = end[1] - start[1] + drift * duration;
    let slipped = ((v_end - v) - (end[2] - e)) / lambda;
    let travel = z_change + slipped;
    // ∫ z dt by the body's equation, and ∫ travel dt.
    let mean_load = 0.5 * (load[0] + load[1]);
    let area = (mean_load * duration - mass * (v_end - v) - sigma_1 * travel - k * slipped) / sigma_0;
    let travel_area = area - z * duration + ((travel - v * duration) - (slipped - e * duration)) / lambda;
    let work = load[1] * travel - rate * travel_area;
    Some(StuckMotion {
        v: v_end,
        travel,
        states: [z + z_change, Stick::z_dot(equations, v_end, end[2])],
        loss: work - 0.5 * mass * (v_end * v_end - v * v),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn factors_multiply_to_the_characteristic_polynomial() {
        let mut found = 0;
        for mass in [1e-3, 0.1, 1.0, 100.0] {
            for (k, lambda) in [(10.0, 1e3), (5886.0, 3e4), (1e5, 1e5)] {
                let (sigma_0, sigma_1) = (5e6, 3192.75);
                let Some((root, Oscillator { d, k: stiffness, .. })) =
                    (Motion { mass, sigma_0, sigma_1, k, lambda }).factors()
                else {
                    continue;
                };
                found += 1;
                // (s − root)(s² + ds + k).
                let coefficients = [d - root, stiffness - root * d, -root * stiffness];
                let expected = [(sigma_1 + k) / mass + lambda, sigma_1 * lambda / mass, sigma_0 * lambda / mass];
                for (coefficient, expected) in coefficients.into_iter().zip(expected) {
                    assert!((coefficient / expected - 1.0).abs() < 1e-9, "{coefficient} for {expected}, {mass} kg");
                }
            }
        }
        assert!(found > 6, "{found}");
    }
}
