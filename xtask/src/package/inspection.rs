//! Looks at the finished library as an importer's loader will: what it exports, what it needs, what it tells of the
//! machine that built it.
//!
//! A missing function makes importers refuse the FMU, an extra one can clash in their process, and a run path or a
//! build path is of no use to anyone else.

use std::collections::BTreeSet;
use std::fmt;

use anyhow::{Context, Result, bail};
use object::elf::{DT_NEEDED, DT_RPATH, DT_RUNPATH, FileHeader64};
use object::read::elf::{Dyn, FileHeader};
use object::{Endianness, Object};

/// The functions of FMI 2.0 without their common prefix `fmi2`, as FMI 2.0.4 lists them in its header.
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

/// What a library is and needs.
#[derive(Debug, Default, PartialEq)]
pub struct Facts {
    size: usize,
    exports: BTreeSet<String>,
    run_paths: Vec<String>,
    /// Shared libraries it loads.
    needs: Vec<String>,
    /// The newest glibc that it asks for.
    glibc: Option<Vec<u32>>,
}

impl fmt::Display for Facts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} kB, the {} functions of FMI 2.0", self.size / 1000, self.exports.len())?;
        if !self.needs.is_empty() {
            write!(f, ", needs {}", self.needs.join(", "))?;
        }
        if let Some(version) = &self.glibc {
            let version: Vec<_> = version.iter().map(u32::to_string).collect();
            write!(f, ", glibc {} or newer", version.join("."))?;
        }
        Ok(())
    }
}

/// The facts of a library that may be shipped; `forbidden` are the folders that must not stand in it.
pub fn inspect(bytes: &[u8], forbidden: &[String]) -> Result<Facts> {
    let facts = read(bytes).context("the library cannot be read as a 64-bit ELF file")?;
    let mut problems = problems(&facts);
    for path in forbidden {
        if bytes.windows(path.len()).any(|window| window == path.as_bytes()) {
            problems.push(format!("it contains the build path {path}, which --remap-path-prefix should have replaced"));
        }
    }
    if !problems.is_empty() {
        bail!("the library does not look as it must: {}", problems.join("; "));
    }
    Ok(facts)
}

fn read(bytes: &[u8]) -> Result<Facts> {
    let header = FileHeader64::<Endianness>::parse(bytes)?;
    let endian = header.endian()?;
    let sections = header.sections(endian, bytes)?;
    let mut facts = Facts { size: bytes.len(), ..Facts::default() };

    for export in object::File::parse(bytes)?.exports()? {
        let name = export?.into_name().into_name().unwrap_or_default();
        facts.exports.insert(String::from_utf8_lossy(&name).into_owned());
    }
    if let Some((dynamic, strings)) = sections.dynamic(endian, bytes)? {
        let strings = sections.strings(endian, bytes, strings)?;
        for entry in dynamic {
            let list = match entry.d_tag(endian) {
                DT_NEEDED => &mut facts.needs,
                DT_RPATH | DT_RUNPATH => &mut facts.run_paths,
                _ => continue,
            };
            list.push(String::from_utf8_lossy(entry.string(endian, strings)?).into_owned());
        }
    }
    if let Some((mut files, strings)) = sections.gnu_verneed(endian, bytes)? {
        let strings = sections.strings(endian, bytes, strings)?;
        while let Some((_, mut versions)) = files.next()? {
            while let Some(version) = versions.next()? {
                facts.glibc = facts.glibc.take().max(glibc(version.name(endian, strings)?));
            }
        }
    }
    Ok(facts)
}

/// The number in a symbol version such as `GLIBC_2.17`.
fn glibc(version: &[u8]) -> Option<Vec<u32>> {
    let number = std::str::from_utf8(version).ok()?.strip_prefix("GLIBC_")?;
    number.split('.').map(|part| part.parse().ok()).collect()
}

/// Everything that keeps a library from being shipped.
fn problems(facts: &Facts) -> Vec<String> {
    let wanted: BTreeSet<String> = FUNCTIONS.iter().map(|name| format!("fmi2{name}")).collect();
    let mut problems = Vec::new();
    let mut difference = |what: &str, names: Vec<&String>| {
        if !names.is_empty() {
            let names: Vec<_> = names.into_iter().map(String::as_str).collect();
            problems.push(format!("{what} {}", names.join(", ")));
        }
    };
    difference("it lacks", wanted.difference(&facts.exports).collect());
    difference("it exports, beyond FMI's functions,", facts.exports.difference(&wanted).collect());
    difference("it has the run path", facts.run_paths.iter().collect());
    problems
}

#[cfg(test)]
mod tests {
    use super::*;

    fn good() -> Facts {
        Facts { exports: FUNCTIONS.iter().map(|name| format!("fmi2{name}")).collect(), ..Facts::default() }
    }

    #[test]
    fn a_library_exports_exactly_the_44_functions() {
        assert_eq!(good().exports.len(), 44);
        assert_eq!(problems(&good()), [""; 0]);

        let mut one_less = good();
        one_less.exports.remove("fmi2CancelStep");
        assert_eq!(problems(&one_less), ["it lacks fmi2CancelStep"]);

        let mut one_more = good();
        one_more.exports.insert("rust_eh_personality".to_owned());
        assert_eq!(problems(&one_more), ["it exports, beyond FMI's functions, rust_eh_personality"]);
    }

    #[test]
    fn a_library_has_no_run_path() {
        let facts = Facts { run_paths: vec!["$ORIGIN".to_owned()], ..good() };
        assert_eq!(problems(&facts), ["it has the run path $ORIGIN"]);
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn the_exports_of_a_foreign_program_and_its_build_path_are_found() {
        let this = std::fs::read(std::env::current_exe().unwrap()).unwrap();
        let path = env!("CARGO_MANIFEST_DIR").to_owned();
        let error = inspect(&this, std::slice::from_ref(&path)).unwrap_err().to_string();
        assert!(error.contains("it lacks fmi2CancelStep, fmi2Com"), "{error}");
        assert!(error.contains(&path), "{error}");
    }

    #[test]
    fn what_is_no_library_is_said_to_be_none() {
        assert!(inspect(b"MZ", &[]).is_err());
    }

    #[test]
    fn glibc_versions_compare_as_numbers() {
        assert!(glibc(b"GLIBC_2.17") > glibc(b"GLIBC_2.2.5"));
        assert_eq!(glibc(b"GCC_3.0"), None);
        assert_eq!(glibc(b"GLIBC_PRIVATE"), None);
    }
}
