//! A contact on a body with a known elastic support.
//!
//! A mass m with the contact hangs on a spring k and a damper d at a second mass M, or at the ground. With these the observer takes the
//! spring's force into account within a step, and has no limit of c H²/m. In each step:
//!
//! 1. *observer*: a Kalman filter estimates the states of both masses and the load L on the contact mass, with its rate, from v and the
//!    forces that the master applied;
//! 2. *corrector and predictor*: masses, spring and law as one system under that load, as in [`BodyObserver`](super::BodyObserver);
//! 3. *output*: the predicted mean force, and the correction that leaves the least energy in the error between the master's bodies and the
//!    observed ones after one step.
//!
//! The price is knowledge of k: docs/coupling.md says how well. Where the work of the applied force departs from that of the law for long,
//! the coupling falls back to held values.

mod memory;
mod model;
mod saved;

pub use self::memory::SupportMemory;
pub use self::model::Support;

use self::model::Transition;
use super::Coupling;
use super::gains::{Gains, HORIZON_DECAY, NEGLIGIBLE_STEP_RATIO, TOLERANCE_RATIO, corrected, recent_peak};
use super::monitor::{CouplingMonitor, Doubt, MonitoredStep, NormalMonitor, ON_SUPPORT, StepLengths};
use super::shared::{BodyContact, ContactStart, ContactStep, LawModes, LawState, OnlyContact};
use crate::integrate::step_limit::StepLimit;
use crate::integrate::{SolverError, flush};
use crate::law::Contact;

/// Number of states of the filter: x_1, v_1, x_2, v_2, L and its rate.
const FILTERED: usize = 6;
/// Process noise: of L over N in a step, of its rate over N per step, and of a velocity as a force over N. Only their ratios matter: with a
/// larger one of the velocity, or a smaller one of the rate, L follows a load that turns within ten steps too late.
const NOISE: [f64; 3] = [1.0, 1.0, 0.3];
/// Measurement noise of v, as a force over N on the contact mass in a step.
const MEASUREMENT: f64 = 0.1;
/// Variance of L at the start, N², and that of its rate, N² per step².
const START: [f64; 2] = [1e4, 1.0];
/// Error of the work from which, for as long as the monitor asks, the coupling falls back to held values.
const MAX_WORK_ERROR: f64 = 0.1;

/// Observer of a contact on an elastic support.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SupportObserver {
    coupling: Coupling,
    support: Support,
    /// Lengths of the last step and of the one before, s; 0 before the first.
    durations: [f64; 2],
    /// Longest recent step, s.
    horizon: f64,
    /// Largest recent F_N, N.
    normal_peak: f64,
    /// F_N (N) and v (m/s) at the last communication point.
    contact: Contact,
    /// Force of the step before the last one and of the last one, N.
    applied: [f64; 2],
    /// Filtered x_1 (m), v_1 (m/s), x_2, v_2, L (N) and its rate (N/s).
    filtered: [f64; FILTERED],
    covariance: [[f64; FILTERED]; FILTERED],
    /// Observed x_1 (m), v_1 (m/s), x_2 and v_2.
    observed: [f64; 4],
    /// States of the law.
    x: LawState,
    /// Modes of the law.
    modes: LawModes,
    /// E_loss of the observer, J.
    loss: f64,
    monitor: CouplingMonitor,
    normal_monitor: NormalMonitor,
    /// Mean friction force of the law that was predicted for the last step, N.
    mean: f64,
    /// First inner steps of corrector and predictor, s.
    first_steps: [f64; 2],
    /// Whether the coupling has fallen back to held values.
    has_failed: bool,
}

