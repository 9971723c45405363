//! Names and units of columns, and the first row of numbers.

use super::dialect::{Dialect, Line, of_comment};
use super::{Column, Fault, units};

/// Header of a table.
pub struct Header {
    pub columns: Vec<Column>,
    /// Index of the first line of numbers.
    pub first_row: usize,
    /// Lines before names and numbers that are no comments.
    pub preamble: usize,
}

/// Splits the header of a column into name and unit: `v (mm/s)`, `v [mm/s]`, `v / (mm/s)`,
/// `v/mm/s`, `v in mm/s`, `v mm/s`, `v_mm/s`.
///
/// A slash, a blank or an underscore begins a unit where what follows is a known unit and cannot be
/// part of a name: `F_N` is a normal force and `t_min` a smallest time. `F/N` may be a ratio; the
/// unit is then `F/N` itself, which nothing knows.
pub fn split(header: &str) -> (String, Option<String>) {
    let text = header.trim().trim_matches('"').trim();
    if is_alone(text) {
        return (String::new(), Some(text.to_owned()));
    }
    if let Some((name, unit)) = brackets(text) {
        return (
            name.trim().trim_end_matches('/').trim().to_owned(),
            Some(unit.trim().to_owned()),
        );
    }
    for mark in [" in ", " ", "_", "/"] {
        let split = if mark == "/" {
            text.split_once(mark)
        } else {
            text.rsplit_once(mark)
        };
        let Some((name, unit)) = split else { continue };
        let (name, unit) = (name.trim_end_matches(['/', ',', ' ']).trim(), unit.trim());
        if name.is_empty() || units::parse(unit).is_none() {
            continue;
        }
        match mark {
            "/" if unit == "N" => return (name.to_owned(), Some(text.to_owned())),
            "/" | " in " => {}
            _ if !is_clear(unit) => continue,
            _ => {}
        }
        return (name.to_owned(), Some(unit.to_owned()));
    }
    // `v_mm_s`, the spelling of programs whose names take no slash.
    if let Some((name, unit)) = text
        .strip_suffix("_s")
        .and_then(|rest| rest.rsplit_once('_'))
        .filter(|(_, unit)| is_length(unit))
    {
        return (name.to_owned(), Some(format!("{unit}/s")));
    }
    (text.to_owned(), None)
}

/// A unit without a name. `t/ms` and `s/mm` are names with units: tonnes per millisecond are no
/// quantity of a contact.
fn is_alone(text: &str) -> bool {
    let is_known = units::parse(text).is_some_and(|(_, exponents)| units::is_proposed(exponents));
    let is_name = ["t/", "s/", "h/", "g/"]
        .iter()
        .any(|name| text.starts_with(name));
    is_known && is_clear(text) && !is_name && !text.contains(' ')
}

/// Text before the brackets at the end, and that in them.
fn brackets(text: &str) -> Option<(&str, &str)> {
    let (left, right) = if text.ends_with(']') {
        ('[', ']')
    } else {
        ('(', ')')
    };
    let inner = text.strip_suffix(right)?;
    let mut depth = 1;
    let (start, _) = inner.char_indices().rev().find(|(_, c)| {
        depth += i32::from(*c == right) - i32::from(*c == left);
        depth == 0
    })?;
    Some((&inner[..start], &inner[start + left.len_utf8()..]))
}

/// A unit that is no part of a name: not a single letter, and no word.
fn is_clear(unit: &str) -> bool {
    let letters = unit.chars().filter(|c| c.is_alphabetic()).count();
    let is_word = ["in", "min", "ft", "rad", "rev"].contains(&unit);
    unit.contains(['/', '·', '.', '*', '%', '°']) || (letters > 1 && !is_word)
}

fn is_length(unit: &str) -> bool {
    ["m", "mm", "cm", "um", "µm", "km", "in", "ft", "rad", "deg"].contains(&unit)
}

