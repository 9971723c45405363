//! A law and a body as one system: m dv/dt = A − F_R.

use crate::integrate::SolverError;
use crate::integrate::radau::Radau;
use crate::integrate::step_limit::UNRESOLVED;
use crate::law::{
    self, Contact, Evaluation, HybridSystem, InputSegment, InputTrajectory, Law, LoadInterval, MAX_EVENTS,
    MAX_INPUT_DERIVATIVE_ORDER, MAX_STATES, Path, Polynomial, Rate, StepLimits, StepResult,
};

/// A body with a friction law as its contact.
pub struct Body<L, const N: usize> {
    /// The law.
    pub law: L,
    /// The mass, kg.
    pub mass: f64,
}

/// Number of states of a body with its law: v (m/s) and x (m) of the body, and up to [`MAX_STATES`] of the law.
pub const STATES: usize = 2 + MAX_STATES;

/// States of the law among those of a body.
#[inline]
pub fn law_states<const N: usize>(x: &[f64; STATES]) -> [f64; N] {
    core::array::from_fn(|i| x[2 + i])
}

/// Largest change of v by friction, over the error allowed in v, with which body and law are integrated one after the other. The
/// neglected feedback is of this order relative to the tolerance; larger values let it show in v.
const NEGLIGIBLE_CHANGE: f64 = 1e-3;

/// Tolerance of the integrator over that of the interval, 1: its steps are of order 5, and their error estimate is of order 3. Larger: less
/// accurate next to kinks, where the estimate is close to the error; smaller: more inner steps. With 10 the mean force keeps the tolerance in
/// 99.8 % of random intervals.
const INTEGRATION_SHARE: f64 = 10.0;
/// Way before v = 0 over the error scale of the first state below which an inner step may pass the kink there, 1. Larger: the kink shows in
/// the error estimate, and steps are rejected; smaller: more inner steps.
const NEGLIGIBLE_WAY: f64 = 1e-6;
/// Time before v = 0 over the length of the interval below which an inner step may pass the kink there, 1: above the rounding of time.
const NEGLIGIBLE_TIME: f64 = 1e-9;

/// Motion of a body over a load interval.
pub struct BodyMotion {
    /// Mean friction force over the interval, N.
    pub mean: f64,
    /// Friction loss over the interval, J.
    pub loss: f64,
    /// Inner steps.
    pub inner_steps: u32,
}

impl<L: Law<N>, const N: usize> Body<L, N> {
    /// Law with a body whose mass is not set yet.
    pub fn new(law: L) -> Self {
        const { assert!(N <= MAX_STATES, "a law has at most MAX_STATES states") };
        Body { law, mass: 0.0 }
    }

    /// Advances body and law over a load interval. The displacement x is that from its start.
    pub fn advance(
        &self,
        x: &mut [f64; STATES],
        discrete: &mut L::DiscreteState,
        interval: &LoadInterval,
        solver: &mut Radau,
    ) -> Result<BodyMotion, SolverError> {
        let (v, modes) = (x[0], *discrete);
        let states: [f64; N] = law_states(x);
        if let Some(moved) = self.advance_decoupled(x, discrete, interval, solver)? {
            return Ok(moved);
        }
        let (loss, inner_steps) = self.integrate(x, discrete, interval, solver)?;
        let mean = 0.5 * (interval.load[0] + interval.load[1]) - self.mass * (x[0] - v) / interval.duration;
        let mut moved = BodyMotion { mean, loss, inner_steps };
        if solver.limit.error() >= UNRESOLVED && !(mean.abs() <= self.static_force(interval)) {
            (x[0], *discrete) = (v, modes);
            x[2..2 + N].copy_from_slice(&states);
            moved = BodyMotion { inner_steps, ..self.one_step(x, discrete, interval) };
        }
        // A sum with an infinite term or NaN is not finite; a sum of finite numbers that overflows counts as well.
        if x[..2 + N].iter().fold(moved.mean.abs(), |sum, x| sum + x.abs()).is_finite() {
            Ok(moved)
        } else {
            Err(SolverError::NotFinite)
        }
    }

    /// F_s under the largest F_N of an interval, N.
    fn static_force(&self, interval: &LoadInterval) -> f64 {
        self.law.static_force(interval.normal[0].max(interval.normal[1]).max(0.0))
    }

