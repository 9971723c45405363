"""Runs of the study: synthetic records with the faults of a bench, and what is kept of their identification."""

from __future__ import annotations

import multiprocessing
import time
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..identification.api import identify
from ..identification.errors import RecordError
from ..identification.models import MODELS
from .faults import FAULTS, spoil
from .synthetic import LAWS, Synthetic, coordinates, draw

Result = dict[str, Any]

#: Seeds from here on took no part in the choice of any constant of the package.
FIRST_SEED = 20_000
#: Kinds of record: all motions, and a sine; laws and conditions have them by turns.
KINDS = ("e", "c")
#: Conditions of the measurement: noise of the force alone, an encoder of x_p/50 to x_p/10, and faults on white noise of the force.
CONDITIONS = ("white noise", "coloured noise", "encoder", *FAULTS)
#: Steps of the encoders, relative to x_p: evenly spread logarithms.
STEPS = (1 / 50, 1 / 10)
#: Laws whose records are compared among all of them.
CHOICES = tuple(law for law in LAWS if law != "FrDyn2Linear")


@dataclass(frozen=True)
class Case:
    """A record of the study; the condition "choice" compares laws."""

    condition: str
    law: str
    kind: str
    seed: int

    def synthetic(self) -> Synthetic:
        """Return the record and its truth."""
        if self.condition == "encoder":
            place = np.random.default_rng(self.seed).uniform()
            return draw(self.seed, self.law, self.kind, "white", float(STEPS[0] * (STEPS[1] / STEPS[0]) ** place))
        noise = "coloured" if self.condition == "coloured noise" else "white"
        found = draw(self.seed, self.law, self.kind, noise)
        return spoil(found, self.condition, self.seed) if self.condition in FAULTS else found


def cases() -> list[Case]:
    """Cases of the study, each with a seed of its own."""
    fits = [(name, law, KINDS[(i + j) % 2]) for i, name in enumerate(CONDITIONS) for j, law in enumerate(LAWS)]
    choices = [("choice", law, KINDS[0]) for law in CHOICES]
    return [Case(*case, FIRST_SEED + i) for i, case in enumerate([*fits, *choices])]


def run_case(case: Case) -> Result:
    """Identify a record and compare with its truth."""
    np.seterr(all="ignore")
    warnings.simplefilter("ignore")
    synthetic = case.synthetic()
    options = {**synthetic.arguments(), "threads": 1, "seed": case.seed, "progress": False}
    kept: Result = {"condition": case.condition, "law": case.law, "kind": case.kind, "seed": case.seed}
    start = time.perf_counter()
    try:
        if case.condition == "choice":
            kept["chosen"] = identify(synthetic.data, laws=CHOICES, **options).chosen
        else:
            kept["values"] = values(synthetic, options)
    except RecordError as refusal:
        kept["refused"] = str(refusal)
    return {**kept, "seconds": time.perf_counter() - start}


def values(synthetic: Synthetic, options: dict[str, Any]) -> dict[str, Result]:
    """Truth, value and interval of each quantity that is not held."""
    result = identify(synthetic.data, synthetic.law, **options)
    model = MODELS[synthetic.law]
    true = np.exp(model.reported(coordinates(synthetic)[None])[0])
    truth = {quantity.name: float(value) for quantity, value in zip(model.quantities, true)}
    return {
        name: {
            "true": truth[name],
            "value": value.value,
            "low": value.low,
            "high": value.high,
            "known": value.determined,
        }
        for name, value in result.values.items()
        if not value.held
    }


def run(processes: int, notify: Callable[[int, int], None]) -> list[Result]:
    """Run all cases on several processes; `notify` gets the number of finished ones and of all."""
    every = cases()
    # In an order by chance, so that costly laws do not end the queue.
    np.random.default_rng(0).shuffle(every)
    found: list[Result] = []
    with multiprocessing.get_context("spawn").Pool(processes) as pool:
        for result in pool.imap_unordered(run_case, every):
            found.append(result)
            notify(len(found), len(every))
    return sorted(found, key=lambda result: int(result["seed"]))
