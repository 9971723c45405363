//! Communication steps of an assembly.

use super::Assembly;
use super::body::BodyOfContacts;
use crate::element::Report;
use crate::integrate::SolverError;

impl Assembly {
    /// Advances all contacts by `duration` (s, > 0), with their bodies where these are observed.
    /// After an error the assembly is unchanged.
    #[inline]
    pub fn advance(&mut self, duration: f64) -> Result<Report, SolverError> {
        if let [contact] = &mut self.contacts[..]
            && self.plate.is_none()
            && self.system.is_none()
            && !self
                .bodies
                .first()
                .is_some_and(|body| body.is_to_observe(&**contact, duration))
        {
            // A step of one contact takes effect as a whole; a refused one leaves the observer on.
            let report = contact.advance(duration)?;
            self.bodies.iter_mut().for_each(BodyOfContacts::end);
            return Ok(report);
        }
        self.advance_all(duration)
    }

    /// Advances several contacts, or bodies.
    fn advance_all(&mut self, duration: f64) -> Result<Report, SolverError> {
        let mut before = core::mem::take(&mut self.before);
        self.save_into(&mut before);
        self.before = before;
        self.distribute();
        if let Some(plate) = &self.plate {
            plate.distribute_derivatives(&mut self.contacts);
        }
        let outcome = match &mut self.system {
            Some(system) => system.advance(&mut self.contacts, duration),
            None => self.advance_each(duration),
        };
        if outcome.is_err() {
            let before = core::mem::take(&mut self.before);
            self.restore(&before);
            self.before = before;
            return outcome;
        }
        self.latch_sticking();
        if let Some(plate) = &mut self.plate {
            plate.collect(&self.contacts);
            plate.clear_derivatives();
        }
        outcome
    }

    fn advance_each(&mut self, duration: f64) -> Result<Report, SolverError> {
        let (mut total, mut rest) = (Report::default(), &mut self.contacts[..]);
        for body in &mut self.bodies {
            let (own, others) = rest.split_at_mut(body.count());
            total = total.and(body.advance(own, duration)?);
            rest = others;
        }
        rest.iter_mut().try_fold(total, |total, contact| {
            Ok(total.and(contact.advance(duration)?))
        })
    }
}
