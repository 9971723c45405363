//! First-order bristles under varying inputs, integrated as their distance from the steady deflection.
//!
//! Dahl's and LuGre's bristle tends to the deflection g = sgn(v) μ(|v|) F_N/σ_0, at the rate σ_0 |v|/(μ F_N), which is
//! unbounded where F_N goes to 0. With e = 1 − z/g,
//!
//! F_N de/dt = −P |e|^α sgn e + Q (1 − e), P = σ_0 |v|/μ, Q = dF_N/dt + F_N/μ dμ/dt:
//!
//! has bounded coefficients, is the equation of the steady motion at F_N = 0, and dz/dt = v |e|^α sgn e is free of cancellation. It
//! is solved by Radau IIA with five stages, of order 9. For α = 1 the stage equations are linear. For α < 1 the unknown is
//! |e|^α sgn e, whose slope at 0 is finite. See §19 of `docs/internals/numerics.md`.

mod advance;
mod along_line;
mod drift;
mod linear_step;
mod panel;
mod relaxing;
mod segment;
mod transient;

pub use self::advance::advance;
pub use self::drift::Drift;
pub use self::linear_step::linear_step;
pub use self::relaxing::{LinearEquation, Relaxing, Solved, Transient};
pub use self::transient::split;

use super::symbols::Exponential;
use crate::integrate::exponential;
use crate::law::{Contact, InputSegment};
use crate::vector::size;
use core::array;

/// Tolerance of an inner step over that of the communication step: errors of several inner steps add up, and relative to F_s they
/// grow where F_N falls. The estimate, of order 6 for collocation and 10 for panels, is far above the error of the step, of order 10 and 16. With 0.05
/// the walks of `cargo test -p bristle --lib inner_steps` take a tenth more inner steps; `cargo xtask stress` measures the errors.
pub const INNER_SHARE: f64 = 0.2;
/// Normal force over its maximum in the step and over the tolerance, below which e is constant while F_N goes to 0: the contact opens,
/// and e may grow without bound before.
const MIN_FORCE_SHARE: f64 = 1e-4;
/// Lower bound on the normal force in the error scale over its maximum in the segment: F_s must not vanish where F_N goes to 0.
const MIN_MEASURE_SHARE: f64 = 1e-3;
/// Relative rounding of a time; times the maximum of F_N over F_N, the rounding of e = 1 − z/g.
const ROUNDING: f64 = 4.0 * f64::EPSILON;
/// Deflection over the steady one, above which the bristle was deflected before F_N fell: that of a contact that just closed is smaller.
pub const LARGE_DEFLECTION: f64 = 100.0;
/// Lower bound on the derivative of |e|^α sgn e, or of its inverse, in the matrix of the stage equations. It avoids a singular matrix;
/// far above underflow.
const MIN_SLOPE: f64 = 1e-200;
/// Normal force at the start of an inner step over its maximum in the step, below which F_N rises from 0.
pub const RISING_SHARE: f64 = 0.1;
/// Error of such a step over the fifth difference of the unknown; a step of order 9 is far better.
pub const STAGE_ERROR: f64 = 0.1;
/// Largest change of v in an inner step over the sum of speed and Stribeck velocity, so that no step passes over the falling branch.
const MAX_DV_SHARE: f64 = 0.5;

/// Magnitude of the velocity, m/s.
pub fn speed(contact: Contact) -> f64 {
    size([contact.v, contact.v_y])
}

/// The equation of a first-order bristle.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bristle {
    /// Steady coefficient of friction over the speed.
    pub curve: Exponential,
    /// Stiffness, N/m.
    pub sigma_0: f64,
    /// Damping, N·s/m.
    pub sigma_1: f64,
    /// Viscous friction, N·s/m.
    pub sigma_2: f64,
    /// Exponent α.
    pub alpha: f64,
}

impl Bristle {
    /// μ at a speed and dμ/d|v|.
    pub fn coefficient(&self, speed: f64) -> (f64, f64) {
        if self.is_flat() { (self.curve.mu_d, 0.0) } else { self.curve.at(speed) }
    }

    fn is_flat(&self) -> bool {
        self.curve.mu_s == self.curve.mu_d
    }

    /// Friction force (N) at the velocity `v` (m/s) under the normal force `normal` (N), with the deflection `z` (m) within its limit, which
    /// moves at v − P z/F_N; `p` is P (N/s).
    pub fn force<const N: usize>(&self, normal: f64, p: f64, v: [f64; N], z: [f64; N]) -> [f64; N] {
        let &Bristle { sigma_0, sigma_1, sigma_2, .. } = self;
        array::from_fn(|k| sigma_0 * z[k] + sigma_1 * (v[k] - p * (z[k] / normal)) + sigma_2 * v[k])
    }

