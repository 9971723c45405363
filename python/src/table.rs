//! Measured records: tables of text and units, by the reader of the exporter.

use std::collections::HashMap;
use std::io::Error;
use std::path::PathBuf;

use bristle::variable::Unit;
use bristle_export::names::question;
use bristle_export::table::{
    self, Choice, Column, Fault, SiColumn, Signal, Table, capped, choose, titles,
};
use numpy::{IntoPyArray, PyArray1};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;

use crate::errors::refused;

/// Signals and constants of a record with their units; the first six are columns of a file.
const SIGNALS: [(&str, Unit); 8] = [
    ("t", Unit::Second),
    ("v", Unit::MetrePerSecond),
    ("x", Unit::Metre),
    ("F_N", Unit::Newton),
    ("F", Unit::Newton),
    ("F_applied", Unit::Newton),
    ("mass", Unit::Kilogram),
    ("encoder_step", Unit::Metre),
];
/// Number of signals that are columns.
const COLUMNS: usize = 6;

/// Name or number of a column, from Python.
#[derive(FromPyObject)]
pub enum Named {
    /// Number, from 1.
    Number(usize),
    /// Name in the header.
    Name(String),
}

/// Columns of signals, by name or number.
type Choices = HashMap<String, Named>;
/// Units of signals or columns.
type Units = HashMap<String, String>;
/// Arrays by signals, a sentence about the file, its columns in words, and its further columns of
/// numbers by name.
type Signals<'py> = (
    HashMap<&'static str, Bound<'py, PyArray1<f64>>>,
    String,
    String,
    HashMap<String, Bound<'py, PyArray1<f64>>>,
);

/// Signals of a file in SI units, by name, a sentence about encoding, dialect and units of the
/// file, its columns in words, and its further columns of numbers as they are written.
///
/// units: of signals or columns, instead of those of the header; "SI" for all that the header
/// leaves open is `is_si`. columns: names or numbers of the columns by signal. radius: friction
/// radius in m, which makes angles lengths and torques forces.
#[pyfunction]
#[pyo3(signature = (path, units, columns, is_si = false, radius = None))]
pub fn read_record<'py>(
    py: Python<'py>,
    path: PathBuf,
    units: Units,
    columns: Choices,
    is_si: bool,
    radius: Option<f64>,
) -> PyResult<Signals<'py>> {
    let file = path.display().to_string();
    let bytes = std::fs::read(&path)
        .map_err(|error| Error::new(error.kind(), format!("{file}: {error}")))?;
    let say = |faults: Vec<Fault>| {
        let lines: Vec<_> = faults.iter().map(|fault| fault.of_file(&file)).collect();
        refused(lines.join("\n"))
    };
    let table = py.detach(|| Table::read(&bytes)).map_err(say)?;
    let found = assigned(&table.columns, &units, &columns).map_err(|fault| say(vec![fault]))?;
    let name = path
        .file_name()
        .unwrap_or(path.as_os_str())
        .to_string_lossy();
    let (mut signals, mut remark) = (HashMap::new(), format!("{name}: {}", table.description));
    let taken: Vec<_> = found.iter().map(|(.., column)| column.number).collect();
    for (signal, unit, column) in found {
        let stated = units.get(signal).or_else(|| units.get(&column.name));
        if stated.is_none() && column.unit.is_none() && !is_si {
            let sentence = format!(
                "the unit of {signal} is not stated in {}; give units={{'{signal}': …}} or \
                 units='SI', or a header as '{signal} [{}]'",
                column.title(),
                unit.symbol()
            );
            return Err(say(vec![column.fault(sentence)]));
        }
        let SiColumn { values, remark: of } = column
            .si(stated.map(String::as_str), unit, of_contact(signal, radius))
            .map_err(say)?;
        check(signal, column, &values, &table.lines).map_err(say)?;
        remark += &format!("; {signal} from {of}");
        signals.insert(signal, values.into_pyarray(py));
    }
    let others = table
        .columns
        .iter()
        .filter(|column| !column.name.is_empty() && !taken.contains(&column.number))
        .filter_map(|column| {
            let values = column.numbers()?.to_vec();
            Some((column.name.clone(), values.into_pyarray(py)))
        })
        .collect();
    Ok((signals, remark, titles(&table.columns), others))
}

/// Indices of the columns of signals, by the headers of all columns; units and columns as
/// `read_record` has them.
#[pyfunction]
pub fn find_signals(
    headers: Vec<String>,
    units: Units,
    columns: Choices,
) -> PyResult<Vec<(&'static str, usize)>> {
    let known: Vec<_> = (1..)
        .zip(&headers)
        .map(|(number, header)| Column::of_header(number, header))
        .collect();
    let found = assigned(&known, &units, &columns)
        .map_err(|fault| refused(format!("record: {}", fault.sentence)))?;
    Ok(found
        .into_iter()
        .map(|(signal, _, column)| (signal, column.number - 1))
        .collect())
}

