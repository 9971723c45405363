//! Tables of measured numbers as text, and the units of their columns: one reader for curves,
//! records and parameter sets.
//!
//! [`Table::read`] finds encoding, separator, decimal mark, preamble and header of a file. A unit
//! is read where a column is used ([`Column::si`]), so that columns which nobody uses may have any.
//! Nothing is guessed: a file that can be read in two ways is refused.

mod dialect;
mod encoding;
mod header;
mod modelica;
mod signals;
mod units;

use std::fmt::Write;

use bristle::variable::Unit;

use self::dialect::Dialect;
use crate::names::question;

pub use self::header::split as split_header;
pub use self::modelica::{Kind, Matrix, along_lines};
pub use self::signals::{Signal, named};
pub use self::units::{Factor, factor, name as quantity, parse as parse_unit, refuse_unknown};

/// Most faults of a kind that are named by their lines.
const MOST_FAULTS: usize = 10;

/// Fault of a file: its line, from 1, if it has one, and a sentence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// Line, from 1.
    pub line: Option<usize>,
    /// The text found and the text expected.
    pub sentence: String,
}

impl Fault {
    /// Fault of a line.
    pub fn at(line: usize, sentence: impl Into<String>) -> Self {
        Fault {
            line: Some(line),
            sentence: sentence.into(),
        }
    }

    /// Fault of the whole file.
    pub fn whole(sentence: impl Into<String>) -> Self {
        Fault {
            line: None,
            sentence: sentence.into(),
        }
    }

    /// The fault in a line that begins with the file, as editors follow it.
    pub fn of_file(&self, file: &str) -> String {
        let line = self.line.map_or(String::new(), |line| format!(":{line}"));
        format!("{file}{line}: {}", self.sentence)
    }
}

/// Choice of a column: its name in the header, or its number, from 1.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Choice {
    /// Name in the header, with or without unit.
    Name(String),
    /// Number, from 1.
    Number(usize),
}

/// Column of a table.
#[derive(Clone, Debug, PartialEq)]
pub struct Column {
    /// Number, from 1.
    pub number: usize,
    /// Text in the header.
    header: String,
    /// Name, empty where the file has none.
    pub name: String,
    /// Unit as it is written.
    pub unit: Option<String>,
    /// Numbers as they are written, NaN where a cell has none.
    values: Vec<f64>,
    /// Cells that are no numbers.
    faults: Vec<Fault>,
    header_line: Option<usize>,
}

/// Numbers of a column in SI units, and a sentence part with column, unit and factor.
pub struct SiColumn {
    /// Numbers, SI.
    pub values: Vec<f64>,
    /// Column, unit and factor in words.
    pub remark: String,
}

impl Column {
    /// Column without numbers, of its number, from 1, and its text in the header.
    pub fn of_header(number: usize, header: &str) -> Self {
        let (name, unit) = split_header(header);
        let (values, faults) = (Vec::new(), Vec::new());
        Column {
            number,
            header: header.to_owned(),
            name,
            unit,
            values,
            faults,
            header_line: None,
        }
    }

    /// The column has this name, with or without its unit.
    pub fn is_called(&self, name: &str) -> bool {
        self.name == name || self.header == name
    }

    /// Name and number in words.
    pub fn title(&self) -> String {
        if self.name.is_empty() {
            format!("column {}", self.number)
        } else {
            format!("`{}`", self.name)
        }
    }

    /// Numbers as they are written, in the column's own unit; `None` where a cell has no finite
    /// number.
    pub fn numbers(&self) -> Option<&[f64]> {
        let known = self.faults.is_empty() && self.values.iter().all(|value| value.is_finite());
        known.then_some(&self.values)
    }

    /// Fault of the column's header.
    pub fn fault(&self, sentence: impl Into<String>) -> Fault {
        Fault {
            line: self.header_line,
            sentence: sentence.into(),
        }
    }

    /// Numbers in the SI unit `wanted`, from the column's own unit or from `stated` in its place; a
    /// friction radius (m) turns angles into lengths and torques into forces. A column without a
    /// unit is in SI units, which its remark says.
    pub fn si(
        &self,
        stated: Option<&str>,
        wanted: Unit,
        radius: Option<f64>,
    ) -> Result<SiColumn, Vec<Fault>> {
        if !self.faults.is_empty() {
            return Err(capped(self.faults.clone()));
        }
        let (title, symbol) = (self.title(), wanted.symbol());
        let Some(unit) = stated.or(self.unit.as_deref()) else {
            let unit = if wanted == Unit::One {
                "as a plain number".to_owned()
            } else {
                format!("in {symbol}")
            };
            return Ok(SiColumn {
                values: self.values.clone(),
                remark: format!("{title} without a unit, taken {unit}"),
            });
        };
        let factor = factor(unit, wanted, radius)
            .map_err(|sentence| vec![self.fault(format!("{title}: {sentence}"))])?;
        let values = self.values.iter().map(|value| factor.of(*value)).collect();
        let remark = match factor.is_one() {
            true => format!("{title} in {unit}"),
            false => format!(
                "{title} in {unit}, times {} to {symbol}",
                short(factor.number())
            ),
        };
        Ok(SiColumn { values, remark })
    }
}

/// Number with six digits at most.
pub fn short(number: f64) -> f64 {
    format!("{number:.5e}").parse().unwrap_or(number)
}

