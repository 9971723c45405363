//! Advance of a first-order bristle over a segment between two breakpoints, in which it slides and the contact is closed.

use super::panel::{Panel, Plan, has_decayed, is_far};
use super::relaxing::{CoefficientsOf, LinearEquation, Place, Relaxing, Solved, Transient};
use super::transient::slow_deflection;
use super::{Drift, INNER_SHARE, ROUNDING, Relaxation, speed};
use crate::integrate::SolverError;
use crate::integrate::collocation::{self, NODES, STAGES, START_FROM_STAGES, WEIGHTS};
use crate::integrate::extrema::larger;
use crate::integrate::radau::Radau;
use crate::law::{InputSegment, Law, Quadratures, Rule, bisect};
use crate::vector::length;
use core::array;

/// Safety factor of the length of a step by collocation, with an error estimate of order 6.
const SAFETY: f64 = 0.8;
/// Quadrature of loss and impulse on its stages.
const RULE: Rule<STAGES> = Rule { nodes: &NODES, weights: &WEIGHTS, start: &START_FROM_STAGES };
/// Speed over the largest of the step, below which v is rounding next to a zero.
const MIN_SPEED_SHARE: f64 = 16.0 * ROUNDING;
/// Time up to a zero of v over that of the communication step, in which the bristle may be taken as at rest where v is rounding.
const AT_REST: f64 = 1e-9;
/// Distance from the slow motion, over its lag behind the steady deflection, up to which a deflection counts as slow: the estimate of that motion
/// has an error of this kind. Where it is not slow, steps by collocation are repeated.
const SMALL_LAG: f64 = 0.2;

/// Error of the quadrature of loss or impulse over that allowed, up to which a panel is repeated with half of its length, which reduces the estimate by
/// 2^15: far less work than an adaptive quadrature.
const HALVED: f64 = 1e4;

/// Time in which the bristle turns over after a zero of v, over the first step otherwise, below which it is not taken as its length: it is 0 without F_N.
const SHORTEST_TURN: f64 = 1e-6;

/// Outcome of an inner step.
enum Tried<const N: usize, C> {
    /// It ends at a place; the next step may have the length `next` (s).
    Taken { end: Place<N, C>, next: f64, error: f64 },
    /// Its error is too large, or it passes over a kink: it is repeated with this length (s).
    Repeated(f64),
}

/// A law with its bristle in a segment.
struct Motion<'m, 'a, L, B, const N: usize> {
    law: &'m L,
    relaxation: &'m Relaxation<'a, B>,
}

