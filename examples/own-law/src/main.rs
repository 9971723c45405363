//! Exports the law: `cargo run --release` makes `StribeckEyring.fmu` in the folder that is named,
//! or in this one.

use bristle_export::{Exporter, files, platform};
use std::env::{self, consts};
use std::path::PathBuf;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    // Cargo builds the shared library beside this program.
    let library = env::current_exe()?.with_file_name(format!(
        "{}own_law{}",
        consts::DLL_PREFIX,
        consts::DLL_SUFFIX
    ));
    let mut exporter = Exporter::new();
    exporter.add_library(platform::host()?, &std::fs::read(library)?)?;
    let folder = PathBuf::from(env::args_os().nth(1).unwrap_or_else(|| ".".into()));
    for model in &own_law::MODELS {
        let path = folder.join(format!("{}.fmu", model.metadata.name));
        files::write(&path, exporter.export(&model.stock())?)?;
        println!("{}", path.display());
    }
    Ok(())
}
