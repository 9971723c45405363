//! Moves a body against an element with m_eff, for callgrind to count the instructions.
//!
//! The element comes from the catalogue and is stepped in this process. The difference to a run with few passes counts the coupled
//! steps alone: `coupled LAW SCHEME REGIME PASSES`.

use bristle::catalogue::find;
use bristle::coupling::{COUPLING, M_EFF};
use bristle::element::{AnyElement, F_N, F_R, V};
use bristle_reference_laws::workloads::{WEIGHT, steps};
use core::f64::consts::TAU;
use std::hint::black_box;

/// Communication step, s.
const H: f64 = 1e-3;
/// Span of a pass, s: a period of the load, so that every pass is alike.
const SPAN: f64 = 0.5;
/// Mass of the body, kg.
const MASS: f64 = 1.0;
/// Static friction force, N.
const STATIC_FORCE: f64 = 0.6 * WEIGHT;

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [law, scheme, regime, passes] = arguments.as_slice() else { panic!("coupled LAW SCHEME REGIME PASSES") };
    let is_parallel = scheme == "parallel";
    let passes: u32 = passes.parse().expect("the passes are a number");
    let (mean, amplitude) = match regime.as_str() {
        "rest" => (0.5, 0.0),
        "stick" => (0.0, 0.8),
        "slip" => (0.0, 1.5),
        _ => panic!("no regime {regime}"),
    };
    let load = |t: f64| STATIC_FORCE * (mean + amplitude * libm::sin(TAU / SPAN * t));
    let loads: Vec<f64> = steps(SPAN, H).map(|t| load(t + 0.5 * H)).collect();

    let mut element = find(law).expect("a law of the catalogue").instantiate();
    element.set(&M_EFF, MASS);
    element.set(&COUPLING, if is_parallel { 2.0 } else { 1.0 });
    element.set(&F_N, WEIGHT);
    element.apply_parameters().expect("parameters that fit together");
    element.initialize().expect("a start at rest");
    let (mut v, mut held) = (0.0, 0.0);
    for _ in 0..passes {
        for load in &loads {
            let force = black_box(step(element.as_mut(), v));
            let applied = if is_parallel { core::mem::replace(&mut held, force) } else { force };
            v += (load - applied) * H / MASS;
        }
    }
}

/// Work of the element in `fmi2SetReal`, `fmi2DoStep` with its warnings, and `fmi2GetReal`.
fn step(element: &mut dyn AnyElement, v: f64) -> f64 {
    element.set(&F_N, WEIGHT);
    element.set(&V, v);
    element.apply_parameters().expect("parameters that fit together");
    if element.watch(true).coupling {
        black_box(element.coupling_warning(H));
    }
    element.advance(H).expect("a step that can be done");
    element.values()[&F_R]
}
