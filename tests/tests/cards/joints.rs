//! Joints whose card states torques or forces of friction, and contacts whose card states the normal
//! force.

use super::motions::{element, step, stepping};
use bristle::catalogue::{Card, CardBlock, Motion};
use bristle::element::{F_N, K_E, K_M, LossRow, ReactionJoint};
use bristle_importer::fmi2::Status;
use bristle_importer::fmu::Fmu;
use bristle_random::Random;
use bristle_tests::cards::{
    card, geared, joint, model, rotational, several, with_losses, with_reactions,
};

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

/// Friction of the gear LossyGear of the Modelica library, whose shaft turns forward.
fn lossy_gear([eta_1, eta_2, tau_1, tau_2]: [f64; 4], tau: f64) -> f64 {
    let shared = (tau_1 - tau_2) / (eta_1 - 1.0 / eta_2);
    if tau > shared {
        (1.0 - eta_1) * tau + tau_1
    } else {
        (1.0 - 1.0 / eta_2) * tau + tau_2
    }
}

#[test]
fn friction_of_a_gear_with_losses_is_that_of_the_modelica_library() {
    let mut random = Random::new(75);
    for law in ["Coulomb", "LuGre", "FrDyn2"] {
        let starts = match law {
            "Coulomb" => vec![("mu_d", 0.5)],
            _ => vec![("mu_s", 0.5), ("mu_d", 0.5)],
        };
        let fmu = element(with_losses(torques(law, &starts)));
        let mut instance = stepping(&fmu);
        for i in 0..200 {
            let speed = random.between(0.5, 12.0);
            let (omega, tau) = (random.sign(speed), random.between(-20.0, 20.0));
            instance.set("tau_m", tau);
            instance.set("omega", omega);
            step(&mut instance, i, 0.1);
            // Lines through the rows at 0 and 5 rad/s, and beyond.
            let at = |start: f64, end: f64| start + speed * (end - start) / 5.0;
            let row = [at(0.85, 0.7), at(0.8, 0.6), at(0.3, 0.5), at(0.4, 0.6)];
            let expected = omega.signum() * lossy_gear(row, omega.signum() * tau);
            let torque = instance.get("M_R");
            assert!(
                (torque - expected).abs() < 1e-5 * (1.0 + expected.abs()),
                "{law}, {omega} rad/s, {tau} N.m: {torque} for {expected}"
            );
        }
    }
}

#[test]
fn gear_with_losses_holds_between_both_of_its_limits() {
    // Driven by 10 N.m it loses 0.75 · 10 + 0.625 N.m, and holds 10 N.m back by 3 · 10 + 2.5 N.m.
    let row = LossRow {
        speed: 0.0,
        efficiency: [0.25; 2],
        bearings: [0.625, 2.5],
    };
    let card = Card {
        losses: vec![row],
        ..with_losses(torques("Coulomb", &[("mu_d", 1.0)]))
    };
    let fmu = element(card);
    for (applied, moves) in [(8.0, 0.0), (8.3, 1.0), (-32.0, 0.0), (-33.0, -1.0)] {
        let (mut instance, mut omega) = (stepping(&fmu), 0.0);
        for i in 0..200 {
            instance.set("omega", omega);
            instance.set("tau_m", 10.0);
            instance.set("M_t", applied + omega / H);
            step(&mut instance, i, H);
            omega += H * (applied - instance.get("M_R"));
        }
        let found = if omega.abs() < 1e-12 {
            0.0
        } else {
            omega.signum()
        };
        assert_eq!(found, moves, "{applied} N.m: {omega} rad/s");
    }
}

/// Normal force of a joint with all reactions, by the defaults of its parameters but a preload of
/// 3 N: arms of 50 mm, a pin of 40 mm.
fn normal_force(
    joint: ReactionJoint,
    [x, y, z]: [f64; 3],
    [m_x, m_y, m_z]: [f64; 3],
    s: f64,
) -> f64 {
    match joint {
        ReactionJoint::Revolute => {
            3.0 + libm::hypot(x, y) + 0.05 / 0.04 * z.abs() + libm::hypot(m_x, m_y) / 0.05
        }
        ReactionJoint::Prismatic => {
            3.0 + libm::hypot(y, z) + m_x.abs() / 0.05 + libm::hypot(m_y, m_z) / (0.05 + s)
        }
    }
}

