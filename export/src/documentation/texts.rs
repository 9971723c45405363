//! Texts and equations of a law as they hold for the element of a card: those of a measured curve
//! in place of the parameters that it replaces.

use bristle::catalogue::{Motion, Variant};
use bristle::element::{Gear, Losses, RADIUS, Source};
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
/// Applied force of a contact with bodies inside: a block along a line, one about an axis, a system.
const APPLIED: [Equation; 3] = [
    Equation {
        number: "inside",
        latex: r"F_t = F - k\,(x - x_\mathrm{b}) - d\,(v - v_\mathrm{b})",
        meaning: "Applied force: all forces on the block but F_R.",
    },
    Equation {
        number: "inside",
        latex: r"r\,F_t = M - k\,(\varphi - \varphi_\mathrm{b}) - d\,(\omega - \omega_\mathrm{b})",
        meaning: "Applied force, from all torques on the block but M_R.",
    },
    Equation {
        number: "inside",
        latex: r"F_t: \quad \dot v = 0",
        meaning: "Applied force: that which keeps the slip of the contact constant.",
    },
];
/// Meaning of the equation that names the law's symbols in a joint whose friction is stated.
const IN_A_JOINT: [&str; 2] = [
    "The law\u{2019}s symbols, in which equations and notes are written.",
    "The law\u{2019}s symbols at a radius of 1 m, in which equations and notes are written.",
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

    /// Equations in reading order. That which a curve replaces makes room for those of the curve.
    pub fn equations(&self) -> Vec<OwnEquation> {
        let card = self.variant.card();
        let has_applied_force = self.variant.all().any(|variable| variable.is(&F_T));
        let lever = (card.motion == Motion::Rotational && card.level.is_none())
            .then_some(&LEVERS[usize::from(has_applied_force)]);
        let has_own = card.has_bodies() && self.variant.metadata().has_input(&F_T);
        let applied = match (&card.system, card.motion) {
            (Some(_), _) => &APPLIED[2],
            (None, Motion::Rotational) => &APPLIED[1],
            (None, _) => &APPLIED[0],
        };
        let applied = has_own.then_some(applied);
        let of_line = if card.motion.is_planar() {
            self.variant.law.metadata.equations
        } else {
            &[]
        };
        let of_law = lever
            .into_iter()
            .chain(of_line)
            .chain(self.variant.metadata().equations)
            .chain(applied)
            .flat_map(|equation| match self.form {
                Some(form) if form.replaced_equation == equation.number => form.equations,
                _ => std::slice::from_ref(equation),
            })
            .map(|equation| OwnEquation {
                number: equation.number,
                latex: self.latex(equation.latex),
                meaning: self.text(equation.meaning),
            });
        let reactions = card
            .reactions
            .and(self.formula_of_source())
            .map(|latex| OwnEquation {
                number: "reactions",
                latex,
                meaning: "Normal force of the joint, from its reactions and its preload."
                    .to_owned(),
            });
        self.joint(has_applied_force)
            .into_iter()
            .chain(reactions)
            .chain(of_law)
            .collect()
    }

    /// Load of a gear, or normal force of a joint with reactions, by the inputs it follows from.
    fn formula_of_source(&self) -> Option<String> {
        let symbol = |sliding| self.variant.card().declared(sliding).symbol;
        Some(match self.variant.source()? {
            Source::Gear(Gear { sliding }) => {
                let sliding = symbol(sliding);
                format!(r"\lambda = 1 + |k_m\,\tau_m - k_e\,\tau_e|/{sliding}")
            }
            Source::Losses(Losses { sliding, .. }) => {
                let sliding = symbol(sliding);
                format!(
                    r"\lambda = \max((1 - \eta_1)\,\tau + \tau_1,\ (1 - 1/\eta_2)\,\tau + \tau_2)/{sliding}, \quad \tau = \pm\tau_m"
                )
            }
            Source::Reactions(reactions) => format!("F_N = {}", reactions.formula()),
        })
    }

    /// Equation of a joint whose friction is stated: the law's symbols by those of the card.
    fn joint(&self, has_applied_force: bool) -> Vec<OwnEquation> {
        let (card, model) = (self.variant.card(), self.variant.model);
        let Some(level) = card.level else {
            return Vec::new();
        };
        let is_rotational = card.motion == Motion::Rotational;
        let load = if level.has_load || level.has_gear {
            r"\lambda\,"
        } else {
            ""
        };
        let mut symbols = vec![format!(r"F_N = {load}1\,\mathrm{{N}}")];
        symbols.extend(self.formula_of_source());
        if is_rotational {
            symbols.extend([r"v = \omega", "F_R = M_R"].map(str::to_owned));
            symbols.extend(has_applied_force.then(|| "F_t = M_t".to_owned()));
        }
        let shown = |known: &&Variable| self.variant.all().any(|variable| variable.is(known));
        let renamed = model
            .variables()
            .filter(|known| known.is_parameter())
            .filter(shown);
        symbols.extend(renamed.filter_map(|known| {
            let own = card.declared(known).symbol;
            let is_of_law = known.slot() < RADIUS.slot() && own != known.symbol;
            is_of_law.then(|| format!("{} = {own}", known.symbol))
        }));
        vec![OwnEquation {
            number: "joint",
            latex: symbols.join(r",\quad "),
            meaning: IN_A_JOINT[usize::from(is_rotational)].to_owned(),
        }]
    }

    /// Notes, a heading and a paragraph each, without those that do not hold with a curve.
    pub fn notes(&self) -> Vec<(&'static str, String)> {
        let left_out = self.form.map_or(&[][..], |form| form.notes_left_out);
        self.variant
            .metadata()
            .notes
            .iter()
            .filter(|(heading, _)| !left_out.contains(heading))
            .map(|(heading, text)| (*heading, self.text(text)))
            .collect()
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
        match (self.variant.card().level, self.variant.card().motion) {
            (Some(_), Motion::Rotational) => return "the largest torque of the card",
            (Some(_), _) => return "the largest force of the card",
            (None, _) => {}
        }
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
    use bristle::catalogue::ELEMENTS;

    fn contains(text: &str, symbol: &str) -> bool {
        !symbol.is_empty() && places(text, symbol).next().is_some()
    }

    /// Whether a text of a law has no parameter that a curve replaces, but for those that its first
    /// point gives.
    fn holds(form: &MeasuredForm, text: &str) -> bool {
        let gone = form.replaced.iter().filter(|replaced| {
            let is_same = |other: &&Variable| other.reference == replaced.reference;
            form.at_first_point.iter().find(is_same).is_none()
        });
        !gone.into_iter().any(|variable| {
            contains(text, variable.name)
                || contains(text, variable.symbol)
                || contains(text, variable.symbol.trim_start_matches('\\'))
        })
    }

    #[test]
    fn equations_and_notes_that_a_curve_leaves_out_are_those_with_replaced_parameters() {
        for model in ELEMENTS
            .iter()
            .flat_map(|model| [Some(model), model.planar])
            .flatten()
            .filter(|model| !model.measured.replaced.is_empty())
        {
            let (form, metadata) = (model.measured, model.metadata);
            for (heading, text) in metadata.notes {
                assert_eq!(
                    form.notes_left_out.contains(heading),
                    !holds(form, text),
                    "{}: {heading}",
                    metadata.title
                );
            }
            for equation in metadata.equations {
                let is_kept = holds(form, equation.latex) && holds(form, equation.meaning);
                assert_eq!(
                    equation.number == form.replaced_equation,
                    !is_kept,
                    "{}: {}",
                    metadata.title,
                    equation.latex
                );
            }
            for equation in form.equations {
                assert!(holds(form, equation.latex) && holds(form, equation.meaning));
            }
        }
    }

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
