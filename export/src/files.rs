//! Writing of files, whole or not at all.
//!
//! A file is written under a temporary name in its own folder and renamed when it is complete, so
//! that a full disk or an interruption neither leaves half a file nor destroys the one before.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

use crate::error::{Context, Error, Result};

/// Ending of a temporary name. No importer takes such a file for an FMU.
const UNFINISHED: &str = ".unfinished";

/// Files that this process has begun to write.
static WRITTEN: AtomicU64 = AtomicU64::new(0);

/// Writes a file, whole or not at all.
pub fn write(path: &Path, bytes: impl AsRef<[u8]>) -> Result<()> {
    replace(path, |file| file.write_all(bytes.as_ref()))
        .with_context(|| format!("cannot write {}", path.display()))
}

/// Refuses a file that exists, unless it may be replaced, and a name that differs from that of
/// another file in capital letters only, which is the same file on Windows and macOS.
///
/// # Errors
///
/// A sentence with the file; `force` is the option that lets it be replaced, in the words of the
/// caller.
pub fn refuse_existing(path: &Path, may_replace: bool, force: &str) -> Result<()> {
    let Some(name) = path
        .file_name()
        .map(|name| name.to_string_lossy().into_owned())
    else {
        return Ok(());
    };
    let folder = path
        .parent()
        .filter(|parent| !parent.as_os_str().is_empty())
        .unwrap_or(Path::new("."));
    let others = fs::read_dir(folder).into_iter().flatten().flatten();
    let others: Vec<_> = others
        .map(|entry| entry.file_name().to_string_lossy().into_owned())
        .collect();
    let path = path.display();
    if others.contains(&name) {
        return match may_replace {
            true => Ok(()),
            false => Err(Error::new(format!(
                "{path} exists already; give another name, or {force} to replace it"
            ))),
        };
    }
    match others
        .iter()
        .find(|other| other.to_lowercase() == name.to_lowercase())
    {
        Some(other) => Err(Error::new(format!(
            "{path} differs from {other} in capital letters only, which is one file on Windows \
             and macOS; give another name"
        ))),
        None => Ok(()),
    }
}

/// Makes a folder for results where it is missing; an error if no file can be written to it.
pub fn make_writable_folder(path: &Path) -> Result<()> {
    fs::create_dir_all(path).with_context(|| format!("cannot make {}", path.display()))?;
    let probe = path.join(format!(".{}{UNFINISHED}", std::process::id()));
    let written =
        File::create(&probe).with_context(|| format!("cannot write to {}", path.display()));
    let _ = fs::remove_file(probe);
    written.map(drop)
}

/// Writes a file under a temporary name and renames it where all of it is on the disk.
fn replace(path: &Path, write: impl FnOnce(&mut File) -> io::Result<()>) -> io::Result<()> {
    let (folder, prefix) = temporary(path)?;
    remove_stale(&folder, &prefix);
    // No name is given twice: a process that has found this file stale never removes another one.
    let number = WRITTEN.fetch_add(1, Ordering::Relaxed);
    let unfinished = folder.join(format!(
        "{prefix}{}.{number}{UNFINISHED}",
        std::process::id()
    ));
    let written = create_locked(&unfinished).and_then(|mut file| {
        write(&mut file)?;
        file.sync_all()?;
        fs::rename(&unfinished, path)
    });
    if written.is_err() {
        let _ = fs::remove_file(&unfinished);
    }
    written
}

/// Makes a file with a lock, which holds until the file is closed, by whatever end: a file without
/// a lock is stale. Another process may remove it before it has its lock; then it is made again.
fn create_locked(path: &Path) -> io::Result<File> {
    loop {
        let file = File::create(path)?;
        if file.lock().is_err() || path.exists() {
            return Ok(file);
        }
    }
}

/// Folder of a file's temporary name and the beginning of that name; process, number and
/// `UNFINISHED` end it.
fn temporary(path: &Path) -> io::Result<(PathBuf, String)> {
    let name = path
        .file_name()
        .ok_or_else(|| io::Error::other("the path has no file name"))?;
    let folder = path
        .parent()
        .filter(|parent| !parent.as_os_str().is_empty())
        .unwrap_or(Path::new("."));
    Ok((folder.to_owned(), format!(".{}.", name.display())))
}

