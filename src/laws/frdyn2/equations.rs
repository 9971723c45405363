//! The equations of FrDyn2 at one instant, with checked parameters and derived constants.
//!
//! [`Equations`] is a law of its own that the general integrator advances: the reference of every other method of this folder.

use super::constants::{MAX_DV_SHARE, MIN_DEFLECTION_SHARE, MIN_JACOBIAN_ROOT, MIN_STATIC_FORCE};
use super::metadata::{METADATA, SIGMA_0, SIGMA_1};
use crate::characteristic::Regularised;
use crate::law::{Contact, Evaluation, Jacobian, Law, LawMetadata, StepLimits};
use crate::laws::regularised::{self, ShiftedCurve};
use crate::laws::solver;
use crate::variable::{InputError, Values};

/// The equations (2)–(5) and Listing A4 of Rill & Schuderer with checked parameters and derived constants.
///
/// As a [`Law`] they are FrDyn2 advanced by the general integrator only.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Equations {
    /// Stiffness σ_0, N/m.
    pub(in crate::laws) sigma_0: f64,
    /// Damping σ_1, N·s/m.
    pub(in crate::laws) sigma_1: f64,
    /// Static coefficient of friction μ_s, 1.
    pub(in crate::laws) mu_s: f64,
    /// Velocity at which the characteristic reaches μ_s, m/s.
    pub(in crate::laws) v_s: f64,
    /// Dynamic coefficient of friction μ_d, 1.
    pub(in crate::laws) mu_d: f64,
    /// Velocity from which on the characteristic is μ_d, m/s.
    pub(in crate::laws) v_d: f64,
    /// 1/m_b, equation (3), 1/kg.
    pub(in crate::laws) inverse_mass: f64,
    /// Double root ω = 2σ_0/σ_1 of the bristle under a constant force, 1/s.
    pub(in crate::laws) omega: f64,
    /// 1/σ_0, m/N.
    pub(in crate::laws) compliance: f64,
    /// 1/v_s, s/m.
    pub(in crate::laws) inverse_v_s: f64,
    /// 1/(v_d − v_s), s/m.
    pub(in crate::laws) inverse_width: f64,
    /// 1 − μ_d/μ_s.
    pub(in crate::laws) drop: f64,
    /// Bound of |v − ż|, v_d − v_s, m/s: below it no shift makes |w| ≥ v_d.
    pub(in crate::laws) partly_sliding: f64,
    /// Bound of |v − ż|, v_d + v_s, m/s: from it on |w| ≥ v_d for every shift.
    pub(in crate::laws) fully_sliding: f64,
    /// Normal force above which the bristle is unstable on the falling branch, N.
    pub(in crate::laws) max_stable_force: f64,
}

/// Place on the characteristic at one instant.
#[allow(non_snake_case)] // the paper's symbols
pub(super) struct CharacteristicPoint {
    /// Static friction force, N.
    pub F_s: f64,
    /// F_0/F_s, clamped to −1 … 1.
    pub ratio: f64,
    /// s = √(1 − |F_0|/F_s), 0 where |F_0| > F_s.
    pub root: f64,
    /// Shifted slip velocity w, m/s.
    pub w: f64,
    /// |w|/v_s, clamped to 1.
    pub x_1: f64,
    /// (|w| − v_s)/(v_d − v_s), clamped to 0 … 1.
    pub x_2: f64,
}

impl Equations {
    /// Place on the characteristic; `None` where the contact is open.
    #[inline]
    pub(super) fn characteristic_point(&self, contact: Contact, x: &[f64; 2]) -> Option<CharacteristicPoint> {
        let [z, z_dot] = *x;
        let static_force = self.mu_s * contact.F_N;
        if static_force < MIN_STATIC_FORCE {
            return None;
        }
        let force = self.sigma_0 * z + self.sigma_1 * contact.v;
        let ratio = force / static_force;
        // Equation (5), v_s (1 − √(1 − |r|)) sgn r, without its cancellation for small r.
        let (ratio, root, shift) = if force == 0.0 {
            // A contact at rest without a load needs no root.
            (force, 1.0, self.v_s * force)
        } else if ratio.abs() < 1.0 {
            let root = (1.0 - ratio.abs()).sqrt();
            (ratio, root, self.v_s * ratio / (1.0 + root))
        } else {
            (1.0_f64.copysign(ratio), 0.0, self.v_s.copysign(ratio))
        };
        let w = contact.v - z_dot + shift;
        let x_1 = (w.abs() * self.inverse_v_s).min(1.0);
        let x_2 = ((w.abs() - self.v_s) * self.inverse_width).clamp(0.0, 1.0);
        Some(CharacteristicPoint { F_s: static_force, ratio, root, w, x_1, x_2 })
    }

