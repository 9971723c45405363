//! The lab: friction laws in the browser. The page gives the text of a card, and gets everything
//! that it shows as JSON, or the FMU of the card.
//!
//! Elements and exporter are those of the other programs; the page draws what they return.

mod answer;
mod fit;
mod runs;

#[cfg(target_arch = "wasm32")]
mod page;

pub use answer::{csv, curve, examine, export, fitted, laws, picture};
pub use runs::transcript;
