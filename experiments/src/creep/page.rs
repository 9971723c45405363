//! Tables of the creep matrix: all points as a file, and the sections of docs/creep.md.

use super::bench::{PulsatingBench, Wave};
use super::check::Claims;
use super::{FREQUENCIES, LOADS, Outcome, Point, Row, Way};
use anyhow::{Context, Result};
use bristle::catalogue::ELEMENTS;
use std::fmt::Write;

/// Millimetres an hour in 1 m/s.
const MM_PER_HOUR: f64 = 3.6e6;

/// All points as comma-separated values.
pub fn table(rows: &[Row]) -> String {
    let mut text = String::from(
        "element,way,wave,bias [F_s],amplitude [F_s],frequency [Hz],mass [kg],H [s],creep [m/s],creep [mm/h],slides,formula [m/s]\n",
    );
    for (point, outcome) in rows {
        let Some(Outcome { rate, slides, formula }) = outcome else { continue };
        let (rig, way) = (point.rig, point.way.name());
        let _ = writeln!(
            text,
            "{},{way},{},{},{},{},{},{:e},{rate:.3e},{:.3e},{},{}",
            point.element,
            rig.wave.name(),
            rig.bias,
            rig.amplitude,
            rig.frequency,
            rig.mass,
            point.h,
            rate * MM_PER_HOUR,
            u8::from(*slides),
            formula.map_or(String::new(), |rate| format!("{rate:.3e}"))
        );
    }
    text
}

/// Points and results of a table of [`table`].
pub fn read(table: &str) -> Result<Vec<Row>> {
    table.lines().skip(1).map(|line| row(line).with_context(|| format!("no result of a point: {line}"))).collect()
}

fn row(line: &str) -> Option<Row> {
    let [element, way, wave, numbers @ .., slides, formula] = &line.split(',').collect::<Vec<_>>()[..] else {
        return None;
    };
    let numbers: Vec<f64> = numbers.iter().map(|number| number.parse().ok()).collect::<Option<_>>()?;
    let &[bias, amplitude, frequency, mass, h, rate, _] = &numbers[..] else { return None };
    let wave = [Wave::Sine, Wave::Asymmetric].into_iter().find(|known| known.name() == *wave)?;
    let way = [Way::Monolithic, Way::Coupled, Way::Observed].into_iter().find(|known| known.name() == *way)?;
    let element = bristle::catalogue::find(element)?.metadata.name;
    let formula = if formula.is_empty() { None } else { Some(formula.parse().ok()?) };
    let rig = PulsatingBench { bias, amplitude, frequency, mass, wave };
    Some((Point { element, rig, way, h }, Some(Outcome { rate, slides: *slides == "1", formula })))
}

/// Sections of the page between their markers.
pub fn sections(rows: &[Row], claims: &Claims) -> String {
    let names: Vec<&str> = ELEMENTS.iter().map(|entry| entry.metadata.name).collect();
    let mut text = String::from(
        "<!-- begin creep-summary -->\n| element | sliding, monolithic | worst without sliding, monolithic | through the FMU | with `m_eff` at 1e-3 s |\n|---|---|---|---|---|\n",
    );
    for name in &names {
        let of = |way: Way| {
            rows.iter()
                .filter(move |(point, _)| point.element == *name && point.way == way)
                .filter_map(|(point, outcome)| Some((point, (*outcome)?)))
        };
        let worst = |way: Way| {
            let still = of(way).filter(|(_, outcome)| !outcome.slides);
            let worst = still.max_by(|a, b| a.1.rate.abs().total_cmp(&b.1.rate.abs()));
            worst.map_or("–".to_owned(), |(point, Outcome { rate, .. })| {
                let rig = point.rig;
                let mark = if rig.wave == Wave::Asymmetric { "~" } else { "" };
                format!(
                    "{rate:.1e} m/s, {} ({} + {}{mark}, {} Hz, {} kg)",
                    per_hour(rate),
                    rig.bias,
                    rig.amplitude,
                    rig.frequency,
                    rig.mass
                )
            })
        };
        let (count, sliding) = of(Way::Monolithic).fold((0, 0), |(n, s), (_, o)| (n + 1, s + u32::from(o.slides)));
        let sliding = if count == 0 { "–".to_owned() } else { format!("{sliding} of {count}") };
        let [one, fmu, long] = [Way::Monolithic, Way::Coupled, Way::Observed].map(worst);
        let _ = writeln!(text, "| {name} | {sliding} | {one} | {fmu} | {long} |");
    }
    let Claims { linear_runs, linear_rate, formula_runs, formula_deviation } = claims;
    let _ = write!(
        text,
        "<!-- end creep-summary -->\n<!-- begin creep-claims -->\n\
         - FrDyn2Linear creeps by at most {linear_rate:.1e} m/s in {linear_runs} runs of loads under which it does not slide in the monolithic solution; \
         the bound is 1e-14 m/s.\n\
         - FrDyn2 deviates from the analytic formula by at most {:.2} % in {formula_runs} monolithic runs where it holds; the bound \
         is 1 %.\n\
         <!-- end creep-claims -->\n<!-- begin creep-tables -->\n",
        100.0 * formula_deviation
    );
    for name in names {
        // Where there is no monolithic solution, through the FMU.
        let has = |way: Way| {
            rows.iter().any(|(point, outcome)| point.element == name && point.way == way && outcome.is_some())
        };
        let way = if has(Way::Monolithic) { Way::Monolithic } else { Way::Coupled };
        let heads: String = FREQUENCIES.iter().map(|frequency| format!(" {frequency} Hz |")).collect();
        let _ = writeln!(text, "\n### {name}\n\n1 kg, {}, m/s:\n\n| load over F_s |{heads}", way.name());
        let _ = writeln!(text, "|---|{}", "---|".repeat(FREQUENCIES.len()));
        for (bias, amplitude, wave) in LOADS {
            let mark = if wave == Wave::Asymmetric { "~" } else { "" };
            let _ = write!(text, "| {bias} + {amplitude}{mark} |");
            for frequency in FREQUENCIES {
                let row = rows.iter().find(|(point, _)| {
                    let rig = point.rig;
                    point.element == name
                        && point.way == way
                        && (rig.bias, rig.amplitude, rig.wave) == (bias, amplitude, wave)
                        && (rig.frequency, rig.mass) == (frequency, 1.0)
                });
                let _ = match row.and_then(|(_, outcome)| *outcome) {
                    Some(Outcome { rate, slides, .. }) => {
                        write!(text, " {rate:.1e}{} |", if slides { " *" } else { "" })
                    }
                    None => write!(text, " – |"),
                };
            }
            text.push('\n');
        }
        let _ = writeln!(text, "\n![Creep of {name}](figures/creep/{name}.svg)");
    }
    text.push_str("<!-- end creep-tables -->\n");
    text
}

/// Rate in millimetres an hour, without more digits than the reader can use.
fn per_hour(rate: f64) -> String {
    let rate = rate * MM_PER_HOUR;
    if !(0.01..1e5).contains(&rate.abs()) { format!("{rate:.1e} mm/h") } else { format!("{rate:.2} mm/h") }
}
