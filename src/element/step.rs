//! A communication step under given inputs.

use super::lever::Lever;
use super::{E_LOSS, Element, Report, Snapshot, V};
use crate::integrate::SolverError;
use crate::law::{Contact, Evaluation, Law};

/// Point of a law's motion: contact, states and modes with the outputs there, all of them finite.
pub(super) struct Point<L: Law<N>, const N: usize> {
    /// Contact, and its time derivative.
    pub ends: [Contact; 2],
    pub x: [f64; N],
    pub discrete: L::DiscreteState,
    /// E_loss, J.
    pub energy: f64,
    pub evaluation: Evaluation<N>,
    /// Power of the friction force, W.
    pub power: f64,
}

impl<L: Law<N>, const N: usize> Point<L, N> {
    /// Evaluates the law; an error where a number is not finite.
    #[inline(always)] // runs at the end of every step, with a dozen numbers in registers
    pub fn new(
        law: &L,
        ends: [Contact; 2],
        x: [f64; N],
        discrete: L::DiscreteState,
        energy: f64,
    ) -> Result<Self, SolverError> {
        let [contact, _] = ends;
        let evaluation = law.evaluate(contact, &x, &discrete);
        let mut power = evaluation.F_R * contact.v;
        if L::METADATA.planar {
            power += evaluation.F_R_y * contact.v_y;
        }
        // A sum with an infinite term or NaN is not finite; a sum of finite numbers that overflows
        // counts as well.
        let mut known = evaluation.F_R.abs() + power.abs() + energy.abs();
        if !L::METADATA.inputs.is_empty() {
            // A lever may have taken finite inputs beyond the range of numbers; those of all laws
            // are factors of the power.
            known += contact.a.abs() + contact.F_t.abs();
        }
        let sum = x
            .iter()
            .chain(&evaluation.rate)
            .fold(known, |sum, x| sum + x.abs());
        if !sum.is_finite() {
            return Err(SolverError::NotFinite);
        }
        Ok(Point {
            ends,
            x,
            discrete,
            energy,
            evaluation,
            power,
        })
    }
}

impl<L: Law<N>, const N: usize> Element<L, N> {
    /// Advances the states by `duration` (s), and calculates the outputs at the end.
    #[inline]
    pub(super) fn advance_law(&mut self, duration: f64) -> Result<Report, SolverError> {
        let trajectory = self.trajectory();
        let ends = if trajectory.is_held() {
            [trajectory.start, Contact::ZERO]
        } else {
            [trajectory.at(duration), trajectory.derivative_at(duration)]
        };
        if trajectory.derivatives.is_some() && !ends.iter().all(Contact::is_finite) {
            return Err(SolverError::NotFinite);
        }
        let start = Self::flushed_states(&self.now.values);
        let (mut x, mut discrete, mut solver) = (start, self.discrete(), self.solver());
        let advance = self.law.advance(
            &trajectory,
            &mut x,
            &mut discrete,
            duration,
            self.now.tolerance,
            &mut solver,
        )?;
        let end = Point::new(
            &self.law,
            ends,
            x,
            discrete,
            self.now.values[&E_LOSS] + advance.loss,
        )?;
        let force_error = advance.force_error + solver.limit.error();
        let limit_met = force_error > 0.0 && solver.limit.left() < advance.inner_steps;
        if L::METADATA.is_coupled() || L::METADATA.planar {
            self.note_step(duration, &start);
        }
        Self::show(&mut self.now, self.lever, &end);
        Self::record_velocity(&mut self.now, self.lever);
        self.now.advance_time(duration);
        self.now.solver.first_step = solver.first_step;
        self.now.derivatives = None;
        Ok(Report {
            inner_steps: advance.inner_steps,
            force_error,
            limit_met,
        })
    }

    /// Notes the start of a step, with these states.
    #[inline(always)]
    fn note_step(&mut self, duration: f64, start: &[f64; N]) {
        let now = &mut self.now;
        now.last_step.duration = duration;
        now.last_step.states[..N].copy_from_slice(start);
        if !L::METADATA.modes.is_empty() {
            now.last_step.modes = now.values.modes();
        }
        let derivatives = now.derivatives;
        now.last_step.trajectory = derivatives
            .map(|derivatives| (Self::start_contact(&now.values, self.lever), derivatives));
    }

    /// Adds the present velocity to the history of a law with a delay.
    pub(super) fn record_velocity(now: &mut Snapshot, lever: Lever) {
        if let (Some(history), Some(delay)) = (&mut now.history, L::METADATA.delay) {
            history.add(now.time, now.values[&V] * lever.radius, now.values[&delay]);
        }
    }
}
