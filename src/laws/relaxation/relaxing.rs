//! The interface of the motion of a first-order bristle in a segment: along a line and in the plane.

use super::{Bristle, Drift, Relaxation};
use crate::integrate::collocation::STAGES;
use crate::law::Contact;

/// Coefficients of the equation of a bristle `B` at one instant.
pub type CoefficientsOf<'a, B, const N: usize> = <Relaxation<'a, B> as Relaxing<N>>::Coefficients;

/// Motion of a bristle in a segment, in an unknown u that stays smooth where F_N goes to 0.
pub trait Relaxing<const N: usize> {
    /// Coefficients of the equation at one instant.
    type Coefficients: Copy;

    /// Coefficients at the time `t`, s.
    fn coefficients(&self, t: f64) -> Self::Coefficients;

    /// Deflection (m) that belongs to `u`.
    fn deflection(&self, at: &Self::Coefficients, u: [f64; N]) -> [f64; N];

    /// Friction power (W) and friction force (N), in the plane its larger component, with the deflection `z` (m), as the law has them.
    fn integrands(&self, at: &Self::Coefficients, z: [f64; N]) -> [f64; 2];

    /// Initial u at the time `t` (s) with the deflection `z` (m); where F_N rises from 0, that of the steady motion, unless the deflection
    /// is far larger.
    fn start(&self, t: f64, z: [f64; N]) -> [f64; N];

    /// Motion in closed form from the time `t` (s); `None` where there is none.
    fn drift_from(&self, t: f64) -> Option<Drift<'_>>;

    /// Components of the velocity (m/s) that move the bristle.
    fn velocity(&self, contact: Contact) -> [f64; N];

    /// Equation of the bristle.
    fn equation_of_bristle(&self) -> &Bristle;

    /// Whether the bristle was deflected before F_N fell: its deflection `z` (m) is far larger than a steady one, and its elastic force than
    /// F_s under the least normal force.
    fn is_large(&self, here: &Self::Coefficients, z: [f64; N]) -> bool;

    /// Transient from the deflection `z` (m) at the start of these times (s), with a motion that is slow up to their end; `None` where it is not far shorter, or
    /// not within the tolerance.
    fn transient(&self, times: [f64; 2], z: [f64; N], tolerance: f64) -> Option<Transient<N>>;

    /// Error of u allowed in an inner step between these times (s) at a value of u: `share` of the change that changes F_R by F_s, and
    /// rounding.
    fn allowed(&self, times: [f64; 2], share: f64) -> impl Fn([f64; N]) -> f64;

    /// Whether the elastic force is limited at `t` (s), and stays so until F_N is 0 at `end` (s), whatever u is.
    fn stays_limited(&self, t: f64, end: f64, u: [f64; N]) -> bool;

    /// Longest step from `t` (s) that does not pass over the falling branch of the characteristic, s.
    fn longest(&self, t: f64) -> f64;

    /// Unknown of a deflection (m).
    fn unknown(&self, at: &Self::Coefficients, z: [f64; N]) -> [f64; N];

    /// Whether the bristle sticks, as the steady deflection moves more than the bristle: P is less than |Q|.
    fn sticks(&self, here: &Self::Coefficients) -> bool;

    /// Whether the equation is linear: α = 1.
    fn is_linear(&self) -> bool {
        self.equation_of_bristle().alpha == 1.0
    }

    /// Equation of u at one instant for α = 1.
    fn equation(&self, at: &Self::Coefficients) -> LinearEquation<N>;

    /// Equation of the deflection at one instant for α = 1, F_N dz/dt = F_N v − P z.
    fn equation_of_deflection(&self, at: &Self::Coefficients) -> LinearEquation<N>;

    /// Change of the deflection that changes u by 1, m.
    fn unit(&self, at: &Self::Coefficients) -> f64;

    /// One step of length `h` (s) from `u` at `t`, where the equation has the coefficients `here`; `None` where the stage equations
    /// cannot be solved.
    fn step(
        &self,
        t: f64,
        here: Self::Coefficients,
        h: f64,
        u: [f64; N],
        allowed: f64,
    ) -> Option<Solved<N, Self::Coefficients>>;
}

/// Step with solved stage equations.
pub struct Solved<const N: usize, C> {
    /// u at the stages.
    pub stages: [[f64; N]; STAGES],
    /// Coefficients of the equation at the stages.
    pub coefficients: [C; STAGES],
    /// The estimated error over that allowed.
    pub error: f64,
}

/// The equation F_N dy/dt = drive − decay y at one instant.
#[derive(Clone, Copy)]
pub struct LinearEquation<const N: usize> {
    /// F_N, N.
    pub normal: f64,
    /// Factor of y, N/s.
    pub decay: f64,
    /// The rest, in the unit of y times N/s.
    pub drive: [f64; N],
}

/// A bristle at an instant of its segment.
pub struct Place<const N: usize, C> {
    /// Time, s.
    pub t: f64,
    /// Deflection, m.
    pub z: [f64; N],
    /// The unknown u.
    pub u: [f64; N],
    /// Coefficients.
    pub at: C,
    /// Distance of the deflection from the slow motion by a transient that decays, m.
    pub transient: f64,
}

/// Transient that decays long before the end of its segment.
pub struct Transient<const N: usize> {
    /// The unknown u of the slow motion at the start.
    pub slow: [f64; N],
    /// Work of the transient part of F_R, J.
    pub loss: f64,
    /// Impulse of that part along x, N·s.
    pub impulse: f64,
}
