//! Body and contacts as one system over a load interval.
//!
//! A singly diagonally implicit Runge–Kutta method of three stages and order 3, L-stable and stiffly accurate (R. Alexander, SIAM J.
//! Numer. Anal. 14, 1977), with an embedded method of order 2. The states of a law depend on those of another through the body only:
//! in each Newton step every contact eliminates its own states, so that a dense system remains, with the coordinates of the body.
//! A contact that sticks in a linear law is linear, and one Newton step solves it.
//!
//! A step keeps the modes of all laws. Where one of them ends, the step is repeated up to there (`events`), and the law changes it.

mod alone;
mod events;
mod one_step;
mod stage;

use super::contact::{BodyContact, ContactScales, LawModes, LawState, StageResponse};
use super::linear_body::{AlongAxes, LinearBody, dot};
use crate::domain::OPEN_FORCE;
use crate::integrate::SolverError;
use crate::integrate::step_limit::{EXCEEDED, MAX_RELAXATION, StepLimit, UNKNOWN, UNRESOLVED};
use crate::law::{Contact, MAX_EVENTS, MAX_STATES};
use crate::variable::MODES;
use crate::vector::Vector;

/// Diagonal coefficient: the root of γ³ − 3γ² + 3γ/2 − 1/6 in the middle.
const GAMMA: f64 = 0.435_866_521_508_459;
/// Nodes, over the step.
const NODES: [f64; 3] = [GAMMA, 0.5 * (1.0 + GAMMA), 1.0];
/// Weights of the rates; those of the last stage as well.
const WEIGHTS: [f64; 3] = [-1.5 * GAMMA * GAMMA + 4.0 * GAMMA - 0.25, 1.5 * GAMMA * GAMMA - 5.0 * GAMMA + 1.25, GAMMA];
/// Coefficients of the rates of earlier stages.
const COEFFICIENTS: [[f64; 2]; 3] = [[0.0, 0.0], [0.5 * (1.0 - GAMMA), 0.0], [WEIGHTS[0], WEIGHTS[1]]];
/// Weight of the second rate in the embedded method of order 2; that of the first is what is left to 1.
const EMBEDDED: f64 = (0.5 - GAMMA) / (0.5 * (1.0 - GAMMA));
/// Weights of the error estimate.
const ERROR_WEIGHTS: [f64; 3] = [WEIGHTS[0] - 1.0 + EMBEDDED, WEIGHTS[1] - EMBEDDED, GAMMA];
/// Tolerance of an inner step over that of the interval, as of the driver of the laws: errors of several inner steps add up.
const INNER_SHARE: f64 = 1.0;
/// Bounds of the factor from one step length to the next, and its safety.
const STEP_FACTORS: [f64; 3] = [0.1, 5.0, 0.85];
/// Lower bound on F_N over its maximum in the interval: laws divide by F_N.
const MIN_FORCE_SHARE: f64 = 1e-6;
/// Lower bound on the error scale of v, over the largest v in the interval, where F_s is negligible.
const RELATIVE_VELOCITY: f64 = 1e-3;
/// Rounding of a state, relative; and the error of a number near 0 that is rounding.
const ROUNDING: [f64; 2] = [1e-14, 1e-100];
/// Length of the first inner step over that of the interval at least, as in `ode`: the interval before may have been shorter still.
const SHORTEST: f64 = 1e-14;

/// Interval with everything that moves linearly over it, at both ends.
#[derive(Clone, Debug, Default)]
pub struct Interval {
    /// F_N of each contact, N.
    pub normal: Vec<[f64; 2]>,
    /// Second (N/s²) and third (N/s³) time derivative of F_N of each contact at the start. Several contacts follow the straight line alone.
    pub bend: Vec<[f64; 2]>,
    /// Velocity along each axis of each contact that is not the body's, m/s.
    pub offset: Vec<[f64; 2]>,
    /// a of each coordinate.
    pub load: Vec<[f64; 2]>,
    /// Length, s.
    pub duration: f64,
    /// Tolerance of F_R over F_s.
    pub tolerance: f64,
}

/// Coordinates of the body and states of the laws.
#[derive(Clone, Debug, Default)]
pub struct Motion {
    /// Coordinates of the body.
    pub y: Vec<f64>,
    /// States of each law.
    pub x: Vec<LawState>,
}

