//! Swings of F_R with held values beyond the longest stable step, from which an automatic coupling starts.
//!
//! Where a step moves the body by many deflections of the bristle, F_R jumps from one side to the other and back within a few steps, until
//! the contact slips for good or the mass is identified. The works of force and friction agree again from then on, but the body has an
//! impulse that it does not lose.

use crate::saved_state::{Reader, SavedState, Writer};

/// Change of F_R in a step over F_s that counts as a jump. In full sliding F_R jumps by 2 F_d; with FrDyn2's defaults this is F_s. 0.8
/// finds the same runs of the survey of docs/coupling.md but for two.
const JUMP: f64 = 0.5;
/// Most steps from a jump to the one back. A prescribed sine of 20 steps in a period has 10; four instead of five steps find the same runs.
const MAX_GAP: f64 = 5.0;
/// Steps after the first jump back within which the mass must be identified: chatter shows it within 9. 25 instead of 15 find the same runs.
const MAX_UNIDENTIFIED: f64 = 15.0;
/// σ_0 H²/m, the way of a body under F_s in a step over half the deflection of the bristle, from which the time until the identification counts:
/// after a jump back, and after any jump. Good runs of the survey and of its random variants reach 6 with a jump back but for two, 25 where a body comes
/// to rest on a belt and 46 in a contact that has just closed; bad ones begin at 8.
const MIN_WAY: [f64; 2] = [8.0, 100.0];
/// Way of F_R over F_s in jumps until the identification, from which it counts at any σ_0 H²/m. Good runs reach 8.3, bad ones 12.
const MAX_WAY_OF_FORCE: f64 = 9.0;

/// Monitor of the swings of F_R; part of the monitor of held values.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct SwingMonitor {
    /// Last F_R, N.
    force: f64,
    /// Largest F_s, N.
    static_force: f64,
    /// Sum of |ΔF_R| since there was a pause without jumps, N.
    way: f64,
    /// Sign of the last jump, 0 before the first, and the steps since.
    jump: [f64; 2],
    /// Steps since the first jump back; 0 before it.
    steps: f64,
}

impl SwingMonitor {
    /// Adds a step with its F_R and F_s, N.
    pub fn add(&mut self, force: f64, static_force: f64) {
        let change = force - core::mem::replace(&mut self.force, force);
        self.static_force = self.static_force.max(static_force);
        let [sign, since] = &mut self.jump;
        *since += 1.0;
        // The way of a slow load does not count.
        self.way = if *since > MAX_GAP { change.abs() } else { self.way + change.abs() };
        let mut is_back = false;
        if change.abs() > JUMP * self.static_force {
            is_back = change * *sign < 0.0 && *since <= MAX_GAP;
            self.jump = [1.0_f64.copysign(change), 0.0];
        }
        if is_back || self.has_returned() {
            self.steps += 1.0;
        }
    }

    /// Whether F_R has jumped to and fro.
    pub fn has_returned(&self) -> bool {
        self.steps > 0.0
    }

    /// Whether F_R has jumped to and fro, and the mass is not identified since.
    pub fn is_lasting(&self) -> bool {
        self.steps > MAX_UNIDENTIFIED
    }

    /// Whether the body has moved until its mass was identified, by which `way` is σ_0 H²/m.
    pub fn has_moved(&self, way: f64) -> bool {
        let [after_return, after_jump] = MIN_WAY;
        self.has_returned() && way > after_return
            || self.jump[0] != 0.0 && way > after_jump
            || self.way > MAX_WAY_OF_FORCE * self.static_force
    }
}

impl SavedState for SwingMonitor {
    fn write(&self, writer: &mut Writer) {
        let SwingMonitor { force, static_force, way, jump, steps } = self;
        [*force, *static_force].write(writer);
        [*way, *steps].write(writer);
        jump.write(writer);
    }

