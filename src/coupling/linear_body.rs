//! A body that moves linearly between its contacts.

use crate::vector::Vector;

/// A body with the state y, y′ = A y + a(t) − Σ F_i g_i, and the contact velocities v_i = c_i y,
/// with i over all axes of all contacts. Vectors have a component along each axis of a contact: along a
/// line there is one axis, and the second component is 0.
#[derive(Debug, PartialEq)]
pub struct LinearBody {
    /// Number of coordinates.
    pub size: usize,
    /// Number of axes of each contact: 1 along a line, 2 in a plane.
    pub axes: usize,
    /// g_i, one row for each axis of each contact.
    pub inputs: Vec<f64>,
    /// c_i, one row for each axis of each contact.
    pub outputs: Vec<f64>,
    /// A, row by row; empty for a body without springs and dampers.
    pub own: Vec<f64>,
    /// Root of the inertia of each position of bodies inside an element, √kg: y has the positions
    /// first, and their velocities then. Empty for a body of the master.
    pub roots: Vec<f64>,
}

impl Default for LinearBody {
    fn default() -> Self {
        LinearBody {
            size: 0,
            axes: 1,
            inputs: Vec::new(),
            outputs: Vec::new(),
            own: Vec::new(),
            roots: Vec::new(),
        }
    }
}

impl Clone for LinearBody {
    fn clone(&self) -> Self {
        let mut body = LinearBody::default();
        body.clone_from(self);
        body
    }

    /// Copies into the allocations of `self`: bodies under constraints follow within a step.
    fn clone_from(&mut self, source: &Self) {
        let LinearBody {
            size,
            axes,
            inputs,
            outputs,
            own,
            roots,
        } = source;
        (self.size, self.axes) = (*size, *axes);
        self.inputs.clone_from(inputs);
        self.outputs.clone_from(outputs);
        self.own.clone_from(own);
        self.roots.clone_from(roots);
    }
}

impl LinearBody {
    /// Memory for copies of bodies with this many rows of contacts and coordinates, on springs.
    pub fn memory(rows: usize, size: usize) -> Self {
        LinearBody {
            inputs: vec![0.0; rows * size],
            outputs: vec![0.0; rows * size],
            own: vec![0.0; size * size],
            roots: vec![0.0; size],
            ..LinearBody::default()
        }
    }

    /// Number of contacts.
    pub fn contacts(&self) -> usize {
        self.inputs
            .len()
            .checked_div(self.size * self.axes)
            .unwrap_or(0)
    }

    /// Rows of a contact.
    #[inline]
    pub fn rows(&self, contact: usize) -> core::ops::Range<usize> {
        contact * self.axes..(contact + 1) * self.axes
    }

    /// g_i of a row.
    #[inline]
    pub fn input(&self, row: usize) -> &[f64] {
        &self.inputs[row * self.size..][..self.size]
    }

    /// c_i of a row.
    #[inline]
    pub fn output(&self, row: usize) -> &[f64] {
        &self.outputs[row * self.size..][..self.size]
    }

    /// Row of A of a coordinate; empty for a body without springs and dampers.
    #[inline]
    pub fn own(&self, coordinate: usize) -> &[f64] {
        self.own
            .get(coordinate * self.size..)
            .map_or(&[], |rows| &rows[..self.size.min(rows.len())])
    }

    /// Velocity of a contact, c_i y.
    #[inline]
    pub fn velocity(&self, contact: usize, y: &[f64]) -> Vector {
        self.vector(contact, |row| dot(self.output(row), y))
    }

    /// Vector of a contact from the components of its rows.
    #[inline]
    pub fn vector(&self, contact: usize, component: impl Fn(usize) -> f64) -> Vector {
        core::array::from_fn(|axis| {
            if axis < self.axes {
                component(contact * self.axes + axis)
            } else {
                0.0
            }
        })
    }

    /// Effect of a force of a contact on a coordinate: the component of F_i g_i.
    #[inline]
    pub fn effect(&self, contact: usize, coordinate: usize, force: Vector) -> f64 {
        self.rows(contact)
            .zip(force)
            .map(|(row, force)| self.input(row)[coordinate] * force)
            .sum()
    }

    /// Mobility of a contact along its most mobile axis: the change of v that a force makes per
    /// time, 1/kg.
    #[inline]
    pub fn mobility(&self, contact: usize) -> f64 {
        self.rows(contact)
            .map(|row| dot(self.input(row), self.output(row)))
            .fold(0.0, f64::max)
    }
}

/// Scalar product.
#[inline]
pub fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Three coordinates and two contacts along these axes, with numbers that differ in all places.
    fn body(axes: usize) -> LinearBody {
        let rows = 2 * axes;
        LinearBody {
            size: 3,
            axes,
            inputs: (0..3 * rows).map(|i| 1.0 + i as f64).collect(),
            outputs: (0..3 * rows).map(|i| 2.0 - i as f64).collect(),
            own: Vec::new(),
            roots: Vec::new(),
        }
    }

    const Y: [f64; 3] = [0.5, -2.0, 4.0];

    #[test]
    fn contact_in_the_plane_has_two_rows_of_the_matrices() {
        let plane = body(2);
        assert_eq!((plane.contacts(), LinearBody::default().contacts()), (2, 0));
        assert_eq!((plane.rows(0), plane.rows(1)), (0..2, 2..4));
        assert_eq!(
            (plane.input(2), plane.output(3)),
            (&[7.0, 8.0, 9.0][..], &[-7.0, -8.0, -9.0][..])
        );
        // c of the second contact: (−4, −5, −6) and (−7, −8, −9).
        let velocity = [-2.0 + 10.0 - 24.0, -3.5 + 16.0 - 36.0];
        assert_eq!(plane.velocity(1, &Y), velocity);
        // g of the second contact in the last coordinate: 9 and 12.
        assert_eq!(plane.effect(1, 2, [10.0, 0.1]), 90.0 + 1.2);
    }

    #[test]
    fn contact_along_a_line_has_one_row_and_no_second_component() {
        let line = body(1);
        assert_eq!((line.contacts(), line.rows(1)), (2, 1..2));
        // c of the second contact: (−1, −2, −3).
        let velocity = [-0.5 + 4.0 - 12.0, 0.0];
        assert_eq!(line.velocity(1, &Y), velocity);
        assert_eq!(line.effect(1, 0, [10.0, 1e9]), 40.0);
        assert_eq!(line.vector(1, |row| row as f64 + 0.5), [1.5, 0.0]);
    }

    #[test]
    fn mobility_is_that_of_the_most_mobile_axis() {
        // g·c of the rows: 2 + 2 + 0, 4·(−1) + 5·(−2) + 6·(−3), …
        assert_eq!((body(2).mobility(0), body(2).mobility(1)), (4.0, 0.0));
        let turned = LinearBody {
            outputs: body(2).inputs,
            ..body(2)
        };
        assert_eq!(turned.mobility(1), 100.0 + 121.0 + 144.0);
    }
}
