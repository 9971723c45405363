//! The tables of `docs/performance.md`, each between the markers by which the page finds it.

use crate::search::{self, Tried};
use bristle_benches::clock::{self, Work};
use bristle_benches::cvode::Cvode;
use bristle_benches::motion::{Motion, SPAN};
use bristle_benches::other_methods::{General, Rk4};
use bristle_benches::packaged::Packaged;
use bristle_importer::co_simulation::Master;
use bristle_importer::fmu::Fmu;
use bristle_reference_laws::Contact;
use bristle_reference_laws::workloads::{REST, SLIDING, Workload, steps};
use std::hint::black_box;

/// Default tolerance of the element, error of F_R over F_s.
const PROMISED: f64 = 1e-6;
/// More inner steps per second than this are no use of an explicit method.
const RK4_FINEST: f64 = 3e-8;

/// Prints a section of the page.
pub fn section(name: &str, lines: &[String]) {
    println!("<!-- begin {name} -->\n{}\n<!-- end {name} -->", lines.join("\n"));
}

/// Machine and compilers.
pub fn machine(cvode: Option<&Cvode>) {
    let cpu = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let model = cpu.lines().find(|line| line.starts_with("model name")).and_then(|line| line.split(": ").nth(1));
    let told = |name| std::env::var(name).unwrap_or_else(|_| "unknown".to_owned());
    let sundials = match cvode {
        Some(cvode) => format!("SUNDIALS {} ({}, -O3)", cvode.version(), told("BRISTLE_CC")),
        None => "CVODE's columns were SKIPPED: SUNDIALS is not installed; on Debian `apt-get install libsundials-dev` \
                 brings it"
            .to_owned(),
    };
    let model = model.unwrap_or(std::env::consts::ARCH);
    section("machine", &[format!("Measured on: {model}; {}; {sundials}.", told("BRISTLE_RUSTC"))]);
}

/// Cycles through a motion over and over, as work to be timed.
fn cycles<'a>(motion: &'a Motion, mut step: impl FnMut(Contact) -> f64 + 'a) -> Work<'a> {
    let run = move || {
        for contact in &motion.contacts {
            black_box(step(black_box(*contact)));
        }
    };
    Work { cycles: motion.contacts.len(), run: Box::new(run) }
}

/// The tables of cost and error, beside CVODE and beside other methods.
pub fn costs(fmu: &Fmu, cvode: Option<&Cvode>, motions: &[Motion], searches: &[Vec<Tried>]) {
    let mut beside_cvode = vec![
        "| workload | H, s | Bristle, ns | its error | CVODE, ns, error ≤ 1e-6 | its error (RelTol, AbsTol) | ratio | \
         CVODE, ns, error ≤ Bristle's | its error (RelTol, AbsTol) | ratio |"
            .to_owned(),
        "|---|---|---|---|---|---|---|---|---|---|".to_owned(),
    ];
    let mut beside_others = vec![
        "| workload | H, s | Bristle, ns (error) | Radau IIA(5) alone, ns (error) | RK4, ns (error, inner steps) |"
            .to_owned(),
        "|---|---|---|---|---|".to_owned(),
    ];
    for (motion, tried) in motions.iter().zip(searches) {
        let Motion { workload, h, .. } = motion;
        let (h, parameters) = (*h, &workload.parameters);
        let mut element = Packaged::new(fmu, parameters, None);
        let ours = motion.error(|contact| element.step(contact, h));
        let mut general = General::new(parameters, 0.3 * PROMISED);
        let general_error = motion.error(|contact| general.step(contact, h));
        let rk4 = coarsest_rk4(motion, ours.max(PROMISED));

        let mut works = vec![
            cycles(motion, |contact| element.step(contact, h)),
            cycles(motion, move |contact| general.step(contact, h)),
        ];
        if let Some((inner, _)) = rk4 {
            let mut bristle = Rk4::new(parameters, inner);
            works.push(cycles(motion, move |contact| bristle.step(contact, h)));
        }
        let aims = [ours.max(PROMISED), ours].map(|aim| search::fastest(tried, aim));
        let peers = works.len();
        if let Some(cvode) = cvode {
            for Tried { setting, .. } in aims.into_iter().flatten() {
                let mut bristle = search::bristle(cvode, motion, setting);
                works.push(cycles(motion, move |contact| bristle.step(contact, h, setting.stop)));
            }
        }
        let costs = clock::medians(&mut works);
        drop(works);

        let mut row = format!("| {} | {h:.0e} | {:.0} | {ours:.1e} |", workload.name, costs[0]);
        let mut measured = costs[peers..].iter();
        for aim in aims {
            row += &match (cvode, aim) {
                (None, _) => " SKIPPED | | |".to_owned(),
                (_, None) => " not reached | | |".to_owned(),
                (_, Some(Tried { setting, error, .. })) => {
                    let cost = measured.next().expect("each setting was measured");
                    let passing = if setting.stop { "" } else { ", passing H" };
                    let at = format!("{error:.1e} ({:.0e}, {:.0e}{passing})", setting.relative, setting.absolute);
                    let ratio = cost / costs[0];
                    format!(" {cost:.0} | {at} | {ratio:.0} |")
                }
            };
        }
        eprintln!("{row}");
        beside_cvode.push(row);
        let rk4 =
            rk4.map_or("not reached".to_owned(), |(inner, error)| format!("{:.0} ({error:.1e}, {inner})", costs[2]));
        let row = format!(
            "| {} | {h:.0e} | {:.0} ({ours:.1e}) | {:.0} ({general_error:.1e}) | {rk4} |",
            workload.name, costs[0], costs[1]
        );
        eprintln!("{row}");
        beside_others.push(row);
    }
    section("cvode", &beside_cvode);
    section("peers", &beside_others);
}

