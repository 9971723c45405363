"""Figures of Rill and Schuderer (2023)."""

from figure import Axis, Curve, Figure, Panel
from styles import CIRCLES, DASHED, LAWS, LOAD, REFERENCE, line, variants

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


def differences(column):
    """Column of the other models minus that of FrDyn2."""
    return [model(name, column, minus=("FrDyn2", column)) for name in MODELS[:2]]


def step(letter, duration, end):
    """Load and forces at one duration of the load's rise, both in s, and the forces minus the load."""
    run = f"; t_E = {duration} s"
    time = Axis("t", "ms", 1e3, (0, 1e3 * end))
    load = Curve("FrDyn2" + run, "F", "applied force F", REFERENCE)
    above = Panel(f"({letter}) t_E = {duration} s", "t", time, FORCE, [load, *models("F_R", run)])
    curves = [model(name + run, "F_R", minus=(name + run, "F")) for name in MODELS]
    below = Panel(f"({letter}) minus the applied force", "t", time, Axis("F_R − F", "N", 1.0, (-1.5, 1.5)), curves)
    return above, below


def trolleys(letter, quantity, symbol, axis, difference):
    """Quantity of both trolleys, and the differences from FrDyn2."""
    panels = []
    for trolley in (1, 2):
        column = f"{quantity}{trolley}"
        towing = [Curve("FrDyn2", "v_TT", "velocity of the towing trolley", LOAD)] if quantity == "v_T" else []
        panels += [
            Panel(f"({letter}) Trolley {trolley}", "t", TEN, Axis(f"{symbol}{trolley}", *axis), [*towing, *models(column)]),
            Panel(f"({letter}) minus FrDyn2", "t", TEN, Axis(f"difference of {symbol}{trolley}", *difference), differences(column)),
        ]
    return panels


STEPS = [step(*values) for values in [("a", "0.1", 0.18), ("b", "0.01", 0.027), ("c", "0.001", 0.0113), ("d", "0.0001", 0.0097)]]
TEN = Axis("t", "s", 1.0, (0.0, 10.0))

