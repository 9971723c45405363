//! Runs the experiments on the packaged FMUs, whose folder the environment names; the commands of `cargo xtask` start it.

use anyhow::{Result, bail};
use bristle_experiments::numbers;

fn main() -> Result<()> {
    let mut arguments = std::env::args().skip(1);
    match arguments.next().as_deref() {
        Some("numbers") => numbers::command(),
        other => bail!("{other:?} is no experiment; try `numbers`"),
    }
}
