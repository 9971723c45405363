//! Events of the laws in an inner step: the step is repeated with the length at which the first mode ends.
//!
//! A mode ends where the law would change it. The event indicators guess the place, by a straight line between both ends of a bracket; the
//! guess is taken a little before and a little beyond in turn, so that both ends close in on it, and every third repetition halves the
//! bracket.

use super::super::contact::{BodyContact, LawState};
use super::super::linear_body::AlongAxes;
use super::{Integrator, NODES, is_open};
use crate::integrate::step_limit::{StepLimit, UNKNOWN};
use crate::law::Contact;

/// Last stage, at the end of the step.
const END: usize = NODES.len() - 1;
/// Width over the step up to which the bracket of an event is closed: v and z are off at the event by that share of their change in the
/// step, far less than by the tolerance. A smaller one costs a repetition more.
const EVENT_WIDTH: f64 = 1e-7;
/// Lower bound on that width over the length of the interval, far above the rounding of its times.
const TIME_RESOLUTION: f64 = 1e-13;
/// Largest number of repetitions; halving alone closes a bracket in three times 24.
const MAX_REPETITIONS: u32 = 80;

impl Integrator {
    /// Changes the modes that do not hold at the time `t` (s) of the interval, and states with them; returns whether a mode changed.
    pub(super) fn handle_events<C: BodyContact + ?Sized, const A: usize>(
        &mut self,
        body: AlongAxes<'_, A>,
        contacts: &[Box<C>],
        t: f64,
    ) -> bool {
        let mut changed = false;
        for i in (0..body.contacts()).filter(|i| !is_open(self.interval.normal[*i])) {
            let contact = self.contact(body, i, t, &self.motion.y);
            changed |= contacts[i].handle_events(contact, &mut self.motion.x[i], &mut self.modes[i]);
        }
        changed
    }

    /// Repeats a step that was attempted with the length `h` (s) from `t` (s) up to the first event in it; returns the number of repetitions,
    /// and the length at which a mode ends, with the stages of that step. Without an event there is none, and the stages are unchanged.
    pub(super) fn locate_event<C: BodyContact + ?Sized, const A: usize>(
        &mut self,
        body: AlongAxes<'_, A>,
        contacts: &[Box<C>],
        [t, h]: [f64; 2],
        tolerance: f64,
        limit: &mut StepLimit,
    ) -> (u32, Option<f64>) {
        let Some(stage) = (0..=END).find(|stage| self.mode_ends(body, contacts, *stage, [t, h])) else {
            return (0, None);
        };
        let (mut low, mut high, mut made) = (0.0, NODES[stage] * h, 0);
        if stage < END {
            // A mode may end within the step and hold at its end. The stage is a guess of the motion there.
            limit.count();
            let is_solved = self.attempt(body, contacts, [t, high], tolerance).is_some();
            if is_solved && !self.mode_ends(body, contacts, END, [t, high]) {
                return (1, Some(high));
            }
            made = 1;
            if !is_solved {
                high = h;
            }
        }
        let width = (EVENT_WIDTH * h).max(TIME_RESOLUTION * self.interval.duration);
        self.note_indicators(body, contacts, 0, [t, 0.0]);
        self.note_indicators(body, contacts, 1, [t, high]);
        let mut is_at_high = stage == END || high < h;
        while high - low > width && made < MAX_REPETITIONS && !limit.is_exceeded() {
            let guess = self.guess([low, high], width, made);
            made += 1;
            limit.count();
            let is_solved = self.attempt(body, contacts, [t, guess], tolerance).is_some();
            is_at_high = is_solved && self.mode_ends(body, contacts, END, [t, guess]);
            if is_at_high {
                high = guess;
            } else {
                low = guess;
            }
            self.note_indicators(body, contacts, usize::from(is_at_high), [t, guess]);
        }
        if high - low > width {
            limit.accept(UNKNOWN);
        }
        if !is_at_high {
            // It was solved before, from the same start.
            made += 1;
            let _ = self.attempt(body, contacts, [t, high], tolerance);
        }
        (made, Some(high))
    }

    /// Contact and states of a law at a stage of a step of length `h` (s) from `t` (s).
    fn at_stage<const A: usize>(
        &self,
        body: AlongAxes<'_, A>,
        contact: usize,
        stage: usize,
        [t, h]: [f64; 2],
    ) -> (Contact, LawState) {
        let at = &self.stages[stage].at;
        (self.contact(body, contact, t + h * NODES[stage], &at.y), at.x[contact])
    }

    /// Whether the mode of a law ends at a stage.
    fn mode_ends<C: BodyContact + ?Sized, const A: usize>(
        &self,
        body: AlongAxes<'_, A>,
        contacts: &[Box<C>],
        stage: usize,
        step: [f64; 2],
    ) -> bool {
        (0..body.contacts()).filter(|i| !is_open(self.interval.normal[*i])).any(|i| {
            let ((contact, mut x), mut modes) = (self.at_stage(body, i, stage, step), self.modes[i]);
            contacts[i].handle_events(contact, &mut x, &mut modes)
        })
    }

    /// Notes the event indicators of all laws at the start (0) or the end (1) of the bracket: at the start of the step where it has no length,
    /// else at its end.
    fn note_indicators<C: BodyContact + ?Sized, const A: usize>(
        &mut self,
        body: AlongAxes<'_, A>,
        contacts: &[Box<C>],
        end: usize,
        [t, h]: [f64; 2],
    ) {
        for (i, law) in contacts.iter().enumerate() {
            let (contact, x) = if h > 0.0 {
                self.at_stage(body, i, END, [t, h])
            } else {
                (self.contact(body, i, t, &self.motion.y), self.motion.x[i])
            };
            self.indicators[end][i] = law.event_indicators(contact, &x, &self.modes[i]);
        }
    }

    /// Length of the next repetition, between both ends of the bracket.
    pub(super) fn guess(&self, [low, high]: [f64; 2], width: f64, made: u32) -> f64 {
        let middle = 0.5 * (low + high);
        let [at_low, at_high] = &self.indicators;
        let places = at_low.iter().flatten().zip(at_high.iter().flatten()).filter_map(|(from, to)| {
            let place = from / (from - to);
            (place > 0.0 && place <= 1.0).then_some(place)
        });
        let first = places.fold(f64::INFINITY, f64::min);
        if made % 3 == 2 || first > 1.0 {
            return middle;
        }
        let nudge = if made.is_multiple_of(2) { -0.4 } else { 0.4 } * width;
        (low + first * (high - low) + nudge).clamp(low + 0.1 * width, high - 0.1 * width)
    }
}
