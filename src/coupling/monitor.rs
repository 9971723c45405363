//! Monitor of an observed body: shows from the motion whether the master's body follows the
//! observer.
//!
//! *Work*: the work of the force that the master applied and that of the law on the observed body
//! agree where the body follows. They drift apart with the wrong scheme, with several contacts on
//! one body, and where the loop is close to its limit of stability.
//!
//! *Normal force*: F_N is extrapolated linearly, and its second differences measure what that
//! misses.
//!
//! *Load*: on springs that are stiff for the step the work may agree where the motion does not. The
//! load changes by much of F_s in each step there, or the body lags behind the observer.

use crate::saved_state::{Reader, SavedState, Writer};

/// Error of the work over the work from which the coupling is in doubt.
const MAX_WORK_ERROR: f64 = 0.01;
/// Least work that errors refer to, over (F_s H)²/m with the time by which the force is late as H:
/// twice the energy that F_s gives to a body in that time. A body that stops takes or leaves a
/// share of it once. Larger values report errors later, in stick above all.
const MIN_WORK: f64 = 10.0;
/// Longest recent steps before an error of the work counts: a body that is released has a large one
/// at first.
const FIRST_STEPS: f64 = 50.0;
/// Longest recent steps in a row with an error of the work that count: what a late stop or start
/// missed is made up for sooner. With 25 of them 37 of 78 bad runs of `cargo xtask coupling` speak
/// and no good one, and 7 of 136 good ones of `tests/tests/coupling_rates.rs`; with 15 of them 45,
/// 4 and one in seven; with 40 31, none and 2.
const DOUBTFUL_STEPS: f64 = 25.0;
/// Longest recent steps over which the error of the work must have come up: in stick, where the law
/// does hardly any work, the small one of each swing of the load adds up without a bound.
const RECENT_STEPS: f64 = 500.0;
/// Root mean square of Δ²F_N over the largest F_N from which the coupling is in doubt.
const MAX_NORMAL_CHANGE: f64 = 0.15;
/// Largest Δ²F_N over the largest F_N that counts in a step: a single jump makes no doubt.
const JUMP: f64 = 0.4;
/// Share that the mean of (Δ²F_N)² keeps from step to step.
const MEMORY: f64 = 0.98;

/// Steps over which changes of the load and lags are averaged, and after which they count.
const LOAD_STEPS: [f64; 2] = [200.0, 50.0];
/// Largest change of the load over F_s that counts in a step: single pushes make no doubt.
const PUSH: f64 = 0.3;
/// Root mean square of the change of the load in a step over F_s from which the coupling is in
/// doubt, in series and in parallel: ω H = 0.3 and 0.15 of a load that swings by F_s. Of the survey
/// (`cargo xtask coupling`) 10 of 16 and 9 of 27 bad runs with the right mass were silent before,
/// and are 0 and 2; those of the good ones with one contact on each body have up to 0.11 and 0.09.
const MAX_LOAD_CHANGE: [f64; 2] = [0.2, 0.1];
/// Root mean square of the lag over F_s H²/m from which a serial coupling is in doubt, where the
/// load changes by so much of F_s (root mean square): a single push, which leaves a lag for a while,
/// changes it by 0.04. The lag in a parallel coupling does not tell good runs from bad ones.
const MAX_LAG: f64 = 0.2;
const LEAST_CHANGE: f64 = 0.05;

/// Reason why the body does not follow its observer.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Doubt {
    /// Error of the work of the applied force over the work.
    Work(f64),
    /// Root mean square of the second difference of F_N over the largest one.
    Normal(f64),
    /// Root mean square of the change of the load in a step over F_s, and its limit.
    Load(f64, f64),
    /// Root mean square of the lag over F_s H²/m, and its limit.
    Lag(f64, f64),
}

/// Relative error of the work of the applied force, from its difference from that of the law (J),
/// with the largest (F_s H)²/m (J).
pub fn work_error(difference: f64, of_law: f64, step_energy: f64) -> f64 {
    let scale = of_law.abs() + MIN_WORK * step_energy;
    if scale > 0.0 { difference / scale } else { 0.0 }
}

/// Monitor of the work.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct WorkMonitor {
    /// E_loss at the start, J.
    start: f64,
    /// Work of the applied force, J, from E_loss at the start.
    pub work: f64,
    /// Largest (F_s H)²/m so far, J.
    step_energy: f64,
    /// Difference of the works and work of the law (J), as last compared.
    compared: [f64; 2],
    /// Recent parts of both, J.
    recent: [f64; 2],
    /// Time in all and in a row with a large error, over the longest recent step.
    steps: [f64; 2],
}

impl WorkMonitor {
    /// Monitor that starts from this E_loss, J.
    pub fn new(start: f64) -> Self {
        WorkMonitor {
            start,
            work: start,
            compared: [0.0, start],
            ..WorkMonitor::default()
        }
    }

    /// Takes over the energy of the coming step, (F_s H)²/m (J); that of a law without a bound
    /// counts as 0.
    pub fn begin(&mut self, step_energy: f64) {
        if step_energy < f64::MAX {
            self.step_energy = self.step_energy.max(step_energy);
        }
    }

