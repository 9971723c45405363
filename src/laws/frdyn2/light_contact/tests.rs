//! Light contacts against the equations by the classical Runge–Kutta method.

use super::super::closed_contact::integrate_closed;
use super::super::constants::{LIGHT_SHARE, MIN_LIGHT_LAG, MIN_LIGHT_LAG_AT_OPENINGS};
use super::super::error_budget::ErrorBudget;
use super::super::metadata::Z;
use super::super::test_cases::{equations, random};
use super::*;
use crate::catalogue::find;
use crate::element::{F_N, V};
use crate::integrate::radau::Radau;
use crate::law::{Contact, InputTrajectory, Law};
use crate::laws::frdyn2_linear;
use crate::variable::Values;

const TOLERANCE: f64 = 1e-6;

/// Both laws of which light contacts advance by panels.
pub(super) trait Light: LightLaw + Law<2, DiscreteState = ()> {}

impl<L: LightLaw + Law<2, DiscreteState = ()>> Light for L {}

/// FrDyn2Linear with the paper's parameters, by the general integrator alone.
pub(super) fn linear_equations() -> frdyn2_linear::Equations {
    frdyn2_linear::Equations::new(&Values::of(frdyn2_linear::Equations::METADATA.parameters)).unwrap()
}

/// States and loss.
pub(super) type Motion = ([f64; 2], f64);

/// Motion over `h` (s) from `t`, in halves where the law passes a kink.
pub(super) fn by_runge_kutta<L: Light>(law: &L, inputs: &InputTrajectory, x: [f64; 2], [t, h]: [f64; 2]) -> Motion {
    const SHORTEST: f64 = 1e-15;
    let rates = |t: f64, x: [f64; 2]| {
        let contact = inputs.at(t);
        let at = law.evaluate(contact, &x, &());
        [at.rate[0], at.rate[1], at.F_R * contact.v]
    };
    let moved = |by: f64, rate: [f64; 3]| [x[0] + by * rate[0], x[1] + by * rate[1]];
    let first = rates(t, x);
    let second = rates(t + 0.5 * h, moved(0.5 * h, first));
    let third = rates(t + 0.5 * h, moved(0.5 * h, second));
    let fourth = rates(t + h, moved(h, third));
    let mean = core::array::from_fn(|k| (first[k] + 2.0 * (second[k] + third[k]) + fourth[k]) / 6.0);
    let (end, loss) = (moved(h, mean), h * mean[2]);
    // Side of ±F_s and zone of the characteristic.
    let branch = |t: f64, x: &[f64; 2]| {
        let (contact, bristle) = (inputs.at(t), law.bristle());
        let &Equations { v_s, v_d, .. } = bristle;
        let force = bristle.sticking_force(contact, x) / law.static_force(contact.F_N);
        let w = contact.v - x[1] + v_s * L::shift(force.clamp(-1.0, 1.0));
        ([force <= -1.0, force >= 1.0], [-v_d, -v_s, v_s, v_d].map(|border| w >= border))
    };
    if branch(t, &x) == branch(t + h, &end) || h < SHORTEST {
        return (end, loss);
    }
    let (middle, before) = by_runge_kutta(law, inputs, x, [t, 0.5 * h]);
    let (end, after) = by_runge_kutta(law, inputs, middle, [t + 0.5 * h, 0.5 * h]);
    (end, before + after)
}

pub(super) fn by_short_steps<L: Light>(law: &L, inputs: &InputTrajectory, mut x: [f64; 2], duration: f64) -> Motion {
    const STEPS: u32 = 10_000;
    let (h, mut sum) = (duration / f64::from(STEPS), 0.0);
    for i in 0..STEPS {
        let (end, loss) = by_runge_kutta(law, inputs, x, [h * f64::from(i), h]);
        (x, sum) = (end, sum + loss);
    }
    (x, sum)
}

