//! Tests of the reference laws: closed forms, and changes of mode within a step.

use bristle_reference_laws::segments::segments;
use bristle_reference_laws::workloads::WEIGHT;
use bristle_reference_laws::{
    AdamsStickSlip, Armstrong, BrownMcPhee, Contact, Coulomb, Dahl, InputPolynomials,
    InputTrajectory, LawParameters, LuGre, ModelicaFriction, NonReversible, PoppStelter,
    ReferenceLaw, SimpackStickSlip, StaticRegularized, Stefanski2003, Stefanski2006, Stribeck,
};
use bristle_tests::tolerances::{CLOSED_LOOP, JUDGE, ROUNDING};
use core::f64::consts::{PI, TAU};

fn contact(v: f64) -> Contact {
    Contact::new(WEIGHT, v)
}

#[track_caller]
fn assert_close(found: f64, expected: f64, tolerance: f64) {
    assert!(
        (found - expected).abs() <= tolerance * expected.abs(),
        "{found:e} for {expected:e}"
    );
}

#[test]
fn static_laws_pass_through_the_papers_points() {
    let at = |law: &dyn Fn() -> Box<dyn ReferenceLaw>, v, a| {
        law().step(Contact { a, ..contact(v) }, 1.0) / WEIGHT
    };
    for sign in [1.0, -1.0] {
        let check = |law: &dyn Fn() -> Box<dyn ReferenceLaw>, v: f64, a: f64, expected: f64| {
            assert_close(at(law, sign * v, sign * a), sign * expected, ROUNDING);
        };
        let regularized = || StaticRegularized::paper().at_rest();
        // [RS] Fig. 1b and Sec. 3: 99 % of F_s at 0.9 v_s.
        for (v, mu) in [
            (0.9e-3, 0.594),
            (1e-3, 0.6),
            (5.5e-3, 0.45),
            (1e-2, 0.3),
            (1.0, 0.3),
        ] {
            check(&regularized, v, 0.0, mu);
        }
        let stribeck = || {
            Stribeck {
                mu_s: 0.15,
                sigma_2: 0.2 * WEIGHT,
                ..Stribeck::paper()
            }
            .at_rest()
        };
        check(&stribeck, 0.5, 0.0, 0.1 + 0.05 * libm::exp(-1.0) + 0.1);
        let brown_mcphee = || {
            BrownMcPhee {
                mu_s: 0.15,
                ..BrownMcPhee::paper()
            }
            .at_rest()
        };
        check(&brown_mcphee, 0.5, 0.0, 0.1 * libm::tanh(4.0) + 0.05);
        let popp_stelter = || {
            PoppStelter {
                eta_1: 1.5,
                ..PoppStelter::paper()
            }
            .at_rest()
        };
        check(&popp_stelter, 2.0, 0.0, 0.05 / 4.0 + 0.25 + 0.04);
        let non_reversible = || NonReversible::paper().at_rest();
        check(&non_reversible, 0.1, 1.0, 0.25 + 0.05 * libm::exp(-1.0));
        check(&non_reversible, 0.1, 0.0, 0.25 + 0.05 * libm::exp(-1.0));
        check(&non_reversible, 0.1, -1.0, 0.25 - 0.25 * libm::exp(-1.0));
        let stefanski2003 = || {
            Stefanski2003 {
                a_2: 1.0,
                ..Stefanski2003::paper()
            }
            .at_rest()
        };
        check(&stefanski2003, 0.1, 2.0, 0.25 + 0.05 * libm::exp(-1.0));
        check(&stefanski2003, 0.1, -2.0, 0.25 - 0.05 * libm::exp(-1.0));
        check(&stefanski2003, 0.1, 0.0, 0.25);
        let stefanski2006 = || Stefanski2006::paper().at_rest();
        // (16) far from reversals, with |v − τ a| + δ = 0.1 and 0.3 m/s.
        check(&stefanski2006, 0.1, 1.99, 0.25 + 0.05 * libm::exp(-30.0));
        check(&stefanski2006, 0.1, -1.99, 0.25 - 0.05 * libm::exp(-10.0));
        check(&stefanski2006, 0.1, 0.0, 0.25);
        // (15): the compliant contact begins at −(2 mu_d − mu_s).
        check(
            &stefanski2006,
            1e-4,
            10.0,
            0.5 * 1e6 / WEIGHT * 1e-8 / 10.001 - 0.2,
        );
    }
}

