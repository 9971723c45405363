//! Remarks on a card whose numbers lie outside those of published contacts: mostly a unit that was
//! mistaken. They never refuse a card.

use bristle::catalogue::{CardBody, Variant};
use bristle::domain::GRAVITY;

use crate::meanings::{Contact, groups};
use crate::number::short_4;

/// Usual values of a quantity.
struct Usual {
    /// Least and largest value, in `unit`.
    range: [f64; 2],
    unit: &'static str,
    /// Likely mistake where a value is too small, and where it is too large.
    mistakes: [&'static str; 2],
    source: &'static str,
}

/// Coefficient of friction: full films to clean metals and rubber.
const COEFFICIENT: Usual = Usual {
    range: [1e-3, 2.0],
    unit: "",
    mistakes: [
        "is it divided by a force twice?",
        "a force or per mille for a coefficient?",
    ],
    source: "Bhushan, Introduction to Tribology, 2013",
};
/// Velocity at which friction is largest or falls by the Stribeck effect: 1e-5 to 0.1 m/s of Table
/// 4, and slower regularisations.
const STRIBECK: Usual = Usual {
    range: [1e-6, 0.1],
    unit: "m/s",
    mistakes: ["m/s given in km/s?", "mm/s for m/s?"],
    source: "Armstrong-Hélouvry, Dupont and Canudas de Wit, Automatica 1994",
};
/// Velocity from which friction is that of sliding: ten times the Stribeck velocity in Rill and
/// Schuderer's paper.
const SLIDING: Usual = Usual {
    range: [1e-5, 1.0],
    source: "Rill and Schuderer, Modelling 2023",
    ..STRIBECK
};
/// Speed of a measured curve: the friction radius of a brake disc is below that of the wheel, whose
/// rim has 89 m/s at 320 km/h.
const CURVE_SPEED: Usual = Usual {
    range: [0.0, 100.0],
    source: "brake discs of trains at 320 km/h",
    ..STRIBECK
};
/// Friction radius: pivots of watches to slewing rings of 8 m diameter.
const RADIUS: Usual = Usual {
    range: [5e-5, 5.0],
    unit: "m",
    mistakes: ["m given in km?", "mm for m?"],
    source: "watch pivots to slewing rings of 8 m",
};
/// Displacement at the break-away: 1 to 50 µm of Table 4, with softer and stiffer contacts.
const DEFLECTION: Usual = Usual {
    range: [1e-8, 1e-3],
    unit: "m",
    mistakes: ["sigma_0 too large?", "sigma_0 too small: N/mm for N/m?"],
    source: "Armstrong-Hélouvry, Dupont and Canudas de Wit, Automatica 1994: 1 to 50 µm",
};
/// Normal force: from the lightest loads of a pin on a disc.
const NORMAL_FORCE: Usual = Usual {
    range: [0.2, 1e6],
    unit: "N",
    mistakes: ["kN for N?", "mN for N?"],
    source: "pins on discs to bridge bearings",
};
/// Mass of a body times g over the normal force: clamped bodies below 1, suspended ones above.
const MASS: Usual = Usual {
    range: [1e-4, 100.0],
    unit: "",
    mistakes: [
        "t for kg, or a large `normal_force`?",
        "g for kg, or is `normal_force` to be stated?",
    ],
    source: "a body on a slope or on many contacts",
};
/// Moment of inertia over that of F_N/g at the friction radius: the radius of gyration may be
/// thirty friction radii.
const INERTIA: Usual = Usual {
    range: [1e-4, 1e5],
    ..MASS
};

impl Usual {
    /// Remark on a value of this quantity, if it is none of the usual ones.
    fn remark(&self, name: &str, value: f64) -> Option<String> {
        let Usual {
            range: [least, largest],
            unit,
            mistakes,
            source,
        } = *self;
        let mistake = if value < least {
            mistakes[0]
        } else if value > largest {
            mistakes[1]
        } else {
            return None;
        };
        let [value, least, largest] = [value, least, largest].map(short_4);
        let unit = if unit.is_empty() {
            String::new()
        } else {
            format!(" {unit}")
        };
        let is = if name.ends_with(" it") { "is" } else { "=" };
        Some(format!(
            "{name} {is} {value}{unit}, usual are {least} to {largest}{unit} ({source}); {mistake}"
        ))
    }
}

/// Largest torque of friction of a joint: bearings of watches to slewing rings.
const TORQUE: Usual = Usual {
    range: [1e-7, 1e6],
    unit: "N.m",
    mistakes: ["N.m given in kN.m?", "N.mm for N.m?"],
    source: "bearings of watches to slewing rings",
};
/// Largest force of friction of a joint.
const FORCE: Usual = Usual {
    range: [1e-4, 1e6],
    unit: "N",
    mistakes: ["N given in kN?", "mN for N?"],
    source: "miniature guides to bridge bearings",
};
/// Angle at the break-away: micrometres at a radius of millimetres to metres.
const ANGLE: Usual = Usual {
    range: [1e-7, 0.1],
    unit: "rad",
    mistakes: ["k too large?", "k too small: N.m/deg for N.m/rad?"],
    source: "5 to 50 µm at radii of 1 mm to 1 m",
};

/// Remarks on the numbers of an element that published contacts do not have, one sentence each.
pub fn remarks(variant: &Variant) -> Vec<String> {
    let card = variant.card();
    let mut remarks = Vec::new();
    if card.level.is_none() {
        remarks.extend(NORMAL_FORCE.remark("normal_force", card.normal_force));
    }
    if let Some(curve) = card
        .characteristic
        .as_ref()
        .filter(|_| card.level.is_none())
    {
        let largest = |i: usize| {
            curve
                .points
                .iter()
                .map(|point| point[i].abs())
                .fold(0.0, f64::max)
        };
        remarks.extend(COEFFICIENT.remark("largest mu of the curve", largest(1)));
        remarks.extend(CURVE_SPEED.remark("largest speed of the curve", largest(0)));
    }
    for contacts in groups(variant) {
        let of_contact = of_contact(&Contact::new(variant, contacts[0]));
        remarks.extend(
            of_contact
                .into_iter()
                .map(|remark| variant.of_contact(contacts[0] as usize, remark)),
        );
    }
    if let Some(CardBody {
        mass: Some(mass), ..
    }) = card.body
    {
        // Each contact has a normal force of its own; a plate has one in all.
        let contacts = card.contacts.as_ref().map_or(1, |contacts| contacts.count);
        let over = mass * GRAVITY / (card.normal_force * f64::from(contacts));
        remarks.extend(MASS.remark(&over_weight(&format!("mass = {} kg", short_4(mass))), over));
    }
    remarks.dedup();
    remarks
}

/// Name of the ratio of a body to F_N/g.
fn over_weight(body: &str) -> String {
    format!("{body}: over F_N/g it")
}

/// Remarks on a joint whose friction the card states.
fn of_joint(contact: &Contact) -> Vec<String> {
    let (force, angle) = match contact.radius() {
        Some(_) => (("M_s", TORQUE), ("M_s/k", ANGLE)),
        None => (("F_s", FORCE), ("F_s/k", DEFLECTION)),
    };
    let remark = |(name, usual): (&str, Usual), value: Option<f64>| {
        value.and_then(|value| usual.remark(name, value))
    };
    let remarks = [
        remark(force, contact.static_force()),
        remark(angle, contact.deflection()),
    ];
    remarks.into_iter().flatten().collect()
}

fn of_contact(contact: &Contact) -> Vec<String> {
    let (card, radius) = (contact.variant().card(), contact.radius());
    if card.level.is_some() {
        return of_joint(contact);
    }
    let mut remarks = Vec::new();
    remarks.extend(radius.and_then(|radius| RADIUS.remark("radius", radius)));
    for (declared, value) in contact.parameters() {
        remarks.extend(match declared.name {
            // Without friction.
            "mu_s" | "mu_d" if value == 0.0 => None,
            "mu_s" | "mu_d" => COEFFICIENT.remark(declared.name, value),
            "v_s" | "v_Stribeck" => STRIBECK.remark(declared.name, value),
            "v_d" => SLIDING.remark(declared.name, value),
            _ => None,
        });
    }
    remarks.extend(
        contact
            .deflection()
            .and_then(|deflection| DEFLECTION.remark("F_s/sigma_0", deflection)),
    );
    let (mass, body) = match (card.block, radius) {
        (Some(block), None) => (block.mass, format!("mass = {} kg", short_4(block.mass))),
        (Some(block), Some(radius)) => (
            block.mass / radius / radius,
            format!("inertia = {} kg·m²", short_4(block.mass)),
        ),
        (None, _) => contact.mass(),
    };
    let usual = if radius.is_some() { INERTIA } else { MASS };
    if card.system.is_none() {
        remarks.extend(usual.remark(&over_weight(&body), mass * GRAVITY / card.normal_force));
    }
    if let Some(largest) = contact
        .largest_normal_force()
        .filter(|largest| *largest < card.normal_force)
    {
        let [force, largest] = [card.normal_force, largest].map(short_4);
        remarks.push(format!(
            "normal_force = {force} N, but the bristle is unstable above {largest} N where \
             friction falls, and F_R oscillates; raise sigma_1 \
             or v_d, or leave sigma_0 and sigma_1 out, which then follow normal_force"
        ));
    }
    remarks
}

#[cfg(test)]
mod tests;