impl Motion {
    /// Adds a rate times this factor, with this many states of each law.
    fn add(&mut self, factor: f64, rate: &Motion, states: usize) {
        for (y, rate) in self.y.iter_mut().zip(&rate.y) {
            *y += factor * rate;
        }
        for (x, rate) in self.x.iter_mut().zip(&rate.x) {
            for k in 0..states {
                x[k] += factor * rate[k];
            }
        }
    }
}

/// Totals over an interval.
#[derive(Clone, Debug, Default)]
pub struct Totals {
    /// Integral of each coordinate.
    pub travel: Vec<f64>,
    /// Mean force of each contact, N.
    pub mean: Vec<Vector>,
    /// Friction loss of each contact, J.
    pub loss: Vec<f64>,
}

/// Integrator with its memory.
#[derive(Clone, Debug)]
pub struct Integrator {
    /// Interval to integrate.
    pub interval: Interval,
    /// Motion, from the start of the interval to its end.
    pub motion: Motion,
    /// Modes of each law, from the start of the interval to its end.
    pub modes: Vec<LawModes>,
    /// Totals over the interval.
    pub totals: Totals,
    /// Motion and modes at the start of the interval.
    start: Motion,
    start_modes: Vec<LawModes>,
    stages: [Stage; 3],
    base: Motion,
    responses: Vec<StageResponse>,
    scales: Vec<ContactScales>,
    matrix: Vec<f64>,
    change: Vec<f64>,
    /// Number of states of each law.
    states: usize,
    /// Error left by a Newton step over its change, as the last steps had it.
    contraction: f64,
    /// Event indicators of each contact at both ends of a bracket.
    indicators: [Vec<[f64; MAX_EVENTS]>; 2],
}

/// Motion, rates and forces of a stage.
#[derive(Clone, Debug)]
struct Stage {
    at: Motion,
    rate: Motion,
    force: Vec<Vector>,
}

impl Integrator {
    /// Integrator for this many contacts, with `axes` each, on a body with `size` coordinates.
    pub fn new(contacts: usize, size: usize, axes: usize) -> Self {
        let motion = || Motion { y: vec![0.0; size], x: vec![[0.0; MAX_STATES]; contacts] };
        let stage = || Stage { at: motion(), rate: motion(), force: vec![[0.0; 2]; contacts] };
        Integrator {
            interval: Interval {
                normal: vec![[0.0; 2]; contacts],
                bend: vec![[0.0; 2]; contacts],
                offset: vec![[0.0; 2]; contacts * axes],
                load: vec![[0.0; 2]; size],
                ..Interval::default()
            },
            motion: motion(),
            modes: vec![[0.0; MODES]; contacts],
            totals: Totals { travel: vec![0.0; size], mean: vec![[0.0; 2]; contacts], loss: vec![0.0; contacts] },
            start: motion(),
            start_modes: vec![[0.0; MODES]; contacts],
            stages: [stage(), stage(), stage()],
            base: motion(),
            responses: vec![StageResponse::ZERO; contacts],
            scales: vec![ContactScales { v: 1.0, x: [1.0; MAX_STATES], force: 0.0 }; contacts],
            matrix: vec![0.0; size * size],
            change: vec![0.0; size],
            states: 0,
            contraction: 1.0,
            indicators: [vec![[0.0; MAX_EVENTS]; contacts], vec![[0.0; MAX_EVENTS]; contacts]],
        }
    }

    /// Advances the motion over the interval; returns the number of inner steps. `first_step` (s) is kept from one interval to the next.
    pub fn advance<C: BodyContact + ?Sized>(
        &mut self,
        body: &LinearBody,
        contacts: &[Box<C>],
        first_step: &mut f64,
        limit: &mut StepLimit,
    ) -> Result<u32, SolverError> {
        match (body.axes, contacts) {
            (1, [_]) if body.size == 1 => self.advance_alone(AlongAxes::<1>(body), contacts, first_step, limit),
            (1, _) => self.advance_along(AlongAxes::<1>(body), contacts, first_step, limit),
            _ => self.advance_along(AlongAxes::<2>(body), contacts, first_step, limit),
        }
    }

