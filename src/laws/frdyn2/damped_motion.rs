//! Open contacts and full sliding over a step in closed form, also under a moving normal force. See §10 of `docs/internals/numerics.md`.
//!
//! Where the contact slides fully the friction force is ±F_d(t), a polynomial of time. By equation (3) the bristle is a critically damped
//! oscillator under that force,
//!
//! (1 + D/ω)² z = F_d/σ_0,  D = d/dt,
//!
//! whose motion is the polynomial z_p = (1 − 2D/ω + 3D²/ω² − 4D³/ω³) F_d/σ_0, exact up to the third order, and a decaying rest.

use super::closed_forms::{Bounds, DampedMotion, damped_motion};
use super::constants::{MAX_FORCED_TERM, OPENING_ROUNDING};
use super::equations::Equations;
use crate::integrate::cubic;
use crate::law::InputTrajectory;

/// A polynomial of time by its derivatives at 0, up to the third.
#[derive(Clone, Copy)]
struct Derivatives([f64; 4]);

impl Derivatives {
    fn at(self, t: f64) -> f64 {
        let [c, c1, c2, c3] = self.0;
        c + t * (c1 + t / 2.0 * (c2 + t / 3.0 * c3))
    }

    fn derivative(self) -> Self {
        let [_, c1, c2, c3] = self.0;
        Derivatives([c1, c2, c3, 0.0])
    }

    /// Bounds over a duration (s).
    fn bounds(self, duration: f64) -> [f64; 2] {
        cubic::bounds(self.0, duration)
    }

    /// ∫ of the product with another polynomial over a duration (s).
    fn product_integral(self, other: Self, duration: f64) -> f64 {
        const INVERSES: [f64; 7] = [1.0, 1.0 / 2.0, 1.0 / 3.0, 1.0 / 4.0, 1.0 / 5.0, 1.0 / 6.0, 1.0 / 7.0];
        let of_powers = |Derivatives([c, c1, c2, c3]): Self| {
            let square = duration * duration;
            [c, c1 * duration, 0.5 * c2 * square, c3 * square * duration / 6.0]
        };
        let (a, b) = (of_powers(self), of_powers(other));
        let row = |i: usize| a[i] * (0..4).map(|k| b[k] * INVERSES[i + k]).sum::<f64>();
        duration * (0..4).map(row).sum::<f64>()
    }
}

/// States and friction loss (J) after `duration` (s) of an open contact or of full sliding; `None` where no bounds prove that it lasts.
pub fn damped_motion_over(
    equations: &Equations,
    trajectory: &InputTrajectory,
    x: &[f64; 2],
    duration: f64,
) -> Option<([f64; 2], f64)> {
    let Some((travel, dv)) = trajectory.travel(duration) else {
        return moving_slide(equations, trajectory, x, duration);
    };
    let (motion, force) = damped_motion(equations, trajectory.start, dv, x)?;
    Some((motion.at(duration), force * travel))
}

/// Full sliding under a moving normal force.
#[inline(never)] // registers saved for it would cost every step of stick
fn moving_slide(
    equations: &Equations,
    trajectory: &InputTrajectory,
    x: &[f64; 2],
    duration: f64,
) -> Option<([f64; 2], f64)> {
    let &[first, second, third] = trajectory.derivatives?;
    let start = trajectory.start;
    let slip = start.v - x[1];
    if slip.abs() < equations.partly_sliding {
        return None;
    }
    // Mirrored so that the contact slides along x.
    let side = 1.0_f64.copysign(slip);
    let orders = [start, first, second, third];
    let normal = Derivatives(orders.map(|order| order.F_N));
    let v = Derivatives(orders.map(|order| side * order.v));
    let [least_force, most_force] = normal.bounds(duration);
    if least_force < -OPENING_ROUNDING * most_force {
        return None;
    }
    let deflection = equations.mu_d * equations.compliance;
    let time = 1.0 / equations.omega;
    let [q, q1, q2, q3] = normal.0.map(|force| deflection * force);
    let terms = [2.0 * q1 * time, 3.0 * q2 * time * time, 4.0 * q3 * time * time * time];
    if !(terms.into_iter().fold(0.0, |most: f64, term| most.max(term.abs()))
        <= MAX_FORCED_TERM * deflection * most_force)
    {
        return None;
    }
    let forced = Derivatives([
        q - terms[0] + terms[1] - terms[2],
        q1 - 2.0 * q2 * time + 3.0 * q3 * time * time,
        q2 - 2.0 * q3 * time,
        q3,
    ]);
    let rate = forced.derivative();
    let decaying = DampedMotion::new(&[side * x[0] - forced.0[0], side * x[1] - rate.0[0]], 0.0, equations.omega);
    // w ≥ v − ż + shift for all time, with the shift by a lower bound of F_0.
    let Bounds { z, z_dot } = decaying.bounds();
    let least_v = v.bounds(duration)[0];
    let least_sticking = equations.sigma_0 * (forced.bounds(duration)[0] + z[0]) + equations.sigma_1 * least_v;
    let shift = if least_sticking >= equations.mu_s * most_force {
        equations.v_s
    } else if least_sticking >= 0.0 {
        0.0
    } else {
        -equations.v_s
    };
    if !(least_v - rate.bounds(duration)[1] - z_dot[1] + shift >= equations.v_d) {
        return None;
    }
    let [z, z_dot] = decaying.at(duration);
    let end = [side * (forced.at(duration) + z), side * (rate.at(duration) + z_dot)];
    Some((end, equations.mu_d * normal.product_integral(v, duration)))
}