/// The least number of inner steps, in powers of two, with which RK4 keeps this error, and the error it then makes.
fn coarsest_rk4(motion: &Motion, allowed: f64) -> Option<(u32, f64)> {
    let parameters = &motion.workload.parameters;
    (0..24).map(|n| 1_u32 << n).take_while(|inner| motion.h / f64::from(*inner) > RK4_FINEST).find_map(|inner| {
        let mut bristle = Rk4::new(parameters, inner);
        let error = motion.error(|contact| bristle.step(contact, motion.h));
        (error <= allowed).then_some((inner, error))
    })
}

/// Table of the costs without integration: rest, sliding, the calls alone.
pub fn floors(fmu: &Fmu) {
    let held = |workload: &Workload, h: f64| {
        let mut element = Master::with_parameters(fmu, &workload.parameters);
        let contacts: Vec<_> = steps(SPAN, h).map(|t| workload.contact(t)).collect();
        let mut t = 0.0;
        let cycles = contacts.len();
        let run = move || {
            for contact in &contacts {
                black_box(element.step(black_box(*contact), t, h));
                t += h;
            }
        };
        Work { cycles, run: Box::new(run) }
    };
    let mut idle = Master::with_parameters(fmu, &SLIDING.parameters);
    let bare = move || {
        for _ in 0..1000 {
            black_box(idle.idle(black_box(SLIDING.contact(0.0))));
        }
    };
    let grid = [1e-3, 1e-4, 1e-5];
    let mut works: Vec<_> = [&SLIDING, &REST].iter().flat_map(|workload| grid.map(|h| held(workload, h))).collect();
    works.push(Work { cycles: 1000, run: Box::new(bare) });
    let costs = clock::medians(&mut works);
    let mut lines = vec!["| | H = 1e-3 s | 1e-4 s | 1e-5 s |".to_owned(), "|---|---|---|---|".to_owned()];
    for (workload, costs) in [&SLIDING, &REST].iter().zip(costs.chunks(3)) {
        lines.push(format!("| {} | {:.0} | {:.0} | {:.0} |", workload.name, costs[0], costs[1], costs[2]));
    }
    lines.push(format!("| the calls alone, without a step | {0:.0} | {0:.0} | {0:.0} |", costs[6]));
    section("floors", &lines);
}
