//! Panels against the solution in closed form and against the differential equation by Runge and Kutta.

use super::*;
use crate::integrate::runge_kutta::runge_kutta;
use crate::law::{Contact, InputSegment, InputTrajectory, MAX_INPUT_DERIVATIVE_ORDER, bisect};
use crate::laws::relaxation::Bristle;
use crate::laws::symbols::Exponential;

/// Length of a communication step, s.
const H: f64 = 1e-3;
/// Share of F_s that is allowed as error of an inner step.
const SHARE: f64 = 5e-8;
/// Steps of Runge and Kutta.
const STEPS: u32 = 20_000;

/// F_N and v with their derivatives, in N and m/s and powers of [`H`].
#[derive(Clone, Copy, Debug)]
struct Inputs {
    normal: [f64; 4],
    v: [f64; 4],
}

fn bristle(curve: Exponential) -> Bristle {
    Bristle { curve, sigma_0: 1e6, sigma_1: 0.0, sigma_2: 0.0, alpha: 1.0 }
}

fn falling() -> Exponential {
    Exponential { mu_s: 0.6, mu_d: 0.3, v_stribeck: 2e-3, exponent: 2.0, measured: None }
}

/// Applies `use_it` to a bristle under these inputs.
fn relax<R>(bristle: &Bristle, inputs: &Inputs, use_it: impl FnOnce(&Relaxation<Bristle>) -> R) -> R {
    let order = |k: usize| Contact {
        F_N: inputs.normal[k] / libm::pow(H, k as f64),
        v: inputs.v[k] / libm::pow(H, k as f64),
        ..Contact::ZERO
    };
    let derivatives: [Contact; MAX_INPUT_DERIVATIVE_ORDER] = [order(1), order(2), order(3)];
    let trajectory = InputTrajectory { derivatives: Some(&derivatives), ..InputTrajectory::held(order(0)) };
    let segment = InputSegment::between_breakpoints(&trajectory, [0.0, H], 0.0);
    let end = trajectory.at(H);
    use_it(&Relaxation {
        bristle,
        segment: &segment,
        middle: trajectory.at(0.5 * H),
        error_force: end.F_N,
        max_force: end.F_N.max(inputs.normal[0]),
        max_speed: end.v.abs().max(inputs.v[0].abs()),
        end,
        slid_later: 0.0,
        duration: H,
        min_force: 0.0,
    })
}

/// The start with the deflection `z` (m), of which this much (m) decays as a transient.
fn start<'a>(relaxation: &Relaxation<'a, Bristle>, z: f64, transient: f64) -> Place<1, CoefficientsOf<'a, Bristle, 1>> {
    Place { t: 0.0, z: [z], u: relaxation.start(0.0, [z]), at: relaxation.coefficients(0.0), transient }
}

