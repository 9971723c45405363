//! Comparison of the zone-wise solver with the general integrator, and reference values of difficult cases.

use super::super::closed_contact::{integrate_by_series, integrate_zones};
use super::super::inputs::InputPolynomials;
use super::super::test_cases::{F_S, G, assert_follows, bristle, equations, flat, law, random, scatter};
use super::*;
use crate::integrate::step_limit::StepLimit;
use crate::law::{self, Contact, Law};

#[test]
fn held_steps_agree_with_the_general_integrator_from_every_state() {
    let (mut judged, mut by_series) = (0, 0);
    for (contact, x) in scatter() {
        // Above this force the bristle is unstable and amplifies the errors of both methods.
        assert!(contact.F_N < equations().max_stable_force);
        for t in [1e-6, 3e-5, 1e-3, 1e-1] {
            let trajectory = InputTrajectory::held(contact);
            let (mut fast, mut slow) = (x, x);
            let advance = law().advance(&trajectory, &mut fast, &mut (), t, 1e-6, &mut Radau::default()).unwrap();
            let general =
                law::advance(&equations(), &trajectory, &mut slow, &mut (), t, 1e-9, &mut Radau::default()).unwrap();
            let force = |x| law().evaluate(contact, x, &()).F_R;
            let static_force = 0.6 * contact.F_N;
            let error = (force(&fast) - force(&slow)).abs() / static_force;
            assert!(error < 1e-6, "{contact:?} {x:?} after {t}: {error:e}");
            let loss = (advance.loss - general.loss).abs() / (static_force * contact.v.abs() * t);
            assert!(loss < 1e-5, "{contact:?} {x:?} after {t}: the loss differs by {loss:e}");
            judged += 1;
            let mut totals = StepTotals::default();
            let inputs = InputPolynomials::held(contact.v * equations().inverse_v_s);
            let budget = ErrorBudget::stable(1e-6, false);
            integrate_zones(
                &equations(),
                &trajectory,
                inputs,
                &mut { x },
                t,
                budget,
                &mut StepLimit::default(),
                &mut totals,
            );
            by_series += u32::from(totals.t == t);
        }
    }
    // The cases reach every zone; nearly all of them do without the general integrator.
    assert!(by_series > judged * 99 / 100, "{by_series} of {judged}");
}

#[test]
fn moving_steps_agree_with_the_general_integrator() {
    let (mut judged, mut by_series) = (0, 0);
    // Each case moves towards the contact 7 places on in the list within 10 ms, linearly or not.
    let contacts: Vec<_> = scatter().collect();
    for (i, (start, x)) in contacts.iter().enumerate() {
        let toward = contacts[(i + 7) % contacts.len()].0;
        let rate =
            Contact::new((toward.F_N - start.F_N) * if i % 2 == 0 { 100.0 } else { 0.0 }, (toward.v - start.v) * 100.0);
        let bend = Contact::new(0.0, -150.0 * rate.v);
        let derivatives = [rate, if i % 3 == 0 { bend } else { Contact::ZERO }, Contact::ZERO];
        let trajectory = InputTrajectory { start: *start, derivatives: Some(&derivatives), delay: None };
        for t in [3e-5, 1e-3, 9e-3] {
            let (mut fast, mut slow) = (*x, *x);
            let advance = law().advance(&trajectory, &mut fast, &mut (), t, 1e-6, &mut Radau::default()).unwrap();
            let general =
                law::advance(&equations(), &trajectory, &mut slow, &mut (), t, 1e-10, &mut Radau::default()).unwrap();
            let end = trajectory.at(t);
            let force = |x: &[f64; 2]| law().evaluate(end, x, &()).F_R;
            let error = (force(&fast) - force(&slow)).abs() / (0.6 * end.F_N);
            assert!(error < 1e-6, "{start:?} {derivatives:?} {x:?} after {t}: {error:e}");
            let power = 0.6 * start.F_N.max(end.F_N) * (start.v.abs() + (rate.v * t).abs());
            let loss = (advance.loss - general.loss).abs() / (power * t);
            assert!(loss < 1e-5, "{start:?} {derivatives:?} {x:?} after {t}: the loss differs by {loss:e}");
            judged += 1;
            let (mut totals, budget) = (StepTotals::default(), ErrorBudget::stable(1e-6, true));
            integrate_by_series(
                &equations(),
                &trajectory,
                &mut { *x },
                t,
                budget,
                &mut StepLimit::default(),
                &mut totals,
            );
            by_series += u32::from(totals.t == t);
        }
    }
    assert!(by_series > judged * 9 / 10, "{by_series} of {judged}");
}

