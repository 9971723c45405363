//! Monitor of the held values with which an automatic coupling starts.
//!
//! *Work*: the law does the work of its force on the velocity that it is given, held over the step; the master moves the body under that
//! force. Both works agree where the steps resolve the motion. In chatter they differ by the most of either. The order of the master is not
//! known yet, so that the better of both counts.
//!
//! *Normal force*: with held values F_R follows F_N a step late.
//!
//! *Swings*: beyond the longest stable step F_R jumps to and fro ([`SwingMonitor`]).

use super::reversals::Reversals;
use super::swings::SwingMonitor;
use crate::saved_state::{Reader, SavedState, Writer};

/// Error of the work from which held values are in doubt. A prescribed sine of 20 steps in a period has 0.024; smaller bounds report it.
const MAX_WORK_ERROR: f64 = 0.1;
/// Steps in a row with such an error, so that a single late stop does not count.
const DOUBTFUL_STEPS: f64 = 15.0;
/// Share that the mean of squares of ΔF_N keeps from step to step, and the steps before it counts.
const NORMAL: (f64, f64) = (0.98, 60.0);
/// Root mean square of ΔF_N, less its mean, over the largest F_N from which held values are in doubt.
const MAX_NORMAL_CHANGE: f64 = 0.005;

/// Reason to doubt held values.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum HeldDoubt {
    /// Error of the work of the applied force over the work.
    Work(f64),
    /// Root mean square of ΔF_N over the largest F_N.
    Normal(f64),
    /// F_R jumps to and fro, and the mass is not identified.
    Swings,
    /// The test signal has acted for long, and the mass is not identified.
    Unidentified,
}

/// Communication point of an element with held values.
#[derive(Clone, Copy, Debug)]
pub struct HeldPoint {
    /// F_N (N) and v (m/s).
    pub contact: [f64; 2],
    /// E_loss, J.
    pub loss: f64,
    /// Length of the step before it, s.
    pub duration: f64,
    /// Forces of the last step and of the one before, N.
    pub forces: [f64; 2],
    /// F_s, N.
    pub static_force: f64,
}

/// Monitor of held values; part of an automatic coupling.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct HeldMonitor {
    /// E_loss at the first point, J.
    start: f64,
    /// E_loss at the last point, J.
    loss: f64,
    /// F_N (N) and v (m/s) at the last point.
    contact: [f64; 2],
    /// Work of the applied force less that of the law, J, in a serial and in a parallel coupling.
    differences: [f64; 2],
    /// Work that errors refer to at least, J.
    least: f64,
    /// Largest F_N, N, and the means of ΔF_N², N², and of ΔF_N, N.
    normal: [f64; 3],
    /// Steps, and those in a row with a large error of the work.
    steps: [f64; 2],
    swings: SwingMonitor,
    reversals: Reversals,
    /// Whether the body has moved until its mass was identified.
    has_moved: bool,
}

impl HeldMonitor {
    /// Adds a communication point; `least` is the work that errors refer to at least (J), the elastic energy of the contact many times.
    pub fn add(&mut self, point: HeldPoint, least: impl FnOnce() -> f64) {
        let HeldPoint { contact, loss, duration, forces, static_force } = point;
        self.swings.add(forces[0], static_force);
        self.reversals.add(forces[0], static_force);
        let [normal_before, v_before] = core::mem::replace(&mut self.contact, contact);
        let before = core::mem::replace(&mut self.loss, loss);
        self.steps[0] += 1.0;
        if self.steps[0] <= 1.0 {
            self.start = loss;
            return;
        }
        let [normal, v] = contact;
        for (difference, force) in self.differences.iter_mut().zip(forces) {
            *difference += 0.5 * force * (v_before + v) * duration - (loss - before);
        }
        let [largest, changes, drift] = &mut self.normal;
        *largest = largest.max(normal);
        let change = normal - normal_before;
        *changes += (1.0 - NORMAL.0) * (change * change - *changes);
        *drift += (1.0 - NORMAL.0) * (change - *drift);
        // Where the numbers overflow, the sums start again.
        if !(self.differences.iter().sum::<f64>().is_finite() && self.normal[1].is_finite()) {
            *self = HeldMonitor { contact, loss, ..HeldMonitor::default() };
            return;
        }
        let is_off = self.difference().abs() > MAX_WORK_ERROR * (loss - self.start).abs() && {
            self.least = least();
            self.work_error().abs() > MAX_WORK_ERROR
        };
        self.steps[1] = if is_off { self.steps[1] + 1.0 } else { 0.0 };
    }

