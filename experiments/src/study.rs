//! `cargo xtask study`: v_s, v_d and the communication step H swept over decades with FrDyn2, on the test bench and the
//! festoon: the errors of the printed quantities against the monolithic solution, and the cost of a second.
//!
//! A finished case is a line of a file; a case whose line is there is not computed again.

use crate::case::Case;
use crate::numbers::STATIC_FRICTION;
use crate::trace::Trace;
use crate::{coupled, monolithic, parallel};
use anyhow::{Context, Result};
use bristle_importer::fmu::Fmu;
use bristle_rigs::Rig;
use bristle_rigs::festoon::Festoon;
use bristle_rigs::test_bench::TestBench;
use cpu_time::ThreadTime;
use std::io::Write;
use std::path::Path;
use std::sync::Mutex;

/// Velocities of the regularisation, m/s.
const V_S: [f64; 5] = [1e-4, 3e-4, 1e-3, 3e-3, 1e-2];
/// Velocities of full sliding, m/s; those above v_s are run.
const V_D: [f64; 5] = [1e-3, 3e-3, 1e-2, 3e-2, 1e-1];
/// Communication steps, s.
const H: [f64; 4] = [1e-6, 1e-5, 1e-4, 3e-4];

/// Quantities of each rig.
const OBSERVED: [(&str, &str); 4] = [
    ("bench", "u_st [m]"),
    ("bench", "peak over F_s [1]"),
    ("festoon", "v_T1 = 0 [s]"),
    ("festoon", "x_T1 at 7 s [m]"),
];

/// Rig with v_s and v_d: one monolithic solution, and coupled runs with every step.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Point {
    rig: &'static str,
    v_s: f64,
    v_d: f64,
}

impl Point {
    fn all() -> Vec<Point> {
        let pairs = V_S.iter().flat_map(|v_s| V_D.iter().map(move |v_d| (*v_s, *v_d))).filter(|(v_s, v_d)| v_s < v_d);
        let pairs: Vec<_> = pairs.collect();
        ["bench", "festoon"].iter().flat_map(|rig| pairs.iter().map(|&(v_s, v_d)| Point { rig, v_s, v_d })).collect()
    }

    fn case(&self) -> Case {
        let (mu_s, mu_d) = if self.rig == "bench" { (0.6, 0.3) } else { (0.08, 0.05) };
        // A hundred bytes that live as long as the program, as the parameters of the other cases do.
        Case::of_paper("FrDyn2").with(&[("mu_s", mu_s), ("mu_d", mu_d), ("v_s", self.v_s), ("v_d", self.v_d)])
    }

    fn rig(&self) -> (Box<dyn Rig>, f64) {
        match self.rig {
            "bench" => (Box::new(TestBench::step(0.95 * STATIC_FRICTION, 1e-3)), 0.012),
            _ => (Box::new(Festoon::default()), 7.0),
        }
    }

    fn observe(&self, run: &Trace) -> [f64; 2] {
        match self.rig {
            "bench" => [run.last().y[0], run.peak(0) / STATIC_FRICTION],
            _ => [run.zero(1, 6.0, 7.0).unwrap_or(f64::NAN), run.last().y[0]],
        }
    }

    /// The steps that are run: a rig of seconds is not stepped by microseconds.
    fn steps(&self) -> &'static [f64] {
        if self.rig == "bench" { &H } else { &H[1..] }
    }

    /// Lines of the file.
    fn compute(&self) -> Result<String> {
        let (rig, end) = self.rig();
        let case = self.case();
        let sampled = if self.rig == "bench" { 1e-6 } else { 1e-3 };
        let reference = self.observe(&monolithic::run(&case, rig.as_ref(), sampled, end)?);
        let fmu = Fmu::packaged("FrDyn2");
        let mut lines = String::new();
        for h in self.steps() {
            let keep = (sampled / h).round().max(1.0) as usize;
            let start = ThreadTime::now();
            let run = coupled::run(&fmu, &case, rig.as_ref(), *h, end, keep);
            let cost = start.elapsed().as_secs_f64() / end * 1e3;
            let observed = self.observe(&run);
            let names = OBSERVED.iter().filter(|(rig, _)| *rig == self.rig).map(|(_, name)| name);
            for ((name, expected), obtained) in names.zip(reference).zip(observed) {
                lines.push_str(&format!(
                    "{},{:e},{:e},{h:e},{name},{expected:.9e},{obtained:.9e},{cost:.4}\n",
                    self.rig, self.v_s, self.v_d
                ));
            }
        }
        Ok(lines)
    }

    /// All its lines are in the file.
    fn is_in(&self, text: &str) -> bool {
        let head = format!("{},{:e},{:e},", self.rig, self.v_s, self.v_d);
        text.lines().filter(|line| line.starts_with(&head)).count() == 2 * self.steps().len()
    }
}

/// The head of the file.
const HEAD: &str = "rig,v_s [m/s],v_d [m/s],H [s],quantity,monolithic,through the FMU,ms per s\n";

/// `experiments study FILE`: computes the cases that are missing in the file.
pub fn command(path: &Path) -> Result<()> {
    let known = std::fs::read_to_string(path).unwrap_or_default();
    let open: Vec<_> = Point::all().into_iter().filter(|point| !point.is_in(&known)).collect();
    let mut file = std::fs::OpenOptions::new()
        .create(true)
        .append(true)
        .open(path)
        .with_context(|| format!("cannot write {}", path.display()))?;
    if known.is_empty() {
        file.write_all(HEAD.as_bytes())?;
    }
    let file = Mutex::new(file);
    let compute = |point: &Point| {
        let lines = point.compute().with_context(|| format!("{point:?}"))?;
        // All lines of a case at once: who interrupts the study leaves whole cases.
        file.lock().expect("no thread panics with the lock").write_all(lines.as_bytes())?;
        anyhow::Ok(())
    };
    parallel::map(&open, compute).into_iter().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn case_is_complete_when_all_its_lines_are_there() {
        let point = Point { rig: "festoon", v_s: 1e-3, v_d: 1e-2 };
        let line = "festoon,1e-3,1e-2,1e-4,x,0,0,1\n";
        assert!(!point.is_in(&line.repeat(5)) && point.is_in(&line.repeat(6)));
        assert!(Point::all().iter().all(|point| point.v_s < point.v_d));
    }
}
