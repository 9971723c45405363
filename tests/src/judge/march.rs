//! Marches a law with modes through a step: in tiny pieces, and to the very instant where a mode ends.

use super::course::Course;
use super::pieces::first_instant;

/// A law with modes. Between its switches a state follows a smooth course.
pub trait Switching {
    /// Mode and continuous states.
    type State: Copy + core::fmt::Debug;

    /// The state at `t + dt`, from a state at `t` and without any switch.
    fn flow(&self, state: Self::State, course: &Course, t: f64, dt: f64) -> Self::State;

    /// Whether the state's mode has to end at `t`.
    fn is_over(&self, state: Self::State, course: &Course, t: f64) -> bool;

    /// The state after a switch at `t`.
    fn switch(&self, state: Self::State, course: &Course, t: f64) -> Self::State;
}

/// Changes of mode in a step after which a judge gives up: a stick-slip element that creeps at less than the speed of rest under
/// next to no normal force breaks away and is caught without end.
const SWITCHES: u32 = 20_000;

/// The state after a step of `h` (s).
///
/// # Panics
/// If the law's modes follow each other without end.
pub fn march<L: Switching>(law: &L, start: L::State, course: &Course, h: f64) -> L::State {
    let count = course.grid();
    let mut switches = 0;
    let mut state = settle(law, start, course, 0.0);
    for i in 0..count {
        let [mut t, end] = [i, i + 1].map(|i| h * f64::from(i) / f64::from(count));
        loop {
            let there = law.flow(state, course, t, end - t);
            if !law.is_over(there, course, end) {
                state = there;
                break;
            }
            let switch = first_instant(t, end, |s| law.is_over(law.flow(state, course, t, s - t), course, s));
            state = settle(law, law.flow(state, course, t, switch - t), course, switch);
            t = switch;
            switches += 1;
            assert!(switches < SWITCHES, "modes change without end at {t}: {state:?}");
        }
    }
    state
}

/// Switches until the mode may stay.
fn settle<L: Switching>(law: &L, mut state: L::State, course: &Course, t: f64) -> L::State {
    for _ in 0..10 {
        if !law.is_over(state, course, t) {
            return state;
        }
        state = law.switch(state, course, t);
    }
    panic!("no mode stays at {t}: {state:?}");
}
