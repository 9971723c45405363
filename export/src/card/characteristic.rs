//! Measured characteristic of a card: points in the card, or a file of a table beside it.

use std::ops::Range;
use std::path::Path;

use bristle::catalogue::{Card, MeasuredCurve, Model, no_signed_curve};
use bristle::characteristic::{End, RowFault};
use bristle::element::RADIUS;
use bristle::variable::Unit;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::fault::Faults;
use super::keys;
use crate::measurement::{self, Curve, Directions, Options, in_one_range, joined, split};
use crate::table::Choice;

/// First speed of a curve over the speed below which the coefficient is that at rest.
const AT_REST: f64 = 1e3;
/// First speed of a curve that is one coefficient, m/s: any will do.
const LOW_SPEED: f64 = 1e-3;

/// Points as they stand: each with the place of its fault and the name of its row.
struct Rows {
    points: Vec<[f64; 2]>,
    places: Vec<(Range<usize>, String)>,
    /// Place and key of faults of the whole.
    whole: (Range<usize>, String),
}

/// Reads the table `characteristic` into the card; files lie in `folder`. Without a model its
/// faults are all that is read.
pub fn read(
    faults: &mut Faults,
    table: &DeTable,
    folder: Option<&Path>,
    model: Option<&'static Model>,
    card: &mut Card,
) {
    let Some(entry) = keys::get(table, "characteristic") else {
        return;
    };
    let place = entry.0.clone();
    // A file of forces needs one that is stated.
    let stated = keys::get(table, "normal_force").map(|_| card.normal_force);
    // A joint has forces at 1 N, or torques at a radius of 1 m.
    let normal_force = card.level.map(|_| 1.0).or(stated);
    let Some(table) = keys::table(faults, "characteristic", entry) else {
        return;
    };
    let before = faults.count();
    if let Some(model) = model.filter(|model| model.measured.replaced.is_empty()) {
        let law = model.metadata.name;
        let sentence = format!(
            "found a measured characteristic, but {law} takes none; StaticRegularized, \
             FrDyn2Linear, LuGre and ModelicaFriction do"
        );
        faults.add(place, "characteristic", sentence);
        return;
    }
    // `normal_force` is refused by a sentence of its own.
    let known = [
        "file",
        "points",
        "columns",
        "directions",
        "end",
        "normal_force",
    ];
    keys::refuse_others(faults, "characteristic.", table, &known);
    let end = keys::get(table, "end").map_or(End::Flat, |entry| end(faults, entry));
    let directions =
        keys::get(table, "directions").map_or(Directions::Both, |entry| directions(faults, entry));
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
            let radius = card
                .parameters
                .get(&RADIUS.reference)
                .and_then(|radius| radius.start)
                .or(card.states_torques().then_some(1.0));
            let columns = columns(faults, table);
            let options = Options {
                columns,
                normal_force,
                radius,
                end,
                directions,
                ..Options::default()
            };
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
            of_points(faults, place, value, model)
        }
        (None, None) => {
            faults.add(
                place,
                "characteristic",
                "found no points, expected `file`, a file of values, or `points`, a list of [v, \
                 mu]",
            );
            None
        }
    };
    let Some(Rows {
        points,
        places,
        whole,
    }) = rows.filter(|_| faults.count() == before)
    else {
        return;
    };
    let mut curve = MeasuredCurve { points, end };
    if let Err(rows) = curve.measured() {
        for RowFault { row, sentence } in rows {
            let (place, key) = places.get(row).unwrap_or(&whole);
            faults.add(place.clone(), key, sentence);
        }
        return;
    }
    if curve.is_signed() {
        if let Some(why) = model
            .and_then(no_signed_curve)
            .filter(|_| directions == Directions::Both)
        {
            return faults.add(
                whole.0,
                whole.1,
                format!("found points with v < 0, but {why}"),
            );
        }
        let sides = split(&curve.points);
        let sides = match model.filter(|model| model.measured.has_one_range) {
            _ if directions == Directions::Mean => {
                measurement::directions(sides, directions, &mut faults.remarks)
            }
            Some(model) => in_one_range(sides, model.metadata.name, &mut faults.remarks),
            None => Ok(sides),
        };
        match sides {
            Ok(sides) => curve.points = joined(sides),
            Err(sentence) => return faults.add(whole.0, whole.1, sentence),
        }
    }
    card.characteristic = Some(curve);
}

