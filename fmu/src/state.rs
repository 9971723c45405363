//! FMU states: copies of everything that changes in an instance, and their serialised form.
//!
//! The bytes are: the mark "BRISTL11" (its digits are the version of this layout), the state, of which each type writes its own part
//! ([`SavedState`]), and a checksum (FNV-1a, 64 bits) over both.

use crate::calling_sequence::InterfaceType;
use crate::lifecycle::Lifecycle;
use bristle::assembly::AssemblySnapshot;
use bristle::catalogue::Variant;
use bristle::coupling::BodyObserver;
use bristle::element::{F_OFFSET, RADIUS, Snapshot};
use bristle::saved_state::{Reader, SavedState, Writer};
use bristle::variable::{InputError, Variable};

const MARK: &[u8; 8] = b"BRISTL11";
const CHECKSUM: usize = 8;

/// Everything that changes in an instance.
#[derive(Clone, Debug, PartialEq)]
pub struct FmuState {
    /// The fingerprint of the element that the state belongs to.
    pub fingerprint: u128,
    pub kind: InterfaceType,
    pub lifecycle: Lifecycle,
    pub contacts: AssemblySnapshot,
}

impl SavedState for FmuState {
    fn write(&self, writer: &mut Writer) {
        writer.bytes(&self.fingerprint.to_le_bytes());
        self.kind.write(writer);
        self.lifecycle.write(writer);
        self.contacts.write(writer);
    }

    fn read(reader: &mut Reader) -> Option<Self> {
        let state = FmuState {
            fingerprint: u128::from_le_bytes(reader.bytes()?),
            kind: SavedState::read(reader)?,
            lifecycle: SavedState::read(reader)?,
            contacts: SavedState::read(reader)?,
        };
        (reader.is_at_end() && state.lifecycle.mode.belongs_to(state.kind)).then_some(state)
    }
}

impl FmuState {
    /// The number of bytes that the state makes.
    pub fn serialized_size(&self) -> usize {
        let mut measure = Writer::new(&mut []);
        self.write(&mut measure);
        MARK.len() + measure.length() + CHECKSUM
    }

    /// The state as bytes.
    pub fn serialize(&self) -> Vec<u8> {
        let size = self.serialized_size();
        let mut bytes = vec![0; size];
        let (content, sum) = bytes.split_at_mut(size - CHECKSUM);
        let mut writer = Writer::new(content);
        writer.bytes(MARK);
        self.write(&mut writer);
        sum.copy_from_slice(&checksum(content).to_le_bytes());
        bytes
    }

    /// Reads a state of `variant`, or says why these bytes are none.
    pub fn deserialize(bytes: &[u8], variant: &Variant) -> Result<FmuState, InputError> {
        let refuse = |why: &str| {
            Err(InputError(format!(
                "{why}; pass the unchanged bytes that fmi2SerializeFMUstate of the same element and version wrote"
            )))
        };
        let Some((content, sum)) = bytes.split_last_chunk::<CHECKSUM>() else {
            return refuse(&format!("the state has {} bytes, which no state has", bytes.len()));
        };
        let Some(parts) = content.strip_prefix(MARK) else {
            return refuse("the bytes are no state of this library");
        };
        if checksum(content).to_le_bytes() != *sum {
            return refuse("the state was altered: its checksum is wrong");
        }
        if !parts.starts_with(&variant.fingerprint.to_le_bytes()) {
            return refuse(&format!("the state belongs to another element than {}", variant.name()));
        }
        let in_bounds = |state: &FmuState| {
            let card = variant.card();
            let is_whole = state.contacts.contacts.len() == card.contact_count() as usize
                && state.contacts.plate.is_some() == card.plate.is_some()
                && state.contacts.block.is_some() == card.block.is_some()
                && state.contacts.bodies.iter().map(BodyObserver::counts).eq(variant.body_sizes());
            let value = |variable| state.contacts.value(variable);
            // Where they are no variables they have no values.
            let is_absent = |known: &&Variable| !variant.all().any(|variable| variable.is(known));
            let mut absent = [&RADIUS, &F_OFFSET].into_iter().filter(is_absent);
            let has = |known: &Variable| {
                state.contacts.contacts.iter().any(|contact: &Snapshot| contact.values[known] != 0.0)
            };
            is_whole
                && !absent.any(has)
                && variant.all().all(|variable| value(variable).is_none_or(|value| variable.check(value).is_ok()))
        };
        match FmuState::read(&mut Reader::new(parts)).filter(in_bounds) {
            Some(state) => Ok(state),
            None => refuse("the state holds values that no state can have"),
        }
    }
}

