//! Observer of a body: integrates body and contact as one system, while the master moves the body under a held force.
//!
//! In each step, with the velocity v_n of the true body:
//!
//! 1. *load estimate*: A_n = M (v_n − v_{n−1})/H + P, the mean external force of the last step, in which the master applied P;
//! 2. *corrector*: body and law as one system over the last step under A_n, which changes at the rate λ (A_n − A_{n−1})/H. Its
//!    states v_s and x_s and those of the law are the state of the observer; stick and slip are decided here;
//! 3. *predictor*: the same system from these states over the coming step, under A extrapolated at that rate. Its mean friction force
//!    is F_p;
//! 4. *output*: P_n = F_p + θ M (v_n − v_s)/H + κ M (x_n − x_s)/H². The feedback makes up for the impulse that the last force missed,
//!    so that the master's body tracks the observer. A small correction is deferred where it would lift |P_n| above F_s.
//!
//! A parallel master applies P one step later: the predictor then runs over two steps, in the first of which the body still moves
//! under the previous force, and A is smoothed. When force and body oscillate against each other, M is corrected
//! ([`EffectiveMassEstimator`]). docs/internals/coupling-theory.md has the stability of the scheme.

mod doubt;
mod saved;

use super::Coupling;
use super::body::{Body, BodyMotion, STATES, law_states};
use super::gains::{
    END_RATE_GAIN, Gains, HORIZON_DECAY, LOAD_RATE_GAIN, MAX_FORCE_RATIO, NEGLIGIBLE_STEP_RATIO, TOLERANCE_RATIO,
    corrected, recent_peak,
};
use super::mass::EffectiveMassEstimator;
use super::monitor::{CouplingMonitor, MonitorBounds, MonitoredStep, NormalMonitor, StepLengths};
use crate::integrate::extrema::larger;
use crate::integrate::radau::Radau;
use crate::integrate::step_limit::StepLimit;
use crate::integrate::{SolverError, flush};
use crate::law::{Contact, DiscreteState, InputTrajectory, Law, LoadInterval, MAX_STATES};
use crate::variable::{MODES, Values};

/// Observer of a body; part of the state of an element.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BodyObserver {
    coupling: Coupling,
    m_eff: f64,
    mass: EffectiveMassEstimator,
    /// Lengths of the last step and of the one before, s; 0 before the first.
    durations: [f64; 2],
    /// Longest recent step, s.
    horizon: f64,
    /// Largest recent F_N, N.
    normal_peak: f64,
    /// F_N (N) and v (m/s) at the last communication point.
    contact: [f64; 2],
    /// Force of the step before the last one and of the last one, N.
    applied: [f64; 2],
    /// A of the last step and of the one before, N.
    load: [f64; 2],
    /// Smoothed A of the last step and of the one before, N.
    smooth: [f64; 2],
    /// v_s (m/s), x_n − x_s (m), and the states of the law.
    states: [f64; STATES],
    /// Modes of the law.
    modes: [f64; MODES],
    /// E_loss of the observer, J.
    loss: f64,
    /// Monitor of the coupling.
    monitor: CouplingMonitor,
    normal_monitor: NormalMonitor,
    /// Whether the coupling has fallen back to held values.
    has_failed: bool,
    /// Mean friction force of the law that was predicted for the last step, N.
    mean: f64,
    /// Integrator of the corrector, with its step length.
    corrector: Radau,
    /// Integrator of the predictor, with its step length.
    predictor: Radau,
}

/// Result of a step of the observer.
pub struct ObserverStep<const N: usize, M> {
    /// Force to apply over the step, N.
    pub applied: f64,
    /// Predicted contact at the end of the step.
    pub contact: Contact,
    /// Predicted states of the law at the end of the step.
    pub x: [f64; N],
    /// Predicted discrete states of the law at the end of the step.
    pub discrete: M,
    /// E_loss, the work of the applied force, predicted for the end of the step, J.
    pub loss: f64,
    /// Inner steps.
    pub inner_steps: u32,
    /// Estimated error of the law's force over F_s where the limit of inner steps was reached, else 0.
    pub force_error: f64,
}