    fn read(reader: &mut Reader) -> Option<Self> {
        let [force, static_force] = SavedState::read(reader)?;
        let [way, steps] = SavedState::read(reader)?;
        Some(SwingMonitor { force, static_force, way, steps, jump: SavedState::read(reader)? })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Monitor after these forces, with F_s = 1 N.
    fn after(forces: impl IntoIterator<Item = f64>) -> SwingMonitor {
        let mut monitor = SwingMonitor::default();
        forces.into_iter().for_each(|force| monitor.add(force, 1.0));
        monitor
    }

    #[test]
    fn force_that_goes_to_and_fro_and_then_slips_is_lasting() {
        let slips = |steps: usize| after([0.01, 0.7, -0.5].into_iter().chain(core::iter::repeat_n(0.5, steps)));
        assert!(!slips(10).is_lasting() && slips(30).is_lasting());
        // A prescribed sine of 20 steps in a period, in full sliding, and a load that grows until the contact slips.
        let sine = (0..400).map(|i| libm::sin(core::f64::consts::TAU * (f64::from(i) + 0.5) / 20.0).signum());
        assert!(!after(sine).is_lasting());
        let ramp = (0..400).map(|i| (0.01 * f64::from(i)).min(1.0) - if i > 120 { 0.5 } else { 0.0 });
        assert!(!after(ramp).is_lasting());
    }

    #[test]
    fn body_has_moved_in_long_steps_after_a_jump_and_after_long_chatter() {
        let [still, jump, to_and_fro] = [after([0.1, 0.2, 0.3]), after([0.0, 0.6, 0.7]), after([0.0, 0.6, -0.4])];
        assert!(!still.has_moved(1e4));
        assert!(!jump.has_moved(99.0) && jump.has_moved(101.0));
        // The first jump is none back, in either direction.
        let down = after([0.0, -0.6, -0.7]);
        assert!(!down.has_moved(99.0) && down.has_moved(101.0));
        assert!(!to_and_fro.has_moved(7.9) && to_and_fro.has_moved(8.1));
        let alternating = |steps: u32| after((0..steps).map(|i| if i % 2 == 0 { 0.5 } else { -0.5 }));
        assert!(!alternating(9).has_moved(1.0) && alternating(10).has_moved(1.0));
        // A load that swings slowly has a long way, but no jumps.
        let slow = after((0..4000).map(|i| 0.8 * libm::sin(0.05 * f64::from(i))));
        assert!(!slow.has_moved(1e4));
    }

    #[test]
    fn bounds_themselves_are_no_swings() {
        let back_after = |steps: usize| after([0.0].into_iter().chain(core::iter::repeat_n(0.6, steps)).chain([0.0]));
        assert!(back_after(5).has_moved(8.1) && !back_after(6).has_moved(8.1));
        assert!(!after([0.5]).has_moved(101.0) && after([0.51]).has_moved(101.0));
        assert!(!after([0.0, 0.6]).has_moved(100.0) && !after([0.0, 0.6, -0.4]).has_moved(8.0));
        let slips = |steps: usize| after([0.01, 0.7, -0.5].into_iter().chain(core::iter::repeat_n(0.5, steps)));
        assert!(!slips(14).is_lasting() && slips(15).is_lasting());
        let jumps = |count: usize| (1..=count).map(|i| (i % 2) as f64);
        assert!(!after(jumps(9)).has_moved(1.0) && after(jumps(10)).has_moved(1.0));
        // After a pause of five steps the way goes on, after six it begins anew.
        let paused = |pause: usize| after(jumps(9).chain(core::iter::repeat_n(1.0, pause - 1)).chain([0.0]));
        assert!(paused(5).has_moved(1.0) && !paused(6).has_moved(1.0));
        // The largest F_s so far counts.
        let mut monitor = SwingMonitor::default();
        monitor.add(0.0, 2.0);
        monitor.add(0.8, 0.5);
        assert!(!monitor.has_moved(101.0));
    }

    #[test]
    fn law_without_a_bound_has_no_jumps() {
        let mut monitor = SwingMonitor::default();
        (0..40).for_each(|i| monitor.add(if i % 2 == 0 { 1e3 } else { -1e3 }, f64::INFINITY));
        assert!(!monitor.is_lasting() && !monitor.has_moved(1e6));
    }
}