    /// Equations with this characteristic and the bristle of `values`.
    pub(in crate::laws) fn of(values: &Values, characteristic: Regularised) -> Result<Self, InputError> {
        let [sigma_0, sigma_1] = [values[&SIGMA_0], values[&SIGMA_1]];
        let Regularised { mu_s, v_s, mu_d, v_d } = characteristic;
        let equations = Equations {
            sigma_0,
            sigma_1,
            mu_s,
            v_s,
            mu_d,
            v_d,
            inverse_mass: 4.0 * sigma_0 / sigma_1 / sigma_1,
            omega: 2.0 * sigma_0 / sigma_1,
            compliance: 1.0 / sigma_0,
            inverse_v_s: 1.0 / v_s,
            inverse_width: 1.0 / (v_d - v_s),
            drop: 1.0 - mu_d / mu_s,
            partly_sliding: v_d - v_s,
            fully_sliding: v_d + v_s,
            max_stable_force: sigma_1 * (v_d - v_s) / (1.5 * (mu_s - mu_d)),
        };
        if !equations.inverse_mass.is_normal() {
            return Err(InputError(format!(
                "sigma_0 = {sigma_0:?} N/m and sigma_1 = {sigma_1:?} N.s/m give a bristle mass of \
                 {:?} kg, which cannot be calculated with; choose sigma_1 = 2 sqrt(m_ref sigma_0)",
                1.0 / equations.inverse_mass
            )));
        }
        let derived = [equations.omega, equations.compliance, equations.inverse_v_s, equations.inverse_width];
        if !derived.iter().all(|x| x.is_normal()) {
            return Err(InputError(format!(
                "sigma_0 = {sigma_0:?} N/m, sigma_1 = {sigma_1:?} N.s/m, v_s = {v_s:?} m/s and v_d = {v_d:?} m/s are too \
                 far from 1 to calculate with; give them in SI units"
            )));
        }
        Ok(equations)
    }

    /// Equations with the limits and the stability of a measured characteristic.
    pub(in crate::laws) fn of_measured(values: &Values, curve: ShiftedCurve) -> Result<Self, InputError> {
        let base = Equations::of(values, curve.limits())?;
        Ok(Equations { max_stable_force: base.sigma_1 / curve.measured().steepest_fall(), ..base })
    }

    /// Whether errors grow on the steepest part of the falling branch.
    pub(in crate::laws) fn is_unstable(&self, contact: Contact) -> bool {
        contact.F_N > self.max_stable_force
    }

    /// Rate at which errors grow on the steepest part of the falling branch, 1/s; 0 where they decay. See §12 of
    /// `docs/internals/numerics.md`.
    pub(in crate::laws) fn max_growth_rate(&self, contact: Contact) -> f64 {
        if self.is_unstable(contact) { 2.0 * self.omega * (contact.F_N / self.max_stable_force - 1.0) } else { 0.0 }
    }

    /// Friction force (N) of a closed contact at the shifted slip velocity w (m/s).
    pub(super) fn force_at(&self, normal_force: f64, w: f64) -> f64 {
        let x_1 = (w.abs() * self.inverse_v_s).min(1.0);
        let x_2 = ((w.abs() - self.v_s) * self.inverse_width).clamp(0.0, 1.0);
        let drop = self.mu_s - self.mu_d;
        let mu = self.mu_s * (x_1 * (2.0 - x_1)) - drop * (x_2 * x_2 * (3.0 - 2.0 * x_2));
        (mu * normal_force).copysign(w)
    }

    /// Limits of an inner step at the shifted slip speed |w| (m/s), on the falling branch or not; see [`Law::step_limits`].
    pub(in crate::laws) fn step_limits_at(&self, contact: Contact, speed: f64, is_falling: bool) -> StepLimits {
        let distance = (self.v_s - speed).max(speed - self.v_d).max(0.0);
        StepLimits {
            max_dv: MAX_DV_SHARE * (distance + self.v_d - self.v_s),
            growth_rate: if is_falling { self.max_growth_rate(contact) } else { 0.0 },
            ..StepLimits::FREE
        }
    }

