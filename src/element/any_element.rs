//! Elements without the type of their law: the interface that an FMU instance and the tests use.

use super::Snapshot;
use crate::integrate::SolverError;
use crate::law::{Contact, MAX_EVENTS};
use crate::variable::{InputError, Values, Variable};

/// Outcome of a communication step.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct Report {
    /// Inner steps, rejected ones included.
    pub inner_steps: u32,
    /// Estimated error of F_R over F_s, where that is more than the tolerance: an unstable bristle multiplies rounding errors, and
    /// steps beyond the limit have a relaxed tolerance. Otherwise 0.
    pub force_error: f64,
    /// The limit [`INNER_STEPS_MAX`](super::INNER_STEPS_MAX) was met and the tolerance relaxed.
    pub limit_met: bool,
}

/// An element of any law.
pub trait AnyElement: Send {
    /// The value of every variable. States, parameters and inputs are as set; outputs and derivatives as of the last
    /// [`evaluate`](AnyElement::evaluate) or [`advance`](AnyElement::advance).
    fn values(&self) -> &Values;

    /// Sets an input, parameter or start value that [`Variable::check`] accepts. Parameters take effect with the next
    /// [`apply_parameters`](AnyElement::apply_parameters).
    fn set(&mut self, variable: &Variable, value: f64);

    /// Sets the inputs to those of a contact; what the law does not have as an input is left out.
    fn set_contact(&mut self, contact: Contact);

    /// Sets the time derivative of the given order, 1 to [`MAX_INPUT_DERIVATIVE_ORDER`](crate::law::MAX_INPUT_DERIVATIVE_ORDER), of an input, for the next step only; refuses
    /// what is no input of the element, and another order. An input that a card made of a parameter is held within a step,
    /// whatever its derivatives.
    fn set_input_derivative(&mut self, input: &Variable, order: usize, value: f64) -> Result<(), InputError>;

    /// Sets the error of F_R relative to F_s that steps keep, limited to [`MIN_TOLERANCE`](super::MIN_TOLERANCE) … [`MAX_TOLERANCE`](super::MAX_TOLERANCE).
    fn set_tolerance(&mut self, tolerance: f64);

    /// Parameters were set that are not yet in force.
    fn parameters_are_dirty(&self) -> bool;

    /// Puts changed parameters into force, or says which of them contradict each other; then the old ones stay in force. After
    /// [`initialize`](AnyElement::initialize), a changed stiffness rescales the deflection: [`Law::retuned_deflection`](crate::law::Law::retuned_deflection).
    fn apply_parameters(&mut self) -> Result<(), InputError>;

    /// Puts changed parameters into force as [`apply_parameters`](AnyElement::apply_parameters) does, but leaves the deflection as it is,
    /// because the states are the solver's: for inputs that a card made of parameters, in Continuous-Time Mode.
    fn apply_parameters_keeping_states(&mut self) -> Result<(), InputError>;

    /// Sets the modes for the present inputs and start values, clears the history, and calculates outputs and
    /// derivatives.
    fn initialize(&mut self) -> Result<(), SolverError>;

    /// Outputs that [`initialize`](AnyElement::initialize) would give, without touching start values.
    fn evaluate_initial(&mut self) -> Result<(), SolverError>;

    /// Calculates outputs and derivatives from the present inputs, states and modes.
    fn evaluate(&mut self) -> Result<(), SolverError>;

    /// Changes modes that no longer hold, and states with them.
    fn event_iteration(&mut self);

    /// A mode does not hold any more with the present inputs and states: [`event_iteration`](AnyElement::event_iteration) would change it.
    fn event_is_pending(&self) -> bool;

    /// The event indicators, one for each of the law's events.
    fn indicators(&self) -> [f64; MAX_EVENTS];

    /// Sets the time, s, of inputs and states from now on; [`advance`](AnyElement::advance) moves it by itself.
    fn set_time(&mut self, time: f64);

    /// Makes the present velocity part of the past, for a law with a delay. [`advance`](AnyElement::advance) does so by
    /// itself.
    fn record(&mut self);

    /// Advances the states by `duration` (s, > 0) and leaves the outputs at its end, with the inputs of the step. After a
    /// failure the element is as it was before.
    fn advance(&mut self, duration: f64) -> Result<Report, SolverError>;

    /// Back to the start values.
    fn reset(&mut self);

    /// Warning about the law with the present parameters and inputs, one sentence, if there is any.
    fn model_warning(&self) -> Option<String>;

    /// The largest friction force that the contact bears at rest under the present normal force, N; infinite where the law does not
    /// say.
    fn static_force(&self) -> f64;

    /// The change of every output and derivative (in their slots) for a small change `seed` of inputs and states, at
    /// the present inputs and states. Time alone does not move E_loss: its slot stays 0.
    fn directional_derivative(&self, seed: &Values) -> Values;

    /// The time derivatives of all outputs at the end of the last step, with the inputs and slopes of that step.
    fn output_derivatives(&self) -> Values;

    /// Output that is calculated on demand: [`F_R_MEAN`](crate::coupling::F_R_MEAN), [`DF_R_DV`](crate::coupling::DF_R_DV) and
    /// [`DF_R_DF_N`](crate::coupling::DF_R_DF_N) of the last step, 0 before there was one, and [`H_MAX`](crate::coupling::H_MAX) at its end.
    fn on_demand_output(&self, variable: &Variable) -> Result<f64, SolverError>;

    /// Warning about a coming step of `duration` (s), one sentence, if there is any: that it is too long for a coupling with
    /// held values, that body and force chatter without m_eff, or that m_eff does not fit the body. Called before each step.
    fn coupling_warning(&mut self, duration: f64) -> Option<String>;

    /// Everything that changes.
    fn snapshot(&self) -> &Snapshot;

    /// Back to a snapshot of an element of the same law.
    fn restore(&mut self, snapshot: &Snapshot);
}
