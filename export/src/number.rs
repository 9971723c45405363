//! Numbers as text.

/// Number in its shorter notation, plain or with an exponent.
pub fn short(number: f64) -> String {
    let plain = format!("{number}");
    let scientific = format!("{number:e}");
    if plain.len() <= scientific.len() + 3 {
        plain
    } else {
        scientific
    }
}

/// Number with four digits.
pub fn short_4(number: f64) -> String {
    let rounded: f64 = format!("{number:.3e}").parse().unwrap_or(number);
    short(rounded)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_written_in_their_shorter_notation() {
        assert_eq!(
            [5e6, 3192.75, 0.6, 1e-3, 0.0, 1e-9].map(short),
            ["5e6", "3192.75", "0.6", "0.001", "0", "1e-9"]
        );
    }
}
