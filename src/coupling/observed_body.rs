//! Steps of a body with its contacts, while the master moves it under held forces.
//!
//! In each step, in the body's coordinates of unit mass and with the velocity v_n of the true body:
//!
//! 1. *load estimate*: A_n = (v_n − v_{n−1})/H + P, the mean external force of the last step, in
//!    which the master applied P;
//! 2. *corrector*: body and laws as one system over the last step under A_n, which changes at the
//!    rate λ (A_n − A_{n−1})/H. Its states v_s and x_s and those of the laws are the state of the
//!    observer; stick and slip are decided here;
//! 3. *predictor*: the same system from these states over the coming step, under A extrapolated at
//!    that rate. Its mean friction force is F_p;
//! 4. *output*: P_n = F_p + θ (v_n − v_s)/H + κ (x_n − x_s)/H². The feedback makes up for the
//!    impulse that the last force missed, so that the master's body tracks the observer. A small
//!    correction is deferred where it would lift |P_n| above F_s. It is distributed over the
//!    contacts in proportion to their static friction forces.
//!
//! A parallel master applies P one step later: the predictor then runs over two steps, in the first
//! of which the body still moves under the previous force, and A is smoothed.
//! docs/internals/coupling-theory.md has the stability of the scheme.

mod forces;

use super::contact::{BodyContact, ContactStart, ContactStep};
use super::coordinate::{Coordinate, LoadLimits};
use super::distribution::Distribution;
use super::integrator::Integrator;
use super::mobility::Mobility;
use super::monitor::{Doubt, LoadMonitor, WorkMonitor};
use super::observer::{BodyObserver, FirstSteps};
use super::response::{Response, ResponseMonitor};
use super::track::Track;
use crate::coupling::Coupling;
use crate::coupling::gains::{Gains, HORIZON_DECAY, TOLERANCE_RATIO};
use crate::integrate::step_limit::StepLimit;
use crate::integrate::{SolverError, flush};
use crate::law::{Contact, Input, later};
use crate::vector::{Vector, add, dot};

/// Inner steps of a step, and the estimated error of the laws' forces over F_s where their limit
/// was reached, else 0.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BodyReport {
    /// Inner steps.
    pub inner_steps: u32,
    /// Estimated error.
    pub force_error: f64,
}

/// Body with its contacts, and the memory of its steps.
#[derive(Clone, Debug)]
pub struct ObservedBody {
    mobility: Mobility,
    integrator: Integrator,
    starts: Vec<ContactStart>,
    steps: Vec<ContactStep>,
    /// Present coordinates of the master's body.
    now: Vec<f64>,
    /// Smoothed load now and its rate.
    loads: Vec<[f64; 2]>,
    distribution: Distribution,
    /// Difference of the coordinates and of the displacements, and force, in each coordinate.
    difference: Vec<f64>,
    lag: Vec<f64>,
    /// Limits of the load of each coordinate after the last step.
    limits: Vec<LoadLimits>,
    /// Response of each coordinate; no part of the observer, as it changes no result.
    responses: Vec<ResponseMonitor>,
    /// Load of each coordinate; no part of the observer either.
    swings: Vec<LoadMonitor>,
}

impl ObservedBody {
    /// Body of this mobility.
    pub fn new(mobility: Mobility) -> Self {
        let (n, size) = (mobility.contacts(), mobility.body.size);
        let none = ContactStart {
            contact: Contact::ZERO,
            acceleration: None,
            normal_rates: None,
            force: [0.0; 2],
            loss: 0.0,
            x: Default::default(),
            modes: Default::default(),
            stiffness: 0.0,
        };
        let step = ContactStep {
            duration: 0.0,
            applied: None,
            start: Contact::ZERO,
            start_x: none.x,
            start_modes: none.modes,
            end: Contact::ZERO,
            end_rate: Contact::ZERO,
            x: none.x,
            modes: none.modes,
            loss: 0.0,
        };
        ObservedBody {
            integrator: Integrator::new(n, size, mobility.body.axes),
            starts: vec![none; n],
            steps: vec![step; n],
            now: vec![0.0; size],
            loads: vec![[0.0; 2]; size],
            distribution: Distribution::new(n, size),
            difference: vec![0.0; size],
            lag: vec![0.0; size],
            limits: vec![LoadLimits::NONE; size],
            responses: vec![ResponseMonitor::default(); size],
            swings: vec![LoadMonitor::default(); size],
            mobility,
        }
    }

