//! Extremum of a cubic.

/// Place of the extremum between 0 and 1 of the cubic that changes by this much and has slopes of different signs at the ends.
pub fn extremum(change: f64, [first, last]: [f64; 2]) -> f64 {
    // first + 2 b s + 3 c s² = 0.
    let (b, c) = (3.0 * change - 2.0 * first - last, first + last - 2.0 * change);
    let root = (b * b - 3.0 * first * c).max(0.0).sqrt();
    // The root at which the slope changes from the sign of the first one.
    let place = -first / (b - root.copysign(first));
    if place > 0.0 && place < 1.0 { place } else { first / (first - last) }
}

#[cfg(test)]
mod tests {
    use super::*;

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
