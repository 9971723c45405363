//! The two directions of a measured curve.

use std::fmt::Write;

use super::{Row, counted};
use crate::table::{Fault, capped, short};

/// Points of one direction: speed (m/s, above 0, rising) and coefficient.
pub type Side = Vec<[f64; 2]>;

/// Use of the two directions of a curve.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Directions {
    /// Each direction has its own points.
    #[default]
    Both,
    /// Both have the mean.
    Mean,
}

impl Directions {
    /// Directions of a name, as a card and the command line have it.
    pub fn of_name(name: &str) -> Option<Self> {
        [("both", Directions::Both), ("mean", Directions::Mean)]
            .into_iter()
            .find(|known| known.0 == name)
            .map(|known| known.1)
    }
}

/// Points by rising velocity as those of v > 0 and those of v < 0, by their speeds.
pub fn split(points: &[[f64; 2]]) -> [Side; 2] {
    let (backward, forward) = points.split_at(points.partition_point(|[v, _]| *v < 0.0));
    [
        forward.to_vec(),
        backward.iter().rev().map(|[v, mu]| [-v, *mu]).collect(),
    ]
}

/// Points of both directions by rising velocity.
pub fn joined([forward, backward]: [Side; 2]) -> Vec<[f64; 2]> {
    backward
        .iter()
        .rev()
        .map(|[v, mu]| [-v, *mu])
        .chain(forward)
        .collect()
}

/// Speeds and coefficients above 0 of each direction, by rising speed; the second is empty where
/// the file has one direction.
pub fn sides(rows: Vec<Row>, remarks: &mut Vec<String>) -> Result<[Side; 2], Vec<Fault>> {
    let is_sorted = rows
        .windows(2)
        .all(|pair| pair[0].0.abs() < pair[1].0.abs());
    let (forward, mut backward): (Vec<Row>, Vec<Row>) =
        rows.into_iter().partition(|(v, ..)| *v > 0.0);
    // Friction has the sign of v, or is given by its size.
    let has_signs = backward.iter().filter(|(_, mu, _)| *mu < 0.0).count() * 2 > backward.len();
    for (v, mu, _) in &mut backward {
        (*v, *mu) = (-*v, if has_signs { -*mu } else { *mu });
    }
    let wrong = forward
        .iter()
        .chain(&backward)
        .filter(|(_, mu, _)| *mu <= 0.0);
    let faults: Vec<_> = wrong
        .map(|(_, mu, line)| {
            let mu = short(*mu);
            Fault::at(
                *line,
                format!(
                    "found the coefficient {mu:?} against v, expected one above \
                                      0 with the sign of v"
                ),
            )
        })
        .collect();
    if !faults.is_empty() {
        return Err(capped(faults));
    }
    if !is_sorted && (forward.is_empty() || backward.is_empty()) {
        remarks.push("sorted by speed".to_owned());
    }
    let (forward, backward) = (merged(forward, remarks), merged(backward, remarks));
    if forward.is_empty() && !backward.is_empty() {
        remarks.push("all velocities are negative: taken by their size".to_owned());
        return Ok([backward, forward]);
    }
    Ok([forward, backward])
}

