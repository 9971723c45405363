//! Steps of an element on a support under its observer, against an independent solution of masses and law, and the bounds of its force.

use super::*;
use crate::catalogue::find;
use crate::coupling::{COUPLING, D_EFF, K_EFF, M_EFF, M_SUPPORT};
use crate::element::{AnyElement, E_LOSS, F_N, F_R, V};
use crate::integrate::runge_kutta::runge_kutta;

/// Length of the steps, s.
const H: f64 = 4e-3;
/// A contact mass on the ground, and one on a second mass.
const SUPPORTS: [Support; 2] = [
    Support { mass: 2.0, stiffness: 3e4, damping: 5.0, support_mass: 0.0 },
    Support { mass: 2.0, stiffness: 3e4, damping: 5.0, support_mass: 1.5 },
];
const SCHEMES: [Coupling; 2] = [Coupling::Serial, Coupling::Parallel];
/// Coefficient of friction of the bristle, without a falling branch.
const MU: f64 = 1.0;
/// Stiffness of the bristle, N/m.
const SIGMA_0: f64 = 2e5;
/// Deflection at the start, m.
const Z: f64 = 5e-4;

/// Element with a bristle of LuGre without damping on this support, at F_N (N) and v (m/s).
fn element(coupling: Coupling, support: Support, contact: [f64; 2]) -> Box<dyn AnyElement> {
    let model = find("LuGre").expect("a law");
    let mut element = model.instantiate();
    let values = [("mu_s", MU), ("mu_d", MU), ("sigma_0", SIGMA_0), ("sigma_1", 0.0), ("sigma_2", 0.0), ("z", Z)];
    for (name, value) in values {
        element.set(model.variables().find(|variable| variable.name == name).expect("a variable"), value);
    }
    element.set(&COUPLING, if coupling == Coupling::Parallel { 2.0 } else { 1.0 });
    let Support { mass, stiffness, damping, support_mass } = support;
    for (parameter, value) in [(&M_EFF, mass), (&K_EFF, stiffness), (&D_EFF, damping), (&M_SUPPORT, support_mass)] {
        element.set(parameter, value);
    }
    element.set_tolerance(1e-10);
    set(&mut *element, contact);
    element.apply_parameters().expect("parameters");
    element.initialize().expect("a start");
    element
}

fn set(element: &mut dyn AnyElement, [normal, v]: [f64; 2]) {
    element.set(&F_N, normal);
    element.set(&V, v);
}

/// F_R (N) and E_loss (J) of a step of `duration` (s).
fn advance(element: &mut dyn AnyElement, duration: f64) -> [f64; 2] {
    element.advance(duration).expect("a step");
    [&F_R, &E_LOSS].map(|output| element.values()[output])
}

/// Motion of both masses (x_1, v_1, x_2, v_2) and of the bristle (z), with the impulse of the force.
type Motion = [f64; 6];

/// Start of the motion of an observer.
fn start(support: Support, v: f64) -> Motion {
    [0.0, v, 0.0, if support.support_mass > 0.0 { v } else { 0.0 }, Z, 0.0]
}

/// Motion after `duration` (s) from `from`, under a load (N) on the contact mass and F_N (N) of time, or under this force (N) instead of the
/// bristle's, by the classical Runge–Kutta method.
fn moved(
    support: Support,
    from: Motion,
    duration: f64,
    load: f64,
    normal: impl Fn(f64) -> f64,
    held: Option<f64>,
) -> Motion {
    const STEPS: u32 = 200;
    let rate = |t: f64, y: Motion| {
        let [x_1, v_1, x_2, v_2, z, _] = y;
        let spring = support.stiffness * (x_1 - x_2) + support.damping * (v_1 - v_2);
        let friction = held.unwrap_or(SIGMA_0 * z);
        let second = if support.support_mass > 0.0 { [v_2, spring / support.support_mass] } else { [0.0; 2] };
        let of_bristle = v_1 - SIGMA_0 * v_1.abs() * z / (MU * normal(t));
        [v_1, (load - friction - spring) / support.mass, second[0], second[1], of_bristle, friction]
    };
    runge_kutta(rate, from, [0.0, duration], STEPS)
}

fn assert_close(found: f64, expected: f64, scale: f64, said: &str) {
    assert!((found - expected).abs() < 1e-6 * scale, "{said}: {found}, not {expected}");
}

