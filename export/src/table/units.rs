//! Units of measured numbers, converted to the SI units of variables.
//!
//! A unit is a product of powers of symbols, as `N.s/mm`, `kN·m`, `rad s^-1`; a symbol may have a
//! prefix.

use std::f64::consts::{PI, TAU};

use bristle::variable::Unit;

use crate::names::question;

/// Symbol, factor to SI, exponents of kg, m, s and rad, and the prefixes that it is written with:
/// with any other it is more likely a word or a mistyped unit, as `Grad` (degree) and `Mm` (mm).
const SYMBOLS: [(&str, f64, [i32; 4], &str); 41] = [
    ("%", 0.01, [0; 4], ""),
    ("m", 1.0, METRE, "nuµmck"),
    ("in", 0.0254, METRE, ""),
    ("inch", 0.0254, METRE, ""),
    ("ft", 0.3048, METRE, ""),
    ("s", 1.0, SECOND, "muµ"),
    ("sec", 1.0, SECOND, "muµ"),
    ("min", 60.0, SECOND, ""),
    ("h", 3600.0, SECOND, ""),
    ("Hz", 1.0, PER_SECOND, "k"),
    ("g", 1e-3, KILOGRAM, "k"),
    ("t", 1e3, KILOGRAM, ""),
    ("lb", 0.453_592_37, KILOGRAM, ""),
    ("rad", 1.0, RADIAN, ""),
    ("deg", PI / 180.0, RADIAN, ""),
    ("°", PI / 180.0, RADIAN, ""),
    ("rev", TAU, RADIAN, ""),
    ("U", TAU, RADIAN, ""),
    ("rpm", TAU / 60.0, RADIAN_PER_SECOND, ""),
    ("RPM", TAU / 60.0, RADIAN_PER_SECOND, ""),
    ("N", 1.0, NEWTON, "mkM"),
    ("Pa", 1.0, PASCAL, "kM"),
    ("daN", 10.0, NEWTON, ""),
    ("kgf", 9.806_65, NEWTON, ""),
    ("kp", 9.806_65, NEWTON, ""),
    ("lbf", 4.448_221_615_260_5, NEWTON, ""),
    ("Nm", 1.0, JOULE, "mkM"),
    ("Ncm", 1e-2, JOULE, ""),
    ("Nmm", 1e-3, JOULE, ""),
    ("Ns", 1.0, [1, 1, -1, 0], ""),
    ("Nms", 1.0, [1, 2, -1, 0], ""),
    ("J", 1.0, JOULE, "mkM"),
    ("W", 1.0, [1, 2, -3, 0], "mkM"),
    ("mps", 1.0, METRE_PER_SECOND, ""),
    ("mmps", 1e-3, METRE_PER_SECOND, ""),
    ("kph", 1.0 / 3.6, METRE_PER_SECOND, ""),
    ("kmh", 1.0 / 3.6, METRE_PER_SECOND, ""),
    ("mph", 0.447_04, METRE_PER_SECOND, ""),
    ("ips", 0.0254, METRE_PER_SECOND, ""),
    ("degps", PI / 180.0, RADIAN_PER_SECOND, ""),
    ("radps", 1.0, RADIAN_PER_SECOND, ""),
];

const KILOGRAM: [i32; 4] = [1, 0, 0, 0];
const METRE: [i32; 4] = [0, 1, 0, 0];
const SECOND: [i32; 4] = [0, 0, 1, 0];
const RADIAN: [i32; 4] = [0, 0, 0, 1];
const METRE_PER_SECOND: [i32; 4] = [0, 1, -1, 0];
const RADIAN_PER_SECOND: [i32; 4] = [0, 0, -1, 1];
const PER_SECOND: [i32; 4] = [0, 0, -1, 0];
const NEWTON: [i32; 4] = [1, 1, -2, 0];
const JOULE: [i32; 4] = [1, 2, -2, 0];
const PASCAL: [i32; 4] = [1, -1, -2, 0];
const INERTIA: [i32; 4] = [1, 2, 0, 0];

