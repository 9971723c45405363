//! The program `bristle`.

use std::process::ExitCode;

fn main() -> ExitCode {
    bristle_cli::main(std::env::args_os()).into()
}
