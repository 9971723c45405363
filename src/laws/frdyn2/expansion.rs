//! One step by Taylor series in one zone of the law: how far the coefficients hold, and what they give.

use super::border::Borders;
use super::drive::{Drive, Kind};
use super::recurrence::Recurrence;
use super::scaled::{Scaled, Start, Taken, Zone};
use super::series::{INVERSES, ORDER, Pair, Series, ZERO, change, product, rough_root, value};

/// Where s is below this, steps go in τ …
const ROOT_FOR_TAU: f64 = 0.3;
/// … and a step in t ends where |r| gets here, at s = 0.15.
pub const MAX_R_IN_TIME: f64 = 1.0 - 0.15 * 0.15;
/// How closely s = 0 is met from inside, and |r| = 1 from outside.
pub const CORNER_WINDOW: f64 = 1e-9;

/// What the shift does in a step.
#[derive(Clone, Copy, PartialEq)]
pub enum Root {
    /// |r| ≥ 1: s = 0 throughout.
    Zero,
    /// s = √(1 − |r|) has a series in time.
    InTime,
    /// It has one in τ, dt = s dτ.
    InTau,
}

/// What decides on the recurrence of a step.
#[derive(Clone, Copy)]
pub struct Case {
    pub root: Root,
    pub zone: Zone,
    /// The contact sticks with r > 0.
    pub sticks: bool,
}

/// One step by series, as long as tolerance and zone allow, at most `rest`.
#[inline(never)] // registers saved for it would cost every step at rest
pub fn step<const MOVING: Kind>(
    law: &Scaled,
    drive: Drive<MOVING>,
    zone: Zone,
    start: Start,
    rest: f64,
    tolerance: f64,
) -> Option<Taken> {
    let mut series = Expansion::at(law, drive, zone, start);
    let whole = if series.root == Root::InTau { tau_for(series.s[0], 0.5 * series.inward, rest) } else { rest };
    let (converged, mut sums) = series.expand(law, drive, whole, tolerance);
    let mut h = whole;
    if !converged {
        h = series.shortened(law, whole, tolerance);
        sums = series.sums(h);
    }
    if !series.plainly_inside(law, &sums, h) {
        h = series.until_border(law, h, tolerance);
    } else if series.root != Root::InTau {
        // The usual case.
        return (h > 0.0).then_some(Taken { h, dr: sums.r, e: start.e + sums.e, work: sums.work });
    }
    let (h, reached) = series.until_time(h, rest);
    if !(reached > 0.0) {
        return None;
    }
    Some(series.taken(h, reached))
}

/// The series of one step.
pub struct Expansion {
    zone: Zone,
    root: Root,
    /// The contact moves.
    moves: bool,
    /// The sign of r.
    pub sign: f64,
    /// How fast r moves towards 0, 1/s.
    inward: f64,
    pub order: usize,
    pub r: Series,
    pub e: Series,
    pub s: Series,
    /// φ f ν.
    pub power: Series,
}

/// Terms of the series summed up over the length they were expanded for.
#[derive(Clone, Copy, Default)]
pub struct Sums {
    pub r: f64,
    pub e: f64,
    pub work: f64,
    /// What |r|, |e| and |s| may change by on the way.
    pub reach_r: f64,
    pub reach_e: f64,
    pub reach_s: f64,
}

impl Expansion {
    #[inline]
    fn at<const MOVING: Kind>(law: &Scaled, drive: Drive<MOVING>, zone: Zone, Start { r, e, s }: Start) -> Self {
        let sign = if r < 0.0 { -1.0 } else { 1.0 };
        let inward = -sign * (law.kappa * (drive.nu[0] - e) + law.lag * drive.slope()[0] - r * drive.load[1]);
        let root = if r.abs() > 1.0 || (s == 0.0 && inward <= 0.0) {
            Root::Zero
        } else if s < ROOT_FOR_TAU {
            Root::InTau
        } else {
            Root::InTime
        };
        let moves = Drive::<MOVING>::MOVES;
        let mut it =
            Expansion { zone, root, moves, sign, inward, order: ORDER, r: ZERO, e: ZERO, s: ZERO, power: ZERO };
        [it.r[0], it.e[0], it.s[0]] = [r, e, s];
        it
    }

