"""Table of a study: coverage of the intervals by condition of the measurement, and the choice of the law."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import numpy as np

from .run import CHOICES, CONDITIONS, Result

#: Coverage of 95 % intervals that counts as right, and the largest share of values that are called known and wrong by more than 2 ×.
COVERAGE, WRONG = (0.85, 0.97), 0.05


def share(flags: Iterable[bool]) -> float:
    """Share of those that are true."""
    known = list(flags)
    return float(np.mean(known)) if known else float("nan")


def row(name: str, results: list[Result]) -> str:
    """Row of a condition."""
    every = [value for result in results for value in result.get("values", {}).values()]
    known = [value for value in every if value["known"]]
    covered = share(value["low"] <= value["true"] <= value["high"] for value in known)
    close = share(abs(value["value"] / value["true"] - 1) <= 0.1 for value in known)
    wrong = share(abs(np.log(value["value"] / value["true"])) > np.log(2) for value in known)
    met = COVERAGE[0] <= covered <= COVERAGE[1] and wrong <= WRONG
    refused = sum("refused" in result for result in results)
    return (
        f"| {name} | {len(results)} | {refused} | {len(known)} of {len(every)} | {close:.2f} | {covered:.3f} | {wrong:.3f} | "
        f"{'met' if met else '**missed**'} |"
    )


def table(results: list[Result]) -> str:
    """Table of all conditions in Markdown."""
    lines = [
        "| measurement | records | refused | determined | within 10 % | intervals cover | wrong by 2 × | |",
        "|---|---:|---:|---:|---:|---:|---:|---|",
    ]
    fits = [result for result in results if result["condition"] != "choice"]
    lines += [row(name, [result for result in fits if result["condition"] == name]) for name in CONDITIONS]
    lines.append(row("all", fits))
    return "\n".join(lines) + "\n"


def sentences(results: list[Result]) -> str:
    """Sentences about the choice of the law, the worst laws, and the time."""
    choices = [result for result in results if result["condition"] == "choice"]
    right = sum(result.get("chosen") == result["law"] for result in choices)
    unsure = sum(result.get("chosen") is None for result in choices)
    seconds = [result["seconds"] for result in results if result["condition"] != "choice"]
    return (
        f"{len(results)} records. Among {len(CHOICES)} laws {right} of {len(choices)} records chose the one that made them, {unsure} stayed "
        f"undecided. A fit took {np.median(seconds):.1f} s in the median and {np.max(seconds):.1f} s at most, on one thread.\n"
    )


def update(docs: Path, results: list[Result]) -> None:
    """Replace the table between the marks of the page."""
    path = docs / "identification.md"
    text = path.read_text(encoding="utf-8")
    begin, end = "<!-- begin study -->\n", "<!-- end study -->"
    before, rest = text.split(begin, 1)
    found = f"{sentences(results)}\n{table(results)}"
    path.write_text(before + begin + found + end + rest.split(end, 1)[1], encoding="utf-8")
