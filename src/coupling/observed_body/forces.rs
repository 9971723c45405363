//! Prediction of a step, and the forces to apply in it.

use super::super::contact::{BodyContact, ContactStep};
use super::super::gains::{Gains, StaticForces, corrected, corrected_in_plane, recent_peak};
use super::super::observer::BodyObserver;
use super::{ObservedBody, normal, normal_orders, power};
use crate::integrate::SolverError;
use crate::integrate::step_limit::StepLimit;
use crate::law::Contact;
use crate::vector::{add, size};

impl ObservedBody {
    /// Predicts the coming step and the forces to apply; returns the number of inner steps.
    pub(super) fn predict_and_apply<C: BodyContact + ?Sized>(
        &mut self,
        observer: &mut BodyObserver,
        contacts: &[Box<C>],
        duration: f64,
        limit: &mut StepLimit,
    ) -> Result<u32, SolverError> {
        let is_parallel = observer.is_parallel();
        let Gains { theta, kappa, .. } = Gains::of(observer.scheme());
        let n = contacts.len();
        for (j, coordinate) in observer.coordinates.iter().enumerate() {
            self.integrator.motion.y[j] = coordinate.observed;
            self.difference[j] = self.now[j] - coordinate.observed;
            self.lag[j] = coordinate.lag;
        }
        for (i, track) in observer.tracks.iter().enumerate() {
            self.integrator.motion.x[i] = track.x;
            self.integrator.modes[i] = track.modes;
        }
        let mut inner_steps = self.predict(observer, contacts, 0.0, duration, limit)?;
        for i in 0..n {
            let (track, start) = (&mut observer.tracks[i], &self.starts[i]);
            let motion = &self.integrator.motion;
            track.mean = self.integrator.totals.mean[i];
            let body = &self.mobility.body;
            let [v, v_y] = add(body.velocity(i, &motion.y), 1.0, track.offset);
            let [v_rate, v_y_rate] = body.velocity(i, &self.integrator.end_rates);
            let [_, normal_rate, ..] = normal_orders(start, duration);
            let normal_rate = if start.contact.is_open() {
                0.0
            } else {
                normal_rate
            };
            self.steps[i] = ContactStep {
                duration,
                applied: Some(track.mean),
                start: start.contact,
                start_x: track.x,
                start_modes: track.modes,
                end: Contact {
                    v_y,
                    ..Contact::new(normal(start, duration), v)
                },
                end_rate: Contact {
                    v_y: v_y_rate,
                    ..Contact::new(normal_rate, v_rate)
                },
                x: motion.x[i],
                modes: self.integrator.modes[i],
                loss: 0.0,
            };
        }
        if is_parallel {
            for j in 0..self.now.len() {
                let force: f64 = observer
                    .tracks
                    .iter()
                    .enumerate()
                    .map(|(i, track)| self.mobility.body.effect(i, j, track.applied[1]))
                    .sum();
                let [load, rate] = self.loads[j];
                let next = self.now[j] + (load + rate * 0.5 * duration - force) * duration;
                self.lag[j] +=
                    0.5 * duration * (self.now[j] + next) - self.integrator.totals.travel[j];
                self.difference[j] = next - self.integrator.motion.y[j];
                // From here on the body's coordinates at the end of the step.
                self.now[j] = next;
            }
            inner_steps += self.predict(observer, contacts, duration, duration, limit)?;
            for (step, mean) in self.steps.iter_mut().zip(&self.integrator.totals.mean) {
                step.applied = Some(*mean);
            }
        }
        let horizon = observer.horizon;
        for j in 0..self.now.len() {
            self.distribution.solution[j] =
                (theta * self.difference[j] + kappa * self.lag[j] / horizon) / horizon;
        }
        for (i, (start, contact)) in self.starts.iter().zip(contacts).enumerate() {
            let largest = start.contact.F_N.max(normal(start, duration));
            let force = contact.static_force_under(largest);
            self.distribution.weights[i] = if start.contact.is_open() {
                0.0
            } else if force < f64::MAX {
                force
            } else {
                largest
            };
        }
        self.distribution.solve(&self.mobility.body);
        self.apply(observer, contacts, duration);
        Ok(inner_steps)
    }