impl BodyObserver {
    /// Observer at the present state of the body, under an external force equal to the friction force `force` (N), with the states
    /// and modes of the law and its E_loss `loss` (J).
    pub fn initialize(
        (mass, coupling): (f64, Coupling),
        contact: Contact,
        force: f64,
        x: &[f64],
        modes: [f64; MODES],
        loss: f64,
    ) -> Self {
        let mut states = [0.0; STATES];
        states[0] = contact.v;
        states[2..2 + x.len()].copy_from_slice(x);
        BodyObserver {
            coupling,
            m_eff: mass,
            mass: EffectiveMassEstimator::new(mass),
            durations: [0.0; 2],
            horizon: 0.0,
            normal_peak: contact.F_N.max(0.0),
            contact: [contact.F_N, contact.v],
            applied: [force; 2],
            load: [force; 2],
            smooth: [force; 2],
            states,
            modes,
            loss,
            monitor: CouplingMonitor::new(loss),
            normal_monitor: NormalMonitor::new(contact.F_N),
            has_failed: false,
            mean: force,
            corrector: Radau::default(),
            predictor: Radau::default(),
        }
    }

    /// Whether the observer is one for this coupling scheme.
    pub fn is_for(&self, coupling: Coupling) -> bool {
        self.coupling == coupling
    }

    /// Multiplies the deflection of the bristle by `factor`, after a change of its stiffness.
    pub fn rescale_deflection(&mut self, factor: f64) {
        self.states[2] *= factor;
    }

    /// Sets m_eff, kg, which may change with the position of a mechanism; an estimate of the mass is scaled in proportion.
    pub fn set_mass(&mut self, m_eff: f64) {
        if self.m_eff != m_eff {
            let estimate = self.mass.value * (m_eff / self.m_eff);
            self.mass.value = if estimate.is_normal() { estimate } else { m_eff };
            self.m_eff = m_eff;
        }
    }

    /// Corrects the observer up to the present communication point, where the body has the velocity of `contact`, and predicts the
    /// coming step of `duration` (s), in which F_N changes at the rate `normal_rate` (N/s); `None`: extrapolated from the last step.
    #[allow(non_snake_case)] // the papers' symbols
    pub fn step<L: Law<N>, const N: usize>(
        &mut self,
        body: &mut Body<L, N>,
        (contact, acceleration): (Contact, Option<f64>),
        normal_rate: Option<f64>,
        duration: f64,
        tolerance: f64,
        limit: StepLimit,
    ) -> Result<ObserverStep<N, L::DiscreteState>, SolverError> {
        let Contact { F_N, v, .. } = contact;
        self.corrector.limit = limit;
        let tolerance = (TOLERANCE_RATIO * tolerance).min(1e-3);
        let mut discrete = L::DiscreteState::read(&Values::of_modes(&self.modes));
        let mut inner_steps = 0;
        let normal_rate = normal_rate.unwrap_or_else(|| self.normal_rate(F_N, duration));
        if self.duration() > 0.0 {
            inner_steps += self.correct(body, (contact, acceleration), &mut discrete, tolerance)?;
        }
        let [last, _] = self.durations;
        // The load with its rate at the middle of the last step, or at its end by the acceleration.
        let (rate, since) = match acceleration {
            None => (self.rate(self.smooth, duration), 0.5 * last),
            Some(_) => (self.end_rate(duration), 0.0),
        };
        // The body changes its velocity by no more than in the last step, and the law's force is what it can be up to that speed: a
        // jump of a prescribed velocity is a load that no body has.
        let max_speed = v.abs() + (v - self.contact[1]).abs();
        self.contact = [F_N, v];
        self.durations = [duration, last];
        self.horizon = larger(duration, self.horizon - HORIZON_DECAY * duration);
        let mut modes = Values::ZERO;
        discrete.write(&mut modes);
        self.modes = modes.modes();
        if contact.is_open() {
            return self.step_open(body, contact, discrete, duration, tolerance, inner_steps);
        }

        let mass = self.mass.value;
        body.mass = mass;
        let Gains { theta, kappa, lateness, .. } = self.gains();
        let load = |t: f64| self.smooth[0] + rate * (t + since);
        let normal = |t: f64| (F_N + normal_rate * t).max(0.0);
        let (mut states, mut lag, mut moved) = (self.states, self.states[1], v);
        let mut solver = Radau { limit: self.corrector.limit, ..self.predictor };
        self.corrector.limit = StepLimit::default();
        let mut predict = |states: &mut [f64; STATES], discrete: &mut L::DiscreteState, from: f64| {
            let to = from + duration;
            let (normal, load) = ([normal(from), normal(to)], [load(from), load(to)]);
            let start = law_states(states);
            let motion =
                body.advance(states, discrete, &LoadInterval { normal, load, duration, tolerance }, &mut solver)?;
            let largest = Contact::new(larger(normal[0], normal[1]), v);
            // No law's largest impulse is below that of F_s, so that a smaller force is within the limit.
            if motion.mean.abs() <= body.law.static_force(largest.F_N) {
                return Ok(motion);
            }
            let impulse = body.law.largest_impulse(largest, &start, max_speed, duration);
            let limit = MAX_FORCE_RATIO * impulse / duration;
            Ok(BodyMotion { mean: motion.mean.max(-limit).min(limit), ..motion })
        };

        let BodyMotion { mean, inner_steps: first, .. } = predict(&mut states, &mut discrete, 0.0)?;
        inner_steps += first;
        self.mean = mean;
        let mut step = ObserverStep {
            applied: mean,
            contact: Contact::new(normal(duration), states[0]),
            x: law_states(&states),
            discrete,
            loss: 0.0,
            inner_steps,
            force_error: 0.0,
        };
        let (v_start, mut v_end, mut v_s) = (v, states[0], self.states[0]);
        if self.coupling == Coupling::Parallel {
            v_s = states[0];
            let v_next = v + (0.5 * (load(0.0) + load(duration)) - self.applied[1]) * duration / mass;
            lag += 0.5 * duration * (v + v_next) - states[1];
            (moved, v_end) = (v_next, v_next);
            let BodyMotion { mean, inner_steps: second, .. } = predict(&mut states, &mut discrete, duration)?;
            step.applied = mean;
            step.inner_steps += second;
        }
        let horizon = self.horizon;
        let correction = mass / horizon * (theta * (moved - v_s) + kappa * lag / horizon);
        let largest_normal = larger(F_N, normal(duration));
        self.normal_peak = recent_peak(self.normal_peak, largest_normal, (duration / horizon).min(1.0));
        let static_forces = [largest_normal, self.normal_peak].map(|normal| body.law.static_force(normal));
        let late = lateness * horizon;
        self.monitor.begin(static_forces[1], mass / (late * late));
        step.applied = corrected(step.applied, correction, static_forces);
        step.force_error = solver.limit.error();
        self.predictor.first_step = solver.first_step;
        let used = if self.coupling == Coupling::Parallel { self.applied[1] } else { step.applied };
        step.loss = self.monitor.work() + 0.5 * used * (v_start + v_end) * duration;
        self.applied = [self.applied[1], step.applied];
        self.check()?;
        Ok(step)
    }

