//! Survey of the coupling over scenarios on which it was not tuned: runs that are good, of limited use and bad, by coupling, master and
//! communication step, against a monolithic solution that does not use the elements' own coupling.

mod contacts;
mod judge;
mod later;
mod master;
mod reference;
mod scenarios;
mod support;
mod system;
mod variants;

use self::contacts::Contacts;
use self::judge::{Errors, Grade};
use self::master::Master;
use self::reference::Reference;
use self::scenarios::{Known, Scenario};
use self::support::Wrong;
use crate::case::Case;
use crate::elements::Friction;
use crate::parallel;
use anyhow::Result;
use bristle::coupling::Coupling;
use std::fmt::Write;

/// Communication steps, s.
const STEPS: [f64; 4] = [1e-4, 1e-3, 5e-3, 1e-2];
/// σ_0 H²/m of the soft bristle, and σ_1 H/m, which damps it.
const SOFT: [f64; 2] = [0.1, 0.44];

/// Error of the work from which a run counts as far off.
const FAR_OFF: f64 = 0.1;
/// Relative error of an identified mass that counts as found.
const IDENTIFIED: f64 = 0.3;

/// Coupling of an element.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Setting {
    /// The law's own force.
    Held,
    /// m_eff with the scheme of the master: 1 serial, 2 parallel.
    Observed(u8),
    /// One element for all contacts of a body, where there are several; else m_eff.
    Body(u8),
    /// As with the body, with the acceleration as an input.
    Accelerated(u8),
    /// The support where a contact mass hangs on one spring; else body and acceleration.
    Known(u8),
    /// A support that is given wrong.
    Support(u8, Wrong),
    /// Mass and scheme identified while the element runs.
    Auto,
    /// A bristle as soft as the step requires, with held values.
    Soft,
    /// LuGre with the same stiffness, with held values.
    LuGre,
}

/// Run of the survey.
#[derive(Clone, Copy)]
struct Cell<'a> {
    scenario: &'a Scenario,
    reference: &'a Reference,
    master: Master,
    setting: Setting,
    h: f64,
}

/// Result of a cell.
struct Outcome {
    grade: Grade,
    errors: Errors,
    /// Errors after the first [`master::SKIPPED`] steps with automatic coupling, and with m_eff from there on, of a run that is long enough.
    later: Option<[Errors; 2]>,
    warning: Option<(f64, String)>,
    /// Error of the work that an element reports.
    reported: f64,
    /// Mass over that of the scenario, and over that with which the body answers, and scheme that the first element has identified, and whether
    /// they are in use.
    identified: Option<([f64; 2], Coupling, bool)>,
}

