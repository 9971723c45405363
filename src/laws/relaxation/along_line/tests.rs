//! The unknown of a bristle along a line against the differential equation of its deflection and against solutions in closed form.

use super::*;
use crate::law::{HybridSystem, InputSegment, InputTrajectory, Law, MAX_INPUT_DERIVATIVE_ORDER};
use crate::laws::bristle;
use crate::laws::dahl::Dahl;
use crate::laws::lugre::{self, LuGre};
use crate::laws::symbols::{Exponential, MU_D};
use crate::variable::Values;

/// Length of a communication step, s.
pub const H: f64 = 1e-3;
/// Stiffness, N/m.
const SIGMA_0: f64 = 2e5;
/// Coefficient of friction where it is constant.
const MU: f64 = 0.5;
/// Velocity, m/s.
const V: f64 = 0.05;
/// Normal force, N.
const NORMAL: f64 = 8.0;

fn constant(alpha: f64) -> Bristle {
    Bristle { curve: Exponential::constant(MU), sigma_0: SIGMA_0, sigma_1: 0.0, sigma_2: 0.0, alpha }
}

/// Contact with F_N (N) and v (m/s).
fn contact(normal: f64, v: f64) -> Contact {
    Contact { F_N: normal, v, ..Contact::ZERO }
}

/// Applies `use_it` to this bristle under inputs with these derivatives, with F_N at least `min_force` (N).
fn relax<R>(
    bristle: &Bristle,
    [start, first, second]: [Contact; 3],
    min_force: f64,
    use_it: impl FnOnce(&Relaxation<Bristle>) -> R,
) -> R {
    relax_above(bristle, [start, first, second, Contact::ZERO], min_force, use_it)
}

/// Under inputs with three derivatives.
pub fn relax_third<R>(bristle: &Bristle, inputs: [Contact; 4], use_it: impl FnOnce(&Relaxation<Bristle>) -> R) -> R {
    relax_above(bristle, inputs, 0.0, use_it)
}

fn relax_above<R>(
    bristle: &Bristle,
    [start, first, second, third]: [Contact; 4],
    min_force: f64,
    use_it: impl FnOnce(&Relaxation<Bristle>) -> R,
) -> R {
    let derivatives: [Contact; MAX_INPUT_DERIVATIVE_ORDER] = [first, second, third];
    let trajectory = InputTrajectory { derivatives: Some(&derivatives), ..InputTrajectory::held(start) };
    let segment = InputSegment::between_breakpoints(&trajectory, [0.0, H], min_force);
    use_it(&Relaxation {
        bristle,
        segment: &segment,
        middle: trajectory.at(0.5 * H),
        error_force: NORMAL,
        max_force: NORMAL,
        max_speed: V,
        end: trajectory.at(H),
        slid_later: 0.0,
        duration: H,
        min_force,
    })
}

/// Under constant inputs.
fn held<R>(bristle: &Bristle, v: f64, use_it: impl FnOnce(&Relaxation<Bristle>) -> R) -> R {
    relax(bristle, [contact(NORMAL, v), Contact::ZERO, Contact::ZERO], 0.0, use_it)
}

/// λ of constant inputs with α = 1, 1/s.
fn rate() -> f64 {
    SIGMA_0 * V / (MU * NORMAL)
}

/// e after s = λ t from 1 on, under constant inputs: de/ds = −e^α.
fn relaxed(alpha: f64, s: f64) -> f64 {
    if alpha == 1.0 { libm::exp(-s) } else { libm::pow(1.0 + (alpha - 1.0) * s, 1.0 / (1.0 - alpha)) }
}

/// Values of power and force that differ by rounding at most.
fn assert_equal([power, force]: [f64; 2], [expected_power, expected_force]: [f64; 2]) {
    let is_close = |value: f64, expected: f64| (value - expected).abs() <= 1e-13 * expected.abs();
    assert!(is_close(power, expected_power) && is_close(force, expected_force), "{force} N for {expected_force} N");
}

