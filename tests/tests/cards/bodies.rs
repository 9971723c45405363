//! Several contacts on one body: the section `[body]` of a card against monolithic solutions.

use super::block::{Block, FrDyn2};
use bristle::catalogue::{Card, CardBody, Contacts, Setting, Variant};
use bristle::coupling::COUPLING;
use bristle_importer::calling_sequence::InstanceState;
use bristle_importer::fmi2::{CO_SIMULATION, FmuState};
use bristle_importer::fmu::Fmu;
use bristle_importer::instance::Instance;
use bristle_importer::lifecycle::instance_in;
use bristle_tests::cards::{card, exporter, load, model, reference, stock};

pub const SERIAL: f64 = 1.0;
pub const PARALLEL: f64 = 2.0;
const HELD: f64 = 3.0;

/// A law with a smooth bristle, and those with modes.
const LAWS: [&str; 3] = ["FrDyn2", "SimpackStickSlip", "AdamsStickSlip"];

/// Card of a law with this many contacts on a body.
pub fn card_of(law: &str, contacts: usize, body: CardBody, coupling: f64) -> Card {
    let mut card = card(law, &[]);
    card.contacts = Some(Contacts {
        count: contacts as u32,
        ..Contacts::default()
    });
    card.body = Some(body);
    card.parameters.insert(
        COUPLING.reference,
        Setting {
            start: Some(coupling),
            ..Setting::default()
        },
    );
    card
}

/// Element of such a card.
pub fn element(law: &str, contacts: usize, body: CardBody, coupling: f64) -> Fmu {
    load(
        &exporter(),
        &Variant::new(model(law), card_of(law, contacts, body, coupling)).expect("a card"),
    )
}

/// Body of this mass (kg) that slides.
pub fn sliding(mass: f64) -> CardBody {
    CardBody {
        mass: Some(mass),
        ..CardBody::default()
    }
}

/// Steps an element with these inputs of its contacts; returns their forces, N.
pub fn advance(instance: &mut Instance, normal: &[f64], v: &[f64], t: f64, h: f64) -> Vec<f64> {
    for (i, (normal, v)) in normal.iter().zip(v).enumerate() {
        instance.set(&format!("F_N[{}]", i + 1), *normal);
        instance.set(&format!("v[{}]", i + 1), *v);
    }
    let status = instance.do_step(t, h);
    instance.ok(status);
    (1..=normal.len())
        .map(|i| instance.get(&format!("F_R[{i}]")))
        .collect()
}

/// Bounds of the errors of force and work for each step length. Measured with two contacts and
/// eight, serial and parallel: force 4e-4, 4e-3 and 0.15, work 2e-5, 3e-4 and 1.5e-2.
const BOUNDS: [(f64, [f64; 2]); 3] = [
    (1e-4, [1e-3, 1e-4]),
    (1e-3, [1e-2, 1e-3]),
    (1e-2, [0.2, 3e-2]),
];

#[test]
fn contacts_of_one_body_follow_the_monolithic_solution() {
    for (name, block) in [("two", Block::two()), ("eight", Block::eight())] {
        for coupling in [SERIAL, PARALLEL] {
            let fmu = element("FrDyn2", block.normal.len(), sliding(block.mass), coupling);
            for (h, bounds) in BOUNDS {
                let (errors, peak) = block.errors(&FrDyn2, &fmu, h, coupling == PARALLEL);
                println!("{name} contacts, {coupling}, {h:e} s: {errors:?}, {peak}");
                assert!(
                    errors[0] < bounds[0] && errors[1] < bounds[1],
                    "{name}, {coupling}, {h}: {errors:?}"
                );
                assert!(peak <= 2.0, "{name}, {coupling}, {h}: {peak} F_s");
            }
        }
    }
}

