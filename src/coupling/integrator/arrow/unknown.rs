//! A coordinate of the body or a state of a law over a step.

use crate::integrate::linear::Complex;
use crate::law::Polynomial;
use crate::ode::tableau::{ALPHA, BETA, GAMMA, NODES, T, T_INVERSE, stage_coefficients};
use core::array;

/// The complex number 0.
pub const ZERO: Complex = Complex { re: 0.0, im: 0.0 };

/// A coordinate of the body or a state of a law, with its stages.
#[derive(Clone, Copy, Debug)]
pub struct Unknown {
    /// Value at the start of the step.
    pub u: f64,
    /// Rate at the start of the step.
    pub rate: f64,
    /// Increments at the stages, transformed ones, and those of the step before.
    pub w: [f64; 3],
    pub v: [f64; 3],
    pub last: [f64; 3],
    /// Change of the increments by the last iteration.
    pub change: [f64; 3],
    /// Right sides of a state, and its changes without those of the body.
    pub sides: Sides,
    /// Estimated error, and the rate at the start where the unknowns have it.
    pub error: f64,
    pub again: f64,
    /// 1 over the error allowed; 0 of a coordinate that counts at the contacts alone.
    pub weight: f64,
}

/// Newton's right sides of an unknown, in the real and in the complex part of the basis.
pub type Sides = (f64, Complex);

/// Sum of the stages with these weights.
pub fn row(weights: &[f64; 3], x: &[f64; 3]) -> f64 {
    weights[0] * x[0] + weights[1] * x[1] + weights[2] * x[2]
}

/// Shift of the complex part in a step of length `h` (s).
pub fn shift(h: f64) -> Complex {
    Complex {
        re: ALPHA / h,
        im: BETA / h,
    }
}

impl Unknown {
    /// All numbers 0.
    pub const ZERO: Self = Unknown {
        u: 0.0,
        rate: 0.0,
        w: [0.0; 3],
        v: [0.0; 3],
        last: [0.0; 3],
        change: [0.0; 3],
        sides: (0.0, ZERO),
        error: 0.0,
        again: 0.0,
        weight: 0.0,
    };

    /// First guess of the increments: those of the step before, extrapolated to one that is `ratio`
    /// times as long.
    pub fn guess(&mut self, ratio: Option<f64>) {
        let [a, b, c] = stage_coefficients(self.last);
        self.w = ratio.map_or([0.0; 3], |ratio| {
            NODES.map(|node| {
                let s = node * ratio;
                s * (a + 2.0 * b + 3.0 * c + s * (b + 3.0 * c + s * c))
            })
        });
        self.v = array::from_fn(|k| row(&T_INVERSE[k], &self.w));
    }

    /// Right sides from the rates at the stages.
    pub fn sides(&self, rates: &[f64; 3], h: f64, shift: Complex) -> Sides {
        let g: [f64; 3] = array::from_fn(|k| row(&T_INVERSE[k], rates));
        let [first, re, im] = self.v;
        (
            g[0] - GAMMA / h * first,
            Complex { re: g[1], im: g[2] } - shift * Complex { re, im },
        )
    }

    /// Adds a Newton step.
    pub fn add(&mut self, (first, second): Sides) {
        self.v = [
            self.v[0] + first,
            self.v[1] + second.re,
            self.v[2] + second.im,
        ];
        let next = array::from_fn(|k| row(&T[k], &self.v));
        self.change = array::from_fn(|s| next[s] - self.w[s]);
        self.w = next;
    }

    /// Cuts a step to the first part of it.
    pub fn cut(&mut self, part: f64) {
        let [first, second, third] = stage_coefficients(self.w);
        self.w = NODES.map(|node| {
            let s = node * part;
            s * (first + s * (second + s * third))
        });
    }

    /// Derivative by the share of a step.
    pub fn slope(&self, share: f64) -> f64 {
        let [first, second, third] = stage_coefficients(self.w);
        first + share * (2.0 * second + share * 3.0 * third)
    }

    /// The unknown over a step as a polynomial of its share.
    pub fn polynomial(&self) -> Polynomial {
        let [first, second, third] = stage_coefficients(self.w);
        Polynomial([self.u, first, second, third, 0.0, 0.0])
    }
}
