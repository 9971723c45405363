//! Messages to the importer, through its variadic printf-style callback.
//!
//! The finished text is the format string itself and no argument follows: every `%` is doubled, so
//! that importers which format it and importers which only print it both show it. `#` is doubled,
//! too, for it marks variables.

use crate::floating_point::Environment;
#[cfg(not(target_family = "wasm"))]
use crate::floating_point::in_environment;
use crate::fmi2_types::{fmi2CallbackFunctions, fmi2Status};
use bristle::catalogue::interface::LOG_CATEGORIES;
use std::ffi::{CStr, CString};

/// The categories of messages, in the order of [`LOG_CATEGORIES`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Category {
    Events,
    StatusWarning,
    StatusDiscard,
    StatusError,
    StatusFatal,
    Coupling,
}

impl Category {
    fn name(self) -> &'static str {
        LOG_CATEGORIES[self as usize].name
    }

    const fn bit(self) -> u8 {
        1 << self as u8
    }

    /// The categories that a name stands for, as bits.
    pub fn bits_of(name: &[u8]) -> Option<u8> {
        let place = LOG_CATEGORIES
            .iter()
            .position(|category| category.name.as_bytes() == name)?;
        Some(if place == LOG_CATEGORIES.len() - 1 {
            ALL
        } else {
            1 << place
        })
    }
}

/// All categories, as bits.
pub const ALL: u8 = (1 << (LOG_CATEGORIES.len() - 1)) - 1;
/// Messages that are logged even when debug logging is off: a refused call needs its reason.
const ALWAYS: u8 = ALL & !Category::Events.bit();

/// Where an instance's messages go.
pub struct Log {
    // The host of a WebAssembly module has them.
    #[cfg_attr(target_family = "wasm", expect(dead_code))]
    callbacks: Option<fmi2CallbackFunctions>,
    #[cfg_attr(target_family = "wasm", expect(dead_code))]
    instance_name: CString,
    debug: u8,
    /// The floating-point environment that the importer's logger runs in.
    pub host: Environment,
}

impl Log {
    pub fn new(
        callbacks: Option<fmi2CallbackFunctions>,
        instance_name: CString,
        debug: bool,
    ) -> Self {
        Log {
            callbacks,
            instance_name,
            debug: if debug { ALL } else { 0 },
            host: Environment::read(),
        }
    }

    /// Switches debug logging of these categories on or off. Warnings and errors are always sent.
    pub fn set_debug(&mut self, on: bool, categories: u8) {
        self.debug = if on {
            categories
        } else {
            self.debug & !categories
        };
    }

    fn sends(&self, category: Category) -> bool {
        (self.debug | ALWAYS) & category.bit() != 0
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

    pub fn discard(&self, text: &str) {
        self.send(fmi2Status::fmi2Discard, Category::StatusDiscard, text);
    }

    pub fn error(&self, text: &str) {
        self.send(fmi2Status::fmi2Error, Category::StatusError, text);
    }

    pub fn fatal(&self, text: &str) {
        self.send(fmi2Status::fmi2Fatal, Category::StatusFatal, text);
    }

    fn send(&self, status: fmi2Status, category: Category, text: &str) {
        if !self.sends(category) {
            return;
        }
        let (Ok(message), Ok(category)) =
            (CString::new(escape(text)), CString::new(category.name()))
        else {
            return;
        };
        self.call_logger(status, &category, &message);
    }

    /// Calls the logger of the host around a WebAssembly module, which has the callbacks.
    #[cfg(target_family = "wasm")]
    fn call_logger(&self, status: fmi2Status, category: &CStr, message: &CStr) {
        crate::host::log(status, category, message);
    }

    #[cfg(not(target_family = "wasm"))]
    fn call_logger(&self, status: fmi2Status, category: &CStr, message: &CStr) {
        let Some(fmi2CallbackFunctions {
            logger: Some(logger),
            componentEnvironment,
            ..
        }) = self.callbacks
        else {
            return;
        };
        in_environment(&self.host, || {
            // SAFETY: the importer gave this pointer as its logger; all strings are terminated and
            // live through the call, and the message asks for no variadic argument.
            unsafe {
                logger(
                    componentEnvironment,
                    self.instance_name.as_ptr(),
                    status,
                    category.as_ptr(),
                    message.as_ptr(),
                );
            }
        });
    }
}

fn escape(text: &str) -> String {
    text.replace('\0', " ")
        .replace('%', "%%")
        .replace('#', "##")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn categories_have_the_names_of_the_description() {
        let named = [
            (Category::Events, "logEvents"),
            (Category::StatusWarning, "logStatusWarning"),
            (Category::StatusDiscard, "logStatusDiscard"),
            (Category::StatusError, "logStatusError"),
            (Category::StatusFatal, "logStatusFatal"),
            (Category::Coupling, "logCoupling"),
        ];
        assert_eq!(named.len() + 1, LOG_CATEGORIES.len());
        for (category, name) in named {
            assert_eq!(
                (category.name(), Category::bits_of(name.as_bytes())),
                (name, Some(category.bit()))
            );
        }
        // One bit for each category.
        assert_eq!(
            (Category::bits_of(b"logAll"), Category::bits_of(b"logNone")),
            (Some(0b11_1111), None)
        );
    }

    #[test]
    fn events_are_sent_while_they_are_switched_on_and_all_others_always() {
        let events = |log: &Log| {
            for category in [
                Category::StatusWarning,
                Category::StatusDiscard,
                Category::StatusError,
                Category::StatusFatal,
                Category::Coupling,
            ] {
                assert!(log.sends(category), "{category:?}");
            }
            log.sends(Category::Events)
        };
        let mut log = Log::new(None, CString::default(), true);
        assert!(events(&log));
        log.set_debug(false, ALL);
        assert!(!events(&log));
        log.set_debug(true, Category::Events.bit());
        assert!(events(&log));
        log.set_debug(false, Category::StatusError.bit());
        assert!(events(&log));
        assert!(!events(&Log::new(None, CString::default(), false)));
    }

    #[test]
    fn a_message_survives_printf() {
        assert_eq!(escape("5 % of #3 and %s\0"), "5 %% of ##3 and %%s ");
    }
}