#[cfg(test)]
mod tests {
    use super::super::test_cases::{equations, random};
    use super::*;
    use crate::integrate::radau::Radau;
    use crate::law::{self, Contact, Law};

    /// Random inputs of full sliding, with the states at their start: bristles at rest, out of it, and next to F_N = 0.
    fn case(random: &mut impl FnMut() -> f64, h: f64) -> (Contact, [Contact; 3], [f64; 2]) {
        let normal = 500.0 * libm::pow(0.5 * (1.0 + random()), 4.0);
        let speed = 0.1 * random().signum() + random();
        let start = Contact::new(normal, speed);
        let order = |share: f64, n: i32, random: &mut dyn FnMut() -> f64| {
            let per = libm::pow(h, f64::from(n));
            Contact::new(share * normal * random() / per, 0.3 * share * speed * random() / per)
        };
        let first = order(0.4, 1, random);
        let derivatives = [first, order(0.4, 2, random), order(0.8, 3, random)];
        let z = 0.3 * normal / 5e6 * (speed.signum() + 0.2 * random());
        (start, derivatives, [z, 0.02 * speed * random()])
    }

    #[test]
    fn full_sliding_under_moving_inputs_agrees_with_the_general_integrator() {
        let (law, mut random) = (equations(), random(7));
        let mut used = 0;
        for n in 0..600 {
            let h = libm::exp10(-5.0 + 3.5 * f64::from(n) / 600.0);
            let (start, derivatives, x) = case(&mut random, h);
            let trajectory = InputTrajectory { start, derivatives: Some(&derivatives), delay: None };
            let Some((end, loss)) = moving_slide(&law, &trajectory, &x, h) else { continue };
            used += 1;
            let mut integrated = x;
            let done =
                law::advance(&law, &trajectory, &mut integrated, &mut (), h, 1e-8, &mut Radau::default()).unwrap();
            let scale = law.scale(trajectory.at(h), &integrated);
            for i in 0..2 {
                let error = (end[i] - integrated[i]).abs() / scale[i];
                assert!(error < 1e-7, "{trajectory:?} from {x:?} after {h}: {error:e}");
            }
            let largest = trajectory.largest_inputs(trajectory.breakpoints(h));
            let most = 0.6 * largest[0] * largest[1] * h;
            assert!((loss - done.loss).abs() < 1e-7 * most, "{loss} for {} of {most}", done.loss);
        }
        assert!(used > 200, "{used}");
    }

    #[test]
    fn a_bristle_that_follows_a_ramp_of_the_normal_force_lags_by_twice_the_time_constant() {
        // (1 + D/ω)² z = q + q′ t has the solution q + q′ (t − 2/ω).
        let law = equations();
        let (ramp, h) = (2000.0, 0.02);
        let derivatives = [Contact::new(ramp, 0.0), Contact::ZERO, Contact::ZERO];
        let trajectory =
            InputTrajectory { start: Contact::new(10.0, -1.0), derivatives: Some(&derivatives), delay: None };
        let (end, loss) = moving_slide(&law, &trajectory, &[0.0; 2], h).unwrap();
        let expected = -0.3 / 5e6 * (10.0 + ramp * (h - 2.0 / law.omega));
        assert!((end[0] / expected - 1.0).abs() < 1e-14, "{} for {expected}", end[0]);
        assert!((loss / (0.3 * (10.0 + 0.5 * ramp * h) * h) - 1.0).abs() < 1e-14, "{loss}");
    }

    #[test]
    fn sliding_that_bounds_do_not_prove_is_refused() {
        let law = equations();
        let with = |normal: [f64; 2], v: [f64; 2], x: [f64; 2]| {
            let derivatives = [Contact::new(normal[1], v[1]), Contact::ZERO, Contact::ZERO];
            let start = Contact::new(normal[0], v[0]);
            let trajectory = InputTrajectory { start, derivatives: Some(&derivatives), delay: None };
            moving_slide(&law, &trajectory, &x, 1e-3).is_some()
        };
        let sliding = [0.3 * 10.0 / 5e6, 0.0];
        assert!(with([10.0, 1e3], [0.1, 10.0], sliding));
        assert!(with([10.0, -1e4], [0.1, 10.0], sliding), "up to the opening");
        assert!(!with([10.0, -1.1e4], [0.1, 10.0], sliding), "beyond the opening");
        assert!(!with([10.0, 1e3], [0.1, -99.0], sliding), "down to stick");
        assert!(!with([10.0, 1e3], [0.1, 0.0], [sliding[0], 0.095]), "a bristle that moves with the contact");
    }

    #[test]
    fn opening_is_refused_beyond_a_rounding_that_is_relative_to_the_largest_normal_force() {
        let (law, h) = (equations(), 1e-3);
        for most in [1e-3, 0.1, 1.0, 10.0, 1e3] {
            let sliding = [law.mu_d * law.compliance * most, 0.0];
            let lasts_down_to = |least: f64| {
                let derivatives = [Contact::new((least - most) / h, 0.0), Contact::ZERO, Contact::ZERO];
                let start = Contact::new(most, 1.0);
                let trajectory = InputTrajectory { start, derivatives: Some(&derivatives), delay: None };
                moving_slide(&law, &trajectory, &sliding, h).is_some()
            };
            assert!(lasts_down_to(-0.5 * OPENING_ROUNDING * most), "{most} N");
            assert!(!lasts_down_to(-2.0 * OPENING_ROUNDING * most), "{most} N");
        }
    }
}
