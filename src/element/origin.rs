//! What can be asked of the last step after it was made: its mean force, and how its result would have changed.

use super::{Element, MIN_TOLERANCE};
use crate::integrate::Failure;
use crate::law::{Contact, Course, Law, MAX_STATES, Memory, ORDERS};
use crate::variable::{MODES, Values};

/// The differences by which a step's derivatives are found, over what changes F_R by about F_s.
const DIFFERENCE: f64 = 1e-4;

/// Where a step began: what is needed to ask how its result would have changed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Origin {
    /// Length of the step, s; 0 where there was none.
    pub duration: f64,
    /// The contact with its time derivatives; where there is none, it was held as it is at the end.
    pub course: Option<(Contact, [Contact; ORDERS])>,
    /// The states …
    pub states: [f64; MAX_STATES],
    /// … and the modes of the law.
    pub modes: [f64; MODES],
}

impl Origin {
    /// No step yet.
    pub const NONE: Origin = Origin { duration: 0.0, course: None, states: [0.0; MAX_STATES], modes: [0.0; MODES] };
}

impl<L: Law<N>, const N: usize> Element<L, N> {
    /// The contact at the start of the last step, and its time derivatives where it moved.
    fn origin_course(&self) -> (Contact, Option<[Contact; ORDERS]>) {
        let held = [Contact::ZERO; ORDERS];
        let (start, slopes) = self.now.origin.course.unwrap_or((self.now.end, held));
        (start, (slopes != held).then_some(slopes))
    }

    /// The states and modes at the start of the last step.
    fn origin_states(&self) -> ([f64; N], L::Memory) {
        let Origin { states, modes, .. } = self.now.origin;
        (core::array::from_fn(|i| states[i]), L::Memory::read(&Values::of_modes(&modes)))
    }

    /// The mean force of the last step, N.
    pub(super) fn mean_force(&self) -> Result<f64, Failure> {
        if let Some(shadow) = &self.now.shadow {
            return Ok(shadow.mean());
        }
        let (start, slopes) = self.origin_course();
        let course = Course { start, slopes: slopes.as_ref(), delay: None };
        let ((mut x, mut memory), mut solver) = (self.origin_states(), self.solver());
        let (law, duration) = (&self.body.law, self.now.origin.duration);
        let tolerance = self.now.tolerance;
        let done = law.advance_with_impulse(&course, &mut x, &mut memory, duration, tolerance, &mut solver)?;
        Ok(done.impulse / duration)
    }

    /// The law's force at the end of the last step, had its contact begun as `start`, N.
    fn outcome(&self, start: Contact) -> Result<f64, Failure> {
        let (_, slopes) = self.origin_course();
        let course = Course { start, slopes: slopes.as_ref(), delay: None };
        let ((mut x, mut memory), mut solver) = (self.origin_states(), self.now.solver);
        let (law, duration) = (&self.body.law, self.now.origin.duration);
        law.advance(&course, &mut x, &mut memory, duration, MIN_TOLERANCE, &mut solver)?;
        Ok(law.evaluate(course.at(duration), &x, &memory).F_R)
    }

    /// The change of the force at the end of the last step for a change of v over it, N·s/m.
    pub(super) fn by_velocity(&self) -> Result<f64, Failure> {
        let ((start, _), (x, _)) = (self.origin_course(), self.origin_states());
        let deflection = self.body.law.scale(start, &x).first().copied().unwrap_or(f64::INFINITY);
        let about = self.body.law.velocity_scale(start).min(deflection / self.now.origin.duration);
        self.difference(start, DIFFERENCE * about, |d| Contact { v: start.v + d, ..start })
    }

    /// The same for a change of F_N.
    pub(super) fn by_normal_force(&self) -> Result<f64, Failure> {
        let (start, _) = self.origin_course();
        self.difference(start, DIFFERENCE * start.F_N, |d| Contact { F_N: start.F_N + d, ..start })
    }

    /// A central difference of the last step's outcome: small beside what bends the force, large beside the tolerance.
    fn difference(&self, start: Contact, d: f64, changed: impl Fn(f64) -> Contact) -> Result<f64, Failure> {
        // An open contact has no force, and one that is next to open none to tell of.
        if start.is_open() || !d.is_normal() {
            return Ok(0.0);
        }
        Ok((self.outcome(changed(d))? - self.outcome(changed(-d))?) / (2.0 * d))
    }
}
