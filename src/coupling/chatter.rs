//! Detection of chatter for a body whose effective mass is not given: a coupling with held values beyond its longest stable step.
//!
//! While a body oscillates against a held force F, its velocity changes with the force alone: with the load L and
//! Δv_n = v_n − v_{n−1} = (L − F) H/m, m = −H ΔF/(Δv_n − Δv_{n−1}), where F is the last force of the element in a serial coupling
//! and the force before it in a parallel one. A run of steps with equal masses identifies the mass and the coupling scheme, and with
//! the law's response in stick the longest stable step ([`longest_steps`]). Prescribed motions give masses that scatter, or
//! velocities that do not reverse.
//!
//! The work of the held force is negative where the oscillation grows, as ΔF (Δv_n + Δv_{n−1}) H/2 = −m (Δv_n² − Δv_{n−1}²)/2, while
//! the law's ΔF Δv is positive. Chatter requires both. Two cases may go unreported: an oscillation with ten steps or more in a period,
//! as of a heavy body in a parallel coupling (10 kg and more on FrDyn2), which an oscillating load makes as well; and a coupling so
//! far above its limit that the contact slips for good within fewer steps than a run needs.

use super::longest_steps;
use core::cmp::Ordering;

/// Relative difference up to which two masses count as equal. It admits a load that changes by a twentieth of the change of the force in
/// a step.
const MASS_AGREEMENT: f64 = 0.05;
/// Minimum length of a run of equal masses in a serial coupling, and of reversals of Δv in it, of which there is one in every step.
/// Independent random velocities do not reach either minimum within 1e6 steps (a unit test).
const SERIAL_RUN: [u32; 2] = [3, 3];
/// Minimum length of a run of equal masses in a parallel coupling, and of reversals of Δv in it, of which there is one in every second or
/// third step. Independent random velocities do not reach either minimum within 1e6 steps (a unit test).
const PARALLEL_RUN: [u32; 2] = [5, 2];
/// Lower bound on the work of the held force over that of the law: with a smaller one the rounding of a prescribed motion of constant
/// amplitude would count as chatter. A growth of the oscillation by less than this in a step leaves the contact in stick.
const MIN_DRIVEN_SHARE: f64 = 0.02;
/// Upper bound on the product of two successive Δv that counts as a reversal, m²/s²: the velocity of a body at rest changes by
/// rounding, below 1e-12 m/s. A bound further below 0 reports chatter later.
const MAX_REVERSAL: f64 = -1e-24;
/// Number of steps without a reversal after which the history is discarded.
const MAX_STEPS_WITHOUT_REVERSAL: u32 = 6;

/// Detected chatter.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Chatter {
    /// Estimated effective mass of the body, kg.
    pub mass: f64,
    /// Longest stable communication step with this mass and coupling scheme, s.
    pub longest_step: f64,
    /// Whether the coupling is serial, else parallel.
    pub is_serial: bool,
}

/// Monitor for chatter of a body whose effective mass is not given.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ChatterMonitor {
    /// Velocity at the last communication point, m/s.
    v: f64,
    /// Last change of the velocity, m/s; NaN while a history is recorded.
    change: f64,
    /// Whether the coming step may be part of an oscillation.
    is_suspicious: bool,
    history: SwingHistory,
}

/// History of an oscillation from step to step.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct SwingHistory {
    /// Steps since the last reversal; 0 before the first.
    steps: u32,
    /// Last change of the velocity, m/s.
    change: f64,
    /// Last forces, the newest first, N.
    forces: [f64; 2],
    /// Length of the last step, s.
    duration: f64,
    /// Whether the law has stuck at the end of one of the steps.
    has_stuck: bool,
    /// Run of equal masses under the assumption of a serial coupling.
    serial: MassRun,
    /// Run of equal masses under the assumption of a parallel coupling.
    parallel: MassRun,
}

/// Run of steps with equal masses.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct MassRun {
    /// Mass of the last step, kg.
    mass: f64,
    /// Number of steps.
    steps: u32,
    /// Number of reversals of Δv in them.
    reversals: u32,
    /// Sums of ΔF (Δv_n + Δv_{n−1}) of the held force and of ΔF Δv of the law, N·m/s.
    work: [f64; 2],
}

