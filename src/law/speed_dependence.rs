//! Dependence of a force on the speed between two events, by which the quadratures of a step place their panels.

/// Largest number of kinks of a force over the speed.
pub const MAX_KINKS: usize = 4;

/// How the force of a contact that stays closed depends on the speed |v| in one mode. A dependence that is known makes the quadratures of
/// loss and impulse cheaper, and accurate at kinks.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum SpeedDependence {
    /// Nothing is known: the force may vary over any range of speeds next to 0.
    Unknown,
    /// The force is smooth between its kinks, and varies over no range of speeds next to 0 that is shorter than `range`. It depends on the
    /// other inputs and on the states smoothly.
    Smooth {
        /// Speeds at which the force or a derivative of it jumps, m/s, ascending; infinite where there are fewer.
        kinks: [f64; MAX_KINKS],
        /// Range of speeds, m/s; infinite where only the kinks matter.
        range: f64,
    },
    /// The force is linear in F_N, v, F_t and states that are integrals of v.
    Linear,
}

impl SpeedDependence {
    /// Force without kinks that varies over no shorter range of speeds than this, m/s.
    pub const fn over(range: f64) -> Self {
        SpeedDependence::Smooth { kinks: [f64::INFINITY; MAX_KINKS], range }
    }

    /// Force that is smooth between these speeds (m/s, ascending), and from 0 to the first.
    pub fn between(speeds: impl IntoIterator<Item = f64>) -> Self {
        let mut speeds = speeds.into_iter();
        let kinks = core::array::from_fn(|_| speeds.next().unwrap_or(f64::INFINITY));
        SpeedDependence::Smooth { kinks, range: f64::INFINITY }
    }
}
