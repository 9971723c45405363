//! Reading and writing of files. Each file is written under a temporary name in its own folder and renamed when it is
//! complete, so that a full disk or Ctrl-C neither leaves half a file nor destroys the one before.

use std::fs::{self, File};
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};

/// The ending of a temporary name. No importer takes such a file for an FMU.
const UNFINISHED: &str = ".unfinished";

/// Reads a file.
pub fn read(path: &Path) -> Result<Vec<u8>> {
    fs::read(path).with_context(|| format!("cannot read {}", path.display()))
}

/// Reads a file of text.
pub fn read_text(path: &Path) -> Result<String> {
    String::from_utf8(read(path)?).with_context(|| format!("{} is not UTF-8 text", path.display()))
}

/// Writes a file, whole or not at all.
pub fn write(path: &Path, bytes: impl AsRef<[u8]>) -> Result<()> {
    replace(path, |file| file.write_all(bytes.as_ref())).with_context(|| format!("cannot write {}", path.display()))
}

/// Copies a file, whole or not at all.
pub fn copy(from: &Path, to: &Path) -> Result<()> {
    write(to, read(from)?)
}

/// Makes a folder, with all above it, where it is missing.
pub fn make_folder(path: &Path) -> Result<()> {
    fs::create_dir_all(path).with_context(|| format!("cannot make {}", path.display()))
}

/// Makes a folder for results where it is missing; an error if no file can be written to it.
pub fn make_writable_folder(path: &Path) -> Result<()> {
    make_folder(path)?;
    let probe = path.join(format!(".{}{UNFINISHED}", std::process::id()));
    let written = File::create(&probe).with_context(|| format!("cannot write to {}", path.display()));
    let _ = fs::remove_file(probe);
    written.map(drop)
}

/// Removes a folder with all that is in it, if it is there.
pub fn remove_folder(path: &Path) -> Result<()> {
    match fs::remove_dir_all(path) {
        Err(error) if error.kind() != ErrorKind::NotFound => {
            bail!("cannot remove {}: {error}; remove it by hand", path.display())
        }
        _ => Ok(()),
    }
}

/// Writes a file under a temporary name and renames it where all of it is on the disk.
fn replace(path: &Path, write: impl FnOnce(&mut File) -> std::io::Result<()>) -> Result<()> {
    let (folder, prefix) = temporary(path)?;
    remove_stale(&folder, &prefix);
    let unfinished = folder.join(format!("{prefix}{}{UNFINISHED}", std::process::id()));
    let written = File::create(&unfinished).and_then(|mut file| {
        // Held until the file is closed, by whatever end: a file that nobody locks is stale.
        let _ = file.try_lock();
        write(&mut file)?;
        file.sync_all()?;
        fs::rename(&unfinished, path)
    });
    if written.is_err() {
        let _ = fs::remove_file(&unfinished);
    }
    Ok(written?)
}

/// The folder of a file's temporary name and how that name begins; the process and `UNFINISHED` end it.
fn temporary(path: &Path) -> Result<(PathBuf, String)> {
    let name = path.file_name().context("the path has no file name")?;
    let folder = path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
    Ok((folder.to_owned(), format!(".{}.", name.display())))
}

/// Removes what an interrupted run left of a file. A file that another process is writing now is locked and stays.
fn remove_stale(folder: &Path, prefix: &str) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        if name.starts_with(prefix) && name.ends_with(UNFINISHED) {
            let is_stale = File::open(entry.path()).is_ok_and(|file| file.try_lock().is_ok());
            if is_stale {
                let _ = fs::remove_file(entry.path());
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn folder(name: &str) -> PathBuf {
        let folder = std::env::temp_dir().join(format!("bristle-files-{name}-{}", std::process::id()));
        remove_folder(&folder).unwrap();
        make_folder(&folder).unwrap();
        folder
    }

    fn names(folder: &Path) -> Vec<String> {
        let mut names: Vec<_> =
            fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().display().to_string()).collect();
        names.sort();
        names
    }

    #[test]
    fn failed_write_keeps_the_old_file_and_leaves_no_other() {
        let folder = folder("failed");
        let path = folder.join("A.fmu");
        write(&path, "good").unwrap();
        let full_disk = |file: &mut File| {
            file.write_all(b"ha")?;
            Err(ErrorKind::StorageFull.into())
        };
        assert!(replace(&path, full_disk).is_err());
        assert_eq!(read(&path).unwrap(), b"good");
        assert_eq!(names(&folder), ["A.fmu"]);
        write(&path, "better").unwrap();
        assert_eq!(read_text(&path).unwrap(), "better");
        remove_folder(&folder).unwrap();
    }

    #[test]
    fn unfinished_file_of_an_interrupted_run_is_removed_and_that_of_a_running_one_stays() {
        let folder = folder("stale");
        let [stale, busy] = [".A.fmu.1.unfinished", ".A.fmu.2.unfinished"].map(|name| folder.join(name));
        fs::write(&stale, "ha").unwrap();
        let other = File::create(&busy).unwrap();
        other.lock().unwrap();
        write(&folder.join("A.fmu"), "good").unwrap();
        assert_eq!(names(&folder), [".A.fmu.2.unfinished", "A.fmu"]);
        drop(other);
        write(&folder.join("A.fmu"), "good").unwrap();
        assert_eq!(names(&folder), ["A.fmu"]);
        remove_folder(&folder).unwrap();
    }

    #[test]
    fn path_without_a_folder_or_a_name_is_no_panic() {
        assert!(write(Path::new("/"), "").is_err());
        assert_eq!(temporary(Path::new("A.fmu")).unwrap(), (PathBuf::from("."), ".A.fmu.".to_owned()));
    }
}
