//! Dahl's and LuGre's bristle in the plane: ż = v − σ_0 |v|/G(|v|) z, F_R = σ_0 z + σ_1 ż + σ_2 v.
//!
//! The elastic force is limited to F_s in its own direction, as along a line. Held inputs have a closed form: the deflection tends to
//! the steady one on a straight line in the plane, with one rate, and stays in the circle of the limit, which is convex.

use super::bristle_metadata::{DAHL, LUGRE};
use super::line::{Line, velocities};
use super::relaxation::InPlane;
use crate::characteristic::Measured;
use crate::integrate::SolverError;
use crate::integrate::radau::Radau;
use crate::law::{
    Contact, Evaluation, InputTrajectory, Integrals, Jacobian, Law, LawMetadata, MAX_EVENTS, MeasuredForm,
    PlanarJacobian, StepResult, opening,
};
use crate::laws::bristle::{SIGMA_0, damping_rounding};
use crate::laws::dahl::Dahl;
use crate::laws::lugre::{LuGre, SIGMA_1, SIGMA_2};
use crate::laws::relaxation::{self, Bristle};
use crate::laws::symbols::{Exponential, MU_D};
use crate::variable::{InputError, Values};
use crate::vector::{Vector, add, along_and_across, direction, dot, limited, scaled, size};

/// First-order bristle with a form in the plane.
pub trait FirstOrderBristle: Law<1, DiscreteState = ()> {
    /// Description of its form in the plane.
    const IN_PLANE: &'static LawMetadata;

    /// Steady coefficient of friction, and σ_0 (N/m), σ_1, σ_2 (N·s/m).
    fn constants(values: &Values) -> Result<(Exponential, [f64; 3]), InputError>;
}

impl FirstOrderBristle for Dahl {
    const IN_PLANE: &'static LawMetadata = &DAHL;

    fn constants(values: &Values) -> Result<(Exponential, [f64; 3]), InputError> {
        Ok((Exponential::constant(values[&MU_D]), [values[&SIGMA_0], 0.0, 0.0]))
    }
}

impl FirstOrderBristle for LuGre {
    const IN_PLANE: &'static LawMetadata = &LUGRE;

    fn constants(values: &Values) -> Result<(Exponential, [f64; 3]), InputError> {
        Ok((Exponential::new(values)?, [&SIGMA_0, &SIGMA_1, &SIGMA_2].map(|parameter| values[parameter])))
    }
}

/// A first-order bristle in the plane, and the same along a line.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PlanarBristle<L> {
    line: L,
    curve: Exponential,
    sigma: [f64; 3],
}

fn velocity(contact: Contact) -> Vector {
    [contact.v, contact.v_y]
}

impl<L> PlanarBristle<L> {
    /// Decay rate of the deflection, σ_0 |v|/G, 1/s.
    fn decay_rate(&self, contact: Contact) -> f64 {
        let speed = size(velocity(contact));
        if speed == 0.0 {
            return 0.0;
        }
        self.sigma[0] * speed / (self.curve.at(speed).0 * contact.F_N)
    }

    /// Deflection at which the elastic force is limited, m.
    fn max_deflection(&self, contact: Contact) -> f64 {
        self.curve.mu_s * contact.F_N / self.sigma[0]
    }

    /// Closed form over `duration` (s) of a closed contact with held inputs, and the impulse (N·s) of the force; `None` where the
    /// elastic force is limited.
    fn hold(&self, contact: Contact, z: Vector, duration: f64) -> Option<(Vector, Vector)> {
        let [sigma_0, sigma_1, sigma_2] = self.sigma;
        if size(z) > self.max_deflection(contact) {
            return None;
        }
        let (v, decay_rate) = (velocity(contact), self.decay_rate(contact));
        // At rest, or so slow that the time constant is no number.
        if !(1.0 / decay_rate).is_finite() {
            return Some((z, scaled(z, sigma_0 * duration)));
        }
        let steady = scaled(v, 1.0 / decay_rate);
        let decayed = -libm::expm1(-decay_rate * duration);
        let change = scaled(add(steady, -1.0, z), decayed);
        // ∫z dt = steady·duration − change/λ.
        let deflection = add(scaled(steady, duration), -1.0 / decay_rate, change);
        let impulse = add(add(scaled(deflection, sigma_0), sigma_1, change), sigma_2 * duration, v);
        Some((add(z, 1.0, change), impulse))
    }
}

impl<L: FirstOrderBristle + Copy> Law<2> for PlanarBristle<L> {
    const METADATA: &'static LawMetadata = L::IN_PLANE;

    type DiscreteState = ();

    const COUPLED: bool = false;
    const PLANAR: bool = true;

    fn new(values: &Values) -> Result<Self, InputError> {
        let (curve, sigma) = L::constants(values)?;
        Ok(PlanarBristle { line: L::new(values)?, curve, sigma })
    }

    const MEASURED: &'static MeasuredForm = L::MEASURED;

    fn with_measured(values: &Values, characteristic: &'static Measured) -> Result<Self, InputError> {
        let (_, sigma) = L::constants(values)?;
        let line = L::with_measured(values, characteristic)?;
        Ok(PlanarBristle { line, curve: Exponential::of_measured(characteristic), sigma })
    }

    fn evaluate(&self, contact: Contact, x: &[f64; 2], (): &()) -> Evaluation<2> {
        self.evaluate_in_plane(contact, x, &()).0
    }

