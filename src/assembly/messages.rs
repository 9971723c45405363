//! Messages about the coupling of contacts with the body of a master.

use super::body::BodyOfContacts;
use super::words::Words;
use crate::coupling::{Coupling, LongestSteps, M_EFF, ResponseMonitor, longest_steps};
use crate::domain::{GRAVITY, REST_SPEED};
use crate::element::{AnyElement, F_R, RADIUS, V};
use crate::law::{F_N, F_T, Spring};

/// Largest mass that a motion shows over F_N/g: a sine of v, to which the law answers, can look
/// like the answer of a far heavier body. Without the bound three times as many prescribed motions
/// of `tests/tests/coupling_rates.rs` show a body.
const HEAVIEST: f64 = 10.0;
/// Longest step of held values, s, that counts as none: a force that jumps at rest has the slope of
/// its chord up to [`REST_SPEED`].
const NO_STEP: f64 = 1e-10;

/// Messages about one contact, or about all contacts of a card's body or plate; no part of the
/// state, as they change no result.
#[derive(Default)]
pub struct CouplingMessages {
    /// Response of the body to the law's own force.
    response: ResponseMonitor,
    /// Length of the last step with the law's own force, s.
    last_step: f64,
    /// Normal force (N) and step (s) that were last found to be within the limit of held values.
    checked: [f64; 2],
    /// Messages given: that the coupling is not stated, that the motion shows a body, and that
    /// derivatives of the velocity have no effect.
    given: [bool; 3],
    /// Whether the master gave derivatives of the velocity.
    has_velocity_derivatives: bool,
}

impl CouplingMessages {
    /// Notes that the master gave a derivative of the velocity.
    pub fn note_velocity_derivative(&mut self) {
        self.has_velocity_derivatives = true;
    }

    /// Starts the response anew, after a jump of the state.
    pub fn restart(&mut self) {
        self.response = ResponseMonitor::default();
    }

    /// Finds the limit of held values anew, after a change of parameters.
    pub fn check_again(&mut self) {
        self.checked = [0.0; 2];
    }

    /// Whether the next message depends on the motion of the contacts before a step.
    pub fn awaits_motion(&self, contacts: &[Box<dyn AnyElement>]) -> bool {
        !self.given[0]
            && contacts
                .first()
                .is_some_and(|first| Coupling::of(first.values()) == Coupling::Unspecified)
    }

    /// Message before a step of `duration` (s), which is given once; the contacts may have a body
    /// with an observer.
    #[inline]
    pub fn message(
        &mut self,
        contacts: &[Box<dyn AnyElement>],
        body: Option<&BodyOfContacts>,
        duration: f64,
    ) -> Option<String> {
        match Coupling::of(contacts.first()?.values()) {
            Coupling::Prescribed => None,
            Coupling::Unspecified => self.of_unstated(contacts, body, duration),
            coupling => {
                let first = &**contacts.first()?;
                if self.has_velocity_derivatives && !self.given[2] {
                    let message = of_velocity_derivatives(first, body, coupling, duration);
                    self.given[2] = message.is_some();
                    if message.is_some() {
                        return message;
                    }
                }
                let message = if self.given[1] {
                    None
                } else {
                    body?.message(first, coupling, duration)
                };
                self.given[1] |= message.is_some();
                message
            }
        }
    }

    /// Message where the coupling is not stated.
    fn of_unstated(
        &mut self,
        contacts: &[Box<dyn AnyElement>],
        body: Option<&BodyOfContacts>,
        duration: f64,
    ) -> Option<String> {
        if !self.given[0]
            && contacts.iter().any(|contact| is_in_motion(&**contact))
            && let Some(message) = self.of_long_step(contacts, body, duration)
        {
            self.given[0] = true;
            return Some(message);
        }
        let [contact] = contacts else { return None };
        if self.given[1] || !body?.is_own() {
            return None;
        }
        let values = contact.values();
        self.response
            .add_force(values[&F_R], contact.static_force_under(values[&F_N]));
        self.response.add_velocity(values[&V], self.last_step);
        self.last_step = duration;
        let response = self.response.response()?;
        let steps = longest_steps(contact.response_at_rest(), response.mass);
        let (order, limit) = (response.order.name(), steps.of(response.order));
        if duration <= limit || response.mass > HEAVIEST * inertia_of(contacts) {
            return None;
        }
        self.given[1] = true;
        let words @ Words {
            velocity,
            force,
            mass,
            ..
        } = Words::of(&**contact);
        Some(format!(
            "{velocity} and {force} oscillate against each other: the motion shows a body of {} \
             at the contact and a {order} coupling, whose \
             values may be held over {limit:.1e} s at most, and H is {duration:.1e} s; set {mass} \
             to that and coupling to {order}, or shorten H",
            words.inertia(response.mass)
        ))
    }

