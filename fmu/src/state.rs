//! FMU states: copies of everything that changes in an instance, and their serialised form.
//!
//! The bytes are: the mark "BRISTLE5" (its digit is the version of this layout), the GUID's 16 bytes, kind, mode, then
//! 8-byte little-endian numbers in the order of [`FmuState::numbers`], then a checksum (FNV-1a, 64 bits) over all of it.

use crate::calling_sequence::{InstanceState, InterfaceType};
use crate::clock::Clock;
use bristle::catalogue::Model;
use bristle::coupling::{self, BodyObserver};
use bristle::element::{LastStep, MAX_TOLERANCE, MIN_TOLERANCE, Snapshot};
use bristle::integrate::radau::Radau;
use bristle::law::{Contact, History, MAX_INPUT_DERIVATIVE_ORDER, MAX_STATES};
use bristle::variable::{InputError, MODES, SLOTS, Values};

const MARK: &[u8; 8] = b"BRISTLE5";
const HEAD: usize = MARK.len() + 16 + 2;
const CHECKSUM: usize = 8;
/// The numbers of a contact.
const CONTACT: usize = 5;
/// The contacts: the slopes, the end of the last step and the slope there, its start and the slopes there.
const CONTACTS: usize = MAX_INPUT_DERIVATIVE_ORDER + 3 + MAX_INPUT_DERIVATIVE_ORDER;
/// The numbers that stand alone, [`FmuState::alone`].
const ALONE: usize = 13;
/// States and modes at the start of the last step.
const ORIGIN: usize = MAX_STATES + MODES;
/// Where the stop time stands among them: of all numbers it alone may be infinite.
const STOP_TIME: usize = SLOTS + CONTACTS * CONTACT;
/// Where the samples of the history begin.
const FIXED: usize = SLOTS + CONTACTS * CONTACT + ALONE + ORIGIN + coupling::NUMBERS;

/// How far an instance has come in its chart and in time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Lifecycle {
    pub mode: InstanceState,
    /// The present time, s.
    pub time: f64,
    /// Co-Simulation: the sum of the accepted steps.
    pub clock: Clock,
    /// The time after which no step may end, s; +∞ where none was given.
    pub stop_time: f64,
    /// Outputs and derivatives are older than what they follow from.
    pub outputs_dirty: bool,
    /// Model Exchange: time and friction power at the last completed integrator step, for E_loss.
    pub power_time: f64,
    pub power: f64,
}

impl Lifecycle {
    pub const START: Lifecycle = Lifecycle {
        mode: InstanceState::Instantiated,
        time: 0.0,
        clock: Clock { sum: 0.0, remainder: 0.0, steps: 0.0 },
        stop_time: f64::INFINITY,
        outputs_dirty: true,
        power_time: 0.0,
        power: 0.0,
    };
}

/// Everything that changes in an instance.
#[derive(Clone, Debug, PartialEq)]
pub struct FmuState {
    /// The fingerprint of the element that the state belongs to.
    pub fingerprint: u128,
    pub kind: InterfaceType,
    pub lifecycle: Lifecycle,
    pub element: Snapshot,
}

impl FmuState {
    /// Every number of the state: the table of values, the contacts, those that stand alone, the rest of the last_step, the
    /// observer (all 0 where there is none), the history.
    fn numbers(&self) -> impl Iterator<Item = f64> {
        let Snapshot { values, derivatives, end, end_derivative, last_step, observer, history, .. } = &self.element;
        // No slopes and slopes of 0 are the same trajectory.
        let flat = |derivatives: &Option<_>| derivatives.unwrap_or([Contact::ZERO; MAX_INPUT_DERIVATIVE_ORDER]);
        let (start, trajectory) =
            last_step.trajectory.unwrap_or((Contact::ZERO, [Contact::ZERO; MAX_INPUT_DERIVATIVE_ORDER]));
        let contacts = flat(derivatives).into_iter().chain([*end, *end_derivative, start]).chain(trajectory);
        let contacts = contacts.flat_map(|contact| contact.numbers());
        let last_step = last_step.states.into_iter().chain(last_step.modes);
        let observer = observer.map_or([0.0; coupling::NUMBERS], |observer| observer.numbers());
        let samples = history.iter().flat_map(|history| history.samples()).flatten().copied();
        values.0.iter().copied().chain(contacts).chain(self.alone()).chain(last_step).chain(observer).chain(samples)
    }

