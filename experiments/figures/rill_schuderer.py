"""Figures of Rill and Schuderer (2023)."""

from figure import Axis, Curve, Figure, Panel
from styles import CIRCLES, DASHED, LAWS, LOAD, REFERENCE, law, line, variants

FORCE = Axis("F_R", "N", 1.0, (0, 7))
FORCES = Axis("force", "N", 1.0, (0, 7))
MODELS = ["AdamsStickSlip", "SimpackStickSlip", "FrDyn2"]
UNLOADED = line("#888888", DASHED, 1.2)
BOTH_WAYS = Axis("F_R", "N", 1.0, (-7, 7))
MICROMETRES = Axis("u", "µm", 1e6, (0, 1.4))


def speed(reach):
    """Axis of the velocity up to `reach` in mm/s."""
    return Axis("v", "mm/s", 1e3, (-reach, reach))


def model(run, column, **more):
    """Column of a run in the style of its model, whose name begins the run's."""
    name = run.split(";")[0]
    return Curve(run, column, name, LAWS[name], **more)


def models(column, suffix=""):
    """Column of all three models; `suffix` ends the names of the runs."""
    return [model(name + suffix, column) for name in MODELS]


def step(letter, duration, end):
    """Load and forces at one duration of the load's rise, both in s."""
    run = f"; t_E = {duration} s"
    load = Curve("FrDyn2" + run, "F", "applied force F", REFERENCE)
    return Panel(f"({letter}) t_E = {duration} s", "t", Axis("t", "ms", 1e3, (0, 1e3 * end)), FORCE, [load, *models("F_R", run)])


def trolleys(letter, quantity, axis):
    """Quantity of both trolleys."""
    towing = [Curve("FrDyn2", "v_TT", "velocity of the towing trolley", LOAD)] if quantity == "v_T" else []
    return [
        Panel(f"({letter}) Trolley {trolley}", "t", TEN, Axis(f"{quantity}{trolley}", *axis), [*towing, *models(f"{quantity}{trolley}")])
        for trolley in (1, 2)
    ]


STEPS = [step(*values) for values in [("a", "0.1", 0.18), ("b", "0.01", 0.027), ("c", "0.001", 0.0113), ("d", "0.0001", 0.0097)]]
TEN = Axis("t", "s", 1.0, (0.0, 10.0))

# Figure of the README.
FRDYN2 = law("FrDyn2", linestyle="-")
README = Figure(
    "frdyn2", "frdyn2", "FrDyn2",
    "break-away on the test bench, pre-sliding displacement, and the friction loop under a sine of v", 3,
    [
        Panel("(a) Stick and break-away", "t", Axis("t", "s"), Axis("force", "N"), [
            Curve("break-away", "F", "applied force F", REFERENCE),
            Curve("break-away", "F_R", "FrDyn2", FRDYN2),
        ]),
        Panel("(b) Pre-sliding", "u", Axis("u", "µm", 1e6), Axis("F_R", "N"), [Curve("pre-sliding", "F_R", "", FRDYN2)]),
        Panel("(c) Stick and slip", "v", Axis("v", "mm/s", 1e3), Axis("F_R", "N"), [Curve("loop", "F_R", "", FRDYN2)]),
    ],
)

