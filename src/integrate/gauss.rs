//! Coefficients of Gauss's collocation with eight stages, order 16 (E. Hairer, S. P. Nørsett, G. Wanner, *Solving Ordinary
//! Differential Equations I*, 2nd ed. 1993, Sec. II.7).

use super::extrema::{larger, smaller};

/// Number of stages.
pub const STAGES: usize = 8;
/// Half of the stages: sums over two halves are independent of each other.
const HALF: usize = STAGES / 2;

/// Nodes of the quadrature on 0 … 1: the zeros of the shifted Legendre polynomial P_8.
pub const NODES: [f64; STAGES] = [
    1.985_507_175_123_188_4e-2,
    0.101_666_761_293_186_63,
    0.237_233_795_041_835_5,
    0.408_282_678_752_175_1,
    0.591_717_321_247_825,
    0.762_766_204_958_164_5,
    0.898_333_238_706_813_4,
    0.980_144_928_248_768_1,
];

/// Weights of the quadrature on 0 … 1.
pub const WEIGHTS: [f64; STAGES] = [
    5.061_426_814_518_813e-2,
    0.111_190_517_226_687_24,
    0.156_853_322_938_943_64,
    0.181_341_891_689_181,
    0.181_341_891_689_181,
    0.156_853_322_938_943_64,
    0.111_190_517_226_687_24,
    5.061_426_814_518_813e-2,
];

/// Shifted Legendre polynomials P_0 … P_8 at a place.
const fn legendre(x: f64) -> [f64; STAGES + 1] {
    let x = 2.0 * x - 1.0;
    let mut p = [1.0; STAGES + 1];
    p[1] = x;
    let mut n = 1;
    while n < STAGES {
        p[n + 1] = ((2 * n + 1) as f64 * x * p[n] - n as f64 * p[n - 1]) / (n + 1) as f64;
        n += 1;
    }
    p
}

/// Shifted Legendre polynomials P_0 … P_8 at the nodes.
const LEGENDRE: [[f64; STAGES]; STAGES + 1] = {
    let mut p = [[0.0; STAGES]; STAGES + 1];
    let mut i = 0;
    while i < STAGES {
        let at_node = legendre(NODES[i]);
        let mut n = 0;
        while n <= STAGES {
            p[n][i] = at_node[n];
            n += 1;
        }
        i += 1;
    }
    p
};

/// Weights of the integral from 0 to `x` of the polynomial through values at the nodes.
pub const fn integrals_to(x: f64) -> [f64; STAGES] {
    let p = legendre(x);
    let mut weights = [0.0; STAGES];
    let mut j = 0;
    while j < STAGES {
        // ∫P_n = (P_{n+1} − P_{n−1})/(4n + 2) on 0 … 1, with P_{−1} = −1 for n = 0.
        let mut sum = 0.5 * (p[1] + 1.0);
        let mut n = 1;
        while n < STAGES {
            sum += 0.5 * LEGENDRE[n][j] * (p[n + 1] - p[n - 1]);
            n += 1;
        }
        weights[j] = WEIGHTS[j] * sum;
        j += 1;
    }
    weights
}

/// Transposed Runge–Kutta matrix: entry (j, i) is the integral of node j's Lagrange polynomial from 0 to node i.
pub const INTEGRATION: [[f64; STAGES]; STAGES] = {
    let mut from = [[0.0; STAGES]; STAGES];
    let mut i = 0;
    while i < STAGES {
        let to_node = integrals_to(NODES[i]);
        let mut j = 0;
        while j < STAGES {
            from[j][i] = to_node[j];
            j += 1;
        }
        i += 1;
    }
    from
};

/// Barycentric weights of the nodes.
const BARYCENTRIC: [f64; STAGES] = {
    let mut weights = [1.0; STAGES];
    let mut i = 0;
    while i < STAGES {
        let mut k = 0;
        while k < STAGES {
            if k != i {
                weights[i] /= NODES[i] - NODES[k];
            }
            k += 1;
        }
        i += 1;
    }
    weights
};

