"""Work and precision: error on the incline, and processor time of a simulated second, over the communication step."""

from __future__ import annotations

import csv
from functools import partial
from pathlib import Path

from . import quick, rigs, table
from .laws import Monolithic

STEPS = [4e-3, 2e-3, 1e-3, 5e-4, 2.5e-4, 1e-4]
REPEATS = 3
HEAD = ["tool", "friction", "law", "sharpness", "H [s]", "error", "cost"]


def write(path: Path, committed: list[table.Row]) -> None:
    """Measures each way with the settings of the table, and writes a table beside that of the peers."""
    with path.open("w", encoding="utf-8", newline="") as file:
        out = csv.writer(file, lineterminator="\n")
        out.writerow(HEAD)
        for tool, found in table.families():
            for candidates in [] if isinstance(found, str) else found:
                peer = quick.chosen(candidates, committed)
                if isinstance(peer, Monolithic):
                    continue
                head = [tool, peer.friction, peer.law, peer.settings.get("sharpness", "")]
                for step in STEPS if peer.suits(rigs.INCLINE) else []:
                    found_at = table.measure(peer, [partial(rigs.incline_at, step=step, repeats=REPEATS)])
                    if found_at:
                        out.writerow([*head, step, f"{found_at['incline']:.3g}", f"{found_at['cost'] / step:.3g}"])
