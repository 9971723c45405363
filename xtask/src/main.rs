//! The exporter and the project's chores: one plain program, one file per command, all output below `target/` or
//! `docs/figures/`. What an element looks like it learns from the catalogue in `bristle`, never from the FMU's code.

mod bench;
mod experiment;
mod figures;
mod list;
mod package;
mod plot;
mod test;
mod typeset;
mod workspace;

use std::process::ExitCode;

use anyhow::{Result, bail};
use lexopt::Arg::{Long, Short, Value};

const HELP: &str = "\
cargo xtask COMMAND

  package [ELEMENT…] [--out DIR]  exports elements as FMUs, all of them into target/fmu unless told otherwise
  list                            the elements of the catalogue
  test                            checks everything the project claims
  bench                           packages, then measures the FMUs
  figures                         draws the pictures of docs/figures
  help                            this page
";

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn run() -> Result<()> {
    let arguments = Arguments::read(lexopt::Parser::from_env())?;
    match arguments.command.as_str() {
        "package" => return package::command(&arguments.elements, arguments.out.as_deref()),
        _ if !arguments.elements.is_empty() || arguments.out.is_some() => {
            bail!("only `package` takes elements and --out; call `cargo xtask {}` alone", arguments.command)
        }
        "list" => list::command(),
        "test" => return test::command(),
        "bench" => return bench::command(),
        "figures" => return figures::command(),
        "help" => print!("{HELP}"),
        unknown => bail!("there is no command `{unknown}`; `cargo xtask help` lists those there are"),
    }
    Ok(())
}

struct Arguments {
    command: String,
    elements: Vec<String>,
    out: Option<std::path::PathBuf>,
}

impl Arguments {
    fn read(mut parser: lexopt::Parser) -> Result<Self> {
        let mut arguments = Arguments { command: String::new(), elements: Vec::new(), out: None };
        while let Some(argument) = parser.next()? {
            match argument {
                Value(value) if arguments.command.is_empty() => arguments.command = text(value)?,
                Value(value) => arguments.elements.push(text(value)?),
                Long("out") => arguments.out = Some(parser.value()?.into()),
                Long("help") | Short('h') => {
                    return Ok(Arguments { command: "help".to_owned(), elements: Vec::new(), out: None });
                }
                other => bail!("{}; `cargo xtask help` shows what can be given", other.unexpected()),
            }
        }
        if arguments.command.is_empty() {
            arguments.command = "help".to_owned();
        }
        Ok(arguments)
    }
}

fn text(value: std::ffi::OsString) -> Result<String> {
    match value.into_string() {
        Ok(text) => Ok(text),
        Err(value) => bail!("{} is not UTF-8 text; give a name in plain letters", value.display()),
    }
}