fn checksum(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, &byte| (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::calling_sequence::InstanceState;
    use crate::clock::Clock;
    use bristle::catalogue::ELEMENTS;
    use bristle::coupling;
    use bristle::element::{F_N, V};
    use std::sync::OnceLock;

    /// The first element, made once: Miri takes long for it.
    fn variant() -> &'static Variant {
        static VARIANT: OnceLock<Variant> = OnceLock::new();
        VARIANT.get_or_init(|| ELEMENTS[0].stock())
    }

    /// State after two steps with an observer, made once as well.
    fn state() -> FmuState {
        static STATE: OnceLock<FmuState> = OnceLock::new();
        STATE.get_or_init(state_after_two_steps).clone()
    }

    fn state_after_two_steps() -> FmuState {
        let mut element = variant().instantiate();
        element.set(&F_N, 9.81);
        element.set(&V, 0.02);
        element.set(&coupling::M_EFF, 1.0);
        element.set(&coupling::COUPLING, 1.0);
        element.advance(1e-3).unwrap();
        element.advance(1e-3).unwrap();
        element.set_input_derivative(&V, 2, 3.0).unwrap();
        FmuState {
            fingerprint: variant().fingerprint,
            kind: InterfaceType::CoSimulation,
            lifecycle: Lifecycle {
                mode: InstanceState::StepComplete,
                time: 2e-3,
                clock: Clock { sum: 2e-3, remainder: 1e-19, steps: 2.0 },
                stop_time: 10.0,
                outputs_dirty: false,
                power_time: 1e-3,
            },
            contacts: element.save(),
        }
    }

    fn bytes() -> Vec<u8> {
        state().serialize()
    }

    #[test]
    fn a_state_comes_back_whole() {
        assert!(state().contacts.bodies[0].is_on());
        assert_eq!(FmuState::deserialize(&bytes(), variant()), Ok(state()));
        assert_eq!(bytes().len(), state().serialized_size());
    }

    #[test]
    fn every_altered_byte_is_noticed() {
        // Miri takes a tenth of a second for the checksum of a state.
        for i in (0..bytes().len()).step_by(if cfg!(miri) { 101 } else { 1 }) {
            let mut bytes = bytes();
            bytes[i] ^= 0x10;
            assert!(FmuState::deserialize(&bytes, variant()).is_err(), "byte {i}");
        }
    }

    #[test]
    fn impossible_values_are_refused_even_with_a_right_checksum() {
        let refuse = |spoil: fn(&mut FmuState)| {
            let mut impossible = state();
            spoil(&mut impossible);
            let refusal = FmuState::deserialize(&impossible.serialize(), variant()).unwrap_err();
            assert!(refusal.0.contains("no state can have"), "{refusal}");
        };
        refuse(|state| state.contacts.contacts[0].values.0[32] = -1.0);
        refuse(|state| state.contacts.contacts[0].time = f64::NAN);
        refuse(|state| state.contacts.contacts[0].values[&RADIUS] = 0.1);
        refuse(|state| state.contacts.contacts[0].values[&F_OFFSET] = 0.1);
        refuse(|state| state.lifecycle.stop_time = f64::NAN);
        refuse(|state| state.lifecycle.clock.steps = -1.0);
        refuse(|state| state.lifecycle.mode = InstanceState::Event);
        refuse(|state| state.contacts.contacts[0].tolerance = -1.0);
        refuse(|state| state.contacts.contacts[0].solver.first_step = -1.0);
        refuse(|state| state.contacts.contacts.push(state.contacts.contacts[0].clone()));
        refuse(|state| state.contacts.plate = Some(Default::default()));
    }

    #[test]
    fn state_of_another_element_is_refused() {
        let mut other = variant().clone();
        other.fingerprint ^= 1;
        let refusal = FmuState::deserialize(&bytes(), &other).unwrap_err();
        assert!(refusal.0.contains("belongs to another element than"), "{refusal}");
    }

    #[test]
    fn state_before_the_first_step_comes_back() {
        let first = FmuState { lifecycle: Lifecycle::START, ..state() };
        assert_eq!(FmuState::deserialize(&first.serialize(), variant()), Ok(first));
    }

    #[test]
    fn bytes_after_the_state_are_refused_even_with_a_right_checksum() {
        let mut bytes = bytes();
        bytes.truncate(bytes.len() - CHECKSUM);
        bytes.push(0);
        bytes.extend(checksum(&bytes).to_le_bytes());
        let refusal = FmuState::deserialize(&bytes, variant()).unwrap_err();
        assert!(refusal.0.contains("no state can have"), "{refusal}");
    }

    #[test]
    fn checksum_is_the_published_one() {
        // Test vectors of the draft "The FNV Non-Cryptographic Hash Algorithm", Appendix C.
        assert_eq!(checksum(b""), 0xcbf2_9ce4_8422_2325);
        assert_eq!(checksum(b"a"), 0xaf63_dc4c_8601_ec8c);
        assert_eq!(checksum(b"foobar"), 0x8594_4171_f739_67e8);
    }

    #[test]
    fn truncated_bytes_are_refused() {
        let bytes = bytes();
        for length in [0, 1, MARK.len() + CHECKSUM, bytes.len() - 16, bytes.len() - 1] {
            assert!(FmuState::deserialize(&bytes[..length], variant()).is_err(), "{length} bytes");
        }
    }
}
