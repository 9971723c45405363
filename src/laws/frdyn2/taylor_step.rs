//! One step by Taylor series in one zone: its length and its result. See §3 to §6 of `docs/internals/numerics.md`.
//!
//! Each coefficient follows from those before it, so that a step costs a few products per order, and the order is chosen with the step
//! (G. Corliss, Y. F. Chang, *Solving ordinary differential equations using Taylor series*, ACM TOMS 8, 1982).

use super::constants::{
    BORDER_WINDOW_SHARE, CORNER_OVERSHOOT, CORNER_WINDOW, FIRST_LOOPED_ORDER, MAX_ORDER, MAX_ROOT_ITERATIONS,
    PENULTIMATE_WEIGHT, STEP_AIM_SHARE, TIME_PRECISION,
};
use super::dimensionless::{DimensionlessLaw, PhasePoint, StepResult, Zone};
use super::inputs::{InputCase, InputPolynomials};
use super::moving_terms::MovingTerms;
use super::series::{INVERSES, Pair, change, product, value};
use super::taylor_coefficients::TaylorCoefficients;
use super::taylor_series::{RecurrenceCase, SeriesSums, ShiftBranch, TaylorSeries};
use super::zone_exit::{MAX_R_IN_TIME, ZoneExit};
use crate::integrate::rough_root::rough_root;

/// Step of at most `rest` (s) with the errors of r and of weight·e within `tolerance`, ended by convergence or by the border of the
/// zone; `None` where its length is 0.
#[inline(never)] // registers saved for it would cost every step at rest
pub fn taylor_step<C: InputCase>(
    law: &DimensionlessLaw,
    inputs: InputPolynomials<C>,
    zone: Zone,
    start: PhasePoint,
    rest: f64,
    tolerance: f64,
) -> Option<StepResult> {
    taylor_step_with(&mut MovingTerms::new(), law, inputs, zone, start, rest, tolerance).map(|(_, done)| done)
}

/// [`taylor_step`] with the terms of moving inputs, which it fills; with the series and the length of the step in its variable, t or τ.
#[inline(always)]
pub fn taylor_step_with<C: InputCase>(
    moving: &mut MovingTerms,
    law: &DimensionlessLaw,
    inputs: InputPolynomials<C>,
    zone: Zone,
    start: PhasePoint,
    rest: f64,
    tolerance: f64,
) -> Option<((TaylorSeries, f64), StepResult)> {
    let mut step = TaylorStep { series: TaylorSeries::at(law, inputs, zone, start) };
    let branch = step.series.branch;
    let whole = if branch == ShiftBranch::RegularisedTime {
        tau_for(step.series.s[0], 0.5 * step.series.inward, rest)
    } else {
        rest
    };
    let (converged, mut sums) = step.expand(moving, law, inputs, whole, tolerance);
    let mut h = whole;
    if !converged {
        let by_body = |k: usize| inputs.case.body().map_or(0.0, |body| body.weight * moving.nu[k].abs());
        h = step.converging_length(law, whole, tolerance, sums.power_scale, by_body);
        sums = step.series.sums(h);
    }
    if !step.certainly_stays_inside(law, &sums, h) {
        h = step.length_to_exit(law, h, tolerance);
    } else if branch != ShiftBranch::RegularisedTime {
        // The usual case.
        let dr = step.series.change_of_r(&inputs, sums.r, h);
        let done = StepResult { h, dr, e: start.e + sums.e, work: sums.work };
        return (h > 0.0).then_some(((step.series, h), done));
    }
    let (h, time) = step.limited_to_time(h, rest);
    if !(time > 0.0) {
        return None;
    }
    let done = step.result(&inputs, h, time);
    Some(((step.series, h), done))
}

/// A step and its series.
pub struct TaylorStep {
    /// The series about its start.
    pub series: TaylorSeries,
}