impl SupportObserver {
    /// Observer at the present state, under a load equal to the friction force.
    pub fn new(coupling: Coupling, support: Support, start: &ContactStart) -> Self {
        let ContactStart { contact, force, loss, x, modes, .. } = *start;
        let v_2 = if support.is_grounded() { 0.0 } else { contact.v };
        let [force, _] = force;
        SupportObserver {
            coupling,
            support,
            durations: [0.0; 2],
            horizon: 0.0,
            normal_peak: contact.F_N.max(0.0),
            contact,
            applied: [force; 2],
            filtered: [0.0, contact.v, 0.0, v_2, force, 0.0],
            covariance: [[0.0; FILTERED]; FILTERED],
            observed: [0.0, contact.v, 0.0, v_2],
            x,
            modes,
            loss,
            monitor: CouplingMonitor::new(loss),
            normal_monitor: NormalMonitor::new(contact.F_N),
            mean: force,
            first_steps: [0.0; 2],
            has_failed: false,
        }
    }

    /// Whether the observer is one for this coupling scheme.
    pub fn is_for(&self, coupling: Coupling) -> bool {
        self.coupling == coupling
    }

    /// Whether the coupling has fallen back to held values.
    pub fn has_failed(&self) -> bool {
        self.has_failed
    }

    /// Whether a step of `duration` (s) is negligible beside the last one, as [`BodyObserver::is_negligible`](super::BodyObserver::is_negligible).
    pub fn is_negligible(&self, duration: f64) -> bool {
        duration < NEGLIGIBLE_STEP_RATIO * self.durations[0]
    }

    /// Multiplies the deflection of the bristle by `factor`, after a change of its stiffness.
    pub fn rescale_deflection(&mut self, factor: f64) {
        self.x[0] *= factor;
    }

    /// Mean friction force of the law that was predicted for the last step, N.
    pub fn mean(&self) -> f64 {
        self.mean
    }

    /// Error of the work of the applied force over the work of the law.
    pub fn work_error(&self) -> f64 {
        self.monitor.work_error(self.loss)
    }

    /// The reason why the body does not follow the observer, if there is one.
    pub fn doubt(&self) -> Option<Doubt> {
        self.normal_monitor.doubt(ON_SUPPORT).or_else(|| self.monitor.doubt(self.loss, ON_SUPPORT))
    }

    /// Corrects the observer up to the present communication point and predicts the coming step of `duration` (s); returns it with the
    /// number of inner steps.
    pub fn step<C: BodyContact + ?Sized>(
        &mut self,
        memory: &mut SupportMemory,
        contact: &C,
        support: Support,
        duration: f64,
        tolerance: f64,
        limit: &mut StepLimit,
    ) -> Result<(ContactStep, u32), SolverError> {
        let start = contact.start();
        self.support = support;
        memory.prepare(support, (TOLERANCE_RATIO * tolerance).min(1e-3));
        let [last, _] = self.durations;
        let mut inner_steps = 0;
        let [now, before] = [start.contact.F_N, self.contact.F_N];
        let is_known = last > 0.0 && before > 0.0 && now > 0.0;
        let extrapolated = if is_known { (now - before) / last.max(duration) } else { 0.0 };
        let rate = start.normal_rate.unwrap_or(extrapolated);
        let normal = |t: f64| (now + rate * t).max(0.0);
        if last > 0.0 {
            inner_steps += self.correct(memory, contact, start.contact, limit)?;
        } else {
            self.begin(duration);
        }
        self.contact = start.contact;
        self.durations = [duration, last];
        self.horizon = duration.max(self.horizon - HORIZON_DECAY * duration);
        if start.contact.is_open() {
            return self.step_open(contact, &start, duration).map(|step| (step, inner_steps));
        }

        let is_parallel = self.coupling == Coupling::Parallel;
        let [load, load_rate] = [self.filtered[4], self.filtered[5]];
        let load = |t: f64| load + load_rate * t;
        let mut error: [f64; 4] = core::array::from_fn(|i| self.filtered[i] - self.observed[i]);
        let mut first_step = self.first_steps[1];
        memory.begin(&self.observed, &self.x, self.modes);
        let mut predict = |memory: &mut SupportMemory, from: f64| {
            let to = from + duration;
            let (normal, load) = ([normal(from), normal(to)], [load(from), load(to)]);
            memory.advance(&OnlyContact(contact), normal, load, duration, &mut first_step, limit)
        };
        inner_steps += predict(memory, 0.0)?;
        self.mean = memory.mean();
        let (end, (x, modes)) = (memory.observed(), memory.law());
        let mut applied = self.mean;
        let mut v_end = end[1];
        if is_parallel {
            let Transition { by_state, by_force } = memory.transition(support, duration);
            let moved: [f64; 4] = core::array::from_fn(|i| {
                (0..FILTERED).map(|j| by_state[i][j] * self.filtered[j]).sum::<f64>() + by_force[i] * self.applied[1]
            });
            error = core::array::from_fn(|i| moved[i] - end[i]);
            v_end = moved[1];
            inner_steps += predict(memory, duration)?;
            applied = memory.mean();
        }
        self.first_steps[1] = first_step;
        let gain_step = duration.max(self.horizon.min(support.quarter_period()));
        let gains = memory.gains(support, gain_step);
        let correction: f64 = gains.iter().zip(error).map(|(gain, error)| gain * error).sum();
        let largest = now.max(normal(duration));
        self.normal_peak = recent_peak(self.normal_peak, largest, (duration / self.horizon).min(1.0));
        let static_forces = [largest, self.normal_peak].map(|normal| contact.static_force_under(normal));
        let late = Gains::of(self.coupling).lateness * self.horizon;
        self.monitor.begin(static_forces[1], support.mass / (late * late));
        applied = corrected(applied, correction, static_forces);
        let used = if is_parallel { self.applied[1] } else { applied };
        self.applied = [self.applied[1], applied];
        let step = ContactStep {
            duration,
            applied: [applied, 0.0],
            start: start.contact,
            start_x: self.x,
            start_modes: self.modes,
            end: Contact::new(normal(duration), end[1]),
            x,
            modes,
            loss: self.monitor.work() + 0.5 * used * (start.contact.v + v_end) * duration,
        };
        if self.is_finite() { Ok((step, inner_steps)) } else { Err(SolverError::NotFinite) }
    }

