//! Description and library agree: ranges, states that events change, event indicators, and the list
//! of variables that saved models refer to.

use bristle::catalogue::ELEMENTS;
use bristle_importer::description::ScalarVariable;
use bristle_importer::fmi2::{CO_SIMULATION, EventInfo, MODEL_EXCHANGE, Status};
use bristle_importer::fmu::Fmu;
use bristle_importer::instance::Instance;
use bristle_importer::raw;
use bristle_random::Random;
use bristle_tests::cards::all_elements;
use bristle_tests::plausible_values::{plausible_value, without_contact};
use std::collections::BTreeSet;
use std::fmt::Write;
use std::path::Path;

/// The start value of a variable.
fn start(variable: &ScalarVariable) -> Option<f64> {
    variable.start.as_ref()?.parse().ok()
}

#[test]
fn bounds_of_every_declared_range_are_accepted() {
    for (name, fmu) in all_elements() {
        let mut instance = fmu.instantiate(CO_SIMULATION);
        for variable in &fmu.description.variables {
            let settable = variable.causality == "input" || variable.start.is_some();
            for end in [variable.min, variable.max]
                .into_iter()
                .flatten()
                .filter(|_| settable)
            {
                match &*variable.kind {
                    "Real" => instance.set(&variable.name, end),
                    _ => instance.set_whole(&variable.name, end as i32),
                }
            }
            // Beyond the range is refused.
            if let Some(min) = variable.min.filter(|_| settable && variable.kind == "Real") {
                for below in [min - 1.0, min - 0.01 * min.abs() - f64::MIN_POSITIVE] {
                    let status = instance.set_real(&[variable.reference], &[below]);
                    assert!(
                        instance.complaint(status).contains(&variable.name),
                        "{name}"
                    );
                }
            }
            if let Some(max) = variable.max.filter(|_| settable && variable.kind == "Real") {
                let status = instance.set_real(&[variable.reference], &[max + 0.01 * max.abs()]);
                assert!(
                    instance.complaint(status).contains(&variable.name),
                    "{name}"
                );
            }
        }
    }
}

/// An instance in Continuous-Time Mode with random inputs and states, driven through random events.
struct Restless<'a> {
    instance: Instance<'a>,
    fmu: &'a Fmu,
    states: Vec<&'a ScalarVariable>,
    random: Random,
}

impl<'a> Restless<'a> {
    fn new(fmu: &'a Fmu, seed: u64) -> Self {
        let mut instance = fmu.instantiate(MODEL_EXCHANGE);
        for status in [
            instance.setup_experiment(None, 0.0, None),
            instance.enter_initialization_mode(),
        ] {
            instance.ok(status);
        }
        let places = fmu
            .description
            .variables
            .iter()
            .filter_map(|v| v.derivative);
        let states = places
            .map(|place| &fmu.description.variables[place - 1])
            .collect();
        Restless {
            instance,
            fmu,
            states,
            random: Random::new(seed),
        }
    }

    /// Gives every input a new value: often 0, where laws have their events.
    fn set_inputs(&mut self) {
        for variable in self
            .fmu
            .description
            .variables
            .iter()
            .filter(|v| v.causality == "input")
        {
            let value = if self.random.once_in(3) {
                0.0
            } else {
                plausible_value(&mut self.random, &variable.name, start(variable))
            };
            self.instance.set(&variable.name, value);
        }
    }

    fn set_states(&mut self) {
        for variable in self.states.clone() {
            let value = plausible_value(&mut self.random, &variable.name, start(variable));
            self.instance.set(&variable.name, value);
        }
    }

    /// Gives the stiffness, where there is one, a new value now and then: the deflection follows
    /// it.
    fn tune(&mut self) {
        let stiffness =
            |v: &&ScalarVariable| ["sigma_0", "k", "Delta"].contains(&without_contact(&v.name));
        if let Some(variable) = self
            .fmu
            .description
            .variables
            .iter()
            .find(stiffness)
            .filter(|_| self.random.once_in(5))
        {
            let value = plausible_value(&mut self.random, &variable.name, start(variable));
            self.instance.set(&variable.name, value);
        }
    }