    /// One step of implicit Euler with the friction force that brings the body to rest, up to F_s. The states of the law stay, after the
    /// events at the start.
    #[cold]
    fn one_step(&self, x: &mut [f64; STATES], discrete: &mut L::DiscreteState, interval: &LoadInterval) -> BodyMotion {
        let LoadInterval { normal, load, duration, .. } = *interval;
        let (v, load) = (x[0], 0.5 * (load[0] + load[1]));
        let mut states: [f64; N] = law_states(x);
        law::event_iteration(&self.law, Contact::new(normal[0], v), &mut states, discrete);
        x[2..2 + N].copy_from_slice(&states);
        let largest = self.static_force(interval);
        let mean = (load + self.mass * v / duration).max(-largest).min(largest);
        x[0] += (load - mean) * duration / self.mass;
        x[1] = 0.5 * (v + x[0]) * duration;
        BodyMotion { mean, loss: mean * x[1], inner_steps: 0 }
    }

    /// Advances the body under the load alone, and the law under the resulting motion. `None` where friction would change the motion
    /// by more than [`NEGLIGIBLE_CHANGE`] of the error allowed; it does not with a nearly open contact.
    fn advance_decoupled(
        &self,
        x: &mut [f64; STATES],
        discrete: &mut L::DiscreteState,
        interval: &LoadInterval,
        solver: &mut Radau,
    ) -> Result<Option<BodyMotion>, SolverError> {
        let LoadInterval { normal, load, duration, tolerance } = *interval;
        let v = x[0];
        let contact = Contact::new(normal[0].max(normal[1]), v);
        let max_speed = v.abs() + load[0].abs().max(load[1].abs()) / self.mass * duration;
        let mut states = law_states(x);
        let impulse = self.law.largest_impulse(contact, &states, max_speed, duration);
        if contact.is_open() || !(impulse / self.mass <= NEGLIGIBLE_CHANGE * tolerance * max_speed) {
            return Ok(None);
        }
        let rate = (load[1] - load[0]) / duration;
        let start = Contact::new(normal[0], v);
        let mut derivatives = [Contact::ZERO; MAX_INPUT_DERIVATIVE_ORDER];
        derivatives[0] = Contact::new((normal[1] - normal[0]) / duration, load[0] / self.mass);
        derivatives[1].v = rate / self.mass;
        if !derivatives.iter().all(|slope| slope.is_finite()) {
            return Err(SolverError::NotFinite);
        }
        let trajectory = InputTrajectory { start, derivatives: Some(&derivatives), delay: None };
        let done = self.law.advance_with_impulse(&trajectory, &mut states, discrete, duration, tolerance, solver)?;
        x[0] += (0.5 * (load[0] + load[1]) * duration - done.impulse) / self.mass;
        x[1] = (v + (load[0] / 2.0 + rate * duration / 6.0) / self.mass * duration) * duration;
        x[2..2 + N].copy_from_slice(&states);
        let mean = done.impulse / duration;
        if x.iter().chain([&mean, &done.loss]).all(|x| x.is_finite()) {
            Ok(Some(BodyMotion { mean, loss: done.loss, inner_steps: done.inner_steps }))
        } else {
            Err(SolverError::NotFinite)
        }
    }

    /// Change of v that counts as an error of 1 in an interval of `duration` (s) with speeds up to `max_speed` (m/s), m/s. An error of v
    /// changes F_R directly and through the deflection, which integrates v over the interval. It changes the mean of F_R as well, which is
    /// calculated from v at both ends (impulse). The lower bound holds where F_s is negligible: there a relative error of v suffices. `scale`
    /// is the error scale of the law's states.
    fn velocity_error_scale(&self, contact: Contact, scale: &[f64; N], duration: f64, max_speed: f64) -> f64 {
        let deflection = scale.first().copied().unwrap_or(f64::INFINITY);
        let impulse = self.law.static_force(contact.F_N) * duration / self.mass;
        self.law.velocity_error_scale(contact).min(deflection / duration).min(impulse).max(1e-3 * max_speed)
    }

    /// Integrates body and law, smoothed where its rates are singular, as one system; returns the loss, J, and the number of inner
    /// steps.
    fn integrate(
        &self,
        x: &mut [f64; STATES],
        discrete: &mut L::DiscreteState,
        interval: &LoadInterval,
        solver: &mut Radau,
    ) -> Result<(f64, u32), SolverError> {
        match self.law.smoothed(interval.tolerance) {
            Some(law) => Body { law, mass: self.mass }.integrate_padded(x, discrete, interval, solver),
            None => self.integrate_padded(x, discrete, interval, solver),
        }
    }