impl TaylorStep {
    /// Calculates coefficients until two successive terms are negligible over `h`, and adds the terms up; returns whether they are
    /// negligible at the highest order.
    #[inline]
    pub fn expand<C: InputCase>(
        &mut self,
        moving: &mut MovingTerms,
        law: &DimensionlessLaw,
        inputs: InputPolynomials<C>,
        h: f64,
        tolerance: f64,
    ) -> (bool, SeriesSums) {
        // Each of the frequent cases is compiled separately, without branches in its recurrence.
        let case = |branch, zone, sticks| RecurrenceCase { branch, zone, sticks };
        if inputs.case.body().is_some() {
            let whole = case(self.series.branch, self.series.zone, self.series.sticks());
            return self.compute_all(moving, law, inputs, whole, h, tolerance);
        }
        match (self.series.branch, self.series.zone, self.series.sign > 0.0) {
            (ShiftBranch::Time, Zone::Parabola, true) => {
                self.compute_all(moving, law, inputs, case(ShiftBranch::Time, Zone::Parabola, true), h, tolerance)
            }
            (ShiftBranch::Time, Zone::Parabola, false) => {
                self.compute_all(moving, law, inputs, case(ShiftBranch::Time, Zone::Parabola, false), h, tolerance)
            }
            (ShiftBranch::Time, Zone::Cubic, _) => {
                self.compute_all(moving, law, inputs, case(ShiftBranch::Time, Zone::Cubic, false), h, tolerance)
            }
            (ShiftBranch::Saturated, Zone::Cubic, _) => {
                self.compute_all(moving, law, inputs, case(ShiftBranch::Saturated, Zone::Cubic, false), h, tolerance)
            }
            (branch, zone, _) => {
                self.compute_all(moving, law, inputs, case(branch, zone, self.series.sticks()), h, tolerance)
            }
        }
    }

    #[inline(always)]
    fn compute_all<C: InputCase>(
        &mut self,
        moving: &mut MovingTerms,
        law: &DimensionlessLaw,
        inputs: InputPolynomials<C>,
        case: RecurrenceCase,
        h: f64,
        tolerance: f64,
    ) -> (bool, SeriesSums) {
        let mut terms = TaylorCoefficients::new(&mut self.series, moving, law, inputs, case, h, tolerance);
        // Unrolled by hand: the products of each order are compiled without loops.
        let ends_early = terms.compute(0)
            || terms.compute(1)
            || terms.compute(2)
            || terms.compute(3)
            || terms.compute(4)
            || terms.compute(5)
            || terms.compute(6)
            || terms.compute(7);
        if C::VELOCITY_MOVES {
            if !ends_early {
                for k in FIRST_LOOPED_ORDER..MAX_ORDER + 1 {
                    if terms.compute(k) {
                        break;
                    }
                }
            }
        } else {
            let _ = ends_early
                || terms.compute(8)
                || terms.compute(9)
                || terms.compute(10)
                || terms.compute(11)
                || terms.compute(12)
                || terms.compute(13)
                || terms.compute(14)
                || terms.compute(MAX_ORDER);
        }
        (terms.has_converged(), terms.sums)
    }

    /// Length, at most `h`, over which the last term and the one before it are within the tolerance. A single term may be small by
    /// chance: where the nearest singularity is a complex pair, the terms oscillate as they decrease. `by_body` gives the size of the
    /// terms of a body's velocity. See §5.
    pub fn converging_length(
        &self,
        law: &DimensionlessLaw,
        h: f64,
        tolerance: f64,
        power_scale: f64,
        by_body: impl Fn(usize) -> f64,
    ) -> f64 {
        let TaylorSeries { branch, r, e, s, power, .. } = &self.series;
        let weight = law.weight_in(h);
        let size = |k: usize| {
            let moved = if *branch == ShiftBranch::RegularisedTime { s[k].abs().max(r[k].abs()) } else { r[k].abs() };
            let work = if power_scale > 0.0 { power[k - 1].abs() * INVERSES[k - 1] / power_scale } else { 0.0 };
            moved.max(weight * e[k].abs()).max(work).max(by_body(k))
        };
        let aim = STEP_AIM_SHARE * tolerance;
        h.min(rough_root::<15>(aim / size(MAX_ORDER)))
            .min(rough_root::<14>(aim / (PENULTIMATE_WEIGHT * size(MAX_ORDER - 1))))
    }

    /// Length over which the step stays in its zone, or passes a border within the window. See §6.
    fn length_to_exit(&self, law: &DimensionlessLaw, h: f64, tolerance: f64) -> f64 {
        let TaylorSeries { branch, sign, ref r, ref e, ref s, order, .. } = self.series;
        let moved = if branch == ShiftBranch::RegularisedTime { s } else { r };
        let series = Pair::new(e, moved, order);
        let window = BORDER_WINDOW_SHARE * tolerance.sqrt();
        ZoneExit { series, branch, sign, range: self.series.range(law), window }.length(h)
    }

