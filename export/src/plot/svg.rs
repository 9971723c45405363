//! Pictures as SVG, with the fonts of the reader's system.

use std::fmt::Write;

use super::{Anchor, Mark, Pen, Picture};
use crate::typeset::{escape, svg as typeset};

/// Text of an SVG file.
pub fn write(picture: &Picture) -> String {
    let Picture {
        width,
        height,
        description,
        marks,
    } = picture;
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" \
         width=\"{width}\" \
         height=\"{height}\" role=\"img\" font-family=\"Helvetica, Arial, 'Liberation Sans', \
         sans-serif\" \
         font-size=\"12\" fill=\"#222\">\n<title>{}</title>\n\
         <rect width=\"{width}\" height=\"{height}\" fill=\"#fff\"/>\n",
        escape(description)
    );
    for mark in marks {
        let line = match mark {
            Mark::Line { points, pen } => {
                let points: Vec<_> = points
                    .iter()
                    .map(|[x, y]| format!("{x:.2},{y:.2}"))
                    .collect();
                let (points, pen) = (points.join(" "), attributes(*pen));
                format!(
                    "<polyline points=\"{points}\" fill=\"none\" stroke-linejoin=\"round\" {pen}/>"
                )
            }
            Mark::Text {
                at: [x, y],
                anchor,
                text,
            } => {
                let attributes = match anchor {
                    Anchor::Title => " font-weight=\"bold\" font-size=\"13\"".to_owned(),
                    Anchor::Start => String::new(),
                    Anchor::Middle => " text-anchor=\"middle\"".to_owned(),
                    Anchor::End => " text-anchor=\"end\"".to_owned(),
                    Anchor::Upwards => {
                        format!(" text-anchor=\"middle\" transform=\"rotate(-90 {x:.2} {y:.2})\"")
                    }
                };
                format!(
                    "<text x=\"{x:.2}\" y=\"{y:.2}\"{attributes}>{}</text>",
                    typeset(text)
                )
            }
        };
        writeln!(svg, "{line}").expect("a string takes every text");
    }
    svg.push_str("</svg>\n");
    svg
}

fn attributes(pen: Pen) -> &'static str {
    match pen {
        Pen::Main => "stroke=\"#1f4e79\" stroke-width=\"1.8\"",
        Pen::Dashed => "stroke=\"#d1661a\" stroke-width=\"1.6\" stroke-dasharray=\"5 3\"",
        Pen::Points => "stroke=\"#222\"",
        Pen::Rows => "stroke=\"#aaa\" stroke-width=\"0.8\"",
        Pen::Grid => "stroke=\"#ddd\"",
        Pen::Frame => "stroke=\"#555\"",
    }
}
