//! Saved states of every law, motion and section, with random values of every parameter: they
//! repeat bit for bit in a new instance, after a return over tuned parameters, and after a refused
//! step.

use bristle::assembly::{Assembly, AssemblySnapshot};
use bristle::catalogue::{Setting, Variant};
use bristle::coupling::{COUPLING, M_EFF};
use bristle::element::{F_N, V};
use bristle::saved_state::{Reader, SavedState, Writer};
use bristle::variable::{Role, Variable};
use bristle_random::Random;
use bristle_tests::cards::{card, complete};
use bristle_tests::combinations::{combinations, refusals};
use bristle_tests::plausible_values::plausible_value;

const STEPS: usize = 12;

/// Gives about half of the parameters new values, until the law accepts them together.
fn tune(variant: &Variant, assembly: &mut Assembly, random: &mut Random) {
    let before = assembly.save();
    for _ in 0..100 {
        for variable in variant.all() {
            let value = match variable.role {
                Role::Choice(choices) => 1.0 + random.below(choices.len()) as f64,
                Role::Parameter if variable.name == "inner_steps_max" => continue,
                Role::Parameter => plausible_value(random, variable.name, variable.start),
                _ => continue,
            };
            if random.once_in(2) && variable.check(value).is_ok() {
                assembly.set(variable, value);
            }
        }
        if assembly.apply_parameters().is_ok() {
            return;
        }
        assembly.restore(&before);
    }
}

/// Bits of all variables after each of some steps with random inputs, which tune parameters now and
/// then; 0 where a step is refused.
fn run(variant: &Variant, assembly: &mut Assembly, seed: u64) -> Vec<u64> {
    let mut random = Random::new(seed);
    let is_input = |variable: &&Variable| variable.role == Role::Input && !variable.is_parameter();
    let mut bits = Vec::new();
    for _ in 0..STEPS {
        for input in variant.all().filter(is_input) {
            assembly.set(input, plausible_value(&mut random, input.name, Some(0.0)));
        }
        if random.once_in(4) {
            tune(variant, assembly, &mut random);
        }
        match assembly.advance(random.magnitude(1e-5, 1e-2)) {
            Ok(_) => bits.extend(
                variant
                    .all()
                    .map(|variable| assembly.value(variable.reference).to_bits()),
            ),
            Err(_) => bits.push(0),
        }
    }
    bits
}

fn through_bytes(state: &AssemblySnapshot) -> AssemblySnapshot {
    let mut measure = Writer::new(&mut []);
    state.write(&mut measure);
    let mut bytes = vec![0; measure.length()];
    state.write(&mut Writer::new(&mut bytes));
    AssemblySnapshot::read(&mut Reader::new(&bytes)).expect("a state")
}

#[test]
fn states_with_every_parameter_tuned_repeat_in_new_instances_and_after_returns() {
    let mut count = 0;
    for (name, variant) in combinations() {
        for seed in 0..3 {
            let mut random = Random::new(seed);
            let mut first = variant.instantiate();
            tune(&variant, &mut first, &mut random);
            first.initialize().expect("plausible start values");
            run(&variant, &mut first, random.bits());
            let (state, seed) = (first.save(), random.bits());
            let expected = run(&variant, &mut first, seed);
            // A return over tuned parameters.
            tune(&variant, &mut first, &mut random);
            run(&variant, &mut first, random.bits());
            first.restore(&state);
            assert_eq!(run(&variant, &mut first, seed), expected, "{name}: return");
            // A return over a refused step.
            first.restore(&state);
            tune(&variant, &mut first, &mut random);
            let refused = first.advance(f64::MAX).is_err();
            first.restore(&state);
            assert_eq!(
                run(&variant, &mut first, seed),
                expected,
                "{name}: step refused {refused}"
            );
            // A new instance.
            let mut other = variant.instantiate();
            other.restore(&through_bytes(&state));
            assert_eq!(
                run(&variant, &mut other, seed),
                expected,
                "{name}: new instance"
            );
            count += 1;
        }
    }
    println!("{count} states; not possible: {:#?}", refusals());
    assert!(count >= 3 * 200, "{count}");
}

/// FrDyn2 on an observed body of 2 kg, after a few steps.
fn observed() -> (Variant, Assembly) {
    let mut card = card("FrDyn2", &[("m_eff", 2.0)]);
    card.parameters.insert(
        COUPLING.reference,
        Setting {
            start: Some(1.0),
            ..Setting::default()
        },
    );
    let variant = complete(card);
    let mut element = variant.instantiate();
    element.set(&F_N, 9.81);
    element.initialize().expect("a start");
    for i in 0..10 {
        element.set(&V, 1e-3 * f64::from(i));
        element.advance(1e-3).expect("a step");
    }
    (variant, element)
}

#[test]
fn refused_step_leaves_an_observer_that_would_end_with_it() {
    let (_, mut element) = observed();
    // Without a mass the law advances alone, and its power is beyond the range of numbers.
    element.set(&M_EFF, 0.0);
    element.apply_parameters().expect("a mass");
    element.set(&V, f64::MAX);
    let before = element.save();
    assert!(element.advance(1e-3).is_err());
    assert_eq!(element.save(), before);
}

#[test]
fn mass_beyond_the_range_of_the_one_before_begins_a_new_observer() {
    let (variant, mut element) = observed();
    for mass in [1e-300, 1e300, 2.0] {
        element.set(&M_EFF, mass);
        element.apply_parameters().expect("a mass");
        for duration in [1e-17, 1e-3] {
            element
                .advance(duration)
                .unwrap_or_else(|error| panic!("{mass:e} kg, {duration:e} s: {error}"));
            assert!(
                variant.can_have(&through_bytes(&element.save())),
                "{mass:e} kg"
            );
        }
    }
}
