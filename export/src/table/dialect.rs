//! Lines, separators and decimal marks.

use std::fmt;

use super::Fault;

/// Line of a file that is not blank.
pub struct Line<'t> {
    /// Number, from 1.
    pub number: usize,
    pub text: &'t str,
    pub is_comment: bool,
}

/// Beginnings of a comment.
const COMMENTS: [&str; 3] = ["#", "%", "//"];

/// Lines that are not blank.
pub fn lines(text: &str) -> Vec<Line<'_>> {
    (1..)
        .zip(text.lines())
        .map(|(number, text)| (number, text.trim_matches([' ', '\u{a0}'])))
        .filter(|(_, text)| !text.trim().is_empty())
        .map(|(number, text)| Line {
            number,
            text,
            is_comment: is_comment(text),
        })
        .collect()
}

fn is_comment(text: &str) -> bool {
    COMMENTS
        .iter()
        .any(|mark| text.trim_start().starts_with(mark))
}

/// Text of a comment without its mark.
pub fn of_comment(text: &str) -> &str {
    text.trim_start().trim_start_matches(['#', '%', '/']).trim()
}

/// Separator of columns and decimal mark.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Dialect {
    /// Character between two columns; a blank stands for white space of any length.
    separator: char,
    has_decimal_comma: bool,
    /// The file has decimal points, so that a comma between columns is no decimal mark.
    pub has_points: bool,
}

impl fmt::Display for Dialect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let separator = match self.separator {
            ';' => "semicolons",
            '\t' => "tabs",
            ',' => "commas",
            _ => "blanks",
        };
        write!(
            f,
            "{separator} between the columns, decimal {}",
            self.mark()
        )
    }
}

impl Dialect {
    /// Dialect of the lines with numbers; a fault where they can be read in two ways.
    pub fn of(lines: &[Line]) -> Result<Self, Fault> {
        let body: Vec<&Line> = lines
            .iter()
            .filter(|line| !line.is_comment && has_numbers(line.text))
            .collect();
        let with =
            |c: char| 2 * body.iter().filter(|line| line.text.contains(c)).count() > body.len();
        let separator = if with(';') {
            ';'
        } else if with('\t') {
            '\t'
        } else {
            comma_or_blank(&body)?
        };
        let mut dialect = Dialect {
            separator,
            has_decimal_comma: false,
            has_points: false,
        };
        let (mut comma, mut point) = (None, None);
        // Some number has its mark where no separator of thousands stands.
        let mut is_clear = false;
        for line in &body {
            for cell in dialect.split(line.text) {
                let plain = cell.strip_prefix(['+', '-']).unwrap_or(cell);
                if !plain.starts_with(|c: char| c.is_ascii_digit() || c == '.' || c == ',') {
                    continue;
                }
                let (commas, points) = (plain.matches(',').count(), plain.matches('.').count());
                if commas + points == 1 && cell.replace(',', ".").parse::<f64>().is_ok() {
                    is_clear |= !is_group(plain);
                    let first = if commas == 1 { &mut comma } else { &mut point };
                    first.get_or_insert((line.number, cell));
                } else if commas + points > 1 && is_grouped(plain) {
                    let sentence = format!(
                        "found \"{cell}\", expected a number without separators of thousands and \
                         with one decimal mark"
                    );
                    return Err(Fault::at(line.number, sentence));
                }
            }
        }
        if let (Some((line, comma)), Some((other, point))) = (comma, point) {
            return Err(Fault::at(
                line,
                format!(
                    "found \"{comma}\" here and \"{point}\" in line {other}, expected one decimal \
                     mark"
                ),
            ));
        }
        if let Some((line, cell)) = comma.or(point).filter(|_| !is_clear) {
            let mark = if comma.is_some() { "comma" } else { "point" };
            return Err(Fault::at(
                line,
                format!(
                    "found \"{cell}\", whose {mark} may be a decimal mark or a separator of \
                     thousands, as in all numbers of the file; \
                     expected one number with other than three digits behind it, as 1.0"
                ),
            ));
        }
        (dialect.has_decimal_comma, dialect.has_points) = (comma.is_some(), point.is_some());
        Ok(dialect)
    }

