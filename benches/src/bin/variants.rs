//! Runs an element of a law and a motion in a regime, for callgrind to count the instructions.
//!
//! The element comes from a card and is stepped in this process. The difference to a run with few passes counts the
//! steps alone: `variants LAW MOTION REGIME PASSES`.

use bristle::assembly::Assembly;
use bristle::catalogue::{Card, Contacts, Motion, PlatePoints, Setting, Variant, find};
use bristle::element;
use bristle::variable::{Role, Variable};
use bristle_benches::motion::SPAN;
use bristle_benches::regimes::STICK;
use bristle_reference_laws::workloads::{SLIDING_SINE, WEIGHT, Workload, steps};
use core::f64::consts::TAU;
use std::hint::black_box;

/// Communication step, s.
const H: f64 = 1e-3;
/// Contacts of the motion `several`, and points of a plate.
const CONTACTS: u32 = 4;
/// Lever of an angular velocity, m: the friction radius, and half the side of the plate.
const RADIUS: f64 = 0.1;

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [law, motion, regime, passes] = arguments.as_slice() else { panic!("variants LAW MOTION REGIME PASSES") };
    let passes: u32 = passes.parse().expect("the passes are a number");
    let variant = Variant::new(find(law).expect("a law of the catalogue"), card(law, motion)).expect("a card");
    match regime.as_str() {
        "sliding" => run(&variant, &SLIDING_SINE, 0, passes),
        "ramps" => run(&variant, &SLIDING_SINE, 1, passes),
        "stick" => run(&variant, &STICK, 0, passes),
        "instantiation" => (0..passes).for_each(|_| drop(black_box(start(&variant)))),
        _ => panic!("no regime {regime}"),
    }
}

/// Card of a law with a motion, or with several contacts.
fn card(law: &str, motion: &str) -> Card {
    let mut card = Card::of_law(law, "");
    if motion == "several" {
        card.contacts = Some(Contacts { count: CONTACTS, ..Contacts::default() });
        return card;
    }
    card.motion = Motion::ALL.into_iter().find(|known| known.name() == motion).expect("a motion");
    if card.motion == Motion::Rotational {
        card.parameters.insert(element::RADIUS.reference, Setting { start: Some(RADIUS), ..Setting::default() });
    }
    if card.motion == Motion::Patch {
        let positions = [[-RADIUS, -RADIUS], [RADIUS, -RADIUS], [-RADIUS, RADIUS], [RADIUS, RADIUS]];
        card.plate = Some(PlatePoints { positions: positions.to_vec(), shares: vec![1.0 / f64::from(CONTACTS); 4] });
    }
    card
}

/// Work of `fmi2Instantiate` to `fmi2ExitInitializationMode` without the calls.
fn start(variant: &Variant) -> Assembly {
    let mut assembly = variant.instantiate();
    assembly.apply_parameters().expect("the defaults fit together");
    assembly.initialize().expect("a start");
    assembly
}

/// Passes over the steps of a workload whose inputs are held, or ramps where `order` is 1.
fn run(variant: &Variant, workload: &Workload, order: usize, passes: u32) {
    let mut assembly = start(variant);
    let inputs: Vec<&Variable> = variant.variables().filter(|variable| variable.role == Role::Input).collect();
    let force = variant.variables().find(|variable| variable.name.starts_with("F_R") || variable.name == "M_R");
    let force = force.expect("a force").reference;
    let value = |input: &Variable, t: f64| match input.name.split('[').next().unwrap_or_default() {
        "F_N" => WEIGHT,
        "v" => (workload.v)(t),
        "v_x" => 0.8 * (workload.v)(t),
        "v_y" => 0.6 * (workload.v)(t),
        "omega" => (workload.v)(t) / RADIUS,
        "a" => ((workload.v)(t + 1e-6) - (workload.v)(t)) / 1e-6,
        "F_t" => 6.0 * libm::sin(TAU * 5.0 * t + 0.5),
        name => panic!("{name} is no input of this program"),
    };
    let course: Vec<Vec<[f64; 2]>> = steps(SPAN, H)
        .map(|t| inputs.iter().map(|input| [value(input, t), (value(input, t + H) - value(input, t)) / H]).collect())
        .collect();
    for _ in 0..passes {
        for step in &course {
            for (input, values) in inputs.iter().zip(step) {
                assembly.set(input, values[0]);
                if order > 0 {
                    assembly.set_input_derivative(input, 1, values[1]).expect("an input");
                }
            }
            assembly.apply_parameters().expect("parameters that fit together");
            assembly.advance(H).expect("a step that can be done");
            black_box(assembly.value(force));
        }
    }
}
