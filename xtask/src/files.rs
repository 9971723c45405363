//! Reading, copying and removing of files, with errors that name the path.

use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use bristle_export::files;

/// Writes a file, whole or not at all.
pub fn write(path: &Path, bytes: impl AsRef<[u8]>) -> Result<()> {
    Ok(files::write(path, bytes)?)
}

/// Writes a file by its path below a folder, and makes the folders in between.
pub fn write_below(folder: &Path, path: &str, bytes: impl AsRef<[u8]>) -> Result<()> {
    let path = folder.join(path);
    make_folder(path.parent().context("a file lies in a folder")?)?;
    write(&path, bytes)
}

/// Reads a file.
pub fn read(path: &Path) -> Result<Vec<u8>> {
    fs::read(path).with_context(|| format!("cannot read {}", path.display()))
}

/// Size of a file, bytes.
pub fn size(path: &Path) -> Result<u64> {
    let metadata = fs::metadata(path).with_context(|| format!("{} is missing", path.display()))?;
    Ok(metadata.len())
}

/// Reads a file of text.
pub fn read_text(path: &Path) -> Result<String> {
    String::from_utf8(read(path)?).with_context(|| format!("{} is not UTF-8 text", path.display()))
}

/// Copies a file, whole or not at all.
pub fn copy(from: &Path, to: &Path) -> Result<()> {
    write(to, read(from)?)
}

/// Makes a folder, with all above it, where it is missing.
pub fn make_folder(path: &Path) -> Result<()> {
    fs::create_dir_all(path).with_context(|| format!("cannot make {}", path.display()))
}

/// Files and folders in a folder, sorted; without hidden ones, `target` and virtual environments.
pub fn entries(folder: &Path) -> Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    for entry in
        fs::read_dir(folder).with_context(|| format!("cannot list {}", folder.display()))?
    {
        let path = entry?.path();
        let name = path.file_name().unwrap_or_default();
        let name = name.to_string_lossy().into_owned();
        let is_made = name.starts_with('.') && name != ".github"
            || name == "target"
            || name == "__pycache__"
            || name.starts_with("venv");
        if !is_made {
            found.push(path);
        }
    }
    found.sort();
    Ok(found)
}

/// Files in a folder and all below it, sorted, of the entries that [`entries`] has.
pub fn all_below(folder: &Path) -> Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    for path in entries(folder)? {
        if path.is_dir() {
            found.extend(all_below(&path)?);
        } else {
            found.push(path);
        }
    }
    found.sort();
    Ok(found)
}

/// Files with this extension in a folder and all below it, sorted, of the entries that [`entries`]
/// has.
pub fn below(folder: &Path, extension: &str) -> Result<Vec<PathBuf>> {
    let mut found = all_below(folder)?;
    found.retain(|path| path.extension().is_some_and(|given| given == extension));
    Ok(found)
}

/// Removes a folder with its content, if it is there.
pub fn remove_folder(path: &Path) -> Result<()> {
    match fs::remove_dir_all(path) {
        Err(error) if error.kind() != ErrorKind::NotFound => {
            bail!(
                "cannot remove {}: {error}; remove it by hand",
                path.display()
            )
        }
        _ => Ok(()),
    }
}
