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

    /// Reversals after these forces (N) under F_s = 1 N.
    fn after(forces: impl IntoIterator<Item = f64>) -> Reversals {
        let mut reversals = Reversals::default();
        forces.into_iter().for_each(|force| reversals.add(force, 1.0));
        reversals
    }

    /// Forces between 0 and 1 N whose changes reverse every `half` steps.
    fn triangle(half: usize, steps: usize) -> impl Iterator<Item = f64> {
        (0..steps).map(move |i| {
            let place = i % (2 * half);
            (if place > half { 2 * half - place } else { place }) as f64 / half as f64
        })
    }

    #[test]
    fn three_reversals_in_a_row_are_an_oscillation_and_those_of_a_motion_that_turns_are_none() {
        assert!(!after([0.0, 1.0, 0.0, 1.0]).oscillates());
        assert!(after([0.0, 1.0, 0.0, 1.0, 0.0]).oscillates());
        // The first change reverses none, in either direction.
        assert!(!after([0.0, -1.0, 0.0, -1.0]).oscillates());
        assert!(after([0.0, -1.0, 0.0, -1.0, 0.0]).oscillates());
        // A force that rises, falls and goes on falling.
        assert!(!after([0.0, 1.0, 0.0, -1.0, -2.0, -3.0, -2.0]).oscillates());
        // Six steps from one reversal to the next are in a row, seven are not; after a pause the count begins anew.
        assert!(after(triangle(6, 30)).oscillates() && !after(triangle(7, 300)).oscillates());
        let resumed = |pause: usize| after([0.0, 1.0, 0.0].into_iter().chain([0.0].repeat(pause)).chain([1.0, 0.0]));
        assert!(resumed(5).oscillates() && !resumed(6).oscillates());
    }

    #[test]
    fn changes_count_by_their_share_of_the_static_friction_force() {
        let oscillates = |size: f64, static_force: f64| {
            let mut reversals = Reversals::default();
            (0..20).for_each(|i| reversals.add(if i % 2 == 0 { size } else { 0.0 }, static_force));
            reversals.oscillates()
        };
        for static_force in [1e-6, 1.0, 1e6] {
            assert!(oscillates(1.01 * MIN_CHANGE * static_force, static_force), "{static_force} N");
            assert!(!oscillates(0.99 * MIN_CHANGE * static_force, static_force), "{static_force} N");
        }
        // The bound itself does not count, nor any change of a law without a bound.
        assert!(!oscillates(MIN_CHANGE * 2.0, 2.0) && !oscillates(1e9, f64::INFINITY));
        // Small changes between two jumps are no reversals, and do not hide one.
        let jumps = [0.0, 1.0, 0.99, 1.0, 0.0, 0.01, 0.0, 1.0, 0.99];
        assert!(!after(jumps).oscillates() && after(jumps.into_iter().chain([0.0])).oscillates());
    }

    #[test]
    fn restored_reversals_count_on() {
        for steps in 0..8 {
            let mut reversals = after(triangle(1, steps));
            let mut bytes = [0; 32];
            reversals.write(&mut Writer::new(&mut bytes));
            let mut restored = Reversals::read(&mut Reader::new(&bytes)).expect("a saved state");
            assert_eq!(restored, reversals);
            for force in triangle(1, 5) {
                reversals.add(force, 1.0);
                restored.add(force, 1.0);
                assert_eq!(restored.oscillates(), reversals.oscillates());
            }
        }
    }
}
