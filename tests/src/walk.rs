//! The shortest way of an instance to each mode of its chart.

use crate::chart::Mode;
use crate::fmi2::Kind;
use crate::host::Fmu;
use crate::instance::Instance;

/// A new instance, brought to `mode` with default values.
///
/// # Panics
/// If the FMU refuses a step of the way.
pub fn instance_in(fmu: &Fmu, kind: Kind, mode: Mode) -> Instance<'_> {
    let mut instance = fmu.instantiate(kind);
    bring(&mut instance, mode);
    instance
}

/// Brings an instance that is as after `fmi2Instantiate` to `mode`, and forgets what it logged on the way.
///
/// # Panics
/// If the FMU refuses a step of the way.
pub fn bring(instance: &mut Instance, mode: Mode) {
    if mode != Mode::Instantiated {
        set_up(instance, None, 0.0, None);
    }
    if !matches!(mode, Mode::Instantiated | Mode::Initialization) {
        let status = instance.exit_initialization_mode();
        instance.ok(status);
    }
    let status = match mode {
        Mode::ContinuousTime => instance.enter_continuous_time_mode(),
        Mode::Terminated => instance.terminate(),
        _ => crate::fmi2::Status::OK,
    };
    instance.ok(status);
    instance.take_log();
}

/// Through Initialization Mode to the first communication point or event, with an experiment of this tolerance, start
/// and stop time.
///
/// # Panics
/// If the FMU refuses a step of the way.
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
