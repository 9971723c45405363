//! FrDyn2 and FrDyn2Linear in the plane.
//!
//! With r = |F_0|/F_s the shift is d = v_s f(r) F_0/|F_0| and w = v − ż + d; the force F_R = F(|w|) w/|w| acts on the bristle as well,
//! m_b z̈ = F_R − σ_0 z − σ_1 ż. f is 1 − √(1 − r) of the parabola and r of the linear regularisation.

mod steps;

use super::line::{Line, velocities};
use super::openings;
use super::regularisation::Regularisation;
use crate::characteristic::Measured;
use crate::integrate::SolverError;
use crate::integrate::radau::Radau;
use crate::law::{
    Contact, Evaluation, InputTrajectory, Jacobian, Law, LawMetadata, MAX_EVENTS, MeasuredForm, PlanarJacobian,
    StepLimits, StepResult, opening,
};
use crate::laws::bristle::damping_rounding;
use crate::laws::frdyn2::constants::{MIN_DEFLECTION_SHARE, MIN_STATIC_FORCE};
use crate::laws::frdyn2::{self, Equations};
use crate::laws::regularised::ShiftedCurve;
use crate::variable::{InputError, Values};
use crate::vector::{Vector, add, along_and_across, direction, limited, product, scaled, size, times};

/// FrDyn2 with a regularisation, in the plane.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PlanarFrDyn2<R: Regularisation> {
    base: Equations,
    line: R::Line,
    sigma_2: f64,
    measured: Option<ShiftedCurve>,
}

/// Place on the characteristic at one instant.
#[allow(non_snake_case)] // the paper's symbols
struct CharacteristicPoint {
    /// Static friction force, N.
    F_s: f64,
    /// F_0, N.
    F_0: Vector,
    /// |F_0|/F_s.
    ratio: f64,
    /// Shift over F_0, (m/s)/N.
    shift: f64,
    /// Shifted slip velocity, m/s.
    w: Vector,
    /// |w|, m/s.
    speed: f64,
}

/// Velocity of a contact.
fn velocity(contact: Contact) -> Vector {
    [contact.v, contact.v_y]
}

/// Deflection and its velocity.
fn vectors(&[z_x, z_y, z_dot_x, z_dot_y]: &[f64; 4]) -> [Vector; 2] {
    [[z_x, z_y], [z_dot_x, z_dot_y]]
}

impl<R: Regularisation> PlanarFrDyn2<R> {
    #[inline]
    #[allow(non_snake_case)] // the paper's symbols
    fn characteristic_point(&self, contact: Contact, x: &[f64; 4]) -> Option<CharacteristicPoint> {
        let (base, [z, z_dot], v) = (&self.base, vectors(x), velocity(contact));
        let F_s = base.mu_s * contact.F_N;
        if F_s < MIN_STATIC_FORCE {
            return None;
        }
        let F_0 = add(scaled(z, base.sigma_0), base.sigma_1, v);
        let force = size(F_0);
        let ratio = force / F_s;
        let shift = if ratio < 1.0 { base.v_s * R::shift(ratio).0 / F_s } else { base.v_s / force };
        let w = add(add(v, -1.0, z_dot), shift, F_0);
        Some(CharacteristicPoint { F_s, F_0, ratio, shift, w, speed: size(w) })
    }

    /// Size of the force at |w| = `speed` (m/s) over that speed, and its derivative by the speed, N·s/m.
    fn slopes(&self, contact: Contact, speed: f64) -> (f64, f64) {
        let base = &self.base;
        let static_force = base.mu_s * contact.F_N;
        if speed <= base.v_s {
            let (rise, slope) = R::rise(speed * base.inverse_v_s);
            let per_speed = static_force * base.inverse_v_s;
            return (per_speed * rise, per_speed * slope);
        }
        if let Some(curve) = self.measured.filter(|_| speed < base.v_d) {
            let (mu, slope) = curve.at(speed);
            return (mu * contact.F_N / speed, slope * contact.F_N);
        }
        let drop = (base.mu_s - base.mu_d) * contact.F_N;
        let x = ((speed - base.v_s) * base.inverse_width).min(1.0);
        let beyond = speed - base.v_d;
        let (force, slope) = if x < 1.0 {
            (static_force - drop * (x * x * (3.0 - 2.0 * x)), -6.0 * drop * base.inverse_width * (x * (1.0 - x)))
        } else {
            (base.mu_d * contact.F_N + self.sigma_2 * beyond, self.sigma_2)
        };
        (force / speed, slope)
    }