    /// Whether the contact is closed: F_s is large enough to divide by.
    #[inline]
    pub(in crate::laws) fn is_closed(&self, contact: Contact) -> bool {
        self.mu_s * contact.F_N >= MIN_STATIC_FORCE
    }

    /// Rate of the fastest transient at a normal force (N), 1/s: that of stick. `steepest` is the largest slope of the characteristic, in
    /// units of F_s/v_s.
    pub(in crate::laws) fn fastest_rate(&self, normal_force: f64, steepest: f64) -> f64 {
        (steepest * self.mu_s * normal_force * self.inverse_v_s + self.sigma_1) * self.inverse_mass
    }

    /// F_0, equation (4), N.
    pub(in crate::laws) fn sticking_force(&self, contact: Contact, x: &[f64; 2]) -> f64 {
        self.sigma_0 * x[0] + self.sigma_1 * contact.v
    }

    /// Rounding of a deflection, m.
    pub(in crate::laws) fn rounding(&self, contact: Contact) -> f64 {
        f64::EPSILON * self.mu_s * contact.F_N.max(0.0) * self.compliance
    }

    /// Equation (2): z̈, m/s².
    pub(in crate::laws) fn bristle_acceleration(&self, friction_force: f64, x: &[f64; 2]) -> f64 {
        (friction_force - (self.sigma_0 * x[0] + self.sigma_1 * x[1])) * self.inverse_mass
    }
}

impl solver::Equations for Equations {
    fn max_stable_force(&self) -> f64 {
        self.max_stable_force
    }
}

impl Law<2> for Equations {
    const METADATA: &'static LawMetadata = &METADATA;

    type DiscreteState = ();

    fn new(values: &Values) -> Result<Self, InputError> {
        Equations::of(values, regularised::read(values)?)
    }

    #[inline]
    #[allow(non_snake_case)] // the paper's symbols
    fn evaluate(&self, contact: Contact, x: &[f64; 2], (): &()) -> Evaluation<2> {
        let slip = contact.v - x[1];
        let (F_R, sticking) = if self.is_closed(contact) && slip.abs() >= self.fully_sliding {
            // |w| ≥ v_d whatever the shift is.
            ((self.mu_d * contact.F_N).copysign(slip), false)
        } else if let Some(CharacteristicPoint { F_s, ratio, w, x_1, x_2, .. }) = self.characteristic_point(contact, x)
        {
            let drop = (self.mu_s - self.mu_d) * contact.F_N;
            let size = F_s * (x_1 * (2.0 - x_1)) - drop * (x_2 * x_2 * (3.0 - 2.0 * x_2));
            (size.copysign(w), w.abs() <= self.v_s && ratio.abs() < 1.0)
        } else {
            (0.0, false)
        };
        let rate = [x[1], self.bristle_acceleration(F_R, x)];
        Evaluation { F_R, sticking, rate }
    }

    #[allow(non_snake_case)] // the paper's symbols
    fn jacobian(&self, contact: Contact, x: &[f64; 2], (): &()) -> Jacobian<2> {
        let [mut F_R_z, mut F_R_z_dot, mut F_R_v, mut F_R_F_N] = [0.0; 4];
        if let Some(CharacteristicPoint { F_s, ratio, root, x_1, x_2, .. }) = self.characteristic_point(contact, x) {
            let slope = if x_1 < 1.0 {
                2.0 * F_s / self.v_s * (1.0 - x_1)
            } else {
                let drop = (self.mu_s - self.mu_d) * contact.F_N;
                -6.0 * drop / (self.v_d - self.v_s) * (x_2 * (1.0 - x_2))
            };
            // ∂Δv/∂F_0 has no bound where |F_0| reaches F_s: clamped there, 0 beyond.
            let shift_F_0 = if root > 0.0 { self.v_s / (2.0 * F_s * root.max(MIN_JACOBIAN_ROOT)) } else { 0.0 };
            F_R_z = slope * shift_F_0 * self.sigma_0;
            F_R_z_dot = -slope;
            F_R_v = slope * (1.0 + shift_F_0 * self.sigma_1);
            F_R_F_N = self.evaluate(contact, x, &()).F_R / contact.F_N - slope * shift_F_0 * ratio * self.mu_s;
        }
        let inverse_mass = self.inverse_mass;
        Jacobian {
            rate_x: [[0.0, 1.0], [(F_R_z - self.sigma_0) * inverse_mass, (F_R_z_dot - self.sigma_1) * inverse_mass]],
            rate_F_N: [0.0, F_R_F_N * inverse_mass],
            rate_v: [0.0, F_R_v * inverse_mass],
            F_R_x: [F_R_z, F_R_z_dot],
            F_R_F_N,
            F_R_v,
            ..Jacobian::ZERO
        }
    }

