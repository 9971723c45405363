//! Law of an element whose parameters or measured characteristic differ by direction.

use super::Element;
use crate::characteristic::Signed;
use crate::law::Law;
use crate::variable::{BACKWARD, InputError, Values, slot};
use core::ptr;

impl<L: Law<N>, const N: usize> Element<L, N> {
    /// The law with these parameters, and the element's measured characteristic.
    pub(super) fn law(&self, values: &Values) -> Result<L, InputError> {
        self.law_of(values)
            .map_err(|refusal| self.in_words_of_card(refusal))
    }

    /// A refusal of the law in the words of the card.
    pub(super) fn in_words_of_card(&self, refusal: InputError) -> InputError {
        match &self.options.joint {
            Some(joint) => joint.refusal(refusal),
            None => refusal,
        }
    }

    fn law_of(&self, values: &Values) -> Result<L, InputError> {
        if let Some(source) = &self.options.source {
            source.check(values)?;
        }
        let Signed { forward, backward } = self.options.measured;
        let along = L::new(values, forward).map_err(|error| self.by_direction(error, 0))?;
        if self.options.directed.is_empty()
            && forward.map(ptr::from_ref) == backward.map(ptr::from_ref)
        {
            return Ok(along);
        }
        let mut values = *values;
        for &reference in &self.options.directed {
            values.0[slot(reference)] = values.0[slot(reference + BACKWARD)];
        }
        let against = L::new(&values, backward).map_err(|error| self.by_direction(error, 1))?;
        along.signed(against)
    }

    /// A refusal in one direction, 0 forward and 1 backward, with the keys of its parameters.
    fn by_direction(&self, error: InputError, direction: usize) -> InputError {
        let directed = L::METADATA
            .directed
            .iter()
            .filter(|[forward, _]| self.options.directed.contains(&forward.reference));
        let (mut keys, mut own) = (error.keys, Vec::new());
        for name in directed.map(|pair| pair[direction].name) {
            let both =
                |key: &&mut &str| name.rsplit_once('_').is_some_and(|(both, _)| both == **key);
            if let Some(key) = keys.iter_mut().find(both) {
                *key = name;
                own.push(name);
            }
        }
        let side = if direction == 0 { "v > 0" } else { "v < 0" };
        let sentence = if own.is_empty() {
            error.sentence
        } else {
            format!("for {side} ({}): {}", own.join(", "), error.sentence)
        };
        InputError { sentence, keys }
    }
}
