"""Figure of docs/performance.md: the error that each tolerance leaves, and the cost of an error beside CVODE."""

import csv

from figure import Axis, axes, plt, prepare, save, symbols

SHOWN = "1e-4"
COLOURS = ["#1f4e79", "#d1661a", "#2b8a3e", "#c026c0"]
STYLES = {"1e-3": ("-", "o"), "1e-4": ("--", "s"), "1e-5": (":", "^")}
METHODS = {"Bristle": ("-", "o"), "CVODE": ("--", "s")}


def main(table, picture):
    """Draws both panels."""
    with open(table, encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file, delimiter="\t"))
    workloads = list(dict.fromkeys(row["workload"] for row in rows))
    drawing = plt.figure()
    precision, work = axes(drawing, 2, 2, (4.6, 4.0))

    def select(method, workload, h):
        return [row for row in rows if (row["method"], row["workload"], row["H"]) == (method, workload, h)]

    def plot(ax, points, x, y, colour, style, label):
        if points:
            xs, ys = [[float(row[name]) for row in points] for name in (x, y)]
            ax.plot(xs, ys, style[0], marker=style[1], markersize=3, color=colour, label=label)

    for workload, colour in zip(workloads, COLOURS):
        name = workload.split(" ")[0]
        for h, style in STYLES.items():
            plot(precision, select("Bristle", workload, h), "tolerance", "error", colour, style, f"{name}, $H$ = {h} s")
        for method, style in METHODS.items():
            plot(work, select(method, workload, SHOWN), "error", "ns", colour, style, f"{method}, {name}")
    precision.plot([1e-10, 1e-3], [1e-10, 1e-3], color="#888888", linewidth=0.8, label="error = tolerance")
    error = Axis("largest error of F_R / F_s", log=True)
    prepare(precision, Axis("tolerance", log=True), error, "(a) Error over tolerance")
    prepare(work, error, Axis("processor time of a step", "ns", log=True), symbols(f"(b) Cost over error, H = {SHOWN} s"))
    for ax in (precision, work):
        ax.legend(loc="best")
    save(drawing, picture, "FrDyn2: the error that each tolerance leaves, and what an error costs beside CVODE")