/// Header and first row of numbers.
pub fn find(lines: &[Line], dialect: &Dialect) -> Result<Header, Vec<Fault>> {
    let split_line = |i: usize| {
        if lines[i].is_comment {
            Vec::new()
        } else {
            dialect.split(lines[i].text)
        }
    };
    let count = |row: &[&str]| {
        row.iter()
            .filter(|cell| dialect.number(cell).is_some())
            .count()
    };
    // Length of each line with two numbers or more, 0 of the others.
    let lengths: Vec<usize> = (0..lines.len())
        .map(split_line)
        .map(|row| if count(&row) >= 2 { row.len() } else { 0 })
        .collect();
    let usual = usual_length(lengths.iter().copied().filter(|length| *length > 0));
    let first = usual.and_then(|usual| lengths.iter().position(|length| *length == usual));
    let (Some(usual), Some(first)) = (usual, first) else {
        let line = lines
            .iter()
            .find(|line| !line.is_comment && line.text.contains(|c: char| c.is_ascii_digit()));
        let sentence =
            "found no row with two numbers or more, expected columns of numbers below a header";
        return Err(vec![line.map_or(Fault::whole(sentence), |line| {
            Fault::at(
                line.number,
                format!("{sentence}; this line is \"{}\"", line.text),
            )
        })]);
    };
    let above: Vec<usize> = (0..first).rev().filter(|i| !lines[*i].is_comment).collect();
    let is_text = |row: &[&str]| count(row) == 0;
    if dialect.may_be_decimal_comma() {
        let names = above.first().map_or(0, |i| split_line(*i).len());
        clear_commas(&lines[first..], dialect, names)?;
    }
    let mut header_lines = above.iter().copied();
    let mut next = header_lines.next();
    let mut units_line = None;
    if let Some(i) = next.filter(|i| is_text(&split_line(*i)) && is_units(&split_line(*i))) {
        (units_line, next) = (Some(i), header_lines.next());
    }
    let mut names_line = None;
    let mut names = Vec::new();
    if let Some(i) = next {
        let row = split_line(i);
        let (number, found) = (lines[i].number, row.len());
        if is_text(&row) && (found == usual || (found > usual && !dialect.has_blanks())) {
            (names_line, names) = (Some(i), row);
            next = None;
        } else if is_text(&row)
            && (found > 1
                || dialect
                    .split_otherwise(lines[i].text)
                    .any(|cell| split(cell).1.is_some()))
        {
            let sentence = format!(
                "found a header of {found} columns, expected {usual} as in line {}",
                lines[first].number
            );
            return Err(vec![Fault::at(number, sentence)]);
        } else if !is_text(&row)
            && (found >= usual || units_line.is_some() || dialect.number(row[0]).is_some())
        {
            let sentence = format!(
                "found \"{}\" before the first row, expected names or numbers",
                lines[i].text
            );
            return Err(vec![Fault::at(number, sentence)]);
        }
    }
    let is_header = |row: &[&str]| {
        row.len() >= usual && is_text(row) && row.iter().any(|cell| split(cell).1.is_some())
    };
    if names_line.is_none()
        && let Some(i) = header_lines.clone().find(|i| is_header(&split_line(*i)))
    {
        let sentence = format!(
            "found a header that is not next to the numbers, which begin in line {}",
            lines[first].number
        );
        return Err(vec![Fault::at(lines[i].number, sentence)]);
    }
    let mut header_line = names_line.or(units_line);
    if header_line.is_none() {
        // A header behind the mark of a comment, as NumPy writes it.
        let commented = (0..first)
            .rev()
            .take_while(|i| lines[*i].is_comment)
            .find_map(|i| {
                let row = dialect.split(of_comment(lines[i].text));
                (is_text(&row) && row.len() == usual).then_some((i, row))
            });
        if let Some((i, row)) = commented {
            (header_line, names) = (Some(i), row);
        }
    }
    let preamble = next.map_or(0, |_| 1) + header_lines.count();
    let length = usual.max(names.len());
    let number = header_line.map(|i| lines[i].number);
    let mut columns: Vec<Column> = (1..=length)
        .map(|i| {
            let header = names.get(i - 1).copied().unwrap_or_default();
            Column {
                header_line: number,
                ..Column::of_header(i, header)
            }
        })
        .collect();
    if let Some(row) = units_line {
        for (column, cell) in columns
            .iter_mut()
            .zip(&split_line(row))
            .filter(|(_, cell)| !cell.is_empty())
        {
            if column.unit.is_some() {
                let sentence = format!("found a second unit of {}, expected one", column.title());
                return Err(vec![Fault::at(lines[row].number, sentence)]);
            }
            column.unit = Some(bare(cell).to_owned());
            column.header_line = Some(lines[row].number);
        }
    }
    Ok(Header {
        columns,
        first_row: first,
        preamble,
    })
}

/// The most frequent length, the larger of two that are equally frequent.
fn usual_length(lengths: impl Iterator<Item = usize>) -> Option<usize> {
    let mut counts = std::collections::BTreeMap::new();
    for length in lengths {
        *counts.entry(length).or_insert(0_usize) += 1;
    }
    counts
        .into_iter()
        .max_by_key(|(_, count)| *count)
        .map(|(length, _)| length)
}

/// Every cell is a unit or empty, as in the second line of a header.
fn is_units(row: &[&str]) -> bool {
    let is_unit = |cell: &&str| {
        let inner = bare(cell);
        cell.is_empty() || inner.len() < cell.len() || units::parse(inner).is_some()
    };
    row.iter().all(is_unit)
}

/// Unit without brackets around it.
fn bare(cell: &str) -> &str {
    brackets(cell)
        .filter(|(before, _)| before.is_empty())
        .map_or(cell, |(_, unit)| unit.trim())
}

/// Refuses commas between whole numbers that may be decimal marks: as many names as cells, and no
/// zero in front of another digit, show that they are none.
fn clear_commas(lines: &[Line], dialect: &Dialect, names: usize) -> Result<(), Vec<Fault>> {
    let has_zeros = |cell: &&str| {
        let digits = cell.trim_start_matches(['+', '-']);
        digits.len() > 1
            && digits.starts_with('0')
            && digits.bytes().all(|byte| byte.is_ascii_digit())
    };
    let unclear = lines.iter().filter(|line| !line.is_comment).find(|line| {
        let row = dialect.split(line.text);
        let is_even = names == row.len() || (names < 2 && row.len() == 2);
        row.iter().any(has_zeros) || !is_even
    });
    let Some(line) = unclear else { return Ok(()) };
    let sentence = format!(
        "found \"{}\", whose commas may be decimal marks or stand between columns; expected \
         decimal points, or semicolons between the \
         columns",
        line.text
    );
    Err(vec![Fault::at(line.number, sentence)])
}