    /// Observer of this body that has not begun.
    pub fn observer(&self) -> BodyObserver {
        BodyObserver::off(self.mobility.body.size, self.mobility.contacts())
    }

    /// Whether the contacts are contacts in a plane.
    pub fn is_in_plane(&self) -> bool {
        self.mobility.body.axes == 2
    }

    /// Mass at a contact along a line when all contacts act at once, kg.
    pub fn mass_at(&self, contact: usize) -> f64 {
        self.mobility.mass_at(contact)
    }

    /// Order and inertia, over the body's, that the motion of a coordinate shows.
    pub fn response(&self) -> Option<Response> {
        self.responses
            .iter()
            .find_map(ResponseMonitor::response_under_loads)
    }

    /// The reason why the body does not follow this observer, if there is one.
    pub fn doubt(&self, observer: &BodyObserver) -> Option<Doubt> {
        let of_swings = || {
            let mut swings = self.swings.iter();
            swings.find_map(|swing| swing.doubt(observer.is_parallel()))
        };
        observer.doubt().or_else(of_swings)
    }

    /// Sets the mass (kg) or inertia (kg·m²) of a body with one contact, and converts an observer
    /// that belongs to another one; it begins again where the ratio of both is beyond the range of
    /// numbers.
    pub fn set_mass(&mut self, mass: f64, observer: &mut BodyObserver) {
        if mass != self.mass_at(0) {
            self.mobility.set_mass(mass);
        }
        if observer.set_mass(mass) {
            // The response of the other body is no response of this one.
            self.restart_monitors();
            if !observer.is_finite() {
                observer.end();
            }
        }
    }

    /// Corrects the observer up to the present communication point, predicts the coming step of
    /// `duration` (s), and gives each contact its force. After an error observer and contacts may
    /// have changed; the caller restores them.
    pub fn step<C: BodyContact + ?Sized>(
        &mut self,
        observer: &mut BodyObserver,
        contacts: &mut [Box<C>],
        coupling: Coupling,
        duration: f64,
        tolerance: f64,
        mut limit: StepLimit,
    ) -> Result<BodyReport, SolverError> {
        self.integrator.interval.tolerance = (TOLERANCE_RATIO * tolerance).min(1e-3);
        self.begin(observer, contacts, coupling);
        let [last, _] = observer.durations;
        let mut inner_steps = 0;
        for (start, track) in self.starts.iter_mut().zip(&observer.tracks) {
            // F_N is extrapolated from the last step by no more than it changed there, and to 0 at
            // most; not next to a loss of contact.
            let [now, before] = [start.contact.F_N, track.contact.F_N];
            let is_known = last > 0.0 && before > 0.0 && now > 0.0;
            let extrapolated = if is_known {
                ((now - before) / last.max(duration)).max(-now / duration)
            } else {
                0.0
            };
            start.normal_rates = Some(start.normal_rates.unwrap_or([extrapolated, 0.0, 0.0]));
        }
        if last > 0.0 {
            inner_steps += self.correct(observer, contacts, &mut limit)?;
        }
        let has_acceleration = self.has_acceleration();
        for ((loads, coordinate), limits) in self
            .loads
            .iter_mut()
            .zip(&observer.coordinates)
            .zip(&self.limits)
        {
            // At the middle of the last step, or at its end where the acceleration gives the load
            // there; both from now on.
            *loads = if has_acceleration {
                [
                    coordinate.smooth[0],
                    observer.end_rate(coordinate.smooth, duration),
                ]
            } else {
                let rate = limits.rate(observer.rate(coordinate.smooth, duration));
                let predicted = if observer.is_parallel() {
                    2.0 * duration
                } else {
                    duration
                };
                let [start, end] = [0.5 * last, 0.5 * last + predicted]
                    .map(|t| limits.load(coordinate.smooth[0] + rate * t));
                [start, (end - start) / predicted]
            };
        }
        observer.durations = [duration, last];
        observer.horizon = duration.max(observer.horizon - HORIZON_DECAY * duration);
        for (i, (start, track)) in self.starts.iter().zip(&mut observer.tracks).enumerate() {
            track.contact = start.contact;
            let of_body = self.mobility.body.velocity(i, &self.now);
            track.offset = add(velocity(start.contact), -1.0, of_body);
        }
        observer
            .coordinates
            .iter_mut()
            .zip(&self.now)
            .for_each(|(coordinate, now)| coordinate.now = *now);
        let are_closed = self.starts.iter().map(|start| !start.contact.is_open());
        self.distribution
            .release_open(&self.mobility.body, are_closed, &mut observer.coordinates);
        inner_steps += self.predict_and_apply(observer, contacts, duration, &mut limit)?;
        if !observer.is_finite() {
            return Err(SolverError::NotFinite);
        }
        for (contact, step) in contacts.iter_mut().zip(&self.steps) {
            contact.accept(step)?;
        }
        Ok(BodyReport {
            inner_steps,
            force_error: limit.error(),
        })
    }

