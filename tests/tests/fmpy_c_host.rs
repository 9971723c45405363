//! A C program as importer, compiled against FMI's own headers, which FMPy's wheel carries: the C
//! interface as a C compiler sees it, and the same bits as through the Rust host of these tests.
#![cfg(unix)]

use bristle_importer::co_simulation::Master;
use bristle_importer::fmu::Fmu;
use bristle_reference_laws::Contact;
use bristle_tests::python::{interpreter, printed};
use std::path::{Path, PathBuf};
use std::process::Command;

/// Compiles the program into a folder.
fn compile(folder: &Path) -> PathBuf {
    let program = folder.join("host");
    let headers = printed(Command::new(interpreter()).args([
        "-c",
        "import fmpy, os; print(os.path.dirname(fmpy.__file__))",
    ]));
    let compiler = std::env::var_os("CC").unwrap_or_else(|| "cc".into());
    let mut command = Command::new(compiler);
    command.args(["-std=c99", "-D_POSIX_C_SOURCE=200809L"]);
    command.args(["-Wall", "-Wextra", "-Werror", "-I"]);
    command.arg(Path::new(headers.trim()).join("c-code"));
    command.arg(Path::new(env!("CARGO_MANIFEST_DIR")).join("c/host.c"));
    printed(command.arg("-o").arg(&program).arg("-ldl"));
    program
}

/// Checks the forces of the program, which loads the FMU's library from a path.
fn compare(program: &mut Command, fmu: &Fmu, library: &Path) {
    let references =
        ["F_N", "v", "F_R", "sticking"].map(|name| fmu.description.reference(name).to_string());
    let output = printed(
        program
            .arg(library)
            .arg(&fmu.description.guid)
            .args(references),
    );

    let mut element = Master::start(fmu, &[]);
    let expected = (0..200).map(|i| {
        let contact = Contact::new(9.81, f64::from(i % 50 - 25) * 0.0008);
        format!(
            "{:016x}",
            element.step(contact, f64::from(i) * 1e-3, 1e-3).to_bits()
        )
    });
    let expected: Vec<_> = expected.collect();
    let found: Vec<_> = output
        .lines()
        .map(|line| line.split(' ').next().unwrap_or_default())
        .collect();
    assert_eq!(found, expected, "{output}");
    println!(
        "200 forces are the same, the last {}",
        output.lines().last().unwrap_or_default()
    );
}

#[test]
fn c_host_with_the_standard_headers_gets_the_same_bits() {
    let fmu = Fmu::packaged("FrDyn2");
    let folder = tempfile::tempdir().expect("a temporary folder");
    let program = compile(folder.path());
    compare(&mut Command::new(&program), &fmu, &fmu.library());

    let mut long = folder.path().to_owned();
    while long.as_os_str().len() < 250 {
        long.push("a folder far below");
    }
    std::fs::create_dir_all(&long).expect("folders");
    let library = long.join("FrDyn2.so");
    std::fs::copy(fmu.library(), &library).expect("a library");
    compare(&mut Command::new(&program), &fmu, &library);
}

#[test]
#[ignore = "LC_ALL names a locale with a decimal comma: `cargo xtask test --stage comma` makes one"]
fn c_host_with_a_decimal_comma_gets_the_same_bits() {
    let fmu = Fmu::packaged("FrDyn2");
    let folder = tempfile::tempdir().expect("a temporary folder");
    let mut program = Command::new(compile(folder.path()));
    compare(program.env("DECIMAL_POINT", ","), &fmu, &fmu.library());
}
