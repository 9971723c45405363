//! Work and precision: each workload at tolerances from 1e-3 to 1e-10, its error and its cost.

use crate::search::{self, Tried};
use crate::tables::section;
use bristle_benches::clock::{self, Work};
use bristle_benches::motion::Motion;
use bristle_benches::packaged::Packaged;
use bristle_importer::fmu::Fmu;
use std::fmt::Write;
use std::hint::black_box;

/// Prints the table and returns the points of the picture: workload, H, method, tolerance, error, ns per step.
pub fn run(fmu: &Fmu, motions: &[Motion], searches: &[Vec<Tried>]) -> String {
    let tolerances = (3..=10).map(|n| libm::pow(10.0, -f64::from(n)));
    let tolerances: Vec<_> = tolerances.collect();
    let mut text = "workload\tH\tmethod\ttolerance\terror\tns\n".to_owned();
    let mut head = "| workload | H, s |".to_owned();
    let mut rule = "|---|---|".to_owned();
    for tolerance in &tolerances {
        write!(head, " {tolerance:.0e} |").expect("a string takes every text");
        rule += "---|";
    }
    head += " reference itself |";
    rule += "---|";
    let mut lines = vec![head, rule];
    let mut shares: Vec<f64> = Vec::new();
    let mut missed = 0;
    for (motion, tried) in motions.iter().zip(searches) {
        let Motion { workload, h, .. } = motion;
        let mut row = format!("| {} | {h:.0e} |", workload.name);
        let mut elements: Vec<_> =
            tolerances.iter().map(|tolerance| Packaged::new(fmu, &workload.parameters, Some(*tolerance))).collect();
        let errors: Vec<_> =
            elements.iter_mut().map(|element| motion.error(|contact| element.step(contact, *h))).collect();
        let mut works: Vec<_> = elements
            .iter_mut()
            .map(|element| {
                let run = || {
                    for contact in &motion.contacts {
                        black_box(element.step(black_box(*contact), *h));
                    }
                };
                Work { cycles: motion.contacts.len(), run: Box::new(run) }
            })
            .collect();
        let costs = clock::medians(&mut works);
        for ((tolerance, error), cost) in tolerances.iter().zip(&errors).zip(&costs) {
            if *error > 3.0 * motion.error_bound {
                shares.push(error / tolerance);
            }
            missed += u32::from(*error > tolerance + motion.error_bound);
            let mark = if *error > tolerance + motion.error_bound { "**" } else { "" };
            write!(row, " {mark}{error:.1e}{mark}, {cost:.0} ns |").expect("a string takes every text");
            let name = workload.name;
            writeln!(text, "{name}\t{h:e}\tBristle\t{tolerance:e}\t{error:e}\t{cost:.1}").expect("as above");
        }
        for Tried { setting, error, cost } in search::front(tried) {
            let name = workload.name;
            writeln!(text, "{name}\t{h:e}\tCVODE\t{:e}\t{error:e}\t{cost:.1}", setting.relative).expect("as above");
        }
        write!(row, " {:.1e} |", motion.error_bound).expect("as above");
        eprintln!("{row}");
        lines.push(row);
    }
    let [least, most] = [f64::min, f64::max].map(|pick| shares.iter().copied().reduce(pick).unwrap_or(f64::NAN));
    let tried = motions.len() * tolerances.len();
    lines.push(String::new());
    lines.push(format!(
        "{} of {tried} errors are distinguishable from the reference's own; they lie between {least:.0e} and {most:.0e} of their \
         tolerance.{}",
        shares.len(),
        if missed > 0 { format!(" MISSED: {missed} errors exceed their tolerance.") } else { String::new() }
    ));
    section("precision", &lines);
    text
}
