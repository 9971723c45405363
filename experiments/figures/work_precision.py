"""Figure of docs/performance.md: the error that each tolerance leaves, and the cost of an error beside CVODE."""

import csv

from figure import Axis, axes, legend, plt, prepare, save
from styles import DASHED, LIMIT, MARKERS, SERIES

SHOWN = "1e-4"
STEPS = ["1e-3", "1e-4", "1e-5"]
# A mark is a step H, in (a); a pattern is a method, in (b).
METHODS = {"Bristle": "-", "CVODE": DASHED}


def main(table, picture):
    """Draws both panels."""
    with open(table, encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file, delimiter="\t"))
    workloads = list(dict.fromkeys(row["workload"] for row in rows))
    drawing = plt.figure()
    precision, work = axes(drawing, 2, 2, (4.6, 4.0))

    def select(method, workload, h):
        return [row for row in rows if (row["method"], row["workload"], row["H"]) == (method, workload, h)]

    def plot(ax, points, x, y, **style):
        if points:
            xs, ys = [[float(row[name]) for row in points] for name in (x, y)]
            ax.plot(xs, ys, markersize=3.5, **style)

    for workload, series in zip(workloads, SERIES):
        colour = series["color"]
        for h in STEPS:
            points = select("Bristle", workload, h)
            plot(precision, points, "tolerance", "error", color=colour, marker=MARKERS[h], linewidth=0.8)
        for method, dash in METHODS.items():
            plot(work, select(method, workload, SHOWN), "error", "ns", color=colour, linestyle=dash)
    precision.plot([1e-10, 1e-3], [1e-10, 1e-3], label="error = tolerance", **LIMIT)
    error = Axis("largest error of F_R / F_s", log=True)
    prepare(precision, Axis("tolerance", log=True), error, "(a) Error over tolerance, by H")
    prepare(work, error, Axis("processor time of a step", "ns", log=True), f"(b) Cost over error, H = {SHOWN} s")
    entry = plt.Line2D
    more = [entry([], [], color=series["color"], label=f"workload {workload}") for workload, series in zip(workloads, SERIES)]
    marks = {"color": "black", "linewidth": 0.8, "markersize": 3.5}
    more += [entry([], [], marker=MARKERS[h], label=f"(a) H = {h} s", **marks) for h in STEPS]
    more += [entry([], [], color="black", linestyle=dash, label=f"(b) {method}") for method, dash in METHODS.items()]
    legend(drawing, more)
    save(drawing, picture, "FrDyn2: the error that each tolerance leaves, and what an error costs beside CVODE")
