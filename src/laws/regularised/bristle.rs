//! The equations of FrDyn2 and FrDyn2Linear over scalars, along a line and in the plane.
//!
//! Source: G. Rill, M. Schuderer, Modelling 2023, 4(3), 366–381, equations (2)–(5) and Listing A4. With r = |F_0|/F_s the shift is
//! v_s f(r) F_0/|F_0|, w = v − ż + shift, and F_R = F(|w|) w/|w| acts on the bristle as well, m_b z̈ = F_R − σ_0 z − σ_1 ż. Where text and
//! program differ, the listing is the law: F_0 contains the contact velocity, not ż. f(r) is 1 − √(1 − r) of the parabola and r of the
//! linear regularisation. The form in the plane is our own extension: the published equations with vectors.

use super::closed_forms;
use super::{ShiftedCurve, read};
use crate::characteristic::{self, Measured};
use crate::law::{Contact, LawMetadata, MAX_EVENTS, MeasuredForm, StepLimits, opening};
use crate::laws::axes::Bristle;
use crate::laws::bristle::damping_rounding;
use crate::laws::frdyn2::{SIGMA_0, SIGMA_1};
use crate::ode::{Linearised, State, Totals};
use crate::scalar::{Scalar, dot, scaled, size};
use crate::variable::{InputError, Values};
use core::array;
use core::marker::PhantomData;

/// Lower bound of √(1 − |F_0|/F_s) in derivatives, 1: that of the shift has no bound at |F_0| = F_s; 1e-8 is the root of the rounding of r.
const MIN_ROOT: f64 = 1e-8;
/// Error scale of ż over that for the steepest characteristic, 1, where it is less steep. Larger: a step from a flat part of the
/// characteristic to a steep one is off.
const SOFTEST: f64 = 10.0;
/// Error of the impulse over that of F_R for all of a step, 1, with which errors of z and ż are as large as they may be: F_R_mean may be off by ten
/// tolerances, and an inner step has a tenth of one.
const IMPULSE_SHARE: f64 = 3.0;
/// Share of the distance in w to the falling branch plus its width by which v may change in a step, 1; w moves with the shift as well.
const MAX_DV_SHARE: f64 = 0.5;

/// Form of the characteristic below v_s and of the shift.
pub trait Regularisation: Copy + Send + 'static {
    /// Descriptions of the law along a line and in the plane.
    const METADATA: [&'static LawMetadata; 2];
    /// Description of the law with a measured characteristic.
    const MEASURED: &'static MeasuredForm;
    /// Whether stick is linear.
    const IS_LINEAR: bool;

    /// Viscous friction beyond v_d, N·s/m.
    fn viscosity(values: &Values) -> f64;
}

/// A bristle of second order behind a shifted regularised characteristic.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Regularised<R> {
    /// Stiffness σ_0, N/m.
    pub sigma_0: f64,
    /// Damping σ_1, N·s/m.
    pub sigma_1: f64,
    /// Viscous friction σ_2 beyond v_d, N·s/m.
    pub sigma_2: f64,
    /// Static coefficient of friction μ_s, 1.
    pub mu_s: f64,
    /// Velocity at which the characteristic reaches μ_s, m/s.
    pub v_s: f64,
    /// Dynamic coefficient of friction μ_d, 1.
    pub mu_d: f64,
    /// Velocity from which on the characteristic is μ_d, m/s.
    pub v_d: f64,
    /// Mass of the bristle m_b, equation (3), kg.
    pub mass: f64,
    /// 1/m_b, 1/kg.
    pub inverse_mass: f64,
    /// 1/v_s, s/m.
    pub inverse_v_s: f64,
    /// 1/(v_d − v_s), s/m.
    inverse_width: f64,
    /// Double root ω = 2σ_0/σ_1 of the bristle under a constant force, 1/s.
    pub omega: f64,
    max_stable_force: f64,
    measured: Option<ShiftedCurve>,
    regularisation: PhantomData<R>,
}

