//! Messages about the coupling of contacts with the body of a master.

use super::body::BodyOfContacts;
use super::words::Words;
use crate::coupling::{Coupling, LongestSteps, M_EFF, Response, ResponseMonitor, longest_steps};
use crate::domain::REST_SPEED;
use crate::element::{AnyElement, F_R, V};
use crate::law::{F_N, F_T, Spring};

/// Largest mass that a motion shows over F_N/g: a sine of v, to which the law answers, can look
/// like the answer of a far heavier body. Without the bound three times as many prescribed motions
/// of `tests/tests/coupling_rates.rs` show a body.
const HEAVIEST: f64 = 10.0;
/// Longest step of held values, s, that counts as none: a force that jumps at rest has the slope of
/// its chord up to [`REST_SPEED`].
const NO_STEP: f64 = 1e-10;
/// Steps in a row in which the motion contradicts what is stated until a message says so: of 109
/// bad runs of `tests/tests/coupling_rates.rs` with twice the mass 98 speak, with 20 steps 96, with
/// 5 steps 98.
const CONTRADICTING_STEPS: u32 = 10;

/// Messages about one contact, or about all contacts of a card's body or plate; no part of the
/// state, as they change no result.
#[derive(Default)]
pub struct CouplingMessages {
    /// Response of the body to held forces.
    response: ResponseMonitor,
    /// Length of the last step with held forces, s.
    last_step: f64,
    /// Applied force at the start of the last step, N, if the contact was at rest there.
    applied_at_rest: Option<f64>,
    /// Normal force (N) and step (s) that were last found to be within the limit of held values.
    within_limit: (f64, f64),
    /// Steps in a row in which the motion contradicts order or mass.
    contradicting: u32,
    /// Messages given.
    given: Given,
    /// Whether the master gave derivatives of the velocity.
    has_velocity_derivatives: bool,
}

/// Messages given, each once.
#[derive(Default)]
struct Given {
    /// Coupling or mass that is not stated, or a mass that has no effect.
    statement: bool,
    /// Body, contradiction or late force that the motion shows.
    motion: bool,
    /// Derivatives of the velocity that have no effect.
    derivatives: bool,
}

impl CouplingMessages {
    /// Notes that the master gave a derivative of the velocity.
    pub fn note_velocity_derivative(&mut self) {
        self.has_velocity_derivatives = true;
    }

    /// Starts the response anew, after a jump of the state.
    pub fn restart(&mut self) {
        self.response = ResponseMonitor::default();
        self.applied_at_rest = None;
        self.contradicting = 0;
    }

    /// Finds the limit of held values anew, after a change of parameters.
    pub fn check_again(&mut self) {
        self.within_limit = (0.0, 0.0);
    }

    /// Whether the next message depends on the motion of the contacts before a step.
    pub fn awaits_motion(
        &self,
        contacts: &[Box<dyn AnyElement>],
        body: Option<&BodyOfContacts>,
    ) -> bool {
        let Some(first) = contacts.first().filter(|_| !self.given.statement) else {
            return false;
        };
        match Coupling::of(first.values()) {
            Coupling::Prescribed => false,
            Coupling::Unspecified => true,
            _ => !body.is_some_and(|body| body.has_mass(&**first)),
        }
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
        let first = &**contacts.first()?;
        let coupling = Coupling::of(first.values());
        if coupling == Coupling::Prescribed {
            let message = || of_mass_without_use(first, body, coupling);
            return once(&mut self.given.statement, message);
        }
        if self.has_velocity_derivatives && coupling.is_observed() {
            let message = || of_velocity_derivatives(first, body, coupling, duration);
            let message = once(&mut self.given.derivatives, message);
            if message.is_some() {
                return message;
            }
        }
        match body {
            Some(body) if coupling.is_observed() && body.has_mass(first) => {
                self.of_observed(first, body, coupling, duration)
            }
            _ => self.of_held(contacts, body, coupling, duration),
        }
    }

    /// Message about a body with an observer.
    fn of_observed(
        &mut self,
        first: &dyn AnyElement,
        body: &BodyOfContacts,
        coupling: Coupling,
        duration: f64,
    ) -> Option<String> {
        if self.given.motion {
            return None;
        }
        let message = if self.is_contradicted(body.contradicts(coupling)) {
            Some(body.contradiction(first, coupling))
        } else {
            body.message(first, coupling, duration)
        };
        self.given.motion = message.is_some();
        message
    }

