"""Figure of docs/coupling.md: held values in stick beyond their limit, and the same body with m_eff."""

from figure import Axis, Curve, Figure, Panel, draw, read
from styles import DOTTED, LAWS, REFERENCE, line

HELD = line("#d42020", width=1.0)
OBSERVER = LAWS["FrDyn2"]
WRONG = line("#e0701a", DOTTED, 1.6)

TIME = Axis("t", "s", 1.0, (0, 0.2))
FORCE = Axis("F_R", "N", 1.0, (-8, 12))
DISPLACEMENT = Axis("u", "µm", 1e6, (-1, 5))


def parallel(column):
    """Curves of the parallel coupling."""
    return [
        Curve("monolithic", column, "monolithic", REFERENCE),
        Curve("held parallel", column, "held values", HELD, envelope=column == "F_R"),
        Curve("m_eff parallel", column, "m_eff = 1 kg", OBSERVER),
    ]


def serial(column):
    """Curves of the serial coupling."""
    return [
        Curve("monolithic", column, "monolithic", REFERENCE),
        Curve("held serial", column, "held values", HELD, envelope=column == "F_R"),
        Curve("m_eff too large serial", column, "m_eff = 2 kg", WRONG),
        Curve("m_eff serial", column, "m_eff = 1 kg", OBSERVER),
    ]


FIGURE = Figure(
    file="coupling",
    data="coupling",
    place="Coupling",
    caption="a body of 1 kg in stick under 0.95 F_s, with held values and with m_eff",
    columns=2,
    size=(4.0, 2.6),
    panels=[
        Panel("(a) parallel, H = 3e-4 s", "t", TIME, FORCE, parallel("F_R")),
        Panel("(b) serial, H = 1e-3 s", "t", TIME, FORCE, serial("F_R")),
        Panel("(c) parallel, H = 3e-4 s", "t", TIME, DISPLACEMENT, parallel("u")),
        Panel("(d) serial, H = 1e-3 s", "t", TIME, DISPLACEMENT, serial("u")),
    ],
)


def main(table, picture):
    """Draws the figure from its table."""
    draw(FIGURE, read(table), picture)
