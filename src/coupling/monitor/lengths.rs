//! Lengths of the steps that a monitor compares.

/// Lengths of steps, s.
#[derive(Clone, Copy, Debug)]
pub struct StepLengths {
    /// Last step.
    pub last: f64,
    /// Step before it; 0 where it is the first.
    pub before: f64,
    /// Longest recent step.
    pub horizon: f64,
}

impl StepLengths {
    /// Whether both steps are of one length.
    #[inline]
    pub fn is_same(self) -> bool {
        (self.last - self.before).abs() <= 1e-3 * self.before
    }

    /// Last step over the one before, up to 1: over a longer step the element extrapolates by no more than the last change.
    #[inline]
    pub fn growth(self) -> f64 {
        if self.is_same() { 1.0 } else { (self.last / self.before).min(1.0) }
    }

    /// Last step over the longest recent one, by which it counts in means.
    #[inline]
    pub fn share(self) -> f64 {
        self.last / self.horizon
    }

    /// Distance of the middles of both steps, s.
    #[inline]
    pub fn spacing(self) -> f64 {
        0.5 * (self.last + self.before)
    }
}
