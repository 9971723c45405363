//! Comparison of texts by their numbers, of pictures without their identifiers, and of tables of curves.

use std::collections::BTreeMap;

use anyhow::{Context, Result};

/// Numbers smaller than this are the rounding of a displacement or of a clock: all are equal.
const ROUNDING: f64 = 1e-14;

/// First difference of two texts, as a sentence: numbers may differ by a share of the larger one, everything else not at all.
pub fn difference(committed: &str, made: &str, share: f64) -> Option<String> {
    let lines = [committed, made].map(|text| text.lines().count());
    if lines[0] != lines[1] {
        return Some(format!("{} lines are committed, {} are made", lines[0], lines[1]));
    }
    committed.lines().zip(made.lines()).find_map(|(old, new)| {
        let is_close = |a: f64, b: f64| {
            let larger = a.abs().max(b.abs());
            (a - b).abs() <= share * larger || larger < ROUNDING
        };
        (!is_same(old, new, &is_close)).then(|| format!("committed `{}`, made `{}`", shortened(old), shortened(new)))
    })
}

/// First difference of two pictures: identifiers, which are hashes of coordinates, are left out, and coordinates may differ by
/// a hundredth of a pixel.
pub fn difference_of_pictures(committed: &str, made: &str) -> Option<String> {
    if committed == made {
        return None;
    }
    let [old, new] = [committed, made].map(without_identifiers);
    let mut lines = old.lines().zip(new.lines());
    let is_close = |a: f64, b: f64| (a - b).abs() <= 0.01;
    let differs = lines.find(|(old, new)| !is_same(old, new, &is_close));
    match differs {
        Some((old, new)) => Some(format!("committed `{}`, drawn `{}`", shortened(old), shortened(new))),
        None if old.lines().count() != new.lines().count() => Some("another number of lines".to_owned()),
        None => None,
    }
}

/// First difference of two tables of curves: of each run, each column over the first, as polylines, by a share of its range.
pub fn difference_of_curves(committed: &str, made: &str, share: f64) -> Result<Option<String>> {
    let [old, new] = [runs(committed)?, runs(made)?];
    if old.keys().ne(new.keys()) {
        return Ok(Some("the runs are others".to_owned()));
    }
    for (name, run) in &old {
        let other = &new[name];
        if run.first().map(Vec::len) != other.first().map(Vec::len) {
            return Ok(Some("the columns are others".to_owned()));
        }
        for (rows, against) in [(run, other), (other, run)] {
            if let Some((row, column)) = departure(rows, against, share) {
                let (x, y) = (rows[row][0], rows[row][column]);
                return Ok(Some(format!("{name}: column {} departs at {x:e}, where one table has {y:e}", column + 2)));
            }
        }
    }
    Ok(None)
}

/// Row and column where a table departs from the polyline of another one.
fn departure(rows: &[Vec<f64>], against: &[Vec<f64>], share: f64) -> Option<(usize, usize)> {
    let mut segment = 0;
    let columns = rows.first()?.len();
    let ranges: Vec<f64> = (0..columns)
        .map(|column| {
            let values = || rows.iter().chain(against).map(|row| row[column]);
            values().fold(f64::MIN, f64::max) - values().fold(f64::MAX, f64::min)
        })
        .collect();
    for (place, row) in rows.iter().enumerate() {
        let last = against.len().saturating_sub(2);
        while segment < last && against[segment + 1][0] < row[0] {
            segment += 1;
        }
        let (from, to) = (against.get(segment)?, against.get(segment + 1).or(against.get(segment))?);
        let span = to[0] - from[0];
        let part = if span == 0.0 { 0.0 } else { ((row[0] - from[0]) / span).clamp(0.0, 1.0) };
        for column in 1..columns {
            let expected = from[column] + part * (to[column] - from[column]);
            if (row[column] - expected).abs() > share * ranges[column] + ROUNDING {
                return Some((place, column));
            }
        }
    }
    None
}

/// Rows of each run of a table whose first column names the run.
fn runs(text: &str) -> Result<BTreeMap<&str, Vec<Vec<f64>>>> {
    let mut runs: BTreeMap<&str, Vec<Vec<f64>>> = BTreeMap::new();
    for line in text.lines().skip(1) {
        let (run, values) = line.split_once(',').context("a line of the table has one column")?;
        let values: Result<Vec<f64>, _> = values.split(',').map(str::parse).collect();
        runs.entry(run).or_default().push(values.with_context(|| format!("`{line}` holds no numbers"))?);
    }
    Ok(runs)
}

