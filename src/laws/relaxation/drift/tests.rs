//! Motion in closed form against the solutions of special cases and against the differential equation.

use super::*;
use crate::law::{Contact, InputTrajectory, MAX_INPUT_DERIVATIVE_ORDER};

/// Length of the motion, s.
pub const H: f64 = 1e-3;

/// Inputs with the velocity 0.1 m/s, F_N (N) at the start, and its rate (N/s).
fn inputs(normal: f64, slope: f64) -> (Contact, [Contact; MAX_INPUT_DERIVATIVE_ORDER]) {
    let start = Contact { F_N: normal, v: 0.1, ..Contact::ZERO };
    (start, [Contact { F_N: slope, ..Contact::ZERO }, Contact::ZERO, Contact::ZERO])
}

/// Applies `use_it` to the relaxation of a bristle whose motion is not needed, under these inputs.
fn with_relaxation<R>(trajectory: &InputTrajectory, use_it: impl FnOnce(&Relaxation<()>) -> R) -> R {
    let segment = InputSegment::between_breakpoints(trajectory, [0.0, H], 0.0);
    use_it(&Relaxation {
        bristle: &(),
        segment: &segment,
        middle: trajectory.at(0.5 * H),
        error_force: 1.0,
        max_force: 1.0,
        max_speed: 1.0,
        end: trajectory.at(H),
        slid_later: 0.0,
        duration: H,
        min_force: 0.0,
    })
}

/// Applies `use_it` to the motion under F_N (N) with a constant rate (N/s), with this P (N/s).
pub fn with_drift<R>([normal, slope, p]: [f64; 3], use_it: impl FnOnce(&Drift) -> R) -> R {
    let (start, derivatives) = inputs(normal, slope);
    let trajectory = InputTrajectory { derivatives: Some(&derivatives), ..InputTrajectory::held(start) };
    with_relaxation(&trajectory, |relaxation| use_it(&relaxation.drift(p, 0.0).expect("a closed form")))
}

/// Factors at the time `t` (s) from `from` (s) on, under F_N (N) with a constant rate (N/s), with this P (N/s).
fn factors([normal, slope, p]: [f64; 3], [from, t]: [f64; 2]) -> [f64; 2] {
    let (start, derivatives) = inputs(normal, slope);
    let trajectory = InputTrajectory { derivatives: Some(&derivatives), ..InputTrajectory::held(start) };
    with_relaxation(&trajectory, |relaxation| relaxation.drift(p, from).expect("a closed form").factors(t))
}

fn assert_close(found: f64, expected: f64, allowed: f64, said: &str) {
    assert!((found - expected).abs() <= allowed * expected.abs(), "{said}: {found:e}, not {expected:e}");
}

#[test]
fn constant_normal_force_gives_an_exponential_approach() {
    let normal = 8.0;
    for rate in [1e-6, 1e-2, 0.5, 0.999, 1.001, 3.0, 30.0] {
        // P T = rate at the end.
        let p = rate * normal / H;
        for share in [0.25, 1.0] {
            let said = format!("P T = {rate}, {share}");
            let expected = [libm::exp(-rate * share), -normal / p * libm::expm1(-rate * share)];
            let [decay, by_velocity] = factors([normal, 0.0, p], [0.0, share * H]);
            assert_close(decay, expected[0], 1e-14 * (1.0 + rate), &said);
            assert_close(by_velocity, expected[1], 1e-14, &said);
            // Held inputs are the same case.
            let trajectory = InputTrajectory::held(inputs(normal, 0.0).0);
            let held = with_relaxation(&trajectory, |relaxation| relaxation.drift(p, 0.0).unwrap().factors(share * H));
            assert_eq!(held, [decay, by_velocity], "{said}");
        }
    }
}

#[test]
fn special_ratios_of_the_rates_have_their_elementary_solutions() {
    for (normal, slope) in [(2.0, 500.0), (2.0, -1500.0), (1e-9, 4000.0)] {
        let end = normal + slope * H;
        let said = format!("{normal} N, {slope} N/s");
        // Without relaxation the bristle moves with the contact.
        let [decay, by_velocity] = factors([normal, slope, 0.0], [0.0, H]);
        assert_eq!(decay, 1.0, "{said}");
        assert_close(by_velocity, H, 1e-13, &said);
        // P = s: z F_N = z_0 F_N0 + v ∫ F_N dt.
        if slope > 0.0 {
            let [decay, by_velocity] = factors([normal, slope, slope], [0.0, H]);
            assert_close(decay, normal / end, 1e-12, &said);
            assert_close(by_velocity, 0.5 * (normal + end) * H / end, 1e-13, &said);
        } else {
            // P = −s: z/F_N changes by v dt/F_N.
            let [decay, by_velocity] = factors([normal, slope, -slope], [0.0, H]);
            assert_close(decay, end / normal, 1e-12, &said);
            assert_close(by_velocity, end * libm::log(end / normal) / slope, 1e-13, &said);
            // P = −2 s, across the sum P + s that is not small.
            let [decay, by_velocity] = factors([normal, slope, -2.0 * slope], [0.0, H]);
            assert_close(decay, (end / normal) * (end / normal), 1e-12, &said);
            assert_close(by_velocity, end * (1.0 - end / normal) / -slope, 1e-12, &said);
        }
    }
}

#[test]
fn deflection_satisfies_the_differential_equation_from_any_time_on() {
    // dz/dt = v − P z/F_N, by central differences.
    let (v, z) = (0.1, -3e-6);
    for case in [[5.0, 2000.0, 1e3], [5.0, -4000.0, 2e4], [0.5, 3e4, 3e4], [40.0, -1e3, 5.0], [40.0, 1e3, 4e5]] {
        let [normal, slope, p] = case;
        for from in [0.0, 0.3 * H] {
            let along = |t: f64| {
                let [decay, by_velocity] = factors(case, [from, t]);
                decay * z + by_velocity * v
            };
            assert_eq!(factors(case, [from, from]), [1.0, 0.0], "{case:?}, {from}");
            for share in [0.1, 0.5, 0.9] {
                let t = from + share * (H - from);
                let ahead = 1e-4 * H;
                let rate = (along(t + ahead) - along(t - ahead)) / (2.0 * ahead);
                let expected = v - p * along(t) / (normal + slope * t);
                let largest = v.abs().max((p * z / normal).abs());
                assert!((rate - expected).abs() < 1e-6 * largest, "{case:?}, {from}, {t}: {rate}, not {expected}");
            }
        }
    }
}

#[test]
fn velocity_that_changes_and_force_with_a_curvature_have_no_closed_form() {
    let (start, linear) = inputs(8.0, 100.0);
    let has_one = |derivatives: [Contact; MAX_INPUT_DERIVATIVE_ORDER]| {
        let trajectory = InputTrajectory { derivatives: Some(&derivatives), ..InputTrajectory::held(start) };
        with_relaxation(&trajectory, |relaxation| relaxation.drift(1e3, 0.0).is_some())
    };
    assert!(has_one(linear));
    let changes: [fn(&mut Contact); 3] = [|c| c.v = 1.0, |c| c.v_y = 1.0, |c| c.F_N += 1.0];
    for order in 0..MAX_INPUT_DERIVATIVE_ORDER {
        for (k, change) in changes.iter().enumerate() {
            let mut derivatives = linear;
            change(&mut derivatives[order]);
            assert_eq!(has_one(derivatives), k == 2 && order == 0, "order {}, change {k}", order + 1);
        }
    }
}
