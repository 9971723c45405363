//! FMU instance: the contacts of an element, their lifecycle and log.
//!
//! Plain Rust: `ffi` has turned pointers into references and checked the calling sequence. The
//! values remain to be checked: unknown references, numbers out of range, times that do not fit.

mod variables;
mod warnings;

use self::warnings::LoggedWarnings;
use crate::calling_sequence::{InstanceState, InterfaceType};
use crate::card_section::SharedVariant;
use crate::clock::{Clock, Fit, is_single_precision};
use crate::floating_point::DefaultEnvironment;
use crate::fmi2_types::fmi2Status;
use crate::lifecycle::Lifecycle;
use crate::log::Log;
use crate::outcome::{Outcome, Refusal};
use crate::state::FmuState;
use bristle::assembly::{Assembly, AssemblySnapshot, Table};
use bristle::coupling;
use bristle::integrate::SolverError;
use bristle::variable::InputError;

/// Refusal of a state outside the range of numbers, in the steps of an importer's solver.
const SOLVER_TOO_LONG: &str = "a result is too large for a floating-point number; the likely \
                               cause is a step of the importer's \
     solver that is too long for the contact, whose rates reach 1e4 1/s and more: use an implicit \
     solver with error control, or \
     shorten its steps";

/// An FMU instance.
pub struct Instance {
    pub variant: SharedVariant,
    pub kind: InterfaceType,
    pub assembly: Assembly,
    pub lifecycle: Lifecycle,
    pub log: Log,
    logged: LoggedWarnings,
    /// Model Exchange: events since the last completed step without one.
    events_in_a_row: u32,
    /// Memory for the state before parameters change.
    before: Option<AssemblySnapshot>,
}

impl Instance {
    pub fn new(variant: SharedVariant, kind: InterfaceType, log: Log) -> Self {
        Instance {
            assembly: variant.instantiate(),
            variant,
            kind,
            lifecycle: Lifecycle::START,
            log,
            logged: LoggedWarnings::default(),
            events_in_a_row: 0,
            before: None,
        }
    }

    pub fn setup(
        &mut self,
        tolerance: Option<f64>,
        start_time: f64,
        stop_time: Option<f64>,
    ) -> Outcome {
        if let Some(tolerance) = tolerance
            && !(tolerance.is_finite() && tolerance > 0.0)
        {
            return refuse(format!(
                "tolerance = {tolerance:?} was given where a finite number above 0 is needed"
            ));
        }
        if !start_time.is_finite() {
            return refuse(format!(
                "startTime = {start_time:?} was given where a finite number is needed"
            ));
        }
        let stop_time = stop_time.unwrap_or(f64::INFINITY);
        if stop_time.is_nan() || stop_time < start_time {
            return refuse(format!(
                "stopTime = {stop_time:?} s lies before startTime = {start_time:?} s; give a \
                 later one"
            ));
        }
        if let Some(tolerance) = tolerance {
            self.assembly.set_tolerance(tolerance);
        }
        let clock = Clock::starting_at(start_time);
        self.lifecycle = Lifecycle {
            time: start_time,
            clock,
            stop_time,
            ..self.lifecycle
        };
        self.assembly.set_time(start_time);
        Ok(())
    }

    pub fn exit_initialization(&mut self) -> Outcome {
        self.all_or_nothing(|instance| {
            instance.assembly.apply_parameters()?;
            Ok(instance
                .assembly
                .initialize()
                .map_err(|failure| InputError::new(failure.to_string()))?)
        })?;
        self.lifecycle.outputs_dirty = false;
        self.lifecycle.mode = match self.kind {
            InterfaceType::ModelExchange => InstanceState::Event,
            InterfaceType::CoSimulation => InstanceState::StepComplete,
        };
        self.note_power();
        Ok(())
    }

    pub fn enter_continuous_time(&mut self) -> Outcome {
        self.update().map_err(Refusal::of_call)?;
        self.lifecycle.mode = InstanceState::ContinuousTime;
        // An event may have changed the inputs: the trapezoid of E_loss starts from their values
        // now.
        self.note_power();
        Ok(())
    }

    /// Model Exchange: the modes that hold after an event; whether states changed with them.
    pub fn new_discrete_states(&mut self) -> Result<bool, Refusal> {
        let states = self.state_values();
        let is_event = self.all_or_nothing(|instance| {
            instance.assembly.apply_parameters()?;
            let is_event = instance.assembly.event_is_pending();
            instance.assembly.event_iteration();
            instance.update().map_err(Refusal::of_call)?;
            Ok(is_event)
        })?;
        self.events_in_a_row = self.events_in_a_row.saturating_add(u32::from(is_event));
        self.warn_of_events(self.events_in_a_row);
        Ok(self.state_values() != states)
    }

    fn state_values(&self) -> Vec<f64> {
        self.variant
            .states()
            .iter()
            .map(|(state, _)| self.assembly.value(state.reference))
            .collect()
    }

