//! Block: a body that a contact slides on, as part of the law's system of equations.

use super::{Contact, InputTrajectory};
use crate::domain::OPEN_FORCE;
use crate::integrate::SolverError;
use crate::integrate::polynomial::{mean, taylor};
use crate::ode::{self, Linearised, State};
use core::array;

/// Change in a step over the error allowed up to which a block is at rest, 1. Larger: many steps at
/// rest add up; smaller: rest is integrated.
const STEADY: f64 = 1e-2;

/// Value of an input and its time derivatives of order 1 to 3 at the start of a step.
pub type Input = [f64; 4];

/// Block over a communication step: m dv/dt = F − F_R − k (x − x_base) − d (v − v_base), and its
/// contact slides at v − v_surface.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BlockStep {
    /// Length of the step, s.
    pub duration: f64,
    /// Mass m, kg.
    pub mass: f64,
    /// Spring and damper to the base.
    pub spring: Spring,
    /// Normal force, N.
    pub normal_force: Input,
    /// Applied force F, N.
    pub force: Input,
    /// Position of the base, m, and its time derivatives of order 1 to 4.
    pub x_base: [f64; 5],
    /// Velocity of the base, m/s.
    pub v_base: Input,
    /// Velocity of the counterface, m/s.
    pub v_surface: Input,
}

/// Spring and damper side by side: k and d, or the linear response of a contact.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Spring {
    /// Stiffness, N/m.
    pub stiffness: f64,
    /// Damping, N·s/m.
    pub damping: f64,
}

impl Spring {
    /// No spring and no damper.
    pub const NONE: Self = Spring {
        stiffness: 0.0,
        damping: 0.0,
    };

    /// Spring and damper that are this many times as stiff.
    #[inline]
    #[must_use]
    pub fn scaled(self, factor: f64) -> Self {
        Spring {
            stiffness: self.stiffness * factor,
            damping: self.damping * factor,
        }
    }
}

/// Motion of a block.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct BlockMotion {
    /// Position, m.
    pub x: f64,
    /// Velocity, m/s.
    pub v: f64,
}

impl BlockMotion {
    /// Motion in another unit of length.
    #[inline]
    #[must_use]
    pub fn scaled(self, factor: f64) -> Self {
        BlockMotion {
            x: self.x * factor,
            v: self.v * factor,
        }
    }
}

/// Totals of a block over a communication step, and what its equations have at the end.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct BlockResult {
    /// Work of friction, J.
    pub loss: f64,
    /// Integral of x over the step, m·s.
    pub travel: f64,
    /// Acceleration of the block at the end of the step, m/s².
    pub acceleration: f64,
    /// Inner steps, rejected ones included.
    pub inner_steps: u32,
}

impl BlockStep {
    /// Time in which F_s changes v by its error scale at most, s: results do not depend on the length
    /// of the communication step.
    pub const SCALE_TIME: f64 = 1e-3;
    /// Largest tolerance at which the error of F_R is held, 1: that of an element. An observer of the
    /// body has a larger one, because the error of the coupling exceeds it.
    pub const LARGEST_TOLERANCE: f64 = 1e-3;
    /// Relative change of v and x that counts as an error of 1: a tolerance of 1e-6 is 1e-9 of a fast
    /// motion.
    pub const RELATIVE: f64 = 1e-3;

    /// Force on the block but F_R after a time (s) of the step, N.
    #[inline(always)]
    pub fn push(&self, t: f64, motion: BlockMotion) -> f64 {
        let Spring { stiffness, damping } = self.spring;
        self.push_at_rest(t) - stiffness * motion.x - damping * motion.v
    }

    /// Force on the block but F_R after a time (s) of the step, if x and v are 0, N.
    #[inline(always)]
    pub fn push_at_rest(&self, t: f64) -> f64 {
        let Spring { stiffness, damping } = self.spring;
        taylor(&self.force, t)
            + stiffness * taylor(&self.x_base, t)
            + damping * taylor(&self.v_base, t)
    }

    /// Mean motion of the base over the step.
    pub fn mean_of_base(&self) -> BlockMotion {
        BlockMotion {
            x: mean(&self.x_base, self.duration),
            v: mean(&self.v_base, self.duration),
        }
    }

    /// Smaller normal force of start and end, and the largest one there and in the middle, N.
    pub fn normal_forces(&self) -> [f64; 2] {
        extremes(&self.normal_force, self.duration)
    }

    /// Whether the inputs are constant.
    pub fn is_held(&self) -> bool {
        let inputs = [
            &self.normal_force,
            &self.force,
            &self.v_base,
            &self.v_surface,
        ];
        inputs.into_iter().all(|input| input[1..] == [0.0; 3]) && self.x_base[1..] == [0.0; 4]
    }

    /// Whether an input is of higher than first order in time.
    pub fn is_curved(&self) -> bool {
        let inputs = [
            &self.normal_force,
            &self.force,
            &self.v_base,
            &self.v_surface,
        ];
        inputs.into_iter().any(|input| input[2..] != [0.0; 2]) || self.x_base[2..] != [0.0; 3]
    }

    /// The step along the contact of a rotational block: lengths are angles times the radius (m),
    /// forces torques over it.
    #[must_use]
    pub fn scaled(&self, radius: f64, inverse: f64) -> Self {
        let per_square = inverse * inverse;
        BlockStep {
            duration: self.duration,
            mass: self.mass * per_square,
            spring: self.spring.scaled(per_square),
            normal_force: self.normal_force,
            force: self.force.map(|force| force * inverse),
            x_base: self.x_base.map(|x| x * radius),
            v_base: self.v_base.map(|v| v * radius),
            v_surface: self.v_surface.map(|v| v * radius),
        }
    }