/// A closed contact at one instant.
#[derive(Clone, Copy)]
#[allow(non_snake_case)] // the papers' symbols
pub struct At<S, const D: usize> {
    /// Normal force, N.
    pub F_N: S,
    /// Static friction force, N.
    pub F_s: S,
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

impl<R: Regularisation> Regularised<R> {
    fn of(values: &Values, curve: characteristic::Regularised) -> Result<Self, InputError> {
        let [sigma_0, sigma_1] = [values[&SIGMA_0], values[&SIGMA_1]];
        let characteristic::Regularised { mu_s, v_s, mu_d, v_d } = curve;
        let inverse_mass = 4.0 * sigma_0 / sigma_1 / sigma_1;
        if !inverse_mass.is_normal() {
            return Err(InputError(format!(
                "sigma_0 = {sigma_0:?} N/m and sigma_1 = {sigma_1:?} N.s/m give a bristle mass of \
                 {:?} kg, which cannot be calculated with; choose sigma_1 = 2 sqrt(m_ref sigma_0)",
                1.0 / inverse_mass
            )));
        }
        let derived = [1.0 / inverse_mass, 2.0 * sigma_0 / sigma_1, 1.0 / sigma_0, 1.0 / v_s, 1.0 / (v_d - v_s)];
        if !derived.iter().all(|x| x.is_normal()) {
            return Err(InputError(format!(
                "sigma_0 = {sigma_0:?} N/m, sigma_1 = {sigma_1:?} N.s/m, v_s = {v_s:?} m/s and v_d = {v_d:?} m/s are too \
                 far from 1 to calculate with; give them in SI units"
            )));
        }
        let [mass, omega, _, inverse_v_s, inverse_width] = derived;
        Ok(Regularised {
            sigma_0,
            sigma_1,
            sigma_2: R::viscosity(values),
            mu_s,
            v_s,
            mu_d,
            v_d,
            mass,
            inverse_mass,
            inverse_v_s,
            inverse_width,
            omega,
            max_stable_force: sigma_1 * (v_d - v_s) / (1.5 * (mu_s - mu_d)),
            measured: None,
            regularisation: PhantomData,
        })
    }

    /// Place on the characteristic.
    #[inline(always)]
    pub fn place<S: Scalar, const D: usize>(&self, at: &At<S, D>, z: &[S; D], u: &[S; D]) -> Place<S, D> {
        let sticking_force: [S; D] = array::from_fn(|i| z[i] * self.sigma_0 + at.v[i] * self.sigma_1);
        let force = size(&sticking_force);
        let shifts = force.value() < at.F_s.value();
        // Equation (5) over F_0, without its cancellation for small forces.
        let shift = if !shifts {
            force.reciprocal() * self.v_s
        } else if R::IS_LINEAR {
            at.inverse * self.v_s
        } else {
            let left = force * -at.inverse + 1.0;
            let root = left.value().sqrt();
            (left.chain(root, 0.5 / root.max(MIN_ROOT)) + 1.0).reciprocal() * at.inverse * self.v_s
        };
        let w: [S; D] = array::from_fn(|i| at.v[i] - u[i] + sticking_force[i] * shift);
        Place { sticking_force, shifts, w, speed: size(&w) }
    }

    /// Coefficient of friction at |w| from v_s on (m/s), and its derivative (s/m).
    #[inline(always)]
    fn coefficient(&self, speed: f64) -> (f64, f64) {
        if speed >= self.v_d {
            return (self.mu_d, 0.0);
        }
        if let Some(curve) = &self.measured {
            return curve.at(speed);
        }
        let (x, drop) = ((speed - self.v_s) * self.inverse_width, self.mu_s - self.mu_d);
        (self.mu_s - drop * (x * x * (3.0 - 2.0 * x)), -6.0 * drop * self.inverse_width * (x * (1.0 - x)))
    }