#[test]
fn power_and_force_are_those_of_the_laws() {
    let mut values = Values::of(LuGre::METADATA.parameters);
    values[&lugre::SIGMA_2] = 3.0;
    let [sigma_0, sigma_1, sigma_2] =
        [bristle::SIGMA_0, lugre::SIGMA_1, lugre::SIGMA_2].map(|parameter| values[&parameter]);
    let lugre = Bristle { curve: Exponential::new(&values).unwrap(), sigma_0, sigma_1, sigma_2, alpha: 1.0 };
    let law_of_lugre = LuGre::new(&values).unwrap();
    let values = Values::of(Dahl::METADATA.parameters);
    let dahl = Bristle { curve: Exponential::constant(values[&MU_D]), sigma_0, sigma_1: 0.0, sigma_2: 0.0, alpha: 1.0 };
    let law_of_dahl = Dahl::new(&values).unwrap();
    for v in [-V, 1e-4, V] {
        let inputs = [contact(NORMAL, v), contact(-0.9 * NORMAL / H, 0.5 * v / H), Contact::ZERO];
        // Within the limits of both, and beyond them.
        for z in [-3e-6, -2e-7, 0.0, 1e-7, 2e-6] {
            for t in [0.0, 0.3 * H, H] {
                let found = |bristle: &Bristle| {
                    relax(bristle, inputs, 0.0, |relaxation| {
                        (relaxation.integrands(&relaxation.coefficients(t), [z]), relaxation.segment.at(t))
                    })
                };
                let (of_lugre, at) = found(&lugre);
                assert_equal(of_lugre, law_of_lugre.integrands(at, &[z], &()));
                let (of_dahl, _) = found(&dahl);
                assert_equal(of_dahl, law_of_dahl.integrands(at, &[z], &()));
            }
        }
    }
    let opening = [contact(NORMAL, V), contact(-NORMAL / H, 0.0), Contact::ZERO];
    let at_the_end = relax(&lugre, opening, 0.0, |relaxation| {
        let open = Coefficients { normal: 0.0, ..relaxation.coefficients(H) };
        relaxation.integrands(&open, [1e-6])
    });
    assert_eq!(at_the_end, [0.0; 2]);
}

#[test]
fn unknown_obeys_the_equation_of_the_deflection() {
    for alpha in [0.5, 1.0, 1.7] {
        for side in [1.0, -1.0] {
            let curve = Exponential { mu_s: 0.8, mu_d: 0.3, v_stribeck: 0.04, exponent: 2.0, measured: None };
            let bristle = Bristle { curve, ..constant(alpha) };
            let inputs = [contact(NORMAL, side * V), contact(3e3, side * 25.0), contact(-2e6, -side * 1e4)];
            relax(&bristle, inputs, 0.0, |relaxation| {
                let steady = |t: f64| relaxation.coefficients(t).steady;
                for t in [0.1 * H, 0.5 * H, 0.9 * H] {
                    let (at, ahead) = (relaxation.coefficients(t), 1e-5 * H);
                    let slope = (steady(t + ahead) - steady(t - ahead)) / (2.0 * ahead);
                    let here = relaxation.segment.at(t);
                    let (mu, _) = curve.at(here.v.abs());
                    let g = side * mu * here.F_N / SIGMA_0;
                    assert!((at.steady - g).abs() < 1e-15 * g.abs() && at.normal == here.F_N, "{alpha}, {side}, {t}");
                    for deflected in [-2.0, 0.0, 0.3, 1.0, 1.4] {
                        let (z, e) = (deflected * g, 1.0 - deflected);
                        let power = libm::pow(e.abs(), alpha).copysign(e);
                        // dz/dt = v |e|^α sgn e.
                        let by_deflection = -here.v * power / g + z * slope / (g * g);
                        let by_unknown = (at.q * (1.0 - e) - at.p * power) / at.normal;
                        let largest = (here.v / g).abs() + (slope / g).abs();
                        let error = (by_unknown - by_deflection).abs() / largest;
                        assert!(error < 1e-6, "{alpha}, {side}, {t}, {deflected}: {by_unknown}, not {by_deflection}");
                        let [back] = relaxation.deflection(&at, [e]);
                        assert!((back - z).abs() <= 1e-15 * g.abs(), "{back}, not {z}");
                        assert!((relaxation.start(t, [z])[0] - e).abs() < 1e-14);
                    }
                }
            });
        }
    }
}

