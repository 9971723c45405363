//! On-demand outputs: the mean force of the last step, the derivatives of its result with respect
//! to the inputs, and the longest step.

use super::lever::Lever;
use super::{Element, MIN_TOLERANCE};
use crate::coupling::{
    Coupling, DF_R_DF_N, DF_R_DV, F_R_MEAN, F_R_X_MEAN, F_R_Y_MEAN, H_MAX, M_EFF, longest_steps,
};
use crate::domain::REST_SPEED;
use crate::integrate::SolverError;
use crate::integrate::extrema::larger;
use crate::integrate::quadrature::{self, Allowed, max_panels, min_error_share};
use crate::law::{
    Contact, DiscreteState, Evaluation, F_N, InputTrajectory, Law, MAX_INPUT_DERIVATIVE_ORDER,
    MAX_STATES, Numerics, Spring, quasi_static_response, static_force,
};
use crate::saved_state::{Reader, SavedState, Writer};
use crate::variable::{MODES, Values, Variable};
use crate::vector::{Vector, scaled};

/// Increment of the central differences of a step, over the change that changes F_R by about F_s:
/// the error by curvature is about its square, that by the tolerance [`MIN_TOLERANCE`] over it,
/// 1e-6.
const DIFFERENCE: f64 = 1e-4;

/// Error of a mean force in the plane over the tolerance relative to F_s, as of the quadratures of
/// a step (docs/internals/numerics.md).
const MEAN_ERROR: f64 = 10.0;

/// Start of the last step, from which it can be repeated with other inputs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LastStep {
    /// Length of the step, s; 0 before the first.
    pub duration: f64,
    /// Contact at the start of the step with its time derivatives; `None` where it was held.
    pub trajectory: Option<(Contact, [Contact; MAX_INPUT_DERIVATIVE_ORDER])>,
    /// States of the law at the start of the step.
    pub states: [f64; MAX_STATES],
    /// Modes of the law at the start of the step.
    pub modes: [f64; MODES],
}

impl LastStep {
    /// No step yet.
    pub const NONE: LastStep = LastStep {
        duration: 0.0,
        trajectory: None,
        states: [0.0; MAX_STATES],
        modes: [0.0; MODES],
    };
}

impl SavedState for LastStep {
    fn write(&self, writer: &mut Writer) {
        let LastStep {
            duration,
            trajectory,
            states,
            modes,
        } = self;
        duration.write(writer);
        trajectory.is_some().write(writer);
        let (start, derivatives) = trajectory.unwrap_or_default();
        start.write(writer);
        derivatives.write(writer);
        states.write(writer);
        modes.write(writer);
    }

    fn read(reader: &mut Reader) -> Option<Self> {
        let duration = reader.at_least_zero()?;
        let has_trajectory = bool::read(reader)?;
        let trajectory = (
            Contact::read(reader)?,
            <[Contact; MAX_INPUT_DERIVATIVE_ORDER]>::read(reader)?,
        );
        Some(LastStep {
            duration,
            trajectory: has_trajectory.then_some(trajectory),
            states: SavedState::read(reader)?,
            modes: SavedState::read(reader)?,
        })
    }
}

impl<L: Law<N>, const N: usize> Element<L, N> {
    /// Output of the last step that is calculated on demand.
    pub(super) fn on_demand(&self, variable: &Variable) -> Result<f64, SolverError> {
        let radius = self.lever.radius;
        let value = if L::METADATA.planar {
            self.mean_in_plane(variable)?
        } else if !L::METADATA.is_coupled() {
            0.0
        } else if variable.is(&H_MAX) {
            self.longest_step()
        } else if self.now.last_step.duration == 0.0 {
            0.0
        } else if variable.is(&F_R_MEAN) {
            self.mean_force()? * radius
        } else if variable.is(&DF_R_DV) {
            self.derivative_by_velocity()? * (radius * radius)
        } else if variable.is(&DF_R_DF_N) {
            self.derivative_by_normal_force()? * radius
        } else {
            0.0
        };
        if value.is_finite() {
            Ok(value)
        } else {
            Err(SolverError::NotFinite)
        }
    }

