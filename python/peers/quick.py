"""The short form: peers with the committed settings are reported, Bristle's numbers are checked."""

from __future__ import annotations

import math
from pathlib import Path

from . import rigs, table
from .contact import Peer
from .laws import Monolithic

# Distance of a measure of an element from that of its law, integrated monolithically, or from Coulomb's exact solution: about twice
# what is measured at H = 1e-3 s.
BOUNDS = {
    "hold": 1e-12,
    "pulsate": 1e-12,
    "joint": 1e-12,
    "light joint": 1e-12,
    "ramp 0.1 s, late": 5e-4,
    "ramp 0.1 s, peak": 5e-3,
    "belt": 2e-3,
    "pendulum": 5e-5,
    "energy": 5e-5,
    "incline": 1e-2,
}
# LuGre creeps by itself under a load that pulsates; the master samples its sine.
LUGRE_CREEP = 0.05


def check(path: Path) -> None:
    """Runs every way of friction on the short rigs; ends with a sentence for each number that does not hold."""
    committed = table.read(path)
    laws = {row.law: row.measures for row in committed if row.tool == "Radau"}
    faults: list[str] = []
    for tool, found in table.families():
        if isinstance(found, str):
            print(f"{tool}: {found}")
        else:
            for candidates in found:
                peer = chosen(candidates, committed)
                if isinstance(peer, Monolithic):
                    continue
                row = table.row_of(peer, len(candidates), table.measure(peer, rigs.rigs(True)))
                print(table.line(row), flush=True)
                if tool in ("Bristle", "FMPy"):
                    faults += wrong(row, laws.get(row.law, {}))
    if faults:
        raise SystemExit("\n".join(faults))


def chosen(candidates: list[Peer], committed: list[table.Row]) -> Peer:
    """The candidate with the committed settings, or the first."""
    first = candidates[0]
    settings = [row.settings for row in committed if (row.tool, row.friction) == (first.tool, first.friction)]
    return next((peer for peer in candidates if peer.settings in settings), first)


def wrong(row: table.Row, law: rigs.Measures) -> list[str]:
    """A sentence for each measure out of its bounds."""
    faults = []
    sharpness = row.settings.get("sharpness")
    for name, bound in BOUNDS.items():
        if name not in row.measures:
            continue
        measured = row.measures[name]
        # A law in stick has no velocity, but LuGre under a load that pulsates.
        expected = 0.0 if bound == 1e-12 or sharpness else law.get(name, 0.0)
        if sharpness and name == "belt":
            bound = 5e-3  # noqa: PLW2901 (the promise of the recipe)
        if sharpness and name == "ramp 0.1 s, late":
            bound = 3e-3  # noqa: PLW2901
        if row.law == "LuGre" and name == "pulsate":
            expected, bound = law[name], LUGRE_CREEP * law[name]  # noqa: PLW2901
        if not abs(measured - expected) <= bound or math.isnan(measured):
            faults.append(
                f"{row.friction} of {row.law}: {name} is {measured:.3g}, {expected:.3g} within {bound:.1g} are expected"
            )
    return faults
