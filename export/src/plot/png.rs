//! Pictures as PNG, with a font inside the program: a system may have none, and every system draws
//! its own.
//!
//! `DejaVuSans.ttf` has the characters of the plots and no others; `LICENSE-DEJAVU` beside it has
//! its terms. It was made by fontTools:
//!
//! ```sh
//! pyftsubset DejaVuSans.ttf \
//!     --unicodes=U+20-7E,U+B0,U+B2,U+B3,U+B5,U+B7,U+17C,U+3BC,U+3C3,U+2013,U+2026,U+2212 \
//!     --no-hinting --layout-features= --name-IDs=0,1,2,3,4,5,6,13,14 \
//!     --drop-tables+=FFTM,GPOS,GSUB,GDEF,kern,gasp --no-glyph-names
//! ```

use tiny_skia::{
    Color, FillRule, LineJoin, Paint, PathBuilder, Pixmap, Stroke, StrokeDash, Transform,
};
use ttf_parser::{Face, OutlineBuilder};

use super::{Anchor, Mark, Pen, Picture};
use crate::error::{Context, Error, Result};
use crate::typeset::{Run, runs};

const FONT: &[u8] = include_bytes!("DejaVuSans.ttf");
/// Pixels of the PNG in one of the SVG.
const PIXELS: f32 = 2.0;
const TEXT: [u8; 3] = [0x22, 0x22, 0x22];
/// Slope of slanted letters: that of the font's oblique.
const SLANT: f32 = 0.2;
/// Width of the line that makes letters bold, relative to their size.
const BOLD: f32 = 0.06;

/// Bytes of a PNG file.
pub fn paint(picture: &Picture) -> Result<Vec<u8>> {
    let face = Face::parse(FONT, 0)
        .map_err(|error| Error::new(format!("the font cannot be read: {error}")))?;
    let [width, height] = [picture.width, picture.height].map(|side| (side as f32 * PIXELS) as u32);
    let mut pixmap = Pixmap::new(width, height).context("the picture has no size")?;
    pixmap.fill(Color::WHITE);
    for mark in &picture.marks {
        match mark {
            Mark::Line { points, pen } => draw_line(&mut pixmap, points, *pen),
            Mark::Text { at, anchor, text } => draw_text(&mut pixmap, &face, *at, *anchor, text),
        }
    }
    pixmap.encode_png().context("the picture cannot be encoded")
}

fn draw_line(pixmap: &mut Pixmap, points: &[[f64; 2]], pen: Pen) {
    let mut path = PathBuilder::new();
    for point in points {
        let [x, y] = point.map(|coordinate| coordinate as f32);
        if path.is_empty() {
            path.move_to(x, y)
        } else {
            path.line_to(x, y)
        }
    }
    let (colour, width, dash) = match pen {
        Pen::Main => ([0x1f, 0x4e, 0x79], 1.8, None),
        Pen::Dashed => (
            [0xd1, 0x66, 0x1a],
            1.6,
            StrokeDash::new(vec![5.0, 3.0], 0.0),
        ),
        Pen::Points => ([0x22; 3], 1.0, None),
        Pen::Rows => ([0xaa; 3], 0.8, None),
        Pen::Grid => ([0xdd; 3], 1.0, None),
        Pen::Frame => ([0x55; 3], 1.0, None),
    };
    let stroke = Stroke {
        width,
        dash,
        line_join: LineJoin::Round,
        ..Stroke::default()
    };
    if let Some(path) = path.finish() {
        pixmap.stroke_path(
            &path,
            &ink(colour),
            &stroke,
            Transform::from_scale(PIXELS, PIXELS),
            None,
        );
    }
}

fn draw_text(pixmap: &mut Pixmap, face: &Face, [x, y]: [f64; 2], anchor: Anchor, text: &str) {
    let size = if anchor == Anchor::Title { 13.0 } else { 12.0 };
    let mut letters = Letters {
        path: PathBuilder::new(),
        face,
        at: 0.0,
    };
    for run in runs(text) {
        match run {
            Run::Plain(text) => letters.add(text, size, 0.0, 0.0),
            Run::Symbol(letter, subscript) => {
                letters.add(letter, size, SLANT, 0.0);
                letters.add(subscript, 0.75 * size, 0.0, 3.0);
            }
        }
    }
    let back = match anchor {
        Anchor::Title | Anchor::Start => 0.0,
        Anchor::Middle | Anchor::Upwards => letters.at / 2.0,
        Anchor::End => letters.at,
    };
    let Some(path) = letters.path.finish() else {
        return;
    };
    let mut place = Transform::from_scale(PIXELS, PIXELS).pre_translate(x as f32, y as f32);
    if anchor == Anchor::Upwards {
        // A quarter turn without rounding.
        place = place.pre_concat(Transform::from_row(0.0, -1.0, 1.0, 0.0, 0.0, 0.0));
    }
    let place = place.pre_translate(-back, 0.0);
    pixmap.fill_path(&path, &ink(TEXT), FillRule::Winding, place, None);
    if anchor == Anchor::Title {
        let stroke = Stroke {
            width: BOLD * size,
            ..Stroke::default()
        };
        pixmap.stroke_path(&path, &ink(TEXT), &stroke, place, None);
    }
}

