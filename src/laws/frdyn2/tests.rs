//! FrDyn2 against closed forms, its invariants and an independent reading of the characteristic.

use super::advance::{Precision, Way};
use super::drive::Drive;
use super::*;
use crate::element::{AnyElement, E_LOSS, Element, F_N, F_R, MIN_TOLERANCE, STICKING, V};
use crate::law;

const G: f64 = 9.81;
const F_S: f64 = 0.6 * G;

fn law() -> FrDyn2 {
    FrDyn2::new(&Values::of(DECLARATION.parameters)).unwrap()
}

fn with(changes: &[(Variable, f64)]) -> Result<FrDyn2, Refusal> {
    let mut values = Values::of(DECLARATION.parameters);
    for (variable, value) in changes {
        values[variable] = *value;
    }
    FrDyn2::new(&values)
}

/// A repeatable scatter of contacts and bristle states over all branches of the law.
fn scatter() -> impl Iterator<Item = (Contact, [f64; 2])> {
    let mut seed = 0x9e37_79b9_7f4a_7c15_u64;
    let mut random = move || {
        seed ^= seed << 13;
        seed ^= seed >> 7;
        seed ^= seed << 17;
        2.0 * (seed >> 11) as f64 / (1u64 << 53) as f64 - 1.0
    };
    (0..2000).map(move |i| {
        let reach = [1e-3, 0.1, 1.0, 10.0, 100.0][i % 5];
        let contact = Contact::new(G * (1.0 + 0.9 * random()), 2e-3 * reach * random());
        (contact, [2e-6 * reach * random(), 2e-3 * reach * random()])
    })
}

#[test]
fn the_force_never_exceeds_the_static_friction_force() {
    for (contact, x) in scatter() {
        let force = law().evaluate(contact, &x, &()).F_R;
        assert!(force.abs() <= 0.6 * contact.F_N * (1.0 + 1e-15), "{contact:?} {x:?}: {force}");
    }
}

#[test]
fn the_mirrored_contact_gives_the_mirrored_force_and_rate() {
    for (contact, x) in scatter() {
        let a = law().evaluate(contact, &x, &());
        let b = law().evaluate(Contact { v: -contact.v, ..contact }, &x.map(|x| -x), &());
        assert_eq!((a.F_R, a.rate, a.sticking), (-b.F_R, b.rate.map(|r| -r), b.sticking));
    }
}

#[test]
fn the_steady_state_of_stick_returns_the_sticking_force() {
    // Equation (4): with ż = v the characteristic is shifted so that F_R = F_0, as long as |F_0| ≤ F_s.
    for share in [-1.0, -0.99, -0.5, -1e-6, 0.0, 1e-9, 0.3, 0.999_999, 1.0] {
        let v = 1e-5;
        let z = (share * F_S - 3192.75 * v) / 5e6;
        let force = law().evaluate(Contact::new(G, v), &[z, v], &()).F_R;
        assert!((force - share * F_S).abs() < 1e-13 * F_S, "share {share}: {force}");
    }
}

#[test]
fn the_characteristic_passes_through_its_printed_points() {
    // Fig. 2c: ±μ_s at ±v_s, ±μ_d from ±v_d on. With z = v = 0 nothing is shifted and the slip is −ż.
    let mu = |slip: f64| law().evaluate(Contact::new(G, 0.0), &[0.0, -slip], &()).F_R / G;
    for (slip, expected) in [(0.0, 0.0), (0.5e-3, 0.45), (1e-3, 0.6), (5.5e-3, 0.45), (1e-2, 0.3), (1.0, 0.3)] {
        assert!((mu(slip) - expected).abs() < 1e-15, "{slip}: {}", mu(slip));
        assert_eq!(mu(-slip), -mu(slip));
    }
}

