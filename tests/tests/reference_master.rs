//! Reference master of `examples/`, compiled and run as a user would.

#![cfg(target_os = "linux")]

use bristle_importer::fmu::Fmu;
use bristle_tests::tolerances::COUPLED_DISPLACEMENT;
use std::path::Path;
use std::process::Command;

#[test]
fn reference_master_in_c_moves_the_body() {
    let fmu = Fmu::packaged("FrDyn2");
    let program = Path::new(env!("CARGO_TARGET_TMPDIR")).join("reference_master");
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples/reference_master.c");
    let mut compiler = Command::new("cc");
    compiler
        .args(["-O1", "-Wall", "-Wextra", "-Werror", "-o"])
        .arg(&program)
        .arg(&source)
        .args(["-ldl", "-lm"]);
    assert!(
        compiler.status().is_ok_and(|status| status.success()),
        "the master does not compile"
    );
    let output = Command::new(&program)
        .arg(fmu.library())
        .arg(&fmu.description.guid)
        .output();
    let output = output.expect("the master starts");
    let [said, complaint] =
        [&output.stdout, &output.stderr].map(|text| String::from_utf8_lossy(text));
    assert!(output.status.success(), "{said}{complaint}");
    let displacement = said
        .split(' ')
        .nth(2)
        .and_then(|number| number.parse::<f64>().ok())
        .unwrap_or(f64::NAN);
    // With an allowed error of 1e-12 m, where 7 digits do not change any more.
    assert!(
        (displacement / 0.015_895_2 - 1.0).abs() < COUPLED_DISPLACEMENT,
        "{said}{complaint}"
    );
}