/// Checks one step; the totals.
fn check<L: Light>(law: &L, inputs: &InputTrajectory, x: [f64; 2], duration: f64, case: &str) -> StepTotals {
    let bristle = law.bristle();
    let interval = Interval { trajectory: inputs, duration, tolerance: LIGHT_SHARE * TOLERANCE };
    let mut found = x;
    let done = advance(law, &interval, MIN_LIGHT_LAG_AT_OPENINGS, &mut found, &mut StepLimit::default());
    let (expected, loss) = by_short_steps(law, inputs, x, done.t);
    let over = |f: &dyn Fn(Contact) -> f64| {
        (0..=64).map(|i| f(inputs.at(done.t * f64::from(i) / 64.0)).abs()).fold(0.0, f64::max)
    };
    let static_force = bristle.mu_s * over(&|contact| contact.F_N);
    // Forces that z and ż add to F_0, at once and in the free motion.
    let forces = [bristle.sigma_0, 0.5 * bristle.sigma_1];
    for i in 0..2 {
        // Of ten thousand steps.
        let rounding = 3e-14 * (x[0].abs() * bristle.sigma_0 + x[1].abs() * bristle.sigma_1);
        let error = (found[i] - expected[i]).abs() * forces[i];
        assert!(
            error <= TOLERANCE * static_force + rounding,
            "{case}: state {i} off by {:e} F_s",
            error / static_force
        );
    }
    let error = (done.loss - loss).abs() / (static_force * over(&|contact| contact.v) * duration);
    assert!(done.t == 0.0 || error < 10.0 * TOLERANCE, "{case}: loss off by {error:e}");
    done
}

#[test]
fn light_contacts_under_held_inputs_follow_the_equations() {
    held_inputs(&equations());
    held_inputs(&linear_equations());
}

fn held_inputs<L: Light>(law: &L) {
    let mut random = random(0x5851_f42d_4c95_7f2d);
    let (mut whole, mut reversals) = (0, 0);
    for case in 0..150 {
        let mut magnitude = |[low, high]: [f64; 2]| {
            let size = low * libm::pow(high / low, 0.5 + 0.5 * random());
            size.copysign(random())
        };
        let contact = Contact::new(magnitude([1e-10, 0.05]).abs(), magnitude([1e-6, 0.1]));
        let x = [magnitude([1e-10, 1e-6]), magnitude([1e-7, 1e-2])];
        let h = magnitude([1e-5, 3e-3]).abs();
        let done = check(law, &InputTrajectory::held(contact), x, h, &format!("{case}: {contact:?} {x:?} {h:e}"));
        whole += u32::from(done.t == h);
        reversals += u32::from(done.inner_steps > 4);
        assert!(done.inner_steps < 60, "{case}: {} panels", done.inner_steps);
    }
    assert!(whole > 130 && reversals > 25, "{whole} whole steps, {reversals} with kinks");
}

#[test]
fn light_contacts_under_moving_inputs_follow_the_equations() {
    moving_inputs(&equations());
    moving_inputs(&linear_equations());
}

fn moving_inputs<L: Light>(law: &L) {
    const H: f64 = 1e-3;
    let mut random = random(3);
    for case in 0..100 {
        // Every third contact closes at the start of the step.
        let normal = libm::exp10(-9.0 + 4.0 * (1.0 + random()));
        let speed = libm::exp10(-2.5 + random());
        let start = Contact::new(if case % 3 == 0 { 0.0 } else { normal }, speed * random());
        let first = Contact::new(normal / H * (1.0 + 0.5 * random()), 4.0 * speed / H * random());
        let second = Contact::new(0.0, 30.0 * speed / H / H * random());
        let third = Contact::new(0.0, if case % 2 == 0 { 0.0 } else { 200.0 * speed / H / H / H * random() });
        let derivatives = [first, second, third];
        let inputs = InputTrajectory { start, derivatives: Some(&derivatives), delay: None };
        let x = [1e-9 * random(), 1e-3 * speed * random()];
        let interval = Interval { trajectory: &inputs, duration: H, tolerance: LIGHT_SHARE * TOLERANCE };
        assert!(is_light(law.bristle(), &interval, MIN_LIGHT_LAG_AT_OPENINGS), "{case}");
        let done = check(law, &inputs, x, H, &format!("{case}: {inputs:?} {x:?}"));
        assert!(done.t == H && done.inner_steps < 120, "{case}: {} panels up to {:e} s", done.inner_steps, done.t);
    }
}

