//! Motions along a line, which the law along a line advances.

use crate::integrate::SolverError;
use crate::integrate::radau::Radau;
use crate::law::{Contact, InputTrajectory, Law, StepResult};
use crate::vector::{Vector, across, direction, dot, scaled, size};

/// Component across the line over the sum of all components, weighted as forces, up to which a motion counts as one along the line:
/// rounding of the rotation into the line and back. Larger: rotated inputs give visibly other forces; smaller: a straight motion is
/// integrated by the general integrator.
const STRAIGHT: f64 = 1e-14;

/// Line in the plane, by its direction.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Line {
    direction: Vector,
}

impl Line {
    /// Line along which all these vectors lie, each with the weight that makes it a force, where there is one; `scale` is a force that
    /// counts as large.
    #[inline]
    pub fn through(vectors: &[(Vector, f64)], scale: f64) -> Option<Self> {
        // Held inputs have derivatives without weight.
        let forces = || vectors.iter().filter(|(_, weight)| *weight != 0.0);
        let (mut longest, mut most, mut sum) = ([1.0, 0.0], 0.0, scale);
        for &(vector, weight) in forces() {
            let force = size(vector) * weight;
            sum += force;
            if force > most {
                (longest, most) = (vector, force);
            }
        }
        if !sum.is_finite() {
            return None;
        }
        let direction = if most > 0.0 { direction(longest, size(longest)) } else { longest };
        let is_straight =
            |&(vector, weight): &(Vector, f64)| across(direction, vector).abs() * weight <= STRAIGHT * sum;
        forces().all(is_straight).then_some(Line { direction })
    }

    /// Contact along the line.
    fn contact(&self, contact: Contact) -> Contact {
        Contact { v: dot(self.direction, [contact.v, contact.v_y]), v_y: 0.0, ..contact }
    }

    /// Advances states in the plane, of `M` vectors each, by the law along the line.
    #[inline]
    pub fn advance<L: Law<M, DiscreteState = ()>, const M: usize>(
        &self,
        law: &L,
        trajectory: &InputTrajectory,
        x: [&mut Vector; M],
        (duration, tolerance): (f64, f64),
        solver: &mut Radau,
    ) -> Result<StepResult, SolverError> {
        let derivatives = trajectory.derivatives.map(|derivatives| derivatives.map(|order| self.contact(order)));
        let along =
            InputTrajectory { start: self.contact(trajectory.start), derivatives: derivatives.as_ref(), delay: None };
        let mut states = core::array::from_fn(|i| dot(self.direction, *x[i]));
        let result = law.advance(&along, &mut states, &mut (), duration, tolerance, solver)?;
        for (x, state) in x.into_iter().zip(states) {
            *x = scaled(self.direction, state);
        }
        Ok(result)
    }
}

/// Velocity of a contact and its time derivatives, as vectors with the weight (N·s/m) that makes them forces over `duration` (s).
#[inline]
pub fn velocities(trajectory: &InputTrajectory, weight: f64, duration: f64) -> [(Vector, f64); 4] {
    let of = |contact: Contact| [contact.v, contact.v_y];
    let mut vectors = [(of(trajectory.start), weight); 4];
    let mut power = weight;
    for (i, vector) in vectors.iter_mut().enumerate().skip(1) {
        power *= duration / i as f64;
        *vector = trajectory.derivatives.map_or(([0.0; 2], 0.0), |orders| (of(orders[i - 1]), power));
    }
    vectors
}
