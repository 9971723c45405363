"""A sharper FrDyn2Linear: error of the limit cycle and cost over the sharpness, and the bound of the lateness on other belts."""

from __future__ import annotations

import csv
import math
from dataclasses import replace
from pathlib import Path

from . import rigs, table
from .bristle_peers import Block, BristlePeer, Effective
from .contact import Contact

SHARPNESS = [1.0, 2.0, 5.0, 10.0, 20.0, 50.0]
# Belts: mass, kg, stiffness, N/m, velocity, m/s.
BELTS = [
    (1.0, 100.0, 0.1),
    (1.0, 100.0, 0.05),
    (1.0, 100.0, 0.3),
    (1.0, 1000.0, 0.1),
    (1.0, 20.0, 0.1),
    (10.0, 1000.0, 0.1),
    (0.1, 100.0, 0.1),
]
HEAD = [
    "form",
    "mass [kg]",
    "stiffness [N/m]",
    "velocity [m/s]",
    "sharpness",
    "error",
    "late [s]",
    "bound [s]",
    "cost [s]",
]


def write(path: Path) -> None:
    """Measures, and writes a table beside that of the peers."""
    with path.open("w", encoding="utf-8", newline="") as file:
        out = csv.writer(file, lineterminator="\n")
        out.writerow(HEAD)
        for belt in BELTS:
            for sharpness in SHARPNESS:
                for form in (Effective, Block):
                    peer = form("FrDyn2Linear", sharpness=sharpness)
                    contact = replace(rigs.BELT, inertia=belt[0], stiffness=belt[1], pull=belt[2])
                    out.writerow(
                        [peer.friction, *belt, f"{sharpness:g}", *(f"{x:.3g}" for x in measures(peer, contact))]
                    )


def measures(peer: BristlePeer, contact: Contact) -> tuple[float, float, float, float]:
    """Error of the period, lateness of a cycle and its bound, s, and processor time of a step, s."""
    period = rigs.belt_period(contact)
    with table.quiet():
        run = peer.run(contact, rigs.NOTHING, round(12 * period / contact.step))
    times = rigs.crossings(run.t, run.v, contact.pull)[2:]
    late = float((times[-1] - times[0]) / (times.size - 1)) - period
    # The time in which the load, which grows by k V, would accelerate the free body to v_d.
    v_d = 1e-2 / peer.settings["sharpness"]
    bound = math.sqrt(contact.inertia * v_d / (contact.stiffness * contact.pull))
    return late / period, late, bound, run.seconds / (run.t.size - 1)


def page(path: Path) -> str:
    """Section of docs/peers.md."""
    with path.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    head = [f"{value:g}" for value in BELTS[0]]
    first = [
        row
        for row in rows
        if [row["mass [kg]"], row["stiffness [N/m]"], row["velocity [m/s]"]] == [f"{float(x)}" for x in head]
    ]
    parts = []
    for sharpness in SHARPNESS:
        one = {row["form"]: row for row in first if float(row["sharpness"]) == sharpness}
        error = 100 * max(abs(float(row["error"])) for row in one.values())
        costs = [1e6 * float(one[form]["cost [s]"]) for form in ("m_eff", "block")]
        parts.append(f"{sharpness:g}: {error:.2g} % ({costs[0]:.1f}, {costs[1]:.1f} µs)")
    shares = [float(row["late [s]"]) / float(row["bound [s]"]) for row in rows]
    text = (
        f"Sharpness, error of the limit cycle at H = 1 ms, and cost of its steps with `m_eff` and `block`: {'; '.join(parts)}.\n"
        f"On {len(BELTS)} belts the lateness is {min(shares):.2g} to {max(shares):.2g} of √(m v_d/Ḟ)."
    )
    return f"<!-- begin sharpness -->\n{text}\n<!-- end sharpness -->\n"
