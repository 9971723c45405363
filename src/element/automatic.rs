//! Steps of an element whose coupling is identified while it runs.

use super::lever::Lever;
use super::{Element, F_N, F_R, Report, STICKING, V};
use crate::coupling::PROBE;
use crate::integrate::SolverError;
use crate::law::Law;

impl<L: Law<N>, const N: usize> Element<L, N> {
    /// Advances the element with held values until the motion has shown the mass and the scheme of the master, then with the observer.
    #[inline(never)]
    pub(super) fn advance_automatic(&mut self, duration: f64) -> Result<Report, SolverError> {
        let (mut automatic, Lever { radius, inverse }) = (self.now.automatic, self.lever);
        let last = self.now.last_step.duration;
        if last > 0.0 {
            automatic.observe(self.now.values[&V] * radius, last);
        }
        let report = match automatic.adopt() {
            Some(body) => self.advance_observed(body, duration)?,
            None => {
                let report = self.advance_law(duration)?;
                let amplitude = self.now.values[&PROBE];
                if amplitude > 0.0 && self.now.values[&STICKING] != 0.0 && self.now.values[&F_N] > 0.0 {
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
