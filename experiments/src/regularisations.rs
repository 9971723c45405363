//! FrDyn2's numbers on the papers' rigs with both regularisations: the published parabola and FrDyn2Linear's straight line.

use crate::case::Case;
use crate::numbers::{STATIC_FRICTION, TROLLEY, end_of_span};
use crate::rows::shown;
use crate::trace::Trace;
use crate::{coupled, monolithic, parallel};
use anyhow::Result;
use bristle_importer::fmu::Fmu;
use bristle_rigs::Rig;
use bristle_rigs::festoon::Festoon;
use bristle_rigs::test_bench::{Load, Pulses, TestBench};
use std::fmt::Write;

/// Elements of the columns.
const ELEMENTS: [&str; 2] = ["FrDyn2", "FrDyn2Linear"];

/// A run whose numbers the table has.
struct Experiment {
    source: &'static str,
    rig: Box<dyn Rig + Sync>,
    parameters: &'static [(&'static str, f64)],
    /// Sampling interval of the monolithic solution, communication step through the FMU, end, s.
    times: [f64; 3],
    numbers: Vec<Number>,
}

/// Number of a run: name, unit, and the number itself.
type Number = (String, &'static str, fn(&Trace) -> f64);

/// The table between its markers.
pub fn section() -> Result<String> {
    let experiments = experiments();
    let cases: Vec<_> = experiments.iter().flat_map(|experiment| ELEMENTS.map(|name| (experiment, name))).collect();
    let runs = parallel::map(&cases, |(experiment, name)| experiment.run(name));
    let runs = runs.into_iter().collect::<Result<Vec<_>>>()?;
    let mut text = String::from(
        "<!-- begin regularisations -->\n| source | number | FrDyn2, monolithic | through the FMU | FrDyn2Linear, monolithic | \
         through the FMU |\n|---|---|---:|---:|---:|---:|\n",
    );
    for (experiment, pair) in experiments.iter().zip(runs.chunks(ELEMENTS.len())) {
        for (what, unit, number) in &experiment.numbers {
            let _ = write!(text, "| {} | {what} |", experiment.source);
            for trace in pair.iter().flatten() {
                let _ = write!(text, " {} |", shown(number(trace), unit));
            }
            text.push('\n');
        }
    }
    text.push_str("<!-- end regularisations -->\n");
    Ok(text)
}

impl Experiment {
    /// Monolithic and through the FMU.
    fn run(&self, name: &str) -> Result<[Trace; 2]> {
        let case = Case::of_paper(name).with(self.parameters);
        let [dt, h, end] = self.times;
        let keep = (dt / h).round().max(1.0) as usize;
        let whole = monolithic::run(&case, &*self.rig, dt, end)?;
        Ok([whole, coupled::run(&Fmu::packaged(name), &case, &*self.rig, h, end, keep)])
    }
}

fn bench(load: Load) -> Box<dyn Rig + Sync> {
    Box::new(TestBench { load })
}

fn step(share: f64, duration: f64) -> Box<dyn Rig + Sync> {
    Box::new(TestBench::step(share * STATIC_FRICTION, duration))
}

fn experiments() -> Vec<Experiment> {
    let rest: fn(&Trace) -> f64 = |run| run.last().y[0];
    let mut experiments = vec![
        Experiment {
            source: "[RS] Sec. 3",
            rig: step(0.99, 30.0),
            parameters: &[],
            times: [1e-2, 1e-4, 60.0],
            numbers: vec![
                ("0.99 F_s: u_st".into(), "m", rest),
                ("drift from 31 s to 60 s".into(), "m", |run| run.last().y[0] - run.at(31.0).y[0]),
            ],
        },
        Experiment {
            source: "[RS] Sec. 4",
            rig: step(1.05, 10.0),
            parameters: &[],
            times: [1e-4, 1e-5, 11.0],
            numbers: vec![
                ("1.05 F_s: t_B".into(), "s", |run| run.0[broken(run)].t),
                ("x_R".into(), "m", |run| run.0[broken(run).saturating_sub(1)].y[0]),
                ("a_max".into(), "m/s²", |run| (run.at(11.0).y[1] - run.at(10.5).y[1]) / 0.5),
            ],
        },
    ];
    for (duration, dt, h) in [(0.1, 1e-4, 1e-5), (1e-2, 1e-5, 1e-6), (1e-3, 1e-6, 1e-6), (1e-4, 1e-6, 1e-6)] {
        let what = format!("0.95 F_s within {duration} s");
        experiments.push(Experiment {
            source: "[RS] Sec. 5",
            rig: step(0.95, duration),
            parameters: &[],
            times: [dt, h, end_of_span(duration)],
            numbers: vec![
                (format!("{what}: u_st"), "m", rest),
                (format!("{what}: peak over F_s"), "", |run| run.peak(0) / STATIC_FRICTION),
            ],
        });
    }
    experiments.push(Experiment {
        source: "[RS] Sec. 5",
        rig: bench(Load::Pulses(Pulses::five(0.8 * STATIC_FRICTION))),
        parameters: &[],
        times: [1e-4, 1e-5, 1.0],
        numbers: vec![("displacement left by five pulses of 0.8 F_s".into(), "m", rest)],
    });
    experiments.push(Experiment {
        source: "[RS] Sec. 6",
        rig: Box::new(Festoon::default()),
        parameters: TROLLEY,
        times: [1e-3, 1e-4, 8.0],
        numbers: vec![
            ("festoon: v_T1 changes sign".into(), "s", |run| run.zero(1, 6.3, 6.6).unwrap_or(f64::NAN)),
            ("festoon: least F_R1 after it".into(), "N", |run| {
                let within = run.0.iter().filter(|sample| (6.45..6.48).contains(&sample.t));
                within.map(|sample| sample.contacts[0].F_R).fold(0.0, f64::min)
            }),
            ("festoon: movement of trolley 2 from 7.2 s to 7.5 s".into(), "m", |run| {
                let within = run.0.iter().filter(|sample| (7.2..=7.5).contains(&sample.t)).map(|sample| sample.y[2]);
                let [least, most] = within.fold([f64::MAX, f64::MIN], |[least, most], x| [least.min(x), most.max(x)]);
                most - least
            }),
        ],
    });
    experiments
}

/// Place of the first sample that does not stick.
fn broken(run: &Trace) -> usize {
    run.0.iter().position(|sample| !sample.contacts[0].sticking).unwrap_or(0)
}
