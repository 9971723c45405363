//! Line plots as SVG: a frame, ticks, axis labels with units, a legend. Small enough to know every byte of it, and
//! nothing in it depends on fonts, time or machine.

use std::fmt::Write;

use crate::curves::Points;
use crate::typeset::svg as typeset;

/// A plot.
pub struct Panel {
    pub title: String,
    pub x: Axis,
    pub y: Axis,
    pub curves: Vec<Curve>,
}

/// What an axis shows: the values times `scale`, in `unit`.
#[derive(Clone, Copy)]
pub struct Axis {
    pub label: &'static str,
    pub unit: &'static str,
    pub scale: f64,
    pub spacing: Spacing,
    /// The ends of the axis in its unit; what lies beyond is cut off. Where there are none, all curves fit.
    pub range: Option<[f64; 2]>,
}

/// How values are spread over an axis.
#[derive(Clone, Copy, PartialEq)]
pub enum Spacing {
    Linear,
    /// By decades; every value is above 0.
    Decades,
}

/// A line through points.
pub struct Curve {
    pub label: String,
    pub points: Points,
    pub pen: Pen,
}

/// How a curve is drawn.
#[derive(Clone, Copy)]
pub enum Pen {
    Main,
    Dashed,
    /// A thin line to compare with.
    Guide,
    /// One of many: a colour and a pattern, each from 0 to 2.
    Series(usize, usize),
    Own(Style),
}

/// A pen of its own.
#[derive(Clone, Copy)]
pub struct Style {
    pub colour: &'static str,
    pub width: f64,
    /// Lengths of dashes and gaps; nothing is a solid line.
    pub dashes: &'static str,
}

impl Pen {
    fn attributes(self) -> String {
        const COLOURS: [&str; 3] = ["#1f4e79", "#d1661a", "#3b8a4e"];
        const PATTERNS: [&str; 3] = ["", " stroke-dasharray=\"6 3\"", " stroke-dasharray=\"1.5 2.5\""];
        match self {
            Pen::Main => "stroke=\"#1f4e79\" stroke-width=\"1.8\"".to_owned(),
            Pen::Dashed => "stroke=\"#d1661a\" stroke-width=\"1.6\" stroke-dasharray=\"5 3\"".to_owned(),
            Pen::Guide => "stroke=\"#888\" stroke-width=\"1\"".to_owned(),
            Pen::Series(colour, pattern) => {
                format!("stroke=\"{}\" stroke-width=\"1.6\"{}", COLOURS[colour % 3], PATTERNS[pattern % 3])
            }
            Pen::Own(Style { colour, width, dashes: "" }) => format!("stroke=\"{colour}\" stroke-width=\"{width}\""),
            Pen::Own(Style { colour, width, dashes }) => format!(
                "stroke=\"{colour}\" stroke-width=\"{width}\" stroke-dasharray=\"{dashes}\" stroke-linecap=\"round\""
            ),
        }
    }
}

/// With a legend of up to two lines; a longer one adds its own.
const HEIGHT: f64 = 290.0;
const LEFT: f64 = 50.0;
/// More room on the left for powers of ten.
const POWERS: f64 = 12.0;
const RIGHT: f64 = 14.0;
const BOTTOM: f64 = 46.0;
/// Title, then a line for each entry of the legend.
const TITLE: f64 = 28.0;
const LEGEND_LINE: f64 = 15.0;

/// Panels side by side, each `width` wide, as one picture with a description for those who cannot see it.
pub fn picture(panels: &[Panel], width: f64, description: &str) -> String {
    grid(panels, panels.len(), width, description)
}

