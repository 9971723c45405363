//! Driver of a body with its law as one system, by Radau IIA(5) with all states as unknowns.

mod events;
mod hybrid;
mod quadratures;

pub use self::events::advance;
pub use self::hybrid::HybridSystem;
