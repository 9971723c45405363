//! Runs one workload at one communication step, for callgrind to count the instructions.
//!
//! The element comes from the catalogue and is stepped in this process. The difference to a run with few
//! passes counts the steps alone: `steps WORKLOAD H PASSES`.

use bristle::catalogue::find;
use bristle::element::{AnyElement, F_N, F_R, V};
use bristle_benches::inputs::Inputs;
use bristle_benches::motion::SPAN;
use bristle_benches::regimes::{self, Regime};
use bristle_reference_laws::workloads::steps;
use std::hint::black_box;

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [name, h, passes] = arguments.as_slice() else { panic!("steps WORKLOAD H PASSES") };
    let Regime { workload, order, .. } = regimes::find(name).expect("a workload of the list");
    let h: f64 = h.parse().expect("H is a number");
    let passes: u32 = passes.parse().expect("the passes are a number");

    let mut element = find("FrDyn2").expect("FrDyn2 is in the catalogue").instantiate();
    let course: Vec<_> = steps(SPAN, h).map(|t| Inputs::through(workload, t, h, *order)).collect();
    for _ in 0..passes {
        for inputs in &course {
            black_box(step(element.as_mut(), inputs, *order, h));
        }
    }
}

/// Work of the element in `fmi2SetReal`, `fmi2SetRealInputDerivatives`, `fmi2DoStep` and `fmi2GetReal`.
fn step(element: &mut dyn AnyElement, inputs: &Inputs, order: usize, h: f64) -> f64 {
    element.set(&F_N, inputs.F_N[0]);
    element.set(&V, inputs.v[0]);
    for order in 1..=order {
        element.set_input_derivative(&F_N, order, inputs.F_N[order]).expect("an input");
        element.set_input_derivative(&V, order, inputs.v[order]).expect("an input");
    }
    element.apply_parameters().expect("parameters that fit together");
    element.advance(h).expect("a step that can be done");
    element.values()[&F_R]
}
