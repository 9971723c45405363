//! Rill and Schuderer 2023: the virtual test bench and the festoon cable system.

use crate::case::Case;
use crate::coupled;
use crate::elements::Friction;
use crate::numbers::{STATIC_FRICTION, TROLLEY, end_of_span};
use crate::table::Table;
use bristle_importer::fmu::Fmu;
use bristle_rigs::festoon::{self, Festoon};
use bristle_rigs::test_bench::{G, Load, MASS, Pulses, TestBench};
use core::f64::consts::TAU;

/// The models that the paper compares.
const MODELS: [&str; 3] = ["FrDyn2", "AdamsStickSlip", "SimpackStickSlip"];
/// The amplitude of the steps of Sec. 5, N.
const STEP: f64 = 0.95 * STATIC_FRICTION;

/// Columns of a run on the test bench.
const BENCH: &[&str] = &[
    "t [s]",
    "F [N]",
    "F_R [N]",
    "u [m]",
    "v [m/s]",
    "a [m/s^2]",
    "z [m]",
];

/// A run on the test bench through the FMU in steps of `h` (s), a row each `dt` (s).
fn bench(name: &str, rig: &TestBench, h: f64, dt: f64, end: f64) -> Vec<Vec<f64>> {
    let case = Case::of_paper(name);
    let trace = coupled::run(
        &Fmu::packaged(name),
        &case,
        rig,
        h,
        end,
        (dt / h).round() as usize,
    );
    let rows = trace.0.iter().map(|now| {
        let (load, friction) = (rig.load.at(now.t), now.contacts[0].F_R);
        vec![
            now.t,
            load,
            friction,
            now.y[0],
            now.y[1],
            (load - friction) / MASS,
            now.contacts[0].z,
        ]
    });
    [vec![0.0; BENCH.len()]].into_iter().chain(rows).collect()
}

/// Fig. 1: each element moved slowly from −12 mm/s to 12 mm/s, after a stick in the other
/// direction.
pub fn characteristics() -> Table {
    let mut table = Table::new(&["t [s]", "v [m/s]", "F_R [N]"]);
    let velocity = |t: f64| 12e-3 * (t / 10.0 - 1.0);
    for name in ["SimpackStickSlip", "StaticRegularized", "FrDyn2"] {
        let moved = coupled::move_contact(&Case::of_paper(name), MASS * G, &velocity, 1e-3, 20.0);
        table.add(
            name,
            moved
                .iter()
                .map(|now| vec![now.t, now.v, now.F_R])
                .collect(),
        );
    }
    table
}

/// Runs of elements on a test bench, in steps of `h` (s), a row each `dt` (s), to `end` (s).
fn on_bench(names: &[&str], rig: &TestBench, h: f64, dt: f64, end: f64) -> Table {
    let mut table = Table::new(BENCH);
    for name in names {
        table.add(*name, bench(name, rig, h, dt, end));
    }
    table
}

/// Fig. 3.
pub fn long_term_stick() -> Table {
    on_bench(
        &["FrDyn2"],
        &TestBench::step(0.99 * STATIC_FRICTION, 30.0),
        1e-4,
        1e-2,
        300.0,
    )
}

/// Fig. 4.
pub fn slow_sliding() -> Table {
    let mut table = on_bench(
        &["StaticRegularized"],
        &TestBench::step(0.99 * STATIC_FRICTION, 30.0),
        1e-4,
        1e-2,
        300.0,
    );
    table.add("characteristic", swept("StaticRegularized", 0.0));
    table
}

/// The characteristic of an element as rows of the test bench, its velocity shifted by `shift`
/// (m/s).
fn swept(name: &str, shift: f64) -> Vec<Vec<f64>> {
    let moved = coupled::move_contact(
        &Case::of_paper(name),
        MASS * G,
        &|t| 12e-3 * t + shift,
        1e-3,
        1.0,
    );
    let row = |now: &coupled::Moved| {
        let mut row = vec![0.0; BENCH.len()];
        (row[0], row[2], row[4]) = (now.t, now.F_R, now.v - shift);
        row
    };
    moved.iter().map(row).collect()
}

/// Fig. 5.
pub fn break_away() -> Table {
    let mut table = on_bench(
        &MODELS,
        &TestBench::step(1.05 * STATIC_FRICTION, 10.0),
        1e-5,
        1e-4,
        12.0,
    );
    table.add("shifted characteristic", swept("StaticRegularized", 1e-3));
    table
}

/// Fig. 6.
pub fn steps() -> Table {
    let mut table = Table::new(BENCH);
    for duration in [0.1, 0.01, 0.001, 0.0001] {
        for name in MODELS {
            let rig = TestBench::step(STEP, duration);
            table.add(
                format!("{name}; t_E = {duration} s"),
                bench(name, &rig, 1e-6, 1e-5, end_of_span(duration)),
            );
        }
    }
    table
}

/// Fig. 7.
pub fn slow_step() -> Table {
    on_bench(
        &MODELS,
        &TestBench::step(STEP, 0.1),
        1e-6,
        1e-4,
        end_of_span(0.1),
    )
}

/// Fig. 8.
pub fn fast_step() -> Table {
    on_bench(&MODELS, &TestBench::step(STEP, 1e-3), 1e-6, 1e-5, 0.01)
}

