"""Declaration of a figure by the columns of its data, and its drawing with Matplotlib."""

import csv
import re
from collections import defaultdict
from dataclasses import dataclass, field

import matplotlib

matplotlib.use("svg")
import matplotlib.pyplot as plt
import numpy as np
from matplotlib.ticker import FuncFormatter, LogLocator, NullFormatter

plt.rcParams.update({
    # Equal data give equal bytes, and text stays text.
    "svg.hashsalt": "bristle",
    "svg.fonttype": "none",
    "font.family": "sans-serif",
    "font.size": 9,
    "mathtext.fontset": "dejavusans",
    "axes.titlesize": 10,
    "axes.grid": True,
    "axes.axisbelow": True,
    "grid.color": "#dddddd",
    "grid.linewidth": 0.6,
    "legend.fontsize": 8,
    "legend.frameon": False,
    "figure.constrained_layout.use": True,
    # Half a pixel: pictures of some thousand points stay small.
    "path.simplify_threshold": 0.5,
})

# Windows of an envelope over the width of a panel: about one for every two pixels.
WINDOWS = 150
# Changes of direction in a window from which on its area is drawn.
TURNS = 2


@dataclass
class Axis:
    """Axis of a panel: values times `scale` in `unit`, over `limits` of that unit."""

    label: str
    unit: str = ""
    scale: float = 1.0
    limits: tuple | None = None
    log: bool = False

    def title(self):
        """Quantity over unit; a unit that is a quotient has parentheses."""
        label = f"${self.label}$" if len(self.label) == 1 else symbols(self.label)
        return label + (f" / ({self.unit})" if "/" in self.unit else f" / {self.unit}" if self.unit else "")


@dataclass
class Curve:
    """Column of a run; without a label it is not in the legend.

    An envelope has the range of the values in short windows as an area where they jump from step to step, and the line elsewhere.
    """

    run: str
    column: str
    label: str
    style: dict
    envelope: bool = False


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
    size: tuple = field(default=(3.4, 2.7))
    # Gap between panels over their width, 1.
    gap: float = 0.0


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


def axes(figure, columns, count, size=(3.4, 2.7)):
    """Grid of `count` axes in rows of `columns`."""
    rows = -(-count // columns)
    figure.set_size_inches(size[0] * columns, size[1] * rows)
    grid = figure.subplots(rows, columns, squeeze=False).ravel()
    for unused in grid[count:]:
        unused.set_visible(False)
    return list(grid[:count])


def prepare(ax, x_axis, y_axis, title):
    """Titles, scales and limits of a panel."""
    ax.set_title(symbols(title), loc="left")
    for axis, set_label, set_scale, set_limits in [
        (x_axis, ax.set_xlabel, ax.set_xscale, ax.set_xlim),
        (y_axis, ax.set_ylabel, ax.set_yscale, ax.set_ylim),
    ]:
        set_label(axis.title())
        if axis.log:
            set_scale("log")
            label_logarithms(ax.xaxis if axis is x_axis else ax.yaxis)
        else:
            ax.locator_params(axis="x" if axis is x_axis else "y", nbins=5)
        if axis.limits:
            set_limits(*axis.limits)


def label_logarithms(axis):
    """Labels of a logarithmic axis that do not overlap: at 1, 2 and 5 below two decades, at decades otherwise."""
    low, high = axis.get_view_interval()
    axis.set_minor_formatter(NullFormatter())
    if high < 100 * low:
        axis.set_major_locator(LogLocator(subs=(1, 2, 5)))
        axis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}"))


def legend(picture, more=()):
    """The one legend of a picture, below its panels: each label of any panel once, then the handles `more`."""
    entries = {}
    for ax in picture.axes:
        for handle, label in zip(*ax.get_legend_handles_labels()):
            entries.setdefault(label, handle)
    for handle in more:
        entries[handle.get_label()] = handle
    if entries:
        # So many columns that a line of the legend is not wider than the picture.
        widest = max(len(re.sub(r"\\mathrm|[${}_\\]", "", label)) for label in entries)
        columns = max(1, int(picture.get_figwidth() / (0.45 + 0.075 * widest)))
        columns = -(-len(entries) // -(-len(entries) // columns))
        picture.legend(entries.values(), entries.keys(), loc="outside lower center", ncols=columns, handlelength=3.2)


def plot(ax, panel, data, curve):
    """Draws a curve, or its envelope."""
    run = data[curve.run]
    x = np.array(run[panel.x]) * panel.x_axis.scale
    y = np.array(run[curve.column]) * panel.y_axis.scale
    if panel.y_axis.log:
        y = abs(y)
    label = symbols(curve.label) or None
    if not curve.envelope:
        ax.plot(x, y, label=label, **curve.style)
        return
    low, high = panel.x_axis.limits or (x[0], x[-1])
    window = ((x - low) / (high - low) * WINDOWS).astype(int)
    windows = [number for number in range(WINDOWS) if (window == number).any()]
    ends = np.array([[of(y[window == number]) for number in windows] for of in (np.min, np.max)])
    centres = low + (np.array(windows) + 0.5) / WINDOWS * (high - low)
    # Neighbours of such a window belong to its area, so that area and line touch.
    turns = np.array([np.count_nonzero(np.diff(np.sign(np.diff(y[window == number])))) for number in windows])
    jumps = np.convolve(turns >= TURNS, np.ones(3), "same") > 0
    ax.fill_between(centres, *ends, where=jumps, color=curve.style["color"], alpha=0.35, linewidth=0)
    is_line = ~np.isin(window, np.array(windows)[jumps])
    ax.plot(x, np.where(is_line, y, np.nan), label=label, **curve.style)


def draw(figure, data, path):
    """Draws a figure from the runs of `read` into an SVG file."""
    picture = plt.figure()
    for ax, panel in zip(axes(picture, figure.columns, len(figure.panels), figure.size), figure.panels):
        for curve in panel.curves:
            plot(ax, panel, data, curve)
        prepare(ax, panel.x_axis, panel.y_axis, panel.title)
    if figure.gap:
        picture.get_layout_engine().set(wspace=figure.gap)
    legend(picture)
    save(picture, path, f"{figure.place}: {figure.caption}")


def save(picture, path, description):
    """Writes a picture with a description for readers who cannot see it."""
    picture.savefig(path, format="svg", metadata={"Date": None, "Creator": None, "Title": description})
    plt.close(picture)
