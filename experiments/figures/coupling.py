"""Figure of docs/coupling.md: held values in stick beyond their limit, and the same body with m_eff."""

from figure import Axis, Curve, Figure, Panel, draw, read
from styles import line

HELD = line("#d42020", width=0.9)
OBSERVER = line("#1f4ed1", width=1.8)
WRONG = line("#c26a00", ":", 1.5)
MONOLITHIC = line("#111111", "--", 1.1)

TIME = Axis("t", "s", 1.0, (0, 0.2))
FORCE = Axis("F_R", "N", 1.0, (-8, 12))
DISPLACEMENT = Axis("u", "µm", 1e6, (-1, 5))


def parallel(column):
    """Curves of the parallel coupling."""
    return [
        Curve("held parallel", column, "held values", HELD),
        Curve("m_eff parallel", column, "m_eff = 1 kg", OBSERVER),
        Curve("in one piece", column, "monolithic", MONOLITHIC),
    ]


def serial(column):
    """Curves of the serial coupling."""
    return [
        Curve("held serial", column, "held values", HELD),
        Curve("m_eff too large serial", column, "m_eff = 2 kg", WRONG),
        Curve("m_eff serial", column, "m_eff = 1 kg", OBSERVER),
        Curve("in one piece", column, "monolithic", MONOLITHIC),
    ]


FIGURE = Figure(
    file="coupling",
    data="coupling",
    place="Coupling",
    caption="a body of 1 kg in stick under 0.95 F_s, with held values and with m_eff",
    columns=2,
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
