//! The work–precision picture of `docs/performance.md`, from the points that the measurement left.

use anyhow::{Context, Result};

use bristle_export::plot::{Axis, Curve, Panel, Pen, Spacing, picture};

/// The communication step whose costs are drawn.
const SHOWN: &str = "1e-4";
const STEPS: [&str; 3] = ["1e-3", "1e-4", "1e-5"];

/// A line of the points' file.
struct Point<'a> {
    workload: &'a str,
    h: &'a str,
    method: &'a str,
    tolerance: f64,
    error: f64,
    cost: f64,
}

impl<'a> Point<'a> {
    fn read(line: &'a str) -> Option<Self> {
        let mut fields = line.split('\t');
        let mut next = || fields.next();
        let (workload, h, method) = (next()?, next()?, next()?);
        let mut number = || next()?.parse().ok();
        Some(Point { workload, h, method, tolerance: number()?, error: number()?, cost: number()? })
    }
}

/// Draws the picture from the text of the points' file.
pub fn draw(text: &str) -> Result<String> {
    let points: Option<Vec<_>> = text.lines().skip(1).map(Point::read).collect();
    let points = points.context("a line of the measured points has fields missing")?;
    let mut workloads: Vec<&str> = points.iter().map(|point| point.workload).collect();
    workloads.dedup();

    let all =
        || workloads.iter().enumerate().flat_map(|(i, w)| STEPS.iter().enumerate().map(move |(j, h)| (i, *w, j, *h)));
    let select = |method: &'static str, workload: &str, h: &str| -> Vec<&Point> {
        points.iter().filter(|p| p.method == method && p.workload == workload && p.h == h).collect()
    };
    let mut errors: Vec<_> = all()
        .map(|(i, workload, j, h)| Curve {
            label: format!("{}, H = {h} s", short(workload)),
            points: select("Bristle", workload, h).iter().map(|p| [p.tolerance, p.error]).collect(),
            pen: Pen::Series(i, j),
        })
        .filter(|curve| !curve.points.is_empty())
        .collect();
    let (low, high) = (1e-10, 1e-3);
    errors.push(Curve {
        label: "error = tolerance".to_owned(),
        points: vec![[low, low], [high, high]],
        pen: Pen::Guide,
    });
    let costs = ["Bristle", "CVODE"]
        .iter()
        .enumerate()
        .flat_map(|(j, method)| workloads.iter().enumerate().map(move |(i, workload)| (j, *method, i, *workload)));
    let costs: Vec<_> = costs
        .map(|(j, method, i, workload)| Curve {
            label: format!("{method}, {}", short(workload)),
            points: select(method, workload, SHOWN).iter().map(|p| [p.error, p.cost]).collect(),
            pen: Pen::Series(i, j),
        })
        .filter(|curve| !curve.points.is_empty())
        .collect();

    let decades = |label, unit| Axis { label, unit, scale: 1.0, spacing: Spacing::Decades, range: None };
    let precision = Panel {
        title: "(a) Error over tolerance".to_owned(),
        x: decades("tolerance", ""),
        y: decades("largest error of F_R / F_s", ""),
        curves: errors,
    };
    let work = Panel {
        title: format!("(b) Cost over error, H = {SHOWN} s"),
        x: decades("largest error of F_R / F_s", ""),
        y: decades("processor time of a step", "ns"),
        curves: costs,
    };
    Ok(picture(
        &[precision, work],
        420.0,
        "FrDyn2: the error that each tolerance leaves, and what an error costs beside CVODE",
    ))
}

/// The workload's number.
fn short(workload: &str) -> &str {
    workload.split_once(' ').map_or(workload, |(number, _)| number)
}
