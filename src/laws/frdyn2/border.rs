//! How far a step by series goes before it meets a border of its zone.

use super::expansion::{CORNER_WINDOW, MAX_R_IN_TIME, Root};
use super::scaled::shift;
use super::series::Pair;
use core::array;

/// The step is searched in so many parts …
const PARTS: usize = 4;
/// … and each part in which a border may lie between its ends again in so many, a few at a time.
const FINE: usize = 8;

/// The borders of a step's zone, and its series on the way to them.
pub struct Borders {
    /// e, and what the shift is told by: s in τ, otherwise r.
    pub series: Pair,
    pub root: Root,
    /// The sign of r.
    pub sign: f64,
    /// The range of w in which the zone's polynomial holds.
    pub range: [f64; 2],
    /// By how much a border may be passed.
    pub slack: f64,
}

/// A length, and what is left there.
#[derive(Clone, Copy)]
struct Sample {
    t: f64,
    left: f64,
}

impl Borders {
    /// The length, at most `h`, over which the step stays in its zone, or passes a border by no more than is allowed.
    pub fn length(&self, h: f64) -> f64 {
        match self.first_passage(h) {
            None => h,
            Some([inside, outside]) => self.located(inside, outside),
        }
    }

    /// What is left to the nearest border at some lengths, in units of what may be passed: accepted down to −1. Lengths that
    /// are asked for together cost little more than one.
    fn left<const N: usize>(&self, t: [f64; N]) -> [Sample; N] {
        let values = self.series.at(t);
        array::from_fn(|i| Sample { t: t[i], left: self.nearest(values[0][i], values[1][i]) })
    }

    fn nearest(&self, e: f64, moved: f64) -> f64 {
        let Borders { root, sign, range: [low, high], slack, .. } = *self;
        let r = sign * moved;
        let (w, by_r) = match root {
            Root::Zero => (e + sign, (r - 1.0) / CORNER_WINDOW),
            Root::InTime => (e + shift(moved), r.min(MAX_R_IN_TIME - r) / slack),
            Root::InTau => (e + sign * (1.0 - moved), (moved / CORNER_WINDOW).min((1.0 - moved) / slack)),
        };
        ((w - low).min(high - w) / slack).min(by_r)
    }

    /// Where first less than −1 is left on the way to `h`: a length before it and one beyond. A border may be passed and
    /// passed back within a step, so where the samples lie no higher than they bend, the way between them is searched again.
    fn first_passage(&self, h: f64) -> Option<[Sample; 2]> {
        let [start] = self.left([0.0]);
        let rest: [Sample; PARTS] = self.left(array::from_fn(|i| h * (i + 1) as f64 / PARTS as f64));
        let samples: [Sample; PARTS + 1] = array::from_fn(|i| if i == 0 { start } else { rest[i - 1] });
        let bend = |i: usize| match samples.get(i.wrapping_sub(1)..=i + 1) {
            Some(&[before, here, after]) => (before.left - 2.0 * here.left + after.left).abs(),
            _ => 0.0,
        };
        for (i, ends) in samples.windows(2).enumerate() {
            if ends[0].left.min(ends[1].left) < bend(i).max(bend(i + 1))
                && let Some(passage) = self.passage_between(ends[0], ends[1])
            {
                return Some(passage);
            }
        }
        None
    }

    fn passage_between(&self, from: Sample, to: Sample) -> Option<[Sample; 2]> {
        const TOGETHER: usize = FINE / 2;
        let (mut two_back, mut one_back) = (Sample { left: f64::INFINITY, ..from }, from);
        for j in [0, TOGETHER] {
            let samples: [Sample; TOGETHER] =
                self.left(array::from_fn(|i| from.t + (to.t - from.t) * (j + i + 1) as f64 / FINE as f64));
            for here in samples {
                if here.left < -1.0 {
                    return Some([one_back, here]);
                }
                // What is left below the last sample, where the parabola through three has its vertex.
                let rise = here.left - two_back.left;
                let bend = two_back.left - 2.0 * one_back.left + here.left;
                let vertex = one_back.left - rise * rise / (8.0 * bend);
                if one_back.left <= two_back.left && one_back.left <= here.left && vertex < -1.0 {
                    return Some([one_back, one_back]);
                }
                (two_back, one_back) = (one_back, here);
            }
        }
        None
    }

    /// A length at which a border is passed by no more than is allowed, between one before it and one beyond.
    fn located(&self, mut inside: Sample, mut outside: Sample) -> f64 {
        for i in 0..60 {
            if inside.left < 0.0 {
                break;
            }
            // Aim at the middle of what is allowed; halve now and then, so that the bracket closes in any case.
            let share = (inside.left + 0.5) / (inside.left - outside.left);
            let share = if i % 3 == 2 { 0.5 } else { share };
            let [here] = self.left([inside.t + (outside.t - inside.t) * share]);
            if here.left < -1.0 {
                outside = here;
            } else {
                inside = here;
            }
        }
        inside.t
    }
}
