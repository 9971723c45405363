//! Model structure: differences of the FMU itself show every declared dependency and no other.
//!
//! Values are changed one at a time, by a little and to another value altogether, in Initialization
//! Mode and, with the discrete states frozen, in Continuous-Time Mode; an unknown that changes
//! depends on the value.

use bristle_importer::description::{Description, ScalarVariable, Unknown};
use bristle_importer::fmi2::{EventInfo, MODEL_EXCHANGE, Status};
use bristle_importer::fmu::Fmu;
use bristle_importer::instance::Instance;
use bristle_random::Random;
use bristle_tests::cards::{all_elements, blocks};
use bristle_tests::cases;
use bristle_tests::plausible_values::{plausible_value, without_contact};
use std::collections::{BTreeMap, BTreeSet};

/// Names of the knowns that each unknown depends on.
type Dependencies = BTreeMap<String, BTreeSet<String>>;

/// Largest number of random points at which the knowns are changed: the rarest dependency shows
/// after more than 10 000.
const POINTS: usize = 30_000;

/// Whether these many points show enough: all that is declared was found, at a tenth of `POINTS` at
/// least.
fn is_enough(points: usize, found: &Dependencies, declared: &Dependencies) -> bool {
    let is_found = |(unknown, knowns): (&String, &BTreeSet<String>)| {
        found
            .get(unknown)
            .is_some_and(|found| knowns.is_subset(found))
    };
    points >= POINTS || points >= cases(POINTS / 10, POINTS) && declared.iter().all(is_found)
}

/// An instance and the variables that the structure is about.
struct Probe<'a> {
    instance: Instance<'a>,
    /// Whether the instance is in Continuous-Time Mode.
    is_continuous: bool,
    knowns: Vec<&'a ScalarVariable>,
    unknowns: Vec<&'a ScalarVariable>,
    random: Random,
}

/// The variables of a list of unknowns.
fn listed<'a>(description: &'a Description, lists: &[&[Unknown]]) -> Vec<&'a ScalarVariable> {
    lists
        .iter()
        .flat_map(|list| list.iter())
        .map(|unknown| description.variable(&unknown.name))
        .collect()
}

/// The states and inputs, and where `parameters` is true the parameters.
fn knowns(description: &Description, parameters: bool) -> Vec<&ScalarVariable> {
    let states: Vec<_> = description
        .variables
        .iter()
        .filter_map(|v| v.derivative)
        .collect();
    let known = |(place, v): &(usize, &ScalarVariable)| {
        v.causality == "input"
            || states.contains(place)
            || (parameters && v.causality == "parameter")
    };
    (1..)
        .zip(&description.variables)
        .filter(known)
        .map(|(_, v)| v)
        .collect()
}