impl Cell<'_> {
    fn case(&self, contact: usize) -> Case {
        let m_eff = self.scenario.system.slides[contact].m_eff;
        match self.setting {
            Setting::Held => Case::new("FrDyn2", &[]),
            Setting::Observed(scheme)
            | Setting::Body(scheme)
            | Setting::Accelerated(scheme)
            | Setting::Known(scheme) => {
                let mut parameters = vec![("m_eff", m_eff), ("coupling", f64::from(scheme))];
                if let (Known::Support([k, d, mass]), Setting::Known(_)) = (&self.scenario.known, self.setting) {
                    parameters.extend([("k_eff", *k), ("d_eff", *d), ("m_support", *mass)]);
                }
                Case::new("FrDyn2", parameters.leak())
            }
            Setting::Support(scheme, Wrong { stiffness, mass }) => {
                let Known::Support([k, d, support]) = self.scenario.known else { return Case::new("FrDyn2", &[]) };
                let [stiffness, mass] = [stiffness, mass].map(|percent| f64::from(percent) / 100.0);
                let own = [("m_eff", m_eff), ("coupling", f64::from(scheme))];
                let given = [("k_eff", stiffness * k), ("d_eff", d), ("m_support", mass * support)];
                Case::new("FrDyn2", own.into_iter().chain(given).collect::<Vec<_>>().leak())
            }
            Setting::Auto => Case::new("FrDyn2", &[("coupling", 4.0), ("probe", 0.01)]),
            Setting::Soft => {
                let sigma_0 = SOFT[0] * m_eff / (self.h * self.h);
                let sigma_1 = SOFT[1] * m_eff / self.h;
                let softened = sigma_0 < 5e6;
                let parameters = vec![("sigma_0", sigma_0), ("sigma_1", sigma_1)];
                Case::new("FrDyn2", if softened { parameters.leak() } else { &[] })
            }
            Setting::LuGre => Friction::BENCH.of("LuGre"),
        }
    }

    fn make(&self) -> Outcome {
        let system = &self.scenario.system;
        let count = system.slides.len();
        let has_acceleration = matches!(self.setting, Setting::Accelerated(_) | Setting::Known(_));
        let elements = match (&self.scenario.known, self.setting) {
            (Known::Body(body), Setting::Body(scheme) | Setting::Accelerated(scheme) | Setting::Known(scheme)) => {
                Contacts::of_body(Case::new("FrDyn2", &[]), body, count, scheme, has_acceleration)
            }
            _ => {
                let cases: Vec<_> = (0..count).map(|k| self.case(k)).collect();
                Contacts::separate(&cases, has_acceleration)
            }
        };
        let elements = elements.expect("parameters of the survey are possible");
        let run = master::run(system, elements, self.master, self.h, self.scenario.end);
        let errors = Errors::of(&run.cycles, system, self.reference);
        let masses = [system.slides[0].m_eff, system.answering_mass(self.h)];
        let identified = run.identified.map(|(mass, scheme, is_used)| (masses.map(|own| mass / own), scheme, is_used));
        let later = (self.setting == Setting::Auto).then(|| self.later(&run)).flatten();
        Outcome { identified, grade: errors.grade(), errors, later, warning: run.warning, reported: run.reported }
    }

    /// Errors of a run after its first steps, and those with m_eff from there on, both against the solution that begins there.
    fn later(&self, run: &master::Run) -> Option<[Errors; 2]> {
        let scheme = match self.master {
            Master::Serial => 1,
            Master::Parallel => 2,
            _ => return None,
        };
        let (moment, cycles) = (run.later.as_ref()?, run.cycles.get(master::SKIPPED..)?);
        if cycles.len() < later::LEAST {
            return None;
        }
        let Scenario { system, end, .. } = self.scenario;
        let known = Cell { setting: Setting::Observed(scheme), ..*self };
        let cases: Vec<_> = (0..system.slides.len()).map(|k| known.case(k)).collect();
        let elements = Contacts::separate(&cases, false).expect("parameters of the survey are possible");
        let reference = Reference::solve_from(self.scenario, &Case::new("FrDyn2", &[]), Some(moment)).ok()?;
        let known = master::run_from(Some(moment), system, elements, self.master, [self.h, *end]);
        Some([cycles, &known.cycles].map(|cycles| Errors::of(cycles, system, &reference)))
    }
}

/// Columns of the table: name, master, setting.
const COLUMNS: [(&str, Master, Setting); 17] = [
    ("held, serial", Master::Serial, Setting::Held),
    ("held, parallel", Master::Parallel, Setting::Held),
    ("m_eff, serial", Master::Serial, Setting::Observed(1)),
    ("m_eff, parallel", Master::Parallel, Setting::Observed(2)),
    ("all known, serial", Master::Serial, Setting::Known(1)),
    ("all known, parallel", Master::Parallel, Setting::Known(2)),
    ("auto, serial", Master::Serial, Setting::Auto),
    ("auto, parallel", Master::Parallel, Setting::Auto),
    ("m_eff or body, serial", Master::Serial, Setting::Body(1)),
    ("m_eff or body, parallel", Master::Parallel, Setting::Body(2)),
    ("the same with a, serial", Master::Serial, Setting::Accelerated(1)),
    ("the same with a, parallel", Master::Parallel, Setting::Accelerated(2)),
    ("Newton with rollback", Master::Newton, Setting::Held),
    ("soft bristle, serial", Master::Serial, Setting::Soft),
    ("soft bristle, parallel", Master::Parallel, Setting::Soft),
    ("LuGre, held, serial", Master::Serial, Setting::LuGre),
    ("LuGre, held, parallel", Master::Parallel, Setting::LuGre),
];

/// Other masters, over which the elements' couplings are compared.
const MASTERS: [Master; 5] =
    [Master::Random, Master::Doubling, Master::Multirate, Master::Extrapolating, Master::Delayed];
/// Couplings that are compared over [`MASTERS`].
const SETTINGS: [(&str, Setting); 3] =
    [("held", Setting::Held), ("m_eff", Setting::Observed(1)), ("auto", Setting::Auto)];

