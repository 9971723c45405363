//! A uniform disc that slides and spins on a plane, on points in rings under equal normal forces.
//!
//! Source: Z. Farkas, G. Bartels, T. Unger, D. E. Wolf, *Frictional coupling between sliding and
//! spinning motion*, Physical Review Letters 2003, 90, 248302: force and torque of Coulomb friction
//! under uniform pressure depend on ε = v/(R ω) only, in complete elliptic integrals, and a disc
//! that slides and spins stops both at the same moment with ε → 0.653.

use crate::G;
use crate::planar::{PlanarRig, Twist, Wrench, turned};
use core::f64::consts::{FRAC_PI_2, PI};

/// ε of a uniform disc as it comes to rest, to the digits that the paper prints.
pub const FINAL_RATIO: f64 = 0.653;

/// The disc. Its states are position, angle, and their velocities.
#[derive(Clone, Debug, PartialEq)]
pub struct SlidingDisc {
    /// Mass, kg.
    pub mass: f64,
    /// Radius R, m.
    pub radius: f64,
    /// Points of contact, m.
    pub points: Vec<[f64; 2]>,
    /// Velocity at t = 0, m/s.
    pub velocity: f64,
    /// Angular velocity at t = 0, rad/s.
    pub omega: f64,
}

impl SlidingDisc {
    /// A disc of 1 kg and 0.1 m on these points.
    pub fn new(points: Vec<[f64; 2]>, velocity: f64, omega: f64) -> Self {
        SlidingDisc {
            mass: 1.0,
            radius: 0.1,
            points,
            velocity,
            omega,
        }
    }

    /// Ratio ε of the speeds of sliding and of the rim in a state.
    pub fn ratio(&self, y: &[f64]) -> f64 {
        libm::hypot(y[3], y[4]) / (self.radius * y[5].abs())
    }
}

/// Positions of points in `rings` rings of a disc (m): 4, 8, 12 … of them, so that each stands for
/// the same area, at the mean radius of the area of its ring.
pub fn rings(rings: u32, radius: f64) -> Vec<[f64; 2]> {
    let edge = |ring: u32| (f64::from(ring * (ring + 1)) / f64::from(rings * (rings + 1))).sqrt();
    let mut points = Vec::new();
    for ring in 1..=rings {
        let [inner, outer] = [edge(ring - 1), edge(ring)];
        let mean = 2.0 / 3.0 * (libm::pow(outer, 3.0) - libm::pow(inner, 3.0))
            / (outer * outer - inner * inner);
        let count = 4 * ring;
        for i in 0..count {
            // Every other ring is turned by half a gap.
            let angle =
                2.0 * PI * (f64::from(i) + 0.5 * f64::from((ring + 1) % 2)) / f64::from(count);
            points.push(turned([mean * radius, 0.0], angle));
        }
    }
    points
}

/// Coulomb friction on a disc under uniform pressure for ε = v/(R ω): force over μ F_N, and torque
/// over μ F_N R.
pub fn coulomb(ratio: f64) -> [f64; 2] {
    let square = ratio * ratio;
    if ratio < 1e-3 {
        // Series in ε; the closed form loses its digits.
        return [ratio, (2.0 - square) / 3.0];
    }
    if ratio <= 1.0 {
        let [k, e] = elliptic_integrals(square);
        let force = 4.0 / (3.0 * PI) * ((square + 1.0) * e - (1.0 - square) * k) / ratio;
        return [
            force,
            4.0 / (9.0 * PI) * ((4.0 - 2.0 * square) * e + (square - 1.0) * k),
        ];
    }
    let [k, e] = elliptic_integrals(1.0 / square);
    let force = 4.0 / (3.0 * PI) * ((square + 1.0) * e - (square - 1.0) * k);
    let torque = 4.0 * ratio / (9.0 * PI)
        * ((4.0 - 2.0 * square) * e + (2.0 * square - 5.0 + 3.0 / square) * k);
    [force, torque]
}

