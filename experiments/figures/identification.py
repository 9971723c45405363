"""Figure of docs/identification.md: errors over the encoder step, coverage of the intervals, costs of the fits."""

import csv
from collections import defaultdict

from figure import Axis, axes, legend, plt, prepare, save
from styles import LAWS, LIMIT

# Largest cost of a fit relative to that at the truth with which its minimum counts as found.
COST = 1.02
GROUPS = ["white", "coloured", "encoder\nup to $x_p$/10", "encoder\ncoarser"]
STEPS = {0.02: "1/50", 0.04: "1/25", 0.1: "1/10", 0.2: "1/5", 1 / 3: "1/3"}


def main(table, picture):
    """Draws the figure from its table of points."""
    with open(table, encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    panels = defaultdict(lambda: defaultdict(list))
    for row in rows:
        panels[row["panel"].split(" ")[0]][row["law"]].append((float(row["x"]), float(row["y"])))
    drawing = plt.figure()
    errors, coverage, costs = axes(drawing, 3, 3, (3.7, 3.2))
    laws = list(panels["error"])
    for number, law in enumerate(laws):
        colour = LAWS[law]["color"]
        errors.plot(*zip(*panels["error"][law]), ".", markersize=4, color=colour)
        shifted = [(x + 0.1 * (number - (len(laws) - 1) / 2), y) for x, y in panels["coverage"][law]]
        coverage.plot(*zip(*shifted), "o", markersize=5, color=colour)
        costs.plot(*zip(*panels["cost"][law]), label=law, **LAWS[law])
    errors.axhline(0.1, **LIMIT)
    coverage.axhline(0.95, **LIMIT)
    costs.axvline(COST, **LIMIT)
    prepare(errors, Axis("encoder step / x_p", log=True), Axis("largest relative error", "", 1.0, (1e-4, 10), log=True), "(a) Errors")
    errors.set_xticks(list(STEPS), list(STEPS.values()))
    errors.minorticks_off()
    share = Axis("share of 95 % intervals with the truth", "", 1.0, (0.4, 1.02))
    prepare(coverage, Axis("noise of the force, or encoder"), share, "(b) Coverage")
    coverage.set_xticks(range(len(GROUPS)), GROUPS)
    prepare(costs, Axis("cost of the fit / cost at the truth", "", 1.0, (0.7, 1.05)), Axis("share of records", "", 1.0, (0, 1.02)), "(c) Costs")
    legend(drawing)
    save(drawing, picture, "Errors of identified parameters over the encoder step, coverage of their intervals, and costs of the fits")
