//! A body that moves linearly between its contacts.

use crate::vector::Vector;

/// A body with the state y, y′ = A y + a(t) − Σ F_i g_i, and the contact velocities v_i = c_i y, with i over all axes of all contacts.
/// Vectors have a component along each axis of a contact: along a line there is one axis, and the second component is 0.
#[derive(Clone, Debug, PartialEq)]
pub struct LinearBody {
    /// Number of coordinates.
    pub size: usize,
    /// Number of axes of each contact: 1 along a line, 2 in a plane.
    pub axes: usize,
    /// A, row by row; empty where it is 0.
    pub rates: Vec<f64>,
    /// g_i, one row for each axis of each contact.
    pub inputs: Vec<f64>,
    /// c_i, one row for each axis of each contact.
    pub outputs: Vec<f64>,
}

impl Default for LinearBody {
    fn default() -> Self {
        LinearBody { size: 0, axes: 1, rates: Vec::new(), inputs: Vec::new(), outputs: Vec::new() }
    }
}

impl LinearBody {
    /// Number of contacts.
    pub fn contacts(&self) -> usize {
        self.inputs.len().checked_div(self.size * self.axes).unwrap_or(0)
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

    /// Velocity of a contact, c_i y.
    #[inline]
    pub fn velocity(&self, contact: usize, y: &[f64]) -> Vector {
        self.vector(contact, |row| dot(self.output(row), y))
    }

    /// Vector of a contact from the components of its rows.
    #[inline]
    pub fn vector(&self, contact: usize, component: impl Fn(usize) -> f64) -> Vector {
        core::array::from_fn(|axis| if axis < self.axes { component(contact * self.axes + axis) } else { 0.0 })
    }

    /// Effect of a force of a contact on a coordinate: the component of F_i g_i.
    #[inline]
    pub fn effect(&self, contact: usize, coordinate: usize, force: Vector) -> f64 {
        self.rows(contact).zip(force).map(|(row, force)| self.input(row)[coordinate] * force).sum()
    }

    /// Mobility of a contact along its most mobile axis: the change of v that a force makes per time, 1/kg.
    #[inline]
    pub fn mobility(&self, contact: usize) -> f64 {
        self.rows(contact).map(|row| dot(self.input(row), self.output(row))).fold(0.0, f64::max)
    }

    /// Row of A y.
    #[inline]
    pub fn own_rate(&self, row: usize, y: &[f64]) -> f64 {
        if self.rates.is_empty() { 0.0 } else { dot(&self.rates[row * self.size..][..self.size], y) }
    }
}

/// A linear body whose contacts have `A` axes: loops over them are unrolled, and along a line they cost nothing.
#[derive(Clone, Copy)]
pub struct AlongAxes<'a, const A: usize>(pub &'a LinearBody);

impl<const A: usize> core::ops::Deref for AlongAxes<'_, A> {
    type Target = LinearBody;

    #[inline(always)]
    fn deref(&self) -> &LinearBody {
        self.0
    }
}

impl<const A: usize> AlongAxes<'_, A> {
    /// Rows of a contact.
    #[inline(always)]
    pub fn rows(self, contact: usize) -> [usize; A] {
        core::array::from_fn(|axis| contact * A + axis)
    }

    /// Vector of a contact from the components of its rows.
    #[inline(always)]
    pub fn vector(self, contact: usize, component: impl Fn(usize) -> f64) -> Vector {
        let mut vector = [0.0; 2];
        for (to, row) in vector.iter_mut().zip(self.rows(contact)) {
            *to = component(row);
        }
        vector
    }

    /// Velocity of a contact, c_i y.
    #[inline(always)]
    pub fn velocity(self, contact: usize, y: &[f64]) -> Vector {
        self.vector(contact, |row| dot(self.output(row), y))
    }

    /// Scalar product of two vectors of a contact.
    #[inline(always)]
    pub fn along(self, a: Vector, b: Vector) -> f64 {
        if A == 1 { a[0] * b[0] } else { a[0] * b[0] + a[1] * b[1] }
    }
}

/// Scalar product.
#[inline]
pub fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}
