//! Runs an element for callgrind, which counts the instructions; `cargo xtask instructions` starts
//! it.
//!
//! The element is stepped in this process. The difference of two runs with different numbers of
//! passes counts the steps alone. The words are those of a line of `instructions.txt`, and the
//! passes: `REGIME H PASSES` (FrDyn2), `LAW MOTION REGIME PASSES`, or
//! `LAW m_eff serial|parallel REGIME PASSES`.

use bristle::assembly::Assembly;
use bristle::catalogue::{Card, Contacts, Motion, PlatePoints, Setting, Variant, find};
use bristle::coupling::{COUPLING, M_EFF};
use bristle::element::{AnyElement, F_N, F_R, RADIUS, V};
use bristle::variable::{Role, Variable};
use bristle_benches::arguments::Arguments;
use bristle_reference_laws::workloads::{
    BREAK_AWAY, HEAVY, MICRO_SINE, PRESSED, REST, SLIDING, SLIDING_SINE, STICK,
};
use bristle_reference_laws::workloads::{WEIGHT, Workload, steps};
use core::f64::consts::TAU;
use std::hint::black_box;

/// Length of a pass, s: whole periods of all workloads.
const SPAN: f64 = 0.2;
/// Communication step of variants and coupled bodies, s.
const H: f64 = 1e-3;
/// Contacts of the motion `several`, and points of a plate.
const CONTACTS: u32 = 4;
/// Lever of an angular velocity, m: the friction radius, and half the side of the plate.
const LEVER: f64 = 0.1;

/// Regimes of FrDyn2: name, workload, and order of the input derivatives, 0 for held inputs.
const REGIMES: [(&str, Workload, usize); 11] = [
    ("rest", REST, 0),
    ("stick", STICK, 0),
    ("break_away", BREAK_AWAY, 0),
    ("sliding", SLIDING, 0),
    ("sliding_sine", SLIDING_SINE, 0),
    ("micro_sine", MICRO_SINE, 0),
    ("heavy", HEAVY, 0),
    ("sliding_ramps", SLIDING_SINE, 1),
    ("braking", BRAKING, 1),
    ("micro_ramps", MICRO_SINE, 1),
    ("pressed_parabolas", PRESSED, 2),
];

/// Braking.
const BRAKING: Workload = Workload {
    v: |t| 0.5 - 2.0 * t,
    ..SLIDING
};

fn main() {
    #[cfg(feature = "switches")]
    for method in std::env::var("WITHOUT")
        .unwrap_or_default()
        .split_whitespace()
    {
        bristle::switches::turn_off(method.parse().expect("the number of a method"));
    }
    let words: Vec<String> = Arguments::read("instructions WORDS OF A LINE, PASSES").rest();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let Some((passes, words)) = words.split_last() else {
        panic!("the passes are missing")
    };
    let passes: u32 = passes.parse().expect("the passes are a number");
    match *words {
        [regime, h] => run_regime(regime, h.parse().expect("H is a number"), passes),
        [law, motion, regime] => run_variant(law, motion, regime, passes),
        [law, "m_eff", master, regime] => run_coupled(law, master == "parallel", regime, passes),
        _ => panic!("{words:?} are no line of instructions.txt"),
    }
}

/// Value and derivatives up to an order of a polynomial through points of a function: both ends of
/// a step, and its middle for a parabola.
fn through(value: fn(f64) -> f64, t: f64, h: f64, order: usize) -> [f64; 3] {
    let [start, middle, end] = [t, t + 0.5 * h, t + h].map(value);
    // Differences first: a constant input has a derivative of exactly 0.
    let [half, whole] = [middle - start, end - start];
    match order {
        0 => [start, 0.0, 0.0],
        1 => [start, whole / h, 0.0],
        _ => [
            start,
            (4.0 * half - whole) / h,
            4.0 * (whole - 2.0 * half) / (h * h),
        ],
    }
}

/// Passes over a regime of FrDyn2 with steps of `h` (s).
fn run_regime(regime: &str, h: f64, passes: u32) {
    let (_, workload, order) = REGIMES
        .iter()
        .find(|(name, ..)| *name == regime)
        .expect("a regime of the list");
    let mut element = find("FrDyn2")
        .expect("FrDyn2 is in the catalogue")
        .instantiate();
    let inputs = |t: f64| [workload.F_N, workload.v].map(|input| through(input, t, h, *order));
    let course: Vec<_> = steps(SPAN, h).map(inputs).collect();
    for _ in 0..passes {
        for [normal_force, v] in &course {
            element.set(&F_N, normal_force[0]);
            element.set(&V, v[0]);
            for order in 1..=*order {
                element
                    .set_input_derivative(&F_N, order, normal_force[order])
                    .expect("an input");
                element
                    .set_input_derivative(&V, order, v[order])
                    .expect("an input");
            }
            element
                .apply_parameters()
                .expect("parameters that fit together");
            black_box(finish_step(element.as_mut(), h));
        }
    }
}

/// Work of the element in `fmi2DoStep` and `fmi2GetReal`.
fn finish_step(element: &mut dyn AnyElement, h: f64) -> f64 {
    element.advance(h).expect("a step that can be done");
    element.values()[&F_R]
}

