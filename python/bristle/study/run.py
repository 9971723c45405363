"""Runs of the study: synthetic records with the faults of a bench, and what is kept of their identification."""

from __future__ import annotations

import multiprocessing
import time
import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..identification.api import identify
from ..identification.errors import RecordError
from ..identification.inspection import inspect
from ..identification.models import MODELS
from ..identification.report import Identification
from .faults import FAULTS, spoil
from .synthetic import CAUSES, LAWS, Synthetic, coordinates, draw

Result = dict[str, Any]

#: Seeds from here on took no part in the choice of any constant of the package.
FIRST_SEED = 60_000
#: Kinds of record: all motions, and a sine; laws and conditions have them by turns.
KINDS = ("e", "c")
#: Sampling rates, Hz, and durations, s, beside 1 kHz and 8 s.
RATES = {
    "20 Hz": (20.0, 100.0),
    "200 Hz": (200.0, 20.0),
    "20 kHz": (2e4, 0.5),
    "0.2 s": (2e4, 0.2),
    "100 s": (200.0, 100.0),
}
#: Conditions of the measurement: noise of the force alone, an encoder of x_p/50 to x_p/10, rates, and faults on white noise of the force.
CONDITIONS = ("white noise", "coloured noise", "encoder", *RATES, *FAULTS)
#: Steps of the encoders, relative to x_p: evenly spread logarithms.
STEPS = (1 / 50, 1 / 10)
#: Laws whose records are compared among all of them.
CHOICES = tuple(law for law in LAWS if law != "FrDyn2Linear")
#: Laws that are fitted to the records of others.
WRONG = tuple((a, b) for i, a in enumerate(LAWS) for b in (LAWS[(i + 2) % 6], LAWS[(i + 3) % 6]))
#: Conditions under which a model is wrong.
MODELS_WRONG = ("wrong law", *CAUSES)


@dataclass(frozen=True)
class Case:
    """A record of the study; the condition "choice" compares laws, "inspection" inspects it; fitted: the law that is identified."""

    condition: str
    law: str
    kind: str
    seed: int
    fitted: str = ""

    def synthetic(self) -> Synthetic:
        """Return the record and its truth."""
        if self.condition == "encoder":
            place = np.random.default_rng(self.seed).uniform()
            return draw(self.seed, self.law, self.kind, "white", float(STEPS[0] * (STEPS[1] / STEPS[0]) ** place))
        if self.condition in RATES:
            return draw(self.seed, self.law, self.kind, "white", None, *RATES[self.condition])
        noise = "coloured" if self.condition == "coloured noise" else "white"
        cause = self.condition if self.condition in CAUSES else ""
        found = draw(self.seed, self.law, self.kind, noise, cause=cause)
        return spoil(found, self.condition, self.seed) if self.condition in FAULTS else found


def cases(repeats: int = 2) -> list[Case]:
    """Cases of the study, each with a seed of its own."""
    rows = [(name, i) for i, name in enumerate(CONDITIONS)] * repeats
    found = [(name, law, KINDS[(i + j) % 2]) for name, i in rows for j, law in enumerate(LAWS)]
    found += [("choice", law, KINDS[0]) for law in CHOICES]
    found += [("inspection", law, kind) for law in LAWS for kind in KINDS * 2]
    found += [(cause, law, kind) for cause in CAUSES for law in LAWS for kind in KINDS]
    wrong = [("wrong law", a, KINDS[i % 2], b) for i, (a, b) in enumerate(WRONG)]
    every = [*((*case, "") for case in found), *wrong]
    return [Case(name, law, kind, FIRST_SEED + i, fitted) for i, (name, law, kind, fitted) in enumerate(every)]


def run_case(case: Case) -> Result:
    """Identify a record and compare with its truth."""
    np.seterr(all="ignore")
    warnings.simplefilter("ignore")
    synthetic = case.synthetic()
    options = {**synthetic.arguments(), "threads": 1, "seed": case.seed, "progress": False}
    kept: Result = {"condition": case.condition, "law": case.law, "kind": case.kind, "seed": case.seed}
    start = time.process_time()
    try:
        if case.condition == "choice":
            kept["chosen"] = identify(synthetic.data, laws=CHOICES, **options).chosen
        elif case.condition == "inspection":
            kept["findings"] = inspect(synthetic.data, **synthetic.arguments()).findings
        else:
            result = identify(synthetic.data, case.fitted or case.law, **options)
            kept["reason"] = "" if result.misfit.hidden else result.misfit.reason
            kept["values"] = {} if case.condition in MODELS_WRONG else values(synthetic, result)
    except RecordError as refusal:
        kept["refused"] = str(refusal)
    return {**kept, "seconds": time.process_time() - start}


def values(synthetic: Synthetic, result: Identification) -> dict[str, Result]:
    """Truth, value and interval of each quantity that is not held."""
    model = MODELS[synthetic.law]
    true = np.exp(model.reported(coordinates(synthetic)[None])[0])
    truth = {quantity.name: float(value) for quantity, value in zip(model.quantities, true)}
    keys = ("true", "value", "low", "high", "known")
    return {
        name: dict(zip(keys, (truth[name], value.value, value.low, value.high, value.determined)))
        for name, value in result.values.items()
        if not value.held
    }


def run(processes: int, notify: Callable[[int, int], None], repeats: int = 2, only: Sequence[str] = ()) -> list[Result]:
    """Run the cases on several processes, all or those of some conditions; `notify` gets the number of finished ones and of all."""
    every = [case for case in cases(repeats) if not only or case.condition in only]
    # In an order by chance, so that costly laws do not end the queue.
    np.random.default_rng(0).shuffle(every)
    found: list[Result] = []
    with multiprocessing.get_context("spawn").Pool(processes) as pool:
        for result in pool.imap_unordered(run_case, every):
            found.append(result)
            notify(len(found), len(every))
    return sorted(found, key=lambda result: int(result["seed"]))
