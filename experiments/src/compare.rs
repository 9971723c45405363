//! `cargo xtask compare`: every element on every rig, its cost and the error of its force.
//!
//! Costs are those of the element alone: the recorded inputs of a coupled run are replayed, and only the replay is
//! timed. All elements take turns, so that a slow moment of the machine meets all, and ratios hold within one run.

use crate::case::Case;
use crate::coupled::{self, Element};
use crate::elements::Friction;
use crate::numbers::STATIC_FRICTION;
use crate::scenes::{self, Scene};
use crate::trace::Trace;
use crate::{monolithic, parallel};
use anyhow::{Context, Result};
use bristle::catalogue::ELEMENTS;
use bristle::law::Contact;
use bristle_importer::fmu::Fmu;
use bristle_rigs::test_bench::TestBench;
use cpu_time::ThreadTime;
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
}

/// Result of a run.
#[derive(Clone)]
struct Outcome {
    /// Largest and root mean square of the error of the force over F_s, or why there is none.
    error: Result<[f64; 2], String>,
    /// The largest force over F_s = μ_s F_N at the same instant.
    peak: f64,
    /// Inner steps in a communication step, on average.
    inner: f64,
    /// Processor time, ms for a second.
    cost: f64,
}

/// Recorded inputs of the contacts of a run.
struct Record {
    case: Case,
    h: f64,
    contacts: Vec<Vec<Contact>>,
    end: f64,
}

impl Record {
    fn new(case: &Case, h: f64, run: &Trace, end: f64) -> Self {
        let contacts = run.0.first().map_or(0, |sample| sample.contacts.len());
        let seen = |k: usize| run.0.iter().map(|sample| sample.contacts[k].contact).collect();
        Record { case: *case, h, contacts: (0..contacts).map(seen).collect(), end }
    }

    /// Plays it to new instances; the processor time that their steps take, s.
    fn play(&self, fmu: &Fmu) -> f64 {
        let of_contact = |seen: &Vec<Contact>| {
            let mut element = Element::start(fmu, &self.case);
            let start = ThreadTime::now();
            play_steps(&mut element, seen, self.h);
            start.elapsed().as_secs_f64()
        };
        self.contacts.iter().map(of_contact).sum()
    }

    /// The inner steps of the element in a communication step. The FMU does not report them: counted on the same element
    /// without its interface.
    fn inner_steps(&self) -> Result<f64> {
        let (mut inner, mut outer) = (0, 0_u32);
        for seen in &self.contacts {
            let mut element = self.case.instantiate()?;
            element.initialize()?;
            for contact in seen {
                element.set_contact(*contact);
                inner += element.advance(self.h)?.inner_steps;
                outer += 1;
            }
        }
        Ok(f64::from(inner) / f64::from(outer))
    }
}

/// Replay that is timed and that callgrind counts, by this name.
#[inline(never)]
fn play_steps(element: &mut Element, seen: &[Contact], h: f64) {
    for (i, contact) in seen.iter().enumerate() {
        std::hint::black_box(element.step(*contact, i as f64 * h, h));
    }
}

/// `experiments compare POINTS`: prints the tables, and writes a line for each run to a file for the plot.
pub fn command(points: &Path) -> Result<()> {
    let scenes = scenes::all();
    let runs: Vec<Run> = scenes
        .iter()
        .flat_map(|scene| {
            let cases = scene.friction.of_all().into_iter();
            cases.flat_map(move |case| STEPS.map(|h| Run { scene, case, h }))
        })
        .collect();
    let references = references(&scenes);
    let judged = parallel::map(&runs, |run| judge(run, &references));
    let costs = costs(&runs, judged.iter().map(|(_, record)| record));
    let outcomes: Vec<Outcome> =
        judged.into_iter().zip(costs).map(|((outcome, _), cost)| Outcome { cost, ..outcome }).collect();

    let mut file = "rig\telement\tH\tmaximum error\trms error\tpeak\tms per s\n".to_owned();
    for (run, outcome) in runs.iter().zip(&outcomes) {
        let [most, mean] = outcome.error.clone().unwrap_or([f64::NAN; 2]);
        writeln!(
            file,
            "{}\t{}\t{:e}\t{most:.3e}\t{mean:.3e}\t{:.5}\t{:.4}",
            run.scene.name,
            run.case.name(),
            run.h,
            outcome.peak,
            outcome.cost
        )?;
    }
    std::fs::write(points, file).with_context(|| format!("cannot write {}", points.display()))?;

    println!("<!-- begin rest -->\n{}<!-- end rest -->", rest());
    println!("<!-- begin rigs -->");
    for scene in &scenes {
        let of_scene = runs.iter().zip(&outcomes).filter(|(run, _)| run.scene.name == scene.name);
        print!("{}", table(scene, &of_scene.collect::<Vec<_>>()));
    }
    println!("Without a reference (\u{2013}):\n\n{}<!-- end rigs -->", reasons(&runs, &outcomes));
    Ok(())
}

