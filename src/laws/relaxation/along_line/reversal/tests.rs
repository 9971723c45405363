//! The transient of a reversal against the differential equation of the part of the deflection that decays, by Runge and Kutta.

use super::super::tests::{H, relax_third};
use super::*;
use crate::integrate::runge_kutta::runge_kutta;
use crate::law::Contact;
use crate::laws::symbols::Exponential;

/// Tolerance of a step.
const TOLERANCE: f64 = 1e-6;
/// Steps of Runge and Kutta over the transient.
const STEPS: u32 = 10_000;

fn bristle(sigma_1: f64) -> Bristle {
    let curve = Exponential { mu_s: 0.6, mu_d: 0.3, v_stribeck: 0.02, exponent: 2.0, measured: None };
    Bristle { curve, sigma_0: 5e6, sigma_1, sigma_2: 0.0, alpha: 1.0 }
}

/// Contact whose fields are the derivatives of F_N and v.
fn contact([normal, v]: [f64; 2]) -> Contact {
    Contact { F_N: normal, v, ..Contact::ZERO }
}

/// Work and impulse of σ_0 z − σ_1 λ z with ż = −λ z from `z` (m) on, up to the time `duration` (s).
fn integrated(relaxation: &Relaxation<Bristle>, z: f64, duration: f64) -> [f64; 2] {
    let Bristle { curve, sigma_0, sigma_1, .. } = *relaxation.bristle;
    // dz/dt, power and force.
    let rates = |t: f64, [z, ..]: [f64; 3]| {
        let contact = relaxation.segment.trajectory().at(t);
        let rate = sigma_0 * contact.v.abs() / (curve.at(contact.v.abs()).0 * contact.F_N);
        let force = (sigma_0 - sigma_1 * rate) * z;
        [-rate * z, force * contact.v, force]
    };
    let [_, work, impulse] = runge_kutta(rates, [z, 0.0, 0.0], [0.0, duration], STEPS);
    [work, impulse]
}

#[test]
fn work_and_impulse_are_those_of_the_decaying_deflection() {
    let mut judged = 0;
    for sigma_1 in [0.0, 3192.75] {
        let bristle = bristle(sigma_1);
        for side in [1.0, -1.0] {
            // v grows as the first, second and third power of time, in the last case from a speed on.
            for powers in [
                [0.0, 20.0, 0.0, 0.0],
                [0.0, 0.0, 4e4, 0.0],
                [0.0, 0.0, 0.0, 1.2e8],
                [0.0, 0.5, 3e4, 1e8],
                [2e-3, 20.0, 0.0, 0.0],
            ] {
                for (normal, slope) in [(1e-3, 0.0), (1e-9, 0.0), (1e-3, 1e-2), (1e-3, -1e-3)] {
                    let inputs = [
                        contact([normal, side * powers[0]]),
                        contact([slope, side * powers[1]]),
                        contact([0.0, side * powers[2]]),
                        contact([0.0, side * powers[3]]),
                    ];
                    relax_third(&bristle, inputs, |relaxation| {
                        let steady = relaxation.coefficients(0.0).steady;
                        for share in [-1.0, 0.0, 0.8] {
                            let Some(found) = transient(relaxation, [0.0, H], share * steady, TOLERANCE) else {
                                continue;
                            };
                            judged += 1;
                            let trajectory = relaxation.segment.trajectory();
                            let decayed = |t: f64| trajectory.displacement_at(t).abs() >= 45.0 * steady.abs();
                            let duration = bisect(0.0, H, decayed).expect("a motion that is long enough");
                            let [loss, impulse] = integrated(relaxation, (share - 1.0) * steady, duration);
                            assert_eq!(found.slow, [0.0]);
                            let left = (1.0 - share) * steady.abs();
                            let [v, a] =
                                [trajectory.at(duration).v, trajectory.derivative_at(duration).v].map(f64::abs);
                            let said = format!("{sigma_1}, {side}, {powers:?}, {normal} N, {slope} N/s, {share}");
                            let of_impulse =
                                (found.impulse - impulse) / (left * (bristle.sigma_0 * duration + sigma_1));
                            let of_loss = (found.loss - loss) / (left * duration * (bristle.sigma_0 * v + sigma_1 * a));
                            assert!(of_impulse.abs() < QUADRATURE_ERROR, "{said}: {}, not {impulse}", found.impulse);
                            assert!(of_loss.abs() < QUADRATURE_ERROR, "{said}: {}, not {loss}", found.loss);
                        }
                    });
                }
            }
        }
    }
    assert!(judged > 100, "{judged} transients");
}

