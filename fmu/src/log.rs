//! Messages to the importer, through its variadic printf-style callback.
//!
//! The finished text is the format string itself and no argument follows: every `%` is doubled, so that importers
//! which format it and importers which only print it both show it. `#` is doubled, too, for it marks variables.

use crate::c::{fmi2CallbackFunctions, fmi2Status};
use crate::floating_point::{Environment, in_environment};
use core::ffi::CStr;
use std::ffi::CString;

/// The categories of `LogCategories` in the model description.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Category {
    Events,
    StatusWarning,
    StatusError,
    StatusFatal,
    Coupling,
}

impl Category {
    fn name(self) -> &'static CStr {
        match self {
            Category::Events => c"logEvents",
            Category::StatusWarning => c"logStatusWarning",
            Category::StatusError => c"logStatusError",
            Category::StatusFatal => c"logStatusFatal",
            Category::Coupling => c"logCoupling",
        }
    }

    fn bit(self) -> u8 {
        1 << self as u8
    }

    /// The categories that a name stands for, as bits.
    pub fn bits_of(name: &[u8]) -> Option<u8> {
        match name {
            b"logAll" => Some(ALL),
            b"logEvents" => Some(Category::Events.bit()),
            b"logStatusWarning" => Some(Category::StatusWarning.bit()),
            b"logStatusError" => Some(Category::StatusError.bit()),
            b"logStatusFatal" => Some(Category::StatusFatal.bit()),
            b"logCoupling" => Some(Category::Coupling.bit()),
            _ => None,
        }
    }
}

/// All categories, as bits.
pub const ALL: u8 = 0b11111;
/// What is said even when debug logging is off: a refusal without its reason helps nobody.
const ALWAYS: u8 = 0b11110;

/// Where an instance's messages go.
pub struct Log {
    callbacks: Option<fmi2CallbackFunctions>,
    instance_name: CString,
    debug: u8,
    /// The floating-point environment that the importer's logger runs in.
    pub host: Environment,
}

impl Log {
    pub fn new(callbacks: Option<fmi2CallbackFunctions>, instance_name: CString, debug: bool) -> Self {
        Log { callbacks, instance_name, debug: if debug { ALL } else { 0 }, host: Environment::read() }
    }

    /// Switches debug logging of these categories on or off. Warnings and errors are always sent.
    pub fn set_debug(&mut self, on: bool, categories: u8) {
        self.debug = if on { categories } else { self.debug & !categories };
    }

    pub fn event(&self, text: &str) {
        self.send(fmi2Status::fmi2OK, Category::Events, text);
    }

    pub fn warning(&self, text: &str) {
        self.send(fmi2Status::fmi2Warning, Category::StatusWarning, text);
    }

    pub fn coupling(&self, text: &str) {
        self.send(fmi2Status::fmi2Warning, Category::Coupling, text);
    }

    pub fn error(&self, text: &str) {
        self.send(fmi2Status::fmi2Error, Category::StatusError, text);
    }

    pub fn fatal(&self, text: &str) {
        self.send(fmi2Status::fmi2Fatal, Category::StatusFatal, text);
    }

    fn send(&self, status: fmi2Status, category: Category, text: &str) {
        if (self.debug | ALWAYS) & category.bit() == 0 {
            return;
        }
        let Some(fmi2CallbackFunctions { logger: Some(logger), componentEnvironment, .. }) = self.callbacks else {
            return;
        };
        let Ok(message) = CString::new(escape(text)) else {
            return;
        };
        in_environment(&self.host, || {
            // SAFETY: the importer gave this pointer as its logger; all strings are terminated and live through the call,
            // and the message asks for no variadic argument.
            unsafe {
                logger(
                    componentEnvironment,
                    self.instance_name.as_ptr(),
                    status,
                    category.name().as_ptr(),
                    message.as_ptr(),
                );
            }
        });
    }
}

fn escape(text: &str) -> String {
    text.replace('\0', " ").replace('%', "%%").replace('#', "##")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_survives_printf() {
        assert_eq!(escape("5 % of #3 and %s\0"), "5 %% of ##3 and %%s ");
    }
}
