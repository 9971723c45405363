"""Heat map of docs/creep.md: the largest creep rate of each element over the frequency of the load, for each way of solution."""

import csv
import math

from figure import axes, plt, save, symbols
from matplotlib.cm import ScalarMappable
from matplotlib.colors import LogNorm

# From the rounding of a displacement to the velocity of the regularisation, m/s.
NORM = LogNorm(1e-16, 1e-3)
WAYS = [("monolithic", "(a) monolithic"), ("FMU", "(b) through the FMU"), ("m_eff", "(c) with m_eff, H = 1e-3 s")]


def main(table, picture):
    """Draws the maps; a star marks cells in which a run slides."""
    with open(table, encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    elements = list(dict.fromkeys(row["element"] for row in rows))
    frequencies = sorted({float(row["frequency [Hz]"]) for row in rows})
    drawing = plt.figure()
    grid = axes(drawing, len(WAYS), len(WAYS), (3.3, 4.0))
    for ax, (way, title) in zip(grid, WAYS):
        shades = []
        for line, element in enumerate(elements):
            shades.append([])
            for column, frequency in enumerate(frequencies):
                cell = (element, way, frequency)
                here = [row for row in rows if (row["element"], row["way"], float(row["frequency [Hz]"])) == cell]
                still = [abs(float(row["creep [m/s]"])) for row in here if row["slides"] == "0"]
                value = max(still, default=math.nan)
                text = "" if not still else "none" if value == 0 else str(round(math.log10(value)))
                shades[-1].append(min(max(value, NORM.vmin), NORM.vmax) if still else math.nan)
                colour = "white" if still and NORM(shades[-1][-1]) > 0.55 else "#222222"
                star = "*" if any(row["slides"] == "1" for row in here) else ""
                ax.text(column, line, text + star, ha="center", va="center", fontsize=7, color=colour)
        ax.imshow(shades, cmap="Blues", norm=NORM, aspect="auto")
        ax.set_title(symbols(title), loc="left")
        ax.grid(False)
        ax.set_facecolor("#f0f0f0")
        ax.set_xticks(range(len(frequencies)), [f"{frequency:g}" for frequency in frequencies])
        ax.set_yticks(range(len(elements)), elements if ax is grid[0] else [])
        ax.set_xlabel("frequency / Hz")
    bar = drawing.colorbar(ScalarMappable(NORM, plt.get_cmap("Blues")), ax=grid, extend="both", fraction=0.03, pad=0.01, aspect=18)
    bar.set_label("largest creep rate / (m/s)")
    bar.ax.grid(False)
    save(drawing, picture, "Largest creep rate of each element over the frequency of the load, log10 of m/s")