    /// Advances as [`advance`](Self::advance), on contacts with `A` axes.
    fn advance_along<C: BodyContact + ?Sized, const A: usize>(
        &mut self,
        body: AlongAxes<'_, A>,
        contacts: &[Box<C>],
        first_step: &mut f64,
        limit: &mut StepLimit,
    ) -> Result<u32, SolverError> {
        let end = self.interval.duration;
        for totals in [&mut self.totals.travel, &mut self.totals.loss] {
            totals.fill(0.0);
        }
        self.totals.mean.fill([0.0; 2]);
        let (mut t, mut h) = (0.0, if *first_step > 0.0 { first_step.max(SHORTEST * end) } else { end });
        let (mut count, mut is_first, mut rejected) = (0, true, false);
        let has_modes = body.contacts() > 0 && contacts[0].has_modes();
        (self.states, self.contraction) = (contacts.first().map_or(0, |contact| contact.states()), 1.0);
        self.begin_open(body, contacts);
        if has_modes {
            self.handle_events(body, contacts, t);
        }
        self.note_start();
        let is_complete = loop {
            if limit.is_spent() {
                return Err(SolverError::TooManySteps { t, limit: limit.limit() });
            }
            count += 1;
            let relaxation = limit.count();
            let tolerance = (INNER_SHARE * self.interval.tolerance * relaxation).min(MAX_RELAXATION);
            let rest = end - t;
            let mut is_last = relaxation >= EXCEEDED || h >= rest * (1.0 - 1e-9);
            h = if is_last { rest } else { h.min(0.5 * rest) };
            self.set_scales(body, contacts, t);
            let error = self.attempt(body, contacts, [t, h], tolerance);
            let mut length = h;
            if has_modes && relaxation < EXCEEDED && error.is_some_and(|error| error < 1.0) {
                let (attempts, part) = self.locate_event(body, contacts, [t, h], tolerance, limit);
                count += attempts;
                if let Some(part) = part {
                    (length, is_last) = (part, is_last && part == h);
                }
            }
            let factor = error.map_or(0.25, |error| {
                (STEP_FACTORS[2] / libm::cbrt(error.max(1e-9))).clamp(STEP_FACTORS[0], STEP_FACTORS[1])
            });
            let Some(error) = error.filter(|error| *error < 1.0) else {
                if relaxation >= EXCEEDED {
                    limit.accept(UNKNOWN);
                    break false;
                }
                rejected = true;
                h *= factor.min(0.8);
                if t + h == t || h < f64::MIN_POSITIVE {
                    return Err(SolverError::StepTooSmall { t });
                }
                continue;
            };
            if relaxation > 1.0 {
                limit.accept(error * tolerance);
            }
            self.take_over(body, [t, length]);
            if has_modes && self.handle_events(body, contacts, t + length) && relaxation >= EXCEEDED {
                limit.accept(UNKNOWN);
            }
            let factor = if rejected { factor.min(1.0) } else { factor };
            if is_first {
                *first_step = (h * factor).min(f64::MAX);
            }
            if is_last {
                break true;
            }
            t += length;
            (is_first, rejected) = (false, false);
            h *= factor;
        };
        self.totals.mean.as_flattened_mut().iter_mut().for_each(|impulse| *impulse /= end);
        if limit.error() >= UNRESOLVED && !(is_complete && self.is_bounded(contacts)) {
            self.one_step(body, contacts);
        }
        for (i, law) in contacts.iter().enumerate() {
            if !is_open(self.interval.normal[i]) {
                continue;
            }
            let contact = Contact { F_N: 0.0, ..self.contact(body, i, end, &self.motion.y) };
            let (x, modes) = (&mut self.motion.x[i], &mut self.modes[i]);
            law.advance_open(contact, x, modes, end)?;
        }
        Ok(count)
    }

    /// Handles the opening of the contacts that close within the interval: they are open at its start, and forget their deflection.
    fn begin_open<C: BodyContact + ?Sized, const A: usize>(&mut self, body: AlongAxes<'_, A>, contacts: &[Box<C>]) {
        for (i, law) in contacts.iter().enumerate() {
            let [from, to] = self.interval.normal[i];
            if from > 0.0 || is_open([from, to]) {
                continue;
            }
            let contact = Contact { F_N: 0.0, ..self.contact(body, i, 0.0, &self.motion.y) };
            law.handle_events(contact, &mut self.motion.x[i], &mut self.modes[i]);
        }
    }

    /// Contact at a time of the interval, s, and body coordinates.
    fn contact<const A: usize>(&self, body: AlongAxes<'_, A>, contact: usize, t: f64, y: &[f64]) -> Contact {
        let Interval { normal, offset, duration, .. } = &self.interval;
        let (normal, share) = (normal[contact], t / duration);
        let floor = MIN_FORCE_SHARE * normal[0].max(normal[1]);
        let at = |[from, to]: [f64; 2]| from + (to - from) * share;
        let [v, v_y] = body.vector(contact, |row| dot(body.output(row), y) + at(offset[row]));
        Contact { v_y, ..Contact::new(at(normal).max(floor), v) }
    }

