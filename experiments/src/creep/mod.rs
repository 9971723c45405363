//! `cargo xtask creep`: the creep rate of every element under loads that pulsate about a mean, below F_s, in one piece and through the
//! packaged FMU.
//!
//! The rate is the displacement of the body over whole periods after the load has risen and the transients have decayed, per time.

mod bench;
mod page;

use self::bench::{PulsatingBench, RISE, Wave};
use crate::case::Case;
use crate::elements::Friction;
use crate::numbers::STATIC_FRICTION;
use crate::trace::Trace;
use crate::{coupled, monolithic, parallel};
use anyhow::{Context, Result};
use bristle::catalogue::ELEMENTS;
use bristle_importer::fmu::Fmu;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;

/// Loads: bias and amplitude over F_s, below 0.9 in all, and the wave form.
const LOADS: [(f64, f64, Wave); 12] = [
    (0.0, 0.3, Wave::Sine),
    (0.0, 0.6, Wave::Sine),
    (0.0, 0.9, Wave::Sine),
    (0.3, 0.3, Wave::Sine),
    (0.3, 0.5, Wave::Sine),
    (0.5, 0.1, Wave::Sine),
    (0.5, 0.3, Wave::Sine),
    (0.7, 0.15, Wave::Sine),
    (0.9, 0.0, Wave::Sine),
    (0.0, 0.6, Wave::Asymmetric),
    (0.3, 0.5, Wave::Asymmetric),
    (0.5, 0.3, Wave::Asymmetric),
];
/// Frequencies, Hz.
const FREQUENCIES: [f64; 5] = [1.0, 5.0, 20.0, 100.0, 500.0];
/// Masses with communication steps well below their limits in a serial coupling, kg and s.
const MASSES: [(f64, f64); 4] = [(0.1, 1e-5), (1.0, 5e-5), (10.0, 1e-4), (100.0, 1e-4)];
/// Communication step with `m_eff`, s: far above the limit of a light body without.
const LONG_STEP: f64 = 1e-3;
/// Highest frequency that is run with [`LONG_STEP`], Hz: ten steps a period.
const MAX_SAMPLED_FREQUENCY: f64 = 100.0;
/// Shortest time over which a rate is measured, s.
const WINDOW: f64 = 0.2;
/// Time for the transients to decay, s and s/kg: 30 time constants 2m/σ_1 of body and bristle.
const DECAY: [f64; 2] = [0.05, 0.019];
/// |F_R| over F_s from which on a contact counts as sliding.
const SLIDES: f64 = 0.999;

/// How body and element are solved.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Way {
    /// As one system of differential equations.
    OnePiece,
    /// Through the FMU with held values.
    Coupled,
    /// Through the FMU with `m_eff` in long steps.
    Observed,
}

impl Way {
    fn name(self) -> &'static str {
        match self {
            Way::OnePiece => "one piece",
            Way::Coupled => "FMU",
            Way::Observed => "m_eff",
        }
    }
}

/// An element under a load.
#[derive(Clone, Copy, Debug)]
struct Point {
    element: &'static str,
    rig: PulsatingBench,
    way: Way,
    /// Communication step, s.
    h: f64,
}

/// Result of a point.
#[derive(Clone, Copy, Debug)]
struct Outcome {
    /// Mean velocity of the body, m/s.
    rate: f64,
    /// The contact slides although the load stays below F_s.
    slides: bool,
}

/// A point with its result, `None` where there is none: in one piece an element that needs the acceleration has no solution.
type Row = (Point, Option<Outcome>);

impl Point {
    fn run(&self) -> Result<Outcome> {
        let PulsatingBench { frequency, mass, .. } = self.rig;
        let period = 1.0 / frequency;
        let periods = (WINDOW * frequency).ceil();
        let settled = ((RISE + DECAY[0] + DECAY[1] * mass) * frequency).ceil();
        let end = (settled + periods) * period;
        let samples = if frequency > 50.0 { 16.0 } else { 64.0 };
        let case = Friction::BENCH.of(self.element);
        let trace = match self.way {
            Way::OnePiece => monolithic::run(&case, &self.rig, period / samples, end)?,
            Way::Coupled | Way::Observed => {
                let fmu = Fmu::packaged(self.element);
                let mut parameters = case.parameters.to_vec();
                if self.way == Way::Observed {
                    parameters.push(("m_eff", mass));
                }
                // A hundred bytes that live as long as the program, as the parameters of the other cases do.
                let case = Case { parameters: parameters.leak(), ..case };
                let keep = (period / samples / self.h).floor().max(1.0) as usize;
                // Whole numbers of samples in a period.
                let keep = (1..=keep)
                    .rev()
                    .find(|keep| ((period / self.h).round() as usize).is_multiple_of(*keep))
                    .unwrap_or(1);
                coupled::run(&fmu, &case, &self.rig, self.h, end, keep)
            }
        };
        Ok(self.outcome(&trace, settled * period, periods * period))
    }

