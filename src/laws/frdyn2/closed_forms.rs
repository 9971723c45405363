//! Closed forms of the bristle: steady sliding, steady stick, open contact and full sliding. See §10 of `docs/internals/numerics.md`.
//!
//! By equation (3) both roots of m_b s² + σ_1 s + σ_0 are −ω = −2σ_0/σ_1: under a constant force F the bristle tends to F/σ_0 as a
//! critically damped oscillator. That is its motion in an open contact (F = 0) and in full sliding (F = ±F_d).

use super::constants::{MIN_STATIC_FORCE, REST_ROUNDING};
use super::equations::Equations;
use crate::integrate::exponential;
use crate::law::{Contact, InputTrajectory, StepResult};

/// Critically damped motion z(t) = rest + (offset + slope·t) e^(−ωt).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DampedMotion {
    rest: f64,
    omega: f64,
    offset: f64,
    slope: f64,
}

/// Bounds of z (m) and ż (m/s) for all time.
pub struct Bounds {
    /// Lower and upper bound of z.
    pub z: [f64; 2],
    /// Lower and upper bound of ż.
    pub z_dot: [f64; 2],
}

impl DampedMotion {
    /// The motion from `x` = (z, ż) towards `rest` (m) with the double root −`omega` (1/s).
    pub fn new(x: &[f64; 2], rest: f64, omega: f64) -> Self {
        let offset = x[0] - rest;
        DampedMotion { rest, omega, offset, slope: x[1] + omega * offset }
    }

    /// (z, ż) after `t` seconds.
    pub fn at(&self, t: f64) -> [f64; 2] {
        let DampedMotion { rest, omega, offset, slope } = *self;
        let distance = offset + slope * t;
        // Within rounding of the rest position the bristle is at rest: in short steps it would not come closer.
        if distance.abs().max(offset.abs()) < REST_ROUNDING * rest.abs() {
            return [rest, 0.0];
        }
        let decay = exponential::decay(omega * t);
        // Avoids 0 · ∞, an underflow of the decay times an overflow of the distance.
        if decay == 0.0 {
            return [rest, 0.0];
        }
        [rest + distance * decay, (slope - omega * distance) * decay]
    }

    /// Bounds for all t ≥ 0, by e^(−ωt) ≤ 1 and ωt e^(−ωt) ≤ 1/e.
    pub fn bounds(&self) -> Bounds {
        const INVERSE_E: f64 = 0.367_879_441_171_442_4;
        let DampedMotion { rest, omega, offset, slope } = *self;
        let between = |start: f64, swing: f64| [start.min(0.0) + swing.min(0.0), start.max(0.0) + swing.max(0.0)];
        let [low, high] = between(offset, slope / omega * INVERSE_E);
        let z_dot = between(slope - omega * offset, -slope * INVERSE_E);
        Bounds { z: [rest + low, rest + high], z_dot }
    }
}

/// Step of a bristle that throughout is at rest in sliding, or sticks with ż = v under held inputs. `may_slide` is true where the force
/// of full sliding does not depend on v.
#[inline(always)]
pub fn steady(
    equations: &Equations,
    trajectory: &InputTrajectory,
    duration: f64,
    may_slide: bool,
    x: &mut [f64; 2],
) -> Option<StepResult> {
    let contact = trajectory.start;
    let (travel, dv) = match trajectory.derivatives {
        None => (contact.v * duration, 0.0),
        Some(_) => trajectory.travel(duration)?,
    };
    let over = |mean_force: f64| StepResult { loss: mean_force * travel, inner_steps: 1, ..StepResult::default() };
    if may_slide && let Some(force) = steady_sliding(equations, contact, dv, x) {
        return Some(over(force));
    }
    if trajectory.derivatives.is_some() {
        return None;
    }
    let force = steady_stick(equations, contact, duration, x)?;
    let mean_force = force + 0.5 * equations.sigma_0 * travel;
    // Without a store at rest: a processor waits for one where both states are loaded together next.
    if travel != 0.0 {
        x[0] += travel;
    }
    Some(over(mean_force))
}

/// Friction force (N) of a bristle at rest that slides fully throughout, for every shift; the most frequent case of sliding. The
/// normal force is held; v deviates from its start by at most `dv` (m/s).
#[inline]
pub fn steady_sliding(equations: &Equations, contact: Contact, dv: f64, x: &[f64; 2]) -> Option<f64> {
    let force = (equations.mu_d * contact.F_N).copysign(contact.v);
    let slides = contact.v.abs() - dv >= equations.fully_sliding && equations.is_closed(contact);
    (slides && *x == [force * equations.compliance, 0.0]).then_some(force)
}

/// Friction force (N) at the start of `duration` (s) where the bristle sticks with ż = v under held inputs throughout: then
/// F_R = F_0, linear in time.
#[inline]
pub fn steady_stick(equations: &Equations, contact: Contact, duration: f64, x: &[f64; 2]) -> Option<f64> {
    let force = equations.sticking_force(contact, x);
    let most = force.abs().max((force + equations.sigma_0 * contact.v * duration).abs());
    (x[1] == contact.v && most < equations.mu_s * contact.F_N).then_some(force)
}

/// Motion of the bristle and its friction force (N) where the contact is open or slides fully throughout, proved by bounds for all
/// later times (§10). The normal force is held; v deviates from its start by at most `dv` (m/s).
pub fn damped_motion(equations: &Equations, contact: Contact, dv: f64, x: &[f64; 2]) -> Option<(DampedMotion, f64)> {
    let static_force = equations.mu_s * contact.F_N;
    if static_force < MIN_STATIC_FORCE {
        return Some((DampedMotion::new(x, 0.0, equations.omega), 0.0));
    }
    let slip = contact.v - x[1];
    // The root of the shift is calculated only where the bounds depend on it.
    if slip.abs() < equations.partly_sliding {
        return None;
    }
    if slip.abs() < equations.fully_sliding
        && equations.characteristic_point(contact, x).is_some_and(|here| here.x_2 < 1.0)
    {
        return None;
    }
    let force = (equations.mu_d * contact.F_N).copysign(slip);
    let motion = DampedMotion::new(x, force * equations.compliance, equations.omega);
    // Lower bound of w for all time where w > 0; everything is mirrored where w < 0.
    let Bounds { z, z_dot } = motion.bounds();
    let (v, z_min, z_dot_max) = if slip > 0.0 { (contact.v, z[0], z_dot[1]) } else { (-contact.v, -z[1], -z_dot[0]) };
    let v = v - dv;
    let sticking_force = equations.sigma_0 * z_min + equations.sigma_1 * v;
    let shift = if sticking_force >= static_force {
        equations.v_s
    } else if sticking_force >= 0.0 {
        0.0
    } else {
        -equations.v_s
    };
    (v - z_dot_max + shift >= equations.v_d).then_some((motion, force))
}

#[cfg(test)]
mod tests;
