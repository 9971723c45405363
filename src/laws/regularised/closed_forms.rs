//! Closed forms of the bristle: open contact, full sliding, steady stick, linear stick, and the
//! tail of stick.
//!
//! By equation (3) both roots of m_b s² + σ_1 s + σ_0 are −ω = −2σ_0/σ_1: under a constant force F
//! the bristle tends to F/σ_0 as a critically damped oscillator. With ż = v it sticks without slip,
//! e = v − ż = 0, and F_R = F_0 is linear in time under a held velocity.

#![allow(clippy::needless_range_loop)] // the axes of several vectors

use super::equations::{At, FrDyn2Bristle, sign};
use super::stick_tail;
use crate::integrate::exponential::decay;
use crate::ode::{State, Totals};
use crate::scalar::{dot, size};
use crate::switches::{Method, is_on};
use core::array;

/// Distance from the rest position over the deflection that counts as rest, 1: 64 roundings.
/// Smaller: in short steps a bristle approaches its rest without reaching it; larger: the end of
/// the motion is a visible jump.
const REST_ROUNDING: f64 = 64.0 * f64::EPSILON;
/// Distance from steady sliding in the plane over the tolerance that counts as steady, of z over
/// F_s/σ_0 and of ż over v_s.
const STEADY: f64 = 1e-3;
/// 1/e.
const INVERSE_E: f64 = 0.367_879_441_171_442_4;

/// Motion of a bristle under a constant force towards `rest` (m) over `duration` (s), with the
/// double root −`omega` (1/s).
pub fn relax<const D: usize>(omega: f64, x: &mut State<D>, rest: &[f64; D], duration: f64) {
    let decay = decay(omega * duration);
    for i in 0..D {
        let (offset, slope) = (x.z[i] - rest[i], x.u[i] + omega * (x.z[i] - rest[i]));
        let distance = offset + slope * duration;
        // Within rounding of the rest position the bristle is at rest: in short steps it would not
        // come closer.
        let is_at_rest =
            decay == 0.0 || distance.abs().max(offset.abs()) < REST_ROUNDING * rest[i].abs();
        (x.z[i], x.u[i]) = if is_at_rest {
            (rest[i], 0.0)
        } else {
            (
                rest[i] + distance * decay,
                (slope - omega * distance) * decay,
            )
        };
    }
}

/// Motion over `rest` (s) under held inputs where it has a closed form.
#[inline(always)]
pub fn held<const STRAIGHT: bool, const D: usize>(
    law: &FrDyn2Bristle<STRAIGHT>,
    at: &At<f64, D>,
    tolerance: f64,
    x: &mut State<D>,
    rest: f64,
) -> Option<Totals<D>> {
    let v = &at.v;
    let slip: [f64; D] = array::from_fn(|i| v[i] - x.u[i]);
    let speed = size(&slip);
    if speed >= law.least_of_full_sliding() {
        if law.level_of(sign(&slip)).sigma_2 > 0.0 {
            return None;
        }
        return if !is_on(if D == 1 {
            Method::HeldSliding
        } else {
            Method::PlanarSliding
        }) {
            None
        } else if D == 1 {
            sliding(law, at, 0.0, v[0] * rest, x, rest)
        } else {
            steady_sliding(law, at, tolerance, x, rest)
        };
    }
    if speed == 0.0 && is_on(Method::SteadyStick) {
        steady_stick(law, at, x, rest)
    } else if speed > law.v_s {
        None
    } else if STRAIGHT && !law.is_uneven && is_on(Method::LinearStick) {
        linear_stick(law, at, x, rest, &slip)
    } else if D == 1 && !STRAIGHT && is_on(Method::StickTail) {
        let static_force = law.static_force(at, sign(&law.sticking_force(&x.z, v)));
        stick_tail::motion(law, static_force, tolerance, x, v[0], rest)
    } else {
        None
    }
}

/// Full sliding along a line over `rest` (s) under a constant normal force; `v` has the velocity
/// and its derivatives at the start.
pub fn moving<const STRAIGHT: bool, const D: usize>(
    law: &FrDyn2Bristle<STRAIGHT>,
    at: &At<f64, D>,
    v: &[[f64; 4]; D],
    x: &mut State<D>,
    rest: f64,
) -> Option<Totals<D>> {
    let slip = v[0][0] - x.u[0];
    let is_viscous = law.level_of(slip).sigma_2 > 0.0;
    if !is_on(Method::MovingSliding)
        || D > 1
        || is_viscous
        || slip.abs() < law.least_of_full_sliding()
    {
        return None;
    }
    let [start, first, second, third] = v[0];
    // Largest change of v, and its displacement.
    let dv = rest * (first.abs() + rest * (0.5 * second.abs() + rest / 6.0 * third.abs()));
    let travel =
        rest * (start + rest * (0.5 * first + rest * (second / 6.0 + rest * third / 24.0)));
    sliding(law, at, dv, travel, x, rest)
}

