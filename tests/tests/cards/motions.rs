//! Rotational, planar and several contacts, and the points of a plate, against elements of one
//! translational contact or point.

use bristle::catalogue::{Card, ELEMENTS, Variant};
use bristle::element::RADIUS;
use bristle_importer::calling_sequence::InstanceState;
use bristle_importer::fmi2::{CO_SIMULATION, FmuState, MODEL_EXCHANGE, Status};
use bristle_importer::fmu::Fmu;
use bristle_importer::instance::Instance;
use bristle_importer::lifecycle::instance_in;
use bristle_random::Random;
use bristle_tests::cards::{card, complete, exporter, load, model, patch, rotational, several};

pub const STEPS: u32 = 300;

pub fn element(card: Card) -> Fmu {
    let law = model(&card.law);
    load(
        &exporter(),
        &Variant::new(law, card).unwrap_or_else(|refusal| panic!("{refusal}")),
    )
}

pub fn stepping(fmu: &Fmu) -> Instance<'_> {
    instance_in(fmu, CO_SIMULATION, InstanceState::StepComplete)
}

pub fn step(instance: &mut Instance, i: u32, h: f64) {
    let status = instance.do_step(f64::from(i) * h, h);
    instance.ok(status);
}

/// A velocity that rests, sticks, slides and turns.
fn velocity(random: &mut Random) -> f64 {
    let size = random.magnitude(1e-6, 0.1);
    if random.once_in(10) {
        0.0
    } else {
        random.sign(size)
    }
}

#[test]
fn rotational_element_has_the_bits_of_the_translational_one_at_v_equal_to_r_omega() {
    // A power of two: the products are exact.
    const RADIUS: f64 = 0.25;
    for law in &ELEMENTS {
        let name = law.metadata.name;
        let (fmu, stock) = (element(rotational(name, RADIUS)), Fmu::packaged(name));
        let (mut turning, mut straight) = (stepping(&fmu), stepping(&stock));
        let mut random = Random::new(31);
        let has = |fmu: &Fmu, name: &str| {
            fmu.description
                .variables
                .iter()
                .any(|variable| variable.name == name)
        };
        for i in 0..STEPS {
            let (normal, v) = (random.between(-1.0, 20.0), velocity(&mut random));
            let (a, force) = (random.between(-1.0, 1.0), random.between(-10.0, 10.0));
            for instance in [&mut turning, &mut straight] {
                instance.set("F_N", normal);
            }
            turning.set("omega", v / RADIUS);
            straight.set("v", v);
            if has(&stock, "a") {
                turning.set("omega_dot", a / RADIUS);
                straight.set("a", a);
            }
            if has(&stock, "F_t") {
                turning.set("M_t", force * RADIUS);
                straight.set("F_t", force);
            }
            if random.once_in(3) {
                let slope = random.between(-1.0, 1.0);
                let status = turning.set_real_input_derivatives(&[1], &[1], &[slope / RADIUS]);
                turning.ok(status);
                let status = straight.set_real_input_derivatives(&[1], &[1], &[slope]);
                straight.ok(status);
            }
            let statuses = [&mut turning, &mut straight]
                .map(|instance| instance.do_step(f64::from(i) * 1e-4, 1e-4));
            assert_eq!(statuses[0], statuses[1], "{name}");
            let [torque, force] = [turning.get("M_R"), straight.get("F_R")];
            assert_eq!(
                torque.to_bits(),
                (force * RADIUS).to_bits(),
                "{name} in step {i}"
            );
            for output in ["E_loss", "P_loss", "v_slip"] {
                assert_eq!(
                    turning.get(output).to_bits(),
                    straight.get(output).to_bits(),
                    "{name}: {output}"
                );
            }
        }
    }
}

#[test]
fn body_observer_of_a_rotational_element_is_that_of_the_mass_j_over_r_squared() {
    const RADIUS: f64 = 0.5;
    for name in ["FrDyn2", "FrDyn2Linear", "LuGre", "Dahl"] {
        let [fmu, stock] = [rotational(name, RADIUS), card(name, &[])]
            .map(|card| load(&exporter(), &complete(card)));
        let (mut turning, mut straight) = (stepping(&fmu), stepping(&stock));
        turning.set("J_eff", 1.0 * RADIUS * RADIUS);
        straight.set("m_eff", 1.0);
        let mut random = Random::new(5);
        for i in 0..STEPS {
            let v = 1e-3 * random.between(-1.0, 1.0);
            for instance in [&mut turning, &mut straight] {
                instance.set("F_N", 10.0);
            }
            turning.set("omega", v / RADIUS);
            straight.set("v", v);
            for instance in [&mut turning, &mut straight] {
                step(instance, i, 1e-3);
            }
            let [torque, force] = [turning.get("M_R"), straight.get("F_R")];
            assert_eq!(
                torque.to_bits(),
                (force * RADIUS).to_bits(),
                "{name} in step {i}"
            );
            let [mean, expected] = [turning.get("M_R_mean"), straight.get("F_R_mean")];
            assert_eq!(
                mean.to_bits(),
                (expected * RADIUS).to_bits(),
                "{name}: mean"
            );
        }
    }
}

