//! The impulse in closed form against a fine quadrature of F_R as printed, along the same deflection.

use super::super::tests::{H, with_drift};
use super::*;
use crate::laws::symbols::Exponential;

/// Steps of the quadrature.
const STEPS: usize = 10_000;
/// Coefficient of sliding.
const MU: f64 = 0.3;
const SIGMA_0: f64 = 5e6;

fn bristle(mu_s: f64, damping: [f64; 2]) -> Bristle {
    let curve = Exponential { mu_s, mu_d: MU, v_stribeck: 0.01, exponent: 2.0, measured: None };
    Bristle { curve, sigma_0: SIGMA_0, sigma_1: damping[0], sigma_2: damping[1], alpha: 1.0 }
}

/// Impulse by the midpoint rule in time, with the deflection limited to the friction cone.
fn by_midpoints<const N: usize>(drift: &Drift, bristle: &Bristle, z: [f64; N], v: [f64; N]) -> [f64; N] {
    let mut impulse = [0.0; N];
    let h = H / STEPS as f64;
    for step in 0..STEPS {
        let t = (step as f64 + 0.5) * h;
        let normal = drift.segment.at(t).F_N;
        let limit = bristle.curve.mu_s * normal / bristle.sigma_0;
        let deflection = drift.deflection(z, v, t);
        let cut = if vector::length(deflection) > limit { limit / vector::length(deflection) } else { 1.0 };
        for k in 0..N {
            let z = cut * deflection[k];
            let rate = v[k] - drift.p * z / normal;
            impulse[k] += h * (bristle.sigma_0 * z + bristle.sigma_1 * rate + bristle.sigma_2 * v[k]);
        }
    }
    impulse
}

#[test]
fn impulse_is_the_integral_of_the_force_with_and_without_its_limit() {
    let (mut found, mut sought) = (0, 0);
    for (normal, slope) in
        [(20.0, 0.0), (20.0, 3e3), (5.0, 4e4), (20.0, -9e3), (8.0, -7.99e3), (0.02, 1e4), (1e-11_f64, 3e4)]
    {
        for speed in [1e-7, 2e-3, 1.0] {
            for mu_s in [MU, 0.6] {
                for damping in [[0.0, 0.0], [300.0, 5.0]] {
                    let bristle = bristle(mu_s, damping);
                    let p = SIGMA_0 * speed / MU;
                    for v in [speed, -speed] {
                        for share in [-50.0, -1.2, -0.7, 0.0, 0.7, 1.2, 50.0] {
                            let z = share * mu_s * f64::max(normal, normal + slope * H) / SIGMA_0;
                            with_drift([normal, slope, p], |drift| {
                                sought += 1;
                                let Some([impulse]) = drift.impulse(&bristle, [z], [v], H) else { return };
                                found += 1;
                                let [expected] = by_midpoints(drift, &bristle, [z], [v]);
                                // The midpoint rule has a kink, and a transient in a few of its steps.
                                let length = p * H / normal;
                                let largest = mu_s * normal.max(normal + slope * H) * H + damping[0] * speed * H;
                                let allowed = 1e-6 * largest * libm::pow(1.0 + length / 10.0, 2.0);
                                assert!(
                                    (impulse - expected).abs() < allowed,
                                    "{normal} N, {slope} N/s, {v} m/s, {mu_s}, {damping:?}, {share}: {impulse:e}, not {expected:e}"
                                );
                            });
                        }
                    }
                }
            }
        }
    }
    assert!(found > sought * 9 / 10, "{found} of {sought} have a closed form");
}

#[test]
fn normal_force_that_ends_at_0_has_the_impulse_of_the_limit_of_later_ends() {
    // F_N falls to 0 at H: the closed form up to shortly before it goes to that up to it.
    for speed in [1e-5, 4e-4, 0.1] {
        for mu_s in [MU, 0.6] {
            let bristle = bristle(mu_s, [300.0, 5.0]);
            let z = -0.7 * mu_s * 8.0 / SIGMA_0;
            with_drift([8.0, -8.0 / H, SIGMA_0 * speed / MU], |drift| {
                let [all, most] = [H, H * (1.0 - 1e-6)].map(|to| drift.impulse(&bristle, [z], [speed], to).unwrap()[0]);
                let rest = (mu_s * 8.0 * 1e-6 + 905.0 * speed) * 1e-6 * H;
                assert!((all - most).abs() < rest, "{speed} m/s, {mu_s}: {all:e} and {most:e}");
            });
        }
    }
}

#[test]
fn impulse_in_the_plane_is_a_vector_without_a_limit() {
    for (normal, slope) in [(20.0, 0.0), (20.0, 3e3), (20.0, -9e3)] {
        let bristle = bristle(0.6, [300.0, 5.0]);
        let v = [3e-3, -4e-3];
        let limit = 0.6 * normal / SIGMA_0;
        with_drift([normal, slope, SIGMA_0 * 5e-3 / MU], |drift| {
            let z = [0.2 * limit, 0.6 * limit];
            let found = drift.impulse(&bristle, z, v, H).expect("a closed form");
            let expected = by_midpoints(drift, &bristle, z, v);
            for k in 0..2 {
                assert!(
                    (found[k] - expected[k]).abs() < 1e-6 * 0.6 * normal * H,
                    "{slope} N/s: {found:?}, not {expected:?}"
                );
            }
            assert!(drift.impulse(&bristle, [limit, limit], v, H).is_none(), "the direction of a limited force turns");
        });
    }
}

#[test]
fn terms_that_cancel_have_no_closed_form() {
    let bristle = bristle(0.6, [0.0, 0.0]);
    // P is dF_N/dt: the integral of z is 0 over 0.
    let slope = 3e5;
    let has_one = |p: f64| with_drift([1.0, slope, p], |drift| drift.impulse(&bristle, [0.0], [1e-3], H).is_some());
    assert!(!has_one(slope * (1.0 + 1e-4)));
    assert!(has_one(slope * 1.1));
    // Where both are small against F_N over the time the deflection is smooth.
    let smooth = |p: f64| with_drift([1e4, slope, p], |drift| drift.impulse(&bristle, [0.0], [1e-3], H).is_some());
    assert!(smooth(slope));
}

#[test]
fn impulse_where_the_share_of_the_limit_changes_at_a_constant_rate_is_the_integral_of_the_force() {
    // P = −dF_N/dt: z/F_N is linear in ∫dt/F_N.
    let (normal, slope, p) = (20.0, -9e3, 9e3);
    let bristle = bristle(0.6, [300.0, 5.0]);
    let speed = p * MU / SIGMA_0;
    let mut limited = 0;
    for v in [speed, -speed] {
        for share in [-1.2, -0.95, 0.0, 0.95, 1.2] {
            let z = share * 0.6 * normal / SIGMA_0;
            with_drift([normal, slope, p], |drift| {
                let [impulse] = drift.impulse(&bristle, [z], [v], H).expect("a closed form");
                let [expected] = by_midpoints(drift, &bristle, [z], [v]);
                let largest = (0.6 * normal + 300.0 * speed) * H;
                assert!((impulse - expected).abs() < 1e-6 * largest, "{v} m/s, {share}: {impulse:e}, not {expected:e}");
                let [end] = drift.deflection([z], [v], H);
                let beyond = |z: f64, normal: f64| SIGMA_0 * z.abs() > 0.6 * normal;
                limited += u32::from(beyond(z, normal) != beyond(end, normal + slope * H));
            });
        }
    }
    assert!(limited > 1, "{limited} pass the limit");
}
