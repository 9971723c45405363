//! Coupling of an element with the body it acts on, at long communication steps.
//!
//! A master that holds every value over its communication step H moves the body under a force that is up to H old. In stick the
//! body responds faster than that, and above a limit of H force and body oscillate against each other (chatter). With the
//! effective mass of the body the element computes this limit ([`longest_steps`]) and removes it: a [`BodyObserver`] integrates the
//! body and the law as one system, and F_R is the force that moves the master's body along with the observer. See docs/coupling.md.

mod body;
mod chatter;
mod mass;
mod observer;

pub use self::body::Body;
pub use self::chatter::{Chatter, ChatterMonitor};
pub use self::observer::{BodyObserver, ObserverStep};

use crate::variable::{Unit, Values, Variable, slot};

/// Effective mass.
pub const M_EFF: Variable = Variable::parameter(
    62,
    "m_eff",
    r"m_\mathrm{eff}",
    Unit::Kilogram,
    0.0,
    "Effective mass of the body at the contact, in the direction of v; 0: not known, and F_R is the law's own force",
)
.at_least(0.0);

/// Coupling scheme of the master.
pub const COUPLING: Variable = Variable::choice(
    63,
    "coupling",
    &[
        ("serial", "The element steps first, and the body moves under its force over the same step"),
        ("parallel", "The body moves under the element's force of the step before"),
        ("held", "F_R is the law's own force, as without m_eff; H_max and its warning give the longest stable step"),
    ],
    "Coupling scheme of the master, for m_eff > 0, set as an integer (1, 2 or 3): with serial and parallel, F_R is the force that \
     moves the body along with the observer",
);

/// The law's own force.
pub const F_LAW: Variable = Variable::output(
    64,
    "F_law",
    r"F_\mathrm{law}",
    Unit::Newton,
    "Friction force of the law at the end of the step; F_R is the force to apply, which differs with m_eff > 0",
)
.nominal(10.0);

/// Mean friction force.
pub const F_R_MEAN: Variable = Variable::output(
    65,
    "F_R_mean",
    r"\overline{F}_R",
    Unit::Newton,
    "Mean of the law's friction force over the last communication step: its impulse over H; 0 before the first",
)
.nominal(10.0);

/// Response of a step to its velocity.
pub const DF_R_DV: Variable = Variable::output(
    66,
    "dF_R_dv",
    r"\partial F_R/\partial v",
    Unit::NewtonSecondPerMetre,
    "Change of the law's force at the end of the last step for a change of v over all of it; about sigma_0 H + sigma_1 in stick",
)
.nominal(1e4);

/// Response of a step to its normal force.
pub const DF_R_DF_N: Variable = Variable::output(
    67,
    "dF_R_dF_N",
    r"\partial F_R/\partial F_N",
    Unit::One,
    "Change of the law's force at the end of the last step for a change of F_N over all of it",
)
.nominal(1.0);

/// Longest step.
pub const H_MAX: Variable = Variable::output(
    68,
    "H_max",
    r"H_\mathrm{max}",
    Unit::Second,
    "Longest communication step for which a coupling with held values is stable in this state, in series with coupling = \
     serial, else in parallel; 1000 s: no limit; 0: no step is stable, or m_eff is not known",
)
.nominal(1e-3);

/// Parameters of the coupling, of elements whose law has states.
pub static PARAMETERS: [Variable; 2] = [M_EFF, COUPLING];
/// Outputs of the coupling, of elements whose law has states.
pub static OUTPUTS: [Variable; 5] = [F_LAW, F_R_MEAN, DF_R_DV, DF_R_DF_N, H_MAX];

/// Whether the variable with this value reference is calculated on demand only.
#[inline]
pub const fn is_on_demand(reference: u32) -> bool {
    F_R_MEAN.slot() <= slot(reference) && slot(reference) <= H_MAX.slot()
}

/// Value of [`H_MAX`] for "no limit", s.
pub const NO_LIMIT: f64 = 1e3;

/// Coupling scheme of a master.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Coupling {
    /// The element steps first, then the body under its new force.
    Serial,
    /// Element and body step at the same time, the body under the force of the step before.
    Parallel,
    /// F_R is the law's own force; no observer.
    Held,
}

impl Coupling {
    /// The scheme with this number in a table of values: its place in [`COUPLING`], from 1; other numbers are [`Coupling::Held`].
    pub fn of(number: f64) -> Self {
        match number {
            1.0 => Coupling::Serial,
            2.0 => Coupling::Parallel,
            _ => Coupling::Held,
        }
    }

    /// Mass (kg) and coupling scheme of the body observer under these values; `None` where it is off.
    #[inline]
    pub fn observed_mass(values: &Values) -> Option<(f64, Coupling)> {
        let mass = values[&M_EFF];
        let coupling = Coupling::of(values[&COUPLING]);
        (mass > 0.0 && coupling != Coupling::Held).then_some((mass, coupling))
    }
}

/// Longest communication steps, s, in parallel and in series, for which the coupling of a law to a mass (kg) with held values is
/// stable. The contact has the stiffness `k` (N/m) and the damping `d` (N·s/m).
///
/// The force −(k x + d v) is held over the step: stable in parallel for k H + H d²/m < d, in series for k H²/m + 2 H d/m < 4. Both
/// are exact for a linear contact whose own transients decay within the step; a test compares them with measured limits.
pub fn longest_steps([k, d]: [f64; 2], mass: f64) -> [f64; 2] {
    let limited = |limit: f64| if limit.is_finite() { limit.min(NO_LIMIT) } else { NO_LIMIT };
    // A negative stiffness or damping does not oscillate with the step: it sets no limit.
    let [k, d] = [k.max(0.0), d.max(0.0)];
    if k == 0.0 && d == 0.0 {
        return [NO_LIMIT; 2];
    }
    let parallel = d / (k + d * d / mass);
    // The positive root of k H² + 2 d H − 4 m, in the form without cancellation.
    let serial = 4.0 * mass / (d + (d * d + 4.0 * k * mass).sqrt());
    [limited(parallel), limited(serial)]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn longest_steps_agree_with_measured_limits() {
        // FrDyn2's defaults: measured 2.5e-5, 2.1e-4, 5.2e-4, 6.1e-4 s in parallel, 5e-5, 4.7e-4, 2.2e-3, 8e-3 s in series.
        let measured = [(0.1, 2.5e-5, 5e-5), (1.0, 2.1e-4, 4.7e-4), (10.0, 5.2e-4, 2.2e-3), (100.0, 6.1e-4, 8e-3)];
        for (mass, parallel, serial) in measured {
            let [p, s] = longest_steps([5e6, 3192.75], mass);
            assert!((p / parallel - 1.0).abs() < 0.25 && (s / serial - 1.0).abs() < 0.25, "{mass} kg: {p}, {s}");
        }
        assert_eq!(longest_steps([0.0, 0.0], 1.0), [NO_LIMIT; 2]);
        assert_eq!(longest_steps([0.0, -3.0], 1.0), [NO_LIMIT; 2]);
    }
}
