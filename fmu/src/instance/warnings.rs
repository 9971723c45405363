//! Warnings of an instance, each logged once.

use super::Instance;
use crate::fmi2_types::fmi2Status;
use bristle::coupling::F_LAW;
use bristle::element::{AnyElement, F_R_Y, Report};
use bristle::variable::Variable;

/// A force above so many times the static friction force is no overshoot of a damper any more;
/// published ones reach 1.6.
const FAR_BEYOND: f64 = 10.0;

/// Events in a row that are no coincidence any more: a contact that slides, sticks and slides again
/// has a handful.
const MANY_EVENTS: u32 = 100;

/// Warnings that were logged.
#[derive(Clone, Copy, Debug, Default)]
pub struct LoggedWarnings {
    /// The law leaves the range of its model.
    model: bool,
    /// An unstable law multiplies errors.
    force_error: bool,
    /// The limit of inner steps was met.
    step_limit: bool,
    /// The master's time is coarse.
    pub time: bool,
    /// The importer's solver passed a break-away.
    solver: bool,
    /// A contact was never closed.
    open: bool,
    /// Events followed each other without end.
    events: bool,
    /// Derivatives of an input that is held within a step.
    held_input: bool,
}

impl Instance {
    /// Logs once per cause that F_R may be off by more than the tolerance.
    #[cold]
    pub(super) fn warn_of_force_error(
        &mut self,
        time: f64,
        Report {
            force_error,
            limit_met,
            ..
        }: Report,
    ) -> fmi2Status {
        let warned = if limit_met {
            &mut self.logged.step_limit
        } else {
            &mut self.logged.force_error
        };
        if !core::mem::replace(warned, true) {
            let [cause, remedy] = if limit_met {
                [
                    "needs more inner steps than inner_steps_max at its tolerance, which was \
                     relaxed",
                    "raise inner_steps_max, relax the tolerance of fmi2SetupExperiment, or use a \
                     smaller step",
                ]
            } else {
                [
                    "multiplies every error of the law",
                    "choose parameters with which the law is stable, or a smaller step",
                ]
            };
            self.log.warning(&format!(
                "fmi2DoStep: the step from {time:?} s on {cause}, so that F_R at its end may be \
                 off by {force_error:.1e} of the static \
                 friction force, more than the tolerance; {remedy}; further steps like this \
                 return fmi2Warning without a sentence"
            ));
        }
        fmi2Status::fmi2Warning
    }

    /// Logs once that the master's time is coarse.
    #[cold]
    pub(super) fn warn_of_time(&mut self, time: f64) {
        self.logged.time = true;
        self.log.warning(&format!(
            "fmi2DoStep: currentCommunicationPoint = {time:?} s differs from the sum of the \
             steps, {:?} s, by more than rounding \
             in double precision; the element continues with the sum; keep time in double \
             precision",
            self.lifecycle.clock.sum
        ));
    }

    /// Logs once that derivatives of an input are not followed, because it is a parameter of the
    /// law.
    pub fn warn_of_held_input(&mut self, input: &Variable) {
        if !core::mem::replace(&mut self.logged.held_input, true) {
            self.log.warning(&format!(
                "fmi2SetRealInputDerivatives: {} is a parameter of the law, which the element's \
                 card made an input, or the torque of a gear; it is held \
                 within a step, whatever its derivatives",
                input.name
            ));
        }
    }

    /// Logs each message about a coming step of `step` (s) once.
    #[inline]
    pub(super) fn warn_of_step(&mut self, step: f64) {
        self.warn_of_model();
        if let Some((contact, text)) = self.assembly.coupling_message(step) {
            self.log.coupling(&self.variant.of_contact(contact, text));
        }
        if self.assembly.watch_contacts() {
            self.warn_of_open_contact();
        }
    }

    /// Logs that a contact moves and was never closed.
    #[cold]
    pub(super) fn warn_of_open_contact(&mut self) {
        if !self.logged.open
            && let Some((contact, text)) = self.assembly.open_warning()
        {
            self.logged.open = true;
            self.log.warning(&self.variant.of_contact(contact, text));
        }
    }

    /// Logs once where the law leaves the range of its model.
    #[inline]
    pub(super) fn warn_of_model(&mut self) {
        if !self.logged.model
            && let Some((contact, text)) = self.assembly.model_warning()
        {
            self.logged.model = true;
            self.log.warning(&self.variant.of_contact(contact, text));
        }
    }

    /// Logs once that events follow each other, with no solver's step without one in between.
    pub(super) fn warn_of_events(&mut self, in_a_row: u32) {
        if in_a_row >= MANY_EVENTS && !core::mem::replace(&mut self.logged.events, true) {
            self.log.warning(&format!(
                "fmi2NewDiscreteStates: {MANY_EVENTS} events in a row changed the sign or the \
                 branch of F_R; the likely causes: a body at rest under a \
                 law without stick, or an acceleration a that follows F_R at once; use a law that \
                 sticks, or feed a measured or filtered a"
            ));
        }
    }

    /// Logs once that a force is far above the static friction force: a solver that passed a
    /// break-away without its event.
    pub(super) fn warn_of_solver(&mut self) {
        if self.logged.solver {
            return;
        }
        let of_contact = |contact: &dyn AnyElement| {
            let values = contact.values();
            (
                values[&F_LAW].abs().max(values[&F_R_Y].abs()),
                contact.static_force(),
            )
        };
        let mut forces = self
            .assembly
            .contacts()
            .iter()
            .map(|contact| of_contact(&**contact));
        let Some((force, limit)) = forces.find(|(force, limit)| *force > FAR_BEYOND * limit) else {
            return;
        };
        self.logged.solver = true;
        self.log.warning(&format!(
            "fmi2CompletedIntegratorStep: F_R = {force:.3e} N is far above the static friction \
             force, {limit:.3e} N; the likely \
             cause is a step of the importer's solver that passed the break-away: let it stop at \
             event indicators, use error \
             control, or shorten its steps"
        ));
    }
}