    /// Longest step from the time `t` (s), with this speed (m/s), that does not pass over the falling branch of the characteristic, s.
    pub fn longest(&self, segment: &InputSegment, t: f64, speed: f64) -> f64 {
        if self.is_flat() {
            return f64::INFINITY;
        }
        segment.trajectory().time_within(MAX_DV_SHARE * (speed + self.curve.v_stribeck), t)
    }
}

/// Bristle `B` in a segment between two breakpoints, in which it slides and the contact is closed.
pub struct Relaxation<'a, B> {
    /// Its equation.
    pub bristle: &'a B,
    /// The inputs.
    pub segment: &'a InputSegment<'a>,
    /// Inputs in the middle of the segment.
    pub middle: Contact,
    /// Lower bound on the normal force in the error scale, N.
    pub error_force: f64,
    /// Largest |F_N| of the step, N.
    pub max_force: f64,
    /// Largest speed of the step, m/s.
    pub max_speed: f64,
    /// Inputs at the end of the step.
    pub end: Contact,
    /// Lower bound on the distance that is slid after the segment, up to the end of the step, m.
    pub slid_later: f64,
    /// Length of the communication step, s.
    pub duration: f64,
    /// Normal force below which the unknown is constant, N.
    pub min_force: f64,
}

impl<B> Relaxation<'_, B> {
    /// Errors of the unknown of a `bristle` in an inner step between these times (s), with its speed (m/s) at an instant and a lower bound
    /// on the distance (m) that is slid between two times.
    ///
    /// The damping σ_1 dz/dt may change F_R by far more than the elastic force does, but an error of the deflection decays with the
    /// distance that is slid, at 1/λ in time. Of the damping counts what is left at the end of the step, at the speed there, and what passes
    /// into the work: over 1/λ it is σ_1/(σ_0 H) of F_s H. Rounding is that of the unknown itself, and of its rate by that of v, which is relative to the
    /// largest speed of the step and acts for the time in which the bristle relaxes.
    pub fn errors(
        &self,
        bristle: &Bristle,
        times: [f64; 2],
        speed: impl Fn(Contact) -> f64,
        slid: impl Fn([f64; 2]) -> f64,
    ) -> Errors {
        let Bristle { curve: Exponential { mu_s, mu_d, .. }, sigma_0, sigma_1, alpha, .. } = *bristle;
        let [from, to] = times.map(|t| self.segment.at(t));
        let here = from.F_N.max(to.F_N).max(self.min_force);
        let normal = here.max(self.error_force);
        let most = speed(from).max(speed(to));
        let largest = sigma_1 * most.max(speed(self.end)) / (mu_s * normal);
        let mut sensitivity = largest;
        if sensitivity > 1.0 && alpha == 1.0 {
            let slid = slid([times[1], self.segment.to]) + self.slid_later;
            let most = if self.slid_later > 0.0 { self.max_force } else { to.F_N.max(self.end.F_N) };
            let at_end = sensitivity * exponential::decay(sigma_0 * slid / (mu_s * most));
            sensitivity = sensitivity.min(at_end.max(sigma_1 / (sigma_0 * self.duration)));
        }
        let rate = sigma_0 * self.max_speed / (mu_d * here);
        let relaxes_within = mu_s * here / (sigma_0 * speed(from).min(speed(to)));
        let rounding = (self.max_force / here).max(1.0).max(rate * (times[1] - times[0]).min(relaxes_within));
        let sensitivity = sensitivity.max(1.0);
        let at_limit = sensitivity.max(largest * (times[1] - times[0]) / self.duration);
        Errors { weight: normal / here, sensitivity, at_limit, rounding }
    }
}

/// Errors of the unknown in an inner step, relative to the steady deflection.
pub struct Errors {
    /// Normal force of the error scale over the present one.
    weight: f64,
    /// Change of F_R over that of the elastic force.
    sensitivity: f64,
    /// [`sensitivity`](Self::sensitivity) where the elastic force is next to its limit.
    at_limit: f64,
    /// Amplification of the relative rounding.
    rounding: f64,
}

impl Errors {
    /// Error that changes F_R by F_s where the deflection over the steady one is `deflected`.
    pub fn of_force(&self, deflected: f64) -> f64 {
        deflected.max(self.weight) / self.sensitivity
    }

    /// [`of_force`](Self::of_force) where the elastic force is next to its limit. The part of an error beyond the limit does not pass into F_R, so
    /// that the damping does work of one sign with the rest, throughout the step.
    pub fn of_force_at_limit(&self, deflected: f64) -> f64 {
        deflected.max(self.weight) / self.at_limit
    }

    /// Rounding of an unknown of this magnitude.
    pub fn rounding(&self, magnitude: f64) -> f64 {
        ROUNDING * (1.0 + magnitude) * self.rounding
    }
}