#[test]
fn an_open_contact_has_no_force_and_its_bristle_relaxes_as_a_critically_damped_oscillator() {
    let (z, z_dot, t) = (1e-6, -4e-3, 3e-4);
    for normal_force in [0.0, -1.0, -1e300] {
        let held = Course::held(Contact::new(normal_force, 0.5));
        assert_eq!(law().evaluate(held.start, &[z, z_dot], &()).F_R, 0.0);

        let mut closed = [z, z_dot];
        law().advance(&held, &mut closed, &mut (), t, 1e-9, &mut Radau::default()).unwrap();
        let mut integrated = [z, z_dot];
        law::advance(&law(), &held, &mut integrated, &mut (), t, 1e-9, &mut Radau::default()).unwrap();
        assert!((closed[0] - integrated[0]).abs() < 1e-6 * 1e-9, "{closed:?} {integrated:?}");
        assert!((closed[1] - integrated[1]).abs() < 4e-3 * 1e-8, "{closed:?} {integrated:?}");
    }
}

#[test]
fn full_sliding_follows_the_closed_form_of_the_bristle() {
    // From rest at v = 1 m/s the slip stays above v_d: F_R = F_d, and z rises as a critically damped step response.
    let course = Course::held(Contact::new(G, 1.0));
    let (omega, deflection) = (2.0 * 5e6 / 3192.75, 0.3 * G / 5e6);
    for t in [1e-5, 1e-4, 1e-3] {
        let mut x = [0.0, 0.0];
        law::advance(&law(), &course, &mut x, &mut (), t, 1e-8, &mut Radau::default()).unwrap();
        let mut closed = [0.0, 0.0];
        let advance = law().advance(&course, &mut closed, &mut (), t, 1e-8, &mut Radau::default()).unwrap();
        assert_eq!(
            (closed, advance.loss),
            (law().closed_form(course.start, 0.0, &[0.0; 2]).unwrap().0.at(t), 0.3 * G * t)
        );
        assert!((x[0] - closed[0]).abs() < 1e-8 * deflection && (x[1] - closed[1]).abs() < 1e-8 * 1e-3);
        let expected = deflection * (1.0 - (1.0 + omega * t) * libm::exp(-omega * t));
        assert!((x[0] - expected).abs() < 1e-8 * deflection, "t = {t}: {} for {expected}", x[0]);
    }
}

#[test]
fn the_closed_form_of_sliding_is_used_only_where_nothing_but_sliding_happens() {
    // From every state that claims it, the general integrator must find the same end.
    let mut used = 0;
    for (contact, x) in scatter() {
        let Some((motion, _)) = law().closed_form(contact, 0.0, &x) else { continue };
        used += 1;
        let course = Course::held(contact);
        for t in [3e-5, 3e-4, 3e-3] {
            let (mut integrated, closed) = (x, motion.at(t));
            law::advance(&law(), &course, &mut integrated, &mut (), t, 1e-8, &mut Radau::default()).unwrap();
            let scale = law().scale(contact, &x);
            for i in 0..2 {
                let error = (closed[i] - integrated[i]).abs() / scale[i];
                assert!(error < 1e-7, "{contact:?} {x:?} after {t}: {error}");
            }
        }
    }
    assert!(used > 100, "the scatter reaches full sliding");
}

#[test]
fn sliding_under_a_moving_velocity_has_the_same_closed_form() {
    // v = 0.05 + 3t − 400t²: it never leaves full sliding, and the loss is F_d times the way.
    let (start, first, second) = (Contact::new(G, 0.05), 3.0, -800.0);
    let slope = |v: f64| Contact::new(0.0, v);
    let course = Course { start, slopes: Some(&[slope(first), slope(second), Contact::ZERO]), delay: None };
    let t = 4e-3;
    let (mut closed, mut integrated) = ([1e-6, 1e-3], [1e-6, 1e-3]);
    let by_form = law().advance(&course, &mut closed, &mut (), t, 1e-9, &mut Radau::default()).unwrap();
    let by_steps = law::advance(&law(), &course, &mut integrated, &mut (), t, 1e-9, &mut Radau::default()).unwrap();
    assert_eq!(by_form.inner_steps, 1);
    assert!((closed[0] - integrated[0]).abs() < 1e-14 && (closed[1] - integrated[1]).abs() < 1e-10);
    let way = 0.05 * t + 1.5 * t * t - 400.0 / 3.0 * t * t * t;
    assert!((by_form.loss - 0.3 * G * way).abs() < 1e-15 && (by_steps.loss - by_form.loss).abs() < 1e-12);

    // Where the velocity may fall out of full sliding within the step, the form is not used.
    let braking = Course { start, slopes: Some(&[slope(-20.0), Contact::ZERO, Contact::ZERO]), delay: None };
    let mut x = [1e-6, 0.0];
    assert!(law().advance(&braking, &mut x, &mut (), t, 1e-6, &mut Radau::default()).unwrap().inner_steps > 1);
}

