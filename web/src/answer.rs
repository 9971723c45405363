//! Answers to the page.

use bristle::catalogue::{ELEMENTS, Model, Variant};
use bristle::element::RADIUS;
use bristle::variable::Variable;
use bristle_export::licences::LicenceFile;
use bristle_export::measurement::{self, Options, Smoothing};
use bristle_export::plot::{Curve, Panel, Pen, Picture};
use bristle_export::{Exporter, card, description, followed_curve, meanings, remarks};
use serde::Serialize;

use crate::runs;

/// Width of a panel in a saved picture.
const WIDTH: f64 = 420.0;

#[derive(Serialize)]
struct Law {
    name: &'static str,
    title: &'static str,
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
/// and plots, with the curves of another card behind them in grey, where one is pinned.
pub fn examine(text: &str, pinned: &str) -> String {
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
        pictures: pictures(&variant, read(pinned).ok().as_ref()),
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

/// A picture for each panel of an element; behind its curves those of another one, in grey.
fn pictures(variant: &Variant, pinned: Option<&Variant>) -> Vec<String> {
    let others = pinned.map(panels).unwrap_or_default();
    let picture = |mut panel: Panel| {
        let same = others.iter().find(|other| other.title == panel.title);
        let ghosts = same.into_iter().flat_map(|other| &other.curves);
        let ghosts = ghosts.map(|curve| Curve {
            label: format!("{}, pinned", curve.label),
            points: curve.points.clone(),
            pen: Pen::Rows,
        });
        panel.curves = ghosts.chain(std::mem::take(&mut panel.curves)).collect();
        let labels: Vec<_> = panel.curves.iter().map(|curve| &*curve.label).collect();
        let description = format!("{}: {}", panel.title, labels.join("; "));
        Picture::new(&[panel], WIDTH, &description).svg()
    };
    panels(variant).into_iter().map(picture).collect()
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

/// Bytes of the FMU of a card with the C source of its law, an archive of `cargo xtask libraries
/// --sources`; `licences` are paths and texts of the files of licences, as JSON.
pub fn export(text: &str, source: &[u8], licences: &str) -> Result<Vec<u8>, String> {
    let variant = read(text).map_err(refused)?;
    let licences: Vec<(String, String)> =
        serde_json::from_str(licences).map_err(|error| error.to_string())?;
    let licences = licences.into_iter().map(|(path, text)| LicenceFile {
        path,
        text: text.into_bytes(),
    });
    let said = |error: bristle_export::Error| error.to_string();
    let mut exporter = Exporter::new();
    exporter.add_source(source).map_err(said)?;
    exporter.add_licences(licences);
    exporter.export(&variant).map_err(said)
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
}
