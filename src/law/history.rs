//! Past velocities, for laws whose force lags behind the velocity by a fixed time.

use crate::saved_state::{Reader, SavedState, Writer};

/// Number of samples that are kept. More samples resolve the delayed velocity better and lengthen a
/// saved state.
pub const SAMPLES: usize = 128;

/// Velocity in the past, with its slope.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PastVelocity {
    /// Velocity, m/s.
    pub v: f64,
    /// Slope, m/s².
    pub slope: f64,
}

/// Contact velocity over the delay of a law, piecewise linear between samples.
///
/// Samples closer than a 124th of the delay are thinned out, so that a fixed number of them
/// suffices for any communication step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct History {
    /// Time, s, and velocity, m/s; the oldest first.
    samples: [[f64; 2]; SAMPLES],
    count: usize,
}

impl Default for History {
    fn default() -> Self {
        History {
            samples: [[0.0; 2]; SAMPLES],
            count: 0,
        }
    }
}

const _: () = assert!(
    SAMPLES <= u8::MAX as usize,
    "the number of samples is saved as one byte"
);

/// The number of samples as one byte, then the samples.
impl SavedState for History {
    fn write(&self, writer: &mut Writer) {
        writer.bytes(&[self.count as u8]);
        self.samples()
            .iter()
            .for_each(|sample| sample.write(writer));
    }

    fn read(reader: &mut Reader) -> Option<Self> {
        let [count] = reader.bytes()?;
        let mut history = History {
            count: usize::from(count),
            ..History::default()
        };
        for sample in history.samples.get_mut(..history.count)? {
            *sample = SavedState::read(reader)?;
        }
        history
            .samples()
            .is_sorted_by(|a, b| a[0] < b[0])
            .then_some(history)
    }
}

impl History {
    /// Samples, time (s) and velocity (m/s), the oldest first.
    pub fn samples(&self) -> &[[f64; 2]] {
        &self.samples[..self.count]
    }

    /// Adds the velocity `v` (m/s) at `time` (s) and drops samples further back than `delay` (s).
    pub fn add(&mut self, time: f64, v: f64, delay: f64) {
        let recent = |samples: &[[f64; 2]]| match samples {
            [.., last] if last[0] >= time => true,
            [.., before, last] => last[0] - before[0] < delay / (SAMPLES - 4) as f64,
            _ => false,
        };
        while recent(self.samples()) {
            self.count -= 1;
        }
        let dropped = self
            .samples()
            .iter()
            .skip(1)
            .take_while(|sample| sample[0] <= time - delay)
            .count();
        let dropped = dropped.max((self.count + 1).saturating_sub(SAMPLES));
        self.samples.copy_within(dropped..self.count, 0);
        self.count -= dropped;
        self.samples[self.count] = [time, v];
        self.count += 1;
    }

    /// Velocity at `time` (s). `present`, [time, velocity], counts as one more sample after the
    /// last. Before the first sample the velocity is that of the first sample, and the slope is 0.
    pub fn at(&self, time: f64, present: [f64; 2]) -> PastVelocity {
        let samples = self.samples();
        let next = samples.partition_point(|sample| sample[0] <= time);
        let later = samples.get(next).copied().unwrap_or(present);
        let Some(before) = next.checked_sub(1).map(|last| samples[last]) else {
            return PastVelocity {
                v: later[1],
                slope: 0.0,
            };
        };
        let slope = if later[0] > before[0] {
            (later[1] - before[1]) / (later[0] - before[0])
        } else {
            0.0
        };
        PastVelocity {
            v: before[1] + slope * (time - before[0]),
            slope,
        }
    }
}

/// Delay of a law in a step, with the past velocities.
#[derive(Clone, Copy, Debug)]
pub struct Delay<'a> {
    /// The delay, s.
    pub delay: f64,
    /// The velocities before the step.
    pub history: &'a History,
    /// Start of the step on the clock of the history, s.
    pub start: f64,
}

impl Delay<'_> {
    /// Velocity at `time`, s from the start of the step (below 0); `v` (m/s) is the velocity at the
    /// start.
    pub fn past(&self, time: f64, v: f64) -> PastVelocity {
        self.history.at(self.start + time, [self.start, v])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn linear_velocities_are_reproduced_at_any_spacing() {
        for spacing in [1e-5, 1e-3, 0.03, 0.4] {
            let (mut history, delay) = (History::default(), 0.1);
            for i in 0..10_000 {
                let time = f64::from(i) * spacing;
                history.add(time, 2.0 * time - 1.0, delay);
                let past = (time - delay).max(0.0);
                let found = history.at(past, [time, 2.0 * time - 1.0]).v;
                assert!(
                    (found - (2.0 * past - 1.0)).abs() < 1e-9,
                    "{found} at {past}"
                );
            }
            assert!(history.samples().len() <= SAMPLES);
        }
    }

    #[test]
    fn before_the_first_sample_its_velocity_holds() {
        let mut history = History::default();
        let past = |v, slope| PastVelocity { v, slope };
        assert_eq!(history.at(-1.0, [0.0, 3.0]), past(3.0, 0.0));
        history.add(1.0, 5.0, 0.1);
        assert_eq!(history.at(0.0, [2.0, 7.0]), past(5.0, 0.0));
        assert_eq!(history.at(1.5, [2.0, 7.0]), past(6.0, 2.0));
    }

    #[test]
    fn a_sample_at_the_same_time_replaces_the_last() {
        let mut history = History::default();
        history.add(0.0, 1.0, 1.0);
        history.add(0.0, 2.0, 1.0);
        assert_eq!(history.samples(), [[0.0, 2.0]]);
    }

    #[test]
    fn saved_history_restores_and_unordered_samples_are_refused() {
        let mut history = History::default();
        (0..300).for_each(|i| history.add(f64::from(i) * 1e-3, libm::sin(f64::from(i)), 0.2));
        let restored = |history: &History| {
            let mut bytes = [0; 1 + 16 * SAMPLES];
            history.write(&mut Writer::new(&mut bytes));
            History::read(&mut Reader::new(&bytes))
        };
        assert_eq!(restored(&history), Some(history));
        history.samples.swap(0, 1);
        assert_eq!(restored(&history), None);
        assert_eq!(
            History::read(&mut Reader::new(&[SAMPLES as u8 + 1; 4096])),
            None
        );
    }
}