    fn states(&mut self) -> Vec<f64> {
        self.states
            .clone()
            .iter()
            .map(|state| self.instance.get(&state.name))
            .collect()
    }

    fn discrete(&mut self) -> Vec<i32> {
        let variables = self.fmu.description.variables.iter();
        let value = |v: &ScalarVariable| match &*v.kind {
            "Integer" => Some(self.instance.get_whole(&v.name)),
            "Boolean" => Some(i32::from(self.instance.get_flag(&v.name))),
            _ => None,
        };
        variables.filter_map(value).collect()
    }

    fn indicators(&mut self) -> Vec<f64> {
        let mut indicators = vec![f64::NAN; self.fmu.description.event_indicators];
        let status = self.instance.get_event_indicators(&mut indicators);
        self.instance.ok(status);
        indicators
    }

    /// From Event Mode to Continuous-Time Mode: whether the element said that states have new
    /// values.
    fn settle(&mut self) -> bool {
        let mut info = EventInfo::default();
        let status = self.instance.new_discrete_states(&mut info);
        self.instance.ok(status);
        let status = self.instance.enter_continuous_time_mode();
        self.instance.ok(status);
        info.values_of_continuous_states_changed != 0
    }
}

#[test]
fn reinit_is_declared_for_states_that_events_change() {
    for (name, fmu) in all_elements() {
        let declared: BTreeSet<_> = fmu
            .description
            .variables
            .iter()
            .filter(|v| v.reinit)
            .map(|v| v.name.clone())
            .collect();
        let mut changed = BTreeSet::new();
        let mut restless = Restless::new(&fmu, 1);
        let status = restless.instance.exit_initialization_mode();
        restless.instance.ok(status);
        restless.settle();
        for _ in 0..3000 {
            restless.set_states();
            restless.set_inputs();
            let before = restless.states();
            let status = restless.instance.enter_event_mode();
            restless.instance.ok(status);
            restless.tune();
            let said = restless.settle();
            let after = restless.states();
            assert_eq!(said, before != after, "{name}");
            for (state, _) in restless
                .states
                .iter()
                .zip(before.iter().zip(&after))
                .filter(|(_, (a, b))| a != b)
            {
                changed.insert(state.name.clone());
            }
        }
        assert_eq!(changed, declared, "{name}");
    }
}

#[test]
fn event_indicators_are_scaled_and_nonzero_after_an_event() {
    for (name, fmu) in all_elements() {
        let mut restless = Restless::new(&fmu, 2);
        let status = restless.instance.exit_initialization_mode();
        restless.instance.ok(status);
        restless.settle();
        let mut sizes = Vec::new();
        for _ in 0..3000 {
            restless.set_states();
            restless.set_inputs();
            let status = restless.instance.enter_event_mode();
            restless.instance.ok(status);
            restless.settle();
            for indicator in restless.indicators() {
                assert!(
                    indicator != 0.0 && indicator.is_finite(),
                    "{name}: {indicator}"
                );
                sizes.push(indicator.abs());
            }
        }
        sizes.sort_by(f64::total_cmp);
        // F_N up to 500 N and v up to 1 m/s around nominal values of 10 N and 1e-2 m/s.
        if let Some(largest) = sizes.last() {
            let median = sizes[sizes.len() / 2];
            assert!((1e-3..=1e2).contains(&median), "{name}: median {median:e}");
            assert!(*largest <= 1e4, "{name}: {largest:e}");
        }
    }
}

#[test]
fn completed_step_requests_the_event_of_a_mode_change() {
    for (name, fmu) in all_elements() {
        let mut restless = Restless::new(&fmu, 3);
        let status = restless.instance.exit_initialization_mode();
        restless.instance.ok(status);
        restless.settle();
        let (mut asked, mut calm) = (0, 0);
        for _ in 0..2000 {
            restless.set_states();
            restless.set_inputs();
            let (status, event, _) = restless.instance.completed_integrator_step();
            restless.instance.ok(status);
            let before = (restless.discrete(), restless.states());
            let status = restless.instance.enter_event_mode();
            restless.instance.ok(status);
            restless.settle();
            let changed = before != (restless.discrete(), restless.states());
            assert_eq!(event, changed, "{name}: {before:?}");
            asked += u32::from(event);
            calm += u32::from(!event);
        }
        let variables = &fmu.description.variables;
        let has_modes = variables.iter().any(|v| v.kind == "Integer");
        assert!(
            calm > 0 && (asked > 0 || !has_modes),
            "{name}: {asked} events"
        );
    }
}

