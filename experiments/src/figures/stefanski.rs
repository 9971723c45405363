//! Stefański and others 2006: the friction characteristic and the dry friction oscillator.

use crate::case::Case;
use crate::coupled;
use crate::table::Table;
use bristle_importer::fmu::Fmu;
use bristle_rigs::oscillator::{Base, Oscillator, PRESSURE};
use core::f64::consts::TAU;

/// Fig. 8: the coefficient of friction over a sine of the velocity.
pub fn characteristic() -> Table {
    let mut table = Table::new(&["t [s]", "v [m/s]", "f [1]"]);
    let velocity = |t: f64| 0.3 * libm::sin(TAU * 5.0 * t);
    let moved = coupled::move_contact(
        &Case::of_paper("Stefanski2006"),
        PRESSURE,
        &velocity,
        1e-5,
        0.3,
    );
    let periodic = moved.iter().filter(|now| now.t >= 0.1);
    table.add(
        "Stefanski2006",
        periodic
            .map(|now| vec![now.t, now.v, now.F_R / PRESSURE])
            .collect(),
    );
    table
}

/// Fig. 10: phase portrait and friction characteristic behind the transient.
pub fn oscillator() -> Table {
    let mut table = Table::new(&["t [s]", "x [m]", "v [m/s]", "F_R [N]"]);
    let fmu = Fmu::packaged("Stefanski2006");
    let case = Case::of_paper("Stefanski2006");
    let (h, keep, settled) = (1e-4, 5, 10.0);
    for (name, base, shown) in [
        ("harmonic", Base::Harmonic(5.0), 1.0),
        ("two-periodic", Base::TWO_PERIODIC, 1.0),
        ("quasi-periodic", Base::QUASI_PERIODIC, 4.0),
        ("chaotic", Base::CHAOTIC, 4.0),
    ] {
        let trace = coupled::run(&fmu, &case, &Oscillator { base }, h, settled + shown, keep);
        let rows = trace.0.iter().filter(|now| now.t > settled);
        table.add(
            name,
            rows.map(|now| vec![now.t, now.y[0], now.y[1], now.contacts[0].F_R])
                .collect(),
        );
    }
    table
}
