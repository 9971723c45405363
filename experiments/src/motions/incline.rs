//! The block on an inclined plane that vibrates, by planar elements of three laws.

use super::card_element::CardElement;
use super::run::Run;
use super::{Results, STEPS};
use crate::table::Table;
use anyhow::Result;
use bristle_rigs::inclined_plane::InclinedPlane;

/// Interval of samples, s: a fifth of the period of the vibration.
const SAMPLED: f64 = 2e-3;
/// Time at which the rise of the loads has decayed, s.
const FROM: f64 = 0.3;
/// End of the runs, s.
const END: f64 = 1.3;
/// Static coefficient of friction of all cards.
const MU_S: f64 = 0.6;
/// Laws with names of the rig with each.
const LAWS: [(&str, &str); 3] =
    [("FrDyn2Linear", "incline, FrDyn2Linear"), ("FrDyn2", "incline, FrDyn2"), ("LuGre", "incline, LuGre")];

/// Mean velocity down the slope, m/s.
fn drift(run: &Run) -> f64 {
    (run.at(END).y[0] - run.at(FROM).y[0]) / (END - FROM)
}

/// Numbers of the block under each law.
pub fn run(results: &mut Results) -> Result<()> {
    let rig = InclinedPlane::new(MU_S);
    for (law, name) in LAWS {
        let element = CardElement::export(&format!("Incline{law}"))?;
        let both = element.both(&rig, &STEPS, SAMPLED, END)?;
        let in_one_piece = drift(&both.one_piece);
        let (expected, allowed) = match law {
            "FrDyn2Linear" => (0.0, (1e-15, "no drift: rounding")),
            "FrDyn2" => (
                -8.36e-7,
                (5e-8, "an independent solution for 1 kg in place of 1.03 kg; first order of the communication step"),
            ),
            _ => (in_one_piece, (1e-6, "as in one piece; first order of the communication step")),
        };
        results.rows.push(both.row(name, "drift down the slope", "m/s", expected, allowed, drift));
        results.differences.push(both.differences(name, ("x", "m", 0)));
    }
    Ok(())
}

/// Data of the figure: positions at whole periods.
pub fn figure() -> Result<Table> {
    let mut table = Table::new(&["t [s]", "x [m]", "y [m]"]);
    let rig = InclinedPlane::new(MU_S);
    for (law, _) in LAWS {
        let run = CardElement::export(&format!("Incline{law}"))?.through_the_fmu(&rig, 5e-5, 5.0 * SAMPLED, END);
        let rows = run.0.iter().map(|now| vec![now.t, now.y[0], now.y[1]]);
        table.add(law, [vec![0.0; 3]].into_iter().chain(rows).collect());
    }
    Ok(table)
}