/// Lines agree, numbers by `is_close`.
fn is_same(old: &str, new: &str, is_close: &dyn Fn(f64, f64) -> bool) -> bool {
    let [mut old, mut new] = [old, new];
    loop {
        let [(old_text, old_number, old_rest), (new_text, new_number, new_rest)] = [split(old), split(new)];
        let numbers = match (old_number, new_number) {
            (None, None) => return old_text == new_text,
            (Some(a), Some(b)) => is_close(a, b),
            _ => false,
        };
        if old_text != new_text || !numbers {
            return false;
        }
        (old, new) = (old_rest, new_rest);
    }
}

/// Text up to the first number, the number, and the rest. Digits of a name (FrDyn2, v_T1) are no number.
fn split(line: &str) -> (&str, Option<f64>, &str) {
    let bytes = line.as_bytes();
    let is_digit = |place: usize| bytes.get(place).is_some_and(u8::is_ascii_digit);
    for start in 0..bytes.len() {
        let before = start.checked_sub(1).map(|place| bytes[place]);
        let in_name = before.is_some_and(|byte| byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'.');
        let signed = usize::from(bytes[start] == b'-');
        if in_name || !is_digit(start + signed) {
            continue;
        }
        let digits = |mut place: usize| {
            while is_digit(place) {
                place += 1;
            }
            place
        };
        let mut end = digits(start + signed);
        if bytes.get(end) == Some(&b'.') && is_digit(end + 1) {
            end = digits(end + 1);
        }
        if matches!(bytes.get(end), Some(b'e' | b'E')) {
            let sign = usize::from(matches!(bytes.get(end + 1), Some(b'-' | b'+')));
            if is_digit(end + 1 + sign) {
                end = digits(end + 1 + sign);
            }
        }
        return (&line[..start], line[start..end].parse().ok(), &line[end..]);
    }
    (line, None, "")
}

fn without_identifiers(svg: &str) -> String {
    let mut kept = svg.to_owned();
    for (begin, end) in [("id=\"", '"'), ("url(#", ')'), ("href=\"#", '"')] {
        let mut parts = kept.split(begin);
        let first = parts.next().unwrap_or_default().to_owned();
        kept = parts.fold(first, |text, part| text + begin + part.split_once(end).map_or(part, |(_, rest)| rest));
    }
    kept
}

fn shortened(line: &str) -> String {
    let mut text: String = line.chars().take(100).collect();
    if text.len() < line.len() {
        text.push('…');
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_may_differ_within_the_share_and_text_may_not() {
        let line = "| FrDyn2 | 1.00e-3 | -5 N |";
        assert_eq!(difference(line, "| FrDyn2 | 1.01e-3 | -5 N |", 0.02), None);
        assert!(difference(line, "| FrDyn2 | 1.01e-3 | -5 N |", 0.001).is_some());
        assert!(difference(line, "| FrDyn3 | 1.00e-3 | -5 N |", 0.5).is_some());
        assert!(difference(line, "| FrDyn2 | 1.00e-3 | 5 N |", 0.5).is_some());
        assert_eq!(difference("| 2e-19 |", "| -3e-20 |", 0.01), None);
    }

    #[test]
    fn pictures_may_have_other_identifiers() {
        let old = "<path id=\"m12ab\" d=\"M 10.001 2\"/>\n<use href=\"#m12ab\"/>";
        assert_eq!(difference_of_pictures(old, &old.replace("m12ab", "mff0").replace("10.001", "10.002")), None);
        assert!(difference_of_pictures(old, &old.replace("10.001", "11")).is_some());
    }

    #[test]
    fn tables_of_curves_are_compared_as_polylines() {
        let line = "run,t [s],u [m]\na,0,0\na,2,2\n";
        assert_eq!(difference_of_curves(line, "run,t [s],u [m]\na,0,0\na,1,1\na,2,2\n", 1e-3).unwrap(), None);
        assert!(difference_of_curves(line, "run,t [s],u [m]\na,0,0\na,1,1.1\na,2,2\n", 1e-3).unwrap().is_some());
        assert!(difference_of_curves(line, "run,t [s],u [m]\nb,0,0\nb,2,2\n", 1e-3).unwrap().is_some());
    }
}
