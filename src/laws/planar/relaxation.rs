//! Dahl's and LuGre's bristle in the plane under moving inputs, with the unknown w = σ_0 z/F_N.
//!
//! F_N dw/dt = σ_0 v − (P + dF_N/dt) w, P = σ_0 |v|/μ(|v|), has bounded coefficients, is the equation of the steady motion at F_N = 0, and is
//! linear with one rate for both components. It is solved by Radau IIA with five stages, of order 9. See §19 of `docs/internals/numerics.md`.

use crate::integrate::extrema::larger;
use crate::law::Contact;
use crate::laws::relaxation::{
    Bristle, Drift, LARGE_DEFLECTION, LinearEquation, Relaxation, Relaxing, Solved, Transient, linear_step, speed,
    split,
};
use crate::vector::{Vector, add, limited, scaled, size};

/// Elastic force over its limit, above which errors of the deflection may lift it beyond the limit: those at any tolerance up to 1e-3.
const NEAR_LIMIT: f64 = 0.999;

/// A first-order bristle in the plane, with the exponent α = 1.
#[derive(Clone, Copy)]
pub struct InPlane(pub Bristle);

/// Coefficients of the equation at one instant.
#[derive(Clone, Copy)]
pub struct Coefficients {
    normal: f64,
    /// σ_0 v, N/s.
    drive: Vector,
    /// P, N/s.
    p: f64,
    /// P + dF_N/dt, N/s.
    decay: f64,
}

impl Coefficients {
    /// w of the steady motion, with constant coefficients.
    fn steady(&self) -> Vector {
        scaled(self.drive, 1.0 / self.decay)
    }
}

impl Relaxing<2> for Relaxation<'_, InPlane> {
    type Coefficients = Coefficients;

    fn coefficients(&self, t: f64) -> Coefficients {
        let bristle = &self.bristle.0;
        let contact = self.segment.at(t);
        let speed = speed(contact);
        let p = bristle.sigma_0 * speed / bristle.coefficient(speed).0;
        Coefficients {
            normal: contact.F_N,
            drive: scaled([contact.v, contact.v_y], bristle.sigma_0),
            p,
            decay: p + self.segment.trajectory().derivative_at(t).F_N,
        }
    }

    fn deflection(&self, at: &Coefficients, w: Vector) -> Vector {
        scaled(w, self.unit(at))
    }

    fn integrands(&self, &Coefficients { normal, drive, p, .. }: &Coefficients, z: Vector) -> [f64; 2] {
        if normal <= 0.0 {
            return [0.0; 2];
        }
        let bristle = &self.bristle.0;
        let v = scaled(drive, 1.0 / bristle.sigma_0);
        let [force, across] = bristle.force(normal, p, v, limited(z, bristle.curve.mu_s * normal / bristle.sigma_0));
        [force * v[0] + across * v[1], larger(force.abs(), across.abs())]
    }

    fn start(&self, t: f64, z: Vector) -> Vector {
        let here = self.coefficients(t);
        if here.normal > self.min_force || self.is_large(&here, z) {
            self.unknown(&here, z)
        } else if here.decay > 0.0 {
            here.steady()
        } else {
            [0.0; 2]
        }
    }

    fn drift_from(&self, t: f64) -> Option<Drift<'_>> {
        self.drift(self.coefficients(t).p, t)
    }

    fn velocity(&self, contact: Contact) -> Vector {
        [contact.v, contact.v_y]
    }

    fn equation_of_bristle(&self) -> &Bristle {
        &self.bristle.0
    }

    fn is_large(&self, at: &Coefficients, z: Vector) -> bool {
        let Bristle { curve, sigma_0, .. } = self.bristle.0;
        sigma_0 * size(z) > curve.mu_s * (LARGE_DEFLECTION * at.normal).max(self.min_force)
    }

    fn transient(&self, times: [f64; 2], z: Vector, tolerance: f64) -> Option<Transient<2>> {
        split(self, times, z, tolerance)
    }

    fn allowed(&self, times: [f64; 2], share: f64) -> impl Fn(Vector) -> f64 {
        let trajectory = self.segment.trajectory();
        let bristle = &self.bristle.0;
        let place = |t| trajectory.displacement_in_plane_at(t);
        let slid = |[from, to]: [f64; 2]| size(add(place(to), -1.0, place(from)));
        let errors = self.errors(bristle, times, speed, slid);
        move |w| {
            let deflected = size(w) / bristle.curve.mu_s;
            let is_near = deflected > NEAR_LIMIT;
            let of_force = if is_near { errors.of_force_at_limit(deflected) } else { errors.of_force(deflected) };
            bristle.curve.mu_s * (share * of_force + errors.rounding(deflected))
        }
    }

    /// Never: the direction of the limited force depends on w.
    fn stays_limited(&self, _: f64, _: f64, _: Vector) -> bool {
        false
    }

    fn longest(&self, t: f64) -> f64 {
        self.bristle.0.longest(self.segment, t, speed(self.segment.at(t)))
    }

    fn unknown(&self, at: &Coefficients, z: Vector) -> Vector {
        scaled(z, self.bristle.0.sigma_0 / at.normal)
    }

    fn sticks(&self, here: &Coefficients) -> bool {
        here.p < (here.decay - here.p).abs()
    }

    fn equation(&self, at: &Coefficients) -> LinearEquation<2> {
        LinearEquation { normal: at.normal, decay: at.decay, drive: at.drive }
    }

    fn equation_of_deflection(&self, at: &Coefficients) -> LinearEquation<2> {
        LinearEquation { normal: at.normal, decay: at.p, drive: scaled(at.drive, self.unit(at)) }
    }

    fn unit(&self, at: &Coefficients) -> f64 {
        at.normal / self.bristle.0.sigma_0
    }

    fn step(&self, t: f64, here: Coefficients, h: f64, w: Vector, allowed: f64) -> Option<Solved<2, Coefficients>> {
        linear_step(self, [t, h], &here, w, allowed)
    }
}

