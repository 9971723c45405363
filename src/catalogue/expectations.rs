//! Expectations of the values of a card, each stated once: [`Variant::new`](super::Variant::new)
//! refuses cards by them, and so does the reader of cards in TOML, which adds line and key.

use super::{MAX_NAME, Setting};
use crate::element::{MAX_TOLERANCE, MIN_TOLERANCE};
use crate::variable::Variable;
use core::ops::RangeInclusive;

/// Nominal normal forces, N: scaled defaults stay within the bounds of their parameters.
pub const NORMAL_FORCES: RangeInclusive<f64> = 1e-5..=1e6;

/// Names that Windows keeps for devices, whatever their extension.
const DEVICES: [&str; 4] = ["con", "prn", "aux", "nul"];

/// Expectation that a name of an element does not meet, if any.
pub fn name_fault(name: &str) -> Option<&'static str> {
    let is_first = |c: char| c.is_ascii_alphabetic() || c == '_';
    let is_identifier =
        name.starts_with(is_first) && name.chars().all(|c| is_first(c) || c.is_ascii_digit());
    let lower = name.to_ascii_lowercase();
    let is_port = |prefix: &str| {
        lower.strip_prefix(prefix).is_some_and(|rest| {
            rest.len() == 1 && rest != "0" && rest.as_bytes()[0].is_ascii_digit()
        })
    };
    if !is_identifier {
        Some("a C identifier: letters, digits and _, no digit first")
    } else if name.len() > MAX_NAME {
        Some("a name of at most 64 characters")
    } else if DEVICES.contains(&&*lower) || is_port("com") || is_port("lpt") {
        Some("a name that Windows does not keep for a device")
    } else {
        None
    }
}

/// Expectation that a description does not meet, if any.
pub fn description_fault(description: &str) -> Option<&'static str> {
    description
        .contains(char::is_control)
        .then_some("one line of text")
}

/// Expectation that a nominal normal force (N) does not meet, if any.
pub fn normal_force_fault(normal_force: f64) -> Option<String> {
    (!NORMAL_FORCES.contains(&normal_force)).then(|| {
        format!(
            "a normal force of {:e} to {:e} N",
            NORMAL_FORCES.start(),
            NORMAL_FORCES.end()
        )
    })
}

/// Expectation that the stop time or the communication step (s) of an experiment does not meet, if
/// any.
pub fn duration_fault(duration: f64) -> Option<&'static str> {
    (!(duration.is_finite() && duration > 0.0)).then_some("a number of seconds above 0")
}

/// Expectation that the tolerance of an experiment does not meet, if any.
pub fn tolerance_fault(tolerance: f64) -> Option<String> {
    (!(MIN_TOLERANCE..=MAX_TOLERANCE).contains(&tolerance))
        .then(|| format!("{MIN_TOLERANCE:e} to {MAX_TOLERANCE:e}"))
}

/// Contradiction of the bounds of a parameter and its start value.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum SettingFault {
    /// `min` exceeds `max`.
    Bounds {
        /// Smallest value.
        min: f64,
        /// Largest value.
        max: f64,
    },
    /// The start value is below `min`.
    BelowMin {
        /// Start value: the card's, or the law's own.
        start: f64,
        /// Smallest value.
        min: f64,
    },
    /// The start value is above `max`.
    AboveMax {
        /// Start value: the card's, or the law's own.
        start: f64,
        /// Largest value.
        max: f64,
    },
}

impl Setting {
    /// Contradiction of the bounds and the start value of this parameter, if any.
    pub fn fault(&self, declared: &Variable) -> Option<SettingFault> {
        let Setting { min, max, .. } = *self;
        if let (Some(min), Some(max)) = (min, max)
            && min > max
        {
            return Some(SettingFault::Bounds { min, max });
        }
        let start = self.start.or(declared.start)?;
        let below = min.filter(|min| start < *min);
        let above = max.filter(|max| start > *max);
        below
            .map(|min| SettingFault::BelowMin { start, min })
            .or(above.map(|max| SettingFault::AboveMax { start, max }))
    }
}