/// The first faults, and the number of the others.
pub fn capped(mut faults: Vec<Fault>) -> Vec<Fault> {
    let others = faults.len().saturating_sub(MOST_FAULTS);
    faults.truncate(MOST_FAULTS);
    if others > 0 {
        faults.push(Fault::whole(format!(
            "{others} further lines have such faults"
        )));
    }
    faults
}

/// Table of numbers.
#[derive(Clone, Debug, PartialEq)]
pub struct Table {
    /// Columns in their order, two at least.
    pub columns: Vec<Column>,
    /// Line of each row.
    pub lines: Vec<usize>,
    /// Encoding, separator, decimal mark and preamble, or the table of a Modelica model, in words.
    pub description: String,
    /// Table of a Modelica model, whose points are joined by straight lines.
    pub of_modelica: Option<Kind>,
}

impl Table {
    /// Table of the bytes of a file.
    pub fn read(bytes: &[u8]) -> Result<Self, Vec<Fault>> {
        let (text, encoding) =
            encoding::decode(bytes).map_err(|sentence| vec![Fault::whole(sentence)])?;
        if let Some(matrix) = Matrix::find(&text) {
            let matrix = matrix.map_err(|fault| vec![fault])?;
            return Ok(Table {
                columns: matrix.columns(),
                lines: matrix.lines(),
                description: format!(
                    "{} of the Modelica library, rows: {}",
                    matrix.name,
                    matrix.rows.len()
                ),
                of_modelica: Some(matrix.kind),
            });
        }
        let lines = dialect::lines(&text);
        if lines.iter().all(|line| line.is_comment) {
            return Err(vec![Fault::whole(
                "the file is empty, expected columns of numbers",
            )]);
        }
        let dialect = Dialect::of(&lines).map_err(|fault| vec![fault])?;
        let header = header::find(&lines, &dialect)?;
        let faults = Faults::of_rows(&lines[header.first_row..], &dialect, &header)?;
        let mut columns: Vec<Column> = header.columns;
        for (column, (values, faults)) in columns.iter_mut().zip(faults.cells) {
            (column.values, column.faults) = (values, faults);
        }
        let mut description = format!("{encoding}, {dialect}, {} rows", faults.lines.len());
        match header.preamble {
            0 => {}
            1 => description += ", 1 line before the header skipped",
            count => write!(description, ", {count} lines before the header skipped")
                .expect("text grows"),
        }
        Ok(Table {
            columns,
            lines: faults.lines,
            description,
            of_modelica: None,
        })
    }

    /// The column of a choice.
    pub fn column(&self, choice: &Choice) -> Result<&Column, Fault> {
        choose(&self.columns, choice)
    }
}

/// The column of a choice.
pub fn choose<'c>(columns: &'c [Column], choice: &Choice) -> Result<&'c Column, Fault> {
    let of = |number: usize| columns.get(number.checked_sub(1)?);
    let name = match choice {
        Choice::Name(name) => name,
        Choice::Number(number) => {
            return of(*number).ok_or_else(|| {
                Fault::whole(format!(
                    "found no column {number}, expected a number from 1 to {}",
                    columns.len()
                ))
            });
        }
    };
    let mut found = columns.iter().filter(|column| column.is_called(name));
    match (found.next(), found.next()) {
        (Some(column), None) => Ok(column),
        (Some(_), Some(_)) => Err(Fault::whole(format!(
            "found two columns `{name}`, expected one; name the column by its number"
        ))),
        (None, _) => {
            let near = question(name, columns.iter().map(|column| column.name.as_str()));
            Err(Fault::whole(format!(
                "found no column `{name}` among {}{near}",
                titles(columns)
            )))
        }
    }
}

/// Columns in words.
pub fn titles(columns: &[Column]) -> String {
    columns
        .iter()
        .map(Column::title)
        .collect::<Vec<_>>()
        .join(", ")
}

/// Cells of rows by columns.
struct Faults {
    lines: Vec<usize>,
    cells: Vec<(Vec<f64>, Vec<Fault>)>,
}

impl Faults {
    fn of_rows(
        lines: &[dialect::Line],
        dialect: &Dialect,
        header: &header::Header,
    ) -> Result<Self, Vec<Fault>> {
        let count = header.columns.len();
        let mut rows = Faults {
            lines: Vec::new(),
            cells: vec![(Vec::new(), Vec::new()); count],
        };
        let mut faults = Vec::new();
        for line in lines.iter().filter(|line| !line.is_comment) {
            let cells = dialect.split(line.text);
            if cells.len() > count {
                let found = cells.len();
                faults.push(Fault::at(
                    line.number,
                    format!("found {found} cells, expected {count} as in the header"),
                ));
                continue;
            }
            rows.lines.push(line.number);
            for (i, (values, faults)) in rows.cells.iter_mut().enumerate() {
                let cell = cells.get(i).copied().unwrap_or_default();
                let number = dialect.number(cell);
                if number.is_none() {
                    let title = header.columns[i].title();
                    let found = if cell.is_empty() {
                        "nothing".to_owned()
                    } else {
                        format!("\"{cell}\"")
                    };
                    let sentence = format!(
                        "found {found} in {title}, expected a number with a decimal {}",
                        dialect.mark()
                    );
                    faults.push(Fault::at(line.number, sentence));
                }
                values.push(number.unwrap_or(f64::NAN));
            }
        }
        if faults.is_empty() {
            Ok(rows)
        } else {
            Err(capped(faults))
        }
    }
}

#[cfg(test)]
mod tests;
