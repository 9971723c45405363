//! The transient of stick under held inputs along a line, in closed form.
//!
//! With r = F_0/F_s ≥ 0, s = √(1 − r) and the slip e = v − ż, stick of FrDyn2 is e′ = −e (α + β s −
//! g e), r′ = ν − κ e with α = σ_1/m_b, β = 2F_s/(v_s m_b), g = β/(2v_s), ν = σ_0 v/F_s and κ =
//! σ_0/F_s. For a constant s the first is Bernoulli's equation; s enters by its mean over the
//! motion, weighted so that the error is of second order.

use super::equations::FrDyn2Bristle;
use crate::integrate::exponential::decay;
use crate::integrate::extrema::smaller;
use crate::ode::{State, Totals};

/// Error of a tail over the tolerance, 1: errors of r do not decay in stick, and those of many
/// steps add up. Larger: with 0.05 F_R of a narrow regularisation is off by 1.2e-6 F_s
/// (`tests/tests/accuracy.rs`), with 0.1 more random steps exceed the tolerance
/// (`cargo xtask stress --element FrDyn2`); smaller: more inner steps before a tail.
const SHARE: f64 = 0.03;
/// Error of the slip at the end of a tail over the tolerance, 1: it decays in the next step. The
/// estimate is above the error in random transients, and a third of the tolerance is left for the
/// rest. Larger: steps beyond the tolerance; smaller: more inner steps before a tail.
const SHARE_OF_SLIP: f64 = 0.3;
/// Error of the mean force over the tolerance, of which ten are allowed: an error δ of z takes part
/// in it by σ_1 δ over the length of the tail, and one of ż by m_b δ.
const OF_MEAN: f64 = 3.0;
/// Coefficient of q³, the first power of q that is left out. Estimate: the next terms of both
/// series add up to less in random transients.
const LEFT_OUT: f64 = 0.3;
/// Part of the correction of the mean of s that it may be off by, 1: a sixth for s from 0 on, a
/// third where the transient is cut short.
const OF_BEND: f64 = 0.3;
/// Largest relative change of the decay rate during a tail, 1: its square is the order left out.
const MAX_SPREAD: f64 = 0.3;
/// Length of a tail in time constants from which on all of the transient is in it.
const WHOLE: f64 = 14.0;
/// Length up to which a tail is short: e hardly decays.
const SHORT: f64 = 0.05;
/// Length from which on nothing is left of e.
const NOTHING_LEFT: f64 = 40.0;

