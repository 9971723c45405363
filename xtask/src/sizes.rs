//! Sizes of the packaged FMUs of this machine, held to the committed figures.

use anyhow::{Context, Result};
use bristle::catalogue::ELEMENTS;

use crate::committed::{self, Verdict};
use crate::workspace;

/// Committed sizes. An added feature of all elements takes some percent and is accepted by hand.
const FILE: &str = "benches/sizes.txt";
const QUANTITY: &str = "bytes of the packaged FMUs";

/// Compares the FMUs in `target/fmu` with the committed sizes or, to `update`, overwrites them.
pub fn run(update: bool) -> Result<Verdict> {
    if !update && let Some(why) = committed::obstacle(FILE, QUANTITY)? {
        return Ok(Verdict::Skipped(why));
    }
    let size = |name: &str| {
        let path = workspace::target().join(format!("fmu/{name}.fmu"));
        let size = std::fs::metadata(&path).with_context(|| format!("{} is missing", path.display()))?.len();
        anyhow::Ok((name.to_owned(), size))
    };
    let sizes: Vec<_> = ELEMENTS.iter().map(|element| size(element.metadata.name)).collect::<Result<_>>()?;
    committed::hold(FILE, QUANTITY, &sizes, update)
}
