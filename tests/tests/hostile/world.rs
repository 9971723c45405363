//! Instances, states and bytes that a hostile importer juggles with, and its next call.

use crate::model::{Expected, Model, Role, real, role};
use crate::numbers::{STRINGS, odd};
use bristle_tests::chart::{Call, Mode, after, allows};
use bristle_tests::description::ScalarVariable;
use bristle_tests::fmi2::{EventInfo, FmuState, Reference, Status, Text};
use bristle_tests::host::{CO_SIMULATION, Fmu, MODEL_EXCHANGE};
use bristle_tests::host_environment::HostEnvironment;
use bristle_tests::instance::{Instance, Options};
use bristle_tests::random::Random;
use bristle_tests::raw;
use bristle_tests::sensible::sensible;
use std::collections::{BTreeMap, VecDeque};
use std::ffi::CString;
use std::fmt::Write;
use std::ptr::{null, null_mut};
use std::time::{Duration, Instant};

/// What an element calculates only when it is asked for.
const DETAILS: [&str; 4] = ["F_R_mean", "dF_R_dv", "dF_R_dF_N", "H_max"];

/// What is held at most of each.
const INSTANCES: usize = 6;
const STATES: usize = 12;
/// Calls that a failure shows.
const SHOWN: usize = 40;

struct Player {
    instance: Instance<'static>,
    model: Model,
    /// Where its state is kept for comparison.
    scratch: FmuState,
}

/// A state that the FMU gave, with what is known of it.
struct Saved {
    state: FmuState,
    model: Model,
}

pub struct World {
    fmu: &'static Fmu,
    random: Random,
    seed: u64,
    players: Vec<Player>,
    saved: Vec<Saved>,
    bytes: Vec<(Vec<u8>, Model)>,
    trace: VecDeque<String>,
    counts: BTreeMap<(&'static str, Status), u64>,
    longest: (Duration, String),
    number: u64,
}

/// An array of an importer: the elements, or NULL where it forgot them.
struct Array<T>(Vec<T>, bool);

impl<T> Array<T> {
    fn pointer(&self) -> *const T {
        if self.1 { null() } else { self.0.as_ptr() }
    }

    fn place(&mut self) -> *mut T {
        if self.1 { null_mut() } else { self.0.as_mut_ptr() }
    }

    /// NULL was passed although elements were announced.
    fn missing(&self, n: usize) -> bool {
        self.1 && n > 0
    }
}

impl World {
    pub fn new(element: &str, seed: u64) -> Self {
        World {
            // One library for the whole run: states outlive their instances.
            fmu: Box::leak(Box::new(Fmu::packaged(element))),
            random: Random::new(seed),
            seed,
            players: Vec::new(),
            saved: Vec::new(),
            bytes: Vec::new(),
            trace: VecDeque::new(),
            counts: BTreeMap::new(),
            longest: (Duration::ZERO, String::new()),
            number: 0,
        }
    }

    pub fn longest(&self) -> Duration {
        self.longest.0
    }

    /// How often each function was answered with each status.
    pub fn report(&self) -> String {
        let mut rows: BTreeMap<&str, [u64; 3]> = BTreeMap::new();
        for ((name, status), count) in &self.counts {
            rows.entry(name).or_default()[(*status as usize).min(2)] += count;
        }
        let mut table = format!("{:34} {:>9} {:>11} {:>9}\n", "", "fmi2OK", "fmi2Warning", "fmi2Error");
        for (name, [ok, warning, error]) in rows {
            let _ = writeln!(table, "{name:34} {ok:9} {warning:11} {error:9}");
        }
        let _ = write!(table, "the longest call took {:.3} s: {}", self.longest.0.as_secs_f64(), self.longest.1);
        table
    }

