//! Joints whose level is stated, beside plain elements under the normal force that makes their
//! coefficients the same numbers.

use super::*;
use crate::catalogue::{Card, ELEMENTS, Setting, Variant};
use crate::element::{F_R, V};
use crate::variable::{FIRST_PARAMETER, SLOTS};
use std::collections::BTreeSet;

/// Numbers in a fixed order of chance, from 0 to 1.
struct Draws(u64);

impl Draws {
    fn next(&mut self) -> f64 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 11) as f64 / (1u64 << 53) as f64
    }
}

fn joint(law: &str, motion: Motion, has_load: bool) -> Card {
    Card {
        motion,
        level: Some(Level {
            has_load,
            ..Level::DEFAULT
        }),
        ..Card::of_law(law, "")
    }
}

fn start(value: f64) -> Setting {
    Setting {
        start: Some(value),
        ..Setting::default()
    }
}

/// Joint of a law with this level.
fn of_level(model: &'static Model, motion: Motion, has_load: bool, level: f64) -> Variant {
    let mut card = joint(model.metadata.name, motion, has_load);
    let parameter = level_parameter(model).unwrap();
    card.parameters.insert(parameter.reference, start(level));
    Variant::new(model, card).unwrap()
}

/// Joint of a law with this level, and the plain element of the same numbers.
fn pair(model: &'static Model, motion: Motion, has_load: bool, level: f64) -> [Variant; 2] {
    let joint = of_level(model, motion, has_load, level);
    let mut plain = Card {
        motion,
        normal_force: 1.0,
        ..Card::of_law(model.metadata.name, "")
    };
    for variable in joint.all().filter(|v| v.is_parameter() && v.is_real()) {
        plain
            .parameters
            .insert(variable.reference, start(variable.start.unwrap()));
    }
    if motion == Motion::Rotational {
        plain.parameters.insert(RADIUS.reference, start(1.0));
    }
    [joint, Variant::new(model, plain).unwrap()]
}

#[test]
fn joint_of_every_law_has_the_bits_of_the_element_under_one_newton() {
    let mut draws = Draws(7);
    for model in &ELEMENTS {
        for motion in [Motion::Translational, Motion::Rotational] {
            for has_load in [false, true] {
                let level = libm::exp10(-1.0 + 1.9 * draws.next());
                let [joint, plain] = pair(model, motion, has_load, level);
                let [mut own, mut other] = [&joint, &plain].map(Variant::instantiate);
                let name = model.metadata.name;
                for step in 0..60 {
                    let velocity = libm::exp10(-4.0 * draws.next()) * (draws.next() - 0.4);
                    let load = if has_load { 2.0 * draws.next() } else { 1.0 };
                    if has_load {
                        own.set(joint.find("load").unwrap(), load);
                    }
                    other.set(&F_N, load);
                    for element in [&mut own, &mut other] {
                        element.set(&V, velocity);
                        if step == 0 {
                            element.apply_parameters().unwrap();
                            element.initialize().unwrap();
                        }
                        element.advance(1e-3).unwrap();
                    }
                    for reference in 0..SLOTS as u32 {
                        assert_eq!(
                            own.value(reference).to_bits(),
                            other.value(reference).to_bits(),
                            "{name}, {motion:?}, step {step}, reference {reference}"
                        );
                    }
                }
                assert!(own.value(F_R.reference).is_finite());
            }
        }
    }
}

#[test]
fn joint_shows_forces_and_torques_in_its_own_names_and_units() {
    for model in &ELEMENTS {
        for (motion, begins, unit) in [
            (Motion::Translational, "F_", "N"),
            (Motion::Rotational, "M_", "N.m"),
        ] {
            for has_load in [false, true] {
                let card = joint(model.metadata.name, motion, has_load);
                let element = Variant::new(model, card).unwrap();
                let names: BTreeSet<_> = element.all().map(|variable| variable.name).collect();
                assert_eq!(names.len(), element.all().count(), "{names:?}");
                let shown: Vec<_> = element.variables().map(|variable| variable.name).collect();
                assert_eq!(shown.contains(&"load"), has_load, "{shown:?}");
                assert!(
                    !shown.contains(&"F_N") && !shown.contains(&"radius"),
                    "{shown:?}"
                );
                let level = level_parameter(model).unwrap();
                let level = element.variable(level.reference).unwrap();
                assert!(level.name.starts_with(begins) && level.unit.symbol() == unit);
                for variable in element
                    .variables()
                    .filter(|v| v.reference >= FIRST_PARAMETER)
                {
                    let text = format!("{} {}", variable.name, variable.description);
                    for word in [
                        "mu_s",
                        "mu_d",
                        "sigma_",
                        "coefficient",
                        "F_N",
                        "normal force",
                    ] {
                        let of_paper = variable.description.contains("of the paper");
                        assert!(
                            of_paper || !text.contains(word),
                            "{}: {text}",
                            model.metadata.name
                        );
                    }
                    let of_line = ["m", "m/s", "m/s2", "N/m", "N.s/m", "s/m", "s2/m2"];
                    let is_of_line = of_line.contains(&variable.unit.symbol());
                    assert!(motion != Motion::Rotational || !is_of_line, "{text}");
                }
            }
        }
    }
}

#[test]
fn defaults_of_a_joint_follow_its_level() {
    let model = crate::catalogue::find("LuGre").unwrap();
    let [small, large] = [0.6, 60.0].map(|level| of_level(model, Motion::Rotational, false, level));
    for name in ["M_d", "k", "c"] {
        let [small, large] = [&small, &large].map(|of| of.find(name).unwrap().start.unwrap());
        assert!((large / small / 100.0 - 1.0).abs() < 1e-12, "{name}");
    }
    for name in ["omega_Stribeck", "delta_sigma"] {
        let [small, large] = [&small, &large].map(|of| of.find(name).unwrap().start);
        assert_eq!(small, large, "{name}");
    }
}

#[test]
fn refusals_and_warnings_of_the_law_speak_of_the_joint() {
    let model = crate::catalogue::find("FrDyn2").unwrap();
    let variant = Variant::new(model, joint("FrDyn2", Motion::Rotational, false)).unwrap();
    let mut element = variant.instantiate();
    element.set(variant.find("M_d").unwrap(), 2.0);
    let sentence = element.apply_parameters().unwrap_err().sentence;
    assert!(
        sentence.contains("M_d = 2.0 exceeds M_s = 0.6, but the dynamic friction torque"),
        "{sentence}"
    );
    element.set(variant.find("M_d").unwrap(), 0.3);
    element.set(variant.find("c").unwrap(), 1e-3);
    element.apply_parameters().unwrap();
    let (_, sentence) = element.model_warning().unwrap();
    for word in [
        "1.5 (M_s - M_d) load/(omega_d - omega_s) = c",
        "raise c or omega_d",
    ] {
        assert!(sentence.contains(word), "{sentence}");
    }
    for word in ["mu_", "sigma_", "F_N", "normal_force"] {
        assert!(!sentence.contains(word), "{sentence}");
    }
    for (card, part) in [
        (joint("FrDyn2", Motion::Planar, false), "in a plane"),
        (
            Card {
                level: None,
                ..joint("FrDyn2", Motion::Rotational, false)
            },
            "needs its friction radius",
        ),
    ] {
        let refusal = Variant::new(model, card).map(|_| ()).unwrap_err().sentence;
        assert!(refusal.contains(part), "{refusal}");
    }
}
