//! The figures of Stefański and others 2006, and the pulse loads that Rill and Schuderer describe.

use super::paper::{Curve, Figure, Panel, axis, curve, pen};
use super::pens;
use bristle_export::plot::{Axis, Pen, Spacing};

const LINE: Pen = pen("#1f4e79", 1.1, "");
const THIN: Pen = pen("#1f4e79", 0.6, "");

/// Phase portrait and friction characteristic of one motion.
macro_rules! motion {
    (phase $title:literal, $run:literal, $pen:expr) => {
        Panel {
            title: concat!($title, ": phase portrait"),
            x: ("x", axis("x", "mm", 1e3, [-30.0, 30.0])),
            y: axis("v", "m/s", 1.0, [-1.2, 1.2]),
            curves: &[curve($run, "v", "", $pen)],
        }
    };
    (force $title:literal, $run:literal, $pen:expr) => {
        Panel {
            title: concat!($title, ": friction"),
            x: ("v", axis("v", "m/s", 1.0, [-1.2, 1.2])),
            y: axis("F_R", "N", 1.0, [-9.0, 9.0]),
            curves: &[curve($run, "F_R", "", $pen)],
        }
    };
}

/// |u| over decades, and u closely.
const DECADES: Axis =
    Axis { label: "u", unit: "\u{b5}m", scale: 1e6, spacing: Spacing::Decades, range: Some([1e-3, 3e3]) };

pub const FIGURES: &[Figure] = &[
    Figure {
        file: "sw_08",
        data: "sw_08",
        place: "[SW] Fig. 8",
        caption: "The characteristic (14)\u{2013}(16) under a sine of the velocity: contact compliance after each reversal, \
                  then a sliding branch that remembers whether the contact speeds up. Amplitude (0.3 m/s) and frequency (5 Hz) are chosen.",
        columns: 1,
        panels: &[Panel {
            title: "Coefficient of friction over velocity",
            x: ("v", axis("v", "m/s", 1.0, [-0.35, 0.35])),
            y: axis("F_R / F_N", "", 1.0, [-0.35, 0.35]),
            curves: &[curve("Stefanski2006", "f", "Stefanski2006", LINE)],
        }],
    },
    Figure {
        file: "sw_10",
        data: "sw_10",
        place: "[SW] Fig. 10",
        caption: "The dry friction oscillator, relative displacement and velocity, after 10 s: harmonic, two-periodic, \
                  quasi-periodic and chaotic motion of the base, each with its friction characteristic. The paper gives \
                  the motions in words only; those here are chosen.",
        columns: 4,
        panels: &[
            motion!(phase "(a) harmonic", "harmonic", LINE),
            motion!(force "(a) harmonic", "harmonic", LINE),
            motion!(phase "(b) two-periodic", "two-periodic", LINE),
            motion!(force "(b) two-periodic", "two-periodic", LINE),
            motion!(phase "(c) quasi-periodic", "quasi-periodic", THIN),
            motion!(force "(c) quasi-periodic", "quasi-periodic", THIN),
            motion!(phase "(d) chaotic", "chaotic", THIN),
            motion!(force "(d) chaotic", "chaotic", THIN),
        ],
    },
    Figure {
        file: "pulses",
        data: "pulses",
        place: "[RS] Sec. 5, described there",
        caption: "Five pulses of 0.8 F_s on a resting block: who drifts, and who returns. All elements that can rest, with \
                  \u{3bc}_s = 0.6 and \u{3bc}_d = 0.3 as far as each knows both (LuGre v_S = 5 mm/s, Dahl \u{3bc} = 0.6). Coulomb and \
                  ModelicaFriction move by 0.0002 \u{b5}m, below the picture; Armstrong\u{2019}s spring has no damping and swings \
                  on. Elements with a sign function alone cannot rest and are left out.",
        columns: 2,
        panels: &[
            Panel {
                title: "Displacement by decades",
                x: ("t", axis("t", "s", 1.0, [0.0, 1.2])),
                y: DECADES,
                curves: &PULSES,
            },
            Panel {
                title: "The same, closer",
                x: ("t", axis("t", "s", 1.0, [0.0, 1.2])),
                y: axis("u", "\u{b5}m", 1e6, [-1.0, 20.0]),
                curves: &PULSES,
            },
        ],
    },
];

/// The displacement of every element.
const PULSES: [Curve; 10] = {
    let mut curves = [curve("", "u", "", LINE); 10];
    let mut i = 0;
    while i < curves.len() {
        let (name, pen) = pens::ELEMENTS[i];
        curves[i] = curve(name, "u", name, pen);
        i += 1;
    }
    curves
};
