"""Figures of docs/internals/numerics.md: zones, regularised time, transients of stick, errors."""

import csv
from pathlib import Path

from figure import Axis, axes, legend, plt, prepare, save, symbols
from styles import COLOURS, DASHES, LIMIT, line

TOLERANCE = Axis("tolerance", log=True)
FORCE_ERROR = Axis("error of F_R / F_s", log=True)
STEP = Axis("length of a step", "s", 1.0, (1e-7, 1e-3), log=True)
# Of each figure: description, width of a panel, panels (name in the table, title, axes).
FIGURES = {
    "numerics_zones": (
        "Zones and branches in the plane of r and e, with trajectories and the ends of their inner steps",
        [
            ("wide", "(a) Zones of the characteristic, branches of the shift", Axis("r = F_0 / F_s", "", 1.0, (-1.5, 1.5)), Axis("e", "", 1.0, (-4, 12))),
            ("stick", "(b) Stick", Axis("r = F_0 / F_s", "", 1.0, (-1.1, 1.1)), Axis("e", "", 1.0, (-1.1, 1.1))),
        ],
    ),
    "numerics_regularised_time": (
        "Length of a step by series in the time t and in the regularised time, over s",
        [
            ("stick", "(a) Stick, tolerance 3e-9", Axis("s", log=True), STEP),
            ("cubic", "(b) Cubic, tolerance 5e-7", Axis("s", log=True), STEP),
        ],
    ),
    "numerics_stick": (
        "Largest error of a step of stick over its tolerance, by method",
        [("errors", "Steps of stick", TOLERANCE, Axis("largest error of r and weight e", log=True))],
    ),
    "numerics_errors": (
        "Errors of random communication steps over the tolerance",
        [
            ("worst", "(a) Largest error", TOLERANCE, FORCE_ERROR),
            ("typical", "(b) Error of 99 % of the steps", TOLERANCE, FORCE_ERROR),
        ],
    ),
}
GUIDES = {"error = tolerance", "s = 0.3", "|r| = 1", "time to |r| = 1"}
SPECIAL = {"trajectories": line(COLOURS[0], width=1.2), "ends of inner steps": line("#111111", width=0.9)}


def main(tables, pictures):
    """Draws all figures from the tables in a folder."""
    for name, (description, panels) in FIGURES.items():
        with open(Path(tables) / f"{name}.tsv", encoding="utf-8", newline="") as file:
            rows = list(csv.reader(file, delimiter="\t"))
        drawing = plt.figure()
        styles = {}
        for ax, (panel, title, x, y) in zip(axes(drawing, len(panels), len(panels), (4.6, 4.0)), panels):
            draw_panel(ax, [row[1:] for row in rows if row[0] == panel], styles)
            prepare(ax, x, y, title)
        legend(drawing)
        save(drawing, Path(pictures) / f"{name}.svg", description)


def draw_panel(ax, rows, styles):
    """Draws the curves of a panel; curves whose names agree up to a slash share a style and an entry of the legend."""
    curves, labelled = {}, set()
    for name, x, y in rows:
        curves.setdefault(name, []).append((float(x), float(y)))
    for name, points in curves.items():
        label = "|w| = v_d / v_s" if "v_d/v_s" in name else name.split("/")[0]
        if label not in styles:
            number = sum(known not in GUIDES and known not in SPECIAL for known in styles) + 1
            own = line(COLOURS[number % len(COLOURS)], DASHES[number % len(DASHES)])
            styles[label] = LIMIT if label in GUIDES else SPECIAL.get(label, own)
        ax.plot(*zip(*points), label=None if label in labelled else symbols(label), **styles[label])
        labelled.add(label)
