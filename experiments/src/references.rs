//! References of the Exudyn examples: monolithic solutions of the block on the plate and of the
//! festoon.
//!
//! `cargo run --release -p bristle-experiments references` writes `examples/reference/*.csv`. The
//! first line of each file holds the parameters as JSON, so that a script and its reference cannot
//! disagree about them.

use crate::case::Case;
use crate::monolithic;
use crate::numbers::{STATIC_FRICTION, TROLLEY};
use crate::trace::{Sample, Trace};
use anyhow::{Context, Result};
use bristle_rigs::festoon::{self, Festoon};
use bristle_rigs::test_bench::{G, MASS, TestBench};
use std::path::Path;

/// A column: its name, and its number in a sample.
type Column = (&'static str, fn(&Sample) -> f64);

/// Writes all references.
pub fn command() -> Result<()> {
    // Sec. 5 of the paper: 0.95 F_s within 0.1 s; Sec. 4: 1.05 F_s within 10 s, past break-away.
    let case = Case::of_paper("FrDyn2");
    let steps = [
        ("block_stick", 0.95, 0.1, 1e-3, 0.2),
        ("block_break_away", 1.05, 10.0, 5e-3, 10.0),
    ];
    for (name, part, duration, dt, end) in steps {
        let force = part * STATIC_FRICTION;
        let head = format!(
            "{{\"mass\": {MASS}, \"gravity\": {G}, \"force\": {force}, \"duration\": {duration}, \
             \"end\": {end}}}"
        );
        let trace = monolithic::run(&case, &TestBench::step(force, duration), dt, end)?;
        let columns: [Column; 3] = [
            ("u", |s| s.y[0]),
            ("v", |s| s.y[1]),
            ("F_R", |s| s.contacts[0].F_R),
        ];
        write(name, &head, &trace, &columns)?;
    }

    let rig = Festoon::default();
    let Festoon {
        trolley,
        cable,
        stiffness,
        damping,
    } = rig;
    let [start, link, depth, end] = [festoon::START, festoon::LINK, rig.depth_at_rest(), 8.0];
    let friction = TROLLEY
        .iter()
        .map(|(name, value)| format!("\"{name}\": {value}"))
        .collect::<Vec<_>>()
        .join(", ");
    let head = format!(
        "{{\"trolley\": {trolley}, \"cable\": {cable}, \"stiffness\": {stiffness}, \"damping\": \
         {damping}, \"gravity\": {G}, \
         \"start\": {start}, \"link\": {link}, \"depth\": {depth}, {friction}, \"end\": {end}}}"
    );
    let trace = monolithic::run(&case.with(TROLLEY), &rig, 1e-2, end)?;
    let columns: [Column; 8] = [
        ("x_T1", |s| s.y[0]),
        ("v_T1", |s| s.y[1]),
        ("x_T2", |s| s.y[2]),
        ("v_T2", |s| s.y[3]),
        ("F_N1", |s| s.contacts[0].contact.F_N),
        ("F_R1", |s| s.contacts[0].F_R),
        ("F_N2", |s| s.contacts[1].contact.F_N),
        ("F_R2", |s| s.contacts[1].F_R),
    ];
    write("festoon", &head, &trace, &columns)
}

fn write(name: &str, head: &str, trace: &Trace, columns: &[Column]) -> Result<()> {
    let names = columns
        .iter()
        .map(|(column, _)| *column)
        .collect::<Vec<_>>()
        .join(",");
    let mut text = format!("# {head}\nt,{names}\n");
    for sample in &trace.0 {
        let numbers: String = columns
            .iter()
            .map(|(_, number)| format!(",{:.9e}", number(sample)))
            .collect();
        text += &format!("{:.6}{numbers}\n", sample.t);
    }
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../examples/reference")
        .join(format!("{name}.csv"));
    std::fs::write(&path, text).with_context(|| format!("cannot write {}", path.display()))?;
    println!("examples/reference/{name}.csv");
    Ok(())
}
