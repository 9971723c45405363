//! FMPy's compilation of an FMU with C source.

use bristle_export::Exporter;
use bristle_importer::fmu::packaged_path;
use bristle_tests::cards::model;
use bristle_tests::python::script;
use std::path::Path;

#[test]
fn fmu_that_fmpy_compiles_has_the_bits_of_the_native_one() {
    let sources = std::env::var_os("BRISTLE_SOURCES")
        .expect("BRISTLE_SOURCES is not set: run `cargo xtask test --stage source`");
    let archive = std::fs::read(Path::new(&sources).join("FrDyn2.zip")).expect("a source");
    let mut exporter = Exporter::new();
    exporter.add_source(&archive).expect("a source");
    let folder = tempfile::tempdir().expect("a temporary folder");
    let [fmu, unpacked] = ["FrDyn2.fmu", "unpacked"].map(|name| folder.path().join(name));
    std::fs::write(
        &fmu,
        exporter.export(&model("FrDyn2").stock()).expect("an FMU"),
    )
    .expect("a file");
    script(
        "compile_source.py",
        &[fmu.as_os_str(), unpacked.as_os_str()],
    );
    let run = |fmu: &Path, interface: &str| {
        let arguments = [fmu.as_os_str(), interface.as_ref()];
        let numbers = ["0.2", "1e-3", "1e-6"].map(std::ffi::OsStr::new);
        script("simulate.py", &[&arguments[..], &numbers].concat())
    };
    for interface in ["CoSimulation", "ModelExchange"] {
        let native = run(&packaged_path("FrDyn2"), interface);
        assert!(native.lines().count() > 100);
        assert_eq!(run(&unpacked, interface), native, "{interface}");
    }
}
