//! Chatter of a body whose effective mass is not given: a coupling with held values beyond its longest communication step.
//!
//! While a body swings against a held force F, changes of its velocity answer to changes of the force alone: with the load L and
//! Δv_n = v_n − v_{n−1} = (L − F) H/m, m = −H ΔF/(Δv_n − Δv_{n−1}), where F is the last force of the element in a serial coupling
//! and the force before in a parallel one. A run of such masses that agree shows a body and its coupling, and with the law's response
//! in stick the longest step of it ([`longest_steps`]). Prescribed motions give masses that scatter, or velocities that do not reverse.
//!
//! The work of the held force is negative where the swing grows, as ΔF (Δv_n + Δv_{n−1}) H/2 = −m (Δv_n² − Δv_{n−1}²)/2, while the
//! law's ΔF Δv is positive. Only both together are chatter. A swing of some ten steps a period or more, which a
//! heavy body in a parallel coupling makes (10 kg and more on FrDyn2), cannot be told from a load that swings, and may go unreported; so may
//! a coupling so far above its limit that the contact slips for good within fewer steps than a run needs.

use super::longest_steps;
use core::cmp::Ordering;

/// Relative difference of masses that agree. A load that changes by a twentieth of what the force does in a step is within it.
const AGREEMENT: f64 = 0.05;
/// Masses in a row that agree, and reversals of Δv among their steps: a serial coupling reverses in every step, a parallel one every
/// second or third. Independent draws of v come to neither within 1e6 steps.
const SERIAL_RUN: [u32; 2] = [3, 3];
const PARALLEL_RUN: [u32; 2] = [5, 2];
/// Share of the law's work that the held force drives: below it a prescribed motion of constant amplitude would count by its rounding,
/// and a swing that grows by less than this in a step has not left stick.
const MIN_DRIVEN_SHARE: f64 = 0.02;
/// Product of changes of the velocity above which they count as a reversal, m²/s²: a body at rest swings by its rounding, below 1e-12 m/s.
/// Larger values report chatter later.
const MAX_REVERSAL: f64 = -1e-24;
/// Steps without a reversal after which the body is not followed any more.
const FOLLOWED_STEPS: u32 = 6;

/// A coupling that chatters.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Chatter {
    /// Mass that the body shows, kg.
    pub mass: f64,
    /// Longest communication step of its coupling, s.
    pub longest_step: f64,
    /// The element steps first.
    pub is_serial: bool,
}

/// Monitor of a body whose effective mass is not given.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ChatterMonitor {
    /// Velocity at the last communication point, m/s.
    v: f64,
    /// Its last change, m/s; NaN while the steps are followed.
    change: f64,
    followed: Followed,
}

/// History of a body that is followed from step to step.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Followed {
    /// Steps since the last reversal; 0 before the first.
    steps: u32,
    /// Last change of the velocity, m/s.
    change: f64,
    /// Last forces, the newest first, N.
    forces: [f64; 2],
    /// Length of the last step, s.
    duration: f64,
    /// The law stuck at the end of one of the steps.
    has_stuck: bool,
    serial: Run,
    parallel: Run,
}

/// Steps in a row whose masses agree.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Run {
    /// Mass of the last of them, kg.
    mass: f64,
    steps: u32,
    reversals: u32,
    /// Work of the changes of the force on the body and in the law, times 2/H and 1/H, N·m/s.
    work: [f64; 2],
}

impl ChatterMonitor {
    /// Takes in the velocity (m/s) of a coming step: the body is to be followed by [`follow`](Self::follow).
    #[inline(always)] // a difference, a product and a comparison in each step
    pub fn is_suspicious(&mut self, v: f64) -> bool {
        let change = v - core::mem::replace(&mut self.v, v);
        let reverses = change * core::mem::replace(&mut self.change, change);
        // NaN, too, is followed.
        !matches!(reverses.partial_cmp(&MAX_REVERSAL), Some(Ordering::Greater | Ordering::Equal))
    }

