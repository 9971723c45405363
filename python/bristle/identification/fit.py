"""Fit of a law to records: the search, the choice of corrections, and where it stands."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from . import thresholds
from .baseline import Baseline, baseline, possible, worthwhile
from .errors import RecordError
from .filters import deviation
from .misfit import causes_of
from .models import RISING, Array, Bounds, Flags, Model
from .problem import CORRECTIONS, Problem
from .progress import Progress
from .records import Record, coarse, pieces
from .search import distinct, minimise
from .starts import Scales, bounds, starts


@dataclass
class Options:
    """Settings that all fits of a call share. corrections: None where the record chooses them."""

    corrections: Sequence[str] | None
    free: Sequence[str]
    fixed: Mapping[str, float]
    replicates: int
    seed: int
    threads: int
    progress: Progress


@dataclass
class Fit:
    """Where a fit stands. free: entries of the vector that the search moved, and that are uncertain; held: those that are not reported.

    gains: factor by which the held-out residual grows without each correction. base: Coulomb and viscous friction with the same
    corrections.
    """

    problem: Problem
    theta: Array
    free: Flags
    held: Flags
    limits: Bounds
    held_out_rms: float
    base: Baseline
    gains: dict[str, float] = field(default_factory=dict)
    complete: bool = True


@dataclass
class Preparation:
    """What all laws of a call share: records, the corrections that the baseline wants, and its friction force."""

    records: list[Record]
    corrections: tuple[str, ...]
    base: Baseline
    scales: Scales

    @staticmethod
    def of(records: list[Record], wanted: Sequence[str] | None) -> Preparation:
        """Coulomb and viscous friction of records with the corrections that are wanted, or that it needs."""
        chosen = tuple(wanted) if wanted is not None else worthwhile(pieces([coarse(record) for record in records]))
        base = baseline(records, chosen)
        forces = [
            record.measured - record.filtered(base.values["mass"] * record.acceleration)
            if record.acceleration is not None
            else record.measured
            for record in records
        ]
        friction = np.concatenate(forces) - base.values.get("offset", 0.0)
        return Preparation(records, chosen, base, Scales.of(records, friction))


def search(model: Model, prepared: Preparation, options: Options) -> Fit:
    """Fit of a model: a grid of starts, the search on training samples, the corrections, and the last steps on all samples."""
    model = model.with_fixed(dict(options.fixed))
    records = prepared.records
    limits, mask = bounds(model, prepared.scales), mask_of(model)
    stage = f"{model.law}: search"
    options.progress(stage, 0.0)
    some = pieces([coarse(record) for record in records])
    first = Problem(model, some, None, prepared.corrections, options.threads)
    best, done = 0.5 * (limits[0] + limits[1]), 0

    def notify(found: Array) -> None:
        nonlocal best, done
        best, done = found.copy(), done + 1
        options.progress(stage, min(0.9, done / (thresholds.FIRST + thresholds.LAST)))

    base, complete, held_out = prepared.base, True, float("nan")
    gains: dict[str, float] = {}
    few = pieces([coarse(record) for record in records], thresholds.TRAINED)
    train = Problem(model, few, training(few), prepared.corrections, options.threads)
    every = Problem(model, records, None, prepared.corrections, options.threads)
    try:
        best = descend(first, train, mask, limits, prepared, notify)
        train, every = with_noise(train, best), with_noise(every, best)
        train, best, limits = rising(train, best, mask, limits, prepared)
        if options.corrections is None:
            train, best, gains = choose(train, best, mask, limits)
            if set(train.corrections) - set(prepared.corrections) and not train.model.rises:
                # The search began without what the record needs: begin again.
                again = replace(prepared, base=baseline(first.records, train.corrections))
                other = descend(replace(first, corrections=train.corrections), train, mask, limits, again, notify)
                costs = (train.residuals(np.stack([best, other])) ** 2).sum(axis=1)
                best = other if costs[1] < costs[0] else best
            train, best, limits = rising(train, best, mask, limits, prepared)
            base = baseline(records, train.corrections)
        model = train.model
        held_out = held_out_rms(train, best)
        # Viscous friction of FrDyn2Linear begins at v_d − v_s.
        onset = float(np.exp(best[model.index("v_d - v_s")])) if model.law == "FrDyn2Linear" else 0.0
        every = replace(every, model=model, corrections=train.corrections, onset=onset)
        every = replace(every, weights=robust(every, best))
        best = minimise(every, best[None], np.append(mask, every.flags()), limits, thresholds.FIRST)[0][0]
    except KeyboardInterrupt:
        complete = False
        every = replace(every, model=train.model, corrections=train.corrections)
    options.progress(stage, 1.0)
    # Quantities that sliding does not determine have their best values now and count as held: their uncertainty belongs to the others.
    held = np.append(~mask, np.zeros_like(every.flags()))
    freed = {quantity.coordinate for quantity in model.quantities if quantity.name in options.free}
    for name in model.held:
        held[model.index(name)] |= name not in freed
    free = within(best, limits)
    for name in model.held:
        free[model.index(name)] = True  # at a bound it is as uncertain as elsewhere
    free &= np.append(mask, every.flags())
    return Fit(every, best, free, held, limits, held_out, base, gains, complete)


def descend(
    first: Problem, train: Problem, mask: Flags, limits: Bounds, prepared: Preparation, notify: Callable[[Array], None]
) -> Array:
    """Least of the searches from a grid of starts: over a part of the samples, then the best of them over the training samples."""
    theta, cost = starts(first, prepared.scales, prepared.base.direction(), 1e3 * prepared.base.delay)
    # A sensor at its limit hides the level, and has more minima.
    many = 1 if first.limits is None else 2
    chosen = distinct(np.clip(theta, *limits), cost, thresholds.STARTS * many)
    if len(chosen):
        chosen, cost = minimise(first, chosen, np.append(mask, first.flags()), limits, thresholds.FIRST, notify)
    if not len(chosen) or not np.isfinite(cost[0]):
        raise RecordError(
            f"{first.model.law} has no finite force along the record at any parameters within the element's bounds; check the signals for "
            "extreme values and their units, or leave F_N out"
        )
    close = cost <= thresholds.SECOND_START * cost[0]
    second = distinct(chosen[close], cost[close], 2 * many, 0.05)
    return np.asarray(minimise(train, second, np.append(mask, train.flags()), limits, thresholds.LAST, notify)[0][0])


def choose(train: Problem, theta: Array, mask: Flags, limits: Bounds) -> tuple[Problem, Array, dict[str, float]]:
    """Corrections that the record wants: all that are possible at first, then without those that bring least, one by one."""
    names = possible(train.records)
    problem = replace(train, corrections=names)
    flags = np.append(mask, problem.flags())
    before = train.residuals(theta[None])[0]
    # Where a linear estimate of all of them together explains nothing more, those of the baseline are enough.
    residuals, jacobian = problem.residuals(theta[None])[0], problem.full_jacobian(theta, flags)
    left = residuals - jacobian @ np.linalg.lstsq(jacobian, residuals, rcond=None)[0]
    if before @ before - left @ left < thresholds.RISE * float(left @ left) / train.count * problem.misfit(theta).tau:
        names, problem = tuple(train.corrections), train
    else:
        theta = minimise(problem, theta[None], flags, limits, thresholds.AGAIN)[0][0]
    gains: dict[str, float] = {}
    while names:
        now = problem.residuals(theta[None])[0]
        cost, full = float(now @ now), held_out_rms(problem, theta)
        unit = cost / problem.count * problem.misfit(theta).tau
        tried, rises = {}, {}
        for name in names:
            less = replace(problem, corrections=[other for other in names if other != name])
            # A coordinate that went to its bound beside a correction, as sigma_1 beside a delay, starts from its middle as well.
            at = np.stack([theta, np.where(within(theta, limits), theta, 0.5 * (limits[0] + limits[1]))])
            at[:, mask.size :][:, ~less.flags()] = 0.0
            found, costs = minimise(less, at, np.append(mask, less.flags()), limits, thresholds.AGAIN)
            tried[name] = less, found[0]
            gains[name] = held_out_rms(*tried[name]) / max(full, 1e-300)
            rises[name] = float(costs[0] - cost) / unit if gains[name] > 1 else 0.0
        worst = min(rises, key=lambda name: rises[name])
        if rises[worst] > thresholds.RISE:
            break
        problem, theta = tried[worst]
        names, gains = tuple(problem.corrections), {}
    return problem, theta, gains


def rising(
    train: Problem, theta: Array, mask: Flags, limits: Bounds, prepared: Preparation
) -> tuple[Problem, Array, Bounds]:
    """LuGre with a level that rises with the speed, where the residual follows the motion, or the fall is odd, and it helps."""
    model, base = train.model, prepared.base
    known = {"mu_s", "v_Stribeck"} & set(model.fixed)
    if model.law != "LuGre" or model.rises or known:
        return train, theta, limits
    excess = float(np.exp(theta[model.index("excess")]))
    if (
        thresholds.USUAL[0] < excess < thresholds.USUAL[1]
        and causes_of(train.records, train.parts(train.all_residuals(theta[None])[0]))["v"] < thresholds.LARGE
    ):
        return train, theta, limits
    other = replace(train, model=RISING.with_fixed(model.fixed))
    ends = bounds(other.model, prepared.scales)
    level, viscous = (
        float(np.mean([value for name, value in base.values.items() if name.startswith(kind)]))
        for kind in ("coulomb", "viscous")
    )
    least = 0.1 * prepared.scales.mu
    guesses = {"mu_d": max(level / prepared.scales.F_N, least), "part": 0.6, "sigma_2": max(viscous, 1e-300)}
    at = np.repeat(theta[None], thresholds.RISE_STARTS, axis=0)
    at[:, mask.size], at[:, mask.size + 1 :] = base.direction(), 1e3 * base.delay
    for name, value in guesses.items():
        at[:, other.model.index(name)] = np.log(value)
    slow, fast = np.log(prepared.scales.speeds)
    at[:, other.model.index("v_Stribeck")] = slow + (fast - slow) * np.linspace(0.3, 0.9, thresholds.RISE_STARTS)
    flags = np.append(mask, other.flags())
    best = minimise(other, at, flags, ends, thresholds.FIRST)[0][:1]
    best = minimise(other, best, flags, ends, thresholds.LAST)[0][0]
    if held_out_rms(other, best) * thresholds.RISES > held_out_rms(train, theta):
        return train, theta, limits
    return other, best, ends


def with_noise(problem: Problem, theta: Array) -> Problem:
    """Problem that takes the noise of a sensor with limits from a fit's residuals where the force is well inside of them."""
    if problem.limits is None:
        return problem
    residuals = problem.without_terms(problem.force - problem.forces(theta[None]), problem.delays(theta[None]))[0]
    low, high, noise = problem.limits
    force = problem.force - residuals
    shown = problem.valid & (force > low + thresholds.OUTLYING * noise) & (force < high - thresholds.OUTLYING * noise)
    if shown.sum() < thresholds.LEAST_SAMPLES:
        return problem
    found = deviation(np.abs(residuals[shown]))
    return replace(problem, records=[replace(record, force_noise=found) for record in problem.records])


