//! Joints whose card states torques or forces of friction, and contacts whose card states the normal
//! force.

use super::motions::{element, step, stepping};
use bristle::catalogue::{Card, CardBlock, Motion};
use bristle::element::{K_E, K_M};
use bristle_importer::fmi2::Status;
use bristle_importer::fmu::Fmu;
use bristle_tests::cards::{card, geared, joint, model, several};

/// Joint about an axis with these settings, by the names of its law.
fn torques(law: &str, starts: &[(&str, f64)]) -> Card {
    Card {
        parameters: card(law, starts).parameters,
        ..joint(law, Motion::Rotational, false)
    }
}

const H: f64 = 1e-3;

/// Joints of public issues: torque at rest, torque of sliding, applied torque (N·m) and moment of
/// inertia (kg·m²).
const AT_REST: [[f64; 4]; 2] = [[1.0, 0.8, 0.3, 0.01], [0.5, 0.4, 0.05, 0.01]];

/// Angular velocity of a joint in a loop that steps the element first and the body with its torque,
/// at the end of 5 s, from this velocity.
fn in_a_loop(fmu: &Fmu, applied: f64, inertia: f64, start: f64) -> f64 {
    let mut instance = stepping(fmu);
    if fmu
        .description
        .variables
        .iter()
        .any(|v| &*v.name == "J_eff")
    {
        instance.set("J_eff", inertia);
    }
    let mut omega = start;
    for i in 0..5000 {
        instance.set("omega", omega);
        if fmu.description.variables.iter().any(|v| &*v.name == "M_t") {
            instance.set("M_t", applied + inertia * omega / H);
        }
        step(&mut instance, i, H);
        omega += H * (applied - instance.get("M_R")) / inertia;
    }
    omega
}

#[test]
fn torque_joints_of_public_issues_rest_under_a_load_below_their_friction() {
    for [at_rest, sliding, applied, inertia] in AT_REST {
        for law in [
            "FrDyn2",
            "FrDyn2Linear",
            "LuGre",
            "Dahl",
            "Coulomb",
            "ModelicaFriction",
        ] {
            let level = if law == "ModelicaFriction" {
                "mu_0"
            } else if law == "Dahl" || law == "Coulomb" {
                "mu_d"
            } else {
                "mu_s"
            };
            let mut starts = vec![(level, at_rest), ("coupling", 1.0)];
            if level == "mu_s" {
                starts.push(("mu_d", sliding));
            }
            let fmu = element(torques(law, &starts));
            for start in [0.0, 1.0] {
                let omega = in_a_loop(&fmu, applied, inertia, start);
                assert!(omega.abs() < 1e-12, "{law}: {omega:e} rad/s from {start}");
            }
            // Above its friction it turns: by the torque that is left.
            let omega = in_a_loop(&fmu, 2.0 * at_rest, inertia, 0.0);
            assert!(omega > 10.0, "{law}: {omega} rad/s");
            // Nothing damps the bristle of Dahl: a body on it swings without end.
            if law == "Dahl" {
                continue;
            }
            let mut inside = torques(law, &starts);
            inside.block = Some(CardBlock {
                mass: inertia,
                ..CardBlock::default()
            });
            let fmu = element(inside);
            let mut instance = stepping(&fmu);
            instance.set("M", applied);
            for i in 0..2000 {
                step(&mut instance, i, H);
            }
            let omega = instance.get("omega");
            assert!(omega.abs() < 1e-12, "{law} inside: {omega:e} rad/s");
        }
    }
}

#[test]
fn load_multiplies_the_torque_and_opens_the_joint_at_0() {
    let fmu = element(Card {
        parameters: torques("FrDyn2", &[("mu_s", 2.0), ("mu_d", 1.0)]).parameters,
        ..joint("FrDyn2", Motion::Rotational, true)
    });
    let mut instance = stepping(&fmu);
    assert_eq!(instance.get("load"), 1.0);
    instance.set("omega", 20.0);
    for (i, load) in [1.0, 0.25, 3.0, 0.0, -1.0].into_iter().enumerate() {
        instance.set("load", load);
        step(&mut instance, i as u32, 0.1);
        let torque = instance.get("M_R");
        assert!(
            (torque - load.max(0.0)).abs() < 1e-6,
            "{load}: {torque} N.m"
        );
    }
}

#[test]
fn stated_normal_force_is_a_parameter_with_the_force_of_the_input() {
    for motion in [Motion::Translational, Motion::Planar] {
        let stated = Card {
            motion,
            ..card("LuGre", &[("F_N", 25.0)])
        };
        let plain = Card {
            motion,
            ..card("LuGre", &[])
        };
        let [stated, plain] = [stated, plain].map(element);
        let variable = stated
            .description
            .variables
            .iter()
            .find(|v| &*v.name == "F_N")
            .unwrap();
        assert_eq!(
            (&*variable.causality, &*variable.variability),
            ("parameter", "tunable")
        );
        let [mut own, mut other] = [&stated, &plain].map(stepping);
        let (v, force) = if motion == Motion::Planar {
            ("v_x", "F_R_x")
        } else {
            ("v", "F_R")
        };
        for i in 0..100 {
            let normal_force = if i < 50 { 25.0 } else { 40.0 };
            other.set("F_N", normal_force);
            if i == 50 {
                own.set("F_N", normal_force);
            }
            for instance in [&mut own, &mut other] {
                instance.set(v, 1e-3 * f64::from(i % 7) - 2e-3);
                step(instance, i, H);
            }
            assert_eq!(
                own.get(force).to_bits(),
                other.get(force).to_bits(),
                "step {i}"
            );
        }
    }
}

