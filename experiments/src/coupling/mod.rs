//! `cargo xtask coupling`: errors of the coupling of a body and a contact over the communication step, with held values, with an
//! iterating master, and with the body observer of m_eff.
//!
//! Every run is FrDyn2 through its packaged FMU, against the monolithic solution.

mod errors;
mod master;
mod scenario;

use self::errors::{Errors, Reference};
use self::master::{Order, Steps};
use self::scenario::{MOVING, MU_S, SCENARIOS, SHOWN, Scenario, Told};
use crate::case::Case;
use crate::coupled::{self, Element};
use crate::elements::Friction;
use crate::table::Table;
use crate::trace::Trace;
use crate::{monolithic, parallel, survey};
use anyhow::{Context, Result};
use bristle::law::Contact;
use bristle_importer::fmu::Fmu;
use bristle_rigs::Rig;
use bristle_rigs::festoon::Festoon;
use bristle_rigs::test_bench::G;
use cpu_time::ThreadTime;
use std::fmt::Write;
use std::path::Path;

const MASSES: [f64; 4] = [0.1, 1.0, 10.0, 100.0];
const STEPS: [f64; 3] = [1e-4, 1e-3, 1e-2];
/// M/m.
const RATIOS: [f64; 8] = [0.2, 0.35, 0.5, 0.8, 1.0, 1.2, 1.5, 2.0];

/// Master, with the body observer or without.
#[derive(Clone, Copy)]
struct Setting {
    name: &'static str,
    order: Order,
    /// Value of `coupling` beside m_eff; none without the body observer.
    coupling: Option<f64>,
}

const SETTINGS: [Setting; 5] = [
    Setting { name: "held, serial", order: Order::Serial, coupling: None },
    Setting { name: "held, parallel", order: Order::Parallel, coupling: None },
    Setting { name: "iterating", order: Order::Iterative, coupling: None },
    Setting { name: "observer, serial", order: Order::Serial, coupling: Some(1.0) },
    Setting { name: "observer, parallel", order: Order::Parallel, coupling: Some(2.0) },
];

/// A run to make.
#[derive(Clone, Copy)]
struct Run {
    scenario: &'static Scenario,
    mass: f64,
    setting: Setting,
    steps: Steps,
    ratio: f64,
}

impl Run {
    fn case(&self) -> Case {
        let parameters = match self.setting.coupling {
            Some(coupling) => vec![("m_eff", self.ratio * self.mass), ("coupling", coupling)],
            None => Vec::new(),
        };
        Case::new("FrDyn2", parameters.leak())
    }

    /// The run is of a scenario with a mass.
    fn is_of(&self, (scenario, mass): &(&Scenario, f64)) -> bool {
        scenario.name == self.scenario.name && *mass == self.mass
    }

    fn make(&self, fmu: &Fmu, reference: &Reference) -> Errors {
        let rig = (self.scenario.rig)(self.mass);
        let cycles = master::run(fmu, &self.case(), rig.as_ref(), self.setting.order, self.steps, self.scenario.end);
        Errors::of(&cycles, reference, MU_S * self.mass * G)
    }
}

