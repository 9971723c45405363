//! FMU states: copies of everything that changes in an instance, and their serialised form.
//!
//! The bytes are: the mark "BRISTLE1" (its digit is the version of this layout), the GUID's 16 bytes, kind, mode, then
//! 8-byte little-endian numbers in the order of [`FmuState::numbers`], then a checksum (FNV-1a, 64 bits) over all of it.

use crate::chart::{Kind, Mode};
use bristle::catalogue::Entry;
use bristle::element::Snapshot;
use bristle::integrate::radau::Radau;
use bristle::law::{Contact, ORDERS};
use bristle::variable::{Refusal, SLOTS, Values};

const MARK: &[u8; 8] = b"BRISTLE1";
const SLOPES: usize = 2 * ORDERS;
const NUMBERS: usize = SLOTS + SLOPES + 11;
const HEAD: usize = MARK.len() + 16 + 2;
/// Where the stop time stands among the numbers: alone of them it may be infinite.
const STOP_TIME: usize = SLOTS + SLOPES + 7;
/// The length of a serialised state.
pub const SERIALIZED_SIZE: usize = HEAD + 8 * NUMBERS + 8;

/// How far an instance has come in its chart and in time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Progress {
    pub mode: Mode,
    /// The present time, s.
    pub time: f64,
    /// The time after which no step may end, s; +∞ where none was given.
    pub stop_time: f64,
    /// Outputs and derivatives are older than what they follow from.
    pub outdated: bool,
    /// Model Exchange: time and friction power at the last completed integrator step, for E_loss.
    pub power_time: f64,
    pub power: f64,
}

impl Progress {
    pub const START: Progress = Progress {
        mode: Mode::Instantiated,
        time: 0.0,
        stop_time: f64::INFINITY,
        outdated: true,
        power_time: 0.0,
        power: 0.0,
    };
}

/// Everything that changes in an instance.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FmuState {
    /// The fingerprint of the element that the state belongs to.
    pub fingerprint: u128,
    pub kind: Kind,
    pub progress: Progress,
    pub element: Snapshot,
}

impl FmuState {
    fn numbers(&self) -> [f64; NUMBERS] {
        let Snapshot { values, slopes, end, end_slope, tolerance, solver } = &self.element;
        let Progress { time, stop_time, power_time, power, .. } = self.progress;
        let mut numbers = [0.0; NUMBERS];
        numbers[..SLOTS].copy_from_slice(&values.0);
        // No slopes and slopes of 0 are the same course.
        for (pair, slope) in numbers[SLOTS..].chunks_exact_mut(2).zip(slopes.iter().flatten()) {
            pair.copy_from_slice(&[slope.F_N, slope.v]);
        }
        numbers[SLOTS + SLOPES..].copy_from_slice(&[
            end.F_N,
            end.v,
            end_slope.F_N,
            end_slope.v,
            *tolerance,
            solver.first_step,
            time,
            stop_time,
            power_time,
            power,
            f64::from(self.progress.outdated),
        ]);
        numbers
    }

    /// Writes the state to `bytes`, of [`SERIALIZED_SIZE`].
    pub fn serialize(&self, bytes: &mut [u8]) {
        let (content, sum) = bytes.split_at_mut(SERIALIZED_SIZE - 8);
        let (head, body) = content.split_at_mut(HEAD);
        head[..8].copy_from_slice(MARK);
        head[8..24].copy_from_slice(&self.fingerprint.to_le_bytes());
        head[24..].copy_from_slice(&[self.kind as u8, self.progress.mode as u8]);
        for (chunk, number) in body.chunks_exact_mut(8).zip(self.numbers()) {
            chunk.copy_from_slice(&number.to_le_bytes());
        }
        sum.copy_from_slice(&checksum(content).to_le_bytes());
    }

