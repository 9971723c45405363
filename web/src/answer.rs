//! Answers to the page.

use std::sync::{Mutex, PoisonError};

use bristle::catalogue::{ELEMENTS, Model, Variant};
use bristle::element::RADIUS;
use bristle::variable::Variable;
use bristle_export::licences::LicenceFile;
use bristle_export::measurement::{self, Options, Smoothing};
use bristle_export::plot::{Curve, Panel, Pen, Picture};
use bristle_export::{
    Exporter, card, description, followed_curve, meanings, measured_points, platform, remarks,
};
use serde::Serialize;

use crate::{fit, runs};

/// Width of a panel in a saved picture.
const WIDTH: f64 = 420.0;

/// Root mean square deviation over the largest coefficient of a table above which a law is said not
/// to follow it: a measurement that repeats within 5 % is a good one.
const UNLIKE: f64 = 0.05;

/// Card whose curves are drawn in grey, with its plots: they stay while sliders move.
static PINNED: Mutex<(String, Vec<Panel>)> = Mutex::new((String::new(), Vec::new()));

#[derive(Serialize)]
struct Law {
    name: &'static str,
    title: &'static str,
    /// A card of the law may have a measured curve.
    takes_curve: bool,
    parameters: Vec<Parameter>,
}

/// Parameter of a law or of a card, with its bounds.
#[derive(Serialize)]
struct Parameter {
    name: &'static str,
    unit: &'static str,
    value: f64,
    min: Option<f64>,
    max: Option<f64>,
    description: &'static str,
}

#[derive(Serialize, Default)]
struct Answer {
    /// Faults of the card, a sentence each; with any, all else is empty.
    faults: Vec<Sentence>,
    name: String,
    law: &'static str,
    normal_force: f64,
    /// The card states torques or forces: no normal force.
    states_friction: bool,
    parameters: Vec<Parameter>,
    meanings: Vec<Meaning>,
    remarks: Vec<String>,
    /// Plots as SVG.
    pictures: Vec<String>,
}

#[derive(Serialize)]
struct Sentence {
    line: usize,
    text: String,
}

#[derive(Serialize)]
struct Meaning {
    name: String,
    value: f64,
    unit: &'static str,
    meaning: String,
}

fn json(value: &impl Serialize) -> String {
    serde_json::to_string(value).expect("numbers and texts are JSON")
}

/// Laws with the parameters of a contact along a line.
pub fn laws() -> String {
    let law = |law: &'static Model| Law {
        name: law.metadata.name,
        title: law.metadata.title,
        takes_curve: !law.measured.replaced.is_empty(),
        parameters: parameters(&law.stock()),
    };
    json(&ELEMENTS.iter().map(law).collect::<Vec<_>>())
}

fn parameters(variant: &Variant) -> Vec<Parameter> {
    let parameter = |variable: &Variable| {
        let value = variable.start.filter(|_| variable.is_real())?;
        Some(Parameter {
            name: variable.name,
            unit: variable.unit_name(),
            value,
            min: variable.min,
            max: variable.max,
            description: variable.description,
        })
    };
    variant
        .variables()
        .filter(|variable| variable.is_parameter())
        .filter_map(parameter)
        .collect()
}

/// Everything that the page shows of a card: its faults, or its numbers, what they mean, remarks
/// and plots, with the curves of another card behind them in grey, where one is pinned, and with
/// the points of a table, rows `[v, mu]` as JSON, where there is one.
pub fn examine(text: &str, pinned: &str, table: &str) -> String {
    let variant = match read(text) {
        Ok(variant) => variant,
        Err(faults) => {
            return json(&Answer {
                faults,
                ..Answer::default()
            });
        }
    };
    let card = variant.card();
    let of_curve = followed_curve(&variant).ok().flatten();
    json(&Answer {
        faults: Vec::new(),
        name: variant.name().to_owned(),
        law: variant.metadata().name,
        normal_force: card.normal_force,
        states_friction: card.states_torques(),
        parameters: parameters(&variant),
        meanings: meanings(&variant)
            .into_iter()
            .map(|row| Meaning {
                name: row.name,
                value: row.value,
                unit: row.unit,
                meaning: row.meaning,
            })
            .collect(),
        remarks: remarks(&variant).into_iter().chain(of_curve).collect(),
        pictures: pictures(&variant, pinned, &points(table)),
    })
}

fn read(text: &str) -> Result<Variant, Vec<Sentence>> {
    let sentence = |fault: card::Fault| Sentence {
        line: fault.line,
        text: fault.to_string(),
    };
    let variant = card::read(text, &ELEMENTS)
        .map_err(|faults| faults.into_iter().map(sentence).collect::<Vec<_>>())?;
    // An export would refuse what this refuses.
    match description::write(&variant) {
        Ok(_) => Ok(variant),
        Err(error) => Err(vec![Sentence {
            line: 1,
            text: error.to_string(),
        }]),
    }
}

