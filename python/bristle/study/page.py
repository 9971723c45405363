"""Tables and figure of `docs/identification.md`."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np

from .. import law_styles
from . import score
from .run import Result
from .synthetic import LAWS

#: Encoder steps relative to x_p, bounds of the groups in the figure.
BANDS = (1 / 50, 1 / 25, 1 / 10, 1 / 5, 1 / 3)


def update(docs: Path, results: list[Result]) -> None:
    """Replace the tables between the marks of the page, and draw its figure."""
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
    draw(docs / "figures" / "identification.svg", results)


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


def draw(path: Path, results: list[Result]) -> None:
    """Draw errors over the encoder step, coverage by law, and costs relative to those at the truth."""
    import matplotlib as mpl  # noqa: PLC0415 (an extra)
    from matplotlib.figure import Figure  # noqa: PLC0415 (an extra)

    mpl.rcParams["svg.hashsalt"] = "bristle"
    figure = Figure(figsize=(11, 3.6), layout="constrained")
    left, middle, right = figure.subplots(1, 3)
    found = score.fits(results)
    for law in LAWS:
        points = [
            (result["q"], max(errors) - 1)
            for result in found
            if result["law"] == law and result["q"] is not None
            for errors in [
                [score.error(v) for v in result["values"].values() if not v["held"] and v["bound"] < score.IDENTIFIABLE]
            ]
            if errors
        ]
        if points:
            left.plot(*np.array(points).T, ".", ms=4, color=colour(law), label=law)
    left.axhline(0.1, color="gray", lw=0.8)
    left.set(
        xscale="log",
        yscale="log",
        xlabel="encoder step / $x_p$",
        ylabel="largest relative error of a record",
        ylim=(1e-4, 10),
    )
    left.set_xticks([0.02, 0.05, 0.1, 0.2, 0.3], ["1/50", "1/20", "1/10", "1/5", "0.3"])
    left.minorticks_off()
    groups: dict[str, Callable[[Result], bool]] = {
        "white": lambda r: r["q"] is None and r["noise"] == "white",
        "coloured": lambda r: r["noise"] == "coloured",
        "encoder ≤ $x_p$/10": lambda r: r["q"] is not None and score.is_good(r, score.USABLE),
        "coarser": lambda r: r["q"] is not None and not score.is_good(r, score.USABLE),
    }
    for i, law in enumerate(LAWS):
        shares = [
            score.share(score.covered([r for r in found if r["law"] == law and chosen(r)]))[0]
            for chosen in groups.values()
        ]
        middle.plot(np.arange(len(groups)) + 0.08 * (i - 2), shares, "o", ms=5, color=colour(law))
    middle.axhline(0.95, color="gray", lw=0.8)
    middle.set(xticks=range(len(groups)), ylabel="share of 95 % intervals that hold the truth", ylim=(0.4, 1.02))
    middle.set_xticklabels(groups, fontsize=7)
    for law in LAWS:
        ratios = np.sort([r["ratio"] for r in results if r["task"] == "fit" and r["law"] == law])
        right.plot(ratios, (np.arange(ratios.size) + 1) / max(ratios.size, 1), **law_styles.LAWS[law])
    right.axvline(score.COST, color="gray", lw=0.8)
    right.set(xlim=(0.7, 1.05), xlabel="cost of the fit / cost at the truth", ylabel="share of records")
    figure.legend(loc="outside lower center", ncols=len(LAWS), frameon=False)
    figure.savefig(path, metadata={"Date": None, "Creator": None})


def colour(law: str) -> str:
    """Colour of a law in all figures."""
    return str(law_styles.LAWS[law]["color"])
