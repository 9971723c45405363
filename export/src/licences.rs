//! Files below `documentation/licenses/`: the terms of everything inside the libraries.

use bristle::LICENCES;

use crate::platform::System;

/// File that a reader opens first.
pub const ENTRY: &str = "license.txt";

/// File below `documentation/licenses/`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LicenceFile {
    /// Path below that folder.
    pub path: String,
    /// Content.
    pub text: Vec<u8>,
}

/// Package from outside the project that is linked into the libraries.
#[derive(Clone, Debug)]
pub struct LinkedPackage {
    /// Name in its registry.
    pub name: String,
    /// Version.
    pub version: String,
    /// SPDX expression; `None` where only its files have the terms.
    pub licence: Option<String>,
    /// Licence files that the package carries, by name.
    pub texts: Vec<(String, Vec<u8>)>,
}

/// Sentences about the runtimes that a linker adds to portable libraries of a system; their terms
/// need no more.
const RUNTIMES: [(System, &str); 2] = [
    (
        System::Linux,
        "- on Linux, LLVM's unwinder and the compiler's runtime as zig brings them, Apache-2.0 \
         WITH LLVM-exception and MIT,\n  \
         https://llvm.org, https://ziglang.org;\n",
    ),
    (
        System::Windows,
        "- on Windows, the start-up code of MinGW-w64, public domain and ZPL-2.1, \
         https://www.mingw-w64.org, and GCC's\n  \
         runtime library, GPL-3.0-or-later WITH GCC-exception-3.1, https://gcc.gnu.org;\n",
    ),
];

/// Licence files for libraries that contain these packages and, where they are portable ones, the
/// runtimes of these systems.
pub fn files(linked: &[LinkedPackage], runtimes: &[System]) -> Vec<LicenceFile> {
    let names = LICENCES.map(|(name, _)| name);
    let mut entry = format!(
        "This FMU was made by Bristle {}. It is licensed under {}, at your option:\n{} beside \
         this file.\n\n\
         Its code contains\n\
         - the Rust standard library, MIT OR Apache-2.0, copyright the Rust Project \
         contributors,\n  \
         https://github.com/rust-lang/rust;\n",
        env!("CARGO_PKG_VERSION"),
        env!("CARGO_PKG_LICENSE"),
        names.join(" and "),
    );
    let mut files: Vec<_> = LICENCES
        .map(|(name, text)| LicenceFile {
            path: name.to_owned(),
            text: text.as_bytes().to_vec(),
        })
        .into();
    for LinkedPackage {
        name,
        version,
        licence,
        texts,
    } in linked
    {
        let folder = format!("{name}-{version}");
        let licence = licence.as_deref().unwrap_or("terms in its files");
        entry.push_str(&format!(
            "- {name} {version}, {licence}, texts in {folder}/;\n"
        ));
        files.extend(texts.iter().map(|(name, text)| LicenceFile {
            path: format!("{folder}/{name}"),
            text: text.clone(),
        }));
    }
    for (system, runtime) in RUNTIMES {
        if runtimes.contains(&system) {
            entry.push_str(runtime);
        }
    }
    entry.push_str("and nothing else.\n");
    files.insert(
        0,
        LicenceFile {
            path: ENTRY.to_owned(),
            text: entry.into_bytes(),
        },
    );
    files
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entry_names_each_package_with_its_folder_and_each_runtime() {
        let package = LinkedPackage {
            name: "libm".to_owned(),
            version: "0.2.0".to_owned(),
            licence: Some("MIT".to_owned()),
            texts: vec![("LICENSE.txt".to_owned(), b"terms".to_vec())],
        };
        let files = files(&[package], &[System::Windows]);
        let paths: Vec<_> = files.iter().map(|file| file.path.as_str()).collect();
        assert_eq!(
            paths,
            [
                "license.txt",
                "LICENSE-MIT",
                "LICENSE-APACHE",
                "libm-0.2.0/LICENSE.txt"
            ]
        );
        let entry = String::from_utf8(files[0].text.clone()).unwrap();
        assert!(
            entry.contains("- libm 0.2.0, MIT, texts in libm-0.2.0/;\n"),
            "{entry}"
        );
        assert!(
            entry.contains("MinGW-w64") && !entry.contains("zig"),
            "{entry}"
        );
    }
}
