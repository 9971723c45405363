//! Laws with modes, advanced in short segments up to the instant at which a mode ends.

use crate::segments::{between, first_instant, parts};
use crate::trajectory::InputTrajectory;

/// Law with modes. Between changes of mode its state is smooth.
pub trait HybridLaw {
    /// Mode and continuous states.
    type State: Copy + core::fmt::Debug;

    /// State at `t + dt`, from a state at `t`, without a change of mode.
    fn flow(&self, state: Self::State, inputs: &InputTrajectory, t: f64, dt: f64) -> Self::State;

    /// The state's mode ends at `t`.
    fn mode_ends(&self, state: Self::State, inputs: &InputTrajectory, t: f64) -> bool;

    /// State after a change of mode at `t`.
    fn switch_mode(&self, state: Self::State, inputs: &InputTrajectory, t: f64) -> Self::State;
}

/// Changes of mode in a step after which a reference fails: a stick-slip element that creeps at
/// less than the speed of rest under a very small normal force breaks away and sticks again without
/// end.
const SWITCHES: u32 = 20_000;

/// State after a step of `h` (s).
///
/// # Panics
/// If the law's modes follow each other without end.
pub fn advance_modes<L: HybridLaw>(
    law: &L,
    start: L::State,
    inputs: &InputTrajectory,
    h: f64,
) -> L::State {
    let mut switches = 0;
    let mut state = settle(law, start, inputs, 0.0);
    for [mut t, end] in searched(inputs, h) {
        loop {
            let there = law.flow(state, inputs, t, end - t);
            if !law.mode_ends(there, inputs, end) {
                state = there;
                break;
            }
            let switch = first_instant(t, end, |s| {
                law.mode_ends(law.flow(state, inputs, t, s - t), inputs, s)
            });
            state = settle(law, law.flow(state, inputs, t, switch - t), inputs, switch);
            t = switch;
            switches += 1;
            assert!(
                switches < SWITCHES,
                "modes change without end at {t}: {state:?}"
            );
        }
    }
    state
}

/// Parts of a step in each of which a mode is looked for that has ended: equal ones, and shorter
/// ones next to a change of sign, around which a mode may end and begin again at once.
fn searched(inputs: &InputTrajectory, h: f64) -> Vec<[f64; 2]> {
    let count = inputs.grid();
    let mut places: Vec<f64> = (0..=count)
        .map(|i| h * f64::from(i) / f64::from(count))
        .collect();
    if let InputTrajectory::Moving(_) = inputs {
        places.extend(parts(inputs, h).into_iter().map(|[start, _]| start));
    }
    between(places)
}

/// Changes the mode until it holds.
fn settle<L: HybridLaw>(
    law: &L,
    mut state: L::State,
    inputs: &InputTrajectory,
    t: f64,
) -> L::State {
    for _ in 0..10 {
        if !law.mode_ends(state, inputs, t) {
            return state;
        }
        state = law.switch_mode(state, inputs, t);
    }
    panic!("no mode stays at {t}: {state:?}");
}
