//! Bodies inside an element: coordinates with inertia, gears, springs and contacts between them.
//!
//! Coordinates are free, or geared to free ones: q_i = Σ r_ij p_j. Springs and contacts have a row
//! of factors each, of the change of their length by those of coordinates and of bases, whose
//! motion is prescribed. With the inertias m, M = Σ m_i r_i r_iᵀ, and
//! M p″ = Σ r_i F_i − Σ r_s (k_s e_s + d_s e_s′) − Σ c F_R for the lengths e of the springs.

use super::linear_body::LinearBody;
use crate::law::{Input, Spring};

/// Row of a spring or a contact.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Row {
    /// Factors of the coordinates.
    pub coordinates: Vec<f64>,
    /// Factors of the bases.
    pub bases: Vec<f64>,
}

/// Geometry of the bodies. All rows of coordinates are over free ones.
#[derive(Clone, Debug, PartialEq)]
pub struct Structure {
    /// Coordinates that are free.
    pub free: Vec<usize>,
    /// Row of each coordinate: a unit vector of a free one.
    pub coordinates: Vec<Vec<f64>>,
    /// Row of each spring, for its length.
    pub springs: Vec<Row>,
    /// Springs with a gap, which press at times.
    pub gaps: Vec<usize>,
    /// Row of each axis of each contact, for its slip.
    pub contacts: Vec<Row>,
    /// Number of axes of each contact: 1 along a line, 2 in a plane.
    pub axes: usize,
}

/// Motion of a base over a step.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Base {
    /// Position, m, with time derivatives of order 1 to 4.
    pub x: [f64; 5],
    /// Velocity, m/s, with time derivatives of order 1 to 3.
    pub v: Input,
}

/// Bodies with their parameters.
#[derive(Clone, Debug)]
pub struct Mechanism {
    /// Geometry.
    pub structure: Structure,
    /// Inertia of each coordinate, kg, and each spring with its damper.
    masses: Vec<f64>,
    springs: Vec<Spring>,
    /// Factors L D Lᵀ of M, row by row.
    factors: Vec<f64>,
    /// Memory for a force on each free coordinate.
    force: Vec<f64>,
    /// Bodies as the integrator has them, in positions and velocities of the free coordinates.
    pub body: LinearBody,
}

impl Mechanism {
    /// Bodies with these inertias (kg or kg·m²; above 0 of a free coordinate) and springs.
    pub fn new(structure: Structure, masses: &[f64], springs: &[Spring]) -> Self {
        let (free, rows) = (structure.free.len(), structure.contacts.len());
        let size = 2 * free;
        let mut mechanism = Mechanism {
            masses: masses.to_vec(),
            springs: springs.to_vec(),
            factors: vec![0.0; free * free],
            force: vec![0.0; free],
            body: LinearBody {
                size,
                axes: structure.axes,
                inputs: vec![0.0; size * rows],
                outputs: vec![0.0; size * rows],
                own: vec![0.0; size * size],
                roots: vec![0.0; free],
            },
            structure,
        };
        mechanism.calculate();
        mechanism
    }

    /// Sets inertias and springs, where one of them is another.
    pub fn set(
        &mut self,
        masses: impl Iterator<Item = f64> + Clone,
        springs: impl Iterator<Item = Spring> + Clone,
    ) {
        let is_known = self.masses.iter().copied().eq(masses.clone())
            && self.springs.iter().copied().eq(springs.clone());
        if is_known {
            return;
        }
        self.masses
            .iter_mut()
            .zip(masses)
            .for_each(|(m, new)| *m = new);
        self.springs
            .iter_mut()
            .zip(springs)
            .for_each(|(s, new)| *s = new);
        self.calculate();
    }

    /// Calculates everything that follows from inertias and springs.
    fn calculate(&mut self) {
        let n = self.structure.free.len();
        self.factorise();
        let LinearBody { size, .. } = self.body;
        let mut body = core::mem::take(&mut self.body);
        body.own.fill(0.0);
        (0..n).for_each(|j| body.own[j * size + n + j] = 1.0);
        // Column by column: the accelerations by a unit of one coordinate, and of its velocity.
        let mut force = core::mem::take(&mut self.force);
        for column in 0..n {
            for (half, of) in [(0, Part::Stiffness), (n, Part::Damping)] {
                force.fill(0.0);
                for (row, spring) in self.permanent() {
                    let pull = of.of(*spring) * row.coordinates[column];
                    add_row(&mut force, -pull, &row.coordinates);
                }
                self.solve(&mut force);
                for (j, force) in force.iter().enumerate() {
                    body.own[(n + j) * size + half + column] = *force;
                }
            }
        }
        for (i, row) in self.structure.contacts.iter().enumerate() {
            force.copy_from_slice(&row.coordinates);
            self.solve(&mut force);
            body.inputs[i * size + n..][..n].copy_from_slice(&force);
            body.outputs[i * size + n..][..n].copy_from_slice(&row.coordinates);
        }
        (self.body, self.force) = (body, force);
    }