    #[inline(always)]
    fn friction<S: Scalar, const D: usize>(&self, at: &At<S, D>, z: &[S; D], u: &[S; D]) -> [S; D] {
        let Place { sticking_force, shifts, w, speed } = self.place(at, z, u);
        if speed.value() > self.v_s {
            let (mu, slope) = self.coefficient(speed.value());
            let mut force = at.F_N * speed.chain(mu, slope);
            if speed.value() > self.v_d {
                force = force + (speed + -self.v_d) * self.sigma_2;
            }
            // Along a line the direction is exactly 1 or -1.
            return if D == 1 {
                [if w[0].value() < 0.0 { -force } else { force }; D]
            } else {
                scaled(&w, force * speed.reciprocal())
            };
        }
        let rise = at.F_s * self.inverse_v_s;
        if !R::IS_LINEAR {
            return limited(scaled(&w, (speed * -self.inverse_v_s + 2.0) * rise), at.F_s);
        }
        // With ż = v the bristle force equals F_0 exactly, so that a contact at rest stays at rest bit for bit.
        let force =
            if shifts { array::from_fn(|i| sticking_force[i] + (at.v[i] - u[i]) * rise) } else { scaled(&w, rise) };
        limited(force, at.F_s)
    }

    /// Bounds of the slip speed |v − ż|, m/s: below the first no shift makes |w| ≥ v_d, from the second on every shift does.
    pub fn full_sliding(&self) -> [f64; 2] {
        [self.v_d - self.v_s, self.v_d + self.v_s]
    }

    /// F_0 in an instant, N.
    pub fn sticking_force<const D: usize>(&self, z: &[f64; D], v: &[f64; D]) -> [f64; D] {
        array::from_fn(|i| self.sigma_0 * z[i] + self.sigma_1 * v[i])
    }
}

/// Force shortened to a largest size, which it exceeds by rounding only.
#[inline(always)]
fn limited<S: Scalar, const D: usize>(force: [S; D], limit: S) -> [S; D] {
    let length = size(&force);
    if length.value() <= limit.value() {
        force
    } else if D == 1 {
        [if force[0].value() < 0.0 { -limit } else { limit }; D]
    } else {
        scaled(&force, limit * length.reciprocal())
    }
}

impl<R: Regularisation, const D: usize> Bristle<D> for Regularised<R> {
    const METADATA: &'static LawMetadata = R::METADATA[D - 1];
    const MEASURED: &'static MeasuredForm = R::MEASURED;
    const SECOND_ORDER: bool = true;
    const LINEAR: bool = false;

    type At<S: Scalar> = At<S, D>;

    fn new(values: &Values, curve: Option<&'static Measured>) -> Result<Self, InputError> {
        let Some(curve) = curve else { return Self::of(values, read(values)?) };
        let shifted = ShiftedCurve::new(curve);
        let law = Self::of(values, shifted.limits())?;
        Ok(Regularised { max_stable_force: law.sigma_1 / curve.steepest_fall(), measured: Some(shifted), ..law })
    }

    #[inline(always)]
    #[allow(non_snake_case)] // the papers' symbols
    fn at<S: Scalar>(&self, normal_force: S, v: &[S; D]) -> At<S, D> {
        let F_s = normal_force * self.mu_s;
        At { F_N: normal_force, F_s, inverse: F_s.reciprocal(), v: *v }
    }

    #[inline(always)]
    fn rate<S: Scalar>(&self, at: &At<S, D>, z: &[S; D], u: &[S; D]) -> [S; D] {
        let force = self.friction(at, z, u);
        array::from_fn(|i| (force[i] - z[i] * self.sigma_0 - u[i] * self.sigma_1) * self.inverse_mass)
    }

    #[inline(always)]
    fn force<S: Scalar>(&self, at: &At<S, D>, z: &[S; D], u: &[S; D]) -> [S; D] {
        self.friction(at, z, u)
    }

    /// Equation (2).
    #[inline(always)]
    fn force_at_rate(&self, _: &At<f64, D>, x: &State<D>, rate: &[f64; D]) -> [f64; D] {
        array::from_fn(|i| self.mass * rate[i] + self.sigma_0 * x.z[i] + self.sigma_1 * x.u[i])
    }

    fn open_rate<S: Scalar>(&self, z: &[S; D], u: &[S; D]) -> [S; D] {
        array::from_fn(|i| -(z[i] * self.sigma_0 + u[i] * self.sigma_1) * self.inverse_mass)
    }

