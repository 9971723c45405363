//! Exit from a zone: the length over which a step by series stays in the zone of its polynomial. See §6 of `docs/internals/numerics.md`.

use super::constants::{CORNER_WINDOW, EXIT_FINE_PARTS, EXIT_PARTS, MAX_ROOT_ITERATIONS, MIN_ROOT_IN_TIME};
use super::dimensionless::PhasePoint;
use super::series::Pair;
use super::taylor_series::ShiftBranch;
use crate::integrate::extrema::{larger, smaller};
use core::array;

/// |r| at which a step in t ends.
pub const MAX_R_IN_TIME: f64 = 1.0 - MIN_ROOT_IN_TIME * MIN_ROOT_IN_TIME;

/// Borders of a step's zone, and the series of the step.
pub struct ZoneExit {
    /// e, and the variable of the shift: s in τ, otherwise r.
    pub series: Pair,
    /// Branch of the shift.
    pub branch: ShiftBranch,
    /// Sign of r.
    pub sign: f64,
    /// Range of w in which the zone's polynomial holds.
    pub range: [f64; 2],
    /// Distance by which a border other than the corner may be passed.
    pub window: f64,
}

/// Distance to the nearest border at one place of a step.
#[derive(Clone, Copy)]
struct Sample {
    /// Length of the step up to the sample.
    t: f64,
    /// Distance to the middle of the window beyond the border, in w, |r| or s; negative beyond it.
    margin: f64,
    /// Half the width of that window.
    half_window: f64,
}

impl Sample {
    /// Whether the sample lies beyond the window.
    fn is_beyond(&self) -> bool {
        self.margin < -self.half_window
    }

    /// Whether the sample lies at the border or beyond it.
    fn has_reached(&self) -> bool {
        self.margin < self.half_window
    }
}

impl ZoneExit {
    /// Length, at most `h`, over which the step stays in its zone or passes a border within the window.
    pub fn length(&self, h: f64) -> f64 {
        match self.first_passage(h) {
            None => h,
            Some([inside, outside]) => self.located(inside, outside),
        }
    }

    /// Samples at several lengths: several cost little more than one.
    fn samples<const N: usize>(&self, t: [f64; N]) -> [Sample; N] {
        let [e, moved] = self.series.at(t);
        array::from_fn(|i| self.sample(t[i], e[i], moved[i]))
    }

    fn sample(&self, t: f64, e: f64, moved: f64) -> Sample {
        let ZoneExit { branch, sign, range: [low, high], window, .. } = *self;
        let r = sign * moved;
        let (w, [corner, other]) = match branch {
            ShiftBranch::Saturated => (e + sign, [r - 1.0, f64::INFINITY]),
            ShiftBranch::Time => (PhasePoint::new(moved, e).w(), [f64::INFINITY, smaller(r, MAX_R_IN_TIME - r)]),
            ShiftBranch::RegularisedTime => (e + sign * (1.0 - moved), [moved, 1.0 - moved]),
        };
        let other = smaller(other, smaller(w - low, high - w));
        let [corner, other] = [(corner, 0.5 * CORNER_WINDOW), (other, 0.5 * window)]
            .map(|(distance, half_window)| Sample { t, margin: distance + half_window, half_window });
        if corner.margin < other.margin { corner } else { other }
    }

    /// First passage of a border within `h`, §6: a sample before it and one beyond. A border may be passed twice within a step, so
    /// that a part is searched again in finer parts where the margins of its samples do not exceed their curvature.
    fn first_passage(&self, h: f64) -> Option<[Sample; 2]> {
        let [start] = self.samples([0.0]);
        let rest: [Sample; EXIT_PARTS] = self.samples(array::from_fn(|i| h * (i + 1) as f64 / EXIT_PARTS as f64));
        let samples: [Sample; EXIT_PARTS + 1] = array::from_fn(|i| if i == 0 { start } else { rest[i - 1] });
        let bend = |i: usize| match samples.get(i.wrapping_sub(1)..=i + 1) {
            Some(&[before, here, after]) => (before.margin - 2.0 * here.margin + after.margin).abs(),
            _ => 0.0,
        };
        for (i, ends) in samples.windows(2).enumerate() {
            if smaller(ends[0].margin, ends[1].margin) < larger(bend(i), bend(i + 1))
                && let Some(passage) = self.passage_between(ends[0], ends[1])
            {
                return Some(passage);
            }
        }
        None
    }

    fn passage_between(&self, from: Sample, to: Sample) -> Option<[Sample; 2]> {
        const TOGETHER: usize = EXIT_FINE_PARTS / 2;
        let (mut two_back, mut one_back) = (self.before(from, (to.t - from.t) / EXIT_FINE_PARTS as f64), from);
        for j in [0, TOGETHER] {
            let samples: [Sample; TOGETHER] = self
                .samples(array::from_fn(|i| from.t + (to.t - from.t) * (j + i + 1) as f64 / EXIT_FINE_PARTS as f64));
            for here in samples {
                if here.is_beyond() {
                    return Some([one_back, here]);
                }
                // Depth of the vertex of the parabola through three samples below the middle one.
                let rise = here.margin - two_back.margin;
                let bend = two_back.margin - 2.0 * one_back.margin + here.margin;
                let vertex = one_back.margin - rise * rise / (8.0 * bend);
                if one_back.margin <= smaller(two_back.margin, here.margin) && vertex < -one_back.half_window {
                    // A double crossing between two samples: the step ends before it.
                    return Some([two_back; 2]);
                }
                (two_back, one_back) = (one_back, here);
            }
        }
        None
    }

    /// Sample at a distance before another; before the start of the step one that lies infinitely far from each border.
    fn before(&self, sample: Sample, distance: f64) -> Sample {
        if sample.t > 0.0 {
            let [before] = self.samples([sample.t - distance]);
            before
        } else {
            Sample { margin: f64::INFINITY, ..sample }
        }
    }

    /// Length within the window between a sample before the border and one beyond, by the Illinois variant of regula falsi
    /// (M. Dowell, P. Jarratt, BIT 11, 1971).
    fn located(&self, inside: Sample, outside: Sample) -> f64 {
        let (mut ends, mut weights, mut last) = ([inside, outside], [1.0, 1.0], None);
        for _ in 0..MAX_ROOT_ITERATIONS {
            let [inside, outside] = ends;
            if inside.has_reached() || inside.t == outside.t {
                break;
            }
            let [left, past] = [weights[0] * inside.margin, -weights[1] * outside.margin];
            let [here] = self.samples([inside.t + (outside.t - inside.t) * left / (left + past)]);
            let side = usize::from(here.is_beyond());
            ends[side] = here;
            // The weight of an end that stays twice is halved.
            weights[1 - side] = if last == Some(side) { 0.5 * weights[1 - side] } else { 1.0 };
            weights[side] = 1.0;
            last = Some(side);
        }
        ends[0].t
    }
}

#[cfg(test)]
mod tests;