    /// Integrates body and law as one system with N + 1 states, rounded up to a size that is compiled; returns the loss, J, and the
    /// number of inner steps.
    fn integrate_padded(
        &self,
        x: &mut [f64; STATES],
        discrete: &mut L::DiscreteState,
        interval: &LoadInterval,
        solver: &mut Radau,
    ) -> Result<(f64, u32), SolverError> {
        match N {
            1 => self.integrate_states::<2>(x, discrete, interval, solver),
            2 => self.integrate_states::<3>(x, discrete, interval, solver),
            _ => self.integrate_states::<{ MAX_STATES + 1 }>(x, discrete, interval, solver),
        }
    }

    /// Integrates body and law as one system with M states: v, those of the law, and constant padding. Returns the loss, J, and the
    /// number of inner steps.
    fn integrate_states<const M: usize>(
        &self,
        x: &mut [f64; STATES],
        discrete: &mut L::DiscreteState,
        interval: &LoadInterval,
        solver: &mut Radau,
    ) -> Result<(f64, u32), SolverError> {
        let LoadInterval { normal, load, duration, tolerance } = *interval;
        let start = Contact { F_N: normal[0], F_t: load[0], ..Contact::ZERO };
        let mut derivatives = [Contact::ZERO; MAX_INPUT_DERIVATIVE_ORDER];
        derivatives[0].F_N = (normal[1] - normal[0]) / duration;
        derivatives[0].F_t = (load[1] - load[0]) / duration;
        if !(start.is_finite() && derivatives[0].is_finite()) {
            return Err(SolverError::NotFinite);
        }
        let is_held = normal[0] == normal[1] && load[0] == load[1];
        let trajectory = InputTrajectory { start, derivatives: (!is_held).then_some(&derivatives), delay: None };
        let mut states = [0.0; M];
        states[0] = x[0];
        states[1..=N].copy_from_slice(&x[2..2 + N]);
        let load_dv = load[0].abs().max(load[1].abs()) / self.mass * duration;
        let mut system =
            CoupledSystem { body: self, inverse_mass: 1.0 / self.mass, duration, load_dv, velocity_error_scale: 0.0 };
        system.velocity_error_scale = system.error_scale(start, &states)[0];
        let StepResult { loss, impulse: travel, inner_steps, .. } =
            law::advance(&system, &trajectory, &mut states, discrete, duration, INTEGRATION_SHARE * tolerance, solver)?;
        x[..2].copy_from_slice(&[states[0], travel]);
        x[2..2 + N].copy_from_slice(&states[1..=N]);
        Ok((loss, inner_steps))
    }
}

/// Body and law as one system over a load interval, m dv/dt = A − F_R. States: v, those of the law, and constant padding. Inputs: the
/// contact carries F_N and, as F_t, the external force A. Integrals: the friction loss and the displacement.
struct CoupledSystem<'a, L, const N: usize> {
    body: &'a Body<L, N>,
    /// One over the mass, 1/kg.
    inverse_mass: f64,
    /// Length of the interval, s: errors of v accumulate over it in the law's first state.
    duration: f64,
    /// Bound on the change of v by the load over the interval, m/s.
    load_dv: f64,
    /// Error of v at the start that counts as 1, m/s.
    velocity_error_scale: f64,
}

impl<L: Law<N>, const N: usize> CoupledSystem<'_, L, N> {
    /// Contact and states of the law.
    #[inline]
    fn law_inputs<const M: usize>(contact: Contact, x: &[f64; M]) -> (Contact, [f64; N]) {
        (Contact::new(contact.F_N, x[0]), core::array::from_fn(|i| x[1 + i]))
    }
}

