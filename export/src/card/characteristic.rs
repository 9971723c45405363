//! Measured characteristic of a card: points in the card, or a file of a table beside it.

use std::ops::Range;
use std::path::Path;

use bristle::catalogue::{Card, MeasuredCurve, Model};
use bristle::characteristic::{End, RowFault};
use bristle::element::RADIUS;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::fault::Faults;
use super::keys;
use crate::measurement::{Curve, Options};
use crate::table::Choice;

/// First speed of a curve over the speed below which the coefficient is that at rest.
const AT_REST: f64 = 1e3;

/// Points as they stand: each with the place of its fault and the name of its row.
struct Rows {
    points: Vec<[f64; 2]>,
    places: Vec<(Range<usize>, String)>,
    /// Place and key of faults of the whole.
    whole: (Range<usize>, String),
}

/// Reads the table `characteristic` into the card; files lie in `folder`. Without a model its faults are all that is read.
pub fn read(
    faults: &mut Faults,
    table: &DeTable,
    folder: Option<&Path>,
    model: Option<&'static Model>,
    card: &mut Card,
) {
    let Some(entry) = keys::get(table, "characteristic") else { return };
    let place = entry.0.clone();
    // A file of forces needs one that is stated.
    let normal_force = keys::get(table, "normal_force").map(|_| card.normal_force);
    let Some(table) = keys::table(faults, "characteristic", entry) else { return };
    let before = faults.count();
    if let Some(model) = model.filter(|model| model.measured.replaced.is_empty()) {
        let law = model.metadata.name;
        let sentence = format!(
            "found a measured characteristic, but {law} takes none; StaticRegularized, FrDyn2Linear, LuGre and ModelicaFriction do"
        );
        faults.add(place, "characteristic", sentence);
        return;
    }
    // `normal_force` is refused by a sentence of its own.
    keys::refuse_others(faults, "characteristic.", table, &["file", "points", "columns", "end", "normal_force"]);
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
        (Some(entry), None) => {
            let radius = card.parameters.get(&RADIUS.reference).and_then(|radius| radius.start);
            let options = Options { columns: columns(faults, table), normal_force, radius, end };
            of_file(faults, entry, folder, model, &options)
        }
        (None, Some((place, value))) => {
            if let Some((place, _)) = keys::get(table, "columns") {
                faults.add(
                    place,
                    "characteristic.columns",
                    "found columns beside points, expected them of a file; leave them out",
                );
            }
            of_points(faults, place, value)
        }
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
    let curve = MeasuredCurve { points, end };
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

/// Points of a file beside the card, in SI units.
fn of_file(
    faults: &mut Faults,
    entry: keys::Entry,
    folder: Option<&Path>,
    model: Option<&Model>,
    options: &Options,
) -> Option<Rows> {
    let key = "characteristic.file";
    let place = entry.1.span();
    let name = keys::text(faults, key, entry)?;
    let Some(folder) = folder else {
        faults.add(place, key, "found a file, but this card lies in no folder; expected `points`");
        return None;
    };
    let bytes = match std::fs::read(folder.join(name)) {
        Ok(bytes) => bytes,
        Err(error) => {
            let sentence = format!("found \"{name}\", which cannot be read beside the card: {error}");
            faults.add(place, key, sentence);
            return None;
        }
    };
    match Curve::read(&bytes, options) {
        Ok(curve) => {
            let points = of_law(&curve, name, model, faults);
            Some(Rows { points, places: Vec::new(), whole: (place, format!("{key}, {name}")) })
        }
        Err(found) => {
            for fault in found {
                let line = fault.line.map_or(String::new(), |line| format!(":{line}"));
                faults.add(place.clone(), format!("{key}, {name}{line}"), fault.sentence);
            }
            None
        }
    }
}

/// Points of a curve for a law: the coefficient at rest is a point far below the others, where the law holds the first coefficient; one
/// that regularises has none. Its sentences are the faults' remarks.
fn of_law(curve: &Curve, name: &str, model: Option<&Model>, faults: &mut Faults) -> Vec<[f64; 2]> {
    let mut points = curve.points.clone();
    let mut remarks = curve.remarks.clone();
    if let (Some(mu), Some(model)) = (curve.at_rest, model) {
        let law = model.metadata.name;
        if model.measured.replaced.iter().any(|replaced| replaced.name == "v_s") {
            remarks.push(format!("mu = {mu:?} at rest left out: {law} regularises below the first speed"));
        } else {
            let v = points[0][0] / AT_REST;
            points.insert(0, [v, mu]);
            remarks.push(format!("mu = {mu:?} at rest is that below {v:?} m/s"));
        }
    }
    remarks.push(format!("{} points", points.len()));
    faults.remarks.extend(remarks.into_iter().map(|remark| format!("{name}: {remark}")));
    points
}

/// Columns that the card names, by names or by numbers.
fn columns(faults: &mut Faults, table: &DeTable) -> Option<[Choice; 2]> {
    let (_, value) = keys::get(table, "columns")?;
    let choice = |value: &Spanned<DeValue>| match value.get_ref() {
        DeValue::String(name) => Some(Choice::Name(name.clone().into_owned())),
        DeValue::Integer(number) => number.as_str().parse().ok().map(Choice::Number),
        _ => None,
    };
    let list = value.get_ref().as_array();
    let chosen: Vec<_> = list.iter().flat_map(|list| list.iter()).map_while(choice).collect();
    let chosen = chosen.try_into().ok().filter(|_| list.is_some_and(|list| list.len() == 2));
    if chosen.is_none() {
        keys::expected(
            faults,
            "characteristic.columns",
            value,
            "two names or numbers of columns, [\"v\", \"mu\"] or [1, 3]",
        );
    }
    chosen
}
