//! Units of the elements' variables.

/// The units of the elements' variables: SI, coherent, no prefixes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[allow(missing_docs)] // the names say it
#[non_exhaustive]
pub enum Unit {
    One,
    Kilogram,
    Metre,
    MetrePerSecond,
    MetrePerSecondSquared,
    Newton,
    NewtonPerMetre,
    NewtonSecondPerMetre,
    Watt,
    Joule,
    Second,
    PerSecond,
    SecondPerMetre,
    SecondSquaredPerMetreSquared,
    RadianPerSecond,
    RadianPerSecondSquared,
    NewtonMetre,
    NewtonMetreSecondPerRadian,
    KilogramMetreSquared,
    Radian,
    NewtonMetrePerRadian,
    SecondPerRadian,
    SecondSquaredPerRadianSquared,
}

impl Unit {
    /// The unit's symbol, as engineers and FMI write it.
    pub const fn symbol(self) -> &'static str {
        self.parts().0
    }

    /// The exponents of kg, m, s and rad.
    pub const fn exponents(self) -> [i32; 4] {
        self.parts().1
    }

    /// Whether a quantity of this unit is proportional to the forces where motions stay the same:
    /// not so a mass.
    pub const fn is_of_force(self) -> bool {
        let [mass, _, time, _] = self.exponents();
        mass == 1 && time != 0
    }

    const fn parts(self) -> (&'static str, [i32; 4]) {
        match self {
            Unit::One => ("1", [0, 0, 0, 0]),
            Unit::Kilogram => ("kg", [1, 0, 0, 0]),
            Unit::Metre => ("m", [0, 1, 0, 0]),
            Unit::MetrePerSecond => ("m/s", [0, 1, -1, 0]),
            Unit::MetrePerSecondSquared => ("m/s2", [0, 1, -2, 0]),
            Unit::Newton => ("N", [1, 1, -2, 0]),
            Unit::NewtonPerMetre => ("N/m", [1, 0, -2, 0]),
            Unit::NewtonSecondPerMetre => ("N.s/m", [1, 0, -1, 0]),
            Unit::Watt => ("W", [1, 2, -3, 0]),
            Unit::Joule => ("J", [1, 2, -2, 0]),
            Unit::Second => ("s", [0, 0, 1, 0]),
            Unit::PerSecond => ("1/s", [0, 0, -1, 0]),
            Unit::SecondPerMetre => ("s/m", [0, -1, 1, 0]),
            Unit::SecondSquaredPerMetreSquared => ("s2/m2", [0, -2, 2, 0]),
            Unit::RadianPerSecond => ("rad/s", [0, 0, -1, 1]),
            Unit::RadianPerSecondSquared => ("rad/s2", [0, 0, -2, 1]),
            Unit::NewtonMetre => ("N.m", [1, 2, -2, 0]),
            Unit::NewtonMetreSecondPerRadian => ("N.m.s/rad", [1, 2, -1, -1]),
            Unit::KilogramMetreSquared => ("kg.m2", [1, 2, 0, 0]),
            Unit::Radian => ("rad", [0, 0, 0, 1]),
            Unit::NewtonMetrePerRadian => ("N.m/rad", [1, 2, -2, -1]),
            Unit::SecondPerRadian => ("s/rad", [0, 0, 1, -1]),
            Unit::SecondSquaredPerRadianSquared => ("s2/rad2", [0, 0, 2, -2]),
        }
    }
}
