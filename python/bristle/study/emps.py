"""`python -m bristle.study.emps RECORD`: the servo axis EMPS, identified, beside the results that its authors published.

A. Janot, M. Gautier, M. Brunot, Data Set and Reference Models of EMPS, Workshop on Nonlinear System Identification Benchmarks 2019. The
record is a table of t (s), q (m) and F (N); the project ships no copy. `https://www.nonlinearbenchmark.org` has it.
"""

from __future__ import annotations

import argparse
import os
import sys
from dataclasses import dataclass

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


def main() -> int:
    """Print the table and return the exit code; without the record, the reason why there is none."""
    parser = argparse.ArgumentParser(prog="python -m bristle.study.emps", description=__doc__)
    parser.add_argument("record", nargs="?", default=os.environ.get(VARIABLE), help=f"CSV file (default: ${VARIABLE})")
    path = parser.parse_args().record
    if not path or not os.path.exists(path):
        print(f"skipped: {path or 'no record'} is not there; give its path, or set {VARIABLE}")
        return 0
    print(text(table(read(path))))
    return 0


if __name__ == "__main__":
    sys.exit(main())
