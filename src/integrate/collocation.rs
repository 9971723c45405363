//! Collocation at the nodes of Radau IIA with five stages: order 9, L-stable. Coefficients for equations whose stages are solved
//! in full.
//!
//! The collocation polynomial goes through the start of a step and its stages. All coefficients follow from the nodes: E. Hairer,
//! G. Wanner, *Solving Ordinary Differential Equations II*, 2nd ed. 1996, Sec. IV.5 and IV.8.

/// The number of stages.
pub const STAGES: usize = 5;

/// The nodes c, zeros of d⁴/dx⁴ (x⁴ (x − 1)⁵).
pub const NODES: [f64; STAGES] =
    [0.057_104_196_114_517_68, 0.276_843_013_638_123_8, 0.583_590_432_368_916_8, 0.860_240_135_656_219_5, 1.0];

/// The real eigenvalue of the inverse of the Runge–Kutta matrix: the error estimate is filtered with it.
pub const GAMMA: f64 = 6.286_704_751_729_277;

/// Row i: the slopes at c_i of the polynomials that are 1 at one node and 0 at the start and the other nodes; the inverse of the
/// Runge–Kutta matrix.
pub const INVERSE: [[f64; STAGES]; STAGES] = {
    let mut rows = [[0.0; STAGES]; STAGES];
    let mut i = 0;
    while i < STAGES {
        rows[i] = slopes_at(NODES[i]);
        i += 1;
    }
    rows
};

/// The slopes of the same polynomials at the start of the step. The defect of the collocation polynomial there is the error
/// estimate, as (IV.8.20) of Hairer & Wanner for three stages.
pub const SLOPES_AT_START: [f64; STAGES] = slopes_at(0.0);

/// The value at the start of a step of the polynomial of degree 4 through the stages.
pub const START_FROM_STAGES: [f64; STAGES] = {
    let mut values = [0.0; STAGES];
    let mut j = 0;
    while j < STAGES {
        values[j] = lagrange(j, 0.0);
        j += 1;
    }
    values
};

/// The weights b of the quadrature on the nodes, of order 9.
pub const WEIGHTS: [f64; STAGES] = {
    // The polynomials have degree 4: Boole's rule integrates them exactly.
    let mut weights = [0.0; STAGES];
    let mut j = 0;
    while j < STAGES {
        let ends = 7.0 * (lagrange(j, 0.0) + lagrange(j, 1.0));
        let quarters = 32.0 * (lagrange(j, 0.25) + lagrange(j, 0.75));
        weights[j] = (ends + quarters + 12.0 * lagrange(j, 0.5)) / 90.0;
        j += 1;
    }
    weights
};

/// The polynomial of degree 4 that is 1 at the node `j` and 0 at the others, at `s`.
const fn lagrange(j: usize, s: f64) -> f64 {
    let (mut value, mut k) = (1.0, 0);
    while k < STAGES {
        if k != j {
            value *= (s - NODES[k]) / (NODES[j] - NODES[k]);
        }
        k += 1;
    }
    value
}

/// The slopes at `s` of the polynomials s/c_j · [`lagrange`].
const fn slopes_at(s: f64) -> [f64; STAGES] {
    let mut derivatives = [0.0; STAGES];
    let mut j = 0;
    while j < STAGES {
        // Product rule, factor by factor.
        let (mut value, mut slope, mut k) = (s / NODES[j], 1.0 / NODES[j], 0);
        while k < STAGES {
            if k != j {
                let width = NODES[j] - NODES[k];
                slope = slope * (s - NODES[k]) / width + value / width;
                value *= (s - NODES[k]) / width;
            }
            k += 1;
        }
        derivatives[j] = slope;
        j += 1;
    }
    derivatives
}

/// The collocation polynomial from `start` through the stages, after a part `s` of the step, 0 … 1.
pub fn polynomial(start: f64, stages: &[f64; STAGES], s: f64) -> f64 {
    (0..STAGES).fold(start, |sum, j| sum + s / NODES[j] * lagrange(j, s) * (stages[j] - start))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_quadrature_has_order_9_and_no_more() {
        for power in 0..=9 {
            let sum: f64 = (0..STAGES).map(|i| WEIGHTS[i] * libm::pow(NODES[i], f64::from(power))).sum();
            let error = (sum - 1.0 / f64::from(power + 1)).abs();
            assert_eq!(error < 1e-15, power < 9, "{power}: {error:e}");
        }
    }

    #[test]
    fn polynomials_of_degree_5_are_differentiated_exactly() {
        let (value, slope) = (|s: f64| s * (1.0 - s * s * (2.0 - s * s)), |s: f64| 1.0 - s * s * (6.0 - 5.0 * s * s));
        let stages = NODES.map(value);
        for (row, at) in INVERSE.iter().chain([&SLOPES_AT_START]).zip(NODES.into_iter().chain([0.0])) {
            let found: f64 = (0..STAGES).map(|j| row[j] * stages[j]).sum();
            assert!((found - slope(at)).abs() < 1e-12, "{found} at {at}");
        }
        assert!((polynomial(0.0, &stages, 0.3) - value(0.3)).abs() < 1e-14);
    }

    #[test]
    fn gamma_is_an_eigenvalue() {
        let mut shifted = INVERSE;
        for (i, row) in shifted.iter_mut().enumerate() {
            row[i] -= GAMMA;
        }
        let solution = crate::integrate::linear::Lu::new(shifted).solve([1.0; STAGES]);
        assert!(solution.iter().any(|x| x.abs() > 1e10), "{solution:?}");
    }
}