/// Transposed differentiation matrix: entry (j, i) is the derivative of node j's Lagrange polynomial at node i.
pub const DIFFERENTIATION: [[f64; STAGES]; STAGES] = {
    let mut matrix = [[0.0; STAGES]; STAGES];
    let mut i = 0;
    while i < STAGES {
        let mut j = 0;
        while j < STAGES {
            if j != i {
                matrix[j][i] = BARYCENTRIC[j] / BARYCENTRIC[i] / (NODES[i] - NODES[j]);
                matrix[i][i] -= matrix[j][i];
            }
            j += 1;
        }
        i += 1;
    }
    matrix
};

/// Lagrange polynomials at a place other than a node.
const fn values_at(place: f64) -> [f64; STAGES] {
    let mut product = 1.0;
    let mut i = 0;
    while i < STAGES {
        product *= place - NODES[i];
        i += 1;
    }
    let mut row = [0.0; STAGES];
    let mut j = 0;
    while j < STAGES {
        row[j] = BARYCENTRIC[j] * product / (place - NODES[j]);
        j += 1;
    }
    row
}

/// The nodes' Lagrange polynomials at 0 and at 1.
pub const AT_ENDS: [[f64; STAGES]; 2] = [values_at(0.0), values_at(1.0)];

/// Derivatives of the Lagrange polynomials at a place other than a node.
const fn derivatives_at(place: f64) -> [f64; STAGES] {
    let mut product = 1.0;
    let mut sum = 0.0;
    let mut i = 0;
    while i < STAGES {
        product *= place - NODES[i];
        sum += 1.0 / (place - NODES[i]);
        i += 1;
    }
    let mut row = [0.0; STAGES];
    let mut j = 0;
    while j < STAGES {
        let from = place - NODES[j];
        row[j] = BARYCENTRIC[j] * product / from * (sum - 1.0 / from);
        j += 1;
    }
    row
}

/// Derivatives of the nodes' Lagrange polynomials at 0.
pub const START_DERIVATIVE: [f64; STAGES] = derivatives_at(0.0);
/// Derivatives of the nodes' Lagrange polynomials at 1.
pub const END_DERIVATIVE: [f64; STAGES] = derivatives_at(1.0);

/// Rows that give the Legendre coefficients of degree 2 … 7 of the interpolant of values at the nodes.
const SPECTRUM: [[f64; STAGES]; STAGES - 2] = {
    let mut spectrum = [[0.0; STAGES]; STAGES - 2];
    let mut k = 0;
    while k < STAGES - 2 {
        let degree = k + 2;
        let mut i = 0;
        while i < STAGES {
            spectrum[k][i] = (2 * degree + 1) as f64 * WEIGHTS[i] * LEGENDRE[degree][i];
            i += 1;
        }
        k += 1;
    }
    spectrum
};

/// Estimated error of Gauss's quadrature of a function with these values at the nodes, over the length of the interval.
///
/// Pairs of Legendre coefficients, degrees 2–3, 4–5 and 6–7, fall by a ratio; the quadrature first errs at degree 16, and the same
/// fall is applied twice beyond degree 7. See §7 of `docs/internals/numerics.md`.
pub fn quadrature_error(values: &[f64; STAGES]) -> f64 {
    quadrature_error_by(pairs(values))
}

/// [`quadrature_error`], and the estimated error of the polynomial through these values at the nodes: its last pair of Legendre coefficients, once
/// more reduced by the larger of the ratios at which the last pairs fall.
pub fn both_errors(values: &[f64; STAGES]) -> [f64; 2] {
    let pairs @ [early, middle, late] = pairs(values);
    let interpolation = if late == 0.0 { 0.0 } else { late * (late / middle).max((late / early).sqrt()).min(1.0) };
    [quadrature_error_by(pairs), interpolation]
}

fn quadrature_error_by([early, middle, late]: [f64; 3]) -> f64 {
    if late == 0.0 {
        return 0.0;
    }
    let recent = (late / middle).min(1.0);
    let fall = (late / early).min(1.0).max(recent * recent);
    late * fall * fall
}

/// Sizes of the pairs of Legendre coefficients of degrees 2–3, 4–5 and 6–7.
#[inline(always)]
fn pairs(values: &[f64; STAGES]) -> [f64; 3] {
    let [second, third, fourth, fifth, sixth, seventh] = core::array::from_fn(|k| sum(&SPECTRUM[k], values).abs());
    [second + third, fourth + fifth, sixth + seventh]
}

