//! Coupling with an unknown mass and scheme: held values until the motion shows both.
//!
//! Held values are the law's own force, which is right for prescribed motions and below the longest stable step. Above it, force and body
//! oscillate against each other, and the oscillation identifies mass and scheme while it is still small. A body that does not
//! oscillate is identified with a test signal in the force (probe), or stays held. The test signal also allows for a spring on which the body hangs.

use super::elastic::ElasticIdentification;
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
/// Step over the longest one that is stable with held values, up to which these stay until F_R oscillates: contacts that share a body show a smaller
/// mass than that of the body, and held values are stable for them.
const MAX_QUIET_STEP: f64 = 2.0;
/// Relative change of the length of a step from which held values do not stay: their limit is one for steps of one length. With steps of random
/// length held values chatter below it.
const MAX_LENGTH_CHANGE: f64 = 0.1;
/// Test signal: a sequence of period 7 whose spectrum is flat, so that the three taps of the identification are independent.
const PROBE: [f64; 7] = [1.0, 1.0, 1.0, -1.0, 1.0, -1.0, -1.0];
/// Largest amplitude of the test signal over F_s.
const MAX_PROBE: f64 = 0.1;
/// Steps of the test signal after which it leaves a sliding contact alone, and the missing mass is reported. A choice: many times those that the
/// regressions need; a larger number disturbs a sliding contact for longer.
const MAX_PROBED: f64 = 300.0;

/// Coupling that is identified while the element runs; part of the state of an element.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct AutomaticCoupling {
    identification: Identification,
    /// Identification of a body on a spring.
    elastic: ElasticIdentification,
    /// Identified mass, kg; 0: none.
    mass: f64,
    /// Whether the identified scheme is the parallel one.
    is_parallel: bool,
    /// Whether mass and scheme are in use.
    is_adopted: bool,
    /// Steps of the test signal so far.
    probed: f64,
    /// Monitor of the held values.
    held: HeldMonitor,
}

impl AutomaticCoupling {
    /// Adds a communication point with the velocity `v` (m/s), after a step of `duration` (s).
    #[inline]
    pub fn observe(&mut self, v: f64, duration: f64) {
        self.identification.observe(v, duration);
    }

    /// Adds the same point to the regression of a body on a spring, where a test signal is wanted and no mass is identified.
    pub fn observe_elastic(&mut self, v: f64, duration: f64, is_probed: bool) {
        if is_probed && self.mass == 0.0 {
            self.elastic.observe(v, duration, *self.identification.forces());
        } else {
            self.elastic.clear();
        }
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
        let unidentified = (self.probed >= MAX_PROBED).then_some(HeldDoubt::Unidentified);
        self.held.doubt().or(unidentified).filter(|_| self.mass == 0.0)
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
    pub fn adopt(&mut self, [last, duration]: [f64; 2], response: impl Fn() -> [f64; 2]) -> Option<(f64, Coupling)> {
        let is_varied = (duration - last).abs() > MAX_LENGTH_CHANGE * last;
        // Length of the step over the longest one that is stable with held values.
        let share =
            |mass: f64, is_parallel: bool| duration / longest_steps(response(), mass)[usize::from(!is_parallel)];
        if let Some(Response { order: order @ (ForceOrder::Serial | ForceOrder::Parallel), mass }) =
            self.identification.response(!self.is_adopted, self.probed > 0.0).or_else(|| self.elastic_response())
        {
            let is_parallel = order == ForceOrder::Parallel;
            let is_other = is_parallel != self.is_parallel || (mass / self.mass - 1.0).abs() > DEADBAND;
            // A prescribed tone within the deflection of the bristle satisfies the equation of the body that oscillates at its frequency at about the longest
            // stable step, and does not grow.
            let is_needed = || is_needed(share(mass, is_parallel), is_varied, self.held.has_swung());
            if is_other && (self.is_shown() || is_needed()) {
                (self.mass, self.is_parallel) = (mass, is_parallel);
            }
        }
        if self.mass > 0.0 && !self.is_adopted {
            self.is_adopted = is_needed(share(self.mass, self.is_parallel), is_varied, self.held.oscillates());
            if self.is_adopted {
                self.held.end(response()[0] * duration * duration / self.mass);
            }
        }
        self.in_use()
    }

    /// Whether the test signal or an identified mass shows that there is a body.
    fn is_shown(&self) -> bool {
        self.probed > 0.0 || self.mass > 0.0
    }

    /// Response of a body on a spring, while no mass is identified.
    fn elastic_response(&mut self) -> Option<Response> {
        if self.mass == 0.0 { self.elastic.response() } else { None }
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

    /// Whether the test signal may act in a sliding contact.
    pub fn probes_sliding(&self) -> bool {
        self.probed < MAX_PROBED
    }

    /// Next value of the test signal with an amplitude (N) of `amplitude` times `static_force`.
    pub fn probe(&mut self, amplitude: f64, static_force: f64) -> f64 {
        let sign = PROBE[libm::fmod(self.probed, PROBE.len() as f64) as usize];
        self.probed += 1.0;
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
        let AutomaticCoupling { identification, mass, is_parallel, is_adopted, probed, held, elastic } = self;
        identification.write(writer);
        elastic.write(writer);
        [*mass, *probed].write(writer);
        is_parallel.write(writer);
        is_adopted.write(writer);
        held.write(writer);
    }

    fn read(reader: &mut Reader) -> Option<Self> {
        let identification = SavedState::read(reader)?;
        let elastic = SavedState::read(reader)?;
        let [mass, probed] = SavedState::read(reader)?;
        let [is_parallel, is_adopted] = [bool::read(reader)?, bool::read(reader)?];
        let held = SavedState::read(reader)?;
        Some(AutomaticCoupling { identification, elastic, mass, probed, is_parallel, is_adopted, held })
    }
}

/// Whether a mass is needed in steps of varying length, or of this `share` of the longest one that is stable with held values, where forces swing or not.
fn is_needed(share: f64, is_varied: bool, swings: bool) -> bool {
    is_varied || share > MAX_QUIET_STEP || share > MAX_HELD_STEP && swings
}

#[cfg(test)]
mod tests;
