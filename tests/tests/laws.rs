//! The friction laws beside FrDyn2, element by element: each packaged FMU against its reference
//! law, and each law's own properties.

mod armstrong;
mod bristles;
mod claims;
mod comparison;
mod frdyn2_linear;
mod model_exchange;
mod motions;
mod reconstructed;
mod rig;
mod static_laws;
mod stuck;
mod symmetry;

/// The tests that every law has to pass, for one or more sets of its parameters.
macro_rules! compared {
    ($module:ident: $($law:expr),+ $(,)?) => {
        mod $module {
            #[allow(unused_imports)] // not every law is tested with other parameters than its defaults
            use super::*;
            use crate::laws::{claims, comparison, symmetry};

            #[test]
            fn force_matches_the_reference_law_in_prescribed_motions() {
                $(comparison::prescribed(&$law);)+
            }

            #[test]
            fn force_matches_the_reference_law_under_random_held_inputs() {
                $(comparison::random(&$law);)+
            }

            #[test]
            fn force_matches_the_reference_law_with_reversals_and_openings_in_a_step() {
                $(comparison::moving(&$law);)+
            }

            #[test]
            fn force_is_odd_in_the_motion() {
                $(symmetry::mirrored(&$law);)+
            }

            #[test]
            fn steps_from_a_restored_state_repeat_bit_for_bit() {
                $(claims::restored(&$law);)+
            }

            #[test]
            fn outputs_are_consistent_with_the_force() {
                $(claims::outputs(&$law);)+
            }

            #[test]
            fn one_long_step_equals_a_hundred_short_ones() {
                $(claims::divided(&$law);)+
            }

            #[test]
            fn default_parameters_are_those_of_the_reference_law() {
                $(claims::defaults(&$law);)+
            }
        }
    };
}
pub(crate) use compared;
