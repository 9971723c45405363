//! The static laws: F_R is a function of what the element is given, and nothing is remembered.

use super::Judge;
use super::course::{Contact, Course};

/// A law without memory.
pub trait Characteristic: Copy + 'static {
    /// The friction force of a closed contact, N.
    fn force(&self, contact: Contact) -> f64;

    /// As [`Judge::static_friction`].
    fn coefficient(&self) -> f64;
}

impl<C: Characteristic> Judge for C {
    fn follow(&mut self, course: &Course, h: f64) -> f64 {
        let contact = course.at(h);
        if contact.is_closed() { self.force(contact) } else { 0.0 }
    }

    fn boxed(&self) -> Box<dyn Judge> {
        Box::new(*self)
    }

    fn static_friction(&self) -> f64 {
        self.coefficient()
    }
}