    /// Whether the motion has contradicted what is stated in enough steps in a row.
    fn is_contradicted(&mut self, now: bool) -> bool {
        self.contradicting = if now { self.contradicting + 1 } else { 0 };
        self.contradicting >= CONTRADICTING_STEPS
    }

    /// Message about held values: the mass or more is not stated.
    fn of_held(
        &mut self,
        contacts: &[Box<dyn AnyElement>],
        body: Option<&BodyOfContacts>,
        coupling: Coupling,
        duration: f64,
    ) -> Option<String> {
        if !self.given.statement
            && contacts
                .iter()
                .any(|contact| is_in_motion(&**contact, coupling))
            && let Some(message) = self.of_long_step(contacts, body, coupling, duration)
        {
            self.given.statement = true;
            return Some(message);
        }
        let [contact] = contacts else { return None };
        if self.given.motion {
            return None;
        }
        if is_balanced(&**contact, coupling) {
            let message = self.of_late_force(&**contact);
            self.given.motion = message.is_some();
            return message;
        }
        if !body?.is_own() {
            return None;
        }
        let values = contact.values();
        let static_force = contact.static_force_under(values[&F_N]);
        self.response.add_force(values[&F_R], static_force);
        self.response.add_velocity(values[&V], self.last_step);
        self.last_step = duration;
        let response = if coupling.is_observed() {
            self.response.response_of_body()
        } else {
            self.response.response()
        };
        let response =
            response.filter(|response| response.mass <= HEAVIEST * Words::lightest(contacts))?;
        let message = of_response(&**contact, coupling, response, duration);
        self.given.motion = message.is_some();
        message
    }

    /// Message about a force that balanced the applied force at rest over the last step, and did
    /// not keep the body there.
    fn of_late_force(&mut self, contact: &dyn AnyElement) -> Option<String> {
        let (values, is_at_rest) = (contact.values(), contact.speed() <= REST_SPEED);
        let applied = values[&F_T];
        let before = core::mem::replace(&mut self.applied_at_rest, is_at_rest.then_some(applied));
        if is_at_rest || before != Some(applied) || values[&F_R] != applied {
            return None;
        }
        let Words {
            velocity,
            force,
            applied,
            mass,
            ..
        } = Words::of(contact);
        Some(format!(
            "{force} balanced {applied} at {velocity} = 0, and the body moved: {force} acts a step \
             late, as in a parallel coupling, or {applied} is not the sum of all other forces; \
             step the element before the body with the whole {applied}, or use a law with a \
             bristle, which takes {mass}, or a card with [block]"
        ))
    }