    /// Whether the sums of the absolute terms prove that no border is reached within the length `h`. See §6.
    #[inline]
    fn certainly_stays_inside(&self, law: &DimensionlessLaw, sums: &SeriesSums, h: f64) -> bool {
        let TaylorSeries { sign, r, e, s, .. } = &self.series;
        // The first term has one sign; the bound of the others counts on both sides.
        let between = |start: f64, first: f64, reach: f64| {
            let bend = reach - first.abs();
            [start + first.min(0.0) - bend, start + first.max(0.0) + bend]
        };
        let size_of_r = between(sign * r[0], sign * r[1] * h, sums.reach_r);
        let of_s = between(s[0], s[1] * h, sums.reach_s);
        let inside = |[least, most]: [f64; 2], [low, high]: [f64; 2]| least >= low && most <= high;
        let by_r = match self.series.branch {
            ShiftBranch::Saturated => size_of_r[0] >= 1.0,
            ShiftBranch::Time => inside(size_of_r, [0.0, MAX_R_IN_TIME]),
            ShiftBranch::RegularisedTime => inside(of_s, [0.0, 1.0]),
        };
        // In stick at constant v, e decays and keeps its sign, whatever its terms are.
        let of_e = if self.series.sticks() && !self.series.moves {
            [e[0].min(0.0), e[0].max(0.0)]
        } else {
            between(e[0], e[1] * h, sums.reach_e)
        };
        let shift = [of_s[1], of_s[0]].map(|s| sign * (1.0 - s));
        let shift = [shift[0].min(shift[1]), shift[0].max(shift[1])];
        by_r && inside([of_e[0] + shift[0], of_e[1] + shift[1]], self.series.range(law))
    }

    /// Length, at most `h`, that takes at most the time `rest` (s), and its time. See §4.
    fn limited_to_time(&self, h: f64, rest: f64) -> (f64, f64) {
        let TaylorSeries { branch, ref s, order, .. } = self.series;
        if branch != ShiftBranch::RegularisedTime {
            return (h, h);
        }
        let time = |tau: f64| (0..=order).rev().fold(0.0, |sum, k| sum * tau + s[k] * INVERSES[k]) * tau;
        let reached = time(h);
        if reached < rest {
            return (h, reached);
        }
        // t rises with τ at the rate s: Newton's iteration from the far end, in a bracket.
        let (mut low, mut high, mut tau) = (0.0, h, h);
        for _ in 0..MAX_ROOT_ITERATIONS {
            let error = time(tau) - rest;
            if error.abs() <= TIME_PRECISION * rest {
                break;
            }
            if error > 0.0 {
                high = tau;
            } else {
                low = tau;
            }
            let newton = tau - error / value(s, order, tau);
            tau = if newton > low && newton < high { newton } else { 0.5 * (low + high) };
            if tau == low || tau == high {
                break;
            }
        }
        (tau, rest)
    }

    /// Result of a step of the length `h` in t or τ, which takes `time` (s). See §4.
    fn result<C: InputCase>(&self, inputs: &InputPolynomials<C>, h: f64, time: f64) -> StepResult {
        let TaylorSeries { branch, sign, ref r, ref e, ref s, ref power, order: n, .. } = self.series;
        let mut dr = self.series.change_of_r(inputs, change(r, n, h), h);
        let mut work = 0.0;
        if branch == ShiftBranch::RegularisedTime {
            let s_end = value(s, n, h);
            // An end within the window of the corner is moved to the corner.
            dr = if s_end <= CORNER_WINDOW { sign - r[0] } else { sign * (s[0] - s_end) * (s[0] + s_end) };
            for k in (0..n).rev() {
                work = work * h + product(power, s, k) * INVERSES[k];
            }
        } else {
            for k in (0..n).rev() {
                work = work * h + power[k] * INVERSES[k];
            }
        }
        let e = value(e, n, h);
        StepResult { h: time, dr, e, work: work * h }
    }
}

/// τ that takes the time `time` (s) from `s` on, where ds/dτ is `rate` at the start; just beyond s = 0 if that comes first. See §4.
fn tau_for(s: f64, rate: f64, time: f64) -> f64 {
    let square = s * s + 2.0 * rate * time;
    if square > 0.0 { 2.0 * time / (s + square.sqrt()) } else { -CORNER_OVERSHOOT * s / rate }
}

#[cfg(test)]
mod tests;
