//! Segments of a communication step, between two breakpoints of its inputs.

use super::contact::{Contact, MIN_NORMAL_FORCE};
use super::trajectory::InputTrajectory;

/// A part of a trajectory, s from its start, between two breakpoints.
#[derive(Clone, Copy, Debug)]
pub struct InputSegment<'a> {
    trajectory: &'a InputTrajectory<'a>,
    /// Its start, s.
    pub from: f64,
    /// Its end, s.
    pub to: f64,
    /// Bounds within which the normal force is kept, N.
    normal: [f64; 2],
}

impl<'a> InputSegment<'a> {
    /// The contact is open in all of it or closed in all of it, whatever rounding makes of F_N at its ends; and where F_N comes
    /// from 0 or goes there, `least` (N) stands for the last of it.
    pub fn between_breakpoints(trajectory: &'a InputTrajectory<'a>, [from, to]: [f64; 2], least: f64) -> Self {
        let least = least.max(2.0 * MIN_NORMAL_FORCE);
        let middle = if trajectory.is_held() { trajectory.start } else { trajectory.at(0.5 * (from + to)) };
        let closed = !middle.is_open();
        let normal = if closed { [least, f64::INFINITY] } else { [f64::NEG_INFINITY, -f64::MIN_POSITIVE] };
        InputSegment { trajectory, from, to, normal }
    }

    /// The inputs over the communication step.
    pub fn trajectory(&self) -> &InputTrajectory<'a> {
        self.trajectory
    }

    /// The contact is open throughout.
    #[inline]
    pub fn is_open(&self) -> bool {
        self.normal[0] < 0.0
    }

    /// The contact at a time of the trajectory.
    #[inline]
    pub fn at(&self, t: f64) -> Contact {
        let mut contact = self.trajectory.at(t);
        contact.F_N = contact.F_N.max(self.normal[0]).min(self.normal[1]);
        contact
    }

    /// The contact at a time of the segment, s from its start.
    #[inline]
    pub fn within(&self, t: f64) -> Contact {
        self.at(self.from + t)
    }
}
