//! Heat maps as SVG: cells in rows and columns, each with its number, darker by decades.

use std::fmt::Write;

use bristle_export::typeset::{escape, svg as typeset};

/// A map.
pub struct Map {
    pub title: String,
    /// The names of columns and rows, and what they are values of.
    pub columns: Vec<String>,
    pub rows: Vec<String>,
    pub axes: [&'static str; 2],
    /// A value and its text, by row and column; nothing where nothing was computed.
    pub cells: Vec<Vec<Option<(f64, String)>>>,
    /// The values, above 0, that are white and darkest.
    pub range: [f64; 2],
}

const CELL: [f64; 2] = [58.0, 26.0];
const LEFT: f64 = 66.0;
const TOP: f64 = 30.0;
const RIGHT: f64 = 16.0;
const BOTTOM: f64 = 48.0;

/// Maps in rows, with a description for those who cannot see them.
pub fn picture(lines: &[Vec<Map>], description: &str) -> String {
    let width = |map: &Map| LEFT + map.columns.len() as f64 * CELL[0] + RIGHT;
    let height = |line: &Vec<Map>| {
        let rows = line.iter().map(|map| map.rows.len()).max().unwrap_or(0);
        TOP + rows as f64 * CELL[1] + BOTTOM
    };
    let total = lines.iter().map(|line| line.iter().map(width).sum()).fold(0.0, f64::max);
    let tall: f64 = lines.iter().map(height).sum();
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {total} {tall}\" width=\"{total}\" height=\"{tall}\" \
         role=\"img\" font-family=\"Helvetica, Arial, 'Liberation Sans', sans-serif\" font-size=\"11\" fill=\"#222\">\n\
         <title>{}</title>\n<rect width=\"{total}\" height=\"{tall}\" fill=\"#fff\"/>\n",
        escape(description)
    );
    let mut top = 0.0;
    for line in lines {
        let mut left = 0.0;
        for map in line {
            draw(&mut svg, map, left + LEFT, top + TOP);
            left += width(map);
        }
        top += height(line);
    }
    svg.push_str("</svg>\n");
    svg
}

fn draw(svg: &mut String, map: &Map, left: f64, top: f64) {
    let mut text = |x: f64, y: f64, attributes: &str, text: &str| {
        let _ = writeln!(svg, "<text x=\"{x:.1}\" y=\"{y:.1}\" {attributes}>{}</text>", typeset(text));
    };
    let [width, height] = [map.columns.len() as f64 * CELL[0], map.rows.len() as f64 * CELL[1]];
    text(left, top - 12.0, "font-weight=\"bold\" font-size=\"12\"", &map.title);
    for (i, name) in map.columns.iter().enumerate() {
        text(left + (i as f64 + 0.5) * CELL[0], top + height + 15.0, "text-anchor=\"middle\"", name);
    }
    text(left + width / 2.0, top + height + 34.0, "text-anchor=\"middle\"", map.axes[0]);
    for (i, name) in map.rows.iter().enumerate() {
        text(left - 5.0, top + (i as f64 + 0.5) * CELL[1] + 4.0, "text-anchor=\"end\"", name);
    }
    let (x, y) = (left - 48.0, top + height / 2.0);
    text(x, y, &format!("text-anchor=\"middle\" transform=\"rotate(-90 {x:.1} {y:.1})\""), map.axes[1]);
    for (i, row) in map.cells.iter().enumerate() {
        for (j, cell) in row.iter().enumerate() {
            let (x, y) = (left + j as f64 * CELL[0], top + i as f64 * CELL[1]);
            let Some((value, shown)) = cell else { continue };
            let depth = depth(*value, map.range);
            let ink = if depth > 0.55 { "#fff" } else { "#222" };
            let _ = writeln!(
                svg,
                "<rect x=\"{x:.1}\" y=\"{y:.1}\" width=\"{}\" height=\"{}\" fill=\"{}\" stroke=\"#fff\"/>\n\
                 <text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"middle\" fill=\"{ink}\">{}</text>",
                CELL[0],
                CELL[1],
                colour(depth),
                x + CELL[0] / 2.0,
                y + CELL[1] / 2.0 + 4.0,
                escape(shown)
            );
        }
    }
}

/// 0 at the range's low end and below, 1 at its high end and above.
fn depth(value: f64, [low, high]: [f64; 2]) -> f64 {
    if value.is_nan() {
        return 1.0;
    }
    let share = (libm::log10(value.max(low)) - libm::log10(low)) / (libm::log10(high) - libm::log10(low));
    share.clamp(0.0, 1.0)
}

/// From nearly white to the blue of the plots.
fn colour(depth: f64) -> String {
    let mix = |light: f64, dark: f64| (light + (dark - light) * depth).round() as u8;
    format!("#{:02x}{:02x}{:02x}", mix(238.0, 31.0), mix(243.0, 78.0), mix(250.0, 121.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_darken_by_decades_and_nan_is_darkest() {
        assert_eq!([1e-7, 1e-6, 1e-4, 1e-2, 1.0].map(|x| depth(x, [1e-6, 1e-2])), [0.0, 0.0, 0.5, 1.0, 1.0]);
        assert_eq!(depth(f64::NAN, [1.0, 2.0]), 1.0);
        assert_eq!(colour(1.0), "#1f4e79");
    }
}
