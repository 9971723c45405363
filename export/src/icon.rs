//! Pictures for importers: `model.png`, the friction loop of the element, for lists of parts, and
//! the square at which connections end.

use bristle::catalogue::Variant;
use tiny_skia::{
    Color, LineCap, LineJoin, Paint, Path, PathBuilder, Pixmap, Rect, Stroke, Transform,
};

use crate::curves::Probe;
use crate::error::{Context, Result};

const SIZE: u32 = 256;
/// Side of a terminal's icon.
const TERMINAL: u32 = 32;
const MARGIN: f32 = 28.0;
const INK: [u8; 3] = [0x1f, 0x4e, 0x79];
const PAPER: [u8; 3] = [0xff, 0xff, 0xff];
const GREY: [u8; 3] = [0x9a, 0xa5, 0xb1];

/// Icon of an element as PNG.
pub fn draw(variant: &Variant) -> Result<Vec<u8>> {
    // At 100 Hz every law shows an open loop.
    let points = Probe::new(variant, 0, variant.card().normal_force)
        .loop_over_velocity(0.015, 100.0, 1e-5)
        .unwrap_or_default();
    let largest = |i: usize| {
        points
            .iter()
            .map(|point| point[i].abs())
            .fold(f64::MIN_POSITIVE, f64::max)
    };
    let [v, force] = [largest(0), largest(1)];
    let half = SIZE as f32 / 2.0;
    let place = |[x, y]: [f64; 2]| {
        let reach = f64::from(half - MARGIN);
        (
            half + (x / v * reach) as f32,
            half - (y / force * reach) as f32,
        )
    };

    let mut pixmap = Pixmap::new(SIZE, SIZE).context("the icon has a size")?;
    pixmap.fill(Color::TRANSPARENT);
    let side = SIZE as f32;
    let frame = Rect::from_xywh(6.0, 6.0, side - 12.0, side - 12.0).map(PathBuilder::from_rect);
    let frame = frame.context("the icon has a frame")?;
    pixmap.fill_path(
        &frame,
        &paint(PAPER),
        tiny_skia::FillRule::Winding,
        Transform::identity(),
        None,
    );
    line(&mut pixmap, &frame, INK, 6.0);
    for axis in [
        [(MARGIN, half), (side - MARGIN, half)],
        [(half, MARGIN), (half, side - MARGIN)],
    ] {
        line(
            &mut pixmap,
            &path(axis).context("an axis has points")?,
            GREY,
            3.0,
        );
    }
    // Without a curve where an element of unusual parameters takes no such steps.
    if let Some(curve) = path(points.into_iter().map(place)) {
        line(&mut pixmap, &curve, INK, 7.0);
    }
    pixmap.encode_png().context("the icon cannot be encoded")
}

/// Icon of a terminal as PNG: a square.
pub fn terminal() -> Result<Vec<u8>> {
    let [red, green, blue] = INK;
    let mut pixmap = Pixmap::new(TERMINAL, TERMINAL).context("the icon has a size")?;
    pixmap.fill(Color::from_rgba8(red, green, blue, 255));
    pixmap.encode_png().context("the icon cannot be encoded")
}

fn path(points: impl IntoIterator<Item = (f32, f32)>) -> Option<Path> {
    let mut builder = PathBuilder::new();
    for (x, y) in points {
        if builder.is_empty() {
            builder.move_to(x, y)
        } else {
            builder.line_to(x, y)
        }
    }
    builder.finish()
}

fn line(pixmap: &mut Pixmap, path: &Path, colour: [u8; 3], width: f32) {
    let stroke = Stroke {
        width,
        line_cap: LineCap::Round,
        line_join: LineJoin::Round,
        ..Stroke::default()
    };
    pixmap.stroke_path(path, &paint(colour), &stroke, Transform::identity(), None);
}

fn paint([red, green, blue]: [u8; 3]) -> Paint<'static> {
    let mut paint = Paint {
        anti_alias: true,
        ..Paint::default()
    };
    paint.set_color_rgba8(red, green, blue, 255);
    paint
}
