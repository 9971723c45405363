//! Figure of the README: FrDyn2 at the weight of the paper's test bench.

use crate::case::Case;
use crate::coupled;
use crate::numbers::STATIC_FRICTION;
use crate::table::Table;
use bristle_importer::fmu::Fmu;
use bristle_rigs::test_bench::{G, MASS, TestBench};
use core::f64::consts::TAU;

/// Break-away on the test bench around 8.6808 s (Sec. 4), a slow pull there and back, and a sine of the velocity.
pub fn overview() -> Table {
    let mut table = Table::new(&["t [s]", "F [N]", "F_R [N]", "u [m]", "v [m/s]"]);
    let case = Case::of_paper("FrDyn2");
    let rig = TestBench::step(1.05 * STATIC_FRICTION, 10.0);
    let trace = coupled::run(&Fmu::packaged("FrDyn2"), &case, &rig, 1e-4, 8.9, 1);
    let shown = trace.0.iter().filter(|now| now.t >= 8.5);
    table.add(
        "break-away",
        shown.map(|now| vec![now.t, rig.load.at(now.t), now.contacts[0].F_R, now.y[0], now.y[1]]).collect(),
    );
    // 1 µm/s to 3 µm, −3 µm and 3 µm.
    let pull = |t: f64| if (3.0..9.0).contains(&t) { -1e-6 } else { 1e-6 };
    let sine = |t: f64| 0.02 * libm::sin(TAU * 5.0 * t);
    let mut moved = |name: &str, velocity: &dyn Fn(f64) -> f64, h: f64, end: f64| {
        let moved = coupled::move_contact(&case, MASS * G, velocity, h, end);
        table.add(name, moved.iter().map(|now| vec![now.t, 0.0, now.F_R, now.x, now.v]).collect());
    };
    moved("pre-sliding", &pull, 1e-3, 15.0);
    moved("loop", &sine, 1e-4, 0.25);
    table
}
