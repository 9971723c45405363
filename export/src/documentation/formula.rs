//! Formulas: LaTeX to MathML.

use pulldown_latex::config::{DisplayMode, RenderConfig};
use pulldown_latex::{Parser, Storage, push_mathml};

use crate::error::{Context, Error, Result};

/// MathML of a formula in LaTeX.
pub fn mathml(latex: &str, display_mode: DisplayMode) -> Result<String> {
    let storage = Storage::new();
    let mut mathml = String::new();
    let config = RenderConfig {
        display_mode,
        ..RenderConfig::default()
    };
    push_mathml(&mut mathml, Parser::new(latex, &storage), config)
        .context("a formula cannot be written")?;
    // The renderer writes its errors into the formula.
    if mathml.contains("<merror") {
        let error = format!(
            "the formula `{latex}` cannot be rendered; correct its LaTeX in the law's file"
        );
        return Err(Error::new(error));
    }
    // The renderer leaves comparisons unescaped and writes the micro sign, which browsers do not
    // slant, for the letter.
    Ok(mathml
        .replace("<mo><</mo>", "<mo>&lt;</mo>")
        .replace("<mo>></mo>", "<mo>&gt;</mo>")
        .replace('\u{b5}', "\u{3bc}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn latex_that_cannot_be_rendered_is_refused() {
        assert!(mathml(r"\frac{1}{2", DisplayMode::Inline).is_err());
        assert!(mathml(r"\nosuchcommand", DisplayMode::Inline).is_err());
        assert!(
            mathml(r"a < b", DisplayMode::Inline)
                .unwrap()
                .contains("&lt;")
        );
    }
}
