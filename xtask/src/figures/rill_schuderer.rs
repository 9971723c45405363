//! The figures of Rill and Schuderer 2023, drawn with the paper's pens: FrDyn2 dashed blue, the Adams element solid black,
//! the Simpack element dotted red, the load thin grey.

use super::paper::{Curve, Figure, Panel, axis, curve, pen};
use bristle_export::plot::{Axis, Pen};

const FRDYN2: Pen = pen("#1f4ed1", 2.2, "6 4");
const ADAMS: Pen = pen("#111", 1.6, "");
const SIMPACK: Pen = pen("#d42020", 2.2, "0.1 4");
const LOAD: Pen = pen("#888", 1.0, "");
const CIRCLES: Pen = pen("#c026c0", 5.0, "0.1 12");
const THIN: Pen = pen("#111", 1.0, "5 4");

/// All three models.
const fn models(column: &'static str) -> [Curve; 3] {
    [
        curve("AdamsStickSlip", column, "AdamsStickSlip", ADAMS),
        curve("SimpackStickSlip", column, "SimpackStickSlip", SIMPACK),
        curve("FrDyn2", column, "FrDyn2", FRDYN2),
    ]
}

const fn force(high: f64) -> Axis {
    axis("F_R", "N", 1.0, [0.0, high])
}

const fn speed(reach: f64) -> Axis {
    axis("v", "mm/s", 1e3, [-reach, reach])
}

const BOTH_WAYS: Axis = axis("F_R", "N", 1.0, [-7.0, 7.0]);
const MICROMETRES: Axis = axis("u", "\u{b5}m", 1e6, [0.0, 1.4]);

const U: [Curve; 3] = models("u");
const FORCES: [Curve; 3] = models("F_R");

/// Load and answers at one duration of the step.
macro_rules! step {
    ($title:literal, $duration:literal, $end:expr) => {
        Panel {
            title: $title,
            x: ("t", axis("t", "s", 1.0, [0.0, $end])),
            y: force(7.0),
            curves: &[
                curve(concat!("FrDyn2; t_E = ", $duration, " s"), "F", "F", LOAD),
                curve(concat!("AdamsStickSlip; t_E = ", $duration, " s"), "F_R", "AdamsStickSlip", ADAMS),
                curve(concat!("SimpackStickSlip; t_E = ", $duration, " s"), "F_R", "SimpackStickSlip", SIMPACK),
                curve(concat!("FrDyn2; t_E = ", $duration, " s"), "F_R", "FrDyn2", FRDYN2),
            ],
        }
    };
}

/// The festoon's quantity `column` of all three models.
macro_rules! cables {
    ($title:literal, $label:literal, $unit:literal, $column:literal, $range:expr $(, $more:expr)?) => {
        Panel {
            title: $title,
            x: ("t", axis("t", "s", 1.0, [0.0, 10.0])),
            y: axis($label, $unit, 1.0, $range),
            curves: &[
                $($more,)?
                curve("AdamsStickSlip", $column, "AdamsStickSlip", ADAMS),
                curve("SimpackStickSlip", $column, "SimpackStickSlip", SIMPACK),
                curve("FrDyn2", $column, "FrDyn2", FRDYN2),
            ],
        }
    };
}

