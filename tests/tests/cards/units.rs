//! Elements whose FMU has the units of another tool, beside the same element in SI units.

use super::motions::{element, stepping};
use bristle::catalogue::{CardBlock, ELEMENTS, Motion};
use bristle_importer::calling_sequence::InstanceState;
use bristle_importer::description::ScalarVariable;
use bristle_importer::fmi2::{MODEL_EXCHANGE, Status};
use bristle_importer::fmu::Fmu;
use bristle_importer::lifecycle::instance_in;
use bristle_random::Random;
use bristle_tests::cards::{card, complete, exporter, in_units, joint, load};

const H: f64 = 1e-3;

/// SI units in the unit of a variable.
fn factor(variable: &ScalarVariable) -> f64 {
    let of = |unit: &str| match unit {
        "mm" => 1e-3,
        "deg" => core::f64::consts::TAU / 360.0,
        "kN" => 1e3,
        "rpm" => core::f64::consts::TAU / 60.0,
        "m/min" => 1.0 / 60.0,
        _ => 1.0,
    };
    let Some(unit) = &variable.unit else {
        return 1.0;
    };
    if ["rpm", "m/min"].contains(&&**unit) {
        return of(unit);
    }
    let power = |part: &str| {
        let end = part.trim_end_matches(|c: char| c.is_ascii_digit());
        let power = part[end.len()..].parse().unwrap_or(1);
        (0..power).map(|_| of(end)).product::<f64>()
    };
    let mut parts = unit.split('/');
    let above: f64 = parts.next().unwrap_or("").split('.').map(power).product();
    parts.fold(above, |factor, part| factor / power(part))
}

/// Number of a variable in its unit, of that in SI.
fn shown(fmu: &Fmu, name: &str, si: f64) -> f64 {
    let variables = &fmu.description.variables;
    si / factor(variables.iter().find(|v| v.name == name).unwrap())
}

#[test]
fn forces_and_states_are_those_of_si_in_the_units_of_the_card() {
    let mut random = Random::new(75);
    for law in &ELEMENTS {
        let name = law.metadata.name;
        let mut cards = vec![card(name, &[]), joint(name, Motion::Rotational, true)];
        if law.metadata.allows_block() {
            let mut block = card(name, &[]);
            block.block = Some(CardBlock {
                mass: 2.0,
                stiffness: 900.0,
                damping: 2.0,
            });
            cards.push(block);
        }
        for card in cards {
            let si = load(&exporter(), &complete(card.clone()));
            let own = load(&exporter(), &complete(in_units(card)));
            let (mut in_si, mut in_own) = (stepping(&si), stepping(&own));
            let pairs: Vec<_> = si.description.variables.iter().collect();
            for i in 0..40_u32 {
                for input in pairs.iter().filter(|v| v.causality == "input") {
                    let size = match &*input.name {
                        "F_N" => random.between(0.0, 20.0),
                        "load" => random.between(0.0, 2.0),
                        _ => random.between(-0.05, 0.05),
                    };
                    in_si.set(&input.name, size);
                    in_own.set(&input.name, shown(&own, &input.name, size));
                }
                let time = f64::from(i) * H;
                let statuses = [in_si.do_step(time, H), in_own.do_step(time, H)];
                assert_eq!(statuses[0], statuses[1], "{name}, step {i}");
                for variable in pairs.iter().filter(|v| v.kind == "Real") {
                    let value = in_si.get(&variable.name);
                    let expected = shown(&own, &variable.name, value);
                    let found = in_own.get(&variable.name);
                    // Inputs differ by rounding, which a step of a stiff contact amplifies.
                    let is_response = variable.name.contains("_R_d");
                    let least = if is_response { 1e-2 } else { 1e-6 };
                    let slack = 1e-6 * expected.abs() + shown(&own, &variable.name, least);
                    assert!(
                        (found - expected).abs() <= slack,
                        "{name}, step {i}: {} = {found}, {expected} expected",
                        variable.name
                    );
                }
            }
        }
    }
}

#[test]
fn descriptions_define_the_units_with_their_factors() {
    let fmu = load(&exporter(), &complete(in_units(card("FrDyn2", &[]))));
    for (name, unit, value) in [
        ("sigma_0", "kN/mm", 5.0),
        ("v_s", "mm/s", 1.0),
        ("F_N", "kN", 0.0),
        ("v", "m/min", 0.0),
        ("E_loss", "kN.mm", f64::NAN),
    ] {
        let variables = &fmu.description.variables;
        let variable = variables.iter().find(|v| v.name == name).unwrap();
        assert_eq!(variable.unit.as_deref(), Some(unit), "{name}");
        if let Some(start) = &variable.start {
            let start: f64 = start.parse().unwrap();
            assert!((start - value).abs() <= 1e-12 * value, "{name} = {start}");
        }
    }
}

