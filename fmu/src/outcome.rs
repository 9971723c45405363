//! Result of a call that the FMU may refuse.

use bristle::variable::InputError;

/// Success, or the reason for the refusal of a call, one sentence.
pub type Outcome = Result<(), InputError>;
