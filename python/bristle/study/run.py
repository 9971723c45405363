"""Runs of the study: synthetic records, their identification, and what is kept of each."""

from __future__ import annotations

import json
import multiprocessing
import time
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from ..identification.api import analyse
from ..identification.comparison import choice
from ..identification.errors import RecordError
from ..identification.fit import Options, Preparation, mask_of, search
from ..identification.inspection import prepare
from ..identification.intervals import covariance, of_reported
from ..identification.models import MODELS
from ..identification.problem import Problem
from ..identification.progress import none
from ..identification.quality import misfit_of
from ..identification.records import Record, record
from .synthetic import KINDS, LAWS, Synthetic, coordinates, draw

Result = dict[str, Any]

#: Seeds from here on took no part in the choice of any constant of the package.
FIRST_SEED = 10_000
#: Records of a law by kind and measurement: white noise and measured v, coloured noise and measured v, encoder.
COUNTS = {"a": (8, 7, 14), "b": (7, 4, 10), "c": (8, 7, 14), "d": (5, 0, 5), "e": (36, 22, 43)}
#: Steps of the encoders, relative to x_p: evenly spread logarithms.
STEPS = (1 / 50, 1 / 3)
#: Records of a law and kind whose law is chosen among all five.
CHOICES = {"a": 3, "b": 2, "c": 3, "d": 2, "e": 4}


@dataclass(frozen=True)
class Case:
    """A record of the study: `task` is "fit" or "choice"."""

    task: str
    law: str
    kind: str
    noise: str
    q: float | None
    seed: int

    def synthetic(self) -> Synthetic:
        """Return the record and its truth."""
        return draw(self.seed, self.law, self.kind, self.noise, self.q)


def cases(share: float = 1.0, first_seed: int | None = None) -> Iterator[Case]:
    """Cases of the study, or of a share of it, each with a seed of its own."""
    seed = FIRST_SEED if first_seed is None else first_seed
    for law in LAWS:
        for kind in KINDS:
            for noise, q_known, count in zip(("white", "coloured", "white"), (False, False, True), COUNTS[kind]):
                for i in range(max(1, round(share * count)) if count else 0):
                    seed += 1
                    place = (i + 0.5) / max(1, round(share * count))
                    q = float(STEPS[0] * (STEPS[1] / STEPS[0]) ** place) if q_known else None
                    yield Case("fit", law, kind, noise, q, seed)
            for i in range(max(1, round(share * CHOICES[kind]))):
                seed += 1
                yield Case("choice", law, kind, "white", (None, 1 / 50, 1 / 25)[i % 3], seed)


def run_case(case: Case) -> Result:
    """Identify a record and compare with its truth."""
    np.seterr(all="ignore")
    warnings.simplefilter("ignore")
    synthetic = case.synthetic()
    measured = record(synthetic.data, "SI", F_N=synthetic.F_N, mass=synthetic.mass, encoder_step=synthetic.encoder_step)
    options = Options(None, (), {}, 16, case.seed, 1, none)
    kept: dict[str, Any] = {
        "task": case.task,
        "law": case.law,
        "kind": case.kind,
        "noise": case.noise,
        "q": case.q,
        "seed": case.seed,
    }
    start = time.perf_counter()
    return {
        **kept,
        **(fit(synthetic, measured, options) if case.task == "fit" else chosen(measured, options)),
        "seconds": time.perf_counter() - start,
    }


def chosen(measured: Record, options: Options) -> Result:
    """Law that a record chooses among those of the study; None for "undecided"."""
    prepared = Preparation.of(prepare([measured]), None)
    fits = {law: search(MODELS[law], prepared, options) for law in LAWS}
    rms = {law: found.rms() for law, found in fits.items()}
    law, verdict = choice(fits, rms, {law: int((~found.held).sum()) for law, found in fits.items()}, [measured])
    return {"chosen": law, "verdict": verdict, "rms": rms}


def fit(synthetic: Synthetic, measured: Record, options: Options) -> Result:
    """Errors, intervals and names of what is not determined, beside the bound of Cramér and Rao."""
    model = MODELS[synthetic.law]
    found = search(model, Preparation.of(prepare([measured]), None), options)
    truth = coordinates(synthetic)
    cost = [float((found.problem.residuals(theta[None]) ** 2).sum()) for theta in (found.theta, truth)]
    kept: dict[str, Any] = {"ratio": cost[0] / cost[1], "search": 0.0, "refused": None}
    limits = bound(synthetic, measured, options)
    start = time.perf_counter()
    try:
        result = analyse(found, options, start)
    except RecordError as refusal:
        return {**kept, "refused": str(refusal), "values": {}}
    kept["analysis"] = time.perf_counter() - start
    values = {}
    for place, (name, value) in enumerate(result.values.items()):
        true = float(np.exp(model.reported(truth[None])[0, place]))
        values[name] = {
            "true": true,
            "value": value.value,
            "low": value.low,
            "high": value.high,
            "known": value.determined,
            "held": value.held,
            "bound": float(limits[place]),
        }
    return {**kept, "values": values}


def bound(synthetic: Synthetic, measured: Record, options: Options) -> Any:
    """Standard deviations of the reported logarithms by Cramér and Rao: at the truth, with the exact velocity and the noise as it was."""
    model = MODELS[synthetic.law]
    exact = measured
    if synthetic.truth is not None and not measured.is_free_body:
        exact = replace(measured, v=synthetic.truth["v"], position=None)
    problem = Problem(model, [exact], None, (), options.threads)
    truth = coordinates(synthetic)
    free = np.append(mask_of(model), [False, False])
    residuals, tau = problem.residuals(truth[None])[0], misfit_of(problem, truth).tau
    return np.sqrt(np.diag(of_reported(problem, truth, free, covariance(problem, truth, free, residuals, tau))))


def run(share: float, processes: int, kept: Path | None, notify: Callable[[int, int], None]) -> list[Result]:
    """Run all cases on several processes; `notify` gets the number of finished ones and of all.

    kept: file that takes each result as it comes, a line of JSON; a study that was interrupted goes on from it.
    """
    every = list(cases(share))
    # In an order by chance, so that what is there after an interruption is a sample of all.
    np.random.default_rng(0).shuffle(every)
    found: list[Result] = []
    if kept is not None and kept.exists():
        found = [json.loads(line) for line in kept.read_text(encoding="utf-8").splitlines()]
    seeds = {result["seed"] for result in found}
    missing = [case for case in every if case.seed not in seeds]
    with multiprocessing.get_context("spawn").Pool(processes) as pool:
        for result in pool.imap_unordered(run_case, missing):
            found.append(result)
            if kept is not None:
                with open(kept, "a", encoding="utf-8") as file:
                    file.write(json.dumps(result) + "\n")
            notify(len(found), len(every))
    return sorted(found, key=lambda result: int(result["seed"]))
