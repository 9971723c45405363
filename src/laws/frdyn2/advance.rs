//! How FrDyn2 advances over a communication step: which method does which part, and how far the result can be trusted.
//!
//! Closed forms come first. While the contact stays closed the zones' own methods follow; a step in which it opens or
//! closes is divided ([`super::openings`]). The general integrator takes what is left: stick that is too stiff for series while
//! inputs move, as long as it lasts, and the time next to an opening.
//!
//! Where the bristle is unstable, the falling branch multiplies every error made before it. Such a step is done again with a
//! hundredth of its errors, from a start moved by its rounding: what the two differ by is a hundred times what is left, as long
//! as it is small. What cannot be had within the tolerance is reported.

use super::drive::{Drive, Kind};
use super::{FrDyn2, NO_FORCE};
use crate::integrate::Failure;
use crate::integrate::radau::Radau;
use crate::law::{self, Advance, Contact, Course, Law};

/// The series' share of the tolerance: errors of several steps add up.
const SERIES_SHARE: f64 = 0.5;
/// The same where the bristle is unstable.
const UNSTABLE_SHARE: f64 = 3e-4;
/// The share of a step of stick, which may leave an error of F_0 in the same direction every time; nothing forgets it while the
/// contact sticks.
const STICK_SHARE: f64 = 0.003;
/// The general integrator's share where inputs move, because its estimate knows too little of a kink that passes within a step,
/// and where the bristle is unstable.
const GENERAL_SHARE: f64 = 0.05;
/// The general integrator's share in stick while inputs move: there everything is smooth and errors of the bristle's velocity are
/// forgotten within its time constants, so that the error estimate of order 3 is far above the error.
const STIFF_STICK_SHARE: f64 = 2.0;
/// Tolerance of stiff stick in the repeated step over that in the first.
const FINER_STIFF_STICK: f64 = 0.1;
/// The number of inner steps for a whole communication step above which the general integrator does better under held inputs …
const HELD_STEPS: f64 = 3000.0;
/// … and where they move …
const MOVING_STEPS: f64 = 500.0;
/// … which is asked after so many.
const FIRST_STEPS: u32 = 120;
/// Inner steps of a communication step after which the general integrator does all of the rest, where the contact moves in and out of
/// stick.
const MOST_STICK_STEPS: u32 = 2000;
/// The tightest tolerance of the series: rounding lies below it …
const LEAST_SERIES: f64 = 1e-13;
/// … and that of the general integrator.
const LEAST_GENERAL: f64 = 1e-12;
/// How much finer a step is done again to see what it multiplies its errors by.
const FINER: f64 = 1e-2;
/// The share of the largest normal force of a step that must bear on the contact throughout for series to follow it: the length of their
/// steps is a share of the time to where F_N is 0, so that they take a fixed number of steps for each decade of F_N.
pub(super) const LEAST_LOAD: f64 = 1e-2;
/// Differences above this share of F_s tell nothing of what is left: the bristle has swung out of step.
const OUT_OF_STEP: f64 = 1e-2;
/// F_R may lie anywhere between −F_s and F_s.
const ANYTHING: f64 = 2.0;

/// The errors that methods may make, in F_R over F_s.
#[derive(Clone, Copy)]
pub(super) struct Precision {
    /// A step by series.
    series: f64,
    /// A step of stick, by whatever method.
    stick: f64,
    /// An inner step of the general integrator.
    general: f64,
    /// An inner step of the general integrator in stick that is too stiff for series.
    stiff_stick: f64,
}

impl Precision {
    /// Where the bristle is stable.
    pub(super) fn stable(tolerance: f64, moving: bool) -> Self {
        Precision {
            series: (SERIES_SHARE * tolerance).max(LEAST_SERIES),
            stick: (STICK_SHARE * tolerance).max(0.1 * LEAST_SERIES),
            general: if moving { GENERAL_SHARE * tolerance } else { tolerance },
            stiff_stick: STIFF_STICK_SHARE * tolerance,
        }
    }

