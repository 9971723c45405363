//! Sizes of the packaged FMUs of this machine, held to the committed figures.

use anyhow::{Context, Result};
use bristle::catalogue::ELEMENTS;

use crate::committed::{Comparison, Kind, Verdict};
use crate::workspace;

/// Committed sizes. An added feature of all elements takes some percent and is accepted by hand.
const SIZES: Kind = Kind {
    file: "benches/sizes.txt",
    quantity: "bytes of the packaged FMUs",
    figures: "the sizes",
    figure: "size",
    rise: "packaged FMUs grew",
    remedy: "make them smaller",
};

/// Compares the FMUs in `target/fmu` with the committed sizes or, to `update`, overwrites them.
pub fn run(update: bool) -> Result<Verdict> {
    let mut sizes = match Comparison::begin(&SIZES, update)? {
        Ok(sizes) => sizes,
        Err(why) => return Ok(Verdict::Skipped(why)),
    };
    for element in &ELEMENTS {
        let name = element.metadata.name;
        let path = workspace::target().join(format!("fmu/{name}.fmu"));
        let size = std::fs::metadata(&path).with_context(|| format!("{} is missing", path.display()))?.len();
        sizes.add(name, name, size)?;
    }
    sizes.end()
}
