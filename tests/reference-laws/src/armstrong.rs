//! \[SW\] (4a), (4b): Armstrong's seven parameters. Forces are coefficients of F_N here.

use crate::law::{REST, ReferenceLaw, parameters, sgn};
use crate::modes::{HybridLaw, advance_modes};
use crate::trajectory::{Contact, InputTrajectory};

parameters! {
    /// Parameters.
    Armstrong {
        /// Contact stiffness, N/m.
        beta = 1e6,
        /// Coulomb coefficient of friction.
        mu_C = 0.25,
        /// Viscous friction, N.s/m.
        F_v = 0.0,
        /// Increase of the break-away force without dwell time.
        mu_Sa = 0.02,
        /// Increase of the break-away force after a long dwell time.
        mu_Sinf = 0.05,
        /// Dwell time that brings half of the difference, s.
        gamma = 1.0,
        /// Delay of the Stribeck effect, s.
        tau = 0.005,
        /// Stribeck velocity, m/s.
        v_s = 0.01,
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
        Solution { law, ..Self::default() }
    }

    /// v(t − τ) at `t` (s) after the start of the step: within the step its trajectory, before it the communication points
    /// joined by straight lines, and before the first of them its value.
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
    fn dwelt(&self, t_d: f64) -> f64 {
        let Armstrong { mu_Sa, mu_Sinf, gamma, .. } = self.law;
        mu_Sa + (mu_Sinf - mu_Sa) * t_d / (t_d + gamma)
    }

    /// F_C + F_S(γ, t_d)/(1 + (v(t − τ)/v_s)²), N.
    fn sliding(&self, contact: Contact, t_d: f64, delayed: f64) -> f64 {
        let Armstrong { mu_C, v_s, .. } = self.law;
        contact.F_N * (mu_C + self.dwelt(t_d) / (1.0 + (delayed / v_s) * (delayed / v_s)))
    }

    #[allow(non_snake_case)] // the paper's symbols
    fn force(&self, state: State, inputs: &InputTrajectory, t: f64) -> f64 {
        let Armstrong { beta, mu_C, F_v, mu_Sinf, .. } = self.law;
        let contact = inputs.at(t);
        match state.mode {
            Mode::Open => 0.0,
            Mode::Stick => {
                let limit = (mu_C + mu_Sinf) * contact.F_N;
                (beta * state.z).clamp(-limit, limit)
            }
            Mode::Slip(direction) => {
                let sliding = self.sliding(contact, state.t_d, self.delayed(inputs, t));
                direction * (sliding + F_v * contact.v.abs())
            }
        }
    }
}

impl HybridLaw for Solution {
    type State = State;

    fn flow(&self, state: State, inputs: &InputTrajectory, t: f64, dt: f64) -> State {
        match state.mode {
            Mode::Stick => State { z: state.z + inputs.displacement(t, dt), t_d: state.t_d + dt, ..state },
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
                let level = (self.law.mu_C + self.dwelt(t_d)) * contact.F_N;
                (self.law.beta * z).abs() > level && sgn(z) * contact.v > 2.0 * REST
            }
        }
    }

    fn switch_mode(&self, state: State, inputs: &InputTrajectory, t: f64) -> State {
        let contact = inputs.at(t);
        if !contact.is_closed() {
            return State { mode: Mode::Open, z: 0.0, t_d: 0.0 };
        }
        match state.mode {
            Mode::Open => State { mode: Mode::Stick, ..state },
            Mode::Slip(direction) => {
                // The spring starts at the last sliding force.
                let force = direction * self.sliding(contact, state.t_d, self.delayed(inputs, t));
                State { mode: Mode::Stick, z: force / self.law.beta, t_d: 0.0 }
            }
            Mode::Stick => State { mode: Mode::Slip(sgn(state.z)), ..state },
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
        let needed = self.past.iter().rposition(|[t, _]| *t < oldest).unwrap_or(0);
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
        self.state = State { mode, z: value("z"), t_d: value("t_d") };
    }

    fn static_friction(&self) -> f64 {
        self.law.mu_C + self.law.mu_Sinf
    }

    fn mode(&self) -> Option<i32> {
        Some(if let Mode::Slip(direction) = self.state.mode { direction as i32 } else { 0 })
    }
}
