//! The stages of a long command, numbered on the standard output: `3 of 7  …`.

use std::sync::atomic::{AtomicUsize, Ordering};

use crate::console::say;

/// A count of stages, shared by threads.
pub struct Progress {
    total: usize,
    begun: AtomicUsize,
}

impl Progress {
    /// Progress of a command with this many stages.
    pub fn new(total: usize) -> Self {
        Progress {
            total,
            begun: AtomicUsize::new(0),
        }
    }

    /// Prints number and name of the next stage.
    pub fn begin(&self, stage: &str) {
        let number = 1 + self.begun.fetch_add(1, Ordering::Relaxed);
        say!("{number:>2} of {}  {stage}", self.total);
    }
}
