//! Targets of guided fuzzing: each takes any bytes, and panics where a claim does not hold.
//!
//! `fuzz/` runs them under libFuzzer with a nightly compiler (`cargo xtask assurance fuzz`);
//! `tests/replay.rs` runs the committed corpus through them with a stable one. The C interface is
//! called in this process, by the functions that the FMU's library exports.

mod calls;
mod input;
mod interface;
mod states;
mod texts;

pub use calls::calls;
pub use states::states;
pub use texts::{cards, curves, sections, ssv};

/// A target by its name.
pub type Target = (&'static str, fn(&[u8]));

/// All targets.
pub const TARGETS: [Target; 6] = [
    ("states", states),
    ("calls", calls),
    ("cards", cards),
    ("curves", curves),
    ("ssv", ssv),
    ("sections", sections),
];
