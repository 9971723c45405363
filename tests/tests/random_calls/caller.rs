//! Random calls of an importer on several instances, each compared with the model.

mod arguments;
mod derivatives;
mod lifecycle;
mod saved_state;
mod solver;
mod variables;

use crate::random_calls::model::{Expected, Model};
use crate::random_calls::numbers::STRINGS;
use bristle_importer::calling_sequence::{Call, InstanceState, after, allows};
use bristle_importer::fmi2::{CO_SIMULATION, FmuState, MODEL_EXCHANGE, Status};
use bristle_importer::fmu::Fmu;
use bristle_importer::host_environment::HostEnvironment;
use bristle_importer::instance::{Instance, Options};
use bristle_random::Random;
use bristle_tests::plausible_values::without_contact;
use std::collections::{BTreeMap, VecDeque};
use std::ffi::CString;
use std::fmt::Write;
use std::time::{Duration, Instant};

/// Bytes as digits, eight bytes a word.
fn hexadecimal(bytes: &[u8]) -> Vec<String> {
    let word = |bytes: &[u8]| bytes.iter().map(|byte| format!("{byte:02x}")).collect();
    bytes.chunks(8).map(word).collect()
}

/// Whether a variable is an on-demand output.
fn is_on_demand(name: &str) -> bool {
    [
        "F_R_mean",
        "dF_R_dv",
        "dF_R_dF_N",
        "H_max",
        "E_loss_error",
        "M_R_mean",
        "dM_R_domega",
        "dM_R_dF_N",
    ]
    .contains(&without_contact(name))
}

/// Largest number of instances.
const INSTANCES: usize = 6;
/// Largest number of saved states.
const STATES: usize = 12;
/// Number of calls that a failure shows.
const SHOWN: usize = 40;

/// Instance with its model.
struct Subject<'a> {
    instance: Instance<'a>,
    model: Model,
    /// Its state, for comparison.
    scratch: FmuState,
}

/// Saved state of the FMU and of its model.
struct Saved {
    state: FmuState,
    model: Model,
}

/// Importer that calls at random.
pub struct Caller<'a> {
    /// One library for the whole run: states outlive their instances.
    fmu: &'a Fmu,
    /// Name of the element's law.
    law: String,
    random: Random,
    seed: u64,
    subjects: Vec<Subject<'a>>,
    saved: Vec<Saved>,
    bytes: Vec<(Vec<u8>, Model)>,
    trace: VecDeque<String>,
    /// All calls with what they returned and changed, where these are to be compared.
    transcript: Option<Vec<String>>,
    counts: BTreeMap<(&'static str, Status), u64>,
    longest: (Duration, String),
    number: u64,
}

impl<'a> Caller<'a> {
    /// Importer of an element of this law.
    pub fn new(law: &str, fmu: &'a Fmu, seed: u64) -> Self {
        Caller {
            fmu,
            law: law.to_owned(),
            random: Random::new(seed),
            seed,
            subjects: Vec::new(),
            saved: Vec::new(),
            bytes: Vec::new(),
            trace: VecDeque::new(),
            transcript: None,
            counts: BTreeMap::new(),
            longest: (Duration::ZERO, String::new()),
            number: 0,
        }
    }

    /// Makes calls, and returns what each returned and changed.
    pub fn transcript(mut self, calls: u64) -> Vec<String> {
        self.transcript = Some(Vec::new());
        for _ in 0..calls {
            self.call();
        }
        self.transcript.take().unwrap_or_default()
    }

    /// Records what a call returned or changed.
    fn record(&mut self, what: impl FnOnce() -> String) {
        if let Some(transcript) = &mut self.transcript {
            transcript.push(what());
        }
    }

    pub fn longest(&self) -> Duration {
        self.longest.0
    }

    /// Table of the statuses of each function.
    pub fn report(&self) -> String {
        let mut rows: BTreeMap<&str, [u64; 4]> = BTreeMap::new();
        for ((name, status), count) in &self.counts {
            rows.entry(name).or_default()[(*status as usize).min(3)] += count;
        }
        let mut table = format!(
            "{:34} {:>9} {:>11} {:>11} {:>9}\n",
            "", "fmi2OK", "fmi2Warning", "fmi2Discard", "fmi2Error"
        );
        for (name, [ok, warning, discard, error]) in rows {
            let _ = writeln!(
                table,
                "{name:34} {ok:9} {warning:11} {discard:11} {error:9}"
            );
        }
        let _ = write!(
            table,
            "the longest call took {:.3} s: {}",
            self.longest.0.as_secs_f64(),
            self.longest.1
        );
        table
    }

