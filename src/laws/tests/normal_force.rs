//! Elements whose card states a nominal normal force: defaults and absolute tolerance are scaled to
//! it.

use crate::catalogue::{Card, ELEMENTS, Model, Motion, NORMAL_FORCES, Setting, Variant};
use crate::element::{DEFAULT_TOLERANCE, F_N, F_R, MIN_TOLERANCE, V};
use crate::law::{Contact, NOMINAL_FORCE, NORMAL_FORCE};

/// Nominal normal forces, N.
const FORCES: [f64; 5] = [1e-1, 1.0, 60.0, 1e3, 1e5];

/// Element of a law with a nominal normal force (N).
fn scaled(model: &'static Model, motion: Motion, normal_force: f64, tolerance: f64) -> Variant {
    let mut card = Card {
        motion,
        normal_force,
        ..Card::of_law(model.metadata.name, "Scaled")
    };
    card.experiment.tolerance = tolerance;
    Variant::new(model, card).expect("a card")
}

/// F_R over the nominal normal force along a motion through stick, reversal, light load, jumps and
/// sliding; no model warns on it.
fn forces(variant: &Variant) -> Vec<f64> {
    let (mut element, normal_force) = (variant.contact(0), variant.card().normal_force);
    let mut found = Vec::new();
    for i in 0..400 {
        let t = f64::from(i) * 1e-3;
        let load = if i % 50 == 49 {
            2e-4
        } else {
            1.0 + 0.5 * libm::sin(40.0 * t)
        };
        let v = if i < 40 {
            2e-5
        } else {
            0.03 * libm::sin(17.0 * t)
        };
        let contact = Contact {
            F_N: load * normal_force,
            v,
            a: 0.0,
            F_t: 2.0 * v.signum() * normal_force,
            ..Contact::ZERO
        };
        element.set_contact(contact);
        element.advance(1e-3).expect("a step");
        assert_eq!(
            element.model_warning(),
            None,
            "{} at {normal_force} N",
            variant.name()
        );
        found.push(element.values()[&F_R] / normal_force);
    }
    found
}

#[test]
fn elements_scaled_to_their_normal_force_are_stable_and_repeat_the_contact_of_10_n() {
    for (model, motion) in ELEMENTS
        .iter()
        .flat_map(|model| [(model, Motion::Translational), (model, Motion::Planar)])
    {
        if motion == Motion::Planar && model.planar.is_none() {
            continue;
        }
        let reference = forces(&scaled(model, motion, NOMINAL_FORCE, MIN_TOLERANCE));
        assert!(
            reference.iter().any(|force| force.abs() > 0.25),
            "{} slides",
            model.metadata.name
        );
        for normal_force in FORCES {
            let found = forces(&scaled(model, motion, normal_force, DEFAULT_TOLERANCE));
            for (i, (found, expected)) in found.into_iter().zip(&reference).enumerate() {
                // μ_s = 0.6; F_N is 1.5 of the nominal one at most. The events of a law may lie a
                // tolerance apart.
                let error = (found - expected).abs() / (0.6 * 1.5);
                let (name, planar) = (model.metadata.name, motion.is_planar());
                assert!(
                    error <= 2.0 * DEFAULT_TOLERANCE,
                    "{name}, planar: {planar}, {normal_force} N, {i}: {error:e}"
                );
            }
        }
    }
}

#[test]
fn stock_bristles_at_a_kilonewton_warn_and_scaled_ones_do_not() {
    for name in ["FrDyn2", "FrDyn2Linear"] {
        let model = crate::catalogue::find(name).expect("a law");
        for (normal_force, warns) in [(NOMINAL_FORCE, true), (1e3, false)] {
            let mut element = scaled(
                model,
                Motion::Translational,
                normal_force,
                DEFAULT_TOLERANCE,
            )
            .contact(0);
            element.set(&F_N, 1e3);
            element.set(&V, 5e-3);
            assert_eq!(
                element.model_warning().is_some(),
                warns,
                "{name} for {normal_force} N"
            );
        }
    }
}