    /// One call, held against the model.
    pub fn call(&mut self) {
        self.number += 1;
        if self.players.is_empty() || (self.players.len() < INSTANCES && self.random.once_in(60)) {
            return self.instantiate();
        }
        let player = self.random.below(self.players.len());
        if self.random.once_in(300) {
            self.note("fmi2FreeInstance".to_owned());
            let Player { mut instance, mut scratch, .. } = self.players.swap_remove(player);
            let status = instance.free_fmu_state(&mut scratch);
            assert_eq!(status, Status::OK);
            return;
        }
        let Model { kind, mode, .. } = self.players[player].model;
        let call = loop {
            // Steps are what all the rest is for.
            if mode == Mode::StepComplete && self.random.once_in(3) {
                break Call::DoStep;
            }
            let call = *self.random.one_of(Call::ALL);
            // Legal calls more often, and those that end things seldom.
            let seldom =
                matches!(call, Call::Reset | Call::Terminate | Call::SetupExperiment) && !self.random.once_in(6);
            if !seldom && (allows(kind, mode, call) || self.random.once_in(6)) {
                break call;
            }
        };
        let before = self.serialized(player);
        let host = self.host_environment();
        self.players[player].instance.host = host;
        let start = Instant::now();
        let (status, expected, arguments) = self.perform(player, call);
        let took = start.elapsed();
        self.players[player].instance.host = HostEnvironment::default();
        let line = format!("{player} {kind} {mode:?} {}{arguments} in {host:?} -> {status:?}", call.name());
        if took > self.longest.0 {
            self.longest = (took, line.clone());
        }
        self.note(line);
        *self.counts.entry((call.name(), status)).or_default() += 1;

        let expected = if allows(kind, mode, call) { expected } else { Expected::Error };
        let log = self.players[player].instance.take_log();
        let errors: Vec<_> = log.iter().filter(|entry| entry.status > Status::Warning).collect();
        let done = status == Status::OK || (status == Status::Warning && call == Call::DoStep);
        match status {
            _ if done => {
                self.claim(expected != Expected::Error, "it must be refused");
                self.claim(errors.is_empty(), "an error was logged, but none returned");
                self.claim_restorable(player);
                if call != Call::SetFMUstate {
                    self.players[player].model.mode = after(kind, mode, call);
                }
            }
            Status::Error => {
                let said = errors.first().map(|entry| entry.text.clone()).unwrap_or_default();
                self.claim(expected != Expected::Ok, &format!("it must be accepted, but: {said}"));
                self.claim(errors.len() == 1 && said.starts_with(&format!("{}: ", call.name())), "one sentence is due");
                let unchanged = self.serialized(player) == before;
                self.claim(unchanged, "a refused call changed the instance");
            }
            _ => self.claim(false, "no other status is ever returned"),
        }
    }

    /// The floating-point environment of the next call: one of all.
    fn host_environment(&mut self) -> HostEnvironment {
        let all: Vec<_> = HostEnvironment::all().collect();
        *self.random.one_of(&all)
    }

    fn note(&mut self, line: String) {
        if self.trace.len() == SHOWN {
            self.trace.pop_front();
        }
        self.trace.push_back(line);
    }

    #[track_caller]
    fn claim(&self, holds: bool, otherwise: &str) {
        assert!(holds, "{otherwise}; call {}, seed {}, after\n{:#?}", self.number, self.seed, self.trace);
    }

    fn serialized(&mut self, player: usize) -> Vec<u8> {
        let Player { instance, scratch, .. } = &mut self.players[player];
        let status = instance.get_fmu_state(scratch);
        assert_eq!(status, Status::OK);
        let (status, bytes) = instance.serialize_fmu_state(*scratch);
        assert_eq!(status, Status::OK);
        bytes
    }

    /// Whatever an instance has come to, its state can be saved and loaded.
    fn claim_restorable(&mut self, player: usize) {
        let bytes = self.serialized(player);
        let Player { instance, scratch, .. } = &mut self.players[player];
        let status = instance.deserialize_fmu_state(&bytes, scratch);
        let log = instance.take_log();
        self.claim(status == Status::OK, &format!("its state must be loadable: {log:?}"));
    }

    fn instantiate(&mut self) {
        let right = Options::of(self.fmu);
        let string = |random: &mut Random| CString::new(*random.one_of(&STRINGS)).expect("no NUL in them");
        let random = &mut self.random;
        let kind = *random.one_of(&[CO_SIMULATION, MODEL_EXCHANGE]);
        let options = Options {
            name: if random.once_in(3) { string(random) } else { right.name },
            kind: if random.once_in(10) { 2 } else { kind },
            guid: if random.once_in(10) { string(random) } else { right.guid.clone() },
            resource_location: if random.once_in(3) { None } else { Some(string(random)) },
            logging_on: random.once_in(2),
        };
        let expected = options.guid == right.guid && options.kind == kind;
        self.note(format!("fmi2Instantiate {options:?}"));
        match self.fmu.try_instantiate(&options) {
            Ok(instance) => {
                self.claim(expected, "it must be refused");
                instance.take_log();
                let model = Model::new(kind, &self.fmu.description);
                self.players.push(Player { instance, model, scratch: FmuState::NULL });
            }
            Err(refused) => {
                self.claim(!expected && refused.log.len() == 1, "it must be accepted, or one sentence is due")
            }
        }
        let status = if expected { Status::OK } else { Status::Error };
        *self.counts.entry(("fmi2Instantiate", status)).or_default() += 1;
    }

    /// How many elements an array has.
    fn count(&mut self) -> usize {
        match self.random.below(40) {
            0 => 10_000,
            1..=4 => 0,
            n => 1 + n % 3,
        }
    }

    fn array<T>(&mut self, elements: Vec<T>) -> Array<T> {
        Array(elements, self.random.once_in(25))
    }

