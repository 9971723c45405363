//! The error of the exporter.

use std::fmt::{self, Display};

/// Reason why an export failed, in one sentence that names the cause and, where there is one, the
/// remedy.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Error(String);

/// Result of an operation of the exporter.
pub type Result<T, E = Error> = std::result::Result<T, E>;

impl Error {
    /// Error with this sentence.
    pub(crate) fn new(sentence: impl Into<String>) -> Self {
        Error(sentence.into())
    }
}

impl Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Error {}

/// Turns a missing value or a foreign error into an [`Error`].
pub(crate) trait Context<T> {
    /// Puts a sentence in front of the cause.
    fn context(self, sentence: impl Display) -> Result<T>;

    /// Puts a sentence in front of the cause; `sentence` runs after a failure only.
    fn with_context(self, sentence: impl FnOnce() -> String) -> Result<T>;
}

impl<T, E: Display> Context<T> for Result<T, E> {
    fn context(self, sentence: impl Display) -> Result<T> {
        self.map_err(|cause| Error(format!("{sentence}: {cause}")))
    }

    fn with_context(self, sentence: impl FnOnce() -> String) -> Result<T> {
        self.map_err(|cause| Error(format!("{}: {cause}", sentence())))
    }
}

impl<T> Context<T> for Option<T> {
    fn context(self, sentence: impl Display) -> Result<T> {
        self.ok_or_else(|| Error(sentence.to_string()))
    }

    fn with_context(self, sentence: impl FnOnce() -> String) -> Result<T> {
        self.ok_or_else(|| Error(sentence()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cause_follows_the_sentence() {
        let cause: Result<(), _> = Err(std::fmt::Error);
        let error = cause.context("cannot write a.txt").unwrap_err();
        assert!(
            error.to_string().starts_with("cannot write a.txt: "),
            "{error}"
        );
        assert_eq!(
            None::<()>.context("no name").unwrap_err().to_string(),
            "no name"
        );
    }
}
