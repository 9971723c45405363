"""Figure of the README: FrDyn2 at the weight of the paper's test bench."""

from figure import Axis, Curve, Figure, Panel, draw, read
from styles import REFERENCE, law

FRDYN2 = law("FrDyn2", linestyle="-")
FORCE = Axis("F_R", "N")

FIGURE = Figure(
    file="frdyn2",
    data="frdyn2",
    place="FrDyn2",
    caption="break-away on the test bench, pre-sliding displacement, and the friction loop under a sine of v",
    columns=3,
    panels=[
        Panel("(a) Stick and break-away", "t", Axis("t", "s"), Axis("force", "N"), [
            Curve("break-away", "F", "applied force F", REFERENCE),
            Curve("break-away", "F_R", "FrDyn2", FRDYN2),
        ]),
        Panel("(b) Pre-sliding", "u", Axis("u", "µm", 1e6), FORCE, [
            Curve("pre-sliding", "F_R", "", FRDYN2),
        ]),
        Panel("(c) Stick and slip", "v", Axis("v", "mm/s", 1e3), FORCE, [
            Curve("loop", "F_R", "", FRDYN2),
        ]),
    ],
)


def main(table, picture):
    """Draws the figure from its table."""
    draw(FIGURE, read(table), picture)
