//! Many instances and many threads: the same bits on every thread.

use bristle_importer::co_simulation::Master;
use bristle_importer::fmu::Fmu;
use bristle_reference_laws::workloads::{HEAVY, SLIDING_SINE, Workload, steps};
use std::thread;

const H: f64 = 1e-3;
const SPAN: f64 = 0.02;

/// The bits of F_R over some steps.
fn run(fmu: &Fmu, workload: &Workload) -> Vec<u64> {
    let mut element = Master::with_parameters(fmu, &workload.parameters);
    steps(SPAN, H).map(|t| element.step(workload.contact(t), t, H).to_bits()).collect()
}

#[test]
fn thousand_instances_on_eight_threads_give_the_bits_of_one() {
    let fmu = Fmu::packaged("FrDyn2");
    let workloads = [&SLIDING_SINE, &HEAVY];
    let alone = workloads.map(|workload| run(&fmu, workload));
    thread::scope(|scope| {
        for _ in 0..8 {
            scope.spawn(|| {
                // All alive at once and stepped in turn, so that threads and instances mix as they can.
                let mut elements: Vec<_> =
                    (0..125).map(|n| Master::with_parameters(&fmu, &workloads[n % 2].parameters)).collect();
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