/// Prefixes and their factors.
const PREFIXES: [(char, f64); 7] = [
    ('n', 1e-9),
    ('u', 1e-6),
    ('µ', 1e-6),
    ('m', 1e-3),
    ('c', 1e-2),
    ('k', 1e3),
    ('M', 1e6),
];

/// Beginnings of words for units in several languages, in small letters, and the symbol that is
/// proposed for each.
const WORDS: [(&str, &str); 12] = [
    ("grad", "deg"),
    ("degr", "deg"),
    ("radi", "rad"),
    ("umdr", "rev"),
    ("upm", "rpm"),
    ("tour", "rev"),
    ("tr", "rev"),
    ("giri", "rev"),
    ("sek", "s"),
    ("sec", "s"),
    ("met", "m"),
    ("newton", "N"),
];

/// A physical quantity: exponents of kg, m, s and rad, name, and units that are proposed for it.
struct Quantity {
    exponents: [i32; 4],
    name: &'static str,
    proposed: &'static [&'static str],
}

const QUANTITIES: [Quantity; 13] = [
    Quantity {
        exponents: [0; 4],
        name: "a coefficient",
        proposed: &["1", "%"],
    },
    Quantity {
        exponents: METRE_PER_SECOND,
        name: "a velocity",
        proposed: &["m/s", "mm/s", "cm/s", "um/s", "km/h", "in/s", "ft/s"],
    },
    Quantity {
        exponents: RADIAN_PER_SECOND,
        name: "an angular velocity",
        proposed: &["rad/s", "deg/s", "rpm", "1/min", "rev/s"],
    },
    Quantity {
        exponents: METRE,
        name: "a length",
        proposed: &["m", "mm", "cm", "um", "nm", "in"],
    },
    Quantity {
        exponents: RADIAN,
        name: "an angle",
        proposed: &["rad", "deg", "rev"],
    },
    Quantity {
        exponents: SECOND,
        name: "a time",
        proposed: &["s", "ms", "us", "min"],
    },
    Quantity {
        exponents: NEWTON,
        name: "a force",
        proposed: &["N", "kN", "mN", "lbf"],
    },
    Quantity {
        exponents: JOULE,
        name: "a torque",
        proposed: &["N.m", "Nm", "N.mm", "kN.m"],
    },
    Quantity {
        exponents: PASCAL,
        name: "a pressure",
        proposed: &["Pa", "kPa", "MPa"],
    },
    Quantity {
        exponents: KILOGRAM,
        name: "a mass",
        proposed: &["kg", "g", "t"],
    },
    Quantity {
        exponents: INERTIA,
        name: "a moment of inertia",
        proposed: &["kg.m2", "kg.mm2"],
    },
    Quantity {
        exponents: [1, 0, -2, 0],
        name: "a stiffness",
        proposed: &["N/m", "N/mm", "N/um"],
    },
    Quantity {
        exponents: [1, 0, -1, 0],
        name: "a viscosity",
        proposed: &["N.s/m", "N.s/mm"],
    },
];

/// Factor to SI.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Factor(f64);

impl Factor {
    /// Factor of a unit that a file defines.
    pub fn new(factor: f64) -> Self {
        Factor(factor)
    }

    /// The number in SI. Where the factor is one over a whole number it is divided by that, so that
    /// 1.5 mm/s are 0.0015 m/s to the last bit.
    pub fn of(self, value: f64) -> f64 {
        let inverse = 1.0 / self.0;
        let whole = inverse.round();
        if whole > 1.0 && (inverse - whole).abs() <= 4.0 * f64::EPSILON * whole {
            value / whole
        } else {
            value * self.0
        }
    }

    /// The number is in SI already.
    pub fn is_one(self) -> bool {
        self.0 == 1.0
    }

    /// The factor itself.
    pub fn number(self) -> f64 {
        self.0
    }
}

