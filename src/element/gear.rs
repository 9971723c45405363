//! Gear of a torque joint: its friction grows with the torque that it transmits.
//!
//! The load λ = 1 + |k_m τ_m − k_e τ_e|/M_d multiplies the friction of the joint, so that that of
//! sliding is M_d + |k_m τ_m − k_e τ_e|. With k_m ≠ k_e driving and back-driving differ: the
//! sliding friction of models M3 and M5 of M. Duclusaud and others, Extended Friction Models for
//! the Physics Simulation of Servo Actuators, arXiv 2410.08650. The friction at rest grows in
//! proportion, where their M4 to M6 have factors of its own.
//!
//! The torques are held over a step. F_N has the value of λ whenever one of them is set.

use super::F_N;
use crate::variable::{InputError, Unit, Values, Variable};

/// Torque of the motor.
pub const TAU_M: Variable = Variable::input(
    6,
    "tau_m",
    r"\tau_m",
    Unit::NewtonMetre,
    "Torque of the motor on the shaft of the joint, in the direction of omega; held over a step",
)
.nominal(1.0);
/// Torque of the load.
pub const TAU_E: Variable = Variable::input(
    7,
    "tau_e",
    r"\tau_e",
    Unit::NewtonMetre,
    "Torque of the load on the same shaft, in the direction of omega; held over a step",
)
.nominal(1.0);
/// Friction by the torque of the motor.
pub const K_M: Variable = Variable::parameter(
    76,
    "k_m",
    "k_m",
    Unit::One,
    0.0,
    "Friction by the torque of the motor: abs(k_m tau_m - k_e tau_e) is added to that of sliding",
)
.within(-10.0..=10.0);
/// Friction by the torque of the load.
pub const K_E: Variable = Variable::parameter(
    77,
    "k_e",
    "k_e",
    Unit::One,
    0.0,
    "Friction by the torque of the load: abs(k_m tau_m - k_e tau_e) is added to that of sliding",
)
.within(-10.0..=10.0);

/// All of them.
pub static GEAR: [Variable; 4] = [TAU_M, TAU_E, K_M, K_E];

/// Gear of a joint.
#[derive(Clone, Copy, Debug)]
pub struct Gear {
    /// Parameter of the law with the torque of sliding, N·m.
    pub sliding: &'static Variable,
}

impl Gear {
    /// Whether the load depends on a variable.
    #[inline]
    pub(super) fn depends_on(&self, variable: &Variable) -> bool {
        variable.is(self.sliding) || GEAR.iter().any(|known| variable.is(known))
    }

    /// Load λ of a table of values.
    pub fn load(&self, values: &Values) -> f64 {
        1.0 + Gear::transmitted(values).abs() / values[self.sliding]
    }

    fn transmitted(values: &Values) -> f64 {
        values[&K_M] * values[&TAU_M] - values[&K_E] * values[&TAU_E]
    }

    /// Seeds of a directional derivative with that of the load, which follows from the others.
    pub(super) fn with_load(&self, values: &Values, seed: &Values) -> Values {
        let mut seed = *seed;
        seed[&F_N] += self.change(values, &seed);
        seed
    }

    /// Change of the load for a change of values.
    fn change(&self, values: &Values, seed: &Values) -> f64 {
        let torque = Gear::transmitted(values);
        let change = values[&K_M] * seed[&TAU_M] + seed[&K_M] * values[&TAU_M]
            - values[&K_E] * seed[&TAU_E]
            - seed[&K_E] * values[&TAU_E];
        let by_sliding = (1.0 - self.load(values)) * seed[self.sliding];
        let by_torque = if torque == 0.0 {
            0.0
        } else {
            change * torque.signum()
        };
        (by_torque + by_sliding) / values[self.sliding]
    }

    /// Refuses a sliding torque of 0, over which the load is taken.
    pub(super) fn check(&self, values: &Values) -> Result<(), InputError> {
        if values[self.sliding] > 0.0 {
            return Ok(());
        }
        let name = self.sliding.name;
        Err(InputError::new(format!(
            "{name} = {:?} was given where a gear needs a torque above 0; raise {name}",
            values[self.sliding]
        ))
        .about(&[name]))
    }
}
