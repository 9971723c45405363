"""Units of measured columns, converted to SI."""

from __future__ import annotations

from .errors import RecordError

#: Factors to SI by quantity and unit.
FACTORS: dict[str, dict[str, float]] = {
    "time": {"s": 1.0, "ms": 1e-3, "us": 1e-6, "min": 60.0},
    "length": {"m": 1.0, "mm": 1e-3, "um": 1e-6, "µm": 1e-6, "nm": 1e-9},
    "velocity": {"m/s": 1.0, "mm/s": 1e-3, "um/s": 1e-6, "µm/s": 1e-6},
    "force": {"N": 1.0, "kN": 1e3, "mN": 1e-3, "MN": 1e6},
    "mass": {"kg": 1.0, "g": 1e-3, "t": 1e3},
}

#: Quantity of each signal of a record.
QUANTITIES: dict[str, str] = {
    "t": "time",
    "v": "velocity",
    "x": "length",
    "encoder_step": "length",
    "F": "force",
    "F_N": "force",
    "F_applied": "force",
    "mass": "mass",
}


def factor(signal: str, unit: str) -> float:
    """Return the factor from a unit to SI for a signal, as ("v", "mm/s") → 1e-3."""
    known = FACTORS[QUANTITIES[signal]]
    if unit == "SI":
        return 1.0
    if unit not in known:
        raise RecordError(f"the unit {unit!r} of {signal} is not known; give one of {', '.join(known)} or 'SI'")
    return known[unit]


def split_header(header: str) -> tuple[str, str | None]:
    """Split the header of a column into name and unit: "v [mm/s]" and "v (mm/s)" → ("v", "mm/s")."""
    text = header.strip().lstrip("\ufeff").strip('"')
    for left, right in ("[]", "()"):
        if text.endswith(right) and left in text:
            name, unit = text[:-1].rsplit(left, 1)
            return name.strip(), unit.strip()
    return text, None
