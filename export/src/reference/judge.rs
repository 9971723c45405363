//! Judgement of a tool's result: its deviation from the reference, and the mistake whose own result
//! is nearest to it.

use std::f64::consts::PI;

use bristle::catalogue::{Motion, Variant};
use bristle::element::{V, V_Y};
use bristle::law::F_N;
use bristle::variable::{Unit, Variable};

use super::push::{Loop, Push};
use super::{Experiment, MOTIONS, Run, STEP};
use crate::table::{Choice, Fault, Table};

/// Judgement of a result.
#[derive(Clone, Debug, PartialEq)]
pub struct Verdict {
    /// Largest deviation of a result over the range of its reference.
    pub deviation: f64,
    /// Whether it passes.
    pub passes: bool,
    /// One sentence, with the mistake that explains the result where one does.
    pub sentence: String,
}

/// Share of the deviation that a mistake may leave unexplained.
const EXPLAINED: f64 = 0.1;

/// Judges the result of a tool as a table: a column for the time and one for each result, by their
/// names.
pub fn judge(variant: &Variant, experiment: &Experiment, table: &Table) -> Result<Verdict, Fault> {
    let found = at_rows(experiment, table)?;
    let deviation = experiment.deviation(&found);
    let name = experiment.name;
    let percent = |share: f64| format!("{:.3} %", 100.0 * share);
    if deviation <= experiment.tolerance {
        let sentence = format!(
            "{name}: passes, within {} of the range of the reference",
            percent(deviation)
        );
        return Ok(Verdict {
            deviation,
            passes: true,
            sentence,
        });
    }
    let mut sentence = format!(
        "{name}: off by {} of the range of the reference, where {} pass",
        percent(deviation),
        percent(experiment.tolerance)
    );
    let mistakes: Vec<_> = mistakes(variant, experiment)
        .into_iter()
        .map(|(columns, advice)| (distance(experiment, &found, &columns), advice))
        .collect();
    let least = mistakes
        .iter()
        .fold(f64::INFINITY, |least, (rest, _)| least.min(*rest));
    if least < EXPLAINED * deviation {
        // Several mistakes may have one result.
        let same = mistakes
            .iter()
            .filter(|(rest, _)| *rest <= least + experiment.tolerance);
        let advice: Vec<_> = same.map(|(_, advice)| advice.as_str()).collect();
        sentence += &format!("; {}", advice.join(", or "));
    } else {
        sentence += "; no usual mistake has this result";
    }
    Ok(Verdict {
        deviation,
        passes: false,
        sentence,
    })
}

impl Experiment {
    /// Largest deviation of columns of results over the range of the reference.
    fn deviation(&self, columns: &[Vec<f64>]) -> f64 {
        distance(self, columns, &self.columns(&self.rows))
    }
}

/// Largest distance of two results over the range of the reference, but for the start: a tool may
/// set the first inputs before or after the initialisation.
fn distance(experiment: &Experiment, one: &[Vec<f64>], other: &[Vec<f64>]) -> f64 {
    let of_column = |(i, reference): (usize, Vec<f64>)| {
        let [least, most] = reference.iter().fold([0.0_f64; 2], |[least, most], value| {
            [least.min(*value), most.max(*value)]
        });
        let range = if most > least { most - least } else { 1.0 };
        let pairs = one[i].iter().zip(&other[i]).skip(1);
        pairs
            .map(|(one, other)| (one - other).abs())
            .fold(0.0, f64::max)
            / range
    };
    let reference = experiment.columns(&experiment.rows);
    reference
        .into_iter()
        .enumerate()
        .map(of_column)
        .fold(0.0, f64::max)
}

/// Numbers of a column in the unit of a variable of the FMU, in which a column without a unit is.
fn numbers(table: &Table, name: &str, variable: Option<&Variable>) -> Result<Vec<f64>, Fault> {
    let column = table.column(&Choice::Name(name.to_owned()))?;
    let unit = variable.map_or(Unit::Second, |variable| variable.unit);
    let in_si = column.si(None, unit, None).map_err(|faults| {
        let mut faults = faults.into_iter();
        faults
            .next()
            .unwrap_or_else(|| Fault::whole("the column cannot be read"))
    })?;
    let of = |value: &f64| match variable {
        Some(variable) if column.unit.is_some() => variable.of_si(*value),
        _ => *value,
    };
    Ok(in_si.values.iter().map(of).collect())
}

/// Results of a table at the rows of an experiment, between its own rows by lines.
fn at_rows(experiment: &Experiment, table: &Table) -> Result<Vec<Vec<f64>>, Fault> {
    let time = numbers(table, "time", None)?;
    let last = experiment.rows.last().map_or(0.0, |row| row[0]);
    let step = last / (time.len().max(2) - 1) as f64;
    let rises = time.windows(2).all(|pair| pair[0] <= pair[1]);
    let covers = time.last().is_some_and(|end| *end >= last - 0.5 * STEP);
    if !rises || !covers || step > 1.01 * STEP {
        return Err(Fault::whole(format!(
            "found times up to {:?} s in {} rows, expected them to rise to {last:?} s by {STEP:?} s \
             at most",
            time.last().unwrap_or(&0.0),
            time.len()
        )));
    }
    let at = |values: &[f64], t: f64| {
        let after = time
            .partition_point(|known| *known < t - 1e-9)
            .min(time.len() - 1);
        if after == 0 || time[after] <= t + 1e-9 {
            return values[after];
        }
        let [from, to] = [time[after - 1], time[after]];
        values[after - 1] + (t - from) / (to - from) * (values[after] - values[after - 1])
    };
    let results = experiment.results.iter();
    results
        .map(|result| {
            let values = numbers(table, result.name, Some(result))?;
            Ok(experiment
                .rows
                .iter()
                .map(|row| at(&values, row[0]))
                .collect())
        })
        .collect()
}