/// Complete elliptic integrals K and E of the parameter m = k², 0 ≤ m ≤ 1, by the
/// arithmetic-geometric mean.
fn elliptic_integrals(m: f64) -> [f64; 2] {
    // At m = 1 K is infinite, and the factor before it 0.
    let (mut a, mut b) = (1.0, (1.0 - m).max(1e-30).sqrt());
    let (mut sum, mut power) = (0.5 * m, 1.0);
    while a - b > 1e-15 {
        let c = 0.5 * (a - b);
        (a, b) = (0.5 * (a + b), (a * b).sqrt());
        power *= 2.0;
        sum += 0.5 * power * c * c;
    }
    let k = FRAC_PI_2 / a;
    [k, k * (1.0 - sum)]
}

impl PlanarRig for SlidingDisc {
    fn start(&self) -> Vec<f64> {
        vec![0.0, 0.0, 0.0, self.velocity, 0.0, self.omega]
    }

    fn sizes(&self) -> Vec<f64> {
        vec![0.1, 0.1, 1.0, 1.0, 1.0, 10.0]
    }

    fn contacts(&self) -> usize {
        self.points.len()
    }

    fn position(&self, contact: usize) -> [f64; 2] {
        self.points[contact]
    }

    fn normal_force(&self, _: f64, _: usize) -> f64 {
        self.mass * G / self.points.len() as f64
    }

    fn twist(&self, y: &[f64]) -> Twist {
        Twist {
            velocity: turned([y[3], y[4]], -y[2]),
            omega: y[5],
        }
    }

    fn rate(&self, _: f64, y: &[f64], friction: Wrench, rate: &mut [f64]) {
        let force = turned(friction.force, y[2]);
        rate[..3].copy_from_slice(&y[3..6]);
        rate[3] = -force[0] / self.mass;
        rate[4] = -force[1] / self.mass;
        rate[5] = -friction.torque / (0.5 * self.mass * self.radius * self.radius);
    }

    fn longest_step(&self) -> f64 {
        1e-3
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn textbook_force_and_torque_are_the_integrals_over_the_disc() {
        for ratio in [0.0, 1e-4, 0.1, 0.653, 0.99, 1.01, 1.5, 4.0] {
            let [mut force, mut torque] = [0.0; 2];
            const CELLS: u32 = 400;
            for i in 0..CELLS {
                let radius = (f64::from(i) + 0.5) / f64::from(CELLS);
                for j in 0..CELLS {
                    let [x, y] = turned(
                        [radius, 0.0],
                        2.0 * PI * (f64::from(j) + 0.5) / f64::from(CELLS),
                    );
                    let v = [ratio - y, x];
                    let weight = 2.0 * radius / f64::from(CELLS * CELLS) / libm::hypot(v[0], v[1]);
                    force += weight * v[0];
                    torque += weight * (x * v[1] - y * v[0]);
                }
            }
            let expected = coulomb(ratio);
            assert!(
                (force - expected[0]).abs() < 1e-5 && (torque - expected[1]).abs() < 1e-5,
                "{ratio}: {expected:?}"
            );
        }
    }

    #[test]
    fn ratio_at_rest_is_the_fixed_point_of_the_textbook() {
        // ε is constant where (dv/dt)/v = (dω/dt)/ω: force = 2 ε torque with J = m R²/2.
        let [force, torque] = coulomb(FINAL_RATIO);
        assert!(
            (force - 2.0 * FINAL_RATIO * torque).abs() < 5e-4,
            "{force}, {torque}"
        );
    }

    #[test]
    fn rings_come_near_the_uniform_disc() {
        let points = rings(5, 1.0);
        assert_eq!(points.len(), 60);
        for ratio in [0.1, 0.3, 0.653, 0.9, 1.5] {
            let mut sum = Wrench::default();
            for &point in &points {
                let v = Twist {
                    velocity: [ratio, 0.0],
                    omega: 1.0,
                }
                .at(point);
                let size = libm::hypot(v[0], v[1]) * points.len() as f64;
                sum.add(point, v.map(|component| component / size));
            }
            let expected = coulomb(ratio);
            let off = [sum.force[0] - expected[0], sum.torque - expected[1]];
            assert!(off.iter().all(|off| off.abs() < 0.015), "{ratio}: {off:?}");
        }
    }
}
