"""Heat maps of docs/creep.md: creep rates under loads that pulsate, one map for each element and a summary."""

import csv
import math
from pathlib import Path

from figure import axes, plt, save
from matplotlib.colors import LogNorm

COLOURS = "Blues"
# From the rounding of a displacement to the velocity of the regularisation, m/s.
NORM = LogNorm(1e-16, 1e-3, clip=True)
WAYS = [("monolithic", "monolithic"), ("FMU", "through the FMU"), ("m_eff", "with m_eff, H = 1e-3 s")]


def main(table, summary, folder):
    """Draws all maps."""
    with open(table, encoding="utf-8", newline="") as file:
        rows = [Row(*line) for line in list(csv.reader(file))[1:]]
    elements = list(dict.fromkeys(row.element for row in rows))
    for element in elements:
        of_element(element, [row for row in rows if row.element == element], Path(folder) / f"{element}.svg")
    of_all(elements, rows, summary)


class Row:
    """Line of the results."""

    def __init__(self, element, way, wave, bias, amplitude, frequency, mass, h, rate, _, slides, _formula):
        self.element, self.way, self.wave, self.h = element, way, wave, h
        self.load = f"{bias} + {amplitude}" + ("~" if wave == "asymmetric" else "")
        self.frequency, self.mass = float(frequency), float(mass)
        self.rate, self.slides = float(rate), slides == "1"


def heat(ax, rows, columns, cells, title):
    """Map of `cells`, lists of rows by line and column, of which the largest rate is drawn; a star marks sliding."""
    lines = list(cells)
    ax.set_title(title, loc="left")
    ax.grid(False)
    shades = []
    for i, line in enumerate(lines):
        shades.append([])
        for j, column in enumerate(columns):
            found = [row for row in cells[line] if rows(row) == column]
            still = [abs(row.rate) for row in found if not row.slides]
            value = max(still, default=math.nan)
            shades[-1].append(max(value, NORM.vmin) if still else math.nan)
            text = "" if not still else "0" if value == 0 else str(round(math.log10(value)))
            text += "*" if any(row.slides for row in found) else ""
            dark = bool(still) and NORM(max(value, NORM.vmin)) > 0.55
            ax.text(j, i, text, ha="center", va="center", fontsize=7, color="white" if dark else "#222222")
    ax.imshow(shades, cmap=COLOURS, norm=NORM, aspect="auto")
    ax.set_xticks(range(len(columns)), [f"{column:g}" if isinstance(column, float) else column for column in columns])
    ax.set_yticks(range(len(lines)), lines)


def of_element(element, rows, picture):
    """Maps of an element over load and frequency, for each way and mass."""
    ways = [way for way in WAYS if any(row.way == way[0] for row in rows)]
    masses = sorted({row.mass for row in rows})
    drawing = plt.figure()
    grid = axes(drawing, len(masses), len(masses) * len(ways), (3.2, 3.2))
    for n, (way, words) in enumerate(ways):
        for m, mass in enumerate(masses):
            ax = grid[n * len(masses) + m]
            chosen = [row for row in rows if (row.way, row.mass) == (way, mass)]
            loads = {load: [row for row in chosen if row.load == load] for load in dict.fromkeys(r.load for r in chosen)}
            frequencies = sorted({row.frequency for row in chosen})
            heat(ax, lambda row: row.frequency, frequencies, loads, f"{words}, {mass:g} kg")
            ax.set_xlabel("frequency / Hz")
            if m == 0:
                ax.set_ylabel("bias + amplitude / F_s")
    save(drawing, picture, f"Creep rate of {element} over load, frequency and mass, log10 of m/s")


def of_all(elements, rows, picture):
    """Largest rate of each element over the frequency, for each way."""
    drawing = plt.figure()
    grid = axes(drawing, len(WAYS), len(WAYS), (3.6, 4.4))
    frequencies = sorted({row.frequency for row in rows})
    for ax, (way, words) in zip(grid, WAYS):
        cells = {element: [row for row in rows if (row.element, row.way) == (element, way)] for element in elements}
        heat(ax, lambda row: row.frequency, frequencies, cells, words)
        ax.set_xlabel("frequency / Hz")
    save(drawing, picture, "Largest creep rate of each element over the frequency of the load, log10 of m/s")
