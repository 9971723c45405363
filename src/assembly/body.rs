//! Body that contacts of an assembly act on: its observer, where the coupling with the master is
//! known, and its message.

use super::words::{Words, three_digits};
use crate::coupling::{
    BodyObserver, Coupling, Doubt, E_LOSS_ERROR, F_R_MEAN, F_R_Y_MEAN, M_EFF, Mobility,
    ObservedBody, Response,
};
use crate::element::{AnyElement, INNER_STEPS_MAX, Report};
use crate::integrate::SolverError;
use crate::integrate::step_limit::StepLimit;
use crate::variable::Variable;

/// Length below which no step begins an observer, s: the change of velocity in it is rounding.
const MIN_OBSERVED_STEP: f64 = 1e-12;
/// Inertia that the motion shows over the given one from which it counts as wrong, either way:
/// contacts that share a body show up to 1.25.
const WRONG_INERTIA: f64 = 1.3;
/// Inertia that the motion shows over the given one from which it contradicts it: a given third of
/// the true mass works in series, and with 1.6 times the true mass a body trembles.
const COMPATIBLE_INERTIA: core::ops::RangeInclusive<f64> = 1.0 / 1.6..=3.0;

/// Body that all contacts of an assembly act on, or one of them alone.
pub struct BodyOfContacts {
    /// Solver of the body; that of one contact is made when its mass is stated.
    solver: Option<Box<ObservedBody>>,
    observer: BodyObserver,
    /// Whether the body is that of one contact, which has its mass in `m_eff`.
    is_own: bool,
}

impl BodyOfContacts {
    /// Body of a card, with this mobility at its contacts.
    pub fn of_all(mobility: Mobility) -> Self {
        let solver = Box::new(ObservedBody::new(mobility));
        BodyOfContacts {
            observer: solver.observer(),
            solver: Some(solver),
            is_own: false,
        }
    }

    /// Body of one contact, whose mass is `m_eff`.
    pub fn of_one() -> Self {
        BodyOfContacts {
            solver: None,
            observer: BodyObserver::of_one(),
            is_own: true,
        }
    }

    /// Makes the memory of all steps once the first contact has a mass; returns whether it was made
    /// now.
    pub fn prepare(&mut self, first: &dyn AnyElement) -> bool {
        let is_due = self.solver.is_none() && first.values()[&M_EFF] > 0.0;
        if is_due {
            self.solver = Some(solver_of_one());
        }
        is_due
    }

    /// Gives each contact of a card's body its part as m_eff, from which the limit of held values
    /// follows.
    pub fn give_masses(&self, contacts: &mut [Box<dyn AnyElement>]) {
        let Some(body) = self.solver.as_ref().filter(|_| !self.is_own) else {
            return;
        };
        // A law in the plane has no m_eff.
        if body.is_in_plane() {
            return;
        }
        for (i, contact) in contacts.iter_mut().enumerate() {
            contact.set(&M_EFF, body.mass_at(i));
            // m_eff is no parameter of a law, which no value of it can contradict.
            let applied = contact.apply_parameters();
            debug_assert!(applied.is_ok());
        }
    }

    /// Whether the body is that of one contact.
    pub fn is_own(&self) -> bool {
        self.is_own
    }

    /// Number of its contacts.
    pub fn count(&self) -> usize {
        let [_, contacts] = self.observer.counts();
        contacts
    }

    /// Observer of the body.
    pub fn observer(&self) -> &BodyObserver {
        &self.observer
    }

    /// Whether the last step was one of the observer.
    pub fn is_observed(&self) -> bool {
        self.observer.is_on()
    }

    /// Whether its mass is given: by the card, or by the values of the first contact.
    pub fn has_mass(&self, first: &dyn AnyElement) -> bool {
        !self.is_own || first.values()[&M_EFF] > 0.0
    }

    /// Whether the observer advances a step of `duration` (s), by the values of the first contact.
    pub fn is_to_observe(&self, first: &dyn AnyElement, duration: f64) -> bool {
        let is_long = duration >= MIN_OBSERVED_STEP || self.observer.is_negligible(duration);
        self.has_mass(first) && is_long && Coupling::of(first.values()).is_observed()
    }

    /// Whether its motion shows another order or mass than those given.
    pub fn contradicts(&self, coupling: Coupling) -> bool {
        self.response().is_some_and(|Response { order, mass }| {
            order != coupling || !COMPATIBLE_INERTIA.contains(&mass)
        })
    }

    /// Order and inertia, over that given, that its motion shows.
    fn response(&self) -> Option<Response> {
        self.solver.as_ref()?.response()
    }

    /// Message about a motion that contradicts order or mass.
    pub fn contradiction(&self, first: &dyn AnyElement, coupling: Coupling) -> String {
        format!(
            "the body does not move as stated: {}",
            self.advice(first, coupling)
        )
    }

    /// Ends the observer; it begins again with the next step.
    pub fn end(&mut self) {
        self.observer.end();
    }

    /// Restores a saved observer of this body.
    pub fn restore(&mut self, observer: &BodyObserver) {
        debug_assert_eq!(self.observer.counts(), observer.counts());
        self.observer.clone_from(observer);
    }

