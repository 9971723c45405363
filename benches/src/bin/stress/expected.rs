//! Force, impulse and energy of a step by a reference law: the force by one run through the step, the integrals by Lobatto's rule of
//! seven points on intervals that are halved until the halves agree with the whole.

use crate::laws::{Values, value};
use bristle::catalogue::find;
use bristle_reference_laws::dop853::{COARSE_TOLERANCE, TOLERANCE};
use bristle_reference_laws::{Contact, InputPolynomials, InputTrajectory, ReferenceLaw, zeros};
use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Time constants of a bristle in a step up to which the explicit integrator of a reference is affordable.
const AFFORDABLE: f64 = 3e3;
/// Time constants after which a bristle has no memory of its state: e^-80 of it is left.
const FORGOTTEN: f64 = 80.0;
/// Intervals of a step after which its integrals are given up.
const INTERVALS: usize = 5000;
/// Intervals beside a change of sign, each a quarter as long as the one before: the shortest is 6e-11 of the step.
const FINEST: i32 = 17;
/// As [`FINEST`], beside the start of the step, where a mode may last for any share of the step: the shortest is 8e-31 of the step, far
/// shorter than a stick at 10 m/s under 1e-15 N.
const FINEST_AT_START: i32 = 50;
/// Part of the allowed error of a step's integral that an interval may have.
const SHARE: f64 = 1e-3;
/// Share of the allowed error that the integrals may be uncertain by in all.
pub const UNCERTAIN: f64 = 0.1;

/// Places and weights of Lobatto's rule of seven points on 0 … 1. It has both ends among its places: a jump near an end, between
/// the places of an interval and of its halves alike, changes all three by different amounts.
const LOBATTO: [[f64; 2]; 7] = [
    [AFTER, 0.023_809_523_809_523_808],
    [0.084_888_051_860_716_5, 0.138_413_023_680_783],
    [0.265_575_603_264_643, 0.215_872_690_604_931_3],
    [0.5, 0.243_809_523_809_523_8],
    [0.734_424_396_735_357, 0.215_872_690_604_931_3],
    [0.915_111_948_139_283_5, 0.138_413_023_680_783],
    [1.0, 0.023_809_523_809_523_808],
];
/// The first place: just behind the start of the interval, after changes at the start.
const AFTER: f64 = 1e-9;

thread_local! {
    /// A reference law is running, whose panic is no failure of this program.
    static REFERENCE_RUNS: Cell<bool> = const { Cell::new(false) };
}

/// Reference law and the step that it advances over.
pub struct ReferenceStep<'a> {
    pub reference: &'a dyn ReferenceLaw,
    pub element: &'a str,
    pub parameters: &'a Values,
    pub inputs: &'a InputPolynomials,
    pub h: f64,
    /// Equal parts that the quadrature begins with, beside those at changes of sign.
    pub parts: u32,
}

/// Result of a reference law for one step.
#[derive(Clone, Copy, Debug)]
pub struct Expected {
    /// F_R at the end, N.
    pub force: f64,
    /// Impulse (N·s) and energy (J).
    pub totals: Option<[f64; 2]>,
    /// Largest force that F_R may be a difference of, N.
    pub largest: f64,
}

/// Suppresses messages of panics by which reference laws report that they fail.
pub fn silence_references() {
    let usual = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panic| {
        if !REFERENCE_RUNS.get() {
            usual(panic);
        }
    }));
}

/// Result of a reference; `None` where it panics.
pub fn quietly<T>(reference: impl FnOnce() -> Option<T>) -> Option<T> {
    REFERENCE_RUNS.set(true);
    let answer = catch_unwind(AssertUnwindSafe(reference));
    REFERENCE_RUNS.set(false);
    answer.ok().flatten()
}