    /// Factorises M; it is positive definite, as the inertias of free coordinates are positive.
    fn factorise(&mut self) {
        let n = self.structure.free.len();
        self.factors.fill(0.0);
        for (row, mass) in self.structure.coordinates.iter().zip(&self.masses) {
            for i in 0..n {
                for j in 0..n {
                    self.factors[i * n + j] += mass * row[i] * row[j];
                }
            }
        }
        for (j, root) in self.body.roots.iter_mut().enumerate() {
            *root = self.factors[j * n + j].sqrt();
        }
        let m = &mut self.factors;
        for p in 0..n {
            for i in p + 1..n {
                let factor = m[i * n + p] / m[p * n + p];
                for j in p + 1..=i {
                    m[i * n + j] -= factor * m[j * n + p];
                }
            }
            (p + 1..n).for_each(|i| m[i * n + p] /= m[p * n + p]);
        }
    }

    /// Accelerations of the free coordinates under these forces (N), in their place.
    pub fn solve(&self, force: &mut [f64]) {
        let (n, m) = (self.structure.free.len(), &self.factors);
        for i in 0..n {
            for j in 0..i {
                force[i] -= m[i * n + j] * force[j];
            }
        }
        for i in (0..n).rev() {
            force[i] /= m[i * n + i];
            for j in i + 1..n {
                force[i] -= m[j * n + i] * force[j];
            }
        }
    }

    /// Springs without a gap, with their rows.
    fn permanent(&self) -> impl Iterator<Item = (&Row, &Spring)> {
        let Structure { springs, gaps, .. } = &self.structure;
        let all = springs.iter().zip(&self.springs).enumerate();
        all.filter(|(s, _)| !gaps.contains(s)).map(|(_, both)| both)
    }

    /// Spring with its damper.
    pub fn spring(&self, spring: usize) -> Spring {
        self.springs[spring]
    }

    /// Accelerations of the free coordinates over a step that do not depend on the motion, with
    /// their time derivatives of order 1 to 4: of `loads` (N) on the coordinates and of bases.
    pub fn loads(
        &mut self,
        loads: impl Fn(usize) -> Input,
        base: impl Fn(usize) -> Base,
        accelerations: &mut [[f64; 5]],
    ) {
        let mut force = core::mem::take(&mut self.force);
        for order in 0..5 {
            force.fill(0.0);
            for (i, row) in self.structure.coordinates.iter().enumerate() {
                let load = loads(i).get(order).copied().unwrap_or(0.0);
                add_row(&mut force, load, row);
            }
            for (row, spring) in self.permanent() {
                for (b, factor) in row.bases.iter().enumerate() {
                    let Base { x, v } = base(b);
                    let v = v.get(order).copied().unwrap_or(0.0);
                    let pull = factor * (spring.stiffness * x[order] + spring.damping * v);
                    add_row(&mut force, -pull, &row.coordinates);
                }
            }
            self.solve(&mut force);
            for (acceleration, force) in accelerations.iter_mut().zip(&force) {
                acceleration[order] = *force;
            }
        }
        self.force = force;
    }
}

impl Structure {
    /// Value of a coordinate from those of the coordinates that are free.
    pub fn coordinate(&self, coordinate: usize, of: impl Fn(usize) -> f64) -> f64 {
        let row = self.coordinates[coordinate].iter();
        row.zip(&self.free).map(|(factor, j)| factor * of(*j)).sum()
    }
}

/// Spring or damper.
#[derive(Clone, Copy)]
enum Part {
    Stiffness,
    Damping,
}

impl Part {
    fn of(self, Spring { stiffness, damping }: Spring) -> f64 {
        match self {
            Part::Stiffness => stiffness,
            Part::Damping => damping,
        }
    }
}

impl Row {
    /// Length or slip for values of the free coordinates and of the bases.
    pub fn of(&self, free: impl Fn(usize) -> f64, base: impl Fn(usize) -> f64) -> f64 {
        let coordinates = self.coordinates.iter().enumerate();
        let of_coordinates: f64 = coordinates.map(|(j, factor)| factor * free(j)).sum();
        let bases = self.bases.iter().enumerate();
        bases.fold(of_coordinates, |sum, (b, factor)| sum + factor * base(b))
    }
}

