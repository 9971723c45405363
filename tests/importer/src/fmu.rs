//! Packaged FMU: unzipped, its description read, its library loaded.

use crate::description::Description;
use crate::fmi2::Functions;
use std::path::{Path, PathBuf};

/// Packaged FMU, unpacked and loaded.
#[derive(Debug)]
pub struct Fmu {
    /// Its model description.
    pub description: Description,
    /// Functions of its library. Dropped before the folder that holds it.
    pub functions: Functions,
    folder: tempfile::TempDir,
}

impl Fmu {
    /// Packaged FMU of this element in the folder `BRISTLE_FMU_DIR`.
    ///
    /// # Panics
    /// If nothing is packaged; the message says how to get it.
    pub fn packaged(element: &str) -> Self {
        Self::load(&packaged_path(element))
    }

    /// Unpacks and loads the FMU at `path`.
    ///
    /// # Panics
    /// If it cannot be read.
    pub fn load(path: &Path) -> Self {
        Self::load_changed(path, None)
    }

    /// Unpacks the FMU at `path` and loads another library in place of its own.
    ///
    /// # Panics
    /// If it cannot be read.
    pub fn load_with_library(path: &Path, library: &[u8]) -> Self {
        Self::load_changed(path, Some(library))
    }

    fn load_changed(path: &Path, changed: Option<&[u8]>) -> Self {
        let file =
            std::fs::File::open(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        let folder = tempfile::Builder::new()
            .prefix("bristle-importer-")
            .tempdir()
            .expect("a temporary folder");
        let mut archive = zip::ZipArchive::new(file)
            .unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        archive
            .extract(&folder)
            .unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        let xml = folder.path().join("modelDescription.xml");
        let xml = std::fs::read_to_string(&xml)
            .unwrap_or_else(|error| panic!("{}: {error}", xml.display()));
        let description = Description::parse(&xml);
        let library = library_in(folder.path(), &description.model_identifier);
        if let Some(bytes) = changed {
            std::fs::write(&library, bytes)
                .unwrap_or_else(|error| panic!("{}: {error}", library.display()));
        }
        Fmu {
            description,
            functions: Functions::load(&library),
            folder,
        }
    }

    /// Folder that it was unpacked into.
    pub fn folder(&self) -> &Path {
        self.folder.path()
    }

    /// Path of the loaded library.
    pub fn library(&self) -> PathBuf {
        library_in(self.folder(), &self.description.model_identifier)
    }
}

/// Path of the packaged FMU of this element.
///
/// # Panics
/// If the environment lacks `BRISTLE_FMU_DIR`; the message says how to get it.
pub fn packaged_path(element: &str) -> PathBuf {
    let Some(folder) = std::env::var_os("BRISTLE_FMU_DIR") else {
        panic!("BRISTLE_FMU_DIR is not set: run `cargo xtask test`, which packages the FMUs first");
    };
    PathBuf::from(folder).join(format!("{element}.fmu"))
}

/// Path of the library for this platform.
fn library_in(folder: &Path, model_identifier: &str) -> PathBuf {
    let (platform, extension) = if cfg!(target_os = "windows") {
        ("win64", "dll")
    } else if cfg!(target_os = "macos") {
        ("darwin64", "dylib")
    } else {
        (
            if cfg!(target_arch = "aarch64") {
                "aarch64-linux"
            } else {
                "linux64"
            },
            "so",
        )
    };
    folder
        .join("binaries")
        .join(platform)
        .join(format!("{model_identifier}.{extension}"))
}
