//! Coupling with an unknown mass and scheme: held values until the motion shows both.
//!
//! Held values are the law's own force, which is right for prescribed motions and below the longest stable step. Above it, force and body
//! oscillate against each other, and the oscillation identifies mass and scheme while it is still small. A body that does not
//! oscillate is identified with a test signal in the force (probe), or stays held.

use super::held::{HeldDoubt, HeldMonitor, HeldPoint};
use super::identification::{ForceOrder, Identification, Response};
use super::{Coupling, longest_steps};
use crate::saved_state::{Reader, SavedState, Writer};

/// Relative change of the mass from which an adopted one is replaced.
const DEADBAND: f64 = 0.15;
/// Step over the longest one that is stable with held values and the identified mass, up to which these stay: the observer brings nothing there, and a
/// wrong mass, as of several contacts on one body, makes nothing worse. Bodies of the survey of docs/coupling.md are good with held values up
/// to 0.5, in either order, but for two of its random variants, which are of limited use.
const MAX_HELD_STEP: f64 = 0.5;
/// Relative change of the length of a step from which held values do not stay: their limit is one for steps of one length. With steps of random
/// length held values chatter below it.
const MAX_LENGTH_CHANGE: f64 = 0.1;
/// Test signal: a sequence of period 7 whose spectrum is flat, so that the three taps of the identification are independent.
const PROBE: [f64; 7] = [1.0, 1.0, 1.0, -1.0, 1.0, -1.0, -1.0];
/// Largest amplitude of the test signal over F_s.
const MAX_PROBE: f64 = 0.1;

/// Coupling that is identified while the element runs; part of the state of an element.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct AutomaticCoupling {
    identification: Identification,
    /// Identified mass, kg; 0: none.
    mass: f64,
    /// Whether the identified scheme is the parallel one.
    is_parallel: bool,
    /// Whether mass and scheme are in use.
    is_adopted: bool,
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

    /// Adds a communication point with held values, whose `forces` are known here, and the work that errors refer to at least (J).
    pub fn watch(&mut self, point: HeldPoint, least: impl FnOnce() -> f64) {
        self.held.add(HeldPoint { forces: self.identification.last_forces(), ..point }, least);
    }

    /// Whether F_R moved the body from side to side until mass and scheme were in use.
    pub fn has_moved(&self) -> bool {
        self.held.has_moved()
    }

    /// The reason to doubt the held values, if there is one. Where a mass is identified, they are stable.
    pub fn held_doubt(&self) -> Option<HeldDoubt> {
        self.held.doubt().filter(|_| self.mass == 0.0)
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

    /// Mass (kg) and scheme in use for a step of `duration` (s) after one of `last` (s), 0 before the first; `None`: held values. `response` has
    /// the stiffness (N/m) and the damping (N·s/m) of the law in stick.
    pub fn adopt(
        &mut self,
        [last, duration]: [f64; 2],
        response: impl FnOnce() -> [f64; 2],
    ) -> Option<(f64, Coupling)> {
        if let Some(Response { order: order @ (ForceOrder::Serial | ForceOrder::Parallel), mass }) =
            self.identification.response(!self.is_adopted)
        {
            let is_parallel = order == ForceOrder::Parallel;
            if is_parallel != self.is_parallel || (mass / self.mass - 1.0).abs() > DEADBAND {
                (self.mass, self.is_parallel) = (mass, is_parallel);
            }
        }
        if self.mass > 0.0 && !self.is_adopted {
            let response = response();
            let longest = longest_steps(response, self.mass)[usize::from(!self.is_parallel)];
            let is_varied = (duration - last).abs() > MAX_LENGTH_CHANGE * last;
            self.is_adopted = is_varied || duration > MAX_HELD_STEP * longest;
            if self.is_adopted {
                self.held.end(response[0] * duration * duration / self.mass);
            }
        }
        self.in_use()
    }

    /// Identified mass (kg) and scheme.
    pub fn identified(&self) -> Option<(f64, Coupling)> {
        let scheme = if self.is_parallel { Coupling::Parallel } else { Coupling::Serial };
        (self.mass > 0.0).then_some((self.mass, scheme))
    }

    /// Mass (kg) and scheme in use; `None`: held values.
    pub fn in_use(&self) -> Option<(f64, Coupling)> {
        self.identified().filter(|_| self.is_adopted)
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
        let AutomaticCoupling { identification, mass, is_parallel, is_adopted, place, held } = self;
        identification.write(writer);
        [*mass, *place].write(writer);
        is_parallel.write(writer);
        is_adopted.write(writer);
        held.write(writer);
    }

    fn read(reader: &mut Reader) -> Option<Self> {
        let identification = SavedState::read(reader)?;
        let [mass, place] = SavedState::read(reader)?;
        let [is_parallel, is_adopted] = [bool::read(reader)?, bool::read(reader)?];
        let held = SavedState::read(reader)?;
        Some(AutomaticCoupling { identification, mass, place, is_parallel, is_adopted, held })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// FrDyn2's defaults in stick: 1 kg is stable up to 2.1e-4 s in parallel with held values.
    const RESPONSE: [f64; 2] = [5e6, 3192.75];

    /// Coupling after 60 steps of `h` (s) of a mass of 1 kg in parallel under the test signal, with what is in use at the end.
    fn after_probe(h: f64) -> (AutomaticCoupling, Option<(f64, Coupling)>) {
        let mut coupling = AutomaticCoupling::default();
        let (mut v, mut last, mut in_use) = (0.0, 0.0, None);
        for _ in 0..60 {
            coupling.observe(v, h);
            in_use = coupling.adopt([h, h], || RESPONSE);
            let force = coupling.probe(0.01, 6.0);
            coupling.add_force(force);
            v -= h * last;
            last = force;
        }
        (coupling, in_use)
    }

    #[test]
    fn mass_is_in_use_beyond_half_of_the_longest_step_of_held_values() {
        for (h, is_used) in [(0.9e-4, false), (1.2e-4, true), (1e-3, true)] {
            let (coupling, in_use) = after_probe(h);
            let (mass, scheme) = coupling.identified().unwrap_or_else(|| panic!("{h} s: not identified"));
            assert!((mass - 1.0).abs() < 1e-6 && scheme == Coupling::Parallel, "{h} s: {mass} kg, {scheme:?}");
            assert_eq!(in_use.is_some(), is_used, "{h} s");
        }
        // Longer steps take it up, and shorter ones; none gives it up.
        for next in [1e-3, 0.8e-4] {
            let (mut coupling, _) = after_probe(0.9e-4);
            for (last, h, is_used) in [(0.9e-4, 0.91e-4, false), (0.91e-4, next, true), (next, next, true)] {
                assert_eq!(coupling.adopt([last, h], || RESPONSE).is_some(), is_used, "{h} s");
            }
        }
    }

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
