//! Type-erased interface of elements, used by FMU instances and tests.

use super::Snapshot;
use super::joint::Joint;
use super::source::Source;
use crate::characteristic::{Measured, Signed};
use crate::coupling::BodyContact;
use crate::integrate::SolverError;
use crate::law::{Contact, LawMetadata, MAX_EVENTS, Spring};
use crate::variable::{InputError, Values, Variable};

/// Outcome of a communication step.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct Report {
    /// Inner steps, rejected ones included.
    pub inner_steps: u32,
    /// Estimated error of F_R over F_s where it exceeds the tolerance, else 0. An unstable bristle
    /// amplifies rounding errors, and steps beyond the limit have a relaxed tolerance.
    pub force_error: f64,
    /// Whether the limit [`INNER_STEPS_MAX`](super::INNER_STEPS_MAX) was reached and the tolerance
    /// relaxed.
    pub limit_met: bool,
}

impl Report {
    /// Report of two contacts that made the same step.
    #[must_use]
    pub fn and(self, other: Report) -> Report {
        Report {
            inner_steps: self.inner_steps.saturating_add(other.inner_steps),
            force_error: self.force_error.max(other.force_error),
            limit_met: self.limit_met || other.limit_met,
        }
    }
}

/// Options of an element that no variable holds. A card gives them, and a reset keeps them.
#[derive(Clone, Debug, Default)]
pub struct ElementOptions {
    /// Measured characteristic by direction, which replaces
    /// [`LawMetadata::measured`](crate::law::LawMetadata::measured); `None` for that of the
    /// parameters.
    pub measured: Signed<Option<&'static Measured>>,
    /// References of the parameters that have another value for v < 0,
    /// [`BACKWARD`](crate::variable::BACKWARD) references on.
    pub directed: Vec<u32>,
    /// Whether the acceleration is an input, which the observer of the body uses in place of
    /// differences of v.
    pub has_acceleration: bool,
    /// Words of a card that states forces or torques in place of a normal force.
    pub joint: Option<Joint>,
    /// Source of the normal force, or of the load of a joint, where it is no input.
    pub source: Option<Source>,
}

impl ElementOptions {
    /// Options of an element with one measured characteristic for both directions.
    #[must_use]
    pub fn of_measured(characteristic: &'static Measured) -> Self {
        ElementOptions {
            measured: Signed::even(Some(characteristic)),
            ..Self::default()
        }
    }

    /// Whether the law depends on these options.
    pub(super) fn change_law(&self) -> bool {
        self.measured.forward.is_some() || !self.directed.is_empty()
    }
}

/// Element of any law.
pub trait AnyElement: BodyContact + Send {
    /// Values of all variables. States, parameters and inputs are as set; outputs and derivatives
    /// are those of the last [`evaluate`](AnyElement::evaluate) or
    /// [`advance`](AnyElement::advance).
    fn values(&self) -> &Values;

    /// Sets an input, parameter or start value that [`Variable::check`] accepts. Parameters take
    /// effect with the next [`apply_parameters`](AnyElement::apply_parameters).
    fn set(&mut self, variable: &Variable, value: f64);

    /// Sets the options of the element. They take effect with the next
    /// [`apply_parameters`](AnyElement::apply_parameters).
    fn set_options(&mut self, options: ElementOptions);

    /// Sets an input of the law by its slot, as [`set`](AnyElement::set) does; no parameter that a
    /// card made an input.
    fn set_input(&mut self, slot: usize, value: f64);

    /// Sets the inputs to those of a contact; fields that are no input of the law are ignored.
    fn set_contact(&mut self, contact: Contact);

    /// Sets the time derivative of the given order, 1 to
    /// [`MAX_INPUT_DERIVATIVE_ORDER`](crate::law::MAX_INPUT_DERIVATIVE_ORDER), of an input, for the
    /// next step only. Another order, or a variable that is no input of the element, is an error.
    /// An input that a card made of a parameter is held within a step, whatever its derivatives.
    fn set_input_derivative(
        &mut self,
        input: &Variable,
        order: usize,
        value: f64,
    ) -> Result<(), InputError>;

    /// Sets the tolerance of steps, an error of F_R relative to F_s, clamped to
    /// [`MIN_TOLERANCE`](super::MIN_TOLERANCE) … [`MAX_TOLERANCE`](super::MAX_TOLERANCE).
    fn set_tolerance(&mut self, tolerance: f64);

    /// Whether parameters were set that are not in force yet.
    fn parameters_are_dirty(&self) -> bool;

    /// Puts changed parameters into force. Where they contradict each other, the error names them
    /// and the old ones stay in force. After [`initialize`](AnyElement::initialize), a changed
    /// stiffness rescales the deflection: a stiffer bristle keeps its elastic force, a softer one
    /// its deflection, so that the elastic energy falls.
    fn apply_parameters(&mut self) -> Result<(), InputError>;

    /// Puts changed parameters into force as [`apply_parameters`](AnyElement::apply_parameters)
    /// does, but leaves the deflection as it is, because the states are the solver's: for inputs
    /// that a card made of parameters, in Continuous-Time Mode.
    fn apply_parameters_keeping_states(&mut self) -> Result<(), InputError>;

