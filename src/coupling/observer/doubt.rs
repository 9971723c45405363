//! Reasons to doubt the observer of a body, and the fallback to held values.

use super::BodyObserver;
use crate::coupling::Coupling;
use crate::coupling::monitor::{Doubt, MonitorBounds};

impl BodyObserver {
    /// Takes over the difference of the works (J) of steps before the observer, and E_loss at their start (J).
    pub fn carry(&mut self, carried: [f64; 2]) {
        self.monitor.carry(carried);
    }

    /// Error of the work of the applied force over the work of the law.
    pub fn work_error(&self) -> f64 {
        self.monitor.work_error(self.loss)
    }

    /// Estimate of the body's mass in use instead of m_eff, kg, if there is one.
    pub fn estimated_mass(&self) -> Option<f64> {
        (self.mass.value != self.m_eff).then_some(self.mass.value)
    }

    /// The reason why the body does not follow the observer, if there is one.
    #[inline]
    pub fn doubt(&self, has_acceleration: bool) -> Option<Doubt> {
        let bounds = MonitorBounds::of(self.coupling, has_acceleration);
        self.normal_monitor.doubt(bounds).or_else(|| self.monitor.doubt(self.loss, bounds))
    }

    /// Whether held values are better: the body does not answer to the force of a parallel coupling, which chatters by itself.
    #[inline]
    pub fn is_idle(&self) -> bool {
        self.coupling == Coupling::Parallel && self.monitor.is_idle()
    }

    /// Whether the coupling has fallen back to held values.
    #[inline]
    pub fn has_failed(&self) -> bool {
        self.has_failed
    }

    /// Falls back to held values.
    pub fn fail(&mut self) {
        self.has_failed = true;
    }
}