    /// Whether all contacts have their accelerations as inputs.
    fn has_acceleration(&self) -> bool {
        self.starts.iter().all(|start| start.acceleration.is_some())
    }

    /// Reads the contacts, and begins the observer where it is none for this scheme.
    fn begin<C: BodyContact + ?Sized>(
        &mut self,
        observer: &mut BodyObserver,
        contacts: &[Box<C>],
        coupling: Coupling,
    ) {
        for (start, contact) in self.starts.iter_mut().zip(contacts) {
            *start = contact.start();
        }
        for (j, now) in self.now.iter_mut().enumerate() {
            *now = self.mobility.coordinate(
                j,
                along_axes(&self.starts, self.mobility.body.axes, |start| {
                    velocity(start.contact)
                }),
            );
        }
        if observer.coupling == Some(coupling) {
            for ((track, start), contact) in
                observer.tracks.iter_mut().zip(&self.starts).zip(contacts)
            {
                if track.stiffness != start.stiffness {
                    let factor = contact.deflection_factor(track.stiffness);
                    track.x[..self.mobility.body.axes]
                        .iter_mut()
                        .for_each(|z| *z *= factor);
                    track.stiffness = start.stiffness;
                }
            }
            return;
        }
        observer.coupling = Some(coupling);
        (observer.durations, observer.horizon) = ([0.0; 2], 0.0);
        observer.first_steps = FirstSteps::default();
        observer
            .tracks
            .iter_mut()
            .zip(&self.starts)
            .for_each(|(track, start)| *track = Track::of(start));
        self.limits.fill(LoadLimits::NONE);
        self.restart_monitors();
        observer.monitor = WorkMonitor::new(self.starts.iter().map(|start| start.loss).sum());
        for (j, (coordinate, now)) in observer.coordinates.iter_mut().zip(&self.now).enumerate() {
            let force: f64 = self
                .starts
                .iter()
                .enumerate()
                .map(|(i, start)| self.mobility.body.effect(i, j, start.force))
                .sum();
            *coordinate = Coordinate {
                now: *now,
                observed: *now,
                load: [force; 3],
                smooth: [force; 2],
                ..Coordinate::default()
            };
        }
    }

    /// Forgets what motion and load have shown.
    fn restart_monitors(&mut self) {
        self.responses.fill(ResponseMonitor::default());
        self.swings.fill(LoadMonitor::default());
    }

