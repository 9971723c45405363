//! Block: a body that a contact slides on, as part of the law's system of equations.

use crate::integrate::polynomial::taylor;

/// Value of an input and its time derivatives of order 1 to 3 at the start of a step.
pub type Input = [f64; 4];

/// Block over a communication step: m dv/dt = F − F_R − k (x − x_base) − d (v − v_base), and its contact slides at v − v_surface.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BlockStep {
    /// Length of the step, s.
    pub duration: f64,
    /// Mass m, kg.
    pub mass: f64,
    /// Stiffness k, N/m, and damping d, N·s/m, of spring and damper to the base.
    pub spring: [f64; 2],
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

/// Motion of a block: its position x, m, and velocity v, m/s.
pub type BlockMotion = [f64; 2];

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
    /// Force on the block but F_R after a time (s) of the step, N.
    #[inline(always)]
    pub fn push(&self, t: f64, [x, v]: BlockMotion) -> f64 {
        let [k, d] = self.spring;
        self.push_at_rest(t) - k * x - d * v
    }

    /// Force on the block but F_R after a time (s) of the step, if x and v are 0, N.
    #[inline(always)]
    pub fn push_at_rest(&self, t: f64) -> f64 {
        let [k, d] = self.spring;
        taylor(&self.force, t) + k * taylor(&self.x_base, t) + d * taylor(&self.v_base, t)
    }

    /// Mean position (m) and velocity (m/s) of the base over the step.
    pub fn mean_of_base(&self) -> [f64; 2] {
        [mean(&self.x_base, self.duration), mean(&self.v_base, self.duration)]
    }

    /// Straight lines over the step, by their values at both ends: push on the block at x = v = 0 (N), velocity of the counterface (m/s) and normal
    /// force (N). Each has the mean of its input over the step.
    pub fn lines(&self) -> [[f64; 2]; 3] {
        let ends = [0.0, self.duration];
        let BlockStep { spring: [k, d], .. } = *self;
        let of = [
            ends.map(|t| self.push_at_rest(t)),
            ends.map(|t| taylor(&self.v_surface, t)),
            ends.map(|t| taylor(&self.normal_force, t)),
        ];
        if !self.is_curved() {
            return of;
        }
        let [x_base, v_base] = self.mean_of_base();
        let mean = |input: &Input| mean(input, self.duration);
        let means = [mean(&self.force) + k * x_base + d * v_base, mean(&self.v_surface), mean(&self.normal_force)];
        core::array::from_fn(|i| of[i].map(|end| end + means[i] - 0.5 * (of[i][0] + of[i][1])))
    }

    /// Whether the inputs are constant.
    pub fn is_held(&self) -> bool {
        let inputs = [&self.normal_force, &self.force, &self.v_base, &self.v_surface];
        inputs.into_iter().all(|input| input[1..] == [0.0; 3]) && self.x_base[1..] == [0.0; 4]
    }

    /// Whether an input is of higher than first order in time.
    pub fn is_curved(&self) -> bool {
        let inputs = [&self.normal_force, &self.force, &self.v_base, &self.v_surface];
        inputs.into_iter().any(|input| input[2..] != [0.0; 2]) || self.x_base[2..] != [0.0; 3]
    }

    /// The step along the contact of a rotational block: lengths are angles times the radius (m), forces torques over it.
    #[must_use]
    pub fn scaled(&self, radius: f64, inverse: f64) -> Self {
        let per_square = inverse * inverse;
        BlockStep {
            duration: self.duration,
            mass: self.mass * per_square,
            spring: self.spring.map(|constant| constant * per_square),
            normal_force: self.normal_force,
            force: self.force.map(|force| force * inverse),
            x_base: self.x_base.map(|x| x * radius),
            v_base: self.v_base.map(|v| v * radius),
            v_surface: self.v_surface.map(|v| v * radius),
        }
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

/// Value and derivatives of a polynomial at a later time, s.
fn later<const N: usize>(input: &[f64; N], t: f64) -> [f64; N] {
    core::array::from_fn(|order| {
        let mut rest = [0.0; N];
        rest[..N - order].copy_from_slice(&input[order..]);
        taylor(&rest, t)
    })
}

/// Mean of a polynomial from 0 to a time, s.
fn mean<const N: usize>(input: &[f64; N], t: f64) -> f64 {
    // The integral over t has one order more, and the factor 1/(n + 1)! in place of 1/n!.
    let (mut sum, mut power) = (0.0, 1.0);
    for (order, derivative) in input.iter().enumerate() {
        power /= (order + 1) as f64;
        sum += derivative * power;
        power *= t;
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_and_means_are_those_of_the_polynomial() {
        // 1 + 2 t + 3 t²/2 + 4 t³/6, from 0.5 s on.
        let input = [1.0, 2.0, 3.0, 4.0];
        let expected = [2.0 + 3.0 / 8.0 + 4.0 / 48.0, 2.0 + 1.5 + 0.5, 3.0 + 2.0, 4.0];
        for (found, expected) in later(&input, 0.5).into_iter().zip(expected) {
            assert!((found - expected).abs() < 1e-15);
        }
        let exact = 1.0 + 2.0 * 0.5 / 2.0 + 3.0 * 0.25 / 6.0 + 4.0 * 0.125 / 24.0;
        assert!((mean(&input, 0.5) - exact).abs() < 1e-15);
    }
}
