"""Figure of docs/compare.md: error over cost of every element on six rigs."""

import csv

from figure import Axis, axes, legend, plt, prepare, save
from styles import LAWS, MARKERS

RIGS = ["stick", "pulses", "festoon", "block", "oscillator", "force"]
STEPS = ["1e-3", "1e-4"]


def main(table, picture):
    """Draws the figure: a line per element from the long step (circle) to the short one (square)."""
    with open(table, encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    x_axis = Axis("processor time of a step", "ns", log=True)
    y_axis = Axis("rms error of F_R / F_s", "", 1.0, (1e-5, 2), log=True)
    drawing = plt.figure()
    for ax, rig, letter in zip(axes(drawing, 3, len(RIGS), (3.5, 2.8)), RIGS, "abcdef"):
        for element, style in LAWS.items():
            points = [
                (float(row["step [ns]"]), float(row["rms error [F_s]"]), row["H [s]"])
                for row in rows
                if row["rig"] == rig and row["element"] == element and float(row["rms error [F_s]"] or 0) > 0
            ]
            if not points:
                continue
            cost, error, steps = zip(*points)
            ax.plot(cost, error, label=element, **style)
            for marker_cost, marker_error, h in zip(cost, error, steps):
                ax.plot(marker_cost, marker_error, MARKERS[h], color=style["color"], markersize=4)
        prepare(ax, x_axis, y_axis, f"({letter}) {rig}")
    marks = {"color": "black", "linestyle": "none", "markersize": 4}
    legend(drawing, [plt.Line2D([], [], marker=MARKERS[h], label=f"H = {h} s", **marks) for h in STEPS])
    save(drawing, picture, "Error over cost of every element on six rigs, communication steps of 1e-3 s and 1e-4 s")

