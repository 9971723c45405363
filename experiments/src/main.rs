//! Runs the experiments on the packaged FMUs, whose folder the environment names; the commands of
//! `cargo xtask` start it.

use anyhow::{Context, Result, bail};
use bristle_experiments::{
    choosing, compare, coupling, creep, figures, motions, numbers, references,
};
use std::path::PathBuf;

fn main() -> Result<()> {
    let mut parser = lexopt::Parser::from_env();
    let mut word = |what: &str| -> Result<String> {
        match parser.next()? {
            Some(lexopt::Arg::Value(word)) => Ok(word.to_string_lossy().into_owned()),
            _ => bail!("name {what}"),
        }
    };
    let name = word("an experiment")?;
    let mut path = || word("the file or folder of the results").map(PathBuf::from);
    match name.as_str() {
        "bristle" => choosing::command(),
        "compare" => compare::command(&path()?),
        "coupling" => coupling::command(&path()?),
        "creep" => creep::command(&path()?),
        "creep-page" => creep::page_command(&path()?),
        "figures" => figures::command(&path()?),
        "motions" => motions::command(),
        "numbers" => numbers::command(),
        "references" => references::command(),
        other => bail!("{other} is no experiment of src/main.rs"),
    }
    .context(name)
}
