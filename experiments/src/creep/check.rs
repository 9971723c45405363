//! Claims of docs/creep.md, each with the rows that it covers.

use super::{Outcome, Point, Row, Way};
use crate::elements::Friction;
use crate::numbers::STATIC_FRICTION;
use crate::trace::{Answer, Trace};
use anyhow::{Result, bail};

/// Bound on the rate of FrDyn2Linear where it does not slide, m/s: the rounding of a displacement
/// of 1e-6 m, 2e-22 m, in each step of a run adds up to 1e-17 m in 0.2 s.
const MAX_LINEAR_RATE: f64 = 1e-14;
/// Bound on the deviation of FrDyn2 from the analytic formula, 1.
const MAX_DEVIATION: f64 = 0.01;
/// Rates below this are not compared with the formula, m/s: the loads without a mean leave
/// rounding.
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
                broken.push(format!(
                    "{point:?}: {rate:e} m/s, formula {:?} m/s",
                    outcome.formula
                ));
            }
        }
    }
    if !broken.is_empty() {
        bail!(
            "{} runs break the claims of docs/creep.md:\n{}",
            broken.len(),
            broken.join("\n")
        );
    }
    Ok(claims)
}

fn deviation(outcome: &Outcome) -> Option<f64> {
    let formula = outcome
        .formula
        .filter(|rate| rate.abs() > MIN_COMPARED_RATE && !outcome.slides)?;
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

/// m_b ω/(k + σ_1) up to which the formula is compared. At 0.035 (100 Hz) it deviates by 2 % to 8
/// %.
const MAX_RATE_RATIO: f64 = 0.01;

/// Creep rate of FrDyn2 in stick by the analytic formula: mean slip velocity from `from` (s) to the
/// end of a run, whole periods of the load; `None` where its highest harmonic, of `frequency` (Hz),
/// is fast beside the bristle.
///
/// In stick e = v − ż ≈ m_b z̈/(k + σ_1), k = 2(F_s/v_s)√(1 − |r|), r = F_0/F_s. As k depends on r,
/// the mean of e over a period is −(m_b σ_0/v_s) ⟨sgn r ż²/(√(1 − |r|)(k + σ_1)²)⟩, up to a
/// relative error of the order of m_b ω/(k + σ_1).
pub fn creep_rate(trace: &Trace, from: f64, frequency: f64) -> Option<f64> {
    let Friction {
        sigma_0,
        sigma_1,
        v_s,
        ..
    } = Friction::BENCH;
    let bristle_mass = sigma_1 * sigma_1 / (4.0 * sigma_0);
    let mut lowest = f64::INFINITY;
    // r, and the magnitude of the mean's integrand. In stick ż is v up to the slip velocity.
    let mut integrand = |answer: &Answer| {
        let v = answer.contact.v;
        let r = (sigma_0 * answer.z + sigma_1 * v) / STATIC_FRICTION;
        let root = (1.0 - r.abs()).max(0.0).sqrt();
        let slope = 2.0 * STATIC_FRICTION / v_s * root + sigma_1;
        lowest = slope.min(lowest);
        (r, v * v / (root * slope * slope))
    };
    let window = trace.0.iter().filter(|sample| sample.t >= from - 1e-9);
    let points: Vec<_> = window
        .map(|sample| (sample.t, integrand(&sample.contacts[0])))
        .collect();
    if bristle_mass * core::f64::consts::TAU * frequency / lowest > MAX_RATE_RATIO {
        return None;
    }
    // Trapezoids, divided where r changes its sign.
    let area = points.windows(2).map(|pair| {
        let [(t0, (r0, g0)), (t1, (r1, g1))] = [pair[0], pair[1]];
        let positive = if r0 * r1 >= 0.0 {
            if r0 + r1 >= 0.0 { 1.0 } else { 0.0 }
        } else {
            r0.max(r1) / (r0 - r1).abs()
        };
        (2.0 * positive - 1.0) * 0.5 * (g0 + g1) * (t1 - t0)
    });
    let duration = points.last()?.0 - points.first()?.0;
    Some(-bristle_mass * sigma_0 / v_s * area.sum::<f64>() / duration)
}
