//! Limit of inner steps in a communication step, beyond which the tolerance is relaxed: it bounds
//! the computing time instead of the error.
//!
//! Up to `limit` inner steps the tolerance holds. Beyond it each further eighth of the limit
//! multiplies the tolerance by 100, so that after about one and a half times the limit no error
//! estimate rejects a step any more. The sum of the errors that are accepted above the tolerance is
//! the error estimate that a communication step reports.

/// Largest limit: some seconds of processor time.
pub const MAX_LIMIT: u32 = 1_000_000;
/// Estimated error without any information: F_R may lie anywhere between −F_s and F_s.
pub const UNKNOWN: f64 = 2.0;
/// Estimated error from which on the motion of a body is not believed where its mean friction force
/// exceeds F_s.
pub const UNRESOLVED: f64 = 0.1;
/// Factor of the tolerance for each eighth of the limit beyond it: four of them raise the default
/// of 1e-6 above 1, an error of F_s.
const RELAXATION: f64 = 100.0;
/// Factor at one and a half times the limit, from which on events are no longer located.
pub const EXCEEDED: f64 = RELAXATION * RELAXATION * RELAXATION * RELAXATION;
/// Number of eighths with the largest factor.
const MAX_EIGHTHS: u64 = 6;
/// Largest factor of the tolerance; every step that is finite is accepted with it.
pub const MAX_RELAXATION: f64 = EXCEEDED * RELAXATION * RELAXATION;

/// Counter of the inner steps in a communication step, with its limit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StepLimit {
    /// Number of inner steps that keep the tolerance.
    limit: u32,
    /// Number of inner steps so far.
    made: u32,
    /// Sum of the errors accepted above the tolerance, of F_R over F_s.
    error: f64,
}

impl Default for StepLimit {
    fn default() -> Self {
        StepLimit::new(MAX_LIMIT)
    }
}

impl StepLimit {
    /// Limit of this many inner steps, at least 1.
    pub fn new(limit: u32) -> Self {
        StepLimit {
            limit: limit.clamp(1, MAX_LIMIT),
            made: 0,
            error: 0.0,
        }
    }

    /// Counts one inner step and returns the factor of its tolerance, 1 up to the limit.
    #[inline]
    pub fn count(&mut self) -> f64 {
        self.made = self.made.saturating_add(1);
        if self.made <= self.limit {
            return 1.0;
        }
        let eighths = (8 * u64::from(self.made - self.limit)).div_ceil(u64::from(self.limit));
        (0..eighths.min(MAX_EIGHTHS)).fold(1.0, |factor, _| RELAXATION * factor)
    }

    /// Counts several inner steps that kept the tolerance.
    #[inline]
    pub fn add(&mut self, steps: u32) {
        self.made = self.made.saturating_add(steps);
    }

    /// Number of inner steps left until the tolerance is relaxed.
    #[inline]
    pub fn left(&self) -> u32 {
        self.limit.saturating_sub(self.made)
    }

    /// Whether one and a half times the limit is used up, so that events are no longer located.
    #[inline]
    pub fn is_exceeded(&self) -> bool {
        2 * self.made >= 3 * self.limit
    }

    /// Whether three times the limit is used up, as where every Newton iteration diverges: the
    /// integration ends with an error.
    #[inline]
    pub fn is_spent(&self) -> bool {
        self.made > 3 * self.limit + 1000
    }

    /// The limit.
    pub fn limit(&self) -> u32 {
        self.limit
    }

    /// Adds an error that was accepted above the tolerance, of F_R over F_s; the sum is clamped to
    /// [`UNKNOWN`].
    #[inline]
    pub fn accept(&mut self, error: f64) {
        self.error = (self.error + error).min(UNKNOWN);
    }

    /// Sum of the errors accepted above the tolerance, of F_R over F_s; 0 below the limit.
    #[inline]
    pub fn error(&self) -> f64 {
        self.error
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_tolerance_holds_up_to_the_limit_and_is_exceeded_at_half_as_many_more_steps() {
        let mut limit = StepLimit::new(8);
        let factors: Vec<_> = (0..14).map(|_| limit.count()).collect();
        assert_eq!(factors[..8], [1.0; 8]);
        assert_eq!(factors[8..], [1e2, 1e4, 1e6, 1e8, 1e10, 1e12]);
        assert!(limit.is_exceeded() && limit.left() == 0);
    }

    #[test]
    fn steps_that_are_left_are_those_of_the_limit_less_those_made() {
        let mut limit = StepLimit::new(8);
        assert_eq!(limit.left(), 8);
        limit.add(3);
        limit.count();
        assert_eq!(
            (limit.left(), limit.is_exceeded(), limit.limit()),
            (4, false, 8)
        );
    }

    #[test]
    fn limit_is_exceeded_at_one_and_a_half_and_spent_beyond_three_times_its_steps_and_a_thousand() {
        let after = |steps: u32| {
            let mut limit = StepLimit::new(8);
            limit.add(steps);
            (limit.is_exceeded(), limit.is_spent())
        };
        assert_eq!(
            [11, 12, 1024, 1025].map(after),
            [(false, false), (true, false), (true, false), (true, true)]
        );
        assert_eq!(
            [0, MAX_LIMIT + 1].map(|limit| StepLimit::new(limit).limit()),
            [1, MAX_LIMIT]
        );
        assert_eq!(EXCEEDED, 1e8);
        let mut limit = StepLimit::new(1);
        limit.add(1000);
        assert_eq!(limit.count(), MAX_RELAXATION);
    }

    #[test]
    fn accepted_errors_add_up_to_twice_the_static_force() {
        let mut limit = StepLimit::new(8);
        assert_eq!(limit.error(), 0.0);
        for sum in [0.75, 1.5, 2.0, 2.0] {
            limit.accept(0.75);
            assert_eq!(limit.error(), sum);
        }
    }
}
