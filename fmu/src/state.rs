//! FMU states: copies of everything that changes in an instance, and their serialised form.
//!
//! Each type writes its own part of the bytes ([`SavedState`]), which are sealed by a mark and a
//! checksum.

use crate::calling_sequence::InterfaceType;
use crate::lifecycle::Lifecycle;
use bristle::assembly::AssemblySnapshot;
use bristle::catalogue::Variant;
use bristle::saved_state::{Reader, SavedState, Writer, seal, sealed_length, unseal};
use bristle::variable::InputError;

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
        sealed_length(self)
    }

    /// The state as bytes.
    pub fn serialize(&self) -> Vec<u8> {
        seal(self)
    }

    /// Reads a state of `variant`, or says why these bytes are none.
    pub fn deserialize(bytes: &[u8], variant: &Variant) -> Result<FmuState, InputError> {
        let read = |mut reader| {
            let impossible = || "the state holds values that no state can have".to_owned();
            let state = FmuState::read(&mut reader).ok_or_else(impossible)?;
            if state.fingerprint != variant.fingerprint {
                return Err(format!(
                    "the state belongs to another element than {}",
                    variant.name()
                ));
            }
            if variant.can_have(&state.contacts) {
                Ok(state)
            } else {
                Err(impossible())
            }
        };
        unseal(bytes).and_then(read).map_err(|why| {
            InputError::new(format!(
                "{why}; pass the unchanged bytes that fmi2SerializeFMUstate of the same element \
                 and version wrote"
            ))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::calling_sequence::InstanceState;
    use crate::clock::Clock;
    use bristle::catalogue::ELEMENTS;
    use bristle::coupling;
    use bristle::element::{F_N, F_OFFSET, RADIUS, V};
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
                clock: Clock {
                    sum: 2e-3,
                    remainder: 1e-19,
                    steps: 2.0,
                },
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
    fn impossible_values_are_refused_even_with_a_right_checksum() {
        let refuse = |spoil: fn(&mut FmuState)| {
            let mut impossible = state();
            spoil(&mut impossible);
            let refusal = FmuState::deserialize(&impossible.serialize(), variant()).unwrap_err();
            assert!(refusal.sentence.contains("no state can have"), "{refusal}");
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
        refuse(|state| {
            state
                .contacts
                .contacts
                .push(state.contacts.contacts[0].clone())
        });
        refuse(|state| state.contacts.plate = Some(Default::default()));
        refuse(|state| state.contacts.system = Some(Default::default()));
    }

    #[test]
    fn state_of_another_element_is_refused() {
        let mut other = variant().clone();
        other.fingerprint ^= 1;
        let refusal = FmuState::deserialize(&bytes(), &other).unwrap_err();
        assert!(
            refusal.sentence.contains("belongs to another element than"),
            "{refusal}"
        );
    }

    #[test]
    fn state_before_the_first_step_comes_back() {
        let first = FmuState {
            lifecycle: Lifecycle::START,
            ..state()
        };
        assert_eq!(
            FmuState::deserialize(&first.serialize(), variant()),
            Ok(first)
        );
    }

    #[test]
    fn bytes_after_the_state_are_refused_even_with_a_right_checksum() {
        struct WithByte;
        impl SavedState for WithByte {
            fn write(&self, writer: &mut Writer) {
                state().write(writer);
                writer.bytes(&[0]);
            }
            fn read(_: &mut Reader) -> Option<Self> {
                None
            }
        }
        let refusal = FmuState::deserialize(&seal(&WithByte), variant()).unwrap_err();
        assert!(refusal.sentence.contains("no state can have"), "{refusal}");
    }

    #[test]
    fn truncated_bytes_are_refused() {
        let bytes = bytes();
        for length in [0, 1, 16, bytes.len() - 16, bytes.len() - 1] {
            let refusal = FmuState::deserialize(&bytes[..length], variant()).unwrap_err();
            assert!(
                refusal.sentence.contains("pass the unchanged bytes"),
                "{length} bytes: {refusal}"
            );
        }
    }
}
