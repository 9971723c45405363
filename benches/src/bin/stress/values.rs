//! Parameters of a law by name.

/// Parameters by name.
pub type Values = Vec<(&'static str, f64)>;

/// Value of the parameter of this name.
pub fn value(values: &Values, name: &str) -> Option<f64> {
    values
        .iter()
        .find(|(known, _)| *known == name)
        .map(|(_, value)| *value)
}
