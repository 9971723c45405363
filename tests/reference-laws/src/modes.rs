//! Marches a law with modes through a step: in tiny pieces, and to the very instant where a mode ends.

use crate::segments::first_instant;
use crate::trajectory::InputTrajectory;

/// A law with modes. Between its switches a state follows a smooth course.
pub trait HybridLaw {
    /// Mode and continuous states.
    type State: Copy + core::fmt::Debug;

    /// The state at `t + dt`, from a state at `t` and without any switch.
    fn flow(&self, state: Self::State, inputs: &InputTrajectory, t: f64, dt: f64) -> Self::State;

    /// Whether the state's mode has to end at `t`.
    fn mode_ends(&self, state: Self::State, inputs: &InputTrajectory, t: f64) -> bool;

    /// The state after a switch at `t`.
    fn switch_mode(&self, state: Self::State, inputs: &InputTrajectory, t: f64) -> Self::State;
}

/// Changes of mode in a step after which a judge gives up: a stick-slip element that creeps at less than the speed of rest under
/// next to no normal force breaks away and is caught without end.
const SWITCHES: u32 = 20_000;

/// The state after a step of `h` (s).
///
/// # Panics
/// If the law's modes follow each other without end.
pub fn advance_modes<L: HybridLaw>(law: &L, start: L::State, inputs: &InputTrajectory, h: f64) -> L::State {
    let count = inputs.grid();
    let mut switches = 0;
    let mut state = settle(law, start, inputs, 0.0);
    for i in 0..count {
        let [mut t, end] = [i, i + 1].map(|i| h * f64::from(i) / f64::from(count));
        loop {
            let there = law.flow(state, inputs, t, end - t);
            if !law.mode_ends(there, inputs, end) {
                state = there;
                break;
            }
            let switch = first_instant(t, end, |s| law.mode_ends(law.flow(state, inputs, t, s - t), inputs, s));
            state = settle(law, law.flow(state, inputs, t, switch - t), inputs, switch);
            t = switch;
            switches += 1;
            assert!(switches < SWITCHES, "modes change without end at {t}: {state:?}");
        }
    }
    state
}

/// Switches until the mode may stay.
fn settle<L: HybridLaw>(law: &L, mut state: L::State, inputs: &InputTrajectory, t: f64) -> L::State {
    for _ in 0..10 {
        if !law.mode_ends(state, inputs, t) {
            return state;
        }
        state = law.switch_mode(state, inputs, t);
    }
    panic!("no mode stays at {t}: {state:?}");
}