    /// Message about a step that is too long for held values on the lightest body that is likely.
    fn of_long_step(
        &mut self,
        contacts: &[Box<dyn AnyElement>],
        body: Option<&BodyOfContacts>,
        duration: f64,
    ) -> Option<String> {
        let first = &*contacts[0];
        let words @ Words {
            force,
            applied,
            velocity,
            mass,
            weight,
            ..
        } = Words::of(first);
        let given = if first.is_coupled() {
            first.values()[&M_EFF]
        } else {
            0.0
        };
        if given > 0.0 || body.is_some_and(|body| !body.is_own()) {
            let what = if given > 0.0 {
                format!("{mass} = {}", words.inertia(given))
            } else {
                "a body".to_owned()
            };
            return Some(format!(
                "{what} is given, and coupling is not: {force} is the law's own, as for a \
                 prescribed motion; set coupling to serial if the \
                 body moves under {force} over the step that begins with {velocity}, or to \
                 parallel if over the step after that"
            ));
        }
        let normal_force = normal_force_on(contacts);
        if self.checked == [normal_force, duration] {
            return None;
        }
        // The points of a plate are springs and dampers side by side.
        let mut all = Spring::NONE;
        for contact in contacts
            .iter()
            .filter(|contact| contact.values()[&F_N] > 0.0)
        {
            let Spring { stiffness, damping } = contact.response_at_rest();
            (all.stiffness, all.damping) = (all.stiffness + stiffness, all.damping + damping);
        }
        let LongestSteps { parallel, serial } = longest_steps(all, inertia_of(contacts));
        if duration <= parallel {
            self.checked = [normal_force, duration];
            return None;
        }
        let remedy = match () {
            () if first.is_coupled() => {
                format!(
                    "give {mass} and coupling (serial or parallel), use a card with [block] or \
                     [body]"
                )
            }
            () if first.is_planar() && first.states() > 0 => "use a card with [body]".to_owned(),
            () if first.is_planar() => "use a law with a bristle on a card with [body]".to_owned(),
            () if first.has_applied_force() => {
                format!(
                    "connect {applied}, or use a law with a bristle, which takes {mass}, or a \
                     card with [block]"
                )
            }
            () => format!("use a law with a bristle, which takes {mass}, or a card with [block]"),
        };
        let limit = if serial < NO_STEP {
            format!(
                "{force} jumps at {velocity} = 0, and with held values a body that comes to rest \
                 creeps or chatters at any H"
            )
        } else {
            format!(
                "H = {duration:.1e} s is too long for {weight} = {}, on which {force} may be held \
                 over {serial:.1e} s in a serial \
                 coupling and {parallel:.1e} s in a parallel one",
                words.inertia(inertia_of(contacts))
            )
        };
        Some(format!(
            "coupling is not stated: if {force} moves a body, {limit}, so {remedy}, or use Model \
             Exchange; if {velocity} does not depend on \
             {force}, set coupling to prescribed"
        ))
    }
}

/// Message about derivatives of the velocity where a coupled body answers to the force within the
/// step.
fn of_velocity_derivatives(
    first: &dyn AnyElement,
    body: Option<&BodyOfContacts>,
    coupling: Coupling,
    duration: f64,
) -> Option<String> {
    let is_observed = body.is_some_and(|body| body.is_to_observe(first, duration));
    let Words {
        velocity, force, ..
    } = Words::of(first);
    (is_observed || coupling == Coupling::Serial && first.is_coupled()).then(|| {
        format!(
            "derivatives of {velocity} have no effect with coupling = {}: the body answers to \
             {force} within the step, which an extrapolated \
             {velocity} leaves out; leave them out",
            coupling.name()
        )
    })
}

/// Whether a contact is closed and moves, without the applied force by which a law without a
/// bristle balances it at rest.
fn is_in_motion(contact: &dyn AnyElement) -> bool {
    let values = contact.values();
    values[&F_N] > 0.0
        && contact.speed() > REST_SPEED
        && !(contact.states() == 0 && contact.has_applied_force() && values[&F_T] != 0.0)
}

/// Normal force on all contacts, N.
fn normal_force_on(contacts: &[Box<dyn AnyElement>]) -> f64 {
    contacts
        .iter()
        .map(|contact| contact.values()[&F_N].max(0.0))
        .sum()
}

/// Mass F_N/g (kg) of the contacts, or its moment of inertia (kg·m²) at the friction radius.
fn inertia_of(contacts: &[Box<dyn AnyElement>]) -> f64 {
    let radius = contacts
        .first()
        .map_or(0.0, |contact| contact.values()[&RADIUS]);
    let lever = if radius > 0.0 { radius } else { 1.0 };
    normal_force_on(contacts) / GRAVITY * lever * lever
}

#[cfg(test)]
mod tests;
