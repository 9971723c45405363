//! Full sliding in the plane: the bristle in closed form under a force that is a parabola of time.
//!
//! z̈ + 2ω ż + ω² z = ω² F_R/σ_0, and only the direction of F_R follows the bristle, so that F_R changes little over a step. Under a
//! parabola through its values at start, middle and end, z is a parabola and a part that decays as e^(−ωt). The values follow by
//! fixed-point iteration; a fourth point shows the error of the parabola. With s = t/H and k = ωH:
//! z″ + 2k z′ + k² z = k² F_R/σ_0.

use crate::laws::frdyn2::Equations;
use crate::vector::{Vector, add, dot, scaled, size};

/// Largest error of the states over the tolerance.
const SHARE: f64 = 0.1;
/// Most iterations: the force follows the bristle by the ratio of its lag to the speed, some 1e-3.
const ITERATIONS: usize = 4;
/// Share of the allowed error that the forces of the last iteration may have, by the change in it times the ratio of the last two changes,
/// with which the iteration converges. Larger: a direction that converges more slowly than the last two changes is cut off.
const REMAINING: f64 = 0.1;
/// k from which on rounding, which the closed form multiplies by 1/k², stays below 1e-11.
const SHORTEST: f64 = 1e-2;
/// Longest k: beyond it a parabola does not follow the decay.
const LONGEST: f64 = 2.0;

/// Deflection over a step.
#[allow(non_snake_case)] // the names of the closed form
struct Motion {
    /// Coefficients of the parabola, m.
    parabola: [Vector; 3],
    /// Decaying part (A + B s) e^(−ks), m.
    A: Vector,
    B: Vector,
    k: f64,
    inverse_duration: f64,
}

impl Motion {
    #[allow(non_snake_case)] // the names of the closed form
    #[inline]
    fn new([z, z_dot]: [Vector; 2], (k, duration): (f64, f64), compliance: f64, forces: [Vector; 3]) -> Self {
        let [start, middle, end] = forces.map(|force| scaled(force, compliance));
        let first = add(add(scaled(start, -3.0), 4.0, middle), -1.0, end);
        let a_2 = scaled(add(add(start, -2.0, middle), 1.0, end), 2.0);
        let a_1 = add(first, -4.0 / k, a_2);
        let a_0 = add(add(start, -2.0 / k, a_1), -2.0 / (k * k), a_2);
        let A = add(z, -1.0, a_0);
        let B = add(add(scaled(z_dot, duration), -1.0, a_1), k, A);
        Motion { parabola: [a_0, a_1, a_2], A, B, k, inverse_duration: 1.0 / duration }
    }

    /// States at s, where e^(−ks) is `decay`.
    #[inline]
    fn at(&self, s: f64, decay: f64) -> [Vector; 2] {
        let [a_0, a_1, a_2] = self.parabola;
        let fading = scaled(add(self.A, s, self.B), decay);
        let z = add(add(add(a_0, s, a_1), s * s, a_2), 1.0, fading);
        let slope = add(add(add(a_1, 2.0 * s, a_2), decay, self.B), -self.k, fading);
        [z, scaled(slope, self.inverse_duration)]
    }
}

/// Values of s at which the force is needed: start, middle, the check of the parabola, end.
pub const INSTANTS: [f64; 4] = [0.0, 0.5, 0.75, 1.0];

/// Advances (z, ż) over `duration` (s) under the force (N) that `force` returns at one of [`INSTANTS`], by its index, while the contact
/// slides fully. An error of the force of `tolerance` (N) for ever would be as large as the error allowed. Returns the states at the end, and the forces at start,
/// middle and end; `None` where the contact does not slide fully throughout, or the force is no parabola.
#[inline]
pub fn slide(
    base: &Equations,
    force: impl Fn(usize, [Vector; 2]) -> Option<Vector>,
    start: [Vector; 2],
    duration: f64,
    tolerance: f64,
) -> Option<([Vector; 2], [Vector; 3])> {
    let k = base.omega * duration;
    if !(SHORTEST..=LONGEST).contains(&k) {
        return None;
    }
    let quarter = libm::exp(-0.25 * k);
    let half = quarter * quarter;
    let motion = |forces| Motion::new(start, (k, duration), base.compliance, forces);
    // An error of the force moves ż by k/2 of what counts as the same error.
    let allowed = SHARE * tolerance / (0.5 * k);
    let difference = |a, b| size(add(a, -1.0, b));
    let at_start = force(0, start)?;
    let (mut forces, mut last_change) = ([at_start; 3], 0.0);
    for _ in 0..ITERATIONS {
        let guess = motion(forces);
        let [_, middle, end] = forces;
        forces = [at_start, force(1, guess.at(0.5, half))?, force(3, guess.at(1.0, half * half))?];
        let change = difference(forces[1], middle).max(difference(forces[2], end));
        if change > allowed && change * change > REMAINING * allowed * last_change {
            last_change = change;
            continue;
        }
        let found = motion(forces);
        let parabola = add(add(scaled(forces[0], -0.125), 0.75, forces[1]), 0.375, forces[2]);
        if difference(force(2, found.at(0.75, half * quarter))?, parabola) > allowed {
            return None;
        }
        return Some((found.at(1.0, half * half), forces));
    }
    None
}

/// Mean power (W) of a force that is a parabola through its values at start, middle and end, and of a velocity that is a cubic of s: by
/// Gauss's rule with three points, which is exact for both.
#[inline]
pub fn mean_power([start, middle, end]: [Vector; 3], velocity: impl Fn(f64) -> Vector) -> f64 {
    /// Distance of the outer points from the middle, √0.6/2.
    const OUTER: f64 = 0.387_298_334_620_741_7;
    let half_difference = scaled(add(end, -1.0, start), 0.5);
    let curvature = add(add(start, -2.0, middle), 1.0, end);
    let power = |distance: f64| {
        let u = 2.0 * distance;
        dot(add(add(middle, u, half_difference), 0.5 * u * u, curvature), velocity(0.5 + distance))
    };
    (5.0 * (power(-OUTER) + power(OUTER)) + 8.0 * power(0.0)) / 18.0
}
