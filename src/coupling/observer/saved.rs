//! Saved form of the observer of a body.

use super::BodyObserver;
use crate::coupling::Coupling;
use crate::law::Contact;
use crate::saved_state::{Reader, SavedState, Writer};
use crate::variable::MODES;

impl SavedState for BodyObserver {
    #[inline]
    fn write(&self, writer: &mut Writer) {
        // Without `..`: a new field does not compile until it is saved.
        let BodyObserver {
            coupling,
            m_eff,
            mass,
            durations,
            horizon,
            normal_peak,
            contact,
            applied,
            load,
            smooth,
            states,
            modes,
            loss,
            monitor,
            normal_monitor,
            has_failed,
            mean,
            corrector,
            predictor,
        } = self;
        (*coupling == Coupling::Parallel).write(writer);
        [*m_eff, *loss, *mean, *horizon, *normal_peak].write(writer);
        [*durations, *contact, *applied, *load, *smooth].write(writer);
        corrector.write(writer);
        predictor.write(writer);
        states.write(writer);
        modes.write(writer);
        mass.write(writer);
        monitor.write(writer);
        normal_monitor.write(writer);
        has_failed.write(writer);
    }

    fn read(reader: &mut Reader) -> Option<Self> {
        let coupling = if bool::read(reader)? { Coupling::Parallel } else { Coupling::Serial };
        let [m_eff, loss, mean, horizon, normal_peak] = SavedState::read(reader)?;
        let [durations, contact, applied, load, smooth] = SavedState::read(reader)?;
        let observer = BodyObserver {
            coupling,
            m_eff,
            durations,
            horizon,
            normal_peak,
            contact,
            applied,
            load,
            smooth,
            loss,
            mean,
            corrector: SavedState::read(reader)?,
            predictor: SavedState::read(reader)?,
            states: SavedState::read(reader)?,
            modes: SavedState::read(reader)?,
            mass: SavedState::read(reader)?,
            monitor: SavedState::read(reader)?,
            normal_monitor: SavedState::read(reader)?,
            has_failed: bool::read(reader)?,
        };
        let is_possible = m_eff > 0.0 && durations.iter().all(|duration| *duration >= 0.0);
        is_possible.then_some(observer)
    }
}

/// A flag and an observer, a default one where there is none: all saved states of an element have the same length.
impl SavedState for Option<BodyObserver> {
    fn write(&self, writer: &mut Writer) {
        self.is_some().write(writer);
        let none = || BodyObserver::initialize((1.0, Coupling::Serial), Contact::ZERO, 0.0, &[], [0.0; MODES], 0.0);
        self.unwrap_or_else(none).write(writer);
    }

    fn read(reader: &mut Reader) -> Option<Self> {
        let is_some = bool::read(reader)?;
        let observer = BodyObserver::read(reader)?;
        Some(is_some.then_some(observer))
    }
}
