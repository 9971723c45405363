//! Measured characteristic: a curve μ(v) through points.
//!
//! Between the points the curve is the monotone piecewise cubic of F. N. Fritsch, J. Butland, *A
//! method for constructing local monotone piecewise cubic interpolants*, SIAM J. Sci. Stat. Comput.
//! 1984, 5(2), 300–304 (PCHIP): once continuously differentiable, and nowhere above or below its
//! two neighbours. Its slope is 0 at the first point; at the last point and beyond it [`End`]
//! chooses it. Below the first point each law has its own regularisation.

use std::sync::{Mutex, OnceLock, PoisonError};

use crate::domain::MAX_SPEED;

/// Largest number of points: a card with them has room in the section of a library.
pub const MAX_POINTS: usize = 256;

/// Slope of a measured curve at its last point and beyond it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum End {
    /// 0: the last coefficient is held.
    #[default]
    Flat,
    /// That of the line through the last two points, continued up to [`MAX_SPEED`] as linear
    /// extrapolation does. One that falls is not continued, because it would pass through 0.
    Last,
}

/// Cubic between two points, over ξ = (|v| − from)·inverse_width: μ = mu + rise (3ξ² − 2ξ³) + bend₁
/// ξ + bend₂ ξ² + bend₃ ξ³.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Segment {
    /// Speed at its start, m/s.
    from: f64,
    /// Speed at its end, m/s.
    to: f64,
    /// 1/(to − from), s/m.
    inverse_width: f64,
    /// Coefficient at its start.
    mu: f64,
    /// Coefficient at its end less that at its start.
    rise: f64,
    /// Terms by the slopes at both ends; `None` where both are 0.
    bend: Option<[f64; 3]>,
}

impl Segment {
    fn new(
        [[from, mu], [to, mu_end]]: [[f64; 2]; 2],
        [slope, slope_end]: [f64; 2],
        inverse_width: f64,
    ) -> Self {
        let width = to - from;
        let [a, b] = [slope * width, slope_end * width];
        let bend = (slope != 0.0 || slope_end != 0.0).then_some([a, -2.0 * a - b, a + b]);
        Segment {
            from,
            to,
            inverse_width,
            mu,
            rise: mu_end - mu,
            bend,
        }
    }

    /// Coefficient at a speed within the segment (m/s), and its derivative (s/m).
    fn at(&self, speed: f64) -> (f64, f64) {
        let x = (speed - self.from) * self.inverse_width;
        let mut value = self.mu + self.rise * (x * x * (3.0 - 2.0 * x));
        let mut slope = 6.0 * self.rise * (x * (1.0 - x));
        if let Some([a, b, c]) = self.bend {
            value += x * (a + x * (b + x * c));
            slope += a + x * (2.0 * b + 3.0 * x * c);
        }
        (value, slope * self.inverse_width)
    }

    /// Steepest fall of the segment, s/m; 0 where it does not fall. The derivative is a parabola of
    /// ξ, extreme at its ends or vertex.
    fn steepest_fall(&self) -> f64 {
        let [a, b, c] = self.bend.unwrap_or_default();
        // 6 rise ξ(1 − ξ) + a + 2bξ + 3cξ².
        let (linear, square) = (6.0 * self.rise + 2.0 * b, 3.0 * c - 6.0 * self.rise);
        let vertex = (-0.5 * linear / square).clamp(0.0, 1.0);
        let slope = |x: f64| a + x * (linear + x * square);
        let vertex = if vertex.is_nan() { 0.0 } else { vertex };
        let least = slope(0.0).min(slope(1.0)).min(slope(vertex));
        (-least * self.inverse_width).max(0.0)
    }
}

/// Measured characteristic, without memory of its own on the heap.
#[derive(Debug, PartialEq)]
pub struct Measured {
    count: usize,
    end: End,
    /// Slope beyond the last point, s/m, at least 0.
    slope_beyond: f64,
    /// Of `count` points, as are their slopes, s/m; 0 beyond them.
    points: [[f64; 2]; MAX_POINTS],
    slopes: [f64; MAX_POINTS],
    /// 1 over the width of the segment that begins at each point, s/m.
    inverse_widths: [f64; MAX_POINTS],
    /// Smallest and largest coefficient.
    range: [f64; 2],
    steepest_fall: f64,
}

/// Fault of a row of points.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RowFault {
    /// Row, from 0; the number of rows where it is about their number.
    pub row: usize,
    /// The values found and those expected.
    pub sentence: String,
}

