//! Memory of the steps of a contact on an elastic support: integrator and discretisations, which follow from the parameters.

use super::model::{Support, Transition};
use crate::coupling::shared::{BodyContact, Integrator, LawModes, LawState, LinearBody, OnlyContact};
use crate::integrate::SolverError;
use crate::integrate::step_limit::StepLimit;

/// Memory of the steps; no part of the state.
#[derive(Clone, Debug)]
pub struct SupportMemory {
    body: LinearBody,
    support: Support,
    integrator: Integrator,
    /// Last discretisation, with its step (s).
    transition: Option<(f64, Transition)>,
    /// Last gains, with their step (s).
    gains: Option<(f64, [f64; 4])>,
}

impl Default for SupportMemory {
    fn default() -> Self {
        let mut body =
            LinearBody { size: 4, axes: 1, rates: vec![0.0; 16], inputs: vec![0.0; 4], outputs: vec![0.0; 4] };
        // v_1 is the contact's velocity, and the rate of x_1.
        (body.outputs[1], body.rates[1]) = (1.0, 1.0);
        SupportMemory {
            body,
            support: Support::default(),
            integrator: Integrator::new(1, 4, 1),
            transition: None,
            gains: None,
        }
    }
}

impl SupportMemory {
    /// Takes over support and tolerance of F_R over F_s of a step.
    pub fn prepare(&mut self, support: Support, tolerance: f64) {
        self.integrator.interval.tolerance = tolerance;
        if self.support == support {
            return;
        }
        (self.support, self.transition, self.gains) = (support, None, None);
        let [first, second] = support.accelerations();
        self.body.rates[4..8].copy_from_slice(&first);
        self.body.rates[11] = f64::from(u8::from(!support.is_grounded()));
        self.body.rates[12..16].copy_from_slice(&second);
        self.body.inputs[1] = 1.0 / support.mass;
    }

    /// Exact discretisation over `h` (s).
    pub fn transition(&mut self, support: Support, h: f64) -> Transition {
        match self.transition {
            Some((known, transition)) if known == h => transition,
            _ => self.transition.insert((h, support.transition(h))).1,
        }
    }

    /// Gains over `h` (s).
    pub fn gains(&mut self, support: Support, h: f64) -> [f64; 4] {
        match self.gains {
            Some((known, gains)) if known == h => gains,
            _ => self.gains.insert((h, support.gains(h))).1,
        }
    }

    /// Starts from observed masses, and states and modes of the law.
    pub fn begin(&mut self, observed: &[f64; 4], x: &LawState, modes: LawModes) {
        self.integrator.modes[0] = modes;
        self.integrator.motion.y.copy_from_slice(observed);
        self.integrator.motion.x[0] = *x;
    }

    /// Advances masses and law under F_N (N) and a load (N) on the contact mass, which are linear over `duration` (s); returns the number of
    /// inner steps.
    pub fn advance<C: BodyContact + ?Sized>(
        &mut self,
        contact: &OnlyContact<C>,
        normal: [f64; 2],
        load: [f64; 2],
        duration: f64,
        first_step: &mut f64,
        limit: &mut StepLimit,
    ) -> Result<u32, SolverError> {
        let interval = &mut self.integrator.interval;
        interval.duration = duration;
        interval.normal[0] = normal;
        interval.load[1] = load.map(|load| load / self.support.mass);
        self.integrator.advance(&self.body, contact, first_step, limit)
    }

    /// Observed masses after an interval.
    pub fn observed(&self) -> [f64; 4] {
        core::array::from_fn(|i| self.integrator.motion.y[i])
    }

    /// States and modes of the law after an interval.
    pub fn law(&self) -> (LawState, LawModes) {
        (self.integrator.motion.x[0], self.integrator.modes[0])
    }

    /// Mean friction force over an interval, N.
    pub fn mean(&self) -> f64 {
        self.integrator.totals.mean[0][0]
    }

    /// Friction loss over an interval, J.
    pub fn loss(&self) -> f64 {
        self.integrator.totals.loss[0]
    }
}
