//! FMU states: restored states repeat bit for bit, in memory and as bytes, and a foreign or damaged
//! state is refused with a sentence and leaves it alone.

use bristle_importer::calling_sequence::{InstanceState, states};
use bristle_importer::co_simulation::Master;
use bristle_importer::fmi2::{CO_SIMULATION, FmuState, MODEL_EXCHANGE, Status};
use bristle_importer::fmu::Fmu;
use bristle_importer::instance::Instance;
use bristle_importer::lifecycle::{bring, initialize, instance_in};
use bristle_importer::raw;
use bristle_reference_laws::workloads::{HEAVY, JUMPS, LIFTED, MICRO_SINE, SLIDING_SINE, Workload};

const H: f64 = 1e-3;
/// Steps from one state to the next.
const LEG: u32 = 50;

/// Bits of all variables of an instance.
fn bits(instance: &mut Instance) -> Vec<u64> {
    let variables = &instance.fmu().description.variables;
    variables
        .iter()
        .map(|variable| instance.get_any(&variable.name).to_bits())
        .collect()
}

/// The bits after every step of the leg that begins with step `first`.
fn leg(element: &mut Master, workload: &Workload, first: u32) -> Vec<Vec<u64>> {
    let step = |n| {
        let t = f64::from(n) * H;
        element.step(workload.contact(t), t, H);
        bits(&mut element.instance)
    };
    (first..first + LEG).map(step).collect()
}

fn get(instance: &mut Instance) -> FmuState {
    let mut state = FmuState::NULL;
    let status = instance.get_fmu_state(&mut state);
    instance.ok(status);
    state
}

fn set(instance: &mut Instance, state: FmuState) {
    let status = instance.set_fmu_state(state);
    instance.ok(status);
}

fn free(instance: &mut Instance, mut state: FmuState) {
    let status = instance.free_fmu_state(&mut state);
    instance.ok(status);
}

fn bytes(instance: &mut Instance, state: FmuState) -> Vec<u8> {
    let (status, bytes) = instance.serialize_fmu_state(state);
    instance.ok(status);
    bytes
}

#[test]
fn steps_from_a_restored_state_repeat_bit_for_bit() {
    let fmu = Fmu::packaged("FrDyn2");
    for workload in [&SLIDING_SINE, &MICRO_SINE, &HEAVY, &LIFTED, &JUMPS] {
        let mut element = Master::with_parameters(&fmu, &workload.parameters);
        for first in (0..4).map(|n| n * LEG) {
            let state = get(&mut element.instance);
            let before = bits(&mut element.instance);
            let run = leg(&mut element, workload, first);
            // Twice: the first return must leave no trace in the state itself.
            for _ in 0..2 {
                set(&mut element.instance, state);
                assert_eq!(bits(&mut element.instance), before, "{}", workload.name);
                assert_eq!(leg(&mut element, workload, first), run, "{}", workload.name);
            }
            free(&mut element.instance, state);
        }
    }
}

#[test]
fn steps_from_bytes_in_another_instance_repeat_bit_for_bit() {
    let fmu = Fmu::packaged("FrDyn2");
    for workload in [&SLIDING_SINE, &HEAVY] {
        let mut element = Master::with_parameters(&fmu, &workload.parameters);
        leg(&mut element, workload, 0);
        let state = get(&mut element.instance);
        let bytes = bytes(&mut element.instance, state);
        free(&mut element.instance, state);
        let run = leg(&mut element, workload, LEG);
        // The other one comes from another library, another tolerance and another place.
        let other_fmu = Fmu::packaged("FrDyn2");
        let mut other = Master::start(&other_fmu, &[("mu_s", 0.9), ("z", 1e-7)]);
        let mut state = FmuState::NULL;
        let status = other.instance.deserialize_fmu_state(&bytes, &mut state);
        other.instance.ok(status);
        set(&mut other.instance, state);
        assert_eq!(leg(&mut other, workload, LEG), run, "{}", workload.name);
        free(&mut other.instance, state);
    }
}

