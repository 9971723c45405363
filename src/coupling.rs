//! An element and the body it acts on: what holds a coupling with held values together at long communication steps.
//!
//! A master that holds every value over its communication step H moves the body under a force that is as old as the step,
//! and in stick the body answers in less: above a limit the two chatter. With the effective mass of the body the element
//! can say where that limit lies ([`longest_steps`]), and lift it: it carries a [`BodyObserver`] of the body, lets it move with
//! the law as one system, and gives the master the force that makes the body follow. docs/coupling.md has the pictures.

mod body;
mod chatter;
mod mass;
mod observer;

pub use self::body::Body;
pub use self::chatter::{Chatter, ChatterMonitor};
pub use self::observer::{BodyObserver, Step};

use crate::variable::{Unit, Values, Variable};

/// Effective mass.
pub const M_EFF: Variable = Variable::parameter(
    62,
    "m_eff",
    r"m_\mathrm{eff}",
    Unit::Kilogram,
    0.0,
    "Effective mass of the body that the contact brakes, as its tip feels it; 0: not known, and F_R is the law's own force",
)
.at_least(0.0);

/// Coupling scheme of the master.
pub const COUPLING: Variable = Variable::choice(
    63,
    "coupling",
    &[
        ("serial", "The element steps first, and the body moves under its force over the same step"),
        ("parallel", "The body moves under the element's force of the step before"),
        ("held", "As if m_eff were not known: F_R is the law's own force; H_max and its warning tell what holds"),
    ],
    "How the master couples, for m_eff > 0, set as an integer (1, 2 or 3): with serial and parallel, F_R is the force that makes \
     the body follow",
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

/// Answer of a step to its velocity.
pub const DF_R_DV: Variable = Variable::output(
    66,
    "dF_R_dv",
    r"\partial F_R/\partial v",
    Unit::NewtonSecondPerMetre,
    "Change of the law's force at the end of the last step for a change of v over all of it; about sigma_0 H + sigma_1 in stick",
)
.nominal(1e4);

/// Answer of a step to its normal force.
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
     serial, else in parallel; 1000 s: no limit, 0: none is, or m_eff not known",
)
.nominal(1e-3);

/// Parameters of the coupling, of elements whose law has states.
pub static PARAMETERS: [Variable; 2] = [M_EFF, COUPLING];
/// Outputs of the coupling, of elements whose law has states.
pub static OUTPUTS: [Variable; 5] = [F_LAW, F_R_MEAN, DF_R_DV, DF_R_DF_N, H_MAX];

/// The variable is one that is calculated only when it is asked for.
#[inline]
pub const fn is_on_demand(reference: u32) -> bool {
    F_R_MEAN.reference <= reference && reference <= H_MAX.reference
}

/// Value of [`H_MAX`] for "no limit", s.
pub const NO_LIMIT: f64 = 1e3;

/// Coupling scheme of a master.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Coupling {
    /// The element first, then the body under its new force.
    Serial,
    /// Both at once: the body under the force of the step before.
    Parallel,
    /// Nothing is done about it.
    Held,
}

impl Coupling {
    /// The choice in a table of values: its place in [`COUPLING`], from 1.
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

/// The longest communication steps, s, in parallel and in series, for which the coupling of a law to a mass (kg) is stable
/// while all values are held and the contact answers to a displacement with `k` (N/m) and to a velocity with `d` (N·s/m).
///
/// A held force −(k x + d v), as old as the step: in parallel k H + H d²/m < d, in series k H²/m + 2 H d/m < 4 (measured,
/// and for a linear contact exact where its own transients are over within the step).
pub fn longest_steps([k, d]: [f64; 2], mass: f64) -> [f64; 2] {
    let limited = |limit: f64| if limit.is_finite() { limit.min(NO_LIMIT) } else { NO_LIMIT };
    // What pushes on does not hold the body back: no step is too long for that.
    let [k, d] = [k.max(0.0), d.max(0.0)];
    if k == 0.0 && d == 0.0 {
        return [NO_LIMIT; 2];
    }
    let parallel = d / (k + d * d / mass);
    // The positive root of k H² + 2 d H − 4 m, without its cancellation.
    let serial = 4.0 * mass / (d + (d * d + 4.0 * k * mass).sqrt());
    [limited(parallel), limited(serial)]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_limits_are_those_measured() {
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
