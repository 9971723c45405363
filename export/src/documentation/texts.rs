//! Texts and equations of a law as they hold for the element of a card: those of a measured curve
//! in place of the parameters that it replaces.

use bristle::catalogue::{Motion, Variant};
use bristle::law::{Equation, F_T, MeasuredForm};
use bristle::variable::{Unit, Variable};

/// Equations and notes of an element.
pub struct Texts<'a> {
    variant: &'a Variant,
    /// Of an element with a measured curve.
    form: Option<&'static MeasuredForm>,
}

/// Equation that holds for an element.
pub struct OwnEquation {
    /// Number in the source.
    pub number: &'static str,
    /// Equation in LaTeX.
    pub latex: String,
    /// Meaning, one sentence.
    pub meaning: String,
}

/// Equations of the lever of a rotational contact, without and with an applied force.
const LEVERS: [Equation; 2] = [
    Equation {
        number: "lever",
        latex: r"v = r\,\omega, \qquad M_R = r\,F_R",
        meaning: AT_THE_RADIUS,
    },
    Equation {
        number: "lever",
        latex: r"v = r\,\omega, \qquad M_R = r\,F_R, \qquad M_t = r\,F_t",
        meaning: AT_THE_RADIUS,
    },
];
const AT_THE_RADIUS: &str =
    "Velocity and forces at the friction radius, in which equations and notes are written.";

impl<'a> Texts<'a> {
    pub fn new(variant: &'a Variant) -> Self {
        Texts {
            variant,
            form: variant
                .card()
                .characteristic
                .is_some()
                .then_some(variant.model.measured),
        }
    }

    /// Equations in reading order. Those with a parameter that a curve replaces make room for that
    /// of the curve.
    pub fn equations(&self) -> Vec<OwnEquation> {
        let card = self.variant.card();
        let has_applied_force = self.variant.all().any(|variable| variable.is(&F_T));
        let lever =
            (card.motion == Motion::Rotational).then_some(&LEVERS[usize::from(has_applied_force)]);
        let of_line = if card.motion.is_planar() {
            self.variant.law.metadata.equations
        } else {
            &[]
        };
        let of_curve = self.form.map_or(&[][..], |form| form.equations);
        let equations = lever
            .into_iter()
            .chain(of_line)
            .chain(self.variant.metadata().equations);
        let mut equations: Vec<_> = equations.map(|equation| self.own(equation)).collect();
        let first = equations
            .iter()
            .position(Option::is_none)
            .unwrap_or(equations.len());
        let of_curve = of_curve.iter().map(|equation| self.own(equation));
        equations.splice(first..first, of_curve);
        equations.into_iter().flatten().collect()
    }

    fn own(&self, equation: &Equation) -> Option<OwnEquation> {
        let own = OwnEquation {
            number: equation.number,
            latex: self.latex(equation.latex),
            meaning: self.text(equation.meaning),
        };
        let mut replaced = self.replaced();
        (!replaced.any(|variable| contains(&own.latex, variable.symbol))
            && self.holds(&own.meaning))
        .then_some(own)
    }

    /// Notes, a heading and a paragraph each, without those about parameters that a curve replaces.
    pub fn notes(&self) -> Vec<(&'static str, String)> {
        let notes = self
            .variant
            .metadata()
            .notes
            .iter()
            .map(|(heading, text)| (*heading, self.text(text)));
        notes.filter(|(_, text)| self.holds(text)).collect()
    }

    /// Text with the coordinates of the first point of a curve in place of the parameters that it
    /// gives.
    pub fn text(&self, text: &str) -> String {
        self.at_first_point()
            .fold(text.to_owned(), |text, (variable, own)| {
                replace(&text, variable.name, own)
            })
    }

    fn latex(&self, latex: &str) -> String {
        self.at_first_point()
            .fold(latex.to_owned(), |latex, (variable, own)| {
                let own = if own == "mu_a" { r"\mu_a" } else { own };
                replace(&latex, variable.symbol, own)
            })
    }

    /// Largest friction force at rest in the element's own symbols.
    pub fn largest_force(&self) -> &'static str {
        let has = |name| {
            self.variant
                .metadata()
                .parameters
                .iter()
                .any(|parameter| parameter.name == name)
        };
        match self.form {
            Some(form) => form.static_force,
            None if has("mu_s") => "F_s = mu_s F_N",
            None if has("mu_d") => "F_c = mu_d F_N",
            None => "peak mu_0 F_N",
        }
    }

    /// Whether a text has no parameter that a curve replaces.
    pub fn holds(&self, text: &str) -> bool {
        !self.replaced().any(|variable| {
            contains(text, variable.name)
                || contains(text, variable.symbol.trim_start_matches('\\'))
        })
    }

    fn replaced(&self) -> impl Iterator<Item = &'static Variable> {
        self.form.into_iter().flat_map(|form| form.replaced)
    }

    fn at_first_point(&self) -> impl Iterator<Item = (&'static Variable, &'static str)> {
        let own = |variable: &Variable| {
            if variable.unit == Unit::MetrePerSecond {
                "v_a"
            } else {
                "mu_a"
            }
        };
        self.form
            .into_iter()
            .flat_map(|form| form.at_first_point)
            .map(move |variable| (variable, own(variable)))
    }
}

/// Places of a symbol in a text, as a word of its own.
fn places<'t>(text: &'t str, symbol: &'t str) -> impl Iterator<Item = usize> + 't {
    let in_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
    text.match_indices(symbol)
        .map(|(place, _)| place)
        .filter(move |place| {
            let (before, after) = (&text[..*place], &text[place + symbol.len()..]);
            !before.ends_with(|c| in_word(c) || c == '\\') && !after.starts_with(in_word)
        })
}

fn contains(text: &str, symbol: &str) -> bool {
    !symbol.is_empty() && places(text, symbol).next().is_some()
}

fn replace(text: &str, symbol: &str, own: &str) -> String {
    let (mut out, mut from) = (String::new(), 0);
    for place in places(text, symbol) {
        out.push_str(&text[from..place]);
        out.push_str(own);
        from = place + symbol.len();
    }
    out + &text[from..]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn symbols_are_replaced_as_whole_words() {
        assert_eq!(
            replace("mu_s and mu_sx, F_mu_s; mu_s", "mu_s", "mu_a"),
            "mu_a and mu_sx, F_mu_s; mu_a"
        );
        assert_eq!(
            replace(r"\mu_s\,v_s/v_{s}", r"\mu_s", r"\mu_a"),
            r"\mu_a\,v_s/v_{s}"
        );
        assert!(
            contains(r"|w|/v_s & x", "v_s")
                && !contains("v_s2", "v_s")
                && !contains("anything", "")
        );
    }
}