/// Both directions, each with its points or both with their mean; the largest difference is a
/// remark.
///
/// # Errors
///
/// A sentence where a mean has fewer than two speeds in common.
pub fn directions(
    [forward, backward]: [Side; 2],
    directions: Directions,
    remarks: &mut Vec<String>,
) -> Result<[Side; 2], String> {
    let [first, last] = [
        f64::max(forward[0][0], backward[0][0]),
        f64::min(
            forward[forward.len() - 1][0],
            backward[backward.len() - 1][0],
        ),
    ];
    let mut speeds: Vec<f64> = forward.iter().chain(&backward).map(|[v, _]| *v).collect();
    let count = speeds.len();
    speeds.retain(|v| (first..=last).contains(v));
    let outside = count - speeds.len();
    speeds.sort_by(f64::total_cmp);
    speeds.dedup();
    let pairs: Vec<_> = speeds
        .iter()
        .map(|v| (*v, linear(&forward, *v), linear(&backward, *v)))
        .collect();
    let difference = |(_, one, other): &(f64, f64, f64)| (one - other).abs();
    let largest = pairs
        .iter()
        .rev()
        .max_by(|one, other| difference(one).total_cmp(&difference(other)));
    let by = largest.map_or("have no speed in common".to_owned(), |pair| {
        format!(
            "differ by up to {:?}, at {:?} m/s",
            short(difference(pair)),
            short(pair.0)
        )
    });
    if directions == Directions::Both {
        remarks.push(format!("both directions kept: their coefficients {by}"));
        return Ok([forward, backward]);
    }
    if pairs.len() < 2 {
        return Err(format!(
            "found {} of both directions, expected 2 at least for a mean",
            counted(pairs.len(), "speed")
        ));
    }
    let mut remark = format!("both directions averaged: their coefficients {by}");
    if outside > 0 {
        write!(
            remark,
            "; {} beyond the speeds of the other direction left out",
            counted(outside, "row")
        )
        .expect("text grows");
    }
    remarks.push(remark);
    Ok([
        pairs
            .into_iter()
            .map(|(v, one, other)| [v, 0.5 * (one + other)])
            .collect(),
        Vec::new(),
    ])
}

/// Points of both directions within the speeds that both have, for a law that needs the same first
/// and last one.
///
/// # Errors
///
/// A sentence where the speeds of one direction end before those of the other begin.
pub fn in_one_range(
    sides: [Side; 2],
    law: &str,
    remarks: &mut Vec<String>,
) -> Result<[Side; 2], String> {
    let ends = sides
        .each_ref()
        .map(|side| [side[0][0], side[side.len() - 1][0]]);
    let [first, last] = [
        f64::max(ends[0][0], ends[1][0]),
        f64::min(ends[0][1], ends[1][1]),
    ];
    if ends[0] == ends[1] {
        return Ok(sides);
    }
    if first >= last {
        return Err(format!(
            "found speeds up to {last:?} m/s in one direction and from {first:?} m/s in the \
             other, expected some that both have for {law}"
        ));
    }
    remarks.push(format!(
        "both directions used from {first:?} to {last:?} m/s, the speeds that both have, as {law} \
         needs"
    ));
    Ok(sides.map(|side| {
        let inner = side
            .iter()
            .copied()
            .filter(|[v, _]| (first..last).contains(v) && *v > first);
        let [start, end] = [first, last].map(|v| [v, linear(&side, v)]);
        [start].into_iter().chain(inner).chain([end]).collect()
    }))
}

/// Rows by rising speed, those of one speed averaged.
fn merged(mut rows: Vec<Row>, remarks: &mut Vec<String>) -> Vec<[f64; 2]> {
    rows.sort_by(|one, other| one.0.total_cmp(&other.0));
    let (mut points, mut repeated, mut spread) = (Vec::new(), 0, 0.0_f64);
    for group in rows.chunk_by(|one, other| one.0 == other.0) {
        let coefficients = group.iter().map(|(_, mu, _)| *mu);
        let [least, most] = coefficients
            .clone()
            .fold([f64::INFINITY, 0.0_f64], |[a, b], mu| {
                [a.min(mu), b.max(mu)]
            });
        if group.len() > 1 {
            (repeated, spread) = (repeated + 1, spread.max(most - least));
        }
        points.push([group[0].0, coefficients.sum::<f64>() / group.len() as f64]);
    }
    if repeated > 0 {
        let spread = short(spread);
        remarks.push(format!(
            "rows of equal speed averaged, at {}: they differ by up to {spread:?}",
            counted(repeated, "speed")
        ));
    }
    points
}

/// Coefficient at a speed within the points.
fn linear(points: &[[f64; 2]], v: f64) -> f64 {
    let end = points
        .partition_point(|[known, _]| *known < v)
        .min(points.len() - 1);
    let ([to, mu_to], [from, mu]) = (points[end], points[end.saturating_sub(1)]);
    if to == from {
        mu_to
    } else {
        mu + (mu_to - mu) * ((v - from) / (to - from))
    }
}