#[test]
fn pending_input_derivatives_are_part_of_the_state() {
    let fmu = Fmu::packaged("FrDyn2");
    let [normal_force, v] = ["F_N", "v"].map(|name| fmu.description.reference(name));
    let mut element = Master::with_parameters(&fmu, &SLIDING_SINE.parameters);
    leg(&mut element, &SLIDING_SINE, 0);
    let start = f64::from(LEG) * H;
    let status = element.instance.set_real_input_derivatives(
        &[v, v, normal_force],
        &[1, 2, 1],
        &[3.0, -200.0, 50.0],
    );
    element.instance.ok(status);
    let state = get(&mut element.instance);
    let bytes = bytes(&mut element.instance, state);
    let contact = SLIDING_SINE.contact(start);
    let force = element.step(contact, start, H);
    let slope = output_slope(&mut element.instance);
    let then = element.step(contact, start + H, H);

    set(&mut element.instance, state);
    assert_eq!(element.step(contact, start, H).to_bits(), force.to_bits());
    assert_eq!(
        output_slope(&mut element.instance).to_bits(),
        slope.to_bits()
    );
    free(&mut element.instance, state);

    let mut other = Master::start(&fmu, &[]);
    let mut state = FmuState::NULL;
    let status = other.instance.deserialize_fmu_state(&bytes, &mut state);
    other.instance.ok(status);
    set(&mut other.instance, state);
    assert_eq!(other.step(contact, start, H).to_bits(), force.to_bits());
    assert_eq!(other.step(contact, start + H, H).to_bits(), then.to_bits());
    free(&mut other.instance, state);

    // The pending derivatives change the force.
    let mut held = Master::with_parameters(&fmu, &SLIDING_SINE.parameters);
    leg(&mut held, &SLIDING_SINE, 0);
    assert_ne!(held.step(contact, start, H), force);
}

/// dF_R/dt.
fn output_slope(instance: &mut Instance) -> f64 {
    let mut slope = [f64::NAN];
    let force = instance.fmu().description.reference("F_R");
    let status = instance.get_real_output_derivatives(&[force], &[1], &mut slope);
    instance.ok(status);
    slope[0]
}

#[test]
fn model_exchange_state_is_restored() {
    let fmu = Fmu::packaged("FrDyn2");
    let mut instance = instance_in(&fmu, MODEL_EXCHANGE, InstanceState::ContinuousTime);
    instance.set("F_N", 9.81);
    let walk = |instance: &mut Instance, first: u32| -> Vec<Vec<u64>> {
        let step = |n| {
            let t = f64::from(n) * 1e-5;
            let status = instance.set_time(t);
            instance.ok(status);
            instance.set("v", 0.01 * t);
            let status = instance.set_continuous_states(&[1e-3 * t, 2e-3 * t]);
            instance.ok(status);
            let (status, ..) = instance.completed_integrator_step();
            instance.ok(status);
            bits(instance)
        };
        (first..first + LEG).map(step).collect()
    };
    walk(&mut instance, 0);
    let state = get(&mut instance);
    let run = walk(&mut instance, LEG);
    set(&mut instance, state);
    assert_eq!(walk(&mut instance, LEG), run);
    let bytes = bytes(&mut instance, state);
    free(&mut instance, state);

    let mut other = fmu.instantiate(MODEL_EXCHANGE);
    let mut state = FmuState::NULL;
    let status = other.deserialize_fmu_state(&bytes, &mut state);
    other.ok(status);
    set(&mut other, state);
    assert_eq!(walk(&mut other, LEG), run);
    free(&mut other, state);
}

#[test]
fn restored_state_includes_the_instance_state() {
    let fmu = Fmu::packaged("FrDyn2");
    for interface in [CO_SIMULATION, MODEL_EXCHANGE] {
        for &mode in states(interface) {
            let mut instance = instance_in(&fmu, interface, mode);
            let state = get(&mut instance);
            for &elsewhere in states(interface) {
                let status = instance.reset();
                instance.ok(status);
                bring(&mut instance, elsewhere);
                set(&mut instance, state);
                // A call that this state alone allows or refuses.
                let status = match mode {
                    InstanceState::Instantiated => instance.setup_experiment(None, 0.0, None),
                    InstanceState::Initialization => instance.exit_initialization_mode(),
                    InstanceState::StepComplete => instance.do_step(0.0, H),
                    InstanceState::Event => instance.enter_continuous_time_mode(),
                    InstanceState::ContinuousTime => instance.completed_integrator_step().0,
                    InstanceState::Terminated => {
                        let status = instance.terminate();
                        assert_eq!(status, Status::Error);
                        Status::OK
                    }
                };
                instance.ok(status);
            }
            free(&mut instance, state);
        }
    }
}

