//! The mass that a body shows when the coupling swings.
//!
//! An m_eff that is much too large, or with parallel masters much too small, makes force and body swing against each
//! other from step to step. In that moment, and only in it, the mass is plain to see: changes of the acceleration answer to
//! changes of the force alone, Δa = −ΔP/m. As long as nothing swings nothing is estimate, because then loads move both.

use crate::saved_state::{Reader, SavedState, Writer};

/// The share of the past that is kept from step to step.
const FORGETTING_FACTOR: f64 = 0.75;
/// Reversals of the force's changes, counted with the same memory, from which on it swings; in every step it would be 4.
const SWINGING: f64 = 1.5;
/// The share of the acceleration's changes that the force must explain (the square of their correlation).
const COHERENCE: f64 = 0.99;
/// A memory this faint is none.
const FORGOTTEN: f64 = 1e-100;
/// Changes of the force below this share of it teach nothing.
const SMALL: f64 = 0.01;
/// A mass within this share of the present one is left as it is: it is good enough.
const GOOD_ENOUGH: f64 = 0.15;
/// The mass stays within this factor of m_eff.
const RANGE: f64 = 10.0;

/// Sums of force P and acceleration a over the last steps.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct EffectiveMassEstimator {
    /// The mass in use, kg.
    pub value: f64,
    /// P and a of the step before, and the last change of P.
    before: [f64; 3],
    /// Sums of ΔP², ΔP Δa and Δa².
    sums: [f64; 3],
    reversals: f64,
}

impl EffectiveMassEstimator {
    /// Estimator without observations.
    pub fn new(value: f64) -> Self {
        EffectiveMassEstimator { value, ..EffectiveMassEstimator::default() }
    }

    /// Takes in the force on the body over a step (N) and the body's mean acceleration (m/s²).
    pub fn update(&mut self, force: f64, acceleration: f64, m_eff: f64) {
        let [force_before, acceleration_before, last_change] = self.before;
        let (dp, da) = (force - force_before, acceleration - acceleration_before);
        self.before = [force, acceleration, dp];
        let [pp, pa, aa] = self.sums;
        let [pp, pa, aa] =
            [FORGETTING_FACTOR * pp + dp * dp, FORGETTING_FACTOR * pa + dp * da, FORGETTING_FACTOR * aa + da * da];
        // Squares of wild numbers are beyond all numbers, and teach nothing.
        self.sums = if (pp + aa).is_finite() { [pp, pa, aa] } else { [0.0; 3] };
        self.reversals = FORGETTING_FACTOR * self.reversals + if dp * last_change < 0.0 { 1.0 } else { 0.0 };
        // What is long ago is forgotten before it ends in denormal numbers, which are slow.
        for old in self.sums.iter_mut().chain([&mut self.reversals]) {
            if old.abs() < FORGOTTEN {
                *old = 0.0;
            }
        }
        let swings = self.reversals > SWINGING && pp > SMALL * SMALL * force * force;
        if swings && pa < 0.0 && pa * pa > COHERENCE * pp * aa {
            let seen = (-pa / aa).clamp(m_eff / RANGE, m_eff * RANGE);
            if seen.is_normal() && (seen / self.value - 1.0).abs() > GOOD_ENOUGH {
                self.value = seen;
            }
        }
    }
}

impl SavedState for EffectiveMassEstimator {
    #[inline]
    fn write(&self, writer: &mut Writer) {
        let EffectiveMassEstimator { value, before, sums, reversals } = self;
        value.write(writer);
        before.write(writer);
        sums.write(writer);
        reversals.write(writer);
    }

    fn read(reader: &mut Reader) -> Option<Self> {
        Some(EffectiveMassEstimator {
            value: f64::read(reader).filter(|value| *value > 0.0)?,
            before: SavedState::read(reader)?,
            sums: SavedState::read(reader)?,
            reversals: SavedState::read(reader)?,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_swinging_force_shows_the_mass_and_a_moving_load_does_not() {
        let (mut mass, true_mass) = (EffectiveMassEstimator::new(2.0), 1.1);
        for i in 0..40 {
            let force = 3.0 + if i % 2 == 0 { 0.5 } else { -0.5 };
            mass.update(force, (3.0 - force) / true_mass, 2.0);
        }
        assert!((mass.value / true_mass - 1.0).abs() < GOOD_ENOUGH, "{mass:?}");

        let mut mass = EffectiveMassEstimator::new(2.0);
        for i in 0..200 {
            let load = 3.0 * libm::sin(0.3 * f64::from(i));
            mass.update(0.9 * load, 0.1 * load / true_mass, 2.0);
        }
        assert_eq!(mass.value, 2.0);
    }
}