/// r is a sum of which the end may lie next to 1 but for its rounding.
#[test]
fn break_away_takes_few_inner_steps_from_every_deflection() {
    let mut random = random(5);
    let mut most = 0;
    for _ in 0..300 {
        let contact = Contact::new(30.0, 4e-3);
        let slopes = [Contact::new(-1e4 * (1.0 + random()), 2.0 * random()), Contact::ZERO, Contact::ZERO];
        let x = [4e-6 * random(), 4e-3 * random()];
        for derivatives in [None, Some(&slopes)] {
            let trajectory = InputTrajectory { start: contact, derivatives, delay: None };
            let done = law().advance(&trajectory, &mut { x }, &mut (), 1e-3, 1e-6, &mut Radau::default()).unwrap();
            most = most.max(done.inner_steps);
        }
    }
    assert!(most <= 30, "{most} inner steps");
}

#[test]
fn errors_do_not_accumulate_in_stick() {
    // In stick no error of F_0 decays: errors must not add up. 5 s of steps of 0.1 ms, held and by ramps.
    const H: f64 = 1e-4;
    let v = |i: u32| {
        let phase = 300.0 * H * f64::from(i);
        1e-4 * (libm::cos(phase) + 0.3 * libm::sin(2.0 * phase))
    };
    for ramps in [false, true] {
        let (mut x, mut exact, mut worst) = ([0.0; 2], [0.0; 2], 0.0_f64);
        for i in 0..50_000 {
            let start = Contact::new(G, v(i));
            let derivatives = [Contact::new(0.0, (v(i + 1) - v(i)) / H), Contact::ZERO, Contact::ZERO];
            let trajectory = InputTrajectory { start, derivatives: ramps.then_some(&derivatives), delay: None };
            law().advance(&trajectory, &mut x, &mut (), H, 1e-6, &mut Radau::default()).unwrap();
            law().advance(&trajectory, &mut exact, &mut (), H, 1e-10, &mut Radau::default()).unwrap();
            let [here, there] = [&x, &exact].map(|x| law().evaluate(trajectory.at(H), x, &()));
            assert!(here.sticking);
            worst = worst.max((here.F_R - there.F_R).abs() / F_S);
        }
        assert!(worst < 1e-7, "ramps {ramps}: {worst:e}");
    }
}

#[test]
fn series_meet_their_tolerance_with_alternating_terms_and_with_a_large_damping() {
    // First bristle: the last term of a step is nearly 0 by chance. Second: σ_1 v_s/4 is 300 F_s, so that ż changes F_0 far more
    // than it changes F_R at the same instant. Both were found by random steps.
    let swinging = flat([1757188.5451227808, 11727.822613606353, 0.7878554504782013, 0.03509996047444912, 2.1665]);
    let answering = flat([2480374.469394669, 24322.944584878944, 0.07361750466574418, 0.00015083885719276347, 2.2e-4]);
    let (hard, soft) = (Contact::new(5446.77682790291, 0.0), Contact::new(0.01445643604245078, 0.0));
    for (law, contact, x, t) in [
        (swinging, hard, [-0.00030496474406186005, -0.2478696184643263], 0.000854849310749655),
        (answering, soft, [4.7074016478164804e-11, -7.24693682137629e-9], 0.01575455848582087),
    ] {
        let trajectory = InputTrajectory::held(contact);
        let (mut fast, mut slow) = (x, x);
        law.advance(&trajectory, &mut fast, &mut (), t, 1e-6, &mut Radau::default()).unwrap();
        law::advance(&law.with_general_integrator(), &trajectory, &mut slow, &mut (), t, 1e-10, &mut Radau::default())
            .unwrap();
        let [fast, slow] = [fast, slow].map(|x| law.evaluate(contact, &x, &()).F_R / law.static_force(contact.F_N));
        assert!((fast - slow).abs() < 1e-6, "{fast} for {slow}");
    }
}

