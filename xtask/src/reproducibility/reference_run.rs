//! The inputs of a reference run, for any element: every input jumps, rests and ramps over five
//! decades around its nominal value, in steps from 10 µs to 10 ms.

use std::fmt::Write;

use bristle::catalogue::Variant;
use bristle::element::F_N;
use bristle::variable::{Role, Variable};
use bristle_random::Random;

/// Steps of a run.
pub const STEPS: usize = 3000;
const LENGTHS: [f64; 4] = [1e-5, 1e-4, 1e-3, 1e-2];
const DECADES: [f64; 5] = [1e-3, 1e-2, 1e-1, 1.0, 10.0];

/// The run as `tests/c/reference_run.c` reads it.
pub fn write(element: &Variant) -> String {
    let of = |wanted: fn(Role) -> bool| -> Vec<_> {
        element
            .variables()
            .filter(|variable| wanted(variable.role))
            .collect()
    };
    let inputs = of(|role| role == Role::Input);
    let reals = of(|role| matches!(role, Role::Output | Role::State | Role::Derivative { .. }));
    let integers = of(|role| matches!(role, Role::DiscreteState { .. }));
    let booleans = of(|role| role == Role::BooleanOutput);
    let mut text = format!("{}\n", element.guid());
    for variables in [&inputs, &reals, &integers, &booleans] {
        text += &variables.len().to_string();
        text.extend(
            variables
                .iter()
                .map(|variable| format!(" {}", variable.reference)),
        );
        text.push('\n');
    }
    text += &format!("{STEPS}\n");
    let mut random = Random::new(1);
    let is_parameter = Variable::is_parameter;
    let value = |input: &Variable, random: &mut Random| {
        if is_parameter(input) {
            parameter(input, random)
        } else {
            value(input, random)
        }
    };
    let mut values: Vec<f64> = inputs
        .iter()
        .map(|input| value(input, &mut random))
        .collect();
    let mut slopes = vec![0.0; inputs.len()];
    let (mut time, mut h, mut left, mut ramps) = (0.0, 0.0, 0, false);
    for _ in 0..STEPS {
        // A ramp ends where it should if its steps are equal.
        if left == 0 || !ramps {
            h = LENGTHS[random.below(LENGTHS.len())];
        }
        if left == 0 {
            left = 1 + random.below(16);
            let goals: Vec<_> = inputs
                .iter()
                .map(|input| value(input, &mut random))
                .collect();
            ramps = random.below(4) == 0;
            for (((value, slope), goal), input) in
                values.iter_mut().zip(&mut slopes).zip(goals).zip(&inputs)
            {
                // Elements follow no derivative of a parameter.
                if ramps && !is_parameter(input) {
                    *slope = (goal - *value) / (h * left as f64);
                } else {
                    (*value, *slope) = (goal, 0.0);
                }
            }
        }
        for number in [time, h].iter().chain(&values).chain(&slopes) {
            write!(text, "{:016x} ", number.to_bits()).expect("text grows");
        }
        text.push('\n');
        for (value, slope) in values.iter_mut().zip(&slopes) {
            *value += slope * h;
        }
        time += h;
        left -= 1;
    }
    text
}

/// A value of either sign; a normal force opens the contact once in eight times.
fn value(input: &Variable, random: &mut Random) -> f64 {
    let size = input.nominal.unwrap_or(1.0)
        * DECADES[random.below(DECADES.len())]
        * (1.0 + random.below(1000) as f64 / 250.0);
    let negative = if input.is(&F_N) {
        random.below(8) == 0
    } else {
        random.below(2) == 0
    };
    if negative { -size } else { size }
}

/// A value near the start of a parameter that the card made an input: within the conditions of the
/// law.
fn parameter(input: &Variable, random: &mut Random) -> f64 {
    input.start.unwrap_or(0.0) * (0.95 + random.below(1000) as f64 / 10_000.0)
}
