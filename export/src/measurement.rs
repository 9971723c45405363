//! Measured curves: a file of speeds and coefficients, forces or torques, to the points of a
//! characteristic.

mod directions;
mod picture;
mod smoothing;

use std::fmt::Write;

use bristle::characteristic::{End, MAX_POINTS, Measured};
use bristle::variable::Unit;

use self::directions::{Side, sides};
use crate::table::{
    Choice, Column, Fault, Kind, SiColumn, Signal, Table, along_lines, capped, named, parse_unit,
    short, titles,
};

pub use self::directions::{Directions, directions, in_one_range, joined, split};

/// Deviation, relative to the largest coefficient, below which no further points are taken of a
/// curve with too many.
const FINE: f64 = 1e-4;

/// Values that a file does not have itself.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// Columns of the speed and of the friction.
    pub columns: Option<[Choice; 2]>,
    /// Normal force under which a force or a torque was measured, N.
    pub normal_force: Option<f64>,
    /// Friction radius of a rotational contact, m.
    pub radius: Option<f64>,
    /// Slope of the curve at its last point.
    pub end: End,
    /// Use of the two directions.
    pub directions: Directions,
    /// Rows that are smoothed.
    pub smoothing: Smoothing,
}

/// Rows that are smoothed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Smoothing {
    /// None.
    #[default]
    Never,
    /// More rows than a curve has points, where it would have their noise in all of them.
    WhereNoisy,
    /// All.
    Always,
}

/// Points of a measured characteristic.
#[derive(Clone, Debug, PartialEq)]
pub struct Curve {
    /// Coefficient at rest, where the file has one.
    pub at_rest: Option<f64>,
    /// Velocity (m/s, not 0, rising) and coefficient; without velocities below 0 for both
    /// directions.
    pub points: Vec<[f64; 2]>,
    /// Sentences about the file and what was made of it.
    pub remarks: Vec<String>,
    /// Rows as points, before they are smoothed and thinned.
    rows: Vec<[f64; 2]>,
    /// Means of the bins of a smoothed curve.
    bins: Vec<[f64; 2]>,
    /// Windows and residual of a smoothed curve, in words.
    smoothing: Option<String>,
}

/// Speed, coefficient and line of a row.
type Row = (f64, f64, usize);

impl Curve {
    /// Curve of the bytes of a file; or its faults.
    pub fn read(bytes: &[u8], options: &Options) -> Result<Self, Vec<Fault>> {
        let table = Table::read(bytes)?;
        let mut remarks = vec![table.description.clone()];
        let mut rows = rows(&table, options, &mut remarks)?;
        let at_rest = at_rest(&mut rows, &mut remarks)?;
        if table.of_modelica.is_some() {
            return Ok(Curve::along_lines(&rows, at_rest, remarks));
        }
        let mut sides = sides(rows, &mut remarks)?;
        let is_signed = !sides[1].is_empty();
        for (side, sign) in sides
            .iter()
            .zip(["above", "below"])
            .take(1 + usize::from(is_signed))
        {
            if side.len() < 2 && at_rest.is_none() {
                let found = counted(side.len(), "speed");
                return Err(vec![Fault::whole(format!(
                    "found {found} {sign} 0, expected 2 at least, or a row at 0"
                ))]);
            }
        }
        if is_signed {
            sides = directions(sides, options.directions, &mut remarks)
                .map_err(|sentence| vec![Fault::whole(sentence)])?;
        }
        // The value at rest takes one of the points.
        let most =
            (MAX_POINTS - usize::from(at_rest.is_some())) / if sides[1].is_empty() { 1 } else { 2 };
        let rows = joined(sides.clone());
        let (mut bins, mut smoothing) = ([Vec::new(), Vec::new()], None);
        for (side, bins) in sides
            .iter_mut()
            .zip(&mut bins)
            .filter(|(side, _)| !side.is_empty())
        {
            let few = thinned(side, most, options.end);
            let is_wanted = match options.smoothing {
                Smoothing::Always => true,
                Smoothing::WhereNoisy => few.is_noisy,
                Smoothing::Never => false,
            };
            let smooth = is_wanted
                .then(|| smoothing::smooth(side, options.end))
                .flatten();
            let (count, noise) = (side.len(), rounded(smoothing::noise(side)));
            *side = match smooth {
                Some(smooth) => {
                    let (sentence, points) = (
                        smooth.sentence(),
                        thinned(&smooth.points, most, options.end).points,
                    );
                    remarks.push(format!(
                        "{count} rows with a noise of {noise:?} smoothed to {} points: {sentence} \
                         (root mean square)",
                        points.len()
                    ));
                    smoothing.get_or_insert(sentence);
                    *bins = smooth.bins;
                    points
                }
                None => {
                    few.say(count, noise, &mut remarks);
                    few.points
                }
            };
        }
        Ok(Curve {
            at_rest,
            points: joined(sides),
            remarks,
            rows,
            bins: joined(bins),
            smoothing,
        })
    }