#[cfg(test)]
mod tests {
    use super::super::bristle::PlanarBristle;
    use super::*;
    use crate::law::{HybridSystem, InputSegment, InputTrajectory, Law};
    use crate::laws::bristle::SIGMA_0;
    use crate::laws::lugre::{LuGre, SIGMA_1, SIGMA_2};
    use crate::laws::symbols::Exponential;
    use crate::variable::Values;

    #[test]
    fn power_and_force_are_those_of_the_law() {
        let mut values = Values::of(LuGre::METADATA.parameters);
        values[&SIGMA_2] = 3.0;
        let law = PlanarBristle::<LuGre>::new(&values).unwrap();
        let [sigma_0, sigma_1, sigma_2] = [SIGMA_0, SIGMA_1, SIGMA_2].map(|parameter| values[&parameter]);
        let curve = Exponential::new(&values).unwrap();
        let bristle = InPlane(Bristle { curve, sigma_0, sigma_1, sigma_2, alpha: 1.0 });
        let start = Contact { v_y: -0.02, ..Contact::new(8.0, 0.05) };
        let derivatives = [Contact { v_y: 30.0, ..Contact::new(-7e3, 10.0) }, Contact::ZERO, Contact::ZERO];
        let trajectory = InputTrajectory { derivatives: Some(&derivatives), ..InputTrajectory::held(start) };
        let segment = InputSegment::between_breakpoints(&trajectory, [0.0, 1e-3], 0.0);
        let relaxation = Relaxation {
            bristle: &bristle,
            segment: &segment,
            middle: trajectory.at(5e-4),
            error_force: 8.0,
            max_force: 8.0,
            max_speed: 0.06,
            end: trajectory.at(1e-3),
            slid_later: 0.0,
            duration: 1e-3,
            min_force: 0.0,
        };
        // Within the limit of the elastic force, and beyond it.
        for z in [[0.0, 0.0], [1e-7, -2e-7], [-3e-6, 1e-6]] {
            for t in [0.0, 3e-4, 1e-3] {
                let at = relaxation.coefficients(t);
                let found = relaxation.integrands(&at, z);
                let expected = law.integrands(segment.at(t), &z, &());
                let is_close = |i: usize| (found[i] - expected[i]).abs() <= 1e-13 * expected[i].abs();
                assert!(is_close(0) && is_close(1), "{found:?} for {expected:?}");
                assert_eq!(relaxation.integrands(&Coefficients { normal: 0.0, ..at }, z), [0.0; 2]);
            }
        }
    }
}
