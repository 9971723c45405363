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

#[cfg(test)]
mod tests {
    use super::*;

    fn lengths(last: f64, before: f64) -> StepLengths {
        StepLengths { last, before, horizon: 0.8 }
    }

    #[test]
    fn steps_are_of_one_length_within_a_thousandth_of_the_one_before() {
        for sign in [1.0, -1.0] {
            assert!(lengths(0.5 * (1.0 + 0.9e-3 * sign), 0.5).is_same(), "{sign}");
            assert!(!lengths(0.5 * (1.0 + 1.1e-3 * sign), 0.5).is_same(), "{sign}");
        }
        assert!(!lengths(0.5, 0.0).is_same(), "the first step has none before it");
    }

    #[test]
    fn growth_is_the_ratio_of_the_lengths_up_to_1() {
        assert_eq!(
            [lengths(0.2, 0.5).growth(), lengths(0.5, 0.2).growth(), lengths(0.5, 0.0).growth()],
            [0.4, 1.0, 1.0]
        );
        // Rounding of equal lengths is no growth.
        assert_eq!(lengths(0.49999, 0.5).growth(), 1.0);
    }

    #[test]
    fn share_is_that_of_the_longest_step_and_spacing_the_distance_of_the_middles() {
        // Steps from 0 to 0.6 and from 0.6 to 0.8 s have their middles at 0.3 and 0.7 s.
        assert_eq!((lengths(0.2, 0.6).share(), lengths(0.2, 0.6).spacing()), (0.25, 0.4));
    }
}