    /// Fills the series until two successive terms are small over `h`, and sums them up; whether the highest order is
    /// enough for that.
    #[inline]
    fn expand<const MOVING: Kind>(
        &mut self,
        law: &Scaled,
        drive: Drive<MOVING>,
        h: f64,
        tolerance: f64,
    ) -> (bool, Sums) {
        // A loop of its own for each of the usual cases: nothing is asked again at every order.
        let case = |root, zone, sticks| Case { root, zone, sticks };
        match (self.root, self.zone, self.sign > 0.0) {
            (Root::InTime, Zone::Parabola, true) => {
                self.fill(law, drive, case(Root::InTime, Zone::Parabola, true), h, tolerance)
            }
            (Root::InTime, Zone::Parabola, false) => {
                self.fill(law, drive, case(Root::InTime, Zone::Parabola, false), h, tolerance)
            }
            (Root::InTime, Zone::Cubic, _) => {
                self.fill(law, drive, case(Root::InTime, Zone::Cubic, false), h, tolerance)
            }
            (Root::Zero, Zone::Cubic, _) => self.fill(law, drive, case(Root::Zero, Zone::Cubic, false), h, tolerance),
            (root, zone, _) => self.fill(law, drive, case(root, zone, self.sticks()), h, tolerance),
        }
    }

    #[inline(always)]
    fn fill<const MOVING: Kind>(
        &mut self,
        law: &Scaled,
        drive: Drive<MOVING>,
        case: Case,
        h: f64,
        tolerance: f64,
    ) -> (bool, Sums) {
        let mut terms = Recurrence::new(self, law, drive, case, h, tolerance);
        // Written out, because each order is code of its own: its products have no loops, and wait for nothing but the
        // coefficients before.
        let _ = terms.order(0)
            || terms.order(1)
            || terms.order(2)
            || terms.order(3)
            || terms.order(4)
            || terms.order(5)
            || terms.order(6)
            || terms.order(7)
            || terms.order(8)
            || terms.order(9)
            || terms.order(10)
            || terms.order(11)
            || terms.order(12)
            || terms.order(13)
            || terms.order(14)
            || terms.order(ORDER);
        (terms.converged(), terms.sums)
    }

    /// The length, at most `h`, over which the last term is within the tolerance and the one before it as good as. One alone
    /// may be small by chance: where the nearest singularity is a complex pair, terms swing while they fall.
    fn shortened(&self, law: &Scaled, h: f64, tolerance: f64) -> f64 {
        let size = |k: usize| {
            let moved = if self.root == Root::InTau { self.s[k].abs().max(self.r[k].abs()) } else { self.r[k].abs() };
            moved.max(law.weight * self.e[k].abs())
        };
        // Rough roots: aimed at what is half as much again within what is allowed, 0.2 of the tolerance.
        let aim = 0.12 * tolerance;
        h.min(rough_root::<15>(aim / size(ORDER))).min(rough_root::<14>(aim / (0.3 * size(ORDER - 1))))
    }

    /// All terms summed up over the length `h`.
    #[inline]
    fn sums(&self, h: f64) -> Sums {
        let (mut sums, mut power) = (Sums::default(), 1.0);
        for k in 1..=ORDER {
            power *= h;
            let [moved_r, moved_e] = [self.r[k] * power, self.e[k] * power];
            sums.r += moved_r;
            sums.e += moved_e;
            sums.work += self.power[k - 1] * power * INVERSES[k - 1];
            sums.reach_r += moved_r.abs();
            sums.reach_e += moved_e.abs();
            sums.reach_s += (self.s[k] * power).abs();
        }
        sums
    }

    /// The range of w in which the zone's polynomial holds.
    fn range(&self, law: &Scaled) -> [f64; 2] {
        match self.zone {
            Zone::Parabola => [0.0, 1.0],
            Zone::Cubic => [1.0, law.delta],
            Zone::Constant => [law.delta, f64::INFINITY],
        }
    }

    /// The length over which the step stays in its zone, or passes a border by no more than is allowed.
    fn until_border(&self, law: &Scaled, h: f64, tolerance: f64) -> f64 {
        let moved = if self.root == Root::InTau { &self.s } else { &self.r };
        let series = Pair::new(&self.e, moved, self.order);
        let slack = 1e-2 * tolerance.sqrt();
        Borders { series, root: self.root, sign: self.sign, range: self.range(law), slack }.length(h)
    }