    fn references(&mut self, n: usize) -> Array<Reference> {
        // Mostly all known, for one that is not refuses the whole.
        let stray = self.random.once_in(6);
        let variables = &self.fmu.description.variables;
        let random = &mut self.random;
        let references = (0..n).map(|_| match stray && random.once_in(3) {
            true => *random.one_of(&[13, 15, 61, 71, 4711, u32::MAX]),
            false => random.one_of(variables).reference,
        });
        let references = references.collect();
        self.array(references)
    }

    /// A number for a variable: sensible as a rule.
    fn number_for(&mut self, name: &str) -> f64 {
        let variable = self.fmu.description.variables.iter().find(|variable| variable.name == name);
        let start = variable.and_then(|variable| variable.start.as_ref()?.parse().ok());
        if self.random.once_in(25) { odd(&mut self.random) } else { sensible(&mut self.random, name, start) }
    }

    /// The names of the variables of some roles, in the order of the description.
    fn names(&self, wanted: impl Fn(&ScalarVariable) -> bool) -> Vec<String> {
        let variables = self.fmu.description.variables.iter();
        variables.filter(|variable| wanted(variable)).map(|variable| variable.name.clone()).collect()
    }

    /// Their references.
    fn all(&self, wanted: impl Fn(&ScalarVariable) -> bool) -> Vec<Reference> {
        let variables = self.fmu.description.variables.iter();
        variables.filter(|variable| wanted(variable)).map(|variable| variable.reference).collect()
    }

    fn finite(&self, numbers: &[f64]) {
        self.claim(numbers.iter().all(|number| number.is_finite()), &format!("{numbers:?} after fmi2OK"));
    }

    /// Makes a call: its status, what it should have been if the mode allows it, and its arguments in words.
    fn perform(&mut self, player: usize, call: Call) -> (Status, Expected, String) {
        use Call::*;
        match call {
            SetReal => self.set_real(player),
            GetReal => self.get_real(player),
            GetBoolean => self.get_boolean(player),
            GetInteger | GetString | SetInteger | SetString | SetBoolean => self.other_type(player, call),
            SetupExperiment => self.set_up(player),
            DoStep => self.step(player),
            GetFMUstate
            | SetFMUstate
            | FreeFMUstate
            | SerializedFMUstateSize
            | SerializeFMUstate
            | DeSerializeFMUstate => self.state(player, call),
            GetDirectionalDerivative => self.directional_derivative(player),
            SetRealInputDerivatives | GetRealOutputDerivatives => self.slopes(player, call),
            GetStatus | GetRealStatus | GetIntegerStatus | GetBooleanStatus | GetStringStatus => {
                self.status(player, call)
            }
            SetContinuousStates
            | GetContinuousStates
            | GetDerivatives
            | GetNominalsOfContinuousStates
            | GetEventIndicators => self.states(player, call),
            _ => self.simple(player, call),
        }
    }

    /// Calls whose arguments are few.
    fn simple(&mut self, player: usize, call: Call) -> (Status, Expected, String) {
        use Call::*;
        let time = if self.random.once_in(4) { odd(&mut self.random) } else { self.random.between(0.0, 10.0) };
        let missing = self.random.once_in(10);
        let category = *self.random.one_of(&["logEvents", "logAll", "logStatusError", "", "%n", "logEvents\u{e9}"]);
        let on = self.random.once_in(2);
        let Player { instance: i, model, .. } = &mut self.players[player];
        let in_force = model.in_force();
        let gate = |missing: bool, otherwise| if missing { Expected::Error } else { otherwise };
        let (status, expected, arguments) = match call {
            SetDebugLogging => {
                let name = CString::new(category).expect("no NUL in it");
                let known = category.starts_with("log") && category.is_ascii();
                (i.set_debug_logging(on, &[&name]), gate(!known, Expected::Ok), category.to_owned())
            }
            EnterInitializationMode => (i.enter_initialization_mode(), Expected::Ok, String::new()),
            ExitInitializationMode => (i.exit_initialization_mode(), in_force, String::new()),
            Terminate => (i.terminate(), Expected::Ok, String::new()),
            Reset => (i.reset(), Expected::Ok, String::new()),
            CancelStep => (i.cancel_step(), Expected::Error, String::new()),
            EnterEventMode => (i.enter_event_mode(), Expected::Ok, String::new()),
            EnterContinuousTimeMode => (i.enter_continuous_time_mode(), in_force, String::new()),
            NewDiscreteStates => {
                let mut info = EventInfo { next_event_time: 7.0, ..EventInfo::default() };
                let place = if missing { null_mut() } else { &raw mut info };
                (raw!(i, new_discrete_states, place), gate(missing, in_force), format!(" NULL: {missing}"))
            }
            CompletedIntegratorStep => {
                let mut flags = [7; 2];
                let (first, second) = flags.split_at_mut(1);
                let second = if missing { null_mut() } else { second.as_mut_ptr() };
                let status = raw!(i, completed_integrator_step, 1, first.as_mut_ptr(), second);
                // The energy adds up over whatever time the importer jumps.
                let expected = if in_force == Expected::Ok { Expected::Either } else { in_force };
                (status, gate(missing, expected), format!(" NULL: {missing}"))
            }
            _ => {
                assert_eq!(call, SetTime);
                (i.set_time(time), gate(!time.is_finite(), Expected::Ok), format!(" {time:e}"))
            }
        };
        if status == Status::OK {
            if call == SetTime {
                model.time = time;
            } else if call == Reset {
                *model = Model::new(model.kind, &self.fmu.description);
            }
        }
        (status, expected, arguments)
    }