/// Bounds of a function with these values at the ends and at the nodes: where it turns between two of them, it may pass its values by
/// the share `clearance` of their range.
pub fn bounds([first, last]: [f64; 2], values: &[f64; STAGES], clearance: f64) -> [f64; 2] {
    let ends = (smaller(first, last), larger(first, last));
    let (low, high) = values.iter().fold(ends, |(low, high), value| (smaller(*value, low), larger(*value, high)));
    let rises = last > first;
    let is_monotonic = (values[0] > first) == rises
        && values.windows(2).all(|pair| (pair[1] > pair[0]) == rises)
        && (last > values[STAGES - 1]) == rises;
    let beyond = if is_monotonic { 0.0 } else { clearance * (high - low) };
    [low - beyond, high + beyond]
}

/// `start` plus a transposed matrix times values at the nodes.
#[inline(always)]
pub fn plus_product(start: f64, matrix: &[[f64; STAGES]; STAGES], values: &[f64; STAGES]) -> [f64; STAGES] {
    let mut sums = [start; STAGES];
    for j in 0..HALF {
        let (first, second) = (&matrix[j], &matrix[j + HALF]);
        let (at_first, at_second) = (values[j], values[j + HALF]);
        sums = each(|i| sums[i] + (first[i] * at_first + second[i] * at_second));
    }
    sums
}

/// The array of the values at each stage.
#[inline(always)]
pub fn each(value: impl Fn(usize) -> f64) -> [f64; STAGES] {
    core::array::from_fn(value)
}

