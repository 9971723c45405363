//! Estimate of the effective mass of a body from an oscillation of the coupling.
//!
//! An m_eff that is much too large, or with parallel masters much too small, makes force and body oscillate against each other from
//! step to step. The acceleration then changes with the force alone, and Δa = −ΔP/m gives the mass. Without such an oscillation
//! there is no estimate, because external loads change both P and a.

use crate::saved_state::{Reader, SavedState, Writer};

// The thresholds are design choices; `cargo xtask coupling` measures their effect with an m_eff that does not fit the body.

/// Weight of the earlier sums in each step: a window of about four steps. Larger values estimate later and scatter less.
const FORGETTING_FACTOR: f64 = 0.75;
/// Weighted count of reversals of ΔP above which the coupling oscillates; a reversal in every step sums up to
/// 1/(1 − [`FORGETTING_FACTOR`]) = 4. Smaller values also take loads that vary for oscillations.
const MIN_REVERSALS: f64 = 1.5;
/// Lower bound on the squared correlation of ΔP and Δa. Smaller values let loads that vary disturb the estimate.
const MIN_COHERENCE: f64 = 0.99;
/// Magnitude below which a weighted sum is set to 0, so that it does not decay into subnormal numbers, which are slow.
const NEGLIGIBLE_SUM: f64 = 1e-100;
/// Lower bound on the weighted change of the force relative to the force: smaller changes give no estimate.
const MIN_FORCE_CHANGE: f64 = 0.01;
/// Relative difference from the mass in use up to which an estimate leaves it unchanged. The coupling is stable with such an error.
const DEADBAND: f64 = 0.15;
/// Bound on the ratio of the estimate to m_eff, either way.
const MAX_MASS_RATIO: f64 = 100.0;
/// Ratio of an estimate to m_eff, either way, beyond which there is none: the motion has another cause. One change that outweighs all others of
/// the window is always correlated, as where F_R falls by decades in a contact that opens while a load changes.
const IMPOSSIBLE_MASS_RATIO: f64 = 1e4;

/// Estimator of the effective mass: least squares on Δa = −ΔP/m with exponential forgetting.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct EffectiveMassEstimator {
    /// The mass in use, kg.
    pub value: f64,
    /// P (N) and a (m/s²) of the last step, and the last change of P (N).
    previous: [f64; 3],
    /// Weighted sums of ΔP², ΔP Δa and Δa².
    sums: [f64; 3],
    /// Weighted count of reversals of ΔP.
    reversals: f64,
}

impl EffectiveMassEstimator {
    /// Estimator that starts from this mass, kg.
    pub fn new(value: f64) -> Self {
        EffectiveMassEstimator { value, ..EffectiveMassEstimator::default() }
    }

    /// Sum of the magnitudes of the numbers that can grow: not finite where one of them is not. The sums start again before that.
    #[inline]
    pub fn size(&self) -> f64 {
        let [force, acceleration, change] = self.previous;
        self.value + force.abs() + acceleration.abs() + change.abs()
    }

    /// Updates the estimate with the force on the body over a step (N) and its mean acceleration (m/s²).
    pub fn update(&mut self, force: f64, acceleration: f64, m_eff: f64) {
        let [force_before, acceleration_before, last_change] = self.previous;
        let (dp, da) = (force - force_before, acceleration - acceleration_before);
        self.previous = [force, acceleration, dp];
        let [pp, pa, aa] = self.sums;
        let [pp, pa, aa] =
            [FORGETTING_FACTOR * pp + dp * dp, FORGETTING_FACTOR * pa + dp * da, FORGETTING_FACTOR * aa + da * da];
        let kept = |sum: f64| if sum.abs() < NEGLIGIBLE_SUM { 0.0 } else { sum };
        // Where the squares overflow, the sums start again.
        self.sums = if (pp + aa).is_finite() { [kept(pp), kept(pa), kept(aa)] } else { [0.0; 3] };
        self.reversals = kept(FORGETTING_FACTOR * self.reversals + if dp * last_change < 0.0 { 1.0 } else { 0.0 });
        let oscillates = self.reversals > MIN_REVERSALS && pp > MIN_FORCE_CHANGE * MIN_FORCE_CHANGE * force * force;
        if oscillates && pa < 0.0 && pa * pa > MIN_COHERENCE * pp * aa {
            let shown = -pa / aa;
            let is_possible = shown * IMPOSSIBLE_MASS_RATIO > m_eff && shown < m_eff * IMPOSSIBLE_MASS_RATIO;
            let estimate = shown.clamp(m_eff / MAX_MASS_RATIO, m_eff * MAX_MASS_RATIO);
            if is_possible && estimate.is_normal() && (estimate / self.value - 1.0).abs() > DEADBAND {
                self.value = estimate;
            }
        }
    }
}

