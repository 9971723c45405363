//! The inputs of one step: values and derivatives at its start, as a master passes them.

use bristle_reference_laws::Contact;
use bristle_reference_laws::workloads::Workload;

/// Each input with its first three time derivatives, SI units.
#[derive(Clone, Copy, Debug, PartialEq)]
#[allow(non_snake_case, missing_docs)] // the paper's symbols
pub struct Inputs {
    pub F_N: [f64; 4],
    pub v: [f64; 4],
}

impl Inputs {
    /// Held throughout.
    pub fn held(contact: Contact) -> Self {
        Inputs { F_N: [contact.F_N, 0.0, 0.0, 0.0], v: [contact.v, 0.0, 0.0, 0.0] }
    }

    /// The polynomial of an order, 2 at most, through points of a workload: both ends of the step from `t` on, and its middle for a
    /// parabola; of order 0 its value at the start.
    pub fn through(workload: &Workload, t: f64, h: f64, order: usize) -> Self {
        let through = |value: fn(f64) -> f64| {
            let [start, middle, end] = [t, t + 0.5 * h, t + h].map(value);
            // Differences first: a constant input has a derivative of exactly 0.
            let [half, whole] = [middle - start, end - start];
            match order {
                0 => [start, 0.0, 0.0, 0.0],
                1 => [start, whole / h, 0.0, 0.0],
                _ => [start, (4.0 * half - whole) / h, 4.0 * (whole - 2.0 * half) / (h * h), 0.0],
            }
        };
        Inputs { F_N: through(workload.F_N), v: through(workload.v) }
    }

    /// The inputs are constant over the step.
    pub fn is_held(&self) -> bool {
        self.F_N[1..] == [0.0; 3] && self.v[1..] == [0.0; 3]
    }

    /// The contact `t` s after the start of the step: FMI's Taylor series.
    pub fn at(&self, t: f64) -> Contact {
        let value = |c: [f64; 4]| c[0] + t * (c[1] + t / 2.0 * (c[2] + t / 3.0 * c[3]));
        Contact::new(value(self.F_N), value(self.v))
    }
}
