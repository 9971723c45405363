//! Cubics: through two ends with their slopes, and by the derivatives at the start.

use super::extrema::{larger, smaller};

/// Values at the share `s` of a step of `h`, by the cubics through its ends with their rates.
#[inline]
pub fn between<const N: usize>([start, end]: [&[f64; N]; 2], [from, to]: [&[f64; N]; 2], h: f64, s: f64) -> [f64; N] {
    let (rest, bend) = (1.0 - s, s * (1.0 - s));
    core::array::from_fn(|i| {
        let change = end[i] - start[i];
        start[i] + s * change + bend * (rest * (h * from[i] - change) - s * (h * to[i] - change))
    })
}

/// Place of the extremum between 0 and 1 of the cubic that changes by this much and has slopes of different signs at the ends.
pub fn extremum(change: f64, [first, last]: [f64; 2]) -> f64 {
    // first + 2 b s + 3 c s² = 0.
    let (b, c) = (3.0 * change - 2.0 * first - last, first + last - 2.0 * change);
    let root = (b * b - 3.0 * first * c).max(0.0).sqrt();
    // The root at which the slope changes from the sign of the first one.
    let place = -first / (b - root.copysign(first));
    if place > 0.0 && place < 1.0 { place } else { first / (first - last) }
}

/// Bounds over a duration of the cubic with this value and these derivatives at the start: the smallest and the largest coefficient in the
/// Bernstein basis, of which the first and the last are the values at the ends.
#[inline]
pub fn bounds([value, first, second, third]: [f64; 4], duration: f64) -> [f64; 2] {
    let (first, second) = (first * duration, second * duration * duration);
    let third = third * duration * duration * duration;
    let end = value + first + second / 2.0 + third / 6.0;
    let rest = [value + first / 3.0, value + 2.0 / 3.0 * first + second / 6.0, end];
    rest.into_iter().fold([value; 2], |[least, most], c| [smaller(c, least), larger(c, most)])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cubic_through_the_ends_is_that_of_a_cubic_motion() {
        let (h, motion) = (0.3, |t: f64| 1.0 - 2.0 * t + 7.0 * t * t - 11.0 * t * t * t);
        let rate = |t: f64| -2.0 + 14.0 * t - 33.0 * t * t;
        for s in [0.0, 0.2, 0.5, 0.9, 1.0] {
            let [found] = between([&[motion(0.0)], &[motion(h)]], [&[rate(0.0)], &[rate(h)]], h, s);
            assert!((found - motion(s * h)).abs() < 1e-14, "{s}: {found}");
        }
    }

    #[test]
    fn extremum_of_a_cubic_is_where_its_slope_is_zero() {
        for [b, c] in [[2.0, 0.0], [2.0, 0.5], [3.0, -1.0], [0.1, 1.0], [1e-9, 2.0]] {
            for sign in [1.0, -1.0] {
                // f′ = (s − 0.3)(b + c s) changes its sign at 0.3 alone.
                let slope = |s: f64| sign * (s - 0.3) * (b + c * s);
                let change = sign * (b * (0.5 - 0.3) + c * (1.0 / 3.0 - 0.15));
                let found = extremum(change, [slope(0.0), slope(1.0)]);
                assert!((found - 0.3).abs() < 1e-7, "{b}, {c}, {sign}: {found}");
            }
        }
    }

    #[test]
    fn extremum_lies_between_the_ends_where_a_slope_there_is_rounding() {
        let least = f64::from_bits(1);
        for slopes in [[least, -1.0], [-least, 1.0], [1.0, -least], [-1.0, least]] {
            for change in [-1.0, 0.5, 1.0] {
                let found = extremum(change, slopes);
                assert!((0.0..=1.0).contains(&found), "{change}, {slopes:?}: {found}");
            }
        }
    }
}
