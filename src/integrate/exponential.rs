//! Exponentials: of a small matrix, and of a decay.

/// Terms of the Taylor series, up to the power 12: its remainder at a norm of 1/2 is 2e-14.
const TERMS: u32 = 12;
/// Largest norm at which the series is evaluated; larger matrices are halved before, and the result squared.
const MAX_NORM: f64 = 0.5;
/// Limit of halvings: a matrix of a larger norm gives a result that is not finite.
const MAX_HALVINGS: u32 = 60;

/// Exponent beyond which nothing is left of a decay: e^(−100) is 4e-44.
pub const DECAYED: f64 = 100.0;

/// e^(−x), and 0 where it is below 1e-43: products with it could be subnormal numbers, for which processors take a hundred cycles.
#[inline]
pub fn decay(x: f64) -> f64 {
    if x > DECAYED { 0.0 } else { libm::exp(-x) }
}

/// Mean of a polynomial of time with the weight e^(−t/T), from its value and derivatives at 0; T is the `time_constant` (s).
#[inline]
pub fn mean_over_decay([value, first, second, third]: [f64; 4], time_constant: f64) -> f64 {
    value + (first + (second + third * time_constant) * time_constant) * time_constant
}

type Matrix<const N: usize> = [[f64; N]; N];

/// Product of two matrices.
pub fn product<const N: usize>(a: &Matrix<N>, b: &Matrix<N>) -> Matrix<N> {
    core::array::from_fn(|i| core::array::from_fn(|j| (0..N).map(|k| a[i][k] * b[k][j]).sum()))
}

/// e^A, by scaling, the Taylor series, and squaring.
pub fn exponential<const N: usize>(a: &Matrix<N>) -> Matrix<N> {
    let norm = a.iter().map(|row| row.iter().map(|x| x.abs()).sum()).fold(0.0, f64::max);
    let (mut halvings, mut scale) = (0, 1.0);
    while norm * scale > MAX_NORM && halvings < MAX_HALVINGS {
        (halvings, scale) = (halvings + 1, 0.5 * scale);
    }
    let scaled = a.map(|row| row.map(|x| x * scale));
    let unit: Matrix<N> = core::array::from_fn(|i| core::array::from_fn(|j| f64::from(u8::from(i == j))));
    // Horner's scheme.
    let mut sum = unit;
    for term in (1..=TERMS).rev() {
        let next = product(&scaled, &sum);
        sum = core::array::from_fn(|i| core::array::from_fn(|j| unit[i][j] + next[i][j] / f64::from(term)));
    }
    for _ in 0..halvings {
        sum = product(&sum, &sum);
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decay_is_an_exponential_whose_square_is_no_subnormal_number() {
        for x in [-2.0, 0.0, 1e-3, 7.0, 99.9] {
            let left = decay(x);
            assert!(left == libm::exp(-x) && (left * left).is_normal(), "{x}: {left:e}");
        }
        assert_eq!([100.1, 720.0, f64::INFINITY].map(decay), [0.0; 3]);
        assert!(decay(f64::NAN).is_nan());
    }

    #[test]
    fn mean_over_a_decay_is_its_integral() {
        let polynomial = |t: f64| 0.3 - 2.0 * t + 2.5 * t * t + 7.0 / 6.0 * t * t * t;
        for time_constant in [1.0 / 3.0, 1.0 / 80.0] {
            // Simpson's rule over 40 time constants.
            let h = 40.0 * time_constant / 20_000.0;
            let at = |i: u32| {
                let t = h * f64::from(i);
                libm::exp(-t / time_constant) * polynomial(t)
            };
            let integral: f64 = (0..10_000).map(|i| h / 3.0 * (at(2 * i) + 4.0 * at(2 * i + 1) + at(2 * i + 2))).sum();
            let mean = mean_over_decay([0.3, -2.0, 5.0, 7.0], time_constant);
            assert!((mean - integral / time_constant).abs() < 1e-9, "{time_constant}: {mean}");
            let largest = 0.3 + (2.0 + (5.0 + 7.0 * time_constant) * time_constant) * time_constant;
            let of_magnitudes = mean_over_decay([0.3, -2.0, 5.0, 7.0].map(f64::abs), time_constant);
            assert!((of_magnitudes - largest).abs() < 1e-12, "{time_constant}: {of_magnitudes}");
        }
    }

    #[test]
    fn a_rotation_and_a_decay_have_their_closed_forms() {
        for angle in [1e-3, 0.7, 12.0, 300.0] {
            let turned = exponential(&[[0.0, angle], [-angle, 0.0]]);
            assert!((turned[0][0] - libm::cos(angle)).abs() < 1e-11 && (turned[0][1] - libm::sin(angle)).abs() < 1e-11);
            let decayed = exponential(&[[-angle, 0.0], [0.0, 0.0]]);
            assert!((decayed[0][0] - libm::exp(-angle)).abs() < 1e-13 && decayed[1] == [0.0, 1.0]);
        }
    }

    #[test]
    fn series_has_its_remainder_on_both_sides_of_its_largest_norm() {
        // [[a, b], [0, a]] has the exponential e^a [[1, b], [0, 1]]; the norm is twice the size.
        for size in [0.2, 0.25, 0.26, 0.49, 0.5, 0.51] {
            let found = exponential(&[[size, -size], [0.0, size]]);
            let e = libm::exp(size);
            assert!((found[0][0] - e).abs() < 5e-14 * e && (found[1][1] - e).abs() < 5e-14 * e, "{size}: {found:?}");
            assert!((found[0][1] + size * e).abs() < 5e-14 * e && found[1][0] == 0.0, "{size}: {found:?}");
        }
    }

    #[test]
    fn matrix_without_bound_gives_no_finite_result() {
        let found = exponential(&[[1e300, 0.0], [0.0, 0.0]]);
        assert!(!found[0][0].is_finite());
    }
}
