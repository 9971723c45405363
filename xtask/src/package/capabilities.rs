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
    /// The file in `tests/tests` that shows it.
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