#[test]
fn series_and_closed_forms_agree_with_the_general_integrator_from_every_state() {
    let (mut judged, mut by_series) = (0, 0);
    for (contact, x) in scatter() {
        // Above this the bristle itself is unstable and multiplies what either method leaves.
        assert!(contact.F_N < law().stable_up_to);
        for t in [1e-6, 3e-5, 1e-3, 1e-1] {
            let course = Course::held(contact);
            let (mut fast, mut slow) = (x, x);
            let advance = law().advance(&course, &mut fast, &mut (), t, 1e-6, &mut Radau::default()).unwrap();
            let general = law::advance(&law(), &course, &mut slow, &mut (), t, 1e-9, &mut Radau::default()).unwrap();
            let force = |x| law().evaluate(contact, x, &()).F_R;
            let static_force = 0.6 * contact.F_N;
            let error = (force(&fast) - force(&slow)).abs() / static_force;
            assert!(error < 1e-6, "{contact:?} {x:?} after {t}: {error:e}");
            let loss = (advance.loss - general.loss).abs() / (static_force * contact.v.abs() * t);
            assert!(loss < 1e-5, "{contact:?} {x:?} after {t}: the loss differs by {loss:e}");
            judged += 1;
            let mut way = Way::default();
            let drive = Drive::held(contact.v * law().inverse_v_s);
            law().by_zones(&course, drive, &mut { x }, t, Precision::stable(1e-6, false), &mut way);
            by_series += u32::from(way.t == t);
        }
    }
    // The scatter reaches every zone; nearly all of it is done without the general integrator.
    assert!(by_series > judged * 99 / 100, "{by_series} of {judged}");
}

#[test]
fn series_follow_moving_inputs_as_the_general_integrator_does() {
    let (mut judged, mut by_series) = (0, 0);
    // Each state meets the slopes of the contact 7 places on: as far as that one is in 10 ms, straight or bent.
    let contacts: Vec<_> = scatter().collect();
    for (i, (start, x)) in contacts.iter().enumerate() {
        let toward = contacts[(i + 7) % contacts.len()].0;
        let rate =
            Contact::new((toward.F_N - start.F_N) * if i % 2 == 0 { 100.0 } else { 0.0 }, (toward.v - start.v) * 100.0);
        let bend = Contact::new(0.0, -150.0 * rate.v);
        let slopes = [rate, if i % 3 == 0 { bend } else { Contact::ZERO }, Contact::ZERO];
        let course = Course { start: *start, slopes: Some(&slopes), delay: None };
        for t in [3e-5, 1e-3, 9e-3] {
            let (mut fast, mut slow) = (*x, *x);
            let advance = law().advance(&course, &mut fast, &mut (), t, 1e-6, &mut Radau::default()).unwrap();
            let general = law::advance(&law(), &course, &mut slow, &mut (), t, 1e-10, &mut Radau::default()).unwrap();
            let end = course.at(t);
            let force = |x: &[f64; 2]| law().evaluate(end, x, &()).F_R;
            let error = (force(&fast) - force(&slow)).abs() / (0.6 * end.F_N);
            assert!(error < 1e-6, "{start:?} {slopes:?} {x:?} after {t}: {error:e}");
            let power = 0.6 * start.F_N.max(end.F_N) * (start.v.abs() + (rate.v * t).abs());
            let loss = (advance.loss - general.loss).abs() / (power * t);
            assert!(loss < 1e-5, "{start:?} {slopes:?} {x:?} after {t}: the loss differs by {loss:e}");
            judged += 1;
            by_series += u32::from(advance.inner_steps < general.inner_steps);
        }
    }
    assert!(by_series > judged * 9 / 10, "{by_series} of {judged}");
}