pub const FIGURES: &[Figure] = &[
    Figure {
        file: "rs_01",
        data: "rs_01",
        place: "[RS] Fig. 1",
        caption: "Dry friction: (a) Coulomb\u{2019}s approach, which SimpackStickSlip follows, (b) its regularised \
                  approximation, StaticRegularized, (c) the shifted one, FrDyn2: at v = 0 the force takes any value up to \
                  F_s. Each contact is moved from \u{2212}12 mm/s to 12 mm/s in 20 s.",
        columns: 3,
        panels: &[
            Panel {
                title: "(a) Coulomb",
                x: ("v", speed(12.0)),
                y: BOTH_WAYS,
                curves: &[curve("SimpackStickSlip", "F_R", "SimpackStickSlip", ADAMS)],
            },
            Panel {
                title: "(b) Regularised",
                x: ("v", speed(12.0)),
                y: BOTH_WAYS,
                curves: &[curve("StaticRegularized", "F_R", "StaticRegularized", ADAMS)],
            },
            Panel {
                title: "(c) Shifted",
                x: ("v", speed(12.0)),
                y: BOTH_WAYS,
                curves: &[curve("FrDyn2", "F_R", "FrDyn2", ADAMS)],
            },
        ],
    },
    Figure {
        file: "rs_03",
        data: "rs_03",
        place: "[RS] Fig. 3",
        caption: "Long-term stick of FrDyn2: F rises to 0.99 F_s in 30 s and is held to 300 s. The body shifts by the \
                  deflection of the bristle, 1.1654 \u{b5}m, and then stands still.",
        columns: 2,
        panels: &[
            Panel {
                title: "Forces",
                x: ("t", axis("t", "s", 1.0, [0.0, 300.0])),
                y: axis("force", "N", 1.0, [0.0, 7.0]),
                curves: &[curve("FrDyn2", "F", "F", LOAD), curve("FrDyn2", "F_R", "F_R", FRDYN2)],
            },
            Panel {
                title: "Friction characteristic",
                x: ("v", speed(1.0)),
                y: force(7.0),
                curves: &[curve("FrDyn2", "F_R", "FrDyn2", FRDYN2)],
            },
            Panel {
                title: "Displacement",
                x: ("t", axis("t", "s", 1.0, [0.0, 300.0])),
                y: axis("displacement", "\u{b5}m", 1e6, [0.0, 1.4]),
                curves: &[curve("FrDyn2", "u", "body, u", LOAD), curve("FrDyn2", "z", "bristle, z", FRDYN2)],
            },
            Panel {
                title: "Force over displacement",
                x: ("u", MICROMETRES),
                y: force(7.0),
                curves: &[curve("FrDyn2", "F_R", "FrDyn2", FRDYN2)],
            },
        ],
    },
    Figure {
        file: "rs_04",
        data: "rs_04",
        place: "[RS] Fig. 4",
        caption: "A static model under the same load: StaticRegularized bears it only while it slides, at 0.9 v_s = \
                  0.9 mm/s for ever. Dashed, the characteristic without load. The paper shows two of the three panels.",
        columns: 3,
        panels: &[
            Panel {
                title: "Forces",
                x: ("t", axis("t", "s", 1.0, [0.0, 300.0])),
                y: axis("force", "N", 1.0, [0.0, 7.0]),
                curves: &[curve("StaticRegularized", "F", "F", LOAD), curve("StaticRegularized", "F_R", "F_R", FRDYN2)],
            },
            Panel {
                title: "Displacement",
                x: ("t", axis("t", "s", 1.0, [0.0, 300.0])),
                y: axis("u", "mm", 1e3, [0.0, 300.0]),
                curves: &[curve("StaticRegularized", "u", "StaticRegularized", ADAMS)],
            },
            Panel {
                title: "Friction characteristic",
                x: ("v", axis("v", "mm/s", 1e3, [0.0, 2.0])),
                y: force(7.0),
                curves: &[
                    curve("StaticRegularized", "F_R", "under load", ADAMS),
                    curve("characteristic", "F_R", "moved as prescribed", THIN),
                ],
            },
        ],
    },
    Figure {
        file: "rs_05",
        data: "rs_05",
        place: "[RS] Fig. 5",
        caption: "Break-away under a force that reaches 1.05 F_s within 10 s: at 8.6808 s it passes F_s. SimpackStickSlip \
                  drops at once, FrDyn2 and AdamsStickSlip follow a characteristic. Circles: the regularised \
                  characteristic, shifted by v_s.",
        columns: 3,
        panels: &[
            Panel {
                title: "(a) Forces",
                x: ("t", axis("t", "s", 1.0, [0.0, 12.0])),
                y: axis("force", "N", 1.0, [0.0, 7.0]),
                curves: &[
                    curve("FrDyn2", "F", "F", LOAD),
                    curve("AdamsStickSlip", "F_R", "AdamsStickSlip", ADAMS),
                    curve("SimpackStickSlip", "F_R", "SimpackStickSlip", SIMPACK),
                    curve("FrDyn2", "F_R", "FrDyn2", FRDYN2),
                ],
            },
            Panel {
                title: "(b) Acceleration",
                x: ("t", axis("t", "s", 1.0, [0.0, 12.0])),
                y: axis("a", "m/s\u{b2}", 1.0, [0.0, 4.0]),
                curves: &models("a"),
            },
            Panel {
                title: "(c) Displacement",
                x: ("t", axis("t", "s", 1.0, [0.0, 12.0])),
                y: axis("u", "m", 1.0, [0.0, 18.0]),
                curves: &U,
            },
            Panel {
                title: "(d) Break-away",
                x: ("t", axis("t", "s", 1.0, [8.66, 8.8])),
                y: force(7.0),
                curves: &FORCES,
            },
            Panel {
                title: "(e) Force over velocity",
                x: ("v", axis("v", "mm/s", 1e3, [0.0, 12.0])),
                y: force(7.0),
                curves: &[
                    curve("AdamsStickSlip", "F_R", "AdamsStickSlip", ADAMS),
                    curve("SimpackStickSlip", "F_R", "SimpackStickSlip", SIMPACK),
                    curve("FrDyn2", "F_R", "FrDyn2", FRDYN2),
                    curve("shifted characteristic", "F_R", "shifted characteristic", CIRCLES),
                ],
            },
            Panel { title: "(f) Force over displacement", x: ("u", MICROMETRES), y: force(7.0), curves: &FORCES },
        ],
    },
    Figure {
        file: "rs_06",
        data: "rs_06",
        place: "[RS] Fig. 6",
        caption: "Steps to 0.95 F_s within 0.1, 0.01, 0.001 and 0.0001 s. All agree on slow steps; on fast ones \
                  SimpackStickSlip exceeds F_s = 5.886 N, up to 6.61 N and 6.74 N, and FrDyn2 and AdamsStickSlip are \
                  limited to it.",
        columns: 2,
        panels: &[
            step!("(a) 0.1 s", "0.1", 0.18),
            step!("(b) 0.01 s", "0.01", 0.027),
            step!("(c) 0.001 s", "0.001", 0.0113),
            step!("(d) 0.0001 s", "0.0001", 0.0097),
        ],
    },
    Figure {
        file: "rs_07",
        data: "rs_07",
        place: "[RS] Fig. 7",
        caption: "The step within 0.1 s: the forces depend on the displacement alone, linearly for FrDyn2 and \
                  SimpackStickSlip (1.12 \u{b5}m), degressively for AdamsStickSlip (0.71 \u{b5}m).",
        columns: 3,
        panels: &[
            Panel { title: "(a) Force over velocity", x: ("v", speed(1.0)), y: force(7.0), curves: &FORCES },
            Panel { title: "(b) Force over displacement", x: ("u", MICROMETRES), y: force(7.0), curves: &FORCES },
            Panel { title: "(c) Displacement", x: ("t", axis("t", "s", 1.0, [0.0, 0.18])), y: MICROMETRES, curves: &U },
        ],
    },
    Figure {
        file: "rs_08",
        data: "rs_08",
        place: "[RS] Fig. 8",
        caption: "The step within 0.001 s: FrDyn2 partly slides and stops at 2.27 \u{b5}m, SimpackStickSlip overshoots its \
                  1.12 \u{b5}m a little, AdamsStickSlip reaches that and then returns slowly.",
        columns: 3,
        panels: &[
            Panel {
                title: "(a) Force over velocity",
                x: ("v", axis("v", "mm/s", 1e3, [-0.2, 1.2])),
                y: force(7.0),
                curves: &FORCES,
            },
            Panel {
                title: "(b) Force over displacement",
                x: ("u", axis("u", "\u{b5}m", 1e6, [0.0, 2.5])),
                y: force(7.0),
                curves: &FORCES,
            },
            Panel {
                title: "(c) Displacement",
                x: ("t", axis("t", "ms", 1e3, [0.0, 10.0])),
                y: axis("u", "\u{b5}m", 1e6, [0.0, 2.5]),
                curves: &U,
            },
        ],
    },
    Figure {
        file: "rs_09",
        data: "rs_09",
        place: "[RS] Fig. 9",
        caption: "AdamsStickSlip, reconstructed from published behaviour, for longer: up within 0.0035 s, back within about \
                  0.05 s, and 0.12 \u{b5}m remain beyond where the slow step ends.",
        columns: 1,
        panels: &[Panel {
            title: "Displacement",
            x: ("t", axis("t", "s", 1.0, [0.0, 0.1])),
            y: MICROMETRES,
            curves: &[
                curve("AdamsStickSlip", "u", "t_E = 0.001 s", ADAMS),
                curve("AdamsStickSlip; t_E = 0.1 s", "u", "t_E = 0.1 s", THIN),
            ],
        }],
    },
    Figure {
        file: "rs_11",
        data: "rs_11",
        place: "[RS] Fig. 11",
        caption: "The festoon cable system: the towing trolley pulls out within 5 s, the trolleys swing on. Velocities and \
                  normal forces hardly tell the models apart, the friction forces do. Masses, links and bristle are \
                  chosen, see the table below.",
        columns: 2,
        panels: &[
            cables!(
                "(a) Trolley 1",
                "v_T1",
                "m/s",
                "v_T1",
                [-0.6, 1.2],
                curve("FrDyn2", "v_TT", "towing trolley", LOAD)
            ),
            cables!(
                "(a) Trolley 2",
                "v_T2",
                "m/s",
                "v_T2",
                [-0.6, 1.2],
                curve("FrDyn2", "v_TT", "towing trolley", LOAD)
            ),
            cables!("(b) Trolley 1", "F_N1", "N", "F_N1", [16.0, 28.0]),
            cables!("(b) Trolley 2", "F_N2", "N", "F_N2", [16.0, 28.0]),
            cables!("(c) Trolley 1", "F_R1", "N", "F_R1", [-3.0, 3.0]),
            cables!("(c) Trolley 2", "F_R2", "N", "F_R2", [-3.0, 3.0]),
        ],
    },
    Figure {
        file: "rs_12",
        data: "rs_12",
        place: "[RS] Fig. 12",
        caption: "The same, closer: (a) v_T1 changes its sign near 6.47 s, (b) trolley 2 sticks. FrDyn2 and AdamsStickSlip \
                  stay within F_s. How soon trolley 1 slides back (at 6.48 s in the paper) and how far SimpackStickSlip \
                  overshoots (\u{2212}2.685 N in the paper) depends on values that the paper does not print.",
        columns: 2,
        panels: &[
            Panel {
                title: "(a) Trolley 1",
                x: ("t", axis("t", "s", 1.0, [6.45, 6.48])),
                y: axis("F_R1", "N", 1.0, [-3.0, 3.0]),
                curves: &[
                    curve("FrDyn2; a", "F_s1", "F_s of FrDyn2\u{2019}s run", LOAD),
                    curve("AdamsStickSlip; a", "F_R1", "AdamsStickSlip", ADAMS),
                    curve("SimpackStickSlip; a", "F_R1", "SimpackStickSlip", SIMPACK),
                    curve("FrDyn2; a", "F_R1", "FrDyn2", FRDYN2),
                ],
            },
            Panel {
                title: "(b) Trolley 2",
                x: ("t", axis("t", "s", 1.0, [7.1, 7.9])),
                y: axis("F_R2", "N", 1.0, [-3.0, 3.0]),
                curves: &[
                    curve("AdamsStickSlip; b", "F_R2", "AdamsStickSlip", ADAMS),
                    curve("SimpackStickSlip; b", "F_R2", "SimpackStickSlip", SIMPACK),
                    curve("FrDyn2; b", "F_R2", "FrDyn2", FRDYN2),
                ],
            },
        ],
    },
];