    /// Makes one call and compares it with the model.
    pub fn call(&mut self) {
        self.number += 1;
        if self.subjects.is_empty() || (self.subjects.len() < INSTANCES && self.random.once_in(60))
        {
            return self.instantiate();
        }
        let subject = self.random.below(self.subjects.len());
        if self.random.once_in(300) {
            self.note("fmi2FreeInstance".to_owned());
            let Subject {
                mut instance,
                mut scratch,
                ..
            } = self.subjects.swap_remove(subject);
            let status = instance.free_fmu_state(&mut scratch);
            assert_eq!(status, Status::OK);
            return;
        }
        let Model {
            interface, state, ..
        } = self.subjects[subject].model;
        let call = loop {
            // Steps are more frequent.
            if state == InstanceState::StepComplete && self.random.once_in(3) {
                break Call::DoStep;
            }
            let call = *self.random.one_of(Call::ALL);
            // Legal calls are more frequent, calls that end a run less.
            let seldom = matches!(call, Call::Reset | Call::Terminate | Call::SetupExperiment)
                && !self.random.once_in(6);
            if !seldom && (allows(interface, state, call) || self.random.once_in(6)) {
                break call;
            }
        };
        let before = self.serialized(subject);
        self.record(|| format!("state {:?}", hexadecimal(&before)));
        let host = self.host_environment();
        self.subjects[subject].instance.host = host;
        let start = Instant::now();
        let (status, expected, arguments) = self.perform(subject, call);
        let took = start.elapsed();
        self.subjects[subject].instance.host = HostEnvironment::default();
        let line = format!(
            "{subject} {interface} {state:?} {}{arguments} in {host:?} -> {status:?}",
            call.name()
        );
        if took > self.longest.0 {
            self.longest = (took, line.clone());
        }
        self.note(line);
        *self.counts.entry((call.name(), status)).or_default() += 1;

        let expected = if allows(interface, state, call) {
            expected
        } else {
            Expected::Error
        };
        let log = self.subjects[subject].instance.take_log();
        self.record(|| format!("log {log:?}"));
        let errors: Vec<_> = log
            .iter()
            .filter(|entry| entry.status > Status::Warning)
            .collect();
        let done = status == Status::OK || (status == Status::Warning && call == Call::DoStep);
        match status {
            _ if done => {
                self.claim(expected != Expected::Error, "it must be refused");
                self.claim(errors.is_empty(), "an error was logged, but none returned");
                self.claim_restorable(subject);
                if call != Call::SetFMUstate {
                    self.subjects[subject].model.state = after(interface, state, call);
                }
            }
            Status::Error | Status::Discard => {
                let may_discard = matches!(
                    call,
                    Call::GetReal
                        | Call::GetInteger
                        | Call::GetBoolean
                        | Call::SetReal
                        | Call::SetContinuousStates
                        | Call::GetDerivatives
                        | Call::GetEventIndicators
                        | Call::GetDirectionalDerivative
                        | Call::CompletedIntegratorStep
                );
                let is_rightly_discarded = interface == MODEL_EXCHANGE && may_discard;
                self.claim(
                    status == Status::Error || is_rightly_discarded,
                    "it must not be discarded",
                );
                let said = errors
                    .first()
                    .map(|entry| entry.text.clone())
                    .unwrap_or_default();
                if expected == Expected::Ok {
                    let values = self.values(subject);
                    // A step of 1e300 s, which returned fmi2Warning, may leave a deflection from
                    // which no step is short enough.
                    let is_beyond =
                        |(name, value): &(String, f64)| name.contains("z_") && value.abs() > 1e100;
                    self.claim(
                        call == Call::DoStep && values.iter().any(is_beyond),
                        &format!("it must be accepted, but: {said}; with {values:?}"),
                    );
                }
                self.claim(
                    errors.len() == 1 && said.starts_with(&format!("{}: ", call.name())),
                    "one sentence is due",
                );
                let changed = before
                    .iter()
                    .zip(self.serialized(subject))
                    .position(|(before, after)| *before != after);
                self.claim(
                    changed.is_none(),
                    &format!(
                        "a refused call changed byte {changed:?} of {} of the state: {said}",
                        before.len()
                    ),
                );
            }
            _ => self.claim(false, "no other status is ever returned"),
        }
    }

    /// Random floating-point environment.
    fn host_environment(&mut self) -> HostEnvironment {
        let all: Vec<_> = HostEnvironment::all().collect();
        *self.random.one_of(&all)
    }

    fn note(&mut self, line: String) {
        self.record(|| line.clone());
        if self.trace.len() == SHOWN {
            self.trace.pop_front();
        }
        self.trace.push_back(line);
    }

    #[track_caller]
    fn claim(&self, holds: bool, otherwise: &str) {
        assert!(
            holds,
            "{otherwise}; call {}, seed {}, after\n{:#?}",
            self.number, self.seed, self.trace
        );
    }