#[test]
fn a_velocity_that_swings_for_long_does_not_make_stick_creep() {
    // Nothing in stick forgets an error of F_0: it must not add up. 5 s of steps of 0.1 ms, held and by ramps.
    const H: f64 = 1e-4;
    let v = |i: u32| {
        let phase = 300.0 * H * f64::from(i);
        1e-4 * (libm::cos(phase) + 0.3 * libm::sin(2.0 * phase))
    };
    for ramps in [false, true] {
        let (mut x, mut exact, mut worst) = ([0.0; 2], [0.0; 2], 0.0_f64);
        for i in 0..50_000 {
            let start = Contact::new(G, v(i));
            let slopes = [Contact::new(0.0, (v(i + 1) - v(i)) / H), Contact::ZERO, Contact::ZERO];
            let course = Course { start, slopes: ramps.then_some(&slopes), delay: None };
            law().advance(&course, &mut x, &mut (), H, 1e-6, &mut Radau::default()).unwrap();
            law().advance(&course, &mut exact, &mut (), H, 1e-10, &mut Radau::default()).unwrap();
            let [here, there] = [&x, &exact].map(|x| law().evaluate(course.at(H), x, &()));
            assert!(here.sticking);
            worst = worst.max((here.F_R - there.F_R).abs() / F_S);
        }
        assert!(worst < 1e-7, "ramps {ramps}: {worst:e}");
    }
}

/// A bristle with σ_0, σ_1, μ_s, v_s, μ_d, v_d.
fn bristle([sigma_0, sigma_1, mu_s, v_s, mu_d, v_d]: [f64; 6]) -> FrDyn2 {
    with(&[(SIGMA_0, sigma_0), (SIGMA_1, sigma_1), (MU_S, mu_s), (MU_D, mu_d), (V_S, v_s), (V_D, v_d)]).unwrap()
}

/// The same with σ_0, σ_1, μ_s, v_s, v_d and no Stribeck effect.
fn flat([sigma_0, sigma_1, mu_s, v_s, v_d]: [f64; 5]) -> FrDyn2 {
    bristle([sigma_0, sigma_1, mu_s, v_s, mu_s, v_d])
}

/// Follows a contact that changes at a constant rate, at the default tolerance, from `x`: F_R after `t` s must be `expected`, N.
fn assert_follows(law: &FrDyn2, start: Contact, rate: Contact, mut x: [f64; 2], t: f64, expected: f64) {
    let slopes = [rate, Contact::ZERO, Contact::ZERO];
    let course = Course { start, slopes: Some(&slopes), delay: None };
    law.advance(&course, &mut x, &mut (), t, 1e-6, &mut Radau::default()).unwrap();
    let end = course.at(t);
    let force = law.evaluate(end, &x, &()).F_R;
    assert!((force - expected).abs() < 1e-6 * law.mu_s * end.F_N, "{force} for {expected}");
}

