"""Scores of a study: claims beside their targets, and tables for the page."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np

from .run import Result
from .synthetic import KINDS, LAWS

Value = dict[str, Any]

#: Encoder steps relative to x_p up to which the claims on accuracy hold, and up to which intervals are claimed to cover.
GOOD, USABLE = 1 / 25, 1 / 10
#: Bound of Cramér and Rao (standard deviation of the logarithm) below which a quantity counts as identifiable, as clearly determined, and
#: above which as not determinable.
IDENTIFIABLE, CLEAR, UNKNOWABLE = 0.03, 0.10, 0.50
#: Largest cost of a fit relative to that at the truth.
COST = 1.02


@dataclass(frozen=True)
class Score:
    """A claim with its target, as text and as a test, and its result."""

    claim: str
    target: str
    found: float
    count: int
    met: bool


def is_good(result: Result, limit: float = GOOD) -> bool:
    """Whether the velocity of a record is measured, or comes from a fine encoder."""
    return result["q"] is None or result["q"] <= limit * 1.0001


def error(value: Value) -> float:
    """Factor between estimate and truth, at least 1."""
    return float(np.exp(abs(np.log(value["value"] / value["true"]))))


def within(result: Result) -> bool | None:
    """Whether all identifiable quantities lie within 10 %; None without any."""
    values = [value for value in result["values"].values() if not value["held"] and value["bound"] < IDENTIFIABLE]
    return all(abs(value["value"] / value["true"] - 1) <= 0.1 for value in values) if values else None


def share(flags: Iterable[bool | None]) -> tuple[float, int]:
    """Share of those that are true, and their number; None does not count."""
    known = [flag for flag in flags if flag is not None]
    return (float(np.mean(known)) if known else float("nan")), len(known)


def fits(results: Iterable[Result]) -> list[Result]:
    """Fits that were not refused."""
    return [result for result in results if result["task"] == "fit" and not result["refused"]]


def covered(results: Iterable[Result]) -> list[bool]:
    """Whether the interval of each quantity that counts as known holds its truth."""
    return [
        value["low"] <= value["true"] <= value["high"]
        for result in results
        for value in result["values"].values()
        if value["known"]
    ]


def right_choice(result: Result) -> bool | None:
    """Whether the law was chosen rightly; "undecided" is right from pre-sliding alone and from a free body, where the data do not decide."""
    if result["kind"] in ("b", "d"):
        return result["chosen"] is None or result["chosen"] == result["law"]
    return bool(result["chosen"] == result["law"])


def scores(results: list[Result]) -> list[Score]:
    """Claims of the study with their results."""
    found = fits(results)
    rows = []

    def add(claim: str, target: str, flags: Iterable[bool | None], test: Callable[[float], bool]) -> None:
        value, count = share(flags)
        rows.append(Score(claim, target, value, count, test(value)))

    least = {"StaticRegularized": 0.90, "BrownMcPhee": 0.90, "Dahl": 0.90, "LuGre": 0.85, "FrDyn2": 0.75}
    for law, target in least.items():
        chosen = [result for result in found if result["law"] == law and is_good(result)]
        add(
            f"{law}: within 10 %, fine records",
            f"≥ {target}",
            (within(result) for result in chosen),
            lambda value, target=target: value >= target,  # type: ignore[misc]
        )
    for noise in ("white", "coloured"):
        flags = covered(result for result in found if result["noise"] == noise and result["q"] is None)
        add(f"95 % intervals cover, {noise} noise, measured v", "0.90–0.97", flags, lambda x: 0.90 <= x <= 0.97)
    flags = covered(result for result in found if result["q"] is not None and is_good(result, USABLE))
    add("95 % intervals cover, encoder step ≤ x_p/10", "0.85–0.97", flags, lambda x: 0.85 <= x <= 0.97)
    free = [value for result in found for value in result["values"].values() if not value["held"]]
    add(
        "quantities that cannot be determined are named",
        "≥ 0.85",
        (not value["known"] for value in free if value["bound"] > UNKNOWABLE),
        lambda x: x >= 0.85,
    )
    add(
        "quantities that are clearly determined are named falsely",
        "≤ 0.12",
        (not value["known"] for value in free if value["bound"] < CLEAR),
        lambda x: x <= 0.12,
    )
    known = [value for value in free if value["known"]]
    add(
        "called known, and wrong by more than 2 ×", "≤ 0.05", (error(value) > 2 for value in known), lambda x: x <= 0.05
    )
    choices = [result for result in results if result["task"] == "choice"]
    add("the law is chosen rightly among five", "≥ 0.90", map(right_choice, choices), lambda x: x >= 0.90)
    every = [result for result in results if result["task"] == "fit"]
    add(
        "cost of the fit ≤ 1.02 × that at the truth",
        "1",
        (result["ratio"] <= COST for result in every),
        lambda x: x == 1.0,
    )
    return rows


def table(rows: list[Score]) -> str:
    """Table of claims in Markdown."""
    lines = ["| claim | target | result | of | |", "|---|---|---:|---:|---|"]
    for row in rows:
        found = f"{row.found:.3f}"
        lines.append(f"| {row.claim} | {row.target} | {found} | {row.count} | {'met' if row.met else '**missed**'} |")
    return "\n".join(lines) + "\n"


def by_kind(results: list[Result]) -> str:
    """Table of accuracy by law and kind of record, measured v or a fine encoder, and by encoder step for all kinds."""
    names = {"a": "a speeds", "b": "b triangles", "c": "c sine", "d": "d free body", "e": "e all of a, b, c"}
    bands = ((0.0, 1 / 25), (1 / 25, 1 / 10), (1 / 10, 1 / 3))
    header = [*names.values(), "encoder ≤ x_p/25", "≤ x_p/10", "≤ x_p/3"]
    lines = [f"| law | {' | '.join(header)} |", "|---" * (len(header) + 1) + "|"]
    found = fits(results)
    for law in LAWS:
        of_law = [result for result in found if result["law"] == law]
        cells = [share(within(r) for r in of_law if r["kind"] == kind and is_good(r)) for kind in KINDS]
        cells += [
            share(within(r) for r in of_law if r["q"] is not None and low < r["q"] <= high * 1.0001)
            for low, high in bands
        ]
        lines.append(f"| {law} | " + " | ".join(f"{value:.2f} ({n})" if n else "–" for value, n in cells) + " |")
    return "\n".join(lines) + "\n"


def confusion(results: list[Result]) -> str:
    """Table of chosen laws by true law, records a, c and e, and of "undecided" from b and d."""
    columns = [*LAWS, "undecided"]
    lines = [f"| true law | {' | '.join(columns)} | “undecided” from b and d |", "|---" * (len(columns) + 2) + "|"]
    choices = [result for result in results if result["task"] == "choice"]
    for law in LAWS:
        mine = [
            result["chosen"] or "undecided" for result in choices if result["law"] == law and result["kind"] in "ace"
        ]
        others = [result["chosen"] is None for result in choices if result["law"] == law and result["kind"] in "bd"]
        cells = [str(mine.count(column)) if mine.count(column) else "" for column in columns]
        lines.append(f"| {law} | {' | '.join(cells)} | {sum(others)} of {len(others)} |")
    return "\n".join(lines) + "\n"


def costs(results: list[Result]) -> str:
    """Table of processor time by law, s."""
    lines = [
        "| law | median of a fit, s | 95 % below, s | least and largest cost relative to the truth's |",
        "|---|---:|---:|---|",
    ]
    for law in LAWS:
        mine = [result for result in results if result["law"] == law and result["task"] == "fit"]
        if not mine:
            continue
        seconds = [result["seconds"] for result in mine]
        ratios = [result["ratio"] for result in mine]
        lines.append(
            f"| {law} | {np.median(seconds):.1f} | {np.percentile(seconds, 95):.1f} | {min(ratios):.3f} … {max(ratios):.4f} |"
        )
    return "\n".join(lines) + "\n"