/// Column of each signal that there is one of, with the signal's SI unit: the one that is chosen,
/// has the signal's name, or another known name of it, as curves have them.
fn assigned<'c>(
    columns: &'c [Column],
    units: &Units,
    chosen: &Choices,
) -> Result<Vec<(&'static str, Unit, &'c Column)>, Fault> {
    let signals = || SIGNALS.iter().map(|(signal, _)| *signal);
    let refuse = |what: &str, key: &str, known: Vec<&str>| {
        let near = question(key, known.iter().copied());
        Fault::whole(format!(
            "found the key '{key}' in {what}, expected one of {}{near}",
            known.join(", ")
        ))
    };
    let is_signal = |key: &str| signals().take(COLUMNS).any(|signal| signal == key);
    if let Some(key) = chosen.keys().find(|key| !is_signal(key)) {
        return Err(refuse("columns", key, signals().take(COLUMNS).collect()));
    }
    let is_known = |key: &str| {
        signals().any(|signal| signal == key) || columns.iter().any(|column| column.is_called(key))
    };
    if let Some(key) = units.keys().find(|key| !is_known(key)) {
        let names = columns
            .iter()
            .map(|column| column.name.as_str())
            .filter(|name| !name.is_empty());
        return Err(refuse("units", key, signals().chain(names).collect()));
    }
    let mut found: Vec<(&'static str, Unit, &Column)> = Vec::new();
    for (signal, unit) in &SIGNALS[..COLUMNS] {
        let choice = chosen.get(*signal).map(|named| match named {
            Named::Number(number) => Choice::Number(*number),
            Named::Name(name) => Choice::Name(name.clone()),
        });
        if let Some(choice) = choice {
            let column = choose(columns, &choice).map_err(|fault| Fault {
                sentence: format!("{}; columns={{'{signal}': …}} names it", fault.sentence),
                ..fault
            })?;
            found.push((signal, *unit, column));
        }
    }
    for (signal, unit) in &SIGNALS[..COLUMNS] {
        let has = |wanted: &str| found.iter().any(|(known, ..)| *known == wanted);
        if has(signal) {
            continue;
        }
        let free = || {
            columns.iter().filter(|column| {
                found
                    .iter()
                    .all(|(.., taken)| taken.number != column.number)
            })
        };
        let mut candidates: Vec<_> = free().filter(|column| column.name == *signal).collect();
        // Of position and velocity one is needed; the other may be a set value, or without a unit.
        let is_other = |one: &str, other: &str| {
            *signal == one && (has(other) || columns.iter().any(|column| column.name == other))
        };
        if candidates.is_empty() && !is_other("x", "v") && !is_other("v", "x") {
            candidates = free()
                .filter(|column| signal_of(&column.name) == Some(*signal))
                .collect();
        }
        match candidates[..] {
            [] => {}
            [column] => found.push((signal, *unit, column)),
            [one, other, ..] => {
                return Err(Fault::whole(format!(
                    "found {} and {} for {signal}, expected one; name it by columns={{'{signal}': \
                     …}}",
                    one.title(),
                    other.title()
                )));
            }
        }
    }
    found.sort_by_key(|(signal, ..)| signals().position(|known| known == *signal));
    Ok(found)
}

/// Signal of a record that a column of this name has.
fn signal_of(name: &str) -> Option<&'static str> {
    match table::named(name)? {
        (Signal::Time, _) => Some("t"),
        (Signal::Speed, _) => Some("v"),
        (Signal::Position, _) => Some("x"),
        (Signal::NormalForce, _) => Some("F_N"),
        // A coefficient is no force.
        (Signal::Friction, unit) => (unit != Some(Unit::One)).then_some("F"),
        (Signal::Applied, _) => Some("F_applied"),
    }
}

/// Refuses numbers that are not finite, and times that do not rise, each with its line.
fn check(signal: &str, column: &Column, values: &[f64], lines: &[usize]) -> Result<(), Vec<Fault>> {
    let title = column.title();
    let infinite = values
        .iter()
        .zip(lines)
        .filter(|(value, _)| !value.is_finite());
    let mut faults: Vec<_> = infinite
        .map(|(value, line)| {
            Fault::at(
                *line,
                format!("found {value} in {title}, expected a finite number"),
            )
        })
        .collect();
    if signal == "t" && faults.is_empty() {
        let pairs = values
            .windows(2)
            .zip(&lines[1..])
            .filter(|(pair, _)| pair[1] <= pair[0]);
        faults.extend(pairs.map(|(pair, line)| {
            let sentence = format!(
                "found the time {:?} s after {:?} s, expected times that rise",
                pair[1], pair[0]
            );
            Fault::at(*line, sentence)
        }));
    }
    if faults.is_empty() {
        Ok(())
    } else {
        Err(capped(faults))
    }
}

/// Factor from a unit to SI for a signal, as ("v", "mm/s") → 1e-3; a friction radius (m) makes
/// angles lengths and torques forces.
#[pyfunction]
#[pyo3(signature = (signal, unit, radius = None))]
pub fn unit_factor(signal: &str, unit: &str, radius: Option<f64>) -> PyResult<f64> {
    let known = SIGNALS.iter().find(|(known, _)| *known == signal);
    let (_, wanted) =
        known.ok_or_else(|| PyTypeError::new_err(format!("{signal} is no signal of a record")))?;
    let factor = table::factor(unit, *wanted, of_contact(signal, radius));
    factor
        .map(table::Factor::number)
        .map_err(|sentence| refused(format!("{signal}: {sentence}")))
}

/// Name and unit in the header of a column: "v [mm/s]" → ("v", "mm/s").
#[pyfunction]
pub fn split_header(header: &str) -> (String, Option<String>) {
    table::split_header(header)
}

/// Radius for the signals of a rotational contact: times and normal forces have none.
fn of_contact(signal: &str, radius: Option<f64>) -> Option<f64> {
    radius.filter(|_| !["t", "F_N"].contains(&signal))
}
