//! What the FMUs claim, declared once: the attributes of the XML and the table of the documentation are this table.
//!
//! A claim without a test is none: each row names the test that shows it.

/// An FMI capability flag that the FMUs claim.
pub struct Capability {
    /// The attribute's name in `modelDescription.xml`.
    pub attribute: &'static str,
    pub value: &'static str,
    pub interfaces: &'static [Interface],
    /// What the user gets.
    pub meaning: &'static str,
    /// What shows it: a file of `tests/tests`, or one of its tests as `file::test`.
    pub test: &'static str,
}

/// An interface of FMI 2.0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Interface {
    ModelExchange,
    CoSimulation,
}

use Interface::{CoSimulation, ModelExchange};

/// The claims, in the order of the documentation.
pub const CAPABILITIES: [Capability; 7] = [
    Capability {
        attribute: "canHandleVariableCommunicationStepSize",
        value: "true",
        interfaces: &[CoSimulation],
        meaning: "The communication step may change from step to step and be of any size.",
        test: "abi/steps::one_long_step_ends_where_many_short_ones_do",
    },
    Capability {
        attribute: "canInterpolateInputs",
        value: "true",
        interfaces: &[CoSimulation],
        meaning: "Derivatives of the inputs up to order 3 are honoured inside the next step.",
        test: "interpolation::a_ramp_of_v_is_followed_within_the_step",
    },
    Capability {
        attribute: "maxOutputDerivativeOrder",
        value: "1",
        interfaces: &[CoSimulation],
        meaning: "The first time derivatives of the outputs are known at the end of a step.",
        test: "interpolation::output_derivatives_are_the_slopes_of_a_finely_stepped_run",
    },
    Capability {
        attribute: "canNotUseMemoryManagementFunctions",
        value: "true",
        interfaces: &[ModelExchange, CoSimulation],
        meaning: "The importer need not supply functions that allocate memory.",
        test: "abi/instantiate::without_callbacks_or_without_a_logger_it_works_and_is_silent",
    },
    Capability {
        attribute: "canGetAndSetFMUstate",
        value: "true",
        interfaces: &[ModelExchange, CoSimulation],
        meaning: "An instance goes back to a saved state and repeats from there bit for bit.",
        test: "state::steps_from_a_restored_state_repeat_bit_for_bit",
    },
    Capability {
        attribute: "canSerializeFMUstate",
        value: "true",
        interfaces: &[ModelExchange, CoSimulation],
        meaning: "A saved state becomes bytes that another process can load; damaged or foreign bytes are refused.",
        test: "state::steps_from_bytes_in_another_instance_repeat_bit_for_bit",
    },
    Capability {
        attribute: "providesDirectionalDerivative",
        value: "true",
        interfaces: &[ModelExchange, CoSimulation],
        meaning: "Partial derivatives with respect to states and inputs, from the law's analytic Jacobian.",
        test: "directional_derivatives::they_are_the_limits_of_differences_in_both_interfaces",
    },
];

/// The claims as a table of the README, between its markers.
pub fn markdown() -> String {
    let mut table = "<!-- begin capabilities -->\n| | Model Exchange | Co-Simulation | what you get | shown by, in `tests/tests/` |\n|---|---|---|---|---|\n".to_owned();
    for Capability { attribute, value, interfaces, meaning, test } in &CAPABILITIES {
        let [exchange, simulation] =
            [ModelExchange, CoSimulation].map(|interface| if interfaces.contains(&interface) { value } else { "" });
        let file = test.split("::").next().unwrap_or_default();
        table += &format!("| `{attribute}` | {exchange} | {simulation} | {meaning} | {file} |\n");
    }
    table + "<!-- end capabilities -->"
}

/// The claims for one interface.
pub fn of(interface: Interface) -> impl Iterator<Item = &'static Capability> {
    CAPABILITIES.iter().filter(move |capability| capability.interfaces.contains(&interface))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_readme_shows_the_claims() {
        let readme = std::fs::read_to_string(crate::workspace::root().join("README.md")).unwrap();
        assert!(readme.contains(&markdown()), "`cargo xtask figures` brings the README's table up to date");
    }

    #[test]
    fn each_claim_names_a_test_that_exists() {
        for flag in &CAPABILITIES {
            let (file, test) = flag.test.split_once("::").unwrap_or((flag.test, ""));
            let path = crate::workspace::root().join(format!("tests/tests/{file}.rs"));
            let source = std::fs::read_to_string(&path).unwrap_or_else(|_| panic!("{}: no {file}", flag.attribute));
            assert!(source.contains(&format!("fn {test}")), "{}: no {test} in {file}", flag.attribute);
        }
    }
}