    /// Advances the contacts with the observer, or each alone. After an error contacts and observer
    /// may have changed.
    pub fn advance(
        &mut self,
        contacts: &mut [Box<dyn AnyElement>],
        duration: f64,
    ) -> Result<Report, SolverError> {
        let Some(first) = contacts
            .first()
            .filter(|first| self.is_to_observe(&***first, duration))
        else {
            self.end();
            let mut contacts = contacts.iter_mut();
            return contacts.try_fold(Report::default(), |total, contact| {
                Ok(total.and(contact.advance(duration)?))
            });
        };
        let (values, tolerance) = (first.values(), first.snapshot().tolerance);
        let body = self.solver.get_or_insert_with(solver_of_one);
        if self.is_own {
            body.set_mass(values[&M_EFF], &mut self.observer);
        }
        if self.observer.is_negligible(duration) {
            contacts
                .iter_mut()
                .for_each(|contact| contact.skip(duration));
            return Ok(Report::default());
        }
        let (coupling, limit) = (
            Coupling::of(values),
            StepLimit::new(values[&INNER_STEPS_MAX] as u32),
        );
        let report = body.step(
            &mut self.observer,
            contacts,
            coupling,
            duration,
            tolerance,
            limit,
        )?;
        Ok(Report {
            inner_steps: report.inner_steps,
            force_error: report.force_error,
            limit_met: report.force_error > 0.0,
        })
    }

    /// Output of a contact that the observer has, while there is one.
    pub fn output(&self, contact: usize, variable: &Variable) -> Option<f64> {
        if !self.is_observed() {
            None
        } else if variable.is(&F_R_MEAN) {
            Some(self.observer.mean(contact)[0])
        } else if variable.is(&F_R_Y_MEAN) {
            Some(self.observer.mean(contact)[1])
        } else if variable.is(&E_LOSS_ERROR) {
            Some(self.observer.work_error(contact))
        } else {
            None
        }
    }

    /// Output of the body that the observer has, while there is one.
    pub fn output_of_all(&self, variable: &Variable) -> Option<f64> {
        (self.is_observed() && variable.is(&E_LOSS_ERROR))
            .then(|| self.observer.work_error_of_all())
    }

    /// Message about a body that does not follow its observer.
    pub fn message(
        &self,
        first: &dyn AnyElement,
        coupling: Coupling,
        duration: f64,
    ) -> Option<String> {
        let force = Words::of(first).force;
        let unresolved = |what: String| {
            let own = if self.is_own {
                ", or give all contacts of the body to one element ([body])"
            } else {
                ""
            };
            format!(
                "the motion is not resolved at H = {duration:.1e} s: {what} (root mean square); \
                 shorten H, or put body and springs inside ([block], [system]){own}"
            )
        };
        let order = coupling.name();
        Some(match self.doubt()? {
            Doubt::Work(error) => format!(
                "the work of {force} as the master applied it differs from that of friction by \
                 {:.1} % at H = {duration:.1e} s: the body does not \
                 follow its observer; {}",
                100.0 * error,
                self.advice(first, coupling)
            ),
            Doubt::Normal(ratio) => format!(
                "F_N is not resolved at H = {duration:.1e} s: from step to step it departs from a \
                 straight line by {:.0} % of its largest \
                 value, and {force} follows it late; shorten H",
                100.0 * ratio
            ),
            Doubt::Load(change, limit) => unresolved(format!(
                "the force on the body changes by {:.0} % of F_s from step to step where a {order} \
                 coupling follows {:.0} %",
                100.0 * change,
                100.0 * limit
            )),
            Doubt::Lag(lag, limit) => unresolved(format!(
                "the body is off its observer by {:.0} % of F_s H2/m where {:.0} % is good",
                100.0 * lag,
                100.0 * limit
            )),
        })
    }

    /// The reason why the body does not follow its observer, if there is one.
    fn doubt(&self) -> Option<Doubt> {
        match &self.solver {
            Some(solver) => solver.doubt(&self.observer),
            None => self.observer.doubt(),
        }
    }

    /// Likely cause of a body that does not follow its observer, by the response that its motion
    /// shows.
    fn advice(&self, first: &dyn AnyElement, coupling: Coupling) -> String {
        match self.response() {
            Some(Response { order, .. }) if order != coupling => {
                let order = order.name();
                format!("its motion shows a {order} coupling: set coupling to {order}")
            }
            Some(Response { mass, .. })
                if !(1.0 / WRONG_INERTIA..=WRONG_INERTIA).contains(&mass) =>
            {
                let (words, given) = (Words::of(first), first.values()[&M_EFF]);
                let shown = if self.is_own {
                    format!(
                        "a body of {} and {} = {} is \
                             given",
                        words.inertia(mass * given),
                        words.mass,
                        words.inertia(given)
                    )
                } else {
                    format!("{} times the inertia of the card", three_digits(mass))
                };
                format!(
                    "its motion shows {shown}: correct that, or give all contacts of the body \
                         to one element ([body])"
                )
            }
            _ => "check coupling (serial or parallel) and the mass; a body with several contacts \
                  needs a card with [body]; else shorten H"
                .to_owned(),
        }
    }
}

/// Solver of the body of one contact, whose mass is set before each step.
fn solver_of_one() -> Box<ObservedBody> {
    Box::new(ObservedBody::new(Mobility::unit()))
}