    /// Compares the work with that of the law, J, after a step that is this `share` of the longest
    /// recent one.
    pub fn compare(&mut self, loss: f64, share: f64) {
        let compared = [self.work - loss, loss];
        for ((recent, before), now) in self.recent.iter_mut().zip(self.compared).zip(compared) {
            *recent += now - before - share / RECENT_STEPS * *recent;
        }
        self.compared = compared;
        let [difference, of_law] = self.recent;
        let errors = [
            self.error(loss),
            work_error(difference, of_law, self.step_energy),
        ];
        let is_off = errors.iter().all(|error| error.abs() > MAX_WORK_ERROR);
        let [all, in_a_row] = &mut self.steps;
        *all += share;
        *in_a_row = if is_off { *in_a_row + share } else { 0.0 };
    }

    /// Error of the work over `loss`, the work of the law (J).
    pub fn error(&self, loss: f64) -> f64 {
        work_error(self.work - loss, loss - self.start, self.step_energy)
    }

    /// The reason to doubt the coupling, if there is one; `loss` is the work of the law, J.
    pub fn doubt(&self, loss: f64) -> Option<Doubt> {
        let [all, in_a_row] = self.steps;
        (all > FIRST_STEPS && in_a_row > DOUBTFUL_STEPS).then(|| Doubt::Work(self.error(loss)))
    }

    /// Sum of the magnitudes of the numbers that can grow: not finite where one of them is not.
    pub fn size(&self) -> f64 {
        self.work.abs() + self.step_energy
    }
}

impl SavedState for WorkMonitor {
    fn write(&self, writer: &mut Writer) {
        let WorkMonitor {
            start,
            work,
            step_energy,
            compared,
            recent,
            steps,
        } = self;
        [*start, *work, *step_energy].write(writer);
        [*compared, *recent, *steps].write(writer);
    }

    fn read(reader: &mut Reader) -> Option<Self> {
        let [start, work, step_energy] = SavedState::read(reader)?;
        let [compared, recent, steps] = SavedState::read(reader)?;
        Some(WorkMonitor {
            start,
            work,
            step_energy,
            compared,
            recent,
            steps,
        })
    }
}

/// Monitor of a normal force.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct NormalMonitor {
    /// Last F_N and its last change, N.
    last: [f64; 2],
    /// Largest F_N so far, N.
    largest: f64,
    /// Mean of (Δ²F_N)², N².
    curvature: f64,
}

impl NormalMonitor {
    /// Monitor that starts from this F_N, N.
    pub fn new(normal_force: f64) -> Self {
        let normal_force = normal_force.max(0.0);
        NormalMonitor {
            last: [normal_force, 0.0],
            largest: normal_force,
            curvature: 0.0,
        }
    }

    /// Adds F_N (N) after a step of this length over the one before, which is this `share` of the
    /// longest recent one.
    pub fn add(&mut self, normal_force: f64, ratio: f64, share: f64) {
        let normal_force = normal_force.max(0.0);
        let [last, change_before] = self.last;
        let change = normal_force - last;
        self.last = [normal_force, change];
        self.largest = self.largest.max(normal_force);
        // Over a longer step the element extrapolates by no more than the last change.
        let curvature = (change - change_before * ratio.min(1.0))
            .abs()
            .min(JUMP * self.largest);
        self.curvature += (1.0 - MEMORY) * share * (curvature * curvature - self.curvature);
    }

    /// The reason to doubt the coupling, if there is one.
    pub fn doubt(&self) -> Option<Doubt> {
        let bound = MAX_NORMAL_CHANGE * self.largest;
        (self.curvature > bound * bound)
            .then(|| Doubt::Normal(self.curvature.sqrt() / self.largest))
    }

    /// Sum of the magnitudes of the numbers that can grow.
    pub fn size(&self) -> f64 {
        self.largest + self.curvature
    }
}

impl SavedState for NormalMonitor {
    fn write(&self, writer: &mut Writer) {
        let NormalMonitor {
            last,
            largest,
            curvature,
        } = self;
        last.write(writer);
        [*largest, *curvature].write(writer);
    }

    fn read(reader: &mut Reader) -> Option<Self> {
        let last = SavedState::read(reader)?;
        let [largest, curvature] = SavedState::read(reader)?;
        Some(NormalMonitor {
            last,
            largest,
            curvature,
        })
    }
}

/// Monitor of the load on a coordinate of the body.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct LoadMonitor {
    /// Steps so far, each as a share of the longest recent one.
    steps: f64,
    /// Means of the squares of the change of the load over F_s, and of the lag over F_s H²/m.
    change: f64,
    lag: f64,
}

impl LoadMonitor {
    /// Adds a step, with the change of the load over F_s and the lag over F_s H²/m; it is this
    /// `share` of the longest recent one.
    pub fn add(&mut self, change: f64, lag: f64, share: f64) {
        let [memory, _] = LOAD_STEPS;
        self.steps += share;
        let weight = share / self.steps.min(memory);
        let (change, lag) = (change.abs().min(PUSH), lag.abs().min(1.0));
        self.change += weight * (change * change - self.change);
        self.lag += weight * (lag * lag - self.lag);
    }

