"""Figures of docs/contacts.md: the rigs of rotational, planar and several contacts."""

from pathlib import Path

from figure import Axis, Curve, Figure, Panel, draw, read
from styles import DASHED, LAWS, REFERENCE, SERIES, line

TIME = Axis("t", "s")
STARTS = list(zip([
    ("disc; 0.2 m/s and 10 rad/s", "0.2 m/s, 10 rad/s"),
    ("disc; 1 m/s and 5 rad/s", "1 m/s, 5 rad/s"),
    ("disc; 0.653 m/s and 10 rad/s", "0.653 m/s, 10 rad/s"),
], SERIES))
FEET = SERIES[:4]
INCLINE = ["FrDyn2Linear", "FrDyn2", "LuGre"]


def both(column):
    """Column of the monolithic solution and through the FMU."""
    return [
        Curve("monolithic", column, "monolithic", REFERENCE),
        Curve("through the FMU", column, "FrDyn2Linear, through the FMU", LAWS["FrDyn2Linear"]),
    ]


def difference(column):
    """Column through the FMU minus the monolithic one."""
    return [Curve("through the FMU", column, "", LAWS["FrDyn2Linear"], ("monolithic", column))]


def speeds():
    """Speeds of centre and rim of each start, with the textbook's."""
    curves = []
    for (run, label), style in STARTS:
        for column in ("v", "rim"):
            curves.append(Curve(f"textbook; {run}", column, "textbook", REFERENCE))
            named = f"{label}, {'centre' if column == 'v' else 'rim'}"
            curves.append(Curve(run, column, named, {**style, "linestyle": "-" if column == "v" else DASHED}))
    return curves


def textbook(column):
    """Force or torque of each start over the ratio of both speeds, with the textbook's."""
    curves = [Curve(run, column, "", {**style, "linestyle": "-"}) for (run, _), style in STARTS]
    return [Curve("textbook", column, "textbook", REFERENCE), *curves]


FIGURES = [
    Figure(
        file="brake",
        data="brake",
        place="Brake with an elastic shaft",
        caption=(
            "A wheel turns a disc through an elastic shaft; the pad closes within 0.1 s. Wheel and disc stop, the disc sticks, and the "
            "wheel swings on the shaft. The curves through the FMU cover the monolithic ones; (d) has their difference."
        ),
        columns=4,
        size=(2.9, 2.5),
        panels=[
            Panel("(a) Speed of the wheel", "t", TIME, Axis("ω", "rad/s"), both("omega_w")),
            Panel("(b) Stop of the disc", "t", Axis("t", "s", 1.0, (0.63, 0.8)), Axis("ω", "rad/s", 1.0, (-0.5, 1.0)), [
                Curve("through the FMU", "omega_w", "wheel in (b)", SERIES[0]),
                Curve("through the FMU", "omega_d", "disc in (b)", SERIES[1]),
            ]),
            Panel("(c) Torque of friction", "t", TIME, Axis("M_R", "N·m"), both("M_R")),
            Panel("(d) FMU − monolithic", "t", TIME, Axis("difference of M_R", "N·m"), difference("M_R")),
        ],
    ),
    Figure(
        file="incline",
        data="incline",
        place="Block on an inclined plane that vibrates",
        caption=(
            "Down the slope the weight pulls with 0.4 F_s, and the plane vibrates on a circle with 0.3 F_s at 100 Hz. LuGre drifts down, "
            "FrDyn2 creeps up against the weight, FrDyn2Linear stays. Positions at whole periods."
        ),
        columns=2,
        panels=[
            Panel("(a) Way down the slope", "t", TIME, Axis("x", "µm", 1e6), [
                Curve(law, "x", law, LAWS[law]) for law in INCLINE
            ]),
            Panel("(b) Enlarged", "t", TIME, Axis("x", "µm", 1e6, (-1.2, 0.6)), [
                Curve(law, "x", law, LAWS[law]) for law in INCLINE
            ]),
        ],
    ),
    Figure(
        file="disc",
        data="disc",
        place="Disc that slides and spins",
        caption=(
            "A disc on 60 points in five rings, from three starts, beside the textbook's result for a uniform disc under Coulomb friction "
            "(grey, below the curves). (a) Speeds of the centre (solid) and of the rim (dashed): both stop at the same moment. (b), (c) Force over "
            "μ F_N and torque over μ F_N R, over the ratio of both speeds."
        ),
        columns=3,
        panels=[
            Panel("(a) Speeds", "t", TIME, Axis("speed", "m/s"), speeds()),
            Panel("(b) Force", "epsilon", Axis("v / (R ω)", "", 1.0, (0, 2)), Axis("F / (μ F_N)", "", 1.0, (0, 1)), textbook("F")),
            Panel("(c) Torque", "epsilon", Axis("v / (R ω)", "", 1.0, (0, 2)), Axis("M / (μ F_N R)", "", 1.0, (0, 0.7)), textbook("M")),
        ],
    ),
    Figure(
        file="feet",
        data="feet",
        place="Slider on four feet",
        caption=(
            "A push P on foot 2 turns the slider about foot 1, which carries 60 N of 98 N and sticks while the other feet slide. Feet 3, 2 and "
            "4 leave stick one after the other."
        ),
        columns=3,
        panels=[
            Panel("(a) Push", "t", TIME, Axis("P", "N"), [Curve("through the FMU", "P", "", line("#333333"))]),
            Panel("(b) Displacement", "t", TIME, Axis("|u|", "m", 1.0, (1e-9, 1), log=True), [
                Curve("through the FMU", f"u_{foot}", f"foot {foot}", style) for foot, style in enumerate(FEET, 1)
            ]),
            Panel("(c) Stick", "t", TIME, Axis("feet that stick", "", 1.0, (0, 4.2)), [
                Curve("through the FMU", "sticking feet", "", line("#333333")),
            ]),
        ],
    ),
]


def main(tables, pictures):
    """Draws the figures, and prints their section of docs/contacts.md."""
    print("<!-- begin figures -->")
    for figure in FIGURES:
        draw(figure, read(Path(tables) / f"{figure.data}.csv"), Path(pictures) / f"{figure.file}.svg")
        print(f"![{figure.place}](figures/contacts/{figure.file}.svg)\n\n**{figure.place}.** {figure.caption}\n")
        print(f"*`cargo xtask figures`, [{figure.data}.csv](figures/contacts/{figure.data}.csv).*\n")
    print("<!-- end figures -->")
