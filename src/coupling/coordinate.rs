//! State of the observer in one coordinate of the body.

use crate::saved_state::{Reader, SavedState, Writer};

/// Velocity over F_s H/m below which an observed body rests.
const REST: f64 = 0.1;
/// Change of the load over F_s from which it is a jump.
const JUMP: f64 = 0.1;
/// Largest change before it, over the jump, in the same direction: a ramp has about the same.
const LONE: f64 = 0.25;

/// Limits of an extrapolated load.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LoadLimits {
    /// Whether its rate is that of a ramp.
    pub has_rate: bool,
    /// Largest load, N/√kg.
    pub largest: f64,
}

impl LoadLimits {
    /// No limits.
    pub const NONE: LoadLimits = LoadLimits {
        has_rate: true,
        largest: f64::MAX,
    };

    /// Rate where it counts.
    pub fn rate(self, rate: f64) -> f64 {
        if self.has_rate { rate } else { 0.0 }
    }

    /// Load within the limits.
    pub fn load(self, extrapolated: f64) -> f64 {
        extrapolated.clamp(-self.largest, self.largest)
    }
}

/// Coordinate of a body, with unit mass.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Coordinate {
    /// Velocity of the master's body at the last communication point, √kg·m/s.
    pub now: f64,
    /// Velocity of the observed body there, √kg·m/s.
    pub observed: f64,
    /// Displacement of the master's body over that of the observed one, √kg·m.
    pub lag: f64,
    /// External force of the last three steps, the last one first, N/√kg.
    pub load: [f64; 3],
    /// Smoothed external force of the last step and of the one before, N/√kg.
    pub smooth: [f64; 2],
    /// F_s of the contacts in the last step, N/√kg.
    pub static_force: f64,
}

impl Coordinate {
    /// Estimates the load of the last step, of this length (s), from the velocity at its end
    /// (√kg·m/s) and the force in it (N/√kg).
    pub fn measure(&mut self, now: f64, force: f64, duration: f64) {
        let [last, before, _] = self.load;
        self.load = [(now - self.now) / duration + force, last, before];
    }

    /// Limits of an extrapolated load after the last step, of this length (s), and whether its rate
    /// counts. On a body at rest the load is within F_s where it was before: a step of the load is
    /// no ramp, and would lift its extrapolation above F_s.
    pub fn load_limits(&self, duration: f64) -> LoadLimits {
        let [last, before, earlier] = self.load;
        let [change, change_before] = [last - before, before - earlier];
        let rests = self.observed.abs() < REST * self.static_force * duration;
        let is_lone = change_before * change <= 0.0 || change_before.abs() < LONE * change.abs();
        let is_held = last.abs() < self.static_force;
        LoadLimits {
            has_rate: !(rests && is_lone && change.abs() > JUMP * self.static_force),
            largest: if rests && is_held {
                self.static_force
            } else {
                f64::MAX
            },
        }
    }

    /// Converts the coordinate for another inertia, this factor times the one before.
    pub fn rescale(&mut self, factor: f64) {
        let root = factor.sqrt();
        for of_motion in [&mut self.now, &mut self.observed, &mut self.lag] {
            *of_motion *= root;
        }
        self.load
            .iter_mut()
            .chain(&mut self.smooth)
            .chain([&mut self.static_force])
            .for_each(|load| *load /= root);
    }

    /// Sum of the magnitudes of all numbers that can grow: not finite where one of them is not.
    pub fn size(&self) -> f64 {
        let Coordinate {
            now,
            observed,
            lag,
            load,
            smooth,
            static_force,
        } = self;
        let numbers = [*now, *observed, *lag, *static_force]
            .into_iter()
            .chain(*load)
            .chain(*smooth);
        numbers.map(f64::abs).sum()
    }
}

impl SavedState for Coordinate {
    fn write(&self, writer: &mut Writer) {
        let Coordinate {
            now,
            observed,
            lag,
            load,
            smooth,
            static_force,
        } = self;
        [*now, *observed, *lag, *static_force].write(writer);
        load.write(writer);
        smooth.write(writer);
    }

    fn read(reader: &mut Reader) -> Option<Self> {
        let [now, observed, lag, static_force] = SavedState::read(reader)?;
        let load = SavedState::read(reader)?;
        let smooth = SavedState::read(reader)?;
        Some(Coordinate {
            now,
            observed,
            lag,
            load,
            smooth,
            static_force,
        })
    }
}
