//! Identity of the sources that libraries are built of. The build of `bristle` and
//! `cargo xtask libraries` share this file.

use std::path::Path;
use std::{fs, io};

/// File beside prebuilt libraries with the identity of their sources.
pub const FILE: &str = "sources.txt";

/// Folders whose code is in a library or its C source, below the workspace's root.
pub const FOLDERS: [&str; 3] = ["src", "fmu/src", "source"];

/// Hash of all files of the sources and their paths (FNV-1a, 64 bits), equal for either kind of
/// line end.
pub fn identity(root: &Path) -> io::Result<String> {
    let mut hash = 0xcbf2_9ce4_8422_2325;
    for folder in FOLDERS {
        add(&root.join(folder), folder, &mut hash)?;
    }
    Ok(format!("{hash:016x}"))
}

fn add(folder: &Path, name: &str, hash: &mut u64) -> io::Result<()> {
    let mut entries = fs::read_dir(folder)?.collect::<io::Result<Vec<_>>>()?;
    entries.sort_by_key(fs::DirEntry::file_name);
    for entry in entries {
        let name = format!("{name}/{}", entry.file_name().to_string_lossy());
        if entry.path().is_dir() {
            add(&entry.path(), &name, hash)?;
        } else {
            let text = fs::read(entry.path())?;
            for byte in name
                .bytes()
                .chain([0])
                .chain(text.into_iter().filter(|byte| *byte != b'\r'))
                .chain([0])
            {
                *hash = (*hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
            }
        }
    }
    Ok(())
}