fn refused(faults: Vec<Sentence>) -> String {
    let lines: Vec<_> = faults
        .iter()
        .map(|fault| format!("line {}: {}", fault.line, fault.text))
        .collect();
    lines.join("\n")
}

fn panels(variant: &Variant) -> Vec<Panel> {
    let mut panels = bristle_export::panels(variant, variant.card().normal_force);
    panels.extend(runs::push(variant));
    panels.extend(runs::belt(variant));
    panels
}

/// Rows `[v, mu]` of a table as JSON; none of an empty text.
fn points(table: &str) -> Vec<[f64; 2]> {
    serde_json::from_str(table).unwrap_or_default()
}

/// A picture for each panel of an element; behind its curves those of a pinned card, in grey, and
/// over the characteristic the points of a table.
fn pictures(variant: &Variant, pinned: &str, table: &[[f64; 2]]) -> Vec<String> {
    let mut kept = PINNED.lock().unwrap_or_else(PoisonError::into_inner);
    if kept.0 != pinned {
        let others = read(pinned).map(|pinned| panels(&pinned));
        *kept = (pinned.to_owned(), others.unwrap_or_default());
    }
    let picture = |(i, mut panel): (usize, Panel)| {
        let same = kept.1.iter().find(|other| other.title == panel.title);
        let ghosts = same.into_iter().flat_map(|other| &other.curves);
        let ghosts = ghosts.map(|curve| Curve {
            label: format!("{}, pinned", curve.label),
            points: curve.points.clone(),
            pen: Pen::Rows,
        });
        panel.curves = ghosts.chain(std::mem::take(&mut panel.curves)).collect();
        if i == 0 && !table.is_empty() && variant.card().characteristic.is_none() {
            panel.curves.push(measured_points(variant, table));
        }
        let labels: Vec<_> = panel.curves.iter().map(|curve| &*curve.label).collect();
        let description = format!("{}: {}", panel.title, labels.join("; "));
        Picture::new(&[panel], WIDTH, &description).svg()
    };
    panels(variant)
        .into_iter()
        .enumerate()
        .map(picture)
        .collect()
}

/// Points of all plots of a card, in the units of their axes.
pub fn csv(text: &str) -> Result<String, String> {
    let variant = read(text).map_err(refused)?;
    let mut csv = "plot,curve,x,unit of x,y,unit of y\n".to_owned();
    for panel in panels(&variant) {
        for Curve { label, points, .. } in &panel.curves {
            for [x, y] in points {
                let (x, y) = (x * panel.x.scale, y * panel.y.scale);
                let (of_x, of_y) = (panel.x.unit, panel.y.unit);
                csv += &format!(
                    "\"{}\",\"{label}\",{x:?},{of_x},{y:?},{of_y}\n",
                    panel.title
                );
            }
        }
    }
    Ok(csv)
}

/// Plots of a card as an SVG file.
pub fn picture(text: &str) -> Result<String, String> {
    let variant = read(text).map_err(refused)?;
    let description = "Friction of a contact: characteristic, pre-sliding, a push, a belt";
    Ok(Picture::new(&panels(&variant), WIDTH, description).svg())
}

/// Name of the C source among the parts of an FMU.
const SOURCES: &str = "sources";

/// Bytes of the FMU of a card. Its parts are the libraries of platforms, by their names, and the C
/// source of its law, an archive of `cargo xtask libraries --sources`; `licences` are paths and
/// texts of the files of licences, as JSON.
pub fn export(text: &str, parts: &[(&str, &[u8])], licences: &str) -> Result<Vec<u8>, String> {
    let variant = read(text).map_err(refused)?;
    let licences: Vec<(String, String)> =
        serde_json::from_str(licences).map_err(|error| error.to_string())?;
    let licences = licences.into_iter().map(|(path, text)| LicenceFile {
        path,
        text: text.into_bytes(),
    });
    let export = || {
        let mut exporter = Exporter::new();
        for (name, bytes) in parts {
            if *name == SOURCES {
                exporter.add_source(bytes)?;
            } else {
                exporter.add_library(platform::find(name)?, bytes)?;
            }
        }
        exporter.add_licences(licences);
        exporter.export(&variant)
    };
    export().map_err(|error| error.to_string())
}