#[test]
fn stated_parameters_win_over_scaled_defaults_and_the_deflection_stays() {
    let model = crate::catalogue::find("FrDyn2").expect("a law");
    let parameter = |name: &str| {
        model
            .variables()
            .find(|variable| variable.name == name)
            .expect("a parameter")
    };
    let [sigma_0, sigma_1] = ["sigma_0", "sigma_1"].map(parameter);
    let mut card = Card {
        normal_force: 1e3,
        ..Card::of_law("FrDyn2", "Pad")
    };
    let values = |card: &Card| {
        let element = Variant::new(model, card.clone())
            .expect("a card")
            .instantiate();
        [sigma_0, sigma_1].map(|parameter| element.value(parameter.reference))
    };
    assert_eq!(values(&card), [5e8, 319_275.0]);
    // The law's own value, stated, is that value.
    card.parameters.insert(
        sigma_0.reference,
        Setting {
            start: Some(5e6),
            ..Setting::default()
        },
    );
    assert_eq!(values(&card), [5e6, 319_275.0]);
    let again = Card::from_bytes(&card.to_bytes()).expect("a card");
    assert_eq!(again, card);
    let guid = |normal_force| {
        Variant::new(
            model,
            Card {
                normal_force,
                ..card.clone()
            },
        )
        .expect("a card")
        .guid()
    };
    assert_ne!(guid(1e3), guid(2e3));
}

#[test]
fn power_of_two_scales_a_bristle_and_its_errors_to_the_same_bits() {
    // Also under loads below 1e-3 of the nominal force, where the absolute tolerance counts.
    for name in ["FrDyn2", "FrDyn2Linear", "Dahl", "LuGre"] {
        let model = crate::catalogue::find(name).expect("a law");
        let of = |normal_force| {
            forces(&scaled(
                model,
                Motion::Translational,
                normal_force,
                DEFAULT_TOLERANCE,
            ))
        };
        assert_eq!(of(NOMINAL_FORCE), of(1024.0 * NOMINAL_FORCE), "{name}");
    }
}

#[test]
fn normal_forces_out_of_range_are_refused() {
    for normal_force in [
        0.0,
        -10.0,
        f64::NAN,
        f64::INFINITY,
        0.9 * NORMAL_FORCES.start(),
        1.1 * NORMAL_FORCES.end(),
    ] {
        let card = Card {
            normal_force,
            ..Card::of_law("Dahl", "Pad")
        };
        let refusal = Variant::new(&ELEMENTS[9], card)
            .map(|_| ())
            .expect_err("no force")
            .sentence;
        assert!(refusal.starts_with("normal_force = "), "{refusal}");
    }
    for normal_force in [*NORMAL_FORCES.start(), *NORMAL_FORCES.end()] {
        for model in &ELEMENTS {
            scaled(
                model,
                Motion::Translational,
                normal_force,
                DEFAULT_TOLERANCE,
            );
        }
    }
}

#[test]
fn nominal_values_of_forces_are_scaled_and_those_of_motions_stay() {
    let model = crate::catalogue::find("FrDyn2").expect("a law");
    let [stock, heavy] = [NOMINAL_FORCE, 1e3]
        .map(|force| scaled(model, Motion::Translational, force, DEFAULT_TOLERANCE));
    for (name, ratio) in [
        ("F_N", 100.0),
        ("F_R", 100.0),
        ("P_loss", 100.0),
        ("E_loss", 100.0),
        ("v", 1.0),
        ("z", 1.0),
    ] {
        let nominal = |variant: &Variant| {
            variant
                .find(name)
                .and_then(|variable| variable.nominal)
                .expect("a nominal value")
        };
        let found = nominal(&heavy) / nominal(&stock);
        assert!((found - ratio).abs() < 1e-12, "{name}: {found}");
    }
}

#[test]
fn no_variable_has_the_place_of_the_normal_force() {
    for model in ELEMENTS
        .iter()
        .flat_map(|model| [Some(model), model.planar])
        .flatten()
    {
        assert!(
            model
                .variables()
                .all(|variable| variable.slot() != NORMAL_FORCE.slot()),
            "{}",
            model.metadata.name
        );
    }
}
