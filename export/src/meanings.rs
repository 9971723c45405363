//! Meanings of a card's numbers at its normal force: forces, deflections, velocities and limits
//! that an engineer can compare with the contact. `bristle check`, the page of an FMU and Python
//! show the same rows.

use std::slice::Iter;

use bristle::catalogue::{Motion, Variant, contact_name};
use bristle::coupling::{LongestSteps, M_EFF, longest_steps};
use bristle::domain::{GRAVITY, LIGHT_BODY_ACCELERATIONS};
use bristle::element::{AnyElement, RADIUS};
use bristle::law::F_N;
use bristle::variable::{BACKWARD, RANGE, Unit, Variable, slot};

use crate::curves::Probe;
use crate::number::short_4;

/// Step of held values, s, that counts as none: a force that jumps at rest has a steep slope, not
/// an infinite one.
const NO_STEP: f64 = 1e-10;

/// A number of an element and its meaning.
#[derive(Clone, Debug, PartialEq)]
pub struct Meaning {
    /// Symbol, with the contact where there are several.
    pub name: String,
    /// Value in `unit`.
    pub value: f64,
    /// Unit, with the prefix that engineers use.
    pub unit: &'static str,
    /// Meaning, a phrase.
    pub meaning: String,
}

/// Meanings of an element's numbers at the normal force of its card; contacts with values of their
/// own have rows of their own.
pub fn meanings(variant: &Variant) -> Vec<Meaning> {
    let groups = groups(variant);
    let on = if variant.card().plate.is_some() {
        ", on all points"
    } else {
        ""
    };
    let normal_force = row(
        "F_N",
        variant.card().normal_force,
        "N",
        format!("Nominal normal force of the card{on}"),
    );
    let mut rows = Vec::new();
    rows.extend(variant.card().level.is_none().then_some(normal_force));
    for contacts in &groups {
        let mut of_contact = Contact::new(variant, contacts[0]).rows();
        if groups.len() > 1 {
            of_contact.iter_mut().for_each(|row| {
                row.name = contact_name(variant.card(), &row.name, contacts[0] + 1)
            });
        }
        rows.append(&mut of_contact);
    }
    rows
}

fn row(name: &str, value: f64, unit: &'static str, meaning: impl Into<String>) -> Meaning {
    Meaning {
        name: name.to_owned(),
        value,
        unit,
        meaning: meaning.into(),
    }
}

/// Contacts, counted from 0, by equal values; all points of a plate are one.
pub(crate) fn groups(variant: &Variant) -> Vec<Vec<u32>> {
    let card = variant.card();
    let own = |contact: u32| {
        let range = RANGE * (contact + 1)..RANGE * (contact + 2);
        card.parameters
            .range(range)
            .map(|(reference, setting)| (reference % RANGE, setting.start))
            .collect::<Vec<_>>()
    };
    let mut groups: Vec<Vec<u32>> = Vec::new();
    for contact in 0..card.contact_count() {
        match groups
            .iter_mut()
            .find(|group| card.plate.is_some() || own(group[0]) == own(contact))
        {
            Some(group) => group.push(contact),
            None => groups.push(vec![contact]),
        }
    }
    groups
}

/// Friction radius of a rotational element, m; 1 where the card states torques.
pub(crate) fn radius(variant: &Variant) -> Option<f64> {
    let card = variant.card();
    let radius = card
        .parameters
        .get(&RADIUS.reference)
        .and_then(|radius| radius.start)
        .or(card.level.map(|_| 1.0));
    radius.filter(|_| card.motion == Motion::Rotational)
}

/// A contact at the nominal normal force, or all points of a plate.
pub(crate) struct Contact<'a> {
    variant: &'a Variant,
    contact: u32,
    element: Box<dyn AnyElement>,
    /// Number of points of a plate, otherwise 1.
    points: f64,
}

impl<'a> Contact<'a> {
    pub fn new(variant: &'a Variant, contact: u32) -> Self {
        let points = variant
            .card()
            .plate
            .as_ref()
            .map_or(1.0, |plate| plate.positions.len() as f64);
        let mut element = variant.contact(contact);
        element.set(&F_N, variant.card().normal_force / points);
        Contact {
            variant,
            contact,
            element,
            points,
        }
    }