impl<L: Law<N>, const N: usize, const M: usize> HybridSystem<M> for CoupledSystem<'_, L, N> {
    type Discrete = L::DiscreteState;

    const HAS_MODES: bool = !L::METADATA.modes.is_empty();
    /// The mean force follows from v at both ends; an event may be anywhere in an inner step.
    const INTERIOR_COUNTS: bool = <Self as HybridSystem<M>>::HAS_MODES;

    #[allow(non_snake_case)] // the papers' symbols
    fn inputs(&self, segment: &InputSegment, t: f64) -> Contact {
        let [F_N, F_t] = segment.normal_force_and_load_at(t);
        Contact { F_N, F_t, ..Contact::ZERO }
    }

    fn rate(&self, contact: Contact, x: &[f64; M], discrete: &L::DiscreteState) -> [f64; M] {
        let (inner, states) = Self::law_inputs(contact, x);
        let Evaluation { F_R: force, rate: law_rate, .. } = self.body.law.evaluate(inner, &states, discrete);
        let mut rate = [0.0; M];
        rate[0] = (contact.F_t - force) * self.inverse_mass;
        rate[1..=N].copy_from_slice(&law_rate);
        rate
    }

    fn jacobian(&self, contact: Contact, x: &[f64; M], discrete: &L::DiscreteState) -> [[f64; M]; M] {
        let (inner, states) = Self::law_inputs(contact, x);
        let by = self.body.law.jacobian(inner, &states, discrete);
        let mut whole = [[0.0; M]; M];
        whole[0][0] = -by.F_R_v / self.body.mass;
        for i in 0..N {
            whole[0][1 + i] = -by.F_R_x[i] / self.body.mass;
            whole[1 + i][0] = by.rate_v[i];
            whole[1 + i][1..=N].copy_from_slice(&by.rate_x[i]);
        }
        whole
    }

    fn error_scale(&self, contact: Contact, x: &[f64; M]) -> [f64; M] {
        let (inner, states) = Self::law_inputs(contact, x);
        let law = self.body.law.mean_error_scale(inner, &states, self.duration);
        let v = self.body.velocity_error_scale(inner, &law, self.duration, x[0].abs() + self.load_dv);
        let mut scale = [f64::MAX; M];
        scale[0] = v;
        scale[1..=N].copy_from_slice(&law);
        scale
    }

    /// v is a state here, so that the error estimate covers the falling branch. A kink at v = 0 ends the step.
    fn step_limits(&self, contact: Contact, x: &[f64; M]) -> StepLimits {
        let v = x[0];
        if v.abs() >= self.body.law.kink_at_rest() {
            return StepLimits::FREE;
        }
        let (inner, states) = Self::law_inputs(contact, x);
        let force = self.body.law.evaluate(inner, &states, &L::DiscreteState::default()).F_R;
        let to_rest = v * self.body.mass / (force - contact.F_t);
        let is_ahead = to_rest > NEGLIGIBLE_TIME * self.duration && to_rest < self.duration;
        if is_ahead && 0.5 * v.abs() * to_rest > NEGLIGIBLE_WAY * self.error_scale(contact, x)[1] {
            StepLimits { longest: to_rest, ..StepLimits::FREE }
        } else {
            StepLimits::FREE
        }
    }

    /// Friction power, W, and v, m/s.
    fn integrands(&self, contact: Contact, x: &[f64; M], discrete: &L::DiscreteState) -> [f64; 2] {
        let (inner, states) = Self::law_inputs(contact, x);
        [self.body.law.evaluate(inner, &states, discrete).F_R * x[0], x[0]]
    }

    fn integrands_at_rates(
        &self,
        contact: Contact,
        x: &[f64; M],
        rates: &[f64; M],
        discrete: &L::DiscreteState,
    ) -> [f64; 2] {
        let (inner, states) = Self::law_inputs(contact, x);
        let law_rates = core::array::from_fn(|i| rates[1 + i]);
        [self.body.law.force_at_rates(inner, &states, &law_rates, discrete) * x[0], x[0]]
    }

    /// The loss has the energy of an error of 1 in v at least: in a light contact it is far larger than that of F_s.
    fn integrand_scales(&self, [normal_force, _]: [f64; 2], max_speed: f64) -> [f64; 2] {
        let of_velocity = self.body.mass * self.velocity_error_scale / self.duration;
        [self.body.law.static_force(normal_force.max(0.0)).max(of_velocity) * max_speed, self.velocity_error_scale]
    }

    fn integrand_rounding(&self, _: [f64; 2], max_speed: f64) -> [f64; 2] {
        [self.body.law.force_rounding(max_speed) * max_speed, 0.0]
    }

    fn exact_rates(&self, _: Contact, _: &L::DiscreteState) -> Option<[Rate; M]> {
        None
    }

    fn event_polynomials(&self, path: &Path<M>, discrete: &L::DiscreteState) -> Option<[Polynomial; MAX_EVENTS]> {
        let inner = Path {
            F_N: path.F_N,
            v: path.x[0],
            a: Polynomial::default(),
            F_t: Polynomial::default(),
            x: core::array::from_fn(|i| path.x[1 + i]),
        };
        self.body.law.event_polynomials(&inner, discrete)
    }

    fn event_indicators(&self, contact: Contact, x: &[f64; M], discrete: &L::DiscreteState) -> [f64; MAX_EVENTS] {
        let (inner, states) = Self::law_inputs(contact, x);
        self.body.law.indicators(inner, &states, discrete)
    }

    fn handle_event(&self, contact: Contact, x: &mut [f64; M], discrete: &mut L::DiscreteState) -> bool {
        let (inner, mut states) = Self::law_inputs(contact, x);
        let changed = self.body.law.handle_event(inner, &mut states, discrete);
        x[1..=N].copy_from_slice(&states);
        changed
    }
}

#[cfg(test)]
mod tests;