#[test]
fn values_beyond_the_bounds_are_refused_in_the_unit_of_the_variable() {
    let fmu = element(in_units(card("LuGre", &[])));
    let mut instance = stepping(&fmu);
    let variables = &fmu.description.variables;
    let stiffness = variables.iter().find(|v| v.name == "sigma_0").unwrap();
    // 1e12 N/m at most.
    assert!(instance.set_real(&[stiffness.reference], &[0.9e6]) == Status::OK);
    assert!(instance.set_real(&[stiffness.reference], &[1.1e6]) == Status::Error);
    assert_eq!(instance.get("sigma_0"), 0.9e6);
    let force = variables.iter().find(|v| v.name == "F_N").unwrap();
    assert!(instance.set_real(&[force.reference], &[1e307]) == Status::Error);
}

#[test]
fn derivatives_are_those_of_si_in_the_units_of_the_card() {
    let mut random = Random::new(76);
    for plain in [
        card("FrDyn2", &[]),
        joint("LuGre", Motion::Rotational, true),
    ] {
        let si = load(&exporter(), &complete(plain.clone()));
        let own = load(&exporter(), &complete(in_units(plain)));
        let [mut in_si, mut in_own] =
            [&si, &own].map(|fmu| instance_in(fmu, MODEL_EXCHANGE, InstanceState::ContinuousTime));
        let variables = &own.description.variables;
        let states: Vec<_> = variables.iter().filter_map(|v| v.derivative).collect();
        let states: Vec<_> = states.iter().map(|place| &variables[place - 1]).collect();
        let rates: Vec<_> = variables
            .iter()
            .filter(|v| v.derivative.is_some())
            .collect();
        for _ in 0..20 {
            let x: Vec<f64> = states.iter().map(|_| random.between(-1e-6, 1e-6)).collect();
            let shown: Vec<f64> = x.iter().zip(&states).map(|(x, v)| x / factor(v)).collect();
            for (instance, x) in [(&mut in_si, &x), (&mut in_own, &shown)] {
                let status = instance.set_continuous_states(x);
                instance.ok(status);
            }
            let inputs: Vec<_> = variables
                .iter()
                .filter(|v| v.causality == "input")
                .collect();
            for input in &inputs {
                let value = random.between(0.0, 0.02);
                in_si.set(&input.name, value);
                in_own.set(&input.name, value / factor(input));
            }
            let near = |found: f64, expected: f64, what: &str| {
                let slack = 1e-9 * expected.abs() + 1e-12;
                assert!(
                    (found - expected).abs() <= slack,
                    "{what}: {found}, {expected} expected"
                );
            };
            let mut of = [vec![0.0; x.len()], vec![0.0; x.len()]];
            for (instance, places) in [&mut in_si, &mut in_own].into_iter().zip(&mut of) {
                let status = instance.get_derivatives(places);
                instance.ok(status);
            }
            for (i, rate) in rates.iter().enumerate() {
                near(of[1][i] * factor(rate), of[0][i], &rate.name);
                let back = in_own.get(&states[i].name) * factor(states[i]);
                near(back, x[i], &states[i].name);
            }
            for output in ["F_R", "M_R"] {
                let Some(output) = variables.iter().find(|v| v.name == output) else {
                    continue;
                };
                for input in &inputs {
                    let [mut expected, mut found] = [[0.0], [0.0]];
                    let known = ([output.reference], [input.reference]);
                    let status =
                        in_si.get_directional_derivative(&known.0, &known.1, &[1.0], &mut expected);
                    in_si.ok(status);
                    let seed = [1.0 / factor(input)];
                    let status =
                        in_own.get_directional_derivative(&known.0, &known.1, &seed, &mut found);
                    in_own.ok(status);
                    near(found[0] * factor(output), expected[0], &input.name);
                }
            }
        }
    }
}

#[test]
fn slopes_of_inputs_and_outputs_are_those_of_si_in_the_units_of_the_card() {
    let plain = card("FrDyn2", &[]);
    let si = load(&exporter(), &complete(plain.clone()));
    let own = load(&exporter(), &complete(in_units(plain)));
    let [mut in_si, mut in_own] = [&si, &own].map(stepping);
    for (i, slope) in [0.3, -0.5, 2.0].into_iter().enumerate() {
        let mut rates = [[0.0], [0.0]];
        for ((instance, fmu), rate) in [(&mut in_si, &si), (&mut in_own, &own)]
            .into_iter()
            .zip(&mut rates)
        {
            let find = |name: &str| fmu.description.variables.iter().find(|v| v.name == name);
            let (force, speed) = (find("F_N").unwrap(), find("v").unwrap());
            instance.set("F_N", 10.0 / factor(force));
            instance.set("v", 0.02 / factor(speed));
            let status = instance.set_real_input_derivatives(
                &[speed.reference],
                &[1],
                &[slope / factor(speed)],
            );
            instance.ok(status);
            let status = instance.do_step(i as f64 * H, H);
            instance.ok(status);
            let friction = find("F_R").unwrap();
            let status = instance.get_real_output_derivatives(&[friction.reference], &[1], rate);
            instance.ok(status);
            rate[0] *= factor(friction);
        }
        let [[expected], [found]] = rates;
        assert!(
            (found - expected).abs() <= 1e-6 * expected.abs() + 1e-6,
            "{found}, {expected} expected"
        );
        let force = in_own.get("F_R") * 1e3;
        assert!((force - in_si.get("F_R")).abs() < 1e-6, "{force}");
    }
}