    fn outcome(&self, trace: &Trace, from: f64, window: f64) -> Outcome {
        let rate = (trace.last().y[0] - trace.at(from).y[0]) / window;
        let shifts = self.element.starts_with("FrDyn2");
        let slides = trace.0.iter().filter(|sample| sample.t >= from - 1e-9).any(|sample| {
            let contact = sample.contacts[0];
            contact.F_law.abs() >= SLIDES * STATIC_FRICTION || shifts && !contact.sticking
        });
        Outcome { rate, slides }
    }

    /// The result, where a law has one.
    fn row(self) -> Row {
        // The importer panics where an FMU refuses a step.
        let outcome = catch_unwind(AssertUnwindSafe(|| self.run())).ok().and_then(Result::ok);
        (self, outcome.filter(|outcome| outcome.rate.is_finite()))
    }
}

/// All points of these elements, or a few of each.
fn points(elements: impl Iterator<Item = &'static str>, quick: bool) -> Vec<Point> {
    let mut points = Vec::new();
    for element in elements {
        let entry = bristle::catalogue::find(element).expect("an element of the catalogue");
        let is_coupled = entry.variables().any(|variable| variable.name == "m_eff");
        for (bias, amplitude, wave) in LOADS {
            for frequency in FREQUENCIES {
                for (mass, h) in MASSES {
                    if quick && (mass != 1.0 || frequency != 100.0) {
                        continue;
                    }
                    let rig = PulsatingBench { bias, amplitude, frequency, mass, wave };
                    points.push(Point { element, rig, way: Way::OnePiece, h: 0.0 });
                    points.push(Point { element, rig, way: Way::Coupled, h });
                    if is_coupled && frequency <= MAX_SAMPLED_FREQUENCY {
                        points.push(Point { element, rig, way: Way::Observed, h: LONG_STEP });
                    }
                }
            }
        }
    }
    points
}

/// `experiments creep FILE`: writes the table of all points, and prints the sections of the page.
pub fn command(path: &Path) -> Result<()> {
    let mut rows = Vec::new();
    for entry in &ELEMENTS {
        let start = std::time::Instant::now();
        let points = points([entry.metadata.name].into_iter(), false);
        rows.extend(parallel::map(&points, |point| point.row()));
        eprintln!("{}: {:.0} s", entry.metadata.name, start.elapsed().as_secs_f64());
        // What is done is kept if the command is interrupted.
        std::fs::write(path, page::table(&rows)).with_context(|| format!("cannot write {}", path.display()))?;
    }
    print!("{}", page::sections(&rows));
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frdyn2_linear_does_not_creep_in_one_piece() {
        for point in points(["FrDyn2Linear"].into_iter(), true) {
            if point.way == Way::OnePiece {
                let outcome = point.run().unwrap();
                assert!(outcome.slides || outcome.rate.abs() < 1e-14, "{point:?}: {outcome:?}");
            }
        }
    }

    #[test]
    fn frdyn2_creeps_against_the_mean_load() {
        let rig = PulsatingBench { bias: 0.5, amplitude: 0.3, frequency: 100.0, mass: 1.0, wave: Wave::Sine };
        let outcome = Point { element: "FrDyn2", rig, way: Way::OnePiece, h: 0.0 }.run().unwrap();
        assert!((outcome.rate / -8.24e-7 - 1.0).abs() < 0.01 && !outcome.slides, "{outcome:?}");
    }

    #[test]
    fn wave_forms_have_no_mean_and_a_peak_of_one() {
        for wave in [Wave::Sine, Wave::Asymmetric] {
            let bench = PulsatingBench { bias: 0.0, amplitude: 1.0, frequency: 1.0, mass: 1.0, wave };
            let values = (0..1000).map(|i| bench.load(1.0 + f64::from(i) / 1000.0) / STATIC_FRICTION);
            let (sum, most) = values.fold((0.0, 0.0_f64), |(sum, most), value| (sum + value, most.max(value.abs())));
            assert!(sum.abs() < 1e-9 && (most - 1.0).abs() < 1e-5, "{wave:?}: {sum}, {most}");
        }
    }
}
