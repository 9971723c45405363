//! Interface that every FMU claims: capability flags and log categories, each declared once for the
//! description, the documentation, the library and the fingerprint.
//!
//! A claim without a test is none: each capability names the test that shows it.

/// An FMI capability flag that the FMUs claim.
#[derive(Clone, Copy, Debug)]
pub struct Capability {
    /// The attribute's name in `modelDescription.xml`.
    pub attribute: &'static str,
    /// Its value.
    pub value: &'static str,
    /// The interfaces that claim it.
    pub interfaces: &'static [Interface],
    /// Benefit for the user.
    pub meaning: &'static str,
    /// Test that shows it: a file of `tests/tests`, or one of its tests as `file::test`.
    pub test: &'static str,
}

/// An interface of FMI 2.0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Interface {
    /// The importer's solver integrates the states.
    ModelExchange,
    /// The element integrates them itself.
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
        test: "abi/steps::long_step_equals_many_short_ones",
    },
    Capability {
        attribute: "canInterpolateInputs",
        value: "true",
        interfaces: &[CoSimulation],
        meaning: "Derivatives of the inputs up to order 3 are honoured inside the next step.",
        test: "interpolation::linear_v_is_interpolated_within_the_step",
    },
    Capability {
        attribute: "maxOutputDerivativeOrder",
        value: "1",
        interfaces: &[CoSimulation],
        meaning: "The first time derivatives of the outputs are known at the end of a step.",
        test: "interpolation::output_derivatives_are_limits_of_differences",
    },
    Capability {
        attribute: "canNotUseMemoryManagementFunctions",
        value: "true",
        interfaces: &[ModelExchange, CoSimulation],
        meaning: "The importer need not supply functions that allocate memory.",
        test: "abi/instantiate::callbacks_and_logger_are_optional",
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
        meaning: "A saved state becomes bytes that another process can load; damaged or foreign \
                  bytes are refused.",
        test: "state::steps_from_bytes_in_another_instance_repeat_bit_for_bit",
    },
    Capability {
        attribute: "providesDirectionalDerivative",
        value: "true",
        interfaces: &[ModelExchange, CoSimulation],
        meaning: "Partial derivatives with respect to states and inputs, from the law's Jacobian.",
        test: "directional_derivatives::directional_derivatives_are_limits_of_differences",
    },
];

/// The claims for one interface.
pub fn capabilities(interface: Interface) -> impl Iterator<Item = &'static Capability> {
    CAPABILITIES
        .iter()
        .filter(move |capability| capability.interfaces.contains(&interface))
}

/// A category of log messages.
#[derive(Clone, Copy, Debug)]
pub struct LogCategory {
    /// The name by which an importer selects it.
    pub name: &'static str,
    /// Subject of its messages.
    pub description: &'static str,
}

/// The log categories; the last one stands for all of them.
pub const LOG_CATEGORIES: [LogCategory; 7] = [
    LogCategory {
        name: "logEvents",
        description: "Events in the life of an instance",
    },
    LogCategory {
        name: "logStatusWarning",
        description: "Warnings about the model, each once, beside fmi2OK; the estimated error of \
                      F_R, beside the first fmi2Warning",
    },
    LogCategory {
        name: "logStatusDiscard",
        description: "Reason for which Model Exchange cannot be evaluated at a point, beside \
                      fmi2Discard",
    },
    LogCategory {
        name: "logStatusError",
        description: "Reason of each refused call, beside fmi2Error",
    },
    LogCategory {
        name: "logStatusFatal",
        description: "Reason for which an instance can no longer be used, beside each fmi2Fatal",
    },
    LogCategory {
        name: "logCoupling",
        description: "Warnings about the coupling, each once: a step that is too long, an m_eff \
                      that does not fit",
    },
    LogCategory {
        name: "logAll",
        description: "All of them",
    },
];