    /// Longest stable step of a coupling with held values in the present state, s; 0 without a
    /// mass.
    fn longest_step(&self) -> f64 {
        Self::longest_step_of(&self.law, self.now.end, &self.now.values)
    }

    /// Longest stable step of a coupling with held values of a law in the state of these values, s;
    /// 0 without a mass.
    pub(super) fn longest_step_of(law: &L, contact: Contact, values: &Values) -> f64 {
        let Lever { inverse, .. } = Lever::of(values);
        let mass = values[&M_EFF] * (inverse * inverse);
        if mass == 0.0 {
            return 0.0;
        }
        let (x, discrete) = (Self::states_in(values), L::DiscreteState::read(values));
        let response = quasi_static_response(law, contact, &x, &discrete);
        longest_steps(response, mass).of(Coupling::of(values))
    }

    /// Response of the closed contact at rest to displacement and velocity.
    pub(super) fn law_at_rest(&self) -> Spring {
        let [rest, moving] = [0.0, REST_SPEED].map(|v| Contact::new(self.now.values[&F_N], v));
        if N == 0 {
            // The slope of the chord, which a jump is part of.
            let force = self
                .law
                .evaluate(moving, &[0.0; N], &L::DiscreteState::initial(moving))
                .F_R;
            return Spring {
                stiffness: 0.0,
                damping: force / REST_SPEED,
            };
        }
        quasi_static_response(&self.law, rest, &[0.0; N], &L::DiscreteState::initial(rest))
    }

    /// Contact at the start of the last step, and its time derivatives where they are not 0.
    fn last_step_trajectory(&self) -> (Contact, Option<[Contact; MAX_INPUT_DERIVATIVE_ORDER]>) {
        let held = [Contact::ZERO; MAX_INPUT_DERIVATIVE_ORDER];
        let (start, derivatives) = self
            .now
            .last_step
            .trajectory
            .unwrap_or((self.now.end, held));
        (start, (derivatives != held).then_some(derivatives))
    }

    /// States and modes at the start of the last step.
    fn last_step_states(&self) -> ([f64; N], L::DiscreteState) {
        let LastStep { states, modes, .. } = self.now.last_step;
        (
            core::array::from_fn(|i| states[i]),
            L::DiscreteState::read(&Values::of_modes(&modes)),
        )
    }

    /// Mean force of the last step, N.
    pub(super) fn mean_force(&self) -> Result<f64, SolverError> {
        let (start, derivatives) = self.last_step_trajectory();
        let trajectory = InputTrajectory {
            start,
            derivatives: derivatives.as_ref(),
            delay: None,
        };
        let ((mut x, mut discrete), mut solver) = (self.last_step_states(), self.solver());
        let (law, duration) = (&self.law, self.now.last_step.duration);
        let tolerance = self.now.tolerance;
        let done = law.advance(
            &trajectory,
            &mut x,
            &mut discrete,
            duration,
            tolerance,
            &mut solver,
        )?;
        Ok(done.impulse / duration)
    }

    /// Component of the mean force of the last step of a law in the plane, N; 0 for another
    /// variable, and before the first step.
    pub(super) fn mean_in_plane(&self, variable: &Variable) -> Result<f64, SolverError> {
        let Some(axis) = [F_R_X_MEAN, F_R_Y_MEAN]
            .iter()
            .position(|mean| variable.is(mean))
        else {
            return Ok(0.0);
        };
        if self.now.last_step.duration == 0.0 {
            Ok(0.0)
        } else {
            Ok(self.mean_vector()?[axis])
        }
    }

