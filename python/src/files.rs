//! Files of the user, which are not replaced unless the caller says so.

use std::path::PathBuf;

use bristle_export::files;
use pyo3::prelude::*;

use crate::errors::refused;

/// Refuses a path at which a file exists, unless `force` lets it be replaced, and a name that
/// differs from that of another file in capital letters only.
#[pyfunction]
#[pyo3(signature = (path, force = false))]
pub fn refuse_existing(path: PathBuf, force: bool) -> PyResult<()> {
    files::refuse_existing(&path, force, "`force=True`").map_err(refused)
}
