//! State of the observer in one contact.

use super::contact::{ContactStart, LawModes, LawState};
use crate::coupling::monitor::{NormalMonitor, work_error};
use crate::law::Contact;
use crate::saved_state::{Reader, SavedState, Writer};
use crate::vector::Vector;

/// Contact of the observed body.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Track {
    /// F_N (N) and v (m/s) at the last communication point.
    pub contact: Contact,
    /// Part of v that is not the body's there, m/s: motion of the counterpart.
    pub offset: Vector,
    /// Force of the step before the last one and of the last one, N.
    pub applied: [Vector; 2],
    /// States of the law there.
    pub x: LawState,
    /// Modes of the law there.
    pub modes: LawModes,
    /// Stiffness that the deflection belongs to, N/m.
    pub stiffness: f64,
    /// Largest recent F_N, N.
    pub normal_peak: f64,
    /// Work of the applied force, and of the law on the observed body, J, from E_loss at the start.
    pub work: [f64; 2],
    /// E_loss at the start, J.
    pub start: f64,
    /// Largest F_s² over the mass at the contact times H² so far, J.
    pub step_energy: f64,
    /// Mean friction force of the law that was predicted for the last step, N.
    pub mean: Vector,
    /// Monitor of F_N.
    pub normal_monitor: NormalMonitor,
}

impl Track {
    /// Track that starts from the present state.
    pub fn of(start: &ContactStart) -> Self {
        let ContactStart { contact, force, loss, x, modes, stiffness, .. } = *start;
        Track {
            contact,
            applied: [force; 2],
            x,
            modes,
            stiffness,
            normal_peak: contact.F_N.max(0.0),
            work: [loss; 2],
            start: loss,
            mean: force,
            normal_monitor: NormalMonitor::new(contact.F_N),
            ..Track::default()
        }
    }

    /// Error of the work of the applied force over that of the law.
    pub fn work_error(&self) -> f64 {
        work_error(self.work[0] - self.work[1], self.work[1] - self.start, self.step_energy)
    }

    /// Sum of the magnitudes of all numbers that can grow: not finite where one of them is not.
    pub fn size(&self) -> f64 {
        let Track { offset, applied, x, normal_peak, work, step_energy, mean, normal_monitor, .. } = self;
        let numbers = [*normal_peak, *step_energy, normal_monitor.size()]
            .into_iter()
            .chain(applied.as_flattened().iter().copied())
            .chain(*offset)
            .chain(*mean)
            .chain(*work)
            .chain(*x);
        numbers.fold(0.0, |sum, number| sum + number.abs())
    }
}

impl SavedState for Track {
    fn write(&self, writer: &mut Writer) {
        let Track {
            contact,
            offset,
            applied,
            x,
            modes,
            stiffness,
            normal_peak,
            work,
            start,
            step_energy,
            mean,
            normal_monitor,
        } = self;
        contact.write(writer);
        [*stiffness, *normal_peak, *start, *step_energy].write(writer);
        [applied[0], applied[1], *offset, *mean, *work].write(writer);
        x.write(writer);
        modes.write(writer);
        normal_monitor.write(writer);
    }

    fn read(reader: &mut Reader) -> Option<Self> {
        let contact = SavedState::read(reader)?;
        let [stiffness, normal_peak, start, step_energy] = SavedState::read(reader)?;
        let [before, last, offset, mean, work] = <[Vector; 5]>::read(reader)?;
        let applied = [before, last];
        let x = SavedState::read(reader)?;
        let modes = SavedState::read(reader)?;
        let normal_monitor = SavedState::read(reader)?;
        Some(Track {
            contact,
            offset,
            applied,
            x,
            modes,
            stiffness,
            normal_peak,
            work,
            start,
            step_energy,
            mean,
            normal_monitor,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::law::MAX_STATES;
    use crate::variable::MODES;

    #[test]
    fn error_of_the_work_refers_to_that_of_the_law_since_the_start() {
        let contact = Contact::new(10.0, 0.1);
        let start = ContactStart {
            contact,
            acceleration: None,
            normal_rate: None,
            force: [2.0, 0.0],
            loss: 3.0,
            x: [0.0; MAX_STATES],
            modes: [0.0; MODES],
            stiffness: 1e5,
        };
        let track = Track::of(&start);
        assert_eq!(track.work_error(), 0.0);
        assert_eq!(Track { work: [8.0, 7.0], ..track }.work_error(), 0.25);
    }

    #[test]
    fn track_begins_with_the_force_of_its_contact_and_its_size_is_the_sum_of_the_magnitudes() {
        let start = ContactStart {
            contact: Contact::new(-10.0, 0.1),
            acceleration: None,
            normal_rate: None,
            force: [2.0, -4.0],
            loss: -8.0,
            x: core::array::from_fn(|i| if i == 0 { -16.0 } else { 0.0 }),
            modes: [0.0; MODES],
            stiffness: 1e5,
        };
        let track = Track::of(&start);
        assert_eq!(
            (track.applied, track.mean, track.work, track.normal_peak),
            ([[2.0, -4.0]; 2], [2.0, -4.0], [-8.0; 2], 0.0)
        );
        // Two applied forces, their mean, both works and the deflection.
        assert_eq!(track.size(), 3.0 * 6.0 + 16.0 + 16.0);
        let track = Track { offset: [-32.0, 64.0], normal_peak: 128.0, step_energy: 256.0, ..track };
        let track = Track { normal_monitor: NormalMonitor::new(512.0), ..track };
        assert_eq!(track.size(), 50.0 + 992.0);
    }
}
