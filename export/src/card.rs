//! Element cards in TOML: read with all their faults at once, written with every parameter and its meaning.

mod fault;
mod keys;
mod parameters;
mod reader;
mod write;

pub use fault::{Fault, list};
pub use reader::read;
pub use write::write;

/// Path of the card in an FMU.
pub const PATH: &str = "documentation/card.toml";

/// Keys of cards that the format reserves for elements to come.
const RESERVED: [&str; 5] = ["radius", "characteristic", "contacts", "positions", "shares"];

#[cfg(test)]
mod tests;
