//! Rigs of rotational, planar and several contacts: each solved monolithically, with a law at every point of contact, and through the FMU of its
//! card.
//!
//! The monolithic solution uses no code of the element for rotation, plates and several contacts: velocities of points, forces and
//! torques of bodies are those of the rigs. The cards are in `experiments/cards`.

mod brake;
mod card_element;
mod disc;
mod feet;
mod incline;
mod run;

use self::run::Differences;
use crate::rows::{Row, judge, markdown, shown};
use anyhow::{Result, ensure};
use std::fmt::Write;

/// Communication steps, s: below 2 m/σ_1 of every rig, the limit of held values, 3e-4 s for the disc of the brake.
const STEPS: [f64; 3] = [2e-4, 1e-4, 5e-5];
/// Bounds of the order of the coupling, 1: values are held over a step, which is a method of first order.
const FIRST_ORDER: std::ops::RangeInclusive<f64> = 0.7..=1.3;

/// Results of all rigs.
#[derive(Default)]
struct Results {
    /// Expected numbers.
    pub rows: Vec<Row>,
    /// Differences by communication step.
    pub differences: Vec<Differences>,
}

/// `experiments motions`: the tables of the rigs between the markers of the page; fails if a number is off.
pub fn command() -> Result<()> {
    let mut results = Results::default();
    for run in [brake::run, incline::run, disc::run, feet::run] {
        run(&mut results)?;
    }
    let Results { rows, differences } = results;
    println!("<!-- begin rigs -->\n{}\n{}<!-- end rigs -->", markdown(&rows), table(&differences));
    judge(&rows)?;
    for row in &differences {
        let orders = row.orders();
        let (rig, state) = (row.rig, row.state);
        ensure!(orders.iter().all(|order| FIRST_ORDER.contains(order)), "{rig}, {state}: orders {orders:?}");
    }
    Ok(())
}

fn table(differences: &[Differences]) -> String {
    let mut table = "| rig | state |".to_owned();
    for h in STEPS {
        let _ = write!(table, " H = {h:e} s |");
    }
    table += &format!("\n|---|---|{}\n", "---:|".repeat(STEPS.len()));
    for Differences { rig, state, unit, largest } in differences {
        let _ = write!(table, "| {rig} | {state} |");
        for (_, difference) in largest {
            let _ = write!(table, " {} |", shown(*difference, unit));
        }
        table.push('\n');
    }
    table
}
