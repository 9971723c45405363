//! Outcome of a comparison with committed figures.

/// Result of a comparison.
pub enum Verdict {
    Held,
    /// One sentence why nothing was compared.
    Skipped(String),
}
