//! The data of a figure as a CSV file that people read too: one column that names the run, then
//! quantities with units.

use anyhow::{Context, Result};
use std::fmt::Write;
use std::path::Path;

/// A row that a straight line between its neighbours replaces within this share of each column's
/// range is left out.
const THINNED: f64 = 1e-3;

/// Runs with the same columns.
pub struct Table {
    columns: &'static [&'static str],
    runs: Vec<(String, Vec<Vec<f64>>)>,
}

impl Table {
    /// Empty table. The first column is the abscissa of the others: values between rows are linear
    /// in it.
    pub fn new(columns: &'static [&'static str]) -> Self {
        Table {
            columns,
            runs: Vec::new(),
        }
    }

    /// Adds a run, thinned.
    pub fn add(&mut self, run: impl Into<String>, rows: Vec<Vec<f64>>) {
        self.runs.push((run.into(), thinned(rows)));
    }

    /// Writes the file.
    pub fn write(&self, path: &Path) -> Result<()> {
        std::fs::write(path, self.text())
            .with_context(|| format!("cannot write {}", path.display()))
    }

    fn text(&self) -> String {
        let mut text = format!("run,{}\n", self.columns.join(","));
        for (run, rows) in &self.runs {
            for row in rows {
                // A name with a comma would be two columns.
                let _ = write!(text, "{}", run.replace(',', ";"));
                for value in row {
                    let _ = write!(text, ",{}", number(*value));
                }
                text.push('\n');
            }
        }
        text
    }
}

/// Seven significant digits, in powers of ten where that is shorter.
fn number(x: f64) -> String {
    let rounded: f64 = format!("{x:.6e}").parse().unwrap_or(x);
    let [plain, power] = [format!("{rounded}"), format!("{rounded:e}")];
    if plain.len() <= power.len() + 2 {
        plain
    } else {
        power
    }
}

/// Douglas and Peucker's rule in all columns at once.
fn thinned(rows: Vec<Vec<f64>>) -> Vec<Vec<f64>> {
    let Some(first) = rows.first() else {
        return rows;
    };
    let ranges: Vec<f64> = (0..first.len())
        .map(|column| {
            let values = rows.iter().map(|row| row[column]);
            let [least, most] = values.fold([f64::MAX, f64::MIN], |[least, most], x| {
                [least.min(x), most.max(x)]
            });
            (most - least).max(f64::MIN_POSITIVE)
        })
        .collect();
    let mut keep = vec![false; rows.len()];
    let mut open = vec![(0, rows.len() - 1)];
    while let Some((from, to)) = open.pop() {
        (keep[from], keep[to]) = (true, true);
        let span = rows[to][0] - rows[from][0];
        let off = |row: &Vec<f64>| {
            let share = if span == 0.0 {
                0.0
            } else {
                (row[0] - rows[from][0]) / span
            };
            let deviations = (1..row.len()).map(|column| {
                let line = rows[from][column] + share * (rows[to][column] - rows[from][column]);
                (row[column] - line).abs() / ranges[column]
            });
            deviations.fold(0.0, f64::max)
        };
        let farthest = (from + 1..to)
            .map(|i| (i, off(&rows[i])))
            .max_by(|a, b| a.1.total_cmp(&b.1));
        if let Some((i, _)) = farthest.filter(|(_, off)| *off > THINNED) {
            open.extend([(from, i), (i, to)]);
        }
    }
    rows.into_iter()
        .zip(keep)
        .filter(|(_, keep)| *keep)
        .map(|(row, _)| row)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn simplified_table_keeps_corners() {
        let mut table = Table::new(&["t [s]", "u [m]"]);
        table.add(
            "there, and back",
            (0..=10)
                .map(|i| vec![f64::from(i), f64::from(5 - (i - 5_i32).abs()) * 1e-7])
                .collect(),
        );
        assert_eq!(
            table.text(),
            "run,t [s],u [m]\nthere; and back,0,0\nthere; and back,5,5e-7\nthere; and back,10,0\n"
        );
    }
}
