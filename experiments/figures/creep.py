"""Heat maps of docs/creep.md: creep rates under loads that pulsate, one map for each element and a summary."""

import csv
import math
from pathlib import Path

from figure import axes, plt, save
from heat import heat, scale
from matplotlib.colors import LogNorm

# From the rounding of a displacement to the velocity of the regularisation, m/s.
NORM = LogNorm(1e-16, 1e-3)
LABEL = "largest creep rate / (m/s)"
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


def cells(column, lines):
    """Largest rate without sliding and its exponent of ten, by line and column; a star marks sliding."""
    found = {}
    for line, of_line in lines.items():
        for row in of_line:
            found.setdefault((line, column(row)), []).append(row)
    made = {}
    for place, here in found.items():
        still = [abs(row.rate) for row in here if not row.slides]
        value = max(still, default=math.nan)
        text = "" if not still else "none" if value == 0 else str(round(math.log10(value)))
        made[place] = (value, text + ("*" if any(row.slides for row in here) else ""))
    return made


def of_element(element, rows, picture):
    """Maps of an element over load and frequency, for each way and mass."""
    ways = [way for way in WAYS if any(row.way == way[0] for row in rows)]
    masses = sorted({row.mass for row in rows})
    drawing = plt.figure()
    grid = axes(drawing, len(masses), len(masses) * len(ways), (2.9, 2.7))
    for n, (way, words) in enumerate(ways):
        for m, mass in enumerate(masses):
            ax = grid[n * len(masses) + m]
            chosen = [row for row in rows if (row.way, row.mass) == (way, mass)]
            loads = {load: [row for row in chosen if row.load == load] for load in dict.fromkeys(r.load for r in chosen)}
            frequencies = sorted({row.frequency for row in chosen})
            heat(ax, frequencies, list(loads), cells(lambda row: row.frequency, loads), NORM, f"{words}, {mass:g} kg")
            label(ax, frequencies, list(loads), m == 0, n + 1 == len(ways))
            if m == 0:
                ax.set_ylabel("bias + amplitude / $F_\\mathrm{s}$")
    scale(drawing, grid, NORM, LABEL, "both")
    save(drawing, picture, f"Creep rate of {element} over load, frequency and mass, log10 of m/s")


def of_all(elements, rows, picture):
    """Largest rate of each element over the frequency, for each way."""
    drawing = plt.figure()
    grid = axes(drawing, len(WAYS), len(WAYS), (3.3, 4.0))
    frequencies = sorted({row.frequency for row in rows})
    for number, (ax, (way, words)) in enumerate(zip(grid, WAYS)):
        lines = {element: [row for row in rows if (row.element, row.way) == (element, way)] for element in elements}
        heat(ax, frequencies, elements, cells(lambda row: row.frequency, lines), NORM, f"({'abc'[number]}) {words}")
        label(ax, frequencies, elements, number == 0, True)
    scale(drawing, grid, NORM, LABEL, "both")
    save(drawing, picture, "Largest creep rate of each element over the frequency of the load, log10 of m/s")


def label(ax, frequencies, lines, is_first, is_last):
    """Lines named at the first map of a row, frequencies at the last of a column."""
    ax.set_xticks(range(len(frequencies)), [f"{frequency:g}" for frequency in frequencies])
    ax.set_yticks(range(len(lines)), lines if is_first else [])
    if is_last:
        ax.set_xlabel("frequency / Hz")