impl ReferenceStep<'_> {
    fn is_held(&self) -> bool {
        let InputPolynomials { F_N: n, v, a, F_t: t } = self.inputs;
        [n, v, a, t].iter().all(|powers| powers[1..] == [0.0; 3])
    }

    fn at(&self, t: f64) -> Contact {
        self.inputs.at(t)
    }

    /// The largest normal force and speed within the step.
    pub fn largest(&self) -> [f64; 2] {
        let even = (0..=64).map(|i| self.h * f64::from(i) / 64.0);
        let turns = [self.inputs.F_N, self.inputs.v].map(|powers| zeros(powers, self.h));
        let contacts = even.chain(turns.into_iter().flatten()).map(|t| self.at(t));
        contacts.fold([0.0; 2], |[force, speed], contact| [contact.F_N.max(force), contact.v.abs().max(speed)])
    }

    /// Value of a parameter, that of the element where it was not drawn; none where the element does not have it.
    fn parameter(&self, name: &str) -> Option<f64> {
        let start = || find(self.element)?.variables().find(|variable| variable.name == name)?.start;
        value(self.parameters, name).or_else(start)
    }

    /// Largest force of a bristle's damping, N: F_R may be a difference of such forces.
    fn largest_damping(&self) -> f64 {
        let [_, speed] = self.largest();
        self.parameter("sigma_1").unwrap_or(0.0) * speed
    }

    /// Lower bound on the time constants of a bristle from `t` to the end: ∫σ_0|v|/(μ F_N) dt with the largest μ.
    fn time_constants(&self, t: f64) -> f64 {
        let mu = self.parameter("mu_s").or_else(|| self.parameter("mu_d")).expect("a coefficient of friction");
        let reach = mu / self.parameter("sigma_0").expect("a stiffness");
        let [largest, _] = self.largest();
        let part = (self.h - t) / 256.0;
        let rate = |i: i32| {
            let contact = self.at(t + part * (f64::from(i) + 0.5));
            if contact.is_closed() { contact.v.abs() / (reach * contact.F_N.max(1e-6 * largest)) } else { 0.0 }
        };
        (0..256).map(rate).sum::<f64>() * part
    }

    /// Result of the reference law, if it reaches the end; integrals to `allowed` (N·s, J).
    pub fn answer(&self, allowed: [f64; 2]) -> Option<Expected> {
        quietly(|| self.answer_or_panic(allowed)).filter(|expected| expected.force.is_finite())
    }

    fn answer_or_panic(&self, allowed: [f64; 2]) -> Option<Expected> {
        let alpha = value(self.parameters, "alpha").unwrap_or(1.0);
        if self.is_held() && !matches!(self.element, "FrDyn2" | "FrDyn2Linear") {
            let contact = self.at(0.0);
            let force = self.reference.boxed().step(contact, self.h);
            return Some(self.with_totals(force, allowed));
        }
        let mut from = 0.0;
        let mut reference = self.reference.boxed();
        if matches!(self.element, "Dahl" | "LuGre") {
            // The reference of such a bristle under a moving F_N is not accurate enough: see `dahl.rs`.
            if alpha < 1.0 && self.inputs.F_N[1..] != [0.0; 3] {
                return None;
            }
            if alpha >= 1.0 && self.time_constants(0.0) > AFFORDABLE {
                if alpha != 1.0 {
                    return None;
                }
                // Only the end of the step counts: from any state there the same force follows.
                from = self.last(FORGOTTEN)?;
                reference.synchronise(self.at(from), &|_| 0.0);
            }
        }
        let course = |t: f64| self.at(from + t);
        if from == 0.0
            && let Some([force, impulse, energy]) =
                reference.boxed().integrate(&InputTrajectory::Moving(&course), self.h, TOLERANCE)
        {
            let [_, other, another] =
                reference.integrate(&InputTrajectory::Moving(&course), self.h, COARSE_TOLERANCE)?;
            let doubts = [(impulse - other).abs(), (energy - another).abs()];
            let certain = (0..2).all(|i| doubts[i] <= UNCERTAIN * allowed[i]);
            let largest = force.abs().max(impulse.abs() / self.h).max(self.largest_damping());
            return Some(Expected { force, totals: certain.then_some([impulse, energy]), largest });
        }
        if from > 0.0 {
            let [force, ..] = reference.integrate(&InputTrajectory::Moving(&course), self.h - from, TOLERANCE)?;
            return Some(Expected { force, totals: None, largest: force.abs().max(self.largest_damping()) });
        }
        let force = reference.advance(&InputTrajectory::Moving(&course), self.h);
        // Armstrong's reference joins the ends of its steps by straight lines.
        if self.element == "Armstrong" && self.inputs.v[2..] != [0.0; 2] {
            return Some(Expected { force, totals: None, largest: force.abs() });
        }
        Some(self.with_totals(force, allowed))
    }

    /// The latest time from which on a bristle has this many time constants, if the rest is affordable.
    fn last(&self, count: f64) -> Option<f64> {
        let [mut before, mut after] = [0.0, self.h];
        for _ in 0..100 {
            let middle = 0.5 * (before + after);
            if self.time_constants(middle) >= count {
                before = middle;
            } else {
                after = middle;
            }
        }
        (before > 0.0 && self.time_constants(before) < AFFORDABLE).then_some(before)
    }

    fn with_totals(&self, force: f64, allowed: [f64; 2]) -> Expected {
        let mut integration = Integration {
            step_of_reference: self,
            allowed,
            intervals: 0,
            error_bound: [0.0; 2],
            sum: [0.0; 2],
            largest: 0.0,
        };
        let mut reference = self.reference.boxed();
        // Near a change of sign there is no shortest event: intervals shrink towards it.
        let mut cuts = vec![0.0, self.h];
        for powers in [self.inputs.F_N, self.inputs.v, self.inputs.a] {
            cuts.extend(zeros(powers, self.h));
        }
        for cut in cuts.clone() {
            let finest = if cut == 0.0 { FINEST_AT_START } else { FINEST };
            let beside = (1..=finest).map(|i| self.h * libm::pow(0.25, f64::from(i)));
            cuts.extend(beside.flat_map(|d| [cut - d, cut + d]).filter(|t| 0.0 < *t && *t < self.h));
        }
        cuts.extend((1..self.parts).map(|i| self.h * f64::from(i) / f64::from(self.parts)));
        cuts.sort_by(f64::total_cmp);
        cuts.dedup();
        let mut end = force;
        for pair in cuts.windows(2) {
            let first = integration.interval(&*reference, pair[0], pair[1]);
            match integration.refine(reference, first) {
                Some((next, force)) => (reference, end) = (next, force),
                None => return Expected { force, totals: None, largest: integration.largest.max(force.abs()) },
            }
        }
        let largest = integration.largest.max(force.abs());
        let certain = (0..2).all(|i| integration.error_bound[i] <= UNCERTAIN * allowed[i]);
        // The run in small parts must reach the same end as the run through the step.
        let agrees = (end - force).abs() * self.h <= UNCERTAIN * allowed[0] + 1e-12 * largest * self.h;
        Expected { force, totals: (certain && agrees).then_some(integration.sum), largest }
    }
}