    fn relax(&self, x: &mut State<D>, duration: f64) {
        closed_forms::relax(self.omega, x, &[0.0; D], duration);
    }

    fn sticks(&self, at: &At<f64, D>, x: &State<D>) -> bool {
        let Place { shifts, speed, .. } = self.place(at, &x.z, &x.u);
        shifts && speed <= self.v_s
    }

    /// Below and beyond |F_0| = F_s, and the part of the characteristic: a derivative of F_R jumps at each border, also at w = 0 along a line.
    #[inline(always)]
    fn branch(&self, at: &At<f64, D>, x: &State<D>) -> u16 {
        let Place { shifts, w, speed, .. } = self.place(at, &x.z, &x.u);
        let part = match &self.measured {
            Some(curve) => curve.part(speed),
            None => u16::from(speed > self.v_s) + u16::from(speed >= self.v_d),
        };
        let is_backward = !R::IS_LINEAR && part == 0 && w[0] < 0.0;
        u16::from(shifts) + 2 * u16::from(is_backward) + 4 * part
    }

    /// From sliding in one direction to sliding in the other: F_R may be alike on both sides, as where μ_d is 0.
    #[inline(always)]
    fn passes_over(&self, start: &At<f64, D>, from: &State<D>, end: &At<f64, D>, to: &State<D>) -> bool {
        let [before, after]: [[f64; D]; 2] =
            [(start, from), (end, to)].map(|(at, x)| array::from_fn(|i| at.v[i] - x.u[i]));
        dot(&before, &after) < 0.0 && {
            let [before, after] = [size(&before), size(&after)];
            before.min(after) >= self.full_sliding()[0] && before + after >= 2.0 * self.v_d
        }
    }

    /// F_s/σ_0 for z and v_s/2 for ż, because |∂F_R/∂ż| ≤ 2 F_s/v_s, or more where the characteristic is less steep. Where F_N has fallen and |z|
    /// exceeds F_s/σ_0, F_R does not depend on z, and its scale is |z|. An error of ż changes z by 1/(2ω) of itself before it decays. The impulse
    /// m_b Δż + σ_1 Δz + σ_0 ∫z counts where the step is short.
    #[inline(always)]
    fn scale(
        &self,
        _: Option<&At<f64, D>>,
        duration: f64,
        normal_force: f64,
        x: &State<D>,
        f: &Linearised<D>,
    ) -> [f64; 2] {
        let static_force = self.mu_s * normal_force;
        let impulse = IMPULSE_SHARE * static_force * duration;
        // ∂F_R/∂ż = m_b ∂z̈/∂ż + σ_1, along the axes where it is largest.
        let mut steepest: f64 = 0.0;
        for i in 0..D {
            for j in 0..D {
                let slope = self.mass * f.by_u[i][j] + if i == j { self.sigma_1 } else { 0.0 };
                steepest = steepest.max(slope.abs());
            }
        }
        let deflection = static_force.max(self.sigma_0 * size(&x.z)) / self.sigma_0;
        let z = deflection.min(impulse / self.sigma_1);
        let least = (0.5 * self.v_s).min(2.0 * self.omega * deflection).min(impulse * self.inverse_mass);
        let most = (SOFTEST * least).min(2.0 * self.omega * deflection).min(impulse * self.inverse_mass);
        let by_slope = if steepest * most > static_force { static_force / steepest } else { most };
        let resolved = by_slope.clamp(least, most);
        let viscous = if self.sigma_2 > 0.0 { static_force / self.sigma_2 } else { resolved };
        [z, resolved.min(viscous)]
    }

    /// |F_R| is alike in full sliding on both sides of rest, so that the error estimate does not show a step over the branches between.
    fn limits(&self, at: &At<f64, D>, x: &State<D>) -> StepLimits {
        let speed = self.place(at, &x.z, &x.u).speed;
        let width = self.v_d - self.v_s;
        let distance = (self.v_s - speed).max(speed - self.v_d).max(0.0);
        let excess = at.F_N / self.max_stable_force - 1.0;
        let falls = speed > self.v_s && speed < self.v_d && excess > 0.0;
        StepLimits {
            max_dv: MAX_DV_SHARE * (distance + width),
            growth_rate: if falls { 2.0 * self.omega * excess } else { 0.0 },
            ..StepLimits::FREE
        }
    }