impl Probe<'_> {
    /// A value for a known: often one at which laws change their branch.
    fn value(&mut self, variable: &ScalarVariable) -> f64 {
        let start = variable.start.as_ref().and_then(|start| start.parse().ok());
        let random = &mut self.random;
        match without_contact(&variable.name) {
            "coupling" => 1.0 + random.below(3) as f64,
            "m_eff" | "J_eff" if random.once_in(2) => 0.0,
            // The table of ModelicaFriction ends at a velocity of 0.
            "v_1" | "v_2" | "v_3" | "v_4" | "omega_1" | "omega_2" | "omega_3" | "omega_4"
                if random.once_in(3) =>
            {
                0.0
            }
            "v" | "v_x" | "v_y" if random.once_in(3) => random.between(-2e-3, 2e-3),
            "radius" => random.magnitude(1e-3, 10.0),
            "omega" if random.once_in(3) => random.between(-4e-2, 4e-2),
            "a" if random.once_in(3) => random.between(-3e-3, 3e-3),
            "epsilon" | "delta" => random.magnitude(1e-5, 1e-1),
            "z" | "z_x" | "z_y" if random.once_in(3) => random.between(-5e-3, 5e-3),
            // Within the Delta of AdamsStickSlip and beyond.
            "z" if random.once_in(2) => random.between(-3e-6, 3e-6),
            "delta_sigma" if random.once_in(3) => 1.0,
            name => plausible_value(random, name, start),
        }
    }

    fn set(&mut self, variable: &ScalarVariable, value: f64) {
        if variable.kind == "Enumeration" {
            self.instance.set_whole(&variable.name, value as i32);
        } else {
            self.instance.set(&variable.name, value);
        }
    }

    /// The bits of all unknowns, or nothing where the FMU refuses the values.
    fn read(&mut self) -> Option<Vec<u64>> {
        let references: Vec<_> = self
            .unknowns
            .iter()
            .filter(|v| v.kind == "Real")
            .map(|v| v.reference)
            .collect();
        let mut values = vec![f64::NAN; references.len()];
        if self.instance.get_real(&references, &mut values) != Status::OK {
            self.instance.take_log();
            return None;
        }
        let mut values = values.into_iter();
        // A discrete value is calculated at events.
        if self.is_continuous {
            let status = self.instance.enter_event_mode();
            self.instance.ok(status);
        }
        let bits = self.unknowns.clone().into_iter().map(|v| match &*v.kind {
            "Boolean" => u64::from(self.instance.get_flag(&v.name)),
            // 0 and −0 are the same value.
            _ => (values.next().expect("a Real") + 0.0).to_bits(),
        });
        let bits = bits.collect();
        if self.is_continuous {
            let status = self.instance.enter_continuous_time_mode();
            self.instance.ok(status);
        }
        Some(bits)
    }

    /// Changes every known once from each of some points and collects the unknowns that change.
    fn probe(&mut self, points: usize, found: &mut Dependencies) {
        let knowns = self.knowns.clone();
        for _ in 0..points {
            let values: Vec<f64> = knowns.iter().map(|known| self.value(known)).collect();
            for (known, value) in knowns.iter().zip(&values) {
                self.set(known, *value);
            }
            let Some(before) = self.read() else { continue };
            for (known, value) in knowns.iter().zip(&values) {
                let other = if self.random.once_in(2) {
                    value * (1.0 + 1e-3)
                } else {
                    self.value(known)
                };
                let other = if known.kind == "Enumeration" {
                    self.value(known)
                } else {
                    other
                };
                self.set(known, other);
                if let Some(after) = self.read() {
                    let pairs = self.unknowns.iter().zip(before.iter().zip(after));
                    for (unknown, _) in pairs.filter(|(_, (before, after))| **before != *after) {
                        found
                            .entry(unknown.name.clone())
                            .or_default()
                            .insert(known.name.clone());
                    }
                }
                self.set(known, *value);
            }
        }
    }
}

/// Dependencies found in Initialization Mode, beside the declared ones.
fn initial(fmu: &Fmu, declared: &Dependencies) -> Dependencies {
    let description = &fmu.description;
    let mut instance = fmu.instantiate(MODEL_EXCHANGE);
    for status in [
        instance.setup_experiment(None, 0.0, None),
        instance.enter_initialization_mode(),
    ] {
        instance.ok(status);
    }
    let unknowns = listed(description, &[&description.initial_unknowns]);
    let knowns = knowns(description, true);
    let mut probe = Probe {
        instance,
        is_continuous: false,
        knowns,
        unknowns,
        random: Random::new(1),
    };
    let mut found = Dependencies::new();
    let mut points = 0;
    while !is_enough(points, &found, declared) {
        probe.probe(1000, &mut found);
        points += 1000;
    }
    found
}

/// Dependencies found in Continuous-Time Mode, beside the declared ones, from many discrete states.
fn continuous(fmu: &Fmu, declared: &Dependencies) -> Dependencies {
    let description = &fmu.description;
    let unknowns = listed(
        description,
        &[&description.outputs, &description.derivatives],
    );
    let mut found = Dependencies::new();
    let mut probe = Probe {
        instance: fmu.instantiate(MODEL_EXCHANGE),
        is_continuous: true,
        knowns: knowns(description, false),
        unknowns,
        random: Random::new(2),
    };
    let (mut draws, mut refused) = (0, 0);
    while !is_enough(10 * draws, &found, declared) {
        draws += 1;
        let all = knowns(description, true);
        let status = probe.instance.reset();
        probe.instance.ok(status);
        for known in all {
            let value = probe.value(known);
            probe.set(known, value);
        }
        for status in [
            probe.instance.setup_experiment(None, 0.0, None),
            probe.instance.enter_initialization_mode(),
        ] {
            probe.instance.ok(status);
        }
        // Random parameters may contradict each other.
        if probe.instance.exit_initialization_mode() != Status::OK {
            probe.instance.take_log();
            refused += 1;
            continue;
        }
        let mut info = EventInfo::default();
        for status in [
            probe.instance.new_discrete_states(&mut info),
            probe.instance.enter_continuous_time_mode(),
        ] {
            probe.instance.ok(status);
        }
        probe.probe(10, &mut found);
    }
    assert!(
        refused < draws / 2,
        "{refused} of {draws} draws of parameters are refused"
    );
    found
}

