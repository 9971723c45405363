//! `bristle list`: the friction laws.

use anyhow::Result;
use bristle::catalogue::ELEMENTS;

use crate::console;

/// The command.
pub fn command() -> Result<()> {
    for model in &ELEMENTS {
        let metadata = model.metadata;
        console::line(format_args!(
            "{:<20} {:<28} {}",
            metadata.name, metadata.kind, metadata.title
        ));
    }
    Ok(())
}
