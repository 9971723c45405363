"""The committed table of measures, the search of settings, and the page's sections."""

from __future__ import annotations

import csv
import importlib
import importlib.metadata
import json
import math
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from . import rigs
from .contact import Peer
from .laws import Monolithic

MEASURES = [
    "hold",
    "hold at defaults",
    "pulsate",
    "joint",
    "light joint",
    "ramp 0.1 s, late",
    "ramp 0.1 s, peak",
    "ramp 0.001 s, late",
    "ramp 0.001 s, peak",
    "belt",
    "pendulum",
    "energy",
    "incline",
    "cost",
]
UNITS = {
    **dict.fromkeys(["hold", "hold at defaults", "pulsate"], "m/s"),
    **dict.fromkeys(["joint", "light joint"], "rad/s"),
    **dict.fromkeys(["ramp 0.1 s, late", "ramp 0.001 s, late", "cost"], "s"),
    "pendulum": "rad",
}
HEAD = ["tool", "version", "friction", "law", "settings", "searched", "reason"]

# Modules of this package by the tool that they import.
MODULES = {
    "MuJoCo": "mujoco_peers",
    "Exudyn": "exudyn_peer",
    "Drake": "drake_peer",
    "rumoca": "rumoca_peer",
    "JAX": "jax_peer",
    "FMPy": "fmpy_peer",
    "Radau": "laws",
    "Bristle": "bristle_peers",
}

# Velocity under a load below F_s from which on a body slides away, m/s; rad/s.
SLIDES = 1e-1

# Tools without a package that the requirements could name.
ELSEWHERE = {
    "Simbody 3.7": "a C++ library without a Python package; Debian has libsimbody-dev",
    "Newton 1.8": "without CUDA its kernels compile for minutes",
}


@dataclass
class Row:
    """One way of friction, its settings, and its measures; a reason where it did not run."""

    tool: str
    version: str = ""
    friction: str = ""
    law: str = ""
    settings: dict[str, Any] = field(default_factory=dict)
    searched: int = 1
    reason: str = ""
    has_two_forces: bool = True
    measures: dict[str, float] = field(default_factory=dict)

    def error(self, name: str) -> float:
        """A measure, NaN where there is none."""
        return self.measures.get(name, math.nan)


def read(path: Path) -> list[Row]:
    """Rows of the committed table."""
    with path.open(encoding="utf-8", newline="") as file:
        return [of_record(record) for record in csv.DictReader(file)]


def of_record(record: dict[str, str]) -> Row:
    """A row from its columns."""
    values = {name: record[title(name)] for name in MEASURES}
    return Row(
        record["tool"],
        record["version"],
        record["friction"],
        record["law"],
        json.loads(record["settings"] or "{}"),
        int(record["searched"]),
        record["reason"],
        record["forces"] == "2",
        {name: float(value) for name, value in values.items() if value},
    )


def write(rows: list[Row], path: Path) -> None:
    """Writes the table; three digits are more than two machines share."""
    with path.open("w", encoding="utf-8", newline="") as file:
        out = csv.writer(file, lineterminator="\n")
        out.writerow([*HEAD, "forces", *map(title, MEASURES)])
        for row in rows:
            numbers = [f"{row.measures[name]:.3g}" if name in row.measures else "" for name in MEASURES]
            settings = json.dumps(row.settings) if row.settings else ""
            forces = 2 if row.has_two_forces else 1
            head = [row.tool, row.version, row.friction, row.law, settings, row.searched, row.reason]
            out.writerow([*head, forces, *numbers])


def title(measure: str) -> str:
    """Title of the column of a measure."""
    return f"{measure} [{UNITS[measure]}]" if measure in UNITS else measure


def families() -> Iterator[tuple[str, list[list[Peer]] | str]]:
    """Candidates of each way of friction by tool, or the reason why the tool does not run."""
    for tool, name in MODULES.items():
        try:
            module = importlib.import_module(f".{name}", __package__)
        except ImportError as missing:
            yield tool, f"the module {missing.name} is not installed here"
            continue
        if tool == "Bristle":
            yield tool, [[peer] for peer in module.peers()]
        else:
            yield tool, [kind.candidates() for kind in module.PEERS]