#[test]
fn series_keep_their_tolerance_where_terms_swing_and_where_the_bristle_answers_to_small_velocities() {
    // The last term of a step is next to nothing by chance; σ_1 v_s/4 is 300 times F_s, so that ż moves F_0 by far more
    // than it moves F_R at once. Both were found by random steps.
    let swinging = flat([1757188.5451227808, 11727.822613606353, 0.7878554504782013, 0.03509996047444912, 2.1665]);
    let answering = flat([2480374.469394669, 24322.944584878944, 0.07361750466574418, 0.00015083885719276347, 2.2e-4]);
    let (hard, soft) = (Contact::new(5446.77682790291, 0.0), Contact::new(0.01445643604245078, 0.0));
    for (law, contact, x, t) in [
        (swinging, hard, [-0.00030496474406186005, -0.2478696184643263], 0.000854849310749655),
        (answering, soft, [4.7074016478164804e-11, -7.24693682137629e-9], 0.01575455848582087),
    ] {
        let course = Course::held(contact);
        let (mut fast, mut slow) = (x, x);
        law.advance(&course, &mut fast, &mut (), t, 1e-6, &mut Radau::default()).unwrap();
        law::advance(&law, &course, &mut slow, &mut (), t, 1e-10, &mut Radau::default()).unwrap();
        let [fast, slow] = [fast, slow].map(|x| law.evaluate(contact, &x, &()).F_R / (law.mu_s * contact.F_N));
        assert!((fast - slow).abs() < 1e-6, "{fast} for {slow}");
    }
}

#[test]
fn a_bristle_that_leaves_its_limit_within_a_long_step_is_followed() {
    // F_N falls and z follows it at |F_0| = F_s, without effort and in long inner steps, until v overtakes ż: from there
    // on the contact sticks. [N, by CVODE at 1e-12]
    let law = flat([3069902378.0486255, 89.92103799053773, 0.18262483357215367, 0.009563318548926471, 0.0204]);
    let start = Contact::new(1934.9664527245163, -7.002843022494499e-6);
    let rate = Contact::new(-4557.263486298073, 5.683174521644945e-5);
    let x = [-1.1510884806087412e-7, 2.365536603582802e-23];
    assert_follows(&law, start, rate, x, 0.1911914560898835, 154.18911672278404);
}

#[test]
fn in_stick_the_deflection_is_the_displacement() {
    // ż = v is an exact solution for constant v: a body creeping through pre-sliding carries the bristle with it.
    let v = 1e-5;
    let mut x = [0.0, v];
    let course = Course::held(Contact::new(G, v));
    law().advance(&course, &mut x, &mut (), 0.1, 1e-9, &mut Radau::default()).unwrap();
    assert!((x[0] - 1e-6).abs() < 1e-18 && (x[1] - v).abs() < 1e-14, "{x:?}");
}

#[test]
fn partial_derivatives_agree_with_differences() {
    let law = law();
    for (contact, x) in scatter() {
        let near = law.operating(contact, &x).unwrap();
        // Across a kink no derivative exists.
        if near.root < 0.05 || [0.0, 1e-3, 1e-2].iter().any(|kink| (near.w.abs() - kink).abs() < 2e-6) {
            continue;
        }
        let linear = law.linearise(contact, &x, &());
        let difference = |d_contact: Contact, dx: [f64; 2]| {
            let at = |s: f64| {
                let contact = Contact::new(contact.F_N + s * d_contact.F_N, contact.v + s * d_contact.v);
                law.evaluate(contact, &[x[0] + s * dx[0], x[1] + s * dx[1]], &())
            };
            let (after, before) = (at(1.0), at(-1.0));
            [after.F_R - before.F_R, after.rate[0] - before.rate[0], after.rate[1] - before.rate[1]].map(|d| 0.5 * d)
        };
        let still = Contact::new(0.0, 0.0);
        let agree = |given: [f64; 3], step: f64, measured: [f64; 3], what: &str| {
            // F_R to 1e-5 of F_s over the step; the rates follow it by 1/m_b.
            for (i, scale) in [F_S, 1.0, F_S * law.inverse_mass].into_iter().enumerate() {
                assert!(
                    (given[i] * step - measured[i]).abs() < 2e-5 * scale,
                    "{what}, {contact:?}, {x:?}: {} for {}",
                    given[i] * step,
                    measured[i]
                );
            }
        };
        let (dz, dv, d_force) = (1e-9, 1e-6, 1e-3);
        let [rate_z, rate_z_dot] = [0, 1].map(|j| [linear.F_R_x[j], linear.rate_x[0][j], linear.rate_x[1][j]]);
        agree(rate_z, dz, difference(still, [dz, 0.0]), "z");
        agree(rate_z_dot, dv, difference(still, [0.0, dv]), "ż");
        let by_v = [linear.F_R_v, linear.rate_v[0], linear.rate_v[1]];
        agree(by_v, dv, difference(Contact { v: dv, ..still }, [0.0; 2]), "v");
        let by_force = [linear.F_R_F_N, linear.rate_F_N[0], linear.rate_F_N[1]];
        agree(by_force, d_force, difference(Contact { F_N: d_force, ..still }, [0.0; 2]), "F_N");
    }
}