    /// Smaller one of the differences of the works, J.
    fn difference(&self) -> f64 {
        let [serial, parallel] = self.differences;
        if serial.abs() <= parallel.abs() { serial } else { parallel }
    }

    /// Error of the work of the applied force over that of the law.
    pub fn work_error(&self) -> f64 {
        let scale = (self.loss - self.start).abs() + self.least;
        if scale > 0.0 { self.difference() / scale } else { 0.0 }
    }

    /// Work of the applied force less that of the law (J) in a parallel coupling or a serial one, and E_loss at the start (J).
    pub fn carried(&self, is_parallel: bool) -> [f64; 2] {
        [self.differences[usize::from(is_parallel)], self.start]
    }

    /// Whether F_R has jumped to and fro.
    pub fn has_swung(&self) -> bool {
        self.swings.has_returned()
    }

    /// Whether F_R oscillates.
    pub fn oscillates(&self) -> bool {
        self.reversals.oscillates()
    }

    /// Ends the held values with the identification of a mass, by which `way` is σ_0 H²/m.
    pub fn end(&mut self, way: f64) {
        self.has_moved = self.swings.has_moved(way);
    }

    /// Whether the body has moved until its mass was identified.
    pub fn has_moved(&self) -> bool {
        self.has_moved
    }

    /// The reason to doubt held values, if there is one.
    pub fn doubt(&self) -> Option<HeldDoubt> {
        let [largest, changes, drift] = self.normal;
        // A normal force that only rises, as at a first touch, is large beside its largest value so far.
        let changes = changes - drift * drift;
        let [steps, doubtful] = self.steps;
        let bound = MAX_NORMAL_CHANGE * largest;
        if steps > NORMAL.1 && changes > bound * bound {
            return Some(HeldDoubt::Normal(changes.sqrt() / largest));
        }
        if doubtful > DOUBTFUL_STEPS {
            return Some(HeldDoubt::Work(self.work_error()));
        }
        self.swings.is_lasting().then_some(HeldDoubt::Swings)
    }
}

impl SavedState for HeldMonitor {
    fn write(&self, writer: &mut Writer) {
        let HeldMonitor { start, loss, contact, differences, least, normal, steps, swings, reversals, has_moved } =
            self;
        [*start, *loss, *least].write(writer);
        [*contact, *differences, *steps].write(writer);
        normal.write(writer);
        swings.write(writer);
        reversals.write(writer);
        has_moved.write(writer);
    }