    /// Name and value of each real variable that is not calculated on demand.
    fn values(&mut self, subject: usize) -> Vec<(String, f64)> {
        let variables = self
            .fmu
            .description
            .variables
            .iter()
            .filter(|v| v.kind == "Real");
        let instance = &mut self.subjects[subject].instance;
        variables
            .map(|variable| (variable.name.clone(), instance.get(&variable.name)))
            .collect()
    }

    fn serialized(&mut self, subject: usize) -> Vec<u8> {
        let Subject {
            instance, scratch, ..
        } = &mut self.subjects[subject];
        let status = instance.get_fmu_state(scratch);
        assert_eq!(status, Status::OK);
        let (status, bytes) = instance.serialize_fmu_state(*scratch);
        assert_eq!(status, Status::OK);
        bytes
    }

    /// Checks that the state can be saved and loaded.
    fn claim_restorable(&mut self, subject: usize) {
        let bytes = self.serialized(subject);
        let Subject {
            instance, scratch, ..
        } = &mut self.subjects[subject];
        let status = instance.deserialize_fmu_state(&bytes, scratch);
        let log = instance.take_log();
        if status != Status::OK {
            let values = self.values(subject);
            self.claim(
                false,
                &format!("its state must be loadable: {log:?}; with {values:?}"),
            );
        }
    }

    fn instantiate(&mut self) {
        let right = Options::of(self.fmu);
        let string =
            |random: &mut Random| CString::new(*random.one_of(&STRINGS)).expect("no NUL in them");
        let random = &mut self.random;
        let interface = *random.one_of(&[CO_SIMULATION, MODEL_EXCHANGE]);
        let options = Options {
            name: if random.once_in(3) {
                string(random)
            } else {
                right.name
            },
            interface: if random.once_in(10) { 2 } else { interface },
            guid: if random.once_in(10) {
                string(random)
            } else {
                right.guid.clone()
            },
            resource_location: if random.once_in(3) {
                None
            } else {
                Some(string(random))
            },
            logging_on: random.once_in(2),
        };
        let expected = options.guid == right.guid && options.interface == interface;
        self.note(format!("fmi2Instantiate {options:?}"));
        match self.fmu.try_instantiate(&options) {
            Ok(instance) => {
                self.claim(expected, "it must be refused");
                instance.take_log();
                let model = Model::new(interface, &self.fmu.description);
                self.subjects.push(Subject {
                    instance,
                    model,
                    scratch: FmuState::NULL,
                });
            }
            Err(refused) => {
                self.record(|| format!("log {:?}", refused.log));
                self.claim(
                    !expected && refused.log.len() == 1,
                    "it must be accepted, or one sentence is due",
                );
            }
        }
        let status = if expected { Status::OK } else { Status::Error };
        *self.counts.entry(("fmi2Instantiate", status)).or_default() += 1;
    }

    fn finite(&self, numbers: &[f64]) {
        self.claim(
            numbers.iter().all(|number| number.is_finite()),
            &format!("{numbers:?} after fmi2OK"),
        );
    }

    /// Makes a call: its status, the expected status if the instance's state allows the call, and
    /// its arguments as text.
    fn perform(&mut self, subject: usize, call: Call) -> (Status, Expected, String) {
        use Call::*;
        match call {
            SetReal => self.set_real(subject),
            GetReal => self.get_real(subject),
            GetBoolean => self.get_boolean(subject),
            GetInteger | GetString | SetInteger | SetString | SetBoolean => {
                self.other_type(subject, call)
            }
            SetupExperiment => self.set_up(subject),
            DoStep => self.step(subject),
            GetFMUstate
            | SetFMUstate
            | FreeFMUstate
            | SerializedFMUstateSize
            | SerializeFMUstate
            | DeSerializeFMUstate => self.state(subject, call),
            GetDirectionalDerivative => self.directional_derivative(subject),
            SetRealInputDerivatives | GetRealOutputDerivatives => self.slopes(subject, call),
            GetStatus | GetRealStatus | GetIntegerStatus | GetBooleanStatus | GetStringStatus => {
                self.status(subject, call)
            }
            SetContinuousStates
            | GetContinuousStates
            | GetDerivatives
            | GetNominalsOfContinuousStates
            | GetEventIndicators => self.states(subject, call),
            _ => self.simple(subject, call),
        }
    }
}

impl Drop for Caller<'_> {
    fn drop(&mut self) {
        // An instance is needed to free states.
        let mut instance = self.fmu.instantiate(CO_SIMULATION);
        for Saved { mut state, .. } in self.saved.drain(..) {
            let _ = instance.free_fmu_state(&mut state);
        }
        for mut subject in self.subjects.drain(..) {
            let _ = subject.instance.free_fmu_state(&mut subject.scratch);
        }
    }
}