#[test]
fn radius_may_change_while_it_runs() {
    let fmu = element(rotational("FrDyn2", 0.25));
    let mut instance = stepping(&fmu);
    instance.set("F_N", 10.0);
    instance.set("omega", 2.0);
    step(&mut instance, 0, 1e-2);
    assert!(
        (instance.get("M_R") - 0.75).abs() < 1e-5,
        "{}",
        instance.get("M_R")
    );
    instance.set("radius", 0.5);
    step(&mut instance, 1, 1e-2);
    assert!(
        (instance.get("M_R") - 1.5).abs() < 1e-5,
        "{}",
        instance.get("M_R")
    );
    assert!(instance.set_real(&[RADIUS.reference], &[0.0]) == Status::Error);
}

#[test]
fn each_of_several_contacts_has_the_bits_of_an_element_alone() {
    const COUNT: usize = 4;
    for law in &ELEMENTS {
        let name = law.metadata.name;
        let parameter = law.metadata.parameters.first().expect("a parameter").name;
        let (fmu, stock) = (
            element(several(name, COUNT as u32, &[parameter])),
            Fmu::packaged(name),
        );
        let mut together = stepping(&fmu);
        let mut alone: Vec<_> = (0..COUNT).map(|_| stepping(&stock)).collect();
        let mut random = Random::new(17);
        let start = alone[0].get(parameter);
        for i in 0..STEPS {
            for (place, single) in (1..).zip(&mut alone) {
                let (normal, v) = (random.between(-1.0, 20.0), velocity(&mut random));
                let own = if i == 100 + place {
                    Some(1.01 * start)
                } else {
                    None
                };
                for (input, value) in [("F_N", normal), ("v", v)] {
                    together.set(&format!("{input}[{place}]"), value);
                    single.set(input, value);
                }
                if let Some(value) = own {
                    together.set(&format!("{parameter}[{place}]"), value);
                    single.set(parameter, value);
                }
            }
            let status = together.do_step(f64::from(i) * 1e-4, 1e-4);
            let single: Vec<_> = alone
                .iter_mut()
                .map(|single| single.do_step(f64::from(i) * 1e-4, 1e-4))
                .collect();
            assert_eq!(Some(&status), single.iter().max(), "{name}");
            for (place, single) in (1..).zip(&mut alone) {
                for output in ["F_R", "E_loss", "v_slip"] {
                    let found = together.get(&format!("{output}[{place}]"));
                    assert_eq!(
                        found.to_bits(),
                        single.get(output).to_bits(),
                        "{name}: {output}[{place}] in step {i}"
                    );
                }
            }
        }
    }
}

#[test]
fn refused_step_leaves_every_contact_as_it_was() {
    for m_eff in [0.0, 0.5] {
        let fmu = element(several("Dahl", 3, &[]));
        let [mut instance, mut twin] = [stepping(&fmu), stepping(&fmu)];
        let names: Vec<_> = (1..=3)
            .flat_map(|i| {
                [
                    format!("F_R[{i}]"),
                    format!("z[{i}]"),
                    format!("E_loss[{i}]"),
                ]
            })
            .collect();
        for instance in [&mut instance, &mut twin] {
            instance.set("m_eff", m_eff);
            for place in 1..=3 {
                instance.set(&format!("F_N[{place}]"), 10.0);
                instance.set(&format!("v[{place}]"), 1e-3);
            }
            step(instance, 0, 1e-3);
        }
        // The last contact cannot make the step: its power overflows.
        instance.set("v[3]", 1e200);
        instance.set("F_N[3]", 1e200);
        let status = instance.do_step(1e-3, 1e-3);
        assert!(
            instance.complaint(status).contains("too large"),
            "m_eff = {m_eff} kg"
        );
        for name in &names {
            assert_eq!(
                instance.get(name),
                twin.get(name),
                "{name} after the refusal, m_eff = {m_eff} kg"
            );
        }
        instance.set("v[3]", 1e-3);
        instance.set("F_N[3]", 10.0);
        for instance in [&mut instance, &mut twin] {
            step(instance, 1, 1e-3);
        }
        for name in &names {
            assert_eq!(
                instance.get(name),
                twin.get(name),
                "{name} a step later, m_eff = {m_eff} kg"
            );
        }
    }
}

