//! Coupling with an unknown mass and scheme: held values until the motion shows both.
//!
//! Held values are the law's own force, which is right for prescribed motions and below the longest stable step. Above it, force and body
//! oscillate against each other, and the oscillation identifies mass and scheme while it is still small. A body that does not
//! oscillate is identified with a test signal in the force (probe), or stays held.

use super::Coupling;
use super::held::{HeldDoubt, HeldMonitor, HeldPoint};
use super::identification::{ForceOrder, Identification, Response};
use crate::saved_state::{Reader, SavedState, Writer};

/// Relative change of the mass from which an adopted one is replaced.
const DEADBAND: f64 = 0.15;
/// Test signal: a sequence of period 7 whose spectrum is flat, so that the three taps of the identification are independent.
const PROBE: [f64; 7] = [1.0, 1.0, 1.0, -1.0, 1.0, -1.0, -1.0];
/// Largest amplitude of the test signal over F_s.
const MAX_PROBE: f64 = 0.1;

/// Coupling that is identified while the element runs; part of the state of an element.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct AutomaticCoupling {
    identification: Identification,
    /// Mass in use, kg; 0: held values.
    mass: f64,
    /// Whether the scheme in use is the parallel one.
    is_parallel: bool,
    /// Place in the test signal.
    place: f64,
    /// Monitor of the held values.
    held: HeldMonitor,
}

impl AutomaticCoupling {
    /// Adds a communication point with the velocity `v` (m/s), after a step of `duration` (s).
    #[inline]
    pub fn observe(&mut self, v: f64, duration: f64) {
        self.identification.observe(v, duration);
    }

    /// Adds a communication point with held values, after a step of `duration` (s): F_N (N) and v (m/s), E_loss (J), and the work that
    /// errors refer to at least (J).
    pub fn watch(&mut self, contact: [f64; 2], loss: f64, duration: f64, least: impl FnOnce() -> f64) {
        let forces = self.identification.last_forces();
        self.held.add(HeldPoint { contact, loss, duration, forces }, least);
    }

    /// The reason to doubt the held values, if there is one.
    pub fn held_doubt(&self) -> Option<HeldDoubt> {
        self.held.doubt()
    }

    /// Error of the work with held values.
    pub fn held_error(&self) -> f64 {
        self.held.work_error()
    }

    /// Work of the applied force less that of the law with held values (J), in the scheme in use, and E_loss at their start (J).
    pub fn carried(&self) -> [f64; 2] {
        self.held.carried(self.is_parallel)
    }

    /// Adds the force of the coming step, N.
    #[inline]
    pub fn add_force(&mut self, force: f64) {
        self.identification.add_force(force);
    }

    /// Mass (kg) and scheme in use after the steps so far; `None`: held values.
    pub fn adopt(&mut self) -> Option<(f64, Coupling)> {
        if let Some(Response { order: order @ (ForceOrder::Serial | ForceOrder::Parallel), mass }) =
            self.identification.response(self.mass == 0.0)
        {
            let is_parallel = order == ForceOrder::Parallel;
            if is_parallel != self.is_parallel || (mass / self.mass - 1.0).abs() > DEADBAND {
                (self.mass, self.is_parallel) = (mass, is_parallel);
            }
        }
        self.in_use()
    }

    /// Mass (kg) and scheme in use; `None`: held values.
    pub fn in_use(&self) -> Option<(f64, Coupling)> {
        let scheme = if self.is_parallel { Coupling::Parallel } else { Coupling::Serial };
        (self.mass > 0.0).then_some((self.mass, scheme))
    }

    /// Next value of the test signal with an amplitude (N) of `amplitude` times `static_force`.
    pub fn probe(&mut self, amplitude: f64, static_force: f64) -> f64 {
        let sign = PROBE[self.place as usize % PROBE.len()];
        self.place = (self.place + 1.0) % PROBE.len() as f64;
        let probe = sign * amplitude.min(MAX_PROBE) * static_force;
        if probe.is_finite() { probe } else { 0.0 }
    }

    /// Identified order that has no scheme, if there is one.
    pub fn obstacle(&self) -> Option<Response> {
        self.identification
            .agreed()
            .filter(|response| matches!(response.order, ForceOrder::Delayed | ForceOrder::Extrapolated))
    }

    /// Identified response by the last steps alone, and whether there were steps enough for one.
    pub fn last_response(&self) -> (Option<Response>, bool) {
        self.identification.last_response()
    }
}

impl SavedState for AutomaticCoupling {
    fn write(&self, writer: &mut Writer) {
        let AutomaticCoupling { identification, mass, is_parallel, place, held } = self;
        identification.write(writer);
        [*mass, *place].write(writer);
        is_parallel.write(writer);
        held.write(writer);
    }

    fn read(reader: &mut Reader) -> Option<Self> {
        let identification = SavedState::read(reader)?;
        let [mass, place] = SavedState::read(reader)?;
        let is_parallel = bool::read(reader)?;
        Some(AutomaticCoupling { identification, mass, place, is_parallel, held: SavedState::read(reader)? })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn test_signal_has_its_amplitude_and_no_mean_force_beyond_one_step_in_seven() {
        let mut coupling = AutomaticCoupling::default();
        let signal: Vec<f64> = (0..14).map(|_| coupling.probe(0.05, 40.0)).collect();
        assert!(signal.iter().all(|probe| probe.abs() == 2.0), "{signal:?}");
        assert_eq!(signal[..7], signal[7..]);
        assert_eq!(signal[..7].iter().sum::<f64>(), 2.0);
        // Period 7 with a flat spectrum: the autocorrelation is -1 at every shift.
        for shift in 1..7 {
            let correlation: f64 = (0..7).map(|i| signal[i] * signal[i + shift]).sum();
            assert_eq!(correlation, -4.0, "{shift}");
        }
        assert_eq!(coupling.probe(0.5, 40.0), MAX_PROBE * 40.0);
        assert_eq!(coupling.probe(0.05, f64::INFINITY), 0.0);
    }
}