    /// Curve along the straight lines through the rows of a Modelica model, which go on beyond the
    /// last row where the end of the curve does.
    fn along_lines(rows: &[Row], at_rest: Option<f64>, mut remarks: Vec<String>) -> Self {
        let rows: Vec<_> = rows.iter().map(|(v, mu, _)| [*v, *mu]).collect();
        let points = along_lines(&rows, at_rest);
        remarks.push(
            "straight lines between the rows; end = \"last\" continues the last one as the library \
             does"
                .to_owned(),
        );
        Curve {
            at_rest,
            points,
            remarks,
            rows,
            bins: Vec::new(),
            smoothing: None,
        }
    }

    /// The curve as comma-separated values in SI units, which [`read`](Self::read) takes.
    pub fn csv(&self) -> String {
        let mut text = "v (m/s),mu\n".to_owned();
        let (backward, forward) = self
            .points
            .split_at(self.points.partition_point(|[v, _]| *v < 0.0));
        for [speed, mu] in backward
            .iter()
            .chain(&self.at_rest.map(|mu| [0.0, mu]))
            .chain(forward)
        {
            writeln!(text, "{speed:?},{mu:?}").expect("text grows");
        }
        text
    }
}

/// Rows of speed and coefficient, with their signs.
fn rows(
    table: &Table,
    options: &Options,
    remarks: &mut Vec<String>,
) -> Result<Vec<Row>, Vec<Fault>> {
    if table.of_modelica == Some(Kind::Losses) {
        return Err(vec![table.columns[0].fault(
            "found lossTable, which are losses of a gear, expected a friction over the speed; \
             `bristle curve FILE -o card.toml` makes a card with a gear of it",
        )]);
    }
    let [speed, friction] = columns(table, options).map_err(|fault| vec![fault])?;
    let (v, mu) = match (
        speeds(speed, table, options),
        coefficients(table, friction, options),
    ) {
        (Ok(v), Ok(mu)) => (v, mu),
        (v, mu) => return Err(v.err().into_iter().chain(mu.err()).flatten().collect()),
    };
    remarks.push(format!("speed {}", v.remark));
    remarks.push(format!("friction {}", mu.remark));
    let pairs = v.values.into_iter().zip(mu.values).zip(&table.lines);
    let rows: Vec<Row> = pairs.map(|((v, mu), line)| (v, mu, *line)).collect();
    let infinite = rows
        .iter()
        .filter(|(v, mu, _)| !(v.is_finite() && mu.is_finite()));
    let faults: Vec<_> = infinite
        .map(|(.., line)| Fault::at(*line, "found no finite number, expected two"))
        .collect();
    if faults.is_empty() {
        Ok(rows)
    } else {
        Err(capped(faults))
    }
}

/// Speeds of a column, m/s: angular velocities are multiplied by the radius. A Modelica model has
/// coefficients over the angular velocity where there is a radius.
fn speeds(column: &Column, table: &Table, options: &Options) -> Result<SiColumn, Vec<Fault>> {
    let title = column.title();
    let is_of_modelica = table.of_modelica == Some(Kind::Coefficient);
    let of_name = named(&column.name)
        .filter(|(signal, _)| *signal == Signal::Speed)
        .and_then(|(_, unit)| unit);
    let is_angular = match &column.unit {
        None if column.name.is_empty() => false,
        None if is_of_modelica => options.radius.is_some(),
        None if of_name.is_none() => return Err(ambiguous(column, &["m/s", "rad/s", "rpm"])),
        None => of_name == Some(Unit::RadianPerSecond),
        Some(unit) => match parse_unit(unit) {
            Some((_, exponents)) => matches!(exponents, [0, 0, -1, _]),
            None => of_name == Some(Unit::RadianPerSecond),
        },
    };
    if !is_angular {
        return column.si(None, Unit::MetrePerSecond, None);
    }
    let mut omega = column.si(None, Unit::RadianPerSecond, None)?;
    let Some(radius) = options.radius else {
        return Err(vec![column.fault(format!(
            "found {title} as an angular velocity, expected a friction radius (`radius`) that \
             makes it a velocity, or a velocity in m/s"
        ))]);
    };
    omega.values.iter_mut().for_each(|value| *value *= radius);
    write!(omega.remark, ", times the radius {radius:?} m").expect("text grows");
    Ok(omega)
}

