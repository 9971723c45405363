//! `cargo xtask coupling`: how long a communication step a body in contact bears, into `docs/coupling.md`.

use anyhow::Result;

use crate::console::say;
use crate::{console, experiments, figures, files, package, page, workspace};

pub fn command() -> Result<()> {
    package::for_this_machine()?;
    let docs = workspace::root().join("docs");
    let folder = docs.join("figures");
    let made = workspace::output(&mut experiments::program(["coupling".as_ref(), folder.as_os_str()]))?;
    console::text(&made);
    let text = files::read(&folder.join("coupling.csv"))?;
    let path = folder.join("coupling.svg");
    let picture = figures::COUPLING.draw(&String::from_utf8_lossy(&text))?;
    files::write(&path, picture)?;
    say!("{}", path.display());
    page::update(&docs.join("coupling.md"), &made)
}
