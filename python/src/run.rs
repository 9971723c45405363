//! Runs of an element: values by name, steps, and whole records over arrays. Plain Rust, without
//! Python.

mod gradient;

use std::collections::BTreeMap;
use std::mem;
use std::sync::Arc;

use bristle::assembly::{Assembly, AssemblySnapshot};
use bristle::catalogue::Variant;
use bristle::coupling;
use bristle::element::Report;
use bristle::variable::{Role, Unit, Variable};
use bristle_export::names::question;

use crate::errors::Failure;

/// Slots from which on outputs belong to the coupling.
const COUPLING_OUTPUTS: usize = 64;

/// An element with its settings, which outlive a reset, and the warnings of its steps.
pub struct Run {
    pub variant: Arc<Variant>,
    element: Assembly,
    /// Parameters and start values that the user set, by reference.
    settings: BTreeMap<u32, f64>,
    tolerance: Option<f64>,
    pub initialized: bool,
    pub time: f64,
    /// Warnings not yet handed on.
    pub warnings: Vec<String>,
    warned: [bool; 3],
    /// Memory for the state before a call that may be refused.
    before: Mark,
}

/// Everything that steps change, to which a refused call returns.
#[derive(Default)]
pub struct Mark {
    snapshot: AssemblySnapshot,
    time: f64,
    initialized: bool,
    warned: [bool; 3],
}

/// An input over a record.
pub enum Signal<'a> {
    /// One value for all steps.
    Constant(f64),
    /// A value for each time.
    Samples(&'a [f64]),
}

impl Signal<'_> {
    /// The value at this place.
    pub fn at(&self, i: usize) -> f64 {
        match self {
            Signal::Constant(value) => *value,
            Signal::Samples(values) => values[i],
        }
    }
}

impl Run {
    pub fn new(variant: Arc<Variant>, tolerance: Option<f64>) -> Self {
        let element = variant.instantiate();
        let settings = BTreeMap::new();
        let mut run = Run {
            variant,
            element,
            settings,
            tolerance,
            initialized: false,
            time: 0.0,
            warnings: Vec::new(),
            warned: [false; 3],
            before: Mark::default(),
        };
        run.reset();
        run
    }

    /// The start again: states at their start values, parameters as they were set.
    pub fn reset(&mut self) {
        self.variant.reset(&mut self.element);
        if let Some(tolerance) = self.tolerance {
            self.element.set_tolerance(tolerance);
        }
        for (reference, value) in &self.settings {
            if let Some(variable) = self
                .variant
                .all()
                .find(|variable| variable.reference == *reference)
            {
                self.element.set(variable, *value);
            }
        }
        (self.initialized, self.time, self.warned) = (false, 0.0, [false; 3]);
    }

    /// The variable of this name, or a sentence with the nearest.
    pub fn find(&self, name: &str) -> Result<Variable, Failure> {
        self.variant.find(name).copied().ok_or_else(|| {
            let known = self.variant.all().map(|variable| variable.name);
            Failure::Input(format!(
                "{} has no variable `{name}`{}",
                self.variant.name(),
                question(name, known)
            ))
        })
    }

    /// The input of this name.
    pub fn input(&self, name: &str) -> Result<Variable, Failure> {
        let variable = self.find(name)?;
        if variable.role == Role::Input {
            return Ok(variable);
        }
        let inputs: Vec<_> = self
            .variant
            .all()
            .filter(|v| v.role == Role::Input)
            .map(|v| v.name)
            .collect();
        let inputs = inputs.join(", ");
        Err(Failure::Input(format!(
            "{name} is no input of {}; its inputs are {inputs}",
            self.variant.name()
        )))
    }

    /// Sets an input, a parameter or, before the first step, the start value of a state.
    pub fn set(&mut self, name: &str, value: f64) -> Result<(), Failure> {
        let variable = self.settable(name, value)?;
        self.put(&variable, value);
        Ok(())
    }

    /// The variable of this name, which may be set to this value now.
    pub fn settable(&self, name: &str, value: f64) -> Result<Variable, Failure> {
        let variable = self.find(name)?;
        match variable.role {
            Role::Input | Role::Parameter | Role::Choice(_) => {}
            Role::State if !self.initialized => {}
            Role::State => {
                return Err(Failure::Input(format!(
                    "{name} is a state and moves by itself after the first step; set it before, \
                     after `reset()`"
                )));
            }
            _ => {
                return Err(Failure::Input(format!(
                    "{name} is calculated; set inputs, parameters and start values"
                )));
            }
        }
        variable.check(value)?;
        Ok(variable)
    }

    /// Sets a variable to a value that it may have.
    pub fn put(&mut self, variable: &Variable, value: f64) {
        if variable.role != Role::Input {
            self.settings.insert(variable.reference, value);
        }
        self.element.set(variable, value);
    }