/// Panels in rows of `columns`.
pub fn grid(panels: &[Panel], columns: usize, width: f64, description: &str) -> String {
    let rows: Vec<_> = panels.chunks(columns.max(1)).collect();
    // Legends of equal height keep the frames of a row in one line.
    let legends: Vec<_> = rows.iter().map(|row| row.iter().map(legend_lines).max().unwrap_or(0)).collect();
    let legends = legends.into_iter().map(|lines| lines as f64 * LEGEND_LINE);
    let heights: Vec<_> = legends.map(|legend| (legend, HEIGHT + (legend - 2.0 * LEGEND_LINE).max(0.0))).collect();
    let total = width * rows.first().map_or(0, |row| row.len()) as f64;
    let height: f64 = heights.iter().map(|(_, height)| height).sum();
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {total} {height}\" width=\"{total}\" \
         height=\"{height}\" role=\"img\" font-family=\"Helvetica, Arial, 'Liberation Sans', sans-serif\" \
         font-size=\"12\" fill=\"#222\">\n<title>{}</title>\n\
         <rect width=\"{total}\" height=\"{height}\" fill=\"#fff\"/>\n",
        crate::typeset::escape(description)
    );
    let mut above = 0.0;
    for (row, (legend, height)) in rows.iter().zip(heights) {
        for (i, panel) in row.iter().enumerate() {
            let frame = Frame {
                left: width * i as f64 + LEFT + powers(panel),
                right: width * (i + 1) as f64 - RIGHT,
                above,
                top: above + TITLE + legend + 6.0,
                bottom: above + height - BOTTOM,
            };
            draw(&mut svg, panel, &frame);
        }
        above += height;
    }
    svg.push_str("</svg>\n");
    svg
}

/// A curve without a label is not in the legend.
fn legend_lines(panel: &Panel) -> usize {
    panel.curves.iter().filter(|curve| !curve.label.is_empty()).count()
}

fn powers(panel: &Panel) -> f64 {
    if panel.y.spacing == Spacing::Decades { POWERS } else { 0.0 }
}

struct Frame {
    left: f64,
    right: f64,
    /// Where the title's part begins.
    above: f64,
    top: f64,
    bottom: f64,
}

fn draw(svg: &mut String, panel: &Panel, frame: &Frame) {
    let Frame { left, right, above, top, bottom } = *frame;
    let x = Scale::new(panel, 0, &panel.x, [left, right]);
    let y = Scale::new(panel, 1, &panel.y, [bottom, top]);

    text(svg, left, above + 17.0, "font-weight=\"bold\" font-size=\"13\"", &panel.title);
    for (i, curve) in panel.curves.iter().filter(|curve| !curve.label.is_empty()).enumerate() {
        let line = above + TITLE + LEGEND_LINE * (i as f64 + 0.5);
        let pen = curve.pen.attributes();
        put(svg, format_args!("<path d=\"M{left:.2} {line:.2}h22\" fill=\"none\" {pen}/>"));
        text(svg, left + 28.0, line + 4.0, "", &curve.label);
    }

    for (position, label) in x.ticks() {
        put(svg, format_args!("<path d=\"M{position:.2} {top:.2}V{bottom:.2}\" stroke=\"#ddd\"/>"));
        text(svg, position, bottom + 16.0, "text-anchor=\"middle\"", &label);
    }
    for (position, label) in y.ticks() {
        put(svg, format_args!("<path d=\"M{left:.2} {position:.2}H{right:.2}\" stroke=\"#ddd\"/>"));
        text(svg, left - 6.0, position + 4.0, "text-anchor=\"end\"", &label);
    }
    put(
        svg,
        format_args!(
            "<path d=\"M{left:.2} {top:.2}V{bottom:.2}H{right:.2}V{top:.2}Z\" fill=\"none\" stroke=\"#555\"/>"
        ),
    );
    text(svg, (left + right) / 2.0, bottom + 36.0, "text-anchor=\"middle\"", &panel.x.title());
    let (from_left, middle) = (left - 34.0 - powers(panel), (top + bottom) / 2.0);
    let turned = format!("text-anchor=\"middle\" transform=\"rotate(-90 {from_left:.2} {middle:.2})\"");
    text(svg, from_left, middle, &turned, &panel.y.title());

    // Only what can go beyond the frame is cut: names of such parts must be unique in a page that shows several pictures.
    let cut = panel.x.range.is_some() || panel.y.range.is_some();
    let name = format!("frame-{left:.0}-{top:.0}");
    if cut {
        let (width, height) = (right - left, bottom - top);
        put(
            svg,
            format_args!(
                "<clipPath id=\"{name}\"><path d=\"M{left:.2} {top:.2}h{width:.2}v{height:.2}h{:.2}Z\"/></clipPath>\n\
                 <g clip-path=\"url(#{name})\">",
                -width
            ),
        );
    }
    for curve in &panel.curves {
        let points: Points = curve.points.iter().map(|point| [x.place(point[0]), y.place(point[1])]).collect();
        let pen = curve.pen.attributes();
        put(
            svg,
            format_args!(
                "<polyline points=\"{}\" fill=\"none\" stroke-linejoin=\"round\" {pen}/>",
                coordinates(&simplify(&points))
            ),
        );
    }
    if cut {
        put(svg, format_args!("</g>"));
    }
}

