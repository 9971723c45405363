//! The C interface of the packaged FMU, function by function: the rules of FMI 2.0 and the needs of
//! importers beyond them. A refusal needs one sentence in the log and leaves the instance
//! unchanged.

mod calling_sequence;
mod instantiate;
mod leniency;
mod logging;
mod parameters;
mod pointers;
mod repetition;
mod steps;
mod tolerance;
mod values;
