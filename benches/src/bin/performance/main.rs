//! Cost and error of a step of the packaged FrDyn2 at tolerances from 1e-3 to 1e-10, beside CVODE
//! in the same run.
//!
//! `performance FILE` prints the table of `docs/performance.md`, and writes the points of its
//! figure into the file; `cargo xtask performance` starts it.

mod motion;
mod search;

use bristle_benches::arguments::Arguments;
use bristle_benches::clock::{self, Work};
use bristle_benches::cvode::Cvode;
use bristle_benches::element::Element;
use bristle_importer::fmu::Fmu;
use bristle_reference_laws::Contact;
use bristle_reference_laws::workloads::{HEAVY, MICRO_SINE, SLIDING_SINE};
use motion::Motion;
use search::Tried;
use std::fmt::Write;
use std::hint::black_box;

/// Default tolerance of the element, error of F_R over F_s.
const DEFAULT: f64 = 1e-6;

/// The workloads, each with its communication steps (s).
fn motions() -> Vec<Motion> {
    let fine = [1e-3, 1e-4, 1e-5];
    let cases = [
        (&SLIDING_SINE, &fine[..]),
        (&MICRO_SINE, &fine[..]),
        (&HEAVY, &fine[..2]),
    ];
    cases
        .iter()
        .flat_map(|(workload, steps)| steps.iter().map(|h| Motion::new(workload, *h)))
        .collect()
}

fn main() {
    let points: String = Arguments::read("performance FILE").word();
    let fmu = Fmu::packaged("FrDyn2");
    let cvode = Cvode::load();
    let mut text = "workload\tH\tmethod\ttolerance\terror\tns\n".to_owned();
    println!("<!-- begin performance -->\n{}\n", machine(cvode.as_ref()));
    println!(
        "| workload | H, s | error at 1e-3 | at 1e-6 | at 1e-9 | step at 1e-6, ns | CVODE, error \
         ≤ 1e-6, ns | ratio |"
    );
    println!("|---|---|---:|---:|---:|---:|---:|---:|");
    let mut missed = 0;
    for motion in motions() {
        let tried = cvode
            .as_ref()
            .map_or(Vec::new(), |cvode| search::grid(cvode, &motion));
        let measured = measure(&fmu, &motion);
        missed += measured
            .iter()
            .filter(|(tolerance, error, _)| *error > tolerance + motion.error_bound)
            .count();
        println!("{}", row(&motion, &measured, cvode.as_ref(), &tried));
        let ours = measured
            .iter()
            .map(|(tolerance, error, cost)| ("Bristle", *tolerance, *error, *cost));
        let peers = search::front(&tried);
        let peers = peers
            .iter()
            .map(|tried| ("CVODE", tried.setting.relative, tried.error, tried.cost));
        for (method, tolerance, error, cost) in ours.chain(peers) {
            let Motion { workload, h, .. } = &motion;
            writeln!(
                text,
                "{}\t{h:e}\t{method}\t{tolerance:e}\t{error:e}\t{cost:.1}",
                workload.name
            )
            .expect("a string takes every text");
        }
    }
    if missed > 0 {
        println!("\nMISSED: {missed} errors exceed their tolerance.");
    }
    println!("<!-- end performance -->");
    std::fs::write(&points, text).expect("the points can be written");
}

/// Machine and compilers.
fn machine(cvode: Option<&Cvode>) -> String {
    let told = |name| std::env::var(name).unwrap_or_else(|_| "unknown".to_owned());
    let sundials = match cvode {
        Some(cvode) => format!("SUNDIALS {} ({}, -O3)", cvode.version(), told("BRISTLE_CC")),
        None => "CVODE's columns were SKIPPED: SUNDIALS is not installed; on Debian `apt-get \
                 install libsundials-dev` \
                 brings it"
            .to_owned(),
    };
    format!(
        "Measured on: {}; {}; {sundials}.",
        clock::processor(),
        told("BRISTLE_RUSTC")
    )
}

/// Cycles through a motion over and over, as work to be timed.
fn cycles<'a>(motion: &'a Motion, mut step: impl FnMut(Contact) -> f64 + 'a) -> Work<'a> {
    let run = move || {
        for contact in &motion.contacts {
            black_box(step(black_box(*contact)));
        }
    };
    Work {
        cycles: motion.contacts.len(),
        run: Box::new(run),
    }
}

/// Tolerance, largest error of F_R over F_s, and nanoseconds of a step, at each decade of the
/// tolerance.
fn measure(fmu: &Fmu, motion: &Motion) -> Vec<(f64, f64, f64)> {
    let tolerances: Vec<f64> = (3..=10).map(|n| libm::pow(10.0, -f64::from(n))).collect();
    let mut elements: Vec<_> = tolerances
        .iter()
        .map(|of| Element::start(fmu, &motion.workload.parameters.named(), Some(*of)))
        .collect();
    let errors: Vec<_> = elements
        .iter_mut()
        .map(|element| motion.error(|contact| element.step(contact, motion.h)))
        .collect();
    let works = elements
        .iter_mut()
        .map(|element| cycles(motion, |contact| element.step(contact, motion.h)));
    let costs = clock::medians(&mut works.collect::<Vec<_>>());
    tolerances
        .into_iter()
        .zip(errors)
        .zip(costs)
        .map(|((tolerance, error), cost)| (tolerance, error, cost))
        .collect()
}

/// Row of the table; an error above tolerance and error of the reference is bold.
fn row(
    motion: &Motion,
    measured: &[(f64, f64, f64)],
    cvode: Option<&Cvode>,
    tried: &[Tried],
) -> String {
    let shown = |place: usize| {
        let (tolerance, error, _) = measured[place];
        let mark = if error > tolerance + motion.error_bound {
            "**"
        } else {
            ""
        };
        format!("{mark}{error:.1e}{mark}")
    };
    let (_, error, cost) = measured[3];
    let peer = match (cvode, search::fastest(tried, error.max(DEFAULT))) {
        (None, _) => "SKIPPED | ".to_owned(),
        (_, None) => "not reached | ".to_owned(),
        (Some(cvode), Some(Tried { setting, .. })) => {
            let mut bristle = search::bristle(cvode, motion, setting);
            let step = move |contact| bristle.step(contact, motion.h, setting.stop);
            let peer = clock::medians(&mut [cycles(motion, step)])[0];
            format!("{peer:.0} | {:.0}", peer / cost)
        }
    };
    let [loose, usual, tight] = [0, 3, 6].map(shown);
    let name = motion.workload.name.split(' ').next().unwrap_or_default();
    format!(
        "| {name} | {:.0e} | {loose} | {usual} | {tight} | {cost:.0} | {peer} |",
        motion.h
    )
}