#[test]
fn every_law_with_a_bristle_sticks_with_its_body() {
    for law in [
        "FrDyn2",
        "FrDyn2Linear",
        "LuGre",
        "Dahl",
        "SimpackStickSlip",
        "AdamsStickSlip",
    ] {
        for coupling in [SERIAL, PARALLEL] {
            let mut card = card_of(law, 2, sliding(1.0), coupling);
            if law == "LuGre" {
                // Its bristle is hardly damped by default, and a body on it swings.
                let sigma_1 = reference(model(law), "sigma_1");
                card.parameters.insert(
                    sigma_1,
                    Setting {
                        start: Some(3000.0),
                        ..Setting::default()
                    },
                );
            }
            let fmu = load(
                &exporter(),
                &Variant::new(model(law), card).expect("a card"),
            );
            let mut instance = instance_in(&fmu, CO_SIMULATION, InstanceState::StepComplete);
            let (mut v, mut held, h) = (0.0, vec![0.0; 2], 1e-3);
            for step in 0..400_i32 {
                let t = h * f64::from(step);
                let new = advance(&mut instance, &[6.0, 4.0], &[v; 2], t, h);
                let used = if coupling == PARALLEL {
                    std::mem::replace(&mut held, new)
                } else {
                    new
                };
                v += h * ((8.0 * t).min(0.7) - used.iter().sum::<f64>());
            }
            // Dahl's bristle is not damped: the body swings on it.
            let [speed, swing] = if law == "Dahl" {
                [2e-2, 0.7]
            } else {
                [1e-3, 0.02]
            };
            assert!(v.abs() < speed, "{law}, {coupling}: {v}");
            let sum = instance.get("F_R[1]") + instance.get("F_R[2]");
            assert!((sum - 0.7).abs() < swing, "{law}, {coupling}: {sum}");
            let error = instance.get("E_loss_error[1]");
            // Dahl's and LuGre's bristles are hardly damped, or creep: their work in stick is that
            // of a swing, and small.
            let is_damped = law != "Dahl" && law != "LuGre";
            assert!(
                !is_damped || error.abs() < 0.01,
                "{law}, {coupling}: {error}"
            );
        }
    }
}

#[test]
fn diagonal_mass_matrix_gives_the_motion_of_separate_elements() {
    let body = CardBody {
        mass_matrix: vec![vec![2.0, 0.0], vec![0.0, 0.5]],
        ..CardBody::default()
    };
    for coupling in [SERIAL, PARALLEL] {
        let whole = element("FrDyn2", 2, body.clone(), coupling);
        let single = stock("FrDyn2");
        let separate = || {
            let mut instance = single.instantiate(CO_SIMULATION);
            instance.set_whole("coupling", coupling as i32);
            instance
        };
        let mut singles = [separate(), separate()];
        for (instance, mass) in singles.iter_mut().zip([2.0, 0.5]) {
            instance.set("m_eff", mass);
            let status = instance.enter_initialization_mode();
            instance.ok(status);
            let status = instance.exit_initialization_mode();
            instance.ok(status);
        }
        let mut whole = instance_in(&whole, CO_SIMULATION, InstanceState::StepComplete);
        // Each has its own loop: a force that is not applied is none of the observer's.
        let (mut v, mut held, h) = ([[0.0; 2]; 2], [vec![0.0; 2], vec![0.0; 2]], 1e-3);
        for step in 0..500_i32 {
            let t = h * f64::from(step);
            let of_whole = advance(&mut whole, &[10.0, 5.0], &v[0], t, h);
            let of_singles = singles.iter_mut().enumerate().map(|(i, single)| {
                single.set("F_N", [10.0, 5.0][i]);
                single.set("v", v[1][i]);
                let status = single.do_step(t, h);
                single.ok(status);
                single.get("F_R")
            });
            for (run, forces) in [of_whole, of_singles.collect()].into_iter().enumerate() {
                let used = if coupling == PARALLEL {
                    std::mem::replace(&mut held[run], forces)
                } else {
                    forces
                };
                for i in 0..2 {
                    let load = [8.0, 4.0][i] * libm::sin((12.0 + 5.0 * i as f64) * t);
                    v[run][i] += h * (load - used[i]) / [2.0, 0.5][i];
                }
            }
            for (i, (whole, single)) in v[0].iter().zip(&v[1]).enumerate() {
                let error = (whole - single).abs();
                assert!(error < 1e-4, "{coupling}, contact {i} at {t}: {error}");
            }
        }
    }
}