impl Measured {
    /// Curve through these points, speed (m/s) and coefficient; or all faults of the rows.
    pub fn new(points: &[[f64; 2]], end: End) -> Result<Self, Vec<RowFault>> {
        let faults = faults(points);
        if faults.is_empty() {
            Ok(Measured::through(points, end))
        } else {
            Err(faults)
        }
    }

    /// Curve through points without a fault.
    fn through(points: &[[f64; 2]], end: End) -> Self {
        let mut curve = Measured {
            count: points.len(),
            end,
            slope_beyond: 0.0,
            points: [[0.0; 2]; MAX_POINTS],
            slopes: [0.0; MAX_POINTS],
            inverse_widths: [0.0; MAX_POINTS],
            range: [f64::INFINITY, 0.0],
            steepest_fall: 0.0,
        };
        curve.points[..points.len()].copy_from_slice(points);
        curve.slopes[..points.len()].copy_from_slice(&slopes(points, end));
        let last = points.len() - 1;
        for i in 0..last {
            curve.inverse_widths[i] = 1.0 / (points[i + 1][0] - points[i][0]);
        }
        let segments = (0..last).map(|i| curve.segment(i));
        curve.steepest_fall = segments.map(|one| one.steepest_fall()).fold(0.0, f64::max);
        let coefficients = points.iter().map(|[_, mu]| *mu);
        curve.range = coefficients.fold(curve.range, |[least, most], mu| {
            [least.min(mu), most.max(mu)]
        });
        curve.slope_beyond = curve.slopes[last].max(0.0);
        curve
    }

    /// Curve that lives as long as the program, each one once: laws are copied, and elements of one
    /// card share their curve.
    ///
    /// The first two curves lie in a static, which goes with a library that is unloaded. The
    /// library of an FMU has no more. A curve takes 8 kB of stack while it is made.
    pub fn shared(points: &[[f64; 2]], end: End) -> Result<&'static Self, Vec<RowFault>> {
        static FIRST: [OnceLock<Measured>; 2] = [const { OnceLock::new() }; 2];
        let faults = faults(points);
        if !faults.is_empty() {
            return Err(faults);
        }
        let first = FIRST
            .iter()
            .map(|place| place.get_or_init(|| Measured::through(points, end)));
        let known = first.into_iter().find(|known| known.is(points, end));
        Ok(known.unwrap_or_else(|| Measured::further(points, end)))
    }

    /// Curve beyond the first two.
    #[inline(never)] // keeps its stack apart
    fn further(points: &[[f64; 2]], end: End) -> &'static Self {
        static FURTHER: Mutex<Vec<&'static Measured>> = Mutex::new(Vec::new());
        let mut curves = FURTHER.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = curves.iter().find(|known| known.is(points, end)) {
            return known;
        }
        let curve: &'static Measured = Box::leak(Box::new(Measured::through(points, end)));
        curves.push(curve);
        curve
    }

    /// Whether it is the curve through these points.
    fn is(&self, points: &[[f64; 2]], end: End) -> bool {
        self.points() == points && self.end == end
    }

    /// All points: speed (m/s) and coefficient.
    fn points(&self) -> &[[f64; 2]] {
        &self.points[..self.count]
    }

    /// First point: speed (m/s) and coefficient.
    pub fn first(&self) -> [f64; 2] {
        self.points[0]
    }

    /// Last point: speed (m/s) and coefficient.
    pub fn last(&self) -> [f64; 2] {
        self.points[self.count - 1]
    }

    /// Speed (m/s) from which on the coefficient is constant, and that coefficient.
    pub fn held(&self) -> [f64; 2] {
        let speed = if self.slope_beyond > 0.0 {
            MAX_SPEED.max(self.last()[0])
        } else {
            self.last()[0]
        };
        [speed, self.beyond(speed).0]
    }

    /// Smallest and largest coefficient of the points.
    pub fn range(&self) -> [f64; 2] {
        self.range
    }

    /// Steepest fall of the curve, s/m; 0 for one that does not fall.
    pub fn steepest_fall(&self) -> f64 {
        self.steepest_fall
    }

    /// Number of the points whose speed (m/s) is below a bound.
    pub fn points_below(&self, is_below: impl Fn(f64) -> bool) -> usize {
        self.points().partition_point(|[speed, _]| is_below(*speed))
    }

    /// Segment that begins at the point with this index.
    fn segment(&self, index: usize) -> Segment {
        let next = index + 1;
        Segment::new(
            [self.points[index], self.points[next]],
            [self.slopes[index], self.slopes[next]],
            self.inverse_widths[index],
        )
    }

    /// Coefficient at a speed (m/s) from the last point on, and its derivative (s/m).
    fn beyond(&self, speed: f64) -> (f64, f64) {
        let ([last, mu], end) = (self.last(), MAX_SPEED.max(self.last()[0]));
        (
            mu + self.slope_beyond * (speed.min(end) - last),
            if speed < end { self.slope_beyond } else { 0.0 },
        )
    }

    /// Coefficient at a speed (m/s, at least 0), and its derivative (s/m); that of the first point
    /// below it.
    pub fn at(&self, speed: f64) -> (f64, f64) {
        let index = self.points_below(|known| known <= speed);
        if index == 0 {
            (self.points[0][1], 0.0)
        } else if index == self.count {
            self.beyond(speed)
        } else {
            self.segment(index - 1).at(speed)
        }
    }
}

