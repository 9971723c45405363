//! The proof that a step stays in its zone, against samples of its series.

use super::super::super::dimensionless::tests::LAWS;
use super::*;

/// Samples of a step.
const SAMPLES: u32 = 32;
/// Rounding of a sample.
const ROUNDING: f64 = 1e-12;

/// Longest length of a step.
fn whole(law: &DimensionlessLaw) -> f64 {
    0.5 / (law.alpha + law.b + law.kappa)
}

/// Smallest distances to a border of the zone or of the branch, at the start and over the length `h`.
fn distances(step: &TaylorStep, law: &DimensionlessLaw, h: f64) -> [f64; 2] {
    let TaylorSeries { branch, sign, ref r, ref e, ref s, order, .. } = step.series;
    let [low, high] = step.series.range(law);
    let at = |t: f64| {
        let [r, e, s] = [r, e, s].map(|series| value(series, order, t));
        let shift = if branch == ShiftBranch::Saturated { sign } else { sign * (1.0 - s) };
        let of_branch = match branch {
            ShiftBranch::Saturated => sign * r - 1.0,
            ShiftBranch::Time => (sign * r).min(MAX_R_IN_TIME - sign * r),
            ShiftBranch::RegularisedTime => s.min(1.0 - s),
        };
        of_branch.min(e + shift - low).min(high - e - shift)
    };
    let samples = (0..=SAMPLES).map(|i| at(h * f64::from(i) / f64::from(SAMPLES)));
    [at(0.0), samples.fold(f64::INFINITY, f64::min)]
}

/// Proofs and passed borders among these lengths of a step.
fn count<C: InputCase>(law: &DimensionlessLaw, inputs: InputPolynomials<C>, start: PhasePoint, counts: &mut [u32; 3]) {
    let zone = law.zone(start.w());
    let mut step = TaylorStep { series: TaylorSeries::at(law, inputs, zone, start) };
    let whole = whole(law);
    step.expand(&mut MovingTerms::new(), law, inputs, whole, 0.0);
    for share in [1.0, 0.3, 0.1, 0.01, 1e-4] {
        let h = share * whole;
        let sums = step.series.sums(h);
        let is_proved = step.certainly_stays_inside(law, &sums, h);
        let [at_start, least] = distances(&step, law, h);
        let said = format!("{zone:?}, {:?}, {start:?}, {share}", step.series.branch);
        counts[0] += u32::from(is_proved);
        counts[1] += u32::from(least < -ROUNDING);
        assert!(!is_proved || least >= -ROUNDING, "{said}: beyond the border by {least:e}");
        // Far from every border the bounds prove it.
        let reach = sums.reach_r + sums.reach_e + sums.reach_s;
        counts[2] += u32::from(at_start > 1.01 * reach);
        assert!(
            is_proved || at_start <= 1.01 * reach,
            "{said}: {at_start:e} from the border, moved by at most {reach:e}"
        );
    }
}

#[test]
fn proof_holds_wherever_it_is_given_and_is_given_far_from_the_borders() {
    let mut counts = [0; 3];
    for law in LAWS {
        for r in [-1.4, -1.001, -0.99, -0.6, -0.05, 0.02, 0.4, 0.9, 0.93, 0.999, 1.0, 1.001, 1.7] {
            for e in [-0.3, -0.01, 0.0, 0.004, 0.2, 0.7, 0.99, 1.3, 4.0, 8.9, 9.1, 12.0] {
                let start = PhasePoint::new(r, e);
                if start.w() < 0.0 {
                    continue;
                }
                for nu in [-0.5, 0.01, 0.4, 3.0] {
                    let nus = [nu, 40.0 * law.kappa, -0.03 * law.kappa * law.kappa, 0.0];
                    count(&law, InputPolynomials::held(nu), start, &mut counts);
                    count(&law, InputPolynomials::moving_velocity(nus), start, &mut counts);
                }
                // r leaves a border and comes back within the step, or turns at its start, which the first term alone does not show; v
                // begins next to e, so that e stays.
                for moved in [-0.6, -0.05, -0.002, 0.002, 0.05, 0.6] {
                    let whole = whole(&law);
                    let off = moved / (law.kappa * whole);
                    for share in [1.0, 1e-9] {
                        let turning = [e + share * off, -5.0 * off / whole, 0.0, 0.0];
                        count(&law, InputPolynomials::moving_velocity(turning), start, &mut counts);
                    }
                }
            }
        }
    }
    assert!(counts.iter().all(|count| *count > 500), "{counts:?}");
}
