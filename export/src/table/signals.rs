//! Names of measured signals: the same for curves and records.

use bristle::variable::Unit;

/// Signal of a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Signal {
    /// Time.
    Time,
    /// Position or angle.
    Position,
    /// Velocity or angular velocity.
    Speed,
    /// Friction as a coefficient, a force or a torque.
    Friction,
    /// Force or torque that is applied to the body.
    Applied,
    /// Normal force.
    NormalForce,
}

/// Names of one signal in one quantity.
struct Names {
    signal: Signal,
    /// SI unit of a column without a unit; `None` where the names are used for several quantities.
    unit: Option<Unit>,
    /// Single letters as they stand: M is a torque, m a mass. Others in small letters, with blanks
    /// in place of underscores.
    names: &'static [&'static str],
}

const KNOWN: [Names; 12] = [
    Names {
        signal: Signal::Time,
        unit: Some(Unit::Second),
        names: &["t", "time", "zeit"],
    },
    Names {
        signal: Signal::Position,
        unit: Some(Unit::Metre),
        names: &["x"],
    },
    Names {
        signal: Signal::Position,
        unit: None,
        names: &[
            "s", "q", "position", "pos", "weg", "angle", "winkel", "phi", "φ",
        ],
    },
    Names {
        signal: Signal::Speed,
        unit: Some(Unit::MetrePerSecond),
        names: &["v", "v rel", "v slip"],
    },
    Names {
        signal: Signal::Speed,
        unit: Some(Unit::RadianPerSecond),
        names: &["omega", "ω", "angular velocity"],
    },
    Names {
        signal: Signal::Speed,
        unit: None,
        names: &[
            "n",
            "drehzahl",
            "speed",
            "velocity",
            "geschwindigkeit",
            "dq",
            "qd",
            "joint velocity",
        ],
    },
    Names {
        signal: Signal::Friction,
        unit: Some(Unit::One),
        names: &[
            "mu",
            "μ",
            "µ",
            "cof",
            "friction coefficient",
            "coefficient of friction",
            "reibwert",
        ],
    },
    Names {
        signal: Signal::Friction,
        unit: Some(Unit::Newton),
        names: &[
            "F",
            "f r",
            "f f",
            "friction force",
            "force",
            "reibkraft",
            "kraft",
        ],
    },
    Names {
        signal: Signal::Friction,
        unit: Some(Unit::NewtonMetre),
        names: &[
            "M",
            "m r",
            "m f",
            "torque",
            "moment",
            "friction torque",
            "reibmoment",
            "drehmoment",
        ],
    },
    // τ is a torque or a shear stress.
    Names {
        signal: Signal::Friction,
        unit: None,
        names: &["friction", "reibung", "tau", "τ", "tau f"],
    },
    Names {
        signal: Signal::Applied,
        unit: Some(Unit::Newton),
        names: &["f applied"],
    },
    Names {
        signal: Signal::NormalForce,
        unit: Some(Unit::Newton),
        names: &["f n", "fn", "normal force", "normalkraft"],
    },
];

/// Signal of a column by its name, and the SI unit of one without a unit, where the name says it.
pub fn named(name: &str) -> Option<(Signal, Option<Unit>)> {
    let plain = if name.chars().count() == 1 {
        name.to_owned()
    } else {
        name.to_lowercase().replace('_', " ")
    };
    let known = KNOWN
        .iter()
        .find(|known| known.names.contains(&plain.as_str()))?;
    Some((known.signal, known.unit))
}
