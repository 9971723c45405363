//! Plain text in which symbols stand as in the catalogue (`F_R`, `mu_s`, `z_dot`), set as a reader
//! expects them: slanted, with subscripts and Greek letters, for pages and for pictures.

/// Text for a page.
pub fn html(text: &str) -> String {
    let mut out = String::new();
    for run in runs(text) {
        out.push_str(&match run {
            Run::Plain(text) => escape(text),
            Run::Symbol(letter, "") => format!("<i>{letter}</i>"),
            Run::Symbol(letter, subscript) => format!("<i>{letter}</i><sub>{subscript}</sub>"),
        });
    }
    out
}

/// Text for a `<text>` of a picture.
pub fn svg(text: &str) -> String {
    let mut out = String::new();
    let mut below = false;
    for run in runs(text) {
        out.push_str(&match run {
            // Text after a subscript returns to the base line; two symbols are never adjacent.
            Run::Plain(text) if below => format!("<tspan dy=\"-3\">{}</tspan>", escape(text)),
            Run::Plain(text) => escape(text),
            Run::Symbol(letter, "") => format!("<tspan font-style=\"italic\">{letter}</tspan>"),
            Run::Symbol(letter, subscript) => format!(
                "<tspan font-style=\"italic\">{letter}</tspan><tspan dy=\"3\" \
                 font-size=\"9\">{subscript}</tspan>"
            ),
        });
        below = matches!(run, Run::Symbol(_, subscript) if !subscript.is_empty());
    }
    out
}

/// Text as it is, safe inside a tag.
pub fn escape(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
}

/// Part of a text.
pub enum Run<'a> {
    /// Text as it is.
    Plain(&'a str),
    /// Letter and subscript.
    Symbol(&'a str, &'a str),
}

/// Words of a text and the text between them.
pub fn runs(text: &str) -> impl Iterator<Item = Run<'_>> {
    let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let mut rest = text;
    std::iter::from_fn(move || {
        let in_word = is_word(rest.chars().next()?);
        let end = rest.find(|c| is_word(c) != in_word).unwrap_or(rest.len());
        let (run, tail) = rest.split_at(end);
        rest = tail;
        Some(symbol(run).map_or(Run::Plain(run), |(letter, subscript)| {
            Run::Symbol(letter, subscript)
        }))
    })
}

/// Letter and subscript, where a word is a symbol.
fn symbol(word: &str) -> Option<(&str, &str)> {
    let (base, subscript) = word.split_once('_').unwrap_or((word, ""));
    Some(match (base, subscript) {
        ("z", "dot") => ("\u{17c}", ""),
        ("sigma", _) => ("\u{3c3}", subscript),
        ("mu", _) => ("\u{3bc}", subscript),
        // Letters that, standing alone, are neither words nor units.
        ("v" | "z" | "w" | "u" | "t" | "x" | "F" | "H" | "M", "") => (base, ""),
        _ if base.len() == 1 && !subscript.is_empty() => (base, subscript),
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn symbols_are_set_and_words_and_units_are_left_alone() {
        assert_eq!(
            html("a force F_R > 5 N"),
            "a force <i>F</i><sub>R</sub> &gt; 5 N"
        );
        assert_eq!(
            html("1.5 (mu_s \u{2212} mu_d)"),
            "1.5 (<i>μ</i><sub>s</sub> \u{2212} <i>μ</i><sub>d</sub>)"
        );
        assert_eq!(html("z_dot"), "<i>ż</i>");
        assert_eq!(html("|F_0| at v"), "|<i>F</i><sub>0</sub>| at <i>v</i>");
        assert_eq!(html("fmi2_x 1e-6"), "fmi2_x 1e-6");
        assert_eq!(
            svg("F_R / N"),
            "<tspan font-style=\"italic\">F</tspan><tspan dy=\"3\" \
             font-size=\"9\">R</tspan><tspan dy=\"-3\"> / </tspan>N"
        );
    }
}