    fn note_power(&mut self) {
        self.lifecycle.power_time = self.lifecycle.time;
        self.assembly.note_power();
        if self.kind == InterfaceType::ModelExchange {
            self.assembly.record();
        }
    }

    pub fn reset(&mut self) {
        self.variant.reset(&mut self.assembly);
        self.lifecycle = Lifecycle::START;
        (self.logged, self.events_in_a_row) = (LoggedWarnings::default(), 0);
    }

    /// Values as they are to be read now.
    ///
    /// In Co-Simulation the outputs after a step stay those of the end of the step until the next
    /// one, whatever is set in between: the contact's instantaneous slope in an output would make
    /// any coupling worse.
    #[inline]
    pub fn readable(&mut self, calculated: bool) -> Result<&Assembly, Refusal> {
        let frozen = self.kind == InterfaceType::CoSimulation
            && self.lifecycle.mode != InstanceState::Initialization;
        if calculated && self.lifecycle.outputs_dirty && !frozen {
            let _environment = DefaultEnvironment::enter();
            self.update()?;
        }
        Ok(&self.assembly)
    }

    /// Values of these variables that are calculated only when they are asked for.
    #[cold]
    pub fn details(&self, references: &[u32]) -> Result<Table, Refusal> {
        let _environment = DefaultEnvironment::enter();
        let mut values = Table::ZERO;
        for &reference in references
            .iter()
            .filter(|reference| coupling::is_on_demand(**reference))
        {
            let variable = self.real(reference)?;
            let value = self.assembly.on_demand_output(variable);
            *values.entry(variable) =
                value.map_err(|failure| Refusal::point(failure.to_string()))?;
        }
        Ok(values)
    }

    /// Brings parameters into force and calculates outputs and derivatives.
    pub fn update(&mut self) -> Outcome {
        self.with_parameters(|instance| {
            let done = match instance.lifecycle.mode {
                InstanceState::Instantiated | InstanceState::Initialization => {
                    instance.assembly.evaluate_initial()
                }
                // Discrete values are constant between events.
                InstanceState::ContinuousTime | InstanceState::Terminated => {
                    instance.assembly.evaluate_between_events()
                }
                _ => instance.assembly.evaluate(),
            };
            done.map_err(|failure| match failure {
                SolverError::NotFinite
                    if instance.lifecycle.mode == InstanceState::ContinuousTime =>
                {
                    Refusal::point(SOLVER_TOO_LONG)
                }
                failure => Refusal::point(failure.to_string()),
            })
        })?;
        self.lifecycle.outputs_dirty = false;
        Ok(())
    }

    /// Puts changed parameters into force and runs `body`. Where that is refused, the deflection
    /// that was rescaled for a tuned stiffness is restored with everything else.
    #[inline]
    pub fn with_parameters<T>(
        &mut self,
        body: impl FnOnce(&mut Self) -> Result<T, Refusal>,
    ) -> Result<T, Refusal> {
        if !self.assembly.parameters_are_dirty() {
            return body(self);
        }
        self.with_changed_parameters(body)
    }

    #[cold]
    fn with_changed_parameters<T>(
        &mut self,
        body: impl FnOnce(&mut Self) -> Result<T, Refusal>,
    ) -> Result<T, Refusal> {
        self.all_or_nothing(|instance| {
            match instance.lifecycle.mode {
                InstanceState::ContinuousTime => {
                    instance.assembly.apply_parameters_keeping_states()
                }
                _ => instance.assembly.apply_parameters(),
            }
            .map_err(Refusal::Point)?;
            body(instance)
        })
    }

    /// Calculates what is to be read now, and runs `body`. Where that is refused, nothing was
    /// calculated.
    pub fn with_values<T>(
        &mut self,
        body: impl FnOnce(&mut Self) -> Result<T, Refusal>,
    ) -> Result<T, Refusal> {
        if !self.lifecycle.outputs_dirty {
            return self.with_parameters(body);
        }
        self.all_or_nothing(|instance| {
            instance.readable(true)?;
            instance.with_parameters(body)
        })
    }

    /// Runs `body`, and restores the instance where that is refused.
    fn all_or_nothing<T>(
        &mut self,
        body: impl FnOnce(&mut Self) -> Result<T, Refusal>,
    ) -> Result<T, Refusal> {
        // Into memory that is there already: an input that a card made of a parameter may change at
        // every step.
        let mut before = self.before.take().unwrap_or_default();
        self.assembly.save_into(&mut before);
        let lifecycle = self.lifecycle;
        let outcome = body(self);
        if outcome.is_err() {
            self.assembly.restore(&before);
            self.lifecycle = lifecycle;
        }
        self.before = Some(before);
        outcome
    }

