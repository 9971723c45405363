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
        test: "capabilities",
    },
    Capability {
        attribute: "canInterpolateInputs",
        value: "true",
        interfaces: &[CoSimulation],
        meaning: "Derivatives of the inputs up to order 3 are honoured inside the next step.",
        test: "capabilities",
    },
    Capability {
        attribute: "maxOutputDerivativeOrder",
        value: "1",
        interfaces: &[CoSimulation],
        meaning: "The first time derivatives of the outputs are known at the end of a step.",
        test: "capabilities",
    },
    Capability {
        attribute: "canNotUseMemoryManagementFunctions",
        value: "true",
        interfaces: &[ModelExchange, CoSimulation],
        meaning: "The importer need not supply functions that allocate memory.",
        test: "capabilities",
    },
    Capability {
        attribute: "canGetAndSetFMUstate",
        value: "true",
        interfaces: &[ModelExchange, CoSimulation],
        meaning: "An instance goes back to a saved state and repeats from there bit for bit.",
        test: "capabilities",
    },
    Capability {
        attribute: "canSerializeFMUstate",
        value: "true",
        interfaces: &[ModelExchange, CoSimulation],
        meaning: "A saved state becomes bytes that another process can load; damaged or foreign bytes are refused.",
        test: "capabilities",
    },
    Capability {
        attribute: "providesDirectionalDerivative",
        value: "true",
        interfaces: &[ModelExchange, CoSimulation],
        meaning: "Partial derivatives with respect to states and inputs, from the law's analytic Jacobian.",
        test: "capabilities",
    },
];

/// The claims for one interface.
pub fn of(interface: Interface) -> impl Iterator<Item = &'static Capability> {
    CAPABILITIES.iter().filter(move |capability| capability.interfaces.contains(&interface))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[ignore = "tests/tests/capabilities.rs does not exist yet"]
    fn each_claim_names_a_test_that_exists() {
        for flag in &CAPABILITIES {
            let (file, test) = flag.test.split_once("::").unwrap_or((flag.test, ""));
            let path = crate::workspace::root().join(format!("tests/tests/{file}.rs"));
            let source = std::fs::read_to_string(&path).unwrap_or_else(|_| panic!("{}: no {file}", flag.attribute));
            assert!(source.contains(&format!("fn {test}")), "{}: no {test} in {file}", flag.attribute);
        }
    }
}
