"""Figure of docs/peers.md: creep, error in sliding, and cost of each way of friction, over H as well, and what a sharper bristle costs."""

import csv
import math

from figure import axes, label_logarithms, plt, save
from styles import COLOURS, DASHED

# From the rounding of a displacement on, m/s and rad/s.
FLOOR = 1e-18
# Errors below are those of the rigs' steps, 1.
LEAST = 1e-5
CREEP = ["hold [m/s]", "pulsate [m/s]", "joint [rad/s]", "light joint [rad/s]"]
BELT = {"mass [kg]": 1.0, "stiffness [N/m]": 100.0, "velocity [m/s]": 0.1}


def main(table, sharpness, work, picture):
    """Draws the panels."""
    with open(table, encoding="utf-8", newline="") as file:
        rows = [row for row in csv.DictReader(file) if not row["reason"]]
    with open(sharpness, encoding="utf-8", newline="") as file:
        sharp = [row for row in csv.DictReader(file) if all(float(row[name]) == value for name, value in BELT.items())]
    with open(work, encoding="utf-8", newline="") as file:
        steps = list(csv.DictReader(file))
    tools = list(dict.fromkeys(row["tool"] for row in rows))
    colours = [COLOURS[tools.index(row["tool"])] for row in rows]
    drawing = plt.figure()
    creep, error, cost, curve, precision = axes(drawing, 5, 5, (3.1, 0.9 + 0.19 * len(rows)))
    for place, (row, colour) in enumerate(zip(rows, colours)):
        largest = max((abs(float(row[name])) for name in CREEP if row[name]), default=math.nan)
        creep.plot(max(largest, FLOOR), place, "o", color=colour)
        for name, fill in (("belt", colour), ("incline", "none")):
            if row[name] not in ("", "nan"):
                error.plot(100 * max(abs(float(row[name])), LEAST), place, "o", color=colour, markerfacecolor=fill)
        if row["cost [s]"]:
            cost.plot(1e6 * float(row["cost [s]"]), place, "o", color=colour)
    titles = ["(a) largest creep", "(b) period (full), incline (open)", "(c) processor time of a step"]
    for ax, title, unit in zip((creep, error, cost), titles, ("m/s, rad/s", "%", "µs")):
        ax.set_xscale("log")
        ax.set_title(title, loc="left")
        ax.set_xlabel(unit)
        ax.set_ylim(len(rows) - 0.5, -0.5)
        ax.set_yticks(range(len(rows)), [label(row) for row in rows] if ax is creep else [])
    creep.set_xlim(FLOOR / 3, 1e2)
    error.set_xlim(100 * LEAST / 2, 200.0)
    for form, dash in (("m_eff", "-"), ("block", DASHED)):
        points = [row for row in sharp if row["form"] == form]
        x = [float(row["sharpness"]) for row in points]
        curve.plot(x, [100 * float(row["error"]) for row in points], linestyle=dash, color=COLOURS[0], label=f"period, %, {form}")
        curve.plot(x, [1e6 * float(row["cost [s]"]) for row in points], linestyle=dash, color=COLOURS[1], label=f"step, µs, {form}")
    curve.set_xscale("log")
    curve.set_yscale("log")
    label_logarithms(curve.xaxis)
    label_logarithms(curve.yaxis)
    curve.set_title("(d) sharper FrDyn2Linear", loc="left")
    curve.set_xlabel("sharpness")
    curve.legend()
    work_and_precision(precision, steps, tools)
    save(drawing, picture, "Creep, error and processor time of friction in other tools and in Bristle")


def work_and_precision(ax, steps, tools):
    """A line for each way of friction over the communication steps, in the colour of its tool; best ways lie at the left and below."""
    ways = dict.fromkeys((row["tool"], row["friction"], row["law"], row["sharpness"]) for row in steps)
    for tool, *way in ways:
        points = [row for row in steps if [row["tool"], row["friction"], row["law"], row["sharpness"]] == [tool, *way]]
        cost = [1e3 * float(row["cost"]) for row in points]
        error = [max(100 * abs(float(row["error"])), 100 * LEAST) for row in points]
        ax.plot(cost, error, ".-", color=COLOURS[tools.index(tool)], linewidth=0.9, label=tool)
    handles = dict(zip(*reversed(ax.get_legend_handles_labels())))
    ax.set_xscale("log")
    ax.set_yscale("log")
    ax.set_ylim(100 * LEAST / 2, 200.0)
    ax.set_title("(e) incline, H = 4 to 0.1 ms, %", loc="left")
    ax.set_xlabel("processor time of a second, ms")
    ax.legend(handles.values(), handles.keys())


def label(row):
    """Tool, friction, and the law of Bristle's elements."""
    sharp = " sharp" if "sharpness" in row["settings"] else ""
    if row["tool"] == "Radau":
        return f"{row['law']} itself"
    return f"{row['tool']} {row['law'] + sharp + ', ' if row['tool'] == 'Bristle' else ''}{row['friction']}"