    fn set_real(&mut self, player: usize) -> (Status, Expected, String) {
        let n = self.count();
        let references = self.references(n);
        let description = &self.fmu.description;
        // As a rule what may be set now, so that instances get somewhere.
        let allowed: Vec<_> = description
            .variables
            .iter()
            .filter(|v| v.kind == "Real" && self.players[player].model.settable(role(v)))
            .map(|v| v.reference)
            .collect();
        let keep = self.random.once_in(4);
        let references = Array(
            references.0.iter().map(|r| if keep { *r } else { *self.random.one_of(&allowed) }).collect(),
            references.1,
        );
        let values =
            references.0.iter().map(|r| self.number_for(real(description, *r).map_or("", |v| &v.name))).collect();
        let values = self.array(values);
        let Player { instance, model, .. } = &mut self.players[player];
        let good = |(reference, value): (&Reference, &f64)| {
            real(description, *reference).is_some_and(|v| {
                model.settable(role(v)) && Model::acceptable(&description.model_name, &v.name, role(v), *value)
            })
        };
        let all_good = references.0.iter().zip(&values.0).all(good);
        let expected =
            if references.missing(n) || values.missing(n) || !all_good { Expected::Error } else { Expected::Ok };
        let status = raw!(instance, set_real, references.pointer(), n, values.pointer());
        if status == Status::OK {
            for (reference, value) in references.0.iter().zip(&values.0) {
                if let Some(variable) = real(description, *reference) {
                    model.set(&variable.name, *value);
                }
            }
        }
        (status, expected, shown(&references.0, &values.0))
    }

    fn get_real(&mut self, player: usize) -> (Status, Expected, String) {
        let n = self.count();
        let references = self.references(n);
        let mut values = self.array(vec![f64::NAN; n]);
        let description = &self.fmu.description;
        let Player { instance, model, .. } = &mut self.players[player];
        let variables: Option<Vec<_>> = references.0.iter().map(|r| real(description, *r)).collect();
        let expected = match &variables {
            _ if references.missing(n) || values.missing(n) => Expected::Error,
            None => Expected::Error,
            // What is calculated when it is asked for may meet numbers that nobody can calculate with.
            Some(variables) if model.wild && variables.iter().any(|v| DETAILS.contains(&&*v.name)) => {
                match model.readable(true) {
                    Expected::Ok => Expected::Either,
                    expected => expected,
                }
            }
            Some(variables) => model.readable(variables.iter().any(|v| role(v) == Role::Calculated)),
        };
        let status = raw!(instance, get_real, references.pointer(), n, values.place());
        if status == Status::OK {
            let model = model.clone();
            self.finite(&values.0);
            for (variable, value) in variables.unwrap_or_default().into_iter().zip(&values.0) {
                if matches!(role(variable), Role::Input | Role::Parameter) && !model.forged {
                    self.claim(model.values[&variable.name] == *value, &format!("{} reads {value:?}", variable.name));
                }
            }
        }
        (status, expected, shown(&references.0, &[]))
    }

    fn get_boolean(&mut self, player: usize) -> (Status, Expected, String) {
        let n = self.random.below(3);
        let stray = self.random.once_in(6);
        let flag = if stray { 8 } else { self.fmu.description.reference("sticking") };
        let mut values = self.array(vec![7; n]);
        let Player { instance, model, .. } = &mut self.players[player];
        let expected = match () {
            () if values.missing(n) || (stray && n > 0) => Expected::Error,
            () => model.readable(n > 0),
        };
        let status = raw!(instance, get_boolean, vec![flag; n].as_ptr(), n, values.place());
        if status == Status::OK {
            self.claim(values.0.iter().all(|value| matches!(value, 0 | 1)), "an fmi2Boolean is 0 or 1");
        }
        (status, expected, format!(" {n} of {flag}"))
    }

