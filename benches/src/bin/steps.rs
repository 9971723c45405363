//! Runs one workload at one communication step, for callgrind to count the instructions.
//!
//! The element comes from the catalogue and is stepped in this process. Whoever subtracts the instructions of a run with few
//! passes from those of one with more is left with the steps alone: `steps WORKLOAD H PASSES`.

use bristle::catalogue::find;
use bristle::element::{AnyElement, F_N, F_R, V};
use bristle_benches::motion::SPAN;
use bristle_benches::regimes;
use bristle_tests::workloads::steps;
use std::hint::black_box;

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [name, h, passes] = arguments.as_slice() else { panic!("steps WORKLOAD H PASSES") };
    let workload = regimes::find(name).expect("a workload of the list");
    let h: f64 = h.parse().expect("H is a number");
    let passes: u32 = passes.parse().expect("the passes are a number");

    let mut element = find("FrDyn2").expect("FrDyn2 stands in the catalogue").instantiate();
    let contacts: Vec<_> = steps(SPAN, h).map(|t| workload.contact(t)).collect();
    for _ in 0..passes {
        for contact in &contacts {
            black_box(step(element.as_mut(), contact.F_N, contact.v, h));
        }
    }
}

/// What `fmi2SetReal`, `fmi2DoStep` and `fmi2GetReal` ask of the element.
fn step(element: &mut dyn AnyElement, normal_force: f64, v: f64, h: f64) -> f64 {
    element.set(&F_N, normal_force);
    element.set(&V, v);
    element.prepare().expect("parameters that fit together");
    element.advance(h).expect("a step that can be done");
    element.values()[&F_R]
}
