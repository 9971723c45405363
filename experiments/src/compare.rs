//! `cargo xtask compare`: every element on every rig, its cost and the error of its force, and its
//! drift under 0.99 F_s.
//!
//! Costs are those of the element alone: the recorded inputs of a coupled run are replayed, and
//! only the replay is timed. All elements take turns, so that a slow moment of the machine meets
//! all, and ratios hold within one run.

use crate::case::Case;
use crate::coupled::{self, Element};
use crate::elements::Friction;
use crate::monolithic;
use crate::numbers::STATIC_FRICTION;
use crate::scenes::{self, Scene};
use crate::trace::Trace;
use anyhow::{Context, Result};
use bristle::law::Contact;
use bristle_importer::fmu::Fmu;
use bristle_rigs::test_bench::TestBench;
use cpu_time::ThreadTime;
use rayon::prelude::*;
use std::fmt::Write;
use std::path::Path;

/// Communication steps, s.
const STEPS: [f64; 2] = [1e-4, 1e-3];
/// Forces are compared this far apart, s: a whole number of every step.
const SAMPLED: f64 = 1e-3;
/// Passes of which the median counts.
const PASSES: usize = 5;

/// An element on a rig at one communication step.
struct Run<'a> {
    scene: &'a Scene,
    case: Case,
    h: f64,
    /// Largest and root mean square of the error of the force over F_s, where the rig has a
    /// monolithic solution.
    error: Option<[f64; 2]>,
    /// Recorded inputs of each contact.
    inputs: Vec<Vec<Contact>>,
    /// Processor time of a step of all contacts, ns.
    cost: f64,
}

/// `experiments compare FILE`: prints the table, and writes a line for each run to the file.
pub fn command(path: &Path) -> Result<()> {
    let scenes = scenes::all();
    let pairs: Vec<_> = scenes
        .iter()
        .flat_map(|scene| {
            scene
                .friction
                .of_all()
                .into_iter()
                .map(move |case| (scene, case))
        })
        .collect();
    let mut runs: Vec<Run> = pairs
        .par_iter()
        .flat_map_iter(|(scene, case)| solve(scene, case))
        .collect();
    time(&mut runs);
    let mut file = "rig,element,H [s],largest error [F_s],rms error [F_s],step [ns]\n".to_owned();
    for Run {
        scene,
        case,
        h,
        error,
        cost,
        ..
    } in &runs
    {
        let [most, mean] = error.map_or([String::new(), String::new()], |error| {
            error.map(|e| format!("{e:.3e}"))
        });
        writeln!(
            file,
            "{},{},{h:e},{most},{mean},{cost:.1}",
            scene.name,
            case.name()
        )?;
    }
    std::fs::write(path, file).with_context(|| format!("cannot write {}", path.display()))?;
    println!(
        "<!-- begin compare -->\n{}<!-- end compare -->",
        table(&scenes, &runs)
    );
    Ok(())
}

/// The runs of an element on a rig, with the errors against the monolithic solution.
fn solve<'a>(scene: &'a Scene, case: &Case) -> Vec<Run<'a>> {
    let rig = scene.rig.as_ref();
    let solved = scene
        .is_solved(case.entry)
        .then(|| monolithic::run(case, rig, SAMPLED, scene.end).ok());
    let reference = solved.flatten();
    let runs = STEPS.map(|h| {
        let trace = coupled::run(&Fmu::packaged(case.name()), case, rig, h, scene.end, 1);
        let stride = (SAMPLED / h).round() as usize;
        let error = reference
            .as_ref()
            .map(|reference| error(&trace, reference, stride, scene.static_friction));
        let seen = |k: usize| {
            trace
                .0
                .iter()
                .map(|sample| sample.contacts[k].contact)
                .collect()
        };
        Run {
            scene,
            case: *case,
            h,
            error,
            inputs: (0..rig.contacts()).map(seen).collect(),
            cost: f64::NAN,
        }
    });
    runs.into()
}

/// Largest and root mean square difference of the forces over F_s.
fn error(run: &Trace, reference: &Trace, stride: usize, static_friction: f64) -> [f64; 2] {
    let sampled = run
        .0
        .iter()
        .skip(stride - 1)
        .step_by(stride)
        .zip(&reference.0);
    let differences = sampled.flat_map(|(a, b)| {
        a.contacts
            .iter()
            .zip(&b.contacts)
            .map(|(a, b)| a.F_R - b.F_R)
    });
    let differences: Vec<f64> = differences
        .map(|difference| difference / static_friction)
        .collect();
    let most = differences
        .iter()
        .fold(0.0, |most: f64, d| most.max(d.abs()));
    let mean = differences.iter().map(|d| d * d).sum::<f64>() / differences.len().max(1) as f64;
    [most, mean.sqrt()]
}

/// Replays the inputs of all runs in turn, and sets the median cost of a step.
fn time(runs: &mut [Run]) {
    let mut times = vec![Vec::new(); runs.len()];
    for _ in 0..PASSES {
        for (
            Run {
                case, h, inputs, ..
            },
            times,
        ) in runs.iter().zip(&mut times)
        {
            let fmu = Fmu::packaged(case.name());
            let of_contact = |seen: &Vec<Contact>| {
                let mut element = Element::start(&fmu, case);
                let start = ThreadTime::now();
                for (i, contact) in seen.iter().enumerate() {
                    std::hint::black_box(element.step(*contact, i as f64 * h, *h));
                }
                start.elapsed().as_secs_f64() * 1e9 / seen.len() as f64
            };
            times.push(inputs.iter().map(of_contact).sum::<f64>());
        }
    }
    runs.iter_mut()
        .zip(times)
        .for_each(|(run, times)| run.cost = median(times));
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

/// Displacement from 31 s to 300 s under 0.99 F_s on the test bench, m.
fn drift(case: &Case) -> f64 {
    let [h, _] = STEPS;
    let rig = TestBench::step(0.99 * STATIC_FRICTION, 30.0);
    let run = coupled::run(
        &Fmu::packaged(case.name()),
        case,
        &rig,
        h,
        300.0,
        (1.0 / h).round() as usize,
    );
    run.last().y[0] - run.at(31.0).y[0]
}

/// Rigs of the table, the first ones; the file has all.
const SHOWN: usize = 4;

/// Drift, root mean square errors at the shorter step, and the median cost over the rigs.
fn table(scenes: &[Scene], runs: &[Run]) -> String {
    let cases = Friction::BENCH.of_all();
    let drifts: Vec<f64> = cases.par_iter().map(drift).collect();
    let names: Vec<_> = scenes.iter().take(SHOWN).map(|scene| scene.name).collect();
    let mut table = format!(
        "| element | drift, m | {} | step, ns |\n|---{}|\n",
        names.join(" | "),
        "|---:".repeat(2 + names.len())
    );
    for (case, drift) in cases.iter().zip(drifts) {
        let of_element = || {
            runs.iter()
                .filter(|run| run.case.name() == case.name() && run.h == STEPS[0])
        };
        let errors = of_element().map(|run| {
            run.error
                .map_or("–".to_owned(), |[_, mean]| format!("{mean:.0e}"))
        });
        let errors = errors.take(SHOWN).collect::<Vec<_>>().join(" | ");
        let cost = median(of_element().map(|run| run.cost).collect());
        let _ = writeln!(
            table,
            "| {} | {drift:.0e} | {errors} | {cost:.0} |",
            case.name()
        );
    }
    table
}