    /// Of these types modes can be read, and choices can be read and set.
    fn other_type(&mut self, player: usize, call: Call) -> (Status, Expected, String) {
        let n = self.count();
        let references = self.references(n);
        let choices = self.all(|variable| variable.kind == "Enumeration");
        let whole = self.all(|variable| ["Integer", "Enumeration"].contains(&&*variable.kind));
        let right = if call == Call::SetInteger { &choices } else { &whole };
        let references = match (right.is_empty(), call) {
            (false, Call::GetInteger | Call::SetInteger) if !self.random.once_in(6) => {
                Array(references.0.iter().map(|_| *self.random.one_of(right)).collect(), references.1)
            }
            _ => references,
        };
        let mut integers: Vec<i32> = (0..n).map(|_| *self.random.one_of(&[1, 1, 2, 2, 3, 0, -1, 4])).collect();
        let description = &self.fmu.description;
        let Player { instance: i, model, .. } = &mut self.players[player];
        let mut texts: Vec<Text> = vec![c"text".as_ptr(); n];
        let status = match call {
            Call::GetInteger => raw!(i, get_integer, references.pointer(), n, integers.as_mut_ptr()),
            Call::SetInteger => raw!(i, set_integer, references.pointer(), n, integers.as_ptr()),
            Call::SetBoolean => raw!(i, set_boolean, references.pointer(), n, integers.as_ptr()),
            Call::GetString => raw!(i, get_string, references.pointer(), n, texts.as_mut_ptr()),
            _ => raw!(i, set_string, references.pointer(), n, texts.as_ptr()),
        };
        let here = !references.missing(n);
        let readable = call == Call::GetInteger && references.0.iter().all(|r| whole.contains(r)) && here;
        let settable = call == Call::SetInteger
            && references.0.iter().all(|r| choices.contains(r))
            && here
            && model.settable(Role::Parameter)
            && integers.iter().all(|choice| (1..=3).contains(choice));
        let expected = match n {
            0 => Expected::Ok,
            _ if readable => model.readable(references.0.iter().any(|r| !choices.contains(r))),
            _ if settable => Expected::Ok,
            _ => Expected::Error,
        };
        if status == Status::OK && call == Call::SetInteger {
            for (reference, value) in references.0.iter().zip(&integers) {
                if let Some(variable) = description.variables.iter().find(|v| v.reference == *reference) {
                    model.set(&variable.name, f64::from(*value));
                }
            }
        }
        if status == Status::OK && call == Call::GetInteger {
            self.claim(integers.iter().all(|mode| (-1..=3).contains(mode)), "a mode is -1 to 2, a choice 1 to 3");
        }
        (status, expected, shown(&references.0, &[]))
    }

    fn set_up(&mut self, player: usize) -> (Status, Expected, String) {
        let random = &mut self.random;
        let tolerance = match random.below(4) {
            0 => None,
            1 => Some(odd(random)),
            _ => Some(random.magnitude(1e-8, 1e-3)),
        };
        let start = if random.once_in(6) { odd(random) } else { 0.0 };
        let stop = match random.below(6) {
            0 => Some(odd(random)),
            1 => Some(start + random.magnitude(1e-3, 10.0)),
            _ => None,
        };
        let Player { instance, model, .. } = &mut self.players[player];
        let right = tolerance.is_none_or(|t| t.is_finite() && t > 0.0)
            && start.is_finite()
            && stop.is_none_or(|stop| stop >= start);
        let status = instance.setup_experiment(tolerance, start, stop);
        if status == Status::OK {
            model.time = start;
            model.stop = stop.unwrap_or(f64::INFINITY);
        }
        let expected = if right { Expected::Ok } else { Expected::Error };
        (status, expected, format!(" {tolerance:?} {start:e} {stop:?}"))
    }

    fn step(&mut self, player: usize) -> (Status, Expected, String) {
        let now = self.players[player].model.time;
        let random = &mut self.random;
        let t = match random.below(12) {
            0 => odd(random),
            1 => now + 1e-11,
            _ => now,
        };
        let h = match random.below(16) {
            0 => odd(random),
            1 => 6.6e-17,
            2 => random.magnitude(1e-2, 1.0),
            _ => random.magnitude(1e-6, 1e-3),
        };
        let description = &self.fmu.description;
        let Player { instance, model, .. } = &mut self.players[player];
        let expected = model.step(t, h);
        let status = instance.do_step(t, h);
        let arguments = format!(" {t:e} {h:e}");
        if status <= Status::Warning && model.mode == Mode::StepComplete {
            // A time that is off once must not add up.
            model.time += h;
            let held = !model.moving && !model.forged;
            model.moving = false;
            let mut numbers = vec![f64::NAN; description.variables.len()];
            let real = description.variables.iter().filter(|v| v.kind == "Real" && !DETAILS.contains(&&*v.name));
            let real: Vec<_> = real.map(|v| v.reference).collect();
            numbers.truncate(real.len());
            let read = instance.get_real(&real, &mut numbers);
            let mut last = f64::NAN;
            let asked = instance.get_real_status(2, &mut last);
            let [force, normal_force] = ["F_R", "F_N"]
                .map(|name| numbers[real.iter().position(|r| *r == description.reference(name)).expect("it is there")]);
            // The laws that promise a limit, and its coefficient.
            let coefficient = match &*description.model_name {
                "FrDyn2" | "StaticRegularized" | "AdamsStickSlip" => Some("mu_s"),
                "Coulomb" | "Dahl" => Some("mu_k"),
                _ => None,
            };
            // With a shadow of the body F_R is what makes the body follow.
            let shadowed = model.shadowed();
            let coefficient = coefficient.filter(|_| !shadowed).map(|name| model.values[name]);
            // The next step looks back on this one.
            model.wild |= shadowed && h > 1.0;
            self.note(format!("{player}{arguments}: F_R = {force:e}, F_N = {normal_force:e}"));
            self.claim(read == Status::OK && asked == Status::OK, "what a step leaves can be read");
            self.finite(&numbers);
            self.claim(last.is_finite(), "the time reached is a number");
            if let (true, Some(coefficient)) = (held, coefficient) {
                // Half a rounding of the product.
                let limit = (coefficient * normal_force).max(0.0) * (1.0 + f64::EPSILON);
                self.claim(force.abs() <= limit, "|F_R| exceeds F_s");
            }
        }
        (status, expected, arguments)
    }