#[test]
fn transient_that_is_long_or_limited_or_small_is_left_to_the_integrator() {
    let bristle = bristle(100.0);
    let found = |normal: f64, slope: f64, a: f64, share: f64| {
        let inputs = [contact([normal, 0.0]), contact([slope, a]), Contact::ZERO, Contact::ZERO];
        relax_third(&bristle, inputs, |relaxation| {
            let steady = relaxation.coefficients(0.0).steady;
            transient(relaxation, [0.0, H], share * steady, TOLERANCE).is_some()
        })
    };
    assert!(found(1e-3, 0.0, 20.0, -1.0));
    // Beyond the limit.
    assert!(!found(1e-3, 0.0, 20.0, -1.01));
    // Next to the steady deflection.
    assert!(found(1e-3, 0.0, 20.0, 0.89) && !found(1e-3, 0.0, 20.0, 0.91));
    // Longer than the segment.
    assert!(!found(1e3, 0.0, 20.0, -1.0));
    // The steady deflection changes, by F_N or by v.
    assert!(!found(1e-3, 1e3, 20.0, -1.0));
    assert!(!found(5.0, 0.0, 90.0, -1.0));
    // The limit falls below the deflection.
    assert!(!found(1e-3, -0.5, 20.0, -1.0));
}

/// From rest on, under a constant jerk, the distance that is slid gives the length of the transient.
#[test]
fn transient_is_split_off_from_the_tolerance_on_that_its_error_bound_allows() {
    for (sigma_1, a) in [(0.0, 3e3), (3e3, 3e3), (3e3, -1e3_f64)] {
        let bristle = Bristle { curve: Exponential::constant(0.6), sigma_0: 5e7, ..bristle(sigma_1) };
        for (normal, from) in [(2.0, 0.0), (2.0, 0.25 * H), (40.0, 0.25 * H)] {
            let steady = 0.6 * normal / bristle.sigma_0;
            for bend in [0.0, 0.05, -0.05] {
                let jerk = bend * a / (2.0 * ENDS[1] * steady / a.abs()).sqrt();
                let slid = |time: f64| time * time * (0.5 * a + jerk * time / 6.0).abs();
                let [first, last] = ENDS.map(|lengths| bisect(0.0, 0.5 * H, |time| slid(time) >= lengths * steady));
                let [first, last] = [first.expect("a first part"), last.expect("a second part")];
                let acceleration = (a + jerk * last).abs().max(a.abs());
                // Share by which F_N changes until the transient has decayed.
                for change in [-0.0101, -0.0099, -0.004, 0.0, 0.0099, 0.0101] {
                    let slope = change * normal / last;
                    let v = from * (0.5 * jerk * from - a);
                    let inputs = [
                        contact([normal - slope * from, v]),
                        contact([slope, a - jerk * from]),
                        contact([0.0, jerk]),
                        Contact::ZERO,
                    ];
                    relax_third(&bristle, inputs, |relaxation| {
                        let static_force = 0.6 * normal.max(relaxation.error_force);
                        let force = steady * (bristle.sigma_0 + sigma_1 * acceleration / relaxation.max_speed);
                        let error = QUADRATURE_ERROR * force * last / (relaxation.duration * static_force);
                        let limited = f64::max(-change, 0.0) * first / relaxation.duration;
                        let is_split =
                            |exponent: f64| transient(relaxation, [from, H], 0.0, libm::exp10(exponent)).is_some();
                        let said = format!("{sigma_1}, {normal} N, {a} m/s², {jerk} m/s³, {change}, from {from} s");
                        let found = bisect(-18.0, 1.0, is_split).map(libm::exp10);
                        if change.abs() > LARGEST_CHANGE {
                            assert_eq!(found, None, "{said}");
                            return;
                        }
                        let expected = error.max(limited) / INNER_SHARE;
                        let found = found.unwrap_or_else(|| panic!("{said}: no tolerance allows it"));
                        assert!((found / expected - 1.0).abs() < 1e-9, "{said}: from {found:e} on, not {expected:e}");
                    });
                }
            }
        }
    }
}