    /// F_s/σ_0 for z and v_s/2 for ż (§1 of `docs/internals/numerics.md`), because |∂F_R/∂ż| ≤ 2 F_s/v_s. Where F_N has fallen and |z| exceeds
    /// F_s/σ_0, F_R does not depend on z, and the scale is |z| or a share of |ż|/ω. An error of ż changes z by 1/(2ω) of itself before
    /// it decays.
    fn scale(&self, contact: Contact, x: &[f64; 2]) -> [f64; 2] {
        let deflection = self.mu_s * contact.F_N * self.compliance;
        let deflection = deflection.max(x[0].abs()).max(MIN_DEFLECTION_SHARE * x[1].abs() / self.omega);
        [deflection, (0.5 * self.v_s).min(2.0 * self.omega * deflection)]
    }

    fn stiffness(&self) -> f64 {
        self.sigma_0
    }

    fn static_force(&self, normal_force: f64) -> f64 {
        self.mu_s * normal_force
    }

    fn velocity_error_scale(&self, _: Contact) -> f64 {
        0.5 * self.v_s
    }

    /// Bound on the change of v: half of the distance in w to the falling branch plus its width, because the shift changes w as well.
    /// |F_R| is the same in full sliding on both sides of rest, so that the error estimate does not show a step that passes over the
    /// branches. The growth rate is that on the falling branch. See §12 of `docs/internals/numerics.md`.
    fn step_limits(&self, contact: Contact, x: &[f64; 2]) -> StepLimits {
        let Some(CharacteristicPoint { w, x_2, .. }) = self.characteristic_point(contact, x) else {
            return StepLimits::FREE;
        };
        self.step_limits_at(contact, w.abs(), x_2 > 0.0 && x_2 < 1.0)
    }

    /// σ_0 and σ_1 in stick, where F_R = F_0 with ż = v after the transient of the bristle; 0 in sliding, where F_R is constant.
    fn quasi_static_response(&self, contact: Contact, x: &[f64; 2], (): &()) -> [f64; 2] {
        if self.evaluate(contact, x, &()).sticking { [self.sigma_0, self.sigma_1] } else { [0.0; 2] }
    }

    fn model_warning(&self, contact: Contact) -> Option<String> {
        self.is_unstable(contact).then(|| {
            format!(
                "at F_N = {:.4} N, above 1.5 (mu_s - mu_d) F_N/(v_d - v_s) = sigma_1 (F_N = {:.4} N), the bristle \
                 of this model is unstable on the falling branch and F_R oscillates at constant v; raise sigma_1 or v_d, \
                 or ignore this if the contact only sticks or slides fast",
                contact.F_N, self.max_stable_force
            )
        })
    }
}

/// Warning where a bristle is unstable on the steepest fall of a measured curve.
pub(in crate::laws) fn unstable_on_measured(base: &Equations, curve: ShiftedCurve, contact: Contact) -> Option<String> {
    let (steepest, normal_force) = (curve.measured().steepest_fall(), contact.F_N);
    base.is_unstable(contact).then(|| {
        format!(
            "the measured curve falls by {steepest:.4} s/m where it is steepest, at F_N = {normal_force:.4} N by {:.4} N.s/m, more than \
             sigma_1 = {:?} N.s/m: the bristle is unstable there, and F_R oscillates at constant v; the curve is good up to F_N = {:.4} N. \
             Raise sigma_1, smooth the curve, or state the largest F_N of the contact as `normal_force`",
            steepest * normal_force,
            base.sigma_1,
            base.max_stable_force
        )
    })
}

#[cfg(test)]
mod tests;
