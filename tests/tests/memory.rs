//! Lack of memory: instantiation and saving return an error with one message, and the process
//! continues.
#![cfg(target_os = "linux")] // `ulimit -v`

use bristle_importer::fmi2::{CO_SIMULATION, FmuState, Status};
use bristle_importer::fmu::Fmu;
use bristle_importer::instance::Options;
use std::process::Command;

/// Address space of the child, KiB: that of a test program with its threads, and room for some ten
/// thousand instances.
const LIMIT: u32 = 300_000;
/// Number of instances that exceeds the memory.
const MOST: usize = 1_000_000;
/// Marks the child.
const CHILD: &str = "BRISTLE_MEMORY_CHILD";

/// Runs the test of this name in a process whose address space is limited.
fn in_little_memory(test: &str) {
    let output = Command::new("sh")
        .args(["-c", &format!("ulimit -v {LIMIT}; exec \"$0\" \"$@\"")])
        .arg(std::env::current_exe().expect("this program"))
        .args([
            &*format!("memory::{test}"),
            "--exact",
            "--nocapture",
            "--test-threads=1",
        ])
        .env(CHILD, "1")
        .output()
        .expect("a shell");
    let [out, errors] =
        [output.stdout, output.stderr].map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
    assert!(
        output.status.success() && out.contains("1 passed"),
        "{}: {out}{errors}",
        output.status
    );
}

fn is_child() -> bool {
    std::env::var_os(CHILD).is_some()
}

#[test]
fn instantiation_without_memory_is_refused() {
    if !is_child() {
        return in_little_memory("instantiation_without_memory_is_refused");
    }
    let fmu = Fmu::packaged("Armstrong");
    let options = Options {
        logging_on: false,
        ..Options::of(&fmu)
    };
    let mut instances = Vec::with_capacity(MOST);
    let refused = loop {
        match fmu.try_instantiate(&options) {
            Ok(instance) => instances.push(instance),
            Err(refused) => break refused,
        }
        assert!(instances.len() < MOST);
    };
    let said = &refused.log.last().expect("a sentence").text;
    assert!(said.contains("memory"), "{said}");
    // Instances that were made go on, and freed ones can be made again.
    instances.truncate(instances.len() / 2);
    let mut last = instances.pop().expect("an instance");
    last.set("F_N", 1.0);
    assert!(fmu.try_instantiate(&options).is_ok());
}

#[test]
fn saving_a_state_without_memory_is_refused() {
    if !is_child() {
        return in_little_memory("saving_a_state_without_memory_is_refused");
    }
    let fmu = Fmu::packaged("Armstrong");
    let mut instance = fmu.instantiate(CO_SIMULATION);
    let mut states = Vec::with_capacity(MOST);
    loop {
        let mut state = FmuState::NULL;
        let status = instance.get_fmu_state(&mut state);
        if status != Status::OK {
            let said = instance.complaint(status);
            assert!(said.contains("memory") && state == FmuState::NULL, "{said}");
            break;
        }
        states.push(state);
        assert!(states.len() < MOST);
    }
    let (status, _) = instance.serialize_fmu_state(states[0]);
    assert_eq!(status, Status::Error);
    for state in &mut states {
        let status = instance.free_fmu_state(state);
        instance.ok(status);
    }
    let (status, _) = instance.serialize_fmu_state(FmuState::NULL);
    assert_eq!(status, Status::Error);
    let mut state = FmuState::NULL;
    let status = instance.get_fmu_state(&mut state);
    instance.ok(status);
    let status = instance.free_fmu_state(&mut state);
    instance.ok(status);
}