    fn evaluate_in_plane(&self, contact: Contact, x: &[f64; 2], (): &()) -> (Evaluation<2>, f64) {
        if contact.is_open() {
            return (Evaluation { F_R: 0.0, sticking: false, rate: [0.0; 2] }, 0.0);
        }
        let ([sigma_0, sigma_1, sigma_2], v) = (self.sigma, velocity(contact));
        let decay_rate = self.decay_rate(contact);
        let rate = add(v, -decay_rate, *x);
        let z = limited(*x, self.max_deflection(contact));
        let damped = add(v, -decay_rate, z);
        let [force, second] = add(add(scaled(z, sigma_0), sigma_1, damped), sigma_2, v);
        (Evaluation { F_R: force, sticking: size(add(v, -1.0, rate)) <= 0.5 * size(v), rate }, second)
    }

    #[allow(non_snake_case)] // the papers' symbols
    fn planar_jacobian(&self, contact: Contact, x: &[f64; 2], (): &()) -> PlanarJacobian<2> {
        if contact.is_open() {
            return PlanarJacobian::ZERO;
        }
        let ([sigma_0, sigma_1, sigma_2], v, decay_rate) = (self.sigma, velocity(contact), self.decay_rate(contact));
        let speed = size(v);
        let limit = self.max_deflection(contact);
        let (z, is_limited) = (limited(*x, limit), size(*x) > limit);
        // Derivative of the decay rate by v: along v̂ only.
        let direction = direction(v, speed);
        let (mu, mu_slope) = self.curve.at(speed);
        let by_speed = sigma_0 / (mu * contact.F_N) * (1.0 - speed * mu_slope / mu);
        let by_v = |z: Vector| -> [[f64; 2]; 2] {
            core::array::from_fn(|i| core::array::from_fn(|j| f64::from(i == j) - z[i] * by_speed * direction[j]))
        };
        // Derivative of the limited deflection by z, and by F_N.
        let (limited_z, limited_F_N) = if is_limited {
            let radial = scaled(*x, 1.0 / size(*x));
            (along_and_across(radial, 0.0, limit / size(*x)), scaled(z, 1.0 / contact.F_N))
        } else {
            ([[1.0, 0.0], [0.0, 1.0]], [0.0; 2])
        };
        let by_limited = sigma_0 - sigma_1 * decay_rate;
        let identity = [[1.0, 0.0], [0.0, 1.0]];
        PlanarJacobian {
            rate_x: identity.map(|row| scaled(row, -decay_rate)),
            rate_F_N: scaled(*x, decay_rate / contact.F_N),
            rate_v: by_v(*x),
            force_x: limited_z.map(|row| scaled(row, by_limited)),
            force_F_N: add(scaled(limited_F_N, by_limited), sigma_1 * decay_rate / contact.F_N, z),
            force_v: {
                let damped = by_v(z);
                core::array::from_fn(|i| core::array::from_fn(|j| sigma_1 * damped[i][j] + sigma_2 * f64::from(i == j)))
            },
        }
    }

    fn jacobian(&self, contact: Contact, x: &[f64; 2], (): &()) -> Jacobian<2> {
        self.planar_jacobian(contact, x, &()).along_x()
    }

    fn scale(&self, contact: Contact, x: &[f64; 2]) -> [f64; 2] {
        let [sigma_0, sigma_1, _] = self.sigma;
        let sensitivity = (sigma_1 * self.decay_rate(contact) / sigma_0).max(1.0);
        [self.max_deflection(contact).max(size(*x)) / sensitivity; 2]
    }

    fn velocity_error_scale(&self, contact: Contact) -> f64 {
        self.static_force(contact.F_N) / (self.sigma[1] + self.sigma[2])
    }

    fn stiffness(&self) -> f64 {
        self.sigma[0]
    }

    fn force_rounding(&self, max_speed: f64) -> f64 {
        damping_rounding(self.sigma[1] + self.sigma[2], max_speed)
    }

    fn static_force(&self, normal_force: f64) -> f64 {
        self.curve.mu_s * normal_force
    }

    fn indicators(&self, contact: Contact, _: &[f64; 2], (): &()) -> [f64; MAX_EVENTS] {
        [opening(contact), 1.0, 1.0, 1.0]
    }

    fn handle_event(&self, contact: Contact, x: &mut [f64; 2], (): &mut ()) -> bool {
        let resets = contact.is_open() && *x != [0.0; 2];
        if resets {
            *x = [0.0; 2];
        }
        resets
    }

    fn advance(
        &self,
        trajectory: &InputTrajectory,
        x: &mut [f64; 2],
        (): &mut (),
        duration: f64,
        tolerance: f64,
        solver: &mut Radau,
    ) -> Result<StepResult, SolverError> {
        if trajectory.derivatives.is_none()
            && !trajectory.start.is_open()
            && let Some((z, impulse)) = self.hold(trajectory.start, *x, duration)
        {
            *x = z;
            let loss = dot(impulse, velocity(trajectory.start));
            return Ok(StepResult { loss, inner_steps: 1, ..StepResult::default() });
        }
        let [sigma_0, sigma_1, sigma_2] = self.sigma;
        let [v, first, second, third] = velocities(trajectory, sigma_0 * duration + sigma_1 + sigma_2, duration);
        let vectors = [v, first, second, third, (*x, sigma_0)];
        let scale = self.static_force(trajectory.start.F_N.max(0.0));
        match Line::through(&vectors, scale) {
            Some(line) => line.advance(&self.line, trajectory, [x], (duration, tolerance), solver),
            None => {
                let bristle = InPlane(Bristle { curve: self.curve, sigma_0, sigma_1, sigma_2, alpha: 1.0 });
                relaxation::advance(self, &bristle, trajectory, x, [duration, tolerance], solver, Integrals::First)
            }
        }
    }
}
