//! Law of an element whose parameters or measured characteristic differ by direction.

use super::Element;
use crate::characteristic::Signed;
use crate::law::Law;
use crate::variable::{BACKWARD, InputError, Values, slot};
use core::ptr;

impl<L: Law<N>, const N: usize> Element<L, N> {
    /// The law with these parameters, and the element's measured characteristic.
    pub(super) fn law(&self, values: &Values) -> Result<L, InputError> {
        let Signed { forward, backward } = self.measured;
        let along = L::new(values, forward).map_err(|error| self.by_direction(error, 0))?;
        if self.directed.is_empty() && forward.map(ptr::from_ref) == backward.map(ptr::from_ref) {
            return Ok(along);
        }
        let mut values = *values;
        for &reference in &self.directed {
            values.0[slot(reference)] = values.0[slot(reference + BACKWARD)];
        }
        let against = L::new(&values, backward).map_err(|error| self.by_direction(error, 1))?;
        along.signed(against)
    }

    /// A refusal with the names of the parameters of this direction, 0 forward and 1 backward.
    fn by_direction(&self, InputError(sentence): InputError, direction: usize) -> InputError {
        let is_of_name = |c: char| c.is_ascii_alphanumeric() || c == '_';
        let named = |word: &str| {
            let pairs = L::METADATA
                .directed
                .iter()
                .filter(|[forward, _]| self.directed.contains(&forward.reference));
            let mut names = pairs.map(|pair| pair[direction].name);
            names
                .find(|name| name.rsplit_once('_').is_some_and(|(name, _)| name == word))
                .map(str::to_owned)
        };
        let words = sentence.split_inclusive(|c| !is_of_name(c)).map(|piece| {
            let word = piece.trim_end_matches(|c| !is_of_name(c));
            named(word).map_or_else(|| piece.to_owned(), |name| name + &piece[word.len()..])
        });
        InputError(words.collect())
    }
}
