//! State of the observer in one coordinate of the body.

use crate::coupling::identification::Identification;
use crate::coupling::monitor::CouplingMonitor;
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
    /// Monitor of the load.
    pub monitor: CouplingMonitor,
    /// Identification of the response.
    pub identification: Identification,
}

impl Coordinate {
    /// Sum of the magnitudes of all numbers that can grow: not finite where one of them is not.
    pub fn size(&self) -> f64 {
        let Coordinate { now, observed, lag, load, smooth, .. } = self;
        let numbers = [*now, *observed, *lag].into_iter().chain(*load).chain(*smooth);
        numbers.fold(self.monitor.size(), |sum, number| sum + number.abs())
    }
}

impl SavedState for Coordinate {
    fn write(&self, writer: &mut Writer) {
        let Coordinate { now, observed, lag, load, smooth, monitor, identification } = self;
        [*now, *observed, *lag].write(writer);
        [*load, *smooth].write(writer);
        monitor.write(writer);
        identification.write(writer);
    }

    fn read(reader: &mut Reader) -> Option<Self> {
        let [now, observed, lag] = SavedState::read(reader)?;
        let [load, smooth] = SavedState::read(reader)?;
        let monitor = SavedState::read(reader)?;
        Some(Coordinate { now, observed, lag, load, smooth, monitor, identification: SavedState::read(reader)? })
    }
}
