//! State of the observer of a body.

use super::coordinate::Coordinate;
use super::monitor::{Doubt, WorkMonitor};
use super::track::Track;
use crate::coupling::Coupling;
use crate::coupling::gains::{END_RATE_GAIN, LOAD_RATE_GAIN, NEGLIGIBLE_STEP_RATIO};
use crate::saved_state::{Reader, SavedState, Writer};
use crate::vector::Vector;

/// Lengths of the first inner steps.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct FirstSteps {
    /// Of the corrector, s.
    pub corrector: f64,
    /// Of the predictor, s.
    pub predictor: f64,
}

/// State of the observer of a body.
#[derive(Debug, PartialEq)]
pub struct BodyObserver {
    /// Scheme that the observer is for; `None`: it has not begun.
    pub(super) coupling: Option<Coupling>,
    /// Mass (kg) or inertia (kg·m²) that the coordinates belong to, of a body with one contact; 1
    /// for another body.
    mass: f64,
    /// Lengths of the last step and of the one before, s; 0 before the first.
    pub(super) durations: [f64; 2],
    /// Longest recent step, s.
    pub(super) horizon: f64,
    pub(super) first_steps: FirstSteps,
    pub(super) coordinates: Vec<Coordinate>,
    pub(super) tracks: Vec<Track>,
    /// Monitor of the work of all contacts.
    pub(super) monitor: WorkMonitor,
}

impl Clone for BodyObserver {
    fn clone(&self) -> Self {
        BodyObserver {
            coordinates: self.coordinates.clone(),
            tracks: self.tracks.clone(),
            ..*self
        }
    }

    /// Copies into the allocations of `self`, so that repeated saving and restoring does not
    /// allocate.
    fn clone_from(&mut self, source: &Self) {
        let (mut coordinates, mut tracks) = (
            core::mem::take(&mut self.coordinates),
            core::mem::take(&mut self.tracks),
        );
        coordinates.clone_from(&source.coordinates);
        tracks.clone_from(&source.tracks);
        *self = BodyObserver {
            coordinates,
            tracks,
            ..*source
        };
    }
}

impl BodyObserver {
    /// Observer that has not begun, of a body with this many coordinates and contacts.
    pub(super) fn off(coordinates: usize, contacts: usize) -> Self {
        BodyObserver {
            coupling: None,
            mass: 1.0,
            durations: [0.0; 2],
            horizon: 0.0,
            first_steps: FirstSteps::default(),
            coordinates: vec![Coordinate::default(); coordinates],
            tracks: vec![Track::default(); contacts],
            monitor: WorkMonitor::default(),
        }
    }

    /// Observer that has not begun, of a body with one contact along a line.
    pub fn of_one() -> Self {
        Self::off(1, 1)
    }

    /// Ends the observer; it begins again with the next step.
    pub fn end(&mut self) {
        self.coupling = None;
    }

    /// Whether the observer has begun.
    #[inline]
    pub fn is_on(&self) -> bool {
        self.coupling.is_some()
    }

    /// Number of coordinates and contacts.
    pub fn counts(&self) -> [usize; 2] {
        [self.coordinates.len(), self.tracks.len()]
    }

    /// Whether a step of `duration` (s) is negligible beside the last one.
    pub fn is_negligible(&self, duration: f64) -> bool {
        self.is_on() && duration < NEGLIGIBLE_STEP_RATIO * self.durations[0]
    }

    /// Error of the work of the applied force in a contact over the work of the law.
    pub fn work_error(&self, contact: usize) -> f64 {
        self.tracks
            .get(contact)
            .filter(|_| self.is_on())
            .map_or(0.0, |track| track.work.error(track.loss))
    }

    /// Error of the work of the applied forces of all contacts over the work of the laws.
    pub fn work_error_of_all(&self) -> f64 {
        if self.is_on() {
            self.monitor.error(self.loss())
        } else {
            0.0
        }
    }

