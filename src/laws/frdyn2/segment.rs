//! A segment: inner steps by closed tail, collocation or Taylor series, from zone to zone. See §2 and §16 of `docs/internals/numerics.md`.
//!
//! In stick at constant v, e decays. Where the segment is long enough for most of the decay, the transient takes one step
//! ([`stick_transient`]), and its end has a closed form ([`stick_tail`]). Where the inputs move, e depends on them and does not decay to
//! 0: series advance its transient, and one step the slow motion after it ([`slow_stick`]). Near |r| = 1 the root s has no series in time,
//! and the steps are series in a regularised time. The general integrator does the rest.

use super::constants::{MAX_SEGMENT_STEPS, MAX_STICK_TIME_CONSTANTS, MAX_TRANSIENT_STEPS, STICK_LOSS_RATIO};
use super::dimensionless::{DimensionlessLaw, PhasePoint, StepResult, Zone};
use super::inputs::{InputCase, InputPolynomials};
use super::slow_stick::{Attempts, slow_stick};
use super::stick_tail::stick_tail;
use super::stick_transient::stick_transient;
use super::taylor_step::taylor_step;
use crate::integrate::extrema::smaller;

/// Tolerances of r and of weight·e in an inner step.
#[derive(Clone, Copy)]
pub struct SegmentTolerances {
    /// Tolerance outside stick.
    pub series: f64,
    /// Tolerance in stick.
    pub stick: f64,
}

/// Result of a segment.
#[derive(Clone, Copy, Debug)]
pub struct SegmentResult {
    /// Time reached, s from the start of the inputs.
    pub t: f64,
    /// Change of r; under a moving normal force the sum of the changes of φ r of the steps.
    pub dr: f64,
    /// e at the end.
    pub e: f64,
    /// ∫ φ f ν dt, s.
    pub work: f64,
    /// Number of inner steps.
    pub steps: u32,
    /// Bound of ln of the factor by which the falling branch has multiplied errors.
    pub growth: f64,
}

/// Advances (r, e) from `begin` up to `end` (s from the start of the inputs). Ends early where full sliding begins, after
/// `max_steps` or [`MAX_SEGMENT_STEPS`], where stick under moving inputs is too stiff, and where a series has no step.
pub fn integrate_segment<C: InputCase>(
    law: &DimensionlessLaw,
    inputs: InputPolynomials<C>,
    [r, e]: [f64; 2],
    [begin, end]: [f64; 2],
    tolerances: SegmentTolerances,
    max_steps: u32,
    attempts: &mut Attempts,
) -> SegmentResult {
    let mut segment = SegmentResult { t: begin, dr: 0.0, e, work: 0.0, steps: 0, growth: 0.0 };
    let (mut slid, mut transient_steps) = (false, 0);
    let max_steps = max_steps.min(MAX_SEGMENT_STEPS);
    while segment.t < end && segment.steps < max_steps {
        let (start, rest) = (PhasePoint::new(r + segment.dr, segment.e), end - segment.t);
        let w = start.w();
        // For w < 0 everything is mirrored.
        let side = if w < 0.0 { -1.0 } else { 1.0 };
        let (start, ahead) = (start.mirrored(side), inputs.expanded_at(segment.t).mirrored(side));
        let phi = inputs.phi_at(segment.t);
        let under_phi;
        let here = if C::NORMAL_FORCE_MOVES {
            under_phi = law.under(phi);
            &under_phi
        } else {
            law
        };
        let zone = match law.zone(w.abs()) {
            // Full sliding has just begun, or its bounds become narrower with every step: the caller tries its closed form.
            Zone::Constant if segment.steps > 0 && (!slid || C::NORMAL_FORCE_MOVES) => break,
            zone => zone,
        };
        slid = zone == Zone::Constant;
        let may_stick = zone == Zone::Parabola && start.r > 0.0;
        // With r < 0 < w, F_R drives the bristle out of this zone: errors of F_0 do not accumulate.
        let tolerance = if may_stick { tolerances.stick } else { tolerances.series };
        let in_stick = if C::VELOCITY_MOVES {
            let both = [tolerance, STICK_LOSS_RATIO * tolerances.stick];
            (zone == Zone::Parabola).then(|| slow_stick(here, &ahead, start, rest, attempts, both)).flatten()
        } else {
            (zone == Zone::Parabola).then(|| held_stick(here, ahead.nu[0], start, rest, tolerances.stick)).flatten()
        };
        // Until the transient at the start of stick has decayed, series follow it.
        transient_steps = if may_stick && in_stick.is_none() { transient_steps + 1 } else { 0 };
        if C::VELOCITY_MOVES && transient_steps > MAX_TRANSIENT_STEPS {
            // Approximate rate of r from −1 to 1 in stick.
            let crossing = (here.kappa * ahead.nu[0] + here.lag * ahead.nu[1]).abs();
            let lasts = smaller(rest, 2.0 / crossing);
            if (here.alpha + 2.0 * here.b * start.s) * lasts > MAX_STICK_TIME_CONSTANTS {
                break;
            }
        }
        let Some(StepResult { h, dr, e, work }) =
            in_stick.or_else(|| taylor_step(here, ahead, zone, start, rest, tolerance))
        else {
            break;
        };
        segment.t = if h == rest { end } else { segment.t + h };
        segment.dr += side * dr;
        segment.e = side * e;
        segment.work += phi * work;
        segment.steps += 1;
        if law.max_growth_rate > 0.0 && zone == Zone::Cubic {
            let end = side * PhasePoint::new(r + segment.dr, segment.e).w();
            segment.growth += law.growth_rate(w.abs(), end) * h;
        }
    }
    segment
}

/// Step of stick at constant v by the closed form of its tail, or through its transient.
fn held_stick(law: &DimensionlessLaw, nu: f64, start: PhasePoint, rest: f64, tolerance: f64) -> Option<StepResult> {
    stick_tail(law, nu, start, rest, tolerance).or_else(|| stick_transient(law, nu, start, rest, tolerance))
}