#[test]
fn partial_derivatives_are_finite_where_none_exists() {
    // |F_0| = F_s exactly, |w| = v_s, |w| = v_d, w = 0.
    for (v, z) in [(0.0, F_S / 5e6), (1e-3, 0.0), (1e-2, 0.0), (0.0, 0.0)] {
        let linear = law().linearise(Contact::new(G, v), &[z, 0.0], &());
        assert!(linear.rate_x.as_flattened().iter().chain(&linear.rate_v).all(|d| d.is_finite()), "{linear:?}");
    }
}

#[test]
fn contradicting_parameters_are_refused_with_what_to_do() {
    let sentence = |changes: &[(Variable, f64)]| with(changes).unwrap_err().0;
    assert!(sentence(&[(MU_D, 0.7)]).contains("lower mu_d or raise mu_s"));
    assert!(sentence(&[(V_D, 1e-3)]).contains("raise v_d or lower v_s"));
    assert!(sentence(&[(SIGMA_1, 1e-200)]).contains("choose sigma_1"));
    assert!(with(&[(MU_D, 0.6)]).is_ok(), "no Stribeck effect is no contradiction");
}

#[test]
fn the_user_is_warned_exactly_where_the_bristle_becomes_unstable() {
    // 1.5 (μ_s − μ_d) F_N/(v_d − v_s) = σ_1 at 63.855 N.
    assert!(law().caution(Contact::new(63.85, 0.0)).is_none());
    assert!(law().caution(Contact::new(63.86, 0.0)).unwrap().contains("63.8550"));
    assert!(with(&[(MU_D, 0.6)]).unwrap().caution(Contact::new(1e9, 0.0)).is_none());
}

#[test]
fn the_force_oscillates_at_constant_velocity_where_the_warning_says_so() {
    // F_R swings between 0.33 and 0.57 F_N at 70 N; below the limit a constant velocity gives a constant force.
    let range = |normal_force: f64| {
        let mut element = Element::<FrDyn2, 2>::new();
        element.set(&F_N, normal_force);
        element.set(&V, 4.5e-3);
        let forces: Vec<f64> = (0..4000)
            .map(|_| {
                element.advance(1e-5).unwrap();
                element.values()[&F_R] / normal_force
            })
            .collect();
        let late = &forces[2000..];
        (late.iter().copied().fold(f64::MAX, f64::min), late.iter().copied().fold(f64::MIN, f64::max))
    };
    let (low, high) = range(70.0);
    assert!((low - 0.33).abs() < 0.01 && (high - 0.57).abs() < 0.01, "{low} … {high}");
    let (low, high) = range(50.0);
    assert!(high - low < 1e-6, "{low} … {high}");
}

#[test]
fn rest_stays_at_rest_and_a_loaded_stick_keeps_every_bit() {
    let mut element = Element::<FrDyn2, 2>::new();
    element.set(&F_N, G);
    for _ in 0..1000 {
        element.advance(1e-3).unwrap();
    }
    assert_eq!((element.values()[&F_R], element.values()[&Z]), (0.0, 0.0));

    element.set(&Z, 1e-6);
    element.advance(1.0).unwrap();
    let loaded = *element.values();
    assert!((loaded[&F_R] - 5.0).abs() < 1e-12 && loaded[&STICKING] == 1.0);
    for _ in 0..1000 {
        element.advance(1e-3).unwrap();
    }
    assert_eq!((loaded[&F_R], loaded[&Z]), (element.values()[&F_R], element.values()[&Z]));
}