fn ink([red, green, blue]: [u8; 3]) -> Paint<'static> {
    let mut paint = Paint {
        anti_alias: true,
        ..Paint::default()
    };
    paint.set_color_rgba8(red, green, blue, 255);
    paint
}

/// Outlines of letters, one after the other along the base line.
struct Letters<'a> {
    path: PathBuilder,
    face: &'a Face<'a>,
    /// End of the last letter.
    at: f32,
}

impl Letters<'_> {
    /// Adds a text of this size, with a slope, and so far below the base line.
    fn add(&mut self, text: &str, size: f32, slant: f32, below: f32) {
        let scale = size / f32::from(self.face.units_per_em());
        for character in text.chars() {
            // The font draws a box for a character that it lacks.
            let glyph = self.face.glyph_index(character).unwrap_or_default();
            let mut outline = Outline {
                path: &mut self.path,
                at: self.at,
                below,
                scale,
                slant,
            };
            self.face.outline_glyph(glyph, &mut outline);
            self.at += scale * f32::from(self.face.glyph_hor_advance(glyph).unwrap_or_default());
        }
    }
}

/// Outline of one letter, from the font's units to pixels; the font's ordinate points upwards.
struct Outline<'a> {
    path: &'a mut PathBuilder,
    at: f32,
    below: f32,
    scale: f32,
    slant: f32,
}

impl Outline<'_> {
    fn place(&self, x: f32, y: f32) -> [f32; 2] {
        [
            self.at + self.scale * (x + self.slant * y),
            self.below - self.scale * y,
        ]
    }
}

impl OutlineBuilder for Outline<'_> {
    fn move_to(&mut self, x: f32, y: f32) {
        let [x, y] = self.place(x, y);
        self.path.move_to(x, y);
    }

    fn line_to(&mut self, x: f32, y: f32) {
        let [x, y] = self.place(x, y);
        self.path.line_to(x, y);
    }

    fn quad_to(&mut self, x1: f32, y1: f32, x: f32, y: f32) {
        let ([x1, y1], [x, y]) = (self.place(x1, y1), self.place(x, y));
        self.path.quad_to(x1, y1, x, y);
    }

    fn curve_to(&mut self, x1: f32, y1: f32, x2: f32, y2: f32, x: f32, y: f32) {
        let ([x1, y1], [x2, y2], [x, y]) =
            (self.place(x1, y1), self.place(x2, y2), self.place(x, y));
        self.path.cubic_to(x1, y1, x2, y2, x, y);
    }

    fn close(&mut self) {
        self.path.close();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use bristle::catalogue::ELEMENTS;

    #[test]
    fn font_has_every_character_of_every_plot() {
        let face = Face::parse(FONT, 0).unwrap();
        for model in &ELEMENTS {
            let picture = crate::documentation::plot(&model.stock(), 10.0).unwrap();
            for mark in &picture.marks {
                let Mark::Text { text, .. } = mark else {
                    continue;
                };
                for run in runs(text) {
                    let parts = match run {
                        Run::Plain(text) => [text, ""],
                        Run::Symbol(letter, subscript) => [letter, subscript],
                    };
                    for character in parts.iter().flat_map(|part| part.chars()) {
                        assert!(
                            face.glyph_index(character).is_some(),
                            "{character:?} in {text}"
                        );
                    }
                }
            }
        }
    }

    #[test]
    fn line_without_points_and_text_without_letters_leave_no_ink() {
        let face = Face::parse(FONT, 0).unwrap();
        let mut pixmap = Pixmap::new(40, 40).unwrap();
        draw_line(&mut pixmap, &[], Pen::Main);
        draw_text(&mut pixmap, &face, [10.0, 10.0], Anchor::Start, " ");
        assert!(pixmap.data().iter().all(|byte| *byte == 0));
        draw_line(&mut pixmap, &[[0.0, 0.0], [20.0, 20.0]], Pen::Main);
        assert!(pixmap.data().iter().any(|byte| *byte != 0));
    }

    #[test]
    fn picture_has_ink_and_twice_the_size() {
        let picture = crate::documentation::plot(&ELEMENTS[0].stock(), 10.0).unwrap();
        let pixmap = Pixmap::decode_png(&picture.png().unwrap()).unwrap();
        assert_eq!(f64::from(pixmap.width()), 2.0 * picture.width);
        let is_dark = |pixel: &tiny_skia::PremultipliedColorU8| pixel.red() < 0x60;
        assert!(
            pixmap
                .pixels()
                .iter()
                .filter(|pixel| is_dark(pixel))
                .count()
                > 5000
        );
    }
}
