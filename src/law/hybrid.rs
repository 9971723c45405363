//! Hybrid systems: a few differential equations under the inputs of a contact, discrete states that change at events, and two
//! quadratures over a step.
//!
//! The integration driver ([`advance`](super::advance)) advances any hybrid system: a law, or a body and its law as one system
//! (`coupling::Body`).

use super::input_dependence::Ranges;
use super::input_segment::InputSegment;
use super::{Contact, DiscreteState, InputDependence, Law, MAX_EVENTS, Path, Rate, StepLimits};
use crate::integrate::polynomial::Polynomial;

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

    /// Dependence of the second integrand on the inputs between two contacts, both open or both closed, between which each input is monotonic
    /// and the discrete states do not change; the first is v times the second, or nothing is known.
    fn input_dependence(&self, _ends: [Contact; 2], _discrete: &Self::Discrete) -> InputDependence {
        InputDependence::UNKNOWN
    }

    /// Rates of the states, where these are integrals of the inputs as long as the discrete states do not change.
    fn exact_rates(&self, contact: Contact, discrete: &Self::Discrete) -> Option<[Rate; N]>;

    /// Polynomials whose changes of sign are the events; see [`Law::event_polynomials`].
    fn event_polynomials(&self, path: &Path<N>, discrete: &Self::Discrete) -> Option<[Polynomial; MAX_EVENTS]>;

    /// Functions whose changes of sign are the events, for a system without event polynomials.
    fn event_indicators(&self, contact: Contact, x: &[f64; N], discrete: &Self::Discrete) -> [f64; MAX_EVENTS];

    /// Changes discrete states that do not hold any more, and states with them; returns whether it did.
    fn handle_event(&self, contact: Contact, x: &mut [f64; N], discrete: &mut Self::Discrete) -> bool;
}

impl<L: Law<N>, const N: usize> HybridSystem<N> for L {
    type Discrete = L::DiscreteState;

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

    /// Friction power (W) and friction force (N), in the plane its larger component: the quadratures are the loss and the impulse.
    #[inline]
    fn integrands(&self, contact: Contact, x: &[f64; N], discrete: &Self::Discrete) -> [f64; 2] {
        if L::PLANAR {
            let [force, across] = self.planar_force(contact, x, discrete);
            return [force * contact.v + across * contact.v_y, force.abs().max(across.abs())];
        }
        let force = self.evaluate(contact, x, discrete).F_R;
        [force * contact.v, force]
    }

    #[inline]
    fn integrands_at_rates(
        &self,
        contact: Contact,
        x: &[f64; N],
        rates: &[f64; N],
        discrete: &Self::Discrete,
    ) -> [f64; 2] {
        if L::PLANAR {
            return self.integrands(contact, x, discrete);
        }
        let force = self.force_at_rates(contact, x, rates, discrete);
        [force * contact.v, force]
    }

    #[inline]
    fn integrand_scales(&self, [normal_force, speed]: [f64; 2], largest_force: f64) -> [f64; 2] {
        let force = self.error_force(normal_force.max(0.0));
        let force = if force.is_finite() { force } else { largest_force };
        [force * speed, force]
    }

    #[inline]
    fn integrand_rounding(&self, [_, speed]: [f64; 2], _: f64) -> [f64; 2] {
        let force = self.force_rounding(speed);
        [force * speed, force]
    }

    #[inline]
    fn input_dependence(&self, ends: [Contact; 2], discrete: &Self::Discrete) -> InputDependence {
        // An open contact has no force.
        if ends[0].is_open() {
            return InputDependence::over(Ranges::WIDE);
        }
        Law::input_dependence(self, ends, discrete)
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
