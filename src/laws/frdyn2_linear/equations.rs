//! The equations of FrDyn2Linear at one instant, with checked parameters and derived constants.
//!
//! [`Equations`] is a law of its own that the general integrator advances: the reference of the closed forms of this folder.

use super::metadata::{METADATA, SIGMA_2};
use crate::characteristic::Measured;
use crate::law::{Contact, Evaluation, Jacobian, Law, LawMetadata, MAX_EVENTS, MeasuredForm, StepLimits, opening};
use crate::laws::bristle::damping_rounding;
use crate::laws::frdyn2::constants::{MIN_DEFLECTION_SHARE, MIN_STATIC_FORCE};
use crate::laws::frdyn2::light_contact::LightLaw;
use crate::laws::regularised::ShiftedCurve;
use crate::laws::{frdyn2, solver};
use crate::variable::{InputError, Values};

/// Lower bound on the error scale of ż over the speeds where sigma_2 > 0, 1: viscous friction far above F_s is known to its own digits
/// only. Smaller: a nearly open contact takes 10⁵ inner steps; larger: F_R is wrong where F_s is a small part of it.
const VISCOUS_SHARE: f64 = 1e-5;

/// FrDyn2Linear with checked parameters and derived constants.
///
/// As a [`Law`] they are FrDyn2Linear advanced by the general integrator only.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Equations {
    /// Bristle and limits of the characteristic, which are FrDyn2's.
    pub(super) base: frdyn2::Equations,
    /// Viscous friction σ_2, N·s/m.
    pub(super) sigma_2: f64,
    /// Measured characteristic beyond v_s, in place of the published cubic and constant.
    pub(super) measured: Option<ShiftedCurve>,
}

/// Place on the characteristic at one instant.
#[allow(non_snake_case)] // the paper's symbols
pub(super) struct CharacteristicPoint {
    /// Static friction force, N.
    pub F_s: f64,
    /// F_0, N.
    pub F_0: f64,
    /// Whether |F_0| < F_s, so that the shift depends on F_0.
    pub shifts: bool,
    /// Shifted slip velocity w, m/s.
    pub w: f64,
    /// (|w| − v_s)/(v_d − v_s), clamped to 0 … 1.
    pub x_2: f64,
}

impl Equations {
    /// Place on the characteristic; `None` where the contact is open.
    #[inline]
    pub(super) fn characteristic_point(&self, contact: Contact, x: &[f64; 2]) -> Option<CharacteristicPoint> {
        if !self.base.is_closed(contact) {
            return None;
        }
        let static_force = self.base.mu_s * contact.F_N;
        let sticking_force = self.base.sticking_force(contact, x);
        let ratio = (sticking_force / static_force).clamp(-1.0, 1.0);
        let w = contact.v - x[1] + self.base.v_s * ratio;
        let x_2 = ((w.abs() - self.base.v_s) * self.base.inverse_width).clamp(0.0, 1.0);
        Some(CharacteristicPoint { F_s: static_force, F_0: sticking_force, shifts: ratio.abs() < 1.0, w, x_2 })
    }
}

impl LightLaw for Equations {
    // The slope of F_R jumps at |w| = v_s.
    const SIGNIFICANT_KINK: f64 = 1e-8;
    const MAX_LAG: f64 = f64::INFINITY;
    const HAS_ROOTS: bool = false;

    fn bristle(&self) -> &frdyn2::Equations {
        &self.base
    }

    fn shift(r: f64) -> f64 {
        r
    }

    #[inline]
    #[allow(non_snake_case)] // the paper's symbols
    fn force(&self, F_N: f64, w: f64) -> f64 {
        let base = &self.base;
        let x_1 = (w.abs() * base.inverse_v_s).min(1.0);
        let x_2 = ((w.abs() - base.v_s) * base.inverse_width).clamp(0.0, 1.0);
        let mu = base.mu_s * x_1 - (base.mu_s - base.mu_d) * (x_2 * x_2 * (3.0 - 2.0 * x_2));
        (mu * F_N).copysign(w)
    }
}

impl solver::Equations for Equations {
    fn max_stable_force(&self) -> f64 {
        self.base.max_stable_force
    }
}

