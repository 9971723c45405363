//! Dependence of a force on the inputs between two events, by which the quadratures of a step place their panels.

/// Largest number of kinks of a force over the speed.
pub const MAX_KINKS: usize = 4;

/// How the force of a contact that stays closed depends on the inputs in one mode. A dependence that is known makes the quadratures of loss
/// and impulse cheaper, and accurate at kinks.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum InputDependence {
    /// Between its kinks, as in `Smooth`, the force is a polynomial of F_N, v, F_t and states that are integrals of v, and its power one of
    /// degree 9 at most in time for inputs of degree 3.
    Polynomial {
        /// Speeds, m/s.
        kinks: [f64; MAX_KINKS],
    },
    /// The force is smooth between its kinks, and varies over no shorter ranges of the inputs next to 0 than these.
    Smooth {
        /// Speeds at which the force or a derivative of it jumps, m/s, ascending; infinite where there are fewer.
        kinks: [f64; MAX_KINKS],
        /// Ranges of the inputs.
        ranges: Ranges,
    },
}

/// Ranges of the magnitudes of inputs next to 0 over which a force varies: 0 where it may vary over any range or have a kink anywhere in
/// it, infinite where it is smooth throughout.
#[allow(non_snake_case)] // the papers' symbols
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ranges {
    /// Speed, m/s.
    pub v: f64,
    /// Relative acceleration, m/s².
    pub a: f64,
    /// Delayed velocity, m/s.
    pub v_past: f64,
    /// Normal force, N.
    pub F_N: f64,
}

impl Ranges {
    /// Ranges of a force that is smooth throughout.
    pub const WIDE: Ranges = Ranges { v: f64::INFINITY, a: f64::INFINITY, v_past: f64::INFINITY, F_N: f64::INFINITY };
    /// Ranges of a force of which nothing is known.
    pub const UNKNOWN: Ranges = Ranges { v: 0.0, a: 0.0, v_past: 0.0, F_N: 0.0 };
}

impl InputDependence {
    /// Force that is linear in F_N, v, F_t and states that are integrals of v.
    pub const LINEAR: InputDependence = InputDependence::Polynomial { kinks: [f64::INFINITY; MAX_KINKS] };
    /// Force of which nothing is known.
    pub const UNKNOWN: InputDependence = InputDependence::over(Ranges::UNKNOWN);

    /// Force without kinks that varies over no shorter ranges than these.
    pub const fn over(ranges: Ranges) -> Self {
        InputDependence::Smooth { kinks: [f64::INFINITY; MAX_KINKS], ranges }
    }

    /// Force without kinks that varies over no shorter range of speeds than this, m/s, and smoothly with the other inputs.
    pub const fn over_speeds(range: f64) -> Self {
        InputDependence::over(Ranges { v: range, ..Ranges::WIDE })
    }

    /// Force that is smooth between these speeds (m/s, ascending), and from 0 to the first.
    pub fn between(speeds: impl IntoIterator<Item = f64>) -> Self {
        InputDependence::Smooth { kinks: padded(speeds), ranges: Ranges::WIDE }
    }

    /// Force in the plane that is smooth between these speeds (m/s, ascending), but for its direction, which turns fast next to rest.
    pub fn in_plane_between([first, second]: [f64; 2]) -> Self {
        InputDependence::Smooth { kinks: [first, second, f64::INFINITY, f64::INFINITY], ranges: Ranges::UNKNOWN }
    }

    /// Force that is a polynomial between these speeds (m/s, ascending), and from 0 to the first.
    pub fn polynomial_between(speeds: impl IntoIterator<Item = f64>) -> Self {
        InputDependence::Polynomial { kinks: padded(speeds) }
    }
}

fn padded(speeds: impl IntoIterator<Item = f64>) -> [f64; MAX_KINKS] {
    let mut speeds = speeds.into_iter();
    core::array::from_fn(|_| speeds.next().unwrap_or(f64::INFINITY))
}
