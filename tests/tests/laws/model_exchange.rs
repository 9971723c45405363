//! Model Exchange: a solver that bisects the events reproduces the reference law, and every change
//! of mode is an event.

use bristle_importer::fmu::Fmu;
use bristle_importer::model_exchange::{Event, Solver};
use bristle_reference_laws::workloads::{WEIGHT, sliding};
use bristle_reference_laws::{
    AdamsStickSlip, Armstrong, BrownMcPhee, Contact, Coulomb, Dahl, InputTrajectory, LawParameters,
    LuGre, ModelicaFriction, NonReversible, PoppStelter, REST, SimpackStickSlip, StaticRegularized,
    Stefanski2003, Stefanski2006, Stribeck,
};
use bristle_tests::tolerances::SOLVED;
use core::f64::consts::TAU;

/// Sliding contact that opens and closes.
fn lifted(t: f64) -> Contact {
    Contact {
        F_N: WEIGHT * (0.6 + libm::cos(TAU * 6.0 * t)),
        ..sliding(t)
    }
}

/// Break-away and back at small amplitude.
fn micro(t: f64) -> Contact {
    let omega = TAU * 50.0;
    let [v, a] = [libm::sin(omega * t), omega * libm::cos(omega * t)].map(|x| 0.5e-3 * x);
    Contact { v, a, ..sliding(t) }
}

/// Piecewise linear velocity with corners at communication points.
fn zigzag(t: f64) -> Contact {
    let phase = t / 0.1 - libm::floor(t / 0.1);
    let v = if phase < 0.5 {
        0.02 * (1.0 - 4.0 * phase)
    } else {
        0.02 * (4.0 * phase - 3.0)
    };
    Contact { v, ..sliding(t) }
}

/// Compares at points 1 ms apart, and returns the events.
fn compare<const N: usize, L: LawParameters>(
    law: &L,
    contact: fn(f64) -> Contact,
    duration: f64,
) -> Vec<Event> {
    let fmu = Fmu::packaged(L::ELEMENT);
    let mut solved = Solver::<N>::start(&fmu, law, contact);
    let mut reference = law.at_rest();
    let (h, mut worst, mut events) = (1e-3, 0.0_f64, Vec::new());
    let (points, mut compared) = ((duration / h).round() as u32, 0);
    for n in 0..points {
        let start = f64::from(n) * h;
        events.extend(solved.advance(h));
        let expected = reference.advance(&InputTrajectory::Moving(&|t| contact(start + t)), h);
        let (force, load) = (solved.force(), contact(start + h).F_N);
        if contact(start + h).v.abs() <= REST {
            // The event lies at this instant: rounding decides whether it is past.
            continue;
        }
        if load < 0.01 * WEIGHT {
            // Rounding of the time decides whether the contact is still closed.
            assert!(
                force.abs() <= reference.static_friction() * 0.01 * WEIGHT,
                "{force} N at {start} s"
            );
            continue;
        }
        let error =
            (force - expected).abs() / (reference.static_friction() * load + expected.abs());
        assert!(
            error <= SOLVED,
            "{}: {force} N for {expected} N at {} s, {error:.1e} off",
            L::ELEMENT,
            solved.t
        );
        worst = worst.max(error);
        compared += 1;
        assert_eq!(
            solved.mode(),
            reference.mode(),
            "{} at {} s",
            L::ELEMENT,
            solved.t
        );
    }
    println!(
        "{:17} {:3} events, {compared} of {points} points: {worst:.1e}",
        L::ELEMENT,
        events.len()
    );
    assert!(
        10 * compared > 7 * points,
        "{}: {compared} of {points} points",
        L::ELEMENT
    );
    events
}

#[test]
fn solver_matches_laws_without_states() {
    fn check<L: LawParameters>(law: &L) {
        compare::<0, _>(law, sliding, 0.4);
        compare::<0, _>(law, lifted, 0.4);
    }
    check(&StaticRegularized::paper());
    check(&Stribeck {
        mu_s: 0.15,
        ..Stribeck::paper()
    });
    check(&BrownMcPhee {
        mu_s: 0.15,
        ..BrownMcPhee::paper()
    });
    check(&PoppStelter::paper());
    check(&NonReversible::paper());
    check(&Stefanski2003::paper());
    check(&Stefanski2006::paper());
}

#[test]
fn solver_matches_laws_with_bristles() {
    // Not where the contact opens: the rates of the bristles have no bound there, and an explicit
    // method would need steps without bound.
    for contact in [sliding, micro] {
        compare::<1, _>(&Dahl::paper(), contact, 0.4);
        compare::<1, _>(
            &Dahl {
                alpha: 2.0,
                ..Dahl::paper()
            },
            contact,
            0.4,
        );
        compare::<1, _>(
            &LuGre {
                mu_s: 0.15,
                ..LuGre::paper()
            },
            contact,
            0.4,
        );
        compare::<1, _>(
            &LuGre {
                mu_s: 0.15,
                sigma_0: 1e5,
                delta_sigma: 1.0,
                ..LuGre::paper()
            },
            contact,
            0.4,
        );
    }
}

#[test]
fn adams_creep_ends_at_its_limits_by_events() {
    for contact in [sliding, micro, lifted] {
        let events = compare::<1, _>(&AdamsStickSlip::paper(), contact, 0.4);
        assert!(events.len() > 3, "{events:?}");
    }
}

#[test]
fn every_mode_change_is_an_event() {
    for contact in [sliding, micro, lifted] {
        let events = compare::<0, _>(&Coulomb::paper(), contact, 0.4);
        assert!(events.len() > 3, "{events:?}");
        let law = ModelicaFriction {
            peak: 1.2,
            mu_1: 3.0,
            ..ModelicaFriction::paper()
        };
        let events = compare::<0, _>(&law, contact, 0.4);
        assert!(
            events
                .iter()
                .any(|event| event.modes.is_some_and(|[before, after]| before != after))
        );
    }
}

#[test]
fn simpack_stick_begins_and_ends_by_events() {
    for contact in [sliding, micro, lifted] {
        let events = compare::<1, _>(&SimpackStickSlip::paper(), contact, 0.4);
        captures(&events);
    }
}

#[test]
fn armstrong_stick_begins_and_ends_by_events() {
    let events = compare::<2, _>(&Armstrong::paper(), zigzag, 0.4);
    captures(&events);
}

/// Checks that the element reports new values of the states at a capture, and none at a release.
fn captures(events: &[Event]) {
    let [mut captured, mut released] = [0; 2];
    for event in events {
        match event.modes {
            Some([-1 | 1, 0]) => {
                assert!(event.states_changed, "{event:?}");
                captured += 1;
            }
            Some([0, -1 | 1]) => {
                assert!(!event.states_changed, "{event:?}");
                released += 1;
            }
            _ => {}
        }
    }
    assert!(
        captured > 2 && released > 2,
        "{captured} captures, {released} releases"
    );
}