/// Fault of a column without a unit whose name is used for several quantities, or for none that is
/// known.
fn ambiguous(column: &Column, units: &[&str]) -> Vec<Fault> {
    let choices: Vec<_> = units
        .iter()
        .map(|unit| format!("`{} [{unit}]`", column.name))
        .collect();
    let (title, choices) = (column.title(), choices.join(", "));
    vec![column.fault(format!(
        "found {title} without a unit, which may be more than one quantity, expected one of \
             {choices}"
    ))]
}

/// Coefficients of a column: torques are divided by the radius, and forces by the normal force.
fn coefficients(table: &Table, column: &Column, options: &Options) -> Result<SiColumn, Vec<Fault>> {
    let title = column.title();
    let unit = match (column.unit.as_deref(), named(&column.name)) {
        (Some(unit), of_name) => {
            // An unknown unit is refused beside those that the name needs.
            let exponents = parse_unit(unit).map(|(_, exponents)| exponents);
            let exponents = exponents.or(of_name.and_then(|(_, unit)| unit).map(Unit::exponents));
            let units = [Unit::Newton, Unit::NewtonMetre];
            units
                .into_iter()
                .find(|unit| Some(unit.exponents()) == exponents)
                .unwrap_or(Unit::One)
        }
        (None, Some((Signal::Friction, Some(unit)))) => unit,
        (None, _) if column.name.is_empty() => Unit::One,
        (None, _) => return Err(ambiguous(column, &["1", "N", "N.m"])),
    };
    let mut mu = column.si(None, unit, None)?;
    if unit == Unit::One {
        return Ok(mu);
    }
    if unit == Unit::NewtonMetre {
        let Some(radius) = options.radius else {
            let sentence = format!(
                "found {title} as a torque, expected a friction radius (`radius`) that makes it a \
                 force"
            );
            return Err(vec![column.fault(sentence)]);
        };
        mu.values.iter_mut().for_each(|value| *value /= radius);
        write!(mu.remark, ", over the radius {radius:?} m").expect("text grows");
    }
    let normal = table
        .columns
        .iter()
        .find(|column| holds(column) == Some(Signal::NormalForce));
    let (forces, remark) = match (normal, options.normal_force) {
        (Some(normal), _) => {
            let SiColumn { values, remark } = normal.si(None, Unit::Newton, None)?;
            (values, remark)
        }
        (None, Some(force)) => (
            vec![force; mu.values.len()],
            format!("the normal force {force:?} N"),
        ),
        (None, None) => {
            return Err(vec![column.fault(format!(
                "found {title} as a force, expected a normal force (`normal_force`, or a column \
                 F_N) that makes it a coefficient"
            ))]);
        }
    };
    if let Some((force, line)) = forces
        .iter()
        .zip(&table.lines)
        .find(|(force, _)| !(**force > 0.0))
    {
        return Err(vec![Fault::at(
            *line,
            format!("found a normal force of {force:?} N, expected one above 0 N"),
        )]);
    }
    mu.values
        .iter_mut()
        .zip(&forces)
        .for_each(|(value, force)| *value /= force);
    write!(mu.remark, ", over {remark}").expect("text grows");
    Ok(mu)
}

/// Columns of the speed and of the friction.
fn columns<'t>(table: &'t Table, options: &Options) -> Result<[&'t Column; 2], Fault> {
    if let Some([speed, friction]) = &options.columns {
        return Ok([table.column(speed)?, table.column(friction)?]);
    }
    let of = |wanted| {
        let mut found = table
            .columns
            .iter()
            .filter(move |column| holds(column) == Some(wanted));
        (found.next(), found.next())
    };
    if let ((Some(speed), None), (Some(friction), None)) = (of(Signal::Speed), of(Signal::Friction))
    {
        return Ok([speed, friction]);
    }
    if let [speed, friction] = &table.columns[..]
        && holds(speed) != Some(Signal::Friction)
        && holds(friction) != Some(Signal::Speed)
    {
        return Ok([speed, friction]);
    }
    let titles = titles(&table.columns);
    Err(table.columns[0].fault(format!(
        "found the columns {titles}, expected one speed and one coefficient, force or torque; \
         name them by `columns`"
    )))
}

