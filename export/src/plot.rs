//! Line plots, as SVG for the documentation page and as PNG: a frame, ticks, axis labels with
//! units, a legend.
//!
//! Equal curves give equal bytes on every platform: nothing depends on installed fonts, time or
//! machine.

mod png;
mod svg;

use crate::curves::Points;
use crate::error::Result;
use crate::number::short;

/// Plot of some curves.
pub struct Panel {
    /// Title.
    pub title: String,
    /// Abscissa.
    pub x: Axis,
    /// Ordinate.
    pub y: Axis,
    /// Curves, in the order of drawing and of the legend.
    pub curves: Vec<Curve>,
}

/// Axis that shows the values times `scale`, in `unit`.
#[derive(Clone, Copy)]
pub struct Axis {
    /// Symbol of the quantity.
    pub label: &'static str,
    /// Unit; empty for none.
    pub unit: &'static str,
    /// Number of units in one SI unit.
    pub scale: f64,
    /// Whether equal ratios of values, which are above 0, have equal lengths.
    pub is_logarithmic: bool,
}

/// Line through points.
pub struct Curve {
    /// Model in the legend.
    pub label: String,
    /// Points in SI units.
    pub points: Points,
    /// Colour and pattern.
    pub pen: Pen,
}

/// Colour and pattern of a line.
#[derive(Clone, Copy)]
pub enum Pen {
    /// Solid and blue.
    Main,
    /// Dashed and orange.
    Dashed,
    /// A small diamond at each point.
    Points,
    /// Thin and grey: rows of a measurement, behind the curves.
    Rows,
    /// Thin and light, behind the curves.
    Grid,
    /// Thin and dark.
    Frame,
}

/// Picture as a list of marks, in the order of drawing.
pub struct Picture {
    width: f64,
    height: f64,
    /// For those who cannot see it.
    description: String,
    marks: Vec<Mark>,
}

/// Part of a picture. Positions are in pixels of the SVG, from its upper left corner.
enum Mark {
    Line {
        points: Points,
        pen: Pen,
    },
    /// Text in which symbols stand as in the catalogue.
    Text {
        at: [f64; 2],
        anchor: Anchor,
        text: String,
    },
}

/// Place of a text's reference point in it, and with it the text's purpose.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Anchor {
    /// At the start of a bold text.
    Title,
    Start,
    Middle,
    End,
    /// In the middle of a text that runs upwards.
    Upwards,
}

/// Height of a panel with a legend of two lines.
const HEIGHT: f64 = 290.0;
const LEFT: f64 = 62.0;
const RIGHT: f64 = 14.0;
const BOTTOM: f64 = 46.0;
/// Height of the title, above a line for each entry of the legend.
const TITLE: f64 = 28.0;
const LEGEND_LINE: f64 = 15.0;
/// Half the width of the mark of a point.
const MARK: f64 = 3.0;

impl Picture {
    /// Panels side by side, each `width` wide, with a description for those who cannot see them.
    pub fn new(panels: &[Panel], width: f64, description: &str) -> Self {
        // Legends of equal height keep the frames in one line.
        let legend = panels
            .iter()
            .map(|panel| panel.curves.len())
            .max()
            .unwrap_or(0) as f64
            * LEGEND_LINE;
        let height = HEIGHT + (legend - 2.0 * LEGEND_LINE).max(0.0);
        let mut picture = Picture {
            width: width * panels.len() as f64,
            height,
            description: description.to_owned(),
            marks: Vec::new(),
        };
        for (i, panel) in panels.iter().enumerate() {
            let frame = Frame {
                left: width * i as f64 + LEFT,
                right: width * (i + 1) as f64 - RIGHT,
                top: TITLE + legend + 6.0,
                bottom: height - BOTTOM,
            };
            picture.draw(panel, &frame);
        }
        picture
    }

    /// Picture as SVG.
    pub fn svg(&self) -> String {
        svg::write(self)
    }

    /// Picture as PNG, with twice as many pixels.
    pub fn png(&self) -> Result<Vec<u8>> {
        png::paint(self)
    }

    fn line(&mut self, points: impl Into<Points>, pen: Pen) {
        self.marks.push(Mark::Line {
            points: points.into(),
            pen,
        });
    }

    fn text(&mut self, at: [f64; 2], anchor: Anchor, text: impl Into<String>) {
        self.marks.push(Mark::Text {
            at,
            anchor,
            text: text.into(),
        });
    }