#[test]
fn a_bristle_that_leaves_saturation_within_a_long_step_is_resolved() {
    // F_N falls and z falls with it at |F_0| = F_s in long inner steps, until v exceeds ż: from there on the contact sticks.
    // Reference in N by CVODE at 1e-12.
    let law = flat([3069902378.0486255, 89.92103799053773, 0.18262483357215367, 0.009563318548926471, 0.0204]);
    let start = Contact::new(1934.9664527245163, -7.002843022494499e-6);
    let rate = Contact::new(-4557.263486298073, 5.683174521644945e-5);
    let x = [-1.1510884806087412e-7, 2.365536603582802e-23];
    assert_follows(&law, start, rate, x, 0.1911914560898835, 154.18911672278404);
}

#[test]
fn an_unstable_equilibrium_is_reported_as_a_force_error() {
    // On the falling branch at constant v the bristle has an equilibrium, unstable above F_N = 63.86 N: within a few milliseconds
    // rounding decides its motion.
    for (normal_force, in_doubt) in [(30.0, false), (1e3, true)] {
        let contact = Contact::new(normal_force, 5e-3);
        let pull = |z: f64| law().evaluate(contact, &[z, 0.0], &()).F_R - 5e6 * z;
        let (mut low, mut high) = (0.0, 0.6 * normal_force / 5e6);
        for _ in 0..200 {
            let middle = 0.5 * (low + high);
            if pull(middle) > 0.0 {
                low = middle;
            } else {
                high = middle;
            }
        }
        let mut x = [low, 0.0];
        let mut solver = Radau::default();
        let done = law().advance(&InputTrajectory::held(contact), &mut x, &mut (), 0.01, 1e-6, &mut solver).unwrap();
        assert_eq!(done.force_error > 0.0, in_doubt, "F_N = {normal_force} N: {done:?}, {x:?} from {low}");
    }
    // On its limit cycle errors of its start decay, except that of its phase.
    let trajectory = InputTrajectory::held(Contact::new(1e3, 2e-3));
    let (mut x, mut solver) = ([0.0; 2], Radau::default());
    for _ in 0..20 {
        let done = law().advance(&trajectory, &mut x, &mut (), 0.01, 1e-6, &mut solver).unwrap();
        assert_eq!(done.force_error, 0.0);
    }
}

#[test]
fn a_sweep_through_rest_within_a_step_deflects_the_bristle() {
    // v passes from sliding through rest to sliding in less than a time constant of the bristle; F_R is constant before and after it.
    // Reference in N by DOP853 at 1e-13 with steps below the passage.
    let law = bristle([
        4134867913.8362217,
        77099.32742796566,
        1.684410042817666,
        1.9951482120058834e-5,
        0.0,
        2.0467362986167168e-5,
    ]);
    let start = Contact::new(57.210464124217886, 0.0018744406113312732);
    let rate = Contact::new(0.0, -5.89621072135083);
    let x = [3.6057485284692524e-9, 0.0];
    assert_follows(&law, start, rate, x, 0.0003691041732247491, -57.12206017482632);
}

#[test]
fn growing_oscillations_are_not_damped_by_long_steps() {
    // A slow ramp of v over a steep falling branch: oscillations of the bristle grow by e³⁰. Reference in N by CVODE at 1e-12.
    let law = bristle([
        3140542517.974736,
        1125.8477174752804,
        0.07391002427549002,
        0.0017950975142285903,
        0.03693805587462971,
        0.0018644901345270285,
    ]);
    let start = Contact::new(2.745532090433352, -0.009207748857788174);
    let rate = Contact::new(0.0, 12.424684206441821);
    assert_follows(&law, start, rate, [0.0; 2], 0.0007463448571363798, 0.10142657267505295);
}

#[test]
fn a_narrow_falling_branch_within_a_step_is_resolved() {
    // v crosses the branch in 7 μs, a fifth of the bristle's time constant, and the step lasts 100 μs more. Reference in N by DOP853 at
    // 1e-13.
    let law = bristle([
        78484787.10418858,
        5989.923860494743,
        0.5586743377761952,
        0.000421032483065978,
        0.3444681087746025,
        0.00044536061025619747,
    ]);
    let start = Contact::new(0.15480938666204982, -0.012184033604525095);
    let rate = Contact::new(0.0, 3.366789063903389);
    assert_follows(&law, start, rate, [0.0; 2], 0.003619980232632183, -0.030118151029603336);
}

