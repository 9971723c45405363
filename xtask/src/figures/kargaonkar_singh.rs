//! The figures of Kargaonkar and Singh 2024: static models on the left, dynamic ones on the right.

use super::paper::{Curve, Figure, Panel, axis, curve, pen};
use bristle_export::plot::Pen;

const BLUE: Pen = pen("#1f4ed1", 1.8, "");
const ORANGE: Pen = pen("#d1661a", 1.6, "6 4");
const GREEN: Pen = pen("#2b8a3e", 1.8, "0.1 4");

/// A characteristic of one element.
macro_rules! characteristic {
    ($file:literal, $place:literal, $element:literal, $reach:expr, $high:expr, $caption:literal) => {
        Figure {
            file: $file,
            data: $file,
            place: $place,
            caption: $caption,
            columns: 1,
            panels: &[Panel {
                title: "Force over velocity",
                x: ("v", axis("v", "m/s", 1.0, [-$reach, $reach])),
                y: axis("F_R", "N", 1.0, [-$high, $high]),
                curves: &[curve($element, "F_R", $element, BLUE)],
            }],
        }
    };
}

/// One quantity of a rig in four panels: static and dynamic models, without and with a Stribeck effect.
macro_rules! compared {
    ($file:literal, $data:literal, $place:literal, $column:literal, $label:literal, $unit:literal, $range:expr, $caption:literal) => {
        Figure {
            file: $file,
            data: $data,
            place: $place,
            caption: $caption,
            columns: 2,
            panels: &[
                compared!(statics "(a) Static models, mu_s = 0.1", "0.1", $column, $label, $unit, $range),
                compared!(dynamics "(b) Dynamic models, mu_s = 0.1", "0.1", $column, $label, $unit, $range),
                compared!(statics "(a) Static models, mu_s = 0.15", "0.15", $column, $label, $unit, $range),
                compared!(dynamics "(b) Dynamic models, mu_s = 0.15", "0.15", $column, $label, $unit, $range),
            ],
        }
    };
    (statics $title:literal, $mu:literal, $column:literal, $label:literal, $unit:literal, $range:expr) => {
        Panel {
            title: $title,
            x: ("t", axis("t", "s", 1.0, [0.0, 10.0])),
            y: axis($label, $unit, 1.0, $range),
            curves: &[
                curve(concat!("Stribeck; mu_s = ", $mu), $column, "Stribeck", ORANGE),
                curve(concat!("Coulomb; mu_s = ", $mu), $column, "Coulomb", BLUE),
                curve(concat!("BrownMcPhee; mu_s = ", $mu), $column, "BrownMcPhee", GREEN),
            ],
        }
    };
    (dynamics $title:literal, $mu:literal, $column:literal, $label:literal, $unit:literal, $range:expr) => {
        Panel {
            title: $title,
            x: ("t", axis("t", "s", 1.0, [0.0, 10.0])),
            y: axis($label, $unit, 1.0, $range),
            curves: &[
                curve(concat!("Dahl; mu_s = ", $mu), $column, "Dahl", BLUE),
                curve(concat!("LuGre; mu_s = ", $mu), $column, "LuGre", ORANGE),
            ],
        }
    };
}

/// Dahl's bristle, three times.
const STIFFNESSES: [Curve; 3] = [
    curve("sigma_0 = 100 N/m", "F_R", "sigma_0 = 100 N/m", BLUE),
    curve("sigma_0 = 400 N/m", "F_R", "sigma_0 = 400 N/m", ORANGE),
    curve("sigma_0 = 1600 N/m", "F_R", "sigma_0 = 1600 N/m", GREEN),
];