    /// Runs `body`, and restores the run where that fails: a refused call changes nothing.
    fn all_or_nothing(
        &mut self,
        body: impl FnOnce(&mut Self) -> Result<(), Failure>,
    ) -> Result<(), Failure> {
        let mut before = mem::take(&mut self.before);
        self.mark(&mut before);
        let outcome = body(self);
        if outcome.is_err() {
            self.return_to(&before);
        }
        self.before = before;
        outcome
    }

    /// Marks the present state in the memory of an older one.
    pub fn mark(&self, mark: &mut Mark) {
        self.element.save_into(&mut mark.snapshot);
        (mark.time, mark.initialized, mark.warned) = (self.time, self.initialized, self.warned);
    }

    /// Returns to a marked state.
    pub fn return_to(&mut self, mark: &Mark) {
        self.element.restore(&mark.snapshot);
        (self.time, self.initialized, self.warned) = (mark.time, mark.initialized, mark.warned);
    }

    /// Number of a choice by its name.
    pub fn choice(&self, name: &str, value: &str) -> Result<f64, Failure> {
        let variable = self.find(name)?;
        let Role::Choice(choices) = variable.role else {
            return Err(Failure::Input(format!(
                "{name} = {value:?} was given where a number is needed"
            )));
        };
        let place = choices.iter().position(|(known, _)| *known == value);
        place.map(|place| place as f64 + 1.0).ok_or_else(|| {
            let known: Vec<_> = choices.iter().map(|(known, _)| *known).collect();
            Failure::Input(format!(
                "{name} = {value:?} was given where one of {} is needed",
                known.join(", ")
            ))
        })
    }

    /// Present value of a variable.
    pub fn get(&mut self, variable: &Variable) -> Result<f64, Failure> {
        if !self.initialized
            && !matches!(
                variable.role,
                Role::Input | Role::Parameter | Role::Choice(_) | Role::State
            )
        {
            self.element.apply_parameters()?;
            self.element.evaluate_initial()?;
        }
        self.read(variable)
    }

    fn read(&self, variable: &Variable) -> Result<f64, Failure> {
        if coupling::is_on_demand(variable.reference) {
            return Ok(variable.of_si(self.element.on_demand_output(variable)?));
        }
        Ok(self.element.value_of(variable))
    }

    /// Sets these values and initialises the element at this time, s.
    pub fn initialize_with(
        &mut self,
        values: &[(Variable, f64)],
        time: f64,
    ) -> Result<(), Failure> {
        let settings = self.settings.clone();
        let outcome = self.all_or_nothing(|run| {
            values
                .iter()
                .for_each(|(variable, value)| run.put(variable, *value));
            run.time = time;
            run.initialize()
        });
        if outcome.is_err() {
            self.settings = settings;
        }
        outcome
    }

    /// Puts parameters into force and calculates modes and outputs from start values and inputs.
    fn initialize(&mut self) -> Result<(), Failure> {
        self.element.set_time(self.time);
        self.element.apply_parameters()?;
        self.element.initialize()?;
        self.initialized = true;
        Ok(())
    }

    /// Advances by one communication step with these inputs; the first one initialises the element.
    pub fn step(&mut self, duration: f64, inputs: &[(Variable, f64)]) -> Result<(), Failure> {
        self.all_or_nothing(|run| {
            inputs
                .iter()
                .for_each(|(input, value)| run.put(input, *value));
            run.step_as_set(duration)
        })
    }

    /// Advances by one communication step with the values `i` of these inputs. A refused step may
    /// leave new inputs.
    pub fn step_at(
        &mut self,
        duration: f64,
        inputs: &[(Variable, Signal)],
        i: usize,
    ) -> Result<(), Failure> {
        self.set_inputs(inputs, i)?;
        self.step_as_set(duration)
    }

    /// Advances by one communication step with the inputs that are set.
    fn step_as_set(&mut self, duration: f64) -> Result<(), Failure> {
        if !(duration.is_finite() && duration > 0.0) {
            return Err(Failure::Input(format!(
                "h = {duration:?} s was given where a finite number above 0 is needed"
            )));
        }
        if !self.initialized {
            self.initialize()?;
        }
        // The inputs of `along` are given beforehand, and no body answers to F_R.
        if let Some((contact, sentence)) = self.element.coupling_message(duration) {
            self.warnings
                .push(self.variant.of_contact(contact, sentence));
        }
        self.advance(duration)
    }

    fn advance(&mut self, duration: f64) -> Result<(), Failure> {
        self.element.apply_parameters()?;
        if !self.warned[0]
            && let Some((contact, sentence)) = self.element.model_warning()
        {
            (self.warned[0], _) = (
                true,
                self.warnings
                    .push(self.variant.of_contact(contact, sentence)),
            );
        }
        if self.element.watch_contacts()
            && !self.warned[1]
            && let Some((contact, sentence)) = self.element.open_warning()
        {
            (self.warned[1], _) = (
                true,
                self.warnings
                    .push(self.variant.of_contact(contact, sentence)),
            );
        }
        let report = self.element.advance(duration)?;
        if report.force_error > 0.0 && !self.warned[2] {
            self.warned[2] = true;
            self.warnings.push(error_warning(self.time, report));
        }
        self.time += duration;
        Ok(())
    }