    /// A warning where the result may be wrong by more than the tolerance.
    pub fn do_step(&mut self, time: f64, step: f64) -> Result<fmi2Status, Refusal> {
        let clock = self.check_times(time, step)?;
        let report = self.with_parameters(|instance| {
            instance.warn_of_step(step);
            Ok(instance
                .assembly
                .advance(step)
                .map_err(|failure| InputError::new(failure.to_string()))?)
        })?;
        self.lifecycle.time = time + step;
        self.lifecycle.clock = clock;
        self.lifecycle.outputs_dirty = false;
        Ok(if report.force_error == 0.0 {
            fmi2Status::fmi2OK
        } else {
            self.warn_of_force_error(time, report)
        })
    }

    /// Refuses times that do not fit the steps before, or the stop time; the clock after the step.
    fn check_times(&mut self, time: f64, step: f64) -> Result<Clock, Refusal> {
        let Lifecycle {
            clock,
            stop_time,
            time: last_end,
            ..
        } = self.lifecycle;
        if !(step.is_finite() && step > 0.0) {
            return refuse(format!(
                "communicationStepSize = {step:?} s was given where a finite number above 0 is \
                 needed; give a positive step"
            ));
        }
        let fit = clock.fit_of_point(time, last_end, step);
        if fit == Fit::Off {
            return refuse(off_point(time, &clock, step));
        }
        let end = time + step;
        let Some(after) = clock.after(step).filter(|_| end.is_finite()) else {
            return refuse(format!(
                "a step of {step:?} s from {time:?} s ends at no finite time; give a smaller step"
            ));
        };
        let is_late = |end: f64| end > stop_time && clock.fit(end, stop_time, step) == Fit::Off;
        // A master in single precision has drifted.
        if is_late(end) && is_late(after.sum) {
            return refuse(format!(
                "the step ends at {end:?} s, after stopTime = {stop_time:?} s; give a later \
                 stopTime or none to \
                 fmi2SetupExperiment"
            ));
        }
        if fit == Fit::SinglePrecision && !self.logged.time {
            self.warn_of_time(time);
        }
        Ok(after)
    }

    pub fn set_time(&mut self, time: f64) -> Outcome {
        if !time.is_finite() {
            return refuse(format!(
                "time = {time:?} was given where a finite number is needed"
            ));
        }
        self.lifecycle.time = time;
        self.assembly.set_time(time);
        self.lifecycle.outputs_dirty = true;
        Ok(())
    }

    /// Model Exchange: takes the energy over a solver's step, by the trapezoidal rule; returns
    /// whether an event is due, because a mode does not hold any more at its end.
    pub fn completed_step(&mut self) -> Result<bool, Refusal> {
        self.all_or_nothing(|instance| {
            instance.update()?;
            let Lifecycle {
                time, power_time, ..
            } = instance.lifecycle;
            instance
                .assembly
                .add_energy(time - power_time)
                .map_err(|_| {
                    Refusal::point(
                        "E_loss is too large for a floating-point number; check the inputs \
                                for extreme values",
                    )
                })
        })?;
        self.warn_of_model();
        self.warn_of_solver();
        if self.assembly.watch_contacts() {
            self.warn_of_open_contact();
        }
        self.note_power();
        let is_event = self.assembly.event_is_pending();
        if !is_event {
            self.events_in_a_row = 0;
        }
        Ok(is_event)
    }

    pub fn save(&self) -> FmuState {
        FmuState {
            fingerprint: self.variant.fingerprint,
            kind: self.kind,
            lifecycle: self.lifecycle,
            contacts: self.assembly.save(),
        }
    }

    /// Saves into the memory of an older state.
    pub fn save_into(&self, state: &mut FmuState) {
        state.fingerprint = self.variant.fingerprint;
        state.kind = self.kind;
        state.lifecycle = self.lifecycle;
        self.assembly.save_into(&mut state.contacts);
    }

    pub fn restore(&mut self, state: &FmuState) -> Outcome {
        if state.fingerprint != self.variant.fingerprint {
            return refuse("the state belongs to another element; restore a state of this one");
        }
        if state.kind != self.kind {
            return refuse(format!(
                "the state belongs to a {} instance, but this one is for {}",
                state.kind, self.kind
            ));
        }
        self.assembly.restore(&state.contacts);
        self.lifecycle = state.lifecycle;
        Ok(())
    }
}

fn refuse<T>(text: impl Into<String>) -> Result<T, Refusal> {
    Err(InputError::new(text.into()).into())
}

/// Refusal of a communication point (s) that is not the end of the last step, before a step (s).
#[cold]
fn off_point(time: f64, clock: &Clock, step: f64) -> String {
    let drift = time - clock.sum;
    let point = format!(
        "currentCommunicationPoint = {time:?} s was given where the steps so far end at {:?} s, \
         {:.1e} s away",
        clock.sum,
        drift.abs()
    );
    if is_single_precision(time) && drift.abs() < step {
        format!(
            "{point}; the likely cause is a clock in single precision: keep time in double \
             precision"
        )
    } else {
        format!("{point}; step on from there, or restore an earlier state first")
    }
}
