//! Simulation of a record with many parameter vectors at once, on several threads: the inner loop
//! of identification.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::Arc;

use bristle::catalogue::Variant;
use bristle::variable::Variable;
use numpy::{PyArray2, PyArray3, PyArrayMethods, PyReadonlyArray1, PyReadonlyArray2};
use pyo3::prelude::*;

use crate::card::resolve;
use crate::errors::{Failure, refused};
use crate::run::{Run, Signal, check_times};
use crate::threads::on_threads;

/// Outputs of an element along a record, for each of many parameter vectors: an array of shape
/// (vectors, outputs, times).
///
/// card: a Card or the name of a law.
/// names: names of the parameters that vary.
/// vectors: their values, shape (vectors, names), SI units.
/// t: times, s, shape (times,), rising. inputs: by name, shape (times,), SI units.
/// outputs: names of the outputs. threads: number of threads, 0 for one per processor.
///
/// Inputs run straight between two samples. `delay`, s, shifts them. `rise`
/// and `v_rise`, m/s, scale F_N along the record by 1 + rise exp(−(v/v_rise)²).
///
/// A vector that the law refuses, or whose run ends in no finite number, gives NaN in all of its
/// outputs.
#[pyfunction]
#[pyo3(signature = (card, names, vectors, t, inputs, outputs, threads=0))]
#[allow(clippy::too_many_arguments)] // a function of Python, called by keyword
pub fn simulate_batch<'py>(
    py: Python<'py>,
    card: &Bound<'py, PyAny>,
    names: Vec<String>,
    vectors: PyReadonlyArray2<'py, f64>,
    t: PyReadonlyArray1<'py, f64>,
    inputs: BTreeMap<String, PyReadonlyArray1<'py, f64>>,
    outputs: Vec<String>,
    threads: usize,
) -> PyResult<Bound<'py, PyArray3<f64>>> {
    let variant = resolve(card)?;
    let run = Run::new(variant.clone(), None);
    let outputs = outputs
        .iter()
        .map(|name| run.find(name))
        .collect::<Result<Vec<_>, _>>()?;
    let parameters = names
        .iter()
        .map(|name| Column::of(name, &run))
        .collect::<Result<Vec<_>, _>>()?;
    let times = t.as_array().to_vec();
    check_times(&times)?;
    let mut signals = Vec::new();
    for (name, values) in &inputs {
        let values = values.as_array().to_vec();
        if values.len() != times.len() {
            return Err(refused(format!(
                "{name} has {} values and t has {}",
                values.len(),
                times.len()
            )));
        }
        signals.push((run.input(name)?, values));
    }
    let vectors = vectors.as_array();
    if vectors.ncols() != parameters.len() {
        return Err(refused(format!(
            "vectors has {} columns and names has {}",
            vectors.ncols(),
            parameters.len()
        )));
    }
    let rows: Vec<Vec<f64>> = vectors.rows().into_iter().map(|row| row.to_vec()).collect();
    let shape = [rows.len(), outputs.len(), times.len()];
    let sweep = Sweep {
        variant,
        parameters,
        rows,
        times,
        signals,
        outputs,
    };
    let values = py.detach(|| sweep.run(threads));
    numpy::PyArray1::from_vec(py, values).reshape(shape)
}

/// Signals, shape (signals, times), later by a delay, s, as `simulate_batch` delays its inputs.
#[pyfunction]
pub fn delayed<'py>(
    py: Python<'py>,
    t: PyReadonlyArray1<'py, f64>,
    signals: PyReadonlyArray2<'py, f64>,
    delay: f64,
) -> PyResult<Bound<'py, PyArray2<f64>>> {
    let (times, signals) = (t.as_array().to_vec(), signals.as_array());
    if signals.ncols() != times.len() {
        return Err(refused(format!(
            "signals have {} values and t has {}",
            signals.ncols(),
            times.len()
        )));
    }
    let found: Vec<Vec<f64>> = signals
        .rows()
        .into_iter()
        .map(|signal| later(&times, &signal.to_vec(), delay))
        .collect();
    Ok(PyArray2::from_vec2(py, &found)?)
}

/// A column of the vectors: a parameter of the element, a delay of its inputs, or a scale of its
/// normal force.
enum Column {
    Parameter(Variable),
    Delay,
    Rise,
    RiseVelocity,
}

impl Column {
    fn of(name: &str, run: &Run) -> Result<Self, Failure> {
        Ok(match name {
            "delay" => Column::Delay,
            "rise" => Column::Rise,
            "v_rise" => Column::RiseVelocity,
            _ => Column::Parameter(run.find(name)?),
        })
    }
}

/// A record, and the vectors to run along it.
struct Sweep {
    variant: Arc<Variant>,
    parameters: Vec<Column>,
    rows: Vec<Vec<f64>>,
    times: Vec<f64>,
    signals: Vec<(Variable, Vec<f64>)>,
    outputs: Vec<Variable>,
}