#[test]
fn contact_that_begins_without_normal_force_has_the_steady_motion() {
    let min_force = 1e-3;
    for alpha in [0.5, 1.0, 2.0] {
        for slope in [1.0, 1e3, 1e6] {
            let inputs = [contact(1e-9, V), contact(slope, 0.0), Contact::ZERO];
            relax(&constant(alpha), inputs, min_force, |relaxation| {
                let Coefficients { p, q, steady, .. } = relaxation.coefficients(0.0);
                let [e] = relaxation.start(0.0, [0.0]);
                // F_N de/dt = 0.
                assert!((0.0..=1.0).contains(&e));
                let error = (p * libm::pow(e, alpha) - q * (1.0 - e)).abs();
                assert!(error < 1e-12 * (p + q), "{alpha}, {slope}: {e}");
                // A deflection from before counts.
                let before = 2.0 * LARGE_DEFLECTION * steady;
                assert_eq!(relaxation.start(0.0, [before]), [1.0 - 2.0 * LARGE_DEFLECTION], "{alpha}");
                assert_eq!(relaxation.start(0.0, [0.5 * LARGE_DEFLECTION * steady]), [e], "{alpha}");
            });
        }
    }
    // Under a force that falls nothing pulls the bristle along.
    let inputs = [contact(1e-6, V), contact(-1e-4, 0.0), Contact::ZERO];
    relax(&constant(1.0), inputs, min_force, |relaxation| assert_eq!(relaxation.start(0.0, [0.0]), [1.0]));
}

#[test]
fn inner_step_has_the_solution_of_constant_inputs_and_an_estimate_above_its_error() {
    for alpha in [0.5, 1.0, 1.5, 2.0] {
        for side in [1.0, -1.0] {
            held(&constant(alpha), side * V, |relaxation| {
                let here = relaxation.coefficients(0.0);
                let step = |from: f64, length: f64| {
                    let (h, u) = (length / rate(), [relaxed(alpha, from)]);
                    let Solved { stages, error, .. } = relaxation.step(0.0, here, h, u, 1e-12).expect("a step");
                    let wrong = (stages[STAGES_END][0] - relaxed(alpha, from + length)).abs();
                    (wrong, 1e-12 * error)
                };
                for from in [0.0, 0.5] {
                    let [(wrong, estimate), (_, of_half)] = [step(from, 0.4), step(from, 0.2)];
                    assert!(wrong < 1e-9, "{alpha}, {side}, {from}: {wrong:e}");
                    // With α = 1/2 the solution is a polynomial, which the method has to rounding.
                    if alpha == 0.5 {
                        assert!(wrong < 1e-14 && estimate < 1e-13, "{side}, {from}: {wrong:e}, estimated {estimate:e}");
                        continue;
                    }
                    assert!(wrong <= estimate, "{alpha}, {side}, {from}: {wrong:e}, estimated {estimate:e}");
                    // The estimate is of order 6.
                    let order = libm::log2(estimate / of_half);
                    assert!((5.0..7.5).contains(&order), "{alpha}, {side}, {from}: of order {order}");
                }
            });
        }
    }
}

/// Place of the stage at the end of a step.
const STAGES_END: usize = crate::integrate::collocation::STAGES - 1;

#[test]
fn transient_has_the_impulse_of_its_exponential() {
    // The transient of a softer bristle would last for long: here it takes 4e-4 of the segment.
    let (v, normal) = (5.0, 8.0);
    for side in [1.0, -1.0] {
        for sigma_1 in [0.0, 0.4] {
            let bristle = Bristle { sigma_0: 2e6, sigma_1, ..constant(1.0) };
            let inputs = [contact(normal, side * v), Contact::ZERO, Contact::ZERO];
            relax(&bristle, inputs, 0.0, |relaxation| {
                let lambda = 2e6 * v / (MU * normal);
                for e in [0.5, 1.0, 1.9] {
                    let z = relaxation.deflection(&relaxation.coefficients(0.0), [e]);
                    let Transient { slow, loss, impulse } =
                        split(relaxation, [0.0, H], z, 1e-6).expect("a short transient");
                    // z = g (1 − e exp(−λ t)): the elastic force is less by μ F_N e, and the damping has changed by the way of the bristle.
                    let expected = side * e * (-MU * normal / lambda + sigma_1 * MU * normal / 2e6);
                    assert!(slow[0].abs() < 1e-15);
                    assert!((impulse - expected).abs() < 1e-12 * (MU * normal / lambda), "{side}, {sigma_1}, {e}");
                    assert!((loss - expected * side * v).abs() < 1e-12 * MU * normal / lambda * v);
                }
            });
        }
    }
}