#[test]
fn joint_with_reactions_is_the_contact_under_their_normal_force() {
    let mut random = Random::new(4);
    for (kind, v) in [
        (ReactionJoint::Revolute, "omega"),
        (ReactionJoint::Prismatic, "v"),
    ] {
        let force = if v == "omega" { "M_R" } else { "F_R" };
        for law in ["FrDyn2", "LuGre", "Coulomb", "BrownMcPhee"] {
            let of_joint = element(with_reactions(law, kind));
            let plain = match kind {
                ReactionJoint::Revolute => element(rotational(law, 0.04)),
                ReactionJoint::Prismatic => element(card(law, &[])),
            };
            let [mut instance, mut contact] = [&of_joint, &plain].map(stepping);
            instance.set("N_0", 3.0);
            for i in 0..100 {
                let [forces, moments] =
                    [100.0, 5.0].map(|most| [(); 3].map(|()| random.between(-most, most)));
                let position = random.between(0.0, 0.3);
                let values = ["F_x", "F_y", "F_z", "M_x", "M_y", "M_z", "s"]
                    .into_iter()
                    .zip(forces.into_iter().chain(moments).chain([position]));
                for (name, value) in values {
                    if of_joint
                        .description
                        .variables
                        .iter()
                        .any(|v| &*v.name == name)
                    {
                        instance.set(name, value);
                    }
                }
                let speed = random.between(-1.0, 1.0);
                instance.set(v, speed);
                let found = instance.get(F_N.name);
                let expected = normal_force(kind, forces, moments, position);
                assert!(
                    (found / expected - 1.0).abs() < 1e-15,
                    "{found} for {expected}"
                );
                contact.set(F_N.name, found);
                contact.set(v, speed);
                step(&mut instance, i, H);
                step(&mut contact, i, H);
                assert_eq!(
                    instance.get(force).to_bits(),
                    contact.get(force).to_bits(),
                    "{law}"
                );
            }
        }
    }
}

/// Largest error of F_R over its largest value, of a slider that a crank of 0.1 m draws by a rod of
/// 0.3 m at `speed` rad/s: its guide's force is that of the last communication step.
fn slider_crank(fmu: &Fmu, speed: f64, h: f64) -> f64 {
    const CRANK: f64 = 0.1;
    const ROD: f64 = 0.3;
    const MASS: f64 = 2.0;
    const MU: f64 = 0.3;
    let mut instance = stepping(fmu);
    let (mut guide, mut worst, mut largest) = (0.0_f64, 0.0_f64, 0.0_f64);
    let steps = (2.0 * core::f64::consts::TAU / (speed * h)) as u32;
    // Position of the slider, its derivatives, and the tangent of the angle of the rod.
    let motion = |t: f64| {
        let (sin, cos) = libm::sincos(speed * t);
        let (rise, length) = (
            CRANK * sin,
            libm::sqrt(ROD * ROD - CRANK * CRANK * sin * sin),
        );
        let (d_rise, dd_rise) = (speed * CRANK * cos, -speed * speed * CRANK * sin);
        let d_length = -rise * d_rise / length;
        let dd_length = -(d_rise * d_rise + rise * dd_rise + d_length * d_length) / length;
        let v = -speed * CRANK * sin + d_length;
        let a = -speed * speed * CRANK * cos + dd_length;
        (v, a, rise / length)
    };
    for i in 0..steps {
        let (v, ..) = motion(f64::from(i) * h);
        instance.set("v", v);
        instance.set("F_y", guide);
        step(&mut instance, i, h);
        let (v_end, a, tangent) = motion(f64::from(i + 1) * h);
        let force = instance.get("F_R");
        // The rod draws with m a + F_R along the guide: F_N = (m a + F_R) tan, all at one instant.
        guide = (MASS * a + force) * tangent;
        let sign = v_end.signum();
        let exact = [1.0, -1.0].map(|side| {
            let friction = MU * sign * side * tangent;
            friction * MASS * a / (1.0 - friction)
        });
        let exact = exact
            .into_iter()
            .find(|force| force * sign >= 0.0)
            .unwrap_or(0.0);
        // Reversals are left out: F_R follows v at the start of the step there.
        if v.signum() == v_end.signum() && v.abs().min(v_end.abs()) > 0.05 * speed * CRANK {
            worst = worst.max((force - exact).abs());
            largest = largest.max(exact.abs());
        }
    }
    worst / largest
}

#[test]
fn reactions_a_step_late_cost_an_error_of_first_order() {
    let mut card = with_reactions("Coulomb", ReactionJoint::Prismatic);
    card.parameters = card_of_mu(0.3);
    let fmu = element(card);
    for speed in [6.3, 31.0] {
        let errors = [1e-3, 5e-4, 2.5e-4].map(|h| slider_crank(&fmu, speed, h));
        println!("crank at {speed} rad/s: {errors:.4?} of the largest F_R at 1, 0.5, 0.25 ms");
        for pair in errors.windows(2) {
            let ratio = pair[0] / pair[1];
            assert!((1.8..2.2).contains(&ratio), "{speed} rad/s: {errors:?}");
        }
        assert!(errors[0] < 4.0 * speed * 1e-3, "{speed} rad/s: {errors:?}");
    }
}

fn card_of_mu(mu: f64) -> std::collections::BTreeMap<u32, bristle::catalogue::Setting> {
    card("Coulomb", &[("mu_d", mu)]).parameters
}
