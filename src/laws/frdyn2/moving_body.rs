//! A body on the bristle, by Taylor series: the velocity is one more unknown of the series. See §13 of `docs/internals/numerics.md`.
//!
//! Inner steps go from zone to zone, as those of a segment do, and end on the borders of the zones. Stick that is too stiff for series,
//! a light contact, and one that opens or closes are left to the general integrator.

use super::constants::{
    MAX_BODY_LAG, MAX_BODY_STEPS, MAX_BODY_STICK_TIME_CONSTANTS, MIN_NORMAL_FORCE_SHARE, MIN_SPEED_SHARE,
    MIN_STATIC_FORCE,
};
use super::dimensionless::{DimensionlessLaw, PhasePoint, StepResult, Zone};
use super::equations::Equations;
use super::error_budget::ErrorBudget;
use super::inputs::{InputPolynomials, OnBody};
use super::moving_terms::MovingTerms;
use super::series::{INVERSES, product, value};
use super::taylor_series::{ShiftBranch, TaylorSeries};
use super::taylor_step::taylor_step_with;
use crate::integrate::step_limit::StepLimit;
use crate::law::{BodyStart, Contact, LoadInterval, PartialMotion};

/// A body on the bristle under a load.
pub struct MovingBody<'a> {
    /// The bristle.
    pub equations: &'a Equations,
    /// The body at the start.
    pub start: &'a BodyStart<2>,
}

/// A point of the motion. Dimensionless variables are carried from step to step, so that a step begins exactly on the border on which
/// the last one has ended.
#[derive(Clone, Copy)]
struct Point {
    /// Time, s.
    t: f64,
    /// F_0/F_s.
    r: f64,
    /// (v − ż)/v_s.
    e: f64,
    /// v/v_s.
    nu: f64,
    /// Largest |v|/v_s so far.
    speed: f64,
    /// Deflection, m.
    z: f64,
    /// Displacement of the body since the start, m.
    travel: f64,
    /// Friction loss since the start, J.
    loss: f64,
}

impl MovingBody<'_> {
    /// Motion from the start, as far as series follow it.
    pub fn advance(&self, interval: &LoadInterval, limit: &mut StepLimit) -> Option<PartialMotion<2>> {
        let BodyStart { v, velocity_scale, states: x, .. } = *self.start;
        let LoadInterval { normal, duration, tolerance, .. } = *interval;
        let (least, most) = (normal[0].min(normal[1]), normal[0].max(normal[1]));
        let Equations { mu_s, sigma_1, v_s, inverse_v_s, max_stable_force, .. } = *self.equations;
        let is_light = sigma_1 * v_s > MAX_BODY_LAG * mu_s * least;
        if is_light || mu_s * least < MIN_STATIC_FORCE || least < MIN_NORMAL_FORCE_SHARE * most {
            return None;
        }
        let budget = if most > max_stable_force {
            ErrorBudget::unstable(tolerance)
        } else {
            ErrorBudget::stable(tolerance, true)
        };
        let (nu, force) = (v * inverse_v_s, self.equations.sticking_force(Contact::new(normal[0], v), &x));
        let mut point = Point {
            t: 0.0,
            r: force / (mu_s * normal[0]),
            e: (v - x[1]) * inverse_v_s,
            nu,
            speed: nu.abs().max(MIN_SPEED_SHARE * velocity_scale * inverse_v_s),
            z: x[0],
            travel: 0.0,
            loss: 0.0,
        };
        let mut inner_steps = 0;
        while point.t < duration && inner_steps < MAX_BODY_STEPS.min(limit.left()) {
            let Some(next) = self.step(&point, interval, most, &budget) else { break };
            limit.add(1);
            (point, inner_steps) = (next, inner_steps + 1);
        }
        let v = v_s * point.nu;
        let Point { t, travel, loss, .. } = point;
        (inner_steps > 0).then_some(PartialMotion {
            duration: t,
            v,
            travel,
            states: [point.z, v - v_s * point.e],
            loss,
            inner_steps,
        })
    }

    /// The end of the inner step from `point`; `None` where the contact sticks for too long, and where a series has no step.
    fn step(&self, point: &Point, interval: &LoadInterval, most: f64, budget: &ErrorBudget) -> Option<Point> {
        let Equations { sigma_1, mu_s, v_s, inverse_v_s, compliance, .. } = *self.equations;
        let LoadInterval { normal, load, duration, .. } = *interval;
        let BodyStart { mass, velocity_scale, .. } = *self.start;
        let (t, rest) = (point.t, duration - point.t);
        let [normal_rate, load_rate] = [normal, load].map(|[start, end]| (end - start) / duration);
        let normal_force = normal[0] + normal_rate * t;
        let static_force = mu_s * normal_force;
        let contact = Contact::new(normal_force, v_s * point.nu);
        let law = DimensionlessLaw::new(self.equations, contact, 1.0 / static_force, most);
        let start = PhasePoint::new(point.r, point.e);
        let w = start.w();
        // For w < 0 everything is mirrored.
        let side = if w < 0.0 { -1.0 } else { 1.0 };
        let (start, nu) = (start.mirrored(side), side * point.nu);
        let zone = law.zone(w.abs());
        let share = inverse_v_s / mass;
        let body = OnBody {
            load: [side * share * (load[0] + load_rate * t), side * share * load_rate],
            mobility: share * static_force,
            weight: v_s / velocity_scale,
            speed: point.speed,
        };
        let phi_rate = normal_rate / normal_force;
        let inputs = InputPolynomials::on_body(nu, law.characteristic(zone, w.abs()), phi_rate, body);
        let may_stick = zone == Zone::Parabola && start.r > 0.0;
        if may_stick {
            // The fastest rates: of e in stick, and of ν, σ_1/m.
            let rate = law.alpha + 2.0 * law.b * start.s + sigma_1 / mass;
            let crossing = (law.kappa * nu + law.lag * inputs.nu[1]).abs();
            if rate * rest.min(2.0 / crossing) > MAX_BODY_STICK_TIME_CONSTANTS {
                return None;
            }
        }
        let tolerance = if may_stick { budget.stick } else { budget.series };
        let mut terms = MovingTerms::new();
        let ((series, length), StepResult { h, dr, e, work }) =
            taylor_step_with(&mut terms, &law, inputs, zone, start, rest, tolerance)?;
        let [end, path] = velocity(&series, &terms, length);
        let phi = 1.0 + phi_rate * h;
        // The change of z follows from that of F_0 = σ_0 z + σ_1 v.
        let force = (dr * phi + start.r * (phi - 1.0)) * static_force - sigma_1 * v_s * (end - nu);
        Some(Point {
            t: if h >= rest { duration } else { t + h },
            r: point.r + side * dr,
            e: side * e,
            nu: side * end,
            speed: point.speed.max(end.abs()),
            z: point.z + side * force * compliance,
            travel: point.travel + side * v_s * path,
            loss: point.loss + static_force * v_s * work,
        })
    }
}

/// ν at the end of a step of the length `h`, in t or τ, and its integral over time.
fn velocity(series: &TaylorSeries, terms: &MovingTerms, h: f64) -> [f64; 2] {
    let TaylorSeries { branch, ref s, order, .. } = *series;
    let mut path = 0.0;
    for k in (0..order).rev() {
        let rate = if branch == ShiftBranch::RegularisedTime { product(&terms.nu, s, k) } else { terms.nu[k] };
        path = path * h + rate * INVERSES[k];
    }
    [value(&terms.nu, order, h), path * h]
}

#[cfg(test)]
mod tests;