impl SavedState for EffectiveMassEstimator {
    #[inline]
    fn write(&self, writer: &mut Writer) {
        let EffectiveMassEstimator { value, previous, sums, reversals } = self;
        value.write(writer);
        previous.write(writer);
        sums.write(writer);
        reversals.write(writer);
    }

    fn read(reader: &mut Reader) -> Option<Self> {
        Some(EffectiveMassEstimator {
            value: f64::read(reader).filter(|value| *value > 0.0)?,
            previous: SavedState::read(reader)?,
            sums: SavedState::read(reader)?,
            reversals: SavedState::read(reader)?,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_oscillation_gives_the_mass_and_a_varying_load_does_not() {
        let (mut mass, true_mass) = (EffectiveMassEstimator::new(2.0), 1.1);
        for i in 0..40 {
            let force = 3.0 + if i % 2 == 0 { 0.5 } else { -0.5 };
            mass.update(force, (3.0 - force) / true_mass, 2.0);
        }
        assert!((mass.value / true_mass - 1.0).abs() < DEADBAND, "{mass:?}");

        let mut mass = EffectiveMassEstimator::new(2.0);
        for i in 0..200 {
            let load = 3.0 * libm::sin(0.3 * f64::from(i));
            mass.update(0.9 * load, 0.1 * load / true_mass, 2.0);
        }
        assert_eq!(mass.value, 2.0);
    }
    /// Mass (kg) in use after 60 steps of a body of this mass under a force (N) that alternates about its mean, where m_eff is 2 kg in a unit of
    /// mass (kg) and the unit of the acceleration is this (m/s²).
    fn alternating(true_mass: f64, [mean, amplitude]: [f64; 2], [of_mass, of_acceleration]: [f64; 2]) -> f64 {
        let force = of_mass * of_acceleration;
        let m_eff = 2.0 / of_mass;
        let mut mass = EffectiveMassEstimator::new(m_eff);
        for i in 0..60 {
            let swing = if i % 2 == 0 { amplitude } else { -amplitude };
            mass.update((mean + swing) / force, -swing / true_mass / of_acceleration, m_eff);
        }
        mass.value * of_mass
    }

    #[test]
    fn mass_in_use_is_replaced_beyond_the_deadband_only() {
        for true_mass in [1.8, 2.2] {
            assert_eq!(alternating(true_mass, [3.0, 0.5], [1.0; 2]), 2.0, "{true_mass} kg");
        }
        for true_mass in [0.03, 0.6, 1.6, 2.5, 7.0, 190.0] {
            let found = alternating(true_mass, [3.0, 0.5], [1.0; 2]);
            assert!((found / true_mass - 1.0).abs() < DEADBAND, "{true_mass} kg: {found} kg");
        }
        // The estimate is within a factor of m_eff, and a force that follows the motion shows none.
        assert_eq!(alternating(1e3, [3.0, 0.5], [1.0; 2]), 2.0 * MAX_MASS_RATIO);
        assert_eq!(alternating(1e-3, [3.0, 0.5], [1.0; 2]), 2.0 / MAX_MASS_RATIO);
        assert_eq!(alternating(-7.0, [3.0, 0.5], [1.0; 2]), 2.0);
        // Neither do changes of the force that are far too small or large for the motion.
        for ratio in [0.9e-4, 1.1e4] {
            assert_eq!(alternating(2.0 * ratio, [3.0, 0.5], [1.0; 2]), 2.0, "{ratio}");
        }
    }

    #[test]
    fn large_change_of_a_load_gives_no_mass() {
        let mut mass = EffectiveMassEstimator::new(2.0);
        (0..40).for_each(|_| mass.update(1e-4, 0.0, 2.0));
        // F_R falls and alternates by a tenth of the rest, while a load changes the acceleration by 30 m/s².
        for i in 0..40 {
            mass.update(if i % 2 == 0 { 0.9e-6 } else { 1.1e-6 }, 30.0, 2.0);
            assert_eq!(mass.value, 2.0, "after {i} steps");
        }
    }

    #[test]
    fn estimate_in_other_units_is_the_same_to_the_bit() {
        let found = alternating(7.0, [3.0, 0.5], [1.0; 2]);
        for units in [[1024.0, 1.0], [1.0, 0.0625], [0.015_625, 256.0], [1.0 / 1_048_576.0, 1.0 / 1_048_576.0]] {
            assert_eq!(alternating(7.0, [3.0, 0.5], units), found, "{units:?}");
        }
    }

    #[test]
    fn changes_of_the_force_count_by_their_weighted_share_of_the_force() {
        // The weighted sum of the squares of changes of twice the amplitude.
        let amplitude = |share: f64, force: f64| 0.5 * share * force * (1.0 - FORGETTING_FACTOR).sqrt();
        for force in [0.3, 20.0] {
            let small = alternating(7.0, [force, amplitude(0.9 * MIN_FORCE_CHANGE, force)], [1.0; 2]);
            let large = alternating(7.0, [force, amplitude(1.1 * MIN_FORCE_CHANGE, force)], [1.0; 2]);
            assert_eq!(small, 2.0, "{force} N");
            assert!((large / 7.0 - 1.0).abs() < DEADBAND, "{force} N: {large} kg");
        }
    }

    #[test]
    fn force_that_does_not_reverse_or_explain_the_motion_gives_no_mass() {
        // A force that rises, and answers as of 7 kg.
        let mut mass = EffectiveMassEstimator::new(2.0);
        for i in 0..60 {
            let force = 0.5 * f64::from(i);
            mass.update(force, -force / 7.0, 2.0);
        }
        assert_eq!(mass.value, 2.0);
        // Half of the motion is that of a load with another rhythm.
        let mut mass = EffectiveMassEstimator::new(2.0);
        for i in 0..200 {
            let force = if i % 2 == 0 { 0.5 } else { -0.5 };
            let load = if i % 4 < 2 { 0.5 } else { -0.5 };
            mass.update(3.0 + force, (load - force) / 7.0, 2.0);
        }
        assert_eq!(mass.value, 2.0);
    }

    #[test]
    fn sums_start_again_where_the_squares_overflow() {
        let mut mass = EffectiveMassEstimator::new(2.0);
        mass.update(1.0, -1.0, 2.0);
        mass.update(1e200, -1.0, 2.0);
        assert_eq!(mass.sums, [0.0; 3]);
        mass.update(1e200, -1e200, 2.0);
        assert_eq!(mass.sums, [0.0; 3]);
        assert!(mass.size().is_finite());
        // The sum of both squares is finite, their product is not.
        let mut mass = EffectiveMassEstimator::new(2.0);
        (0..4).for_each(|i| mass.update(if i % 2 == 0 { 1e90 } else { -1e90 }, 1e90 * f64::from(i), 2.0));
        assert!(mass.sums.iter().all(|sum| *sum != 0.0), "{mass:?}");
        // They are 0 before they become subnormal numbers.
        (0..5000).for_each(|_| mass.update(1.0, 1.0, 2.0));
        assert_eq!((mass.sums, mass.reversals), ([0.0; 3], 0.0));
    }

    #[test]
    fn restored_estimate_is_the_same_and_masses_of_0_are_refused() {
        let mut mass = EffectiveMassEstimator::new(2.0);
        (0..6).for_each(|i| mass.update(if i % 2 == 0 { 3.0 } else { 2.0 }, 0.1 * f64::from(i), 2.0));
        for (value, is_possible) in [(2.0, true), (0.0, false), (-2.0, false), (f64::NAN, false)] {
            mass.value = value;
            let mut bytes = [0; 8 * 8];
            mass.write(&mut Writer::new(&mut bytes));
            let restored = EffectiveMassEstimator::read(&mut Reader::new(&bytes));
            assert_eq!(restored, is_possible.then_some(mass), "{value} kg");
        }
    }

    #[test]
    fn size_is_the_sum_of_the_magnitudes() {
        let mut mass = EffectiveMassEstimator::new(2.0);
        mass.update(-4.0, -8.0, 2.0);
        // The force, its change from 0, and the acceleration.
        assert_eq!(mass.size(), 2.0 + 4.0 + 4.0 + 8.0);
    }
}
