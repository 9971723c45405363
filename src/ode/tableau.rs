//! Coefficients of Radau IIA(5): E. Hairer, G. Wanner, *Solving Ordinary Differential Equations
//! II*, 2nd ed. 1996, Sec. IV.8.

const SQRT_6: f64 = 2.449_489_742_783_178;

/// The nodes c of the method.
pub const NODES: [f64; 3] = [(4.0 - SQRT_6) / 10.0, (4.0 + SQRT_6) / 10.0, 1.0];

/// The weights b of the method: a quadrature of order 5 on the nodes.
pub const WEIGHTS: [f64; 3] = [(16.0 - SQRT_6) / 36.0, (16.0 + SQRT_6) / 36.0, 1.0 / 9.0];

/// The Runge–Kutta matrix.
pub const A: [[f64; 3]; 3] = [
    [
        (88.0 - 7.0 * SQRT_6) / 360.0,
        (296.0 - 169.0 * SQRT_6) / 1800.0,
        (-2.0 + 3.0 * SQRT_6) / 225.0,
    ],
    [
        (296.0 + 169.0 * SQRT_6) / 1800.0,
        (88.0 + 7.0 * SQRT_6) / 360.0,
        (-2.0 - 3.0 * SQRT_6) / 225.0,
    ],
    WEIGHTS,
];

/// The collocation polynomial of a step over s = 0 … 1: the increments at the stages times these
/// coefficients of s, s² and s³.
pub const STAGE_POLYNOMIALS: [[f64; 3]; 3] = {
    let [c1, c2, c3] = NODES;
    [
        stage_polynomial(c1, c2, c3),
        stage_polynomial(c2, c1, c3),
        stage_polynomial(c3, c1, c2),
    ]
};

/// The value at the start of a step of the parabola through the three stages.
pub const START_FROM_STAGES: [f64; 3] = {
    let [c1, c2, c3] = NODES;
    [
        c2 * c3 / ((c1 - c2) * (c1 - c3)),
        c1 * c3 / ((c2 - c1) * (c2 - c3)),
        c1 * c2 / ((c3 - c1) * (c3 - c2)),
    ]
};

/// s (s − a)(s − b), 1 at `c`.
const fn stage_polynomial(c: f64, a: f64, b: f64) -> [f64; 3] {
    let at_c = c * (c - a) * (c - b);
    [a * b / at_c, -(a + b) / at_c, 1.0 / at_c]
}

/// The inverse of the Runge–Kutta matrix A: the rates at the stages times the step, over the
/// increments. Row i has the slopes at c_i of the polynomials of [`STAGE_POLYNOMIALS`].
pub const INVERSE: [[f64; 3]; 3] = [
    inverse_row(NODES[0]),
    inverse_row(NODES[1]),
    inverse_row(NODES[2]),
];

const fn inverse_row(c: f64) -> [f64; 3] {
    let [a, b, d] = STAGE_POLYNOMIALS;
    [stage_slope(a, c), stage_slope(b, c), stage_slope(d, c)]
}

/// Coefficients of s, s² and s³ in the collocation polynomial of a state with these increments at
/// the stages.
pub fn stage_coefficients(increments: [f64; 3]) -> [f64; 3] {
    core::array::from_fn(|k| {
        (0..3)
            .map(|j| STAGE_POLYNOMIALS[j][k] * increments[j])
            .sum()
    })
}

/// Slope at s of a polynomial with these coefficients of s, s² and s³.
pub const fn stage_slope([first, second, third]: [f64; 3], s: f64) -> f64 {
    first + s * (2.0 * second + s * 3.0 * third)
}

/// The real eigenvalue of A⁻¹.
pub const GAMMA: f64 = 3.637_834_252_744_496;
/// Real part of the complex eigenvalues of A⁻¹, ALPHA ± i BETA.
pub const ALPHA: f64 = 2.681_082_873_627_752;
/// Imaginary part of the complex eigenvalues of A⁻¹.
pub const BETA: f64 = 3.050_430_199_247_410_6;

/// T of the transformation A⁻¹ = T Λ T⁻¹.
pub const T: [[f64; 3]; 3] = [
    [
        9.123_239_487_089_294e-2,
        -1.412_552_950_209_542e-1,
        -3.002_919_410_514_742_4e-2,
    ],
    [
        2.417_179_327_071_07e-1,
        2.041_293_522_937_999_4e-1,
        3.829_421_127_572_619e-1,
    ],
    [9.660_481_826_150_93e-1, 1.0, 0.0],
];
/// T⁻¹ of the transformation A⁻¹ = T Λ T⁻¹.
pub const T_INVERSE: [[f64; 3]; 3] = [
    [
        4.325_579_890_063_155,
        3.391_992_518_158_098_6e-1,
        5.417_705_399_358_749e-1,
    ],
    [
        -4.178_718_591_551_905,
        -3.276_828_207_610_623_6e-1,
        4.766_235_545_005_504_4e-1,
    ],
    [
        -5.028_726_349_457_868e-1,
        2.571_926_949_855_605,
        -5.960_392_048_282_249e-1,
    ],
];

/// The coefficients of the error estimate.
pub const ESTIMATE: [f64; 3] = [
    -(13.0 + 7.0 * SQRT_6) / 3.0,
    (-13.0 + 7.0 * SQRT_6) / 3.0,
    -1.0 / 3.0,
];
