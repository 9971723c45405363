//! `cargo xtask coupling`: bodies coupled to FrDyn2 in long communication steps, with held values,
//! `m_eff`, one element for all contacts of a body, or a wrong order or mass, against the
//! monolithic solution. The body observer was not tuned on these systems.

mod contacts;
mod judge;

use self::contacts::Contacts;
use self::judge::{Errors, Grade, Reference};
use crate::case::Case;
use anyhow::{Context, Result};
use bristle_rigs::Rig;
use bristle_rigs::linked_masses::{LinkedMasses, Scenario, scenarios};
use rayon::prelude::*;
use std::fmt::Write;
use std::path::Path;

/// Communication steps, s.
const STEPS: [f64; 4] = [1e-4, 1e-3, 5e-3, 1e-2];
/// Statements of the survey, each with a serial and with a parallel master.
const STATEMENTS: [Statement; 6] = [
    Statement::new("held", Order::Unstated, Mass::Unstated),
    Statement::new("order alone", Order::True, Mass::Unstated),
    Statement::new("m_eff", Order::True, Mass::Times(1.0)),
    Statement::new("m_eff or body", Order::True, Mass::Body),
    Statement::new("twice m_eff", Order::True, Mass::Times(2.0)),
    Statement::new("the other order", Order::Other, Mass::Times(1.0)),
];

/// What is stated to the elements.
#[derive(Clone, Copy)]
struct Statement {
    name: &'static str,
    order: Order,
    mass: Mass,
}

/// Column of the survey: a statement, and the order of the master.
#[derive(Clone, Copy)]
struct Column {
    statement: Statement,
    is_parallel: bool,
}

/// Order that is stated.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Order {
    Unstated,
    True,
    Other,
}

/// Mass that is stated.
#[derive(Clone, Copy, PartialEq)]
enum Mass {
    Unstated,
    /// `m_eff` of an element in each contact, over the right one.
    Times(f64),
    /// One element for all contacts of the only body, where there are several; else `m_eff`.
    Body,
}

impl Statement {
    const fn new(name: &'static str, order: Order, mass: Mass) -> Self {
        Statement { name, order, mass }
    }
}

/// Columns in the order of the table.
fn columns() -> impl Iterator<Item = Column> {
    STATEMENTS.into_iter().flat_map(|statement| {
        [false, true].map(|is_parallel| Column {
            statement,
            is_parallel,
        })
    })
}

impl Column {
    /// Name in the table: what is stated, and the order of the master.
    fn name(&self) -> String {
        let order = if self.is_parallel {
            "parallel"
        } else {
            "serial"
        };
        format!("{}, {order}", self.statement.name)
    }

    /// Value of the parameter `coupling`.
    fn coupling(&self) -> f64 {
        let of_master = if self.is_parallel { 2.0 } else { 1.0 };
        match self.statement.order {
            Order::Unstated => 4.0,
            Order::True => of_master,
            Order::Other => 3.0 - of_master,
        }
    }
}

/// Communication step as the bodies saw it.
struct Cycle {
    /// Start, s.
    from: f64,
    /// End, s.
    to: f64,
    /// Forces on the bodies, N.
    forces: Vec<f64>,
    /// Work of each force, J.
    work: Vec<f64>,
    /// State of the bodies at the end.
    y: Vec<f64>,
}

/// Grade of a run, and whether an element warned.
type Outcome = (Grade, bool);

/// `experiments coupling FILE`: prints the table of grades, and writes those of every run into the
/// file.
pub fn command(path: &Path) -> Result<()> {
    let scenarios = scenarios();
    let references: Result<Vec<_>> = scenarios.par_iter().map(Reference::solve).collect();
    let references = references?;
    let pairs: Vec<_> = scenarios
        .iter()
        .zip(&references)
        .flat_map(|pair| STEPS.map(|h| (pair, h)))
        .collect();
    let rows: Result<Vec<_>> = pairs
        .par_iter()
        .map(|((scenario, reference), h)| {
            let row: Result<Vec<Outcome>> = columns()
                .map(|column| run(scenario, reference, column, *h))
                .collect();
            Ok((scenario.name, *h, row?))
        })
        .collect();
    let rows = rows?;
    println!("<!-- begin survey -->\n{}<!-- end survey -->", table(&rows));
    std::fs::write(path, cells(&rows)).with_context(|| format!("cannot write {}", path.display()))
}