    /// Changes of x (m) and v (m/s) that count as an error of 1, where an error of v beyond
    /// `by_force` (m/s) counts for F_R. v counts at most what F_s (N) changes it by within the step
    /// or a millisecond, so that the motion is right as well; x counts the deflection (m) under F_s
    /// or that velocity over the step, at most F_s/k.
    #[inline(always)]
    pub fn scales(
        &self,
        static_force: f64,
        by_force: f64,
        deflection: f64,
        motion: BlockMotion,
        surface: f64,
    ) -> BlockMotion {
        let pushed = static_force * self.duration.min(Self::SCALE_TIME) / self.mass;
        let of_v = by_force.min(pushed.max(Self::RELATIVE * (motion.v.abs() + surface.abs())));
        let of_x = deflection
            .max(pushed * self.duration)
            .max(Self::RELATIVE * motion.x.abs());
        let stiffness = self.spring.stiffness;
        BlockMotion {
            x: if stiffness > 0.0 {
                of_x.min(static_force / stiffness)
            } else {
                of_x
            },
            v: of_v,
        }
    }

    /// Calls `advance` with each part of the step in which the contact is open, or closed,
    /// throughout, and with whether it is open.
    pub fn for_each_part(
        &self,
        mut advance: impl FnMut(&BlockStep, bool) -> Result<(), SolverError>,
    ) -> Result<(), SolverError> {
        let mut from = 0.0;
        while from < self.duration {
            let Openness { is_open, until: to } = openness(&self.normal_force, from, self.duration);
            advance(
                &if from == 0.0 && to == self.duration {
                    *self
                } else {
                    self.part(from, to)
                },
                is_open,
            )?;
            from = to;
        }
        Ok(())
    }

    /// The part of the step from one time to another, s.
    #[must_use]
    pub fn part(&self, from: f64, to: f64) -> Self {
        BlockStep {
            duration: to - from,
            normal_force: later(&self.normal_force, from),
            force: later(&self.force, from),
            x_base: later(&self.x_base, from),
            v_base: later(&self.v_base, from),
            v_surface: later(&self.v_surface, from),
            ..*self
        }
    }
}

/// Whether a motion under constant inputs, with these rates and error scales of z and u, rests: one
/// linear step of the implicit Euler method over all of the rest (s) changes nothing that counts.
/// It is taken then.
#[inline(always)]
pub fn rests<const D: usize>(
    f: &Linearised<D>,
    x: &mut State<D>,
    scale: &State<D>,
    rest: f64,
    tolerance: f64,
) -> bool {
    let change = ode::implicit_change(f, &x.u, rest);
    let rests = (0..D).all(|i| {
        let moved = (x.u[i].abs() + change[i].abs()) * rest;
        change[i].abs() <= STEADY * tolerance * scale.u[i]
            && moved <= STEADY * tolerance * scale.z[i]
    });
    for i in (0..D).filter(|_| rests) {
        x.u[i] += change[i];
        x.z[i] += rest * x.u[i];
    }
    rests
}

/// Smaller value of an input at start and end of a duration (s), and the largest one there and in
/// the middle.
pub fn extremes(input: &Input, duration: f64) -> [f64; 2] {
    let [start, middle, end] = [0.0, 0.5 * duration, duration].map(|t| taylor(input, t));
    [start.min(end), start.max(middle).max(end)]
}

/// Whether a contact is open, and until when.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Openness {
    /// Whether it is open.
    pub is_open: bool,
    /// Time up to which it stays open, or closed, s.
    pub until: f64,
}

/// Openness of a contact under this normal force from a time on (s), up to `duration` (s) at most.
pub fn openness(normal_force: &Input, from: f64, duration: f64) -> Openness {
    if normal_force[1..] == [0.0; 3] {
        return Openness {
            is_open: normal_force[0] <= OPEN_FORCE,
            until: duration,
        };
    }
    let of_order = |order: usize| Contact::new(normal_force[order], 0.0);
    let derivatives = array::from_fn(|i| of_order(i + 1));
    let trajectory = InputTrajectory {
        derivatives: Some(&derivatives),
        ..InputTrajectory::held(of_order(0))
    };
    let is_open = |to: f64, next: f64| taylor(normal_force, 0.5 * (to + next)) <= OPEN_FORCE;
    let mut breakpoints = trajectory
        .breakpoints(duration)
        .filter(|breakpoint| *breakpoint > from)
        .peekable();
    let mut until = breakpoints.next().unwrap_or(duration);
    let this = is_open(from, until);
    while let Some(next) =
        breakpoints.next_if(|next| *next <= until || is_open(until, *next) == this)
    {
        until = next;
    }
    Openness {
        is_open: this,
        until,
    }
}

/// Value and derivatives of a polynomial at a later time, s.
pub fn later<const N: usize>(input: &[f64; N], t: f64) -> [f64; N] {
    array::from_fn(|order| {
        let mut rest = [0.0; N];
        rest[..N - order].copy_from_slice(&input[order..]);
        taylor(&rest, t)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_and_means_are_those_of_the_polynomial() {
        // 1 + 2 t + 3 t²/2 + 4 t³/6, from 0.5 s on.
        let input = [1.0, 2.0, 3.0, 4.0];
        let expected = [
            2.0 + 3.0 / 8.0 + 4.0 / 48.0,
            2.0 + 1.5 + 0.5,
            3.0 + 2.0,
            4.0,
        ];
        for (found, expected) in later(&input, 0.5).into_iter().zip(expected) {
            assert!((found - expected).abs() < 1e-15);
        }
        let exact = 1.0 + 2.0 * 0.5 / 2.0 + 3.0 * 0.25 / 6.0 + 4.0 * 0.125 / 24.0;
        assert!((mean(&input, 0.5) - exact).abs() < 1e-15);
    }
}
