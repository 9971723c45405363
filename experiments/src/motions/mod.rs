//! Rigs of rotational, planar and several contacts: each solved monolithically, with a law at every
//! point of contact, and through the FMU of its card.
//!
//! The monolithic solution uses no code of the element for rotation, plates and several contacts:
//! velocities of points, forces and torques of bodies are those of the rigs. The cards are in
//! `experiments/cards`.

mod brake;
pub mod card_element;
mod disc;
mod feet;
mod incline;
mod run;

use crate::rows::{Row, judge, markdown};
use anyhow::Result;

/// Communication steps, s: below 2 m/σ_1 of every rig, the limit of held values, 3e-4 s for the
/// disc of the brake.
const STEPS: [f64; 3] = [2e-4, 1e-4, 5e-5];

/// `experiments motions`: the table of the rigs between the markers of the page; fails if a number
/// is off.
pub fn command() -> Result<()> {
    let mut rows: Vec<Row> = Vec::new();
    for run in [brake::run, incline::run, disc::run, feet::run] {
        run(&mut rows)?;
    }
    println!("<!-- begin rigs -->\n{}<!-- end rigs -->", markdown(&rows));
    judge(&rows)
}