#[test]
fn a_closed_cycle_of_motion_only_takes_energy() {
    for amplitude in [1e-6, 1e-4, 1e-2] {
        let mut element = Element::<FrDyn2, 2>::new();
        element.set_tolerance(MIN_TOLERANCE);
        element.set(&F_N, G);
        let (n, period) = (2000, 0.1);
        let h = period / f64::from(n);
        let mut per_cycle = Vec::new();
        for cycle in 0..3 {
            let before = element.values()[&E_LOSS];
            for i in 0..n {
                let phase = core::f64::consts::TAU * (f64::from(i) + 0.5) / f64::from(n);
                element.set(&V, amplitude * core::f64::consts::TAU / period * libm::cos(phase));
                element.advance(h).unwrap();
            }
            per_cycle.push(element.values()[&E_LOSS] - before);
            assert!(per_cycle[cycle] > 0.0, "amplitude {amplitude}: {per_cycle:?}");
        }
        assert!((per_cycle[2] - per_cycle[1]).abs() < 1e-3 * per_cycle[1], "a steady loop: {per_cycle:?}");
    }
}

#[test]
fn a_normal_force_that_ramps_through_zero_within_a_step_is_followed() {
    // Loaded stick, F_N from 9.81 N to −9.81 N within one step: the force dies with F_N, and z stays continuous.
    let run = |pieces: i32| {
        let mut element = Element::<FrDyn2, 2>::new();
        element.set(&Z, 1e-6);
        let h = 2e-3 / f64::from(pieces);
        for i in 0..pieces {
            element.set(&F_N, G - 2.0 * G * f64::from(i) / f64::from(pieces));
            element.set_slope(&F_N, 1, -2.0 * G / 2e-3);
            element.advance(h).unwrap();
        }
        (element.values()[&F_R], element.values()[&Z])
    };
    let (force, z) = run(1);
    let (_, z_fine) = run(1000);
    assert_eq!(force, 0.0);
    assert!(z > 0.0 && (z - z_fine).abs() < 1e-6 * 1e-6, "{z} for {z_fine}");
}

#[test]
fn an_unstable_bristle_at_its_unstable_rest_is_in_doubt_and_says_so() {
    // On the falling branch at constant v the bristle can rest; above F_N = 63.86 N like a pencil on its tip: what becomes of
    // it within a few milliseconds is decided by rounding.
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
        let done = law().advance(&Course::held(contact), &mut x, &mut (), 0.01, 1e-6, &mut solver).unwrap();
        assert_eq!(done.doubt > 0.0, in_doubt, "F_N = {normal_force} N: {done:?}, {x:?} from {low}");
    }
    // Once it swings, it forgets where it came from but for the phase of its swing.
    let course = Course::held(Contact::new(1e3, 2e-3));
    let (mut x, mut solver) = ([0.0; 2], Radau::default());
    for _ in 0..20 {
        let done = law().advance(&course, &mut x, &mut (), 0.01, 1e-6, &mut solver).unwrap();
        assert_eq!(done.doubt, 0.0);
    }
}

#[test]
fn a_sweep_through_rest_within_a_step_leaves_its_mark() {
    // v passes from sliding to sliding faster than the bristle can follow; before and after it the law looks the same. [N, by
    // DOP853 at 1e-13 with steps that leap over nothing]
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
fn what_grows_is_not_damped_by_long_steps() {
    // A slow ramp of v over a steep falling branch: from next to nothing the bristle swings itself up by e³⁰. [N, by CVODE at
    // 1e-12]
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
fn a_narrow_falling_branch_is_not_leapt_over() {
    // v crosses the branch in 7 μs, a fifth of what the bristle needs to answer, and goes on for 100 μs. [N, by DOP853 at 1e-13]
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