/// Motion over `rest` (s) along the first axis; `None` where the error would exceed a share of the
/// tolerance, or |F_0| reach F_s.
#[inline(always)]
pub fn motion<const STRAIGHT: bool, const D: usize>(
    law: &FrDyn2Bristle<STRAIGHT>,
    static_force: f64,
    tolerance: f64,
    x: &mut State<D>,
    v: f64,
    rest: f64,
) -> Option<Totals<D>> {
    let compliance = 1.0 / static_force;
    let r = (law.sigma_0 * x.z[0] + law.sigma_1 * v) * compliance;
    // Mirrored so that r ≥ 0.
    let side = 1.0_f64.copysign(r);
    let (r, nu, kappa) = (
        side * r,
        side * law.sigma_0 * v * compliance,
        law.sigma_0 * compliance,
    );
    let e = side * (v - x.u[0]);
    if r >= 1.0 {
        return None;
    }
    let s = (1.0 - r).sqrt();
    let alpha = law.sigma_1 * law.inverse_mass;
    let beta = 2.0 * static_force * law.inverse_v_s * law.inverse_mass;
    let g = 0.5 * beta * law.inverse_v_s;
    let rate = alpha + beta * s;
    let time = 1.0 / rate;
    let allowed = tolerance * smaller(SHARE, OF_MEAN * 0.5 * law.omega * rest);
    // Change of r by the transient, and the relative change of the rate while it lasts.
    let (slip, jump) = (e * law.inverse_v_s, kappa * e.abs() * time);
    let spread = beta * time / (2.0 * s) * (nu.abs() * time + 0.5 * jump);
    if slip > s || spread > MAX_SPREAD || !(jump * spread * (spread + 0.3 * slip.abs()) <= allowed)
    {
        return None;
    }
    // Where w or r has the other sign, the formula is another one, by terms of second order.
    let lowest = r - kappa * e.max(0.0) * time + 3.0 * nu.min(0.0) * time;
    let beyond = (slip + 1.0 - s).min(0.0).abs() + lowest.min(0.0).abs();
    if jump * beyond > allowed || law.is_uneven && beyond > 0.0 {
        return None;
    }
    let length = rate * rest;
    let [delay, share, variance] = means(length, time, rest);
    let half = kappa * e * time * share;
    let mean = r + nu * delay - half;
    let root = (1.0 - mean.abs()).max(1e-6).sqrt();
    // The mean of s is not s at the mean of r: by Simpson's rule over the transient, which leaves
    // up to a third of the difference.
    let [middle, far] = [half, 2.0 * half].map(|gone| (1.0 - (r - gone).abs()).max(0.0).sqrt());
    let bend = (s - 2.0 * middle + far) * (1.0 / 6.0);
    if !(jump * beta * time * (OF_BEND * bend).abs() <= allowed) {
        return None;
    }
    let root = root + bend - nu * nu * variance / (8.0 * root * root * root);
    // Bernoulli's equation with the mean rate: ∫e = −ln(1 − q (1 − E))/g with q = g e/rate.
    let mean_rate = alpha + beta * root;
    let left = decay(mean_rate * rest);
    let q = g * e / mean_rate;
    // The moment of e, in the mean force, has powers of q up to the second; its error may be ten
    // times the tolerance.
    if !(jump * q.abs() * q * q <= 10.0 * tolerance) {
        return None;
    }
    let area = minus_logarithm(q * (1.0 - left)) / g;
    let end = r + nu * rest - kappa * area;
    if !(end.abs() < 1.0) {
        return None;
    }
    let mut slip_at_end = 0.0;
    if length <= NOTHING_LEFT {
        let transient = Transient {
            r,
            s,
            nu,
            loss: kappa * e * time,
            q: g * e * time,
            length,
            rest,
        };
        let Remaining { slip, uncertain } = transient.remaining(alpha, beta)?;
        slip_at_end = e * slip;
        if 2.0 * (slip_at_end * law.inverse_v_s).abs() * (uncertain + beyond)
            > tolerance * smaller(SHARE_OF_SLIP, OF_MEAN * beta * rest)
        {
            return None;
        }
    }
    // ∫F_R = m_b Δż + ∫(σ_0 z + σ_1 ż), where F_0 = F_s (r + ν t − κ ∫e).
    let ([square, cube], x_end) = ([left * left, left * left * left], mean_rate * rest);
    let first = (1.0 + q + q * q) * (1.0 - left * (1.0 + x_end));
    let second = 0.25 * q * (1.0 + 2.0 * q) * (1.0 - square * (1.0 + 2.0 * x_end));
    let third = (1.0 / 9.0) * q * q * (1.0 - cube * (1.0 + 3.0 * x_end));
    let moment = e / (mean_rate * mean_rate) * (first - second + third);
    let elastic = static_force * ((r + 0.5 * nu * rest) * rest - kappa * (area * rest - moment));
    let impulse = side * (law.mass * (e - slip_at_end) + elastic - law.sigma_1 * area);
    x.z[0] += v * rest - side * area;
    x.u[0] = v - side * slip_at_end;
    Some(Totals {
        work: impulse * v,
        impulse: [impulse; D],
    })
}

/// A transient from its start.
struct Transient {
    /// r.
    r: f64,
    /// √(1 − r).
    s: f64,
    /// ν, 1/s.
    nu: f64,
    /// Change of r by all of the transient at the rate of its start, κ e/rate.
    loss: f64,
    /// q at the rate of its start.
    q: f64,
    /// Time over the time constant of its start.
    length: f64,
    /// Time, s.
    rest: f64,
}

/// Slip at the end of a transient.
struct Remaining {
    /// Slip e over that at the start.
    slip: f64,
    /// Relative uncertainty of it.
    uncertain: f64,
}

