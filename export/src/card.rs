//! Element cards in TOML: read with all their faults at once, written with every parameter and its
//! meaning.

mod block;
mod body;
mod characteristic;
mod contacts;
mod direction;
mod fault;
mod gear;
mod keys;
mod parameters;
mod reactions;
mod reader;
mod setting;
mod source_names;
mod system;
mod units;
mod unknown_law;
mod write;

pub use fault::{Fault, list};
pub(crate) use keys::one_of;
pub use reader::{examine, read, read_file, read_text};
pub use write::write;

/// Path of the card in an FMU.
pub const PATH: &str = "documentation/card.toml";

#[cfg(test)]
mod tests;