/// Prints the tables, and every run of the scenarios whose name contains a part; for "seed 7" those of random variants by this seed.
pub fn command(part: Option<&str>) -> Result<()> {
    if let Some(seed) = part.and_then(|part| part.strip_prefix("seed ")) {
        println!("{}", variants::table(Some(seed.parse()?), true)?);
        return Ok(());
    }
    let mut scenarios = scenarios::all();
    if let Some(part) = part {
        scenarios.retain(|scenario| scenario.name.contains(part));
    }
    let friction = [Case::new("FrDyn2", &[]), Friction::BENCH.of("LuGre")];
    let wanted: Vec<_> = scenarios.iter().flat_map(|scenario| friction.map(|case| (scenario, case))).collect();
    let solved = parallel::map(&wanted, |(scenario, case)| Reference::solve(scenario, case));
    let solved: Vec<_> = solved.into_iter().collect::<Result<_>>()?;
    let cells = |columns: &[(Master, Setting)]| {
        let mut cells = Vec::new();
        for (scenario, references) in scenarios.iter().zip(solved.chunks(2)) {
            for h in STEPS {
                for (master, setting) in columns.iter().copied() {
                    let reference = &references[usize::from(setting == Setting::LuGre)];
                    cells.push(Cell { scenario, reference, master, setting, h });
                }
            }
        }
        cells
    };
    let outcomes = make(&cells(&COLUMNS.map(|(_, master, setting)| (master, setting))), part.is_some());
    let names = COLUMNS.map(|(name, ..)| name.to_owned());
    let tables =
        [table(&names, &outcomes)?, compared(&outcomes)?, identified(&outcomes)?, later::table(&outcomes)?].join("\n");
    println!("<!-- begin survey -->\n{tables}<!-- end survey -->");
    println!("<!-- begin survey cells -->\n{}<!-- end survey cells -->", grades(&scenarios, &outcomes)?);
    let others = MASTERS.map(|master| SETTINGS.map(|(name, setting)| (name, master, setting)));
    let others = others.as_flattened();
    let columns: Vec<_> = others.iter().map(|(_, master, setting)| (*master, *setting)).collect();
    let outcomes = make(&cells(&columns), part.is_some());
    let names: Vec<_> = others.iter().map(|(name, master, _)| format!("{name}, {}", master.name())).collect();
    let supported: Vec<_> = cells(&support::columns())
        .into_iter()
        .filter(|cell| matches!(cell.scenario.known, Known::Support(_)))
        .collect();
    let of_supports = make(&supported, false);
    println!("<!-- begin supports -->\n{}<!-- end supports -->", support::table(&supported, &of_supports)?);
    println!("<!-- begin masters -->\n{}<!-- end masters -->", table(&names, &outcomes)?);
    println!("<!-- begin variants -->\n{}<!-- end variants -->", variants::table(None, false)?);
    Ok(())
}

/// Makes runs and prints each where `shown`.
fn make(cells: &[Cell], shown: bool) -> Vec<Outcome> {
    let outcomes = parallel::map(cells, Cell::make);
    for (cell, outcome) in cells.iter().zip(&outcomes).filter(|_| shown) {
        let Outcome { grade, errors, later, warning, reported, identified } = outcome;
        let Errors { displacement, force, work, chatters } = errors;
        eprintln!(
            "{:28} {:.0e} {:20} {:12} {:7} u {displacement:.1e} F {force:.1e} W {work:.1e} E {reported:.1e} {} {} {} {}",
            cell.scenario.name,
            cell.h,
            cell.master.name(),
            format!("{:?}", cell.setting),
            format!("{grade:?}"),
            if *chatters { "chatter" } else { "" },
            identified.map_or(String::new(), |(ratios, scheme, is_used)| format!(
                "M {:.2} {:.2} {scheme:?}{}",
                ratios[0],
                ratios[1],
                if is_used { "" } else { " held" }
            )),
            later.map_or(String::new(), |errors| {
                let [own, known] = errors.map(|Errors { displacement, force, work, .. }| {
                    format!("u {displacement:.1e} F {force:.1e} W {work:.1e}")
                });
                format!("later {own} with m_eff {known}")
            }),
            warning.as_ref().map_or(String::new(), |(t, text)| format!("@{t:.3} {}", &text[..text.len().min(60)])),
        );
    }
    outcomes
}

