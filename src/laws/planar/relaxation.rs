//! Dahl's and LuGre's bristle in the plane under moving inputs, with the unknown w = σ_0 z/F_N.
//!
//! F_N dw/dt = σ_0 v − (P + dF_N/dt) w, P = σ_0 |v|/μ(|v|), has bounded coefficients, is the equation of the steady motion at F_N = 0, and is
//! linear with one rate for both components. It is solved by Radau IIA with five stages, of order 9. See §19 of `docs/numerics.md`.

use crate::law::Contact;
use crate::laws::relaxation::{
    Bristle, Closing, Drift, INNER_SHARE, LARGE_DEFLECTION, LinearEquation, Relaxation, Relaxing, SHORT_TRANSIENT,
    STEADY_RATE, Transient, speed,
};
use crate::vector::{Vector, add, scaled, size};

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

    fn velocity(&self) -> Vector {
        [self.middle.v, self.middle.v_y]
    }

    fn closing_from(&self, z: Vector) -> Option<Closing> {
        let here = self.coefficients(self.segment.from);
        if self.is_large(&here, z) { self.closing(here.p) } else { None }
    }

    fn while_closing(&self, closing: &Closing, z: Vector, t: f64) -> Vector {
        let steady = |c: Coefficients| scaled(c.drive, c.normal / (closing.rate * self.bristle.0.sigma_0));
        let [start, here] = [self.segment.from, t].map(|t| self.coefficients(t));
        add(steady(here), closing.decay(here.normal), add(z, -1.0, steady(start)))
    }

    fn transient(&self, t: f64, end: f64, w: Vector, tolerance: f64) -> Option<Transient<2>> {
        let Bristle { curve, sigma_0, sigma_1, .. } = self.bristle.0;
        let here = self.coefficients(t);
        let rate = here.decay / here.normal;
        if !(rate * (end - t) > SHORT_TRANSIENT) {
            return None;
        }
        let ahead = 1e-3 * (end - t);
        let slope = scaled(add(self.coefficients(t + ahead).steady(), -1.0, here.steady()), 1.0 / ahead);
        let rest = add(here.steady(), -1.0 / rate, slope);
        // The part of w that decays moves on a straight line, and the circle of the limit is convex.
        let is_limited = |w: Vector| size(w) > curve.mu_s * (1.0 + tolerance);
        let after = self.coefficients((t + 1.0 / rate).min(end));
        let change = (after.decay / after.normal / rate - 1.0).abs();
        let force = scaled(add(w, -1.0, rest), here.normal - sigma_1 * here.p / sigma_0);
        let share = 1.0 / (rate * self.duration);
        let wrong = size(force) / (curve.mu_s * here.normal.max(self.error_force)) * share * share.max(change);
        let is_short = change < STEADY_RATE && !is_limited(w) && !is_limited(rest) && wrong <= INNER_SHARE * tolerance;
        let [impulse, across] = scaled(force, 1.0 / rate);
        let Contact { v, v_y, .. } = self.segment.at(t);
        is_short.then_some(Transient { rest, loss: impulse * v + across * v_y, impulse })
    }

    fn allowed(&self, times: [f64; 2], share: f64) -> impl Fn(Vector) -> f64 {
        let trajectory = self.segment.trajectory();
        let bristle = &self.bristle.0;
        let place = |t| trajectory.displacement_in_plane_at(t);
        let slid = |[from, to]: [f64; 2]| size(add(place(to), -1.0, place(from)));
        let errors = self.errors(bristle, times, speed, slid);
        move |w| {
            let deflected = size(w) / bristle.curve.mu_s;
            bristle.curve.mu_s * (share * errors.of_force(deflected) + errors.rounding(deflected))
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
}

impl Relaxation<'_, InPlane> {
    /// Whether the bristle was deflected before F_N fell: its deflection is far larger than the steady one.
    fn is_large(&self, here: &Coefficients, z: Vector) -> bool {
        let Bristle { curve, sigma_0, .. } = self.bristle.0;
        size(z) > LARGE_DEFLECTION * curve.mu_s * here.normal / sigma_0
    }
}