    /// Element that the contact belongs to.
    pub fn variant(&self) -> &'a Variant {
        self.variant
    }

    /// Friction radius of a rotational contact, m.
    pub fn radius(&self) -> Option<f64> {
        radius(self.variant)
    }

    /// Value of a parameter of the law and its declaration, where the contact has it.
    fn parameter(&self, name: &str) -> Option<(&'static Variable, f64)> {
        self.parameters()
            .find(|(declared, _)| declared.name == name)
    }

    /// Real parameters of the law that no measured curve replaces, with their values.
    pub fn parameters(&self) -> impl Iterator<Item = (&'static Variable, f64)> + '_ {
        let model = self.variant.model;
        let is_replaced = |declared: &Variable| {
            self.variant.card().characteristic.is_some()
                && model.measured.replaces(declared.reference)
        };
        let parameters = model
            .variables()
            .filter(move |declared| declared.is_parameter() && !is_replaced(declared));
        parameters.map(|declared| (declared, self.element.values()[declared]))
    }

    /// Largest friction force at rest, N: that of the law, or of μ_s or the largest coefficient of
    /// a curve where the law has no bound.
    pub fn static_force(&self) -> Option<f64> {
        let force = self.element.static_force() * self.points;
        if force.is_finite() {
            Some(force)
        } else {
            self.force("mu_s", |points| points.map(|[_, mu]| *mu).reduce(f64::max))
        }
    }

    /// Friction force of fast sliding, N.
    fn sliding_force(&self) -> Option<f64> {
        self.force("mu_d", |points| points.last().map(|[_, mu]| *mu))
    }

    /// Normal force times a coefficient, N: that of a curve, or the larger of both directions of a
    /// parameter.
    fn force(&self, name: &str, of_curve: fn(Iter<'_, [f64; 2]>) -> Option<f64>) -> Option<f64> {
        let card = self.variant.card();
        let mu = match (&card.characteristic, self.parameter(name)) {
            (Some(curve), _) => of_curve(curve.points.iter()),
            (None, Some((declared, mu))) if card.is_by_direction(declared) => {
                Some(mu.max(self.element.values().0[slot(declared.reference + BACKWARD)]))
            }
            (None, parameter) => parameter.map(|(_, mu)| mu),
        };
        mu.map(|mu| mu * card.normal_force)
    }

    /// Displacement at which the bristle carries the largest friction force at rest, m.
    pub fn deflection(&self) -> Option<f64> {
        let (_, stiffness) = self.parameter("sigma_0")?;
        Some(self.static_force()? / (stiffness * self.points))
    }

    /// Mass of the body at the contact, kg, and its description: the effective mass of the card, or
    /// F_N/g.
    pub fn mass(&self) -> (f64, String) {
        let card = self.variant.card();
        let weight = card.normal_force / GRAVITY;
        let given = card
            .parameters
            .get(&M_EFF.reference)
            .and_then(|mass| mass.start)
            .filter(|mass| *mass > 0.0);
        if let (None, Some(_)) = (given, card.level) {
            return self.light_body();
        }
        match (given, self.radius()) {
            (Some(mass), None) => (mass, format!("m_eff = {} kg", short_4(mass))),
            (Some(inertia), Some(radius)) => (
                inertia / radius / radius,
                format!("J_eff = {} kg·m²", short_4(inertia)),
            ),
            (None, None) => (weight, format!("F_N/g = {} kg", short_4(weight))),
            (None, Some(radius)) => (
                weight,
                format!("r² F_N/g = {} kg·m²", short_4(weight * radius * radius)),
            ),
        }
    }

    /// Body of a joint that is light for its friction, kg or kg·m², and its description.
    fn light_body(&self) -> (f64, String) {
        let force = self.static_force().unwrap_or(1.0);
        let (unit, of) = match self.radius() {
            Some(_) => ("kg·m²", "M_s/(294 rad/s²)"),
            None => ("kg", "F_s/(5.89 m/s²)"),
        };
        let mass = force / LIGHT_BODY_ACCELERATIONS[usize::from(self.radius().is_some())];
        (mass, format!("{of} = {} {unit}", short_4(mass)))
    }

    fn rows(&self) -> Vec<Meaning> {
        let (card, radius) = (self.variant.card(), self.radius());
        let is_joint = card.level.is_some();
        let (force, lever, unit) = match radius {
            Some(radius) => ("M", radius, "N·m"),
            None => ("F", 1.0, "N"),
        };
        let mut rows = Vec::new();
        if let Some(value) = self.static_force() {
            let what = if radius.is_some() { "torque" } else { "force" };
            rows.push(row(
                &format!("{force}_s"),
                value * lever,
                unit,
                format!("Largest friction {what} at rest"),
            ));
        }
        if let Some(value) = self.sliding_force() {
            let at = if card.characteristic.is_some() {
                "at the last point of the curve"
            } else {
                "in fast sliding"
            };
            rows.push(row(
                &format!("{force}_d"),
                value * lever,
                unit,
                format!("Friction {at}"),
            ));
        }
        if let Some(value) = self.deflection() {
            let at = "at which the contact breaks away";
            rows.push(match radius {
                Some(_) if is_joint => row("M_s/k", value * 1e6, "µrad", format!("Angle {at}")),
                None if is_joint => row("F_s/k", value * 1e6, "µm", format!("Displacement {at}")),
                Some(radius) => row(
                    "M_s/(sigma_0 r²)",
                    value / radius * 1e6,
                    "µrad",
                    format!("Angle {at}"),
                ),
                None => row(
                    "F_s/sigma_0",
                    value * 1e6,
                    "µm",
                    format!("Displacement {at}"),
                ),
            });
        }
        if let Some((_, displacement)) = self.parameter("Delta") {
            let unit = if is_joint && radius.is_some() {
                "µrad"
            } else {
                "µm"
            };
            rows.push(row(
                "Delta",
                displacement * 1e6,
                unit,
                "Largest displacement in stick",
            ));
        }
        let is_speed =
            |declared: &Variable, value: f64| declared.unit == Unit::MetrePerSecond && value > 0.0;
        for (declared, speed) in self
            .parameters()
            .filter(|(declared, value)| is_speed(declared, *value))
        {
            let declared = card.declared(declared);
            let of = declared.description.split(';').next().unwrap_or_default();
            if declared.unit == Unit::RadianPerSecond {
                rows.push(row(declared.name, speed, "rad/s", of));
                continue;
            }
            let angular = radius.map_or(String::new(), |radius| {
                format!("; {} rad/s", short_4(speed / radius))
            });
            let (scale, unit) = if speed < 1.0 {
                (1e3, "mm/s")
            } else {
                (1.0, "m/s")
            };
            rows.push(row(
                declared.name,
                speed * scale,
                unit,
                of.to_owned() + &angular,
            ));
        }
        if !card.has_bodies() {
            rows.extend(self.steps());
        }
        if let Some(force) = self.largest_normal_force().filter(|_| !is_joint) {
            rows.push(row(
                "F_N, largest",
                force,
                "N",
                "Above it the bristle is unstable on the falling characteristic",
            ));
        }
        rows
    }

    /// Longest communication steps of held values on the body.
    fn steps(&self) -> Vec<Meaning> {
        let (mass, body) = self.mass();
        let LongestSteps { parallel, serial } =
            longest_steps(self.element.response_at_rest().scaled(self.points), mass);
        if serial < NO_STEP {
            let why = "F_R jumps at v = 0: a body under held values creeps or chatters at any H";
            return vec![row("H", 0.0, "ms", why)];
        }
        let on = format!("on a body of {body}");
        let row = |name, step: f64| {
            let of = if step == 0.0 {
                "Unstable at any H: values that are held"
            } else {
                "Longest step H of values that are held"
            };
            row(name, 1e3 * step, "ms", format!("{of} {on}"))
        };
        vec![row("H, parallel", parallel), row("H, serial", serial)]
    }

    /// Normal force up to which the bristle is stable, N; of all points of a plate.
    pub fn largest_normal_force(&self) -> Option<f64> {
        let largest = Probe::new(self.variant, self.contact, self.variant.card().normal_force)
            .largest_normal_force();
        largest.map(|force| force * self.points)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use bristle::catalogue::ELEMENTS;
    use bristle::law::Spring;

    fn of(card: &str) -> Vec<Meaning> {
        meanings(&crate::card::read(card, &ELEMENTS).unwrap_or_else(|faults| panic!("{faults:?}")))
    }

    fn value<'a>(rows: &'a [Meaning], name: &str) -> (f64, &'a str) {
        let row = rows
            .iter()
            .find(|row| row.name == name)
            .unwrap_or_else(|| panic!("{name} in {rows:?}"));
        (row.value, row.unit)
    }

    fn assert_near(rows: &[Meaning], name: &str, expected: (f64, &str)) {
        let (value, unit) = value(rows, name);
        assert!(
            (value / expected.0 - 1.0).abs() < 2e-3 && unit == expected.1,
            "{name}: {value} {unit}"
        );
    }

    #[test]
    fn numbers_of_a_contact_are_those_of_the_paper() {
        // docs/choosing-the-bristle.md, at 10 N and at 1 kN.
        for (force, largest) in [(10.0, 63.85), (1000.0, 6385.0)] {
            let rows = of(&format!(
                "name = \"Pad\"\nlaw = \"FrDyn2\"\nnormal_force = {force}\n"
            ));
            for (name, expected) in [
                ("F_N", (force, "N")),
                ("F_s", (0.6 * force, "N")),
                ("F_d", (0.3 * force, "N")),
                ("F_s/sigma_0", (1.2, "µm")),
                ("v_s", (1.0, "mm/s")),
                ("v_d", (10.0, "mm/s")),
                ("H, parallel", (0.2129, "ms")),
                ("H, serial", (0.4675, "ms")),
                ("F_N, largest", (largest, "N")),
            ] {
                assert_near(&rows, name, expected);
            }
        }
    }

    #[test]
    fn joint_has_torques_and_angles_and_its_moment_of_inertia() {
        let joint = "name = \"Joint\"\nlaw = \"FrDyn2\"\nmotion = \"rotational\"\nradius = \
                     0.04\nnormal_force = 40\n";
        let rows = of(joint);
        assert_near(&rows, "M_s", (0.96, "N·m"));
        assert_near(&rows, "M_d", (0.48, "N·m"));
        assert_near(&rows, "M_s/(sigma_0 r²)", (30.0, "µrad"));
        assert!(
            rows.iter()
                .any(|row| row.name == "v_s" && row.meaning.ends_with("0.025 rad/s")),
            "{rows:?}"
        );
        // The limit of the line at r² F_N/g is that of F_N/g.
        assert_near(&rows, "H, serial", (0.4675, "ms"));
        let heavy = of(&format!(
            "{joint}[coupling]\nJ_eff = 0.6524\norder = \"serial\"\n"
        ));
        assert!(
            heavy
                .iter()
                .any(|row| row.meaning.ends_with("J_eff = 0.6524 kg·m²")),
            "{heavy:?}"
        );
        let LongestSteps { parallel, serial } = longest_steps(
            Spring {
                stiffness: 2e7,
                damping: 4.0 * 3192.75,
            },
            0.6524 / 0.0016,
        );
        assert_near(&heavy, "H, parallel", (1e3 * parallel, "ms"));
        assert_near(&heavy, "H, serial", (1e3 * serial, "ms"));
    }

    #[test]
    fn contacts_curves_and_plates_have_their_own_numbers() {
        let rows = of(
            "name = \"W\"\nlaw = \"LuGre\"\n[parameters]\nleft.mu_s = 0.5\n[contacts]\nnames = \
             [\"left\", \"right\"]\neach = [\"mu_s\"]\n",
        );
        assert_near(&rows, "left.F_s", (5.0, "N"));
        assert_near(&rows, "right.F_s", (6.0, "N"));
        let curve = of(
            "name = \"C\"\nlaw = \"StaticRegularized\"\n[characteristic]\npoints = [[0.001, 0.4], \
             [0.01, 0.5], [0.1, 0.3]]\n",
        );
        assert_near(&curve, "F_s", (5.0, "N"));
        assert_near(&curve, "F_d", (3.0, "N"));
        // Four points share the normal force: springs side by side.
        let plate = of(
            "name = \"P\"\nlaw = \"FrDyn2\"\nmotion = \"patch\"\npositions = [[1, 1], [1, -1], \
             [-1, 1], [-1, -1]]\n",
        );
        assert_near(&plate, "F_s", (6.0, "N"));
        assert_near(&plate, "F_s/sigma_0", (0.3, "µm"));
        let coulomb = of("name = \"C\"\nlaw = \"Coulomb\"\n");
        assert_eq!(value(&coulomb, "H"), (0.0, "ms"));
        let block = of("name = \"B\"\nlaw = \"FrDyn2\"\n[block]\nmass = 1.0\n");
        assert!(
            !block.iter().any(|row| row.name.starts_with('H')),
            "{block:?}"
        );
    }
}