/// Good, limited and bad runs of each column, and how many of them were reported.
fn table(names: &[String], outcomes: &[Outcome]) -> Result<String> {
    let mut text = "| coupling | good | limits | bad | warned: good | bad | work off by more than 10 % |\n\
                    |---|---:|---:|---:|---:|---:|---:|\n"
        .to_owned();
    for (place, name) in names.iter().enumerate() {
        let column = || outcomes.iter().skip(place).step_by(names.len());
        let count = |grade| column().filter(|outcome| outcome.grade == grade).count();
        let warned = |grade| column().filter(|outcome| outcome.grade == grade && outcome.warning.is_some()).count();
        let [good, limits, bad] = [Grade::Good, Grade::Limits, Grade::Bad].map(count);
        let off = || column().filter(|outcome| !(outcome.errors.work <= FAR_OFF));
        let [off_warned, off_all] = [off().filter(|outcome| outcome.warning.is_some()).count(), off().count()];
        let [warned_good, warned_bad] = [Grade::Good, Grade::Bad].map(warned);
        writeln!(
            text,
            "| {name} | {good} | {limits} | {bad} | {warned_good} | {warned_bad} of {bad} | {off_warned} of {off_all} |"
        )?;
    }
    Ok(text)
}

/// Comparison of each column with held values in the same order.
fn compared(outcomes: &[Outcome]) -> Result<String> {
    let mut text =
        "| coupling | better than held | worse than held | bad without a warning |\n|---|---:|---:|---:|\n".to_owned();
    for (place, (name, master, setting)) in COLUMNS.iter().enumerate() {
        let held = usize::from(*master == Master::Parallel);
        if matches!(setting, Setting::Held | Setting::Soft | Setting::LuGre) || *master == Master::Newton {
            continue;
        }
        let pairs = || outcomes.chunks(COLUMNS.len()).map(|row| (&row[place], &row[held]));
        let better = pairs().filter(|(own, held)| own.grade < held.grade).count();
        let worse = pairs().filter(|(own, held)| own.grade > held.grade).count();
        let silent = pairs().filter(|(own, _)| own.grade == Grade::Bad && own.warning.is_none()).count();
        writeln!(text, "| {name} | {better} | {worse} | {silent} |")?;
    }
    Ok(text)
}

/// Results of the identification in the columns with automatic coupling.
fn identified(outcomes: &[Outcome]) -> Result<String> {
    let mut text = "| coupling | order and m_eff found | the mass with which the body answers | other order or mass | held, as H is short | not found |\n\
                    |---|---:|---:|---:|---:|---:|\n"
        .to_owned();
    for (place, (name, master, setting)) in COLUMNS.iter().enumerate() {
        if *setting != Setting::Auto {
            continue;
        }
        let expected = if *master == Master::Parallel { Coupling::Parallel } else { Coupling::Serial };
        let is_right = |ratio: f64| (ratio - 1.0).abs() < IDENTIFIED;
        let mut counts = [0; 5];
        for outcome in outcomes.iter().skip(place).step_by(COLUMNS.len()) {
            counts[match outcome.identified {
                Some((_, _, false)) => 3,
                Some(([own, _], scheme, _)) if scheme == expected && is_right(own) => 0,
                Some(([_, answering], scheme, _)) if scheme == expected && is_right(answering) => 1,
                Some(_) => 2,
                None => 4,
            }] += 1;
        }
        let [own, answering, other, held, none] = counts;
        writeln!(text, "| {name} | {own} | {answering} | {other} | {held} | {none} |")?;
    }
    Ok(text)
}

/// Grade of each run with held values, m_eff, all that is known, and automatic coupling, by scenario.
fn grades(scenarios: &[Scenario], outcomes: &[Outcome]) -> Result<String> {
    let shown: Vec<_> = (0..COLUMNS.len()).filter(|place| *place < 8).collect();
    let mut text = "| scenario |".to_owned();
    shown.iter().try_for_each(|place| write!(text, " {} |", COLUMNS[*place].0))?;
    writeln!(text, "\n|---|{}", "---|".repeat(shown.len()))?;
    for (scenario, outcomes) in scenarios.iter().zip(outcomes.chunks(STEPS.len() * COLUMNS.len())) {
        write!(text, "| {} |", scenario.name)?;
        for place in &shown {
            let letters = outcomes.iter().skip(*place).step_by(COLUMNS.len()).map(|outcome| match outcome.grade {
                Grade::Good => " g",
                Grade::Limits => " l",
                Grade::Bad if outcome.warning.is_some() => " b",
                Grade::Bad => " B",
            });
            write!(text, "{} |", letters.collect::<String>())?;
        }
        text.push('\n');
    }
    Ok(text)
}
