//! Coupling of an element with the body it acts on, at long communication steps.
//!
//! A master that holds every value over its communication step H moves the body under a force that
//! is up to H old. In stick the body responds faster than that, and above a limit of H force and
//! body oscillate against each other (chatter). With the mass of the body the element computes this
//! limit ([`longest_steps`]) and removes it: a [`BodyObserver`] integrates the body and the laws of
//! its contacts as one system, and F_R is the force that moves the master's body along with the
//! observer. See docs/coupling.md.
//!
//! | layer | file | contents |
//! |---|---|---|
//! | 1 | `variables`, `gains` | variables and constants of the coupling |
//! | 1 | `contact` | what the observer needs of a contact and its law |
//! | 1 | `linear_body` | a body with linear motion between its contacts |
//! | 1 | `monitor`, `response` | work and F_N of an observed body; order and mass that show |
//! | 2 | `mechanism` | coordinates of bodies inside an element, with springs and gears |
//! | 2 | `mobility` | inertia of a body in the coordinates of its contacts |
//! | 2 | `integrator` | body and contacts as one system, with the events of the laws |
//! | 2 | `observer` | state of the observer; `coordinate` and `track`: per coordinate and contact |
//! | 2 | `distribution` | forces of the contacts for one on the body |
//! | 3 | `observed_body` | the steps of the observer |

mod contact;
mod coordinate;
mod distribution;
mod gains;
mod integrator;
mod linear_body;
mod mechanism;
mod mobility;
mod monitor;
mod observed_body;
mod observer;
mod response;
mod track;
mod variables;

pub use self::contact::{
    BodyContact, ContactScales, ContactStart, ContactStep, LawModes, LawState,
};
pub use self::integrator::{Gaps, Integrator, Interval, Motion, Play};
pub use self::linear_body::LinearBody;
pub(crate) use self::linear_body::dot;
pub(crate) use self::mechanism::add_row;
pub use self::mechanism::{Base, Mechanism, Row, Structure};
pub use self::mobility::Mobility;
pub use self::monitor::Doubt;
pub use self::observed_body::{BodyReport, ObservedBody};
pub use self::observer::BodyObserver;
pub use self::response::{Response, ResponseMonitor};
pub use self::variables::*;

use crate::law::Spring;
use crate::variable::Values;

/// Value of [`H_MAX`] for "no limit", s.
pub const NO_LIMIT: f64 = 1e3;

/// Coupling of an element with a master.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Coupling {
    /// The element steps first, then the body under its new force.
    Serial,
    /// Element and body step at the same time, the body under the force of the step before.
    Parallel,
    /// v does not depend on F_R: the law's own force.
    Prescribed,
    /// Not stated: the law's own force, and a message where the step is long.
    Unspecified,
}

impl Coupling {
    /// The coupling with this number in a table of values: its place in [`COUPLING`], from 1.
    pub fn of(values: &Values) -> Self {
        match values[&COUPLING] {
            1.0 => Coupling::Serial,
            2.0 => Coupling::Parallel,
            3.0 => Coupling::Prescribed,
            _ => Coupling::Unspecified,
        }
    }

    /// Its name in [`COUPLING`].
    pub fn name(self) -> &'static str {
        COUPLINGS[self as usize].0
    }

    /// Whether a body observer is for this coupling.
    pub fn is_observed(self) -> bool {
        matches!(self, Coupling::Serial | Coupling::Parallel)
    }
}

/// Longest communication steps with held values.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LongestSteps {
    /// In a parallel coupling, s.
    pub parallel: f64,
    /// In a serial coupling, s.
    pub serial: f64,
}

impl LongestSteps {
    /// Longest step of a coupling: the parallel one unless it is serial, s.
    pub fn of(self, coupling: Coupling) -> f64 {
        if coupling == Coupling::Serial {
            self.serial
        } else {
            self.parallel
        }
    }
}

/// Longest communication steps for which the coupling of a law to a
/// mass (kg) with held values is stable. The contact has a stiffness k and a damping d.
///
/// The force −(k x + d v) is held over the step: stable in parallel for k H + H d²/m < d, in series
/// for k H²/m + 2 H d/m < 4. Both are exact for a linear contact whose own transients decay within
/// the step; a test compares them with measured limits.
pub fn longest_steps(contact: Spring, mass: f64) -> LongestSteps {
    let limited = |limit: f64| {
        if limit.is_finite() {
            limit.min(NO_LIMIT)
        } else {
            NO_LIMIT
        }
    };
    // A negative stiffness or damping does not oscillate with the step: it sets no limit.
    let (k, d) = (contact.stiffness.max(0.0), contact.damping.max(0.0));
    if k == 0.0 && d == 0.0 {
        return LongestSteps {
            parallel: NO_LIMIT,
            serial: NO_LIMIT,
        };
    }
    let parallel = d / (k + d * d / mass);
    // The positive root of k H² + 2 d H − 4 m, in the form without cancellation.
    let serial = 4.0 * mass / (d + (d * d + 4.0 * k * mass).sqrt());
    LongestSteps {
        parallel: limited(parallel),
        serial: limited(serial),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn longest_steps_agree_with_measured_limits() {
        let limits = |stiffness, damping, mass| {
            let steps = longest_steps(Spring { stiffness, damping }, mass);
            [steps.parallel, steps.serial]
        };
        // FrDyn2's defaults: measured 2.5e-5, 2.1e-4, 5.2e-4, 6.1e-4 s in parallel, 5e-5, 4.7e-4,
        // 2.2e-3, 8e-3 s in series.
        let measured = [
            (0.1, 2.5e-5, 5e-5),
            (1.0, 2.1e-4, 4.7e-4),
            (10.0, 5.2e-4, 2.2e-3),
            (100.0, 6.1e-4, 8e-3),
        ];
        for (mass, parallel, serial) in measured {
            let [p, s] = limits(5e6, 3192.75, mass);
            assert!(
                (p / parallel - 1.0).abs() < 0.25 && (s / serial - 1.0).abs() < 0.25,
                "{mass} kg: {p}, {s}"
            );
        }
        assert_eq!(limits(0.0, 0.0, 1.0), [NO_LIMIT; 2]);
        assert_eq!(limits(0.0, -3.0, 1.0), [NO_LIMIT; 2]);
        // Damping alone, as in sliding with viscous friction: H d/m < 1 in parallel and 2 in
        // series.
        assert_eq!(limits(0.0, 4.0, 2.0), [0.5, 1.0]);
    }
}
