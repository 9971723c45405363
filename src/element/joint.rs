//! Words of an element whose card states forces or torques in place of a normal force: sentences of
//! the law in the names and units of the card.

use crate::variable::InputError;

/// Names and units of a joint.
#[derive(Clone, Debug)]
pub struct Joint {
    /// Whether the motion is about an axis: torques in place of forces.
    pub is_rotational: bool,
    /// Names of the law's variables, and of the card's.
    pub names: Vec<(&'static str, &'static str)>,
}

/// Parts of sentences about a normal force, which a joint has not.
const OF_NORMAL_FORCE: [&str; 2] = [
    ", state F_N as `normal_force` in the card",
    ", or state the usual F_N of the contact as `normal_force`",
];

/// Units of the law's numbers, and those of a joint along a line and about an axis; a slope over the
/// speed is one of coefficients.
const UNITS: [(&str, [&str; 2]); 4] = [
    (" s/m", [" N.s/m", " N.m.s/rad"]),
    (" N.s/m", [" N.s/m", " N.m.s/rad"]),
    (" N/m", [" N/m", " N.m/rad"]),
    (" m/s", [" m/s", " rad/s"]),
];

/// A sentence without the unit of the normal force behind a load.
fn without_unit_of_load(sentence: &str) -> String {
    let mut parts = sentence.split("load = ");
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |said, part| {
        let end = part.find(' ').unwrap_or(part.len());
        let (number, rest) = part.split_at(end);
        let rest = rest.strip_prefix(" N").unwrap_or(rest);
        said + "load = " + number + rest
    })
}

impl Joint {
    /// A sentence of the law in the words of the card.
    pub fn sentence(&self, of_law: &str) -> String {
        let text = OF_NORMAL_FORCE
            .iter()
            .fold(of_law.to_owned(), |text, part| text.replace(part, ""));
        let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
        let parts = text.split_inclusive(|c| !is_word(c)).map(|part| {
            let word = part.trim_end_matches(|c| !is_word(c));
            part.replacen(word, self.name(word), 1)
        });
        let side = usize::from(self.is_rotational);
        let force = ["force", "torque"][side];
        let said: String = parts.collect();
        let said = without_unit_of_load(&said);
        let said = said.replace("coefficient of friction", &format!("friction {force}"));
        UNITS.iter().fold(said, |text: String, (unit, own)| {
            text.replace(unit, own[side])
        })
    }

    /// Name in the card of a variable of the law.
    pub fn name<'a>(&self, of_law: &'a str) -> &'a str {
        let known = self.names.iter().find(|(name, _)| *name == of_law);
        known.map_or(of_law, |(_, name)| name)
    }

    /// A refusal of the law in the words of the card.
    pub fn refusal(&self, of_law: InputError) -> InputError {
        InputError {
            sentence: self.sentence(&of_law.sentence),
            keys: of_law.keys.into_iter().map(|key| self.name(key)).collect(),
        }
    }
}
