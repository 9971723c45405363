//! Distribution of a force in the body's coordinates among its contacts.

use super::coordinate::Coordinate;
use super::linear_body::{LinearBody, dot};
use crate::integrate::linear::solve_dense;
use crate::vector::Vector;

/// Regularisation of the distribution of a correction, over its mean diagonal: a direction in which
/// no contact has a force gets none.
const REGULARISATION: f64 = 1e-9;

/// Weights of the contacts, and the force in the body's coordinates.
#[derive(Clone, Debug)]
pub struct Distribution {
    /// Weight of each contact.
    pub weights: Vec<f64>,
    /// Force in each coordinate; after [`solve`](Self::solve) the solution of the normal equations.
    pub solution: Vec<f64>,
    matrix: Vec<f64>,
}

impl Distribution {
    /// Distribution among this many contacts of a body with `size` coordinates.
    pub fn new(contacts: usize, size: usize) -> Self {
        Distribution {
            weights: vec![0.0; contacts],
            solution: vec![0.0; size],
            matrix: vec![0.0; size * size],
        }
    }

    /// Part of a contact, after [`solve`](Self::solve).
    pub fn force(&self, body: &LinearBody, contact: usize) -> Vector {
        body.vector(contact, |row| {
            self.weights[contact] * dot(body.input(row), &self.solution)
        })
    }

    /// Solves (Bᵀ D B) z = f with the contacts' weights D and the force f in `solution`, which
    /// becomes z.
    pub fn solve(&mut self, body: &LinearBody) {
        let size = body.size;
        self.matrix.fill(0.0);
        for (i, weight) in self.weights.iter().enumerate() {
            for input in body.rows(i).map(|row| body.input(row)) {
                for (j, g) in input.iter().enumerate() {
                    for (k, other) in input.iter().enumerate() {
                        self.matrix[j * size + k] += weight * g * other;
                    }
                }
            }
        }
        let trace: f64 = (0..size).map(|j| self.matrix[j * size + j]).sum();
        if trace <= 0.0 {
            self.solution.fill(0.0);
            return;
        }
        (0..size).for_each(|j| self.matrix[j * size + j] += REGULARISATION * trace);
        solve_dense(&mut self.matrix, &mut self.solution);
    }

    /// Sets the observer to the body in the directions in which no closed contact acts.
    pub fn release_open(
        &mut self,
        body: &LinearBody,
        are_closed: impl Iterator<Item = bool>,
        coordinates: &mut [Coordinate],
    ) {
        for (weight, is_closed) in self.weights.iter_mut().zip(are_closed) {
            *weight = f64::from(u8::from(is_closed));
        }
        if self.weights.iter().all(|weight| *weight == 1.0) {
            return;
        }
        for of_lag in [false, true] {
            for (force, coordinate) in self.solution.iter_mut().zip(coordinates.iter()) {
                *force = if of_lag {
                    coordinate.lag
                } else {
                    coordinate.now - coordinate.observed
                };
            }
            self.solve(body);
            for (j, coordinate) in coordinates.iter_mut().enumerate() {
                let kept: f64 = (0..self.weights.len())
                    .map(|i| body.effect(i, j, self.force(body, i)))
                    .sum();
                if of_lag {
                    coordinate.lag = kept;
                } else {
                    coordinate.observed = coordinate.now - kept;
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two contacts on a body with two coordinates, whose first input has components of either
    /// sign.
    fn body() -> LinearBody {
        let inputs = vec![1.0, -2.0, 0.0, 1.0];
        LinearBody {
            size: 2,
            outputs: inputs.clone(),
            inputs,
            ..LinearBody::default()
        }
    }

    /// Forces of the contacts with these weights for a force in the body's coordinates, and the
    /// force that they add up to.
    fn distribute(weights: [f64; 2], force: [f64; 2]) -> [[f64; 2]; 2] {
        let body = body();
        let mut distribution = Distribution::new(2, 2);
        distribution.weights.copy_from_slice(&weights);
        distribution.solution.copy_from_slice(&force);
        distribution.solve(&body);
        let forces = [0, 1].map(|i| distribution.force(&body, i)[0]);
        [
            forces,
            [0, 1].map(|j| forces[0] * body.input(0)[j] + forces[1] * body.input(1)[j]),
        ]
    }

    #[test]
    fn forces_of_the_contacts_add_up_to_that_of_the_body() {
        for weights in [[3.0, 0.5], [1.0, 1.0], [0.1, 20.0]] {
            let [_, sum] = distribute(weights, [3.0, -1.0]);
            let error = (sum[0] - 3.0).abs().max((sum[1] + 1.0).abs());
            assert!(error < 1e-5, "{weights:?}: {sum:?}");
        }
    }

    #[test]
    fn contact_without_weight_has_no_force_and_a_direction_without_contact_gets_none() {
        let [forces, _] = distribute([1.0, 0.0], [1.0, -2.0]);
        assert!(
            (forces[0] - 1.0).abs() < 1e-6 && forces[1] == 0.0,
            "{forces:?}"
        );
        // Normal to the input of the only contact.
        let [forces, _] = distribute([1.0, 0.0], [2.0, 1.0]);
        assert!(forces[0].abs() < 1e-6 && forces[1] == 0.0, "{forces:?}");
        assert_eq!(distribute([0.0; 2], [2.0, 1.0]), [[0.0; 2]; 2]);
    }

    #[test]
    fn body_has_as_many_contacts_as_inputs() {
        assert_eq!(
            [body().contacts(), LinearBody::default().contacts()],
            [2, 0]
        );
    }
}
