//! `cargo xtask coupling`: how long a communication step a body in contact bears, into `docs/coupling.md`.

use anyhow::Result;

use crate::console::say;
use crate::{console, experiments, figures, files, package, page, workspace};

/// The command.
pub fn command() -> Result<()> {
    package::for_this_machine()?;
    let docs = workspace::root().join("docs");
    let results = workspace::made()?;
    let made = workspace::output(&mut experiments::program(["coupling".as_ref(), results.as_os_str()]))?;
    console::text(&made);
    let [points, path] = ["coupling.csv", "coupling.svg"].map(|file| docs.join("figures").join(file));
    let text = files::read_text(&results.join("coupling.csv"))?;
    files::write(&path, figures::COUPLING.draw(&text)?)?;
    files::write(&points, text)?;
    say!("{}", path.display());
    page::update(&docs.join("coupling.md"), &made)
}
