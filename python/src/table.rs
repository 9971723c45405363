//! Measured records: tables of text and units, by the reader of the exporter.

use std::collections::HashMap;
use std::path::PathBuf;

use bristle::variable::Unit;
use bristle_export::table::{self, Choice, Fault, SiColumn, Table};
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

/// Arrays by signals, and a sentence about the file.
type Signals<'py> = (HashMap<&'static str, Bound<'py, PyArray1<f64>>>, String);

/// Signals of a file in SI units, by name, and a sentence about encoding, dialect and units of the file.
///
/// units: of signals or columns, instead of those of the header; "SI" for all that the header leaves open is `is_si`.
/// columns: names or numbers of the columns by signal. radius: friction radius in m, which makes angles lengths and torques forces.
#[pyfunction]
#[pyo3(signature = (path, units, columns, is_si = false, radius = None))]
pub fn read_record<'py>(
    py: Python<'py>,
    path: PathBuf,
    units: HashMap<String, String>,
    columns: HashMap<String, Named>,
    is_si: bool,
    radius: Option<f64>,
) -> PyResult<Signals<'py>> {
    let bytes = std::fs::read(&path)?;
    let file = path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned();
    let say = |faults: Vec<Fault>| {
        let lines: Vec<_> = faults.iter().map(|fault| fault.of_file(&file)).collect();
        refused(lines.join("\n"))
    };
    let table = py.detach(|| Table::read(&bytes)).map_err(say)?;
    // A column that is named for one signal is not another one by its own name.
    let is_taken = |name: &str| columns.values().any(|named| matches!(named, Named::Name(taken) if taken == name));
    let (mut signals, mut remark) = (HashMap::new(), format!("{file}: {}", table.description()));
    for (signal, unit) in &SIGNALS[..COLUMNS] {
        let choice = match columns.get(*signal) {
            Some(Named::Number(number)) => Choice::Number(*number),
            Some(Named::Name(name)) => Choice::Name(name.clone()),
            None if !is_taken(signal) && table.columns.iter().any(|column| column.name == *signal) => {
                Choice::Name((*signal).to_owned())
            }
            None => continue,
        };
        let column = table.column(&choice).map_err(|fault| say(vec![fault]))?;
        let stated = units.get(*signal).or_else(|| units.get(&column.name));
        if stated.is_none() && column.unit.is_none() && !is_si {
            return Err(refused(format!(
                "{file}: the unit of {signal} is not stated; give units={{'{signal}': …}} or units='SI', or a header as '{signal} [{}]'",
                unit.symbol()
            )));
        }
        let SiColumn { values, remark: of } =
            column.si(stated.map(String::as_str), *unit, of_contact(signal, radius)).map_err(say)?;
        remark += &format!("; {signal} from {of}");
        signals.insert(*signal, values.into_pyarray(py));
    }
    Ok((signals, remark))
}

/// Factor from a unit to SI for a signal, as ("v", "mm/s") → 1e-3; a friction radius (m) makes angles lengths and torques forces.
#[pyfunction]
#[pyo3(signature = (signal, unit, radius = None))]
pub fn unit_factor(signal: &str, unit: &str, radius: Option<f64>) -> PyResult<f64> {
    let known = SIGNALS.iter().find(|(known, _)| *known == signal);
    let (_, wanted) = known.ok_or_else(|| PyTypeError::new_err(format!("{signal} is no signal of a record")))?;
    let factor = table::factor(unit, *wanted, of_contact(signal, radius));
    factor.map(table::Factor::number).map_err(|sentence| refused(format!("{signal}: {sentence}")))
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
