//! Many instances, many threads, many lives: the same bits on every thread, and nothing that grows.

use bristle_importer::co_simulation::Master;
use bristle_importer::fmi2::{CO_SIMULATION, MODEL_EXCHANGE};
use bristle_importer::fmu::Fmu;
use bristle_reference_laws::workloads::{HEAVY, SLIDING_SINE, Workload, steps};
use std::thread;

const H: f64 = 1e-3;
const SPAN: f64 = 0.02;

/// The bits of F_R over some steps.
fn run(fmu: &Fmu, workload: &Workload) -> Vec<u64> {
    let mut element = Master::with_parameters(fmu, &workload.parameters);
    steps(SPAN, H).map(|t| element.step(workload.contact(t), t, H).to_bits()).collect()
}

#[test]
fn thousand_instances_on_eight_threads_give_the_bits_of_one() {
    let fmu = Fmu::packaged("FrDyn2");
    let workloads = [&SLIDING_SINE, &HEAVY];
    let alone = workloads.map(|workload| run(&fmu, workload));
    thread::scope(|scope| {
        for _ in 0..8 {
            scope.spawn(|| {
                // All alive at once and stepped in turn, so that threads and instances mix as they can.
                let mut elements: Vec<_> =
                    (0..125).map(|n| Master::with_parameters(&fmu, &workloads[n % 2].parameters)).collect();
                for (i, t) in steps(SPAN, H).enumerate() {
                    for (n, element) in elements.iter_mut().enumerate() {
                        let force = element.step(workloads[n % 2].contact(t), t, H);
                        assert_eq!(force.to_bits(), alone[n % 2][i], "instance {n}, step {i}");
                    }
                }
            });
        }
    });
}

#[test]
fn instance_may_change_threads_between_calls() {
    let fmu = Fmu::packaged("FrDyn2");
    let alone = run(&fmu, &SLIDING_SINE);
    let mut element = Master::with_parameters(&fmu, &SLIDING_SINE.parameters);
    for (t, expected) in steps(SPAN, H).zip(alone) {
        let force = thread::scope(|scope| {
            let step = scope.spawn(|| element.step(SLIDING_SINE.contact(t), t, H));
            step.join().expect("a step does not panic")
        });
        assert_eq!(force.to_bits(), expected);
    }
}

/// The memory this process has in use, bytes.
#[cfg(target_os = "linux")]
fn resident() -> f64 {
    let status = std::fs::read_to_string("/proc/self/status").expect("the proc file system of Linux");
    let line = status.lines().find(|line| line.starts_with("VmRSS:")).expect("the resident set is told");
    1024.0 * line.split_whitespace().nth(1).and_then(|kilobytes| kilobytes.parse::<f64>().ok()).expect("in kB")
}

#[test]
#[cfg(target_os = "linux")]
fn instances_and_library_loads_do_not_leak() {
    use bristle_importer::fmi2::{FmuState, Functions};
    use bristle_tests::tolerances::GROWTH;

    // A process of its own: the other tests of this program take memory at the same time.
    const CHILD: &str = "BRISTLE_LEAK_CHILD";
    if std::env::var_os(CHILD).is_none() {
        let output = std::process::Command::new(std::env::current_exe().expect("this program"))
            .args(["instances_and_library_loads_do_not_leak", "--exact", "--nocapture", "--test-threads=1"])
            .env(CHILD, "1")
            .output()
            .expect("this program starts");
        let [out, errors] = [output.stdout, output.stderr].map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
        assert!(output.status.success() && out.contains("1 passed"), "{}: {out}{errors}", output.status);
        return;
    }

    let fmu = Fmu::packaged("FrDyn2");
    let live = |count: u32| {
        for n in 0..count {
            let kind = if n % 2 == 0 { CO_SIMULATION } else { MODEL_EXCHANGE };
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

    let library = fmu.library();
    let folder = tempfile::tempdir().expect("a temporary folder");
    // Another file each time: the first one stays loaded.
    let copy = folder.path().join("copy.so");
    std::fs::copy(library, &copy).expect("a copy of the library");
    let load = |count: u32| {
        for _ in 0..count {
            let functions = Functions::load(&copy);
            // SAFETY: takes nothing and returns a static string.
            assert!(!unsafe { (functions.get_version)() }.is_null());
            assert!(mapped(&copy), "the library is loaded");
            drop(functions);
            assert!(!mapped(&copy), "the library is unloaded");
        }
    };
    load(10);
    let before = resident();
    load(200);
    let grown = resident() - before;
    println!("200 loadings: {:.0} kB more", grown / 1e3);
    assert!(grown < GROWTH, "{grown} bytes");
}

/// A file is part of this process's memory.
#[cfg(target_os = "linux")]
fn mapped(path: &std::path::Path) -> bool {
    let maps = std::fs::read_to_string("/proc/self/maps").expect("the proc file system of Linux");
    maps.contains(path.to_str().expect("a path that can be read"))
}

#[test]
#[cfg(target_os = "linux")]
fn library_can_be_unloaded_after_use() {
    for _ in 0..20 {
        let fmu = Fmu::packaged("FrDyn2");
        let library = fmu.library();
        let mut element = Master::with_parameters(&fmu, &SLIDING_SINE.parameters);
        element.step(SLIDING_SINE.contact(0.0), 0.0, H);
        // A refusal as well: its sentence must not keep anything alive.
        let status = element.instance.do_step(0.0, -1.0);
        element.instance.complaint(status);
        drop(element);
        assert!(mapped(&library));
        drop(fmu);
        assert!(!mapped(&library));
    }
}
