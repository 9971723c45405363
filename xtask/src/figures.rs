//! `cargo xtask figures`: the pictures of `docs/figures`, simulated and drawn, and the README's table of claims.
//!
//! The papers' figures are computed by the experiments, through the packaged FMUs, as a table each; what is drawn of it and
//! how stands in one file per paper.

mod coupling;
mod kargaonkar_singh;
mod paper;
pub mod pens;
mod rill_schuderer;
mod stefanski;

use std::fmt::Write;

use anyhow::{Context, Result};
use bristle::catalogue::{Entry, find};
use bristle::element::F_R;
use bristle::law::Contact;
use bristle_export::curves;
use bristle_export::plot::{Axis, Curve, Panel, Pen, Spacing, picture};
use bristle_rigs::test_bench::{Body, G, MASS, StepLoad};

use crate::console::say;
use crate::{capabilities, experiments, files, package, page, precision, workspace};
pub use coupling::FIGURE as COUPLING;
use paper::Figure;

/// The command.
pub fn command() -> Result<()> {
    let folder = workspace::root().join("docs/figures");
    files::make_folder(&folder)?;
    let path = folder.join("frdyn2.svg");
    files::write(&path, frdyn2()?)?;
    say!("{}", path.display());
    page::update(&workspace::root().join("README.md"), &capabilities::markdown())?;
    work_precision()?;
    papers()
}

/// The papers' figures: computed, drawn, and shown in `docs/papers.md`.
fn papers() -> Result<()> {
    package::for_this_machine()?;
    let folder = workspace::root().join("docs/figures/papers");
    let results = workspace::made()?;
    workspace::run(&mut experiments::program(["figures".as_ref(), results.as_os_str()]))?;
    let mut made = "<!-- begin figures -->\n".to_owned();
    for Figure { file, data, place, caption, .. } in PAPERS.into_iter().flatten() {
        let _ = write!(
            made,
            "### {place}\n\n![{place}](figures/papers/{file}.svg)\n\n{caption}\n\n*`cargo xtask figures`, \
             [{data}.csv](figures/papers/{data}.csv).*\n\n"
        );
    }
    made.push_str("<!-- end figures -->\n");
    for figure in PAPERS.into_iter().flatten() {
        let data = format!("{}.csv", figure.data);
        let text = files::read_text(&results.join(&data))?;
        let path = folder.join(format!("{}.svg", figure.file));
        files::write(&path, figure.draw(&text)?)?;
        files::write(&folder.join(data), text)?;
        say!("{}", path.display());
    }
    page::update(&workspace::root().join("docs/papers.md"), &made)
}

const PAPERS: [&[Figure]; 3] = [rill_schuderer::FIGURES, kargaonkar_singh::FIGURES, stefanski::FIGURES];

/// What `cargo xtask performance` measured last.
pub fn work_precision() -> Result<()> {
    let folder = workspace::root().join("docs/figures");
    let (points, path) = (folder.join("work_precision.tsv"), folder.join("work_precision.svg"));
    files::write(&path, precision::draw(&files::read_text(&points)?)?)?;
    say!("{}", path.display());
    Ok(())
}

/// What FrDyn2 does, at the weight of the paper's test bench.
fn frdyn2() -> Result<String> {
    let entry = find("FrDyn2").context("the catalogue has FrDyn2")?;
    let weight = MASS * G;
    let static_force = entry.variables().find(|v| v.name == "mu_s").and_then(|v| v.start).context("mu_s")? * weight;

    // Sec. 4 of the paper; shown is the time around the break-away at 8.6808 s.
    let load = StepLoad { force: 1.05 * static_force, duration: 10.0 };
    let mut bench = test_bench(entry, weight, &load, 1e-4, 8.9)?;
    bench.retain(|instant| instant.t >= 8.5);
    let break_away = Panel {
        title: "(a) Stick and break-away".to_owned(),
        x: Axis { label: "t", unit: "s", scale: 1.0, spacing: Spacing::Linear, range: None },
        y: Axis { label: "force", unit: "N", scale: 1.0, spacing: Spacing::Linear, range: None },
        curves: vec![
            Curve {
                label: "applied force F".to_owned(),
                points: bench.iter().map(|now| [now.t, now.load]).collect(),
                pen: Pen::Dashed,
            },
            Curve {
                label: "friction force F_R".to_owned(),
                points: bench.iter().map(|now| [now.t, now.friction]).collect(),
                pen: Pen::Main,
            },
        ],
    };
    let pre_sliding = Panel {
        title: "(b) Pre-sliding".to_owned(),
        x: Axis { label: "displacement", unit: "µm", scale: 1e6, spacing: Spacing::Linear, range: None },
        y: Axis { label: "F_R", unit: "N", scale: 1.0, spacing: Spacing::Linear, range: None },
        curves: vec![Curve {
            label: "slow pull, there and back".to_owned(),
            points: curves::pull(entry, weight, 1e-6, 1e-3, &[3e-6, -3e-6, 3e-6])?,
            pen: Pen::Main,
        }],
    };
    let sliding = Panel {
        title: "(c) Stick and slip".to_owned(),
        x: Axis { label: "v", unit: "mm/s", scale: 1e3, spacing: Spacing::Linear, range: None },
        y: Axis { label: "F_R", unit: "N", scale: 1.0, spacing: Spacing::Linear, range: None },
        curves: vec![Curve {
            label: "v a sine of 20 mm/s, 5 Hz".to_owned(),
            points: curves::loop_over_velocity(entry, weight, 0.02, 5.0, 1e-4)?,
            pen: Pen::Main,
        }],
    };
    Ok(picture(
        &[break_away, pre_sliding, sliding],
        300.0,
        "FrDyn2: break-away on the test bench, pre-sliding displacement, and the friction loop under a sine of v",
    ))
}

/// Instant on the test bench.
struct Instant {
    t: f64,
    load: f64,
    friction: f64,
}

/// The element on the virtual test bench, stepped first, from rest until `end`.
fn test_bench(entry: &Entry, normal_force: f64, load: &StepLoad, h: f64, end: f64) -> Result<Vec<Instant>> {
    let mut element = entry.instantiate();
    let mut body = Body::AT_REST;
    (0..(end / h).round() as u32)
        .map(|i| {
            let t = h * f64::from(i);
            element.set_contact(Contact::new(normal_force, body.v));
            element.advance(h).context("the element does not advance")?;
            let friction = element.values()[&F_R];
            body.advance([load.at(t), load.at(t + h)], h, friction);
            Ok(Instant { t: t + h, load: load.at(t + h), friction })
        })
        .collect()
}
