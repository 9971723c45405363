//! Calls that save, restore and serialise states.

use super::{Caller, STATES, Saved, Subject};
use crate::random_calls::model::Expected;
use crate::random_calls::numbers::odd;
use bristle_importer::calling_sequence::Call;
use bristle_importer::fmi2::{FmuState, Status};
use bristle_importer::raw;
use bristle_random::Random;
use std::ptr::null_mut;

impl Caller<'_> {
    pub(super) fn state(&mut self, subject: usize, call: Call) -> (Status, Expected, String) {
        use Call::*;
        let index = (!self.saved.is_empty()).then(|| self.random.below(self.saved.len()));
        // NULL in place of a state.
        let index = index.filter(|_| !self.random.once_in(8));
        let held = index.map_or(FmuState::NULL, |index| self.saved[index].state);
        let arguments = format!(" {index:?}");
        let of_nothing = if index.is_some() {
            Expected::Ok
        } else {
            Expected::Error
        };
        let Subject {
            instance: i, model, ..
        } = &mut self.subjects[subject];
        match call {
            GetFMUstate => {
                if let Some(index) = index {
                    let status = i.get_fmu_state(&mut self.saved[index].state);
                    self.saved[index].model = model.clone();
                    return (status, Expected::Ok, arguments);
                }
                if self.saved.len() == STATES {
                    return (
                        raw!(i, get_fmu_state, null_mut()),
                        Expected::Error,
                        " NULL".to_owned(),
                    );
                }
                let mut state = FmuState::NULL;
                let status = i.get_fmu_state(&mut state);
                self.saved.push(Saved {
                    state,
                    model: model.clone(),
                });
                (status, Expected::Ok, arguments)
            }
            SetFMUstate => {
                let expected = match index {
                    Some(index) if self.saved[index].model.interface == model.interface => {
                        Expected::Ok
                    }
                    _ => Expected::Error,
                };
                let status = i.set_fmu_state(held);
                if let (Status::OK, Some(index)) = (status, index) {
                    *model = self.saved[index].model.clone();
                }
                (status, expected, arguments)
            }
            FreeFMUstate => {
                let mut state = held;
                let status = i.free_fmu_state(&mut state);
                if let Some(index) = index {
                    self.saved.swap_remove(index);
                }
                self.claim(state == FmuState::NULL, "a freed state is NULL");
                (status, Expected::Ok, arguments)
            }
            SerializedFMUstateSize => {
                let mut size = 0;
                let status = raw!(i, serialized_fmu_state_size, held, &mut size);
                self.claim(status != Status::OK || size > 0, "a state has a size");
                (status, of_nothing, arguments)
            }
            SerializeFMUstate => {
                let (_, good) = i.serialize_fmu_state(held);
                i.take_log();
                let room = if self.random.once_in(4) {
                    self.random.below(good.len() + 1)
                } else {
                    good.len() + 3
                };
                let mut bytes = vec![0_u8; room];
                let place = if room == 0 {
                    null_mut()
                } else {
                    bytes.as_mut_ptr().cast()
                };
                let status = raw!(
                    self.subjects[subject].instance,
                    serialize_fmu_state,
                    held,
                    place,
                    room
                );
                if let (Status::OK, Some(index)) = (status, index) {
                    bytes.truncate(good.len());
                    self.claim(bytes == good, "a state has the same bytes each time");
                    if self.bytes.len() == STATES {
                        self.bytes.remove(0);
                    }
                    self.bytes.push((bytes, self.saved[index].model.clone()));
                }
                let expected = if room < good.len() {
                    Expected::Error
                } else {
                    of_nothing
                };
                (status, expected, format!("{arguments} {room}"))
            }
            _ => self.deserialize(subject, index),
        }
    }

    pub(super) fn deserialize(
        &mut self,
        subject: usize,
        index: Option<usize>,
    ) -> (Status, Expected, String) {
        let random = &mut self.random;
        let (mut bytes, mut model) = match self.bytes.len() {
            0 => (vec![0; 100], self.subjects[subject].model.clone()),
            n => self.bytes[random.below(n)].clone(),
        };
        let mut expected = if self.bytes.is_empty() {
            Expected::Error
        } else {
            Expected::Ok
        };
        let spoiling = if self.bytes.is_empty() {
            0
        } else {
            random.below(5)
        };
        match spoiling {
            1 => {
                bytes.truncate(random.below(bytes.len()));
                expected = Expected::Error;
            }
            2 => {
                let i = random.below(bytes.len());
                bytes[i] ^= 1 << random.below(8);
                expected = Expected::Error;
            }
            3 => {
                // One number changed, with a matching checksum.
                forge(&mut bytes, random);
                model.forged = true;
                expected = Expected::Either;
            }
            _ => {}
        }
        let room = self.saved.len() < STATES;
        let i = &mut self.subjects[subject].instance;
        let status = match index {
            Some(index) => {
                let status = i.deserialize_fmu_state(&bytes, &mut self.saved[index].state);
                if status == Status::OK {
                    self.saved[index].model = model;
                }
                status
            }
            None if room => {
                let mut state = FmuState::NULL;
                let status = i.deserialize_fmu_state(&bytes, &mut state);
                if status == Status::OK {
                    self.saved.push(Saved { state, model });
                }
                status
            }
            None => {
                expected = Expected::Error;
                raw!(
                    i,
                    deserialize_fmu_state,
                    bytes.as_ptr().cast(),
                    bytes.len(),
                    null_mut()
                )
            }
        };
        (
            status,
            expected,
            format!(" {} bytes, spoilt {spoiling}, to {index:?}", bytes.len()),
        )
    }
}

/// Overwrites one number of a serialised state and mends its checksum (FNV-1a), as its
/// documentation describes both.
fn forge(bytes: &mut [u8], random: &mut Random) {
    const HEAD: usize = 27;
    let body = bytes.len() - 8;
    let place = HEAD + 8 * random.below((body - HEAD) / 8);
    bytes[place..place + 8].copy_from_slice(&odd(random).to_le_bytes());
    let sum = bytes[..body]
        .iter()
        .fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
            (hash ^ u64::from(*byte)).wrapping_mul(0x0000_0100_0000_01b3)
        });
    bytes[body..].copy_from_slice(&sum.to_le_bytes());
}
