//! Measured characteristic of a card: points in the card, or a file of comma-separated values beside it.

use std::ops::Range;
use std::path::Path;

use bristle::catalogue::{Card, MeasuredCurve, Model};
use bristle::characteristic::{End, RowFault};
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::fault::Faults;
use super::keys;

/// Points as they stand: each with the place of its fault and the name of its row.
struct Rows {
    points: Vec<[f64; 2]>,
    places: Vec<(Range<usize>, String)>,
    /// Place and key of faults of the whole.
    whole: (Range<usize>, String),
}

/// Reads the table `characteristic` into the card; files lie in `folder`.
pub fn read(faults: &mut Faults, table: &DeTable, folder: Option<&Path>, model: &'static Model, card: &mut Card) {
    let Some(entry) = keys::get(table, "characteristic") else { return };
    let place = entry.0.clone();
    let Some(table) = keys::table(faults, "characteristic", entry) else { return };
    let before = faults.count();
    if model.measured.replaced.is_empty() {
        let law = model.metadata.name;
        let sentence = format!(
            "found a measured characteristic, but {law} takes none; StaticRegularized, FrDyn2Linear, LuGre and ModelicaFriction do"
        );
        faults.add(place, "characteristic", sentence);
        return;
    }
    keys::refuse_others(faults, "characteristic.", table, &["file", "points", "normal_force", "end"]);
    let normal_force = keys::get(table, "normal_force").and_then(|(_, value)| {
        let number = keys::number(faults, "characteristic.normal_force", value)?;
        if number <= 0.0 {
            keys::expected(faults, "characteristic.normal_force", value, "a normal force above 0 N");
        }
        Some(number)
    });
    let end = keys::get(table, "end").map_or(End::Flat, |entry| end(faults, entry));
    let rows = match (keys::get(table, "file"), keys::get(table, "points")) {
        (Some((place, _)), Some(_)) => {
            faults.add(
                place,
                "characteristic",
                "found both a file and points, expected one of them; leave the other out",
            );
            None
        }
        (Some(entry), None) => of_file(faults, entry, folder),
        (None, Some((place, value))) => of_points(faults, place, value),
        (None, None) => {
            faults.add(
                place,
                "characteristic",
                "found no points, expected `file`, a file of values, or `points`, a list of [v, mu]",
            );
            None
        }
    };
    let Some(Rows { points, places, whole }) = rows.filter(|_| faults.count() == before) else { return };
    let curve = MeasuredCurve { points, normal_force, end };
    match curve.measured() {
        Ok(_) => card.characteristic = Some(curve),
        Err(rows) => {
            for RowFault { row, sentence } in rows {
                let (place, key) = places.get(row).unwrap_or(&whole);
                faults.add(place.clone(), key, sentence);
            }
        }
    }
}

/// Slope at the last point by its name.
fn end(faults: &mut Faults, entry: keys::Entry) -> End {
    let (key, value) = ("characteristic.end", entry.1);
    match keys::text(faults, key, entry) {
        Some("last") => return End::Last,
        Some("flat") | None => {}
        Some(_) => keys::expected(faults, key, value, "`flat` or `last`"),
    }
    End::Flat
}

fn of_points(faults: &mut Faults, place: Range<usize>, value: &Spanned<DeValue>) -> Option<Rows> {
    let key = "characteristic.points";
    let Some(list) = value.get_ref().as_array() else {
        keys::expected(faults, key, value, "a list of points [v, mu], in m/s and 1");
        return None;
    };
    let mut rows = Rows { points: Vec::new(), places: Vec::new(), whole: (place, key.to_owned()) };
    for (i, value) in list.iter().enumerate() {
        let key = format!("{key}[{}]", i + 1);
        let pair = value.get_ref().as_array().filter(|pair| pair.len() == 2);
        let Some(pair) = pair else {
            keys::expected(faults, &key, value, "a point [v, mu], in m/s and 1");
            continue;
        };
        let mut point = [0.0; 2];
        for (number, value) in point.iter_mut().zip(pair.iter()) {
            *number = keys::number(faults, &key, value).unwrap_or(f64::NAN);
        }
        rows.points.push(point);
        rows.places.push((value.span(), key));
    }
    Some(rows)
}

fn of_file(faults: &mut Faults, entry: keys::Entry, folder: Option<&Path>) -> Option<Rows> {
    let key = "characteristic.file";
    let place = entry.1.span();
    let name = keys::text(faults, key, entry)?;
    let Some(folder) = folder else {
        faults.add(place, key, "found a file, but this card lies in no folder; expected `points`");
        return None;
    };
    let text = match std::fs::read_to_string(folder.join(name)) {
        Ok(text) => text,
        Err(error) => {
            let sentence = format!("found \"{name}\", which cannot be read beside the card: {error}");
            faults.add(place, key, sentence);
            return None;
        }
    };
    let mut rows = Rows { points: Vec::new(), places: Vec::new(), whole: (place.clone(), format!("{key}, {name}")) };
    for (number, line) in (1..).zip(text.trim_start_matches('\u{feff}').lines()) {
        let line = line.trim();
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        match row(line) {
            Some(point) => {
                rows.points.push(point);
                rows.places.push((place.clone(), format!("{key}, {name}:{number}")));
            }
            // Names of the columns.
            None if rows.points.is_empty() && !line.contains(|c: char| c.is_ascii_digit()) => {}
            None => {
                let sentence = format!(
                    "found \"{line}\", expected v in m/s and mu, two numbers with a point, a comma between them"
                );
                faults.add(place.clone(), format!("{key}, {name}:{number}"), sentence);
            }
        }
    }
    Some(rows)
}

/// Two numbers of a line, with a comma, a semicolon or white space between them.
fn row(line: &str) -> Option<[f64; 2]> {
    let mut numbers = line.split([',', ';', '\t', ' ']).map(str::trim).filter(|part| !part.is_empty()).map(str::parse);
    let point = [numbers.next()?.ok()?, numbers.next()?.ok()?];
    numbers.next().is_none().then_some(point)
}
