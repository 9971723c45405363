//! State of the observer in one coordinate of the body.

use crate::coupling::identification::Identification;
use crate::coupling::monitor::{CouplingMonitor, MonitorBounds, MonitoredStep, StepLengths};
use crate::saved_state::{Reader, SavedState, Writer};

/// Coordinate of a body, with unit mass.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Coordinate {
    /// Velocity of the master's body at the last communication point, √kg·m/s.
    pub now: f64,
    /// Velocity of the observed body there, √kg·m/s.
    pub observed: f64,
    /// Displacement of the master's body over that of the observed one, √kg·m.
    pub lag: f64,
    /// External force of the last step and of the one before, N/√kg.
    pub load: [f64; 2],
    /// Smoothed external force of the last step and of the one before, N/√kg.
    pub smooth: [f64; 2],
    /// Force of the contacts in the last step, N/√kg.
    pub force: f64,
    /// Monitor of the load.
    pub monitor: CouplingMonitor,
    /// Identification of the response.
    pub identification: Identification,
}

impl Coordinate {
    /// Estimates the load of the last step from the velocity at its end (√kg·m/s) and the force in it (N/√kg).
    pub fn measure(&mut self, now: f64, force: f64, lengths: StepLengths, bounds: MonitorBounds) {
        let duration = lengths.last;
        let acceleration = (now - self.now) / duration;
        let [last, _] = self.load;
        self.load = [acceleration + force, last];
        let load_change = acceleration + force - last;
        let step = MonitoredStep { work: 0.0, load_change, inertia: acceleration, force: Some(force), lengths };
        self.monitor.add(step, bounds);
        self.force = force;
        self.identification.observe(now, duration);
    }

    /// Sum of the magnitudes of all numbers that can grow: not finite where one of them is not.
    pub fn size(&self) -> f64 {
        let Coordinate { now, observed, lag, load, smooth, force, .. } = self;
        let numbers = [*now, *observed, *lag, *force].into_iter().chain(*load).chain(*smooth);
        numbers.fold(self.monitor.size(), |sum, number| sum + number.abs())
    }
}

impl SavedState for Coordinate {
    fn write(&self, writer: &mut Writer) {
        let Coordinate { now, observed, lag, load, smooth, force, monitor, identification } = self;
        [*now, *observed, *lag, *force].write(writer);
        [*load, *smooth].write(writer);
        monitor.write(writer);
        identification.write(writer);
    }

    fn read(reader: &mut Reader) -> Option<Self> {
        let [now, observed, lag, force] = SavedState::read(reader)?;
        let [load, smooth] = SavedState::read(reader)?;
        let monitor = SavedState::read(reader)?;
        let identification = SavedState::read(reader)?;
        Some(Coordinate { now, observed, lag, load, smooth, force, monitor, identification })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::coupling::Coupling;

    #[test]
    fn load_is_the_force_and_the_acceleration_of_a_unit_mass() {
        // From 2 to 5 √kg·m/s in 0.5 s under a force of 4 N/√kg, after a load of 7 N/√kg.
        let mut coordinate = Coordinate { now: 2.0, load: [7.0, 1.0], ..Coordinate::default() };
        let lengths = StepLengths { last: 0.5, before: 0.25, horizon: 0.5 };
        let bounds = MonitorBounds::of(Coupling::Serial, false);
        coordinate.measure(5.0, 4.0, lengths, bounds);
        assert_eq!((coordinate.load, coordinate.force), ([10.0, 7.0], 4.0));
        let mut monitor = CouplingMonitor::default();
        monitor.add(MonitoredStep { work: 0.0, load_change: 3.0, inertia: 6.0, force: Some(4.0), lengths }, bounds);
        assert_eq!(coordinate.monitor, monitor);
        let mut identification = Identification::default();
        identification.observe(5.0, 0.5);
        assert_eq!(coordinate.identification, identification);
    }

    #[test]
    fn size_is_the_sum_of_the_magnitudes() {
        let coordinate = Coordinate {
            now: -1.0,
            observed: -2.0,
            lag: -4.0,
            load: [-8.0, 16.0],
            smooth: [32.0, -64.0],
            force: -128.0,
            monitor: CouplingMonitor::new(-256.0),
            ..Coordinate::default()
        };
        assert_eq!(coordinate.size(), 511.0);
    }
}