impl Transient {
    /// Slip that is left at the end; `None` where the mean of r leaves stick.
    ///
    /// Over 1/e Bernoulli's equation is linear: e = e_0 E/(1 − q (1 − E) + g e_0 J), where E is the
    /// decay by the mean of the rate, and J the mean over the decay of the rate's lead over its
    /// mean, to first order in the change of s.
    #[inline(always)]
    fn remaining(&self, alpha: f64, beta: f64) -> Option<Remaining> {
        let Transient {
            r,
            s,
            nu,
            loss,
            q,
            length,
            rest,
        } = *self;
        // Means over the time of 1 − exp(−λt), of its powers, and of its product with the time.
        let left = decay(length);
        let [one, two, three] = powers(left, length);
        let product = 0.5 - (1.0 - one - left) / length;
        // The change of r by Bernoulli's equation is a series in q: 1 − exp(−λt) + q/2 (…)² + q²/3
        // (…)³.
        let (linear, drift) = (0.5 * nu * rest - loss * one, nu * rest);
        let mean = r + linear - loss * q * (0.5 * two + q * (1.0 / 3.0) * three);
        if !(mean.abs() < 1.0) {
            return None;
        }
        let variance = drift * drift / 3.0 + loss * loss * two
            - 2.0 * drift * loss * product
            - linear * linear;
        let root = (1.0 - mean).sqrt();
        let rate = alpha + beta * (root - variance / (8.0 * root * root * root));
        let (time, whole) = (1.0 / rate, rate * rest);
        let ratio = whole / length;
        let (left, q, loss) = (decay(whole), q / ratio, loss / ratio);
        let first = 1.0 - left * (1.0 + whole);
        let second = 2.0 - left * (2.0 + whole * (2.0 + whole));
        let ([one, two, _], all) = (powers(left, whole), 1.0 - left);
        let of_square =
            (1.0 - two) * first - all * all + 0.5 * all - (1.0 - left * left * left) * (1.0 / 6.0);
        let ahead = loss * ((1.0 - one) * first - 0.5 * all * all + 0.5 * q * of_square)
            - 0.5 * nu * time * (second - whole * first);
        let ahead = 0.5 * beta * time / root * ahead;
        // The change of s and that of the rate; both count while e decays.
        let change = (drift.abs() + loss.abs() * (1.0 - left)) / (2.0 * s * s);
        let spread = beta * s * time * change * whole.min(4.0);
        let uncertain = spread * (0.5 * (change * change + spread) + LEFT_OUT * q.abs() * q * q);
        Some(Remaining {
            slip: left / (1.0 - q * (1.0 - left) + q * ahead),
            uncertain,
        })
    }
}

/// Means of the first three powers of 1 − exp(−λt) over `length` time constants; `left` is exp(−λt)
/// at the end.
#[inline(always)]
fn powers(left: f64, length: f64) -> [f64; 3] {
    let [one, two, three] =
        [1.0 - left, 1.0 - left * left, 1.0 - left * left * left].map(|gone| gone / length);
    [
        1.0 - one,
        1.0 - 2.0 * one + 0.5 * two,
        1.0 - 3.0 * one + 1.5 * two - three * (1.0 / 3.0),
    ]
}

/// Mean of the time and of the part of e that is gone, each weighted by what of e is still to
/// decay, and the square of the mean time.
#[inline(always)]
fn means(length: f64, time: f64, rest: f64) -> [f64; 3] {
    if length > WHOLE {
        return [time, 0.5, time * time];
    }
    if length < SHORT {
        return [rest / 3.0, length / 3.0, rest * rest / 18.0];
    }
    let left = libm::exp(-length);
    let weight = 1.0 - left * (1.0 + length);
    let delay = time * (weight - 0.5 * left * length * length) / weight;
    [
        delay,
        1.0 - 0.5 * (1.0 - left) * (1.0 - left) / weight,
        delay * delay,
    ]
}

/// −ln(1 − y) for small y, to 1e-9 of it: 2 artanh(y/(2 − y)).
#[inline(always)]
fn minus_logarithm(y: f64) -> f64 {
    let u = y / (2.0 - y);
    let square = u * u;
    2.0 * u * (1.0 + square * (1.0 / 3.0 + square * (0.2 + square * (1.0 / 7.0))))
}