#[test]
fn contact_that_stays_next_to_its_static_friction_is_left_to_series_where_they_apply() {
    let law = equations();
    let reached = |contact: Contact, mut x: [f64; 2]| {
        let inputs = InputTrajectory::held(contact);
        let interval = Interval { trajectory: &inputs, duration: 1e-3, tolerance: LIGHT_SHARE * TOLERANCE };
        advance(&law, &interval, MIN_LIGHT_LAG_AT_OPENINGS, &mut x, &mut StepLimit::default()).t
    };
    let deflected = [1e-6, 0.0];
    assert_eq!(reached(Contact::new(1e-9, 0.01), deflected), 1e-3);
    // At rest within the limit, at it, and a bristle that reaches it from outside.
    assert_eq!(reached(Contact::new(1e-9, 0.0), [1e-16, 0.0]), 0.0);
    assert_eq!(reached(Contact::new(1e-9, 0.0), [1.2e-16, 0.0]), 0.0);
    let half_way = reached(Contact::new(1e-3, 0.0), [3e-10, 0.0]);
    assert!(half_way > 0.0 && half_way < 1e-3, "{half_way:e}");
    // Beyond the range of series panels follow a bristle as long as it does not rest, here to −F_s and beyond it.
    assert!(reached(Contact::new(1e-9, 0.0), [-0.6e-16, -5e-14]) > 4e-4);
    assert_eq!(reached(Contact::new(1e-6, 0.0), [-0.6e-13, -5e-11]), 0.0);
}

#[test]
fn contact_is_light_up_to_the_light_force() {
    let law = equations();
    let is_light = |normal: f64, least_lag: f64| {
        let trajectory = &InputTrajectory::held(Contact::new(normal, 0.01));
        is_light(&law, &Interval { trajectory, duration: 1e-3, tolerance: TOLERANCE }, least_lag)
    };
    let border = light_force(&law);
    assert!(is_light(border, MIN_LIGHT_LAG_AT_OPENINGS) && !is_light(1.002 * border, MIN_LIGHT_LAG_AT_OPENINGS));
    // c is the inverse of F_N.
    let border = border * MIN_LIGHT_LAG_AT_OPENINGS / MIN_LIGHT_LAG;
    assert!(is_light(border, MIN_LIGHT_LAG) && !is_light(1.002 * border, MIN_LIGHT_LAG));
    // σ_1 v_s = c μ_s F_N.
    assert!((law.sigma_1 * law.v_s / (law.mu_s * border) / MIN_LIGHT_LAG - 1.0).abs() < 0.002);
}

#[test]
fn inputs_of_a_panel_have_the_derivative_of_the_velocity() {
    let law = equations();
    // v = a + b t + c t² + d t³.
    let [a, b, c, d] = [0.3, -20.0, 5e3, -7e6];
    let derivatives = [Contact::new(-4.0, b), Contact::new(0.0, 2.0 * c), Contact::new(0.0, 6.0 * d)];
    let trajectory = InputTrajectory { start: Contact::new(1e-2, a), derivatives: Some(&derivatives), delay: None };
    let interval = Interval { trajectory: &trajectory, duration: 1e-3, tolerance: TOLERANCE };
    let contact = LightContact { law: &law, interval: &interval };
    for t in [0.0, 2e-4, 1e-3] {
        let inputs = contact.inputs(t);
        let exact = [1e-2 - 4.0 * t, a + t * (b + t * (c + t * d)), b + t * (2.0 * c + 3.0 * d * t)];
        for (found, exact) in inputs.into_iter().zip(exact) {
            assert!((found - exact).abs() < 1e-14 * exact.abs(), "{t}: {found}, not {exact}");
        }
    }
}

