//! Inspection of a finished library as an importer's loader sees it: exports, imports, traces of
//! the machine that built it.
//!
//! A missing function makes importers refuse the FMU, an extra one can clash in their process, a
//! library that is not the system's is missing on other machines, and a run path or a build path is
//! useless there.

mod elf;
mod mach_o;

use std::collections::BTreeSet;
use std::fmt;

use object::{File, Object};

use crate::error::{Context, Error, Result};
use crate::platform::{GLIBC, MACOS, Platform, System, Target};

/// Functions of FMI 2.0 without their common prefix `fmi2`, as FMI 2.0.4 lists them in its header.
const FUNCTIONS: [&str; 44] = [
    "GetTypesPlatform",
    "GetVersion",
    "SetDebugLogging",
    "Instantiate",
    "FreeInstance",
    "SetupExperiment",
    "EnterInitializationMode",
    "ExitInitializationMode",
    "Terminate",
    "Reset",
    "GetReal",
    "GetInteger",
    "GetBoolean",
    "GetString",
    "SetReal",
    "SetInteger",
    "SetBoolean",
    "SetString",
    "GetFMUstate",
    "SetFMUstate",
    "FreeFMUstate",
    "SerializedFMUstateSize",
    "SerializeFMUstate",
    "DeSerializeFMUstate",
    "GetDirectionalDerivative",
    // Model Exchange
    "EnterEventMode",
    "NewDiscreteStates",
    "EnterContinuousTimeMode",
    "CompletedIntegratorStep",
    "SetTime",
    "SetContinuousStates",
    "GetDerivatives",
    "GetEventIndicators",
    "GetContinuousStates",
    "GetNominalsOfContinuousStates",
    // Co-Simulation
    "SetRealInputDerivatives",
    "GetRealOutputDerivatives",
    "DoStep",
    "CancelStep",
    "GetStatus",
    "GetRealStatus",
    "GetIntegerStatus",
    "GetBooleanStatus",
    "GetStringStatus",
];

/// Facts of a library that decide on whether and where it loads.
#[derive(Debug, Default, PartialEq)]
pub struct Facts {
    /// Size, bytes.
    pub size: usize,
    exports: BTreeSet<String>,
    run_paths: Vec<String>,
    /// Shared libraries that it loads.
    pub needs: Vec<String>,
    /// Oldest version of the system's library that it runs with.
    pub floor: Option<Floor>,
    /// Other reasons for which a loader would refuse it, a sentence each.
    defects: Vec<String>,
}

/// Version of the system's own library.
#[derive(Clone, Debug, PartialEq)]
pub struct Floor {
    of: &'static str,
    version: Vec<u32>,
}

impl fmt::Display for Floor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let version: Vec<_> = self.version.iter().map(u32::to_string).collect();
        write!(f, "{} {}", self.of, version.join("."))
    }
}

impl Facts {
    /// Oldest version of the system's own library that it runs with, where that is newer than
    /// portable libraries need.
    fn newer_floor(&self, system: System) -> Option<&Floor> {
        let floor = self.floor.as_ref();
        floor.filter(|floor| floor.version[..] > oldest(system)[..])
    }
}

impl fmt::Display for Facts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{} kB, the {} functions of FMI 2.0",
            self.size / 1000,
            self.exports.len()
        )?;
        if !self.needs.is_empty() {
            write!(f, ", needs {}", self.needs.join(", "))?;
        }
        if let Some(floor) = &self.floor {
            write!(f, ", {floor} or newer")?;
        }
        Ok(())
    }
}

/// Machines that a library is built for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Portability {
    /// The building machine and those like it: the library may need its C library and GCC's
    /// runtime.
    Local,
    /// All machines with the system, [`GLIBC`] or [`MACOS`] at least.
    Portable,
}

/// Facts of a library that may be shipped. `forbidden` are folders of the building machine that
/// must not occur in it.
pub fn inspect(
    bytes: &[u8],
    system: System,
    target: &Target,
    portability: Portability,
    forbidden: &[String],
) -> Result<Facts> {
    let facts = read(bytes, system, target)
        .with_context(|| format!("the library cannot be read as one for {}", target.triple))?;
    let mut problems = problems(&facts, system, portability);
    for path in forbidden {
        if bytes
            .windows(path.len())
            .any(|window| window == path.as_bytes())
        {
            problems.push(format!(
                "it contains the build path {path}, which --remap-path-prefix should have replaced"
            ));
        }
    }
    if !problems.is_empty() {
        return Err(Error::new(format!(
            "the library does not look as it must: {}",
            problems.join("; ")
        )));
    }
    Ok(facts)
}

