//! Units of an interface other than SI: those of the tool that an element goes into.

use super::{Unit, Variable, kept};
use crate::saved_state::{Reader, SavedState, Writer};
use std::collections::BTreeMap;

/// A unit that is a multiple of an SI unit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Scale {
    /// Its name, as `mm/s`.
    pub unit: &'static str,
    /// SI units in one of it.
    pub factor: f64,
}

impl Scale {
    /// Unit of this name and factor.
    pub fn new(unit: &str, factor: f64) -> Self {
        Scale {
            unit: kept(unit),
            factor,
        }
    }
}

/// Units that a card declares for the variables of its FMU.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Units {
    /// Unit of lengths, from which those of velocities and others follow.
    pub length: Option<Scale>,
    /// Unit of angles.
    pub angle: Option<Scale>,
    /// Unit of forces.
    pub force: Option<Scale>,
    /// Units of single variables, by their references in a contact.
    pub own: BTreeMap<u32, Scale>,
}

impl Units {
    /// Whether all are those of SI.
    pub fn are_si(&self) -> bool {
        *self == Units::default()
    }

    /// The variable in the unit that it has here.
    pub fn of(&self, variable: Variable) -> Variable {
        let own = self.own.get(&(variable.slot() as u32)).copied();
        match own.or_else(|| self.derived(variable.unit)) {
            Some(scale) if variable.is_real() => variable.in_unit(scale),
            _ => variable,
        }
    }

    /// Unit that follows from those of length, angle and force; none where none of them is in it.
    /// A mass stays in kg.
    fn derived(&self, unit: Unit) -> Option<Scale> {
        let [mass, metres, seconds, radians] = unit.exponents();
        let is_of_force = unit.is_of_force();
        let (force, length, seconds) = if is_of_force {
            (mass, metres - mass, seconds + 2 * mass)
        } else {
            (0, metres, seconds)
        };
        let inertia = if is_of_force { 0 } else { mass };
        let parts = [
            ("kg", 1.0, inertia),
            part(self.force, "N", force),
            part(self.length, "m", length),
            ("s", 1.0, seconds),
            part(self.angle, "rad", radians),
        ];
        let is_there = |scale: Option<Scale>, power: i32| scale.is_some() && power != 0;
        let is_declared = is_there(self.force, force)
            || is_there(self.length, length)
            || is_there(self.angle, radians);
        is_declared.then(|| {
            let factor = parts.iter().fold(1.0, |all, (_, factor, power)| {
                all * whole_power(*factor, *power)
            });
            Scale::new(&name(&parts), factor)
        })
    }
}

