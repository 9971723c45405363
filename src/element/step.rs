//! A communication step under given inputs: calculated first, then taken, so that several contacts can make a step all or none.

use super::lever::Lever;
use super::{AnyElement, E_LOSS, Element, Report, Snapshot, V};
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
    /// Second component of the force of a law in the plane, N.
    pub second_force: f64,
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
        let (evaluation, second_force) = if L::PLANAR {
            law.evaluate_in_plane(contact, &x, &discrete)
        } else {
            (law.evaluate(contact, &x, &discrete), 0.0)
        };
        let mut power = evaluation.F_R * contact.v;
        if L::PLANAR {
            power += second_force * contact.v_y;
        }
        // A sum with an infinite term or NaN is not finite; a sum of finite numbers that overflows counts as well.
        let mut known = evaluation.F_R.abs() + power.abs() + energy.abs();
        if !L::METADATA.inputs.is_empty() {
            // A lever may have taken finite inputs beyond the range of numbers; those of all laws are factors of the power.
            known += contact.a.abs() + contact.F_t.abs();
        }
        let sum = x.iter().chain(&evaluation.rate).fold(known, |sum, x| sum + x.abs());
        if !sum.is_finite() {
            return Err(SolverError::NotFinite);
        }
        Ok(Point { ends, x, discrete, energy, evaluation, second_force, power })
    }
}

/// Step that was calculated and not yet taken.
pub(super) struct LawStep<L: Law<N>, const N: usize> {
    duration: f64,
    end: Point<L, N>,
    /// First inner step of the next communication step, s.
    first_step: f64,
}

impl<L: Law<N>, const N: usize> Element<L, N> {
    /// Advances the law under the inputs, without a body observer.
    #[inline]
    pub(super) fn advance_law(&mut self, duration: f64) -> Result<Report, SolverError> {
        let (step, report) = self.calculate(duration)?;
        Self::take(&mut self.now, &self.body.law, self.lever, &step);
        Ok(report)
    }

    /// Calculates a step of the law under the inputs, and leaves the element unchanged.
    #[inline(always)]
    fn calculate(&self, duration: f64) -> Result<(LawStep<L, N>, Report), SolverError> {
        let trajectory = self.trajectory();
        let ends = if trajectory.is_held() {
            [trajectory.start, Contact::ZERO]
        } else {
            [trajectory.at(duration), trajectory.derivative_at(duration)]
        };
        if trajectory.derivatives.is_some() && !ends.iter().all(Contact::is_finite) {
            return Err(SolverError::NotFinite);
        }
        let (mut x, mut discrete, mut solver) =
            (Self::flushed_states(&self.now.values), self.discrete(), self.solver());
        let advance =
            self.body.law.advance(&trajectory, &mut x, &mut discrete, duration, self.now.tolerance, &mut solver)?;
        let end = Point::new(&self.body.law, ends, x, discrete, self.now.values[&E_LOSS] + advance.loss)?;
        let force_error = advance.force_error + solver.limit.error();
        let limit_met = force_error > 0.0 && solver.limit.left() < advance.inner_steps;
        let report = Report { inner_steps: advance.inner_steps, force_error, limit_met };
        Ok((LawStep { duration, end, first_step: solver.first_step }, report))
    }

    /// Takes a calculated step.
    #[inline(always)]
    fn take(now: &mut Snapshot, law: &L, lever: Lever, step: &LawStep<L, N>) {
        if L::COUPLED {
            let states = Self::flushed_states(&now.values);
            let last_step = &mut now.last_step;
            last_step.duration = step.duration;
            last_step.states[..N].copy_from_slice(&states);
            if !L::METADATA.modes.is_empty() {
                last_step.modes = now.values.modes();
            }
            last_step.trajectory = None;
            if let Some(derivatives) = now.derivatives {
                last_step.trajectory = Some((Self::start_contact(&now.values, lever), derivatives));
            }
            now.observer = None;
        }
        Self::show(now, lever, &step.end);
        Self::record_velocity(now, law, lever);
        now.advance_time(step.duration);
        now.solver.first_step = step.first_step;
        now.derivatives = None;
    }

    /// Adds the present velocity to the history of a law with a delay.
    pub(super) fn record_velocity(now: &mut Snapshot, law: &L, lever: Lever) {
        if let (Some(history), Some(delay)) = (&mut now.history, law.delay()) {
            history.add(now.time, now.values[&V] * lever.radius, delay);
        }
    }

    /// [`AnyElement::prepare`](super::AnyElement::prepare).
    #[inline]
    pub(super) fn prepare_step(&mut self, duration: f64, before: &mut Snapshot) -> Result<Report, SolverError> {
        if L::COUPLED && self.is_coupled {
            before.clone_from(&self.now);
            self.prepared = None;
            return self.advance_coupled(duration);
        }
        let (step, report) = self.calculate(duration)?;
        self.prepared = Some(step);
        Ok(report)
    }

    /// [`AnyElement::commit`](super::AnyElement::commit).
    #[inline]
    pub(super) fn commit_step(&mut self) {
        if let Some(step) = &self.prepared {
            Self::take(&mut self.now, &self.body.law, self.lever, step);
            self.prepared = None;
        }
    }

    /// [`AnyElement::cancel`](super::AnyElement::cancel).
    pub(super) fn cancel_step(&mut self, before: &Snapshot) {
        if self.prepared.take().is_none() {
            self.restore(before);
        }
    }
}