/// Signal of a column by its name, or by its unit where the name says nothing.
fn holds(column: &Column) -> Option<Signal> {
    if let Some((signal, _)) = named(&column.name) {
        return Some(signal);
    }
    match parse_unit(column.unit.as_deref()?)?.1 {
        [0, 1, -1, 0] | [0, 0, -1, 1] => Some(Signal::Speed),
        [0, 0, 0, 0] | [1, 1, -2, 0] | [1, 2, -2, 0] => Some(Signal::Friction),
        _ => None,
    }
}

/// Takes the rows at rest out: their mean coefficient.
fn at_rest(rows: &mut Vec<Row>, remarks: &mut Vec<String>) -> Result<Option<f64>, Vec<Fault>> {
    let still: Vec<Row> = rows.iter().copied().filter(|(v, ..)| *v == 0.0).collect();
    if still.is_empty() {
        return Ok(None);
    }
    rows.retain(|(v, ..)| *v != 0.0);
    let mu = still.iter().map(|(_, mu, _)| mu.abs()).sum::<f64>() / still.len() as f64;
    if mu <= 0.0 {
        let lines: Vec<_> = still.iter().map(|(.., line)| line.to_string()).collect();
        remarks.push(format!(
            "line {} left out: no friction at rest",
            lines.join(", ")
        ));
        return Ok(None);
    }
    Ok(Some(mu))
}

/// Number with three digits at most.
fn rounded(number: f64) -> f64 {
    format!("{number:.2e}").parse().unwrap_or(number)
}

/// Number of things in words.
fn counted(count: usize, thing: &str) -> String {
    if count == 1 {
        format!("1 {thing}")
    } else {
        format!("{count} {thing}s")
    }
}

/// Points of a curve with fewer of them.
struct Thinned {
    points: Side,
    /// Largest deviation of a point from the curve of fewer points.
    deviation: f64,
    /// Speed of that point, m/s.
    speed: f64,
    /// The curve follows its points with a visible deviation, although it has as many as there may
    /// be: they are noise.
    is_noisy: bool,
}

impl Thinned {
    /// Adds what was left of `count` points with this noise.
    fn say(&self, count: usize, noise: f64, remarks: &mut Vec<String>) {
        let left = self.points.len();
        if left < count {
            let [deviation, v] = [self.deviation, self.speed].map(short);
            remarks.push(format!(
                "{count} points thinned to {left}: mu deviates by up to {deviation:?}, at {v:?} m/s"
            ));
        }
        if self.is_noisy {
            remarks.push(format!(
                "the curve follows a noise of {noise:?}; `bristle curve` smooths it"
            ));
        }
    }
}

/// At most `most` points: first the ends, then again and again the point from which the monotone
/// interpolation deviates most.
fn thinned(points: &[[f64; 2]], most: usize, end: End) -> Thinned {
    let bound = FINE * points.iter().fold(0.0, |most: f64, [_, mu]| most.max(*mu));
    let all = || Thinned {
        points: points.to_vec(),
        deviation: 0.0,
        speed: 0.0,
        is_noisy: false,
    };
    if points.len() <= most {
        return all();
    }
    let mut chosen = vec![0, points.len() - 1];
    loop {
        let taken: Vec<_> = chosen.iter().map(|i| points[*i]).collect();
        let Ok(curve) = Measured::new(&taken, end) else {
            return all();
        };
        let deviation = |[v, mu]: &[f64; 2]| (curve.at(*v).0 - mu).abs();
        let deviations = points.iter().map(deviation).enumerate();
        let Some((worst, deviation)) = deviations.max_by(|one, other| one.1.total_cmp(&other.1))
        else {
            return all();
        };
        let place = chosen.binary_search(&worst);
        if let Some(place) = place
            .err()
            .filter(|_| deviation > bound && taken.len() < most)
        {
            chosen.insert(place, worst);
            continue;
        }
        return Thinned {
            points: taken,
            deviation,
            speed: points[worst][0],
            is_noisy: deviation > bound,
        };
    }
}

#[cfg(test)]
mod tests;
