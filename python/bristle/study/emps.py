"""`python -m bristle.study.emps RECORD`: the servo axis EMPS, identified, beside the results that its authors published.

A. Janot, M. Gautier, M. Brunot, Data Set and Reference Models of EMPS, Workshop on Nonlinear System Identification Benchmarks 2019. The
record is a table of t (s), q (m) and F (N); the project ships no copy. `https://www.nonlinearbenchmark.org` has it. `--twin FILE` writes a
synthetic record of such an axis instead, whose truth is in this file.
"""

from __future__ import annotations

import argparse
import os
import sys
from dataclasses import dataclass

import numpy as np
from scipy.integrate import cumulative_trapezoid

from .. import _bristle
from ..identification.api import identify
from ..identification.baseline import Baseline, baseline
from ..identification.records import Record, record

#: Variable of the environment with the path of the record.
VARIABLE = "BRISTLE_EMPS"
#: Published values in SI units and force errors; symmetric with the relative standard deviations in percent.
SYMMETRIC = {
    "mass": (95.1089, 0.11),
    "viscous": (203.5034, 0.56),
    "coulomb": (20.3935, 0.50),
    "offset": (-3.1648, 1.40),
}
DIRECTIONS = {
    "mass": 95.1540,
    "viscous_forward": 166.7061,
    "viscous_backward": 240.4236,
    "coulomb_forward": 20.1440,
    "coulomb_backward": 20.6277,
}
ERRORS = {"symmetric": 0.040834, "by direction": 0.031117}
#: Truth of the twin: mass, kg, normal force, N, LuGre's parameters, offset, N, and delay of the force, s.
MASS, F_N, OFFSET, DELAY = 60.0, 100.0, -2.0, 2e-3
TWIN = {"mu_s": 0.3, "mu_d": 0.2, "v_Stribeck": 0.01, "sigma_0": 2e6, "sigma_1": 4e3, "sigma_2": 120.0}
#: Laws that the table has beside the baseline.
LAWS = ("LuGre", "FrDyn2Linear")


@dataclass(frozen=True)
class Row:
    """Row of the table: model, quantity, published value or None, found value, half-width of its 95 % interval."""

    model: str
    quantity: str
    published: float | None
    found: float
    half: float | None

    @property
    def agrees(self) -> bool:
        """Whether the interval holds the published value."""
        return self.published is None or self.half is None or abs(self.found - self.published) <= self.half


def read(path: str | os.PathLike[str]) -> Record:
    """Record of the axis, filtered as its authors did."""
    return record(path, columns={"x": "q", "F_applied": "F"})


def rows_of(model: str, found: Baseline, published: dict[str, float]) -> list[Row]:
    """Rows of a baseline and its force error."""
    rows = [Row(model, name, published.get(name), value, found.half[name]) for name, value in found.values.items()]
    return [
        *rows,
        Row(model, "force error, %", 100 * ERRORS[model] if model in ERRORS else None, 100 * found.share, None),
    ]


def table(axis: Record, laws: tuple[str, ...] = LAWS) -> list[Row]:
    """Rows of the baseline in its published forms, with a delay, and of laws."""
    symmetric = {name: value for name, (value, _) in SYMMETRIC.items()}
    rows = rows_of("symmetric", baseline([axis], ["offset"]), symmetric)
    rows += rows_of("by direction", baseline([axis], ["direction"]), DIRECTIONS)
    rows += rows_of("by direction, delay", baseline([axis], ["direction", "delay"]), {})
    for law in laws:
        result = identify(axis, law, corrections=["direction", "delay"])
        mass, delay = result.corrections["mass"], result.corrections["delay"]
        rows.append(Row(law, "mass", DIRECTIONS["mass"], mass.value, mass.high - mass.value))
        rows.append(Row(law, "delay, ms", None, 1e3 * delay.value, 1e3 * (delay.high - delay.value)))
        rows.append(Row(law, "force error, %", None, 100 * result.force_error, None))
    return rows


def text(rows: list[Row]) -> str:
    """Table in Markdown."""
    lines = ["| model | quantity | published | found | ± (95 %) | |", "|---|---|---:|---:|---:|---|"]
    for row in rows:
        published = "–" if row.published is None else f"{row.published:.4f}"
        half = "–" if row.half is None else f"{row.half:.4f}"
        note = "" if row.agrees else "excluded"
        lines.append(f"| {row.model} | {row.quantity} | {published} | {row.found:.4f} | {half} | {note} |")
    return "\n".join(lines) + "\n"


def twin(seed: int = 0) -> dict[str, np.ndarray]:
    """Synthetic axis at 1 kHz: strokes of different speeds, positions in steps of 50 nm, a force with noise of 0.3 N; SI units."""
    fine = np.linspace(0, 16, 160_001)
    v = 0.12 * np.sin(2 * np.pi * 0.25 * fine) * (0.6 + 0.4 * np.sin(2 * np.pi * 0.07 * fine + 0.4))
    x = cumulative_trapezoid(v, fine, initial=0)
    run = _bristle.Element("LuGre", **TWIN).simulate(fine, outputs=["F_R"], interpolate=True, F_N=F_N, v=v)
    applied = np.interp(fine - DELAY, fine, MASS * np.gradient(v, fine) + run["F_R"] + OFFSET)[::10]
    noise = 0.3 * np.random.default_rng(seed).standard_normal(applied.size)
    return {"t": fine[::10], "x": np.round(x[::10] / 50e-9) * 50e-9, "F_applied": applied + noise}


def main() -> int:
    """Print the table and return the exit code; without the record, the reason why there is none."""
    parser = argparse.ArgumentParser(prog="python -m bristle.study.emps", description=__doc__)
    parser.add_argument("record", nargs="?", default=os.environ.get(VARIABLE), help=f"CSV file (default: ${VARIABLE})")
    parser.add_argument("--twin", metavar="FILE", help="write a synthetic record as CSV, and nothing else")
    given = parser.parse_args()
    if given.twin:
        columns = np.stack([*twin().values()], axis=1)
        header = "t [s],q [m],F [N]"
        np.savetxt(given.twin, columns, delimiter=",", fmt=["%.3f", "%.8f", "%.4f"], header=header, comments="")
        print(f"{given.twin}: {len(columns)} samples of an axis of unknown mass")
        return 0
    path = given.record
    if not path or not os.path.exists(path):
        print(f"skipped: {path or 'no record'} is not there; give its path, or set {VARIABLE}")
        return 0
    print(text(table(read(path))))
    return 0


if __name__ == "__main__":
    sys.exit(main())
