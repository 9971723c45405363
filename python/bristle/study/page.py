"""Tables of `docs/identification.md`."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from . import score
from .run import Result
from .synthetic import LAWS

#: Encoder steps relative to x_p, bounds of the groups in the figure.
BANDS = (1 / 50, 1 / 25, 1 / 10, 1 / 5, 1 / 3)


def update(docs: Path, results: list[Result]) -> None:
    """Replace the tables between the marks of the page, and write the table of its figure."""
    path = docs / "identification.md"
    text = path.read_text(encoding="utf-8")
    tables = {
        "claims": counts(results) + "\n" + score.table(score.scores(results)),
        "accuracy": score.by_kind(results),
        "choice": score.confusion(results),
        "costs": score.costs(results) + "\n" + refusals(results),
    }
    for name, table in tables.items():
        begin, end = f"<!-- begin {name} -->\n", f"<!-- end {name} -->"
        before, rest = text.split(begin, 1)
        text = before + begin + table + end + rest.split(end, 1)[1]
    path.write_text(text, encoding="utf-8")
    points(docs / "figures" / "identification.csv", results)


def counts(results: list[Result]) -> str:
    """Sentence with the numbers of records."""
    kinds = [sum(result["task"] == task for result in results) for task in ("fit", "choice")]
    return f"{len(results)} records: {kinds[0]} fitted with their own law, {kinds[1]} compared among five laws.\n"


def refusals(results: list[Result]) -> str:
    """Sentence with the number of refused records."""
    refused = [result for result in results if result["task"] == "fit" and result["refused"]]
    of = [result for result in results if result["task"] == "fit" and result["q"] is not None]
    fine = sum(score.is_good(result, score.USABLE) for result in refused)
    return (
        f"Refused, because the encoder hides the bristle that fits best: {len(refused)} of the {len(of)} records with an encoder, {fine} of "
        "them with steps of x_p/10 or less.\n"
    )


def points(path: Path, results: list[Result]) -> None:
    """Write the table of the figure: errors over the encoder step, coverage by law, and costs relative to those at the truth."""
    rows: list[tuple[str, str, float, float]] = []
    found = score.fits(results)
    for law in LAWS:
        for result in found:
            if result["law"] != law or result["q"] is None:
                continue
            quantities = [q for q in result["values"].values() if not q["held"] and q["bound"] < score.IDENTIFIABLE]
            if quantities:
                largest = max(score.error(quantity) for quantity in quantities) - 1
                rows.append(("error", law, result["q"], largest))
    groups: dict[str, Callable[[Result], bool]] = {
        "white": lambda r: r["q"] is None and r["noise"] == "white",
        "coloured": lambda r: r["noise"] == "coloured",
        "encoder up to x_p/10": lambda r: r["q"] is not None and score.is_good(r, score.USABLE),
        "coarser": lambda r: r["q"] is not None and not score.is_good(r, score.USABLE),
    }
    for law in LAWS:
        for number, (name, chosen) in enumerate(groups.items()):
            share = score.share(score.covered([r for r in found if r["law"] == law and chosen(r)]))[0]
            rows.append((f"coverage {name}", law, number, share))
    for law in LAWS:
        ratios = sorted(r["ratio"] for r in results if r["task"] == "fit" and r["law"] == law)
        rows.extend(("cost", law, ratio, (number + 1) / len(ratios)) for number, ratio in enumerate(ratios))
    lines = [f"{panel},{law},{x:.5g},{y:.5g}\n" for panel, law, x, y in rows]
    path.write_text("panel,law,x,y\n" + "".join(lines), encoding="utf-8")