def version(peer: Peer) -> str:
    """Version of the tool."""
    try:
        return importlib.metadata.version(peer.module)
    except importlib.metadata.PackageNotFoundError:
        return str(importlib.import_module(peer.module).__version__)


@contextmanager
def quiet() -> Iterator[None]:
    """Without the warnings of tools and elements about settings that are tried."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield


def measure(peer: Peer, runs: list[Callable[[Peer], rigs.Measures]]) -> rigs.Measures:
    """Measures of all rigs; a tool that gives up on a rig has NaN for no measure of it."""
    found: rigs.Measures = {}
    with quiet():
        for run in runs:
            try:
                found.update(run(peer))
            except (ValueError, RuntimeError, SystemError) as error:
                print(f"{peer.tool}, {peer.friction}, {peer.settings}: {str(error).splitlines()[0]}")
    return found


def largest(peer: Peer, found: rigs.Measures) -> float:
    """The largest error over its tolerance: the settings with the least are the best. LuGre itself creeps under a load that pulsates."""
    names = [name for name in rigs.TOLERANCES if name in found and (peer.law, name) != ("LuGre", "pulsate")]
    judged = {name: abs(found[name]) for name in names}
    return max((math.inf if math.isnan(value) else value) / rigs.TOLERANCES[name] for name, value in judged.items())


def best(candidates: list[Peer]) -> Peer:
    """The candidate whose largest error over its tolerance is the smallest."""
    if len(candidates) == 1:
        return candidates[0]
    judged = []
    for peer in candidates:
        found = measure(peer, rigs.SEARCH)
        judged.append(largest(peer, found) if found else math.inf)
    return candidates[judged.index(min(judged))]


def row_of(peer: Peer, searched: int, found: rigs.Measures) -> Row:
    """A row of a peer's measures."""
    return Row(
        peer.tool, version(peer), peer.friction, peer.law, peer.settings, searched, "", peer.has_two_forces, found
    )


def measured() -> list[Row]:
    """Every way of friction with the settings that the search finds, on every rig."""
    rows = []
    for tool, found in families():
        if isinstance(found, str):
            rows.append(Row(tool, reason=found))
            continue
        for candidates in found:
            peer = best(candidates)
            # Systems integrated in Python are slow, and the time of laws in Python says nothing of them.
            runs = rigs.rigs(isinstance(peer, Monolithic))
            measures = measure(peer, runs[:-1] if tool == "Radau" else runs)
            if len(candidates) > 1:
                measures["hold at defaults"] = measure(type(peer)(), [lambda peer: rigs.hold(peer, 5.0)])["hold"]
            rows.append(row_of(peer, len(candidates), measures))
            print(line(rows[-1]), flush=True)
    return rows + [Row(tool, reason=reason) for tool, reason in ELSEWHERE.items()]


def line(row: Row) -> str:
    """A row for the terminal."""
    numbers = ", ".join(f"{name} {value:.2g}" for name, value in row.measures.items())
    return f"{row.tool} {row.version}, {row.friction}, {row.law}, {row.settings}: {numbers}"


def creep(row: Row, measure: str) -> str:
    """A velocity in stick, or an angle, with one digit."""
    if measure not in row.measures:
        return "–"
    value = row.measures[measure]
    return "slides" if math.isnan(value) or abs(value) > SLIDES else velocity(value)


def velocity(value: float) -> str:
    """A number with one digit."""
    return "0" if value == 0.0 else f"{value:.0e}".replace("e-0", "e-")


def scaled(row: Row, measure: str, scale: float) -> str:
    """A number in a unit of the table."""
    if measure not in row.measures:
        return "–"
    value = row.measures[measure]
    return "never" if math.isnan(value) else number(value * scale)


def number(value: float) -> str:
    """Two digits; rounding of a sum is 0."""
    return "0" if abs(value) < 1e-9 else f"{value:.2g}".replace("e-0", "e-")


