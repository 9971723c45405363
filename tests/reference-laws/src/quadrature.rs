//! Impulse and energy of a reference law over a step, by Lobatto's rule of seven points on
//! intervals that are halved until the halves agree with the whole.

use crate::law::ReferenceLaw;
use crate::trajectory::{Contact, InputPolynomials, InputTrajectory, above_open, zeros};

/// Intervals of a step after which its integrals are given up.
const INTERVALS: usize = 5000;
/// Intervals beside a change of sign, each a quarter as long as the one before: the shortest is
/// 6e-11 of the step.
const FINEST: i32 = 17;
/// As [`FINEST`], beside the start of the step, where a mode may last for any share of the step:
/// the shortest is 8e-31 of the step.
const FINEST_AT_START: i32 = 50;
/// Part of the allowed error of a step's integral that an interval may have.
const SHARE: f64 = 1e-3;
/// Share of the allowed error that the integrals may be uncertain by in all.
pub const UNCERTAIN: f64 = 0.1;

/// Places and weights of Lobatto's rule of seven points on 0 … 1. It has both ends among its
/// places: a jump near an end, between the places of an interval and of its halves alike, changes
/// all three by different amounts.
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

/// Step of a reference law whose integrals are wanted.
#[allow(missing_debug_implementations)] // a law
pub struct Step<'a> {
    /// The law in its state at the start.
    pub law: &'a dyn ReferenceLaw,
    /// Inputs of the step.
    pub inputs: &'a InputPolynomials,
    /// Length, s.
    pub h: f64,
    /// Equal parts that the quadrature begins with, beside those at changes of sign.
    pub parts: u32,
    /// Allowed errors of impulse (N·s) and energy (J).
    pub allowed: [f64; 2],
}

impl Step<'_> {
    fn at(&self, t: f64) -> Contact {
        self.inputs.at(t)
    }

    /// Impulse (N·s) and energy (J) of a step that ends with `force` (N), where they are certain,
    /// and the largest force, N.
    pub fn totals(&self, force: f64) -> (Option<[f64; 2]>, f64) {
        let mut integration = Integration {
            step: self,
            intervals: 0,
            error_bound: [0.0; 2],
            sum: [0.0; 2],
            largest: 0.0,
        };
        let mut reference = self.law.boxed();
        // Near a change of sign there is no shortest event: intervals shrink towards it.
        let mut cuts = vec![0.0, self.h];
        for powers in [above_open(self.inputs.F_N), self.inputs.v, self.inputs.a] {
            cuts.extend(zeros(powers, self.h));
        }
        for cut in cuts.clone() {
            let finest = if cut == 0.0 { FINEST_AT_START } else { FINEST };
            let beside = (1..=finest).map(|i| self.h * libm::pow(0.25, f64::from(i)));
            cuts.extend(
                beside
                    .flat_map(|d| [cut - d, cut + d])
                    .filter(|t| 0.0 < *t && *t < self.h),
            );
        }
        cuts.extend((1..self.parts).map(|i| self.h * f64::from(i) / f64::from(self.parts)));
        cuts.sort_by(f64::total_cmp);
        cuts.dedup();
        let mut end = force;
        for pair in cuts.windows(2) {
            let first = integration.interval(&*reference, pair[0], pair[1]);
            match integration.refine(reference, first) {
                Some((next, force)) => (reference, end) = (next, force),
                None => return (None, integration.largest.max(force.abs())),
            }
        }
        let largest = integration.largest.max(force.abs());
        let certain = (0..2).all(|i| integration.error_bound[i] <= UNCERTAIN * self.allowed[i]);
        // The run in small parts must reach the same end as the run through the step.
        let agrees =
            (end - force).abs() * self.h <= UNCERTAIN * self.allowed[0] + 1e-12 * largest * self.h;
        ((certain && agrees).then_some(integration.sum), largest)
    }
}

/// Integrals over a step so far.
struct Integration<'a> {
    step: &'a Step<'a>,
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
            let next = if place == 1.0 {
                end
            } else {
                (start + place * (end - start)).max(start.next_up())
            };
            if next > t {
                force = match self.step.inputs.is_held() {
                    true => reference.step(self.step.at(0.0), next - t),
                    false => reference
                        .advance(&InputTrajectory::Short(&|s| self.step.at(t + s)), next - t),
                };
            }
            self.largest = self.largest.max(force.abs());
            t = next;
            let part = weight * (end - start);
            sum[0] += part * force;
            sum[1] += part * force * self.step.at(next).v;
        }
        Interval {
            start,
            end,
            sum,
            reference,
            force,
        }
    }

    /// Halves an interval until its halves agree with it; returns reference law and F_R at its end.
    fn refine(
        &mut self,
        from: Box<dyn ReferenceLaw>,
        whole: Interval,
    ) -> Option<(Box<dyn ReferenceLaw>, f64)> {
        let middle = 0.5 * (whole.start + whole.end);
        if middle <= whole.start || whole.end <= middle || self.intervals > INTERVALS {
            return (self.intervals <= INTERVALS).then_some((whole.reference, whole.force));
        }
        let left = self.interval(&*from, whole.start, middle);
        let right = self.interval(&*left.reference, middle, whole.end);
        let differences = [0, 1].map(|i| (left.sum[i] + right.sum[i] - whole.sum[i]).abs());
        if (0..2).all(|i| differences[i] <= SHARE * self.step.allowed[i]) {
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
    use crate::{LawParameters, SimpackStickSlip};

    #[test]
    fn short_stick_at_the_start_counts_fully() {
        // Stick with a damper of σ_1 v = 23 N until σ_0 v t = F_s, after a two-thousandth of the
        // step; then slip.
        let law = SimpackStickSlip {
            sigma_0: 13_836_939.0,
            ..SimpackStickSlip::default()
        };
        let (force, v, h) = (0.0516, 0.00735, 7.1e-4);
        let inputs = InputPolynomials {
            F_N: [force, 0.0, 0.0, 0.0],
            v: [v, 0.0, 0.0, 0.0],
            ..InputPolynomials::default()
        };
        let mut reference = law.at_rest();
        reference.synchronise(Contact::new(force, -1.0), &|name| {
            if name == "mode" { -1.0 } else { 0.0 }
        });
        let allowed = 1e-5 * law.mu_s * force * h;
        let step = Step {
            law: &*reference,
            inputs: &inputs,
            h,
            parts: 1,
            allowed: [allowed, allowed * v],
        };
        let end = reference.boxed().step(inputs.at(0.0), h);
        let [impulse, energy] = step.totals(end).0.expect("integrals");
        let stick = law.mu_s * force / (law.sigma_0 * v);
        let expected =
            stick * (law.sigma_1 * v + 0.5 * law.mu_s * force) + law.mu_d * force * (h - stick);
        assert!(
            (impulse - expected).abs() < UNCERTAIN * allowed,
            "{impulse} for {expected}"
        );
        assert!((energy - expected * v).abs() < UNCERTAIN * allowed * v);
    }
}
