//! How far a step by series goes before it meets a border of its zone.

use super::expansion::{CORNER_WINDOW, MAX_R_IN_TIME, Root};
use super::scaled::Start;
use super::series::{Pair, larger, smaller};
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

/// A length, and what is left there to the nearest border.
#[derive(Clone, Copy)]
struct Sample {
    t: f64,
    /// The way to the middle of what is allowed beyond the border, in w, |r| or s …
    left: f64,
    /// … and how far that middle is from both its ends.
    allowed: f64,
}

impl Sample {
    fn is_beyond(&self) -> bool {
        self.left < -self.allowed
    }

    fn is_there(&self) -> bool {
        self.left < self.allowed
    }
}

impl Borders {
    /// The length, at most `h`, over which the step stays in its zone, or passes a border by no more than is allowed.
    pub fn length(&self, h: f64) -> f64 {
        match self.first_passage(h) {
            None => h,
            Some([inside, outside]) => self.located(inside, outside),
        }
    }

    /// What is left at some lengths. Those that are asked for together cost little more than one.
    fn samples<const N: usize>(&self, t: [f64; N]) -> [Sample; N] {
        let [e, moved] = self.series.at(t);
        array::from_fn(|i| self.sample(t[i], e[i], moved[i]))
    }

    fn sample(&self, t: f64, e: f64, moved: f64) -> Sample {
        let Borders { root, sign, range: [low, high], slack, .. } = *self;
        let r = sign * moved;
        let (w, [corner, other]) = match root {
            Root::Zero => (e + sign, [r - 1.0, f64::INFINITY]),
            Root::InTime => (Start::new(moved, e).w(), [f64::INFINITY, smaller(r, MAX_R_IN_TIME - r)]),
            Root::InTau => (e + sign * (1.0 - moved), [moved, 1.0 - moved]),
        };
        let other = smaller(other, smaller(w - low, high - w));
        let [corner, other] = [(corner, 0.5 * CORNER_WINDOW), (other, 0.5 * slack)].map(|(way, allowed)| Sample {
            t,
            left: way + allowed,
            allowed,
        });
        if corner.left < other.left { corner } else { other }
    }

    /// Where a border is first passed on the way to `h`: a length before it and one beyond. A border may be passed and passed back
    /// within a step, so where the samples lie no higher than they bend, the way between them is searched again.
    fn first_passage(&self, h: f64) -> Option<[Sample; 2]> {
        let [start] = self.samples([0.0]);
        let rest: [Sample; PARTS] = self.samples(array::from_fn(|i| h * (i + 1) as f64 / PARTS as f64));
        let samples: [Sample; PARTS + 1] = array::from_fn(|i| if i == 0 { start } else { rest[i - 1] });
        let bend = |i: usize| match samples.get(i.wrapping_sub(1)..=i + 1) {
            Some(&[before, here, after]) => (before.left - 2.0 * here.left + after.left).abs(),
            _ => 0.0,
        };
        for (i, ends) in samples.windows(2).enumerate() {
            if smaller(ends[0].left, ends[1].left) < larger(bend(i), bend(i + 1))
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
                self.samples(array::from_fn(|i| from.t + (to.t - from.t) * (j + i + 1) as f64 / FINE as f64));
            for here in samples {
                if here.is_beyond() {
                    return Some([one_back, here]);
                }
                // What is left below the last sample, where the parabola through three has its vertex.
                let rise = here.left - two_back.left;
                let bend = two_back.left - 2.0 * one_back.left + here.left;
                let vertex = one_back.left - rise * rise / (8.0 * bend);
                if one_back.left <= smaller(two_back.left, here.left) && vertex < -one_back.allowed {
                    // There and back again: to be seen with smaller steps.
                    return Some([two_back; 2]);
                }
                (two_back, one_back) = (one_back, here);
            }
        }
        None
    }

    /// A length at which a border is passed by no more than is allowed, between one before it and one beyond; by the Illinois
    /// variant of the false position (M. Dowell, P. Jarratt, BIT 11, 1971).
    fn located(&self, inside: Sample, outside: Sample) -> f64 {
        let (mut ends, mut weights, mut last) = ([inside, outside], [1.0, 1.0], None);
        for _ in 0..60 {
            let [inside, outside] = ends;
            if inside.is_there() || inside.t == outside.t {
                break;
            }
            let [left, past] = [weights[0] * inside.left, -weights[1] * outside.left];
            let [here] = self.samples([inside.t + (outside.t - inside.t) * left / (left + past)]);
            let side = usize::from(here.is_beyond());
            ends[side] = here;
            // The end that stays counts half when it stays again.
            weights[1 - side] = if last == Some(side) { 0.5 * weights[1 - side] } else { 1.0 };
            weights[side] = 1.0;
            last = Some(side);
        }
        ends[0].t
    }
}