impl Axis {
    fn title(&self) -> String {
        match self.unit {
            "" => self.label.to_owned(),
            unit => format!("{} / {unit}", self.label),
        }
    }
}

/// Values of an axis and where they stand in the picture. Where decades are equally long, low and high are logarithms.
struct Scale {
    scale: f64,
    spacing: Spacing,
    low: f64,
    high: f64,
    ends: [f64; 2],
}

impl Scale {
    fn new(panel: &Panel, coordinate: usize, axis: &Axis, ends: [f64; 2]) -> Self {
        if let Some(range) = axis.range {
            let mut scale = Scale { scale: 1.0, spacing: axis.spacing, low: 0.0, high: 0.0, ends };
            (scale.low, scale.high) = (scale.on_axis(range[0]), scale.on_axis(range[1]));
            return Scale { scale: axis.scale, ..scale };
        }
        let mut scale = Scale { scale: axis.scale, spacing: axis.spacing, low: f64::MAX, high: f64::MIN, ends };
        for point in panel.curves.iter().flat_map(|curve| &curve.points) {
            let value = scale.on_axis(point[coordinate]);
            (scale.low, scale.high) = (scale.low.min(value), scale.high.max(value));
        }
        let margin = 0.04 * (scale.high - scale.low).max(f64::MIN_POSITIVE);
        (scale.low, scale.high) = (scale.low - margin, scale.high + margin);
        scale
    }

    fn on_axis(&self, value: f64) -> f64 {
        match self.spacing {
            Spacing::Linear => value * self.scale,
            // What has no logarithm lies far below.
            Spacing::Decades => libm::log10((value * self.scale).max(1e-30)),
        }
    }

    fn place(&self, value: f64) -> f64 {
        self.at(self.on_axis(value))
    }

    fn at(&self, on_axis: f64) -> f64 {
        let share = (on_axis - self.low) / (self.high - self.low);
        self.ends[0] + share * (self.ends[1] - self.ends[0])
    }

    /// Position and label of round values, about five of them, or of decades, at most nine.
    fn ticks(&self) -> Vec<(f64, String)> {
        if self.spacing == Spacing::Decades {
            let (first, last) = (libm::ceil(self.low) as i32, libm::floor(self.high) as i32);
            let stride = (last - first) / 9 + 1;
            return (first..=last)
                .filter(|n| n % stride == 0)
                .map(|n| (self.at(f64::from(n)), format!("10{}", superscript(n))))
                .collect();
        }
        let rough = (self.high - self.low) / 5.0;
        let exponent = libm::floor(libm::log10(rough));
        let power = libm::pow(10.0, exponent);
        let step = [1.0, 2.0, 5.0, 10.0].into_iter().map(|digit| digit * power).find(|step| *step >= rough);
        let step = step.unwrap_or(10.0 * power);
        let decimals = (-libm::floor(libm::log10(step * (1.0 + 1e-9)))).max(0.0) as usize;
        // A hair of tolerance: an end that is round has its own tick.
        let first = libm::ceil(self.low / step - 1e-9) as i64;
        let last = libm::floor(self.high / step + 1e-9) as i64;
        (first..=last)
            .map(|i| {
                let value = i as f64 * step;
                (self.at(value), format!("{value:.decimals$}").replace('-', "\u{2212}"))
            })
            .collect()
    }
}

