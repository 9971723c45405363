//! Files that commands write: none of the user is replaced unless `--force` says so.

use std::path::Path;

use anyhow::Result;
use bristle_export::files;
use clap::{Arg, ArgAction, ArgMatches};

/// The option `--force`.
pub fn force() -> Arg {
    Arg::new("force")
        .long("force")
        .action(ArgAction::SetTrue)
        .help("Replace files that exist")
}

/// Refuses a file that exists without `--force`.
pub fn check(path: &Path, given: &ArgMatches) -> Result<()> {
    Ok(files::refuse_existing(
        path,
        given.get_flag("force"),
        "`--force`",
    )?)
}

/// Writes a file, which must not exist without `--force`.
pub fn write(path: &Path, bytes: impl AsRef<[u8]>, given: &ArgMatches) -> Result<()> {
    check(path, given)?;
    Ok(files::write(path, bytes)?)
}
