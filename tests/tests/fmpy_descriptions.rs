//! The schema and the rules of FMI 2.0, by FMPy, for the description of every law with every motion
//! and section, and for its terminals.

use bristle_export::{description, terminals};
use bristle_tests::combinations::combinations;
use bristle_tests::python::script;
use std::ffi::OsStr;
use std::fs;

#[test]
fn fmpy_accepts_the_description_of_every_law_with_every_motion_and_section() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let places: Vec<_> = combinations()
        .map(|(name, variant)| {
            let place = folder.path().join(name.replace(' ', "_"));
            fs::create_dir(&place).expect("a folder");
            let text =
                description::write(&variant).unwrap_or_else(|error| panic!("{name}: {error}"));
            fs::write(place.join("modelDescription.xml"), text).expect("a file");
            fs::create_dir(place.join("terminalsAndIcons")).expect("a folder");
            for (path, bytes) in terminals::files(&variant, &[]).expect("terminals") {
                fs::write(place.join(path), bytes).expect("a file");
            }
            place
        })
        .collect();
    let arguments: Vec<&OsStr> = places.iter().map(|place| place.as_os_str()).collect();
    script("validate_descriptions.py", &arguments);
}
