//! Access to a variable at every step of a master: what reading and setting need of its
//! declaration, in a byte.
//!
//! The declarations of many contacts do not fit into a processor's first cache beside their states.

use crate::coupling::is_on_demand;
use crate::variable::{Role, Variable};

/// Access to the variable of a value reference.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Access(u8);

impl Access {
    /// No variable is shown.
    pub const NONE: Access = Access(0);
    /// A real number to FMI.
    const REAL: u8 = 1;
    /// Calculated by the element: neither an input, nor a parameter, nor a state.
    const CALCULATED: u8 = 2;
    /// Calculated when it is read.
    const ON_DEMAND: u8 = 4;
    /// Input that takes every finite number.
    const FREE: u8 = 8;
    /// Input that takes every finite number without a sign.
    const UNSIGNED: u8 = 16;
    /// Input of a contact's law: no parameter that a card made an input, and none of a plate or a
    /// block.
    const OF_LAW: u8 = 32;
    /// In another unit than SI.
    const SCALED: u8 = 64;

    /// Access to a variable of an element. An input of a plate, or one that the normal force
    /// follows from, is none of the contact's law.
    pub(super) fn of(variable: Option<&Variable>, may_be_of_law: bool) -> Self {
        let Some(variable) = variable.filter(|variable| variable.is_real()) else {
            return Access::NONE;
        };
        let is_input = variable.role == Role::Input;
        let is_scaled = variable.scale.is_some();
        // Those of another unit are checked as SI.
        let is_unbounded = is_input && variable.max.is_none() && !is_scaled;
        let kinds = [
            (Access::REAL, true),
            (
                Access::CALCULATED,
                !matches!(variable.role, Role::Input | Role::Parameter | Role::State),
            ),
            (Access::ON_DEMAND, is_on_demand(variable.reference)),
            (Access::FREE, is_unbounded && variable.min.is_none()),
            (
                Access::UNSIGNED,
                is_unbounded && variable.min.map(f64::to_bits) == Some(0),
            ),
            (
                Access::OF_LAW,
                is_input
                    && !variable.is_parameter()
                    && !variable.is_of_block()
                    && may_be_of_law
                    && !is_scaled,
            ),
            (Access::SCALED, is_scaled),
        ];
        Access(
            kinds
                .into_iter()
                .filter(|(_, is_so)| *is_so)
                .fold(0, |all, (kind, _)| all | kind),
        )
    }

    /// Access to two variables: what either needs.
    #[inline]
    pub fn and(self, other: Access) -> Access {
        Access(self.0 | other.0)
    }

    /// Whether it is a real number to FMI.
    #[inline]
    pub fn is_real(self) -> bool {
        self.0 & Access::REAL != 0
    }

    /// Whether its unit is none of SI.
    #[inline]
    pub fn is_scaled(self) -> bool {
        self.0 & Access::SCALED != 0
    }

    /// Whether the element calculates the value.
    #[inline]
    pub fn is_calculated(self) -> bool {
        self.0 & Access::CALCULATED != 0
    }

    /// Whether the element calculates the value when it is read.
    #[inline]
    pub fn is_on_demand(self) -> bool {
        self.0 & Access::ON_DEMAND != 0
    }

    /// Whether it is an input of a contact's law, which
    /// [`Assembly::set_inputs`](crate::assembly::Assembly::set_inputs) sets.
    #[inline]
    pub fn is_of_law(self) -> bool {
        self.0 & Access::OF_LAW != 0
    }

    /// Whether it is an input that takes this value, where its bits show that without a comparison
    /// of numbers, which the host's floating-point environment might change. [`Variable::check`]
    /// decides about the rest.
    #[inline]
    pub fn takes(self, value: f64) -> bool {
        const EXPONENT: u64 = f64::INFINITY.to_bits();
        let bits = value.to_bits();
        self.0 & Access::FREE != 0 && bits & EXPONENT != EXPONENT
            || self.0 & Access::UNSIGNED != 0 && bits < EXPONENT
    }
}
