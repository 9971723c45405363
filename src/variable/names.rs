//! Names of variables that are made while the program runs.

use std::collections::BTreeSet;
use std::sync::{Mutex, OnceLock, PoisonError};

/// Room for the names of one card, bytes: 64 contacts with the 45 variables of the largest law and 18 bytes a name. Longer ones go to the heap.
const TEXT: usize = 52 * 1024;
/// Most names of a batch: 64 contacts with 64 variables.
const COUNT: usize = 4096;

/// Names of the variables of one card, without memory of their own on the heap.
struct Batch {
    text: [u8; TEXT],
    /// End of each name in the text.
    ends: [u16; COUNT],
    count: usize,
}

impl Batch {
    /// These names; none where there is no room for them.
    fn of(names: &[String]) -> Option<Self> {
        let mut batch = Batch { text: [0; TEXT], ends: [0; COUNT], count: 0 };
        let mut start = 0;
        for name in names {
            let end = start + name.len();
            batch.text.get_mut(start..end)?.copy_from_slice(name.as_bytes());
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

/// Names that live as long as the program: those of contacts come from a card, and declarations borrow theirs.
///
/// The names of the first card lie in a static, which goes with a library that is unloaded. The library of an FMU has one card. Those of
/// further cards are kept once each.
pub(crate) fn intern(names: Vec<String>) -> Vec<&'static str> {
    static FIRST: OnceLock<Batch> = OnceLock::new();
    if names.is_empty() {
        return Vec::new();
    }
    let first = FIRST.get().or_else(|| Batch::of(&names).map(|batch| FIRST.get_or_init(|| batch)));
    first.and_then(|first| first.find(&names)).unwrap_or_else(|| names.into_iter().map(on_heap).collect())
}

/// A name that is never freed.
fn on_heap(name: String) -> &'static str {
    static NAMES: Mutex<BTreeSet<&'static str>> = Mutex::new(BTreeSet::new());
    let mut names = NAMES.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(known) = names.get(name.as_str()) {
        return known;
    }
    let name: &'static str = Box::leak(name.into_boxed_str());
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
        assert!(batch.find(&own[..3]).is_none() && batch.find(&names(&["F_N[1]", "", "Δv", "F_N[3]"])).is_none());
    }

    #[test]
    fn names_beyond_the_room_of_a_batch_are_kept_on_the_heap() {
        assert!(Batch::of(&names(&["a"; COUNT])).is_some() && Batch::of(&names(&["a"; COUNT + 1])).is_none());
        assert!(Batch::of(&["a".repeat(TEXT)]).is_some() && Batch::of(&["a".repeat(TEXT + 1)]).is_none());
        let long = names(&["a"; COUNT + 1]);
        assert_eq!(intern(long.clone()), long);
        let [first, again] = [(); 2].map(|()| intern(vec!["b".repeat(TEXT + 1)])[0].as_ptr());
        assert_eq!(first, again);
    }
}