    /// Never so fine that it could not be done finer.
    fn unstable(tolerance: f64) -> Self {
        let series = (UNSTABLE_SHARE * tolerance).max(LEAST_SERIES / FINER);
        let general = (GENERAL_SHARE * tolerance).max(LEAST_GENERAL / FINER);
        Precision { series, stick: 0.1 * series, general, stiff_stick: STIFF_STICK_SHARE * tolerance }
    }

    fn finer(self) -> Self {
        let Precision { series, stick, general, stiff_stick } = self;
        Precision {
            series: FINER * series,
            stick: FINER * stick,
            general: FINER * general,
            stiff_stick: FINER_STIFF_STICK * stiff_stick,
        }
    }
}

/// A way through a communication step: how far it came, and what it adds up to.
#[derive(Default)]
pub(super) struct Way {
    /// The time it came, s.
    pub(super) t: f64,
    /// Friction loss, J.
    loss: f64,
    pub(super) inner_steps: u32,
    /// The logarithm of what the falling branch multiplied errors by, at most; infinite where nobody has counted.
    growth: f64,
}

impl Way {
    /// Goes on by another way, whose time is its own.
    pub(super) fn add(&mut self, other: Way) {
        self.loss += other.loss;
        self.inner_steps += other.inner_steps;
        self.growth += other.growth;
    }
}

impl FrDyn2 {
    /// Advances the bristle; what [`Law::advance`] promises.
    #[inline]
    pub(super) fn advance_over(
        &self,
        course: &Course,
        x: &mut [f64; 2],
        duration: f64,
        tolerance: f64,
        solver: &mut Radau,
    ) -> Result<Advance, Failure> {
        let contact = course.start;
        if course.slopes.is_none() {
            let travel = contact.v * duration;
            if let Some(force) = self.steady_sliding(contact, 0.0, x) {
                return Ok(Advance { loss: force * travel, inner_steps: 1, ..Advance::default() });
            }
            if let Some(force) = self.steady_stick(contact, duration, x) {
                let mean_force = force + 0.5 * self.sigma_0 * travel;
                x[0] += travel;
                return Ok(Advance { loss: mean_force * travel, inner_steps: 1, ..Advance::default() });
            }
        } else if let Some((travel, swing)) = course.travel(duration)
            && let Some(force) = self.steady_sliding(contact, swing, x)
        {
            return Ok(Advance { loss: force * travel, inner_steps: 1, ..Advance::default() });
        }
        self.advance_unsteady(course, x, duration, tolerance, solver)
    }

    /// The same where the bristle itself moves.
    #[inline(never)] // registers saved for it would cost every steady step
    fn advance_unsteady(
        &self,
        course: &Course,
        x: &mut [f64; 2],
        duration: f64,
        tolerance: f64,
        solver: &mut Radau,
    ) -> Result<Advance, Failure> {
        if let Some((end, loss)) = self.closed_form_over(course, x, duration) {
            *x = end;
            return Ok(Advance { loss, inner_steps: 1, ..Advance::default() });
        }
        if course.most_normal_force(duration) > self.stable_up_to {
            return self.advance_unstable(course, x, duration, tolerance, solver);
        }
        let precision = Precision::stable(tolerance, course.slopes.is_some());
        let Way { loss, inner_steps, .. } = self.way(course, x, duration, precision, solver)?;
        Ok(Advance { loss, inner_steps, ..Advance::default() })
    }

