//! Many instances and many threads: the same bits on every thread.

use bristle::catalogue::{Card, Contacts};
use bristle_importer::calling_sequence::InstanceState;
use bristle_importer::co_simulation::Master;
use bristle_importer::description::ScalarVariable;
use bristle_importer::fmi2::CO_SIMULATION;
use bristle_importer::fmu::Fmu;
use bristle_importer::lifecycle::instance_in;
use bristle_reference_laws::workloads::{HEAVY, SLIDING_SINE, Workload, steps};
use bristle_tests::cards::{blocks, card, complete, exporter, load, real_contacts};
use std::thread;

const H: f64 = 1e-3;
const SPAN: f64 = 0.02;

/// The bits of F_R over some steps.
fn run(fmu: &Fmu, workload: &Workload) -> Vec<u64> {
    let mut element = Master::with_parameters(fmu, &workload.parameters);
    steps(SPAN, H)
        .map(|t| element.step(workload.contact(t), t, H).to_bits())
        .collect()
}

#[test]
fn thousand_instances_on_eight_threads_give_the_bits_of_one() {
    let fmu = Fmu::packaged("FrDyn2");
    let workloads = [&SLIDING_SINE, &HEAVY];
    let alone = workloads.map(|workload| run(&fmu, workload));
    thread::scope(|scope| {
        for _ in 0..8 {
            scope.spawn(|| {
                // All alive at once and stepped in turn, so that threads and instances mix as they
                // can.
                let mut elements: Vec<_> = (0..125)
                    .map(|n| Master::with_parameters(&fmu, &workloads[n % 2].parameters))
                    .collect();
                for (i, t) in steps(SPAN, H).enumerate() {
                    for (n, element) in elements.iter_mut().enumerate() {
                        let force = element.step(workloads[n % 2].contact(t), t, H);
                        assert_eq!(force.to_bits(), alone[n % 2][i], "instance {n}, step {i}");
                    }
                }
            });
        }
    });
}

#[test]
fn instance_may_change_threads_between_calls() {
    let fmu = Fmu::packaged("FrDyn2");
    let alone = run(&fmu, &SLIDING_SINE);
    let mut element = Master::with_parameters(&fmu, &SLIDING_SINE.parameters);
    for (t, expected) in steps(SPAN, H).zip(alone) {
        let force = thread::scope(|scope| {
            let step = scope.spawn(|| element.step(SLIDING_SINE.contact(t), t, H));
            step.join().expect("a step does not panic")
        });
        assert_eq!(force.to_bits(), expected);
    }
}

/// Stack of a thread, bytes: a third of that of musl's threads. Importer and C library need a part
/// of it.
const SMALL_STACK: usize = 40 * 1024;

#[test]
fn every_call_fits_on_a_small_stack() {
    // Several contacts, whose names are made at run time, and the observer of a body.
    let card = card("FrDyn2", &[("m_eff", 1.0)]);
    let contacts = Some(Contacts {
        count: 64,
        ..Contacts::default()
    });
    let large = load(&exporter(), &complete(Card { contacts, ..card }));
    // Curves have their points in the library, and bodies inside integrators of their own.
    let others = real_contacts().chain(blocks()).map(|(_, fmu)| fmu);
    for fmu in [Fmu::packaged("FrDyn2"), large].into_iter().chain(others) {
        let is_force = |v: &&ScalarVariable| v.name.starts_with("F_N") && v.causality == "input";
        let forces = fmu.description.variables.iter().filter(is_force);
        let names: Vec<_> = forces.map(|v| v.name.clone()).collect();
        let run = || {
            let mut instance = instance_in(&fmu, CO_SIMULATION, InstanceState::Initialization);
            for name in &names {
                instance.set(name, 9.81);
            }
            let status = instance.exit_initialization_mode();
            instance.ok(status);
            for i in 0..4 {
                let status = instance.do_step(f64::from(i) * H, H);
                instance.ok(status);
            }
        };
        thread::scope(|scope| {
            let small = thread::Builder::new()
                .stack_size(SMALL_STACK)
                .spawn_scoped(scope, run);
            small.expect("a thread").join().expect("the calls end");
        });
    }
}