/// Advances a bristle over a segment in which it slides; returns the number of inner steps.
pub fn advance_segment<'a, L: Law<N, DiscreteState = ()>, B, const N: usize>(
    law: &L,
    relaxation: &Relaxation<'a, B>,
    z: &mut [f64; N],
    tolerance: f64,
    solver: &mut Radau,
    quadratures: &mut Quadratures,
) -> Result<u32, SolverError>
where
    Relaxation<'a, B>: Relaxing<N>,
{
    let &Relaxation { segment, min_force, max_speed, duration, .. } = relaxation;
    let &InputSegment { from, to, .. } = segment;
    let motion = Motion { law, relaxation };
    if let Some(drift) = relaxation.drift_from(from) {
        *z = motion.follow(&drift, *z, to, quadratures);
        return Ok(1);
    }
    let (u, at) = (relaxation.start(from, *z), relaxation.coefficients(from));
    let mut place = Place { t: from, z: *z, u, at, transient: 0.0 };
    let is_at_rest = |t: f64| speed(segment.at(t)) <= MIN_SPEED_SHARE * max_speed;
    let stops = is_at_rest(to);
    let closed = |t: f64| segment.at(t).F_N > min_force;
    let mut end = match (closed(from), closed(to)) {
        (true, false) => bisect(from, to, closed).unwrap_or(to),
        (false, false) if segment.at(to).F_N < segment.at(from).F_N => from,
        _ => to,
    };
    let deflection = relaxation.deflection(&place.at, place.u);
    if let Some(Transient { slow, loss, impulse }) = relaxation.transient([from, to], deflection, tolerance) {
        quadratures.add_integrals([loss, impulse]);
        (place.u, place.z) = (slow, relaxation.deflection(&place.at, slow));
    } else if relaxation.is_linear() && (closed(from) || relaxation.is_large(&place.at, *z)) {
        place.transient = motion.distance_from_slow(&place);
    }
    let decays = relaxation.is_linear() && !has_decayed(relaxation, &place, INNER_SHARE * tolerance);
    // The first step of a light contact would not suit a loaded one: at least the time in which the bristle relaxes.
    let LinearEquation { normal, decay, .. } = relaxation.equation_of_deflection(&place.at);
    let mut h = if decays || solver.first_step == 0.0 { to - from } else { solver.first_step.max(normal / decay) };
    if is_at_rest(from) {
        // The bristle turns over while it slides by its deflection.
        let [_, acceleration] = segment.trajectory().normal_force_and_velocity_derivatives_at(from);
        let deflection = larger(relaxation.unit(&place.at), relaxation.unit(&relaxation.coefficients(to)));
        let turn = (2.0 * deflection / acceleration.abs()).sqrt();
        if turn > SHORTEST_TURN * h {
            h = h.min(turn);
        }
    }
    let mut first = from == 0.0;
    let mut inner_steps = 0;
    let mut limited = false;
    // Length with which a step is repeated, s.
    let mut most = f64::INFINITY;
    while place.t < end {
        let t = place.t;
        if end < to && relaxation.stays_limited(t, to, place.u) {
            (end, limited) = (t, true);
            break;
        }
        // v is rounding up to its zero at the end of the segment: the bristle does not move any more.
        if stops && end - t <= AT_REST * duration && is_at_rest(t) {
            break;
        }
        // The remaining time is within rounding of the end.
        if end - t <= ROUNDING * end {
            place.z = relaxation.deflection(&relaxation.coefficients(end), place.u);
            break;
        }
        inner_steps += 1;
        if solver.limit.is_spent() {
            return Err(SolverError::TooManySteps { t, limit: solver.limit.limit() });
        }
        let relaxed = solver.limit.count();
        if relaxed > 1.0 {
            quadratures.stop_adapting();
        }
        let share = INNER_SHARE * tolerance * relaxed;
        h = motion.balanced(t, h.min(relaxed * relaxation.longest(t)), end - t).min(most);
        let tried = match Plan::new(relaxation, &place, h, share) {
            Some(plan) => motion.by_panel(&place, plan, share, quadratures),
            None => motion.by_collocation(&place, h, share, quadratures),
        };
        match tried {
            Tried::Repeated(shorter) => {
                (h, most) = (shorter, shorter);
                if t + h == t {
                    return Err(SolverError::StepTooSmall { t });
                }
            }
            Tried::Taken { end: next_place, next, error } => {
                if relaxed > 1.0 {
                    solver.limit.accept(error * share);
                }
                place = next_place;
                (h, most) = (next, f64::INFINITY);
                if end - place.t <= ROUNDING * end {
                    place.t = end;
                }
                if first {
                    (solver.first_step, first) = (next.min(f64::MAX), false);
                }
            }
        }
    }
    *z = place.z;
    if end < to {
        let segment = InputSegment::between_breakpoints(segment.trajectory(), [end, to], min_force);
        let along = |t: f64| relaxation.deflection(&relaxation.coefficients(t), place.u);
        quadratures.add(law, &segment, &(), [end, to], |t| if limited { place.z } else { along(t) });
    }
    Ok(inner_steps)
}