    fn state(&mut self, player: usize, call: Call) -> (Status, Expected, String) {
        use Call::*;
        let index = (!self.saved.is_empty()).then(|| self.random.below(self.saved.len()));
        // NULL for a state that was forgotten.
        let index = index.filter(|_| !self.random.once_in(8));
        let held = index.map_or(FmuState::NULL, |index| self.saved[index].state);
        let arguments = format!(" {index:?}");
        let of_nothing = if index.is_some() { Expected::Ok } else { Expected::Error };
        let Player { instance: i, model, .. } = &mut self.players[player];
        match call {
            GetFMUstate => {
                if let Some(index) = index {
                    let status = i.get_fmu_state(&mut self.saved[index].state);
                    self.saved[index].model = model.clone();
                    return (status, Expected::Ok, arguments);
                }
                if self.saved.len() == STATES {
                    return (raw!(i, get_fmu_state, null_mut()), Expected::Error, " NULL".to_owned());
                }
                let mut state = FmuState::NULL;
                let status = i.get_fmu_state(&mut state);
                self.saved.push(Saved { state, model: model.clone() });
                (status, Expected::Ok, arguments)
            }
            SetFMUstate => {
                let expected = match index {
                    Some(index) if self.saved[index].model.kind == model.kind => Expected::Ok,
                    _ => Expected::Error,
                };
                let status = i.set_fmu_state(held);
                if let (Status::OK, Some(index)) = (status, index) {
                    *model = self.saved[index].model.clone();
                }
                (status, expected, arguments)
            }
            FreeFMUstate => {
                let mut state = held;
                let status = i.free_fmu_state(&mut state);
                if let Some(index) = index {
                    self.saved.swap_remove(index);
                }
                self.claim(state == FmuState::NULL, "a freed state is NULL");
                (status, Expected::Ok, arguments)
            }
            SerializedFMUstateSize => {
                let mut size = 0;
                let status = raw!(i, serialized_fmu_state_size, held, &mut size);
                self.claim(status != Status::OK || size > 0, "a state has a size");
                (status, of_nothing, arguments)
            }
            SerializeFMUstate => {
                let (_, good) = i.serialize_fmu_state(held);
                i.take_log();
                let room = if self.random.once_in(4) { self.random.below(good.len() + 1) } else { good.len() + 3 };
                let mut bytes = vec![0_u8; room];
                let place = if room == 0 { null_mut() } else { bytes.as_mut_ptr().cast() };
                let status = raw!(self.players[player].instance, serialize_fmu_state, held, place, room);
                if let (Status::OK, Some(index)) = (status, index) {
                    bytes.truncate(good.len());
                    self.claim(bytes == good, "a state has the same bytes each time");
                    if self.bytes.len() == STATES {
                        self.bytes.remove(0);
                    }
                    self.bytes.push((bytes, self.saved[index].model.clone()));
                }
                let expected = if room < good.len() { Expected::Error } else { of_nothing };
                (status, expected, format!("{arguments} {room}"))
            }
            _ => self.deserialize(player, index),
        }
    }

