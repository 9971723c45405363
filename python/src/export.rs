//! Export of cards as FMUs, and the command `bristle`.

use std::ffi::OsString;
use std::path::PathBuf;

use bristle_export::{files, platform};
use pyo3::exceptions::PyOSError;
use pyo3::prelude::*;

use crate::card::{Card, resolve};
use crate::errors::{Error, refused};
use crate::files::refuse_existing;

/// Writes the FMU of a card and returns its path.
///
/// card: a Card, the name of a law, or the path of a card in TOML. path: a file that ends in .fmu,
/// or a folder, which is made where it is missing and gets NAME.fmu. platforms: names of platforms
/// ("linux64", "win64", "darwin64", "aarch64-linux", "linux32", "win32"); all that the package has
/// libraries for unless given.
///
/// sources: add C source for importers that compile it; without libraries unless platforms are
/// named.
///
/// force: replace a file that exists; an FMU of Bristle is replaced without.
///
/// One file serves Co-Simulation and Model Exchange (FMI 2.0). No compiler is needed.
#[pyfunction]
#[pyo3(signature = (card, path = PathBuf::from("."), platforms = None, force = false, sources = false))]
pub fn export(
    py: Python<'_>,
    card: &Bound<'_, PyAny>,
    path: PathBuf,
    platforms: Option<Vec<String>>,
    force: bool,
    sources: bool,
) -> PyResult<PathBuf> {
    let element = resolve(card)?;
    let platforms = platforms.unwrap_or_default();
    let platforms = platforms
        .iter()
        .map(|name| platform::find(name))
        .collect::<Result<Vec<_>, _>>()
        .map_err(refused)?;
    py.detach(|| {
        let is_file = path.extension().is_some_and(|extension| extension == "fmu");
        let (folder, file) = if is_file {
            let parent = path
                .parent()
                .filter(|parent| !parent.as_os_str().is_empty());
            (parent.unwrap_or(".".as_ref()).to_owned(), path.clone())
        } else {
            (path.clone(), path.join(format!("{}.fmu", element.name())))
        };
        if bristle_cli::card_of_fmu(&file).is_err() {
            refuse_existing(file.clone(), force)?;
        }
        let exporter = bristle_cli::exporter(&platforms, sources)
            .map_err(|error| Error::new_err(error.to_string()))?;
        let bytes = exporter
            .export(&element)
            .map_err(|error| Error::new_err(error.to_string()))?;
        let failed = |error: bristle_export::Error| PyOSError::new_err(error.to_string());
        files::make_writable_folder(&folder).map_err(failed)?;
        files::write(&file, bytes).map_err(failed)?;
        Ok(file)
    })
}

/// Card of an FMU that Bristle made, or of a card in TOML. `print(bristle.show("FrontPad.fmu"))`
/// prints it.
#[pyfunction]
pub fn show(path: PathBuf) -> PyResult<Card> {
    let element = Python::attach(|py| resolve(path.into_pyobject(py)?.as_any()))?;
    Ok(Card { variant: element })
}

/// Runs the command `bristle` with these arguments, the program's name first; returns the exit
/// code.
#[pyfunction]
pub fn main(py: Python<'_>, arguments: Vec<OsString>) -> u8 {
    py.detach(|| bristle_cli::main(arguments))
}