#[test]
fn joint_refuses_values_beyond_its_bounds_in_its_own_words() {
    let fmu = element(torques("LuGre", &[("mu_s", 1.0)]));
    let mut instance = stepping(&fmu);
    let reference = |name: &str| {
        let variables = &fmu.description.variables;
        variables
            .iter()
            .find(|v| &*v.name == name)
            .unwrap()
            .reference
    };
    assert!(instance.set_real(&[reference("M_s")], &[-1.0]) == Status::Error);
    assert!(instance.set_real(&[reference("M_s")], &[1e6]) == Status::OK);
    assert!(instance.set_real(&[0], &[1.0]) == Status::Error);
    assert!(model("LuGre").variable(0).is_some());
}

#[test]
fn contacts_of_a_joint_have_torques_of_their_own() {
    let two = several("LuGre", 2, &["mu_s", "mu_d"]);
    let fmu = element(Card {
        contacts: two.contacts,
        ..torques("LuGre", &[("mu_s", 1.0), ("mu_d", 0.5)])
    });
    let mut instance = stepping(&fmu);
    instance.set("M_d[2]", 0.25);
    for (i, name) in ["omega[1]", "omega[2]"].into_iter().enumerate() {
        instance.set(name, 30.0 + i as f64);
    }
    step(&mut instance, 0, 0.5);
    let torques = ["M_R[1]", "M_R[2]"].map(|name| instance.get(name));
    assert!(
        (torques[0] - 0.5).abs() < 1e-6 && (torques[1] - 0.25).abs() < 1e-6,
        "{torques:?}"
    );
}

/// Joint with a gear.
fn of_gear(law: &str, starts: &[(&str, f64)], [k_m, k_e]: [f64; 2]) -> Card {
    let mut card = geared(torques(law, starts));
    for (parameter, value) in [(&K_M, k_m), (&K_E, k_e)] {
        card.parameters
            .entry(parameter.reference)
            .or_default()
            .start = Some(value);
    }
    card
}

#[test]
fn friction_of_a_gear_grows_with_the_torque_that_it_transmits() {
    for law in ["FrDyn2", "LuGre", "Coulomb", "Dahl", "StaticRegularized"] {
        let starts = if law == "Coulomb" || law == "Dahl" {
            vec![("mu_d", 0.1)]
        } else {
            vec![("mu_s", 0.1), ("mu_d", 0.1)]
        };
        let fmu = element(of_gear(law, &starts, [0.2, 0.5]));
        let mut instance = stepping(&fmu);
        instance.set("omega", 50.0);
        for (i, [motor, load]) in [[0.0, 0.0], [2.0, -1.0], [-1.0, 3.0], [5.0, 2.0]]
            .into_iter()
            .enumerate()
        {
            instance.set("tau_m", motor);
            instance.set("tau_e", load);
            step(&mut instance, i as u32, 0.1);
            let expected = 0.1 + (0.2 * motor - 0.5 * load).abs();
            let torque = instance.get("M_R");
            assert!(
                (torque - expected).abs() < 1e-5,
                "{law}: {torque}, {expected} expected"
            );
        }
        instance.set("k_m", 0.4);
        step(&mut instance, 4, 0.1);
        let torque = instance.get("M_R");
        assert!(
            (torque - 1.1).abs() < 1e-5,
            "{law}: {torque} after k_m changed"
        );
    }
}

/// A worm gear that drives a load of 5 N·m up, and holds it when the motor is off: self-locking.
#[test]
fn self_locking_gear_lifts_a_load_and_holds_it_without_creep() {
    // Efficiency 0.4 forward and 0 backward.
    let gear = [0.2, 1.0];
    let (inertia, load) = (0.02, -5.0);
    for law in ["FrDyn2Linear", "LuGre", "Coulomb"] {
        let mut starts = vec![("mu_d", 0.05), ("coupling", 1.0)];
        if law != "Coulomb" {
            starts.push(("mu_s", 0.06));
        }
        let fmu = element(of_gear(law, &starts, gear));
        let mut instance = stepping(&fmu);
        if law != "Coulomb" {
            instance.set("J_eff", inertia);
        }
        let (mut omega, mut lifting) = (0.0, [0.0; 2]);
        for i in 0..6000 {
            // 12.5 N·m lift 5 N·m at an efficiency of 0.4; the motor is off after 0.5 s.
            let motor = if i < 500 { 13.5 } else { 0.0 };
            instance.set("omega", omega);
            instance.set("tau_m", motor);
            instance.set("tau_e", load);
            if law == "Coulomb" {
                instance.set("M_t", motor + load + inertia * omega / H);
            }
            step(&mut instance, i, H);
            omega += H * (motor + load - instance.get("M_R")) / inertia;
            match i {
                200 => lifting[0] = omega,
                400 => lifting[1] = omega,
                _ => {}
            }
        }
        // M_d + |0.2 · 13.5 + 5| = 7.75 N·m of friction leave 0.75 N·m.
        let gained = (lifting[1] - lifting[0]) * inertia / (200.0 * H);
        assert!(
            (gained - 0.75).abs() < 1e-3,
            "{law}: {gained} N.m accelerate"
        );
        assert!(omega.abs() < 1e-12, "{law}: {omega:e} rad/s");
    }
}
