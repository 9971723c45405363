//! What held values do in stick beyond their limit, and the same with m_eff.

use super::paper::{Curve, Figure, Panel, axis, curve, pen};
use bristle_export::plot::{Axis, Pen};

const HELD: Pen = pen("#d42020", 1.0, "");
const SHADOW: Pen = pen("#1f4ed1", 2.2, "");
const DOUBTED: Pen = pen("#c26a00", 1.6, "2 3");
const WHOLE: Pen = pen("#111", 1.2, "5 4");

const TIME: (&str, Axis) = ("t", axis("t", "s", 1.0, [0.0, 0.2]));
const FORCE: Axis = axis("F_R", "N", 1.0, [-8.0, 12.0]);
const MICROMETRES: Axis = axis("u", "\u{b5}m", 1e6, [-1.0, 5.0]);

/// Parallel and serial.
const fn curves(column: &'static str) -> ([Curve; 3], [Curve; 4]) {
    let whole = curve("in one piece", column, "in one piece", WHOLE);
    (
        [
            curve("held parallel", column, "held values", HELD),
            curve("m_eff parallel", column, "m_eff = 1 kg", SHADOW),
            whole,
        ],
        [
            curve("held serial", column, "held values", HELD),
            curve("m_eff too large serial", column, "m_eff = 2 kg", DOUBTED),
            curve("m_eff serial", column, "m_eff = 1 kg", SHADOW),
            whole,
        ],
    )
}

const FORCES: ([Curve; 3], [Curve; 4]) = curves("F_R");
const WAYS: ([Curve; 3], [Curve; 4]) = curves("u");

pub const FIGURE: Figure = Figure {
    file: "coupling",
    data: "coupling",
    place: "Coupling",
    caption: "a body of 1 kg in stick under 0.95 F_s, with held values and with m_eff",
    columns: 2,
    panels: &[
        Panel { title: "(a) parallel, H = 3e-4 s", x: TIME, y: FORCE, curves: &FORCES.0 },
        Panel { title: "(b) serial, H = 1e-3 s", x: TIME, y: FORCE, curves: &FORCES.1 },
        Panel { title: "(c) parallel, H = 3e-4 s", x: TIME, y: MICROMETRES, curves: &WAYS.0 },
        Panel { title: "(d) serial, H = 1e-3 s", x: TIME, y: MICROMETRES, curves: &WAYS.1 },
    ],
};