    /// Reads a state of `entry`, or says why these bytes are none.
    pub fn deserialize(bytes: &[u8], entry: &Entry) -> Result<FmuState, Refusal> {
        let refuse = |why: &str| {
            Err(Refusal(format!(
                "{why}; pass the unchanged bytes that fmi2SerializeFMUstate of the same element and version wrote"
            )))
        };
        if bytes.len() != SERIALIZED_SIZE {
            return refuse(&format!("the state has {} bytes where {SERIALIZED_SIZE} are needed", bytes.len()));
        }
        let (content, sum) = bytes.split_at(SERIALIZED_SIZE - 8);
        if content[..8] != *MARK {
            return refuse("the bytes are no state of this library");
        }
        if checksum(content).to_le_bytes() != sum {
            return refuse("the state was altered: its checksum is wrong");
        }
        if content[8..24] != entry.fingerprint.to_le_bytes() {
            return refuse(&format!("the state belongs to another element than {}", entry.declaration.name));
        }
        let kind = [Kind::ModelExchange, Kind::CoSimulation].into_iter().find(|k| *k as u8 == content[24]);
        let mode = Mode::SOUND.into_iter().find(|m| *m as u8 == content[25]);
        let (Some(kind), Some(mode)) = (kind, mode) else {
            return refuse("the state names a mode that does not exist");
        };
        let mut numbers = [0.0; NUMBERS];
        for (number, chunk) in numbers.iter_mut().zip(content[HEAD..].chunks_exact(8)) {
            *number = f64::from_le_bytes(chunk.try_into().unwrap_or_default());
        }
        let mut values = Values::ZERO;
        values.0.copy_from_slice(&numbers[..SLOTS]);
        let slopes: [Contact; ORDERS] = core::array::from_fn(|i| {
            let pair = &numbers[SLOTS + 2 * i..];
            Contact { F_N: pair[0], v: pair[1] }
        });
        let [
            end_force,
            end_v,
            end_force_slope,
            end_v_slope,
            tolerance,
            first_step,
            time,
            stop_time,
            power_time,
            power,
            outdated,
        ] = numbers[SLOTS + SLOPES..]
        else {
            return refuse("the state has the wrong length");
        };
        let finite = numbers.iter().enumerate().all(|(i, x)| x.is_finite() || i == STOP_TIME);
        let in_bounds = entry.variables().all(|variable| variable.check(values[variable]).is_ok());
        if !finite || !in_bounds || stop_time.is_nan() || !mode.belongs_to(kind) {
            return refuse("the state holds values that no state can have");
        }
        Ok(FmuState {
            fingerprint: entry.fingerprint,
            kind,
            progress: Progress { mode, time, stop_time, outdated: outdated != 0.0, power_time, power },
            element: Snapshot {
                values,
                slopes: (slopes != [Contact::ZERO; ORDERS]).then_some(slopes),
                end: Contact { F_N: end_force, v: end_v },
                end_slope: Contact { F_N: end_force_slope, v: end_v_slope },
                tolerance,
                solver: Radau { first_step },
            },
        })
    }
}

fn checksum(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, &byte| (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3))
}

#[cfg(test)]
mod tests {
    use super::*;
    use bristle::catalogue::ELEMENTS;
    use bristle::element::{F_N, V};

    fn state() -> FmuState {
        let mut element = ELEMENTS[0].instantiate();
        element.set(&F_N, 9.81);
        element.set(&V, 0.02);
        element.advance(1e-3).unwrap();
        element.set_slope(&V, 2, 3.0).unwrap();
        FmuState {
            fingerprint: ELEMENTS[0].fingerprint,
            kind: Kind::CoSimulation,
            progress: Progress { mode: Mode::StepComplete, time: 1e-3, ..Progress::START },
            element: element.snapshot(),
        }
    }

    fn bytes() -> Vec<u8> {
        let mut bytes = vec![0; SERIALIZED_SIZE];
        state().serialize(&mut bytes);
        bytes
    }

    #[test]
    fn a_state_comes_back_whole() {
        assert_eq!(FmuState::deserialize(&bytes(), &ELEMENTS[0]), Ok(state()));
    }

    #[test]
    fn every_altered_byte_is_noticed() {
        for i in 0..SERIALIZED_SIZE {
            let mut bytes = bytes();
            bytes[i] ^= 0x10;
            assert!(FmuState::deserialize(&bytes, &ELEMENTS[0]).is_err(), "byte {i}");
        }
    }

    #[test]
    fn impossible_values_are_refused_even_with_a_right_checksum() {
        let mut impossible = state();
        impossible.element.values.0[32] = -1.0;
        let mut bytes = vec![0; SERIALIZED_SIZE];
        impossible.serialize(&mut bytes);
        assert!(FmuState::deserialize(&bytes, &ELEMENTS[0]).unwrap_err().0.contains("no state can have"));
    }

    #[test]
    fn truncated_bytes_are_refused() {
        assert!(FmuState::deserialize(&bytes()[..SERIALIZED_SIZE - 1], &ELEMENTS[0]).is_err());
        assert!(FmuState::deserialize(&[], &ELEMENTS[0]).is_err());
    }
}