/// Results of mistakes with an advice each, likely ones first.
fn mistakes(variant: &Variant, experiment: &Experiment) -> Vec<(Vec<Vec<f64>>, String)> {
    let reference = experiment.columns(&experiment.rows);
    let scaled = |factor: f64| -> Vec<Vec<f64>> {
        let column = |column: &Vec<f64>| column.iter().map(|value| factor * value).collect();
        reference.iter().map(column).collect()
    };
    if experiment.name == "push" {
        return of_loops(variant);
    }
    let mut all = vec![(
        scaled(-1.0),
        "the result has the other sign: reverse the velocity, or the force where it is read"
            .to_owned(),
    )];
    for (factor, unit) in [(1e3, "a thousandth"), (1e-3, "a thousand times")] {
        let advice = format!("the result is read in {unit} of its unit: convert it");
        all.push((scaled(factor), advice));
    }
    let later: Vec<Vec<f64>> = reference
        .iter()
        .map(|column| {
            std::iter::once(column[0])
                .chain(column.iter().copied())
                .take(column.len())
                .collect()
        })
        .collect();
    all.push((
        later,
        "the result is read one communication step late: read it after fmi2DoStep".to_owned(),
    ));
    let Some(motion) = MOTIONS.iter().find(|motion| motion.name == experiment.name) else {
        return all;
    };
    let mut add = |run: Run, advice: String| {
        if let Some(rows) = motion.rows(variant, experiment, run) {
            all.push((experiment.columns(&rows), advice));
        }
    };
    let motion_of_card = variant.card().motion;
    let is_velocity = |input: &Variable| {
        let is_across = input.is(&V_Y) && motion_of_card.is_planar();
        !input.is_of_block() && (input.is(&V) || is_across)
    };
    let about_axis = motion_of_card == Motion::Rotational;
    let units: &[(f64, &str)] = if about_axis {
        &[
            (180.0 / PI, "in deg/s where rad/s are expected"),
            (30.0 / PI, "in rpm where rad/s are expected"),
        ]
    } else {
        &[
            (1e3, "in mm/s where m/s are expected"),
            (1e-3, "divided by 1000"),
        ]
    };
    let velocities = units.iter().map(|(factor, what)| (true, *factor, *what));
    let forces = [
        (1e3, "in mN where N are expected"),
        (1e-3, "in kN where N are expected"),
        (-1.0, "with the other sign: it is positive in compression"),
    ];
    let forces = forces.map(|(factor, what)| (false, factor, what));
    let lost = [true, false].map(|of_v| (of_v, 0.0, "not at all: it is not connected"));
    for (of_v, factor, what) in velocities.chain(forces).chain(lost) {
        let change = |input: &Variable, value: f64| {
            let is_changed = if of_v {
                is_velocity(input)
            } else {
                input.is(&F_N)
            };
            if is_changed { factor * value } else { value }
        };
        let run = Run {
            change: &change,
            ..Run::EXACT
        };
        let name = if of_v { "velocity" } else { "normal force" };
        add(run, format!("the {name} arrives {what}"));
    }
    let late = Run {
        late: STEP,
        ..Run::EXACT
    };
    let advice = "the inputs arrive one communication step late: set them before fmi2DoStep";
    add(late, advice.to_owned());
    all
}

/// Results of mistakes in a loop.
fn of_loops(variant: &Variant) -> Vec<(Vec<Vec<f64>>, String)> {
    let Some(push) = Push::of(variant) else {
        return Vec::new();
    };
    let loops = [
        (
            Loop {
                sign: 1.0,
                ..Loop::SERIAL
            },
            "the force acts with the other sign: m dv/dt = F - F_R",
        ),
        (
            Loop {
                is_late: true,
                ..Loop::SERIAL
            },
            "the order is stated as serial, and the force reaches the body one step late: state \
             parallel, or let the body follow the element within the step",
        ),
        (
            Loop {
                stated: 2.0,
                ..Loop::SERIAL
            },
            "the order is stated as parallel, and the force reaches the body within the step: \
             state serial",
        ),
        (
            Loop {
                stated: 0.0,
                ..Loop::SERIAL
            },
            "the mass of the body is not stated: set m_eff (J_eff) and the order serial",
        ),
        (
            Loop {
                stated: 0.0,
                is_late: true,
                ..Loop::SERIAL
            },
            "the mass of the body is not stated, and the force reaches it one step late: set m_eff \
             (J_eff) and the order parallel",
        ),
    ];
    let velocity = |[_, _, v]: &[f64; 3]| variant.of_si(V.reference, *v);
    let found = loops.into_iter().filter_map(|(coupling, advice)| {
        let rows = push.in_loop(coupling)?;
        Some((vec![rows.iter().map(velocity).collect()], advice.to_owned()))
    });
    found.collect()
}