impl From<object::read::Error> for Error {
    fn from(error: object::read::Error) -> Self {
        Error::new(error.to_string())
    }
}

fn read(bytes: &[u8], system: System, target: &Target) -> Result<Facts> {
    let file = File::parse(bytes)?;
    let found = file.architecture();
    if found != target.processor {
        return Err(Error::new(format!(
            "it is for the processor {found:?}, not for {:?}",
            target.processor
        )));
    }
    let mut facts = Facts {
        size: bytes.len(),
        ..Facts::default()
    };
    for export in file.exports()? {
        let name = export?.into_name().into_name().unwrap_or_default();
        let name = String::from_utf8_lossy(&name);
        // C on macOS sets an underscore before each name.
        let name = if system == System::Mac {
            name.strip_prefix('_').unwrap_or(&name)
        } else {
            &name
        };
        facts.exports.insert(name.to_owned());
    }
    for library in file.import_libraries()? {
        facts
            .needs
            .push(String::from_utf8_lossy(library?.name()).into_owned());
    }
    facts.needs.sort();
    match (system, &file) {
        (System::Linux, File::Elf32(file)) => elf::read(file, &mut facts)?,
        (System::Linux, File::Elf64(file)) => elf::read(file, &mut facts)?,
        (System::Windows, File::Pe32(_) | File::Pe64(_)) => {}
        (System::Mac, File::MachO64(file)) => mach_o::read(file, bytes, &mut facts)?,
        (system, file) => {
            let format = file.format();
            return Err(Error::new(format!(
                "it is a file of the format {format:?}, which {system:?} does not load"
            )));
        }
    }
    Ok(facts)
}

/// Libraries that every machine with the system has.
fn of_the_system(system: System) -> &'static [&'static str] {
    match system {
        System::Linux => &[
            "libc.so.6",
            "libdl.so.2",
            "libm.so.6",
            "libpthread.so.0",
            "ld-linux-x86-64.so.2",
            "ld-linux-aarch64.so.1",
            "ld-linux.so.2",
        ],
        // The last one holds WaitOnAddress, which Rust's locks need.
        System::Windows => &[
            "KERNEL32.dll",
            "ntdll.dll",
            "msvcrt.dll",
            "api-ms-win-core-synch-l1-2-0.dll",
        ],
        System::Mac => &["/usr/lib/libSystem.B.dylib"],
    }
}

/// All reasons for which a library must not be shipped.
fn problems(facts: &Facts, system: System, portability: Portability) -> Vec<String> {
    let wanted: BTreeSet<String> = FUNCTIONS.iter().map(|name| format!("fmi2{name}")).collect();
    let mut usual = of_the_system(system).to_vec();
    if portability == Portability::Local {
        usual.push("libgcc_s.so.1");
    }
    let mut problems = facts.defects.clone();
    let mut difference = |what: &str, names: Vec<&String>| {
        if !names.is_empty() {
            let names: Vec<_> = names.into_iter().map(String::as_str).collect();
            problems.push(format!("{what} {}", names.join(", ")));
        }
    };
    difference("it lacks", wanted.difference(&facts.exports).collect());
    difference(
        "it exports, beyond FMI's functions,",
        facts.exports.difference(&wanted).collect(),
    );
    difference("it has the run path", facts.run_paths.iter().collect());
    difference(
        "it needs libraries that are not the system's own,",
        facts
            .needs
            .iter()
            .filter(|name| !usual.contains(&name.as_str()))
            .collect(),
    );
    if let Some(floor) = facts
        .newer_floor(system)
        .filter(|_| portability == Portability::Portable)
    {
        let [major, minor] = oldest(system);
        problems.push(format!("it asks for {floor}, newer than {major}.{minor}"));
    }
    problems
}

/// Oldest version of the system's own library that portable libraries run with.
fn oldest(system: System) -> [u32; 2] {
    match system {
        System::Linux => GLIBC,
        System::Mac => MACOS,
        System::Windows => [0, 0],
    }
}

