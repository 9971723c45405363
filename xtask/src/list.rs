//! `cargo xtask list`: the elements of the catalogue, a line of facts and the source each.

use anyhow::Result;
use bristle::catalogue::{ELEMENTS, Model};
use bristle::variable::Role;

use crate::console;

/// The command.
pub fn command() -> Result<()> {
    console::text(&text());
    Ok(())
}

fn text() -> String {
    let head = format!("{:<20} {:<28} {:<16} inputs\n", "element", "kind", "states");
    ELEMENTS.iter().fold(head, |text, entry| text + &lines(entry))
}

fn lines(entry: &Model) -> String {
    let names = |role: Role| {
        let names: Vec<_> = entry.variables().filter(|v| v.role == role).map(|v| v.name).collect();
        if names.is_empty() { "-".to_owned() } else { names.join(", ") }
    };
    let metadata = entry.metadata;
    format!(
        "{:<20} {:<28} {:<16} {}\n    {}; {}\n",
        metadata.name,
        metadata.kind,
        names(Role::State),
        names(Role::Input),
        metadata.source,
        metadata.place
    )
}
