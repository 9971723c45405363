//! Names of variables that are made while the program runs.

use std::collections::BTreeSet;
use std::sync::{Mutex, PoisonError};

/// A name that lives as long as the program, each one once: those of contacts come from a card, and declarations borrow theirs.
pub(crate) fn intern(name: String) -> &'static str {
    static NAMES: Mutex<BTreeSet<&'static str>> = Mutex::new(BTreeSet::new());
    let mut names = NAMES.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(known) = names.get(name.as_str()) {
        return known;
    }
    let name: &'static str = Box::leak(name.into_boxed_str());
    names.insert(name);
    name
}
