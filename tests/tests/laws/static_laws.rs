//! Laws without states: their curves and properties.

use crate::laws::compared;
use crate::laws::rig::{push, step_load};
use bristle_importer::co_simulation::Master;
use bristle_importer::fmu::Fmu;
use bristle_random::Random;
use bristle_reference_laws::{
    BrownMcPhee, Contact, LawParameters, NonReversible, PoppStelter, StaticRegularized,
    Stefanski2003, Stefanski2006, Stribeck,
};

compared!(static_regularized: StaticRegularized::default(), StaticRegularized { v_s: 1e-5, v_d: 1e-4, ..StaticRegularized::paper() });
compared!(stribeck:
    Stribeck::default(), Stribeck::paper(),
    Stribeck { mu_s: 0.15, delta_sigma: 1.0, sigma_2: 0.3, ..Stribeck::paper() },
    Stribeck { mu_s: 0.6, mu_d: 0.3, v_Stribeck: 5e-3, delta_sigma: 0.5, ..Stribeck::paper() },
);
compared!(brown_mcphee:
    BrownMcPhee::default(), BrownMcPhee::paper(),
    BrownMcPhee { mu_s: 0.6, mu_d: 0.3, v_Stribeck: 5e-3, sigma_2: 0.3 },
);
compared!(popp_stelter: PoppStelter::default(), PoppStelter::paper(), PoppStelter { eta_1: 100.0, eta_2: 2.0, ..PoppStelter::paper() });
compared!(non_reversible: NonReversible::default(), NonReversible::paper(), NonReversible { a_u: 200.0, b_l: 50.0, ..NonReversible::paper() });
compared!(stefanski2003: Stefanski2003::default(), Stefanski2003::paper(), Stefanski2003 { a_1: 3.0, a_2: 1.0, ..Stefanski2003::paper() });
compared!(stefanski2006: Stefanski2006::default(), Stefanski2006::paper(), Stefanski2006 { sigma_0: 1e4, d: 3.0, tau: 0.01, ..Stefanski2006::paper() });

/// F_R at any contact.
fn forces<L: LawParameters>(law: &L, mut see: impl FnMut(Contact, f64, &mut Master)) {
    let fmu = Fmu::packaged(L::ELEMENT);
    let mut element = Master::with_law(&fmu, law);
    let mut random = Random::new(4);
    for n in 0..10_000 {
        let contact = crate::laws::motions::contact(&mut random);
        let force = element.step(contact, f64::from(n), 1.0);
        see(contact, force, &mut element);
    }
}

#[test]
fn static_laws_are_dissipative() {
    fn check<L: LawParameters>(law: &L) {
        forces(law, |contact, force, element| {
            assert!(force * contact.v >= 0.0, "{force} N at {contact:?}");
            assert_eq!(element.instance.get("P_loss"), force * contact.v);
        });
    }
    check(&StaticRegularized::paper());
    check(&Stribeck {
        mu_s: 0.15,
        sigma_2: 0.3,
        ..Stribeck::paper()
    });
    check(&BrownMcPhee {
        mu_s: 0.15,
        sigma_2: 0.3,
        ..BrownMcPhee::paper()
    });
    check(&PoppStelter::paper());
    check(&NonReversible::paper());
    check(&Stefanski2003::paper());
}

#[test]
fn force_without_viscous_part_is_bounded_by_static_friction() {
    fn check<L: LawParameters>(law: &L, mu: f64) {
        forces(law, |contact, force, _| {
            assert!(
                force.abs() <= mu * contact.F_N.max(0.0),
                "{force} N at {contact:?}"
            );
        });
    }
    check(&StaticRegularized::paper(), 0.6);
    check(
        &Stribeck {
            mu_s: 0.15,
            ..Stribeck::paper()
        },
        0.15,
    );
    check(&NonReversible::paper(), 0.3);
    check(&Stefanski2003::paper(), 0.3);
    check(
        &PoppStelter {
            eta_2: 0.0,
            ..PoppStelter::paper()
        },
        0.3,
    );
    check(&Stefanski2006::paper(), 0.3);
}

#[test]
fn force_is_larger_in_acceleration_than_in_deceleration() {
    fn check<L: LawParameters>(law: &L, speed: f64) {
        let fmu = Fmu::packaged(L::ELEMENT);
        let mut element = Master::with_law(&fmu, law);
        for (n, v) in [speed, -speed].into_iter().enumerate() {
            let mut at = |a: f64, t: f64| {
                element.step(
                    Contact {
                        F_N: 25.0,
                        v,
                        a,
                        F_t: 0.0,
                    },
                    t,
                    1.0,
                )
            };
            let t = 2.0 * n as f64;
            let [rising, falling] = [at(v.signum(), t), at(-v.signum(), t + 1.0)];
            assert!(
                rising.abs() > falling.abs() + 0.1,
                "{rising} N and {falling} N"
            );
        }
    }
    check(&NonReversible::paper(), 0.05);
    check(&Stefanski2003::paper(), 0.02);
    check(&Stefanski2006::paper(), 0.01);
}

#[test]
fn non_reversible_law_without_acceleration_is_the_upper_curve() {
    let fmu = Fmu::packaged("NonReversible");
    let mut element = Master::with_law(&fmu, &NonReversible::paper());
    let force = element.step(
        Contact {
            F_N: 25.0,
            v: 0.1,
            a: 0.0,
            F_t: 0.0,
        },
        0.0,
        1.0,
    );
    assert!(
        (force - 25.0 * (0.25 + 0.05 * libm::exp(-1.0))).abs() < 1e-12,
        "{force}"
    );
}

#[test]
fn regularised_law_alone_reports_stick_below_v_s() {
    forces(&StaticRegularized::paper(), |contact, _, element| {
        let expected = contact.is_closed() && contact.v.abs() <= 1e-3;
        assert_eq!(
            element.instance.get_flag("sticking"),
            expected,
            "{contact:?}"
        );
    });
    fn never<L: LawParameters>(law: &L) {
        forces(law, |contact, _, element| {
            assert!(!element.instance.get_flag("sticking"), "{contact:?}")
        });
    }
    never(&Stribeck::paper());
    never(&BrownMcPhee::paper());
    never(&PoppStelter::paper());
    never(&NonReversible::paper());
    never(&Stefanski2003::paper());
}

#[test]
fn regularised_law_creeps_under_a_constant_force() {
    // [RS] Sec. 3, Fig. 4: 99 % of F_s are reached at 0.9 v_s.
    let fmu = Fmu::packaged("StaticRegularized");
    let mut element = Master::start(&fmu, &[]);
    let end = push(
        |contact, t, h| element.step(contact, t, h),
        step_load(0.99, 30.0),
        300.0,
        1e-4,
        |_| (),
    );
    assert!((end.v - 9e-4).abs() < 1e-9, "{end:?}");
    // For 270 s at that velocity, and on its way there before.
    assert!(end.u > 0.9e-3 * 270.0, "{end:?}");
}
