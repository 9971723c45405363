"""Heat maps of docs/study.md: errors and costs of FrDyn2 over v_s, v_d and the communication step H."""

import csv
import math

from figure import axes, plt, save, symbols
from matplotlib.colors import LogNorm

COLOURS = "Blues"


def main(table, bench_picture, festoon_picture):
    """Draws the maps of both rigs."""
    with open(table, encoding="utf-8", newline="") as file:
        rows = [Row(*line) for line in list(csv.reader(file))[1:]]
    draw(bench(rows), bench_picture, "FrDyn2 on the test bench over v_s, v_d and H")
    draw(festoon(rows), festoon_picture, "FrDyn2 on the festoon over v_s, v_d and H")


class Row:
    """Line of the results."""

    def __init__(self, rig, v_s, v_d, h, quantity, expected, obtained, cost):
        self.rig, self.h, self.quantity = rig, h, quantity
        self.v_s, self.v_d, self.cost = float(v_s), float(v_d), float(cost)
        self.expected, self.obtained = float(expected), float(obtained)

    def error(self):
        return abs(self.obtained - self.expected)

    def relative_error(self):
        return self.error() / abs(self.expected)


class Map:
    """Values of the chosen rows over v_s and v_d, with their text, white at `limits[0]` and darkest at `limits[1]`."""

    def __init__(self, title, rows, value, text, limits):
        self.title, self.limits = title, limits
        self.columns = sorted({row.v_s for row in rows})
        self.rows = sorted({row.v_d for row in rows})
        self.cells = {(row.v_s, row.v_d): (value(row), text(value(row))) for row in rows}


def decimal(value):
    """One digit with an exponent."""
    return "0" if value == 0 else f"{value:.0e}".replace("e-0", "e-").replace("e+0", "e")


def chosen(rows, rig, quantity, h):
    return [row for row in rows if (row.rig, row.quantity, row.h) == (rig, quantity, h)]


def errors(rows, rig, quantity, steps, relative, limits):
    """Map of the error for each communication step."""
    name, unit = quantity.split(" [")[0], "" if relative else ", s"
    value = Row.relative_error if relative else Row.error
    return [
        Map(f"Error of {name}{unit}, H = {h} s", chosen(rows, rig, quantity, h), value, decimal, limits) for h in steps
    ]


def costs(rows, rig, quantity, steps):
    """Map of the cost for each communication step."""
    return [
        Map(f"ms for 1 s, H = {h} s", chosen(rows, rig, quantity, h), lambda row: row.cost, "{:.1f}".format, (1, 1000))
        for h in steps
    ]


def reference(rows, rig, quantity, title, scale, limits):
    """Map of the monolithic result."""
    return Map(title, chosen(rows, rig, quantity, "1e-5"), lambda row: row.expected * scale, "{:.3f}".format, limits)


def bench(rows):
    quantity, steps = "u_st [m]", ["1e-6", "1e-5", "1e-4", "3e-4"]
    return [
        [reference(rows, "bench", quantity, "u_st, monolithic, µm", 1e6, (1, 200))],
        errors(rows, "bench", quantity, steps, True, (1e-4, 1)),
        costs(rows, "bench", quantity, steps),
    ]


def festoon(rows):
    zero, place, steps = "v_T1 = 0 [s]", "x_T1 at 7 s [m]", ["1e-5", "1e-4", "3e-4"]
    return [
        [
            reference(rows, "festoon", zero, "v_T1 = 0, monolithic, s", 1.0, (6.4, 6.5)),
            reference(rows, "festoon", place, "x_T1 at 7 s, monolithic, m", 1.0, (1.8, 1.83)),
        ],
        errors(rows, "festoon", zero, steps, False, (1e-6, 1e-2)),
        errors(rows, "festoon", place, steps, True, (1e-7, 1e-3)),
        costs(rows, "festoon", zero, steps),
    ]


def draw(lines, picture, description):
    """Draws maps in rows."""
    columns = max(len(line) for line in lines)
    drawing = plt.figure()
    grid = axes(drawing, columns, columns * len(lines), (4.0, 2.6))
    for number, line in enumerate(lines):
        for place, ax in enumerate(grid[number * columns : (number + 1) * columns]):
            if place < len(line):
                heat(ax, line[place])
            else:
                ax.set_visible(False)
    save(drawing, picture, description)


def heat(ax, values):
    """Draws a map with the number in each cell."""
    norm = LogNorm(*values.limits, clip=True)
    ax.set_title(symbols(values.title), loc="left")
    ax.grid(False)
    cells = [[values.cells.get((v_s, v_d), (math.nan, ""))[0] for v_s in values.columns] for v_d in values.rows]
    shades = [[max(cell, values.limits[0]) if cell == cell else math.nan for cell in row] for row in cells]
    ax.imshow(shades, cmap=COLOURS, norm=norm, aspect="auto")
    for i, v_d in enumerate(values.rows):
        for j, v_s in enumerate(values.columns):
            if (v_s, v_d) in values.cells:
                value, text = values.cells[v_s, v_d]
                dark = norm(max(value, values.limits[0])) > 0.55 if value == value else True
                ax.text(j, i, text, ha="center", va="center", fontsize=7, color="white" if dark else "#222222")
    ax.set_xticks(range(len(values.columns)), [decimal(v) for v in values.columns])
    ax.set_yticks(range(len(values.rows)), [decimal(v) for v in values.rows])
    ax.set_xlabel(symbols("v_s") + " / (m/s)")
    ax.set_ylabel(symbols("v_d") + " / (m/s)")
