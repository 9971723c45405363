//! Hybrid systems: a few differential equations under the inputs of a contact, discrete states that change at events, and two
//! quadratures over a step.
//!
//! [`advance`](super::advance) advances a body and its law as one system (`coupling::Body`).

use crate::integrate::polynomial::Polynomial;
use crate::law::{Contact, DiscreteState, InputSegment, MAX_EVENTS, Path, Rate, StepLimits};

/// A hybrid system with N continuous states.
pub trait HybridSystem<const N: usize> {
    /// Discrete states; they change in [`handle_event`](Self::handle_event) only.
    type Discrete: DiscreteState;

    /// Whether the system has discrete states. Without them there is no event while the contact stays closed.
    const HAS_MODES: bool;
    /// Whether the states within an inner step count as those at its end, as for the integrals of a force that follows from them.
    const INTERIOR_COUNTS: bool = true;

    /// Inputs at the time `t` (s) of a trajectory: those on which the system depends.
    #[inline]
    fn inputs(&self, segment: &InputSegment, t: f64) -> Contact {
        segment.at(t)
    }

    /// Time derivatives of the states.
    fn rate(&self, contact: Contact, x: &[f64; N], discrete: &Self::Discrete) -> [f64; N];

    /// Partial derivatives of the rates with respect to the states, as rows; finite wherever the rates are.
    fn jacobian(&self, contact: Contact, x: &[f64; N], discrete: &Self::Discrete) -> [[f64; N]; N];

    /// Change of each state that counts as an error of 1.
    fn error_scale(&self, contact: Contact, x: &[f64; N]) -> [f64; N];

    /// Limits to the length of an inner step from this contact and these states.
    fn step_limits(&self, contact: Contact, x: &[f64; N]) -> StepLimits;

    /// Integrands of the two quadratures of a step.
    fn integrands(&self, contact: Contact, x: &[f64; N], discrete: &Self::Discrete) -> [f64; 2];

    /// Integrands where the rates of the states are known, as at the stages of an inner step.
    fn integrands_at_rates(
        &self,
        contact: Contact,
        x: &[f64; N],
        _rates: &[f64; N],
        discrete: &Self::Discrete,
    ) -> [f64; 2] {
        self.integrands(contact, x, discrete)
    }

    /// Error scale of each integrand, in a step with this largest normal force (N) and speed (m/s), where `largest_second` is the largest
    /// magnitude of the second integrand so far.
    fn integrand_scales(&self, largest_inputs: [f64; 2], largest_second: f64) -> [f64; 2];

    /// Rounding error of each integrand, in a step as for [`integrand_scales`](HybridSystem::integrand_scales).
    fn integrand_rounding(&self, largest_inputs: [f64; 2], largest_second: f64) -> [f64; 2];

    /// Rates of the states, where these are integrals of the inputs as long as the discrete states do not change.
    fn exact_rates(&self, contact: Contact, discrete: &Self::Discrete) -> Option<[Rate; N]>;

    /// Polynomials whose changes of sign are the events; see [`Law::event_polynomials`](crate::law::Law::event_polynomials).
    fn event_polynomials(&self, path: &Path<N>, discrete: &Self::Discrete) -> Option<[Polynomial; MAX_EVENTS]>;

    /// Functions whose changes of sign are the events, for a system without event polynomials.
    fn event_indicators(&self, contact: Contact, x: &[f64; N], discrete: &Self::Discrete) -> [f64; MAX_EVENTS];

    /// Changes discrete states that do not hold any more, and states with them; returns whether it did.
    fn handle_event(&self, contact: Contact, x: &mut [f64; N], discrete: &mut Self::Discrete) -> bool;
}