pub const FIGURES: &[Figure] = &[
    characteristic!(
        "ks_01",
        "[KS] Fig. 1",
        "Coulomb",
        1.0,
        1.5,
        "Coulomb friction at the weight of 1 kg, \u{3bc} = 0.1, under a sine of the velocity."
    ),
    characteristic!(
        "ks_02",
        "[KS] Fig. 2",
        "Stribeck",
        2.0,
        2.0,
        "The Stribeck curve with \u{3bc}_s = 0.15, \u{3bc}_k = 0.1, v_S = 0.5 m/s; it jumps at v = 0."
    ),
    characteristic!(
        "ks_03",
        "[KS] Fig. 3",
        "BrownMcPhee",
        2.0,
        2.0,
        "The curve of Brown and McPhee with the same coefficients: smooth, with its peak near v_S."
    ),
    Figure {
        file: "ks_04",
        data: "ks_04",
        place: "[KS] Fig. 4",
        caption: "Dahl friction under a sine of the velocity for three stiffnesses: the stiffer, the shorter the way to F_C. \
                  Amplitude and stiffnesses are chosen around Table 3.",
        columns: 2,
        panels: &[
            Panel {
                title: "(a) Force over velocity",
                x: ("v", axis("v", "m/s", 1.0, [-0.11, 0.11])),
                y: axis("F_R", "N", 1.0, [-1.2, 1.2]),
                curves: &STIFFNESSES,
            },
            Panel {
                title: "(b) Force over position",
                x: ("x", axis("x", "m", 1.0, [0.0, 0.035])),
                y: axis("F_R", "N", 1.0, [-1.2, 1.2]),
                curves: &STIFFNESSES,
            },
        ],
    },
    Figure {
        file: "ks_05",
        data: "ks_05",
        place: "[KS] Fig. 5",
        caption: "LuGre under a sine of the velocity for three Stribeck velocities, \u{3bc}_s = 0.15. The velocities are \
                  chosen around Table 3.",
        columns: 1,
        panels: &[Panel {
            title: "Force over velocity",
            x: ("v", axis("v", "m/s", 1.0, [-1.1, 1.1])),
            y: axis("F_R", "N", 1.0, [-2.0, 2.0]),
            curves: &[
                curve("v_S = 0.1 m/s", "F_R", "v_S = 0.1 m/s", BLUE),
                curve("v_S = 0.5 m/s", "F_R", "v_S = 0.5 m/s", ORANGE),
                curve("v_S = 1 m/s", "F_R", "v_S = 1 m/s", GREEN),
            ],
        }],
    },
    compared!(
        "ks_07",
        "ks_07_09",
        "[KS] Fig. 7",
        "F_R",
        "F_R",
        "N",
        [-1.6, 1.6],
        "Friction force on the block. Above with Table 3 as printed, below with a Stribeck effect. Where the block should \
         stick, the sign function of Stribeck jumps from step to step between \u{b1}F_s."
    ),
    compared!(
        "ks_08",
        "ks_07_09",
        "[KS] Fig. 8",
        "x",
        "x",
        "m",
        [0.0, 4.5],
        "Position of the block: stick and slip, hardly different from model to model."
    ),
    compared!(
        "ks_09",
        "ks_07_09",
        "[KS] Fig. 9",
        "v",
        "v",
        "m/s",
        [-0.2, 1.0],
        "Velocity of the block. With Coulomb friction it touches 0 once in a period; BrownMcPhee, whose slope at v = 0 is \
         finite, is damped."
    ),
    compared!(
        "ks_11",
        "ks_11_13",
        "[KS] Fig. 11",
        "F_R",
        "F_R",
        "N",
        [-1.6, 1.6],
        "Friction force on the roller: a third of the spring\u{2019}s while it rolls. The sign function of Stribeck jumps \
         between \u{b1}F_s instead, and only its mean bears the roller."
    ),
    compared!("ks_12", "ks_11_13", "[KS] Fig. 12", "x", "x", "m", [0.0, 2.2], "Position of the roller."),
    compared!(
        "ks_13",
        "ks_11_13",
        "[KS] Fig. 13",
        "v",
        "v",
        "m/s",
        [-0.1, 0.5],
        "Velocity of the roller. BrownMcPhee slips with the velocity that bears the force, which damps the motion."
    ),
];
