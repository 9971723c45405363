//! LuGre where the velocity turns: with a bristle at its limit, past rest at a small distance, and
//! with a damping far above F_s.

use super::hard_cases::moved;
use super::*;

/// LuGre with a constant coefficient of friction and a constant normal force.
#[derive(Clone, Copy)]
struct Bristle {
    mu: f64,
    /// F_N, N.
    normal: f64,
    sigma_0: f64,
    sigma_1: f64,
}

impl Bristle {
    fn limit(&self) -> f64 {
        self.mu * self.normal / self.sigma_0
    }

    /// Rate of the deflection.
    fn rate(&self, v: Vector, z: Vector) -> Vector {
        add(v, -size(v) / self.limit(), z)
    }

    /// F_R, with the elastic force within its limit.
    fn force(&self, v: Vector, z: Vector) -> Vector {
        let z = limited(z, self.limit());
        add(scaled(z, self.sigma_0), self.sigma_1, self.rate(v, z))
    }

    /// Rates of deflection and loss.
    fn rates(&self, v: Vector, [x, y, _]: [f64; 3]) -> [f64; 3] {
        let [by_x, by_y] = self.rate(v, [x, y]);
        [by_x, by_y, dot(self.force(v, [x, y]), v)]
    }

    /// F_R and E_loss of the element after a step of `h` (s) from the deflection `z` (m).
    fn stepped<const ORDERS: usize>(
        &self,
        z: Vector,
        v: [[f64; ORDERS]; 2],
        h: f64,
        tolerance: f64,
    ) -> (Vector, f64) {
        let mut held = [0.0; ORDERS];
        held[0] = self.normal;
        self.stepped_under(held, z, v, h, tolerance)
    }

    /// F_R and E_loss of the element after a step of `h` (s) from the deflection `z` (m), under a
    /// normal force that moves.
    fn stepped_under<const ORDERS: usize>(
        &self,
        normal: [f64; ORDERS],
        z: Vector,
        v: [[f64; ORDERS]; 2],
        h: f64,
        tolerance: f64,
    ) -> (Vector, f64) {
        let model = find("LuGre")
            .and_then(|law| law.planar)
            .expect("a law in the plane");
        let mut element = model.instantiate();
        let &Bristle {
            mu,
            sigma_0,
            sigma_1,
            ..
        } = self;
        let parameters = [
            ("mu_s", mu),
            ("mu_d", mu),
            ("sigma_0", sigma_0),
            ("sigma_1", sigma_1),
            ("sigma_2", 0.0),
        ];
        set(&mut *element, model, &parameters);
        set(&mut *element, model, &[("z_x", z[0]), ("z_y", z[1])]);
        element.set_tolerance(tolerance);
        let force = moved(&mut *element, [normal, v[0], v[1]], h);
        (force, element.values()[&E_LOSS])
    }

    /// Errors of F_R and E_loss over F_s and F_s max|v| h, in units of the tolerance.
    fn errors(
        &self,
        found: (Vector, f64),
        expected: (Vector, f64),
        scale: f64,
        tolerance: f64,
    ) -> [f64; 2] {
        let static_force = self.mu * self.normal;
        let force = size(add(found.0, -1.0, expected.0)) / static_force;
        [
            force / tolerance,
            (found.1 - expected.1).abs() / (static_force * scale) / tolerance,
        ]
    }
}

/// v turns ever faster while it slows down, with the bristle at its limit from the start. σ_1 dz/dt
/// is four times F_s and nearly perpendicular to v, so that its work depends on the lag of z behind
/// v. The limit cut off a part of the errors of z and left the rest, which does work of one sign.
#[test]
fn bristle_at_its_limit_loses_what_its_lag_tells() {
    let bristle = Bristle {
        mu: 0.167_498,
        normal: 0.112_26,
        sigma_0: 3_386.755,
        sigma_1: 35.1195,
    };
    let (v_x, v_y, h) = ([-0.244_16, 14.9926], [0.528_545, -53.7523], 9.155_75e-3);
    let at = |t: f64| [v_x[0] + v_x[1] * t, v_y[0] + v_y[1] * t];
    let z = scaled(at(0.0), (1.0 - 1e-12) * bristle.limit() / size(at(0.0)));
    let end = runge_kutta(
        |t, x| bristle.rates(at(t), x),
        [z[0], z[1], 0.0],
        0.0,
        h,
        40_000,
    );
    let expected = (bristle.force(at(h), [end[0], end[1]]), end[2]);
    for tolerance in [1e-4, 1e-5, 1e-6, 1e-7, 1e-8, 1e-9] {
        let found = bristle.stepped(z, [v_x, v_y], h, tolerance);
        let errors = bristle.errors(found, expected, size(at(0.0)) * h, tolerance);
        assert!(
            errors.iter().all(|error| *error < 2.0),
            "off by {errors:?} tolerances of {tolerance:e}"
        );
    }
}