/// Runs a scenario in steps of `h` (s).
fn run(scenario: &Scenario, reference: &Reference, column: Column, h: f64) -> Result<Outcome> {
    let system = &scenario.system;
    let is_one_body =
        column.statement.mass == Mass::Body && system.masses.len() == 1 && system.slides.len() > 1;
    let elements = if is_one_body {
        Contacts::of_body(system.masses[0], system.slides.len(), column.coupling())?
    } else {
        let case = |m_eff: f64| {
            let given = match column.statement.mass {
                Mass::Unstated => 0.0,
                Mass::Times(factor) => factor * m_eff,
                Mass::Body => m_eff,
            };
            Case::new(
                "FrDyn2",
                vec![("m_eff", given), ("coupling", column.coupling())].leak(),
            )
        };
        Contacts::separate(system.slides.iter().map(|slide| case(slide.m_eff)))?
    };
    let (cycles, is_warned) = cycles(system, elements, column.is_parallel, h, scenario.end)?;
    Ok((Errors::of(&cycles, system, reference).grade(), is_warned))
}

/// Steps elements and bodies in turn, and returns the steps up to `end` (s), and whether an element
/// warned.
fn cycles(
    system: &LinkedMasses,
    mut elements: Contacts,
    is_parallel: bool,
    h: f64,
    end: f64,
) -> Result<(Vec<Cycle>, bool)> {
    let count = system.contacts();
    let (mut t, mut y) = (0.0, system.start());
    (0..count).for_each(|k| elements.set_contact(k, system.contact(t, &y, k)));
    elements.initialize()?;
    let mut held: Vec<f64> = (0..count).map(|k| elements.force(k)).collect();
    let (mut cycles, mut is_warned) = (Vec::new(), false);
    while t < end - 1e-9 && y.iter().all(|y| y.is_finite()) {
        let h = h.min(end - t);
        (0..count).for_each(|k| elements.set_contact(k, system.contact(t, &y, k)));
        is_warned |= elements.warns(h);
        // An element that fails is as bad as one that pushes for ever.
        let has_advanced = elements.advance(h);
        let new: Vec<f64> = (0..count)
            .map(|k| {
                if has_advanced {
                    elements.force(k)
                } else {
                    f64::NAN
                }
            })
            .collect();
        let forces = if is_parallel {
            std::mem::replace(&mut held, new)
        } else {
            new
        };
        let before = y.clone();
        system.advance(t, &mut y, h, &forces);
        let moved = |i: usize| y[2 * i] - before[2 * i];
        let travel = |k: usize| {
            moved(system.slides[k].on)
                - system.slides[k]
                    .against
                    .map_or(system.slides[k].belt * h, moved)
        };
        let work = forces
            .iter()
            .enumerate()
            .map(|(k, force)| force * travel(k))
            .collect();
        cycles.push(Cycle {
            from: t,
            to: t + h,
            forces,
            work,
            y: y.clone(),
        });
        t += h;
    }
    Ok((cycles, is_warned))
}

/// Good, limited and bad runs of each column, and how many of them the elements reported.
fn table(rows: &[(&str, f64, Vec<Outcome>)]) -> String {
    let mut text = "| coupling | good | limits | bad | good, warned | bad without a warning \
         |\n|---|---:|---:|---:|---:|---:|\n"
        .to_owned();
    for (place, column) in columns().enumerate() {
        let count = |counts: &dyn Fn(Outcome) -> bool| {
            rows.iter().filter(|(_, _, row)| counts(row[place])).count()
        };
        let [good, limits, bad] = [Grade::Good, Grade::Limits, Grade::Bad]
            .map(|grade| count(&|outcome| outcome.0 == grade));
        let [warned, silent] = [(Grade::Good, true), (Grade::Bad, false)]
            .map(|wanted| count(&|outcome| outcome == wanted));
        let _ = writeln!(
            text,
            "| {} | {good} | {limits} | {bad} | {warned} | {silent} |",
            column.name()
        );
    }
    text
}

/// Grade of every run; a star marks a warning.
fn cells(rows: &[(&str, f64, Vec<Outcome>)]) -> String {
    let mut text = format!(
        "scenario,H [s],{}\n",
        columns()
            .map(|column| column.name().replace(',', ""))
            .collect::<Vec<_>>()
            .join(",")
    );
    for (scenario, h, row) in rows {
        let _ = write!(text, "{},{h:e}", scenario.replace(',', ""));
        for (grade, is_warned) in row {
            let grade = format!("{grade:?}").to_lowercase();
            let _ = write!(text, ",{grade}{}", if *is_warned { "*" } else { "" });
        }
        text.push('\n');
    }
    text
}
