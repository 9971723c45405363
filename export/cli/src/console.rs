//! Output: a reader that closes the pipe, as `head` does, ends the program quietly, and an output
//! that takes no more, as a full disk, ends it with one sentence. `println!` would panic in both
//! cases.

use std::io::{self, ErrorKind, Write};
use std::process::exit;

/// Exit code of a program whose reader has gone: that of a program that SIGPIPE ends (128 + 13), in
/// a shell.
const READER_GONE: i32 = 141;

/// Prints a text that brings its own line ends.
pub fn text(text: &str) {
    let mut stdout = io::stdout().lock();
    let Err(error) = stdout
        .write_all(text.as_bytes())
        .and_then(|()| stdout.flush())
    else {
        return;
    };
    if error.kind() == ErrorKind::BrokenPipe {
        exit(READER_GONE);
    }
    complain(&format!("error: cannot print: {error}"));
    exit(1);
}

/// Prints a line.
pub fn line(line: impl std::fmt::Display) {
    text(&format!("{line}\n"));
}

/// Prints a line to the standard error. One that cannot be written is lost: there is nowhere left
/// to report it.
pub fn complain(text: &str) {
    let _ = writeln!(io::stderr(), "{text}");
}