    fn static_force(&self, normal_force: f64) -> f64 {
        self.measured.map_or(self.mu_s, |curve| curve.measured().range()[1]) * normal_force
    }

    fn max_stable_force(&self) -> f64 {
        self.max_stable_force
    }

    #[inline(always)]
    fn held_motion(&self, at: &At<f64, D>, tolerance: f64, x: &mut State<D>, rest: f64) -> Option<Totals<D>> {
        closed_forms::held(self, at, tolerance, x, rest)
    }

    fn moving_motion(
        &self,
        at: &At<f64, D>,
        v: &[[f64; 4]; D],
        _: f64,
        x: &mut State<D>,
        rest: f64,
    ) -> Option<Totals<D>> {
        closed_forms::moving(self, at, v, x, rest)
    }

    fn stiffness(&self) -> f64 {
        self.sigma_0
    }

    /// σ_0 and σ_1 in stick, where F_R = F_0 with ż = v after the transient of the bristle; beyond v_d the viscous friction only.
    fn response(&self, at: &At<f64, D>, x: &State<D>) -> Option<[f64; 2]> {
        let Place { shifts, speed, .. } = self.place(at, &x.z, &x.u);
        Some(match (shifts && speed <= self.v_s, speed >= self.v_d) {
            (true, _) => [self.sigma_0, self.sigma_1],
            (_, true) => [0.0, self.sigma_2],
            _ => [0.0; 2],
        })
    }

    fn velocity_error_scale(&self, _: f64) -> f64 {
        0.5 * self.v_s
    }

    fn force_rounding(&self, max_speed: f64) -> f64 {
        damping_rounding(self.sigma_2, max_speed)
    }

    /// Indicators of the opening and of |w| = v_s, for the laws with that event.
    fn indicators(&self, contact: Contact, x: &State<D>) -> [f64; MAX_EVENTS] {
        let all = [contact.v, contact.v_y];
        let v: [f64; D] = array::from_fn(|i| all[i]);
        let kink = if contact.is_open() {
            // F_s is 0: the shift is saturated.
            let force = self.sticking_force(&x.z, &v);
            let length = size(&force);
            let shift = if length > 0.0 { self.v_s / length } else { 0.0 };
            size(&array::from_fn::<f64, D, _>(|i| v[i] - x.u[i] + shift * force[i]))
        } else {
            self.place(&<Self as Bristle<D>>::at(self, contact.F_N, &v), &x.z, &x.u).speed
        };
        let kink = kink * self.inverse_v_s - 1.0;
        [opening(contact), if kink == 0.0 { f64::EPSILON } else { kink }, 1.0, 1.0]
    }

    fn model_warning(&self, contact: Contact) -> Option<String> {
        let (normal_force, limit) = (contact.F_N, self.max_stable_force);
        if normal_force <= limit {
            return None;
        }
        let Some(curve) = self.measured else {
            return Some(format!(
                "at F_N = {normal_force:.4} N, above 1.5 (mu_s - mu_d) F_N/(v_d - v_s) = sigma_1 (F_N = {limit:.4} N), the bristle \
                 of this model is unstable on the falling branch and F_R oscillates at constant v; raise sigma_1 or v_d, \
                 or ignore this if the contact only sticks or slides fast"
            ));
        };
        let steepest = curve.measured().steepest_fall();
        Some(format!(
            "the measured curve falls by {steepest:.4} s/m where it is steepest, at F_N = {normal_force:.4} N by {:.4} N.s/m, more than \
             sigma_1 = {:?} N.s/m: the bristle is unstable there, and F_R oscillates at constant v; the curve is good up to F_N = {limit:.4} N. \
             Raise sigma_1, smooth the curve, or state the largest F_N of the contact as `normal_force`",
            steepest * normal_force,
            self.sigma_1
        ))
    }
}