/// Removes unfinished files of an interrupted run. A file that another process is writing now is
/// locked and stays.
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
    use std::io::ErrorKind;

    fn folder(name: &str) -> PathBuf {
        let folder =
            std::env::temp_dir().join(format!("bristle-files-{name}-{}", std::process::id()));
        let _ = fs::remove_dir_all(&folder);
        make_writable_folder(&folder).unwrap();
        folder
    }

    fn names(folder: &Path) -> Vec<String> {
        let mut names: Vec<_> = fs::read_dir(folder)
            .unwrap()
            .map(|entry| entry.unwrap().file_name().display().to_string())
            .collect();
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
        assert_eq!(fs::read(&path).unwrap(), b"good");
        assert_eq!(names(&folder), ["A.fmu"]);
        write(&path, "better").unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"better");
        fs::remove_dir_all(&folder).unwrap();
    }

    #[test]
    fn file_that_exists_is_refused_and_so_is_a_name_in_other_letters() {
        let folder = folder("existing");
        let path = folder.join("r.csv");
        assert!(refuse_existing(&path, false, "`--force`").is_ok());
        write(&path, "measured").unwrap();
        let refusal = refuse_existing(&path, false, "`--force`")
            .unwrap_err()
            .to_string();
        assert!(
            refusal
                .ends_with("r.csv exists already; give another name, or `--force` to replace it"),
            "{refusal}"
        );
        assert!(refuse_existing(&path, true, "`--force`").is_ok());
        for may_replace in [false, true] {
            let refusal = refuse_existing(&folder.join("R.CSV"), may_replace, "`--force`")
                .unwrap_err()
                .to_string();
            assert!(
                refusal.contains("R.CSV differs from r.csv in capital letters only"),
                "{refusal}"
            );
        }
        fs::remove_dir_all(&folder).unwrap();
    }

    #[test]
    fn unfinished_file_of_an_interrupted_run_is_removed_and_that_of_a_running_one_stays() {
        let folder = folder("stale");
        let [stale, busy] =
            [".A.fmu.1.unfinished", ".A.fmu.2.unfinished"].map(|name| folder.join(name));
        fs::write(&stale, "ha").unwrap();
        let other = File::create(&busy).unwrap();
        other.lock().unwrap();
        // The file of another program, whose name begins alike.
        fs::write(folder.join(".A.fmu.swp"), "text").unwrap();
        write(&folder.join("A.fmu"), "good").unwrap();
        assert_eq!(
            names(&folder),
            [".A.fmu.2.unfinished", ".A.fmu.swp", "A.fmu"]
        );
        drop(other);
        write(&folder.join("A.fmu"), "good").unwrap();
        assert_eq!(names(&folder), [".A.fmu.swp", "A.fmu"]);
        fs::remove_dir_all(&folder).unwrap();
    }

    #[test]
    fn writers_do_not_remove_the_files_of_each_other() {
        let folder = folder("race");
        std::thread::scope(|scope| {
            let remover = scope.spawn(|| (0..2000).for_each(|_| remove_stale(&folder, ".A.fmu.")));
            for number in 0.. {
                if remover.is_finished() {
                    break;
                }
                let unfinished = folder.join(format!(".A.fmu.1.{number}.unfinished"));
                let file = create_locked(&unfinished).unwrap();
                assert!(unfinished.exists(), "file {number}");
                fs::rename(&unfinished, folder.join("A.fmu")).unwrap();
                drop(file);
            }
        });
        fs::remove_dir_all(&folder).unwrap();
    }

    #[test]
    fn path_without_a_folder_or_a_name_is_no_panic() {
        assert!(write(Path::new("/"), "").is_err());
        assert_eq!(
            temporary(Path::new("A.fmu")).unwrap(),
            (PathBuf::from("."), ".A.fmu.".to_owned())
        );
    }
}