    /// Work of the laws of all contacts on the observed body, J.
    pub(super) fn loss(&self) -> f64 {
        self.tracks.iter().map(|track| track.loss).sum()
    }

    /// Mean friction force of a contact that was predicted for the last step, N.
    pub fn mean(&self, contact: usize) -> Vector {
        self.tracks
            .get(contact)
            .map_or([0.0; 2], |track| track.mean)
    }

    /// The reason why the body does not follow the observer, if there is one.
    pub fn doubt(&self) -> Option<Doubt> {
        self.coupling?;
        let of_normal = self
            .tracks
            .iter()
            .find_map(|track| track.normal_monitor.doubt());
        of_normal.or_else(|| self.monitor.doubt(self.loss()))
    }

    /// Converts the observer for another mass (kg) or inertia (kg·m²) of the body; returns whether
    /// it was another one.
    pub(super) fn set_mass(&mut self, mass: f64) -> bool {
        let is_other = mass != self.mass;
        if is_other {
            let factor = mass / self.mass;
            self.coordinates
                .iter_mut()
                .for_each(|coordinate| coordinate.rescale(factor));
            self.mass = mass;
        }
        is_other
    }

    pub(super) fn is_parallel(&self) -> bool {
        self.coupling == Some(Coupling::Parallel)
    }

    /// Scheme of the gains.
    pub(super) fn scheme(&self) -> Coupling {
        self.coupling.unwrap_or(Coupling::Serial)
    }

    /// Rate of a load within a step from its means over the last two, as of a single contact.
    pub(super) fn rate(&self, [now, before]: [f64; 2], horizon: f64) -> f64 {
        let [last, one_before] = self.durations;
        let spacing = if one_before > 0.0 {
            0.5 * (last + one_before)
        } else {
            last
        };
        if spacing > 0.0 {
            LOAD_RATE_GAIN * (now - before) / spacing.max(horizon)
        } else {
            0.0
        }
    }

    /// Rate of a load from its values at both ends of the last step, as of a single contact.
    pub(super) fn end_rate(&self, [now, before]: [f64; 2], horizon: f64) -> f64 {
        let [last, _] = self.durations;
        if last > 0.0 {
            END_RATE_GAIN * (now - before) / last.max(horizon)
        } else {
            0.0
        }
    }

    pub(super) fn is_finite(&self) -> bool {
        let coordinates: f64 = self.coordinates.iter().map(Coordinate::size).sum();
        let tracks: f64 = self.tracks.iter().map(Track::size).sum();
        (coordinates + tracks + self.horizon + self.monitor.size()).is_finite()
    }
}

impl SavedState for BodyObserver {
    fn write(&self, writer: &mut Writer) {
        let BodyObserver {
            coupling,
            mass,
            durations,
            horizon,
            first_steps,
            coordinates,
            tracks,
            monitor,
        } = self;
        coupling.is_some().write(writer);
        self.is_parallel().write(writer);
        mass.write(writer);
        [*durations, [first_steps.corrector, first_steps.predictor]].write(writer);
        horizon.write(writer);
        monitor.write(writer);
        for count in [coordinates.len(), tracks.len()] {
            writer.bytes(&(count as u32).to_le_bytes());
        }
        coordinates
            .iter()
            .for_each(|coordinate| coordinate.write(writer));
        tracks.iter().for_each(|track| track.write(writer));
    }

