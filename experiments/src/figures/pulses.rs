//! Pulse loads below the sticking limit, which Rill and Schuderer describe: drift of each element.

use crate::coupled;
use crate::elements::Friction;
use crate::numbers::STATIC_FRICTION;
use crate::table::Table;
use bristle_importer::fmu::Fmu;
use bristle_rigs::test_bench::{Load, Pulses, TestBench};

/// The elements that can rest. Those whose force is a bare function of the sign of v chatter from step to step instead.
const RESTING: [&str; 10] = [
    "FrDyn2",
    "AdamsStickSlip",
    "SimpackStickSlip",
    "Armstrong",
    "Coulomb",
    "ModelicaFriction",
    "LuGre",
    "Dahl",
    "BrownMcPhee",
    "StaticRegularized",
];

/// Five pulses of 0.8 F_s.
pub fn pulses() -> Table {
    let mut table = Table::new(&["t [s]", "F [N]", "u [m]"]);
    let rig = TestBench { load: Load::Pulses(Pulses::five(0.8 * STATIC_FRICTION)) };
    for name in RESTING {
        let trace = coupled::run(&Fmu::packaged(name), &Friction::BENCH.of(name), &rig, 1e-5, 1.2, 20);
        let rows = trace.0.iter().map(|now| vec![now.t, rig.load.at(now.t), now.y[0]]);
        table.add(name, [vec![0.0; 3]].into_iter().chain(rows).collect());
    }
    table
}
