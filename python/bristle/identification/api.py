"""`identify`: from records to the parameters of a law, or to the law."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, overload

import numpy as np

from .comparison import Comparison, compare
from .errors import RecordError
from .fit import Fit
from .intervals import Spread, spread
from .models import Array, Flags, Model, model_of
from .naming import undetermined
from .problem import OFFSETS, Problem
from .progress import Progress, chosen
from .quality import encoder_fault, notes
from .records import Record, record
from .report import Identification
from .result import Value
from .search import distinct, minimise
from .starts import Scales, bounds, starts

#: Starts that a search follows, iterations from each, and from the best two of them.
STARTS, FIRST, LAST = 6, 8, 30
#: Blocks of a record, the last fifth of each of which is held out of the first fit.
BLOCKS, HELD_OUT = 5, 0.2


@dataclass
class Options:
    """Settings that all fits of a call share."""

    offset: str
    free: Sequence[str]
    fixed: Mapping[str, float]
    replicates: int
    seed: int
    threads: int
    progress: Progress


@overload
def identify(data: Any, law: str, **options: Any) -> Identification: ...
@overload
def identify(data: Any, *, laws: Sequence[str], **options: Any) -> Comparison: ...
def identify(  # type: ignore[misc]  # the overloads leave the options out
    data: Any,
    law: str | None = None,
    *,
    laws: Sequence[str] | None = None,
    units: str | Mapping[str, str] | None = None,
    F_N: float | None = None,
    mass: float | None = None,
    encoder_step: float | None = None,
    columns: Mapping[str, str | int] | None = None,
    radius: float | None = None,
    offset: str = "none",
    free: Sequence[str] = (),
    fixed: Mapping[str, float] | None = None,
    replicates: int = 16,
    progress: bool | Progress | None = None,
    threads: int = 0,
    seed: int = 0,
) -> Identification | Comparison:
    """Identify the parameters of a law from measured records; or, with `laws`, compare laws as well.

    data: the path of a table as text, a mapping of arrays or a DataFrame with the signals below, a Record, or a list of any of these that
    are fitted together. Signals, each of shape (samples,): t; v (contact velocity), or x (position of an encoder); F_N; F (friction
    force, positive for v > 0 and opposing it), or F_applied with `mass` for a body on which nothing else acts. Records begin at rest
    with an unloaded contact, or with sliding.
    law: FrDyn2, FrDyn2Linear, LuGre, Dahl, BrownMcPhee or StaticRegularized. laws: several of them; the result is a Comparison, whose
    verdict may be that the data do not decide.
    units: "SI", or a unit for each signal, as {"t": "ms", "v": "mm/s", "F": "N"}; headers may have them, "v [mm/s]".
    F_N: normal force where it is constant, N. mass: of a free body, kg. encoder_step: resolution of x, m; the smallest difference of
    two positions unless given. columns: names of columns by signal; those of a file also by number, from 1. radius: friction radius
    of a rotational contact, m: angles become lengths, torques forces.
    offset: "none"; "constant", an offset of the measured force, which gives each direction a level of its own; "direction", an offset
    for v > 0 and one for v < 0 (the Coulomb force then shows in the bristle alone).
    free: quantities to free that are held otherwise: v_s of FrDyn2, of which sliding determines v_d − v_s only. fixed: values of
    quantities that are known, SI units.
    replicates: of the bootstrap of an encoder's measurement chain; 0 leaves it out. seed: of its random numbers.
    progress: True shows a bar, None shows it on a terminal; a function gets the stage and the share that is done. Ctrl-C ends a search
    and returns the best so far. threads: of the simulation, 0 for one per processor.

    Raises RecordError, a ValueError, with the numbers, where a record cannot give an answer.

    >>> result = bristle.identify("pad.csv", "LuGre", units="SI", F_N=20.0)
    >>> print(result)
    >>> bristle.export(result.card("Pad"))
    """
    if offset not in OFFSETS:
        raise RecordError(f"offset = {offset!r} was given where one of {', '.join(OFFSETS)} is needed")
    if (law is None) == (laws is None):
        raise RecordError("give either law, the name of a law, or laws, a list of names to compare")
    options = Options(offset, free, fixed or {}, replicates, seed, threads, chosen(progress))
    sources = data if isinstance(data, (list, tuple)) else [data]
    records = [
        source
        if isinstance(source, Record)
        else record(source, units, F_N=F_N, mass=mass, encoder_step=encoder_step, columns=columns, radius=radius)
        for source in sources
    ]
    if law is not None:
        model = model_of(law)
        start = time.perf_counter()
        return analyse(search(model, records, options), options, start)
    models = [model_of(name) for name in laws or []]
    start = time.perf_counter()
    fits = {model.law: search(model, records, options) for model in models}
    return compare(fits, records, lambda name: analyse(fits[name], options, start))


def search(model: Model, records: Sequence[Record], options: Options) -> Fit:
    """Fit of a model: a grid of starts, the search on training samples, the error on the others, and the last steps on all."""
    problem = Problem(model, records, training(records), options.offset, options.threads)
    scales = Scales.of(list(records))
    limits = bounds(model, scales)
    mask = mask_of(model, options)
    stage = f"{model.law}: search"
    options.progress(stage, 0.0)
    theta, cost = starts(problem, scales)
    for name, value in options.fixed.items():
        theta[:, model.index(name)] = np.log(max(value, 1e-12))
        for limit in limits:
            limit[model.index(name)] = np.log(max(value, 1e-12))
    first = distinct(theta, cost, STARTS)
    if not len(first):
        raise RecordError(f"{model.law} has no finite force along the record; check the signals for extreme values")
    best = first[0]
    done = 0

    def notify(found: Array, _: float) -> None:
        nonlocal best, done
        best, done = found.copy(), done + 1
        options.progress(stage, min(0.99, done / (FIRST + LAST)))

    complete = True
    held_out = float("nan")
    every = Problem(model, records, None, options.offset, options.threads)
    try:
        found = minimise(problem, first, mask, limits, FIRST, notify)
        best = found.theta[found.best()]
        second = distinct(found.theta, found.cost, 2, 0.05)
        found = minimise(problem, second, mask, limits, LAST, notify)
        best = found.theta[found.best()]
        held_out = held_out_rms(problem, best)
        best = minimise(every, best[None], mask, limits, FIRST).theta[0]
    except KeyboardInterrupt:
        complete = False
    options.progress(stage, 1.0)
    every.simulations += problem.simulations
    # Quantities that sliding does not determine have their best values now and count as held: their uncertainty belongs to the others.
    held = ~mask
    freed = [model.coordinate(name) for name in options.free]
    for name in model.held:
        held[model.index(name)] |= name not in freed
    return Fit(every, best, mask & within(best, limits), held, limits, held_out, complete)


def within(theta: Array, limits: tuple[Array, Array]) -> Flags:
    """Coordinates that do not stand at their bounds."""
    return np.asarray((theta > limits[0] + 1e-3) & (theta < limits[1] - 1e-3))


def mask_of(model: Model, options: Options) -> Flags:
    """Coordinates that a search moves."""
    mask = np.ones(len(model.coordinates), bool)
    unknown = [name for name in options.fixed if name not in model.coordinates]
    unknown += [name for name in options.free if model.coordinate(name) is None]
    if unknown:
        raise RecordError(
            f"{model.law} has no {unknown[0]} to fix or to free; these can be: {', '.join(model.coordinates)}"
        )
    for name in options.fixed:
        mask[model.index(name)] = False
    return mask


def training(records: Sequence[Record]) -> list[Flags]:
    """Masks of the samples that a first fit uses: all but the last fifth of each of five blocks."""
    masks = []
    for one in records:
        place = np.arange(one.t.size) * BLOCKS / one.t.size
        masks.append(place % 1 < 1 - HELD_OUT)
    return masks


def held_out_rms(problem: Problem, theta: Array) -> float:
    """Root mean square of the residuals outside the training samples, N."""
    residuals = problem.all_residuals(theta[None])[0][problem.valid & ~problem.mask]
    return float(np.sqrt((residuals**2).mean()))


def analyse(fit: Fit, options: Options, start: float) -> Identification:
    """Result of a fit: intervals, what is not determined, warnings."""
    problem, model = fit.problem, fit.problem.model
    encoder_fault(problem, fit.theta)
    complete = fit.complete

    def stage(name: str) -> Callable[[float], None]:
        return lambda share: options.progress(f"{model.law}: {name}", share)

    reasons: dict[str, str] = {}
    try:
        replicates = options.replicates if complete else 0
        widths = spread(problem, fit.theta, fit.free, fit.limits, replicates, options.seed, stage("intervals"))
        if complete:
            reasons = undetermined(
                problem, fit.theta, fit.free, fit.held, fit.limits, widths, stage("what the data determine")
            )
    except KeyboardInterrupt:
        complete = False
        widths = spread(problem, fit.theta, fit.free, fit.limits, 0, options.seed)
    forces = np.split(problem.forces(widths.theta[None])[0], np.cumsum([one.t.size for one in problem.records])[:-1])
    names, vector = model.element_parameters(widths.theta)
    residuals = problem.residuals(widths.theta[None])[0]
    return Identification(
        law=model.law,
        values=values_of(fit, widths, reasons),
        parameters=dict(zip(names, vector[0].tolist())),
        rms=float(np.sqrt((residuals**2).mean())),
        held_out_rms=fit.held_out_rms,
        correlation=widths.correlation,
        tau=widths.tau,
        offsets=problem.offsets(widths.theta[None]),
        warnings=notes(problem, widths.theta, residuals),
        records=problem.records,
        simulated=forces,
        complete=complete,
        cost=float(residuals @ residuals),
        theta=widths.theta,
        seconds=time.perf_counter() - start,
        simulations=problem.simulations,
        model=model,
    )


def values_of(fit: Fit, widths: Spread, reasons: Mapping[str, str]) -> dict[str, Value]:
    """Quantities with their 95 % intervals."""
    values = {}
    for place, quantity in enumerate(fit.problem.model.quantities):
        held = bool(fit.held[fit.problem.model.index(quantity.coordinate)])
        centre, half = widths.centre[place], 0.0 if held else min(float(widths.half[place]), 300.0)
        values[quantity.name] = Value(
            quantity.name,
            quantity.unit,
            float(np.exp(centre)),
            float(np.exp(centre - half)),
            float(np.exp(min(centre + half, 700.0))),
            reasons.get(quantity.name, ""),
            quantity.experiment,
            held,
        )
    return values