#[test]
fn first_step_has_the_mean_force_of_law_and_masses_as_one_system() {
    // The load is the force of the start.
    let (v, load) = (0.1, SIGMA_0 * Z);
    for support in SUPPORTS {
        for rate in [0.0, 2e4, -2e4] {
            let normal = |t: f64| 400.0 + rate * t;
            let said = format!("{support:?}, {rate} N/s");
            let end = moved(support, start(support, v), H, load, normal, None);
            let mean = end[5] / H;

            let mut serial = element(Coupling::Serial, support, [400.0, v]);
            serial.set_input_derivative(&F_N, 1, rate).expect("an input");
            let [force, loss] = advance(&mut *serial, H);
            assert_close(force, mean, load, &said);
            assert_close(loss, 0.5 * mean * (v + end[1]) * H, load * v * H, &said);

            // In parallel the force of the start acts in the first step, and the one that is computed in the second one.
            let mut parallel = element(Coupling::Parallel, support, [400.0, v]);
            parallel.set_input_derivative(&F_N, 1, rate).expect("an input");
            let [force, loss] = advance(&mut *parallel, H);
            let body = moved(support, start(support, v), H, load, normal, Some(load));
            let mut from = end;
            from[5] = 0.0;
            let later = moved(support, from, H, load, |t| normal(H + t), None);
            let correction: f64 =
                support.gains(H).iter().zip(body).zip(end).map(|((gain, body), end)| gain * (body - end)).sum();
            assert!(correction.abs() > 1e-2 * load, "{said}: {correction} N");
            assert_close(force, later[5] / H + correction, load, &said);
            assert_close(loss, 0.5 * load * (v + body[1]) * H, load * v * H, &said);
        }
    }
}

#[test]
fn normal_force_is_extrapolated_by_no_more_than_its_last_change_and_not_next_to_an_open_contact() {
    let (support, v) = (SUPPORTS[1], 0.1);
    // F_N (N) of the last step and now, the lengths of the last step and of this one over H, and the change of F_N (N) expected in this step.
    let cases = [
        ([400.0, 440.0], [1.0, 1.0], 40.0),
        ([400.0, 440.0], [1.0, 0.5], 20.0),
        ([400.0, 440.0], [1.0, 2.0], 40.0),
        ([400.0, 440.0], [0.5, 1.0], 40.0),
        ([400.0, 360.0], [1.0, 1.0], -40.0),
        ([-40.0, 440.0], [1.0, 1.0], 0.0),
    ];
    for ([before, now], [last, length], expected) in cases {
        // The force with a known rate of F_N in the second step.
        let force = |rate: Option<f64>| {
            let mut element = element(Coupling::Serial, support, [before, v]);
            advance(&mut *element, last * H);
            set(&mut *element, [now, v]);
            if let Some(rate) = rate {
                element.set_input_derivative(&F_N, 1, rate).expect("an input");
            }
            advance(&mut *element, length * H)[0]
        };
        let found = force(None);
        // A rate of 0 is none given.
        let by_rate = force(Some(if expected == 0.0 { 1e-9 } else { expected / (length * H) }));
        assert_close(found, by_rate, by_rate, &format!("{before} N, {now} N, {last}, {length}"));
        let other = force(Some((expected + 20.0) / (length * H)));
        assert!((found - other).abs() > 1e-4 * by_rate, "{found} N and {other} N");
    }
}

#[test]
fn force_is_at_most_twice_the_largest_recent_static_friction_force() {
    for coupling in SCHEMES {
        for sign in [1.0, -1.0] {
            let mut element = element(coupling, SUPPORTS[1], [10.0, 0.0]);
            advance(&mut *element, H);
            // A blow that no friction force stops within a step, after F_N has fallen.
            set(&mut *element, [4.0, 50.0 * sign]);
            let [force, _] = advance(&mut *element, 0.25 * H);
            // The largest recent F_N is forgotten over the longest recent step, which decays by a tenth of each step.
            let peak = 10.0 + 0.25 / 0.975 * (4.0 - 10.0);
            assert!((force - 2.0 * MU * peak * sign).abs() < 1e-9, "{coupling:?}, {sign}: {force} N");
            // A larger F_N, which rises within the step, counts at once.
            set(&mut *element, [8.0, 90.0 * sign]);
            element.set_input_derivative(&F_N, 1, 2.0 / H).expect("an input");
            let [force, _] = advance(&mut *element, H);
            assert!((force - 2.0 * MU * 10.0 * sign).abs() < 1e-9, "{coupling:?}, {sign}: {force} N");
        }
    }
}

#[test]
fn open_contact_has_no_force_and_the_work_of_the_force_that_still_acts() {
    for support in SUPPORTS {
        for coupling in SCHEMES {
            let said = format!("{support:?}, {coupling:?}");
            let [before, v] = [0.1, 0.08];
            let mut element = element(coupling, support, [400.0, before]);
            let at_start = SIGMA_0 * Z;
            let [applied, _] = advance(&mut *element, H);
            set(&mut *element, [-1.0, v]);
            let [force, loss] = advance(&mut *element, H);
            // The force of the step before still acts in a parallel coupling.
            let [used, late] = if coupling == Coupling::Parallel { [at_start, applied] } else { [applied, 0.0] };
            let work = 0.5 * used * (before + v) * H + late * v * H;
            assert_eq!(force, 0.0, "{said}");
            assert_close(loss, work, at_start * v * H, &said);
            // In the next open step no force acts any more.
            set(&mut *element, [-1.0, v]);
            let [force, loss] = advance(&mut *element, H);
            assert_eq!(force, 0.0, "{said}");
            assert_close(loss, work, at_start * v * H, &said);
        }
    }
}

