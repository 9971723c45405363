//! Times of a panel: its variable is time, or the logarithm of F_N next to a zero of it.

use crate::integrate::gauss::{NODES, STAGES};
use core::array;

/// Ratio of the normal forces at both ends of a panel, beyond which ln F_N is its variable. Convention: both do at this ratio.
const FAR: f64 = 1.5;

/// Times of a panel over its variable x, from 0 to 1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Clock {
    /// Start, s.
    pub from: f64,
    /// Length, s.
    pub length: f64,
    /// Growth of F_N; none where time is the variable.
    growth: Option<Growth>,
}

/// Growth of F_N from the start to the end of a panel, along a straight line.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Growth {
    /// Time since the zero of F_N at the start, s.
    since: f64,
    /// Ratio of the forces at the end and at the start.
    ratio: f64,
    /// Its logarithm.
    logarithm: f64,
}

impl Clock {
    /// Times of a panel from a time with a length (s), with the normal forces (N) at both ends, which are above 0.
    pub fn new([from, length]: [f64; 2], normals: [f64; 2]) -> Self {
        let [start, end] = normals;
        let growth = is_far(normals).then(|| {
            let ratio = end / start;
            Growth { since: length * start / (end - start), ratio, logarithm: libm::log(ratio) }
        });
        Clock { from, length, growth }
    }

    /// Time after the start (s) at a place of the variable, and its derivative there.
    pub fn at(&self, x: f64) -> [f64; 2] {
        match self.growth {
            None => [x * self.length, self.length],
            Some(Growth { since, logarithm, .. }) => {
                let growth = libm::expm1(logarithm * x);
                [since * growth, since * logarithm * (1.0 + growth)]
            }
        }
    }

    /// Derivatives of the time by the variable at both ends, s.
    pub fn derivatives_at_ends(&self) -> [f64; 2] {
        match self.growth {
            None => [self.length; 2],
            Some(Growth { since, ratio, logarithm }) => [since * logarithm, since * logarithm * ratio],
        }
    }

    /// Times (s) at Gauss's nodes, and their derivatives there.
    pub fn at_nodes(&self) -> [[f64; 2]; STAGES] {
        let Some(Growth { since, ratio, logarithm }) = self.growth else {
            return array::from_fn(|i| [self.from + NODES[i] * self.length, self.length]);
        };
        let mut times = [[0.0; 2]; STAGES];
        for i in 0..STAGES / 2 {
            // The nodes lie symmetrically: the powers of the ratio at both of a pair have the ratio as their product.
            let power = libm::exp(logarithm * NODES[i]);
            times[i] = [self.from + since * (power - 1.0), since * logarithm * power];
            let mirrored = ratio / power;
            times[STAGES - 1 - i] = [self.from + since * (mirrored - 1.0), since * logarithm * mirrored];
        }
        times
    }

    /// Length (s) up to where the logarithm of the ratio of the forces is `most`, at most the whole.
    pub fn within(&self, most: f64) -> f64 {
        match self.growth {
            Some(Growth { logarithm, .. }) if logarithm.abs() > most => self.at(most / logarithm.abs())[0],
            _ => self.length,
        }
    }

    /// Place of the variable at a time after the start (s).
    pub fn place(&self, after: f64) -> f64 {
        match self.growth {
            None => after / self.length,
            Some(Growth { since, logarithm, .. }) => libm::log1p(after / since) / logarithm,
        }
    }

    /// Length (s) of a panel from the end of this one over `factor` times its variable.
    pub fn next(&self, factor: f64) -> f64 {
        match self.growth {
            None => factor * self.length,
            Some(Growth { since, logarithm, .. }) => (since + self.length) * libm::expm1(logarithm * factor),
        }
    }
}

/// Whether ln F_N is the variable of a panel with these normal forces (N) at its ends.
pub fn is_far([start, end]: [f64; 2]) -> bool {
    end > FAR * start || FAR * end < start
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Panels over F_N = 2 N + s t.
    fn clocks() -> impl Iterator<Item = (Clock, f64)> {
        [0.1, -0.2, 40.0, -1.9, 1e9, -1.999_999_9].into_iter().map(|change: f64| {
            let length = 1e-3;
            (Clock::new([0.5, length], [2.0, 2.0 + change]), change / length)
        })
    }

    #[test]
    fn variable_is_time_or_the_logarithm_of_the_normal_force() {
        for (clock, slope) in clocks() {
            let logarithm = libm::log1p(slope * clock.length / 2.0);
            for x in [0.0, 0.1, 0.5, 0.9, 1.0] {
                let [after, by_variable] = clock.at(x);
                let force = 2.0 + slope * after;
                let expected = if is_far([2.0, 2.0 + slope * clock.length]) {
                    [libm::exp(logarithm * x), logarithm * force / slope]
                } else {
                    [1.0 + 0.5 * slope * x * clock.length, clock.length]
                };
                assert!((0.5 * force / expected[0] - 1.0).abs() < 1e-9, "{clock:?}, {x}: {force} N");
                assert!((by_variable / expected[1] - 1.0).abs() < 1e-6, "{clock:?}, {x}: {by_variable}");
                assert!((clock.place(after) - x).abs() < 1e-8, "{clock:?}, {x}");
            }
        }
    }

    #[test]
    fn times_at_the_nodes_and_derivatives_at_the_ends_are_those_of_the_variable() {
        for (clock, slope) in clocks() {
            // Next to the zero of F_N a time is known to the rounding of the way there.
            let rounding = f64::EPSILON * clock.from + 1e-15 * clock.length.max(2.0 / slope.abs());
            for (found, x) in clock.at_nodes().into_iter().zip(NODES) {
                let expected = clock.at(x);
                assert!(
                    (found[0] - clock.from - expected[0]).abs() < rounding,
                    "{clock:?}, {x}: {found:?}, not {expected:?}"
                );
                assert!((found[1] / expected[1] - 1.0).abs() < 1e-8, "{clock:?}, {x}: {found:?}, not {expected:?}");
            }
            for (found, x) in clock.derivatives_at_ends().into_iter().zip([0.0, 1.0]) {
                assert!((found / clock.at(x)[1] - 1.0).abs() < 1e-8, "{clock:?}, {x}: {found}");
            }
        }
    }

    #[test]
    fn panel_within_a_ratio_of_the_normal_force_ends_there_or_at_its_end() {
        for (clock, slope) in clocks() {
            let logarithm = libm::log1p(slope * clock.length / 2.0);
            for most in [0.3, 1.0, 40.0] {
                let length = clock.within(most);
                let found = libm::log1p(slope * length / 2.0);
                let is_whole = most >= logarithm.abs() || !is_far([1.0, libm::exp(logarithm)]);
                let is_right = if is_whole { length == clock.length } else { (found.abs() / most - 1.0).abs() < 1e-9 };
                assert!(is_right, "{clock:?}: {length} s for {most}");
            }
        }
    }

    #[test]
    fn next_panel_goes_on_with_the_same_variable() {
        for (clock, slope) in clocks() {
            let [after, twice] = [1.0, 1.0 + 0.5].map(|x| clock.at(x)[0]);
            let next = clock.next(0.5);
            let scale = after.abs().max((2.0 + slope * after).abs() / slope.abs());
            assert!((after + next - twice).abs() < 1e-9 * scale, "{clock:?}: {next}, not {}", twice - after);
        }
    }
}