/// Use of the two directions by its name.
fn directions(faults: &mut Faults, entry: keys::Entry) -> Directions {
    let (key, value) = ("characteristic.directions", entry.1);
    let Some(name) = keys::text(faults, key, entry) else {
        return Directions::Both;
    };
    Directions::of_name(name).unwrap_or_else(|| {
        keys::expected(faults, key, value, "`both` or `mean`");
        Directions::Both
    })
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

/// Points of the card. One at v = 0 is the coefficient at rest, as in a file.
fn of_points(
    faults: &mut Faults,
    place: Range<usize>,
    value: &Spanned<DeValue>,
    model: Option<&Model>,
) -> Option<Rows> {
    let key = "characteristic.points";
    let Some(list) = value.get_ref().as_array() else {
        keys::expected(faults, key, value, "a list of points [v, mu], in m/s and 1");
        return None;
    };
    let mut rows = Rows {
        points: Vec::new(),
        places: Vec::new(),
        whole: (place, key.to_owned()),
    };
    for (i, value) in list.iter().enumerate() {
        let key = format!("{key}[{}]", i + 1);
        let pair = value.get_ref().as_array().filter(|pair| pair.len() == 2);
        let Some(pair) = pair else {
            keys::expected(faults, &key, value, "a point [v, mu], in m/s and 1");
            continue;
        };
        let mut point = [0.0; 2];
        for ((number, value), unit) in point
            .iter_mut()
            .zip(pair.iter())
            .zip([Unit::MetrePerSecond, Unit::One])
        {
            *number = keys::quantity(faults, &key, value, unit).unwrap_or(f64::NAN);
        }
        rows.points.push(point);
        rows.places.push((value.span(), key));
    }
    let backward = rows.points.iter().take_while(|[v, _]| *v < 0.0).count();
    let [at_rest, next] = [0, 1].map(|i| rows.points.get(backward + i).copied());
    if let (Some([0.0, _]), Some([0.0, _])) = (at_rest, next) {
        let (place, key) = rows.places.swap_remove(backward + 1);
        faults.add(
            place,
            key,
            "found a second point at rest, expected one at v = 0",
        );
        return None;
    }
    if let Some([0.0, mu]) = at_rest
        && mu >= 0.0
        && next.is_none_or(|[v, _]| v > 0.0)
    {
        rows.points.remove(backward);
        let (place, mut remarks, count) =
            (rows.places.remove(backward), Vec::new(), rows.points.len());
        if mu > 0.0 {
            rows.points = with_rest(split(&rows.points), mu, model, &mut remarks);
        } else {
            remarks.push("a point left out: no friction at rest".to_owned());
        }
        rows.places.splice(
            backward..backward,
            std::iter::repeat_n(place, rows.points.len() - count),
        );
        faults.remarks.extend(
            remarks
                .into_iter()
                .map(|remark| format!("points: {remark}")),
        );
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
        faults.add(
            place,
            key,
            "found a file, but this card lies in no folder; expected `points`",
        );
        return None;
    };
    let bytes = match std::fs::read(folder.join(name)) {
        Ok(bytes) => bytes,
        Err(error) => {
            let sentence =
                format!("found \"{name}\", which cannot be read beside the card: {error}");
            faults.add(place, key, sentence);
            return None;
        }
    };
    match Curve::read(&bytes, options) {
        Ok(curve) => {
            let points = of_law(&curve, name, model, faults);
            Some(Rows {
                points,
                places: Vec::new(),
                whole: (place, format!("{key}, {name}")),
            })
        }
        Err(found) => {
            for fault in found {
                let line = fault.line.map_or(String::new(), |line| format!(":{line}"));
                faults.add(
                    place.clone(),
                    format!("{key}, {name}{line}"),
                    fault.sentence,
                );
            }
            None
        }
    }
}

/// Points of a curve for a law. Its sentences are the faults' remarks.
fn of_law(curve: &Curve, name: &str, model: Option<&Model>, faults: &mut Faults) -> Vec<[f64; 2]> {
    let mut remarks = curve.remarks.clone();
    let points = match curve.at_rest {
        Some(mu) => with_rest(split(&curve.points), mu, model, &mut remarks),
        None => curve.points.clone(),
    };
    remarks.push(format!("{} points", points.len()));
    faults.remarks.extend(
        remarks
            .into_iter()
            .map(|remark| format!("{name}: {remark}")),
    );
    points
}

/// Points of both directions with the coefficient at rest.
///
/// A law that holds the coefficient below the first speed has it far below that. One that
/// regularises reaches it at its v_s, where the curve rises from there or has no two points else; a
/// break-away that falls is left out, because such a law is unstable on a steep fall. A coefficient
/// at rest alone is that of all speeds.
fn with_rest(
    [forward, backward]: [Vec<[f64; 2]>; 2],
    mu: f64,
    model: Option<&Model>,
    remarks: &mut Vec<String>,
) -> Vec<[f64; 2]> {
    let law = model.map_or("the law", |model| model.metadata.name);
    let replaced = model.map_or(&[][..], |model| model.measured.replaced);
    let v_s = replaced
        .iter()
        .find(|replaced| replaced.name == "v_s")
        .and_then(|v_s| v_s.start);
    let mut complete = |mut side: Vec<[f64; 2]>| {
        match (side.first().copied(), v_s) {
            (None, _) => {
                let v = v_s.unwrap_or(LOW_SPEED);
                side = vec![[v, mu], [2.0 * v, mu]];
                remarks.push(format!("mu = {mu:?} at rest is that of all speeds"));
            }
            (Some([first, _]), None) => {
                let v = first / AT_REST;
                side.insert(0, [v, mu]);
                remarks.push(format!("mu = {mu:?} at rest is that below {v:?} m/s"));
            }
            (Some([first, next]), Some(v_s)) if side.len() < 2 || (mu <= next && v_s < first) => {
                let v = v_s.min(0.5 * first);
                side.insert(0, [v, mu]);
                remarks.push(format!(
                    "mu = {mu:?} at rest is reached at {v:?} m/s, below which {law} regularises"
                ));
            }
            _ => remarks.push(format!(
                "mu = {mu:?} at rest left out: {law} regularises below the first speed"
            )),
        }
        side
    };
    let forward = complete(forward);
    let backward = if backward.is_empty() {
        backward
    } else {
        complete(backward)
    };
    remarks.dedup();
    joined([forward, backward])
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
    let chosen: Vec<_> = list
        .iter()
        .flat_map(|list| list.iter())
        .map_while(choice)
        .collect();
    let chosen = chosen
        .try_into()
        .ok()
        .filter(|_| list.is_some_and(|list| list.len() == 2));
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