#[test]
fn limited_force_stays_limited_in_the_solution_of_a_falling_normal_force() {
    // F_N falls linearly to 0 at the end of the step.
    let inputs = [contact(NORMAL, V), contact(-NORMAL / H, 0.0), Contact::ZERO];
    // P over −dF_N/dt: below 1 the deflection falls more slowly than F_N.
    for (ratio, is_slow) in [(0.01, true), (0.5, false), (2.0, false)] {
        for (deflected, is_beyond) in [(1.5, true), (-1.5, true), (0.9, false), (-0.9, false)] {
            let sigma_0 = ratio * NORMAL / H * MU / V;
            let bristle = Bristle { sigma_0, ..constant(1.0) };
            relax(&bristle, inputs, 1e-9, |relaxation| {
                let steady = relaxation.coefficients(0.0).steady;
                let found = relaxation.stays_limited(0.0, H, [1.0 - deflected]);
                let drift = relaxation.drift_from(0.0).expect("a closed form");
                // Elastic force over its limit, in the solution.
                let is_limited = |t: f64| {
                    let [z] = drift.deflection([deflected * steady], [V], t);
                    sigma_0 * z.abs() > MU * relaxation.segment.at(t).F_N
                };
                let remains = (0..100).all(|i| is_limited(0.01 * f64::from(i) * H));
                let said = format!("{ratio}, {deflected}");
                assert!(!found || remains, "{said}: it does not stay limited");
                assert!(found || !(is_beyond && is_slow), "{said}: it stays limited");
            });
        }
    }
}

#[test]
fn deflection_at_the_start_relaxes_in_a_time_that_steps_resolve() {
    for alpha in [1.5, 2.0, 3.0] {
        held(&constant(alpha), V, |relaxation| {
            for t in [1e-3 * H, 0.3 * H] {
                let shortest = 1e3 * (t.next_up() - t);
                for side in [1.0, -1.0] {
                    // e relaxes in the time of e = 1 over |e|^(α − 1).
                    for (e, ratio) in [(2.0 * LARGE_DEFLECTION, 0.5), (1e9, 0.99), (1e9, 1e-3), (1e60, 1e-9)] {
                        let time = ratio * shortest * libm::pow(e, alpha - 1.0);
                        let found = relaxation.resolved(side * e, time, t);
                        let relaxes = time / libm::pow(found.abs(), alpha - 1.0);
                        let is_shorter = found.abs() < e && found.signum() == side;
                        assert!(is_shorter && (relaxes / shortest - 1.0).abs() < 1e-9, "{alpha}, {e:e}: {found:e}");
                        assert_eq!(relaxation.resolved(side * e, 1.01 * time / ratio, t), side * e, "{alpha}");
                    }
                    // A smaller one, and one beside a time that is itself too short, stay.
                    let (small, time) = (side * LARGE_DEFLECTION, 1.01 * shortest);
                    assert_eq!(relaxation.resolved(small, time, t), small, "{alpha}");
                    assert_eq!(relaxation.resolved(side * 1e9, 0.99 * shortest, t), side * 1e9, "{alpha}");
                }
            }
        });
    }
    for alpha in [0.5, 1.0] {
        held(&constant(alpha), V, |relaxation| assert_eq!(relaxation.resolved(1e17, 1e-9, 0.5 * H), 1e17, "{alpha}"));
    }
}

#[test]
fn no_deflection_is_large_at_rest_where_none_is_steady() {
    let bristle = constant(1.0);
    for (v, is_large) in [(0.0, false), (V, true), (-V, true)] {
        let found = relax(&bristle, [contact(NORMAL, v), Contact::ZERO, Contact::ZERO], 0.0, |relaxation| {
            relaxation.is_large(&relaxation.coefficients(0.0), [1.01 * LARGE_DEFLECTION * MU * NORMAL / SIGMA_0])
        });
        assert_eq!(found, is_large, "{v} m/s");
    }
}