/// Factor from a unit to the SI unit `wanted`. With a friction radius (m), angles become lengths,
/// and torques forces.
pub fn factor(text: &str, wanted: Unit, radius: Option<f64>) -> Result<Factor, String> {
    if text == "SI" {
        return Ok(Factor(1.0));
    }
    let Some((number, found)) = parse(text) else {
        return Err(refuse_unknown(text, wanted));
    };
    let wanted_exponents = wanted.exponents();
    let (mut number, mut found) = (number, found);
    let is_turning = wanted_exponents == RADIAN_PER_SECOND || wanted_exponents == METRE_PER_SECOND;
    if found == PER_SECOND && is_turning {
        // Revolutions, as a speed in 1/min has them; 1/s may be revolutions or radians.
        if (60.0 * number - 1.0).abs() > 1e-9 {
            return Err(format!(
                "found the unit {text}, which may mean rad/s or rev/s, expected one of them"
            ));
        }
        (number, found) = (number * TAU, RADIAN_PER_SECOND);
    }
    if found == wanted_exponents {
        return Ok(Factor(number));
    }
    let power = match (found, wanted_exponents) {
        (RADIAN, METRE) | (RADIAN_PER_SECOND, METRE_PER_SECOND) => 1,
        (JOULE, NEWTON) => -1,
        (INERTIA, KILOGRAM) => -2,
        _ => 0,
    };
    match radius {
        Some(radius) if power != 0 => Ok(Factor(number * whole_power(radius, power))),
        _ => {
            let remedy = if power == 0 {
                ""
            } else {
                "; the friction radius (`radius`) converts them"
            };
            let (of, expected) = (name(found), name(wanted_exponents));
            Err(format!(
                "found the unit {text}, {of}, expected {expected}, in {}{remedy}",
                wanted.symbol()
            ))
        }
    }
}

/// Sentence about a unit that is not known, with those of the quantity and the nearest.
pub fn refuse_unknown(text: &str, wanted: Unit) -> String {
    let own = [wanted.symbol()];
    let quantity = quantity(wanted.exponents());
    let proposed = quantity.map_or(&own[..], |quantity| quantity.proposed);
    let all = || {
        QUANTITIES
            .iter()
            .flat_map(|quantity| quantity.proposed)
            .copied()
    };
    let near = translated(text)
        .map(|symbol| format!("; did you mean `{symbol}`?"))
        .or_else(|| Some(question(text, proposed.iter().copied())).filter(|near| !near.is_empty()))
        .unwrap_or_else(|| question(text, all()));
    let of = quantity.map_or("a value", |quantity| quantity.name);
    if text.ends_with("/N") {
        return format!(
            "found \"{text}\", which may be a force in N or a ratio, expected a unit in brackets, \
             as \"F (N)\""
        );
    }
    format!(
        "found the unknown unit \"{text}\", expected {of} in {}{near}",
        proposed.join(", ")
    )
}

/// Unit with the symbols of its words; `None` where it has no word, or something else that is no
/// unit.
fn translated(text: &str) -> Option<String> {
    let is_letter = |c: char| c.is_alphabetic();
    let mut unit = String::new();
    let mut has_word = false;
    for part in text.split_inclusive(|c| !is_letter(c)) {
        let word = part.trim_end_matches(|c| !is_letter(c));
        let small = word.to_lowercase();
        let known = WORDS
            .iter()
            .find(|(beginning, _)| small.starts_with(beginning) && parse(word).is_none());
        has_word |= known.is_some();
        unit += known.map_or(word, |(_, symbol)| symbol);
        unit += &part[word.len()..];
    }
    (has_word && parse(&unit).is_some()).then_some(unit)
}

/// There are proposed units of a quantity with these exponents.
pub fn is_proposed(exponents: [i32; 4]) -> bool {
    quantity(exponents).is_some()
}

fn quantity(exponents: [i32; 4]) -> Option<&'static Quantity> {
    QUANTITIES
        .iter()
        .find(|quantity| quantity.exponents == exponents)
}

/// Quantity with these exponents of kg, m, s and rad, in words.
pub fn name(exponents: [i32; 4]) -> String {
    let powers = ["kg", "m", "s", "rad"]
        .into_iter()
        .zip(exponents)
        .filter(|(_, power)| *power != 0);
    quantity(exponents).map_or_else(
        || {
            powers
                .map(|(symbol, power)| format!("{symbol}{power}"))
                .collect::<Vec<_>>()
                .join(".")
        },
        |quantity| quantity.name.to_owned(),
    )
}