fn faults(points: &[[f64; 2]]) -> Vec<RowFault> {
    let mut faults = Vec::new();
    let mut fault = |row: usize, sentence: String| faults.push(RowFault { row, sentence });
    for (row, [speed, mu]) in points.iter().enumerate() {
        if !speed.is_finite() || !mu.is_finite() {
            fault(
                row,
                format!("found v = {speed:?}, mu = {mu:?}, expected finite numbers"),
            );
            continue;
        }
        if *speed <= 0.0 {
            fault(
                row,
                format!(
                    "found v = {speed:?} m/s, expected a speed above 0: below the first point the \
                     law regularises"
                ),
            );
        }
        if *mu <= 0.0 {
            fault(
                row,
                format!("found mu = {mu:?}, expected a coefficient of friction above 0"),
            );
        }
        if let Some([before, _]) = row.checked_sub(1).map(|before| points[before])
            && before.is_finite()
            && *speed <= before
        {
            let sentence = format!(
                "found v = {speed:?} m/s after {before:?} m/s, expected speeds that rise from row \
                 to row"
            );
            fault(row, sentence);
        }
    }
    if !(2..=MAX_POINTS).contains(&points.len()) {
        let count = points.len();
        fault(
            count,
            format!("found {count} points, expected 2 to {MAX_POINTS}"),
        );
    }
    faults
}