impl Law<2> for Equations {
    const METADATA: &'static LawMetadata = &METADATA;

    type DiscreteState = ();

    fn new(values: &Values) -> Result<Self, InputError> {
        let base = <frdyn2::Equations as Law<2>>::new(values)?;
        Ok(Equations { base, sigma_2: values[&SIGMA_2], measured: None })
    }

    const MEASURED: &'static MeasuredForm = &super::metadata::MEASURED;

    fn with_measured(values: &Values, characteristic: &'static Measured) -> Result<Self, InputError> {
        let curve = ShiftedCurve::new(characteristic);
        let base = frdyn2::Equations::of_measured(values, curve)?;
        Ok(Equations { base, sigma_2: values[&SIGMA_2], measured: Some(curve) })
    }

    #[inline]
    #[allow(non_snake_case)] // the paper's symbols
    fn evaluate(&self, contact: Contact, x: &[f64; 2], (): &()) -> Evaluation<2> {
        let base = &self.base;
        let (F_R, sticking) = match self.characteristic_point(contact, x) {
            None => (0.0, false),
            Some(CharacteristicPoint { F_s, F_0, shifts, w, .. }) if w.abs() <= base.v_s => {
                // With ż = v the bristle force equals F_0 exactly, so that a contact at rest stays at rest bit for bit.
                let slip = contact.v - x[1];
                let F_R = if shifts { F_0 + F_s * (slip * base.inverse_v_s) } else { F_s * (w * base.inverse_v_s) };
                (F_R.clamp(-F_s, F_s), shifts)
            }
            Some(CharacteristicPoint { w, .. }) if self.measured.is_some() => {
                let mu = self.measured.map_or(0.0, |curve| curve.at(w.abs()).0);
                let viscous = self.sigma_2 * (w.abs() - base.v_d).max(0.0);
                ((mu * contact.F_N + viscous).copysign(w), false)
            }
            Some(CharacteristicPoint { F_s, w, x_2, .. }) => {
                let drop = (base.mu_s - base.mu_d) * contact.F_N;
                let viscous = self.sigma_2 * (w.abs() - base.v_d).max(0.0);
                let size = F_s - drop * (x_2 * x_2 * (3.0 - 2.0 * x_2)) + viscous;
                let size = if x_2 < 1.0 { size } else { base.mu_d * contact.F_N + viscous };
                (size.copysign(w), false)
            }
        };
        Evaluation { F_R, sticking, rate: [x[1], base.bristle_acceleration(F_R, x)] }
    }

    #[allow(non_snake_case)] // the paper's symbols
    fn jacobian(&self, contact: Contact, x: &[f64; 2], (): &()) -> Jacobian<2> {
        let base = &self.base;
        let [mut F_R_z, mut F_R_z_dot, mut F_R_v, mut F_R_F_N] = [0.0; 4];
        if let Some(CharacteristicPoint { F_s, F_0, shifts, w, x_2 }) = self.characteristic_point(contact, x) {
            let speed = w.abs();
            let drop = base.mu_s - base.mu_d;
            // ∂F_R/∂w, and ∂F_R/∂F_N at the same w, times sgn w.
            let (slope, mu) = if speed <= base.v_s {
                (F_s * base.inverse_v_s, base.mu_s * (speed * base.inverse_v_s))
            } else if let Some(curve) = self.measured.filter(|_| speed < base.v_d) {
                let (mu, slope) = curve.at(speed);
                (slope * contact.F_N, mu)
            } else if speed < base.v_d {
                let slope = -6.0 * drop * contact.F_N * base.inverse_width * (x_2 * (1.0 - x_2));
                (slope, base.mu_s - drop * (x_2 * x_2 * (3.0 - 2.0 * x_2)))
            } else {
                (self.sigma_2, base.mu_d)
            };
            let shift_F_0 = if shifts { base.v_s / F_s } else { 0.0 };
            F_R_z = slope * shift_F_0 * base.sigma_0;
            F_R_z_dot = -slope;
            F_R_v = slope * (1.0 + shift_F_0 * base.sigma_1);
            F_R_F_N = mu.copysign(w) - slope * shift_F_0 * F_0 / contact.F_N;
        }
        let inverse_mass = base.inverse_mass;
        Jacobian {
            rate_x: [[0.0, 1.0], [(F_R_z - base.sigma_0) * inverse_mass, (F_R_z_dot - base.sigma_1) * inverse_mass]],
            rate_F_N: [0.0, F_R_F_N * inverse_mass],
            rate_v: [0.0, F_R_v * inverse_mass],
            F_R_x: [F_R_z, F_R_z_dot],
            F_R_F_N,
            F_R_v,
            ..Jacobian::ZERO
        }
    }

