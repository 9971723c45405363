//! The equations of FrDyn2 and FrDyn2Linear over scalars, along a line and in the plane.
//!
//! Source: G. Rill, M. Schuderer, Modelling 2023, 4(3), 366–381, equations (2)–(5) and Listing A4.
//! With r = |F_0|/F_s the shift is v_s f(r) F_0/|F_0|, w = v − ż + shift, and F_R = F(|w|) w/|w|
//! acts on the bristle as well, m_b z̈ = F_R − σ_0 z − σ_1 ż. Where text and program differ, the
//! listing is the law: F_0 contains the contact velocity, not ż. f(r) is 1 − √(1 − r) of the
//! parabola and r of the linear regularisation. The form in the plane is our own extension: the
//! published equations with vectors.

use super::ShiftedCurve;
use super::metadata::{SIGMA_0, SIGMA_1, SIGMA_2};
use crate::characteristic::{self, Signed};
use crate::law::light_force;
use crate::scalar::{Scalar, scaled, size};
use crate::variable::{InputError, Values};
use core::array;

/// Lower bound of √(1 − |F_0|/F_s) in derivatives, 1: that of the shift has no bound at |F_0| =
/// F_s; 1e-8 is the root of the rounding of r.
const MIN_ROOT: f64 = 1e-8;

/// A bristle of second order behind a shifted regularised characteristic: a straight line up to
/// v_s, or a parabola.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FrDyn2Bristle<const STRAIGHT: bool> {
    /// Stiffness σ_0, N/m.
    pub sigma_0: f64,
    /// Damping σ_1, N·s/m.
    pub sigma_1: f64,
    /// Level of the force in each direction.
    pub level: Signed<Level>,
    /// Whether both levels differ.
    pub is_uneven: bool,
    /// Velocity at which the characteristic reaches μ_s, m/s.
    pub v_s: f64,
    /// Velocity from which on the characteristic is μ_d, m/s.
    pub v_d: f64,
    /// Velocity from which on the viscous friction counts, m/s: v_d, or the last point of a
    /// measured curve.
    pub v_viscous: f64,
    /// Mass of the bristle m_b, equation (3), kg.
    pub mass: f64,
    /// 1/m_b, 1/kg.
    pub inverse_mass: f64,
    /// 1/v_s, s/m.
    pub inverse_v_s: f64,
    /// 1/(v_d − v_s), s/m.
    pub inverse_width: f64,
    /// Double root ω = 2σ_0/σ_1 of the bristle under a constant force, 1/s.
    pub omega: f64,
    /// Normal force above which errors grow somewhere on the characteristic, N.
    pub max_stable_force: f64,
    /// Normal force that errors are measured by at least, N.
    pub light_force: f64,
}

/// Characteristic of one direction in a contact.
struct Side<'a, S> {
    level: &'a Level,
    /// F_s, N.
    limit: S,
    /// Whether the shift is of the same direction.
    is_of_shift: bool,
}

/// Level of the force in one direction.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Level {
    /// Static coefficient of friction μ_s, 1.
    pub mu_s: f64,
    /// Dynamic coefficient of friction μ_d, 1.
    pub mu_d: f64,
    /// Viscous friction σ_2 beyond `v_viscous`, N·s/m.
    pub sigma_2: f64,
    /// Measured characteristic in place of the published one.
    pub measured: Option<ShiftedCurve>,
}

/// A closed contact at one instant.
#[derive(Clone, Copy)]
#[allow(non_snake_case)] // the papers' symbols
pub struct At<S, const D: usize> {
    /// Normal force, N.
    pub F_N: S,
    /// Static friction force for v > 0, N; see [`FrDyn2Bristle::static_force`].
    F_s: S,
    /// 1/F_s.
    inverse: S,
    /// v, m/s.
    pub v: [S; D],
}

/// Place on the characteristic.
pub struct Place<S, const D: usize> {
    /// F_0, N.
    pub sticking_force: [S; D],
    /// |F_0| < F_s: the shift depends on F_0.
    pub shifts: bool,
    /// w, m/s.
    pub w: [S; D],
    /// |w|, m/s.
    pub speed: S,
}