    /// Message about a step that is too long for held values on the lightest body that is likely.
    fn of_long_step(
        &mut self,
        contacts: &[Box<dyn AnyElement>],
        body: Option<&BodyOfContacts>,
        coupling: Coupling,
        duration: f64,
    ) -> Option<String> {
        let first = &*contacts[0];
        if coupling == Coupling::Unspecified {
            let message = of_mass_without_use(first, body, coupling);
            if message.is_some() {
                return message;
            }
        }
        let normal_force = normal_force_on(contacts);
        if self.within_limit == (normal_force, duration) {
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
        let steps = longest_steps(all, Words::lightest(contacts));
        if duration <= steps.of(coupling) {
            self.within_limit = (normal_force, duration);
            return None;
        }
        let words = Words::of(first);
        let Words {
            force, velocity, ..
        } = words;
        let LongestSteps { parallel, serial } = steps;
        let limit = if serial < NO_STEP {
            format!(
                "{force} jumps at {velocity} = 0, and with held values a body that comes to rest \
                 creeps or chatters at any H"
            )
        } else {
            let limits = match coupling {
                Coupling::Serial => format!("{serial:.1e} s"),
                Coupling::Parallel => format!("{parallel:.1e} s"),
                _ => format!(
                    "{serial:.1e} s in a serial coupling and {parallel:.1e} s in a parallel one"
                ),
            };
            format!(
                "{force} may be held over {limits} on {} = {}, and H = {duration:.1e} s",
                words.weight,
                words.inertia(Words::lightest(contacts))
            )
        };
        let remedy = remedy(first, coupling);
        Some(match coupling {
            Coupling::Unspecified => format!(
                "coupling is not stated: if {force} moves a body, {limit}, so {remedy}, or use \
                 Model Exchange; if {velocity} does not depend on {force}, set coupling to \
                 prescribed"
            ),
            _ => format!(
                "coupling is {}, and a mass is not stated: {limit}; {remedy}, or shorten H",
                coupling.name()
            ),
        })
    }
}

/// Message that is given once.
fn once(is_given: &mut bool, message: impl FnOnce() -> Option<String>) -> Option<String> {
    if *is_given {
        return None;
    }
    let message = message();
    *is_given = message.is_some();
    message
}

/// Message about a mass that has no effect, because the coupling is not stated or prescribed.
fn of_mass_without_use(
    first: &dyn AnyElement,
    body: Option<&BodyOfContacts>,
    coupling: Coupling,
) -> Option<String> {
    let Words {
        force,
        velocity,
        mass,
        ..
    } = Words::of(first);
    let body = body.filter(|body| body.has_mass(first))?;
    let given = if body.is_own() {
        let given = Words::of(first).inertia(first.values()[&M_EFF]);
        format!("{mass} = {given}")
    } else {
        "a body".to_owned()
    };
    Some(if coupling == Coupling::Prescribed {
        format!(
            "{given} is given, and coupling is prescribed, where it has no effect: set coupling to \
             serial or parallel if {force} moves that body; else leave it out"
        )
    } else {
        format!(
            "{given} is given, and coupling is not: {force} is the law's own, as for a prescribed \
             motion; set coupling to serial if the body moves under {force} over the step that \
             begins with {velocity}, or to parallel if over the step after that"
        )
    })
}

/// Ways to couple a contact whose mass is not stated.
fn remedy(first: &dyn AnyElement, coupling: Coupling) -> String {
    let Words {
        force,
        applied,
        mass,
        quantity,
        ..
    } = Words::of(first);
    let law = format!("a law with a bristle, which takes {mass}, or a card with [block]");
    if first.metadata().is_coupled() {
        let order = if coupling.is_observed() {
            ""
        } else {
            " and coupling (serial or parallel)"
        };
        format!(
            "give {mass}, the {quantity} that {force} moves within a step (docs/coupling.md),{order} \
             or use a card with [block] or [body]"
        )
    } else if first.metadata().planar && first.states() > 0 {
        "use a card with [body]".to_owned()
    } else if first.metadata().planar {
        "use a law with a bristle on a card with [body]".to_owned()
    } else if first.has_applied_force() && coupling != Coupling::Parallel {
        format!("connect {applied}, or use {law}")
    } else {
        format!("use {law}")
    }
}

/// Message about held values where the motion shows a body and H is above the limit for it.
fn of_response(
    contact: &dyn AnyElement,
    coupling: Coupling,
    response: Response,
    duration: f64,
) -> Option<String> {
    let limit = longest_steps(contact.response_at_rest(), response.mass).of(response.order);
    if duration <= limit {
        return None;
    }
    let words = Words::of(contact);
    let Words {
        velocity,
        force,
        mass,
        ..
    } = words;
    let order = response.order.name();
    let stated = if coupling.is_observed() && coupling != response.order {
        format!(" where coupling is {}", coupling.name())
    } else {
        String::new()
    };
    Some(format!(
        "{velocity} and {force} oscillate against each other: the motion shows a body of {} at the \
         contact and a {order} coupling{stated}, whose values may be held over {limit:.1e} s at \
         most, and H is {duration:.1e} s; set {mass} to that and coupling to {order}, or shorten H",
        words.inertia(response.mass)
    ))
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
    (is_observed || coupling == Coupling::Serial && first.metadata().is_coupled()).then(|| {
        format!(
            "derivatives of {velocity} have no effect with coupling = {}: the body answers to \
             {force} within the step, which an extrapolated \
             {velocity} leaves out; leave them out",
            coupling.name()
        )
    })
}

/// Whether a contact is closed and moves, and held values may be wrong for it.
fn is_in_motion(contact: &dyn AnyElement, coupling: Coupling) -> bool {
    contact.values()[&F_N] > 0.0 && contact.speed() > REST_SPEED && !is_balanced(contact, coupling)
}

/// Whether a law without a bristle balances the applied force at rest. In a parallel coupling its
/// force comes a step late.
fn is_balanced(contact: &dyn AnyElement, coupling: Coupling) -> bool {
    contact.states() == 0
        && contact.has_applied_force()
        && contact.values()[&F_T] != 0.0
        && coupling != Coupling::Parallel
}

/// Normal force on all contacts, N.
fn normal_force_on(contacts: &[Box<dyn AnyElement>]) -> f64 {
    contacts
        .iter()
        .map(|contact| contact.values()[&F_N].max(0.0))
        .sum()
}

#[cfg(test)]
mod tests;