    /// Uncertainty at the first step, of `duration` (s).
    fn begin(&mut self, duration: f64) {
        let Support { stiffness, support_mass, .. } = self.support;
        self.covariance[4][4] = START[0];
        self.covariance[5][5] = START[1] / (duration * duration);
        if !self.support.is_grounded() {
            self.covariance[2][2] = START[0] / (stiffness * stiffness);
            self.covariance[3][3] = START[0] * duration * duration / (support_mass * support_mass);
        }
    }

    /// Filter and corrector over the last step; returns the number of inner steps.
    fn correct<C: BodyContact + ?Sized>(
        &mut self,
        memory: &mut SupportMemory,
        contact: &C,
        now: Contact,
        limit: &mut StepLimit,
    ) -> Result<u32, SolverError> {
        let [h, one_before] = self.durations;
        let used = if self.coupling == Coupling::Parallel { self.applied[0] } else { self.applied[1] };
        let load_before = self.filtered[4];
        let correction = self.filter(memory.transition(self.support, h), h, used, now.v);
        let lengths = StepLengths { last: h, before: one_before, horizon: self.horizon };
        let work = 0.5 * used * (self.contact.v + now.v) * h;
        let load_change = self.filtered[4] - load_before;
        self.monitor.add(MonitoredStep { work, load_change, inertia: 0.0, force: None, lengths }, ON_SUPPORT);
        self.normal_monitor.add(now.F_N, lengths);
        memory.begin(&self.observed, &self.x, self.modes);
        let [load, rate] = [self.filtered[4], self.filtered[5]];
        let normal = [self.contact.F_N.max(0.0), now.F_N.max(0.0)];
        let mut first_step = self.first_steps[0];
        let inner_steps =
            memory.advance(&OnlyContact(contact), normal, [load - rate * h, load], h, &mut first_step, limit)?;
        self.first_steps[0] = first_step;
        self.observed = memory.observed();
        self.observed[2] += correction[2];
        self.observed[3] += correction[3];
        (self.x, self.modes) = memory.law();
        flush(&mut self.x);
        self.loss += memory.loss();
        self.monitor.compare(self.loss, h / self.horizon);
        if matches!(self.monitor.doubt(self.loss, ON_SUPPORT), Some(Doubt::Work(error)) if error.abs() > MAX_WORK_ERROR)
        {
            self.has_failed = true;
        }
        Ok(inner_steps)
    }