    /// Force, whether the contact sticks, and the branch of the law: of the characteristic, and below or beyond F_s.
    #[inline]
    #[allow(non_snake_case)] // the paper's symbols
    fn force(&self, contact: Contact, x: &[f64; 4]) -> (Vector, bool, u8) {
        let Some(CharacteristicPoint { F_s, F_0, ratio, w, speed, .. }) = self.characteristic_point(contact, x) else {
            return ([0.0; 2], false, 0);
        };
        let branch =
            1 + u8::from(ratio >= 1.0) + 2 * (u8::from(speed > self.base.v_s) + u8::from(speed >= self.base.v_d));
        let sticking = speed <= self.base.v_s && ratio < 1.0;
        if R::IS_LINEAR && sticking {
            // With ż = v the bristle force equals F_0 exactly, so that a contact at rest stays at rest bit for bit.
            let slip = add(velocity(contact), -1.0, vectors(x)[1]);
            return (limited(add(F_0, F_s * self.base.inverse_v_s, slip), F_s), true, branch);
        }
        (scaled(w, self.slopes(contact, speed).0), sticking, branch)
    }

    fn acceleration(&self, force: Vector, [z, z_dot]: [Vector; 2]) -> Vector {
        let base = &self.base;
        scaled(add(add(force, -base.sigma_0, z), -base.sigma_1, z_dot), base.inverse_mass)
    }
}

impl<R: Regularisation> Law<4> for PlanarFrDyn2<R> {
    const METADATA: &'static LawMetadata = R::IN_PLANE;

    type DiscreteState = ();

    const COUPLED: bool = false;
    const PLANAR: bool = true;

    fn new(values: &Values) -> Result<Self, InputError> {
        let base = <Equations as Law<2>>::new(values)?;
        let line = <R::Line as Law<2>>::new(values)?;
        Ok(PlanarFrDyn2 { base, line, sigma_2: R::viscosity(values), measured: None })
    }

    const MEASURED: &'static MeasuredForm = <R::Line as Law<2>>::MEASURED;

    fn with_measured(values: &Values, characteristic: &'static Measured) -> Result<Self, InputError> {
        let curve = ShiftedCurve::new(characteristic);
        let base = Equations::of_measured(values, curve)?;
        let line = <R::Line as Law<2>>::with_measured(values, characteristic)?;
        Ok(PlanarFrDyn2 { base, line, sigma_2: R::viscosity(values), measured: Some(curve) })
    }

    #[inline]
    fn evaluate(&self, contact: Contact, x: &[f64; 4], (): &()) -> Evaluation<4> {
        self.evaluate_in_plane(contact, x, &()).0
    }

    #[inline]
    fn evaluate_in_plane(&self, contact: Contact, x: &[f64; 4], (): &()) -> (Evaluation<4>, f64) {
        let (force, sticking, _) = self.force(contact, x);
        let [a_x, a_y] = self.acceleration(force, vectors(x));
        (Evaluation { F_R: force[0], sticking, rate: [x[2], x[3], a_x, a_y] }, force[1])
    }

    #[allow(non_snake_case)] // the paper's symbols
    fn planar_jacobian(&self, contact: Contact, x: &[f64; 4], (): &()) -> PlanarJacobian<4> {
        let base = &self.base;
        let identity = [[1.0, 0.0], [0.0, 1.0]];
        // Force by z, by ż, by v and by F_N.
        let (mut by_z, mut by_z_dot, mut by_v, mut by_F_N) = ([[0.0; 2]; 2], [[0.0; 2]; 2], [[0.0; 2]; 2], [0.0; 2]);
        if let Some(CharacteristicPoint { F_s, F_0, ratio, shift, w, speed }) = self.characteristic_point(contact, x) {
            let (over_speed, slope) = self.slopes(contact, speed);
            let along_w = if speed > 0.0 { direction(w, speed) } else { [1.0, 0.0] };
            let by_w = along_and_across(along_w, slope, over_speed);
            let force = size(F_0);
            let along_F_0 = if force > 0.0 { direction(F_0, force) } else { [1.0, 0.0] };
            let steepness = if ratio < 1.0 { R::shift(ratio).1 } else { 0.0 };
            let by_F_0 = along_and_across(along_F_0, base.v_s * steepness / F_s, shift);
            let through_shift = product(by_w, by_F_0);
            by_z = through_shift.map(|row| scaled(row, base.sigma_0));
            by_z_dot = by_w.map(|row| scaled(row, -1.0));
            by_v = core::array::from_fn(|i| add(by_w[i], base.sigma_1, through_shift[i]));
            // At the same w the force is proportional to F_N, but for the viscous part.
            let viscous = self.sigma_2 * (speed - base.v_d).max(0.0);
            let at_same_w = scaled(along_w, (over_speed * speed - viscous) / contact.F_N);
            let shift_F_N = scaled(along_F_0, -base.v_s * steepness * ratio / contact.F_N);
            by_F_N = add(at_same_w, 1.0, times(by_w, shift_F_N));
        }
        let per_mass = base.inverse_mass;
        let acceleration = |i: usize| -> [f64; 4] {
            let [z, z_dot] = [(&by_z, base.sigma_0), (&by_z_dot, base.sigma_1)].map(|(by, sigma)| -> [f64; 2] {
                core::array::from_fn(|j| (by[i][j] - sigma * identity[i][j]) * per_mass)
            });
            [z[0], z[1], z_dot[0], z_dot[1]]
        };
        let force_x = |i: usize| [by_z[i][0], by_z[i][1], by_z_dot[i][0], by_z_dot[i][1]];
        let none = [0.0; 2];
        PlanarJacobian {
            rate_x: [[0.0, 0.0, 1.0, 0.0], [0.0, 0.0, 0.0, 1.0], acceleration(0), acceleration(1)],
            rate_F_N: [0.0, 0.0, by_F_N[0] * per_mass, by_F_N[1] * per_mass],
            rate_v: [none, none, scaled(by_v[0], per_mass), scaled(by_v[1], per_mass)],
            force_x: [force_x(0), force_x(1)],
            force_F_N: by_F_N,
            force_v: by_v,
        }
    }