    /// Follows a body into a step of `duration` (s) after the change of its velocity that [`is_suspicious`](Self::is_suspicious) took in:
    /// `force` (N) is the element's last one, `response` that of the law (N/m, N·s/m) in stick.
    #[cold]
    pub fn follow(
        &mut self,
        force: f64,
        duration: f64,
        sticks: bool,
        response: impl FnOnce() -> [f64; 2],
    ) -> Option<Chatter> {
        let change = self.change;
        let Followed { steps, change: before, forces: [last, one_before], .. } = self.followed;
        let reverses = steps == 0 || change * before < MAX_REVERSAL;
        let is_same_step = (duration - self.followed.duration).abs() <= 1e-3 * duration;
        if !is_same_step {
            self.followed = Followed::default();
        }
        let followed = &mut self.followed;
        followed.has_stuck |= sticks;
        if steps > 0 && is_same_step {
            let swing = [change - before, change + before];
            // In the law the change of v precedes the change of force that it causes.
            followed.serial.add(force - last, swing, (force - last) * before, duration, reverses);
            followed.parallel.add(last - one_before, swing, (force - last) * before, duration, reverses);
        }
        (followed.change, followed.forces, followed.duration) = (change, [force, last], duration);
        followed.steps = if reverses { 1 } else { steps + 1 };
        if followed.steps > FOLLOWED_STEPS {
            self.followed = Followed::default();
            return None;
        }
        self.change = f64::NAN;
        let Followed { serial, parallel, has_stuck, .. } = self.followed;
        if !has_stuck || !serial.grows(SERIAL_RUN) && !parallel.grows(PARALLEL_RUN) {
            return None;
        }
        let response = response();
        let is_beyond = |run: Run, least: [u32; 2], place: usize| {
            let longest_step = longest_steps(response, run.mass)[place];
            let chatters = run.grows(least) && duration > longest_step;
            chatters.then_some(Chatter { mass: run.mass, longest_step, is_serial: place == 1 })
        };
        is_beyond(serial, SERIAL_RUN, 1).or_else(|| is_beyond(parallel, PARALLEL_RUN, 0))
    }
}

impl Run {
    fn add(&mut self, force: f64, [difference, sum]: [f64; 2], law: f64, duration: f64, reverses: bool) {
        let mass = -duration * force / difference;
        if !(mass > 0.0 && mass.is_finite()) {
            *self = Run::default();
            return;
        }
        if (mass - self.mass).abs() > AGREEMENT * mass {
            *self = Run { mass, ..Run::default() };
        }
        self.mass = mass;
        self.steps += 1;
        self.reversals += u32::from(reverses);
        self.work[0] += force * sum;
        self.work[1] += law;
    }

    /// The run is long enough, and the force on the body drives the swing that the law damps.
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
        fn take_in(&mut self, v: f64, force: f64, h: f64) -> Option<Chatter> {
            if self.is_suspicious(v) { self.follow(force, h, true, || RESPONSE) } else { None }
        }
    }

    /// Steps a linear contact with a mass (kg) in steps of `h` (s), and returns the first alarm.
    fn first_alarm(mass: f64, h: f64, is_serial: bool) -> Option<Chatter> {
        let mut monitor = ChatterMonitor::default();
        let [mut x, mut v, mut force, mut held] = [0.0; 4];
        (0..2000).find_map(|i| {
            let alarm = monitor.take_in(v, force, h);
            let load = 3.0 * libm::sin(20.0 * h * f64::from(i));
            x += h * v;
            (held, force) = (force, RESPONSE[0] * x + RESPONSE[1] * v);
            v += h * (load - if is_serial { force } else { held }) / mass;
            alarm
        })
    }

    #[test]
    fn chatter_is_found_above_the_limit_and_only_there() {
        for mass in [0.1, 1.0, 10.0, 100.0] {
            let limits = longest_steps(RESPONSE, mass);
            for (limit, is_serial) in limits.into_iter().zip([false, true]) {
                for ratio in [0.2, 0.5, 0.9] {
                    assert_eq!(first_alarm(mass, ratio * limit, is_serial), None, "{mass} kg, {ratio}, {is_serial}");
                }
                for ratio in [1.5, 3.0, 10.0] {
                    // It swings within 20 steps or more.
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
            let alarm = monitor.take_in(v, force, 1e-3);
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
                    let alarm = monitor.take_in(v, force, h);
                    assert_eq!(alarm, None, "H = {h}, {frequency} Hz, step {i}");
                    x += h * v;
                }
            }
        }
    }
}
