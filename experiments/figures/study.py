"""Heat maps of docs/study.md: errors and costs of FrDyn2 over v_s, v_d and the communication step H."""

import csv

from figure import axes, over, plt, save, symbols
from heat import heat, scale
from matplotlib.colors import LogNorm, Normalize


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
    """Values of the chosen rows over v_s and v_d, with their text."""

    def __init__(self, title, rows, value, text):
        self.title = title
        self.columns = sorted({row.v_s for row in rows})
        self.rows = sorted({row.v_d for row in rows})
        self.cells = {(row.v_d, row.v_s): (value(row), text(value(row))) for row in rows}


class Group:
    """Maps with one scale of colours, white at `limits[0]` and darkest at `limits[1]`."""

    def __init__(self, maps, label, norm):
        self.maps, self.label, self.norm = maps, label, norm


def decimal(value):
    """One digit with an exponent."""
    return "0" if value == 0 else f"{value:.0e}".replace("e-0", "e-").replace("e+0", "e")


def chosen(rows, rig, quantity, h):
    return [row for row in rows if (row.rig, row.quantity, row.h) == (rig, quantity, h)]


def errors(rows, rig, quantity, steps, relative, limits):
    """Maps of the error for each communication step."""
    name = quantity.split(" [")[0]
    value = Row.relative_error if relative else Row.error
    maps = [Map(f"Error of {name}, H = {h} s", chosen(rows, rig, quantity, h), value, decimal) for h in steps]
    return Group(maps, "relative error" if relative else "error" + over("s"), LogNorm(*limits))


def costs(rows, rig, quantity, steps):
    """Maps of the cost for each communication step."""
    maps = [Map(f"Cost of 1 s, H = {h} s", chosen(rows, rig, quantity, h), lambda row: row.cost, "{:.1f}".format) for h in steps]
    return Group(maps, "processor time" + over("ms"), LogNorm(1, 1000))


def reference(rows, rig, quantity, title, unit, scale_of_unit, norm):
    """Map of the monolithic result."""
    made = Map(title, chosen(rows, rig, quantity, "1e-5"), lambda row: row.expected * scale_of_unit, "{:.3f}".format)
    return Group([made], title.split(",")[0] + over(unit), norm)


def bench(rows):
    quantity, steps = "u_st [m]", ["1e-6", "1e-5", "1e-4", "3e-4"]
    return [
        [reference(rows, "bench", quantity, "u_st, monolithic", "µm", 1e6, LogNorm(1, 200))],
        [errors(rows, "bench", quantity, steps, True, (1e-4, 1))],
        [costs(rows, "bench", quantity, steps)],
    ]


def festoon(rows):
    zero, place, steps = "v_T1 = 0 [s]", "x_T1 at 7 s [m]", ["1e-5", "1e-4", "3e-4"]
    return [
        [
            reference(rows, "festoon", zero, "time of v_T1 = 0, monolithic", "s", 1.0, Normalize(6.44, 6.48)),
            reference(rows, "festoon", place, "x_T1 at 7 s, monolithic", "m", 1.0, Normalize(1.80, 1.83)),
        ],
        [errors(rows, "festoon", zero, steps, False, (1e-6, 1e-2))],
        [errors(rows, "festoon", place, steps, True, (1e-7, 1e-3))],
        [costs(rows, "festoon", zero, steps)],
    ]


def draw(lines, picture, description):
    """Draws lines of groups of maps."""
    columns = max(sum(len(group.maps) for group in line) for line in lines)
    drawing = plt.figure()
    grid = axes(drawing, columns, columns * len(lines), (3.3, 2.2))
    for number, line in enumerate(lines):
        places = grid[number * columns : (number + 1) * columns]
        for group in line:
            here, places = places[: len(group.maps)], places[len(group.maps) :]
            for ax, made in zip(here, group.maps):
                heat(ax, made.columns, made.rows, made.cells, group.norm, made.title)
                label(ax, made, ax is here[0])
            scale(drawing, here, group.norm, group.label)
        for ax in places:
            ax.set_visible(False)
    save(drawing, picture, description)


def label(ax, made, is_first):
    """Velocities at the axes; v_d at the first map of a group only."""
    ax.set_xticks(range(len(made.columns)), [decimal(v) for v in made.columns])
    ax.set_yticks(range(len(made.rows)), [decimal(v) for v in made.rows] if is_first else [])
    ax.set_xlabel(symbols("v_s") + over("m/s"))
    if is_first:
        ax.set_ylabel(symbols("v_d") + over("m/s"))
