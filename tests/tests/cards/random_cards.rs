//! Random cards: laws, names, parameters, subsets of outputs, parameters that are inputs or fixed.

use bristle::catalogue::{Card, ELEMENTS, Model, Setting, Variant};
use bristle::element::F_R;
use bristle::variable::{Role, Variable};
use bristle_importer::fmi2::{CO_SIMULATION, Status};
use bristle_importer::fmu::Fmu;
use bristle_importer::instance::Instance;
use bristle_importer::lifecycle::initialize;
use bristle_random::Random;
use bristle_tests::cards::{exporter, load};

const CARDS: usize = 64;
const STEPS: usize = 200;

#[test]
fn elements_of_random_cards_are_stock_elements_with_their_values() {
    let exporter = exporter();
    let mut random = Random::new(20);
    let mut compared = 0;
    for i in 0..CARDS {
        let model = &ELEMENTS[i % ELEMENTS.len()];
        let Ok(variant) = Variant::new(model, card(model, &mut random)) else {
            continue;
        };
        let own = load(&exporter, &variant);
        description_is_that_of_the_card(&own, &variant);
        let stock = Fmu::packaged(model.metadata.name);
        forces_are_equal(&own, &stock, &variant, &mut random);
        compared += 1;
    }
    println!("{compared} of {CARDS} cards had values that their law accepts");
    assert!(compared > CARDS / 2);
}

/// Random card of a law; its parameters may contradict each other.
fn card(model: &'static Model, random: &mut Random) -> Card {
    let mut card = Card::of_law(model.metadata.name, "Random \"card\" <&>");
    let letters: Vec<char> = ('a'..='z').chain('A'..='Z').chain(['_']).collect();
    card.name = (0..1 + random.below(20))
        .map(|_| *random.one_of(&letters))
        .collect::<String>()
        + "_1";
    for variable in model.variables() {
        let is_output = matches!(variable.role, Role::Output | Role::BooleanOutput);
        if is_output && (*variable == F_R || !random.once_in(3)) {
            card.outputs.insert(variable.reference);
        }
        if !variable.is_parameter() {
            continue;
        }
        let start = variable.start.expect("a parameter starts somewhere");
        if variable.is_real() && random.once_in(2) {
            // Within a quarter, so that most conditions of the laws hold; what is 0 stays.
            let start = start * random.between(0.8, 1.25);
            let max = random.once_in(3).then_some(10.0 * start.abs() + 1.0);
            card.parameters.insert(
                variable.reference,
                Setting {
                    start: Some(start),
                    min: None,
                    max,
                },
            );
        }
        match random.below(5) {
            0 if variable.is_real() => _ = card.inputs.insert(variable.reference),
            1 => _ = card.fixed.insert(variable.reference),
            _ => {}
        }
    }
    card.experiment.stop_time = random.between(1.0, 10.0);
    card
}

fn description_is_that_of_the_card(own: &Fmu, variant: &Variant) {
    let description = &own.description;
    assert_eq!(
        (&*description.model_name, &*description.model_identifier),
        (variant.name(), variant.name())
    );
    assert_eq!(description.guid, variant.guid());
    let shown: Vec<_> = description
        .variables
        .iter()
        .map(|variable| &*variable.name)
        .collect();
    assert_eq!(
        shown,
        variant
            .variables()
            .map(|variable| variable.name)
            .collect::<Vec<_>>()
    );
    for (found, declared) in description.variables.iter().zip(variant.variables()) {
        if declared.is_parameter() {
            let is_input = variant.card().inputs.contains(&declared.reference);
            assert_eq!(
                found.causality,
                if is_input { "input" } else { "parameter" },
                "{}",
                found.name
            );
            assert_eq!(
                found.variability,
                if is_input { "continuous" } else { "tunable" },
                "{}",
                found.name
            );
            let start = found.start.as_ref().and_then(|start| start.parse().ok());
            assert_eq!(start, declared.start, "{}", found.name);
            assert_eq!(
                (found.min, found.max),
                (declared.min, declared.max),
                "{}",
                found.name
            );
        }
    }
}

fn instance<'a>(fmu: &'a Fmu) -> Instance<'a> {
    fmu.instantiate(CO_SIMULATION)
}

fn forces_are_equal(own: &Fmu, stock: &Fmu, variant: &Variant, random: &mut Random) {
    let (mut one, mut other) = (instance(own), instance(stock));
    for variable in variant
        .all()
        .filter(|variable| variable.is_parameter() && variable.is_real())
    {
        let start = variable.start.expect("a parameter starts somewhere");
        let status = other.set_real(&[variable.reference], &[start]);
        other.ok(status);
    }
    for instance in [&mut one, &mut other] {
        initialize(instance, None, 0.0, None);
    }
    hidden_variables_are_unknown(&mut one, variant);
    let inputs: Vec<Variable> = variant
        .variables()
        .filter(|variable| variable.role == Role::Input && variable.is_parameter())
        .copied()
        .collect();
    let h = 1e-4;
    for step in 0..STEPS {
        let mut values = [random.between(-1.0, 20.0), random.magnitude(1e-6, 0.1)];
        values[1] = random.sign(values[1]);
        for instance in [&mut one, &mut other] {
            let status = instance.set_real(&[0, 1], &values);
            instance.ok(status);
        }
        if !inputs.is_empty() && random.once_in(4) {
            let input = random.one_of(&inputs);
            let value = input.start.unwrap_or(0.0) * random.between(0.95, 1.05);
            let value = if input.check(value).is_ok() {
                value
            } else {
                input.start.unwrap_or(0.0)
            };
            for instance in [&mut one, &mut other] {
                let status = instance.set_real(&[input.reference], &[value]);
                instance.ok(status);
            }
        }
        let statuses = [&mut one, &mut other].map(|instance| instance.do_step(step as f64 * h, h));
        assert_eq!(
            statuses[0],
            statuses[1],
            "{}: {:?} {:?}",
            variant.name(),
            one.take_log(),
            other.take_log()
        );
        assert_ne!(
            statuses[0],
            Status::Error,
            "{}: {:?}",
            variant.name(),
            one.take_log()
        );
        let forces = [&mut one, &mut other].map(|instance| {
            let mut force = [f64::NAN];
            let status = instance.get_real(&[F_R.reference], &mut force);
            instance.ok(status);
            force[0]
        });
        assert_eq!(
            forces[0].to_bits(),
            forces[1].to_bits(),
            "{} in step {step}: {forces:?}",
            variant.metadata().name
        );
        one.take_log();
        other.take_log();
    }
    reset_gives_the_values_of_the_card(&mut one, variant);
}

fn hidden_variables_are_unknown(instance: &mut Instance, variant: &Variant) {
    for variable in variant.hidden().filter(|variable| variable.is_real()) {
        let status = instance.get_real(&[variable.reference], &mut [0.0]);
        assert!(
            instance.complaint(status).contains("has no Real variable"),
            "{}",
            variable.name
        );
        let status = instance.set_real(&[variable.reference], &[1.0]);
        assert!(
            instance.complaint(status).contains("has no Real variable"),
            "{}",
            variable.name
        );
    }
}

fn reset_gives_the_values_of_the_card(instance: &mut Instance, variant: &Variant) {
    let status = instance.reset();
    instance.ok(status);
    initialize(instance, None, 0.0, None);
    for variable in variant
        .variables()
        .filter(|variable| variable.is_parameter() && variable.is_real())
    {
        let mut value = [f64::NAN];
        let status = instance.get_real(&[variable.reference], &mut value);
        instance.ok(status);
        assert_eq!(Some(value[0]), variable.start, "{}", variable.name);
    }
}