    /// An error where a number of the observer is not finite.
    fn check(&self) -> Result<(), SolverError> {
        let BodyObserver { load, smooth, applied, contact, states, loss, mean, horizon, normal_peak, .. } = self;
        let sum = |[first, second]: &[f64; 2]| first.abs() + second.abs();
        let lists = sum(load) + sum(smooth) + sum(applied) + sum(contact);
        // A sum with an infinite term or NaN is not finite; a sum of finite numbers that overflows counts as well.
        let known = loss.abs()
            + mean.abs()
            + horizon
            + normal_peak
            + self.monitor.size()
            + self.normal_monitor.size()
            + self.mass.size();
        // The states of the law are finite after every interval.
        let sum = known + lists + states[0].abs() + states[1].abs();
        if sum.is_finite() { Ok(()) } else { Err(SolverError::NotFinite) }
    }

    /// Whether a step of `duration` (s) is negligible beside the last one. Masters make such steps by rounding; the change of velocity
    /// in them is rounding as well and gives no load.
    pub fn is_negligible(&self, duration: f64) -> bool {
        duration < NEGLIGIBLE_STEP_RATIO * self.duration()
    }

    /// Length of the last step, s; 0 before the first.
    fn duration(&self) -> f64 {
        self.durations[0]
    }

    /// Rate of a load within a step, N/s, from its means over the last two steps. Over a `horizon` (s) longer than these steps the load
    /// changes by no more than it did between them.
    fn rate(&self, [now, before]: [f64; 2], horizon: f64) -> f64 {
        let [last, one_before] = self.durations;
        let spacing = if one_before > 0.0 { 0.5 * (last + one_before) } else { last };
        if spacing > 0.0 { LOAD_RATE_GAIN * (now - before) / larger(spacing, horizon) } else { 0.0 }
    }

    /// Rate of a load from its values at both ends of the last step, N/s.
    fn end_rate(&self, horizon: f64) -> f64 {
        let [now, before] = self.smooth;
        let spacing = self.duration();
        if spacing > 0.0 { END_RATE_GAIN * (now - before) / larger(spacing, horizon) } else { 0.0 }
    }

    fn gains(&self) -> Gains {
        Gains::of(self.coupling)
    }

