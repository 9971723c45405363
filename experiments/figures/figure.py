"""Declaration of a figure by the columns of its data, and its drawing with Matplotlib."""

import csv
import re
from collections import defaultdict
from dataclasses import dataclass

import matplotlib

matplotlib.use("svg")
import matplotlib.pyplot as plt

plt.rcParams.update({
    # The same data give the same bytes, and text stays text.
    "svg.hashsalt": "bristle",
    "svg.fonttype": "none",
    "font.family": "sans-serif",
    "font.size": 9,
    "mathtext.fontset": "dejavusans",
    "axes.titlesize": 10,
    "axes.grid": True,
    "grid.color": "#dddddd",
    "grid.linewidth": 0.6,
    "legend.fontsize": 8,
    "legend.frameon": True,
    "legend.framealpha": 0.8,
    "figure.constrained_layout.use": True,
    # Half a pixel: pictures of some thousand points stay small.
    "path.simplify_threshold": 0.5,
})


@dataclass
class Axis:
    """Axis of a panel: values times `scale` in `unit`, over `limits` of that unit."""

    label: str
    unit: str = ""
    scale: float = 1.0
    limits: tuple | None = None
    log: bool = False

    def title(self):
        label = f"${self.label}$" if len(self.label) == 1 else symbols(self.label)
        return label + (f" / {self.unit}" if self.unit else "")


@dataclass
class Curve:
    """Column of a run; without a label it is not in the legend."""

    run: str
    column: str
    label: str
    style: dict


@dataclass
class Panel:
    """Curves over the column `x`."""

    title: str
    x: str
    x_axis: Axis
    y_axis: Axis
    curves: list


@dataclass
class Figure:
    """Figure of a paper: file names of picture and data, place in the paper, caption, panels in rows of `columns`."""

    file: str
    data: str
    place: str
    caption: str
    columns: int
    panels: list


def symbols(text):
    """Text with the catalogue's symbols (F_R, mu_s) set as mathematics."""
    greek = {"mu": r"\mu", "sigma": r"\sigma"}

    def symbol(match):
        base, subscript = match.groups()
        return f"${greek.get(base, base)}_{{\\mathrm{{{subscript}}}}}$"

    text = re.sub(r"\b(mu|sigma|[A-Za-z])_([A-Za-z0-9]+)\b", symbol, text)
    return re.sub(r"(?<![\w$\\{(])(v|u|z|x|t|F|H)(?![\w}])", r"$\1$", text)


def read(path):
    """Columns of each run in a table whose first column is the run."""
    with open(path, encoding="utf-8", newline="") as file:
        head, *rows = csv.reader(file)
    names = [name.split(" [")[0] for name in head[1:]]
    runs = defaultdict(lambda: {name: [] for name in names})
    for run, *values in rows:
        for name, value in zip(names, values, strict=True):
            runs[run][name].append(float(value))
    return dict(runs)


def axes(figure, columns, count, size=(3.4, 2.9)):
    """Grid of `count` axes in rows of `columns`."""
    rows = -(-count // columns)
    figure.set_size_inches(size[0] * columns, size[1] * rows)
    grid = figure.subplots(rows, columns, squeeze=False).ravel()
    for unused in grid[count:]:
        unused.set_visible(False)
    return list(grid[:count])


def prepare(ax, x_axis, y_axis, title):
    """Titles, scales and limits of a panel."""
    ax.set_title(title, loc="left")
    for axis, set_label, set_scale, set_limits in [
        (x_axis, ax.set_xlabel, ax.set_xscale, ax.set_xlim),
        (y_axis, ax.set_ylabel, ax.set_yscale, ax.set_ylim),
    ]:
        set_label(axis.title())
        if axis.log:
            set_scale("log")
        else:
            ax.locator_params(axis="x" if axis is x_axis else "y", nbins=6)
        if axis.limits:
            set_limits(*axis.limits)


def legend(ax):
    """Legend of a panel with labelled curves; beside the picture where it would hide them."""
    handles, labels = ax.get_legend_handles_labels()
    if len(handles) > 5:
        if not ax.figure.legends:
            ax.figure.legend(handles, labels, loc="outside right upper")
    elif handles:
        ax.legend(loc="best")


def draw(figure, data, path):
    """Draws a figure from the runs of `read` into an SVG file."""
    picture = plt.figure()
    size = (4.0 if len(figure.panels[0].curves) > 5 else 3.4, 2.9)
    for ax, panel in zip(axes(picture, figure.columns, len(figure.panels), size), figure.panels):
        for curve in panel.curves:
            run = data[curve.run]
            x = [value * panel.x_axis.scale for value in run[panel.x]]
            y = [value * panel.y_axis.scale for value in run[curve.column]]
            if panel.y_axis.log:
                y = [abs(value) for value in y]
            ax.plot(x, y, label=symbols(curve.label) or None, **curve.style)
        prepare(ax, panel.x_axis, panel.y_axis, symbols(panel.title))
        legend(ax)
    save(picture, path, f"{figure.place}: {figure.caption}")


def save(picture, path, description):
    """Writes a picture with a description for readers who cannot see it."""
    picture.savefig(path, format="svg", metadata={"Date": None, "Creator": None, "Title": description})
    plt.close(picture)
