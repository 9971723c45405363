//! Arguments of the programs: words in their order.

use std::ffi::OsString;
use std::str::FromStr;

/// Words after the name of the program.
#[derive(Debug)]
pub struct Arguments {
    words: std::vec::IntoIter<OsString>,
    usage: &'static str,
}

impl Arguments {
    /// Reads the command line; `usage` is the message where a word is missing or wrong.
    pub fn read(usage: &'static str) -> Self {
        Arguments {
            words: std::env::args_os().skip(1).collect::<Vec<_>>().into_iter(),
            usage,
        }
    }

    /// The next word as a value.
    ///
    /// # Panics
    /// If it is missing or no such value.
    pub fn word<T: FromStr>(&mut self) -> T {
        let word = self
            .words
            .next()
            .and_then(|word| word.to_str()?.parse().ok());
        word.unwrap_or_else(|| panic!("usage: {}", self.usage))
    }

    /// All further words as values.
    pub fn rest<T: FromStr>(&mut self) -> Vec<T> {
        (0..self.words.len()).map(|_| self.word()).collect()
    }
}