/// Unit of a quantity: its name, its factor and its power.
type Part = (&'static str, f64, i32);

fn part(scale: Option<Scale>, si: &'static str, power: i32) -> Part {
    match scale {
        Some(Scale { unit, factor }) => (unit, factor, power),
        None => (si, 1.0, power),
    }
}

fn whole_power(base: f64, power: i32) -> f64 {
    let product: f64 = (0..power.abs()).map(|_| base).product();
    if power < 0 { 1.0 / product } else { product }
}

/// Name of a product of powers, as `kN.s/mm`.
fn name(parts: &[Part]) -> String {
    let list = |sign: i32| -> Vec<String> {
        let of_sign = parts.iter().filter(|(_, _, power)| power * sign > 0);
        of_sign
            .map(|(unit, _, power)| match power.abs() {
                1 => (*unit).to_owned(),
                power => format!("{unit}{power}"),
            })
            .collect()
    };
    let (above, below) = (list(1), list(-1));
    let above = if above.is_empty() {
        "1".to_owned()
    } else {
        above.join(".")
    };
    below.iter().fold(above, |name, unit| name + "/" + unit)
}

impl SavedState for Scale {
    fn write(&self, writer: &mut Writer) {
        (self.unit.len() as f64).write(writer);
        writer.bytes(self.unit.as_bytes());
        self.factor.write(writer);
    }

    fn read(reader: &mut Reader) -> Option<Self> {
        let length = f64::read(reader)? as usize;
        let bytes: Option<Vec<u8>> = (0..length).map(|_| Some(reader.bytes::<1>()?[0])).collect();
        let unit = String::from_utf8(bytes?).ok()?;
        Some(Scale::new(&unit, f64::read(reader)?))
    }
}

impl SavedState for Units {
    fn write(&self, writer: &mut Writer) {
        let Units {
            length,
            angle,
            force,
            own,
        } = self;
        for scale in [length, angle, force] {
            scale.write(writer);
        }
        (own.len() as f64).write(writer);
        for (reference, scale) in own {
            f64::from(*reference).write(writer);
            scale.write(writer);
        }
    }

    fn read(reader: &mut Reader) -> Option<Self> {
        let [length, angle, force] = [(); 3].map(|()| Option::<Scale>::read(reader));
        let count = f64::read(reader)? as usize;
        let own = (0..count).map(|_| Some((f64::read(reader)? as u32, Scale::read(reader)?)));
        Some(Units {
            length: length?,
            angle: angle?,
            force: force?,
            own: own.collect::<Option<_>>()?,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::element::{E_LOSS, F_R, V};
    use crate::law::F_N;

    fn units() -> Units {
        Units {
            length: Some(Scale::new("mm", 1e-3)),
            angle: Some(Scale::new("deg", 0.017_453_292_519_943_295)),
            force: Some(Scale::new("kN", 1e3)),
            own: BTreeMap::new(),
        }
    }

    #[test]
    fn units_follow_from_those_of_length_angle_and_force() {
        for (unit, name, factor) in [
            (Unit::Metre, "mm", 1e-3),
            (Unit::MetrePerSecond, "mm/s", 1e-3),
            (Unit::MetrePerSecondSquared, "mm/s2", 1e-3),
            (Unit::Newton, "kN", 1e3),
            (Unit::NewtonPerMetre, "kN/mm", 1e6),
            (Unit::NewtonSecondPerMetre, "kN.s/mm", 1e6),
            (Unit::NewtonMetre, "kN.mm", 1.0),
            (Unit::Watt, "kN.mm/s", 1.0),
            (Unit::Radian, "deg", 0.017_453_292_519_943_295),
            (Unit::SecondPerMetre, "s/mm", 1e3),
            (Unit::KilogramMetreSquared, "kg.mm2", 1e-6),
        ] {
            let scale = units().derived(unit).unwrap();
            assert_eq!(scale.unit, name);
            assert!(
                (scale.factor / factor - 1.0).abs() < 1e-15,
                "{name}: {}",
                scale.factor
            );
        }
        for unit in [Unit::One, Unit::Second, Unit::Kilogram, Unit::PerSecond] {
            assert_eq!(units().derived(unit), None, "{unit:?}");
        }
        assert_eq!(Units::default().of(F_R), F_R);
    }

    #[test]
    fn variable_has_value_and_bounds_in_its_unit() {
        let mut units = units();
        units
            .own
            .insert(V.reference, Scale::new("m/min", 1.0 / 60.0));
        let speed = units.of(V.within(-0.5..=1.0));
        assert_eq!((speed.unit_name(), speed.max), ("m/min", Some(60.0)));
        assert_eq!(speed.to_si(60.0), 1.0);
        assert_eq!(speed.of_si(1.0), 60.0);
        let refusal = speed.check(90.0).unwrap_err().sentence;
        assert!(refusal.starts_with("v = 90.0 m/min was given"), "{refusal}");
        assert_eq!(units.of(F_N.positive()).min, F_N.positive().min);
        assert_eq!(units.of(E_LOSS).unit_name(), "kN.mm");
    }

    #[test]
    fn units_come_back_from_their_bytes() {
        let mut units = units();
        units.own.insert(9, Scale::new("µm/s", 1e-6));
        let mut length = Writer::new(&mut []);
        units.write(&mut length);
        let mut bytes = vec![0; length.length()];
        units.write(&mut Writer::new(&mut bytes));
        assert_eq!(Units::read(&mut Reader::new(&bytes)), Some(units));
    }
}