#[test]
fn body_that_turns_and_slides_comes_to_rest() {
    // Two contacts along x, above and below the centre of mass, and one along y at its side.
    let body = CardBody {
        mass: Some(2.0),
        inertia: Some(0.02),
        positions: vec![[0.0, 0.1], [0.0, -0.1], [0.15, 0.0]],
        directions: vec![[1.0, 0.0], [1.0, 0.0], [0.0, 1.0]],
        ..CardBody::default()
    };
    for coupling in [SERIAL, PARALLEL] {
        let fmu = element("FrDyn2", 3, body.clone(), coupling);
        let mut instance = instance_in(&fmu, CO_SIMULATION, InstanceState::StepComplete);
        // v_x, v_y and ω.
        let (mut motion, mut held, h) = ([0.3, -0.2, 2.0], vec![0.0; 3], 1e-3);
        for step in 0..1000_i32 {
            let [v_x, v_y, omega] = motion;
            let v = [v_x - 0.1 * omega, v_x + 0.1 * omega, v_y + 0.15 * omega];
            let new = advance(&mut instance, &[8.0, 7.0, 6.0], &v, h * f64::from(step), h);
            let used = if coupling == PARALLEL {
                std::mem::replace(&mut held, new)
            } else {
                new
            };
            motion[0] -= h * (used[0] + used[1]) / 2.0;
            motion[1] -= h * used[2] / 2.0;
            motion[2] -= h * (-0.1 * used[0] + 0.1 * used[1] + 0.15 * used[2]) / 0.02;
        }
        assert!(
            motion.iter().all(|speed| speed.abs() < 1e-6),
            "{coupling}: {motion:?}"
        );
        for i in 1..=3 {
            let force = instance.get(&format!("F_R[{i}]"));
            assert!(force.abs() < 1.01 * 0.6 * 8.0, "{coupling}: {force}");
        }
    }
}

#[test]
fn contact_that_opens_and_closes_leaves_the_others_stuck() {
    for (law, coupling) in LAWS
        .into_iter()
        .flat_map(|law| [(law, SERIAL), (law, PARALLEL)])
    {
        let fmu = element(law, 2, sliding(1.0), coupling);
        let mut instance = instance_in(&fmu, CO_SIMULATION, InstanceState::StepComplete);
        let (mut v, mut x, mut held, h) = (0.0, 0.0, vec![0.0; 2], 1e-3);
        for step in 0..600_i32 {
            let t = h * f64::from(step);
            let normal = [10.0, (8.0 * libm::sin(70.0 * t)).max(0.0)];
            let new = advance(&mut instance, &normal, &[v; 2], t, h);
            assert!(
                normal[1] > 0.0 || new[1] == 0.0,
                "{law}, {coupling}: an open contact has the normal force {}",
                new[1]
            );
            let used = if coupling == PARALLEL {
                std::mem::replace(&mut held, new)
            } else {
                new
            };
            v += h * ((20.0 * t).min(4.0) - used.iter().sum::<f64>());
            x += h * v;
        }
        println!("{law}, {coupling}: {v:e} m/s, {x:e} m");
        assert!(
            v.abs() < 1e-3 && x.abs() < 1e-4,
            "{law}, {coupling}: {v}, {x}"
        );
    }
}

#[test]
fn counterparts_at_different_speeds_are_no_motion_of_the_body() {
    // Two belts under one body that rests: the contacts slide at 0.2 and −0.1 m/s, and their forces
    // balance.
    for coupling in [SERIAL, PARALLEL] {
        let fmu = element("FrDyn2", 2, sliding(1.0), coupling);
        let mut instance = instance_in(&fmu, CO_SIMULATION, InstanceState::StepComplete);
        let (mut v, mut held, h) = (0.0, vec![0.0; 2], 1e-3);
        for step in 0..300_i32 {
            let new = advance(
                &mut instance,
                &[10.0; 2],
                &[v + 0.2, v - 0.1],
                h * f64::from(step),
                h,
            );
            let used = if coupling == PARALLEL {
                std::mem::replace(&mut held, new)
            } else {
                new
            };
            v -= h * used.iter().sum::<f64>();
        }
        let forces = [1, 2].map(|i| instance.get(&format!("F_R[{i}]")));
        assert!(
            (forces[0] - 3.0).abs() < 0.02 && (forces[1] + 3.0).abs() < 0.02,
            "{coupling}: {forces:?}"
        );
        assert!(v.abs() < 1e-2, "{coupling}: {v}");
    }
}

/// Asserts that `run` has the same bits again from the state of an instance: in that instance, in
/// another one from the serialised state, and whatever `disturb` does to the instance before it is
/// restored.
pub fn assert_state_repeats(
    fmu: &Fmu,
    instance: &mut Instance,
    run: impl Fn(&mut Instance) -> Vec<u64>,
    disturb: impl Fn(&mut Instance),
) {
    let mut state = FmuState::NULL;
    let status = instance.get_fmu_state(&mut state);
    instance.ok(status);
    let (status, bytes) = instance.serialize_fmu_state(state);
    instance.ok(status);
    let first = run(instance);
    for disturbed in [false, true] {
        let status = instance.set_fmu_state(state);
        instance.ok(status);
        if disturbed {
            disturb(instance);
            let status = instance.set_fmu_state(state);
            instance.ok(status);
        }
        assert_eq!(run(instance), first);
    }
    let mut other = instance_in(fmu, CO_SIMULATION, InstanceState::StepComplete);
    let mut copy = FmuState::NULL;
    let status = other.deserialize_fmu_state(&bytes, &mut copy);
    other.ok(status);
    let status = other.set_fmu_state(copy);
    other.ok(status);
    assert_eq!(run(&mut other), first);
    let status = instance.free_fmu_state(&mut state);
    instance.ok(status);
    let status = other.free_fmu_state(&mut copy);
    other.ok(status);
}