    /// No border can be met within the length `h`, by the sizes of the terms alone.
    #[inline]
    fn plainly_inside(&self, law: &Scaled, sums: &Sums, h: f64) -> bool {
        let Expansion { sign, r, e, s, .. } = self;
        // The first term goes one way; what the others may do is left to both sides.
        let between = |start: f64, first: f64, reach: f64| {
            let bend = reach - first.abs();
            [start + first.min(0.0) - bend, start + first.max(0.0) + bend]
        };
        let size_of_r = between(sign * r[0], sign * r[1] * h, sums.reach_r);
        let of_s = between(s[0], s[1] * h, sums.reach_s);
        let inside = |[least, most]: [f64; 2], [low, high]: [f64; 2]| least >= low && most <= high;
        let by_r = match self.root {
            Root::Zero => size_of_r[0] >= 1.0,
            Root::InTime => inside(size_of_r, [0.0, MAX_R_IN_TIME]),
            Root::InTau => inside(of_s, [0.0, 1.0]),
        };
        // In stick under a held velocity e decays and keeps its sign, whatever its terms say.
        let of_e = if self.sticks() && !self.moves {
            [e[0].min(0.0), e[0].max(0.0)]
        } else {
            between(e[0], e[1] * h, sums.reach_e)
        };
        let shift = [of_s[1], of_s[0]].map(|s| sign * (1.0 - s));
        let shift = [shift[0].min(shift[1]), shift[0].max(shift[1])];
        by_r && inside([of_e[0] + shift[0], of_e[1] + shift[1]], self.range(law))
    }

    /// F_R follows F_0 on the parabola.
    #[inline]
    fn sticks(&self) -> bool {
        self.sign > 0.0 && self.zone == Zone::Parabola && self.root != Root::Zero
    }

    /// The length at which `rest` is reached, at most `h`, and the time reached by it.
    fn until_time(&self, h: f64, rest: f64) -> (f64, f64) {
        if self.root != Root::InTau {
            return (h, h);
        }
        let time = |tau: f64| (0..=self.order).rev().fold(0.0, |sum, k| sum * tau + self.s[k] * INVERSES[k]) * tau;
        let reached = time(h);
        if reached < rest {
            return (h, reached);
        }
        // t rises with τ, at the rate s: Newton from the far end, kept inside a bracket.
        let (mut low, mut high, mut tau) = (0.0, h, h);
        for _ in 0..60 {
            let error = time(tau) - rest;
            if error.abs() <= 1e-15 * rest {
                break;
            }
            if error > 0.0 {
                high = tau;
            } else {
                low = tau;
            }
            let newton = tau - error / value(&self.s, self.order, tau);
            tau = if newton > low && newton < high { newton } else { 0.5 * (low + high) };
            if tau == low || tau == high {
                break;
            }
        }
        (tau, rest)
    }

    /// The step of length `h`, which takes `time`.
    fn taken(&self, h: f64, time: f64) -> Taken {
        let n = self.order;
        let mut dr = change(&self.r, n, h);
        let mut work = 0.0;
        if self.root == Root::InTau {
            let s = value(&self.s, n, h);
            // The corner, once met, is met exactly.
            dr = if s <= CORNER_WINDOW { self.sign - self.r[0] } else { self.sign * (self.s[0] - s) * (self.s[0] + s) };
            for k in (0..n).rev() {
                work = work * h + product(&self.power, &self.s, k) * INVERSES[k];
            }
        } else {
            for k in (0..n).rev() {
                work = work * h + self.power[k] * INVERSES[k];
            }
        }
        let e = value(&self.e, n, h);
        Taken { h: time, dr, e, work: work * h }
    }
}

/// The τ that takes `time` from s at the rate `rate`, or just beyond s = 0 if that comes first.
fn tau_for(s: f64, rate: f64, time: f64) -> f64 {
    let square = s * s + 2.0 * rate * time;
    if square > 0.0 { 2.0 * time / (s + square.sqrt()) } else { -1.2 * s / rate }
}
