//! Expected numbers beside those of the rigs, monolithic and through the FMU, with a verdict each.

use anyhow::{Result, bail};
use std::fmt::Write;

/// Share of a tolerance around 0 below which a number is printed as 0.
const ROUNDING: f64 = 2e-3;

/// An expected number with its results.
pub struct Row {
    /// The paper and the place in it, or the rig.
    pub source: &'static str,
    /// Name of the number.
    pub what: String,
    /// Unit of the number.
    pub unit: &'static str,
    /// The number expected.
    pub expected: f64,
    /// Tolerance of an obtained number, with its reason.
    pub allowed: (f64, &'static str),
    /// Number from the monolithic solution.
    pub monolithic: Option<f64>,
    /// Obtained through the FMU.
    pub coupled: Option<f64>,
    /// The source does not give the conditions of the number.
    pub open: bool,
}

impl Row {
    /// Whether both numbers are within the tolerance.
    pub fn verdict(&self) -> &'static str {
        let off = |obtained: Option<f64>| {
            obtained.is_some_and(|x| !((x - self.expected).abs() <= self.allowed.0))
        };
        match (self.open, off(self.monolithic) || off(self.coupled)) {
            (true, _) => "open",
            (false, true) => "OFF",
            (false, false) => "met",
        }
    }
}

/// Table of these numbers.
pub fn markdown(rows: &[Row]) -> String {
    let mut table =
        "| number | expected | monolithic | FMU | verdict |\n|---|---:|---:|---:|---|\n".to_owned();
    for row in rows {
        // Where 0 is expected, what is far below the tolerance is rounding, which any change of the
        // code changes.
        let clean = |x: f64| {
            if row.expected == 0.0 && x.abs() < ROUNDING * row.allowed.0 {
                0.0
            } else {
                x
            }
        };
        let number = |x: Option<f64>| x.map_or("–".to_owned(), |x| shown(clean(x), ""));
        let _ = writeln!(
            table,
            "| {}, {} | {} ± {:.1e} {} | {} | {} | {} |",
            row.source,
            row.what,
            shown(row.expected, ""),
            row.allowed.0,
            row.unit,
            number(row.monolithic),
            number(row.coupled),
            row.verdict()
        );
    }
    table
}

/// Number with five digits and its unit.
pub fn shown(x: f64, unit: &str) -> String {
    let size = x.abs();
    let digits = if size == 0.0 {
        "0".to_owned()
    } else if (1e-3..1e5).contains(&size) {
        format!(
            "{x:.*}",
            (5 - libm::log10(size).floor() as i32 - 1).clamp(0, 6) as usize
        )
    } else {
        format!("{x:.4e}")
    };
    format!("{digits} {unit}").trim_end().to_owned()
}

/// Fails if a number is off.
pub fn judge(rows: &[Row]) -> Result<()> {
    let off = rows.iter().filter(|row| row.verdict() == "OFF").count();
    if off > 0 {
        bail!("{off} numbers of {} are off", rows.len());
    }
    Ok(())
}
