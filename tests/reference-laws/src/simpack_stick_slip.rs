//! \[RS\] Sec. 2, 4–6: a stick–slip element reconstructed from the behaviour that the paper
//! publishes: a visco-elastic bristle in stick, and the dynamic friction force in slip.

use crate::law::{REST, ReferenceLaw, parameters, sgn};
use crate::modes::{HybridLaw, advance_modes};
use crate::trajectory::{Contact, InputTrajectory};

parameters! {
    /// Parameters, \[RS\] Fig. 2c.
    SimpackStickSlip {
        /// Stiffness of the bristle, N/m.
        sigma_0 = 5e6;
        /// Damping of the bristle, N.s/m.
        sigma_1 = 3192.75;
        /// Static coefficient of friction.
        mu_s = 0.6;
        /// Dynamic coefficient of friction.
        mu_d = 0.3;
    } => Solution::new
}

/// The law and its state.
#[derive(Clone, Copy, Debug, Default)]
pub struct Solution {
    law: SimpackStickSlip,
    /// Mode and state.
    pub state: State,
}

/// Mode and deflection.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct State {
    /// Sticks, slides or neither.
    pub mode: Mode,
    /// Deflection z in stick, m.
    pub z: f64,
}

/// Mode of the contact.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Mode {
    /// Open contact.
    Open,
    /// The bristle carries the force.
    #[default]
    Stick,
    /// Slides in this direction.
    Slip(f64),
}

impl Solution {
    /// At rest.
    pub fn new(law: SimpackStickSlip) -> Self {
        Solution {
            law,
            ..Self::default()
        }
    }

    /// Speed up to which a sliding contact counts as at rest, m/s: stick at that speed lasts a
    /// second at least, so that a contact under next to no normal force does not alternate between
    /// stick and slip.
    fn rest(&self, normal_force: f64) -> f64 {
        REST.min(self.law.mu_s * normal_force / self.law.sigma_0)
    }
}

impl HybridLaw for Solution {
    type State = State;

    fn flow(&self, state: State, inputs: &InputTrajectory, t: f64, dt: f64) -> State {
        match state.mode {
            Mode::Stick => State {
                z: state.z + inputs.displacement(t, dt),
                ..state
            },
            Mode::Open | Mode::Slip(_) => state,
        }
    }

    fn mode_ends(&self, State { mode, z }: State, inputs: &InputTrajectory, t: f64) -> bool {
        let contact = inputs.at(t);
        if !contact.is_closed() {
            return mode != Mode::Open;
        }
        match mode {
            Mode::Open => true,
            // The elastic part decides.
            Mode::Stick => (self.law.sigma_0 * z).abs() > self.law.mu_s * contact.F_N,
            Mode::Slip(direction) => direction * contact.v <= self.rest(contact.F_N),
        }
    }

    fn switch_mode(&self, State { mode, z }: State, inputs: &InputTrajectory, t: f64) -> State {
        let contact = inputs.at(t);
        if !contact.is_closed() {
            return State {
                mode: Mode::Open,
                z: 0.0,
            };
        }
        match mode {
            Mode::Open | Mode::Slip(_) => State {
                mode: Mode::Stick,
                z: 0.0,
            },
            Mode::Stick => {
                let direction = if contact.v == 0.0 {
                    sgn(z)
                } else {
                    sgn(contact.v)
                };
                State {
                    mode: Mode::Slip(direction),
                    z,
                }
            }
        }
    }
}

impl ReferenceLaw for Solution {
    fn advance(&mut self, inputs: &InputTrajectory, h: f64) -> f64 {
        let SimpackStickSlip {
            sigma_0,
            sigma_1,
            mu_d,
            ..
        } = self.law;
        self.state = advance_modes(self, self.state, inputs, h);
        let contact = inputs.at(h);
        match self.state.mode {
            Mode::Open => 0.0,
            Mode::Stick => sigma_0 * self.state.z + sigma_1 * contact.v,
            Mode::Slip(direction) => direction * mu_d * contact.F_N,
        }
    }

    fn boxed(&self) -> Box<dyn ReferenceLaw> {
        Box::new(*self)
    }

    fn synchronise(&mut self, contact: Contact, value: &dyn Fn(&str) -> f64) {
        let mode = match value("mode") {
            _ if !contact.is_closed() => Mode::Open,
            0.0 => Mode::Stick,
            direction => Mode::Slip(direction),
        };
        self.state = State {
            mode,
            z: value("z"),
        };
    }

    fn static_friction(&self) -> f64 {
        self.law.mu_s
    }

    fn mode(&self) -> Option<i32> {
        Some(if let Mode::Slip(direction) = self.state.mode {
            direction as i32
        } else {
            0
        })
    }
}