impl<'a, L: Law<N, DiscreteState = ()>, B, const N: usize> Motion<'_, 'a, L, B, N>
where
    Relaxation<'a, B>: Relaxing<N>,
{
    /// Length (s) of a step that is to have the length `h` (s), with the time `rest` (s) left: a shorter rest than the step is shared by two.
    fn balanced(&self, t: f64, h: f64, rest: f64) -> f64 {
        if h >= rest * (1.0 - 1e-9) {
            return rest;
        }
        let normals = [t, t + h].map(|t| self.relaxation.segment.normal_force_and_velocity_at(t)[0]);
        if is_far(normals) { h } else { h.min(0.5 * rest) }
    }

    /// Distance of the deflection from that of the slow motion (m); 0 where it is small against the lag of that motion, whose estimate has
    /// an error of its own.
    fn distance_from_slow(&self, place: &Place<N, CoefficientsOf<'a, B, N>>) -> f64 {
        let LinearEquation { normal, decay, drive } = self.relaxation.equation_of_deflection(&place.at);
        if decay == 0.0 {
            // At rest every deflection stays.
            return length(place.z) + self.relaxation.unit(&place.at);
        }
        let from_steady = |z: [f64; N]| length(array::from_fn::<_, N, _>(|k| z[k] - drive[k] / decay));
        if normal > decay * (self.relaxation.segment.to - place.t) {
            return from_steady(place.z);
        }
        let slow: [f64; N] = slow_deflection(self.relaxation, place.t);
        let off = length(array::from_fn::<_, N, _>(|k| place.z[k] - slow[k]));
        if off > SMALL_LAG * from_steady(slow) { off } else { 0.0 }
    }

    /// Tries an inner step by variation of constants, with an error of this share of F_s.
    fn by_panel(
        &self,
        place: &Place<N, CoefficientsOf<'a, B, N>>,
        plan: Plan<CoefficientsOf<'a, B, N>>,
        share: f64,
        quadratures: &mut Quadratures,
    ) -> Tried<N, CoefficientsOf<'a, B, N>> {
        let &Motion { law, relaxation } = self;
        let length = plan.length();
        let times = [place.t, place.t + length];
        let allowed_at = relaxation.allowed(times, share);
        let mut panel = plan.solve(relaxation, place, allowed_at(place.u));
        panel.error *= growth(&allowed_at, [place.u, panel.end.u]);
        if !(panel.error < 1.0) {
            return Tried::Repeated(panel.shorter());
        }
        // The nodes do not show a kink of F_R in the estimate of the quadrature.
        let is_shortened = quadratures.adapts() && length > share * relaxation.duration;
        if is_shortened
            && let Some(shorter) = panel.length_to_limit(relaxation, place.z)
            && shorter < length
        {
            return Tried::Repeated(shorter);
        }
        let along = |t: f64| panel.deflection(relaxation, t);
        let integrated = quadratures.at_nodes(law, times, &panel.nodes, &panel.integrands(relaxation));
        if is_shortened && integrated.excess > 0.0 && integrated.excess < HALVED {
            return Tried::Repeated(panel.half());
        }
        quadratures.add_integrated(law, relaxation.segment, &(), times, integrated, along);
        let next = panel.next();
        let Panel { end, error, .. } = panel;
        Tried::Taken { end, next, error }
    }

    /// Tries an inner step of length `h` (s) by collocation, with an error of this share of F_s.
    fn by_collocation(
        &self,
        place: &Place<N, CoefficientsOf<'a, B, N>>,
        h: f64,
        share: f64,
        quadratures: &mut Quadratures,
    ) -> Tried<N, CoefficientsOf<'a, B, N>> {
        let &Motion { law, relaxation } = self;
        let &Place { t, z, u, at, .. } = place;
        let allowed_at = relaxation.allowed([t, t + h], share);
        let factor = |error: f64| SAFETY / libm::cbrt(error.max(1e-8).sqrt());
        let solved = relaxation.step(t, at, h, u, allowed_at(u)).map(|solved| {
            let error = solved.error * growth(&allowed_at, [u, solved.stages[STAGES - 1]]);
            Solved { error, ..solved }
        });
        let Some(Solved { stages, coefficients, error }) = solved.as_ref().filter(|solved| solved.error < 1.0) else {
            return Tried::Repeated(h * solved.map_or(0.2, |solved| factor(solved.error).clamp(0.1, 0.8)));
        };
        let deflections: [[f64; N]; STAGES] = array::from_fn(|i| relaxation.deflection(&coefficients[i], stages[i]));
        let along = |time: f64| {
            let between = |k: usize| collocation::polynomial(u[k], &stages.map(|stage| stage[k]), (time - t) / h);
            relaxation.deflection(&relaxation.coefficients(time), array::from_fn(between))
        };
        let integrands = array::from_fn(|i| relaxation.integrands(&coefficients[i], deflections[i]));
        let start = || relaxation.integrands(&at, z);
        quadratures.add_stages(law, relaxation.segment, &(), [t, h], start, integrands, &RULE, along);
        let last = STAGES - 1;
        let end = Place { t: t + h, z: deflections[last], u: stages[last], at: coefficients[last], transient: 0.0 };
        Tried::Taken { end, next: h * factor(*error).min(8.0), error: *error }
    }

    /// Moves the bristle from the deflection `z` (m) in closed form up to the time `until` (s). In the plane the direction of a limited force turns, so
    /// that a quadrature follows it, up to where it is not limited any more.
    fn follow(&self, drift: &Drift, z: [f64; N], until: f64, quadratures: &mut Quadratures) -> [f64; N] {
        let relaxation = self.relaxation;
        let v = relaxation.velocity(relaxation.middle);
        if N > 1
            && let Some(returns) = drift.returns(relaxation.equation_of_bristle(), z, v, until)
            && let Some(rest) = relaxation.drift_from(returns)
        {
            let z = self.drift(drift, z, returns, quadratures);
            return self.drift(&rest, z, until, quadratures);
        }
        self.drift(drift, z, until, quadratures)
    }

    /// Moves the bristle from the deflection `z` (m) in closed form up to the time `until` (s), up to which F_R has no kink in the plane.
    fn drift(&self, drift: &Drift, z: [f64; N], until: f64, quadratures: &mut Quadratures) -> [f64; N] {
        let &Motion { law, relaxation } = self;
        let v = relaxation.velocity(relaxation.middle);
        match drift.impulse(relaxation.equation_of_bristle(), z, v, until) {
            Some(impulse) => quadratures.add_integrals([(0..N).map(|k| impulse[k] * v[k]).sum(), impulse[0]]),
            None => {
                let along = |t: f64| drift.deflection(z, v, t);
                quadratures.add(law, relaxation.segment, &(), [drift.from, until], along);
            }
        }
        drift.deflection(z, v, until)
    }
}

/// Factor of the error of a step over that allowed at its start: a deflection from before decays while F_N rises, and the rest of it counts.
fn growth<const N: usize>(allowed_at: impl Fn([f64; N]) -> f64, [start, end]: [[f64; N]; 2]) -> f64 {
    (allowed_at(start) / allowed_at(end)).max(1.0)
}