impl<const STRAIGHT: bool> FrDyn2Bristle<STRAIGHT> {
    /// Law with this characteristic.
    pub fn of(values: &Values, curve: characteristic::Regularised) -> Result<Self, InputError> {
        let [sigma_0, sigma_1] = [values[&SIGMA_0], values[&SIGMA_1]];
        let characteristic::Regularised {
            mu_s,
            v_s,
            mu_d,
            v_d,
        } = curve;
        let inverse_mass = 4.0 * sigma_0 / sigma_1 / sigma_1;
        if !inverse_mass.is_normal() {
            return Err(InputError::new(format!(
                "sigma_0 = {sigma_0:?} N/m and sigma_1 = {sigma_1:?} N.s/m give a bristle mass of \
                 {:?} kg, which cannot be calculated with; choose sigma_1 = 2 sqrt(m_ref sigma_0)",
                1.0 / inverse_mass
            ))
            .about(&[SIGMA_0.name, SIGMA_1.name]));
        }
        let derived = [
            1.0 / inverse_mass,
            2.0 * sigma_0 / sigma_1,
            1.0 / sigma_0,
            1.0 / v_s,
            1.0 / (v_d - v_s),
        ];
        if !derived.iter().all(|x| x.is_normal()) {
            return Err(InputError::new(format!(
                "sigma_0 = {sigma_0:?} N/m, sigma_1 = {sigma_1:?} N.s/m, v_s = {v_s:?} m/s and \
                 v_d = {v_d:?} m/s are too \
                 far from 1 to calculate with; give them in SI units"
            ))
            .about(&[SIGMA_0.name, SIGMA_1.name, "v_s", "v_d"]));
        }
        let [mass, omega, _, inverse_v_s, inverse_width] = derived;
        Ok(FrDyn2Bristle {
            sigma_0,
            sigma_1,
            level: Signed::even(Level {
                mu_s,
                mu_d,
                sigma_2: if STRAIGHT { values[&SIGMA_2] } else { 0.0 },
                measured: None,
            }),
            is_uneven: false,
            v_s,
            v_d,
            v_viscous: v_d,
            mass,
            inverse_mass,
            inverse_v_s,
            inverse_width,
            omega,
            max_stable_force: sigma_1 * (v_d - v_s) / (1.5 * (mu_s - mu_d)),
            light_force: light_force(values),
        })
    }

    /// The larger static coefficient of both directions.
    #[inline(always)]
    pub fn mu_s(&self) -> f64 {
        self.level.forward.mu_s.max(self.level.backward.mu_s)
    }

    /// Level of the force for the sign of a velocity or a force.
    #[inline(always)]
    pub fn level_of(&self, sign: f64) -> &Level {
        if self.is_uneven {
            self.level.of(sign)
        } else {
            &self.level.forward
        }
    }

    /// F_s for the sign of a velocity or a force, N.
    #[inline(always)]
    pub fn static_force<S: Scalar, const D: usize>(&self, at: &At<S, D>, sign: f64) -> S {
        if self.is_uneven {
            at.F_N * self.level.of(sign).mu_s
        } else {
            at.F_s
        }
    }

    /// Place on the characteristic.
    #[inline(always)]
    pub fn place<S: Scalar, const D: usize>(
        &self,
        at: &At<S, D>,
        z: &[S; D],
        u: &[S; D],
    ) -> Place<S, D> {
        let sticking_force: [S; D] =
            array::from_fn(|i| z[i] * self.sigma_0 + at.v[i] * self.sigma_1);
        if self.is_uneven {
            let limit = self.static_force(at, sign(&sticking_force));
            return self.place_below(at, u, sticking_force, limit, limit.reciprocal());
        }
        self.place_below(at, u, sticking_force, at.F_s, at.inverse)
    }

    /// Place for F_0, of a limit F_s and 1/F_s.
    #[inline(always)]
    fn place_below<S: Scalar, const D: usize>(
        &self,
        at: &At<S, D>,
        u: &[S; D],
        sticking_force: [S; D],
        limit: S,
        inverse: S,
    ) -> Place<S, D> {
        let force = size(&sticking_force);
        let shifts = force.value() < limit.value();
        // Equation (5) over F_0, without its cancellation for small forces.
        let shift = if !shifts {
            force.reciprocal() * self.v_s
        } else if STRAIGHT {
            inverse * self.v_s
        } else {
            let left = force * -inverse + 1.0;
            let root = left.value().sqrt();
            (left.chain(root, 0.5 / root.max(MIN_ROOT)) + 1.0).reciprocal() * inverse * self.v_s
        };
        let w: [S; D] = array::from_fn(|i| at.v[i] - u[i] + sticking_force[i] * shift);
        Place {
            sticking_force,
            shifts,
            w,
            speed: size(&w),
        }
    }

