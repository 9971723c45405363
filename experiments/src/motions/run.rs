//! Samples of a planar rig that was solved both ways, and their comparison.

use crate::rows::Row;
use bristle_rigs::planar::Wrench;

/// A rig at one instant.
#[derive(Clone, Debug)]
pub struct Sample {
    /// Time, s.
    pub t: f64,
    /// The states of the rig.
    pub y: Vec<f64>,
    /// Friction on the body: at `t` in the monolithic solution, over the step that led there
    /// through the FMU.
    pub friction: Wrench,
    /// Stick of each contact; a plate in an FMU has one flag for all its points.
    pub sticking: Vec<bool>,
}

/// A run.
#[derive(Clone, Debug)]
pub struct Run(pub Vec<Sample>);

impl Run {
    /// The sample at or right after a time.
    ///
    /// # Panics
    /// If the run ends before.
    pub fn at(&self, t: f64) -> &Sample {
        let place = self.0.partition_point(|now| now.t < t - 1e-9);
        self.0
            .get(place)
            .unwrap_or_else(|| panic!("the run ends before {t} s"))
    }

    /// First time at which a condition holds, s; not a number where it never does.
    pub fn first(&self, holds: impl Fn(&Sample) -> bool) -> f64 {
        self.0
            .iter()
            .find(|now| holds(now))
            .map_or(f64::NAN, |now| now.t)
    }

    /// Largest difference of a state from that of a run with the same samples.
    ///
    /// # Panics
    /// If the samples differ in number.
    pub fn difference(&self, other: &Run, state: usize) -> f64 {
        assert_eq!(self.0.len(), other.0.len());
        self.0
            .iter()
            .zip(&other.0)
            .map(|(a, b)| (a.y[state] - b.y[state]).abs())
            .fold(0.0, f64::max)
    }
}

/// A rig solved both ways.
pub struct Both {
    /// Monolithic solution.
    pub monolithic: Run,
    /// Through the FMU, by communication step (s) from the longest to the shortest.
    pub coupled: Vec<(f64, Run)>,
}

impl Both {
    /// A number of the rig with what is expected.
    pub fn row(
        &self,
        source: &'static str,
        what: impl Into<String>,
        unit: &'static str,
        expected: f64,
        allowed: (f64, &'static str),
        number: impl Fn(&Run) -> f64,
    ) -> Row {
        Row {
            source,
            what: what.into(),
            unit,
            expected,
            allowed,
            monolithic: Some(number(&self.monolithic)),
            coupled: self.coupled.last().map(|(_, finest)| number(finest)),
            open: false,
        }
    }

    /// Order of the coupling by the differences of a state from the monolithic solution: 1, as
    /// values are held over a step. Of the orders from one communication step to the next, the
    /// farthest from 1.
    pub fn order(&self, source: &'static str, state: &str, place: usize) -> Row {
        let differences: Vec<_> = self
            .coupled
            .iter()
            .map(|(h, run)| (*h, run.difference(&self.monolithic, place)))
            .collect();
        let orders = differences
            .windows(2)
            .map(|pair| libm::log(pair[0].1 / pair[1].1) / libm::log(pair[0].0 / pair[1].0));
        Row {
            source,
            what: format!("order of the coupling, {state}"),
            unit: "",
            expected: 1.0,
            allowed: (0.3, "the last order of three communication steps"),
            monolithic: None,
            coupled: orders.max_by(|a, b| (a - 1.0).abs().total_cmp(&(b - 1.0).abs())),
            open: false,
        }
    }
}
