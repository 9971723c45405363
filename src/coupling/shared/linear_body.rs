//! A body that moves linearly between its contacts.

/// A body with the state y, y′ = A y + a(t) − Σ F_i g_i, and the contact velocities v_i = c_i y.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct LinearBody {
    /// Number of coordinates.
    pub size: usize,
    /// A, row by row; empty where it is 0.
    pub rates: Vec<f64>,
    /// g_i, one row for each contact.
    pub inputs: Vec<f64>,
    /// c_i, one row for each contact.
    pub outputs: Vec<f64>,
}

impl LinearBody {
    /// Number of contacts.
    pub fn contacts(&self) -> usize {
        self.inputs.len().checked_div(self.size).unwrap_or(0)
    }

    /// g_i.
    #[inline]
    pub fn input(&self, contact: usize) -> &[f64] {
        &self.inputs[contact * self.size..][..self.size]
    }

    /// c_i.
    #[inline]
    pub fn output(&self, contact: usize) -> &[f64] {
        &self.outputs[contact * self.size..][..self.size]
    }

    /// c_i y.
    #[inline]
    pub fn velocity(&self, contact: usize, y: &[f64]) -> f64 {
        dot(self.output(contact), y)
    }

    /// Row of A y.
    #[inline]
    pub fn own_rate(&self, row: usize, y: &[f64]) -> f64 {
        if self.rates.is_empty() { 0.0 } else { dot(&self.rates[row * self.size..][..self.size], y) }
    }
}

/// Scalar product.
#[inline]
pub fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}