    fn read(reader: &mut Reader) -> Option<Self> {
        let [is_on, is_parallel] = [bool::read(reader)?, bool::read(reader)?];
        let scheme = if is_parallel {
            Coupling::Parallel
        } else {
            Coupling::Serial
        };
        let mass = f64::read(reader).filter(|mass| *mass > 0.0)?;
        let [durations, [corrector, predictor]] = <[[f64; 2]; 2]>::read(reader)?;
        let horizon = reader.at_least_zero()?;
        let monitor = SavedState::read(reader)?;
        let mut count = || reader.bytes().map(u32::from_le_bytes);
        let counts = [count()?, count()?];
        let coordinates = (0..counts[0])
            .map(|_| Coordinate::read(reader))
            .collect::<Option<_>>()?;
        let tracks = (0..counts[1])
            .map(|_| Track::read(reader))
            .collect::<Option<_>>()?;
        let is_possible = durations
            .iter()
            .chain(&[corrector, predictor])
            .all(|duration| *duration >= 0.0);
        let coupling = is_on.then_some(scheme);
        let observer = BodyObserver {
            coupling,
            mass,
            durations,
            horizon,
            first_steps: FirstSteps {
                corrector,
                predictor,
            },
            coordinates,
            tracks,
            monitor,
        };
        is_possible.then_some(observer)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn observer(durations: [f64; 2]) -> BodyObserver {
        BodyObserver {
            durations,
            coupling: Some(Coupling::Serial),
            ..BodyObserver::off(2, 2)
        }
    }

    #[test]
    fn rates_are_those_of_a_linear_load_up_to_their_gains_and_bounds() {
        // Means of r t over the last two steps, of 0.2 and 0.6 s, differ by r times the distance of
        // the middles; the ends by r times 0.2 s.
        let (r, both) = (5.0, observer([0.2, 0.6]));
        let load = [-r * 0.1, -r * 0.5];
        assert!((both.rate(load, 0.0) - LOAD_RATE_GAIN * r).abs() < 1e-14);
        assert!((both.end_rate([0.0, -r * 0.2], 0.0) - END_RATE_GAIN * r).abs() < 1e-14);
        // Over a longer step the load changes by no more than it did.
        assert!((both.rate(load, 2.0) - LOAD_RATE_GAIN * r * 0.4 / 2.0).abs() < 1e-14);
        assert!(
            (both.end_rate([0.0, -r * 0.2], 2.0) - END_RATE_GAIN * r * 0.2 / 2.0).abs() < 1e-14
        );
        // After the first step the load before it is that of its start.
        assert!(
            (observer([0.2, 0.0]).rate([r * 0.2, 0.0], 0.0) - LOAD_RATE_GAIN * r).abs() < 1e-14
        );
        let none = observer([0.0; 2]);
        assert_eq!(
            [none.rate([1.0, 0.0], 0.0), none.end_rate([1.0, 0.0], 0.0)],
            [0.0; 2]
        );
    }

    #[test]
    fn negligible_step_is_far_shorter_than_the_last_one_of_an_observer_that_has_begun() {
        let on = observer([0.5, 0.1]);
        assert!(
            on.is_negligible(0.49 * NEGLIGIBLE_STEP_RATIO)
                && !on.is_negligible(0.51 * NEGLIGIBLE_STEP_RATIO)
        );
        let mut off = observer([0.5, 0.1]);
        off.end();
        assert!(!off.is_negligible(0.0));
    }

    #[test]
    fn sum_of_two_numbers_that_overflows_is_not_finite() {
        let large = f64::MAX;
        let changes: [fn(&mut BodyObserver, f64); 6] = [
            |o, x| o.coordinates[0].lag = x,
            |o, x| o.coordinates[1].now = -x,
            |o, x| o.tracks[0].mean[1] = -x,
            |o, x| o.tracks[1].normal_peak = x,
            |o, x| o.horizon = x,
            |o, x| o.monitor = WorkMonitor::new(-x),
        ];
        for (i, change) in changes.iter().enumerate() {
            let mut observer = observer([0.2; 2]);
            change(&mut observer, large);
            assert!(observer.is_finite(), "{i} alone is finite");
            for (j, other) in changes.iter().enumerate().filter(|(j, _)| *j != i) {
                let mut both = observer.clone();
                other(&mut both, large);
                assert!(!both.is_finite(), "{i} and {j}");
            }
            change(&mut observer, f64::NAN);
            assert!(!observer.is_finite(), "{i}");
        }
        // The sum is no product.
        let mut observer = observer([0.2; 2]);
        changes
            .iter()
            .for_each(|change| change(&mut observer, 1e200));
        assert!(observer.is_finite());
    }
}