impl Sweep {
    /// Outputs of all vectors, one after the other.
    fn run(&self, threads: usize) -> Vec<f64> {
        let size = self.outputs.len() * self.times.len();
        let mut values = vec![f64::NAN; self.rows.len() * size];
        let work = values.chunks_mut(size.max(1)).zip(&self.rows);
        on_threads(threads, work, |(place, row)| self.run_one(row, place));
        values
    }

    /// Outputs of one vector; NaN where it cannot be run.
    fn run_one(&self, row: &[f64], place: &mut [f64]) {
        let mut columns: Vec<Vec<f64>> = self
            .outputs
            .iter()
            .map(|_| Vec::with_capacity(self.times.len()))
            .collect();
        if self.try_one(row, &mut columns).is_ok() {
            for (place, column) in place.chunks_mut(self.times.len()).zip(&columns) {
                place.copy_from_slice(column);
            }
        }
    }

    fn try_one(&self, row: &[f64], columns: &mut [Vec<f64>]) -> Result<(), Failure> {
        let mut run = Run::new(self.variant.clone(), None);
        let (mut delay, mut rise, mut v_rise) = (0.0, 0.0, 1.0);
        for (column, value) in self.parameters.iter().zip(row) {
            match column {
                Column::Parameter(parameter) => run.set(parameter.name, *value)?,
                Column::Delay => delay = *value,
                Column::Rise => rise = *value,
                Column::RiseVelocity => v_rise = *value,
            }
        }
        let mut given: Vec<_> = self
            .signals
            .iter()
            .map(|(input, values)| (*input, Cow::from(values)))
            .collect();
        if delay != 0.0 {
            for (_, values) in &mut given {
                *values = later(&self.times, values, delay).into();
            }
        }
        if rise != 0.0 {
            scale(&mut given, rise, v_rise);
        }
        let signals: Vec<_> = given
            .iter()
            .map(|(input, values)| (*input, Signal::Samples(values)))
            .collect();
        run.along(
            &self.times,
            &signals,
            &self.outputs,
            true,
            [0, self.times.len()],
            columns,
        )
    }
}

/// Multiplies the normal force by the level over the speed, where F_N and v are given.
fn scale(signals: &mut [(Variable, Cow<[f64]>)], rise: f64, v_rise: f64) {
    let place = |name: &str| signals.iter().position(|(input, _)| input.name == name);
    let (Some(normal), Some(velocity)) = (place("F_N"), place("v")) else {
        return;
    };
    let level = signals[velocity]
        .1
        .iter()
        .map(|v| 1.0 + rise * libm::exp(-(v / v_rise) * (v / v_rise)));
    let scaled: Vec<f64> = signals[normal]
        .1
        .iter()
        .zip(level)
        .map(|(normal, level)| normal * level)
        .collect();
    signals[normal].1 = scaled.into();
}

/// Largest deviation of a step from the mean for which times count as even.
const UNEVEN: f64 = 0.02;

/// A signal later by a delay, s; the ends are held. Between even samples it runs along the cubic
/// through the nearest four, between uneven ones straight: a cubic overshoots next to a gap.
fn later(times: &[f64], values: &[f64], delay: f64) -> Vec<f64> {
    let (Some(first), Some(last)) = (times.first(), times.last()) else {
        return values.to_vec();
    };
    let interval = (last - first) / (times.len().max(2) - 1) as f64;
    let uneven = |pair: &[f64]| (pair[1] - pair[0] - interval).abs() > UNEVEN * interval;
    if times.windows(2).any(uneven) {
        later_straight(times, values, delay)
    } else {
        later_even(values, delay / interval)
    }
}

/// A signal later by a delay, s, that runs straight between samples.
fn later_straight(times: &[f64], values: &[f64], delay: f64) -> Vec<f64> {
    let last = times.len() - 1;
    times
        .iter()
        .map(|time| {
            let at = time - delay;
            let next = times.partition_point(|time| *time <= at);
            if next == 0 {
                values[0]
            } else if next > last {
                values[last]
            } else {
                let share = (at - times[next - 1]) / (times[next] - times[next - 1]);
                values[next - 1] + share * (values[next] - values[next - 1])
            }
        })
        .collect()
}

/// An even signal later by so many samples, by the cubic through the nearest four.
fn later_even(values: &[f64], samples: f64) -> Vec<f64> {
    let whole = samples.ceil();
    let u = whole - samples;
    let weights = [
        -u * (u - 1.0) * (u - 2.0) / 6.0,
        (u + 1.0) * (u - 1.0) * (u - 2.0) / 2.0,
        -(u + 1.0) * u * (u - 2.0) / 2.0,
        (u + 1.0) * u * (u - 1.0) / 6.0,
    ];
    let last = values.len() as i64 - 1;
    let at = |i: usize, k: usize| {
        values[(i as i64 - whole as i64 - 1 + k as i64).clamp(0, last) as usize]
    };
    (0..values.len())
        .map(|i| {
            weights
                .iter()
                .enumerate()
                .map(|(k, weight)| weight * at(i, k))
                .sum()
        })
        .collect()
}