#[test]
fn limit_of_inner_steps_relaxes_the_tolerance_and_its_error_is_reported() {
    let law = equations();
    let derivatives = [Contact::new(0.0, -20.0), Contact::ZERO, Contact::ZERO];
    let inputs = InputTrajectory { start: Contact::new(1e-4, 0.01), derivatives: Some(&derivatives), delay: None };
    let interval = Interval { trajectory: &inputs, duration: 1e-3, tolerance: LIGHT_SHARE * TOLERANCE };
    let with_limit = |most: u32| {
        let (mut x, mut limit) = ([1e-8, 1e-3], StepLimit::new(most));
        let done = advance(&law, &interval, MIN_LIGHT_LAG_AT_OPENINGS, &mut x, &mut limit);
        assert_eq!(done.t, 1e-3);
        let (exact, _) = by_short_steps(&law, &inputs, [1e-8, 1e-3], 1e-3);
        let force = |x: &[f64; 2]| law.evaluate(inputs.at(1e-3), x, &()).F_R;
        let error = (force(&x) - force(&exact)).abs() / law.static_force(inputs.start.F_N);
        (done.inner_steps, limit.error(), error)
    };
    let [free, short] = [1000, 3].map(with_limit);
    assert!(free.1 == 0.0 && free.0 > 6, "{free:?}");
    assert!(short.0 < free.0 && short.0 <= 8 && short.1 > TOLERANCE, "{short:?}");
    // The estimate bounds the error, and is no mere sign that there is one.
    assert!(short.2 <= short.1 && short.1 < 1.0, "{short:?}");
}

#[test]
fn steps_of_any_length_take_a_bounded_number_of_panels() {
    fn check<L: Light>(law: &L) {
        for h in [1.0, 1e5, 1e154, f64::MAX] {
            for (contact, x) in [
                (Contact::new(1e-6, 2e-3), [1e-7, 0.0]),
                (Contact::new(1e-6, 0.0), [1e-7, 1e-3]),
                (Contact::ZERO, [0.0; 2]),
            ] {
                let inputs = InputTrajectory::held(contact);
                let interval = Interval { trajectory: &inputs, duration: h, tolerance: LIGHT_SHARE * TOLERANCE };
                let mut found = x;
                let done = advance(law, &interval, MIN_LIGHT_LAG_AT_OPENINGS, &mut found, &mut StepLimit::default());
                assert!(done.inner_steps < 60 && done.t < h, "{h:e} {contact:?}: {done:?}");
            }
        }
    }
    check(&equations());
    check(&linear_equations());
}

#[test]
fn whole_steps_of_a_light_contact_are_short_however_long_they_last() {
    for name in ["FrDyn2", "FrDyn2Linear"] {
        for [normal, v, h] in [[1e-6, 2e-3, 1.0], [1e-9, 1e-4, 10.0], [0.0, 0.0, 1e154], [1e-3, 0.0, 1.0]] {
            let mut element = find(name).unwrap().instantiate();
            element.set(&F_N, normal);
            element.set(&V, v);
            element.set(&Z, 1e-8);
            let steps = element.advance(h).unwrap().inner_steps;
            assert!(steps < 250, "{name} {normal:e} {v:e} {h:e}: {steps} steps");
        }
    }
}

