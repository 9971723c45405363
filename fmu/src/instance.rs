//! An FMU instance: an element of the catalogue, where it stands in its chart and in time, and its log.
//!
//! Plain Rust: pointers were turned into references before, and the chart was asked. What remains to refuse here are
//! values: unknown references, numbers that cannot be, times that do not fit.

use crate::calling_sequence::{InstanceState, InterfaceType};
use crate::clock::{Clock, Fit};
use crate::ffi::Outcome;
use crate::floating_point::DefaultEnvironment;
use crate::fmi2_types::fmi2Status;
use crate::log::Log;
use crate::state::{FmuState, Lifecycle};
use bristle::catalogue::Model;
use bristle::coupling;
use bristle::element::{AnyElement, E_LOSS, F_R, P_LOSS, Report};
use bristle::integrate::SolverError;
use bristle::variable::{InputError, Role, Values, Variable};

/// Why states that a solver integrates leave the range of numbers.
const SOLVER_TOO_LONG: &str = "a result is too large for a floating-point number; the likely cause is a step of the importer's \
     solver that is too long for the contact, whose rates reach 1e4 1/s and more: use an implicit solver with error control, or \
     shorten its steps";
/// A force above so many times the static friction force is no overshoot of a damper any more; published ones reach 1.6.
const FAR_BEYOND: f64 = 10.0;

pub struct Instance {
    pub entry: &'static Model,
    pub kind: InterfaceType,
    pub element: Box<dyn AnyElement>,
    pub lifecycle: Lifecycle,
    pub log: Log,
    /// The law's warning was logged; each warning is logged once.
    cautioned: bool,
    /// The warning of the coupling was logged.
    cautioned_of_coupling: bool,
    /// The warning that an unstable law multiplies errors was logged.
    warned_of_force_error: bool,
    /// The warning that the limit of inner steps was met was logged.
    warned_of_step_limit: bool,
    /// The warning that the master's time is coarse was logged.
    warned_of_time: bool,
    /// The warning that the importer's solver passed a break-away was logged.
    cautioned_of_solver: bool,
}

impl Instance {
    pub fn new(entry: &'static Model, kind: InterfaceType, log: Log) -> Self {
        Instance {
            entry,
            kind,
            element: entry.instantiate(),
            lifecycle: Lifecycle::START,
            log,
            cautioned: false,
            cautioned_of_coupling: false,
            warned_of_force_error: false,
            warned_of_step_limit: false,
            warned_of_time: false,
            cautioned_of_solver: false,
        }
    }

    pub fn setup(&mut self, tolerance: Option<f64>, start_time: f64, stop_time: Option<f64>) -> Outcome {
        if let Some(tolerance) = tolerance
            && !(tolerance.is_finite() && tolerance > 0.0)
        {
            return refuse(format!("tolerance = {tolerance:?} was given where a finite number above 0 is needed"));
        }
        if !start_time.is_finite() {
            return refuse(format!("startTime = {start_time:?} was given where a finite number is needed"));
        }
        let stop_time = stop_time.unwrap_or(f64::INFINITY);
        if stop_time.is_nan() || stop_time < start_time {
            return refuse(format!(
                "stopTime = {stop_time:?} s lies before startTime = {start_time:?} s; give a later one"
            ));
        }
        if let Some(tolerance) = tolerance {
            self.element.set_tolerance(tolerance);
        }
        let clock = Clock::starting_at(start_time);
        self.lifecycle = Lifecycle { time: start_time, clock, stop_time, ..self.lifecycle };
        self.element.set_time(start_time);
        Ok(())
    }

    pub fn exit_initialization(&mut self) -> Outcome {
        self.element.apply_parameters()?;
        self.element.initialize().map_err(|failure| InputError(failure.to_string()))?;
        self.lifecycle.outputs_dirty = false;
        self.lifecycle.mode = match self.kind {
            InterfaceType::ModelExchange => InstanceState::Event,
            InterfaceType::CoSimulation => InstanceState::StepComplete,
        };
        self.note_power();
        Ok(())
    }

    pub fn enter_continuous_time(&mut self) -> Outcome {
        self.update()?;
        self.lifecycle.mode = InstanceState::ContinuousTime;
        // An event may have changed the inputs: the trapezoid of E_loss starts from what they are now.
        self.note_power();
        Ok(())
    }

    /// Model Exchange: the modes that hold after an event; whether states changed with them.
    pub fn new_discrete_states(&mut self) -> Result<bool, InputError> {
        let before = self.element.snapshot().clone();
        let states = self.state_values();
        self.element.apply_parameters()?;
        self.element.event_iteration();
        if let Err(refusal) = self.update() {
            self.element.restore(&before);
            return Err(refusal);
        }
        Ok(self.state_values() != states)
    }