/// Fig. 9.
pub fn adams() -> Table {
    let mut table = on_bench(
        &["AdamsStickSlip"],
        &TestBench::step(STEP, 1e-3),
        1e-6,
        1e-5,
        0.1,
    );
    table.add(
        "AdamsStickSlip; t_E = 0.1 s",
        bench(
            "AdamsStickSlip",
            &TestBench::step(STEP, 0.1),
            1e-6,
            1e-4,
            0.2,
        ),
    );
    table
}

/// Columns of a run of the festoon.
const FESTOON: &[&str] = &[
    "t [s]",
    "v_TT [m/s]",
    "v_T1 [m/s]",
    "v_T2 [m/s]",
    "F_N1 [N]",
    "F_N2 [N]",
    "F_R1 [N]",
    "F_R2 [N]",
    "F_s1 [N]",
];

/// A run of the festoon, a row each `dt` (s) of the times in `windows` (s).
fn cables(name: &str, dt: f64, windows: &[[f64; 2]]) -> Vec<Vec<Vec<f64>>> {
    // The reconstructed Adams element has neither mass nor stiffness of a bristle; the others have
    // the paper's defaults.
    let case = Case::of_paper(name).with(TROLLEY);
    let h = 1e-5;
    let end = windows.iter().map(|window| window[1]).fold(0.0, f64::max);
    let trace = coupled::run(
        &Fmu::packaged(name),
        &case,
        &Festoon::default(),
        h,
        end,
        (dt / h).round() as usize,
    );
    let within = |[from, to]: &[f64; 2]| {
        let samples = trace.0.iter().filter(|now| (*from..=*to).contains(&now.t));
        let rows = samples.map(|now| {
            let [one, two] = [now.contacts[0], now.contacts[1]];
            vec![
                now.t,
                festoon::towing_velocity(now.t),
                now.y[1],
                now.y[3],
                one.contact.F_N,
                two.contact.F_N,
                one.F_R,
                two.F_R,
                0.08 * one.contact.F_N,
            ]
        });
        rows.collect()
    };
    windows.iter().map(within).collect()
}

/// Fig. 11.
pub fn festoon() -> Table {
    let mut table = Table::new(FESTOON);
    for name in MODELS {
        let runs = cables(name, 4e-3, &[[0.0, 10.0]]);
        runs.into_iter().for_each(|rows| table.add(name, rows));
    }
    table
}

/// Fig. 12.
pub fn festoon_events() -> Table {
    let mut table = Table::new(FESTOON);
    for name in MODELS {
        let runs = cables(name, 2e-5, &[[6.45, 6.48], [7.1, 7.9]]);
        runs.into_iter()
            .zip(["a", "b"])
            .for_each(|(rows, panel)| table.add(format!("{name}; {panel}"), rows));
    }
    table
}

/// Break-away on the test bench around 8.6808 s (Sec. 4), a slow pull there and back, and a sine of
/// the velocity.
pub fn readme() -> Table {
    let mut table = Table::new(&["t [s]", "F [N]", "F_R [N]", "u [m]", "v [m/s]"]);
    let case = Case::of_paper("FrDyn2");
    let rig = TestBench::step(1.05 * STATIC_FRICTION, 10.0);
    let trace = coupled::run(&Fmu::packaged("FrDyn2"), &case, &rig, 1e-4, 8.9, 1);
    let shown = trace.0.iter().filter(|now| now.t >= 8.5);
    table.add(
        "break-away",
        shown
            .map(|now| {
                vec![
                    now.t,
                    rig.load.at(now.t),
                    now.contacts[0].F_R,
                    now.y[0],
                    now.y[1],
                ]
            })
            .collect(),
    );
    // 1 µm/s to 3 µm, −3 µm and 3 µm.
    let pull = |t: f64| if (3.0..9.0).contains(&t) { -1e-6 } else { 1e-6 };
    let sine = |t: f64| 0.02 * libm::sin(TAU * 5.0 * t);
    let mut moved = |name: &str, velocity: &dyn Fn(f64) -> f64, h: f64, end: f64| {
        let moved = coupled::move_contact(&case, MASS * G, velocity, h, end);
        table.add(
            name,
            moved
                .iter()
                .map(|now| vec![now.t, 0.0, now.F_R, now.x, now.v])
                .collect(),
        );
    };
    moved("pre-sliding", &pull, 1e-3, 15.0);
    moved("loop", &sine, 1e-4, 0.25);
    table
}

/// The elements that can rest. Those whose force is a bare function of the sign of v chatter from
/// step to step instead.
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
    let rig = TestBench {
        load: Load::Pulses(Pulses::five(0.8 * STATIC_FRICTION)),
    };
    for name in RESTING {
        let trace = coupled::run(
            &Fmu::packaged(name),
            &Friction::BENCH.of(name),
            &rig,
            1e-5,
            1.2,
            20,
        );
        let rows = trace
            .0
            .iter()
            .map(|now| vec![now.t, rig.load.at(now.t), now.y[0]]);
        table.add(name, [vec![0.0; 3]].into_iter().chain(rows).collect());
    }
    table
}