/// Integrals over a step so far.
struct Integration<'a> {
    step_of_reference: &'a ReferenceStep<'a>,
    allowed: [f64; 2],
    intervals: usize,
    error_bound: [f64; 2],
    sum: [f64; 2],
    largest: f64,
}

/// Integrals over an interval, and reference law and F_R at its end.
struct Interval {
    start: f64,
    end: f64,
    sum: [f64; 2],
    reference: Box<dyn ReferenceLaw>,
    force: f64,
}

impl Integration<'_> {
    fn interval(&mut self, from: &dyn ReferenceLaw, start: f64, end: f64) -> Interval {
        self.intervals += 1;
        let mut reference = from.boxed();
        let (mut t, mut sum, mut force) = (start, [0.0; 2], 0.0);
        for [place, weight] in LOBATTO {
            let next = if place == 1.0 { end } else { (start + place * (end - start)).max(start.next_up()) };
            if next > t {
                force = match self.step_of_reference.is_held() {
                    true => reference.step(self.step_of_reference.at(0.0), next - t),
                    false => {
                        reference.advance(&InputTrajectory::Short(&|s| self.step_of_reference.at(t + s)), next - t)
                    }
                };
            }
            self.largest = self.largest.max(force.abs());
            t = next;
            let part = weight * (end - start);
            sum[0] += part * force;
            sum[1] += part * force * self.step_of_reference.at(next).v;
        }
        Interval { start, end, sum, reference, force }
    }

    /// Halves an interval until its halves agree with it; returns reference law and F_R at its end.
    fn refine(&mut self, from: Box<dyn ReferenceLaw>, whole: Interval) -> Option<(Box<dyn ReferenceLaw>, f64)> {
        let middle = 0.5 * (whole.start + whole.end);
        if middle <= whole.start || whole.end <= middle || self.intervals > INTERVALS {
            return (self.intervals <= INTERVALS).then_some((whole.reference, whole.force));
        }
        let left = self.interval(&*from, whole.start, middle);
        let right = self.interval(&*left.reference, middle, whole.end);
        let differences = [0, 1].map(|i| (left.sum[i] + right.sum[i] - whole.sum[i]).abs());
        if (0..2).all(|i| differences[i] <= SHARE * self.allowed[i]) {
            for (i, difference) in differences.into_iter().enumerate() {
                self.sum[i] += left.sum[i] + right.sum[i];
                self.error_bound[i] += difference;
            }
            return Some((right.reference, right.force));
        }
        let (reference, _) = self.refine(from, left)?;
        let right = self.interval(&*reference, middle, whole.end);
        self.refine(reference, right)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use bristle_reference_laws::{LawParameters, SimpackStickSlip};

    #[test]
    fn short_stick_at_the_start_counts_fully() {
        // Stick with a damper of σ_1 v = 23 N until σ_0 v t = F_s, after a two-thousandth of the step; then slip.
        let law = SimpackStickSlip { sigma_0: 13_836_939.0, ..SimpackStickSlip::default() };
        let (force, v, h) = (0.0516, 0.00735, 7.1e-4);
        let inputs =
            InputPolynomials { F_N: [force, 0.0, 0.0, 0.0], v: [v, 0.0, 0.0, 0.0], ..InputPolynomials::default() };
        let mut reference = law.at_rest();
        reference.synchronise(Contact::new(force, -1.0), &|name| {
            if name == "mode" { -1.0 } else { 0.0 }
        });
        let parameters = Values::new();
        let step_of_reference = ReferenceStep {
            reference: &*reference,
            element: "SimpackStickSlip",
            parameters: &parameters,
            inputs: &inputs,
            h,
            parts: 1,
        };
        let allowed = 1e-5 * law.mu_s * force * h;
        let [impulse, energy] =
            step_of_reference.answer([allowed, allowed * v]).and_then(|found| found.totals).expect("integrals");
        let stick = law.mu_s * force / (law.sigma_0 * v);
        let expected = stick * (law.sigma_1 * v + 0.5 * law.mu_s * force) + law.mu_d * force * (h - stick);
        assert!((impulse - expected).abs() < UNCERTAIN * allowed, "{impulse} for {expected}");
        assert!((energy - expected * v).abs() < UNCERTAIN * allowed * v);
    }
}
