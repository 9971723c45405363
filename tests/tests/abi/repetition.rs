//! Repetition: same inputs give same bits after a reset and beside other instances.

use bristle_importer::calling_sequence::{InstanceState, states};
use bristle_importer::co_simulation::Master;
use bristle_importer::fmi2::{CO_SIMULATION, MODEL_EXCHANGE, Status};
use bristle_importer::fmu::Fmu;
use bristle_importer::instance::Instance;
use bristle_importer::lifecycle::{bring, instance_in};
use bristle_reference_laws::workloads::{HEAVY, SLIDING_SINE, Workload, steps};

#[test]
fn reset_restores_start_values_from_every_state() {
    let fmu = Fmu::packaged("FrDyn2");
    for interface in [CO_SIMULATION, MODEL_EXCHANGE] {
        for &state in states(interface) {
            let mut instance = fmu.instantiate(interface);
            for (name, value) in [("mu_s", 0.8), ("z", 1e-7), ("v", 0.3), ("F_N", 5.0)] {
                instance.set(name, value);
            }
            bring(&mut instance, state);
            let status = instance.reset();
            instance.ok(status);
            bring(&mut instance, InstanceState::Initialization);
            for variable in &fmu.description.variables {
                if let Some(start) = &variable.start {
                    assert_eq!(
                        instance.get_any(&variable.name),
                        start.parse::<f64>().expect("a number")
                    );
                }
            }
        }
    }
}

#[test]
fn runs_repeat_bit_for_bit_after_reset() {
    let fmu = Fmu::packaged("FrDyn2");
    let mut instance = fmu.instantiate(CO_SIMULATION);
    let fresh = simulate(&mut instance);
    // Everything that a reset must undo: tolerance, time, stop time, parameters, pending input
    // derivatives.
    let status = instance.reset();
    instance.ok(status);
    let status = instance.setup_experiment(Some(1e-3), 5.0, Some(6.0));
    instance.ok(status);
    instance.set("v_s", 2e-3);
    let status = instance.enter_initialization_mode();
    instance.ok(status);
    let status = instance.exit_initialization_mode();
    instance.ok(status);
    instance.set("F_N", 100.0);
    instance.set("v", 5e-3);
    let status = instance.do_step(5.0, 0.1);
    assert_eq!(status, Status::OK);
    let v = fmu.description.reference("v");
    let status = instance.set_real_input_derivatives(&[v, v], &[1, 2], &[1.0, 2.0]);
    instance.ok(status);
    let status = instance.reset();
    instance.ok(status);
    assert_eq!(simulate(&mut instance), fresh);
}

/// The bits of some outputs over a tenth of a second.
fn simulate(instance: &mut Instance) -> Vec<[u64; 3]> {
    bring(instance, InstanceState::StepComplete);
    let outputs = ["F_R", "z", "E_loss"];
    steps(0.1, 1e-3)
        .map(|t| {
            let contact = SLIDING_SINE.contact(t);
            instance.set("F_N", contact.F_N);
            instance.set("v", contact.v);
            let status = instance.do_step(t, 1e-3);
            instance.ok(status);
            outputs.map(|name| instance.get(name).to_bits())
        })
        .collect()
}

#[test]
fn interleaved_instances_are_independent() {
    let fmu = Fmu::packaged("FrDyn2");
    let workloads: [&Workload; 2] = [&SLIDING_SINE, &HEAVY];
    let alone = workloads.map(|workload| {
        let mut element = Master::with_parameters(&fmu, &workload.parameters);
        steps(0.2, 1e-3)
            .map(|t| element.step(workload.contact(t), t, 1e-3).to_bits())
            .collect::<Vec<_>>()
    });
    let mut elements =
        workloads.map(|workload| Master::with_parameters(&fmu, &workload.parameters));
    for (n, t) in steps(0.2, 1e-3).enumerate() {
        for (i, (element, workload)) in elements.iter_mut().zip(workloads).enumerate() {
            assert_eq!(
                element.step(workload.contact(t), t, 1e-3).to_bits(),
                alone[i][n],
                "instance {i}, step {n}"
            );
        }
        // A third one comes and goes meanwhile.
        drop(instance_in(
            &fmu,
            MODEL_EXCHANGE,
            InstanceState::ContinuousTime,
        ));
    }
}