/// Scene, element, and the monolithic solution or the reason why there is none.
type Reference = (&'static str, &'static str, Result<Trace, String>);

fn references(scenes: &[Scene]) -> Vec<Reference> {
    let pairs: Vec<_> =
        scenes.iter().flat_map(|scene| scene.friction.of_all().into_iter().map(move |case| (scene, case))).collect();
    let solve = |(scene, case): &(&Scene, Case)| {
        let solved = match scene.unsolved(case.entry) {
            Some(why) => Err(why.to_owned()),
            None => monolithic::run(case, scene.rig.as_ref(), SAMPLED, scene.end).map_err(|error| error.to_string()),
        };
        (scene.name, case.name(), solved)
    };
    parallel::map(&pairs, solve)
}

fn judge(run: &Run, references: &[Reference]) -> (Outcome, Record) {
    let Run { scene, case, h } = run;
    let trace = coupled::run(&Fmu::packaged(case.name()), case, scene.rig.as_ref(), *h, scene.end, 1);
    let mu_s = scene.friction.mu_s;
    let peaks = trace.0.iter().flat_map(|sample| &sample.contacts);
    let peak = peaks.map(|answer| answer.F_R.abs() / (mu_s * answer.contact.F_N)).fold(0.0, f64::max);
    let reference = references.iter().find(|(rig, element, _)| (*rig, *element) == (scene.name, case.name()));
    let error = match reference {
        Some((_, _, Ok(reference))) => {
            Ok(error(&trace, reference, (SAMPLED / h).round() as usize, scene.static_friction))
        }
        Some((_, _, Err(why))) => Err(why.clone()),
        None => Err("it was not solved monolithically".to_owned()),
    };
    let record = Record::new(case, *h, &trace, scene.end);
    (Outcome { error, peak, inner: record.inner_steps().unwrap_or(f64::NAN), cost: f64::NAN }, record)
}

/// Largest and root mean square difference of the forces over F_s.
fn error(run: &Trace, reference: &Trace, stride: usize, static_friction: f64) -> [f64; 2] {
    let sampled = run.0.iter().skip(stride - 1).step_by(stride).zip(&reference.0);
    let differences = sampled.flat_map(|(a, b)| a.contacts.iter().zip(&b.contacts).map(|(a, b)| a.F_R - b.F_R));
    let differences: Vec<f64> = differences.map(|difference| difference / static_friction).collect();
    let most = differences.iter().fold(0.0, |most: f64, d| most.max(d.abs()));
    let mean = differences.iter().map(|d| d * d).sum::<f64>() / differences.len().max(1) as f64;
    [most, mean.sqrt()]
}

/// Median processor times, ms for a second of the rig.
fn costs<'a>(runs: &[Run], records: impl Iterator<Item = &'a Record>) -> Vec<f64> {
    let fmus: Vec<_> = ELEMENTS.iter().map(|entry| (entry.metadata.name, Fmu::packaged(entry.metadata.name))).collect();
    let records: Vec<_> = records.collect();
    let mut times = vec![Vec::new(); runs.len()];
    for _ in 0..PASSES {
        for (record, times) in records.iter().zip(&mut times) {
            let (_, fmu) =
                fmus.iter().find(|(name, _)| *name == record.case.name()).expect("every element has its FMU");
            times.push(record.play(fmu) / record.end * 1e3);
        }
    }
    let median = |mut times: Vec<f64>| {
        times.sort_by(f64::total_cmp);
        times[times.len() / 2]
    };
    times.into_iter().map(median).collect()
}