    fn draw(&mut self, panel: &Panel, frame: &Frame) {
        let Frame {
            left,
            right,
            top,
            bottom,
        } = *frame;
        let x = Scale::new(panel, 0, &panel.x, [left, right]);
        let y = Scale::new(panel, 1, &panel.y, [bottom, top]);

        self.text([left, 17.0], Anchor::Title, &panel.title);
        for (i, curve) in panel.curves.iter().enumerate() {
            let line = TITLE + LEGEND_LINE * (i as f64 + 0.5);
            let is_marks = matches!(curve.pen, Pen::Points);
            let sample = if is_marks {
                vec![[left + 11.0, line]]
            } else {
                vec![[left, line], [left + 22.0, line]]
            };
            self.curve(sample, curve.pen);
            self.text([left + 28.0, line + 4.0], Anchor::Start, &curve.label);
        }

        for (position, label) in x.ticks() {
            self.line([[position, top], [position, bottom]], Pen::Grid);
            self.text([position, bottom + 16.0], Anchor::Middle, label);
        }
        for (position, label) in y.ticks() {
            self.line([[left, position], [right, position]], Pen::Grid);
            self.text([left - 6.0, position + 4.0], Anchor::End, label);
        }
        self.line(
            [
                [left, top],
                [left, bottom],
                [right, bottom],
                [right, top],
                [left, top],
            ],
            Pen::Frame,
        );
        self.text(
            [(left + right) / 2.0, bottom + 36.0],
            Anchor::Middle,
            panel.x.title(),
        );
        self.text(
            [left - 48.0, (top + bottom) / 2.0],
            Anchor::Upwards,
            panel.y.title(),
        );

        for curve in &panel.curves {
            let points: Points = curve
                .points
                .iter()
                .map(|point| [x.place(point[0]), y.place(point[1])])
                .collect();
            self.curve(points, curve.pen);
        }
    }

    /// A line through points, or a mark at each of them.
    fn curve(&mut self, points: Points, pen: Pen) {
        if !matches!(pen, Pen::Points) {
            return self.line(simplify(&points), pen);
        }
        for [x, y] in points {
            let (left, right, top, bottom) =
                ([x - MARK, y], [x + MARK, y], [x, y - MARK], [x, y + MARK]);
            self.line([left, top, right, bottom, left], pen);
        }
    }
}

/// Edges of the frame in the picture.
struct Frame {
    left: f64,
    right: f64,
    top: f64,
    bottom: f64,
}

impl Axis {
    /// Axis on which equal differences have equal lengths.
    pub const fn linear(label: &'static str, unit: &'static str, scale: f64) -> Self {
        Axis {
            label,
            unit,
            scale,
            is_logarithmic: false,
        }
    }

    fn title(&self) -> String {
        match self.unit {
            "" => self.label.to_owned(),
            unit => format!("{} / {unit}", self.label),
        }
    }
}

/// Range of values of an axis, or of their decimal logarithms, and the ends of the axis in the
/// picture.
struct Scale {
    scale: f64,
    is_logarithmic: bool,
    low: f64,
    high: f64,
    ends: [f64; 2],
}

impl Scale {
    fn new(panel: &Panel, coordinate: usize, axis: &Axis, ends: [f64; 2]) -> Self {
        let Axis {
            scale,
            is_logarithmic,
            ..
        } = *axis;
        let mut scale = Scale {
            scale,
            is_logarithmic,
            low: f64::MAX,
            high: f64::MIN,
            ends,
        };
        for point in panel.curves.iter().flat_map(|curve| &curve.points) {
            let value = scale.value(point[coordinate]);
            (scale.low, scale.high) = (scale.low.min(value), scale.high.max(value));
        }
        // A curve that is constant but for rounding gets an axis, too.
        let size = scale.low.abs().max(scale.high.abs());
        let width = (scale.high - scale.low).max(1e-6 * size);
        let margin = 0.04 * if width > 1e-200 { width } else { 1.0 };
        (scale.low, scale.high) = (scale.low - margin, scale.high + margin);
        scale
    }

    /// Value on the axis.
    fn value(&self, value: f64) -> f64 {
        let scaled = value * self.scale;
        if self.is_logarithmic {
            libm::log10(scaled.max(f64::MIN_POSITIVE))
        } else {
            scaled
        }
    }

    fn place(&self, value: f64) -> f64 {
        self.at(self.value(value))
    }

    fn at(&self, on_axis: f64) -> f64 {
        let share = (on_axis - self.low) / (self.high - self.low);
        self.ends[0] + share * (self.ends[1] - self.ends[0])
    }