    /// Friction forces and torques: the real outputs of the element in N, or N·m, that do not
    /// belong to its coupling.
    pub fn forces(&self) -> Vec<Variable> {
        let is_force = |variable: &&Variable| {
            variable.role == Role::Output
                && variable.slot() < COUPLING_OUTPUTS
                && (variable.unit == Unit::Newton || variable.unit.symbol() == "N.m")
        };
        let mut forces: Vec<_> = self.variant.all().filter(is_force).copied().collect();
        forces.sort_by_key(|force| force.reference);
        forces
    }

    /// Outputs of a run unless others are named: all that the card shows and that cost nothing, and
    /// the states.
    pub fn usual_outputs(&self) -> Vec<Variable> {
        let is_usual = |variable: &&Variable| match variable.role {
            Role::Output | Role::BooleanOutput => !coupling::is_on_demand(variable.reference),
            role => role == Role::State,
        };
        self.variant.variables().filter(is_usual).copied().collect()
    }

    /// Advances along a record from time `from` to `to` (indices into `t`), and appends the outputs
    /// at the end of each step. Inputs of time i hold over the step from i to i + 1, or run
    /// straight to those of i + 1 with `interpolate`. The first time of a record has the outputs
    /// after initialisation, or the present ones of an element that runs.
    pub fn along(
        &mut self,
        t: &[f64],
        inputs: &[(Variable, Signal)],
        outputs: &[Variable],
        interpolate: bool,
        [from, to]: [usize; 2],
        columns: &mut [Vec<f64>],
    ) -> Result<(), Failure> {
        for i in from..to {
            let place = || format!("at t[{i}] = {:?} s", t[i]);
            if i == 0 {
                self.set_inputs(inputs, 0)
                    .map_err(|failure| failure.at(place))?;
                if !self.initialized {
                    self.time = t[0];
                    self.initialize().map_err(|failure| failure.at(place))?;
                }
            } else {
                let duration = t[i] - t[i - 1];
                self.set_inputs(inputs, i - 1)
                    .map_err(|failure| failure.at(place))?;
                if interpolate {
                    for (input, signal) in inputs {
                        if let Signal::Samples(values) = signal {
                            let slope = (values[i] - values[i - 1]) / duration;
                            self.element
                                .set_input_derivative(input, 1, slope)
                                .map_err(Failure::from)?;
                        }
                    }
                }
                self.advance(duration)
                    .map_err(|failure| failure.at(place))?;
            }
            for (variable, column) in outputs.iter().zip(&mut *columns) {
                column.push(self.read(variable).map_err(|failure| failure.at(place))?);
            }
        }
        Ok(())
    }

    fn set_inputs(&mut self, inputs: &[(Variable, Signal)], i: usize) -> Result<(), Failure> {
        for (variable, signal) in inputs {
            let value = signal.at(i);
            if !self.variant.access(variable.reference).takes(value) {
                variable.check(value)?;
            }
            self.element.set(variable, value);
        }
        Ok(())
    }

    /// State of the element.
    pub fn snapshot(&self) -> AssemblySnapshot {
        self.element.save()
    }

    /// Restores a state; its parameters become the settings.
    pub fn restore(&mut self, snapshot: &AssemblySnapshot, time: f64, initialized: bool) {
        self.element.restore(snapshot);
        for variable in self
            .variant
            .all()
            .filter(|v| matches!(v.role, Role::Parameter | Role::Choice(_)))
        {
            if let Some(value) = snapshot.value(variable) {
                self.settings
                    .insert(variable.reference, variable.of_si(value));
            }
        }
        (self.time, self.initialized) = (time, initialized);
    }
}

/// Checks that times rise and are finite.
pub fn check_times(t: &[f64]) -> Result<(), Failure> {
    let bad = t
        .windows(2)
        .position(|pair| !(pair[1] - pair[0] > 0.0 && pair[1].is_finite()));
    if let Some(i) = bad {
        let [now, next] = [t[i], t[i + 1]];
        let end = i + 1;
        return Err(Failure::Input(format!(
            "t[{i}] = {now:?} s and t[{end}] = {next:?} s: times have to rise and be finite"
        )));
    }
    if t.first().is_none_or(|start| !start.is_finite()) {
        return Err(Failure::Input(
            "t has no finite first time; give at least one".to_owned(),
        ));
    }
    Ok(())
}

fn error_warning(time: f64, report: Report) -> String {
    let Report {
        inner_steps,
        force_error,
        limit_met,
        ..
    } = report;
    let why = if limit_met {
        "the limit inner_steps_max was met"
    } else {
        "the bristle is unstable there"
    };
    format!(
        "in the step from {time:?} s the estimated error of the friction force is \
         {force_error:.1e} of F_s, above the tolerance, \
         after {inner_steps} inner steps: {why}"
    )
}
