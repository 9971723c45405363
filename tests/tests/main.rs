//! Tests of packaged FMUs, a module for each subject. One program, because linking one program for
//! each module takes longer than its tests.
//!
//! Modules whose names begin with `fmpy` need Python, `own_law` needs the FMU of
//! `examples/own-law`: `cargo xtask test` runs them in stages of their own. `allocation` is another
//! program, because it replaces the allocator.

mod abi;
mod accuracy;
mod between_events;
mod cards;
mod coupling;
mod coupling_messages;
mod coupling_rates;
mod coupling_steps;
mod description;
mod directional_derivatives;
mod floating_point;
mod fmpy;
mod fmpy_c_host;
mod fmpy_coupling;
mod fmpy_descriptions;
mod fmpy_importers;
mod fmpy_solvers;
mod fmpy_source;
mod frdyn2_reference;
mod interpolation;
mod laws;
mod leaks;
mod memory;
mod model_exchange;
mod one_contact;
mod own_law;
mod random_calls;
mod random_states;
mod reference_laws;
mod reference_master;
mod reference_results;
mod source;
mod state;
mod step_limit;
mod structure;
mod test_bench;
mod threads;
