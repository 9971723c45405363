//! Leaks: instances that are freed and libraries that are unloaded leave no memory behind.
#![cfg(target_os = "linux")] // `/proc`

use bristle::catalogue::Variant;
use bristle_importer::co_simulation::Master;
use bristle_importer::fmi2::{CO_SIMULATION, FmuState, Functions, MODEL_EXCHANGE};
use bristle_importer::fmu::Fmu;
use bristle_reference_laws::workloads::SLIDING_SINE;
use bristle_tests::cards::{exporter, load, measured, model, several};
use bristle_tests::tolerances::{GROWTH, LEFT_BY_A_LOAD};
use std::path::{Path, PathBuf};

/// Marks the child process.
const CHILD: &str = "BRISTLE_LEAK_CHILD";

/// Whether this is the child process with the test of this name alone; if not, runs it in one.
/// Other tests of a program take memory at the same time.
fn is_alone(test: &str) -> bool {
    if std::env::var_os(CHILD).is_some() {
        return true;
    }
    let output = std::process::Command::new(std::env::current_exe().expect("this program"))
        .args([
            &*format!("leaks::{test}"),
            "--exact",
            "--nocapture",
            "--test-threads=1",
        ])
        .env(CHILD, "1")
        .output()
        .expect("this program starts");
    let [out, errors] =
        [output.stdout, output.stderr].map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
    assert!(
        output.status.success() && out.contains("1 passed"),
        "{}: {out}{errors}",
        output.status
    );
    print!("{out}");
    false
}

/// Memory of this process, bytes, without pages of files: the program's own are read as it runs.
fn resident() -> f64 {
    let status =
        std::fs::read_to_string("/proc/self/status").expect("the proc file system of Linux");
    let line = status
        .lines()
        .find(|line| line.starts_with("RssAnon:"))
        .expect("the resident set is told");
    1024.0
        * line
            .split_whitespace()
            .nth(1)
            .and_then(|kilobytes| kilobytes.parse::<f64>().ok())
            .expect("in kB")
}

/// A file is part of this process's memory.
fn mapped(path: &Path) -> bool {
    let maps = std::fs::read_to_string("/proc/self/maps").expect("the proc file system of Linux");
    maps.contains(path.to_str().expect("a path that can be read"))
}

#[test]
fn instances_do_not_leak() {
    if !is_alone("instances_do_not_leak") {
        return;
    }
    let fmu = Fmu::packaged("FrDyn2");
    let live = |count: u32| {
        for n in 0..count {
            let kind = if n % 2 == 0 {
                CO_SIMULATION
            } else {
                MODEL_EXCHANGE
            };
            let mut instance = fmu.instantiate(kind);
            let mut state = FmuState::NULL;
            let status = instance.get_fmu_state(&mut state);
            instance.ok(status);
            let status = instance.free_fmu_state(&mut state);
            instance.ok(status);
        }
    };
    // Allocators keep freed memory: the first instances show that, the others a leak.
    live(2000);
    let before = resident();
    live(100_000);
    let grown = resident() - before;
    println!("100,000 instances: {:.0} kB more", grown / 1e3);
    assert!(grown < GROWTH, "{grown} bytes");
}

/// Loads of a library, each with an instance that is freed before the library is unloaded.
fn load_and_use(fmu: &mut Fmu, copies: &[PathBuf; 2], count: usize) {
    for n in 0..count {
        // The library before it is unloaded.
        fmu.functions = Functions::load(&copies[n % 2]);
        assert!(
            mapped(&copies[n % 2]) && !mapped(&copies[1 - n % 2]),
            "one library at a time"
        );
        let first = fmu.instantiate(if n % 3 == 0 {
            CO_SIMULATION
        } else {
            MODEL_EXCHANGE
        });
        // Another one while the first lives, and one after both.
        drop(fmu.instantiate(CO_SIMULATION));
        drop(first);
        drop(fmu.instantiate(CO_SIMULATION));
    }
}

#[test]
fn unloaded_library_leaves_nothing_of_its_element() {
    if !is_alone("unloaded_library_leaves_nothing_of_its_element") {
        return;
    }
    let exporter = exporter();
    let mut elements = vec![Fmu::packaged("FrDyn2")];
    for (name, mut card) in [
        ("Measured", measured("LuGre")),
        ("Several", several("LuGre", 3, &["mu_s"])),
    ] {
        name.clone_into(&mut card.name);
        elements.push(load(
            &exporter,
            &Variant::new(model("LuGre"), card).expect("a card"),
        ));
    }
    for fmu in &mut elements {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let copies = ["first.so", "second.so"].map(|name| folder.path().join(name));
        for copy in &copies {
            std::fs::copy(fmu.library(), copy).expect("a copy of the library");
        }
        load_and_use(fmu, &copies, 20);
        let before = resident();
        let count = 1000;
        load_and_use(fmu, &copies, count);
        let left = (resident() - before) / count as f64;
        println!(
            "{}: {left:.1} bytes for each load",
            fmu.description.model_name
        );
        assert!(
            left < LEFT_BY_A_LOAD,
            "{}: {left} bytes for each load",
            fmu.description.model_name
        );
    }
}

#[test]
fn library_can_be_unloaded_after_use() {
    for _ in 0..20 {
        let fmu = Fmu::packaged("FrDyn2");
        let library = fmu.library();
        let mut element = Master::with_parameters(&fmu, &SLIDING_SINE.parameters);
        element.step(SLIDING_SINE.contact(0.0), 0.0, 1e-3);
        // A refusal as well: its sentence must not keep anything alive.
        let status = element.instance.do_step(0.0, -1.0);
        element.instance.complaint(status);
        drop(element);
        assert!(mapped(&library));
        drop(fmu);
        assert!(!mapped(&library));
    }
}
