"""Heat maps: a number in each cell, and one colour scale for all maps of a group."""

import math

from figure import plt, symbols
from matplotlib.cm import ScalarMappable
from styles import ABSENT, HEAT


def heat(ax, columns, lines, cells, norm, title):
    """Map of `cells`, a value (or not a number) and a text by line and column; cells without a value are grey."""
    ax.set_title(symbols(title), loc="left")
    ax.grid(False)
    ax.set_facecolor(ABSENT)
    shades = []
    for i, line in enumerate(lines):
        shades.append([])
        for j, column in enumerate(columns):
            value, text = cells.get((line, column), (math.nan, ""))
            shade = math.nan if math.isnan(value) else min(max(value, norm.vmin), norm.vmax)
            shades[-1].append(shade)
            dark = not math.isnan(shade) and norm(shade) > 0.55
            ax.text(j, i, text, ha="center", va="center", fontsize=7, color="white" if dark else "#222222")
    ax.imshow(shades, cmap=HEAT, norm=norm, aspect="auto")


def scale(picture, group, norm, label, extend="neither"):
    """Colour scale beside the maps of a group."""
    bar = picture.colorbar(ScalarMappable(norm, plt.get_cmap(HEAT)), ax=group, extend=extend, fraction=0.03, pad=0.01, aspect=18)
    bar.set_label(symbols(label))
    bar.ax.grid(False)