    fn load(&self, coordinate: usize, t: f64) -> f64 {
        let [from, to] = self.interval.load[coordinate];
        from + (to - from) * t / self.interval.duration
    }

    fn set_scales<C: BodyContact + ?Sized, const A: usize>(
        &mut self,
        body: AlongAxes<'_, A>,
        contacts: &[Box<C>],
        t: f64,
    ) {
        let duration = self.interval.duration;
        for (i, law) in contacts.iter().enumerate() {
            let contact = self.contact(body, i, t, &self.motion.y);
            let mut scales = law.scales(contact, &self.motion.x[i], duration);
            let own = body.mobility(i);
            let push = |end: usize, row: usize| -> f64 {
                body.output(row).iter().zip(&self.interval.load).map(|(c, load)| c * load[end]).sum::<f64>().abs()
            };
            let pushes: f64 = body.rows(i).map(|row| push(0, row).max(push(1, row))).iter().sum();
            let speed = contact.v.abs() + contact.v_y.abs() + pushes * duration;
            scales.v = scales.v.min(scales.force * duration * own).max(RELATIVE_VELOCITY * speed);
            self.scales[i] = scales;
        }
    }

    /// Computes the stages of a step of length `h` from `t` (s); the error over the tolerance, or `None` where a stage diverges.
    fn attempt<C: BodyContact + ?Sized, const A: usize>(
        &mut self,
        body: AlongAxes<'_, A>,
        contacts: &[Box<C>],
        [t, h]: [f64; 2],
        tolerance: f64,
    ) -> Option<f64> {
        for stage in 0..3 {
            self.solve_stage(body, contacts, stage, [t, h], tolerance)?;
        }
        let mut worst = 0.0_f64;
        let by = |rates: [f64; 3]| h * dot(&ERROR_WEIGHTS, &rates);
        let stages = &self.stages;
        self.change.iter_mut().enumerate().for_each(|(j, change)| {
            *change = by([0, 1, 2].map(|stage: usize| stages[stage].rate.y[j]));
        });
        for i in 0..body.contacts() {
            let ContactScales { v, x, .. } = self.scales[i];
            let at = self.contact(body, i, t, &self.motion.y);
            for (row, at) in body.rows(i).into_iter().zip([at.v, at.v_y]) {
                let error = dot(body.output(row), &self.change).abs();
                worst = worst.max(error / allowed(v, at, tolerance));
            }
            if is_open(self.interval.normal[i]) {
                continue;
            }
            for (k, scale) in x.iter().enumerate().take(self.states).filter(|(_, scale)| **scale < f64::MAX) {
                let error = by([0, 1, 2].map(|stage: usize| stages[stage].rate.x[i][k])).abs();
                worst = worst.max(error / allowed(*scale, self.motion.x[i][k], tolerance));
            }
        }
        worst.is_finite().then_some(worst)
    }

    /// Time derivatives of the coordinates of the body at the end of the interval.
    pub fn end_rates(&self) -> &[f64] {
        &self.stages[2].rate.y
    }

    /// Adds an accepted step to the totals, and makes its end the present motion.
    fn take_over<const A: usize>(&mut self, body: AlongAxes<'_, A>, [t, h]: [f64; 2]) {
        for (stage, (weight, node)) in WEIGHTS.into_iter().zip(NODES).enumerate() {
            for i in 0..self.totals.mean.len() {
                let Stage { at, force, .. } = &self.stages[stage];
                let Contact { v, v_y, .. } = self.contact(body, i, t + h * node, &at.y);
                for (axis, v) in [v, v_y].into_iter().enumerate().take(A) {
                    self.totals.mean[i][axis] += h * weight * force[i][axis];
                    self.totals.loss[i] += h * weight * force[i][axis] * v;
                }
            }
            for (travel, y) in self.totals.travel.iter_mut().zip(&self.stages[stage].at.y) {
                *travel += h * weight * y;
            }
        }
        self.motion.y.copy_from_slice(&self.stages[2].at.y);
        self.motion.x.copy_from_slice(&self.stages[2].at.x);
    }
}

/// Whether a contact is open throughout an interval.
fn is_open([from, to]: [f64; 2]) -> bool {
    from.max(to) <= OPEN_FORCE
}

/// Error that is allowed to a number with this scale.
fn allowed(scale: f64, value: f64, tolerance: f64) -> f64 {
    scale * tolerance + ROUNDING[0] * value.abs() + ROUNDING[1]
}

#[cfg(test)]
mod tests;