/// Longest panel from the start with the deflection `z` (m), and the error of the unknown that is allowed.
fn panel<B>(
    relaxation: &Relaxation<Bristle>,
    z: f64,
    use_it: impl FnOnce(&Panel<1, <Relaxation<'_, Bristle> as Relaxing<1>>::Coefficients>, f64) -> B,
) -> B {
    let place = start(relaxation, z, f64::INFINITY);
    let plan = Plan::new(relaxation, &place, H, SHARE).expect("a panel");
    let allowed_at = relaxation.allowed([0.0, plan.length()], SHARE);
    let mut panel = plan.solve(relaxation, &place, allowed_at(place.u));
    // A deflection from before decays: what is left of it counts.
    let allowed = allowed_at(place.u).min(allowed_at(panel.end.u));
    panel.error *= allowed_at(place.u) / allowed;
    use_it(&panel, allowed)
}

/// Deflection (m) after `duration` (s), by Runge and Kutta.
fn integrated(relaxation: &Relaxation<Bristle>, z: f64, duration: f64) -> f64 {
    let rate = |t: f64, [z]: [f64; 1]| {
        let contact = relaxation.segment.trajectory().at(t);
        let Bristle { curve, sigma_0, .. } = *relaxation.bristle;
        [contact.v - sigma_0 * contact.v.abs() / (curve.at(contact.v.abs()).0 * contact.F_N) * z]
    };
    runge_kutta(rate, [z], [0.0, duration], STEPS)[0]
}

#[test]
fn constant_velocity_under_a_linear_normal_force_has_the_elementary_solution() {
    let bristle = bristle(Exponential::constant(0.5));
    let mut judged = 0;
    for decades in [-12.0, -6.0, -2.0, -0.3, 0.1, 0.3, 1.0, 3.0, 7.0, 12.0] {
        for rate in [1e-6, 1e-3, 0.1, 0.9, 3.0, 40.0] {
            for deflected in [-2.0, 0.3, 100.0, 1e9] {
                let (first, last) =
                    if decades > 0.0 { (libm::exp10(-decades), 1.0) } else { (1.0, libm::exp10(decades)) };
                let slope = (last - first) / H;
                // P = rate · |s|.
                let p = rate * slope.abs();
                let v = p * 0.5 / bristle.sigma_0;
                let inputs = Inputs { normal: [first, last - first, 0.0, 0.0], v: [v, 0.0, 0.0, 0.0] };
                let z = deflected * 0.5 * first / bristle.sigma_0;
                let exact = |t: f64| {
                    let force = first + slope * t;
                    let decay = libm::pow(force / first, -p / slope);
                    z * decay + v * (force - first * decay) / (p + slope)
                };
                relax(&bristle, &inputs, |relaxation| {
                    panel(relaxation, z, |panel, allowed| {
                        let said = format!("{decades} decades, P = {rate} |s|, from {deflected}");
                        let end = panel.end.t;
                        let unit = 0.5 * first.max(first + slope * end) / bristle.sigma_0;
                        let largest = unit.max(exact(end).abs());
                        let rounding = 1e-11 * largest + 1e-13 * z.abs();
                        let wrong = (panel.end.z[0] - exact(end)).abs();
                        let estimate = panel.error * allowed * unit;
                        assert!(wrong <= estimate + rounding, "{said}: off by {wrong:e}, estimated {estimate:e}");
                        if panel.error < 1.0 {
                            judged += 1;
                            // In between errors count by the length of the panel.
                            let part = end / H;
                            for share in [0.2, 0.6, 0.95] {
                                let t = share * end;
                                let wrong = part * (panel.deflection(relaxation, t)[0] - exact(t)).abs();
                                assert!(wrong <= 20.0 * allowed * unit + rounding, "{said}: {wrong:e} at {share}");
                            }
                        }
                    });
                });
            }
        }
    }
    assert!(judged > 100, "{judged} panels");
}

#[test]
fn varying_inputs_give_the_solution_of_the_differential_equation() {
    let mut judged = 0;
    for curve in [Exponential::constant(0.3), falling()] {
        let bristle = bristle(curve);
        for normal in [[2.0, 0.0, 0.0, 0.0], [2.0, 1.0, -0.5, 0.2], [3.0, -2.5, 0.4, -0.3], [0.3, 6.0, 1.0, 0.0]] {
            for v in
                [[1e-4, 1e-4, 0.0, 0.0], [2e-3, 1e-3, -5e-4, 2e-3], [-1e-3, -1e-3, 0.0, 0.0], [0.0, 0.0, 3e-3, 0.0]]
            {
                let inputs = Inputs { normal, v };
                for deflected in [0.0, 0.9, -0.9, 3.0] {
                    let z = deflected * curve.mu_s * normal[0] / bristle.sigma_0;
                    relax(&bristle, &inputs, |relaxation| {
                        panel(relaxation, z, |panel, allowed| {
                            let expected = integrated(relaxation, z, panel.end.t);
                            let unit = relaxation.unit(&panel.end.at).max(curve.mu_s * normal[0] / bristle.sigma_0);
                            let wrong = (panel.end.z[0] - expected).abs();
                            let estimate = panel.error * allowed * unit;
                            let said = format!("{curve:?}, {inputs:?}, {deflected}");
                            assert!(
                                wrong <= estimate + 1e-10 * unit,
                                "{said}: off by {wrong:e}, estimated {estimate:e}"
                            );
                            judged += u32::from(panel.error < 1.0);
                        });
                    });
                }
            }
        }
    }
    assert!(judged > 20, "{judged} panels");
}

#[test]
fn panel_ends_just_beyond_the_limit_of_the_elastic_force() {
    let bristle = bristle(Exponential::constant(0.5));
    // The bristle sticks; its limit falls to it.
    let inputs = Inputs { normal: [4.0, -2.0, 0.0, 0.0], v: [1e-9, 0.0, 0.0, 0.0] };
    for share in [0.55, 0.7, 0.9, 0.99] {
        let z = -share * 0.5 * 4.0 / bristle.sigma_0;
        relax(&bristle, &inputs, |relaxation| {
            panel(relaxation, z, |panel, _| {
                let limited = |t: f64| -z * bristle.sigma_0 >= 0.5 * relaxation.segment.at(t).F_N;
                let exact = bisect(0.0, panel.end.t, limited).expect("a limit that falls");
                let length = panel.length_to_limit(relaxation, [z]).expect("a limit within the panel");
                let beyond = length - exact;
                assert!((-1e-9 * H..2e-4 * H).contains(&beyond), "{share}: {length} s, not {exact} s");
            });
        });
    }
    // A deflection that stays below its limit, or above it, and one that is at its limit but for rounding.
    for share in [0.4, 1.1, 1.0 - 1e-7] {
        let z = -share * 0.5 * 4.0 / bristle.sigma_0;
        relax(&bristle, &inputs, |relaxation| {
            panel(relaxation, z, |panel, _| assert_eq!(panel.length_to_limit(relaxation, [z]), None, "{share}"));
        });
    }
}

#[test]
fn panel_is_as_long_as_its_transient_allows() {
    let bristle = bristle(Exponential::constant(0.5));
    let plan = |v: [f64; 4], transient: f64| {
        let inputs = Inputs { normal: [2.0, 0.0, 0.0, 0.0], v };
        relax(&bristle, &inputs, |relaxation| {
            Plan::new(relaxation, &start(relaxation, 0.0, transient), H, SHARE).map(|plan| plan.length())
        })
    };
    let unit = 0.5 * 2.0 / bristle.sigma_0;
    // Λ of the whole step is `length`.
    let speed = |length: f64| length * 0.5 * 2.0 / (bristle.sigma_0 * H);
    for length in [0.1, 2.9, 3.1, 7.9, 8.1, 100.0, 1e9] {
        let v = [speed(length), 0.0, 0.0, 0.0];
        let expected = if length < LONGEST { H } else { AIM * H / length };
        let found = plan(v, f64::INFINITY).expect("a panel");
        assert!((found / expected - 1.0).abs() < 1e-12, "{length}: {found}, not {expected}");
        let slow = plan(v, DECAYED * SHARE * unit);
        assert_eq!(slow.is_some(), length < LONGEST_SLOW, "{length}: {slow:?}");
    }
    // The rate grows from 0: Λ is at most the aim.
    for length in [20.0, 1e3, 1e6] {
        let found = plan([0.0, 2.0 * speed(length), 0.0, 0.0], f64::INFINITY).expect("a panel");
        let passed = length * (found / H) * (found / H);
        assert!((0.5 * AIM..=LONGEST).contains(&passed), "{length}: Λ = {passed}");
    }
}

#[test]
fn panel_follows_a_transient_over_a_few_factors_of_the_normal_force() {
    let bristle = bristle(Exponential::constant(0.5));
    for (slope, logarithm) in [(50.0, libm::log(51.0)), (1e6, LONGEST_LOGARITHM), (-0.999_999_9, LONGEST_LOGARITHM)] {
        let inputs = Inputs { normal: [1.0, slope, 0.0, 0.0], v: [1e-12, 0.0, 0.0, 0.0] };
        relax(&bristle, &inputs, |relaxation| {
            let place = start(relaxation, 1e-9, f64::INFINITY);
            let length = Plan::new(relaxation, &place, H, SHARE).expect("a panel").length();
            let found = libm::log(relaxation.segment.at(length).F_N).abs();
            assert!((found / logarithm - 1.0).abs() < 1e-9, "{slope}: {found}, not {logarithm}");
        });
    }
}

#[test]
fn steady_deflection_at_its_limit_passes_it_nowhere() {
    let bristle = bristle(falling());
    // v grows from next to nothing, where μ = μ_s but for rounding.
    let inputs = Inputs { normal: [2.0, 0.0, 0.0, 0.0], v: [1e-9, 1e-9, 2e-8, 0.0] };
    let limit = 0.6 * 2.0 / bristle.sigma_0;
    for share in [1.0 - 1e-12, 1.0, 1.0 + 1e-12] {
        relax(&bristle, &inputs, |relaxation| {
            panel(relaxation, share * limit, |panel, _| {
                assert_eq!(panel.length_to_limit(relaxation, [share * limit]), None, "{share}");
            });
        });
    }
}

#[test]
fn panel_without_a_solution_is_repeated_with_a_part_of_its_length() {
    let bristle = bristle(Exponential::constant(0.5));
    // F_N v is beyond the largest number.
    let inputs = Inputs { normal: [1e306, 1e305, 0.0, 0.0], v: [1e3, 1.0, 0.0, 0.0] };
    relax(&bristle, &inputs, |relaxation| {
        panel(relaxation, 0.0, |panel, _| {
            assert!(panel.error.is_nan(), "{:e}", panel.error);
            let part = panel.shorter() / H;
            assert!((part / NO_NUMBER - 1.0).abs() < 0.1, "{part}");
        });
    });
}

#[test]
fn bristle_that_relaxes_beyond_the_largest_rate_has_no_panel() {
    let bristle = bristle(Exponential::constant(0.5));
    // σ_0 v/μ is beyond the largest number.
    let inputs = Inputs { normal: [1.0, 1.0, 0.0, 0.0], v: [1e308, 0.0, 0.0, 0.0] };
    relax(&bristle, &inputs, |relaxation| {
        let place = start(relaxation, 0.0, f64::INFINITY);
        assert!(relaxation.equation_of_deflection(&place.at).decay.is_infinite());
        assert!(Plan::new(relaxation, &place, H, SHARE).is_none());
    });
}