#[test]
fn stop_time_tolerance_and_time_are_part_of_the_state() {
    let fmu = Fmu::packaged("FrDyn2");
    let mut strict = fmu.instantiate(CO_SIMULATION);
    initialize(&mut strict, Some(1e-3), 5.0, Some(6.0));
    let state = get(&mut strict);
    let mut other = instance_in(&fmu, CO_SIMULATION, InstanceState::Instantiated);
    set(&mut other, state);
    for instance in [&mut strict, &mut other] {
        instance.set("F_N", 9.81);
        instance.set("v", 5e-3);
        let status = instance.do_step(5.0, 1.1);
        assert!(instance.complaint(status).contains("stopTime"));
        let status = instance.do_step(5.0, 0.5);
        instance.ok(status);
    }
    assert_eq!(bits(&mut strict), bits(&mut other));
    free(&mut strict, state);
}

#[test]
fn damaged_and_foreign_bytes_are_refused() {
    let fmu = Fmu::packaged("FrDyn2");
    let mut element = Master::with_parameters(&fmu, &SLIDING_SINE.parameters);
    leg(&mut element, &SLIDING_SINE, 0);
    let state = get(&mut element.instance);
    let good = bytes(&mut element.instance, state);
    free(&mut element.instance, state);
    let before = bits(&mut element.instance);

    let mut bad: Vec<Vec<u8>> = Vec::new();
    bad.extend(
        (0..good.len())
            .step_by(7)
            .map(|length| good[..length].to_vec()),
    );
    bad.push([&good[..], &[0]].concat());
    for i in 0..good.len() {
        for change in [0x01, 0x80, 0xff] {
            let mut altered = good.clone();
            altered[i] ^= change;
            bad.push(altered);
        }
    }
    bad.extend([
        vec![0; good.len()],
        vec![0xff; good.len()],
        b"FMU state of another tool".to_vec(),
    ]);
    bad.push(good.iter().rev().copied().collect());
    println!(
        "{} bytes, {} spoilt versions of them",
        good.len(),
        bad.len()
    );
    for bad in bad {
        let mut state = FmuState::NULL;
        let status = element.instance.deserialize_fmu_state(&bad, &mut state);
        let said = element.instance.complaint(status);
        assert!(said.contains("unchanged bytes"), "{said}");
        assert_eq!(state, FmuState::NULL);
    }
    assert_eq!(bits(&mut element.instance), before);
}

#[test]
fn refused_deserialisation_keeps_the_state() {
    let fmu = Fmu::packaged("FrDyn2");
    let mut element = Master::with_parameters(&fmu, &SLIDING_SINE.parameters);
    let mut state = get(&mut element.instance);
    let (held, before) = (state, bytes(&mut element.instance, state));
    leg(&mut element, &SLIDING_SINE, 0);
    let status = element
        .instance
        .deserialize_fmu_state(&before[1..], &mut state);
    element.instance.complaint(status);
    assert_eq!(state, held);
    assert_eq!(bytes(&mut element.instance, state), before);
    free(&mut element.instance, state);
}

#[test]
fn state_of_the_other_interface_is_refused() {
    let fmu = Fmu::packaged("FrDyn2");
    let mut co_simulation = instance_in(&fmu, CO_SIMULATION, InstanceState::StepComplete);
    let mut model_exchange = instance_in(&fmu, MODEL_EXCHANGE, InstanceState::Event);
    co_simulation.set("mu_s", 0.7);
    model_exchange.set("mu_s", 0.8);
    let states = [get(&mut co_simulation), get(&mut model_exchange)];
    let status = model_exchange.set_fmu_state(states[0]);
    assert!(model_exchange.complaint(status).contains("Co-Simulation"));
    let status = co_simulation.set_fmu_state(states[1]);
    assert!(co_simulation.complaint(status).contains("Model Exchange"));
    assert_eq!(
        (co_simulation.get("mu_s"), model_exchange.get("mu_s")),
        (0.7, 0.8)
    );
    let status = co_simulation.do_step(0.0, H);
    co_simulation.ok(status);
    let status = model_exchange.enter_continuous_time_mode();
    model_exchange.ok(status);
    free(&mut co_simulation, states[0]);
    free(&mut model_exchange, states[1]);
}