/// Adds a multiple of a row.
pub(crate) fn add_row(sum: &mut [f64], factor: f64, row: &[f64]) {
    sum.iter_mut()
        .zip(row)
        .for_each(|(sum, row)| *sum += factor * row);
}

#[cfg(test)]
mod tests {
    use super::super::linear_body::dot;
    use super::*;

    /// Two masses with a spring between them and one to a base, and a third coordinate geared to
    /// both, in numbers that differ in all places.
    fn mechanism() -> Mechanism {
        let row = |coordinates: &[f64], bases: &[f64]| Row {
            coordinates: coordinates.to_vec(),
            bases: bases.to_vec(),
        };
        let structure = Structure {
            free: vec![0, 1],
            coordinates: vec![vec![1.0, 0.0], vec![0.0, 1.0], vec![2.0, -3.0]],
            springs: vec![row(&[1.0, -1.0], &[0.0]), row(&[0.0, 1.0], &[-1.0])],
            gaps: Vec::new(),
            contacts: vec![row(&[1.0, 0.5], &[0.25])],
            axes: 1,
        };
        let springs =
            [(100.0, 1.0), (50.0, 2.0)].map(|(stiffness, damping)| Spring { stiffness, damping });
        Mechanism::new(structure, &[2.0, 5.0, 0.5], &springs)
    }

    #[test]
    fn accelerations_are_those_of_newton() {
        // M = diag(2, 5) + 0.5 (2, −3)(2, −3)ᵀ = [[4, −3], [−3, 9.5]], whose determinant is 29.
        let mechanism = mechanism();
        let mut force = [3.0, -7.0];
        mechanism.solve(&mut force);
        let expected = [
            (9.5 * 3.0 - 3.0 * 7.0) / 29.0,
            (3.0 * 3.0 - 4.0 * 7.0) / 29.0,
        ];
        assert!(
            force
                .iter()
                .zip(expected)
                .all(|(a, b)| (a - b).abs() < 1e-15)
        );
        // Rows of A: positions 1, −1 under both springs.
        let y = [1.0, -1.0, 0.0, 0.0];
        let mut pull = [-200.0, 200.0 + 50.0];
        mechanism.solve(&mut pull);
        for (j, pull) in pull.iter().enumerate() {
            assert_eq!(dot(mechanism.body.own(j), &y), 0.0);
            assert!((dot(mechanism.body.own(2 + j), &y) - pull).abs() < 1e-12);
        }
        let g: Vec<f64> = mechanism.body.input(0)[2..].to_vec();
        let mut by_contact = [1.0, 0.5];
        mechanism.solve(&mut by_contact);
        assert_eq!(g, by_contact);
    }

    #[test]
    fn loads_have_the_orders_of_forces_and_bases() {
        let (mut mechanism, mut found) = (mechanism(), [[0.0; 5]; 2]);
        let loads = |i: usize| [1.0 + i as f64, 0.0, 0.0, if i == 2 { 6.0 } else { 0.0 }];
        let base = Base {
            x: [0.1, 0.2, 0.3, 0.4, 0.5],
            v: [0.2, 0.3, 0.4, 0.5],
        };
        mechanism.loads(loads, |_| base, &mut found);
        let mut first = [1.0 + 2.0 * 3.0, 2.0 - 3.0 * 3.0 + 50.0 * 0.1 + 2.0 * 0.2];
        let mut third = [2.0 * 6.0, -3.0 * 6.0 + 50.0 * 0.4 + 2.0 * 0.5];
        let mut fourth = [0.0, 50.0 * 0.5];
        for (order, expected) in [(0, &mut first), (3, &mut third), (4, &mut fourth)] {
            mechanism.solve(expected);
            for j in 0..2 {
                assert!(
                    (found[j][order] - expected[j]).abs() < 1e-14,
                    "order {order}"
                );
            }
        }
    }

    #[test]
    fn parameters_that_change_change_the_bodies() {
        let mut changed = mechanism();
        let before = changed.body.clone();
        let springs = changed.springs.clone();
        changed.set([2.0, 5.0, 0.5].into_iter(), springs.iter().copied());
        assert_eq!(changed.body, before);
        changed.set([4.0, 10.0, 1.0].into_iter(), springs.iter().copied());
        for (half, own) in changed.body.own[8..].iter().zip(&before.own[8..]) {
            assert!((2.0 * half - own).abs() < 1e-13);
        }
    }
}
