//! Constants of stick under one normal force, and the exponential transient of held inputs.

use super::equations::Equations;
use crate::law::Contact;

/// Slip e over v_s below which ż counts as v, 1: F_R changes by less than its rounding, and the closed form of steady stick applies.
/// Larger: the end of the transient is a visible jump; 0: the transient decays through subnormal numbers.
const SETTLED: f64 = f64::EPSILON / 16.0;

/// Stick under a constant normal force: e′ = v′ − λ e and F_R = F_0 + k e.
#[allow(non_snake_case)] // the paper's symbols
#[derive(Clone, Copy, Debug)]
pub struct Stick {
    /// Static friction force, N.
    pub F_s: f64,
    /// Slope F_s/v_s of the characteristic, N·s/m.
    pub k: f64,
    /// Rate λ = (k + σ_1)/m_b at which slip decays, 1/s.
    pub lambda: f64,
}

impl Stick {
    /// Constants for a closed contact.
    #[inline]
    pub fn new(equations: &Equations, normal_force: f64) -> Self {
        let base = &equations.base;
        let static_force = base.mu_s * normal_force;
        let k = static_force * base.inverse_v_s;
        Stick { F_s: static_force, k, lambda: (k + base.sigma_1) * base.inverse_mass }
    }

    /// Slip e at the start of a step and F_0 (N), where the contact sticks there: |F_0| and |F_R| do not exceed F_s.
    #[inline]
    pub fn start(&self, equations: &Equations, contact: Contact, x: &[f64; 2]) -> Option<[f64; 2]> {
        let slip = contact.v - x[1];
        let sticking_force = equations.base.sticking_force(contact, x);
        let sticks = sticking_force.abs() <= self.F_s && (sticking_force + self.k * slip).abs() <= self.F_s;
        sticks.then_some([slip, sticking_force])
    }

    /// ż at the velocity `v` (m/s) and slip `e` (m/s).
    #[inline]
    pub fn z_dot(equations: &Equations, v: f64, e: f64) -> f64 {
        if e.abs() <= SETTLED * equations.base.v_s { v } else { v - e }
    }
}

/// Part of a communication step in stick.
#[derive(Clone, Copy, Debug)]
pub struct StickPart {
    /// Length of the part, s.
    pub length: f64,
    /// (z, ż) at the end of the part.
    pub x: [f64; 2],
    /// Friction loss, J.
    pub loss: f64,
}
