//! Calls with few arguments: the life of an instance, and status queries.

use super::{Caller, Subject};
use crate::random_calls::model::{Expected, Model};
use crate::random_calls::numbers::odd;
use bristle_importer::calling_sequence::Call;
use bristle_importer::fmi2::{EventInfo, Status, Text};
use bristle_importer::raw;
use std::ffi::CString;
use std::ptr::{null, null_mut};

impl Caller<'_> {
    /// Calls whose arguments are few.
    pub(super) fn simple(&mut self, subject: usize, call: Call) -> (Status, Expected, String) {
        use Call::*;
        let time = if self.random.once_in(4) {
            odd(&mut self.random)
        } else {
            self.random.between(0.0, 10.0)
        };
        let missing = self.random.once_in(10);
        let category = *self.random.one_of(&[
            "logEvents",
            "logAll",
            "logStatusError",
            "",
            "%n",
            "logEvents\u{e9}",
        ]);
        let on = self.random.once_in(2);
        let Subject {
            instance: i, model, ..
        } = &mut self.subjects[subject];
        let in_force = model.in_force();
        let gate = |missing: bool, otherwise| if missing { Expected::Error } else { otherwise };
        let (status, expected, arguments) = match call {
            SetDebugLogging => {
                let name = CString::new(category).expect("no NUL in it");
                let known = category.starts_with("log") && category.is_ascii();
                (
                    i.set_debug_logging(on, &[&name]),
                    gate(!known, Expected::Ok),
                    category.to_owned(),
                )
            }
            EnterInitializationMode => (i.enter_initialization_mode(), Expected::Ok, String::new()),
            ExitInitializationMode => (i.exit_initialization_mode(), in_force, String::new()),
            Terminate => (i.terminate(), Expected::Ok, String::new()),
            Reset => (i.reset(), Expected::Ok, String::new()),
            CancelStep => (i.cancel_step(), Expected::Error, String::new()),
            EnterEventMode => (i.enter_event_mode(), Expected::Ok, String::new()),
            EnterContinuousTimeMode => (i.enter_continuous_time_mode(), in_force, String::new()),
            NewDiscreteStates => {
                let mut info = EventInfo {
                    next_event_time: 7.0,
                    ..EventInfo::default()
                };
                let place = if missing { null_mut() } else { &raw mut info };
                (
                    raw!(i, new_discrete_states, place),
                    gate(missing, in_force),
                    format!(" NULL: {missing}"),
                )
            }
            CompletedIntegratorStep => {
                let mut flags = [7; 2];
                let (first, second) = flags.split_at_mut(1);
                let second = if missing {
                    null_mut()
                } else {
                    second.as_mut_ptr()
                };
                let status = raw!(i, completed_integrator_step, 1, first.as_mut_ptr(), second);
                // E_loss may overflow over a jump of the time.
                let expected = if in_force == Expected::Ok {
                    Expected::Either
                } else {
                    in_force
                };
                (status, gate(missing, expected), format!(" NULL: {missing}"))
            }
            _ => {
                assert_eq!(call, SetTime);
                (
                    i.set_time(time),
                    gate(!time.is_finite(), Expected::Ok),
                    format!(" {time:e}"),
                )
            }
        };
        if status == Status::OK {
            if call == SetTime {
                model.time = time;
            } else if call == Reset {
                *model = Model::new(model.interface, &self.fmu.description);
            }
        }
        (status, expected, arguments)
    }

    pub(super) fn set_up(&mut self, subject: usize) -> (Status, Expected, String) {
        let random = &mut self.random;
        let tolerance = match random.below(4) {
            0 => None,
            1 => Some(odd(random)),
            _ => Some(random.magnitude(1e-8, 1e-3)),
        };
        let start = if random.once_in(6) { odd(random) } else { 0.0 };
        let stop = match random.below(6) {
            0 => Some(odd(random)),
            1 => Some(start + random.magnitude(1e-3, 10.0)),
            _ => None,
        };
        let Subject {
            instance, model, ..
        } = &mut self.subjects[subject];
        let right = tolerance.is_none_or(|t| t.is_finite() && t > 0.0)
            && start.is_finite()
            && stop.is_none_or(|stop| stop >= start);
        let status = instance.setup_experiment(tolerance, start, stop);
        if status == Status::OK {
            model.time = start;
            model.stop = stop.unwrap_or(f64::INFINITY);
        }
        let expected = if right { Expected::Ok } else { Expected::Error };
        (
            status,
            expected,
            format!(" {tolerance:?} {start:e} {stop:?}"),
        )
    }

    pub(super) fn status(&mut self, subject: usize, call: Call) -> (Status, Expected, String) {
        use Call::*;
        let kind = *self.random.one_of(&[0, 1, 2, 3, -1, 4, i32::MAX]);
        let missing = self.random.once_in(10);
        let (mut integer, mut number, mut text): (i32, f64, Text) = (7, f64::NAN, null());
        let i = &self.subjects[subject].instance;
        let (status, right) = match call {
            GetStatus => (
                raw!(
                    i,
                    get_status,
                    kind,
                    if missing {
                        null_mut()
                    } else {
                        &raw mut integer
                    }
                ),
                kind == 0,
            ),
            GetRealStatus => (
                raw!(
                    i,
                    get_real_status,
                    kind,
                    if missing { null_mut() } else { &raw mut number }
                ),
                kind == 2,
            ),
            GetIntegerStatus => (
                raw!(
                    i,
                    get_integer_status,
                    kind,
                    if missing {
                        null_mut()
                    } else {
                        &raw mut integer
                    }
                ),
                false,
            ),
            GetBooleanStatus => (
                raw!(
                    i,
                    get_boolean_status,
                    kind,
                    if missing {
                        null_mut()
                    } else {
                        &raw mut integer
                    }
                ),
                kind == 3,
            ),
            _ => (
                raw!(
                    i,
                    get_string_status,
                    kind,
                    if missing { null_mut() } else { &raw mut text }
                ),
                kind == 1,
            ),
        };
        if status == Status::OK {
            let written = match call {
                GetRealStatus => number.is_finite(),
                GetStringStatus => !text.is_null(),
                _ => matches!(integer, 0 | 1),
            };
            self.claim(written, "a status has a value");
        }
        let expected = if right && !missing {
            Expected::Ok
        } else {
            Expected::Error
        };
        (status, expected, format!(" {kind} NULL: {missing}"))
    }
}
