//! Tables of the friction models of the Modelica Standard Library, as they stand in a model:
//! `tau_pos = [0, 1; 100, 2]`.
//!
//! Source: Modelica Standard Library 4, BearingFriction (`tau_pos`), SupportFriction (`f_pos`),
//! Brake and Clutch (`mue_pos`), LossyGear (`lossTable`).

use super::{Column, Fault};

/// Table of the library by its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Friction torque over the angular velocity.
    Torque,
    /// Friction force over the velocity.
    Force,
    /// Coefficient over the angular velocity of a clutch, or the velocity of a brake along a line.
    Coefficient,
    /// Efficiencies and bearing torques of a gear over the angular velocity.
    Losses,
}

/// Names of the tables, and titles of their columns.
const KINDS: [(&str, Kind, &[&str]); 4] = [
    ("tau_pos", Kind::Torque, &["omega (rad/s)", "M (N.m)"]),
    ("f_pos", Kind::Force, &["v (m/s)", "F (N)"]),
    ("mue_pos", Kind::Coefficient, &["speed", "mu"]),
    (
        "lossTable",
        Kind::Losses,
        &["w", "eta_mf1", "eta_mf2", "tau_bf1", "tau_bf2"],
    ),
];

/// Table of a model.
#[derive(Clone, Debug, PartialEq)]
pub struct Matrix {
    /// Name of the table.
    pub name: &'static str,
    /// The table's kind.
    pub kind: Kind,
    /// Rows of numbers.
    pub rows: Vec<Vec<f64>>,
    /// Break-away torque or force over that of sliding at rest, where the text states it.
    pub peak: Option<f64>,
    titles: &'static [&'static str],
    /// Line in which the table begins, from 1.
    line: usize,
}

impl Matrix {
    /// Table in a text, where the text has one; or its fault.
    pub fn find(text: &str) -> Option<Result<Self, Fault>> {
        KINDS.iter().find_map(|(name, kind, titles)| {
            let rest = value_of(text, name)?;
            let [open, close] = match rest.chars().next()? {
                '[' => ["[", "]"],
                '{' => ["{", "}}"],
                _ => return None,
            };
            let line = text[..text.len() - rest.len()].lines().count();
            let inner = rest.strip_prefix(open)?.split_once(close);
            let Some((inner, _)) = inner else {
                let sentence = format!("found {name} without its end, expected `{close}`");
                return Some(Err(Fault::at(line, sentence)));
            };
            let rows = rows(inner, name, titles.len()).map_err(|fault| Fault::at(line, fault));
            let peak = value_of(text, "peak").and_then(|rest| {
                let is_digit = |c: char| c.is_ascii_alphanumeric() || ".+-".contains(c);
                rest.split(|c| !is_digit(c)).next()?.parse().ok()
            });
            Some(rows.map(|rows| Matrix {
                name,
                kind: *kind,
                rows,
                peak,
                titles,
                line,
            }))
        })
    }

    /// Columns with their numbers.
    pub fn columns(&self) -> Vec<Column> {
        (1..)
            .zip(self.titles)
            .map(|(number, title)| Column {
                values: self.rows.iter().map(|row| row[number - 1]).collect(),
                header_line: Some(self.line),
                ..Column::of_header(number, title)
            })
            .collect()
    }

    /// Line of each row.
    pub fn lines(&self) -> Vec<usize> {
        vec![self.line; self.rows.len()]
    }
}

/// Text behind `name =`, where the text has it as a whole word.
fn value_of<'t>(text: &'t str, name: &str) -> Option<&'t str> {
    let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
    text.match_indices(name).find_map(|(at, _)| {
        let is_whole = !text[..at].ends_with(is_word);
        let rest = text[at + name.len()..].trim_start().strip_prefix('=')?;
        is_whole.then_some(rest.trim_start())
    })
}

/// Rows of a matrix, `0, 1; 100, 2` or `{0, 1}, {100, 2`.
fn rows(text: &str, name: &str, count: usize) -> Result<Vec<Vec<f64>>, String> {
    let rows = text.replace('{', "").replace('}', ";").replace(";,", ";");
    let mut numbers = Vec::new();
    for row in rows.split(';') {
        let mut cells = Vec::new();
        for cell in row.split(',').map(str::trim) {
            let number = cell.parse().ok().filter(|number: &f64| number.is_finite());
            cells.push(number.ok_or_else(|| {
                format!(
                    "found `{cell}` in {name}, expected a number; expressions are not evaluated"
                )
            })?);
        }
        if cells.len() != count {
            let found = cells.len();
            return Err(format!(
                "found {found} numbers in a row of {name}, expected {count}"
            ));
        }
        numbers.push(cells);
    }
    if let Some(pair) = numbers.windows(2).find(|pair| pair[1][0] <= pair[0][0]) {
        return Err(format!(
            "found the speed {:?} after {:?} in {name}, expected speeds that rise",
            pair[1][0], pair[0][0]
        ));
    }
    if numbers[0][0] < 0.0 {
        return Err(format!(
            "found the speed {:?} in {name}, expected speeds from 0 on",
            numbers[0][0]
        ));
    }
    Ok(numbers)
}

/// Points, each near the next, whose monotone interpolation follows the straight lines through
/// others: two more points at each corner, at a thousandth of the shorter line. The first line
/// begins at a thousandth of its length, below which the friction at rest holds.
///
/// A friction at rest of 0, or a table that does not begin there, is that of the first line.
pub fn along_lines(points: &[[f64; 2]], at_rest: Option<f64>) -> Vec<[f64; 2]> {
    /// Distance of two neighbours over the length of a line.
    const NEAR: f64 = 1e-3;
    let start = match (at_rest, points) {
        (Some(mu), _) => [0.0, mu],
        (None, [[v, mu], [v_next, mu_next], ..]) => {
            [0.0, (mu - v * (mu_next - mu) / (v_next - v)).max(0.0)]
        }
        (None, points) => return points.to_vec(),
    };
    let corners: Vec<_> = std::iter::once(start)
        .chain(points.iter().copied())
        .collect();
    let on_line = |[[v_0, mu], [v_1, mu_1]]: [[f64; 2]; 2], v: f64| {
        [v, mu + (v - v_0) * (mu_1 - mu) / (v_1 - v_0)]
    };
    let length = |[[from, _], [to, _]]: [[f64; 2]; 2]| to - from;
    let lines: Vec<_> = corners.windows(2).map(|pair| [pair[0], pair[1]]).collect();
    let mut all = Vec::new();
    if let Some(first) = lines.first() {
        let v = NEAR * length(*first);
        all.extend([on_line(*first, v), on_line(*first, 2.0 * v)]);
    }
    for pair in lines.windows(2) {
        let [before, after] = [pair[0], pair[1]];
        let ([_, corner], near) = (before, NEAR * length(before).min(length(after)));
        all.extend([
            on_line(before, corner[0] - near),
            corner,
            on_line(after, corner[0] + near),
        ]);
    }
    all.extend(points.last());
    all
}