/// Makes the reference solutions and the runs, and returns their errors in order.
fn all(runs: &[Run]) -> Result<Vec<Errors>> {
    let mut wanted: Vec<(&'static Scenario, f64)> = Vec::new();
    for run in runs {
        if !wanted.iter().any(|entry| run.is_of(entry)) {
            wanted.push((run.scenario, run.mass));
        }
    }
    // The heavy ones first: they take longest.
    wanted.sort_by(|a, b| b.1.total_cmp(&a.1));
    let solved = parallel::map(&wanted, |(scenario, mass)| Reference::solve(scenario, *mass));
    let solved: Result<Vec<_>> = solved.into_iter().collect();
    let solved = solved?;
    let fmu = Fmu::packaged("FrDyn2");
    let errors = parallel::map(runs, |run| {
        let place = wanted.iter().position(|entry| run.is_of(entry)).expect("every run has its reference");
        run.make(&fmu, &solved[place])
    });
    Ok(errors)
}

/// `experiments coupling FOLDER`: prints the tables and writes the data of the figures.
pub fn command(folder: &Path) -> Result<()> {
    println!("<!-- begin scenarios -->\n{}<!-- end scenarios -->", scenarios()?);
    println!("<!-- begin windows -->\n{}<!-- end windows -->", windows()?);
    println!("<!-- begin more -->\n{}<!-- end more -->", more()?);
    println!("<!-- begin festoon -->\n{}<!-- end festoon -->", festoon()?);
    survey::command(None)?;
    println!("<!-- begin costs -->\n{}<!-- end costs -->", costs());
    figures(folder)
}

/// One table per scenario: masses and communication steps over masters.
fn scenarios() -> Result<String> {
    let mut runs = Vec::new();
    for scenario in &SCENARIOS {
        for mass in MASSES {
            for h in STEPS {
                runs.extend(SETTINGS.map(|setting| Run { scenario, mass, setting, steps: Steps::Even(h), ratio: 1.0 }));
            }
        }
    }
    let errors = all(&runs)?;
    let mut text = String::new();
    for (scenario, cells) in SCENARIOS.iter().zip(errors.chunks(MASSES.len() * STEPS.len() * SETTINGS.len())) {
        write!(text, "### {}\n\n{}.\n\n| m, kg | H, s |", capital(scenario.name), capital(scenario.what))?;
        SETTINGS.iter().try_for_each(|setting| write!(text, " {} |", setting.name))?;
        writeln!(text, "\n|---:|---:|{}", "---|".repeat(SETTINGS.len()))?;
        for (mass, rows) in MASSES.iter().zip(cells.chunks(STEPS.len() * SETTINGS.len())) {
            for (h, row) in STEPS.iter().zip(rows.chunks(SETTINGS.len())) {
                write!(text, "| {mass} | {h:.0e} |")?;
                for errors in row {
                    write!(text, " {} |", cell(errors, scenario.told))?;
                }
                text.push('\n');
            }
        }
        text.push('\n');
    }
    Ok(text)
}

fn cell(errors: &Errors, told: Told) -> String {
    let mut cell = format!("{:.0e}, {:.0e}", errors.force, errors.displacement);
    let _ = match told {
        Told::Nothing => Ok(()),
        Told::Energy => write!(cell, ", {:+.2} %", errors.energy * 100.0),
        Told::Slips => write!(cell, ", {}/{}", errors.slips[0], errors.slips[1]),
    };
    cell
}

fn capital(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or(String::new(), |first| first.to_uppercase().collect::<String>() + letters.as_str())
}

/// m_eff that is wrong by a factor.
fn windows() -> Result<String> {
    let mut runs = Vec::new();
    for scenario in &SCENARIOS {
        for setting in &SETTINGS[3..] {
            for h in STEPS {
                runs.extend(RATIOS.map(|ratio| Run {
                    scenario,
                    mass: 1.0,
                    setting: *setting,
                    steps: Steps::Even(h),
                    ratio,
                }));
            }
        }
    }
    let errors = all(&runs)?;
    let mut text = "| scenario | coupling | H, s |".to_owned();
    RATIOS.iter().try_for_each(|ratio| write!(text, " {ratio} |"))?;
    writeln!(text, "\n|---|---|---:|{}", "---|".repeat(RATIOS.len()))?;
    for (runs, errors) in runs.chunks(RATIOS.len()).zip(errors.chunks(RATIOS.len())) {
        let Run { scenario, setting, steps: Steps::Even(h), .. } = runs[0] else { continue };
        write!(text, "| {} | {} | {h:.0e} |", scenario.name, setting.name.trim_start_matches("observer, "))?;
        for errors in errors {
            write!(text, " {} |", cell(errors, scenario.told))?;
        }
        text.push('\n');
    }
    Ok(text)
}

/// Steps of changing length, normal forces that move and vanish, and a master that extrapolates.
fn more() -> Result<String> {
    let [serial, parallel] = [SETTINGS[3], SETTINGS[4]];
    let extrapolating = Setting { name: "observer, serial, extrapolated", order: Order::Extrapolating, ..serial };
    let mut runs = Vec::new();
    for scenario in &SCENARIOS {
        for setting in [serial, parallel] {
            runs.push((
                "H from 2e-4 to 2e-3 s",
                Run { scenario, mass: 1.0, setting, steps: Steps::Uneven(1e-3), ratio: 1.0 },
            ));
        }
    }
    for scenario in &MOVING {
        for setting in [SETTINGS[0], serial, parallel] {
            for h in [1e-4, 1e-3] {
                runs.push(("", Run { scenario, mass: 1.0, setting, steps: Steps::Even(h), ratio: 1.0 }));
            }
        }
    }
    for scenario in &SCENARIOS {
        let run = |h| Run { scenario, mass: 1.0, setting: extrapolating, steps: Steps::Even(h), ratio: 1.0 };
        runs.push(("F_R extrapolated by the master", run(1e-3)));
    }
    let errors = all(&runs.iter().map(|(_, run)| *run).collect::<Vec<_>>())?;
    let mut text =
        "| scenario | | master | H, s | F_R, u | peak over F_s | energy |\n|---|---|---|---:|---|---:|---:|\n"
            .to_owned();
    for ((what, run), errors) in runs.iter().zip(errors) {
        let h = match run.steps {
            Steps::Even(h) => format!("{h:.0e}"),
            Steps::Uneven(_) => "uneven".to_owned(),
        };
        writeln!(
            text,
            "| {} | {what} | {} | {h} | {} | {:.2} | {:+.2} % |",
            run.scenario.name,
            run.setting.name,
            cell(&errors, Told::Nothing),
            errors.peak,
            errors.energy * 100.0
        )?;
    }
    Ok(text)
}

/// The festoon with two contacts, serial.
fn festoon() -> Result<String> {
    let rig = Festoon::default();
    let end = 7.0;
    let friction = Friction::TROLLEY;
    let plain = friction.of("FrDyn2");
    let whole = monolithic::run(&plain, &rig, 1e-4, end)?;
    let with = |m_eff: f64| {
        let parameters = plain.parameters.iter().copied().chain([("m_eff", m_eff), ("coupling", 1.0)]);
        Case { parameters: parameters.collect::<Vec<_>>().leak(), ..plain }
    };
    let fmu = Fmu::packaged("FrDyn2");
    let mut text = "| m_eff, kg | H, s | peak of F_law, trolleys 1, 2 | of F_R | energy | largest error of x, m |\n\
                    |---:|---:|---:|---:|---:|---:|\n"
        .to_owned();
    let energy = losses(&whole, &rig);
    writeln!(text, "| monolithic | | {:.4} N, {:.4} N | | {energy:.4} J | |", whole.peak(0), whole.peak(1))?;
    for (case, m_eff, h) in [
        (plain, 0.0, 1e-3),
        (with(0.25), 0.25, 1e-3),
        (with(0.2), 0.2, 1e-3),
        (with(0.5), 0.5, 1e-3),
        (with(0.25), 0.25, 5e-4),
        (with(0.25), 0.25, 2e-3),
    ] {
        let run = coupled::run(&fmu, &case, &rig, h, end, 1);
        // Peaks are compared at the same instants.
        let stride = (h / 1e-4).round() as usize;
        let at = Trace(whole.0.iter().skip(stride - 1).step_by(stride).cloned().collect());
        let over = |peak: f64, k: usize| (peak / at.peak(k) - 1.0) * 100.0;
        let [law, applied] = [[0, 1].map(|k| over(run.peak(k), k)), [0, 1].map(|k| over(run.applied_peak(k), k))];
        let error = run.0.iter().zip(&at.0).map(|(a, b)| (a.y[0] - b.y[0]).abs().max((a.y[2] - b.y[2]).abs()));
        writeln!(
            text,
            "| {m_eff} | {h:.0e} | {:+.2} %, {:+.2} % | {:+.2} %, {:+.2} % | {:+.2} % | {:.1e} |",
            law[0],
            law[1],
            applied[0],
            applied[1],
            (losses(&run, &rig) / energy - 1.0) * 100.0,
            error.fold(0.0, f64::max)
        )?;
    }
    Ok(text)
}

/// Energy that friction takes from the trolleys, J: the sum of force times displacement.
fn losses(run: &Trace, rig: &dyn Rig) -> f64 {
    let mut before = rig.start();
    let mut total = 0.0;
    for sample in &run.0 {
        for k in 0..2 {
            total += sample.contacts[k].F_R * (sample.y[2 * k] - before[2 * k]);
        }
        before.clone_from(&sample.y);
    }
    total
}

/// Processor time of a whole cycle: set F_N and v, step, get F_R.
fn costs() -> String {
    let fmu = Fmu::packaged("FrDyn2");
    let mut text = "| motion | coupling | H = 1e-4 s | 1e-3 s | 1e-2 s |\n|---|---|---:|---:|---:|\n".to_owned();
    for (name, amplitude, frequency) in [
        ("at rest under 0.5 F_s", 0.0, 0.0),
        ("stick, 0.8 F_s at 2 Hz", 0.8, 2.0),
        ("reversals, 1.5 F_s at 2 Hz", 1.5, 2.0),
    ] {
        for (coupling, number) in [("serial", 1.0), ("parallel", 2.0)] {
            let cost = |h: f64| {
                let case = Case::new("FrDyn2", vec![("m_eff", 1.0), ("coupling", number)].leak());
                cycle_cost(&fmu, &case, number == 2.0, h, |t| {
                    let swing = libm::sin(core::f64::consts::TAU * frequency * t);
                    MU_S * G * if amplitude > 0.0 { amplitude * swing } else { 0.5 }
                })
            };
            let [a, b, c] = STEPS.map(cost);
            let _ = writeln!(text, "| {name} | {coupling} | {a:.2} \u{b5}s | {b:.2} \u{b5}s | {c:.2} \u{b5}s |");
        }
    }
    text
}

/// Median over passes, µs.
fn cycle_cost(fmu: &Fmu, case: &Case, late: bool, h: f64, load: impl Fn(f64) -> f64) -> f64 {
    let mut passes: Vec<f64> = (0..7)
        .map(|_| {
            let mut element = Element::start(fmu, case);
            let (mut v, mut held) = (0.0, 0.0);
            let count = 2000;
            let start = ThreadTime::now();
            for i in 0..count {
                let t = f64::from(i) * h;
                let new = element.step(Contact::new(G, v), t, h);
                v += h * (load(t + 0.5 * h) - if late { held } else { new });
                held = new;
            }
            start.elapsed().as_secs_f64() / f64::from(count) * 1e6
        })
        .collect();
    passes.sort_by(f64::total_cmp);
    passes[passes.len() / 2]
}

/// The chatter of a held coupling, and the same with m_eff.
fn figures(folder: &Path) -> Result<()> {
    std::fs::create_dir_all(folder).with_context(|| format!("cannot make {}", folder.display()))?;
    let fmu = Fmu::packaged("FrDyn2");
    let rig = (SHOWN.rig)(1.0);
    let mut table = Table::new(&["t [s]", "F_R [N]", "u [m]"]);
    let whole = monolithic::run(&Case::new("FrDyn2", &[]), rig.as_ref(), 1e-4, SHOWN.end)?;
    table.add("monolithic", whole.0.iter().map(|s| vec![s.t, s.contacts[0].F_R, s.y[0]]).collect());
    for (name, setting, h, ratio) in [
        ("held parallel", SETTINGS[1], 3e-4, 1.0),
        ("m_eff parallel", SETTINGS[4], 3e-4, 1.0),
        ("held serial", SETTINGS[0], 1e-3, 1.0),
        ("m_eff serial", SETTINGS[3], 1e-3, 1.0),
        ("m_eff too large serial", SETTINGS[3], 1e-3, 2.0),
    ] {
        let run = Run { scenario: &SHOWN, mass: 1.0, setting, steps: Steps::Even(h), ratio };
        let cycles = master::run(&fmu, &run.case(), rig.as_ref(), setting.order, run.steps, SHOWN.end);
        table.add(name, cycles.iter().map(|c| vec![c.span[1], c.force, c.body[0]]).collect());
    }
    let path = folder.join("coupling.csv");
    table.write(&path)?;
    println!("{}", path.display());
    Ok(())
}