/// Two reversals of v_x while v_y is a ten-thousandth of it: |v| is nearly a kink there, between a
/// breakpoint and the nearest node of each panel that begins or ends at it.
#[test]
fn velocity_that_passes_rest_at_a_small_distance_is_resolved() {
    let (v_x, h): ([f64; 4], f64) = (
        [0.064_510_805, -2.927_255_695, 59.137_465_04, 0.0],
        0.068_112_516,
    );
    let [offset, first, second, _] = v_x;
    let root = (first * first - 2.0 * offset * second).sqrt();
    let passes = [-1.0, 1.0].map(|sign| (sign * root - first) / second);
    let middle = 0.5 * (passes[0] + passes[1]);
    for sigma_1 in [0.0, 3e4] {
        let bristle = Bristle {
            mu: 0.36,
            normal: 131.0,
            sigma_0: 33_274.0,
            sigma_1,
        };
        for distance in [0.1, 0.3, 1.0, 3.0, 10.0, 30.0] {
            let v_y = [0.0, -8.375e-5, -1.6178e-3, 0.124_05].map(|order| distance * order);
            let at = |t: f64| {
                [v_x, v_y].map(|[value, first, second, third]| {
                    value + t * (first + t * (second / 2.0 + t / 6.0 * third))
                })
            };
            // In the time t − T = τ sinh s, with τ = |v|/|dv/dt| at the passage T, the speed is
            // smooth.
            let part = |x: [f64; 3], passes: f64, from: f64, to: f64| {
                let fast = size(at(passes)) / root;
                let by_s = |s: f64, x: [f64; 3]| {
                    bristle
                        .rates(at(passes + fast * libm::sinh(s)), x)
                        .map(|rate| fast * libm::cosh(s) * rate)
                };
                runge_kutta(
                    by_s,
                    x,
                    libm::asinh((from - passes) / fast),
                    libm::asinh((to - passes) / fast),
                    20_000,
                )
            };
            let z = [1.125e-4, -9.81e-5];
            let turned = part([z[0], z[1], 0.0], passes[0], 0.0, middle);
            let end = part(turned, passes[1], middle, h);
            let expected = (bristle.force(at(h), [end[0], end[1]]), end[2]);
            for tolerance in [1e-6, 1e-8, 3e-10] {
                let found = bristle.stepped(z, [v_x, v_y], h, tolerance);
                let errors = bristle.errors(found, expected, offset * h, tolerance);
                assert!(
                    errors.iter().all(|error| *error < 1.0),
                    "v_y times {distance}, sigma_1 {sigma_1}: off by {errors:?} tolerances of \
                     {tolerance:e}"
                );
            }
        }
    }
}

/// The bristle relaxes two thousand times within the step, and σ_1 dz/dt is thirty times F_s. The
/// rounding of v, over all of that time, was taken for an error that z cannot avoid.
#[test]
fn rounding_of_the_velocity_acts_for_the_time_in_which_the_bristle_relaxes() {
    let bristle = Bristle {
        mu: 0.3,
        normal: 0.011_553_140_875,
        sigma_0: 5e6,
        sigma_1: 3_192.75,
    };
    let (v_x, v_y, h) = (
        [0.750_021_7, 111_441.934],
        [-1.096_294_6, 76_242.162_4],
        1.244_812_3e-6,
    );
    let at = |t: f64| [v_x[0] + v_x[1] * t, v_y[0] + v_y[1] * t];
    for tolerance in [1e-6, 7e-8, 1e-9] {
        for z in [[6e-10, 8e-8], [3e-10, -5e-10]] {
            let end = runge_kutta(
                |t, x| bristle.rates(at(t), x),
                [z[0], z[1], 0.0],
                0.0,
                h,
                100_000,
            );
            let expected = (bristle.force(at(h), [end[0], end[1]]), end[2]);
            let found = bristle.stepped(z, [v_x, v_y], h, tolerance);
            let [force, _] = bristle.errors(found, expected, size(at(0.0)) * h, tolerance);
            assert!(
                force < 2.0,
                "F_R is off by {force} tolerances of {tolerance:e}"
            );
        }
    }
}

/// Held inputs, with an elastic force seven times its limit and nearly against v: its direction
/// turns until it passes the limit.
#[test]
fn limited_force_that_turns_has_its_loss() {
    let bristle = Bristle {
        mu: 1.0,
        normal: 0.034_09,
        sigma_0: 72_530.0,
        sigma_1: 7.419,
    };
    let (v, h) = ([3.792, 0.1355], 1.82e-4);
    let (limit, speed) = (bristle.limit(), size(v));
    for z in [[-4.2e-6, 0.0], [-4.2e-6, 1e-7], [1e-7, 3e-6], [3e-7, 2e-6]] {
        // z goes straight to its steady value, which is at the limit, and reaches that before.
        let steady = scaled(v, limit / speed);
        let off = add(z, -1.0, steady);
        let passage = -libm::log(-2.0 * dot(steady, off) / dot(off, off)) * limit / speed;
        let settled = passage + 60.0 * limit / speed;
        let rates = |_: f64, x: [f64; 3]| bristle.rates(v, x);
        let at_limit = runge_kutta(rates, [z[0], z[1], 0.0], 0.0, passage, 10_000);
        let [x, y, loss] = runge_kutta(rates, at_limit, passage, settled, 100_000);
        let sliding = bristle.mu * bristle.normal * speed * (h - settled);
        let expected = (bristle.force(v, [x, y]), loss + sliding);
        for tolerance in [1e-4, 1e-6, 1e-8, 1e-10] {
            let found = bristle.stepped(z, [[v[0]], [v[1]]], h, tolerance);
            let [_, loss] = bristle.errors(found, expected, speed * h, tolerance);
            assert!(
                loss < 2.0,
                "from {z:?} m: E_loss is off by {loss} tolerances of {tolerance:e}"
            );
        }
    }
}