fn superscript(n: i32) -> String {
    let digit = |c: char| match c {
        '-' => '\u{207b}',
        '1' => '\u{b9}',
        '2' => '\u{b2}',
        '3' => '\u{b3}',
        digit => char::from_u32(0x2070 + digit.to_digit(10).unwrap_or(0)).unwrap_or(digit),
    };
    n.to_string().chars().map(digit).collect()
}

fn text(svg: &mut String, x: f64, y: f64, attributes: &str, text: &str) {
    put(svg, format_args!("<text x=\"{x:.2}\" y=\"{y:.2}\" {attributes}>{}</text>", typeset(text)));
}

fn put(svg: &mut String, line: std::fmt::Arguments) {
    writeln!(svg, "{line}").expect("a string takes every text");
}

fn coordinates(points: &[[f64; 2]]) -> String {
    points.iter().map(|[x, y]| format!("{x:.2},{y:.2}")).collect::<Vec<_>>().join(" ")
}

/// The points that a line needs to stay within a tenth of a pixel of all of them (Ramer, Douglas, Peucker).
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
    points.iter().zip(keep).filter(|(_, keep)| *keep).map(|(point, _)| *point).collect()
}

/// From a point to the segment between two others.
fn distance(point: [f64; 2], from: [f64; 2], to: [f64; 2]) -> f64 {
    let [dx, dy] = [to[0] - from[0], to[1] - from[1]];
    let [px, py] = [point[0] - from[0], point[1] - from[1]];
    let length = dx * dx + dy * dy;
    let share = if length > 0.0 { ((px * dx + py * dy) / length).clamp(0.0, 1.0) } else { 0.0 };
    libm::hypot(px - share * dx, py - share * dy)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn simplified_line_keeps_its_corners() {
        let line: Points = (0..=100_i32).map(|i| [f64::from(i), f64::from((i - 50).abs())]).collect();
        assert_eq!(simplify(&line), [[0.0, 50.0], [50.0, 0.0], [100.0, 50.0]]);
        let closed: Points = vec![[0.0, 0.0], [5.0, 5.0], [0.0, 0.0]];
        assert_eq!(simplify(&closed), closed);
        assert_eq!(simplify(&[]), Points::new());
    }

    #[test]
    fn ticks_are_round_and_inside() {
        let scale = Scale { scale: 1e6, spacing: Spacing::Linear, low: -2.6, high: 2.6, ends: [0.0, 520.0] };
        let ticks = scale.ticks();
        let labels: Vec<_> = ticks.iter().map(|(_, label)| label.as_str()).collect();
        assert_eq!(labels, ["\u{2212}2", "0", "2"]);
        assert!((ticks[1].0 - 260.0).abs() < 1e-9);
        let scale = Scale { scale: 1.0, spacing: Spacing::Linear, low: 0.0, high: 1.0, ends: [0.0, 1.0] };
        let labels: Vec<_> = scale.ticks().into_iter().map(|(_, label)| label).collect();
        assert_eq!(labels, ["0.0", "0.2", "0.4", "0.6", "0.8", "1.0"]);
    }

    #[test]
    fn decades_are_labelled_by_their_powers() {
        let scale = Scale { scale: 1.0, spacing: Spacing::Decades, low: -10.2, high: 2.1, ends: [0.0, 1.0] };
        let labels: Vec<_> = scale.ticks().into_iter().map(|(_, label)| label).collect();
        assert_eq!(
            labels,
            [
                "10\u{207b}\u{b9}\u{2070}",
                "10\u{207b}\u{2078}",
                "10\u{207b}\u{2076}",
                "10\u{207b}\u{2074}",
                "10\u{207b}\u{b2}",
                "10\u{2070}",
                "10\u{b2}"
            ]
        );
    }
}
