//! Programs that commands need beside Rust: all that are missing are named at once, before work begins.

use std::process::{Command, Stdio};

use anyhow::{Result, bail};

/// A program that a command needs beside Rust.
#[derive(Clone, Copy)]
pub enum Tool {
    /// Counts instructions, and finds wrong reads and writes.
    Valgrind,
    /// Compiles the programs of `tests/c`.
    CCompiler,
}

impl Tool {
    /// A sentence with the way to get the tool, where it is missing.
    pub fn missing(self) -> Option<String> {
        let (program, sentence) = match self {
            Tool::Valgrind => {
                ("valgrind", "Valgrind is missing; install it, on Debian with `apt-get install valgrind`")
            }
            Tool::CCompiler => {
                ("cc", "the C compiler cc is missing; install one, on Debian with `apt-get install gcc libc6-dev`")
            }
        };
        let answer = Command::new(program).arg("--version").stdout(Stdio::null()).stderr(Stdio::null()).status();
        if answer.is_ok_and(|status| status.success()) { None } else { Some(sentence.to_owned()) }
    }
}

/// An error that names every one of these tools that is missing.
pub fn require(tools: &[Tool]) -> Result<()> {
    refuse(tools.iter().filter_map(|tool| tool.missing()).collect())
}

/// An error of the sentences about missing tools, if there are any.
pub fn refuse(missing: Vec<String>) -> Result<()> {
    match &missing[..] {
        [] => Ok(()),
        [one] => bail!("{one}"),
        several => bail!("{} tools are missing:\n  - {}", several.len(), several.join("\n  - ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_missing_tools_are_named_at_once() {
        assert!(refuse(vec![]).is_ok());
        let error = refuse(vec!["a is missing".to_owned(), "b is missing".to_owned()]).unwrap_err().to_string();
        assert_eq!(error, "2 tools are missing:\n  - a is missing\n  - b is missing");
    }
}
