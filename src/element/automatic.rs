//! Steps of an element whose coupling is identified while it runs.

use super::lever::Lever;
use super::{E_LOSS, Element, F_N, F_R, Report, STICKING, V};
use crate::coupling::{HeldPoint, PROBE};
use crate::integrate::SolverError;
use crate::law::Law;

/// Work that errors of held values refer to at least, over F_s²/σ_0, twice the elastic energy of the contact: in stick the law does hardly
/// any work, and the applied force stores that energy and takes it back.
const LEAST_WORK: f64 = 100.0;

impl<L: Law<N>, const N: usize> Element<L, N> {
    /// Advances the element with held values until the motion has shown the mass and the scheme of the master, then with the observer.
    #[inline(never)]
    pub(super) fn advance_automatic(&mut self, duration: f64) -> Result<Report, SolverError> {
        let (mut automatic, Lever { radius, inverse }) = (self.now.automatic, self.lever);
        let last = self.now.last_step.duration;
        if last > 0.0 {
            let v = self.now.values[&V] * radius;
            automatic.observe(v, last);
            automatic.observe_elastic(v, last, self.now.values[&PROBE] > 0.0);
            if automatic.in_use().is_none() {
                let least = || {
                    let ([stiffness, _], force) = (self.response_at_rest(), self.static_force_now());
                    if stiffness > 0.0 && force < f64::MAX { LEAST_WORK * force * force / stiffness } else { 0.0 }
                };
                let values = &self.now.values;
                let (contact, loss, static_force) = ([values[&F_N], v], values[&E_LOSS], self.static_force_now());
                automatic.watch(HeldPoint { contact, loss, duration: last, forces: [0.0; 2], static_force }, least);
            }
        }
        let report = match automatic.adopt([last, duration], || self.response_at_rest()) {
            Some(body) => self.advance_observed(body, duration, Some(automatic.carried()))?,
            None => {
                let report = self.advance_law(duration)?;
                let amplitude = self.now.values[&PROBE];
                let is_wanted = amplitude > 0.0 && automatic.identified().is_none() && self.now.values[&F_N] > 0.0;
                if is_wanted && (self.now.values[&STICKING] != 0.0 || automatic.probes_sliding()) {
                    self.now.values[&F_R] += automatic.probe(amplitude, self.static_force_now()) * radius;
                }
                report
            }
        };
        automatic.add_force(self.now.values[&F_R] * inverse);
        self.now.automatic = automatic;
        Ok(report)
    }

    /// Largest friction force at rest under the present normal force, N.
    fn static_force_now(&self) -> f64 {
        self.body.law.static_force(self.now.values[&F_N])
    }
}
