//! Tables of the creep matrix: all points as a file, and the sections of docs/creep.md and
//! docs/elements.md.

use super::check::Claims;
use super::{Outcome, Point, Row, Way};
use anyhow::{Context, Result};
use bristle::catalogue::{ELEMENTS, find};
use bristle::law::{A, F_T, Phenomena};
use bristle_rigs::pulsating_bench::{PulsatingBench, Wave};
use std::fmt::Write;

/// Rate below which an element sticks, m/s: 0.3 mm a year. Elements that stick leave 1e-15 m/s and
/// less.
const STICKS: f64 = 1e-11;
/// Rate from which on an element slides away, m/s: above the velocities of all regularisations.
const SLIDES_AWAY: f64 = 0.1;

/// All points as comma-separated values.
pub fn table(rows: &[Row]) -> String {
    let mut text = String::from(
        "element,way,wave,bias [F_s],amplitude [F_s],frequency [Hz],mass [kg],H [s],creep \
         [m/s],slides,formula [m/s]\n",
    );
    for (point, outcome) in rows {
        let Some(Outcome {
            rate,
            slides,
            formula,
        }) = outcome
        else {
            continue;
        };
        let PulsatingBench {
            bias,
            amplitude,
            frequency,
            mass,
            wave,
        } = point.rig;
        let formula = formula.map_or(String::new(), |rate| format!("{rate:.3e}"));
        let (element, way, wave, h, slides) = (
            point.element,
            point.way.name(),
            wave.name(),
            point.h,
            u8::from(*slides),
        );
        let _ = writeln!(
            text,
            "{element},{way},{wave},{bias},{amplitude},{frequency},{mass},{h:e},{rate:.3e},{slides},{formula}"
        );
    }
    text
}

/// Points and results of a table of [`table`].
pub fn read(table: &str) -> Result<Vec<Row>> {
    table
        .lines()
        .skip(1)
        .map(|line| row(line).with_context(|| format!("no result of a point: {line}")))
        .collect()
}

fn row(line: &str) -> Option<Row> {
    let [element, way, wave, numbers @ .., slides, formula] =
        &line.split(',').collect::<Vec<_>>()[..]
    else {
        return None;
    };
    let numbers: Vec<f64> = numbers
        .iter()
        .map(|number| number.parse().ok())
        .collect::<Option<_>>()?;
    let &[bias, amplitude, frequency, mass, h, rate] = &numbers[..] else {
        return None;
    };
    let wave = [Wave::Sine, Wave::Asymmetric]
        .into_iter()
        .find(|known| known.name() == *wave)?;
    let way = Way::ALL.into_iter().find(|known| known.name() == *way)?;
    let element = find(element)?.metadata.name;
    let formula = if formula.is_empty() {
        None
    } else {
        Some(formula.parse().ok()?)
    };
    let rig = PulsatingBench {
        bias,
        amplitude,
        frequency,
        mass,
        wave,
    };
    Some((
        Point {
            element,
            rig,
            way,
            h,
        },
        Some(Outcome {
            rate,
            slides: *slides == "1",
            formula,
        }),
    ))
}

/// Largest rate (m/s) without sliding of an element by a way of solution, under constant loads (0)
/// and loads that pulsate (1); `None` where every run slides or there is none.
fn worst(rows: &[Row], element: &str, way: Way) -> [Option<f64>; 2] {
    [false, true].map(|is_pulsating| {
        let still = rows
            .iter()
            .filter(|(point, _)| (point.element, point.way) == (element, way));
        let still = still.filter(|(point, _)| (point.rig.amplitude != 0.0) == is_pulsating);
        still
            .filter_map(|(_, outcome)| outcome.filter(|outcome| !outcome.slides))
            .map(|o| o.rate.abs())
            .reduce(f64::max)
    })
}

fn runs<'a>(rows: &'a [Row], element: &'a str, way: Way) -> impl Iterator<Item = Outcome> + 'a {
    let of = rows
        .iter()
        .filter(move |(point, _)| (point.element, point.way) == (element, way));
    of.filter_map(|(_, outcome)| *outcome)
}

/// Sections of docs/creep.md between their markers.
pub fn sections(rows: &[Row], claims: &Claims) -> String {
    let mut text = String::from(
        "<!-- begin creep -->\n| element | slides | monolithic | FMU | `m_eff`, H = 1e-3 s \
         |\n|---|---:|---:|---:|---:|\n",
    );
    for name in ELEMENTS.iter().map(|entry| entry.metadata.name) {
        let (count, slides) = runs(rows, name, Way::Monolithic)
            .fold((0, 0), |(n, s), o| (n + 1, s + u32::from(o.slides)));
        let slides = if count == 0 {
            "–".to_owned()
        } else {
            format!("{slides} of {count}")
        };
        let rates = Way::ALL.map(|way| {
            let rate = worst(rows, name, way)
                .into_iter()
                .flatten()
                .reduce(f64::max);
            rate.map_or("–".to_owned(), |rate| format!("{rate:.0e}"))
        });
        let _ = writeln!(text, "| {name} | {slides} | {} |", rates.join(" | "));
    }
    let Claims {
        linear_runs,
        linear_rate,
        formula_runs,
        formula_deviation,
    } = claims;
    let _ = write!(
        text,
        "\nFrDyn2Linear creeps by at most {linear_rate:.1e} m/s in {linear_runs} runs (bound \
         1e-14 m/s). FrDyn2 deviates from the formula below by at most \
         {:.2} % in {formula_runs} runs (bound 1 %).\n<!-- end creep -->\n",
        100.0 * formula_deviation
    );
    text
}

/// Section of docs/elements.md: phenomena of each law, and its stick by the worst run that does not
/// slide, monolithic where there is one.
pub fn elements(rows: &[Row]) -> String {
    let mut text = String::from(
        "<!-- begin elements -->\n| element | kind | further inputs | Stribeck | pre-sliding | \
         memory | break-away growth | stick, constant load | stick, \
         pulsating load |\n|---|---|---|---|---|---|---|---|---|\n",
    );
    for entry in &ELEMENTS {
        let metadata = entry.metadata;
        let is_solved = runs(rows, metadata.name, Way::Monolithic).next().is_some();
        let way = if is_solved {
            Way::Monolithic
        } else {
            Way::Coupled
        };
        let stick = worst(rows, metadata.name, way).map(|rate| match rate {
            None => "no stick".to_owned(),
            Some(rate) if rate < STICKS => "yes".to_owned(),
            Some(rate) if rate > SLIDES_AWAY => "slides away".to_owned(),
            Some(rate) => format!("creeps, {rate:.0e} m/s"),
        });
        let further = [A, F_T]
            .into_iter()
            .filter(|input| entry.variable(input.reference).is_some());
        let further: Vec<_> = further.map(|input| format!("`{}`", input.name)).collect();
        let Phenomena {
            stribeck,
            pre_sliding,
            memory,
            break_away_growth,
            ..
        } = metadata.phenomena;
        let shows = [stribeck, pre_sliding, memory, break_away_growth]
            .map(|shows| if shows { "yes" } else { "–" });
        let cells = [
            &[metadata.kind.to_string(), further.join(", ")],
            &shows.map(str::to_owned)[..],
            &stick,
        ]
        .concat();
        let _ = writeln!(text, "| `{}` | {} |", metadata.name, cells.join(" | "));
    }
    text + "<!-- end elements -->\n"
}
