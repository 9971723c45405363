//! State of the observer in one contact.

use super::contact::{ContactStart, LawModes, LawState};
use super::monitor::{NormalMonitor, WorkMonitor};
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
    /// Work of the law on the observed body, J, from E_loss at the start.
    pub loss: f64,
    /// Work of the applied force.
    pub work: WorkMonitor,
    /// Mean friction force of the law that was predicted for the last step, N.
    pub mean: Vector,
    /// Monitor of F_N.
    pub normal_monitor: NormalMonitor,
}

impl Track {
    /// Track that starts from the present state.
    pub fn of(start: &ContactStart) -> Self {
        let ContactStart {
            contact,
            force,
            loss,
            x,
            modes,
            stiffness,
            ..
        } = *start;
        Track {
            contact,
            applied: [force; 2],
            x,
            modes,
            stiffness,
            normal_peak: contact.F_N.max(0.0),
            loss,
            work: WorkMonitor::new(loss),
            mean: force,
            normal_monitor: NormalMonitor::new(contact.F_N),
            ..Track::default()
        }
    }

    /// Sum of the magnitudes of all numbers that can grow: not finite where one of them is not.
    pub fn size(&self) -> f64 {
        let Track {
            offset,
            applied,
            x,
            normal_peak,
            loss,
            work,
            mean,
            normal_monitor,
            ..
        } = self;
        let numbers = [*normal_peak, *loss, work.size(), normal_monitor.size()]
            .into_iter()
            .chain(applied.as_flattened().iter().copied())
            .chain(*offset)
            .chain(*mean)
            .chain(*x);
        numbers.map(f64::abs).sum()
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
            loss,
            work,
            mean,
            normal_monitor,
        } = self;
        contact.write(writer);
        [*stiffness, *normal_peak, *loss].write(writer);
        [applied[0], applied[1], *offset, *mean].write(writer);
        x.write(writer);
        modes.write(writer);
        work.write(writer);
        normal_monitor.write(writer);
    }

    fn read(reader: &mut Reader) -> Option<Self> {
        let contact = SavedState::read(reader)?;
        let [stiffness, normal_peak, loss] = SavedState::read(reader)?;
        let [before, last, offset, mean] = <[Vector; 4]>::read(reader)?;
        let applied = [before, last];
        let x = SavedState::read(reader)?;
        let modes = SavedState::read(reader)?;
        let work = SavedState::read(reader)?;
        let normal_monitor = SavedState::read(reader)?;
        Some(Track {
            contact,
            offset,
            applied,
            x,
            modes,
            stiffness,
            normal_peak,
            loss,
            work,
            mean,
            normal_monitor,
        })
    }
}
