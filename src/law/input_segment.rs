//! Segments of a communication step, between two breakpoints of its inputs.

use super::contact::Contact;
use super::trajectory::InputTrajectory;
use crate::domain::OPEN_FORCE;
use crate::integrate::extrema::{larger, smaller};

/// A part of a trajectory, s from its start, between two breakpoints.
#[derive(Clone, Copy, Debug)]
pub struct InputSegment<'a> {
    trajectory: &'a InputTrajectory<'a>,
    /// Start of the segment, s from the start of the trajectory.
    pub from: f64,
    /// End of the segment, s from the start of the trajectory.
    pub to: f64,
    /// Bounds that the normal force is clamped to, N.
    least_force: f64,
    largest_force: f64,
}

impl<'a> InputSegment<'a> {
    /// Segment between two breakpoints (s). F_N is clamped so that the contact is open or closed in
    /// all of the segment, in spite of rounding at the ends; in a closed one it is at least
    /// `min_force` (N).
    pub fn between_breakpoints(
        trajectory: &'a InputTrajectory<'a>,
        from: f64,
        to: f64,
        min_force: f64,
    ) -> Self {
        let min_force = min_force.max(OPEN_FORCE.next_up());
        let middle = if trajectory.is_held() {
            trajectory.start
        } else {
            trajectory.at(0.5 * (from + to))
        };
        let (least_force, largest_force) = if middle.is_open() {
            (f64::NEG_INFINITY, -f64::MIN_POSITIVE)
        } else {
            (min_force, f64::INFINITY)
        };
        InputSegment {
            trajectory,
            from,
            to,
            least_force,
            largest_force,
        }
    }

    /// Inputs over the communication step.
    pub fn trajectory(&self) -> &InputTrajectory<'a> {
        self.trajectory
    }

    /// Whether the contact is open throughout.
    #[inline]
    pub fn is_open(&self) -> bool {
        self.least_force < 0.0
    }

    /// Contact at the time `t`, s from the start of the trajectory.
    #[inline]
    pub fn at(&self, t: f64) -> Contact {
        let mut contact = self.trajectory.at(t);
        contact.F_N = self.clamped(contact.F_N);
        contact
    }

    #[inline]
    fn clamped(&self, normal: f64) -> f64 {
        smaller(larger(normal, self.least_force), self.largest_force)
    }

    /// Contact at the time `t`, s from the start of the segment.
    #[inline]
    pub fn within(&self, t: f64) -> Contact {
        self.at(self.from + t)
    }
}
