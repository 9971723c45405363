//! `cargo xtask figures`: the pictures of `docs/figures`, simulated and drawn, and the README's table of claims.

use anyhow::{Context, Result};
use bristle::catalogue::find;
use bristle::rigs::test_bench::{G, MASS, StepLoad};

use crate::package::capabilities;
use crate::plot::{Axis, Curve, Panel, Pen, Spacing, picture};
use crate::{experiment, page};
use crate::{precision, workspace};

pub fn command() -> Result<()> {
    let folder = workspace::root().join("docs/figures");
    std::fs::create_dir_all(&folder).with_context(|| format!("cannot make {}", folder.display()))?;
    let path = folder.join("frdyn2.svg");
    std::fs::write(&path, frdyn2()?).with_context(|| format!("cannot write {}", path.display()))?;
    println!("{}", path.display());
    page::update(&workspace::root().join("README.md"), &capabilities::markdown())?;
    work_precision()
}

/// What `cargo xtask performance` measured last.
pub fn work_precision() -> Result<()> {
    let folder = workspace::root().join("docs/figures");
    let (points, path) = (folder.join("work_precision.tsv"), folder.join("work_precision.svg"));
    let text = std::fs::read_to_string(&points).with_context(|| format!("cannot read {}", points.display()))?;
    std::fs::write(&path, precision::draw(&text)?).with_context(|| format!("cannot write {}", path.display()))?;
    println!("{}", path.display());
    Ok(())
}

/// What FrDyn2 does, at the weight of the paper's test bench.
fn frdyn2() -> Result<String> {
    let entry = find("FrDyn2").context("the catalogue has FrDyn2")?;
    let weight = MASS * G;
    let static_force = entry.variables().find(|v| v.name == "mu_s").and_then(|v| v.start).context("mu_s")? * weight;

    // Sec. 4 of the paper; shown is the time around the break-away at 8.6808 s.
    let load = StepLoad { force: 1.05 * static_force, duration: 10.0 };
    let mut bench = experiment::test_bench(entry, weight, &load, 1e-4, 8.9)?;
    bench.retain(|instant| instant.t >= 8.5);
    let break_away = Panel {
        title: "(a) Stick and break-away".to_owned(),
        x: Axis { label: "t", unit: "s", scale: 1.0, spacing: Spacing::Linear },
        y: Axis { label: "force", unit: "N", scale: 1.0, spacing: Spacing::Linear },
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
        x: Axis { label: "displacement", unit: "µm", scale: 1e6, spacing: Spacing::Linear },
        y: Axis { label: "F_R", unit: "N", scale: 1.0, spacing: Spacing::Linear },
        curves: vec![Curve {
            label: "slow pull, there and back".to_owned(),
            points: experiment::pull(entry, weight, 1e-6, 1e-3, &[3e-6, -3e-6, 3e-6])?,
            pen: Pen::Main,
        }],
    };
    let sliding = Panel {
        title: "(c) Stick and slip".to_owned(),
        x: Axis { label: "v", unit: "mm/s", scale: 1e3, spacing: Spacing::Linear },
        y: Axis { label: "F_R", unit: "N", scale: 1.0, spacing: Spacing::Linear },
        curves: vec![Curve {
            label: "v a sine of 20 mm/s, 5 Hz".to_owned(),
            points: experiment::loop_over_velocity(entry, weight, 0.02, 5.0, 1e-4)?,
            pen: Pen::Main,
        }],
    };
    Ok(picture(
        &[break_away, pre_sliding, sliding],
        300.0,
        "FrDyn2: break-away on the test bench, pre-sliding displacement, and the friction loop under a sine of v",
    ))
}
