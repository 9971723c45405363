//! Parameters with a value for each direction.

/// Distance of the reference of a parameter for v < 0 from that of the parameter itself, which then
/// holds for v > 0.
pub const BACKWARD: u32 = 8;

/// Declarations of a parameter for v > 0 and for v < 0, which a card may have in place of the one
/// for both. A card gives their values.
#[macro_export]
macro_rules! by_direction {
    ($parameter:expr, $name:literal, $symbol:literal) => {{
        use $crate::variable::{BACKWARD, Variable};
        const PARAMETER: Variable = $parameter;
        [
            Variable {
                name: concat!($name, "_forward"),
                symbol: concat!($symbol, "^+"),
                description: concat!("Value of ", $name, " for v > 0"),
                start: None,
                ..PARAMETER
            },
            Variable {
                reference: PARAMETER.reference + BACKWARD,
                name: concat!($name, "_backward"),
                symbol: concat!($symbol, "^-"),
                description: concat!("Value of ", $name, " for v < 0"),
                start: None,
                ..PARAMETER
            },
        ]
    }};
}