impl ChatterMonitor {
    /// Records the velocity `v` (m/s) of a coming step; returns whether the step may be part of an oscillation, which
    /// [`detect`](Self::detect) examines.
    #[inline(always)] // a difference, a product and a comparison in each step
    pub fn record(&mut self, v: f64) -> bool {
        let change = v - core::mem::replace(&mut self.v, v);
        let reverses = change * core::mem::replace(&mut self.change, change);
        // NaN counts as suspicious: it marks a history in progress.
        self.is_suspicious = !matches!(reverses.partial_cmp(&MAX_REVERSAL), Some(Ordering::Greater | Ordering::Equal));
        self.is_suspicious
    }

    /// Adds the coming step of `duration` (s) to the history, where [`record`](Self::record) found it suspicious;
    /// returns chatter if it is detected. `force` (N) is the last force of the element, `sticks` whether the law sticks, and `response`
    /// the stiffness (N/m) and damping (N·s/m) of the law in stick.
    #[cold]
    pub fn detect(
        &mut self,
        force: f64,
        duration: f64,
        sticks: bool,
        response: impl FnOnce() -> [f64; 2],
    ) -> Option<Chatter> {
        if !self.is_suspicious {
            return None;
        }
        let change = self.change;
        let SwingHistory { steps, change: before, forces: [last, one_before], .. } = self.history;
        let reverses = steps == 0 || change * before < MAX_REVERSAL;
        let is_same_step = (duration - self.history.duration).abs() <= 1e-3 * duration;
        if !is_same_step {
            self.history = SwingHistory::default();
        }
        let history = &mut self.history;
        history.has_stuck |= sticks;
        if steps > 0 && is_same_step {
            let swing = [change - before, change + before];
            // In the law the change of v precedes the change of force that it causes.
            history.serial.add(force - last, swing, (force - last) * before, duration, reverses);
            history.parallel.add(last - one_before, swing, (force - last) * before, duration, reverses);
        }
        (history.change, history.forces, history.duration) = (change, [force, last], duration);
        history.steps = if reverses { 1 } else { steps + 1 };
        if history.steps > MAX_STEPS_WITHOUT_REVERSAL {
            self.history = SwingHistory::default();
            return None;
        }
        self.change = f64::NAN;
        let SwingHistory { serial, parallel, has_stuck, .. } = self.history;
        if !has_stuck || !serial.grows(SERIAL_RUN) && !parallel.grows(PARALLEL_RUN) {
            return None;
        }
        let response = response();
        let chatter = |run: MassRun, minimum: [u32; 2], place: usize| {
            let longest_step = longest_steps(response, run.mass)[place];
            let is_unstable = run.grows(minimum) && duration > longest_step;
            is_unstable.then_some(Chatter { mass: run.mass, longest_step, is_serial: place == 1 })
        };
        chatter(serial, SERIAL_RUN, 1).or_else(|| chatter(parallel, PARALLEL_RUN, 0))
    }
}

impl MassRun {
    /// Adds a step: the change of the held force (N), the difference and the sum of two successive Δv (m/s), ΔF Δv of the law
    /// (N·m/s), and the length of the step (s). A mass that differs starts a new run.
    fn add(&mut self, force: f64, [difference, sum]: [f64; 2], law: f64, duration: f64, reverses: bool) {
        let mass = -duration * force / difference;
        if !(mass > 0.0 && mass.is_finite()) {
            *self = MassRun::default();
            return;
        }
        if (mass - self.mass).abs() > MASS_AGREEMENT * mass {
            *self = MassRun { mass, ..MassRun::default() };
        }
        self.mass = mass;
        self.steps += 1;
        self.reversals += u32::from(reverses);
        self.work[0] += force * sum;
        self.work[1] += law;
    }