/// Factor to SI and exponents of kg, m, s and rad of a unit.
pub fn parse(text: &str) -> Option<(f64, [i32; 4])> {
    let mut plain = String::new();
    for c in text.trim().chars() {
        match c {
            '\u{3bc}' => plain.push('µ'),
            '·' | '×' | '⋅' | '∙' | '*' => plain.push('.'),
            '\u{2212}' | '⁻' => plain.push('-'),
            '¹' => plain.push('1'),
            '²' => plain.push('2'),
            '³' => plain.push('3'),
            '^' => {}
            c => plain.push(c),
        }
    }
    let mut rest = plain.as_str();
    if rest.is_empty() {
        return Some((1.0, [0; 4]));
    }
    let unit = quotient(&mut rest)?;
    rest.is_empty().then_some(unit)
}

/// Products with slashes between them, up to a closing bracket or the end.
fn quotient(rest: &mut &str) -> Option<(f64, [i32; 4])> {
    let mut unit = product(rest)?;
    while let Some(behind) = rest.strip_prefix('/') {
        *rest = behind;
        let (number, exponents) = product(rest)?;
        unit.0 /= number;
        unit.1
            .iter_mut()
            .zip(exponents)
            .for_each(|(own, other)| *own -= other);
    }
    Some(unit)
}

fn product(rest: &mut &str) -> Option<(f64, [i32; 4])> {
    let mut unit = (1.0, [0; 4]);
    loop {
        *rest = rest.trim_start();
        let (number, exponents) = match rest.strip_prefix('(') {
            Some(inner) => {
                *rest = inner;
                let unit = quotient(rest)?;
                *rest = rest.strip_prefix(')')?;
                unit
            }
            None => power(rest)?,
        };
        unit.0 *= number;
        unit.1
            .iter_mut()
            .zip(exponents)
            .for_each(|(own, other)| *own += other);
        let has_gap = rest.starts_with(' ');
        *rest = rest.trim_start();
        if let Some(behind) = rest.strip_prefix('.') {
            *rest = behind;
        } else if !has_gap || rest.is_empty() || rest.starts_with(['/', ')']) {
            return Some(unit);
        }
    }
}

/// Power of a symbol, which may have a prefix.
fn power(rest: &mut &str) -> Option<(f64, [i32; 4])> {
    let length = rest
        .find(|c: char| !(c.is_alphabetic() || "°%".contains(c)))
        .unwrap_or(rest.len());
    if length == 0 {
        // 1, as in 1/min, or the dash of a quantity without dimension.
        *rest = ["1", "-", "–"]
            .into_iter()
            .find_map(|one| rest.strip_prefix(one))?;
        return (!rest.starts_with(|c: char| c.is_ascii_digit())).then_some((1.0, [0; 4]));
    }
    let (symbol, behind) = rest.split_at(length);
    let digits = behind
        .find(|c: char| !(c.is_ascii_digit() || c == '-' || c == '+'))
        .unwrap_or(behind.len());
    let (exponent, behind) = behind.split_at(digits);
    *rest = behind;
    let exponent: i32 = if exponent.is_empty() {
        1
    } else {
        exponent.parse().ok().filter(|n: &i32| n.abs() <= 9)?
    };
    let find = |symbol: &str| SYMBOLS.iter().find(|(known, ..)| *known == symbol);
    let (factor, exponents) = match find(symbol) {
        Some((_, factor, exponents, _)) => (*factor, *exponents),
        None => {
            let first = symbol.chars().next()?;
            let (_, prefix) = PREFIXES.iter().find(|(prefix, _)| *prefix == first)?;
            let (_, factor, exponents, _) = find(&symbol[first.len_utf8()..])
                .filter(|(.., prefixes)| prefixes.contains(first))?;
            (prefix * factor, *exponents)
        }
    };
    Some((
        whole_power(factor, exponent),
        exponents.map(|own| own * exponent),
    ))
}

/// Power by products, with the same bits on every platform.
fn whole_power(base: f64, exponent: i32) -> f64 {
    let power = (0..exponent.abs()).fold(1.0, |power, _| power * base);
    if exponent < 0 { 1.0 / power } else { power }
}
