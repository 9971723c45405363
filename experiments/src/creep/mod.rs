//! `cargo xtask creep`: the creep rate of every element under loads that pulsate about a mean,
//! below F_s, monolithically and through the packaged FMU.
//!
//! The rate is the displacement of the body over whole periods after the load has risen and the
//! transients have decayed, per time.

mod check;
mod page;

use crate::elements::Friction;
use crate::numbers::STATIC_FRICTION;
use crate::trace::Trace;
use crate::{coupled, monolithic};
use anyhow::{Context, Result};
use bristle::catalogue::ELEMENTS;
use bristle_importer::fmu::Fmu;
use bristle_rigs::pulsating_bench::{PulsatingBench, RISE, Wave};
use rayon::prelude::*;
use std::collections::BTreeMap;
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
/// Further time for the corrections of the body observer to decay, s. They decay by e within 9
/// steps of [`LONG_STEP`]: the rest that a rate would show, 1e-9 m after 60 steps on 0.1 kg, falls
/// below rounding within 200 more.
const OBSERVER_DECAY: f64 = 400.0 * LONG_STEP;
/// |F_R| over F_s from which on a contact counts as sliding.
const SLIDES: f64 = 0.999;

/// Method by which body and element are solved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Way {
    /// As one system of differential equations.
    Monolithic,
    /// Through the FMU with held values.
    Coupled,
    /// Through the FMU with `m_eff` in long steps.
    Observed,
}

impl Way {
    const ALL: [Way; 3] = [Way::Monolithic, Way::Coupled, Way::Observed];

    fn name(self) -> &'static str {
        match self {
            Way::Monolithic => "monolithic",
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
    /// Rate by the analytic formula, m/s: of FrDyn2, monolithic, where the load is slow beside the
    /// bristle.
    formula: Option<f64>,
}

/// A point with its result, `None` where there is none: an element that needs the acceleration has
/// no monolithic solution.
type Row = (Point, Option<Outcome>);
/// FMU of each element, by its name.
type Fmus = BTreeMap<&'static str, Fmu>;

impl Point {
    fn run(&self, fmus: &Fmus) -> Result<Outcome> {
        let PulsatingBench {
            frequency, mass, ..
        } = self.rig;
        let period = 1.0 / frequency;
        let periods = (WINDOW * frequency).ceil();
        let observer_decay = if self.way == Way::Observed {
            OBSERVER_DECAY
        } else {
            0.0
        };
        let settled = ((RISE + DECAY[0] + DECAY[1] * mass + observer_decay) * frequency).ceil();
        let end = (settled + periods) * period;
        let samples = if frequency > 50.0 { 16.0 } else { 64.0 };
        let case = Friction::BENCH.of(self.element);
        let trace = if self.way == Way::Monolithic {
            monolithic::run(&case, &self.rig, period / samples, end)?
        } else {
            let case = if self.way == Way::Observed {
                case.with(&[("m_eff", mass), ("coupling", 1.0)])
            } else {
                case
            };
            // Whole numbers of samples in a period.
            let steps = (period / self.h).round() as usize;
            let most = (period / samples / self.h).floor().max(1.0) as usize;
            let keep = (1..=most)
                .rev()
                .find(|keep| steps.is_multiple_of(*keep))
                .unwrap_or(1);
            let fmu = fmus.get(self.element).context("no FMU")?;
            coupled::run(fmu, &case, &self.rig, self.h, end, keep)
        };
        Ok(self.outcome(&trace, settled * period, periods * period))
    }

    fn outcome(&self, trace: &Trace, from: f64, window: f64) -> Outcome {
        let rate = (trace.last().y[0] - trace.at(from).y[0]) / window;
        let slides = trace
            .0
            .iter()
            .filter(|sample| sample.t >= from - 1e-9)
            .any(|sample| {
                let contact = sample.contacts[0];
                let reaches = contact.F_law.abs() >= SLIDES * STATIC_FRICTION;
                match self.element {
                    "FrDyn2" | "FrDyn2Linear" => reaches || !contact.sticking,
                    // Its damper adds to the elastic force that is compared with F_s.
                    "SimpackStickSlip" => !contact.sticking,
                    _ => reaches,
                }
            });
        let has_formula =
            self.element == "FrDyn2" && self.way == Way::Monolithic && self.rig.amplitude > 0.0;
        let highest = self.rig.wave.highest_harmonic() * self.rig.frequency;
        let formula = if has_formula {
            check::creep_rate(trace, from, highest)
        } else {
            None
        };
        Outcome {
            rate,
            slides,
            formula,
        }
    }