def robust(problem: Problem, theta: Array) -> Array:
    """Square roots of Huber's weights of all compared samples at a vector."""
    residuals = problem.all_residuals(theta[None])[0]
    shown = problem.valid & problem.inside
    scale = deviation(np.abs(residuals[shown])) if shown.any() else np.inf
    size = np.maximum(np.abs(residuals), 1e-300)
    return np.asarray(np.sqrt(np.minimum(1.0, thresholds.OUTLYING * max(scale, 1e-300) / size)))


def within(theta: Array, limits: Bounds) -> Flags:
    """Entries that do not stand at their bounds."""
    return np.asarray((theta > limits[0] + thresholds.AT_BOUND) & (theta < limits[1] - thresholds.AT_BOUND))


def mask_of(model: Model) -> Flags:
    """Coordinates that a search moves."""
    return np.array([name not in model.fixed_coordinates() for name in model.coordinates])


def training(records: Sequence[Record]) -> list[Flags]:
    """Masks of the compared samples that a first fit uses: all but the last fifth of each of five blocks."""
    places = [np.linspace(0, thresholds.FIFTHS, one.t[one.compared].size, endpoint=False) for one in records]
    return [place % 1 < 1 - 1 / thresholds.FIFTHS for place in places]


def held_out_rms(problem: Problem, theta: Array) -> float:
    """Root mean square of the residuals outside the training samples, N; the largest hundredth of them does not count."""
    residuals = np.abs(problem.all_residuals(theta[None])[0][problem.valid & ~problem.mask])
    return float(np.sqrt((np.minimum(residuals, np.quantile(residuals, 0.99)) ** 2).mean()))


def check_corrections(corrections: str | Sequence[str]) -> Sequence[str] | None:
    """Corrections from the argument: "auto" or names."""
    if corrections == "auto":
        return None
    names = [corrections] if isinstance(corrections, str) else list(corrections)
    unknown = [name for name in names if name not in CORRECTIONS]
    if unknown:
        raise RecordError(
            f'corrections has {unknown[0]!r} where "auto" or a list of {", ".join(CORRECTIONS)} is needed; () leaves all out'
        )
    return names
