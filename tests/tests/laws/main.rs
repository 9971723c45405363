//! The friction laws beside FrDyn2, element by element: each packaged FMU against its judge, and each law's own claims.

mod armstrong;
mod bristles;
mod claims;
mod comparison;
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
            use crate::{claims, comparison, symmetry};

            #[test]
            fn in_every_prescribed_motion_f_r_is_the_papers() {
                $(comparison::prescribed(&$law);)+
            }

            #[test]
            fn under_random_held_inputs_f_r_is_the_papers() {
                $(comparison::random(&$law);)+
            }

            #[test]
            fn reversals_and_openings_within_long_steps_are_not_missed() {
                $(comparison::moving(&$law);)+
            }

            #[test]
            fn seen_from_the_other_side_everything_is_mirrored() {
                $(symmetry::mirrored(&$law);)+
            }

            #[test]
            fn steps_from_a_restored_state_repeat_bit_for_bit() {
                $(claims::restored(&$law);)+
            }

            #[test]
            fn the_other_outputs_say_what_f_r_says() {
                $(claims::outputs(&$law);)+
            }

            #[test]
            fn a_long_step_ends_where_a_hundred_short_ones_end() {
                $(claims::divided(&$law);)+
            }

            #[test]
            fn the_defaults_are_those_of_the_paper() {
                $(claims::defaults(&$law);)+
            }
        }
    };
}
pub(crate) use compared;