#[test]
fn saved_states_of_a_body_repeat_bit_for_bit() {
    for (law, coupling) in LAWS
        .into_iter()
        .flat_map(|law| [(law, SERIAL), (law, PARALLEL)])
    {
        let fmu = element(law, 3, sliding(1.0), coupling);
        let mut instance = instance_in(&fmu, CO_SIMULATION, InstanceState::StepComplete);
        let h = 1e-3;
        let run = |from: i32, instance: &mut Instance| -> Vec<u64> {
            let motion = |t: f64| 0.01 * libm::sin(50.0 * t);
            (from..from + 20)
                .flat_map(|step| {
                    let t = h * f64::from(step);
                    advance(instance, &[10.0, 5.0, 2.0], &[motion(t); 3], t, h)
                        .into_iter()
                        .map(f64::to_bits)
                })
                .collect()
        };
        run(0, &mut instance);
        assert_state_repeats(&fmu, &mut instance, |instance| run(20, instance), |_| ());
    }
}

#[test]
fn held_coupling_gives_the_bits_of_elements_alone() {
    let fmu = element("FrDyn2", 2, sliding(1.0), HELD);
    let single = stock("FrDyn2");
    let mut whole = instance_in(&fmu, CO_SIMULATION, InstanceState::StepComplete);
    let mut alone = instance_in(&single, CO_SIMULATION, InstanceState::StepComplete);
    for step in 0..200_i32 {
        let t = 1e-3 * f64::from(step);
        let v = 0.02 * libm::sin(31.0 * t);
        let forces = advance(&mut whole, &[10.0, 4.0], &[v, 0.5 * v], t, 1e-3);
        alone.set("F_N", 10.0);
        alone.set("v", v);
        let status = alone.do_step(t, 1e-3);
        alone.ok(status);
        assert_eq!(forces[0].to_bits(), alone.get("F_R").to_bits());
    }
    // The limit of held values is that of half the body at each contact.
    let mut half = single.instantiate(CO_SIMULATION);
    half.set("m_eff", 0.5);
    half.set_whole("coupling", HELD as i32);
    let status = half.enter_initialization_mode();
    half.ok(status);
    let status = half.exit_initialization_mode();
    half.ok(status);
    for (instance, name) in [(&mut half, "F_N"), (&mut whole, "F_N[1]")] {
        instance.set(name, 10.0);
    }
    half.set("v", 0.0);
    let fresh = element("FrDyn2", 2, sliding(1.0), HELD);
    let mut fresh = instance_in(&fresh, CO_SIMULATION, InstanceState::StepComplete);
    advance(&mut fresh, &[10.0; 2], &[0.0; 2], 0.0, 1e-4);
    let status = half.do_step(0.0, 1e-4);
    half.ok(status);
    assert_eq!(fresh.get("H_max[1]").to_bits(), half.get("H_max").to_bits());
}

#[test]
fn wrong_order_and_wrong_inertia_are_named() {
    for (mass, coupling, word) in [
        (1.0, PARALLEL, "set coupling to serial"),
        (2.5, SERIAL, "times the inertia"),
    ] {
        let fmu = element("FrDyn2", 2, sliding(mass), coupling);
        let mut instance = instance_in(&fmu, CO_SIMULATION, InstanceState::StepComplete);
        instance.take_log();
        let (mut v, h) = (0.0, 1e-3);
        for step in 0..1000_i32 {
            let t = h * f64::from(step);
            let forces = advance(&mut instance, &[5.0; 2], &[v; 2], t, h);
            v += h * (5.0 * libm::sin(10.0 * t) - forces.iter().sum::<f64>());
        }
        let log = instance.take_log();
        let warnings: Vec<_> = log
            .iter()
            .filter(|entry| entry.text.contains(word))
            .collect();
        assert_eq!(warnings.len(), 1, "{mass} kg, {coupling}: {log:#?}");
    }
}