    /// The same where errors may grow.
    #[inline(never)]
    fn advance_unstable(
        &self,
        course: &Course,
        x: &mut [f64; 2],
        duration: f64,
        tolerance: f64,
        solver: &mut Radau,
    ) -> Result<Advance, Failure> {
        let precision = Precision::unstable(tolerance);
        let start = *x;
        let Way { loss, inner_steps, growth, .. } = self.way(course, x, duration, precision, solver)?;
        let done = Advance { loss, inner_steps, ..Advance::default() };
        if precision.series * libm::exp(growth) <= 0.1 * tolerance {
            return Ok(done);
        }
        // Nobody knows the start better than this.
        let rounding = f64::EPSILON * self.mu_s * course.start.F_N.max(0.0) * self.compliance;
        let mut finer = [start[0] + rounding, start[1]];
        let Ok(again) = self.way(course, &mut finer, duration, precision.finer(), &mut Radau::default()) else {
            return Ok(Advance { doubt: ANYTHING, ..done });
        };
        let difference = self.difference(course.at(duration), x, &finer);
        let left = if difference < OUT_OF_STEP { FINER * difference } else { difference };
        *x = finer;
        Ok(Advance {
            loss: again.loss,
            inner_steps: inner_steps + again.inner_steps,
            doubt: if left > tolerance { left } else { 0.0 },
            ..done
        })
    }

    /// How far two states are apart, in F_R over F_s.
    fn difference(&self, contact: Contact, a: &[f64; 2], b: &[f64; 2]) -> f64 {
        let scale = self.scale(contact, a);
        let states = (0..2).fold(0.0, |most: f64, i| most.max((a[i] - b[i]).abs() / scale[i]));
        let [force, other] = [a, b].map(|x| self.evaluate(contact, x, &()).F_R);
        states.max((force - other).abs() / (self.mu_s * contact.F_N).max(NO_FORCE))
    }

    /// The states and the loss at the end of `duration` (s), where the whole of it has a closed form.
    fn closed_form_over(&self, course: &Course, x: &[f64; 2], duration: f64) -> Option<([f64; 2], f64)> {
        let (travel, swing) = course.travel(duration)?;
        let (motion, force) = self.closed_form(course.start, swing, x)?;
        Some((motion.at(duration), force * travel))
    }

    /// One way through a communication step. After a failure `x` is anywhere on it.
    #[inline]
    fn way(
        &self,
        course: &Course,
        x: &mut [f64; 2],
        duration: f64,
        precision: Precision,
        solver: &mut Radau,
    ) -> Result<Way, Failure> {
        if course.slopes.is_some() && !self.stays_closed(course, duration) {
            return self.way_through_openings(course, x, duration, precision, solver);
        }
        self.closed_way(course, x, duration, precision, solver)
    }

    /// The way through a step in which inputs are held or the contact stays closed.
    #[inline]
    pub(super) fn closed_way(
        &self,
        course: &Course,
        x: &mut [f64; 2],
        duration: f64,
        precision: Precision,
        solver: &mut Radau,
    ) -> Result<Way, Failure> {
        let mut way = Way::default();
        loop {
            self.by_series(course, x, duration, precision, &mut way);
            if way.t >= duration {
                return Ok(way);
            }
            let (rest, left) = (course.after(way.t), duration - way.t);
            let rest = rest.course();
            // Stick that is too stiff for series while the contact moves: they go on where it ends.
            let sticks = course.slopes.is_some() && self.evaluate(rest.start, x, &()).sticking;
            if sticks && way.inner_steps < MOST_STICK_STEPS {
                let tolerance = precision.stiff_stick;
                let (done, reached) = law::advance_while(self, &rest, x, left, tolerance, solver, |contact, x| {
                    self.evaluate(contact, x, &()).sticking
                })?;
                way.t = if reached >= left { duration } else { way.t + reached };
                way.loss += done.loss;
                way.inner_steps += done.inner_steps;
            } else {
                way.add(self.general_way(&rest, x, left, precision, solver)?);
                return Ok(way);
            }
        }
    }

