//! Saved form of the observer of a contact on an elastic support.

use super::{Support, SupportObserver};
use crate::coupling::Coupling;
use crate::coupling::shared::ContactStart;
use crate::law::{Contact, MAX_STATES};
use crate::saved_state::{Reader, SavedState, Writer};
use crate::variable::MODES;

impl SavedState for SupportObserver {
    fn write(&self, writer: &mut Writer) {
        // Without `..`: a new field does not compile until it is saved.
        let SupportObserver {
            coupling,
            support: Support { mass, stiffness, damping, support_mass },
            durations,
            horizon,
            normal_peak,
            contact,
            applied,
            filtered,
            covariance,
            observed,
            x,
            modes,
            loss,
            monitor,
            normal_monitor,
            mean,
            first_steps,
            has_failed,
        } = self;
        [*coupling == Coupling::Parallel, *has_failed].write(writer);
        [*mass, *stiffness, *damping, *support_mass, *horizon, *normal_peak, *loss, *mean].write(writer);
        [*durations, *applied, *first_steps].write(writer);
        contact.write(writer);
        filtered.write(writer);
        covariance.write(writer);
        observed.write(writer);
        x.write(writer);
        modes.write(writer);
        monitor.write(writer);
        normal_monitor.write(writer);
    }

    fn read(reader: &mut Reader) -> Option<Self> {
        let [is_parallel, has_failed] = SavedState::read(reader)?;
        let [mass, stiffness, damping, support_mass, horizon, normal_peak, loss, mean] = SavedState::read(reader)?;
        let [durations, applied, first_steps] = <[[f64; 2]; 3]>::read(reader)?;
        let observer = SupportObserver {
            coupling: if is_parallel { Coupling::Parallel } else { Coupling::Serial },
            support: Support { mass, stiffness, damping, support_mass },
            durations,
            horizon,
            normal_peak,
            contact: SavedState::read(reader)?,
            applied,
            filtered: SavedState::read(reader)?,
            covariance: SavedState::read(reader)?,
            observed: SavedState::read(reader)?,
            x: SavedState::read(reader)?,
            modes: SavedState::read(reader)?,
            loss,
            monitor: SavedState::read(reader)?,
            normal_monitor: SavedState::read(reader)?,
            mean,
            first_steps,
            has_failed,
        };
        let is_possible = durations.iter().chain(&first_steps).all(|duration| *duration >= 0.0);
        is_possible.then_some(observer)
    }
}

/// A flag and an observer, a default one where there is none: all saved states of an element have the same length.
impl SavedState for Option<Box<SupportObserver>> {
    fn write(&self, writer: &mut Writer) {
        self.is_some().write(writer);
        match self {
            Some(observer) => observer.write(writer),
            None => SupportObserver::new(Coupling::Serial, Support::default(), &NONE).write(writer),
        }
    }

    fn read(reader: &mut Reader) -> Option<Self> {
        let is_some = bool::read(reader)?;
        let observer = SupportObserver::read(reader)?;
        Some(is_some.then(|| Box::new(observer)))
    }
}

/// Contact at rest.
const NONE: ContactStart = ContactStart {
    contact: Contact::ZERO,
    acceleration: None,
    normal_rate: None,
    force: [0.0; 2],
    loss: 0.0,
    x: [0.0; MAX_STATES],
    modes: [0.0; MODES],
    stiffness: 0.0,
};
