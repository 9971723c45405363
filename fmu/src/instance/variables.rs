//! Variables of an instance by reference and type, and what may be set when.

use super::Instance;
use crate::calling_sequence::InstanceState;
use crate::floating_point::DefaultEnvironment;
use crate::outcome::{Outcome, Refusal};
use bristle::variable::{InputError, Role, Variable};

impl Instance {
    /// The real variable behind a reference.
    pub fn real(&self, reference: u32) -> Result<&Variable, InputError> {
        match self.variant.variable(reference) {
            Some(variable) if variable.is_real() => Ok(variable),
            _ => Err(self.unknown("Real", reference)),
        }
    }

    /// The integer or enumeration variable behind a reference.
    pub fn integer(&self, reference: u32) -> Result<&Variable, InputError> {
        match self.variant.variable(reference) {
            Some(variable)
                if matches!(variable.role, Role::DiscreteState { .. } | Role::Choice(_)) =>
            {
                Ok(variable)
            }
            _ => Err(self.unknown("Integer", reference)),
        }
    }

    /// The Boolean variable behind a reference.
    pub fn boolean(&self, reference: u32) -> Result<&Variable, InputError> {
        match self.variant.variable(reference) {
            Some(variable) if variable.role == Role::BooleanOutput => Ok(variable),
            _ => Err(self.unknown("Boolean", reference)),
        }
    }

    /// Refusal of a reference that is none of a variable of type `kind`.
    #[cold]
    pub fn unknown(&self, kind: &str, reference: u32) -> InputError {
        if let Some(variable) = self.variant.variable(reference) {
            let functions = match variable.type_name() {
                "Enumeration" => "fmi2SetInteger and fmi2GetInteger with the number of the choice",
                "Integer" => "fmi2GetInteger",
                "Boolean" => "fmi2GetBoolean",
                _ => "fmi2SetReal and fmi2GetReal",
            };
            return InputError::new(format!(
                "{} is of the type {}, not {kind}; use {functions}",
                variable.name,
                variable.type_name()
            ));
        }
        let element = self.variant.name();
        InputError::new(format!(
            "{element} has no {kind} variable with value reference {reference}; use the \
             references of modelDescription.xml"
        ))
    }

    /// Sets all of these real values or, if one is refused, none.
    #[inline]
    pub fn set_real(&mut self, references: &[u32], values: &[f64]) -> Outcome {
        let is_plain = |(&reference, &value): (&u32, &f64)| {
            let access = self.variant.access(reference);
            access.is_of_law() && access.takes(value)
        };
        if !references.iter().zip(values).all(is_plain) {
            return self.set(references, values, Instance::real);
        }
        self.assembly.set_inputs(references, values);
        self.lifecycle.outputs_dirty |= !references.is_empty();
        Ok(())
    }

    /// Sets all of `values` or, if one is refused, none. `of_type` finds the variables of the
    /// values' type.
    #[inline]
    pub fn set<T: Copy + Into<f64>>(
        &mut self,
        references: &[u32],
        values: &[T],
        of_type: impl Fn(&Instance, u32) -> Result<&Variable, InputError>,
    ) -> Outcome {
        for (&reference, &value) in references.iter().zip(values) {
            let variable = of_type(self, reference)?;
            self.may_be_set(variable)?;
            if !self.variant.access(reference).takes(value.into()) {
                // States are the solver's there.
                let is_of_solver = variable.role == Role::State
                    && self.lifecycle.mode == InstanceState::ContinuousTime;
                check(variable, value.into()).map_err(if is_of_solver {
                    Refusal::Point
                } else {
                    Refusal::Call
                })?;
            }
        }
        // Units are converted, and the load of a gear follows from its torques and parameters.
        let _environment = DefaultEnvironment::enter();
        for (&reference, &value) in references.iter().zip(values) {
            if let Some(variable) = self.variant.variable(reference) {
                self.assembly.set(variable, value.into());
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
                InstanceState::Instantiated
                    | InstanceState::Initialization
                    | InstanceState::ContinuousTime
            ),
            Role::Output
            | Role::BooleanOutput
            | Role::Derivative { .. }
            | Role::DiscreteState { .. } => false,
        };
        if may {
            Ok(())
        } else {
            Err(self.must_not_be_set(variable).into())
        }
    }

    #[cold]
    fn must_not_be_set(&self, variable: &Variable) -> InputError {
        let name = variable.name;
        InputError::new(match variable.role {
            Role::Parameter | Role::Choice(_) => {
                format!(
                    "the parameter {name} cannot be set in Continuous-Time Mode; set it in Event \
                     Mode"
                )
            }
            Role::State => format!(
                "the state {name} cannot be set {}; set its start value before or in \
                 Initialization Mode",
                self.lifecycle.mode
            ),
            _ => format!("{name} is calculated by the element; it can be read, but not be set"),
        })
    }
}

/// Refuses a value that the variable, taken alone, cannot have. Comparisons of numbers need the
/// default floating-point environment.
#[cold]
fn check(variable: &Variable, value: f64) -> Result<(), InputError> {
    let _environment = DefaultEnvironment::enter();
    variable.check(value)
}
