//! Replay of the corpus of guided fuzzing, and of a walk of random bytes, with a stable compiler.

use bristle_fuzz_targets::{TARGETS, Target};
use std::path::Path;
use std::time::{Duration, Instant};

/// Bound on the time of a case: a refused step takes a fraction of it, and the machine may be busy.
const MOST: Duration = Duration::from_secs(if cfg!(miri) { 3600 } else { 20 });
/// Random cases of each target; Miri takes some thousand times as long.
const RANDOM: u64 = if cfg!(miri) { 4 } else { 1000 };

/// Targets of a run: under Miri those of the C interface, whose code is unsafe.
fn targets() -> impl Iterator<Item = Target> {
    TARGETS
        .into_iter()
        .filter(|(name, _)| !cfg!(miri) || ["states", "calls"].contains(name))
}

fn run(name: &str, target: fn(&[u8]), case: &str, bytes: &[u8]) {
    let start = Instant::now();
    target(bytes);
    let said = format!("{name}, {case}: {:?}", start.elapsed());
    println!("{said}");
    assert!(start.elapsed() < MOST, "{said}");
}

/// Runs the cases of a target in a folder.
fn run_folder(folder: &str, name: &str, target: fn(&[u8])) {
    let mut count = 0;
    for entry in std::fs::read_dir(
        Path::new(env!("CARGO_MANIFEST_DIR"))
            .join(folder)
            .join(name),
    )
    .expect("a folder")
    {
        let path = entry.expect("an entry").path();
        // Cases that fuzzing found make more steps, and would take Miri minutes.
        if cfg!(miri)
            && path
                .file_name()
                .is_some_and(|file| file.to_string_lossy().starts_with("found"))
        {
            continue;
        }
        run(
            name,
            target,
            &path.display().to_string(),
            &std::fs::read(&path).expect("a case"),
        );
        count += 1;
    }
    assert!(count > 0, "{folder} has no case of {name}");
}

#[test]
fn corpus_of_every_target_runs_without_a_finding() {
    for (name, target) in targets() {
        run_folder("corpus", name, target);
    }
}

/// Cases with one to three steps that are refused after all their inner steps: a forged state costs
/// no more.
#[test]
#[cfg_attr(miri, ignore = "300 000 inner steps and more take hours")]
fn slow_cases_take_the_time_of_refused_steps() {
    for (name, target) in targets().filter(|(name, _)| ["states", "calls"].contains(name)) {
        run_folder("slow", name, target);
    }
}

#[test]
fn random_bytes_are_no_finding() {
    for (name, target) in targets() {
        let mut state = 1_u64;
        for case in 0..RANDOM {
            let mut next = || {
                state = state
                    .wrapping_mul(6_364_136_223_846_793_005)
                    .wrapping_add(1_442_695_040_888_963_407);
                (state >> 56) as u8
            };
            let length = usize::from(next());
            let bytes: Vec<u8> = (0..length).map(|_| next()).collect();
            run(name, target, &format!("random case {case}"), &bytes);
        }
    }
}