    fn jacobian(&self, contact: Contact, x: &[f64; 4], (): &()) -> Jacobian<4> {
        self.planar_jacobian(contact, x, &()).along_x()
    }

    /// As along a line, of the sizes of the vectors.
    fn scale(&self, contact: Contact, x: &[f64; 4]) -> [f64; 4] {
        let (base, [z, z_dot]) = (&self.base, vectors(x));
        let static_force = base.mu_s * contact.F_N;
        let deflection =
            (static_force * base.compliance).max(size(z)).max(MIN_DEFLECTION_SHARE * size(z_dot) / base.omega);
        let rate = (0.5 * base.v_s).min(2.0 * base.omega * deflection);
        let viscous = if self.sigma_2 > 0.0 { static_force.max(MIN_STATIC_FORCE) / self.sigma_2 } else { rate };
        let rate = rate.min(viscous);
        [deflection, deflection, rate, rate]
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

    fn velocity_error_scale(&self, _: Contact) -> f64 {
        0.5 * self.base.v_s
    }

    fn step_limits(&self, contact: Contact, x: &[f64; 4]) -> StepLimits {
        let Some(CharacteristicPoint { speed, .. }) = self.characteristic_point(contact, x) else {
            return StepLimits::FREE;
        };
        let is_falling = speed > self.base.v_s && speed < self.base.v_d;
        self.base.step_limits_at(contact, speed, is_falling)
    }

    fn indicators(&self, contact: Contact, x: &[f64; 4], (): &()) -> [f64; MAX_EVENTS] {
        let kink = self.characteristic_point(contact, x).map_or(1.0, |here| here.speed * self.base.inverse_v_s - 1.0);
        [opening(contact), if kink == 0.0 { f64::EPSILON } else { kink }, 1.0, 1.0]
    }

    fn model_warning(&self, contact: Contact) -> Option<String> {
        self.measured.map_or_else(
            || self.base.model_warning(contact),
            |curve| frdyn2::unstable_on_measured(&self.base, curve, contact),
        )
    }

    fn advance(
        &self,
        trajectory: &InputTrajectory,
        x: &mut [f64; 4],
        (): &mut (),
        duration: f64,
        tolerance: f64,
        solver: &mut Radau,
    ) -> Result<StepResult, SolverError> {
        let (base, [mut z, mut z_dot]) = (&self.base, vectors(x));
        let static_force = base.mu_s * trajectory.start.F_N.max(0.0);
        // |∂F_R/∂ż| ≤ 2 F_s/v_s.
        let damping = 2.0 * static_force * base.inverse_v_s + base.sigma_1;
        let [v, first, second, third] = velocities(trajectory, damping, duration);
        let all = [v, first, second, third, (z, base.sigma_0), (z_dot, damping)];
        if let Some(line) = Line::through(&all, static_force) {
            let result = line.advance(&self.line, trajectory, [&mut z, &mut z_dot], (duration, tolerance), solver)?;
            *x = [z[0], z[1], z_dot[0], z_dot[1]];
            return Ok(result);
        }
        if openings::may_be_open(base, trajectory, duration) {
            return openings::integrate(base, trajectory, x, duration, |part, x, length| {
                self.advance_closed(part, x, length, tolerance, solver)
            });
        }
        self.advance_closed(trajectory, x, duration, tolerance, solver)
    }
}