    /// Load estimate and corrector: advances the observer over the last step; returns the number of
    /// inner steps.
    fn correct<C: BodyContact + ?Sized>(
        &mut self,
        observer: &mut BodyObserver,
        contacts: &[Box<C>],
        limit: &mut StepLimit,
    ) -> Result<u32, SolverError> {
        let (body, has_acceleration) = (&self.mobility.body, self.has_acceleration());
        let used = usize::from(!observer.is_parallel());
        let [last, one_before] = observer.durations;
        let (ratio, share) = (last / one_before, last / observer.horizon);
        let Gains { beta, .. } = Gains::of(observer.scheme());
        let is_closed = self.starts.iter().all(|start| !start.contact.is_open());
        for (j, now) in self.now.iter().enumerate() {
            self.responses[j].add_velocity(*now, last);
            let force: f64 = observer
                .tracks
                .iter()
                .enumerate()
                .map(|(i, track)| body.effect(i, j, track.applied[used]))
                .sum();
            let mut coordinate = observer.coordinates[j];
            coordinate.measure(*now, force, last);
            let [smooth, _] = coordinate.smooth;
            coordinate.smooth = [smooth + beta * (coordinate.load[0] - smooth), smooth];
            let [load, load_before, _] = coordinate.load;
            let unit = coordinate.static_force;
            if is_closed && unit > 0.0 {
                let lag = coordinate.lag / (unit * last * last);
                self.swings[j].add((load - load_before) / unit, lag, share);
            } else {
                self.swings[j] = LoadMonitor::default();
            }
            let limits = coordinate.load_limits(last);
            self.limits[j] = limits;
            let rate = limits.rate(observer.rate([load, load_before], 0.0));
            let mut rise = limits.load(load + 0.5 * rate * last) - load;
            if has_acceleration {
                let acceleration = self.mobility.coordinate(
                    j,
                    along_axes(&self.starts, body.axes, |start| {
                        start.acceleration.unwrap_or_default()
                    }),
                );
                coordinate.smooth = [acceleration + force, smooth];
                rise = 0.5 * (acceleration + force - smooth);
            }
            observer.coordinates[j] = coordinate;
            let Coordinate { load, observed, .. } = coordinate;
            self.integrator.interval.load[j] = [load[0] - rise, 2.0 * rise / last, 0.0, 0.0, 0.0];
            self.integrator.motion.y[j] = observed;
        }
        let mut work = 0.0;
        for (i, (track, start)) in observer.tracks.iter_mut().zip(&self.starts).enumerate() {
            let done = 0.5 * power(track.applied[used], [track.contact, start.contact]) * last;
            track.work.work += done;
            track.normal_monitor.add(start.contact.F_N, ratio, share);
            work += done;
            let interval = &mut self.integrator.interval;
            let line = |from: f64, to: f64| [from, (to - from) / last, 0.0, 0.0];
            interval.normal[i] = line(track.contact.F_N.max(0.0), start.contact.F_N.max(0.0));
            let offset = add(velocity(start.contact), -1.0, body.velocity(i, &self.now));
            for (row, (from, to)) in body.rows(i).zip(track.offset.into_iter().zip(offset)) {
                interval.offset[row] = line(from, to);
            }
            self.integrator.motion.x[i] = track.x;
            self.integrator.modes[i] = track.modes;
        }
        observer.monitor.work += work;
        self.integrator.interval.duration = last;
        let first_step = &mut observer.first_steps.corrector;
        let inner_steps = self.integrator.advance(body, contacts, first_step, limit)?;
        let Integrator {
            motion,
            modes,
            totals,
            ..
        } = &self.integrator;
        for (i, track) in observer.tracks.iter_mut().enumerate() {
            track.loss += totals.loss[i];
            (track.x, track.modes) = (motion.x[i], modes[i]);
            flush(&mut track.x);
        }
        for (j, coordinate) in observer.coordinates.iter_mut().enumerate() {
            coordinate.observed = motion.y[j];
            coordinate.lag += 0.5 * last * (self.now[j] + coordinate.now) - totals.travel[j];
        }
        observer.monitor.compare(observer.loss(), share);
        Ok(inner_steps)
    }
}

/// F_N of a contact after a time (s), N, with its time derivatives up to order 3; at least 0.
fn normal_orders(start: &ContactStart, t: f64) -> Input {
    let [first, second, third] = start.normal_rates.unwrap_or_default();
    let [force, rates @ ..] = later(&[start.contact.F_N, first, second, third], t);
    let [first, second, third] = rates;
    [force.max(0.0), first, second, third]
}

/// F_N of a contact after a time (s), N; at least 0.
fn normal(start: &ContactStart, t: f64) -> f64 {
    let [force, ..] = normal_orders(start, t);
    force
}

/// Velocity of a contact, m/s.
fn velocity(contact: Contact) -> Vector {
    [contact.v, contact.v_y]
}

/// Velocities (m/s) or accelerations (m/s²) of all contacts along each of their axes.
fn along_axes<F: Fn(&ContactStart) -> Vector>(
    starts: &[ContactStart],
    axes: usize,
    of: F,
) -> impl Iterator<Item = f64> {
    starts
        .iter()
        .flat_map(move |start| of(start).into_iter().take(axes))
}

/// Sum of the powers of a force (N) at two contacts, W.
fn power(force: Vector, [from, to]: [Contact; 2]) -> f64 {
    dot(force, add(velocity(from), 1.0, velocity(to)))
}

#[cfg(test)]
mod tests;
