//! A body with one contact along a line: a block without a spring, which [`ode`](crate::ode)
//! integrates together with the law.

use super::super::contact::BodyContact;
use super::super::linear_body::LinearBody;
use super::{Integrator, Interval, Motion};
use crate::integrate::SolverError;
use crate::integrate::memory::Memory;
use crate::integrate::polynomial::mean;
use crate::law::{BlockMotion, BlockStep, Spring};

/// Tolerance with one contact over that of the interval: `ode` takes a tenth of it for an inner
/// step. The grades of `cargo xtask coupling` are those of 1, and a body in stick takes a quarter
/// less time.
const OF_ONE_CONTACT: f64 = 30.0;

impl Integrator {
    /// Advances as [`advance`](Self::advance) with one contact along a line: body and law are a
    /// block without a spring.
    pub(super) fn advance_alone<C: BodyContact + ?Sized>(
        &mut self,
        body: &LinearBody,
        contact: &C,
        memory: &mut Memory,
    ) -> Result<u32, SolverError> {
        let Interval {
            normal,
            offset,
            load,
            duration,
            tolerance,
        } = &self.interval;
        let (input, output) = (body.input(0)[0], body.output(0)[0]);
        let [force, first, second, third, _] = load[0];
        let step = BlockStep {
            duration: *duration,
            mass: 1.0 / (input * output),
            spring: Spring::NONE,
            normal_force: normal[0],
            force: [force, first, second, third].map(|load| load / input),
            x_base: [0.0; 5],
            v_base: [0.0; 4],
            v_surface: offset[0].map(|v| -v),
        };
        let Motion { y, x } = &mut self.motion;
        let start = output * y[0];
        let mut motion = BlockMotion { x: 0.0, v: start };
        let (x, modes) = (&mut x[0], &mut self.modes[0]);
        let done = contact.advance_on_block(
            &step,
            &mut motion,
            x,
            modes,
            OF_ONE_CONTACT * tolerance,
            memory,
        )?;
        let BlockMotion { x: travel, v } = motion;
        y[0] = v / output;
        self.end_rates[0] = done.acceleration / output;
        self.totals.travel[0] = travel / output;
        self.totals.loss[0] = done.loss;
        self.totals.mean[0] = [
            mean(&step.force, *duration) - step.mass * (v - start) / duration,
            0.0,
        ];
        Ok(done.inner_steps)
    }
}