/// Full sliding along a line, where bounds prove it for all later times; v changes by at most `dv`
/// (m/s), over a displacement `travel` (m).
#[inline(always)]
fn sliding<const STRAIGHT: bool, const D: usize>(
    law: &FrDyn2Bristle<STRAIGHT>,
    at: &At<f64, D>,
    dv: f64,
    travel: f64,
    x: &mut State<D>,
    rest: f64,
) -> Option<Totals<D>> {
    let v = at.v[0];
    let side = 1.0_f64.copysign(v - x.u[0]);
    let force = law.level_of(side).mu_d * at.F_N;
    let end = force / law.sigma_0;
    // Bounds for all later times of |z| and |ż|, by e^(−ωt) ≤ 1 and ωt e^(−ωt) ≤ 1/e, seen in the
    // direction of sliding.
    let (offset, velocity) = (side * x.z[0] - end, side * x.u[0]);
    let swing = velocity + law.omega * offset;
    let least_z = end + offset.min(0.0) + (swing / law.omega * INVERSE_E).min(0.0);
    let most_velocity = velocity.max(0.0) + (-swing * INVERSE_E).max(0.0);
    let least_v = side * v - dv;
    let sticking_force = law.sigma_0 * least_z + law.sigma_1 * least_v;
    let shift = if sticking_force >= law.static_force(at, side) {
        law.v_s
    } else if sticking_force >= 0.0 {
        0.0
    } else {
        -law.v_s
    };
    if least_v - most_velocity + shift < law.v_d {
        return None;
    }
    if offset != 0.0 || velocity != 0.0 {
        relax(law.omega, x, &[side * end; D], rest);
    }
    Some(Totals {
        work: side * force * travel,
        impulse: [side * force * rest; D],
    })
}

/// Steady sliding in the plane: the force has the direction of v.
fn steady_sliding<const STRAIGHT: bool, const D: usize>(
    law: &FrDyn2Bristle<STRAIGHT>,
    at: &At<f64, D>,
    tolerance: f64,
    x: &mut State<D>,
    rest: f64,
) -> Option<Totals<D>> {
    let (v, speed) = (&at.v, size(&at.v));
    if size(&x.u) > STEADY * tolerance * law.v_s || speed < law.certain_full_sliding() {
        return None;
    }
    let force = v.map(|v| law.level.forward.mu_d * at.F_N / speed * v);
    let distance: [f64; D] = array::from_fn(|i| law.sigma_0 * x.z[i] - force[i]);
    if size(&distance) > STEADY * tolerance * law.static_force(at, 0.0) {
        return None;
    }
    x.u = [0.0; D];
    let impulse = force.map(|force| force * rest);
    Some(Totals {
        work: dot(&impulse, v),
        impulse,
    })
}

/// Stick without slip under held inputs, while |F_0| < F_s.
fn steady_stick<const STRAIGHT: bool, const D: usize>(
    law: &FrDyn2Bristle<STRAIGHT>,
    at: &At<f64, D>,
    x: &mut State<D>,
    rest: f64,
) -> Option<Totals<D>> {
    let v = &at.v;
    let start = law.sticking_force(&x.z, v);
    let end: [f64; D] = array::from_fn(|i| start[i] + law.sigma_0 * v[i] * rest);
    if [start, end]
        .iter()
        .any(|force| size(force) >= law.static_force(at, sign(force)))
    {
        return None;
    }
    for i in 0..D {
        x.z[i] += v[i] * rest;
    }
    let impulse = array::from_fn(|i| 0.5 * (start[i] + end[i]) * rest);
    Some(Totals {
        work: dot(&impulse, v),
        impulse,
    })
}

/// Stick of the linear regularisation under held inputs, while |F_0| and |F_R| are at most F_s: the
/// slip e decays with one rate along each axis, F_R = F_0 + (F_s/v_s) e. F_s is that of both
/// directions.
fn linear_stick<const STRAIGHT: bool, const D: usize>(
    law: &FrDyn2Bristle<STRAIGHT>,
    at: &At<f64, D>,
    x: &mut State<D>,
    rest: f64,
    slip: &[f64; D],
) -> Option<Totals<D>> {
    let (v, static_force) = (&at.v, law.static_force(at, 0.0));
    let slope = static_force * law.inverse_v_s;
    let rate = (slope + law.sigma_1) * law.inverse_mass;
    let gone = -libm::expm1(-rate * rest);
    let start = law.sticking_force(&x.z, v);
    let z: [f64; D] = array::from_fn(|i| x.z[i] + v[i] * rest - slip[i] * gone / rate);
    let end = law.sticking_force(&z, v);
    // Largest size of F_0 (part 0) and of F_R (part 1): along an axis each has one extremum at
    // most, where σ_0 v = (σ_0 + part·slope·rate) e.
    let largest = |part: f64| {
        let along = |i: usize| {
            let before = start[i] + part * slope * slip[i];
            let after = end[i] + part * slope * slip[i] * (1.0 - gone);
            let left = law.sigma_0 * v[i] / ((law.sigma_0 + part * slope * rate) * slip[i]);
            let extremum = if left > 1.0 - gone && left < 1.0 {
                let time = -libm::log(left) / rate;
                start[i]
                    + law.sigma_0 * (v[i] * time - slip[i] * (1.0 - left) / rate)
                    + part * slope * slip[i] * left
            } else {
                before
            };
            before.abs().max(after.abs()).max(extremum.abs())
        };
        size(&array::from_fn::<f64, D, _>(along))
    };
    if largest(0.0) > static_force || largest(1.0) > static_force {
        return None;
    }
    let impulse = array::from_fn(|i| {
        let elastic = (start[i] + 0.5 * law.sigma_0 * v[i] * rest) * rest;
        elastic - law.sigma_0 * slip[i] / rate * (rest - gone / rate)
            + slope * slip[i] * gone / rate
    });
    *x = State {
        z,
        u: array::from_fn(|i| v[i] - slip[i] * (1.0 - gone)),
    };
    Some(Totals {
        work: dot(&impulse, v),
        impulse,
    })
}