FIGURES = [
    Figure(
        file="rs_01",
        data="rs_01",
        place="[RS] Fig. 1",
        caption=(
            "Dry friction: (a) Coulomb’s approach, which SimpackStickSlip follows, (b) its regularised "
            "approximation, StaticRegularized, (c) the shifted one, FrDyn2: at v = 0 the force takes any value up "
            "to F_s. Each contact is moved from −12 mm/s to 12 mm/s in 20 s."
        ),
        columns=3,
        panels=[
            Panel("(a) Coulomb", "v", speed(12), BOTH_WAYS, [
                model("SimpackStickSlip", "F_R"),
            ]),
            Panel("(b) Regularised", "v", speed(12), BOTH_WAYS, [
                model("StaticRegularized", "F_R"),
            ]),
            Panel("(c) Shifted", "v", speed(12), BOTH_WAYS, [
                model("FrDyn2", "F_R"),
            ]),
        ],
    ),
    Figure(
        file="rs_03",
        data="rs_03",
        place="[RS] Fig. 3",
        caption=(
            "Long-term stick of FrDyn2: F rises to 0.99 F_s in 30 s and is held to 300 s. The body shifts by the "
            "deflection of the bristle, 1.1654 µm, and then stands still."
        ),
        columns=2,
        panels=[
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
        file="rs_04",
        data="rs_04",
        place="[RS] Fig. 4",
        caption=(
            "A static model under the same load: StaticRegularized balances it only while it slides, at 0.9 v_s = "
            "0.9 mm/s for ever. Dashed, the characteristic without load. The paper shows two of the three panels."
        ),
        columns=3,
        panels=[
            Panel("(a) Forces", "t", Axis("t", "s", 1.0, (0.0, 300.0)), FORCES, [
                Curve("StaticRegularized", "F", "applied force F", REFERENCE),
                model("StaticRegularized", "F_R"),
            ]),
            Panel("(b) Displacement", "t", Axis("t", "s", 1.0, (0.0, 300.0)), Axis("u", "mm", 1e3, (0.0, 300.0)), [
                model("StaticRegularized", "u"),
            ]),
            Panel("(c) Friction characteristic", "v", Axis("v", "mm/s", 1e3, (0.0, 2.0)), FORCE, [
                Curve("characteristic", "F_R", "characteristic, v prescribed", UNLOADED),
                model("StaticRegularized", "F_R"),
            ]),
        ],
    ),
    Figure(
        file="rs_05",
        data="rs_05",
        place="[RS] Fig. 5",
        caption=(
            "Break-away under a force that reaches 1.05 F_s within 10 s: at 8.6808 s it passes F_s. "
            "SimpackStickSlip drops at once, FrDyn2 and AdamsStickSlip follow a characteristic. Circles: the "
            "regularised characteristic, shifted by v_s."
        ),
        columns=3,
        panels=[
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
        file="rs_06",
        data="rs_06",
        place="[RS] Fig. 6",
        caption=(
            "Steps to 0.95 F_s within 0.1, 0.01, 0.001 and 0.0001 s. All agree on slow steps; on fast ones "
            "SimpackStickSlip exceeds F_s = 5.886 N, up to 6.61 N and 6.74 N, and FrDyn2 and AdamsStickSlip are "
            "limited to it. The lower row has the forces minus the applied one."
        ),
        columns=4,
        panels=[panel for row in zip(*STEPS) for panel in row],
        size=(2.8, 2.5),
    ),
    Figure(
        file="rs_07",
        data="rs_07",
        place="[RS] Fig. 7",
        caption=(
            "The step within 0.1 s: the forces depend on the displacement alone, linearly for FrDyn2 and "
            "SimpackStickSlip (1.12 µm), degressively for AdamsStickSlip (0.71 µm)."
        ),
        columns=3,
        panels=[
            Panel("(a) Force over velocity", "v", Axis("v", "µm/s", 1e6, (-5, 25)), FORCE, models("F_R")),
            Panel("(b) Force over displacement", "u", MICROMETRES, FORCE, models("F_R")),
            Panel("(c) Displacement", "t", Axis("t", "s", 1.0, (0.0, 0.18)), MICROMETRES, models("u")),
        ],
    ),
    Figure(
        file="rs_08",
        data="rs_08",
        place="[RS] Fig. 8",
        caption=(
            "The step within 0.001 s: FrDyn2 partly slides and stops at 2.27 µm, SimpackStickSlip overshoots its "
            "1.12 µm a little, AdamsStickSlip reaches that and then returns slowly."
        ),
        columns=3,
        panels=[
            Panel("(a) Force over velocity", "v", Axis("v", "mm/s", 1e3, (-0.2, 1.2)), FORCE, models("F_R")),
            Panel("(b) Force over displacement", "u", Axis("u", "µm", 1e6, (0.0, 2.5)), FORCE, models("F_R")),
            Panel("(c) Displacement", "t", Axis("t", "ms", 1e3, (0.0, 10.0)), Axis("u", "µm", 1e6, (0.0, 2.5)), models("u")),
        ],
    ),
    Figure(
        file="rs_09",
        data="rs_09",
        place="[RS] Fig. 9",
        caption=(
            "AdamsStickSlip, reconstructed from published behaviour, for longer: up within 0.0035 s, back within "
            "about 0.05 s, and 0.12 µm remain beyond where the slow step ends."
        ),
        columns=1,
        panels=[
            Panel("Displacement", "t", Axis("t", "s", 1.0, (0.0, 0.1)), MICROMETRES, [
                Curve("AdamsStickSlip", "u", "AdamsStickSlip, t_E = 0.001 s", variants("AdamsStickSlip", 2)[0]),
                Curve("AdamsStickSlip; t_E = 0.1 s", "u", "AdamsStickSlip, t_E = 0.1 s", variants("AdamsStickSlip", 2)[1]),
            ]),
        ],
    ),
    Figure(
        file="rs_11",
        data="rs_11",
        place="[RS] Fig. 11",
        caption=(
            "The festoon cable system: the towing trolley pulls out within 5 s, the trolleys swing on. Velocities "
            "and normal forces of the models hardly differ, their friction forces do: each panel has the differences from FrDyn2 beside it. Masses, links and bristle "
            "are chosen, see the table below."
        ),
        columns=4,
        panels=[
            *trolleys("a", "v_T", "v_T", ("m/s", 1.0, (-0.6, 1.2)), ("mm/s", 1e3, (-25, 25))),
            *trolleys("b", "F_N", "F_N", ("N", 1.0, (16.0, 28.0)), ("N", 1.0, (-1, 1))),
            *trolleys("c", "F_R", "F_R", ("N", 1.0, (-3.0, 3.0)), ("N", 1.0, (-2, 2))),
        ],
        size=(2.9, 2.4),
    ),
    Figure(
        file="rs_12",
        data="rs_12",
        place="[RS] Fig. 12",
        caption=(
            "The same, closer: (a) v_T1 changes its sign near 6.47 s, (b) trolley 2 sticks. FrDyn2 and "
            "AdamsStickSlip stay within F_s. How soon trolley 1 slides back (at 6.48 s in the paper) and how far "
            "SimpackStickSlip overshoots (−2.685 N in the paper) depends on values that the paper does not print."
        ),
        columns=2,
        panels=[
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