/// `experiments play RIG ELEMENT H`: one run, played once, for callgrind.
pub fn play(rig: &str, element: &str, h: &str) -> Result<()> {
    let scene = scenes::all().into_iter().find(|scene| scene.name == rig);
    let scene = scene.with_context(|| format!("there is no rig {rig} to compare on"))?;
    let h: f64 = h.parse().with_context(|| format!("{h} is no communication step"))?;
    let case = scene.friction.of(element);
    let fmu = Fmu::packaged(element);
    let trace = coupled::run(&fmu, &case, scene.rig.as_ref(), h, scene.end, 1);
    Record::new(&case, h, &trace, scene.end).play(&fmu);
    println!("{}", scene.end);
    Ok(())
}

fn shown(x: f64) -> String {
    if x == 0.0 { "0".to_owned() } else { format!("{x:.1e}") }
}

/// Does it stick? 0.99 F_s on the test bench for 300 s, and the step that makes models overshoot.
fn rest() -> String {
    let cases = Friction::BENCH.of_all();
    let rows = parallel::map(&cases, |case| {
        let fmu = Fmu::packaged(case.name());
        let drifts = STEPS.map(|h| {
            let rig = TestBench::step(0.99 * STATIC_FRICTION, 30.0);
            let run = coupled::run(&fmu, case, &rig, h, 300.0, (1.0 / h).round() as usize);
            run.last().y[0] - run.at(31.0).y[0]
        });
        let rig = TestBench::step(0.95 * STATIC_FRICTION, 1e-3);
        let peak = coupled::run(&fmu, case, &rig, 1e-6, 0.01, 1).peak(0) / STATIC_FRICTION;
        (drifts, peak)
    });
    let mut table =
        "| element | drift, H = 1e-4 s | drift, H = 1e-3 s | peak force over F_s |\n|---|---:|---:|---:|\n".to_owned();
    for (case, (drifts, peak)) in cases.iter().zip(rows) {
        let [fine, coarse] = drifts.map(|drift| format!("{} m", shown(drift)));
        let _ = writeln!(table, "| {} | {fine} | {coarse} | {peak:.4} |", case.name());
    }
    table
}

/// The table of a rig, with the cost of FrDyn2 at the same step as the unit.
fn table(scene: &Scene, rows: &[(&Run, &Outcome)]) -> String {
    let mut head = "| element".to_owned();
    for h in STEPS {
        let _ = write!(
            head,
            " | H = {h:e} s: largest error | root mean square | peak over F_s | inner steps | ms for 1 s | over FrDyn2"
        );
    }
    let mut table =
        format!("### {}: {}\n\n{head} |\n|---{}|\n", scene.name, scene.what, "|---:".repeat(6 * STEPS.len()));
    for case in scene.friction.of_all() {
        let _ = write!(table, "| {}", case.name());
        for h in STEPS {
            let find = |name: &str| rows.iter().find(|(run, _)| run.h == h && run.case.name() == name);
            let Some((_, Outcome { error, peak, inner, cost })) = find(case.name()) else { continue };
            let ratio = find("FrDyn2").map_or(f64::NAN, |(_, unit)| cost / unit.cost);
            let [most, mean] =
                error.clone().map_or(["\u{2013}", "\u{2013}"].map(str::to_owned), |errors| errors.map(shown));
            let _ = write!(table, " | {most} | {mean} | {peak:.3} | {inner:.2} | {cost:.3} | {ratio:.2}");
        }
        table.push_str(" |\n");
    }
    table.push('\n');
    table
}

/// Elements without a reference, each with the reason.
fn reasons(runs: &[Run], outcomes: &[Outcome]) -> String {
    let mut reasons: Vec<(&str, Vec<&str>)> = Vec::new();
    for (run, outcome) in runs.iter().zip(outcomes) {
        let Err(why) = &outcome.error else { continue };
        let place = reasons.iter().position(|(known, _)| known == why).unwrap_or(reasons.len());
        if place == reasons.len() {
            reasons.push((why, Vec::new()));
        }
        if !reasons[place].1.contains(&run.case.name()) {
            reasons[place].1.push(run.case.name());
        }
    }
    reasons.into_iter().map(|(why, names)| format!("- {}: {why}.\n", names.join(", "))).collect()
}