    fn deserialize(&mut self, player: usize, index: Option<usize>) -> (Status, Expected, String) {
        let random = &mut self.random;
        let (mut bytes, mut model) = match self.bytes.len() {
            0 => (vec![0; 100], self.players[player].model.clone()),
            n => self.bytes[random.below(n)].clone(),
        };
        let mut expected = if self.bytes.is_empty() { Expected::Error } else { Expected::Ok };
        let spoiling = if self.bytes.is_empty() { 0 } else { random.below(5) };
        match spoiling {
            1 => {
                bytes.truncate(random.below(bytes.len()));
                expected = Expected::Error;
            }
            2 => {
                let i = random.below(bytes.len());
                bytes[i] ^= 1 << random.below(8);
                expected = Expected::Error;
            }
            3 => {
                // Another number in one place, and a checksum that fits: someone meant it.
                forge(&mut bytes, random);
                model.forged = true;
                expected = Expected::Either;
            }
            _ => {}
        }
        let room = self.saved.len() < STATES;
        let i = &mut self.players[player].instance;
        let status = match index {
            Some(index) => {
                let status = i.deserialize_fmu_state(&bytes, &mut self.saved[index].state);
                if status == Status::OK {
                    self.saved[index].model = model;
                }
                status
            }
            None if room => {
                let mut state = FmuState::NULL;
                let status = i.deserialize_fmu_state(&bytes, &mut state);
                if status == Status::OK {
                    self.saved.push(Saved { state, model });
                }
                status
            }
            None => {
                expected = Expected::Error;
                raw!(i, deserialize_fmu_state, bytes.as_ptr().cast(), bytes.len(), null_mut())
            }
        };
        (status, expected, format!(" {} bytes, spoilt {spoiling}, to {index:?}", bytes.len()))
    }

    fn directional_derivative(&mut self, player: usize) -> (Status, Expected, String) {
        let [n, m] = [self.random.below(4), self.random.below(4)];
        let mut unknowns = self.references(n);
        let mut knowns = self.references(m);
        let all_unknowns = self.all(|v| v.kind == "Real" && role(v) == Role::Calculated);
        let all_knowns = self.all(|v| v.kind == "Real" && matches!(role(v), Role::Input | Role::State));
        if !self.random.once_in(4) {
            unknowns.0.iter_mut().for_each(|r| *r = *self.random.one_of(&all_unknowns));
            knowns.0.iter_mut().for_each(|r| *r = *self.random.one_of(&all_knowns));
        }
        let wild = self.random.once_in(6);
        let random = &mut self.random;
        let seeds = (0..m).map(|_| if wild { odd(random) } else { random.between(-1.0, 1.0) }).collect();
        let seeds = self.array(seeds);
        let mut results = self.array(vec![f64::NAN; n]);
        let Player { instance, model, .. } = &self.players[player];
        let missing = unknowns.missing(n) || knowns.missing(m) || seeds.missing(m) || results.missing(n);
        let known =
            unknowns.0.iter().all(|r| all_unknowns.contains(r)) && knowns.0.iter().all(|r| all_knowns.contains(r));
        let expected = match model.in_force() {
            _ if missing || !known || seeds.0.iter().any(|seed| !seed.is_finite()) => Expected::Error,
            Expected::Ok if wild => Expected::Either,
            expected => expected,
        };
        let status = raw!(
            instance,
            get_directional_derivative,
            unknowns.pointer(),
            n,
            knowns.pointer(),
            m,
            seeds.pointer(),
            results.place()
        );
        if status == Status::OK {
            self.finite(&results.0);
        }
        (status, expected, format!(" {:?} by{}", unknowns.0, shown(&knowns.0, &seeds.0)))
    }

    /// Derivatives of inputs and outputs with respect to time.
    fn slopes(&mut self, player: usize, call: Call) -> (Status, Expected, String) {
        let setting = call == Call::SetRealInputDerivatives;
        let n = self.random.below(4);
        let mut references = self.references(n);
        let causality = if setting { "input" } else { "output" };
        let right = self.all(|v| v.kind == "Real" && v.causality == causality);
        if !self.random.once_in(4) {
            references.0.iter_mut().for_each(|r| *r = *self.random.one_of(&right));
        }
        let stray = self.random.once_in(6);
        let random = &mut self.random;
        let orders: Vec<i32> = (0..n)
            .map(|_| if stray { *random.one_of(&[0, -1, 4, i32::MAX, i32::MIN]) } else { 1 + random.below(3) as i32 })
            .collect();
        let wild = random.once_in(6);
        let values: Vec<f64> = (0..n).map(|_| if wild { odd(random) } else { random.between(-1.0, 1.0) }).collect();
        let orders = self.array(orders);
        let mut values = self.array(values);
        let Player { instance, model, .. } = &mut self.players[player];
        let missing = references.missing(n) || orders.missing(n) || values.missing(n);
        let known = references.0.iter().all(|r| right.contains(r));
        let arguments = format!("{} {:?}", shown(&references.0, &values.0), orders.0);
        if setting {
            let fit = orders.0.iter().all(|order| (1..=3).contains(order)) && values.0.iter().all(|v| v.is_finite());
            let expected = if missing || !known || !fit { Expected::Error } else { Expected::Ok };
            let status =
                raw!(instance, set_real_input_derivatives, references.pointer(), n, orders.pointer(), values.pointer());
            if status == Status::OK && n > 0 {
                model.moving = true;
                // Where the input goes within the step is anyone's guess.
                model.wild |= wild;
            }
            return (status, expected, arguments);
        }
        let fit = orders.0.iter().all(|order| *order >= 1);
        let expected = if missing || !known || !fit { Expected::Error } else { model.in_force() };
        let status =
            raw!(instance, get_real_output_derivatives, references.pointer(), n, orders.pointer(), values.place());
        if status == Status::OK {
            self.finite(&values.0);
        }
        (status, expected, arguments)
    }