    fn alone(&self) -> [f64; ALONE] {
        let Lifecycle { time, clock, stop_time, power_time, power, outputs_dirty, .. } = self.lifecycle;
        let Clock { sum, remainder, steps } = clock;
        let Snapshot { tolerance, solver, time: element_time, stiffness, last_step: LastStep { duration, .. }, .. } =
            self.element;
        let outputs_dirty = f64::from(outputs_dirty);
        let first_step = solver.first_step;
        [
            stop_time,
            time,
            sum,
            remainder,
            steps,
            power_time,
            power,
            outputs_dirty,
            tolerance,
            first_step,
            element_time,
            stiffness,
            duration,
        ]
    }

    /// The number of bytes that the state makes.
    pub fn serialized_size(&self) -> usize {
        HEAD + 8 * self.numbers().count() + CHECKSUM
    }

    /// The state as bytes.
    pub fn serialize(&self) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(self.serialized_size());
        bytes.extend(MARK);
        bytes.extend(self.fingerprint.to_le_bytes());
        bytes.extend([self.kind as u8, self.lifecycle.mode as u8]);
        self.numbers().for_each(|number| bytes.extend(number.to_le_bytes()));
        bytes.extend(checksum(&bytes).to_le_bytes());
        bytes
    }

    /// Reads a state of `entry`, or says why these bytes are none.
    pub fn deserialize(bytes: &[u8], entry: &Model) -> Result<FmuState, InputError> {
        let refuse = |why: &str| {
            Err(InputError(format!(
                "{why}; pass the unchanged bytes that fmi2SerializeFMUstate of the same element and version wrote"
            )))
        };
        let least = HEAD + 8 * FIXED + CHECKSUM;
        if bytes.len() < least || !(bytes.len() - least).is_multiple_of(16) {
            return refuse(&format!("the state has {} bytes, which no state has", bytes.len()));
        }
        let (content, sum) = bytes.split_at(bytes.len() - CHECKSUM);
        if content[..8] != *MARK {
            return refuse("the bytes are no state of this library");
        }
        if checksum(content).to_le_bytes() != sum {
            return refuse("the state was altered: its checksum is wrong");
        }
        if content[8..24] != entry.fingerprint.to_le_bytes() {
            return refuse(&format!("the state belongs to another element than {}", entry.metadata.name));
        }
        let kind =
            [InterfaceType::ModelExchange, InterfaceType::CoSimulation].into_iter().find(|k| *k as u8 == content[24]);
        let mode = InstanceState::SOUND.into_iter().find(|m| *m as u8 == content[25]);
        let (Some(kind), Some(mode)) = (kind, mode) else {
            return refuse("the state names a mode that does not exist");
        };
        let (numbers, _) = content[HEAD..].as_chunks::<8>();
        let numbers: Vec<f64> = numbers.iter().map(|number| f64::from_le_bytes(*number)).collect();
        let mut values = Values::ZERO;
        values.0.copy_from_slice(&numbers[..SLOTS]);
        let (contacts, _) = numbers[SLOTS..].as_chunks::<CONTACT>();
        let contacts = core::array::from_fn::<_, CONTACTS, _>(|i| Contact::of(contacts[i]));
        let [s1, s2, s3, end, end_derivative, start, o1, o2, o3] = contacts;
        let moving = |derivatives: [Contact; MAX_INPUT_DERIVATIVE_ORDER]| {
            (derivatives != [Contact::ZERO; MAX_INPUT_DERIVATIVE_ORDER]).then_some(derivatives)
        };
        let (alone, rest) = numbers[STOP_TIME..].split_at(ALONE);
        let &[
            stop_time,
            time,
            sum,
            remainder,
            steps,
            power_time,
            power,
            outputs_dirty,
            tolerance,
            first_step,
            element_time,
            stiffness,
            duration,
        ] = alone
        else {
            return refuse("the state has the wrong length");
        };
        let (last_step, rest) = rest.split_at(ORIGIN);
        let (states, modes) = last_step.split_at(MAX_STATES);
        let (Some(observer), samples) = (rest.first_chunk(), &rest[coupling::NUMBERS..]) else {
            return refuse("the state has the wrong length");
        };
        let history = History::of(samples.as_chunks::<2>().0);
        let finite = numbers.iter().enumerate().all(|(i, x)| x.is_finite() || i == STOP_TIME);
        let in_bounds = entry.variables().all(|variable| variable.check(values[variable]).is_ok());
        let observer =
            if *observer == [0.0; coupling::NUMBERS] { Some(None) } else { BodyObserver::of(observer).map(Some) };
        let kept = (MIN_TOLERANCE..=MAX_TOLERANCE).contains(&tolerance)
            && first_step >= 0.0
            && duration >= 0.0
            && steps >= 0.0
            && stiffness >= 0.0;
        let sound = finite && in_bounds && kept && !stop_time.is_nan() && mode.belongs_to(kind);
        let (true, Some(history), Some(observer)) = (sound, history, observer) else {
            return refuse("the state holds values that no state can have");
        };
        Ok(FmuState {
            fingerprint: entry.fingerprint,
            kind,
            lifecycle: Lifecycle {
                mode,
                time,
                clock: Clock { sum, remainder, steps },
                stop_time,
                outputs_dirty: outputs_dirty != 0.0,
                power_time,
                power,
            },
            element: Snapshot {
                values,
                derivatives: moving([s1, s2, s3]),
                end,
                end_derivative,
                tolerance,
                solver: Radau { first_step, ..Radau::default() },
                time: element_time,
                stiffness,
                last_step: LastStep {
                    duration,
                    trajectory: ([start, o1, o2, o3] != [Contact::ZERO; 1 + MAX_INPUT_DERIVATIVE_ORDER])
                        .then_some((start, [o1, o2, o3])),
                    states: core::array::from_fn(|i| states[i]),
                    modes: core::array::from_fn(|i| modes[i]),
                },
                observer,
                history: (!samples.is_empty()).then(|| Box::new(history)),
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
        element.set(&coupling::M_EFF, 1.0);
        element.advance(1e-3).unwrap();
        element.advance(1e-3).unwrap();
        element.set_input_derivative(&V, 2, 3.0);
        FmuState {
            fingerprint: ELEMENTS[0].fingerprint,
            kind: InterfaceType::CoSimulation,
            lifecycle: Lifecycle { mode: InstanceState::StepComplete, time: 1e-3, ..Lifecycle::START },
            element: element.snapshot().clone(),
        }
    }

    fn bytes() -> Vec<u8> {
        state().serialize()
    }

    #[test]
    fn a_state_comes_back_whole() {
        assert!(state().element.observer.is_some());
        assert_eq!(FmuState::deserialize(&bytes(), &ELEMENTS[0]), Ok(state()));
        assert_eq!(bytes().len(), state().serialized_size());
    }

    #[test]
    fn every_altered_byte_is_noticed() {
        for i in 0..bytes().len() {
            let mut bytes = bytes();
            bytes[i] ^= 0x10;
            assert!(FmuState::deserialize(&bytes, &ELEMENTS[0]).is_err(), "byte {i}");
        }
    }

    #[test]
    fn impossible_values_are_refused_even_with_a_right_checksum() {
        let refuse = |spoil: fn(&mut FmuState)| {
            let mut impossible = state();
            spoil(&mut impossible);
            let refusal = FmuState::deserialize(&impossible.serialize(), &ELEMENTS[0]).unwrap_err();
            assert!(refusal.0.contains("no state can have"), "{refusal}");
        };
        refuse(|state| state.element.values.0[32] = -1.0);
        refuse(|state| state.element.time = f64::NAN);
        refuse(|state| state.lifecycle.stop_time = f64::NAN);
        refuse(|state| state.element.tolerance = -1.0);
        refuse(|state| state.element.solver.first_step = -1.0);
    }

    #[test]
    fn truncated_bytes_are_refused() {
        let bytes = bytes();
        for length in [0, 1, HEAD, bytes.len() - 16, bytes.len() - 1] {
            assert!(FmuState::deserialize(&bytes[..length], &ELEMENTS[0]).is_err(), "{length} bytes");
        }
    }
}