    /// F_s/σ_0 for z and v_s for ż, because |∂F_R/∂ż| = F_s/v_s in stick; less where σ_2 is larger. Where F_N has fallen and |z| exceeds
    /// F_s/σ_0, the scale is |z| or a share of |ż|/ω: an error of ż changes z by 1/(2ω) of itself before it decays.
    fn scale(&self, contact: Contact, x: &[f64; 2]) -> [f64; 2] {
        let base = &self.base;
        let static_force = base.mu_s * contact.F_N;
        let deflection =
            (static_force * base.compliance).max(x[0].abs()).max(MIN_DEFLECTION_SHARE * x[1].abs() / base.omega);
        let velocity = base.v_s.min(2.0 * base.omega * deflection);
        let resolved = VISCOUS_SHARE * (contact.v.abs() + x[1].abs());
        let of_force = static_force.max(MIN_STATIC_FORCE) / self.sigma_2;
        let viscous = if self.sigma_2 > 0.0 { of_force.max(resolved) } else { velocity };
        [deflection, velocity.min(viscous)]
    }

    fn stiffness(&self) -> f64 {
        self.base.sigma_0
    }

    fn static_force(&self, normal_force: f64) -> f64 {
        self.measured.map_or(self.base.mu_s, |curve| curve.measured().range()[1]) * normal_force
    }

    fn force_rounding(&self, max_speed: f64) -> f64 {
        damping_rounding(self.sigma_2, max_speed)
    }

    /// At least F_s over k + σ_1 for bristles whose σ_1 is no larger than k.
    fn velocity_error_scale(&self, _: Contact) -> f64 {
        0.5 * self.base.v_s
    }

    /// Bound on the change of v: half of the distance in w to the falling branch plus its width, as for FrDyn2. The growth rate is that on
    /// the falling branch.
    fn step_limits(&self, contact: Contact, x: &[f64; 2]) -> StepLimits {
        let Some(CharacteristicPoint { w, x_2, .. }) = self.characteristic_point(contact, x) else {
            return StepLimits::FREE;
        };
        self.base.step_limits_at(contact, w.abs(), x_2 > 0.0 && x_2 < 1.0)
    }

    /// σ_0 and σ_1 in stick, where F_R = F_0 with ż = v after the transient of the bristle; beyond v_d the viscous friction only.
    fn quasi_static_response(&self, contact: Contact, x: &[f64; 2], (): &()) -> [f64; 2] {
        if self.evaluate(contact, x, &()).sticking {
            return [self.base.sigma_0, self.base.sigma_1];
        }
        let slides = self.characteristic_point(contact, x).is_some_and(|here| here.w.abs() >= self.base.v_d);
        [0.0, if slides { self.sigma_2 } else { 0.0 }]
    }

    /// Indicators of the opening and of |w| = v_s.
    fn indicators(&self, contact: Contact, x: &[f64; 2], (): &()) -> [f64; MAX_EVENTS] {
        let base = &self.base;
        let kink = match self.characteristic_point(contact, x) {
            Some(here) => here.w.abs() * base.inverse_v_s - 1.0,
            // F_s is 0: the shift is saturated.
            None => {
                let shift = base.v_s.copysign(base.sticking_force(contact, x));
                (contact.v - x[1] + shift).abs() * base.inverse_v_s - 1.0
            }
        };
        [opening(contact), if kink == 0.0 { f64::EPSILON } else { kink }, 1.0, 1.0]
    }

    fn model_warning(&self, contact: Contact) -> Option<String> {
        self.measured.map_or_else(
            || self.base.model_warning(contact),
            |curve| frdyn2::unstable_on_measured(&self.base, curve, contact),
        )
    }
}
