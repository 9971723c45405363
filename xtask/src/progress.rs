//! The stages of a long command, numbered on the standard output: `3 of 7  …`.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

use crate::console::say;

/// A count of stages, shared by threads.
pub struct Progress {
    total: usize,
    begun: AtomicUsize,
    start: Instant,
}

impl Progress {
    /// Starts the clock of a command with this many stages.
    pub fn new(total: usize) -> Self {
        Progress { total, begun: AtomicUsize::new(0), start: Instant::now() }
    }

    /// Prints number and name of the next stage.
    pub fn begin(&self, stage: &str) {
        let number = 1 + self.begun.fetch_add(1, Ordering::Relaxed);
        say!("{number:>2} of {}  {stage}", self.total);
    }

    /// The time since the start, for a closing summary.
    pub fn elapsed(&self) -> String {
        duration(self.start.elapsed().as_secs())
    }
}

/// A duration in words: `48 s`, `12 min`.
pub fn duration(seconds: u64) -> String {
    if seconds < 120 { format!("{seconds} s") } else { format!("{} min", (seconds + 30) / 60) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn duration_is_in_seconds_below_two_minutes_and_in_minutes_above() {
        assert_eq!([0, 119, 120, 149, 150, 3600].map(duration), ["0 s", "119 s", "2 min", "2 min", "3 min", "60 min"]);
    }
}
