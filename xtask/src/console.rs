//! Output of every command.

/// Prints a line as `println!` does, but ends the program quietly where its reader has gone, as
/// `head` does.
macro_rules! say {
    ($($argument:tt)*) => {{
        use ::std::io::Write;
        if ::std::writeln!(::std::io::stdout(), $($argument)*).is_err() {
            ::std::process::exit(1);
        }
    }};
}
pub(crate) use say;