    /// Mean force of the last step of a law in the plane, N. A step in the plane has no impulse of
    /// its own: the force at each node of an adaptive quadrature is that of the step repeated up to
    /// there.
    fn mean_vector(&self) -> Result<Vector, SolverError> {
        let (start, derivatives) = self.last_step_trajectory();
        let trajectory = InputTrajectory {
            start,
            derivatives: derivatives.as_ref(),
            delay: None,
        };
        let (law, duration, tolerance) =
            (&self.law, self.now.last_step.duration, self.now.tolerance);
        let mut force = |t: f64| {
            let ((mut x, mut discrete), mut solver) = (self.last_step_states(), self.solver());
            if t > 0.0 {
                law.advance(
                    &trajectory,
                    &mut x,
                    &mut discrete,
                    t,
                    tolerance,
                    &mut solver,
                )?;
            }
            let Evaluation {
                F_R: along,
                F_R_y: across,
                ..
            } = law.evaluate(trajectory.at(t), &x, &discrete);
            Ok([along, across])
        };
        let static_force = larger(
            static_force(law, start.F_N),
            static_force(law, trajectory.at(duration).F_N),
        );
        mean_of(
            &mut force,
            duration,
            tolerance,
            MEAN_ERROR * tolerance * static_force,
        )
    }

    /// Force of the law at the end of the last step, repeated with another contact at its start, N.
    fn end_force(&self, start: Contact) -> Result<f64, SolverError> {
        let (_, derivatives) = self.last_step_trajectory();
        let trajectory = InputTrajectory {
            start,
            derivatives: derivatives.as_ref(),
            delay: None,
        };
        let ((mut x, mut discrete), mut solver) = (self.last_step_states(), self.now.solver);
        let (law, duration) = (&self.law, self.now.last_step.duration);
        law.advance(
            &trajectory,
            &mut x,
            &mut discrete,
            duration,
            MIN_TOLERANCE,
            &mut solver,
        )?;
        Ok(law.evaluate(trajectory.at(duration), &x, &discrete).F_R)
    }

    /// Derivative of the law's force at the end of the last step with respect to a change of v over
    /// all of it, N·s/m.
    pub(super) fn derivative_by_velocity(&self) -> Result<f64, SolverError> {
        let ((start, _), (x, _)) = (self.last_step_trajectory(), self.last_step_states());
        let Numerics {
            scale,
            velocity_scale,
            ..
        } = self.law.numerics(start, &x, 0.0);
        let deflection = scale.first().copied().unwrap_or(f64::INFINITY);
        let scale = velocity_scale.min(deflection / self.now.last_step.duration);
        self.difference(start, DIFFERENCE * scale, |d| Contact {
            v: start.v + d,
            ..start
        })
    }

    /// Derivative of the law's force at the end of the last step with respect to a change of F_N
    /// over all of it.
    pub(super) fn derivative_by_normal_force(&self) -> Result<f64, SolverError> {
        let (start, _) = self.last_step_trajectory();
        self.difference(start, DIFFERENCE * start.F_N, |d| Contact {
            F_N: start.F_N + d,
            ..start
        })
    }

    /// Central difference quotient of [`end_force`](Self::end_force) with the increment `d`; 0
    /// where the contact is open or nearly so.
    fn difference(
        &self,
        start: Contact,
        d: f64,
        changed: impl Fn(f64) -> Contact,
    ) -> Result<f64, SolverError> {
        if start.is_open() || !d.is_normal() {
            return Ok(0.0);
        }
        Ok((self.end_force(changed(d))? - self.end_force(changed(-d))?) / (2.0 * d))
    }
}

/// Mean over `duration` (s) of a force that is known at any time, N, within `error` (N); not
/// generic, so that all laws share its code.
fn mean_of(
    force: &mut dyn FnMut(f64) -> Result<Vector, SolverError>,
    duration: f64,
    tolerance: f64,
    error: f64,
) -> Result<Vector, SolverError> {
    let ends = [force(0.0)?, force(duration)?];
    let mut panels = max_panels(tolerance);
    let allowed = Allowed {
        errors: || [error * duration; 2],
        whole: duration,
        min_share: min_error_share(tolerance),
    };
    let mut outcome = Ok(());
    let impulse = quadrature::integrate(0.0, duration, ends, allowed, &mut panels, |t| {
        force(t).unwrap_or_else(|error| {
            outcome = Err(error);
            [0.0; 2]
        })
    });
    outcome.map(|()| scaled(impulse, 1.0 / duration))
}
