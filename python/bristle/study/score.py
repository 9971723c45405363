"""Table of a study: coverage of the intervals by condition of the measurement, and the choice of the law."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import numpy as np

from .run import CHOICES, CONDITIONS, MODELS_WRONG, Result

#: Coverage of 95 % intervals that counts as right; largest shares of values that are called known and wrong by more than 2 ×, and of
#: clean records and right models that are accused; and least share of wrong models that are named.
COVERAGE, CONFIDENT, ACCUSED, NAMED = (0.85, 0.97), 0.02, 0.05, 0.95


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
    met = COVERAGE[0] <= covered <= COVERAGE[1] and wrong <= CONFIDENT
    accused = sum(bool(result.get("reason")) for result in results)
    return (
        f"| {name} | {len(results)} | {accused} | {len(known)} of {len(every)} | {close:.2f} | {covered:.3f} | {wrong:.3f} | "
        f"{'met' if met else '**missed**'} |"
    )


def table(results: list[Result]) -> str:
    """Table of all conditions in Markdown."""
    lines = [
        "| measurement | records | called wrong | determined | within 10 % | intervals cover | wrong by 2 × | |",
        "|---|---:|---:|---:|---:|---:|---:|---|",
    ]
    fits = [result for result in results if result["condition"] in CONDITIONS]
    present = {result["condition"] for result in fits}
    lines += [row(name, [one for one in fits if one["condition"] == name]) for name in CONDITIONS if name in present]
    lines += [row("all", fits), "", "| test | records | found | target | |", "|---|---:|---:|---:|---|"]
    lines += tests(results)
    return "\n".join(lines) + "\n"


def tests(results: list[Result]) -> list[str]:
    """Rows of the tests that accuse or name: wrong models, right ones, clean records."""
    found = []
    of = {name: [one for one in results if one["condition"] == name] for name in (*MODELS_WRONG, "inspection")}
    of["all wrong models"] = [one for name in MODELS_WRONG for one in of[name]]
    of["right models"] = [one for one in results if one["condition"] in CONDITIONS and "reason" in one]
    words = {"inspection": "clean records that `inspect` accuses", "right models": "right models called wrong"}
    for name in [name for name in (*MODELS_WRONG, "all wrong models", *reversed(words)) if of[name]]:
        named = name not in words
        count = sum(bool(one.get("reason") or one.get("findings")) for one in of[name])
        part, target = count / len(of[name]), NAMED if named else ACCUSED
        met = part >= target if named else part <= target
        label = f"{name}, named" if named else words[name]
        bound = f"{'≥' if named else '≤'} {target:.0%}"
        found.append(f"| {label} | {len(of[name])} | {part:.0%} | {bound} | {'met' if met else '**missed**'} |")
    return found


def sentences(results: list[Result]) -> str:
    """Sentences about the choice of the law, and the time."""
    choices = [result for result in results if result["condition"] == "choice"]
    right = sum(result.get("chosen") == result["law"] for result in choices)
    unsure = sum(result.get("chosen") is None for result in choices)
    seconds = [result["seconds"] for result in results if result["condition"] in CONDITIONS]
    times = (
        f"A fit took {np.median(seconds):.1f} s of processor time in the median and {np.max(seconds):.1f} s at most."
        if seconds
        else ""
    )
    return (
        f"{len(results)} records. Among {len(CHOICES)} laws {right} of {len(choices)} records chose the one that made them, {unsure} stayed "
        f"undecided. {times}\n"
    )


def update(docs: Path, results: list[Result]) -> None:
    """Replace the table between the marks of the page."""
    path = docs / "identification.md"
    text = path.read_text(encoding="utf-8")
    begin, end = "<!-- begin study -->\n", "<!-- end study -->"
    before, rest = text.split(begin, 1)
    found = f"{sentences(results)}\n{table(results)}"
    path.write_text(before + begin + found + end + rest.split(end, 1)[1], encoding="utf-8")
