//! Functions of Model Exchange.

use super::Instance;
use crate::fmi2::{EventInfo, Status};
use crate::raw;

impl Instance<'_> {
    /// `fmi2NewDiscreteStates`.
    pub fn new_discrete_states(&mut self, info: &mut EventInfo) -> Status {
        raw!(self, new_discrete_states, info)
    }

    /// `fmi2CompletedIntegratorStep`: the status, whether to enter Event Mode, whether to
    /// terminate.
    pub fn completed_integrator_step(&mut self) -> (Status, bool, bool) {
        let (mut enter_event_mode, mut terminate) = (0, 0);
        let status = raw!(
            self,
            completed_integrator_step,
            1,
            &mut enter_event_mode,
            &mut terminate
        );
        (status, enter_event_mode != 0, terminate != 0)
    }

    /// `fmi2SetTime`.
    pub fn set_time(&mut self, t: f64) -> Status {
        raw!(self, set_time, t)
    }

    /// `fmi2SetContinuousStates`.
    pub fn set_continuous_states(&mut self, x: &[f64]) -> Status {
        raw!(self, set_continuous_states, x.as_ptr(), x.len())
    }

    /// `fmi2GetContinuousStates`.
    pub fn get_continuous_states(&mut self, x: &mut [f64]) -> Status {
        raw!(self, get_continuous_states, x.as_mut_ptr(), x.len())
    }

    /// `fmi2GetDerivatives`.
    pub fn get_derivatives(&mut self, rate: &mut [f64]) -> Status {
        raw!(self, get_derivatives, rate.as_mut_ptr(), rate.len())
    }

    /// `fmi2GetEventIndicators`.
    pub fn get_event_indicators(&mut self, indicators: &mut [f64]) -> Status {
        raw!(
            self,
            get_event_indicators,
            indicators.as_mut_ptr(),
            indicators.len()
        )
    }

    /// `fmi2GetNominalsOfContinuousStates`.
    pub fn get_nominals_of_continuous_states(&mut self, nominals: &mut [f64]) -> Status {
        raw!(
            self,
            get_nominals_of_continuous_states,
            nominals.as_mut_ptr(),
            nominals.len()
        )
    }
}
