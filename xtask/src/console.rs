//! Output of every command. A reader that closes the pipe, as `head` does, ends the program quietly; an output that takes
//! no more, as a full disk, ends it with one sentence. `println!` would panic in both cases.

use std::fmt::Arguments;
use std::io::{self, ErrorKind, IsTerminal, Read, Write};
use std::process::{Child, Command, ExitStatus, Stdio, exit};

/// Exit code of a program whose reader has gone: that of a program that SIGPIPE ends (128 + 13), in a shell.
const READER_GONE: i32 = 141;

/// Prints a line to the standard output, as `println!` does.
macro_rules! say {
    ($($argument:tt)*) => { $crate::console::line(::std::format_args!($($argument)*)) };
}
pub(crate) use say;

/// Prints a line; `say!` calls it.
pub fn line(text: Arguments) {
    if cfg!(test) {
        // The harness captures it, and shows it where a test fails.
        #[allow(clippy::print_stdout)]
        return println!("{text}");
    }
    let mut stdout = io::stdout().lock();
    ensure_printed(stdout.write_fmt(text).and_then(|()| stdout.write_all(b"\n")).and_then(|()| stdout.flush()));
}

/// Prints a text that brings its own line ends.
pub fn text(text: &str) {
    ensure_printed(print(text.as_bytes()));
}

/// Prints a line to the standard error. One that cannot be written is lost: there is nowhere left to report it.
pub fn complain(text: &str) {
    let _ = writeln!(io::stderr(), "{text}");
}

/// Runs a command whose output passes to this program's.
///
/// On a terminal the command writes by itself. Into a pipe or a file its output goes through this program, so that a reader
/// that has gone ends both quietly, whatever the command does about it.
pub fn run(command: &mut Command) -> io::Result<ExitStatus> {
    if io::stdout().is_terminal() {
        return command.status();
    }
    let mut child = command.stdout(Stdio::piped()).spawn()?;
    if let Err(error) = pass_on(&mut child) {
        // Programs that the command started may write to this pipe until they end; closed early, it would make them panic.
        let _ = child.kill();
        let _ = child.stdout.take().map(|mut rest| io::copy(&mut rest, &mut io::sink()));
        ensure_printed(Err(error));
    }
    child.wait()
}

/// Copies the output of a command until it ends; an error is one of this program's own output.
fn pass_on(child: &mut Child) -> io::Result<()> {
    let Some(output) = &mut child.stdout else { return Ok(()) };
    let mut buffer = [0; 8192];
    loop {
        match output.read(&mut buffer) {
            Ok(0) => return Ok(()),
            Ok(length) => print(&buffer[..length])?,
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            // The exit status has the result of the command.
            Err(_) => return Ok(()),
        }
    }
}

fn print(bytes: &[u8]) -> io::Result<()> {
    let mut stdout = io::stdout().lock();
    stdout.write_all(bytes)?;
    stdout.flush()
}

/// Ends the program where its output cannot be written.
fn ensure_printed(written: io::Result<()>) {
    let Err(error) = written else { return };
    if error.kind() == ErrorKind::BrokenPipe {
        exit(READER_GONE);
    }
    complain(&format!("error: cannot print: {error}"));
    exit(1);
}
