//! A figure as data: which columns of which run stand in which panel, and on what axes.

use std::collections::HashMap;

use anyhow::{Context, Result, ensure};

use bristle_export::plot::{self, Axis, Pen, Spacing, Style, grid};

/// A figure of a paper.
pub struct Figure {
    /// The picture's name.
    pub file: &'static str,
    /// The name of its data.
    pub data: &'static str,
    /// Where the paper has it.
    pub place: &'static str,
    /// What one sees.
    pub caption: &'static str,
    /// Panels in a row.
    pub columns: usize,
    pub panels: &'static [Panel],
}

pub struct Panel {
    pub title: &'static str,
    /// The column over which the panel is drawn, and its axis.
    pub x: (&'static str, Axis),
    pub y: Axis,
    pub curves: &'static [Curve],
}

/// A run's column.
#[derive(Clone, Copy)]
pub struct Curve {
    pub run: &'static str,
    pub column: &'static str,
    /// In the legend; nothing is no entry.
    pub label: &'static str,
    pub pen: Pen,
}

/// An axis with linear spacing whose ends are given in its unit.
pub const fn axis(label: &'static str, unit: &'static str, scale: f64, range: [f64; 2]) -> Axis {
    Axis { label, unit, scale, spacing: Spacing::Linear, range: Some(range) }
}

pub const fn curve(run: &'static str, column: &'static str, label: &'static str, pen: Pen) -> Curve {
    Curve { run, column, label, pen }
}

pub const fn pen(colour: &'static str, width: f64, dashes: &'static str) -> Pen {
    Pen::Own(Style { colour, width, dashes })
}

/// The width of a panel.
const WIDTH: f64 = 330.0;

impl Figure {
    /// The picture, from the text of its data.
    pub fn draw(&self, text: &str) -> Result<String> {
        let data = Data::read(text).with_context(|| format!("{}.csv is no table", self.data))?;
        let panels: Result<Vec<_>> = self.panels.iter().map(|panel| panel.fill(&data)).collect();
        let panels = panels.with_context(|| format!("{} does not fit its data", self.file))?;
        Ok(grid(&panels, self.columns, WIDTH, &format!("{}: {}", self.place, self.caption)))
    }
}

impl Panel {
    fn fill(&self, data: &Data) -> Result<plot::Panel> {
        let curves = self.curves.iter().map(|curve| {
            Ok(plot::Curve {
                label: curve.label.to_owned(),
                points: data.points(curve.run, self.x.0, curve.column)?,
                pen: curve.pen,
            })
        });
        Ok(plot::Panel { title: self.title.to_owned(), x: self.x.1, y: self.y, curves: curves.collect::<Result<_>>()? })
    }
}

/// A table of runs: a name, then numbers; the head has a unit behind each name.
struct Data<'a> {
    columns: Vec<&'a str>,
    runs: HashMap<&'a str, Vec<Vec<f64>>>,
}

impl<'a> Data<'a> {
    fn read(text: &'a str) -> Result<Self> {
        let mut lines = text.lines();
        let head = lines.next().context("it is empty")?;
        let columns: Vec<_> = head.split(',').skip(1).map(|name| name.split(" [").next().unwrap_or(name)).collect();
        let mut runs: HashMap<_, Vec<_>> = HashMap::new();
        for line in lines {
            let (run, numbers) = line.split_once(',').with_context(|| format!("`{line}` has one column"))?;
            let numbers: Result<Vec<f64>, _> = numbers.split(',').map(str::parse).collect();
            let numbers = numbers.with_context(|| format!("`{line}` has something else than numbers"))?;
            ensure!(numbers.len() == columns.len(), "`{line}` has other columns than the head");
            runs.entry(run).or_default().push(numbers);
        }
        Ok(Data { columns, runs })
    }

    fn points(&self, run: &str, x: &str, y: &str) -> Result<Vec<[f64; 2]>> {
        let place = |name: &str| {
            self.columns
                .iter()
                .position(|column| *column == name)
                .with_context(|| format!("there is no column `{name}`"))
        };
        let [x, y] = [place(x)?, place(y)?];
        let rows = self.runs.get(run).with_context(|| format!("there is no run `{run}`"))?;
        Ok(rows.iter().map(|row| [row[x], row[y]]).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_found_by_run_and_name() {
        let data = Data::read("run,t [s],u [m]\na; b,0,1e-6\na; b,1,2\nc,0,3\n").unwrap();
        assert_eq!(data.points("a; b", "t", "u").unwrap(), [[0.0, 1e-6], [1.0, 2.0]]);
        assert!(data.points("d", "t", "u").is_err() && data.points("c", "t", "w").is_err());
        assert!(Data::read("run,t [s]\na,0,1\n").is_err());
    }
}