#[test]
fn static_laws_keep_their_branch_until_the_event() {
    for name in [
        "Stribeck",
        "PoppStelter",
        "NonReversible",
        "Stefanski2003",
        "Stefanski2006",
    ] {
        let fmu = Fmu::packaged(name);
        let mut restless = Restless::new(&fmu, 4);
        restless.instance.set("F_N", 9.81);
        restless.instance.set("v", 1e-3);
        let status = restless.instance.exit_initialization_mode();
        restless.instance.ok(status);
        restless.settle();
        let before = restless.instance.get("F_R");
        let indicators = restless.indicators();
        restless.instance.set("v", -1e-6);
        assert!(
            restless.instance.get("F_R") * before > 0.0,
            "{name} jumps without an event"
        );
        let after = restless.indicators();
        assert!(
            indicators.iter().zip(&after).any(|(a, b)| a * b < 0.0),
            "{name}: {indicators:?} {after:?}"
        );
        let status = restless.instance.enter_event_mode();
        restless.instance.ok(status);
        restless.settle();
        assert!(
            restless.instance.get("F_R") * before < 0.0,
            "{name} does not jump at its event"
        );
        // A further event finds nothing to do.
        assert!(!raw_completed(&mut restless.instance));
    }
}

fn raw_completed(instance: &mut Instance) -> bool {
    let (mut event, mut terminate) = (7, 7);
    assert_eq!(
        raw!(
            *instance,
            completed_integrator_step,
            1,
            &mut event,
            &mut terminate
        ),
        Status::OK
    );
    assert!([0, 1].contains(&event) && terminate == 0);
    event == 1
}

/// Variables that a user's saved model refers to: a line for each variable of each element.
fn interface_list() -> String {
    let mut list =
        "element\tvariable\tvalueReference\ttype\tcausality\tvariability\tunit\n".to_owned();
    for entry in &ELEMENTS {
        let fmu = Fmu::packaged(entry.metadata.name);
        for v in &fmu.description.variables {
            let unit = v.unit.as_deref().unwrap_or("-");
            let name = entry.metadata.name;
            writeln!(
                list,
                "{name}\t{}\t{}\t{}\t{}\t{}\t{unit}",
                v.name, v.reference, v.kind, v.causality, v.variability
            )
            .expect("text grows");
        }
    }
    list
}

#[test]
fn variables_match_the_committed_interface() {
    let committed = Path::new(env!("CARGO_MANIFEST_DIR")).join("interface.tsv");
    let expected = std::fs::read_to_string(&committed).unwrap_or_default();
    let found = interface_list();
    if found == expected {
        return;
    }
    let now = Path::new(env!("CARGO_TARGET_TMPDIR")).join("interface.tsv");
    std::fs::write(&now, &found).expect("the list is written");
    let [before, after] = [&expected, &found].map(|list| list.lines().collect::<BTreeSet<_>>());
    panic!(
        "this breaks saved models: {:#?} is gone and {:#?} is new in the variables of the \
         elements; if that is meant, say so in \
         CHANGELOG.md and put {} in the place of {}",
        before.difference(&after).collect::<Vec<_>>(),
        after.difference(&before).collect::<Vec<_>>(),
        now.display(),
        committed.display()
    );
}

#[test]
fn the_glossary_has_every_variable_with_its_unit() {
    let page = include_str!("../../docs/glossary.md");
    for model in &ELEMENTS {
        for variable in model.variables() {
            let row = page
                .lines()
                .find(|line| line.contains(&format!("| `{}` |", variable.name)));
            let row = row.unwrap_or_else(|| panic!("docs/glossary.md has no {}", variable.name));
            let unit = variable
                .unit
                .symbol()
                .replace("m2", "m²")
                .replace("s2", "s²")
                .replace('.', "·");
            assert!(
                row.contains(&format!("| {unit} |")),
                "{row} for the unit {unit}"
            );
        }
    }
}
