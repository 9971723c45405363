//! \[SW\] (4a), (4b): Armstrong's seven parameters. Forces are coefficients of F_N here.

use crate::law::{ReferenceLaw, parameters, sgn};
use crate::modes::{HybridLaw, advance_modes};
use crate::trajectory::{Contact, InputTrajectory};

/// Speed up to which a sliding contact counts as at rest, m/s. The element stops at the zero of a
/// moving v: the dwell time from 1e-12 m/s on would be longer.
const REST: f64 = 1e-14;

parameters! {
    /// Parameters.
    Armstrong {
        /// Contact stiffness β, N/m.
        sigma_0 = 1e6, element 5e6;
        /// Coulomb coefficient of friction, F_C.
        mu_d = 0.25, element 0.3;
        /// Viscous friction F_v, N.s/m.
        sigma_2 = 0.0;
        /// Coefficient at break-away without dwell time, F_C + F_Sa.
        mu_s_0 = 0.27, element 0.42;
        /// Coefficient at break-away after a long dwell time, F_C + F_S∞.
        mu_s = 0.3, element 0.6;
        /// Dwell time that brings half of the difference, s.
        gamma = 1.0;
        /// Delay of the Stribeck effect, s.
        tau = 0.005;
        /// Stribeck velocity v_s, m/s.
        v_Stribeck = 0.01, element 5e-3;
    } => Solution::new
}

/// Reference solution: the law, its state and the history of velocities.
#[derive(Clone, Debug, Default)]
pub struct Solution {
    law: Armstrong,
    /// Mode and states.
    pub state: State,
    /// The time, s.
    t: f64,
    /// Velocities at communication points: times (s) and values (m/s).
    past: Vec<[f64; 2]>,
}

/// Mode and continuous states.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct State {
    /// Sticks, slides or neither.
    pub mode: Mode,
    /// Deflection z in stick, m.
    pub z: f64,
    /// Dwell time t_d, s.
    pub t_d: f64,
}

/// Mode of the contact.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Mode {
    /// Open contact.
    Open,
    /// (4a).
    #[default]
    Stick,
    /// (4b) in this direction.
    Slip(f64),
}

impl Solution {
    /// At rest.
    pub fn new(law: Armstrong) -> Self {
        Solution {
            law,
            ..Self::default()
        }
    }

    /// v(t − τ) at `t` (s) after the start of the step: within the step its trajectory, before it
    /// the communication points joined by straight lines, and before the first of them its value.
    fn delayed(&self, inputs: &InputTrajectory, t: f64) -> f64 {
        let within = t - self.law.tau;
        if within >= 0.0 {
            return inputs.at(within).v;
        }
        let sought = self.t + within;
        let mut later = [self.t, inputs.at(0.0).v];
        for &earlier in self.past.iter().rev() {
            if earlier[0] <= sought {
                let part = (sought - earlier[0]) / (later[0] - earlier[0]);
                return earlier[1] + part * (later[1] - earlier[1]);
            }
            later = earlier;
        }
        later[1]
    }

    /// F_S(γ, t_d) over F_N.
    #[allow(non_snake_case)] // the paper's symbols
    fn dwelt(&self, t_d: f64) -> f64 {
        let Armstrong {
            mu_d,
            mu_s_0,
            mu_s,
            gamma,
            ..
        } = self.law;
        let [F_Sa, F_Sinf] = [mu_s_0.min(mu_s).max(mu_d) - mu_d, mu_s - mu_d];
        F_Sa + (F_Sinf - F_Sa) * t_d / (t_d + gamma)
    }

    /// F_C + F_S(γ, t_d)/(1 + (v(t − τ)/v_s)²), N.
    #[allow(non_snake_case)] // the name of the parameter
    fn sliding(&self, contact: Contact, t_d: f64, delayed: f64) -> f64 {
        let Armstrong {
            mu_d, v_Stribeck, ..
        } = self.law;
        contact.F_N
            * (mu_d + self.dwelt(t_d) / (1.0 + (delayed / v_Stribeck) * (delayed / v_Stribeck)))
    }

    fn force(&self, state: State, inputs: &InputTrajectory, t: f64) -> f64 {
        let Armstrong {
            sigma_0,
            sigma_2,
            mu_s,
            ..
        } = self.law;
        let contact = inputs.at(t);
        match state.mode {
            Mode::Open => 0.0,
            Mode::Stick => {
                let limit = mu_s * contact.F_N;
                (sigma_0 * state.z).clamp(-limit, limit)
            }
            Mode::Slip(direction) => {
                let sliding = self.sliding(contact, state.t_d, self.delayed(inputs, t));
                direction * (sliding + sigma_2 * contact.v.abs())
            }
        }
    }
}

impl HybridLaw for Solution {
    type State = State;

    fn flow(&self, state: State, inputs: &InputTrajectory, t: f64, dt: f64) -> State {
        match state.mode {
            Mode::Stick => State {
                z: state.z + inputs.displacement(t, dt),
                t_d: state.t_d + dt,
                ..state
            },
            Mode::Open | Mode::Slip(_) => state,
        }
    }

    fn mode_ends(&self, State { mode, z, t_d }: State, inputs: &InputTrajectory, t: f64) -> bool {
        let contact = inputs.at(t);
        if !contact.is_closed() {
            return mode != Mode::Open;
        }
        match mode {
            Mode::Open => true,
            Mode::Slip(direction) => direction * contact.v <= REST,
            Mode::Stick => {
                let level = (self.law.mu_d + self.dwelt(t_d)) * contact.F_N;
                (self.law.sigma_0 * z).abs() > level && sgn(z) * contact.v > 2.0 * REST
            }
        }
    }

    fn switch_mode(&self, state: State, inputs: &InputTrajectory, t: f64) -> State {
        let contact = inputs.at(t);
        if !contact.is_closed() {
            return State {
                mode: Mode::Open,
                z: 0.0,
                t_d: 0.0,
            };
        }
        match state.mode {
            Mode::Open => State {
                mode: Mode::Stick,
                ..state
            },
            Mode::Slip(direction) => {
                // The spring starts at the last sliding force.
                let force = direction * self.sliding(contact, state.t_d, self.delayed(inputs, t));
                State {
                    mode: Mode::Stick,
                    z: force / self.law.sigma_0,
                    t_d: 0.0,
                }
            }
            Mode::Stick => State {
                mode: Mode::Slip(sgn(state.z)),
                ..state
            },
        }
    }
}

impl ReferenceLaw for Solution {
    fn advance(&mut self, inputs: &InputTrajectory, h: f64) -> f64 {
        self.state = advance_modes(self, self.state, inputs, h);
        let force = self.force(self.state, inputs, h);
        self.past.push([self.t, inputs.at(0.0).v]);
        self.t += h;
        // One point at or before the earliest delayed time is enough.
        let oldest = self.t - self.law.tau;
        let needed = self
            .past
            .iter()
            .rposition(|[t, _]| *t < oldest)
            .unwrap_or(0);
        self.past.drain(..needed);
        force
    }

    fn boxed(&self) -> Box<dyn ReferenceLaw> {
        Box::new(self.clone())
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
            t_d: value("t_d"),
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
