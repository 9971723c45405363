//! The C interface of the packaged FMU, function by function: what FMI 2.0 says of each and what importers need beyond
//! it. A refusal counts only with its sentence in the log and an instance that goes on as if nothing had been asked.

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