/// Slopes at the points: the weighted harmonic mean of those of the neighbouring chords, 0 at
/// extrema and at the first point.
fn slopes(points: &[[f64; 2]], end: End) -> Vec<f64> {
    let chord = |i: usize| {
        let ([v, mu], [v_next, mu_next]) = (points[i], points[i + 1]);
        (v_next - v, (mu_next - mu) / (v_next - v))
    };
    let inner = |i: usize| {
        let ((width, before), (width_next, after)) = (chord(i - 1), chord(i));
        if before * after <= 0.0 {
            return 0.0;
        }
        let (first, second) = (2.0 * width_next + width, width_next + 2.0 * width);
        (first + second) / (first / before + second / after)
    };
    let last = points.len() - 1;
    let at_end = if end == End::Last {
        chord(last - 1).1
    } else {
        0.0
    };
    let slope = |i: usize| match i {
        0 => 0.0,
        _ if i == last => at_end,
        _ => inner(i),
    };
    (0..points.len()).map(slope).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::laws::tests::random;

    #[test]
    fn curve_passes_through_its_points_and_nowhere_beyond_its_neighbours() {
        let mut random = random(9);
        for count in [2, 3, 7, 256] {
            let mut speed = 0.0;
            let points: Vec<_> = (0..count)
                .map(|_| {
                    speed += libm::exp(4.0 * random() - 6.0);
                    [speed, 0.5 + 0.4 * random()]
                })
                .collect();
            let curve = Measured::new(&points, End::Flat).unwrap();
            for (i, pair) in points.windows(2).enumerate() {
                let [[v, mu], [v_next, mu_next]] = [pair[0], pair[1]];
                assert!(
                    (curve.at(v).0 - mu).abs() < 1e-15
                        && (curve.at(v_next).0 - mu_next).abs() < 1e-14
                );
                for part in 1..40 {
                    let speed = v + (v_next - v) * f64::from(part) / 40.0;
                    let (found, slope) = curve.at(speed);
                    assert!(
                        mu.min(mu_next) - 1e-14 <= found && found <= mu.max(mu_next) + 1e-14,
                        "segment {i}: {found}"
                    );
                    let d = 1e-6 * (v_next - v);
                    let difference = (curve.at(speed + d).0 - curve.at(speed - d).0) / (2.0 * d);
                    let size = (mu_next - mu).abs() / (v_next - v);
                    assert!(
                        (difference - slope).abs() <= 1e-5 * (size + slope.abs()),
                        "segment {i}: {difference}, {slope}"
                    );
                    assert!(slope >= -curve.steepest_fall() * (1.0 + 1e-12));
                }
            }
            assert_eq!(curve.at(0.0), (points[0][1], 0.0));
            assert_eq!(curve.at(1e9), (points[count - 1][1], 0.0));
        }
    }

    #[test]
    fn slope_is_continuous_at_the_points() {
        let curve = Measured::new(
            &[[1e-3, 0.6], [2e-3, 0.5], [5e-3, 0.45], [2e-2, 0.3]],
            End::Flat,
        )
        .unwrap();
        for speed in [1e-3, 2e-3, 5e-3, 2e-2] {
            let [before, after] = [-1.0, 1.0].map(|side| curve.at(speed * (1.0 + side * 1e-10)).1);
            assert!((before - after).abs() < 1e-4, "{before}, {after}");
        }
    }

    #[test]
    fn two_points_are_the_published_cubic() {
        let curve = Measured::new(&[[1e-3, 0.6], [1e-2, 0.3]], End::Flat).unwrap();
        let published = crate::characteristic::Regularised {
            mu_s: 0.6,
            v_s: 1e-3,
            mu_d: 0.3,
            v_d: 1e-2,
        };
        for speed in [1e-3, 2e-3, 5.5e-3, 9e-3, 1e-2, 1.0] {
            let ((mu, slope), (expected, expected_slope)) = (curve.at(speed), published.at(speed));
            assert!((mu - expected).abs() < 1e-15 && (slope - expected_slope).abs() < 1e-12 * 50.0);
        }
        assert!((curve.steepest_fall() - 1.5 * 0.3 / 9e-3).abs() < 1e-10);
    }

    #[test]
    fn last_slope_is_continued_where_it_rises_and_held_where_it_falls_or_is_flat() {
        let rising = [[0.1, 2.0], [1.0, 2.2], [2.0, 3.16]];
        let curve = Measured::new(&rising, End::Last).unwrap();
        for (speed, expected) in [
            (2.0, 3.16),
            (3.0, 4.12),
            (6.0, 7.0),
            (MAX_SPEED, 3.16 + 0.96 * 998.0),
        ] {
            assert!(
                (curve.at(speed).0 / expected - 1.0).abs() < 1e-14,
                "{:?} at {speed} m/s",
                curve.at(speed)
            );
        }
        assert!((curve.at(3.0).1 - 0.96).abs() < 1e-14);
        assert_eq!(
            (curve.at(1e9), curve.held()),
            (
                (curve.at(MAX_SPEED).0, 0.0),
                [MAX_SPEED, curve.at(MAX_SPEED).0]
            )
        );
        assert_eq!(
            Measured::new(&rising, End::Flat).unwrap().at(6.0),
            (3.16, 0.0)
        );
        let falling = Measured::new(&[[0.1, 2.0], [1.0, 1.5]], End::Last).unwrap();
        assert_eq!((falling.at(1e2), falling.held()), ((1.5, 0.0), [1.0, 1.5]));
    }

    #[test]
    fn every_faulty_row_is_named() {
        let rows = |points: &[[f64; 2]]| -> Vec<usize> {
            Measured::new(points, End::Flat)
                .unwrap_err()
                .into_iter()
                .map(|fault| fault.row)
                .collect()
        };
        assert_eq!(rows(&[[1e-3, 0.5]]), [1]);
        assert_eq!(rows(&[]), [0]);
        assert_eq!(rows(&[[1e-3, 0.5], [f64::NAN, 0.5], [2e-3, -0.1]]), [1, 2]);
        assert_eq!(
            rows(&[[1e-3, f64::INFINITY], [2e-3, 0.5], [3e-3, f64::NAN]]),
            [0, 2]
        );
        assert_eq!(
            rows(&[[0.0, 0.5], [2e-3, 0.5], [1e-3, 0.4], [1e-3, 0.4]]),
            [0, 2, 3]
        );
        assert_eq!(rows(&vec![[1.0, 0.5]; 257]).last(), Some(&257));
    }
}