def page(rows: list[Row]) -> str:
    """Sections of docs/peers.md."""
    head = ["friction", "law", "hold", "at defaults", "pulsating", "joint"]
    head += ["late, 0.1 s", "late, 1 ms", "force", "belt", "pendulum", "energy", "incline", "step"]
    units = ["", "", "m/s", "m/s", "m/s", "rad/s", "ms", "ms", "%", "%", "rad", "%", "%", "µs"]
    titles = [f"{name}, {unit}" if unit else name for name, unit in zip(head, units)]
    lines = ["<!-- begin peers -->", "| " + " | ".join(titles) + " |", "|---|---" + "|---:" * (len(head) - 2) + "|"]
    for row in rows:
        if row.reason:
            lines.append(f"| {row.tool} | not run: {row.reason} |" + " |" * (len(head) - 2))
            continue
        cells = [f"{row.tool} {name(row)}", row.law + ("" if row.has_two_forces else " †")]
        cells += [creep(row, of) for of in ("hold", "hold at defaults", "pulsate", "joint")]
        cells += [scaled(row, f"ramp {ramp} s, late", 1e3) for ramp in ("0.1", "0.001")]
        cells += [scaled(row, "ramp 0.1 s, peak", 100.0), scaled(row, "belt", 100.0)]
        cells += [creep(row, "pendulum"), scaled(row, "energy", 100.0), scaled(row, "incline", 100.0)]
        cells += [f"{1e6 * row.error('cost'):.1f}" if "cost" in row.measures else ""]
        lines.append("| " + " | ".join(cells) + " |")
    tools = dict.fromkeys(f"{row.tool} {row.version}" for row in rows if not row.reason)
    lines += ["<!-- end peers -->", "<!-- begin versions -->", ", ".join(tools) + ".", "<!-- end versions -->"]
    return "\n".join([*lines, "<!-- begin better -->", *better(rows), "<!-- end better -->"]) + "\n"


# Measures of the first paragraph: name, scale, unit, least error that counts.
COMPARED = {
    "hold": ("creep under 0.95 F_s", 1.0, "m/s", 1e-12),
    "pulsate": ("creep under a load that pulsates", 1.0, "m/s", 1e-12),
    "ramp 0.1 s, late": ("lateness of break-away in 0.1 s", 1e3, "ms", 1e-5),
    "belt": ("period of the limit cycle", 100.0, "%", 1e-4),
    "pendulum": ("angle of rest of the pendulum", 1.0, "rad", 1e-6),
    "energy": ("energy lost on the pendulum", 100.0, "%", 1e-7),
    "incline": ("velocity on the incline", 100.0, "%", 1e-4),
    "cost": ("processor time of a step", 1e6, "µs", 0.0),
}

# Tools that a line names, the best ones.
NAMED = 3


def better(rows: list[Row]) -> list[str]:
    """A line for each measure in which other tools are better than FrDyn2Linear with m_eff: those, it, and the best of Bristle."""
    ours = next(row for row in rows if (row.tool, row.friction, row.law) == ("Bristle", "m_eff", "FrDyn2Linear"))
    others = [row for row in rows if row.tool not in ("Bristle", "Radau") and row.law != ours.law]
    lines = []
    for measure, (words, scale, unit, least) in COMPARED.items():

        def error(row: Row, measure: str = measure, least: float = least) -> float:
            value = abs(row.error(measure))
            return math.inf if math.isnan(value) else max(value, least)

        ahead = sorted((row for row in others if error(row) < error(ours)), key=error)
        if ahead:
            best = min((row for row in rows if row.tool == "Bristle"), key=error)
            named = [(f"{row.tool} {row.friction.split(',')[0]}", row) for row in ahead[:NAMED]]
            named += [("FrDyn2Linear", ours), (f"{best.law} {name(best)}", best)]
            values = [f"{title} {number(abs(row.error(measure)) * scale)}" for title, row in named]
            more = f" and {len(ahead) - NAMED} more" if len(ahead) > NAMED else ""
            lines.append(f"- {words}, {unit}: {', '.join(values[:-2])}{more}; {values[-2]}; {values[-1]}.")
    return lines


def name(row: Row) -> str:
    """Name of a way of friction in the table."""
    sharpness = row.settings.get("sharpness")
    return row.friction + (f", sharpness {sharpness:g}" if sharpness else "")