#[test]
fn refused_step_of_a_plate_leaves_its_points_without_time_derivatives() {
    let corners = [[0.1, 0.1], [-0.1, 0.1], [-0.1, -0.1]];
    let fmu = element(patch("Dahl", &corners, &[]));
    let [mut plate, mut twin] = [stepping(&fmu), stepping(&fmu)];
    for plate in [&mut plate, &mut twin] {
        for place in 1..=3 {
            plate.set(&format!("F_N[{place}]"), 10.0);
        }
        plate.set("v_x", 1e-3);
        step(plate, 0, 1e-3);
    }
    let v_x = fmu.description.reference("v_x");
    let status = plate.set_real_input_derivatives(&[v_x], &[1], &[10.0]);
    plate.ok(status);
    plate.set("v_x", 1e153);
    plate.set("F_N[3]", 1e200);
    let status = plate.do_step(1e-3, 1e-3);
    assert!(plate.complaint(status).contains("too large"));
    plate.set("v_x", 1e-3);
    plate.set("F_N[3]", 10.0);
    let status = plate.set_real_input_derivatives(&[v_x], &[1], &[0.0]);
    plate.ok(status);
    for plate in [&mut plate, &mut twin] {
        step(plate, 1, 1e-3);
    }
    for output in ["F_R_x", "F_R_y", "M_R", "E_loss"] {
        assert_eq!(
            plate.get(output).to_bits(),
            twin.get(output).to_bits(),
            "{output}"
        );
    }
}

#[test]
fn saved_state_of_several_contacts_and_of_a_plate_repeats_bit_for_bit() {
    let corners = [[0.1, 0.1], [-0.1, 0.1], [-0.1, -0.1], [0.1, -0.1]];
    for (card, inputs, outputs) in [
        (
            several("LuGre", 3, &[]),
            vec!["F_N[1]", "v[1]", "F_N[3]", "v[3]"],
            vec!["F_R[1]", "F_R[3]", "E_loss[3]"],
        ),
        (
            patch("FrDyn2Linear", &corners, &[0.25; 4]),
            vec!["F_N", "v_x", "v_y", "omega"],
            vec!["F_R_x", "F_R_y", "M_R", "E_loss"],
        ),
    ] {
        let fmu = element(card);
        let mut instance = stepping(&fmu);
        let mut random = Random::new(3);
        let mut excite = |instance: &mut Instance, i: u32| {
            for input in &inputs {
                let value = if input.starts_with("F_N") {
                    random.between(1.0, 20.0)
                } else {
                    1e-2 * random.between(-1.0, 1.0)
                };
                instance.set(input, value);
            }
            step(instance, i, 1e-4);
        };
        for i in 0..50 {
            excite(&mut instance, i);
        }
        let mut state = FmuState::NULL;
        let status = instance.get_fmu_state(&mut state);
        instance.ok(status);
        let (status, bytes) = instance.serialize_fmu_state(state);
        instance.ok(status);
        let mut results = Vec::new();
        for _ in 0..2 {
            step(&mut instance, 50, 1e-4);
            step(&mut instance, 51, 1e-4);
            results.push(
                outputs
                    .iter()
                    .map(|name| instance.get(name).to_bits())
                    .collect::<Vec<_>>(),
            );
            let status = instance.set_fmu_state(state);
            instance.ok(status);
        }
        let mut copy = FmuState::NULL;
        let status = instance.deserialize_fmu_state(&bytes, &mut copy);
        instance.ok(status);
        let status = instance.set_fmu_state(copy);
        instance.ok(status);
        step(&mut instance, 50, 1e-4);
        step(&mut instance, 51, 1e-4);
        results.push(
            outputs
                .iter()
                .map(|name| instance.get(name).to_bits())
                .collect::<Vec<_>>(),
        );
        assert!(results[0] == results[1] && results[0] == results[2]);
        for state in [&mut state, &mut copy] {
            let status = instance.free_fmu_state(state);
            instance.ok(status);
        }
    }
}

#[test]
fn model_exchange_has_the_states_of_every_contact() {
    let fmu = element(several("FrDyn2", 3, &[]));
    let stock = Fmu::packaged("FrDyn2");
    let mut together = instance_in(&fmu, MODEL_EXCHANGE, InstanceState::ContinuousTime);
    let mut alone = instance_in(&stock, MODEL_EXCHANGE, InstanceState::ContinuousTime);
    let states = [1e-7, 1e-4, 2e-7, -1e-4, -3e-7, 2e-4];
    let status = together.set_continuous_states(&states);
    together.ok(status);
    for place in 1..=3 {
        together.set(&format!("F_N[{place}]"), 10.0 * f64::from(place));
        together.set(&format!("v[{place}]"), 1e-4 * f64::from(place));
    }
    let mut derivatives = [f64::NAN; 6];
    let status = together.get_derivatives(&mut derivatives);
    together.ok(status);
    for place in 1..=3_usize {
        alone.set("F_N", 10.0 * place as f64);
        alone.set("v", 1e-4 * place as f64);
        let status = alone.set_continuous_states(&states[2 * place - 2..2 * place]);
        alone.ok(status);
        let mut expected = [f64::NAN; 2];
        let status = alone.get_derivatives(&mut expected);
        alone.ok(status);
        assert_eq!(derivatives[2 * place - 2..2 * place], expected);
    }
    let status = together.set_continuous_states(&states[..5]);
    assert!(together.complaint(status).contains("6 states"));
}