    /// Position and label of round values, about five of them.
    fn ticks(&self) -> Vec<(f64, String)> {
        if self.is_logarithmic {
            let decades = libm::ceil(self.low - 1e-9) as i32..=libm::floor(self.high + 1e-9) as i32;
            return decades
                .map(|decade| {
                    (
                        self.at(f64::from(decade)),
                        short(libm::pow(10.0, f64::from(decade))),
                    )
                })
                .collect();
        }
        let rough = (self.high - self.low) / 5.0;
        let exponent = libm::floor(libm::log10(rough));
        let power = libm::pow(10.0, exponent);
        let step = [1.0, 2.0, 5.0, 10.0]
            .into_iter()
            .map(|digit| digit * power)
            .find(|step| *step >= rough);
        let step = step.unwrap_or(10.0 * power);
        let decimals = (-libm::floor(libm::log10(step * (1.0 + 1e-9)))).max(0.0) as usize;
        // The tolerance gives an end that is round its own tick.
        let first = libm::ceil(self.low / step - 1e-9) as i64;
        let last = libm::floor(self.high / step + 1e-9) as i64;
        (first..=last)
            .map(|i| {
                let value = i as f64 * step;
                (
                    self.at(value),
                    format!("{value:.decimals$}").replace('-', "\u{2212}"),
                )
            })
            .collect()
    }
}

/// Points that a line needs to stay within a tenth of a pixel of all of them (Ramer, Douglas,
/// Peucker).
fn simplify(points: &[[f64; 2]]) -> Points {
    let mut keep = vec![false; points.len()];
    let mut open = vec![(0, points.len().saturating_sub(1))];
    while let Some((first, last)) = open.pop() {
        if let Some(keep) = keep.get_mut(first) {
            *keep = true;
        }
        if let Some(keep) = keep.get_mut(last) {
            *keep = true;
        }
        let farthest = (first + 1..last)
            .map(|i| (i, distance(points[i], points[first], points[last])))
            .max_by(|a, b| a.1.total_cmp(&b.1));
        if let Some((i, _)) = farthest.filter(|(_, distance)| *distance > 0.1) {
            open.extend([(first, i), (i, last)]);
        }
    }
    points
        .iter()
        .zip(keep)
        .filter(|(_, keep)| *keep)
        .map(|(point, _)| *point)
        .collect()
}

/// Distance from a point to the segment between two others.
fn distance(point: [f64; 2], from: [f64; 2], to: [f64; 2]) -> f64 {
    let [dx, dy] = [to[0] - from[0], to[1] - from[1]];
    let [px, py] = [point[0] - from[0], point[1] - from[1]];
    let length = dx * dx + dy * dy;
    let share = if length > 0.0 {
        ((px * dx + py * dy) / length).clamp(0.0, 1.0)
    } else {
        0.0
    };
    libm::hypot(px - share * dx, py - share * dy)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn simplified_line_keeps_its_corners() {
        let line: Points = (0..=100_i32)
            .map(|i| [f64::from(i), f64::from((i - 50).abs())])
            .collect();
        assert_eq!(simplify(&line), [[0.0, 50.0], [50.0, 0.0], [100.0, 50.0]]);
        let closed: Points = vec![[0.0, 0.0], [5.0, 5.0], [0.0, 0.0]];
        assert_eq!(simplify(&closed), closed);
        assert_eq!(simplify(&[]), Points::new());
    }

    #[test]
    fn ticks_are_round_and_inside() {
        let scale = Scale {
            scale: 1e6,
            is_logarithmic: false,
            low: -2.6,
            high: 2.6,
            ends: [0.0, 520.0],
        };
        let ticks = scale.ticks();
        let labels: Vec<_> = ticks.iter().map(|(_, label)| label.as_str()).collect();
        assert_eq!(labels, ["\u{2212}2", "0", "2"]);
        assert!((ticks[1].0 - 260.0).abs() < 1e-9);
        let scale = Scale {
            scale: 1.0,
            is_logarithmic: false,
            low: 0.0,
            high: 1.0,
            ends: [0.0, 1.0],
        };
        let labels: Vec<_> = scale.ticks().into_iter().map(|(_, label)| label).collect();
        assert_eq!(labels, ["0.0", "0.2", "0.4", "0.6", "0.8", "1.0"]);
        let scale = Scale {
            scale: 1e3,
            is_logarithmic: true,
            low: -0.1,
            high: 2.1,
            ends: [0.0, 220.0],
        };
        let ticks = scale.ticks();
        assert_eq!(
            ticks
                .iter()
                .map(|(_, label)| label.as_str())
                .collect::<Vec<_>>(),
            ["1", "10", "100"]
        );
        assert!((ticks[1].0 - scale.place(0.01)).abs() < 1e-9 && (ticks[1].0 - 110.0).abs() < 1e-9);
    }
}