    /// Coefficient of friction at |w| from v_s on (m/s), and its derivative (s/m).
    #[inline(always)]
    fn coefficient(&self, level: &Level, speed: f64) -> (f64, f64) {
        if speed >= self.v_d {
            return (level.mu_d, 0.0);
        }
        if let Some(curve) = &level.measured {
            return curve.at(speed);
        }
        let (x, drop) = (
            (speed - self.v_s) * self.inverse_width,
            level.mu_s - level.mu_d,
        );
        (
            level.mu_s - drop * (x * x * (3.0 - 2.0 * x)),
            -6.0 * drop * self.inverse_width * (x * (1.0 - x)),
        )
    }

    /// F_R in a closed contact, N.
    #[inline(always)]
    pub fn friction<S: Scalar, const D: usize>(
        &self,
        at: &At<S, D>,
        z: &[S; D],
        u: &[S; D],
    ) -> [S; D] {
        let place = self.place(at, z, u);
        if self.is_uneven {
            let (direction, of_shift) = (sign(&place.w), sign(&place.sticking_force));
            let limit = self.static_force(at, direction);
            return self.friction_at(
                at,
                u,
                &place,
                Side {
                    level: self.level.of(direction),
                    limit,
                    is_of_shift: direction * of_shift >= 0.0,
                },
            );
        }
        let side = Side {
            level: &self.level.forward,
            limit: at.F_s,
            is_of_shift: true,
        };
        self.friction_at(at, u, &place, side)
    }

    /// F_R at a place of the characteristic of one direction.
    #[inline(always)]
    fn friction_at<S: Scalar, const D: usize>(
        &self,
        at: &At<S, D>,
        u: &[S; D],
        place: &Place<S, D>,
        Side {
            level,
            limit,
            is_of_shift,
        }: Side<S>,
    ) -> [S; D] {
        let Place {
            sticking_force,
            shifts,
            ref w,
            speed,
        } = *place;
        if speed.value() > self.v_s {
            let (mu, slope) = self.coefficient(level, speed.value());
            let mut force = at.F_N * speed.chain(mu, slope);
            if speed.value() > self.v_viscous {
                force = force + (speed + -self.v_viscous) * level.sigma_2;
            }
            // Along a line the direction is exactly 1 or -1.
            return if D == 1 {
                [if w[0].value() < 0.0 { -force } else { force }; D]
            } else {
                scaled(w, force * speed.reciprocal())
            };
        }
        let rise = limit * self.inverse_v_s;
        if !STRAIGHT {
            return limited(scaled(w, (speed * -self.inverse_v_s + 2.0) * rise), limit);
        }
        // With ż = v the bristle force equals F_0 exactly, so that a contact at rest stays at rest
        // bit for bit.
        let force = if shifts && is_of_shift {
            array::from_fn(|i| sticking_force[i] + (at.v[i] - u[i]) * rise)
        } else {
            scaled(w, rise)
        };
        limited(force, limit)
    }

    /// Slip speed |v − ż| below which no shift makes |w| ≥ v_d, m/s.
    pub fn least_of_full_sliding(&self) -> f64 {
        self.v_d - self.v_s
    }

    /// Slip speed |v − ż| from which on every shift makes |w| ≥ v_d, m/s.
    pub fn certain_full_sliding(&self) -> f64 {
        self.v_d + self.v_s
    }

    /// F_0 in an instant, N.
    pub fn sticking_force<const D: usize>(&self, z: &[f64; D], v: &[f64; D]) -> [f64; D] {
        array::from_fn(|i| self.sigma_0 * z[i] + self.sigma_1 * v[i])
    }
}

impl<S: Scalar, const D: usize> At<S, D> {
    /// Contact with a normal force (N), a static friction force for v > 0 (N) and a velocity (m/s).
    #[inline(always)]
    #[allow(non_snake_case)] // the papers' symbols
    pub fn new(F_N: S, F_s: S, v: &[S; D]) -> Self {
        At {
            F_N,
            F_s,
            inverse: F_s.reciprocal(),
            v: *v,
        }
    }
}

/// Sign of a vector along a line, as the number itself; in the plane both directions are alike, and
/// 0.
#[inline(always)]
pub fn sign<S: Scalar, const D: usize>(of: &[S; D]) -> f64 {
    if D == 1 { of[0].value() } else { 0.0 }
}

/// Force shortened to a largest size, which it exceeds by rounding only.
#[inline(always)]
fn limited<S: Scalar, const D: usize>(force: [S; D], limit: S) -> [S; D] {
    let length = size(&force);
    if length.value() <= limit.value() {
        force
    } else if D == 1 {
        [if force[0].value() < 0.0 {
            -limit
        } else {
            limit
        }; D]
    } else {
        scaled(&force, limit * length.reciprocal())
    }
}
