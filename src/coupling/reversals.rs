//! Reversals of the changes of F_R, by which an oscillation shows while it is small.

use crate::saved_state::{Reader, SavedState, Writer};

/// Smallest change of F_R in a step over F_s that counts: above that of the largest test signal of the survey of docs/coupling.md, 0.02.
const MIN_CHANGE: f64 = 0.05;
/// Most steps from a reversal to the next one: an oscillation at the longest stable step of held values has six steps in a period or fewer.
const MAX_GAP: f64 = 6.0;
/// Reversals in a row of an oscillation. A reversal of the motion has one or two.
const MIN_REVERSALS: f64 = 3.0;

/// Counter of the reversals; part of the monitor of held values.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Reversals {
    /// Last F_R, N.
    force: f64,
    /// Last change of F_R that counts, N.
    change: f64,
    /// Steps since the last reversal, and reversals in a row.
    steps: [f64; 2],
}

impl Reversals {
    /// Adds a step with its F_R and F_s, N.
    pub fn add(&mut self, force: f64, static_force: f64) {
        let change = force - core::mem::replace(&mut self.force, force);
        let [since, reversals] = &mut self.steps;
        *since += 1.0;
        if *since > MAX_GAP {
            *reversals = 0.0;
        }
        let counts = change.abs() > MIN_CHANGE * static_force;
        if counts && change * core::mem::replace(&mut self.change, change) < 0.0 {
            (*since, *reversals) = (0.0, *reversals + 1.0);
        }
    }

    /// Whether F_R oscillates.
    pub fn oscillates(&self) -> bool {
        self.steps[1] >= MIN_REVERSALS
    }
}

impl SavedState for Reversals {
    fn write(&self, writer: &mut Writer) {
        let Reversals { force, change, steps } = self;
        [*force, *change].write(writer);
        steps.write(writer);
    }

    fn read(reader: &mut Reader) -> Option<Self> {
        let [force, change] = SavedState::read(reader)?;
        Some(Reversals { force, change, steps: SavedState::read(reader)? })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn oscillates(steps: usize, force: impl Fn(f64) -> f64) -> bool {
        let mut reversals = Reversals::default();
        (0..steps).any(|i| {
            reversals.add(force(i as f64), 1.0);
            reversals.oscillates()
        })
    }

    #[test]
    fn oscillations_of_six_steps_and_fewer_are_found_and_slow_motions_are_not() {
        for period in [2.0, 3.0, 4.5, 6.0] {
            let swing = |size: f64| move |i: f64| size * libm::cos(core::f64::consts::TAU * i / period);
            assert!(oscillates(40, swing(0.2)), "{period}");
            assert!(!oscillates(40, swing(0.02)), "{period}");
        }
        assert!(!oscillates(400, |i| libm::cos(core::f64::consts::TAU * i / 20.0)));
        assert!(!oscillates(400, |i| if libm::fmod(i, 20.0) < 10.0 { 1.0 } else { -1.0 }));
    }
}