#[test]
fn contact_that_closes_again_at_rest_has_no_force_of_its_former_deflection() {
    for support in SUPPORTS {
        let mut element = element(Coupling::Serial, support, [400.0, 0.0]);
        let [before, _] = advance(&mut *element, H);
        assert!(before > 50.0, "{support:?}: {before} N");
        set(&mut *element, [-1.0, 0.0]);
        advance(&mut *element, H);
        set(&mut *element, [400.0, 0.0]);
        let [force, _] = advance(&mut *element, H);
        // The observer makes up for the motion without a force, against the direction of the force before.
        assert!(force < 0.1 * before, "{support:?}: {force} N after {before} N");
    }
}

/// Observer at rest under F_N of 1 N.
fn observer() -> SupportObserver {
    let start = ContactStart {
        contact: Contact::new(1.0, 0.0),
        acceleration: None,
        normal_rate: None,
        force: [0.0; 2],
        loss: 0.0,
        x: Default::default(),
        modes: Default::default(),
        stiffness: SIGMA_0,
    };
    SupportObserver::new(Coupling::Serial, SUPPORTS[0], &start)
}

#[test]
fn sum_of_two_numbers_that_overflows_is_not_finite() {
    let changes: [fn(&mut SupportObserver, f64); 12] = [
        |o, x| o.filtered[0] = -x,
        |o, x| o.filtered[5] = x,
        |o, x| o.observed[3] = -x,
        |o, x| o.applied[0] = x,
        |o, x| o.x[0] = -x,
        |o, x| o.covariance[2][3] = -x,
        |o, x| o.loss = -x,
        |o, x| o.mean = -x,
        |o, x| o.horizon = x,
        |o, x| o.normal_peak = x,
        |o, x| o.monitor = CouplingMonitor::new(x),
        |o, x| o.normal_monitor = NormalMonitor::new(x),
    ];
    for (i, change) in changes.iter().enumerate() {
        let mut observer = observer();
        change(&mut observer, f64::MAX);
        assert!(observer.is_finite(), "{i} alone is finite");
        for (j, other) in changes.iter().enumerate().filter(|(j, _)| *j != i) {
            let mut both = observer;
            other(&mut both, f64::MAX);
            assert!(!both.is_finite(), "{i} and {j}");
        }
        change(&mut observer, f64::INFINITY);
        assert!(!observer.is_finite(), "{i}");
    }
    // The sum is no product.
    let mut observer = observer();
    changes.iter().for_each(|change| change(&mut observer, 1e200));
    assert!(observer.is_finite());
}

#[test]
fn negligible_step_is_far_shorter_than_the_last_one() {
    let after = SupportObserver { durations: [0.5, 0.1], ..observer() };
    assert!(after.is_negligible(0.49 * NEGLIGIBLE_STEP_RATIO) && !after.is_negligible(0.51 * NEGLIGIBLE_STEP_RATIO));
    assert!(!observer().is_negligible(0.0), "the first step is none");
}

/// Without a spring, a velocity that differs from the predicted one is explained by the least sum of squares of the noises: of L, of its rate, of
/// the velocity and of its measurement.
#[test]
fn unexpected_velocity_is_explained_by_the_least_noises() {
    const STEP: f64 = 1e-3;
    const INNOVATION: f64 = 2e-4;
    let support = Support { mass: 2.0, stiffness: 1e-6, damping: 0.0, support_mass: 0.0 };
    let mut observer = SupportObserver { support, ..observer() };
    let correction = observer.filter(support.transition(STEP), STEP, 0.0, INNOVATION);
    // Noises as forces over N: each changes v by its own effect, 1 but for the mean of the growing load of the rate.
    let [load, rate, velocity] = NOISE.map(|noise| noise * noise);
    let multiplier = INNOVATION * support.mass / STEP / (load + rate / 4.0 + velocity + MEASUREMENT * MEASUREMENT);
    let of_motion = multiplier * STEP / support.mass;
    let expected = [
        of_motion * STEP * (load / 2.0 + rate / 12.0 + velocity),
        of_motion * (load + rate / 4.0 + velocity),
        0.0,
        0.0,
        multiplier * (load + rate / 2.0),
        multiplier * rate / 2.0 / STEP,
    ];
    for (i, (found, expected)) in correction.into_iter().zip(expected).enumerate() {
        assert!((found - expected).abs() <= 1e-9 * expected.abs(), "{i}: {found}, not {expected}");
    }
}