    fn state_values(&self) -> Vec<f64> {
        self.states().map(|(state, _)| self.element.values()[state]).collect()
    }

    fn note_power(&mut self) {
        self.lifecycle.power_time = self.lifecycle.time;
        self.lifecycle.power = self.element.values()[&P_LOSS];
        if self.kind == InterfaceType::ModelExchange {
            self.element.record();
        }
    }

    pub fn reset(&mut self) {
        self.element.reset();
        self.lifecycle = Lifecycle::START;
        self.cautioned = false;
        self.cautioned_of_coupling = false;
        self.warned_of_force_error = false;
        self.warned_of_step_limit = false;
        self.warned_of_time = false;
        self.cautioned_of_solver = false;
    }

    /// The real variable behind a reference.
    pub fn real(&self, reference: u32) -> Result<&'static Variable, InputError> {
        match self.entry.variable(reference) {
            Some(variable) if variable.is_real() => Ok(variable),
            _ => Err(self.unknown("Real", reference)),
        }
    }

    /// The integer or enumeration variable behind a reference.
    pub fn integer(&self, reference: u32) -> Result<&'static Variable, InputError> {
        match self.entry.variable(reference) {
            Some(variable) if matches!(variable.role, Role::DiscreteState { .. } | Role::Choice(_)) => Ok(variable),
            _ => Err(self.unknown("Integer", reference)),
        }
    }

    /// The Boolean variable behind a reference.
    pub fn boolean(&self, reference: u32) -> Result<&'static Variable, InputError> {
        match self.entry.variable(reference) {
            Some(variable) if variable.role == Role::BooleanOutput => Ok(variable),
            _ => Err(self.unknown("Boolean", reference)),
        }
    }

    /// Why a reference is none of a variable of type `kind`.
    #[cold]
    pub fn unknown(&self, kind: &str, reference: u32) -> InputError {
        if let Some(variable) = self.entry.variable(reference) {
            let functions = match variable.type_name() {
                "Enumeration" => "fmi2SetInteger and fmi2GetInteger with the number of the choice",
                "Integer" => "fmi2GetInteger",
                "Boolean" => "fmi2GetBoolean",
                _ => "fmi2SetReal and fmi2GetReal",
            };
            return InputError(format!(
                "{} is of the type {}, not {kind}; use {functions}",
                variable.name,
                variable.type_name()
            ));
        }
        let element = self.entry.metadata.name;
        InputError(format!(
            "{element} has no {kind} variable with value reference {reference}; use the references of modelDescription.xml"
        ))
    }

    /// Sets all of `values` or, if one is refused, none. `of_type` finds the variables of the values' type.
    #[inline]
    pub fn set<T: Copy + Into<f64>>(
        &mut self,
        references: &[u32],
        values: &[T],
        of_type: impl Fn(&Instance, u32) -> Result<&'static Variable, InputError>,
    ) -> Outcome {
        for (&reference, &value) in references.iter().zip(values) {
            let variable = of_type(self, reference)?;
            self.may_be_set(variable)?;
            check(variable, value.into())?;
        }
        for (&reference, &value) in references.iter().zip(values) {
            if let Some(variable) = self.entry.variable(reference) {
                self.element.set(variable, value.into());
            }
        }
        self.lifecycle.outputs_dirty |= !references.is_empty();
        Ok(())
    }

    #[inline]
    fn may_be_set(&self, variable: &Variable) -> Outcome {
        let mode = self.lifecycle.mode;
        let may = match variable.role {
            Role::Input => true,
            Role::Parameter | Role::Choice(_) => mode != InstanceState::ContinuousTime,
            Role::State => matches!(
                mode,
                InstanceState::Instantiated | InstanceState::Initialization | InstanceState::ContinuousTime
            ),
            Role::Output | Role::BooleanOutput | Role::Derivative { .. } | Role::DiscreteState { .. } => false,
        };
        if may { Ok(()) } else { Err(self.must_not_be_set(variable)) }
    }

    #[cold]
    fn must_not_be_set(&self, variable: &Variable) -> InputError {
        let name = variable.name;
        InputError(match variable.role {
            Role::Parameter | Role::Choice(_) => {
                format!("the parameter {name} cannot be set in Continuous-Time Mode; set it in Event Mode")
            }
            Role::State => format!(
                "the state {name} cannot be set {}; set its start value before or in Initialization Mode",
                self.lifecycle.mode
            ),
            _ => format!("{name} is calculated by the element; it can be read, but not be set"),
        })
    }

    /// Values as they are to be read now.
    ///
    /// In Co-Simulation the outputs after a step stay those of the end of the step until the next one, whatever is set
    /// in between: the contact's instantaneous slope in an output would make any coupling worse.
    #[inline]
    pub fn readable(&mut self, calculated: bool) -> Result<&Values, InputError> {
        let frozen = self.kind == InterfaceType::CoSimulation && self.lifecycle.mode != InstanceState::Initialization;
        if calculated && self.lifecycle.outputs_dirty && !frozen {
            let _environment = DefaultEnvironment::enter();
            self.update()?;
        }
        Ok(self.element.values())
    }

    /// All values, with what is calculated only when it is asked for, as far as it is.
    #[cold]
    pub fn with_details(&self, references: &[u32]) -> Result<Values, InputError> {
        let _environment = DefaultEnvironment::enter();
        let mut values = *self.element.values();
        for &reference in references.iter().filter(|reference| coupling::is_on_demand(**reference)) {
            let on_demand_output = self.element.on_demand_output(self.real(reference)?);
            values.0[reference as usize] = on_demand_output.map_err(|failure| InputError(failure.to_string()))?;
        }
        Ok(values)
    }

    /// Brings parameters into force and calculates outputs and derivatives.
    pub fn update(&mut self) -> Outcome {
        self.element.apply_parameters()?;
        let done = match self.lifecycle.mode {
            InstanceState::Instantiated | InstanceState::Initialization => self.element.evaluate_initial(),
            _ => self.element.evaluate(),
        };
        done.map_err(|failure| match failure {
            SolverError::NotFinite if self.lifecycle.mode == InstanceState::ContinuousTime => {
                InputError(SOLVER_TOO_LONG.to_owned())
            }
            failure => InputError(failure.to_string()),
        })?;
        self.lifecycle.outputs_dirty = false;
        Ok(())
    }

    /// A warning where the result may be wrong by more than the tolerance.
    pub fn do_step(&mut self, time: f64, step: f64) -> Result<fmi2Status, InputError> {
        self.check_times(time, step)?;
        self.element.apply_parameters()?;
        self.model_warning();
        self.caution_of_coupling(step);
        let report = self.element.advance(step).map_err(|failure| InputError(failure.to_string()))?;
        self.lifecycle.time = time + step;
        self.lifecycle.clock.advance(step);
        self.lifecycle.outputs_dirty = false;
        Ok(if report.force_error == 0.0 { fmi2Status::fmi2OK } else { self.warn_of_force_error(time, report) })
    }

    /// Logs once per cause that F_R may be off by more than the tolerance.
    #[cold]
    fn warn_of_force_error(&mut self, time: f64, Report { force_error, limit_met, .. }: Report) -> fmi2Status {
        let warned = if limit_met { &mut self.warned_of_step_limit } else { &mut self.warned_of_force_error };
        if !core::mem::replace(warned, true) {
            let [cause, remedy] = if limit_met {
                [
                    "needs more inner steps than inner_steps_max at its tolerance, which was relaxed",
                    "raise inner_steps_max, relax the tolerance of fmi2SetupExperiment, or use a smaller step",
                ]
            } else {
                [
                    "multiplies every error of the law",
                    "choose parameters with which the law is stable, or a smaller step",
                ]
            };
            self.log.warning(&format!(
                "fmi2DoStep: the step from {time:?} s on {cause}, so that F_R at its end may be off by {force_error:.1e} of the static \
                 friction force, more than the tolerance; {remedy}; further steps like this return fmi2Warning without a sentence"
            ));
        }
        fmi2Status::fmi2Warning
    }

    /// Refuses times that do not fit the steps before, or the stop time.
    fn check_times(&mut self, time: f64, step: f64) -> Outcome {
        let Lifecycle { clock, stop_time, .. } = self.lifecycle;
        if !(step.is_finite() && step > 0.0) {
            return refuse(format!(
                "communicationStepSize = {step:?} s was given where a finite number above 0 is needed; give a positive step"
            ));
        }
        let fit = clock.fit(time, clock.sum, step);
        if fit == Fit::Off {
            return refuse(format!(
                "currentCommunicationPoint = {time:?} s was given where the steps so far end at {:?} s; \
                 step on from there, or restore an earlier state first",
                clock.sum
            ));
        }
        let end = time + step;
        if !(end.is_finite() && (clock.sum + step).is_finite()) {
            return refuse(format!("a step of {step:?} s from {time:?} s ends at no finite time; give a smaller step"));
        }
        if end > stop_time && clock.fit(end, stop_time, step) == Fit::Off {
            return refuse(format!(
                "the step ends at {end:?} s, after stopTime = {stop_time:?} s; give a later stopTime or none to \
                 fmi2SetupExperiment"
            ));
        }
        if fit == Fit::SinglePrecision && !self.warned_of_time {
            self.warn_of_time(time);
        }
        Ok(())
    }

    /// Tells the user once that the master's time is coarse.
    #[cold]
    fn warn_of_time(&mut self, time: f64) {
        self.warned_of_time = true;
        self.log.warning(&format!(
            "fmi2DoStep: currentCommunicationPoint = {time:?} s differs from the sum of the steps, {:?} s, by more than rounding \
             in double precision; the element goes on with the sum, keep time in double precision",
            self.lifecycle.clock.sum
        ));
    }

    /// Tells the user once what the law wants told.
    pub fn model_warning(&mut self) {
        if !self.cautioned
            && let Some(text) = self.element.model_warning()
        {
            self.cautioned = true;
            self.log.warning(&text);
        }
    }

    /// Tells the user once that the coupling will not hold, or what is wrong with m_eff.
    fn caution_of_coupling(&mut self, step: f64) {
        if !self.cautioned_of_coupling
            && let Some(text) = self.element.coupling_warning(step)
        {
            self.cautioned_of_coupling = true;
            self.log.coupling(&text);
        }
    }

    pub fn set_time(&mut self, time: f64) -> Outcome {
        if !time.is_finite() {
            return refuse(format!("time = {time:?} was given where a finite number is needed"));
        }
        self.lifecycle.time = time;
        self.element.set_time(time);
        self.lifecycle.outputs_dirty = true;
        Ok(())
    }

    /// Model Exchange: takes the energy over a solver's step, by the trapezoidal rule; returns whether an event is due, because a
    /// mode does not hold any more at its end.
    pub fn completed_step(&mut self) -> Result<bool, InputError> {
        self.update()?;
        self.model_warning();
        self.caution_of_solver();
        let power = self.element.values()[&P_LOSS];
        let Lifecycle { time, power_time, power: before, .. } = self.lifecycle;
        let energy = self.element.values()[&E_LOSS] + 0.5 * (power + before) * (time - power_time);
        if !energy.is_finite() {
            return refuse("E_loss is too large for a floating-point number; check the inputs for extreme values");
        }
        self.element.set(&E_LOSS, energy);
        self.note_power();
        Ok(self.element.event_is_pending())
    }

    /// Tells the user once that a force is far beyond what the contact bears: a solver that passed a break-away without its event.
    fn caution_of_solver(&mut self) {
        let (force, limit) = (self.element.values()[&F_R].abs(), self.element.static_force());
        if !self.cautioned_of_solver && force > FAR_BEYOND * limit {
            self.cautioned_of_solver = true;
            self.log.warning(&format!(
                "fmi2CompletedIntegratorStep: F_R = {force:.3e} N is far above the static friction force, {limit:.3e} N; the likely \
                 cause is a step of the importer's solver that passed the break-away: let it stop at event indicators, use error \
                 control, or shorten its steps"
            ));
        }
    }

    pub fn states(&self) -> impl Iterator<Item = (&'static Variable, &'static Variable)> + use<> {
        self.entry.metadata.states.iter().map(|(state, derivative)| (state, derivative))
    }

    pub fn save(&self) -> FmuState {
        FmuState {
            fingerprint: self.entry.fingerprint,
            kind: self.kind,
            lifecycle: self.lifecycle,
            element: self.element.snapshot().clone(),
        }
    }

    /// Saves into the memory of an older state.
    pub fn save_into(&self, state: &mut FmuState) {
        state.fingerprint = self.entry.fingerprint;
        state.kind = self.kind;
        state.lifecycle = self.lifecycle;
        state.element.clone_from(self.element.snapshot());
    }

    pub fn restore(&mut self, state: &FmuState) -> Outcome {
        if state.fingerprint != self.entry.fingerprint {
            return refuse("the state belongs to another element; restore a state of this one");
        }
        if state.kind != self.kind {
            return refuse(format!(
                "the state belongs to a {} instance, but this one is for {}",
                state.kind, self.kind
            ));
        }
        self.element.restore(&state.element);
        self.lifecycle = state.lifecycle;
        Ok(())
    }
}

/// Refuses a value that the variable, taken alone, cannot have. An input of a master's every step is looked at without
/// arithmetic, so that the host's floating-point environment does not matter; comparisons need the default one.
#[inline]
fn check(variable: &Variable, value: f64) -> Outcome {
    const EXPONENT: u64 = f64::INFINITY.to_bits();
    if variable.takes_every_finite_number() && value.to_bits() & EXPONENT != EXPONENT {
        return Ok(());
    }
    check_in_full(variable, value)
}

#[cold]
fn check_in_full(variable: &Variable, value: f64) -> Outcome {
    let _environment = DefaultEnvironment::enter();
    variable.check(value)
}

fn refuse<T>(text: impl Into<String>) -> Result<T, InputError> {
    Err(InputError(text.into()))
}