#[test]
#[allow(clippy::unreadable_literal)] // as random steps drew them
fn loss_of_short_steps_is_within_ten_tolerances() {
    // Steps in which r and e hardly depend on the force: a ramp from rest, stick whose transient lasts half of the step, and stick far
    // above the limit of the normal force. Reference: a hundred steps at the tightest tolerance.
    let ramp = bristle([
        44010.93721930186,
        1441.9306984613975,
        0.990107303115572,
        0.05494465434074299,
        0.9684723397510184,
        0.10411468967056871,
    ]);
    let stick = bristle([
        16352893.782220846,
        1903.1334717437837,
        0.7091831349821117,
        0.00012322592885541785,
        0.6710263454059523,
        0.004831144252464642,
    ]);
    let unstable = bristle([
        92211.23183171944,
        1166.8934181528853,
        1.3284542998939963,
        0.0009591948392409115,
        0.9949803168183619,
        0.040883531715346026,
    ]);
    let cases = [
        (ramp, Contact::new(25.90179960334202, 0.0), 9238.73033907191, [0.0; 2], 6.96081981551527e-6),
        (
            stick,
            Contact::new(127.16038422541492, 2.9886124267311466e-5),
            0.0,
            [3.0413184358507922e-9, 0.0025256626500151924],
            5.254589473913286e-6,
        ),
        (
            unstable,
            Contact::new(7223.881275468095, 0.01853808500288391),
            0.0,
            [-0.00025489548102244875, 0.013738703355680636],
            1.3336076185348582e-5,
        ),
    ];
    for (law, start, slope, begin, h) in cases {
        let lost = |parts: u32, tolerance: f64| {
            let (mut x, mut loss) = (begin, 0.0);
            let part = h / f64::from(parts);
            for i in 0..parts {
                let start = Contact { v: start.v + slope * part * f64::from(i), ..start };
                let derivatives = [Contact::new(0.0, slope), Contact::ZERO, Contact::ZERO];
                let derivatives = if slope == 0.0 { None } else { Some(&derivatives) };
                let trajectory = InputTrajectory { start, derivatives, delay: None };
                loss += law.advance(&trajectory, &mut x, &mut (), part, tolerance, &mut Radau::default()).unwrap().loss;
            }
            loss
        };
        let scale = law.static_force(start.F_N) * (start.v + slope * h) * h;
        let error = (lost(1, 1e-6) - lost(100, 1e-10)).abs() / scale;
        assert!(error < 1e-5, "{error:e} at {start:?}");
    }
}

#[test]
#[allow(clippy::unreadable_literal)] // as random steps drew them
fn loss_of_a_nearly_open_contact_is_resolved() {
    // F_N of 7e-14 and 2e-12 N: a reversal late in a long step, and a bristle deflected far beyond F_s/σ_0. Losses by 10 000 steps.
    let reversal = bristle([
        27915394.97831473,
        3571.9639436093903,
        0.061645505060185755,
        0.00019100333883784022,
        0.05209370666863626,
        0.00023631189307517705,
    ]);
    let deflected = bristle([
        847316.1151481669,
        1076.5990661637786,
        0.835014433206592,
        4.548432292175711e-5,
        0.8251837414411248,
        0.0005078843049653971,
    ]);
    let cases = [
        (
            reversal,
            Contact::new(6.69564350634236e-14, 8.183039873738785),
            -130.3176175351362,
            [-1.0451959391411216e-13, 5.305979597760703e-11],
            0.07511165321119877,
            9.3062420596920e-16,
        ),
        (
            deflected,
            Contact::new(2.1868685429683225e-12, 0.0002978488427121303),
            233.1793089366792,
            [1.2766473559473562e-7, -0.00015614853142520738],
            0.0027790426118370214,
            1.62638296017568e-15,
        ),
    ];
    for (law, start, slope, mut x, h, expected) in cases {
        let derivatives = [Contact::new(0.0, slope), Contact::ZERO, Contact::ZERO];
        let trajectory = InputTrajectory { start, derivatives: Some(&derivatives), delay: None };
        let loss = law.advance(&trajectory, &mut x, &mut (), h, 1e-6, &mut Radau::default()).unwrap().loss;
        assert!((loss / expected - 1.0).abs() < 1e-5, "{loss:e} for {expected:e}");
    }
}