    /// Sets the modes for the present inputs and start values, clears the history, and calculates
    /// outputs and derivatives.
    fn initialize(&mut self) -> Result<(), SolverError>;

    /// Calculates the outputs as [`initialize`](AnyElement::initialize) does, and leaves the start
    /// values unchanged.
    fn evaluate_initial(&mut self) -> Result<(), SolverError>;

    /// Calculates outputs and derivatives from the present inputs, states and modes, and latches
    /// the sides of the event indicators.
    fn evaluate(&mut self) -> Result<(), SolverError>;

    /// Calculates outputs and derivatives as [`evaluate`](AnyElement::evaluate) does, but leaves
    /// [`STICKING`](super::STICKING) and the sides of the event indicators: discrete values change
    /// at events only.
    fn evaluate_between_events(&mut self) -> Result<(), SolverError>;

    /// Handles events at the present instant until the modes hold.
    fn event_iteration(&mut self);

    /// Whether an event is due with the present inputs and states, at which a mode or a state
    /// changes. A sign that changes by the rounding of an input is none.
    fn event_is_pending(&self) -> bool;

    /// Whether the contact sticks with the present inputs, states and modes;
    /// [`STICKING`](super::STICKING) has the value of the last event.
    fn sticks(&self) -> bool;

    /// The event indicators, one for each of the law's events, with their hysteresis.
    fn indicators(&self) -> [f64; MAX_EVENTS];

    /// Sets the time of inputs and states, s. [`advance`](AnyElement::advance) advances it as well.
    fn set_time(&mut self, time: f64);

    /// Adds the present velocity to the history of a law with a delay.
    /// [`advance`](AnyElement::advance) does so as well.
    fn record(&mut self);

    /// Notes the present power, from which [`add_energy`](AnyElement::add_energy) starts.
    fn note_power(&mut self);

    /// Adds the energy since the noted power over `duration` (s) to E_loss, by the trapezoidal
    /// rule: for Model Exchange, where the importer's solver makes the steps. Where the sum is not
    /// finite, it is an error and the element is unchanged.
    fn add_energy(&mut self, duration: f64) -> Result<(), SolverError>;

    /// Advances the states by `duration` (s, > 0) and calculates the outputs at the end of the
    /// step. After an error the element is unchanged.
    fn advance(&mut self, duration: f64) -> Result<Report, SolverError>;

    /// Resets the element to the start values.
    fn reset(&mut self);

    /// Warning about the law with the present parameters and inputs, one sentence, if there is any.
    fn model_warning(&self) -> Option<String>;

    /// Whether the card states forces or torques in place of a normal force.
    fn is_joint(&self) -> bool;

    /// Largest friction force at rest under the present normal force, N; infinite where the law has
    /// no bound.
    fn static_force(&self) -> f64;

    /// Directional derivative of all outputs and state derivatives along `seed`, a change of inputs
    /// and states, at the present inputs and states. That of E_loss is 0.
    fn directional_derivative(&self, seed: &Values) -> Values;

    /// Time derivatives of all outputs at the end of the last step, under the inputs of that step
    /// and their time derivatives.
    fn output_derivatives(&self) -> Values;

    /// Output that is calculated on demand: [`F_R_MEAN`](crate::coupling::F_R_MEAN),
    /// [`DF_R_DV`](crate::coupling::DF_R_DV) and [`DF_R_DF_N`](crate::coupling::DF_R_DF_N) of the
    /// last step, 0 before the first, and [`H_MAX`](crate::coupling::H_MAX) at its end.
    fn on_demand_output(&self, variable: &Variable) -> Result<f64, SolverError>;

    /// Records the contact at the start of a step, or at the end of one of a solver, and returns
    /// whether it moves without having been closed.
    fn watch_contact(&mut self) -> bool;

    /// Warning about a contact that [`watch_contact`](AnyElement::watch_contact) just reported, one
    /// sentence.
    fn open_warning(&self) -> Option<String>;

    /// Metadata of the law.
    fn metadata(&self) -> &'static LawMetadata;

    /// Speed of the contact in the user's variables, m/s, or rad/s of a rotational one.
    fn speed(&self) -> f64;

    /// Stiffness and damping of the closed contact at rest, or those of a rotation. A force that
    /// jumps at rest counts as a damping up to the least speed of a motion.
    fn response_at_rest(&self) -> Spring;

    /// State of the element.
    fn snapshot(&self) -> &Snapshot;

    /// Restores a snapshot of an element of the same law.
    fn restore(&mut self, snapshot: &Snapshot);
}

#[cfg(test)]
mod tests {
    use super::Report;

    #[test]
    fn report_of_two_contacts_has_both_their_steps_and_the_larger_error() {
        let report = |inner_steps, force_error, limit_met| Report {
            inner_steps,
            force_error,
            limit_met,
        };
        let (relaxed, exact) = (report(7, 1e-3, true), report(u32::MAX - 3, 0.0, false));
        let both = report(u32::MAX, 1e-3, true);
        assert_eq!((relaxed.and(exact), exact.and(relaxed)), (both, both));
        assert_eq!(
            exact.and(report(1, 0.0, false)),
            report(u32::MAX - 2, 0.0, false)
        );
    }
}
