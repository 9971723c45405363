//! `cargo xtask numerics`: the figures of `docs/numerics.md`, from data that tests of `bristle` calculate.

use anyhow::{Context, Result};

use crate::console::say;
use crate::plot::{Axis, Curve, Panel, Pen, Spacing, picture};
use crate::{files, workspace};

/// A figure: file, description, width of a panel, panels.
struct Figure {
    name: &'static str,
    description: &'static str,
    width: f64,
    panels: &'static [(&'static str, &'static str, Axis, Axis)],
}

const fn linear(label: &'static str, range: Option<[f64; 2]>) -> Axis {
    Axis { label, unit: "", scale: 1.0, spacing: Spacing::Linear, range }
}

const fn decades(label: &'static str, unit: &'static str, range: Option<[f64; 2]>) -> Axis {
    Axis { label, unit, scale: 1.0, spacing: Spacing::Decades, range }
}

const TOLERANCE: Axis = decades("tolerance", "", None);

const FIGURES: [Figure; 4] = [
    Figure {
        name: "numerics_zones",
        description: "Zones and branches in the plane of r and e, with trajectories and the ends of their inner steps",
        width: 460.0,
        panels: &[
            (
                "wide",
                "(a) Zones of the characteristic, branches of the shift",
                linear("r = F_0 / F_s", Some([-1.5, 1.5])),
                linear("e = (v - z_dot) / v_s", Some([-4.0, 12.0])),
            ),
            (
                "stick",
                "(b) Stick",
                linear("r = F_0 / F_s", Some([-1.1, 1.1])),
                linear("e = (v - z_dot) / v_s", Some([-1.1, 1.1])),
            ),
        ],
    },
    Figure {
        name: "numerics_regularised_time",
        description: "Length of a step by series in the time t and in the regularised time, over s",
        width: 380.0,
        panels: &[
            (
                "stick",
                "(a) Stick, tolerance 3e-9",
                decades("s", "", None),
                decades("length of a step", "s", Some([1e-7, 1e-3])),
            ),
            (
                "cubic",
                "(b) Cubic, tolerance 5e-7",
                decades("s", "", None),
                decades("length of a step", "s", Some([1e-7, 1e-3])),
            ),
        ],
    },
    Figure {
        name: "numerics_stick",
        description: "Largest error of a step of stick over its tolerance, by method",
        width: 420.0,
        panels: &[("errors", "Steps of stick", TOLERANCE, decades("largest error of r and weight e", "", None))],
    },
    Figure {
        name: "numerics_errors",
        description: "Errors of random communication steps over the tolerance",
        width: 380.0,
        panels: &[
            ("worst", "(a) Largest error", TOLERANCE, decades("error of F_R / F_s", "", None)),
            ("typical", "(b) Error of 99 % of the steps", TOLERANCE, decades("error of F_R / F_s", "", None)),
        ],
    },
];

/// The command.
pub fn command() -> Result<()> {
    let mut cargo = workspace::cargo();
    workspace::run(cargo.args(["test", "--release", "-p", "bristle", "--lib", "frdyn2::figures", "--", "--ignored"]))?;
    for figure in &FIGURES {
        let text = files::read_text(&workspace::made()?.join(format!("{}.tsv", figure.name)))?;
        let path = workspace::root().join(format!("docs/figures/{}.svg", figure.name));
        files::write(&path, draw(figure, &text)?)?;
        say!("{}", path.display());
    }
    Ok(())
}

fn draw(figure: &Figure, text: &str) -> Result<String> {
    let panels: Result<Vec<_>> = figure
        .panels
        .iter()
        .map(|&(name, title, x, y)| Ok(Panel { title: title.to_owned(), x, y, curves: curves(name, text)? }))
        .collect();
    Ok(picture(&panels?, figure.width, figure.description))
}

/// Curves of a panel in the order of their first points. Curves whose names agree up to a slash share a pen and a label.
fn curves(panel: &str, text: &str) -> Result<Vec<Curve>> {
    let mut curves: Vec<(String, Curve)> = Vec::new();
    let mut labels: Vec<String> = Vec::new();
    for line in text.lines() {
        let fields: Vec<_> = line.split('\t').collect();
        let [of_panel, name, x, y] = fields[..] else { anyhow::bail!("a point has four fields, not {line:?}") };
        if of_panel != panel {
            continue;
        }
        let point = [x, y].map(str::parse::<f64>);
        let [Ok(x), Ok(y)] = point else { anyhow::bail!("{line:?} has no numbers") };
        if curves.last().is_none_or(|(last, _)| last != name) && curves.iter().all(|(known, _)| known != name) {
            let label = name.split('/').next().context("a name has a part before its slash")?;
            let label = if name.contains("v_d/v_s") { "|w| = v_d / v_s" } else { label };
            let known = labels.iter().position(|known| known == label);
            let number = known.unwrap_or(labels.len());
            if known.is_none() {
                labels.push(label.to_owned());
            }
            let pen = match label {
                "error = tolerance" | "s = 0.3" | "|r| = 1" | "time to |r| = 1" => Pen::Guide,
                "trajectories" => Pen::Main,
                "ends of inner steps" => Pen::Series(1, 0),
                _ => Pen::Series(number, number / 3 + usize::from(label.contains('w'))),
            };
            let label = if known.is_none() { label.to_owned() } else { String::new() };
            curves.push((name.to_owned(), Curve { label, points: Vec::new(), pen }));
        }
        let known = curves.iter_mut().rev().find(|(known, _)| known == name);
        known.context("the curve was just made")?.1.points.push([x, y]);
    }
    Ok(curves.into_iter().map(|(_, curve)| curve).collect())
}