#[test]
fn dahl_is_rate_independent() {
    // Half a period of a sine, integrated, and the same distance at a constant velocity, by the
    // closed form; from a deflection in the other direction.
    for alpha in [0.5, 1.0, 1.5, 2.0] {
        let [mut moving, mut held] = [(); 2].map(|()| {
            Dahl {
                alpha,
                ..Dahl::paper()
            }
            .at_rest()
        });
        let (h, v) = (0.1, 0.02);
        for direction in [-1.0, 1.0] {
            let course = |t: f64| contact(direction * v * libm::sin(PI * t / h));
            let force = moving.advance(&InputTrajectory::Moving(&course), h);
            let expected = held.step(contact(direction * v * 2.0 / PI), h);
            println!("exponent {alpha}: {:.1e}", (force / expected - 1.0).abs());
            assert_close(force, expected, JUDGE);
        }
    }
}

#[test]
fn dahl_with_alpha_below_1_reaches_its_limit_in_finite_displacement() {
    // b = (1 − σ_0 s/(2 F_C))² for the exponent 0.5.
    let law = Dahl {
        alpha: 0.5,
        ..Dahl::paper()
    };
    let limit = 0.1 * WEIGHT;
    let way = limit / 400.0;
    assert_close(
        law.at_rest().step(contact(way), 1.0),
        0.75 * limit,
        ROUNDING,
    );
    assert_close(law.at_rest().step(contact(way), 2.0), limit, ROUNDING);
    assert_close(law.at_rest().step(contact(way), 9.0), limit, ROUNDING);
}

#[test]
fn dahl_loop_closes_after_one_period() {
    for alpha in [0.5, 1.0, 1.5, 2.0] {
        let mut reference = Dahl {
            alpha,
            ..Dahl::paper()
        }
        .at_rest();
        let period = |t: f64| contact(0.02 * libm::sin(TAU * 5.0 * t));
        let ends = [(); 40].map(|()| reference.advance(&InputTrajectory::Moving(&period), 0.2));
        println!(
            "exponent {alpha}: {:.1e}",
            (ends[39] / ends[38] - 1.0).abs()
        );
        assert_close(ends[39], ends[38], CLOSED_LOOP);
        assert!(ends[39].abs() > 0.1);
    }
}

#[test]
fn lugre_closed_form_solves_its_equation() {
    for v in [1e-4, -3e-3, 0.05] {
        let law = LuGre {
            mu_s: 0.15,
            sigma_0: 1e5,
            sigma_2: 0.3,
            delta_sigma: 1.0,
            ..LuGre::paper()
        };
        let force = law
            .at_rest()
            .advance(&InputTrajectory::Moving(&|_| contact(v)), 1e-2);
        let expected = law.at_rest().step(contact(v), 1e-2);
        println!("v = {v:e} m/s: {:.1e}", (force / expected - 1.0).abs());
        assert_close(force, expected, JUDGE);
    }
}

#[test]
fn lugre_converges_to_its_steady_curve() {
    let law = LuGre {
        mu_s: 0.15,
        sigma_2: 0.3,
        ..LuGre::paper()
    };
    let force = law.at_rest().step(contact(0.5), 1.0);
    assert_close(
        force,
        WEIGHT * (0.1 + 0.05 * libm::exp(-1.0)) + 0.15,
        ROUNDING,
    );
}

#[test]
fn simpack_bristle_breaks_away_at_f_s_and_sticks_at_velocity_reversal() {
    let law = SimpackStickSlip::paper();
    // sigma_0 v t = F_s.
    let break_away = 0.6 * WEIGHT / (5e6 * 1e-3);
    let mut reference = law.at_rest();
    assert_close(
        reference.step(contact(1e-3), 0.999 * break_away),
        0.999 * 0.6 * WEIGHT + 3.19275,
        JUDGE,
    );
    assert_close(
        reference.step(contact(1e-3), 0.002 * break_away),
        0.3 * WEIGHT,
        ROUNDING,
    );
    // v = 0.01 − t changes its sign at 0.01 s: a new bristle follows from there.
    let course = |t: f64| contact(0.01 - t);
    let z = -0.5 * 1e-3 * 1e-3;
    assert_close(
        reference.advance(&InputTrajectory::Moving(&course), 0.011),
        5e6 * z - 3192.75 * 1e-3,
        1e-9,
    );
}

