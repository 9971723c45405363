//! Names of variables that are made while the program runs.

use std::collections::BTreeSet;
use std::sync::{Mutex, OnceLock, PoisonError};

/// Names of a batch. A batch is moved into its place by value: a larger one would need more of the
/// stack of `fmi2Instantiate`.
const COUNT: usize = 64;
/// Room for the text of a batch, bytes: 32 for each name. Longer ones go to the heap.
const TEXT: usize = 32 * COUNT;
/// Most batches: those of 64 contacts with 64 variables.
const BATCHES: usize = 64;

/// Names of some variables of one card, without memory of their own on the heap.
struct Batch {
    text: [u8; TEXT],
    /// End of each name in the text.
    ends: [u16; COUNT],
    count: usize,
}

impl Batch {
    /// These names; none where there is no room for them.
    fn of(names: &[String]) -> Option<Self> {
        let mut batch = Batch {
            text: [0; TEXT],
            ends: [0; COUNT],
            count: 0,
        };
        let mut start = 0;
        for name in names {
            let end = start + name.len();
            batch
                .text
                .get_mut(start..end)?
                .copy_from_slice(name.as_bytes());
            *batch.ends.get_mut(batch.count)? = end as u16;
            (start, batch.count) = (end, batch.count + 1);
        }
        Some(batch)
    }

    /// Names as the batch holds them; `None` where it holds others.
    fn find(&self, names: &[String]) -> Option<Vec<&str>> {
        let mut start = 0;
        let known = self.ends[..self.count].iter().map(|&end| {
            let name = &self.text[start..usize::from(end)];
            start = usize::from(end);
            core::str::from_utf8(name).ok()
        });
        let known: Vec<&str> = known.collect::<Option<_>>()?;
        (known == names).then_some(known)
    }
}

/// Names that live as long as the program: those of contacts come from a card, and declarations
/// borrow theirs.
///
/// The names of the first card lie in statics, which go with a library that is unloaded. The
/// library of an FMU has one card. Those of further cards are kept once each.
pub(crate) fn intern(names: &[String]) -> Vec<&'static str> {
    static FIRST: [OnceLock<Option<Batch>>; BATCHES] = [const { OnceLock::new() }; BATCHES];
    let parts = names.chunks(COUNT).enumerate();
    let of_part = |(place, part): (usize, &[String])| {
        let first = FIRST
            .get(place)
            .and_then(|place| place.get_or_init(|| Batch::of(part)).as_ref());
        let known = first.and_then(|first| first.find(part));
        known.unwrap_or_else(|| part.iter().map(|name| kept(name)).collect())
    };
    parts.flat_map(of_part).collect()
}

/// A text that is never freed, kept once.
pub(crate) fn kept(name: &str) -> &'static str {
    static NAMES: Mutex<BTreeSet<&'static str>> = Mutex::new(BTreeSet::new());
    let mut names = NAMES.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(known) = names.get(name) {
        return known;
    }
    let name: &'static str = Box::leak(name.into());
    names.insert(name);
    name
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(of: &[&str]) -> Vec<String> {
        of.iter().map(|name| (*name).to_owned()).collect()
    }

    #[test]
    fn batch_has_its_own_names_and_no_others() {
        let own = names(&["F_N[1]", "", "Δv", "F_N[2]"]);
        let batch = Batch::of(&own).unwrap();
        assert_eq!(batch.find(&own).unwrap(), ["F_N[1]", "", "Δv", "F_N[2]"]);
        assert!(
            batch.find(&own[..3]).is_none()
                && batch
                    .find(&names(&["F_N[1]", "", "Δv", "F_N[3]"]))
                    .is_none()
        );
    }

    #[test]
    fn names_beyond_the_room_of_a_batch_are_kept_on_the_heap() {
        assert!(
            Batch::of(&names(&["a"; COUNT])).is_some()
                && Batch::of(&names(&["a"; COUNT + 1])).is_none()
        );
        assert!(
            Batch::of(&["a".repeat(TEXT)]).is_some()
                && Batch::of(&["a".repeat(TEXT + 1)]).is_none()
        );
        let long = names(&["a"; COUNT + 1]);
        assert_eq!(intern(&long), long);
        let [first, again] = [(); 2].map(|()| intern(&["b".repeat(TEXT + 1)])[0].as_ptr());
        assert_eq!(first, again);
    }
}
