//! `cargo xtask peers`: friction of other tools beside Bristle's on the same rigs, into
//! `docs/peers.md`.
//!
//! The program is `python/peers`, which finds the package `bristle` beside itself.

use std::process::{Command, Stdio};

use anyhow::Result;

use crate::console::say;
use crate::environment::{PACKAGE, PEERS};
use crate::{files, page, python_package, workspace};

/// Tables of `docs/data`: measures of each tool, errors over the sharpness of the bristle and over
/// the communication step, and many contacts at once. The figure has all but the last.
const TABLES: [&str; 4] = ["peers.csv", "sharpness.csv", "work.csv", "many.csv"];

/// Options of the command.
#[derive(clap::Args)]
pub struct Options {
    /// Short runs with the committed settings; checks Bristle's numbers and writes nothing
    #[arg(long)]
    quick: bool,
    /// Write page and figure from the tables in docs/data, without measuring
    #[arg(long, conflicts_with = "quick")]
    page: bool,
}

/// The command.
pub fn command(options: &Options) -> Result<()> {
    PEERS.require()?;
    if !options.page {
        PACKAGE.require()?;
        python_package::develop()?;
    }
    if options.quick {
        return quick();
    }
    let docs = workspace::root().join("docs");
    let committed = docs.join("data");
    if !options.page {
        let made = workspace::made()?;
        workspace::run(program("measure").arg(&made))?;
        for table in TABLES {
            files::copy(&made.join(table), &committed.join(table))?;
        }
    }
    let made = workspace::output(program("page").arg(&committed))?;
    say!("{made}");
    let page = docs.join("peers.md");
    if options.page {
        page::update(&page, &made)?;
    } else {
        page::update_dated(&page, &made, "peers")?;
    }
    let mut draw = PEERS.program("python");
    draw.arg("-B")
        .arg(workspace::root().join("experiments/figures/draw.py"))
        .arg("peers")
        .args(TABLES[..3].iter().map(|table| committed.join(table)))
        .arg(docs.join("figures/peers.svg"));
    workspace::output(&mut draw).map(drop)
}

/// The short form, after the environments are there: an error where a number of Bristle does not
/// hold.
pub fn quick() -> Result<()> {
    workspace::run(program("quick").arg(workspace::root().join("docs/data")))
}

/// `python/peers` with the name of a task.
fn program(task: &str) -> Command {
    let mut command = PEERS.program("python");
    command
        .current_dir(python_package::folder())
        .args(["-B", "-m", "peers", task])
        // One core, in numerical libraries as well.
        .env("OMP_NUM_THREADS", "1")
        .env("OPENBLAS_NUM_THREADS", "1")
        .stderr(Stdio::inherit());
    command
}
