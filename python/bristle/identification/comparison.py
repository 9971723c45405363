"""Comparisons of laws, the fewest parameters within 5 % of the least residual, and of records, each with a fit to the others."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from .fit import Fit, mask_of
from .quality import displacement, travel
from .records import Record
from .report import Identification
from .search import minimise
from .thresholds import AGAIN, NEGLIGIBLE, PRESLIDING


@dataclass(frozen=True, eq=False)
class Comparison:
    """Fits of several laws to the same records.

    rms: residual of each law on samples held out, N. parameters: number of parameters of each. chosen: the law that the data choose; None
    where they do not decide. verdict: the choice and its reason, a sentence. results: an Identification for each law that fits as well as
    the best.
    """

    rms: dict[str, float]
    parameters: dict[str, int]
    chosen: str | None
    verdict: str
    results: dict[str, Identification]

    @property
    def result(self) -> Identification:
        """Identification of the chosen law; ValueError where the data do not decide."""
        if self.chosen is None:
            raise ValueError(f"no law is chosen: {self.verdict}")
        return self.results[self.chosen]

    def __str__(self) -> str:
        """Table of the laws, and the verdict."""
        lines = [f"  {law:<18} {rms:.4g} N, {self.parameters[law]} parameters" for law, rms in self.rms.items()]
        return "\n".join(["residuals on samples held out (root mean square):", *lines, self.verdict])


def compare(fits: Mapping[str, Fit], records: Sequence[Record], analyse: Callable[[str], Identification]) -> Comparison:
    """Choose among fits, and analyse those that fit as well as the best."""
    rms = {law: fit.held_out_rms for law, fit in fits.items()}
    counts = {law: int((~fit.held).sum()) for law, fit in fits.items()}
    chosen, verdict = choice(fits, rms, counts, records)
    equal = [law for law in rms if rms[law] <= (1 + NEGLIGIBLE) * min(rms.values())] if chosen is None else [chosen]
    return Comparison(rms, counts, chosen, verdict, {law: analyse(law) for law in equal})


def choice(
    fits: Mapping[str, Fit], rms: Mapping[str, float], counts: Mapping[str, int], records: Sequence[Record]
) -> tuple[str | None, str]:
    """Law that the data choose, or None, and a sentence with the reason."""
    least = min(rms.values())
    equal = [law for law in rms if rms[law] <= (1 + NEGLIGIBLE) * least]
    fewest = min(counts[law] for law in equal)
    candidates = [law for law in equal if counts[law] == fewest]
    if all(record.is_free_body for record in records) and len(rms) > 1:
        return None, (
            "Undecided: all records are of a free body, whose motion its own friction decides; drive the contact with prescribed "
            "speeds, both ways."
        )
    bristles = [displacement(fits[law].problem, fits[law].theta) for law in equal]
    displacements = [x_p for x_p in bristles if x_p is not None]
    distance = travel(records)
    if displacements and len(rms) > 1 and distance < PRESLIDING * min(displacements):
        return None, (
            f"Undecided: the motion of {distance:.3g} m is {distance / min(displacements):.0f} x_p, pre-sliding alone; add constant speeds "
            "of sliding, both ways."
        )
    if len(candidates) > 1:
        names = " and ".join(candidates)
        return None, f"Undecided: {names} fit within {NEGLIGIBLE:.0%} of each other with {fewest} parameters each."
    chosen = candidates[0]
    others = [law for law in equal if law != chosen]
    reason = (
        f"it fits as well as {', '.join(others)} with fewer parameters"
        if others
        else "the others leave larger residuals"
    )
    return chosen, f"{chosen}: {reason} (residual {rms[chosen]:.3g} N)."


def between(fit: Fit) -> dict[str, Fit]:
    """Fits to all records but one, by the name of that one, for several records; each begins where the fit of all stands."""
    wholes = fit.problem.wholes
    found: dict[str, Fit] = {}
    for whole in wholes if len(wholes) > 1 else []:
        kept = [record for record in fit.problem.records if record.whole != whole]
        problem = replace(fit.problem, records=kept, training=None, weights=None)
        free = np.append(mask_of(problem.model), problem.flags())
        found[whole] = replace(
            fit, problem=problem, theta=minimise(problem, fit.theta[None], free, fit.limits, AGAIN)[0][0]
        )
    return found