    /// Predicts the interval of `duration` (s) that begins `from` (s) after the present, from the
    /// integrator's motion on.
    fn predict<C: BodyContact + ?Sized>(
        &mut self,
        observer: &mut BodyObserver,
        contacts: &[Box<C>],
        from: f64,
        duration: f64,
        limit: &mut StepLimit,
    ) -> Result<u32, SolverError> {
        let interval = &mut self.integrator.interval;
        for (i, (start, track)) in self.starts.iter().zip(&observer.tracks).enumerate() {
            interval.normal[i] = if start.contact.is_open() {
                [0.0; 4]
            } else {
                normal_orders(start, from)
            };
            for (row, offset) in self.mobility.body.rows(i).zip(track.offset) {
                interval.offset[row] = [offset, 0.0, 0.0, 0.0];
            }
        }
        for ([load, rate], at) in self.loads.iter().zip(&mut interval.load) {
            *at = [load + rate * from, *rate, 0.0, 0.0, 0.0];
        }
        interval.duration = duration;
        let mut first_step = observer.first_steps.predictor;
        let inner_steps =
            self.integrator
                .advance(&self.mobility.body, contacts, &mut first_step, limit)?;
        if from == 0.0 {
            observer.first_steps.predictor = first_step;
        }
        Ok(inner_steps)
    }

    /// Adds each contact's part of the correction, within its bounds, and sets the monitors.
    fn apply<C: BodyContact + ?Sized>(
        &mut self,
        observer: &mut BodyObserver,
        contacts: &[Box<C>],
        duration: f64,
    ) {
        let (body, horizon, is_parallel) = (
            &self.mobility.body,
            observer.horizon,
            observer.is_parallel(),
        );
        let share = (duration / horizon).min(1.0);
        let late = Gains::of(observer.scheme()).lateness * horizon;
        let mut whole = 0.0;
        self.difference.fill(0.0);
        self.lag.fill(0.0);
        for (i, contact) in contacts.iter().enumerate() {
            let (start, track, step) =
                (&self.starts[i], &mut observer.tracks[i], &mut self.steps[i]);
            let correction = self.distribution.force(body, i);
            let largest = start.contact.F_N.max(normal(start, duration));
            track.normal_peak = recent_peak(track.normal_peak, largest, share);
            let static_force = |normal: f64| contact.static_force_under(normal.max(0.0));
            let bounds = StaticForces {
                step: static_force(largest),
                recent: static_force(track.normal_peak),
            };
            let predicted = step.applied.unwrap_or_default();
            let applied = match body.axes {
                _ if start.contact.is_open() => [0.0; 2],
                1 => [corrected(predicted[0], correction[0], bounds), 0.0],
                _ => corrected_in_plane(predicted, correction, bounds),
            };
            step.applied = Some(applied);
            let used = if is_parallel {
                track.applied[1]
            } else {
                applied
            };
            let mut end = step.end;
            if is_parallel {
                [end.v, end.v_y] = add(body.velocity(i, &self.now), 1.0, track.offset);
            }
            step.loss = track.work.work + 0.5 * power(used, [start.contact, end]) * duration;
            track.applied = [track.applied[1], applied];
            let static_force = if bounds.recent < f64::MAX {
                bounds.recent
            } else {
                0.0
            };
            track
                .work
                .begin(static_force * static_force * body.mobility(i) * late * late);
            for (j, (difference, lag)) in self.difference.iter_mut().zip(&mut self.lag).enumerate()
            {
                *difference += size(body.vector(i, |row| body.input(row)[j])) * static_force;
                *lag += body.effect(i, j, applied);
            }
        }
        for (j, coordinate) in observer.coordinates.iter_mut().enumerate() {
            coordinate.static_force = self.difference[j];
            whole += self.difference[j] * self.difference[j];
            self.responses[j].add_force(self.lag[j], self.difference[j]);
        }
        observer.monitor.begin(whole * late * late);
    }
}