#[derive(Serialize)]
struct Fitted {
    /// Names and values of parameters.
    values: Vec<(&'static str, f64)>,
    /// Deviations of the law from the table.
    sentence: String,
}

/// Parameters of a card by least squares over a table, rows `[v, mu]` as JSON, with a sentence on
/// what is left.
pub fn fitted(text: &str, table: &str) -> Result<String, String> {
    let (variant, points) = (read(text).map_err(refused)?, points(table));
    let fit = fit::fit(&variant, &points)?;
    let size = points.iter().map(|[_, mu]| *mu).fold(0.0, f64::max);
    let percent = |mu: f64| format!("{:.2} %", 100.0 * mu.abs() / size);
    let [v, largest] = fit.largest;
    let mut sentence = format!(
        "Least squares over {} points: the root mean square deviation is {} of the largest \
         coefficient, the largest {} at {v} m/s.",
        points.len(),
        percent(fit.deviation),
        percent(largest),
    );
    if fit.deviation > UNLIKE * size {
        let law = variant.metadata().name;
        sentence += &format!(" {law} does not follow this table: try another law.");
    }
    Ok(json(&Fitted {
        values: fit.values,
        sentence,
    }))
}

#[derive(Serialize, Default)]
struct Measured {
    faults: Vec<String>,
    remarks: Vec<String>,
    points: Vec<[f64; 2]>,
}

/// Points of the table in a file, friction over speed, of the contact of a card: rows `[v, mu]` in
/// m/s and 1. A force is over the card's normal force, a torque over its radius as well.
pub fn curve(file: &[u8], text: &str) -> String {
    let variant = match read(text) {
        Ok(variant) => variant,
        Err(faults) => {
            return json(&Measured {
                faults: vec![refused(faults)],
                ..Measured::default()
            });
        }
    };
    let card = variant.card();
    let radius = card.parameters.get(&RADIUS.reference);
    let options = Options {
        normal_force: Some(card.normal_force),
        radius: radius.and_then(|setting| setting.start),
        smoothing: Smoothing::WhereNoisy,
        ..Options::default()
    };
    json(&match measurement::Curve::read(file, &options) {
        Ok(curve) => Measured {
            faults: Vec::new(),
            points: curve
                .at_rest
                .map(|at_rest| [0.0, at_rest])
                .into_iter()
                .chain(curve.points)
                .collect(),
            remarks: curve.remarks,
        },
        Err(faults) => Measured {
            faults: faults.iter().map(|fault| fault.of_file("file")).collect(),
            remarks: Vec::new(),
            points: Vec::new(),
        },
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn force_of_a_table_is_over_the_normal_force_of_the_card() {
        let table = b"v (m/s),F_R (N)\n0.001,5\n0.01,4\n0.1,3\n";
        let points = |card: &str| {
            let found: serde_json::Value = serde_json::from_str(&curve(table, card)).unwrap();
            (found["points"][1][1].as_f64(), found["faults"][0].clone())
        };
        let card = "name = \"A\"\nlaw = \"LuGre\"\n";
        // The normal force of a card that states none.
        assert_eq!(points(card).0, Some(0.4));
        assert_eq!(points(&format!("{card}normal_force = 20.0\n")).0, Some(0.2));
        let refusal = points("law = \"Lugre\"").1;
        assert!(refusal.as_str().unwrap().contains("LuGre"), "{refusal}");
    }

    #[test]
    fn fit_says_how_near_the_law_comes() {
        let sentence = |table: &str| {
            let found = fitted("name = \"A\"\nlaw = \"Dahl\"\n", table).unwrap();
            let found: serde_json::Value = serde_json::from_str(&found).unwrap();
            found["sentence"].as_str().unwrap().to_owned()
        };
        let near = sentence("[[0.01, 0.3], [0.1, 0.31], [1, 0.3]]");
        assert!(!near.contains("does not follow"), "{near}");
        let far = sentence("[[0.01, 0.2], [0.1, 0.4], [1, 0.2], [2, 0.4]]");
        assert!(
            far.contains("25.00 %") && far.contains("does not follow"),
            "{far}"
        );
    }

    #[test]
    fn pinned_curves_and_points_are_those_asked_for() {
        let card = |law: &str| format!("name = \"A\"\nlaw = \"{law}\"\n");
        let shown = |pinned: &str, table: &str| examine(&card("LuGre"), pinned, table);
        let [dahl, coulomb] = ["Dahl", "Coulomb"].map(card);
        let [first, second] = [shown(&dahl, ""), shown(&coulomb, "")];
        assert!(first.contains("pinned") && first != second);
        assert_eq!(shown(&dahl, ""), first);
        assert!(!shown("", "").contains("pinned"));
        assert!(shown("", "[[0.01, 0.3]]").contains("measured points"));
    }
}