    /// Advances the bristle by series and closed forms as far as they come.
    #[inline]
    fn by_series(&self, course: &Course, x: &mut [f64; 2], duration: f64, precision: Precision, way: &mut Way) {
        let contact = course.start;
        let nu = |contact: Contact| contact.v * self.inverse_v_s;
        match course.slopes {
            None => self.by_zones(course, Drive::held(nu(contact)), x, duration, precision, way),
            Some(&[first, second, third]) => {
                let whole = [contact, first, second, third];
                let (nu, load) = (whole.map(nu), whole.map(|order| order.F_N / contact.F_N));
                if load == [1.0, 0.0, 0.0, 0.0] {
                    self.by_zones(course, Drive::moving(nu), x, duration, precision, way);
                } else {
                    self.by_zones(course, Drive::loaded(nu, load), x, duration, precision, way);
                }
            }
        }
    }

    /// The way by the general integrator.
    pub(super) fn general_way(
        &self,
        course: &Course,
        x: &mut [f64; 2],
        duration: f64,
        precision: Precision,
        solver: &mut Radau,
    ) -> Result<Way, Failure> {
        let done = law::advance(self, course, x, &mut (), duration, precision.general, solver)?;
        let unstable = course.most_normal_force(duration) > self.stable_up_to;
        let growth = if unstable { f64::INFINITY } else { 0.0 };
        Ok(Way { t: duration, loss: done.loss, inner_steps: done.inner_steps, growth })
    }

    /// The contact is closed throughout, and its normal force never next to nothing of what it is at the start.
    fn stays_closed(&self, course: &Course, duration: f64) -> bool {
        self.bears(course.start)
            && course.least_normal_force(duration) >= LEAST_LOAD * course.most_normal_force(duration)
    }

    /// Advances the bristle zone by zone while the contact is closed: where it does not come as far as `duration`, the rest is the
    /// general integrator's.
    #[inline(never)] // registers saved for it would cost every step of sliding
    pub(super) fn by_zones<const MOVING: Kind>(
        &self,
        course: &Course,
        drive: Drive<MOVING>,
        x: &mut [f64; 2],
        duration: f64,
        precision: Precision,
        way: &mut Way,
    ) {
        let static_force = self.mu_s * course.start.F_N;
        let inverse_force = 1.0 / static_force;
        let scaled = self.scaled(course.start, inverse_force, course.most_normal_force(duration));
        let most_steps = if Drive::<MOVING>::MOVES { MOVING_STEPS } else { HELD_STEPS };
        // Its v goes on; what becomes of its normal force is the load.
        let begin = (way.t, way.inner_steps);
        let mut contact = course.start;
        if Drive::<MOVING>::MOVES {
            contact.v += self.v_s * drive.change(way.t);
        }
        while way.t < duration {
            let load = drive.load_at(way.t);
            let start = [self.sticking_force(contact, x) * inverse_force / load, (contact.v - x[1]) * self.inverse_v_s];
            let run = scaled.run(drive, start, [way.t, duration], precision.series, precision.stick);
            if run.steps == 0 {
                break;
            }
            way.growth += run.growth;
            way.loss += static_force * self.v_s * run.work;
            way.inner_steps += run.steps;
            let mut moved = run.dr;
            if Drive::<MOVING>::MOVES {
                let end = drive.load_at(run.t);
                moved =
                    moved * end + start[0] * (end - load) - scaled.lag * (drive.change(run.t) - drive.change(way.t));
                contact.v = course.start.v + self.v_s * drive.change(run.t);
            }
            way.t = run.t;
            *x = [x[0] + moved * static_force * self.compliance, contact.v - self.v_s * run.e];
            // Explicit series that need very many steps for the time they cover are given up.
            let steps = way.inner_steps - begin.1;
            if steps > FIRST_STEPS && f64::from(steps) > most_steps * ((way.t - begin.0) / duration) {
                break;
            }
            if way.t < duration {
                let rest = course.after(way.t);
                if let Some((end, loss)) = self.closed_form_over(&rest.course(), x, duration - way.t) {
                    *x = end;
                    way.loss += loss;
                    way.inner_steps += 1;
                    way.t = duration;
                }
            }
        }
    }
}
