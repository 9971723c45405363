//! Claims of docs/creep.md, each with the rows that it covers.

use super::{Outcome, Point, Row, Way};
use anyhow::{Result, bail};

/// Bound on the rate of FrDyn2Linear where it does not slide, m/s: the rounding of a displacement of 1e-6 m, 2e-22 m, in each
/// step of a run adds up to 1e-17 m in 0.2 s.
const MAX_LINEAR_RATE: f64 = 1e-14;
/// Bound on the deviation of FrDyn2 from the analytic formula, 1.
const MAX_DEVIATION: f64 = 0.01;
/// Rates below this are not compared with the formula, m/s: the loads without a mean leave rounding.
const MIN_COMPARED_RATE: f64 = 1e-14;

/// Measured claims.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Claims {
    /// Runs of FrDyn2Linear under loads under which it does not slide in the monolithic solution.
    pub linear_runs: u32,
    /// Their largest rate, m/s.
    pub linear_rate: f64,
    /// Runs of FrDyn2 that are compared with the formula.
    pub formula_runs: u32,
    /// Largest deviation from it, 1.
    pub formula_deviation: f64,
}

/// Measures the claims, and refuses rows that break one.
pub fn claims(rows: &[Row]) -> Result<Claims> {
    let mut claims = Claims::default();
    let mut broken = Vec::new();
    for (point, outcome) in rows {
        let Some(outcome) = outcome else {
            if point.element.starts_with("FrDyn2") {
                broken.push(format!("{point:?} has no result"));
            }
            continue;
        };
        let rate = outcome.rate;
        if point.element == "FrDyn2Linear" && !slides_in_one_piece(point, rows) {
            claims.linear_runs += 1;
            claims.linear_rate = claims.linear_rate.max(rate.abs());
            if rate.abs() >= MAX_LINEAR_RATE {
                broken.push(format!("{point:?} creeps at {rate:e} m/s"));
            }
        }
        if let Some(deviation) = deviation(outcome) {
            claims.formula_runs += 1;
            claims.formula_deviation = claims.formula_deviation.max(deviation);
            if deviation > MAX_DEVIATION {
                broken.push(format!("{point:?}: {rate:e} m/s, formula {:?} m/s", outcome.formula));
            }
        }
    }
    if !broken.is_empty() {
        bail!("{} runs break the claims of docs/creep.md:\n{}", broken.len(), broken.join("\n"));
    }
    Ok(claims)
}

fn deviation(outcome: &Outcome) -> Option<f64> {
    let formula = outcome.formula.filter(|rate| rate.abs() > MIN_COMPARED_RATE && !outcome.slides)?;
    Some((outcome.rate / formula - 1.0).abs())
}

fn slides_in_one_piece(point: &Point, rows: &[Row]) -> bool {
    rows.iter().any(|(other, outcome)| {
        other.way == Way::Monolithic
            && other.element == point.element
            && other.rig == point.rig
            && outcome.is_some_and(|outcome| outcome.slides)
    })
}
