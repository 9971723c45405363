//! Shortest sequence of calls that leads an instance to each of its states.

use crate::calling_sequence::InstanceState;
use crate::fmi2::InterfaceType;
use crate::fmu::Fmu;
use crate::instance::Instance;

/// New instance in this state, with default values.
///
/// # Panics
/// If the FMU refuses a call.
pub fn instance_in(fmu: &Fmu, kind: InterfaceType, mode: InstanceState) -> Instance<'_> {
    let mut instance = fmu.instantiate(kind);
    bring(&mut instance, mode);
    instance
}

/// Leads an instance from `fmi2Instantiate` to this state, and drops its log of the calls.
///
/// # Panics
/// If the FMU refuses a call.
pub fn bring(instance: &mut Instance, mode: InstanceState) {
    if mode != InstanceState::Instantiated {
        set_up(instance, None, 0.0, None);
    }
    if !matches!(
        mode,
        InstanceState::Instantiated | InstanceState::Initialization
    ) {
        let status = instance.exit_initialization_mode();
        instance.ok(status);
    }
    let status = match mode {
        InstanceState::ContinuousTime => instance.enter_continuous_time_mode(),
        InstanceState::Terminated => instance.terminate(),
        _ => crate::fmi2::Status::OK,
    };
    instance.ok(status);
    instance.take_log();
}

/// Initialises an instance: to the first communication point or event, with this tolerance, start
/// and stop time.
///
/// # Panics
/// If the FMU refuses a call.
#[track_caller]
pub fn initialize(instance: &mut Instance, tolerance: Option<f64>, start: f64, stop: Option<f64>) {
    set_up(instance, tolerance, start, stop);
    let status = instance.exit_initialization_mode();
    instance.ok(status);
}

#[track_caller]
fn set_up(instance: &mut Instance, tolerance: Option<f64>, start: f64, stop: Option<f64>) {
    let status = instance.setup_experiment(tolerance, start, stop);
    instance.ok(status);
    let status = instance.enter_initialization_mode();
    instance.ok(status);
}