    /// Advances the filter over the last step, of `h` (s), under the applied force (N), and corrects it by the measured v (m/s); returns
    /// the correction.
    #[allow(clippy::needless_range_loop)] // two indices into one matrix read better than iterators
    fn filter(&mut self, Transition { by_state, by_force }: Transition, h: f64, force: f64, v: f64) -> [f64; FILTERED] {
        let Support { mass, support_mass, .. } = self.support;
        let predicted: [f64; FILTERED] = core::array::from_fn(|i| {
            (0..FILTERED).map(|j| by_state[i][j] * self.filtered[j]).sum::<f64>() + by_force[i] * force
        });
        let mut noisy = self.covariance;
        noisy[4][4] += NOISE[0] * NOISE[0];
        noisy[5][5] += (NOISE[1] / h) * (NOISE[1] / h);
        noisy[1][1] += (NOISE[2] * h / mass) * (NOISE[2] * h / mass);
        if !self.support.is_grounded() {
            noisy[3][3] += (NOISE[2] * h / support_mass) * (NOISE[2] * h / support_mass);
        }
        let half: [[f64; FILTERED]; FILTERED] = crate::integrate::exponential::product(&by_state, &noisy);
        let full: [[f64; FILTERED]; FILTERED] = core::array::from_fn(|i| {
            core::array::from_fn(|j| (0..FILTERED).map(|k| half[i][k] * by_state[j][k]).sum())
        });
        let measurement = MEASUREMENT * h / mass;
        let variance = full[1][1] + measurement * measurement;
        let gain: [f64; FILTERED] = core::array::from_fn(|i| full[i][1] / variance);
        let innovation = v - predicted[1];
        let correction = gain.map(|gain| gain * innovation);
        self.filtered = core::array::from_fn(|i| predicted[i] + correction[i]);
        for i in 0..FILTERED {
            for j in 0..=i {
                let [left, right] = [full[i][j] - gain[i] * full[1][j], full[j][i] - gain[j] * full[1][i]];
                let middle = 0.5 * (left + right);
                (self.covariance[i][j], self.covariance[j][i]) = (middle, middle);
            }
        }
        correction
    }

    /// Step of an open contact: the force is 0, and the observer is set to the body.
    fn step_open<C: BodyContact + ?Sized>(
        &mut self,
        contact: &C,
        start: &ContactStart,
        duration: f64,
    ) -> Result<ContactStep, SolverError> {
        self.observed = core::array::from_fn(|i| self.filtered[i]);
        let used = if self.coupling == Coupling::Parallel { self.applied[1] } else { 0.0 };
        self.applied = [self.applied[1], 0.0];
        self.mean = 0.0;
        let (mut x, mut modes) = (self.x, self.modes);
        contact.advance_open(start.contact, &mut x, &mut modes, duration)?;
        let step = ContactStep {
            duration,
            applied: [0.0; 2],
            start: start.contact,
            start_x: self.x,
            start_modes: self.modes,
            end: start.contact,
            x,
            modes,
            loss: self.monitor.work() + used * start.contact.v * duration,
        };
        if self.is_finite() { Ok(step) } else { Err(SolverError::NotFinite) }
    }

    /// Whether all numbers that can grow are finite.
    fn is_finite(&self) -> bool {
        let lists = self.filtered.iter().chain(&self.observed).chain(&self.applied).chain(&self.x);
        let covariance = self.covariance.iter().flatten();
        let known = self.loss.abs()
            + self.mean.abs()
            + self.horizon
            + self.normal_peak
            + self.monitor.size()
            + self.normal_monitor.size();
        lists.chain(covariance).fold(known, |sum, number| sum + number.abs()).is_finite()
    }
}

#[cfg(test)]
mod tests;