#[test]
fn armstrong_break_away_force_grows_with_dwell_time() {
    for t in [1e-3, 1.0, 3600.0] {
        let mut reference = Armstrong::paper().at_rest();
        reference.step(contact(0.0), t);
        let level = (0.25 + 0.02 + 0.03 * t / (t + 1.0)) * WEIGHT;
        // So fast that the dwell time is negligible.
        let v = 1.0;
        let way = level / 1e6;
        assert_close(
            reference.step(contact(v), 0.999 * way / v),
            0.999 * level,
            1e-9,
        );
        assert_eq!(reference.mode(), Some(0));
        reference.step(contact(v), 0.002 * way / v);
        assert_eq!(reference.mode(), Some(1));
    }
}

#[test]
fn armstrong_force_lags_by_tau() {
    let law = Armstrong {
        sigma_2: 2.0,
        ..Armstrong::paper()
    };
    let mut reference = law.at_rest();
    // v = 0.01 + t by straight segments; t_d is the time to break-away.
    let mut force = 0.0;
    for n in 0..100 {
        let start = f64::from(n) * 1e-3;
        force = reference.advance(
            &InputTrajectory::Moving(&|t| contact(0.01 + start + t)),
            1e-3,
        );
    }
    let [v, delayed] = [0.11, 0.105];
    let mut least = law.at_rest();
    least.step(contact(0.01), 1e-3);
    let dwelt = 0.02 + 0.03 * 0.265e-3;
    assert_close(
        force,
        WEIGHT * (0.25 + dwelt / (1.0 + (delayed / 0.01) * (delayed / 0.01))) + 2.0 * v,
        1e-7,
    );
}

#[test]
fn adams_creeps_to_its_limit_with_f_s() {
    let mut reference = AdamsStickSlip::paper().at_rest();
    let q = |s: f64| s * (15.0 - 10.0 * s * s + 3.0 * s * s * s * s) / 8.0;
    // Half of the deformation, at a hundredth of the velocity that ends stick.
    let b = q(0.01);
    assert_close(
        reference.step(contact(1e-5), 0.05),
        0.6 * WEIGHT * ((1.0 - b) * q(0.5) + b),
        JUDGE,
    );
    reference.step(contact(1e-5), 10.0);
    assert_close(reference.step(contact(0.0), 1.0), 0.6 * WEIGHT, ROUNDING);
    // It leaves the limit at once.
    assert_close(
        reference.step(contact(-1e-5), 0.05),
        0.6 * WEIGHT * ((1.0 - b) * q(0.5) - b),
        JUDGE,
    );
    for (v, mu) in [(1e-3, 0.6), (5.5e-3, 0.45), (1e-2, 0.3)] {
        assert_close(
            AdamsStickSlip::paper().at_rest().step(contact(v), 1.0),
            mu * WEIGHT,
            ROUNDING,
        );
    }
}

#[test]
#[allow(non_snake_case)] // the source's symbols
fn state_machine_passes_from_stuck_to_sliding() {
    let law = ModelicaFriction {
        mu_1: 10.0,
        peak: 1.2,
        ..ModelicaFriction::paper()
    };
    let f_0 = 0.5 * WEIGHT;
    let mut reference = law.at_rest();
    // v, F_t and the expected F_R and mode.
    for (v, F_t, force, mode) in [
        (0.0, 1.0, 1.0, 0),
        (1e-4, 1.1 * f_0, 1.1 * f_0, 0),
        (-1e-4, 1.3 * f_0, f_0, 0), // broken away forward, v still backward
        (-1e-4, 1.1 * f_0, f_0, 0), // unchanged: above f_0
        (-1e-4, 0.9 * f_0, 0.9 * f_0, 0), // too little force meanwhile
        (-1e-4, 1.3 * f_0, f_0, 0), // again
        (1e-4, 0.0, f_0 * 1.002, 1), // slides forward
        (0.02, 0.0, f_0 * 1.4, 1),  // faster
        (0.0, -3.0, -3.0, 0),       // stuck
        (-0.02, 9.0, -f_0 * 1.4, -1), // pulled along, whatever the force
        (1e-4, 9.0, f_0 * 1.002, 1), // stuck, broken away and slid at once
        (-1e-3, -1.3 * f_0, -f_0 * 1.02, -1),
    ] {
        let at = Contact { F_t, ..contact(v) };
        assert_close(reference.step(at, 1e-3), force, ROUNDING);
        assert_eq!(reference.mode(), Some(mode), "{at:?}");
    }
    assert_eq!(reference.step(Contact::new(0.0, 1e-4), 1e-3), 0.0);
    // Closed again, it goes on as it moves.
    assert_close(reference.step(contact(1e-4), 1e-3), f_0 * 1.002, ROUNDING);
}