/// Scalar product over the stages.
#[inline(always)]
pub fn sum(factors: &[f64; STAGES], values: &[f64; STAGES]) -> f64 {
    let [a, b, c, d] =
        core::array::from_fn::<f64, HALF, _>(|i| factors[i] * values[i] + factors[i + HALF] * values[i + HALF]);
    (a + c) + (b + d)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn polynomials_of_degree_7_are_exact_at_the_ends_and_their_derivatives_at_the_nodes_too() {
        for degree in 0..STAGES as i32 {
            let power = |x: f64| libm::pow(x - 0.3, f64::from(degree));
            let slope =
                |x: f64| if degree == 0 { 0.0 } else { f64::from(degree) * libm::pow(x - 0.3, f64::from(degree - 1)) };
            let values = NODES.map(power);
            for (i, node) in NODES.into_iter().enumerate() {
                let found: f64 = (0..STAGES).map(|j| DIFFERENTIATION[j][i] * values[j]).sum();
                assert!((found - slope(node)).abs() < 1e-12, "{found} for {} at {node}", slope(node));
            }
            for (row, end) in [(START_DERIVATIVE, 0.0), (END_DERIVATIVE, 1.0)] {
                assert!((sum(&row, &values) - slope(end)).abs() < 1e-11, "degree {degree} at {end}");
            }
            for (row, end) in AT_ENDS.iter().zip([0.0, 1.0]) {
                assert!((sum(row, &values) - power(end)).abs() < 1e-13, "degree {degree} at {end}");
            }
        }
    }

    #[test]
    fn the_interpolation_error_bounds_that_of_smooth_functions_within_its_safety() {
        for rate in [0.5, 1.0, 2.0, 4.0, 8.0] {
            for function in [libm::exp, libm::sin, |x: f64| 1.0 / (1.0 + 0.2 * x)] {
                let values = NODES.map(|x| function(rate * x));
                let middle = |x: f64| {
                    let product: f64 = NODES.iter().map(|node| x - node).product();
                    (0..STAGES).map(|j| BARYCENTRIC[j] * product / (x - NODES[j]) * values[j]).sum::<f64>()
                };
                let error = [0.0, 0.06, 0.17, 0.32, 0.5, 0.68, 0.83, 0.94, 1.0]
                    .map(|x| (middle(x) - function(rate * x)).abs())
                    .into_iter()
                    .fold(0.0, f64::max);
                let bound = 10.0 * both_errors(&values)[1] + 1e-13 * function(rate).abs().max(1.0);
                assert!(error <= bound, "rate {rate}: {error:e} > {bound:e}");
            }
        }
    }

    fn power(x: f64, n: i32) -> f64 {
        (0..n).fold(1.0, |p, _| p * x)
    }

    #[test]
    fn the_collocation_integrates_polynomials_of_degree_7_up_to_each_node() {
        for (i, node) in NODES.into_iter().enumerate() {
            for degree in 0..8 {
                let integral: f64 = (0..STAGES).map(|j| INTEGRATION[j][i] * power(NODES[j], degree)).sum();
                let exact = power(node, degree + 1) / f64::from(degree + 1);
                assert!((integral - exact).abs() < 1e-15, "degree {degree} up to {node}: {integral} for {exact}");
            }
        }
    }

    #[test]
    fn integrals_up_to_any_place_are_exact_for_polynomials_of_degree_7() {
        for x in [0.0, 1e-3, 0.2, 0.5, 0.77, 1.0] {
            let weights = integrals_to(x);
            for degree in 0..8 {
                let integral = sum(&weights, &each(|j| power(NODES[j], degree)));
                let exact = power(x, degree + 1) / f64::from(degree + 1);
                assert!((integral - exact).abs() < 1e-15, "degree {degree} up to {x}: {integral} for {exact}");
            }
        }
    }

    #[test]
    fn the_quadrature_has_order_16() {
        for degree in 0..=16 {
            let error = (sum(&WEIGHTS, &each(|i| power(NODES[i], degree))) - 1.0 / f64::from(degree + 1)).abs();
            assert_eq!(error < 1e-15, degree < 16, "degree {degree}: {error:e}");
        }
    }

    #[test]
    fn the_estimate_takes_both_degrees_of_each_pair_with_any_sign() {
        let of = |spectrum: [f64; STAGES - 2]| {
            quadrature_error(&each(|i| (0..STAGES - 2).map(|k| spectrum[k] * LEGENDRE[k + 2][i]).sum()))
        };
        // Pairs of 1.5, 0.3 and 0.015: late/early is 0.01, and the square of late/middle 0.0025.
        let expected = 0.015 * 0.01 * 0.01;
        for sign in [1.0, -1.0] {
            for [early, middle, late] in
                [[[1.0, 0.5], [0.2, 0.1], [0.01, 0.005]], [[0.5, 1.0], [0.1, 0.2], [0.005, 0.01]]]
            {
                let found = of([early[0], sign * early[1], sign * middle[0], middle[1], late[0], sign * late[1]]);
                assert!((found / expected - 1.0).abs() < 1e-9, "{found:e} for {expected:e}");
            }
        }
        // Pairs of 1.5, 0.05 and 0.015: the square of late/middle is 0.09.
        let recent = of([1.0, 0.5, 0.03, 0.02, 0.01, 0.005]);
        assert!((recent / (0.015 * 0.09 * 0.09) - 1.0).abs() < 1e-9, "{recent:e}");
        assert_eq!(of([0.0; STAGES - 2]), 0.0);
    }

    #[test]
    fn the_estimated_error_of_the_quadrature_bounds_the_error_for_poles_and_roots() {
        // 1/(x + a) and √(x + a) have their singularity at −a: the nearer, the slower the spectrum falls.
        for a in [0.02, 0.05, 0.1, 0.3, 1.0] {
            let pole = sum(&WEIGHTS, &each(|i| 1.0 / (NODES[i] + a))) - libm::log((1.0 + a) / a);
            let root_integral = 2.0 / 3.0 * ((1.0 + a) * (1.0_f64 + a).sqrt() - a * f64::sqrt(a));
            let root = sum(&WEIGHTS, &each(|i| (NODES[i] + a).sqrt())) - root_integral;
            for (error, estimate) in [
                (pole, quadrature_error(&each(|i| 1.0 / (NODES[i] + a)))),
                (root, quadrature_error(&each(|i| (NODES[i] + a).sqrt()))),
            ] {
                const SAFETY: f64 = 10.0;
                assert!(error.abs() <= SAFETY * estimate + 1e-15, "a = {a}: {error:e}, estimated {estimate:e}");
            }
        }
    }
}
