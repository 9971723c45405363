//! Other importers from Python's package index run the packaged FMU: libcosim and ecos, which
//! differ from FMPy in reading all variables in Initialization Mode and in naming instances by a
//! file's path.
//!
//! `cargo xtask test` skips the test of one that cannot be loaded.

use bristle_importer::fmu::{Fmu, packaged_path};
use bristle_reference_laws::Contact;
use bristle_reference_laws::frdyn2::{Bristle, PAPER};
use bristle_reference_laws::workloads::WEIGHT;
use bristle_tests::python::script;
use bristle_tests::tolerances::FORCE;
use std::ffi::OsStr;

const STEPS: usize = 1000;
const H: f64 = 1e-3;

/// Holds an importer's run to the reference.
fn compare(name: &str, further: &[&str]) {
    let fmu = packaged_path("FrDyn2");
    let steps = STEPS.to_string();
    let arguments = [steps.as_str(), "1e-3"]
        .into_iter()
        .chain(further.iter().copied())
        .map(OsStr::new);
    let printed = script(
        name,
        &[fmu.as_os_str()]
            .into_iter()
            .chain(arguments)
            .collect::<Vec<_>>(),
    );
    // The importers print lines of their own as well.
    let rows = printed.lines().filter_map(|line| line.strip_prefix("row "));
    let mut reference = Bristle::at_rest(PAPER, WEIGHT);
    let (mut count, mut fastest, mut worst) = (0, 0.0_f64, 0.0_f64);
    for row in rows {
        let (v, force) = row.split_once(' ').expect("two numbers");
        let [v, force]: [f64; 2] = [v, force].map(|number| number.parse().expect("a number"));
        let expected = reference.step(Contact::new(WEIGHT, v), H);
        let error = (force - expected).abs() / (PAPER.mu_s * WEIGHT);
        assert!(
            error <= FORCE,
            "row {count}: F_R = {force} for {expected} at v = {v}"
        );
        worst = error.max(worst);
        fastest = v.abs().max(fastest);
        count += 1;
    }
    assert!(
        count == STEPS && fastest > 0.0199,
        "{count} rows, v to {fastest}"
    );
    println!("{name}: F_R within {worst:.1e} F_s");
}

#[test]
fn libcosim_error_is_below_1e_6_f_s() {
    // By value references: F_N, v, F_R.
    let fmu = Fmu::packaged("FrDyn2");
    let references = ["F_N", "v", "F_R"].map(|name| fmu.description.reference(name).to_string());
    compare("libcosim.py", &references.each_ref().map(String::as_str));
}

#[test]
fn ecos_error_is_below_1e_6_f_s() {
    compare("ecos.py", &[]);
}