    /// Whether the run is long enough, and the held force drives an oscillation that the law damps.
    fn grows(&self, [steps, reversals]: [u32; 2]) -> bool {
        self.steps >= steps
            && self.reversals >= reversals
            && self.work[0] < -MIN_DRIVEN_SHARE * self.work[1].abs()
            && self.work[1] > 0.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const RESPONSE: [f64; 2] = [5e6, 3192.75];

    impl ChatterMonitor {
        fn observe(&mut self, v: f64, force: f64, h: f64, sticks: bool) -> Option<Chatter> {
            if self.record(v) { self.detect(force, h, sticks, || RESPONSE) } else { None }
        }
    }

    /// Steps a linear contact that sticks throughout with a mass (kg) in steps of `h` (s), and returns the first alarm.
    fn first_alarm(mass: f64, h: f64, is_serial: bool) -> Option<Chatter> {
        first_alarm_of(mass, h, is_serial, |_| true)
    }

    /// [`first_alarm`] of a law that sticks at the ends of the steps with these numbers.
    fn first_alarm_of(mass: f64, h: f64, is_serial: bool, sticks: impl Fn(u32) -> bool) -> Option<Chatter> {
        let mut monitor = ChatterMonitor::default();
        let [mut x, mut v, mut force, mut held] = [0.0; 4];
        (0..2000).find_map(|i| {
            let alarm = monitor.observe(v, force, h, sticks(i));
            let load = 3.0 * libm::sin(20.0 * h * f64::from(i));
            x += h * v;
            (held, force) = (force, RESPONSE[0] * x + RESPONSE[1] * v);
            v += h * (load - if is_serial { force } else { held }) / mass;
            alarm
        })
    }

    #[test]
    fn chatter_is_detected_above_the_longest_step_only() {
        for mass in [0.1, 1.0, 10.0, 100.0] {
            let limits = longest_steps(RESPONSE, mass);
            for (limit, is_serial) in limits.into_iter().zip([false, true]) {
                for ratio in [0.2, 0.5, 0.9] {
                    assert_eq!(first_alarm(mass, ratio * limit, is_serial), None, "{mass} kg, {ratio}, {is_serial}");
                }
                for ratio in [1.5, 3.0, 10.0] {
                    // A period takes 20 steps or more.
                    if mass == 100.0 && !is_serial && ratio < 10.0 {
                        continue;
                    }
                    let alarm = first_alarm(mass, ratio * limit, is_serial);
                    let alarm = alarm.unwrap_or_else(|| panic!("{mass} kg, {ratio}, {is_serial}"));
                    let is_near = (alarm.mass / mass - 1.0).abs() < 0.1;
                    assert!(is_near && alarm.is_serial == is_serial, "{mass} kg, {ratio}, {is_serial}: {alarm:?}");
                }
            }
        }
    }

    #[test]
    fn oscillation_of_a_contact_that_never_sticks_is_no_chatter() {
        for (limit, is_serial) in longest_steps(RESPONSE, 1.0).into_iter().zip([false, true]) {
            let alarm = |sticks: fn(u32) -> bool| first_alarm_of(1.0, 3.0 * limit, is_serial, sticks);
            assert_eq!(alarm(|_| false), None, "{is_serial}");
            let [throughout, at_times] = [|_| true, |i| i % 4 == 0].map(alarm);
            assert!(throughout.is_some() && at_times.is_some(), "{is_serial}: {throughout:?}, {at_times:?}");
        }
    }

    #[test]
    fn independent_velocities_are_no_chatter() {
        let mut state = 7_u64;
        let mut random = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 11) as f64 / (1_u64 << 52) as f64 - 1.0
        };
        let mut monitor = ChatterMonitor::default();
        let mut x = 0.0_f64;
        for i in 0..1_000_000 {
            let v = 1e-3 * random();
            let force = RESPONSE[0] * x + RESPONSE[1] * v;
            let alarm = monitor.observe(v, force, 1e-3, true);
            assert_eq!(alarm, None, "step {i}");
            x = (x + 1e-3 * v).clamp(-1e-6, 1e-6);
        }
    }

    #[test]
    fn prescribed_oscillations_are_no_chatter() {
        for h in [1e-5, 1e-4, 1e-3, 1e-2] {
            for frequency in [1.0, 50.0, 0.25 / h, 0.31 / h, 0.5 / h] {
                let mut monitor = ChatterMonitor::default();
                let mut x = 0.0_f64;
                for i in 0..10_000 {
                    let v = 1e-4 * libm::sin(core::f64::consts::TAU * frequency * h * f64::from(i) + 0.3);
                    let force = RESPONSE[0] * x + RESPONSE[1] * v;
                    let alarm = monitor.observe(v, force, h, true);
                    assert_eq!(alarm, None, "H = {h}, {frequency} Hz, step {i}");
                    x += h * v;
                }
            }
        }
    }
}
