//! Slow motion of stick against the equations in many small steps.

use super::super::dimensionless::tests::{LAWS, rk4_moving_stick};
use super::*;

#[test]
fn errors_of_slow_stick_stay_below_its_tolerance() {
    let (mut used, mut worst) = ([0; 5], [0.0_f64; 3]);
    for (law, time_constants) in [(LAWS[0], 40.0), (DimensionlessLaw { lag: 0.5, ..LAWS[1] }, 150.0)] {
        let lambda = law.alpha + 2.0 * law.b;
        let rest = time_constants / lambda;
        for r in [0.05, 0.3, 0.6, 0.9] {
            for off in [0.0, 1e-6, -1e-5, 1e-4, -1e-3] {
                for nu in [[0.0, 20.0], [1e-3, -0.5], [0.3, -200.0], [-0.05, 800.0]] {
                    for phi in [[0.0, 0.0], [0.3, 0.0], [-0.4, 0.2]] {
                        let [first, second] = [nu[1], 0.3 * nu[1] / rest];
                        let inputs = InputPolynomials::moving_contact(
                            [nu[0], first, second, 0.0],
                            [1.0, phi[0] / rest, phi[1] / rest / rest, 0.0],
                        );
                        let s = (1.0_f64 - r).sqrt();
                        let e = first / (law.alpha + 2.0 * law.b * s) + off;
                        for (i, tolerance) in [1e-4, 1e-6, 1e-8, 1e-9, 1e-11].into_iter().enumerate() {
                            let Some(found) = slow_stick(
                                &law,
                                &inputs,
                                PhasePoint::new(r, e),
                                rest,
                                &mut { f64::INFINITY },
                                tolerance,
                            ) else {
                                continue;
                            };
                            let [r_end, e_end, work] = rk4_moving_stick(&law, &inputs, [r, e], found.h, 20_000);
                            let speed = nu[0].abs() + 1.3 * nu[1].abs() * rest;
                            let errors = [
                                (found.dr - (r_end - r)).abs() / tolerance,
                                law.weight * (found.e - e_end).abs() / tolerance,
                                (found.work - work).abs() / (TAIL_LOSS_RATIO * tolerance * speed * found.h),
                            ];
                            worst = core::array::from_fn(|i| worst[i].max(errors[i]));
                            assert!(
                                errors.into_iter().all(|error| error <= 1.0 + 1e-12 / tolerance),
                                "kappa {}, {inputs:?} from {r}, {e}: {errors:?} for {tolerance:e}, {found:?}",
                                law.kappa
                            );
                            used[i] += 1;
                        }
                    }
                }
            }
        }
    }
    println!("worst {worst:.2?} of the tolerance, used {used:?}");
    assert!(used.iter().all(|used| *used > 40), "{used:?}");
}

/// F_R drives the bristle back through F_0 = 0: r < 0 < w.
#[test]
fn errors_of_slow_stick_that_is_driven_back_stay_below_its_tolerance() {
    let (mut used, mut ended) = ([0; 3], 0);
    // Heavy loads: else r passes 0 within few time constants.
    let heavy = |kappa: f64, b: f64| DimensionlessLaw { kappa, b, alpha: 6e3, lag: 0.01, ..LAWS[0] };
    for (law, time_constants) in [(heavy(20.0, 4e5), 60.0), (heavy(60.0, 1e5), 100.0)] {
        let rest = time_constants / (law.alpha + 2.0 * law.b);
        for r in [-0.01, -0.05, -0.2] {
            for w in [0.02, 0.1, 0.3] {
                for off in [0.0, 1e-6, -1e-5, 1e-4] {
                    for (speed, phi) in
                        [(0.0, 0.0), (0.02 / (law.kappa * rest), -0.3), (-0.3 / (law.kappa * rest), 0.2)]
                    {
                        let s = (1.0_f64 + r).sqrt();
                        let e = 1.0 - s + w;
                        let pull = 2.0 * law.b * (1.0 - s) * (1.0 - s);
                        // The slow motion begins with this e, but for terms of higher order.
                        let first = (law.alpha + 2.0 * law.b * (2.0 - s) - law.b * e) * e - pull;
                        let nu = e + speed - 0.5 * first * rest;
                        let inputs = InputPolynomials::moving_contact(
                            [nu, first, 0.1 * first / rest, 0.0],
                            [1.0, phi / rest, 0.0, 0.0],
                        );
                        for (i, tolerance) in [1e-4, 1e-6, 1e-9].into_iter().enumerate() {
                            let start = PhasePoint::new(r, e + off);
                            let mut longest = f64::INFINITY;
                            let Some(found) = slow_stick(&law, &inputs, start, rest, &mut longest, tolerance) else {
                                continue;
                            };
                            let [r_end, e_end, work] = rk4_moving_stick(&law, &inputs, [r, e + off], found.h, 20_000);
                            let fastest = nu.abs() + 1.1 * first.abs() * rest;
                            let errors = [
                                (found.dr - (r_end - r)).abs() / tolerance,
                                law.weight * (found.e - e_end).abs() / tolerance,
                                (found.work - work).abs() / (TAIL_LOSS_RATIO * tolerance * fastest * found.h),
                            ];
                            let said = format!("kappa {}, {inputs:?} from {r}, {e}", law.kappa);
                            assert!(
                                errors.into_iter().all(|error| error <= 1.0 + 1e-12 / tolerance),
                                "{said}: {errors:?} for {tolerance:e}, {found:?}"
                            );
                            assert!(r_end <= 0.0, "{said}: beyond F_0 = 0");
                            used[i] += 1;
                            ended += u32::from(found.h < rest);
                        }
                    }
                }
            }
        }
    }
    println!("used {used:?}, {ended} of them over a part");
    assert!(used.iter().all(|used| *used > 20) && ended > 20, "{used:?}, {ended}");
}
