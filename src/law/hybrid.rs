//! Hybrid systems: a few differential equations under the inputs of a contact, with discrete states that change at events, and two
//! integrals that are wanted over a step.
//!
//! The integration driver ([`advance`](super::advance)) works on systems only. Every law is one; so are a body and its law as one system
//! (`coupling::Body`).

use super::{Contact, DiscreteState, Law, MAX_EVENTS, Path, Rate, StepLimits};
use crate::integrate::polynomial::Polynomial;

/// A hybrid system with N continuous states.
pub trait HybridSystem<const N: usize> {
    /// The discrete states; they change in [`handle_event`](Self::handle_event) alone.
    type Discrete: DiscreteState;

    /// The system has events that end a mode while the contact stays closed.
    const HAS_EVENTS: bool;
    /// The system has discrete states.
    const HAS_MODES: bool;

    /// The time derivatives of the states.
    fn rate(&self, contact: Contact, x: &[f64; N], discrete: &Self::Discrete) -> [f64; N];

    /// The partial derivatives of the rates with respect to the states, as rows; finite wherever the rates are.
    fn jacobian(&self, contact: Contact, x: &[f64; N], discrete: &Self::Discrete) -> [[f64; N]; N];

    /// The change of each state that counts as an error of 1.
    fn error_scale(&self, contact: Contact, x: &[f64; N]) -> [f64; N];

    /// Limits to the length of a step from here.
    fn step_limits(&self, contact: Contact, x: &[f64; N]) -> StepLimits;

    /// The two integrands whose integrals over a step are wanted.
    fn integrands(&self, contact: Contact, x: &[f64; N], discrete: &Self::Discrete) -> [f64; 2];

    /// The size of each integrand by which the error of its integral is measured, in a step under these largest normal force (N) and
    /// speed (m/s) in which the second integrand has been as large as `met`.
    fn integrand_scales(&self, largest: [f64; 2], met: f64) -> [f64; 2];

    /// The rates, if the states are integrals of the inputs as long as the discrete states last.
    fn exact_rates(&self, contact: Contact, discrete: &Self::Discrete) -> Option<[Rate; N]>;

    /// Polynomials whose changes of sign are the events; see [`Law::event_polynomials`].
    fn event_polynomials(&self, path: &Path<N>, discrete: &Self::Discrete) -> Option<[Polynomial; MAX_EVENTS]>;

    /// Functions whose changes of sign are the events, for a system without event polynomials.
    fn event_indicators(&self, contact: Contact, x: &[f64; N], discrete: &Self::Discrete) -> [f64; MAX_EVENTS];

    /// Changes discrete states that no longer hold, and states with them; returns whether it did.
    fn handle_event(&self, contact: Contact, x: &mut [f64; N], discrete: &mut Self::Discrete) -> bool;
}

impl<L: Law<N>, const N: usize> HybridSystem<N> for L {
    type Discrete = L::DiscreteState;

    const HAS_EVENTS: bool = !L::METADATA.events.is_empty();
    const HAS_MODES: bool = !L::METADATA.modes.is_empty();

    #[inline]
    fn rate(&self, contact: Contact, x: &[f64; N], discrete: &Self::Discrete) -> [f64; N] {
        self.evaluate(contact, x, discrete).rate
    }

    #[inline]
    fn jacobian(&self, contact: Contact, x: &[f64; N], discrete: &Self::Discrete) -> [[f64; N]; N] {
        self.jacobian(contact, x, discrete).rate_x
    }

    #[inline]
    fn error_scale(&self, contact: Contact, x: &[f64; N]) -> [f64; N] {
        self.scale(contact, x)
    }

    #[inline]
    fn step_limits(&self, contact: Contact, x: &[f64; N]) -> StepLimits {
        self.step_limits(contact, x)
    }

    /// Power and force of friction.
    #[inline]
    fn integrands(&self, contact: Contact, x: &[f64; N], discrete: &Self::Discrete) -> [f64; 2] {
        let force = self.evaluate(contact, x, discrete).F_R;
        [force * contact.v, force]
    }

    #[inline]
    fn integrand_scales(&self, [normal_force, speed]: [f64; 2], met: f64) -> [f64; 2] {
        let force = self.static_force(normal_force.max(0.0));
        let force = if force.is_finite() { force } else { met };
        [force * speed, force]
    }

    #[inline]
    fn exact_rates(&self, contact: Contact, discrete: &Self::Discrete) -> Option<[Rate; N]> {
        Law::exact_rates(self, contact, discrete)
    }

    #[inline]
    fn event_polynomials(&self, path: &Path<N>, discrete: &Self::Discrete) -> Option<[Polynomial; MAX_EVENTS]> {
        Law::event_polynomials(self, path, discrete)
    }

    #[inline]
    fn event_indicators(&self, contact: Contact, x: &[f64; N], discrete: &Self::Discrete) -> [f64; MAX_EVENTS] {
        self.indicators(contact, x, discrete)
    }

    #[inline]
    fn handle_event(&self, contact: Contact, x: &mut [f64; N], discrete: &mut Self::Discrete) -> bool {
        self.handle_event(contact, x, discrete)
    }
}