FIGURES = [
    Figure(
        "rs_01", "rs_01", "[RS] Fig. 1",
        "Dry friction: (a) Coulomb’s approach (SimpackStickSlip), (b) regularised (StaticRegularized), (c) shifted (FrDyn2): at "
        "v = 0 any force up to F_s.",
        3,
        [
            Panel("(a) Coulomb", "v", speed(12), BOTH_WAYS, [model("SimpackStickSlip", "F_R")]),
            Panel("(b) Regularised", "v", speed(12), BOTH_WAYS, [model("StaticRegularized", "F_R")]),
            Panel("(c) Shifted", "v", speed(12), BOTH_WAYS, [model("FrDyn2", "F_R")]),
        ],
    ),
    Figure(
        "rs_03", "rs_03", "[RS] Fig. 3",
        "Long-term stick of FrDyn2 under 0.99 F_s: the body shifts by the deflection of the bristle, 1.1654 µm, and stands "
        "still.",
        2,
        [
            Panel("(a) Forces", "t", Axis("t", "s", 1.0, (0.0, 300.0)), FORCES, [
                Curve("FrDyn2", "F", "applied force F in (a), displacement u of the body in (c)", REFERENCE),
                Curve("FrDyn2", "F_R", "FrDyn2: force F_R, deflection z of the bristle in (c)", LAWS["FrDyn2"]),
            ]),
            Panel("(b) Friction characteristic", "v", speed(1), FORCE, [Curve("FrDyn2", "F_R", "", LAWS["FrDyn2"])]),
            Panel("(c) Displacement", "t", Axis("t", "s", 1.0, (0.0, 300.0)), Axis("displacement", "µm", 1e6, (0.0, 1.4)), [
                Curve("FrDyn2", "u", "", REFERENCE),
                Curve("FrDyn2", "z", "", LAWS["FrDyn2"]),
            ]),
            Panel("(d) Force over displacement", "u", MICROMETRES, FORCE, [Curve("FrDyn2", "F_R", "", LAWS["FrDyn2"])]),
        ],
    ),
    Figure(
        "rs_04", "rs_04", "[RS] Fig. 4",
        "A static model under the same load slides for ever at 0.9 v_s. Dashed, the characteristic without load.",
        3,
        [
            Panel("(a) Forces", "t", Axis("t", "s", 1.0, (0.0, 300.0)), FORCES, [
                Curve("StaticRegularized", "F", "applied force F", REFERENCE),
                model("StaticRegularized", "F_R"),
            ]),
            Panel("(b) Displacement", "t", Axis("t", "s", 1.0, (0.0, 300.0)), Axis("u", "mm", 1e3, (0.0, 300.0)), [model("StaticRegularized", "u")]),
            Panel("(c) Friction characteristic", "v", Axis("v", "mm/s", 1e3, (0.0, 2.0)), FORCE, [
                Curve("characteristic", "F_R", "characteristic, v prescribed", UNLOADED),
                model("StaticRegularized", "F_R"),
            ]),
        ],
    ),
    Figure(
        "rs_05", "rs_05", "[RS] Fig. 5",
        "Break-away under a force that passes F_s at 8.6808 s. Circles: the regularised characteristic, shifted by v_s.",
        3,
        [
            Panel("(a) Forces", "t", Axis("t", "s", 1.0, (0.0, 12.0)), FORCES, [
                Curve("FrDyn2", "F", "applied force F", REFERENCE),
                *models("F_R"),
            ]),
            Panel("(b) Acceleration", "t", Axis("t", "s", 1.0, (0.0, 12.0)), Axis("a", "m/s²", 1.0, (0.0, 4.0)), models("a")),
            Panel("(c) Displacement", "t", Axis("t", "s", 1.0, (0.0, 12.0)), Axis("u", "m", 1.0, (0.0, 18.0)), models("u")),
            Panel("(d) Break-away", "t", Axis("t", "s", 1.0, (8.66, 8.8)), FORCE, models("F_R")),
            Panel("(e) Force over velocity", "v", Axis("v", "mm/s", 1e3, (0.0, 12.0)), FORCE, [
                *models("F_R"),
                Curve("shifted characteristic", "F_R", "shifted characteristic", CIRCLES),
            ]),
            Panel("(f) Force over displacement", "u", MICROMETRES, FORCE, models("F_R")),
        ],
    ),
    Figure(
        "rs_06", "rs_06", "[RS] Fig. 6",
        "Steps to 0.95 F_s within 0.1, 0.01, 0.001 and 0.0001 s: on fast ones SimpackStickSlip exceeds F_s = 5.886 N, up to "
        "6.74 N.",
        4,
        STEPS,
        size=(2.8, 2.5),
    ),
    Figure(
        "rs_07", "rs_07", "[RS] Fig. 7",
        "The step within 0.1 s: forces over displacement, linear for FrDyn2 and SimpackStickSlip, degressive for "
        "AdamsStickSlip.",
        3,
        [
            Panel("(a) Force over velocity", "v", Axis("v", "µm/s", 1e6, (-5, 25)), FORCE, models("F_R")),
            Panel("(b) Force over displacement", "u", MICROMETRES, FORCE, models("F_R")),
            Panel("(c) Displacement", "t", Axis("t", "s", 1.0, (0.0, 0.18)), MICROMETRES, models("u")),
        ],
    ),
    Figure(
        "rs_08", "rs_08", "[RS] Fig. 8",
        "The step within 0.001 s: FrDyn2 partly slides and stops at 2.27 µm.",
        3,
        [
            Panel("(a) Force over velocity", "v", Axis("v", "mm/s", 1e3, (-0.2, 1.2)), FORCE, models("F_R")),
            Panel("(b) Force over displacement", "u", Axis("u", "µm", 1e6, (0.0, 2.5)), FORCE, models("F_R")),
            Panel("(c) Displacement", "t", Axis("t", "ms", 1e3, (0.0, 10.0)), Axis("u", "µm", 1e6, (0.0, 2.5)), models("u")),
        ],
    ),
    Figure(
        "rs_09", "rs_09", "[RS] Fig. 9",
        "AdamsStickSlip for longer: up within 0.0035 s, back within about 0.05 s, 0.12 µm beyond the slow step.",
        1,
        [
            Panel("Displacement", "t", Axis("t", "s", 1.0, (0.0, 0.1)), MICROMETRES, [
                Curve("AdamsStickSlip", "u", "AdamsStickSlip, t_E = 0.001 s", variants("AdamsStickSlip", 2)[0]),
                Curve("AdamsStickSlip; t_E = 0.1 s", "u", "AdamsStickSlip, t_E = 0.1 s", variants("AdamsStickSlip", 2)[1]),
            ]),
        ],
    ),
    Figure(
        "rs_11", "rs_11", "[RS] Fig. 11",
        "The festoon: velocities, normal and friction forces of both trolleys. Masses, links "
        "and bristle are chosen.",
        2,
        [
            *trolleys("a", "v_T", ("m/s", 1.0, (-0.6, 1.2))),
            *trolleys("b", "F_N", ("N", 1.0, (16.0, 28.0))),
            *trolleys("c", "F_R", ("N", 1.0, (-3.0, 3.0))),
        ],
    ),
    Figure(
        "rs_12", "rs_12", "[RS] Fig. 12",
        "The same, closer: (a) v_T1 changes its sign near 6.47 s, (b) trolley 2 sticks.",
        2,
        [
            Panel("(a) Trolley 1", "t", Axis("t", "s", 1.0, (6.45, 6.48)), Axis("F_R1", "N", 1.0, (-3.0, 3.0)), [
                Curve("FrDyn2; a", "F_s1", "F_s in the run of FrDyn2", LOAD),
                model("AdamsStickSlip; a", "F_R1"),
                model("SimpackStickSlip; a", "F_R1"),
                model("FrDyn2; a", "F_R1"),
            ]),
            Panel("(b) Trolley 2", "t", Axis("t", "s", 1.0, (7.1, 7.9)), Axis("F_R2", "N", 1.0, (-3.0, 3.0)), [
                model("AdamsStickSlip; b", "F_R2"),
                model("SimpackStickSlip; b", "F_R2"),
                model("FrDyn2; b", "F_R2"),
            ]),
        ],
    ),
]
