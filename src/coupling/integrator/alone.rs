//! A body with one contact along a line: a block without a spring, which [`ode`](crate::ode) integrates together with the law.

use super::super::contact::BodyContact;
use super::super::linear_body::AlongAxes;
use super::{Integrator, Interval, Motion};
use crate::integrate::SolverError;
use crate::integrate::memory::Memory;
use crate::integrate::step_limit::{StepLimit, UNRESOLVED};
use crate::law::BlockStep;

/// Tolerance with one contact over that of the interval: `ode` takes a tenth of it for an inner step. The grades of `cargo xtask coupling` are
/// those of 1, and a body in stick takes a quarter less time.
const OF_ONE_CONTACT: f64 = 30.0;

impl Integrator {
    /// Advances as [`advance`](Self::advance) with one contact along a line: body and law are a block without a spring.
    pub(super) fn advance_alone<C: BodyContact + ?Sized>(
        &mut self,
        body: AlongAxes<'_, 1>,
        contacts: &[Box<C>],
        first_step: &mut f64,
        limit: &mut StepLimit,
    ) -> Result<u32, SolverError> {
        self.begin_open(body, contacts);
        self.note_start();
        let Interval { duration, .. } = self.interval;
        let tolerance = OF_ONE_CONTACT * self.interval.tolerance;
        let (input, output) = (body.input(0)[0], body.output(0)[0]);
        let line = |[from, to]: [f64; 2]| [from, (to - from) / duration, 0.0, 0.0];
        let ([second, third], [from, rise, ..]) = (self.interval.bend[0], line(self.interval.normal[0]));
        let rise = rise - duration * (second / 2.0 + third * duration / 6.0);
        let step = BlockStep {
            duration,
            mass: 1.0 / (input * output),
            spring: [0.0; 2],
            normal_force: [from, rise, second, third],
            force: line(self.interval.load[0]).map(|load| load / input),
            x_base: [0.0; 5],
            v_base: [0.0; 4],
            v_surface: line(self.interval.offset[0]).map(|v| -v),
        };
        let Motion { y, x } = &mut self.motion;
        let start = output * y[0];
        let mut motion = [0.0, start];
        let mut memory = Memory { first_step: *first_step, limit: *limit };
        let modes = &mut self.modes[0];
        let done = contacts[0].advance_on_block(&step, &mut motion, &mut x[0], modes, tolerance, &mut memory)?;
        (*first_step, *limit) = (memory.first_step, memory.limit);
        let [travel, v] = motion;
        y[0] = v / output;
        self.stages[2].rate.y[0] = done.acceleration / output;
        self.totals.travel[0] = travel / output;
        self.totals.loss[0] = done.loss;
        let [from, to] = self.interval.load[0];
        self.totals.mean[0] = [0.5 * (from + to) / input - step.mass * (v - start) / duration, 0.0];
        if limit.error() >= UNRESOLVED || limit.error() > 0.0 && !self.is_bounded(contacts) {
            self.one_step(body, contacts);
        }
        Ok(done.inner_steps)
    }
}
