//! Table of runs with a support whose stiffness or mass is given wrong.

use super::judge::Grade;
use super::master::Master;
use super::scenarios::Known;
use super::{Cell, Outcome, Setting};
use anyhow::Result;
use std::fmt::Write;

/// Error of what a user gives of a support.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Wrong {
    /// Stiffness over the true one, in percent.
    pub stiffness: u16,
    /// Mass at the other end over the true one, in percent; 0: given as the ground.
    pub mass: u16,
}

const fn wrong(stiffness: u16, mass: u16) -> Wrong {
    Wrong { stiffness, mass }
}

/// Rows of the table.
const ROWS: [(&str, Wrong); 12] = [
    ("m_eff alone", wrong(0, 100)),
    ("k_eff 0.5 of the true one", wrong(50, 100)),
    ("0.7", wrong(70, 100)),
    ("0.9", wrong(90, 100)),
    ("0.95", wrong(95, 100)),
    ("1", wrong(100, 100)),
    ("1.05", wrong(105, 100)),
    ("1.1", wrong(110, 100)),
    ("1.3", wrong(130, 100)),
    ("2", wrong(200, 100)),
    ("m_support 0.5 of the true one", wrong(100, 50)),
    ("m_support given as the ground", wrong(100, 0)),
];
/// Upper bounds of the classes of k H²/m.
const CLASSES: [f64; 3] = [1.0, 10.0, f64::INFINITY];

/// Runs of the table: for each row serial and parallel, over the cells of scenarios with a support.
pub fn columns() -> Vec<(Master, Setting)> {
    let both = |wrong| [(Master::Serial, Setting::Support(1, wrong)), (Master::Parallel, Setting::Support(2, wrong))];
    let held = [(Master::Serial, Setting::Held), (Master::Parallel, Setting::Held)];
    held.into_iter().chain(ROWS.iter().flat_map(|(_, wrong)| both(*wrong))).collect()
}

/// Good runs of those in each class of k H²/m, serial and parallel, and runs that are worse than with held values.
pub fn table(cells: &[Cell], outcomes: &[Outcome]) -> Result<String> {
    let mut text = "| given | serial: k H²/m < 1 | 1 to 10 | above | worse than held | parallel: < 1 | 1 to 10 | above | worse than held |\n\
                    |---|---:|---:|---:|---:|---:|---:|---:|---:|\n"
        .to_owned();
    let width = 2 + 2 * ROWS.len();
    for (row, (name, _)) in ROWS.iter().enumerate() {
        write!(text, "| {name} |")?;
        for order in [0, 1] {
            let mut good = [[0; 2]; CLASSES.len()];
            let mut worse = 0;
            for (cells, outcomes) in cells.chunks(width).zip(outcomes.chunks(width)) {
                let (cell, own, held) = (&cells[0], &outcomes[2 + 2 * row + order], &outcomes[order]);
                let Known::Support([stiffness, ..]) = cell.scenario.known else { continue };
                let size = stiffness * cell.h * cell.h / cell.scenario.system.slides[0].m_eff;
                let class = CLASSES.iter().position(|bound| size < *bound).unwrap_or(CLASSES.len() - 1);
                good[class][0] += usize::from(own.grade == Grade::Good);
                good[class][1] += 1;
                worse += usize::from(own.grade > held.grade);
            }
            good.iter().try_for_each(|[good, all]| write!(text, " {good} of {all} |"))?;
            write!(text, " {worse} |")?;
        }
        text.push('\n');
    }
    Ok(text)
}