    /// The result, where a law has one.
    fn row(self, fmus: &Fmus) -> Row {
        // The importer panics where an FMU refuses a step.
        let outcome = catch_unwind(AssertUnwindSafe(|| self.run(fmus)))
            .ok()
            .and_then(Result::ok);
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
                    if quick && (mass != 1.0 || ![20.0, 100.0].contains(&frequency)) {
                        continue;
                    }
                    let rig = PulsatingBench {
                        bias,
                        amplitude,
                        frequency,
                        mass,
                        wave,
                    };
                    points.push(Point {
                        element,
                        rig,
                        way: Way::Monolithic,
                        h: 0.0,
                    });
                    points.push(Point {
                        element,
                        rig,
                        way: Way::Coupled,
                        h,
                    });
                    if is_coupled && frequency <= MAX_SAMPLED_FREQUENCY {
                        points.push(Point {
                            element,
                            rig,
                            way: Way::Observed,
                            h: LONG_STEP,
                        });
                    }
                }
            }
        }
    }
    points
}

/// `experiments creep FILE`: writes the table of all points, and prints the sections of the page.
pub fn command(path: &Path) -> Result<()> {
    let points = points(ELEMENTS.iter().map(|entry| entry.metadata.name), false);
    let fmus = ELEMENTS
        .iter()
        .map(|entry| Ok((entry.metadata.name, coupled::with_all_outputs(entry)?)));
    let fmus: Fmus = fmus.collect::<Result<_>>()?;
    let rows: Vec<Row> = points
        .into_par_iter()
        .map(|point| point.row(&fmus))
        .collect();
    std::fs::write(path, page::table(&rows))
        .with_context(|| format!("cannot write {}", path.display()))?;
    page_command(path)
}

/// `experiments creep-page FILE`: prints the sections of the page for a table of all points;
/// refuses one that breaks its claims.
pub fn page_command(path: &Path) -> Result<()> {
    let table =
        std::fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))?;
    let rows = page::read(&table)?;
    print!(
        "{}{}",
        page::sections(&rows, &check::claims(&rows)?),
        page::elements(&rows)
    );
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quick_part_of_the_matrix_keeps_the_claims() {
        // Through the FMU `cargo xtask creep` measures: a unit test has no packages.
        let points = points(["FrDyn2", "FrDyn2Linear"].into_iter(), true);
        let points: Vec<_> = points
            .into_iter()
            .filter(|point| point.way == Way::Monolithic)
            .collect();
        let rows: Vec<_> = points
            .into_par_iter()
            .map(|point| point.row(&Fmus::new()))
            .collect();
        let claims = check::claims(&rows).unwrap();
        assert!(
            claims.linear_runs >= 10 && claims.formula_runs >= 5,
            "{claims:?}"
        );
    }

    #[test]
    fn pages_have_the_results_of_the_table() {
        let rows = page::read(include_str!("../../../docs/data/creep.csv")).unwrap();
        let creep = page::sections(&rows, &check::claims(&rows).unwrap());
        assert!(
            include_str!("../../../docs/creep.md").contains(&creep),
            "run `cargo xtask creep --page`"
        );
        let elements = page::elements(&rows);
        assert!(
            include_str!("../../../docs/elements.md").contains(&elements),
            "run `cargo xtask creep --page`"
        );
    }

    #[test]
    fn broken_claims_are_refused() {
        let rig = PulsatingBench {
            bias: 0.5,
            amplitude: 0.3,
            frequency: 100.0,
            mass: 1.0,
            wave: Wave::Sine,
        };
        let of = |element, way, rate, slides, formula| {
            (
                Point {
                    element,
                    rig,
                    way,
                    h: 0.0,
                },
                Some(Outcome {
                    rate,
                    slides,
                    formula,
                }),
            )
        };
        let linear = |way, rate, slides| of("FrDyn2Linear", way, rate, slides, None);
        let published = |rate| of("FrDyn2", Way::Monolithic, rate, false, Some(-8e-7));
        assert!(check::claims(&[linear(Way::Coupled, 2e-14, false)]).is_err());
        assert!(check::claims(&[published(-8.2e-7)]).is_err());
        let sliding = [
            linear(Way::Monolithic, 1e-7, true),
            linear(Way::Coupled, 1e-7, false),
        ];
        let still = [linear(Way::Observed, 1e-15, false), published(-7.95e-7)];
        for (rows, expected) in [(sliding, (0, 0)), (still, (1, 1))] {
            let claims = check::claims(&rows).unwrap();
            assert_eq!((claims.linear_runs, claims.formula_runs), expected);
        }
    }

    #[test]
    fn frdyn2_creeps_against_the_mean_load() {
        let rig = PulsatingBench {
            bias: 0.5,
            amplitude: 0.3,
            frequency: 100.0,
            mass: 1.0,
            wave: Wave::Sine,
        };
        let outcome = Point {
            element: "FrDyn2",
            rig,
            way: Way::Monolithic,
            h: 0.0,
        }
        .run(&Fmus::new())
        .unwrap();
        assert!(
            (outcome.rate / -8.24e-7 - 1.0).abs() < 0.01 && !outcome.slides,
            "{outcome:?}"
        );
    }
}