/// Dependencies declared in the description.
fn declared(lists: &[&[Unknown]]) -> Dependencies {
    let mut declared = Dependencies::new();
    for unknown in lists.iter().flat_map(|list| list.iter()) {
        let dependencies = unknown
            .dependencies
            .clone()
            .expect("every unknown declares its dependencies");
        if !dependencies.is_empty() {
            declared.insert(
                unknown.name.clone(),
                dependencies.iter().map(|(name, _)| name.clone()).collect(),
            );
        }
    }
    declared
}

/// Unknowns at the start that depend on the sign of the velocity r ω alone, and so on every radius
/// in the same way.
fn of_sign_alone(element: &str) -> &'static [&'static str] {
    if element.starts_with("Armstrong Rotational") {
        &["der(t_d)", "sticking"]
    } else {
        &[]
    }
}

/// A reaction of a joint, or an arm on which it acts.
fn is_reaction(name: &str) -> bool {
    [
        "F_x", "F_y", "F_z", "M_x", "M_y", "M_z", "N_0", "r_a", "l_b", "r_t", "s", "k_s",
    ]
    .contains(&name)
}

#[test]
fn declared_dependencies_match_differences() {
    let mut wrong = Vec::new();
    for (element, fmu) in all_elements() {
        let description = &fmu.description;
        let at_start = declared(&[&description.initial_unknowns]);
        let in_time = declared(&[&description.outputs, &description.derivatives]);
        let modes = [
            ("Initialization Mode", initial(&fmu, &at_start), at_start),
            ("Continuous-Time Mode", continuous(&fmu, &in_time), in_time),
        ];
        for (mode, found, declared) in modes {
            let of_sign = of_sign_alone(&element);
            let is_of_joint = description.variables.iter().any(|v| &*v.name == "N_0");
            let names: BTreeSet<_> = declared.keys().chain(found.keys()).cloned().collect();
            for name in names {
                let [mut declared, found] =
                    [&declared, &found].map(|map| map.get(&name).cloned().unwrap_or_default());
                if of_sign.contains(&&*name) {
                    declared.remove("radius");
                }
                // A joint opens where all of its reactions are 0, which no probe meets.
                if is_of_joint && (name == "sticking" || name == "H_max") {
                    declared.retain(|known| found.contains(known) || !is_reaction(known));
                }
                if declared != found {
                    wrong.push(format!(
                        "{element}, {mode}: {name} moves with {found:?}, declared {declared:?}"
                    ));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Springs and gears may connect all coordinates of a system: more is declared than depends.
#[test]
fn dependencies_of_systems_are_among_those_declared() {
    for (element, fmu) in blocks().filter(|(name, _)| name.starts_with("system")) {
        let description = &fmu.description;
        let at_start = declared(&[&description.initial_unknowns]);
        let in_time = declared(&[&description.outputs, &description.derivatives]);
        let modes = [
            (initial(&fmu, &at_start), at_start),
            (continuous(&fmu, &in_time), in_time),
        ];
        for (found, declared) in modes {
            for (unknown, knowns) in found {
                let of = declared.get(&unknown).cloned().unwrap_or_default();
                let missing: Vec<_> = knowns.difference(&of).collect();
                assert!(
                    missing.is_empty(),
                    "{element}: {unknown} moves with {missing:?}"
                );
            }
        }
    }
}

/// A constant dependency has the same partial derivative everywhere; the factors of these elements
/// are 1 and −1.
#[test]
fn constant_dependencies_have_constant_derivatives() {
    for (element, fmu) in all_elements() {
        let lists = [&fmu.description.outputs, &fmu.description.derivatives];
        for unknown in lists.into_iter().flatten() {
            for (known, kind) in unknown.dependencies.iter().flatten() {
                if kind != "constant" {
                    assert_eq!(kind, "dependent");
                    continue;
                }
                let [unknown, known] =
                    [&unknown.name, known].map(|name| fmu.description.reference(name));
                let mut random = Random::new(3);
                let mut instance = fmu.instantiate(MODEL_EXCHANGE);
                for status in [
                    instance.setup_experiment(None, 0.0, None),
                    instance.enter_initialization_mode(),
                ] {
                    instance.ok(status);
                }
                let mut factors = BTreeSet::new();
                for _ in 0..100 {
                    for variable in knowns(&fmu.description, false) {
                        instance.set(
                            &variable.name,
                            plausible_value(&mut random, &variable.name, None),
                        );
                    }
                    let mut factor = [f64::NAN];
                    let status = instance.get_directional_derivative(
                        &[unknown],
                        &[known],
                        &[1.0],
                        &mut factor,
                    );
                    instance.ok(status);
                    factors.insert(factor[0].to_bits());
                }
                assert_eq!(factors.len(), 1, "{element}");
            }
        }
    }
}
