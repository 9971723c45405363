//! Static laws: F_R is a function of the inputs alone.

use crate::law::ReferenceLaw;
use crate::trajectory::{Contact, InputTrajectory};

/// A law without memory.
pub trait Characteristic: Copy + 'static {
    /// The friction force of a closed contact, N.
    fn force(&self, contact: Contact) -> f64;

    /// Coefficient of the largest friction under slow motion.
    fn coefficient(&self) -> f64;
}

impl<C: Characteristic> ReferenceLaw for C {
    fn advance(&mut self, inputs: &InputTrajectory, h: f64) -> f64 {
        let contact = inputs.at(h);
        if contact.is_closed() {
            self.force(contact)
        } else {
            0.0
        }
    }

    fn boxed(&self) -> Box<dyn ReferenceLaw> {
        Box::new(*self)
    }

    fn static_friction(&self) -> f64 {
        self.coefficient()
    }
}