    fn read(reader: &mut Reader) -> Option<Self> {
        let [start, loss, least] = SavedState::read(reader)?;
        let [contact, differences, steps] = SavedState::read(reader)?;
        let normal = SavedState::read(reader)?;
        let swings = SavedState::read(reader)?;
        let reversals = SavedState::read(reader)?;
        let has_moved = bool::read(reader)?;
        Some(HeldMonitor { start, loss, contact, differences, least, normal, steps, swings, reversals, has_moved })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Monitor after steps of 1 ms with these velocities (m/s), forces (N) of a serial master, and normal forces (N).
    fn after(steps: u32, at: impl Fn(f64) -> [f64; 3]) -> HeldMonitor {
        let mut monitor = HeldMonitor::default();
        let (mut loss, h) = (0.0, 1e-3);
        let mut forces = [0.0; 2];
        for i in 0..steps {
            let [v, force, normal] = at(f64::from(i));
            let point = HeldPoint { contact: [normal, v], loss, duration: h, forces, static_force: 100.0 };
            monitor.add(point, || 1e-4);
            loss += force * v * h;
            forces = [force, forces[0]];
        }
        monitor
    }

    #[test]
    fn chatter_is_found_and_a_prescribed_sine_is_not() {
        // The force of each step drives v to the other side.
        let chatter = |i: f64| if libm::fmod(i, 2.0) < 1.0 { [1e-2, 5.0, 10.0] } else { [-1e-2, -5.0, 10.0] };
        assert!(matches!(after(60, chatter).doubt(), Some(HeldDoubt::Work(_))));
        let sine = |i: f64| {
            let v = libm::sin(core::f64::consts::TAU / 20.0 * (i + 0.5));
            [v, 5.0_f64.copysign(v), 10.0]
        };
        assert_eq!(after(400, sine).doubt(), None);
    }

    #[test]
    fn normal_force_that_changes_from_step_to_step_is_found() {
        let swinging = |share: f64| move |i: f64| [0.1, 5.0, 10.0 * (1.0 + share * libm::sin(0.3 * i))];
        assert!(matches!(after(200, swinging(0.1)).doubt(), Some(HeldDoubt::Normal(_))));
        assert_eq!(after(200, swinging(0.01)).doubt(), None);
        // A load that rises for good does not swing.
        assert_eq!(after(300, |i| [0.1, 5.0, 100.0 + 0.3 * i]).doubt(), None);
    }

    #[test]
    fn sums_start_again_at_the_loss_where_they_overflow() {
        let mut monitor = HeldMonitor::default();
        let mut add = |force: f64, loss: f64| {
            let point =
                HeldPoint { contact: [10.0, 4.0], loss, duration: 0.25, forces: [force; 2], static_force: 100.0 };
            monitor.add(point, || 1e-4);
            (monitor.carried(true), monitor.steps[0])
        };
        assert_eq!((add(5.0, 1.0), add(5.0, 6.0)), (([0.0, 1.0], 1.0), ([0.0, 1.0], 2.0)));
        assert_eq!(add(f64::MAX, 11.0), ([0.0, 0.0], 0.0));
        assert_eq!(add(5.0, 16.0), ([0.0, 16.0], 1.0));
    }

    #[test]
    fn doubt_has_the_root_mean_square_of_the_changes_without_their_mean() {
        // Changes of 1 N by root mean square, under a load that rises by 0 N or 0.5 N in a step, up to these forces.
        let amplitude = 1.0 / (core::f64::consts::SQRT_2 * libm::sin(0.15));
        for rise in [0.0, 0.5] {
            let found = after(160, |i| [0.1, 5.0, 20.0 + rise * i + amplitude * libm::sin(0.3 * i)]).doubt();
            let Some(HeldDoubt::Normal(ratio)) = found else { panic!("{rise} N: {found:?}") };
            // Largest F_N of the steps.
            let at = |i: i32| 20.0 + rise * f64::from(i) + amplitude * libm::sin(0.3 * f64::from(i));
            let largest = (0..160).map(at).fold(0.0, f64::max);
            assert!((ratio * largest - 1.0).abs() < 0.08, "{rise} N: {} N", ratio * largest);
        }
        // A load that swings from the start is in doubt after the steps that the mean needs.
        let swinging = |i: f64| [0.1, 5.0, 10.0 * (1.0 + 0.1 * libm::sin(0.3 * i))];
        assert_eq!(after(NORMAL.1 as u32, swinging).doubt(), None);
        assert!(matches!(after(NORMAL.1 as u32 + 1, swinging).doubt(), Some(HeldDoubt::Normal(_))));
    }

    #[test]
    fn work_is_in_doubt_where_it_is_off_in_many_steps_in_a_row_beyond_the_least_work() {
        // A contact that moves alternately against the force and with it, whose law takes up no work.
        let doubt = |steps: u32, least: f64| {
            let mut monitor = HeldMonitor::default();
            for _ in 0..steps {
                let point = HeldPoint {
                    contact: [10.0, 2.0],
                    loss: 0.0,
                    duration: 0.25,
                    forces: [4.0; 2],
                    static_force: 100.0,
                };
                monitor.add(point, || least);
            }
            monitor.doubt()
        };
        // The first step has none before it; the error grows by 2 J in each step.
        let first = DOUBTFUL_STEPS as u32 + 2;
        assert_eq!(doubt(first - 1, 0.1), None);
        let work = 2.0 * f64::from(first - 1);
        assert_eq!(doubt(first, 0.1), Some(HeldDoubt::Work(work / 0.1)));
        assert_eq!(doubt(60, 1e4), None);
    }

    #[test]
    fn error_of_the_work_refers_to_the_loss_since_the_sums_started() {
        let mut monitor = HeldMonitor::default();
        let mut add = |force: f64, loss: f64| {
            let point =
                HeldPoint { contact: [10.0, 4.0], loss, duration: 0.25, forces: [force; 2], static_force: 100.0 };
            monitor.add(point, || 1.0);
            (monitor.work_error(), monitor.steps[1])
        };
        // A coupling that is switched to auto after a loss of 1000 J: 7 J of the force for 6 J of the law.
        assert_eq!(add(5.0, 1000.0), (0.0, 0.0));
        assert_eq!(add(7.0, 1006.0), (1.0 / 7.0, 1.0));
        // The sums overflow and start again at the next point, with a loss of 1016 J.
        add(f64::MAX, 1011.0);
        assert_eq!(add(5.0, 1016.0), (0.0, 0.0));
        assert_eq!(add(6.0, 1022.0), (0.0, 0.0));
        // 12 J for 10 J: 2 J of 16 J and the least work.
        assert_eq!(add(12.0, 1032.0), (2.0 / 17.0, 1.0));
    }
}
