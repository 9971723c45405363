//! Segments of a communication step, between two breakpoints of its inputs.

use super::course::{Contact, Course, LEAST_NORMAL_FORCE};

/// A part of a course, s from its start, between two cuts.
#[derive(Clone, Copy, Debug)]
pub struct Piece<'a> {
    course: &'a Course<'a>,
    /// Its start, s.
    pub from: f64,
    /// Its end, s.
    pub to: f64,
    /// Bounds within which the normal force is kept, N.
    normal: [f64; 2],
}

impl<'a> Piece<'a> {
    /// The contact is open in all of it or closed in all of it, whatever rounding makes of F_N at its ends; and where F_N comes
    /// from 0 or goes there, `least` (N) stands for the last of it.
    pub fn between_cuts(course: &'a Course<'a>, [from, to]: [f64; 2], least: f64) -> Self {
        let least = least.max(2.0 * LEAST_NORMAL_FORCE);
        let middle = if course.is_held() { course.start } else { course.at(0.5 * (from + to)) };
        let closed = !middle.is_open();
        let normal = if closed { [least, f64::INFINITY] } else { [f64::NEG_INFINITY, -f64::MIN_POSITIVE] };
        Piece { course, from, to, normal }
    }

    /// The inputs over the communication step.
    pub fn course(&self) -> &Course<'a> {
        self.course
    }

    /// The contact is open throughout.
    #[inline]
    pub fn is_open(&self) -> bool {
        self.normal[0] < 0.0
    }

    /// The contact at a time of the course.
    #[inline]
    pub fn at(&self, t: f64) -> Contact {
        let mut contact = self.course.at(t);
        contact.F_N = contact.F_N.max(self.normal[0]).min(self.normal[1]);
        contact
    }

    /// The contact at a time of the piece, s from its start.
    #[inline]
    pub fn within(&self, t: f64) -> Contact {
        self.at(self.from + t)
    }
}