#[test]
fn coefficient_table_is_piecewise_linear_and_constant_beyond() {
    let law = ModelicaFriction {
        v_1: 0.1,
        mu_v1: 0.3,
        v_2: 0.2,
        mu_v2: 0.2,
        mu_v3: 9.0,
        ..ModelicaFriction::paper()
    };
    for (v, mu) in [
        (0.05, 0.4),
        (0.1, 0.3),
        (0.15, 0.25),
        (0.2, 0.2),
        (0.3, 0.2),
        (5.0, 0.2),
    ] {
        assert_close(law.at_rest().step(contact(v), 1.0), mu * WEIGHT, ROUNDING);
    }
}

#[test]
#[allow(non_snake_case)] // the paper's symbols
fn coulomb_balances_the_applied_force_up_to_its_limit() {
    let mut reference = Coulomb::paper().at_rest();
    let limit = 0.1 * WEIGHT;
    for (v, F_t, force) in [
        (0.0, 0.9, 0.9),
        (0.0, -0.9, -0.9),
        (0.0, 1.0, limit),
        (2.0, -9.0, limit),
        (-2.0, 0.0, -limit),
    ] {
        assert_close(
            reference.step(Contact { F_t, ..contact(v) }, 1.0),
            force,
            ROUNDING,
        );
    }
}

#[test]
fn every_reversal_within_a_step_is_found() {
    // Roots of v at 1, 2 and 7 ms; the contact opens at 1e-8 N, 1e-11 s before 5 ms.
    let [a, b, c] = [1e-3, 2e-3, 7e-3];
    let v = [-a * b * c, a * b + b * c + c * a, -2.0 * (a + b + c), 6.0];
    let course = InputPolynomials {
        F_N: [5.0, -1000.0, 0.0, 0.0],
        v,
        ..InputPolynomials::default()
    };
    let found = segments(&InputTrajectory::Moving(&|t| course.at(t)), 1e-2);
    let cuts: Vec<f64> = found
        .iter()
        .map(|[start, _]| *start)
        .filter(|t| *t > 0.0)
        .collect();
    for expected in [a, b, 5e-3 - 1e-11, c] {
        assert!(
            cuts.iter().any(|t| (t - expected).abs() < 1e-12),
            "{cuts:?} lacks {expected}"
        );
    }
}

#[test]
fn open_contact_has_no_force() {
    let open = Contact {
        F_N: 0.0,
        v: 0.3,
        a: 1.0,
        F_t: 5.0,
    };
    for mut reference in [
        StaticRegularized::paper().at_rest(),
        Coulomb::paper().at_rest(),
        Stribeck {
            sigma_2: 1.0,
            ..Stribeck::paper()
        }
        .at_rest(),
        BrownMcPhee {
            sigma_2: 1.0,
            ..BrownMcPhee::paper()
        }
        .at_rest(),
        PoppStelter::paper().at_rest(),
        NonReversible::paper().at_rest(),
        Armstrong {
            sigma_2: 1.0,
            ..Armstrong::paper()
        }
        .at_rest(),
        Dahl::paper().at_rest(),
        LuGre {
            sigma_2: 1.0,
            ..LuGre::paper()
        }
        .at_rest(),
        Stefanski2003::paper().at_rest(),
        Stefanski2006::paper().at_rest(),
        ModelicaFriction::paper().at_rest(),
        SimpackStickSlip::paper().at_rest(),
        AdamsStickSlip::paper().at_rest(),
    ] {
        reference.step(
            Contact {
                F_N: WEIGHT,
                ..open
            },
            1e-3,
        );
        assert_eq!(reference.step(open, 1e-3), 0.0);
    }
}