/// Sentence about a library that needs a newer system than a portable one, and how to make that.
pub fn remark_on_age(bytes: &[u8], platform: &Platform) -> Option<String> {
    let [target] = platform.targets else {
        return None;
    };
    let facts = read(bytes, platform.system, target).ok()?;
    let (floor, [major, minor]) = (facts.newer_floor(platform.system)?, oldest(platform.system));
    let folder = platform.folder;
    Some(format!(
        "the library for {folder} needs {floor} or newer, as this machine has; for older systems, \
         from {} {major}.{minor} on, make it with `--platform {folder}` of `cargo xtask package` \
         or `cargo xtask libraries`",
        floor.of
    ))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::platform;

    fn good() -> Facts {
        Facts {
            exports: FUNCTIONS.iter().map(|name| format!("fmi2{name}")).collect(),
            needs: vec!["libc.so.6".to_owned()],
            floor: Some(Floor {
                of: "glibc",
                version: vec![2, 17],
            }),
            ..Facts::default()
        }
    }

    fn problems_on_linux(facts: &Facts) -> Vec<String> {
        problems(facts, System::Linux, Portability::Portable)
    }

    #[test]
    fn library_with_other_exports_is_refused() {
        assert_eq!(good().exports.len(), 44);
        assert_eq!(problems_on_linux(&good()), [""; 0]);

        let mut one_less = good();
        one_less.exports.remove("fmi2CancelStep");
        assert_eq!(problems_on_linux(&one_less), ["it lacks fmi2CancelStep"]);

        let mut one_more = good();
        one_more.exports.insert("rust_eh_personality".to_owned());
        assert_eq!(
            problems_on_linux(&one_more),
            ["it exports, beyond FMI's functions, rust_eh_personality"]
        );
    }

    #[test]
    fn library_with_a_run_path_is_refused() {
        let facts = Facts {
            run_paths: vec!["$ORIGIN".to_owned()],
            ..good()
        };
        assert_eq!(problems_on_linux(&facts), ["it has the run path $ORIGIN"]);
    }

    #[test]
    fn portable_library_needs_only_old_system_libraries() {
        let facts = Facts {
            needs: vec!["libc.so.6".to_owned(), "libgcc_s.so.1".to_owned()],
            floor: Some(Floor {
                of: "glibc",
                version: vec![2, 18],
            }),
            ..good()
        };
        let expected = [
            "it needs libraries that are not the system's own, libgcc_s.so.1",
            "it asks for glibc 2.18, newer than 2.17",
        ];
        assert_eq!(problems_on_linux(&facts), expected);
        let floor = |system| facts.newer_floor(system).map(Floor::to_string);
        assert_eq!(floor(System::Linux), Some("glibc 2.18".to_owned()));
        assert_eq!(good().newer_floor(System::Linux), None);
        assert_eq!(problems(&facts, System::Linux, Portability::Local), [""; 0]);
        assert_eq!(
            problems(&facts, System::Windows, Portability::Local),
            ["it needs libraries that are not the system's own, libc.so.6"]
        );
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn foreign_program_is_refused_for_exports_and_build_path() {
        let this = std::fs::read(std::env::current_exe().unwrap()).unwrap();
        let path = env!("CARGO_MANIFEST_DIR").to_owned();
        let host = platform::host().unwrap();
        let error = inspect(
            &this,
            host.system,
            &host.targets[0],
            Portability::Local,
            std::slice::from_ref(&path),
        );
        let error = error.unwrap_err().to_string();
        assert!(
            error.contains("it lacks fmi2CancelStep, fmi2Com"),
            "{error}"
        );
        assert!(error.contains(&path), "{error}");
        for platform in &platform::PLATFORMS {
            if platform != host {
                assert!(
                    read(&this, platform.system, &platform.targets[0]).is_err(),
                    "{}",
                    platform.folder
                );
            }
        }
    }

    #[test]
    fn file_that_is_no_library_is_refused() {
        let platform = platform::find("win64").unwrap();
        assert!(
            inspect(
                b"MZ",
                platform.system,
                &platform.targets[0],
                Portability::Portable,
                &[]
            )
            .is_err()
        );
    }
}
