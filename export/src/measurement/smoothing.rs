//! Smoothing of a noisy sweep: local parabolas over the speed, whose windows are as wide as the
//! noise allows.
//!
//! At each bin a parabola is fitted to the nearest rows, in windows that grow; the widest one is
//! taken whose value agrees within the noise with those of all narrower ones (intersection of
//! confidence intervals: A. Goldenshluger, A. Nemirovski, *On spatially adaptive estimation of
//! nonparametric regression*, Math. Methods Statist. 1997, 6(2), 135–170). A fall within a few rows
//! keeps its shape so, and a straight part is averaged over all of its rows. A monotone fit would
//! lose the minimum of a Stribeck curve.

use bristle::characteristic::{End, Measured};

use super::rounded;

/// Bins in a decade of the speed.
const BINS: f64 = 12.0;
/// Rows of the narrowest window: a parabola has three numbers, and five are left to average over.
const FEWEST: f64 = 8.0;
/// Rows of a window over those of the one before.
const GROWTH: f64 = 1.4;
/// Half the width of a confidence interval, in standard errors. From 1 (follows noise) to 2.5 (cuts
/// corners) the error of curves with 1 % noise is least at 1.5.
const INTERVAL: f64 = 1.5;

/// A smoothed curve.
pub struct Smoothed {
    /// Speed (m/s, rising) and coefficient of the curve.
    pub points: Vec<[f64; 2]>,
    /// Mean speed and coefficient of each bin.
    pub bins: Vec<[f64; 2]>,
    /// Rows of the narrowest and of the widest window.
    pub windows: [usize; 2],
    /// Deviation of the rows from the curve, root mean square.
    pub residual: f64,
}

impl Smoothed {
    /// Windows and residual in words.
    pub fn sentence(&self) -> String {
        let ([least, most], residual) = (self.windows, rounded(self.residual));
        format!("parabolas over {least} to {most} rows, residual {residual:?}")
    }
}

/// Standard deviation of the noise of rows by rising speed: that of their second differences, by
/// the median. The largest one over several distances, because neighbours of a filtered signal have
/// their noise in common.
pub fn noise(rows: &[[f64; 2]]) -> f64 {
    let at_distance = |distance: usize| {
        let triples = (2 * distance..rows.len())
            .map(|i| [i, i - distance, i - 2 * distance].map(|i| rows[i][1]));
        let mut differences: Vec<f64> = triples.map(|[a, b, c]| (a - 2.0 * b + c).abs()).collect();
        differences.sort_by(f64::total_cmp);
        // The median of |x| of a normal x is 0.6745 of its deviation; a second difference has the
        // variance 1 + 4 + 1.
        differences
            .get(differences.len() / 2)
            .map_or(0.0, |median| median / (0.674_5 * libm::sqrt(6.0)))
    };
    [1, 2, 4, 8]
        .map(at_distance)
        .into_iter()
        .fold(0.0, f64::max)
}

/// Curve of rows by rising speed (m/s, above 0); `None` of rows that are too few.
pub fn smooth(rows: &[[f64; 2]], end: End) -> Option<Smoothed> {
    let noise = noise(rows);
    let bin = |row: &[f64; 2]| libm::floor(BINS * libm::log10(row[0]));
    let bins: Vec<[f64; 2]> = rows
        .chunk_by(|one, other| bin(one) == bin(other))
        .map(mean)
        .collect();
    let mut speeds: Vec<f64> = bins.iter().map(|[v, _]| *v).collect();
    // The curve has the range of the rows.
    speeds.extend([rows.first()?[0], rows.last()?[0]]);
    speeds.sort_by(f64::total_cmp);
    speeds.dedup();
    let (mut points, mut windows) = (Vec::new(), [usize::MAX, 0]);
    for speed in speeds {
        let (mu, count) = estimate(rows, speed, noise)?;
        // A parabola at the end of few rows may cross 0, where the friction is next to nothing.
        let mu = if mu > 0.0 {
            mu
        } else {
            bins.iter().map(|[_, mu]| *mu).fold(f64::INFINITY, f64::min)
        };
        points.push([speed, mu]);
        windows = [windows[0].min(count), windows[1].max(count)];
    }
    let curve = Measured::new(&points, end).ok()?;
    let squares = rows
        .iter()
        .map(|[v, mu]| (mu - curve.at(*v).0) * (mu - curve.at(*v).0))
        .sum::<f64>();
    Some(Smoothed {
        points,
        bins,
        windows,
        residual: libm::sqrt(squares / rows.len() as f64),
    })
}

/// Mean speed and coefficient of rows.
fn mean(rows: &[[f64; 2]]) -> [f64; 2] {
    [0, 1].map(|i| rows.iter().map(|row| row[i]).sum::<f64>() / rows.len() as f64)
}

/// Coefficient at a speed, and the number of rows of its window.
fn estimate(rows: &[[f64; 2]], speed: f64, noise: f64) -> Option<(f64, usize)> {
    let (mut range, mut wanted) = (nearest(rows, speed), FEWEST);
    let (mut bounds, mut best) = ([f64::NEG_INFINITY, f64::INFINITY], None);
    loop {
        let count = (wanted as usize).min(rows.len());
        while range.len() < count {
            // The window grows to the side whose next row is nearer.
            let below = range
                .start
                .checked_sub(1)
                .map_or(f64::INFINITY, |i| speed - rows[i][0]);
            let above = rows
                .get(range.end)
                .map_or(f64::INFINITY, |row| row[0] - speed);
            if below <= above {
                range.start -= 1
            } else {
                range.end += 1
            }
        }
        if let Some((mu, gain)) = parabola(&rows[range.clone()], speed) {
            let width = INTERVAL * noise * gain;
            bounds = [bounds[0].max(mu - width), bounds[1].min(mu + width)];
            if bounds[0] > bounds[1] {
                return best;
            }
            best = Some((mu, count));
        }
        if count == rows.len() {
            return best;
        }
        wanted *= GROWTH;
    }
}

/// Empty range of rows around a speed.
fn nearest(rows: &[[f64; 2]], speed: f64) -> std::ops::Range<usize> {
    let place = rows.partition_point(|[v, _]| *v < speed);
    place..place
}

/// Value at a speed of the parabola through rows, weighted by (1 − |u|³)³ over their distance u,
/// and its standard error over that of a row.
fn parabola(rows: &[[f64; 2]], speed: f64) -> Option<(f64, f64)> {
    let reach = 1.001
        * rows
            .iter()
            .map(|[v, _]| (v - speed).abs())
            .fold(0.0, f64::max);
    let distance = |row: &[f64; 2]| (row[0] - speed) / reach;
    let weight = |u: f64| {
        let part = 1.0 - (u * u * u).abs();
        part * part * part
    };
    let mut sums = [0.0; 5];
    for u in rows.iter().map(distance) {
        let mut term = weight(u);
        for sum in &mut sums {
            *sum += term;
            term *= u;
        }
    }
    let [s0, s1, s2, s3, s4] = sums;
    // The first row of the inverse of the normal equations.
    let [a, b, c] = [s2 * s4 - s3 * s3, s2 * s3 - s1 * s4, s1 * s3 - s2 * s2];
    let determinant = s0 * a + s1 * b + s2 * c;
    let (mut value, mut variance) = (0.0, 0.0);
    for row in rows {
        let u = distance(row);
        let part = weight(u) * (a + u * (b + u * c)) / determinant;
        value += part * row[1];
        variance += part * part;
    }
    (determinant > 1e-9 * s0 * s0 * s0 && value.is_finite()).then(|| (value, libm::sqrt(variance)))
}
