//! \[RS\] Sec. 2, 4–6: a stick–slip element reconstructed from the behaviour that the paper
//! publishes: a creep that ends at the maximum stiction deformation, and transitions by STEP
//! functions.

use crate::law::{ReferenceLaw, parameters, sgn};
use crate::modes::{HybridLaw, advance_modes};
use crate::trajectory::{Contact, InputTrajectory};

parameters! {
    /// Parameters, \[RS\] Fig. 2c.
    AdamsStickSlip {
        /// Static coefficient of friction.
        mu_s = 0.6;
        /// Velocity that ends stick, m/s.
        v_s = 1e-3;
        /// Dynamic coefficient of friction.
        mu_d = 0.3;
        /// Begin of full sliding, m/s.
        v_d = 1e-2;
        /// Maximum stiction deformation, m.
        Delta = 1e-6, element 2.20725e-6;
    } => Solution::new
}

/// The law and its creep.
#[derive(Clone, Copy, Debug, Default)]
pub struct Solution {
    law: AdamsStickSlip,
    /// Mode and state.
    pub state: State,
}

/// Between two switches the contact is closed or open, and the velocity keeps its sign.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct State {
    is_closed: bool,
    direction: f64,
    /// Creep z, m.
    pub z: f64,
}

/// The odd quintic from (−1, −1) to (1, 1) with level ends.
fn q(s: f64) -> f64 {
    if s.abs() <= 1.0 {
        s * (15.0 - 10.0 * s * s + 3.0 * s * s * s * s) / 8.0
    } else {
        sgn(s)
    }
}

impl Solution {
    /// At rest.
    pub fn new(law: AdamsStickSlip) -> Self {
        Solution {
            law,
            ..Self::default()
        }
    }

    #[allow(non_snake_case)] // the symbols of the reading
    fn force(&self, Contact { F_N, v, .. }: Contact, z: f64) -> f64 {
        let AdamsStickSlip {
            mu_s,
            v_s,
            mu_d,
            v_d,
            Delta,
        } = self.law;
        if v.abs() <= v_s {
            let b = q(v / v_s);
            mu_s * F_N * ((1.0 - b.abs()) * q(z / Delta) + b)
        } else if v.abs() < v_d {
            let t = (v.abs() - v_s) / (v_d - v_s);
            let step = t * t * t * (10.0 - 15.0 * t + 6.0 * t * t);
            sgn(v) * F_N * (mu_s + (mu_d - mu_s) * step)
        } else {
            sgn(v) * F_N * mu_d
        }
    }
}

impl HybridLaw for Solution {
    type State = State;

    fn flow(&self, state: State, inputs: &InputTrajectory, t: f64, dt: f64) -> State {
        if !state.is_closed {
            return state;
        }
        // While the velocity keeps its sign, z reaches a limit once and stays there.
        let limit = self.law.Delta;
        State {
            z: (state.z + inputs.displacement(t, dt)).clamp(-limit, limit),
            ..state
        }
    }

    fn mode_ends(&self, state: State, inputs: &InputTrajectory, t: f64) -> bool {
        let contact = inputs.at(t);
        state.is_closed != contact.is_closed() || state.direction != sgn(contact.v)
    }

    fn switch_mode(&self, state: State, inputs: &InputTrajectory, t: f64) -> State {
        let contact = inputs.at(t);
        let is_closed = contact.is_closed();
        State {
            is_closed,
            direction: sgn(contact.v),
            z: if is_closed { state.z } else { 0.0 },
        }
    }
}

impl ReferenceLaw for Solution {
    fn advance(&mut self, inputs: &InputTrajectory, h: f64) -> f64 {
        self.state = advance_modes(self, self.state, inputs, h);
        let contact = inputs.at(h);
        if contact.is_closed() {
            self.force(contact, self.state.z)
        } else {
            0.0
        }
    }

    fn boxed(&self) -> Box<dyn ReferenceLaw> {
        Box::new(*self)
    }

    fn synchronise(&mut self, contact: Contact, value: &dyn Fn(&str) -> f64) {
        self.state = State {
            is_closed: contact.is_closed(),
            direction: sgn(contact.v),
            z: value("z"),
        };
    }

    fn static_friction(&self) -> f64 {
        self.law.mu_s
    }
}
