"""Colour and dash of each law, in all figures of the project.

The scripts in `experiments/figures` run this file by its path: it imports nothing of the package.
"""

from __future__ import annotations

from typing import Any


def line(color: str, style: Any = "-", width: float = 1.4, **more: Any) -> dict[str, Any]:
    """Style of a line without markers."""
    return {"color": color, "linestyle": style, "linewidth": width, **more}


DASHED, DOTTED, DASH_DOTTED, LONG = (0, (4, 2)), (0, (1.2, 1.2)), (0, (6, 1.5, 1.2, 1.5)), (0, (8, 2))

# FrDyn2 dashed blue, AdamsStickSlip solid black and SimpackStickSlip dotted red are the pens of Rill and Schuderer (2023).
LAWS = {
    "FrDyn2": line("#1f4ed1", DASHED, 1.8),
    "FrDyn2Linear": line("#35a7ff", "-", 1.8),
    "StaticRegularized": line("#7b3f00"),
    "Coulomb": line("#0a8f9f"),
    "Stribeck": line("#c79a00", LONG),
    "BrownMcPhee": line("#7a5195", DASHED),
    "PoppStelter": line("#5f7f00", DASH_DOTTED),
    "NonReversible": line("#8a8a8a", DOTTED, 1.6),
    "Armstrong": line("#d63fd6", width=1.1),
    "Dahl": line("#e0701a"),
    "LuGre": line("#1f8a3b", LONG),
    "Stefanski2003": line("#ff6f91", DOTTED, 1.6),
    "Stefanski2006": line("#a3123a"),
    "ModelicaFriction": line("#9a6b00", DASH_DOTTED),
    "SimpackStickSlip": line("#d42020", DOTTED, 1.8),
    "AdamsStickSlip": line("#111111"),
}