#[test]
fn serialisation_needs_a_buffer_of_the_reported_size() {
    let fmu = Fmu::packaged("FrDyn2");
    let mut instance = instance_in(&fmu, CO_SIMULATION, InstanceState::StepComplete);
    let state = get(&mut instance);
    let good = bytes(&mut instance, state);
    for room in [0, 1, good.len() - 1] {
        let mut buffer = vec![0xaa_u8; room];
        let status = raw!(
            instance,
            serialize_fmu_state,
            state,
            buffer.as_mut_ptr().cast(),
            room
        );
        assert!(
            instance
                .complaint(status)
                .contains("fmi2SerializedFMUstateSize")
        );
        assert!(
            buffer.iter().all(|byte| *byte == 0xaa),
            "nothing is written"
        );
    }
    let room = good.len() + 100;
    let mut buffer = vec![0xaa_u8; room];
    instance.ok(raw!(
        instance,
        serialize_fmu_state,
        state,
        buffer.as_mut_ptr().cast(),
        room
    ));
    assert_eq!(buffer[..good.len()], good);
    assert!(
        buffer[good.len()..].iter().all(|byte| *byte == 0xaa),
        "nothing is written beyond"
    );
    free(&mut instance, state);
}

#[test]
fn state_memory_is_reused() {
    let fmu = Fmu::packaged("FrDyn2");
    let mut element = Master::with_parameters(&fmu, &SLIDING_SINE.parameters);
    let mut state = get(&mut element.instance);
    let place = state;
    let first = bytes(&mut element.instance, state);
    leg(&mut element, &SLIDING_SINE, 0);
    let status = element.instance.get_fmu_state(&mut state);
    element.instance.ok(status);
    assert_eq!(state, place, "the same memory");
    let second = bytes(&mut element.instance, state);
    assert_ne!(first, second, "with the new content");
    let status = element.instance.deserialize_fmu_state(&first, &mut state);
    element.instance.ok(status);
    assert_eq!(state, place, "the same memory");
    assert_eq!(bytes(&mut element.instance, state), first);
    free(&mut element.instance, state);
}

#[test]
fn state_outlives_its_instance() {
    let fmu = Fmu::packaged("FrDyn2");
    let mut first = Master::with_parameters(&fmu, &SLIDING_SINE.parameters);
    leg(&mut first, &SLIDING_SINE, 0);
    let state = get(&mut first.instance);
    let run = leg(&mut first, &SLIDING_SINE, LEG);
    drop(first);
    let mut second = Master::start(&fmu, &[]);
    set(&mut second.instance, state);
    assert_eq!(leg(&mut second, &SLIDING_SINE, LEG), run);
    free(&mut second.instance, state);
}

#[test]
fn state_after_the_longest_step_is_serialisable() {
    let fmu = Fmu::packaged("FrDyn2");
    for normal_force in [0.0, 9.81, 32.0, 60.0] {
        for v in [0.0, 1e-4, 9e-4, 2e-3, 5e-3, 9e-3, 1.05e-2, 0.1] {
            let mut element = Master::start(&fmu, &[("z", 1e-7)]);
            element.instance.set("F_N", normal_force);
            element.instance.set("v", -v);
            if element.instance.do_step(0.0, f64::MAX) == Status::OK {
                let state = get(&mut element.instance);
                let bytes = bytes(&mut element.instance, state);
                let mut loaded = FmuState::NULL;
                let status = element.instance.deserialize_fmu_state(&bytes, &mut loaded);
                assert_eq!(status, Status::OK, "F_N = {normal_force}, v = {v}");
                free(&mut element.instance, state);
                free(&mut element.instance, loaded);
            }
        }
    }
}
