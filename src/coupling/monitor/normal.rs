//! Monitor of a normal force: second differences of F_N, which the element extrapolates linearly.

use super::{Doubt, JUMP, MEMORY, MonitorBounds, StepLengths};
use crate::saved_state::{Reader, SavedState, Writer};

/// Monitor of a normal force.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct NormalMonitor {
    /// Last F_N and its last change, N.
    last: [f64; 2],
    /// Largest F_N so far, N.
    largest: f64,
    /// Mean of (Δ²F_N)², N².
    curvature: f64,
}

impl NormalMonitor {
    /// Monitor that starts from this F_N, N.
    pub fn new(normal_force: f64) -> Self {
        let normal_force = normal_force.max(0.0);
        NormalMonitor { last: [normal_force, 0.0], largest: normal_force, curvature: 0.0 }
    }

    /// Sum of the magnitudes of the numbers that can grow.
    #[inline]
    pub fn size(&self) -> f64 {
        self.largest + self.curvature
    }

    /// Adds F_N (N) at a communication point, after a step.
    #[inline]
    pub fn add(&mut self, normal_force: f64, lengths: StepLengths) {
        let normal_force = normal_force.max(0.0);
        let [last, change_before] = self.last;
        let change = normal_force - last;
        self.last = [normal_force, change];
        self.largest = self.largest.max(normal_force);
        if change == 0.0 && change_before == 0.0 && self.curvature == 0.0 {
            return;
        }
        let expected = change_before * lengths.growth();
        let curvature = (change - expected).abs().min(JUMP[1] * self.largest);
        self.curvature += (1.0 - MEMORY) * lengths.share() * (curvature * curvature - self.curvature);
    }

    /// The reason to doubt the coupling, if there is one.
    #[inline]
    pub fn doubt(&self, bounds: MonitorBounds) -> Option<Doubt> {
        let bound = bounds.normal * self.largest;
        (self.curvature > bound * bound).then(|| Doubt::Normal(self.curvature.sqrt() / self.largest))
    }
}

impl SavedState for NormalMonitor {
    #[inline]
    fn write(&self, writer: &mut Writer) {
        let NormalMonitor { last, largest, curvature } = self;
        last.write(writer);
        [*largest, *curvature].write(writer);
    }

    fn read(reader: &mut Reader) -> Option<Self> {
        let last = SavedState::read(reader)?;
        let [largest, curvature] = SavedState::read(reader)?;
        Some(NormalMonitor { last, largest, curvature })
    }
}