/// Card of a law with a motion, or with several contacts.
fn card(law: &str, motion: &str) -> Card {
    let mut card = Card::of_law(law, "");
    if motion == "several" {
        card.contacts = Some(Contacts {
            count: CONTACTS,
            ..Contacts::default()
        });
        return card;
    }
    card.motion = Motion::ALL
        .into_iter()
        .find(|known| known.name() == motion)
        .expect("a motion");
    if card.motion == Motion::Rotational {
        card.parameters.insert(
            RADIUS.reference,
            Setting {
                start: Some(LEVER),
                ..Setting::default()
            },
        );
    }
    if card.motion == Motion::Patch {
        let positions = [
            [-LEVER, -LEVER],
            [LEVER, -LEVER],
            [-LEVER, LEVER],
            [LEVER, LEVER],
        ];
        card.plate = Some(PlatePoints {
            positions: positions.to_vec(),
            shares: vec![1.0 / f64::from(CONTACTS); 4],
        });
    }
    card
}

/// Passes over a law with a motion, or instantiations of it.
fn run_variant(law: &str, motion: &str, regime: &str, passes: u32) {
    let variant = Variant::new(
        find(law).expect("a law of the catalogue"),
        card(law, motion),
    )
    .expect("a card");
    let (workload, order) = match regime {
        "sliding" => (&SLIDING_SINE, 0),
        "ramps" => (&SLIDING_SINE, 1),
        "rest" => (&REST, 0),
        "steady" => (&SLIDING, 0),
        "stick" => (&STICK, 0),
        "instantiation" => return (0..passes).for_each(|_| drop(black_box(start(&variant)))),
        _ => panic!("no regime {regime}"),
    };
    let mut assembly = start(&variant);
    let inputs: Vec<&Variable> = variant
        .variables()
        .filter(|variable| variable.role == Role::Input)
        .collect();
    let force = variant
        .variables()
        .find(|variable| variable.name.starts_with("F_R") || variable.name == "M_R");
    let force = force.expect("a force").reference;
    let value = |input: &Variable, t: f64| match input.name.split('[').next().unwrap_or_default() {
        "F_N" => WEIGHT,
        "v" => (workload.v)(t),
        "v_x" => 0.8 * (workload.v)(t),
        "v_y" => 0.6 * (workload.v)(t),
        "omega" => (workload.v)(t) / LEVER,
        "a" => ((workload.v)(t + 1e-6) - (workload.v)(t)) / 1e-6,
        "F_t" => 6.0 * libm::sin(TAU * 5.0 * t + 0.5),
        name => panic!("{name} is no input of this program"),
    };
    let course: Vec<Vec<[f64; 2]>> = steps(SPAN, H)
        .map(|t| {
            inputs
                .iter()
                .map(|input| [value(input, t), (value(input, t + H) - value(input, t)) / H])
                .collect()
        })
        .collect();
    for _ in 0..passes {
        for step in &course {
            for (input, values) in inputs.iter().zip(step) {
                assembly.set(input, values[0]);
                if order > 0 {
                    assembly
                        .set_input_derivative(input, 1, values[1])
                        .expect("an input");
                }
            }
            assembly
                .apply_parameters()
                .expect("parameters that fit together");
            black_box(assembly.coupling_message(H));
            assembly.advance(H).expect("a step that can be done");
            black_box(assembly.value(force));
        }
    }
}

/// Work of `fmi2Instantiate` to `fmi2ExitInitializationMode` without the calls.
fn start(variant: &Variant) -> Assembly {
    let mut assembly = variant.instantiate();
    assembly
        .apply_parameters()
        .expect("the defaults fit together");
    assembly.initialize().expect("a start");
    assembly
}

/// Passes over a period of the load on a body of 1 kg, by which an element with m_eff moves.
fn run_coupled(law: &str, is_parallel: bool, regime: &str, passes: u32) {
    const PERIOD: f64 = 0.5;
    const MASS: f64 = 1.0;
    let (mean, amplitude) = match regime {
        "rest" => (0.5, 0.0),
        "stick" => (0.0, 0.8),
        "slip" => (0.0, 1.5),
        _ => panic!("no regime {regime}"),
    };
    let load = |t: f64| 0.6 * WEIGHT * (mean + amplitude * libm::sin(TAU / PERIOD * t));
    let loads: Vec<f64> = steps(PERIOD, H).map(|t| load(t + 0.5 * H)).collect();
    let mut element = find(law)
        .expect("a law of the catalogue")
        .stock()
        .instantiate();
    element.set(&M_EFF, MASS);
    element.set(&COUPLING, if is_parallel { 2.0 } else { 1.0 });
    element.set(&F_N, WEIGHT);
    element
        .apply_parameters()
        .expect("parameters that fit together");
    element.initialize().expect("a start at rest");
    let (mut v, mut held) = (0.0, 0.0);
    for _ in 0..passes {
        for load in &loads {
            element.set(&F_N, WEIGHT);
            element.set(&V, v);
            element
                .apply_parameters()
                .expect("parameters that fit together");
            black_box(element.coupling_message(H));
            element.advance(H).expect("a step that can be done");
            let force = black_box(element.value(F_R.reference));
            let applied = if is_parallel {
                core::mem::replace(&mut held, force)
            } else {
                force
            };
            v += (load - applied) * H / MASS;
        }
    }
}