    /// The reason to doubt the coupling, if there is one.
    pub fn doubt(&self, is_parallel: bool) -> Option<Doubt> {
        let ([_, least], largest) = (LOAD_STEPS, MAX_LOAD_CHANGE[usize::from(is_parallel)]);
        if self.steps <= least {
            None
        } else if self.change > largest * largest {
            Some(Doubt::Load(self.change.sqrt(), largest))
        } else {
            let is_large = |mean: f64, limit: f64| mean > limit * limit;
            let lags =
                !is_parallel && is_large(self.lag, MAX_LAG) && is_large(self.change, LEAST_CHANGE);
            lags.then(|| Doubt::Lag(self.lag.sqrt(), MAX_LAG))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// First step of 1 J applied work each in which the work is in doubt, with an error of the work
    /// of the law and a share of the step.
    fn first_doubt(error: f64, share: f64) -> Option<u32> {
        let mut monitor = WorkMonitor::new(3.0);
        monitor.begin(0.1);
        monitor.begin(f64::INFINITY);
        (1..=400).find(|i| {
            monitor.work += 1.0 + error;
            let loss = 3.0 + f64::from(*i);
            monitor.compare(loss, share);
            monitor.doubt(loss).is_some()
        })
    }

    #[test]
    fn error_of_the_work_counts_after_fifty_steps_in_which_twenty_five_in_a_row_have_one_per_cent()
    {
        assert_eq!(first_doubt(0.05, 1.0), Some(51));
        assert_eq!(first_doubt(-0.05, 1.0), Some(51));
        // Steps of a quarter of the longest recent one count as a quarter.
        assert_eq!(first_doubt(0.05, 0.25), Some(201));
        assert_eq!(first_doubt(0.008, 1.0), None);
        assert_eq!(
            (work_error(1.0, -3.0, 0.1), work_error(0.0, 0.0, 0.0)),
            (0.25, 0.0)
        );
    }

    #[test]
    fn load_is_in_doubt_where_it_swings_fast_for_the_step_or_the_body_lags() {
        let after = |steps: u32, change: &dyn Fn(u32) -> f64, lag: f64, is_parallel: bool| {
            let mut monitor = LoadMonitor::default();
            (0..steps).for_each(|i| monitor.add(change(i), lag, 1.0));
            monitor.doubt(is_parallel)
        };
        // A load F_s sin(ω t) changes by ω H/√2 of F_s in a step.
        let swings = |phase: f64| move |i: u32| phase * libm::cos(phase * f64::from(i));
        assert_eq!(after(400, &swings(0.25), 0.0, false), None);
        assert!(matches!(
            after(400, &swings(0.35), 0.0, false),
            Some(Doubt::Load(..))
        ));
        assert_eq!(after(400, &swings(0.13), 0.0, true), None);
        assert!(matches!(
            after(400, &swings(0.16), 0.0, true),
            Some(Doubt::Load(..))
        ));
        assert_eq!(after(50, &swings(0.35), 0.0, false), None);
        // A push of any size every 40 steps, and a lag.
        let pushes = |i: u32| if i.is_multiple_of(40) { 1e3 } else { 0.0 };
        assert_eq!(after(400, &pushes, 0.0, true), None);
        let slow = swings(0.1);
        assert_eq!(after(400, &slow, 0.19, false), None);
        assert!(matches!(
            after(400, &slow, 0.21, false),
            Some(Doubt::Lag(..))
        ));
        assert_eq!(after(400, &slow, 0.9, true), None);
        assert_eq!(after(400, &pushes, 0.9, false), None);
    }

    #[test]
    fn normal_force_is_in_doubt_where_its_second_differences_are_large() {
        let found = |normal: &dyn Fn(f64) -> f64, ratio: f64| {
            let mut monitor = NormalMonitor::new(normal(0.0));
            (1..=2000).for_each(|i| monitor.add(normal(f64::from(i)), ratio, 1.0));
            monitor.doubt()
        };
        // Between 1 − a and 1 + a the second difference is 4 a, and the largest value 1 + a.
        let alternating = |share: f64| {
            move |i: f64| 1.0 + share / (4.0 - share) * if i % 2.0 == 0.0 { 1.0 } else { -1.0 }
        };
        assert_eq!(found(&alternating(0.99 * MAX_NORMAL_CHANGE), 1.0), None);
        assert!(matches!(
            found(&alternating(1.01 * MAX_NORMAL_CHANGE), 1.0),
            Some(Doubt::Normal(_))
        ));
        // A load that rises for good, a single touch, and an open contact.
        assert_eq!(found(&|i| 3.0 * i, 1.0), None);
        assert_eq!(found(&|i| if i > 3.0 { 5.0 } else { 0.0 }, 1.0), None);
        assert_eq!(found(&|i| -i, 1.0), None);
    }
}
