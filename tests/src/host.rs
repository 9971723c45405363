//! A small importer: unzips a packaged FMU, reads its description, loads its library and makes instances of it.
//!
//! It does what the recorded importers do and asks nothing of `bristle`, so it sees what they see.

use crate::description::Description;
use crate::fmi2::{Functions, Kind};
use crate::instance::{Instance, Options, Refused};
use std::path::{Path, PathBuf};

/// `fmi2ModelExchange`.
pub const MODEL_EXCHANGE: Kind = 0;
/// `fmi2CoSimulation`.
pub const CO_SIMULATION: Kind = 1;

/// A packaged FMU, unpacked and loaded.
#[derive(Debug)]
pub struct Fmu {
    /// What its `modelDescription.xml` says.
    pub description: Description,
    /// Its library. Dropped before the folder that holds it.
    pub functions: Functions,
    folder: tempfile::TempDir,
}

impl Fmu {
    /// The packaged FMU of this element, as `cargo xtask test` left it.
    ///
    /// # Panics
    /// With a sentence that says what to do, if nothing is packaged.
    pub fn packaged(element: &str) -> Self {
        Self::load(&packaged_path(element))
    }

    /// Unpacks and loads the FMU at `path`.
    ///
    /// # Panics
    /// With what is wrong, if an importer could not do so.
    pub fn load(path: &Path) -> Self {
        let file = std::fs::File::open(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        let folder = tempfile::Builder::new().prefix("bristle-tests-").tempdir().expect("a temporary folder");
        let mut archive = zip::ZipArchive::new(file).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        archive.extract(&folder).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        let xml = folder.path().join("modelDescription.xml");
        let xml = std::fs::read_to_string(&xml).unwrap_or_else(|error| panic!("{}: {error}", xml.display()));
        let description = Description::parse(&xml);
        let library = library_in(folder.path(), &description.model_identifier);
        Fmu { description, functions: Functions::load(&library), folder }
    }

    /// The folder it was unpacked into.
    pub fn folder(&self) -> &Path {
        self.folder.path()
    }

    /// The shared library that was loaded.
    pub fn library(&self) -> PathBuf {
        library_in(self.folder(), &self.description.model_identifier)
    }

    /// An instance as most importers make one.
    ///
    /// # Panics
    /// With what the FMU logged, if it refuses.
    pub fn instantiate(&self, kind: Kind) -> Instance<'_> {
        let options = Options { kind, ..Options::of(self) };
        self.try_instantiate(&options).unwrap_or_else(|refused| panic!("fmi2Instantiate: {:?}", refused.log))
    }

    /// An instance, or what the FMU logged when it refused.
    pub fn try_instantiate(&self, options: &Options) -> Result<Instance<'_>, Refused> {
        Instance::new(self, options)
    }
}

/// Where the packaged FMU of this element is.
///
/// # Panics
/// With a sentence that says what to do, if the environment does not tell.
pub fn packaged_path(element: &str) -> PathBuf {
    let Some(folder) = std::env::var_os("BRISTLE_FMU_DIR") else {
        panic!("BRISTLE_FMU_DIR is not set: run `cargo xtask test`, which packages the FMUs first");
    };
    PathBuf::from(folder).join(format!("{element}.fmu"))
}

/// The library of the platform that this runs on.
fn library_in(folder: &Path, model_identifier: &str) -> PathBuf {
    let (platform, extension) = if cfg!(target_os = "windows") {
        ("win64", "dll")
    } else if cfg!(target_os = "macos") {
        ("darwin64", "dylib")
    } else {
        (if cfg!(target_arch = "aarch64") { "aarch64-linux" } else { "linux64" }, "so")
    };
    folder.join("binaries").join(platform).join(format!("{model_identifier}.{extension}"))
}