    fn status(&mut self, player: usize, call: Call) -> (Status, Expected, String) {
        use Call::*;
        let kind = *self.random.one_of(&[0, 1, 2, 3, -1, 4, i32::MAX]);
        let missing = self.random.once_in(10);
        let (mut integer, mut number, mut text): (i32, f64, Text) = (7, f64::NAN, null());
        let i = &self.players[player].instance;
        let (status, right) = match call {
            GetStatus => (raw!(i, get_status, kind, if missing { null_mut() } else { &raw mut integer }), kind == 0),
            GetRealStatus => {
                (raw!(i, get_real_status, kind, if missing { null_mut() } else { &raw mut number }), kind == 2)
            }
            GetIntegerStatus => {
                (raw!(i, get_integer_status, kind, if missing { null_mut() } else { &raw mut integer }), false)
            }
            GetBooleanStatus => {
                (raw!(i, get_boolean_status, kind, if missing { null_mut() } else { &raw mut integer }), kind == 3)
            }
            _ => (raw!(i, get_string_status, kind, if missing { null_mut() } else { &raw mut text }), kind == 1),
        };
        if status == Status::OK {
            let written = match call {
                GetRealStatus => number.is_finite(),
                GetStringStatus => !text.is_null(),
                _ => matches!(integer, 0 | 1),
            };
            self.claim(written, "a status has a value");
        }
        let expected = if right && !missing { Expected::Ok } else { Expected::Error };
        (status, expected, format!(" {kind} NULL: {missing}"))
    }

    /// Vectors of a solver.
    fn states(&mut self, player: usize, call: Call) -> (Status, Expected, String) {
        use Call::*;
        let names = self.names(|v| role(v) == Role::State);
        let right = if call == GetEventIndicators { self.fmu.description.event_indicators } else { names.len() };
        let n = if self.random.once_in(6) { self.random.below(5) } else { right };
        let numbers = (0..n).map(|i| self.number_for(names.get(i).map_or("", |name| name))).collect();
        let mut x: Array<f64> = self.array(numbers);
        let Player { instance: i, model, .. } = &mut self.players[player];
        let expected = match call {
            _ if n != right || (x.missing(n)) => Expected::Error,
            SetContinuousStates
                if names
                    .iter()
                    .zip(&x.0)
                    .any(|(name, x)| !Model::acceptable(&self.fmu.description.model_name, name, Role::State, *x)) =>
            {
                Expected::Error
            }
            GetDerivatives | GetEventIndicators => model.readable(true),
            _ => Expected::Ok,
        };
        let arguments = format!(" {:?}", x.0);
        let status = match call {
            SetContinuousStates => {
                let status = raw!(i, set_continuous_states, x.pointer(), n);
                if status == Status::OK {
                    names.iter().zip(&x.0).for_each(|(name, x)| model.set(name, *x));
                }
                status
            }
            GetContinuousStates => raw!(i, get_continuous_states, x.place(), n),
            GetDerivatives => raw!(i, get_derivatives, x.place(), n),
            GetNominalsOfContinuousStates => raw!(i, get_nominals_of_continuous_states, x.place(), n),
            _ => raw!(i, get_event_indicators, x.place(), n),
        };
        if status == Status::OK {
            self.finite(&x.0);
        }
        (status, expected, arguments)
    }
}

impl Drop for World {
    fn drop(&mut self) {
        // What a careful importer frees; an instance is needed to do so.
        let mut instance = self.fmu.instantiate(CO_SIMULATION);
        for Saved { mut state, .. } in self.saved.drain(..) {
            let _ = instance.free_fmu_state(&mut state);
        }
        for mut player in self.players.drain(..) {
            let _ = player.instance.free_fmu_state(&mut player.scratch);
        }
    }
}

/// References with their values, shortened.
fn shown(references: &[Reference], values: &[f64]) -> String {
    let values: Vec<_> = values.iter().take(5).map(|value| format!("{value:e}")).collect();
    format!(" {} {:?} {values:?}", references.len(), &references[..references.len().min(5)])
}

/// Overwrites one number of a serialised state and mends its checksum (FNV-1a), as its documentation describes both.
fn forge(bytes: &mut [u8], random: &mut Random) {
    const HEAD: usize = 27;
    let body = bytes.len() - 8;
    let place = HEAD + 8 * random.below((body - HEAD) / 8);
    bytes[place..place + 8].copy_from_slice(&odd(random).to_le_bytes());
    let sum = bytes[..body]
        .iter()
        .fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| (hash ^ u64::from(*byte)).wrapping_mul(0x0000_0100_0000_01b3));
    bytes[body..].copy_from_slice(&sum.to_le_bytes());
}