    /// The decimal mark in words.
    pub fn mark(&self) -> &'static str {
        if self.has_decimal_comma {
            "comma"
        } else {
            "point"
        }
    }

    /// A comma stands between the columns, and no number of the file says that it is no decimal
    /// mark.
    pub fn may_be_decimal_comma(&self) -> bool {
        self.separator == ',' && !self.has_points && !self.has_decimal_comma
    }

    /// Columns are separated by white space, so that names cannot have any.
    pub fn has_blanks(&self) -> bool {
        self.separator == ' '
    }

    /// Cells of a line without the empty ones at its end and without quotation marks.
    pub fn split<'l>(&self, line: &'l str) -> Vec<&'l str> {
        let (mut cells, mut start, mut is_quoted, mut depth) = (Vec::new(), 0, false, 0_i32);
        let cell = |text: &'l str| {
            let text = text.trim();
            text.strip_prefix('"')
                .and_then(|text| text.strip_suffix('"'))
                .map_or(text, str::trim)
        };
        for (i, c) in line.char_indices() {
            match c {
                '"' => is_quoted = !is_quoted,
                '(' | '[' => depth += 1,
                ')' | ']' => depth -= 1,
                _ => {}
            }
            let is_end = if self.has_blanks() {
                // `v [mm / s]` is one name.
                c.is_whitespace() && depth <= 0 && !line[i..].trim_start().starts_with(['(', '['])
            } else {
                c == self.separator
            };
            if is_end && !is_quoted {
                cells.push(cell(&line[start..i]));
                start = i + c.len_utf8();
            }
        }
        cells.push(cell(&line[start..]));
        if self.has_blanks() {
            cells.retain(|cell| !cell.is_empty());
        }
        while cells.last().is_some_and(|cell| cell.is_empty()) {
            cells.pop();
        }
        cells
    }

    /// Cells of a line by any separator.
    pub fn split_otherwise(self, line: &str) -> impl Iterator<Item = &str> {
        [';', '\t', ',', ' ']
            .into_iter()
            .flat_map(move |separator| Dialect { separator, ..self }.split(line))
    }

    /// Number of a cell.
    pub fn number(&self, cell: &str) -> Option<f64> {
        if cell.contains(',') {
            return if self.has_decimal_comma && !cell.contains('.') {
                cell.replace(',', ".").parse().ok()
            } else {
                None
            };
        }
        // The minus sign of typography.
        if cell.contains('\u{2212}') {
            cell.replace('\u{2212}', "-").parse().ok()
        } else {
            cell.parse().ok()
        }
    }
}

/// The line has two digits at least, and not more letters than digits.
fn has_numbers(line: &str) -> bool {
    let count = |is: fn(char) -> bool| line.chars().filter(|c| is(*c)).count();
    let digits = count(|c| c.is_ascii_digit());
    digits >= 2 && count(char::is_alphabetic) <= digits
}

/// Comma or white space between the columns, where no line has a semicolon or a tab.
fn comma_or_blank(body: &[&Line]) -> Result<char, Fault> {
    let (mut comma, mut blank) = (None, None);
    for line in body {
        let unquoted: String = line
            .text
            .split('"')
            .step_by(2)
            .collect::<Vec<_>>()
            .join("q");
        let characters: Vec<char> = unquoted.chars().collect();
        let mut beside_blank = false;
        for (i, c) in characters.iter().enumerate() {
            let is = |i: Option<usize>, test: fn(char) -> bool| {
                i.and_then(|i| characters.get(i)).is_some_and(|c| test(*c))
            };
            if *c == ',' {
                beside_blank |= is(i.checked_sub(1), char::is_whitespace)
                    || is(Some(i + 1), char::is_whitespace);
            }
        }
        let words: Vec<&str> = unquoted.split_whitespace().collect();
        let has_gap = words
            .windows(2)
            .any(|pair| !pair[0].ends_with(',') && !pair[1].starts_with(','));
        match (unquoted.contains(','), has_gap, beside_blank) {
            (true, true, true) => {
                return Err(Fault::at(
                    line.number,
                    "found commas and blanks between the columns, expected one separator in all \
                     lines",
                ));
            }
            // The commas of such a line are decimal marks.
            (_, true, _) => blank = blank.or(Some(line.number)),
            (true, false, _) => comma = comma.or(Some(line.number)),
            (false, false, _) => {}
        }
    }
    match (comma, blank) {
        (Some(comma), Some(blank)) => Err(Fault::at(
            comma.max(blank),
            format!(
                "found another separator than in line {}, expected one in all lines",
                comma.min(blank)
            ),
        )),
        (Some(_), None) => Ok(','),
        (None, _) => Ok(' '),
    }
}

/// A number as 1,234 or 1.234: the mark may separate thousands.
fn is_group(plain: &str) -> bool {
    let Some((whole, part)) = plain.split_once([',', '.']) else {
        return false;
    };
    let digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    (1..=3).contains(&whole.len())
        && digits(whole)
        && !whole.starts_with('0')
        && part.len() == 3
        && digits(part)
}

/// Digits in groups, as 1.234,5 or 1,234,567; a date has two points and is none.
fn is_grouped(plain: &str) -> bool {
    let is_number = plain
        .chars()
        .all(|c| c.is_ascii_digit() || c == ',' || c == '.');
    is_number && plain.contains(',')
}
