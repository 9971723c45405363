//! Trace of a run of a rig: states, inputs and forces of each contact at points of time.

use bristle::law::Contact;

/// A contact at one instant.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[allow(non_snake_case)] // the papers' symbols
pub struct Answer {
    /// Inputs of the element.
    pub contact: Contact,
    /// Friction force, N; its first component in the plane.
    pub F_R: f64,
    /// Second component of the friction force in the plane, N.
    pub F_R_y: f64,
    /// Force of the law, N: F_R without the body observer.
    pub F_law: f64,
    /// The element reported stick.
    pub sticking: bool,
    /// First state of an element that has one: the bristle deflection, m.
    pub z: f64,
}

/// A rig at one instant.
#[derive(Clone, Debug, PartialEq)]
pub struct Sample {
    /// Time, s.
    pub t: f64,
    /// The states of the rig.
    pub y: Vec<f64>,
    /// Contacts of the rig.
    pub contacts: Vec<Answer>,
}

/// A run.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Trace(pub Vec<Sample>);

impl Trace {
    /// The sample at or right after a time.
    ///
    /// # Panics
    /// If the run ends before.
    pub fn at(&self, t: f64) -> &Sample {
        let place = self.0.partition_point(|sample| sample.t < t - 1e-9);
        self.0
            .get(place)
            .unwrap_or_else(|| panic!("the run ends before {t} s"))
    }

    /// The last sample.
    ///
    /// # Panics
    /// If there is none.
    pub fn last(&self) -> &Sample {
        self.0.last().expect("a run has samples")
    }

    /// The largest friction force of a contact, by size, N.
    pub fn peak(&self, contact: usize) -> f64 {
        self.0
            .iter()
            .map(|sample| sample.contacts[contact].F_law.abs())
            .fold(0.0, f64::max)
    }

    /// When a state of the rig passes through 0 between two times, by straight lines between
    /// samples.
    pub fn zero(&self, state: usize, from: f64, to: f64) -> Option<f64> {
        self.0
            .windows(2)
            .filter(|pair| pair[0].t >= from && pair[1].t <= to)
            .find_map(|pair| {
                let [before, after] = [&pair[0], &pair[1]];
                let (a, b) = (before.y[state], after.y[state]);
                (a * b <= 0.0 && a != b).then(|| before.t + (after.t - before.t) * a / (a - b))
            })
    }
}