    /// Extrapolated rate of F_N over the coming step, N/s: that of the last step, limited so that F_N changes by no more than it did
    /// there; 0 next to a loss of contact.
    fn normal_rate(&self, now: f64, duration: f64) -> f64 {
        let [before, _] = self.contact;
        let known = self.duration() > 0.0 && before > 0.0 && now > 0.0;
        if known { (now - before) / larger(self.duration(), duration) } else { 0.0 }
    }

    /// Load estimate and corrector: advances the observer over the last step; returns the number of inner steps.
    fn correct<L: Law<N>, const N: usize>(
        &mut self,
        body: &mut Body<L, N>,
        (contact, end_acceleration): (Contact, Option<f64>),
        discrete: &mut L::DiscreteState,
        tolerance: f64,
    ) -> Result<u32, SolverError> {
        let [normal_before, v_before] = self.contact;
        let used = if self.coupling == Coupling::Parallel { self.applied[0] } else { self.applied[1] };
        let acceleration = (contact.v - v_before) / self.duration();
        self.mass.update(used, acceleration, self.m_eff);
        body.mass = self.mass.value;
        self.load = [body.mass * acceleration + used, self.load[0]];
        let [_, one_before] = self.durations;
        let lengths = StepLengths { last: self.duration(), before: one_before, horizon: self.horizon };
        let work = 0.5 * used * (v_before + contact.v) * self.duration();
        let (load_change, inertia) = (self.load[0] - self.load[1], body.mass * acceleration);
        let step = MonitoredStep { work, load_change, inertia, force: Some(used), lengths };
        self.monitor.add(step, MonitorBounds::of(self.coupling, end_acceleration.is_some()));
        self.normal_monitor.add(contact.F_N, lengths);
        let [smooth, _] = self.smooth;
        self.smooth = [smooth + self.gains().beta * (self.load[0] - smooth), smooth];
        let mut rise = 0.5 * self.rate(self.load, 0.0) * self.duration();
        if let Some(acceleration) = end_acceleration {
            self.smooth = [body.mass * acceleration + used, smooth];
            rise = 0.5 * (self.smooth[0] - smooth);
        }
        let interval = LoadInterval {
            normal: [normal_before, contact.F_N],
            load: [self.load[0] - rise, self.load[0] + rise],
            duration: self.duration(),
            tolerance,
        };
        let [observed, lag, ..] = self.states;
        let BodyMotion { loss, inner_steps, .. } =
            body.advance(&mut self.states, discrete, &interval, &mut self.corrector)?;
        self.loss += loss;
        let of_law = self.load[0] - body.mass * (self.states[0] - observed) / self.duration();
        self.monitor.add_force_error(used - of_law, lengths);
        self.monitor.compare(self.loss, self.duration() / self.horizon);
        flush(&mut self.states[..2 + N]);
        self.states[1] = lag + 0.5 * self.duration() * (contact.v + v_before) - self.states[1];
        Ok(inner_steps)
    }

    /// Step of an open contact: the force is 0, and the observer is set to the body.
    fn step_open<L: Law<N>, const N: usize>(
        &mut self,
        body: &Body<L, N>,
        contact: Contact,
        mut discrete: L::DiscreteState,
        duration: f64,
        tolerance: f64,
        inner_steps: u32,
    ) -> Result<ObserverStep<N, L::DiscreteState>, SolverError> {
        self.states[..2].copy_from_slice(&[contact.v, 0.0]);
        self.applied = [self.applied[1], 0.0];
        self.mean = 0.0;
        let mut x = law_states(&self.states);
        let trajectory = InputTrajectory::held(contact);
        let mut solver = Radau { limit: self.corrector.limit, ..Radau::default() };
        self.corrector.limit = StepLimit::default();
        let advance = body.law.advance(&trajectory, &mut x, &mut discrete, duration, tolerance, &mut solver)?;
        let inner_steps = inner_steps + advance.inner_steps;
        let force_error = solver.limit.error();
        // A parallel master still applies the force of the step before.
        let used = if self.coupling == Coupling::Parallel { self.applied[0] } else { 0.0 };
        let loss = self.monitor.work() + used * contact.v * duration;
        self.check()?;
        Ok(ObserverStep { applied: 0.0, contact, x, discrete, loss, inner_steps, force_error })
    }

    /// Mean friction force of the law that was predicted for the last step, N.
    pub fn mean(&self) -> f64 {
        self.mean
    }

    /// States of the law at the start of the last step.
    pub fn states(&self) -> [f64; MAX_STATES] {
        law_states(&self.states)
    }

    /// Modes of the law at the start of the last step.
    pub fn modes(&self) -> [f64; MODES] {
        self.modes
    }
}

#[cfg(test)]
mod tests;