#[test]
fn rest_of_a_step_of_too_many_panels_is_left_to_another_method() {
    let law = equations();
    // The longest step of a light contact under moving inputs, whose longest panels alone are as many as it may take.
    let h = 0.999 * LONGEST_PANEL * f64::from(MAX_LIGHT_PANELS) / law.omega;
    let derivatives = [Contact::new(0.0, -0.02 / h), Contact::ZERO, Contact::ZERO];
    let inputs = InputTrajectory { start: Contact::new(1e-3, 0.0105), derivatives: Some(&derivatives), delay: None };
    let x = [1e-9, 1e-4];
    let done = check(&law, &inputs, x, h, "longest step");
    assert_eq!(done.inner_steps, MAX_LIGHT_PANELS);
    assert!(done.t > 0.5 * h && done.t < h, "up to {:e} of {h:e} s", done.t);

    let (mut found, mut radau) = (x, Radau::default());
    let budget = ErrorBudget::stable(TOLERANCE, true);
    let totals = integrate_closed(&law, &inputs, &mut found, h, budget, &mut radau).unwrap();
    let (expected, loss) = by_short_steps(&law, &inputs, x, h);
    let force = |x: &[f64; 2]| law.evaluate(inputs.at(h), x, &()).F_R;
    let static_force = law.static_force(inputs.start.F_N);
    let error = (force(&found) - force(&expected)).abs() / static_force;
    assert!(error <= TOLERANCE, "F_R off by {error:e} F_s");
    let error = (totals.loss - loss).abs() / (static_force * inputs.start.v * h);
    assert!(error <= 10.0 * TOLERANCE && totals.inner_steps > MAX_LIGHT_PANELS, "loss off by {error:e}");
}

/// The bristle rests with F_0 within F_s until F_N has fallen so far that F_0 exceeds it: w is then −v_s but for its rounding.
#[test]
fn border_of_a_zone_at_the_start_is_passed_at_once() {
    fn check<L: Light>(law: &L) {
        let start = Contact::new(0.065, 0.0);
        let derivatives = [Contact::new(-6686.0, 0.0), Contact::ZERO, Contact::ZERO];
        let inputs = InputTrajectory { start, derivatives: Some(&derivatives), delay: None };
        let bristle = law.bristle();
        for share in [-0.4685, 0.13, 0.77] {
            let mut x = [share * bristle.mu_s * start.F_N / bristle.sigma_0, 0.0];
            let interval = Interval { trajectory: &inputs, duration: 9.7e-6, tolerance: LIGHT_SHARE * TOLERANCE };
            let done = advance(law, &interval, MIN_LIGHT_LAG_AT_OPENINGS, &mut x, &mut StepLimit::default());
            assert!(
                done.t == 9.7e-6 && done.inner_steps <= 10,
                "{share}: {} inner steps to {:e} s",
                done.inner_steps,
                done.t
            );
        }
    }
    check(&equations());
    check(&linear_equations());
}

#[test]
fn border_of_a_zone_right_after_the_start_is_passed_after_four_attempts() {
    let law = equations();
    // F_N (N) and v (m/s) with their derivatives, z (m), ż (m/s), and the length (s). Each attempt meets the border a little earlier.
    let cases = [
        (
            [8.258_085_803_605_131e-6, 0.001_313_571_875_770_613],
            [-3.534_664_882_935_704_6e-5, 0.003_006_083_085_321_357, 1.947_200_067_096_877_4, -794.755_798_214_179_2],
            [2.257_120_842_515_592_7e-8, 0.000_667_030_443_798_419_3],
            6.197_841_471_162_843e-3,
        ),
        (
            [9.683_336_479_595_079e-6, -0.002_241_701_000_610_851_7],
            [3.967_740_096_332_213_5e-5, 0.073_322_152_436_122_99, -35.312_490_691_189_765, 13_293.572_545_274_776],
            [-2.533_531_268_370_169_7e-8, 0.001_491_638_917_682_762],
            3.930_242_856_788_974e-3,
        ),
    ];
    for ([normal, slope], [v, first, second, third], x, h) in cases {
        let derivatives = [Contact::new(slope, first), Contact::new(0.0, second), Contact::new(0.0, third)];
        let inputs = InputTrajectory { start: Contact::new(normal, v), derivatives: Some(&derivatives), delay: None };
        let case = format!("{normal} N, {v} m/s");
        let done = check(&law, &inputs, x, h, &case);
        assert!(done.t == h && done.inner_steps < 120, "{case}: {} panels up to {:e} s", done.inner_steps, done.t);
    }
}
