//! The functions behind the C symbols that [`export_fmi2!`](crate::export_fmi2) makes, in the
//! groups of the standard.
//!
//! They are `inline`: the wrappers of another crate cost nothing then.

mod co_simulation;
mod lifecycle;
mod model_exchange;
mod states;
mod values;

pub use self::co_simulation::*;
pub use self::lifecycle::*;
pub use self::model_exchange::*;
pub use self::states::*;
pub use self::values::*;
