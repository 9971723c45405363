"""Coulomb and viscous friction by least squares: the baseline of every fit, with mass, offset, drift, directions and delay."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from scipy import stats
from scipy.optimize import minimize_scalar

from .misfit import misfit_of
from .models import Array
from .problem import delayed
from .records import Record
from .thresholds import DELAY_MAX, LEVEL, NAMED, NAMED_DELAY, NEGLIGIBLE, OFFSET_FIRST


@dataclass(frozen=True, eq=False)
class Baseline:
    """Coulomb and viscous friction: values and half-widths of their 95 % intervals by name, SI units, and what they leave.

    values: of `coulomb`, `viscous`, or these with `_forward` and `_backward`, `mass`, `offset`, `drift` as far as they were fitted.
    half: from the covariance of least squares, with the correlation of the residuals and their repetition. deviation: standard deviations as
    if the residuals were independent, as published ones often are. delay: s. rms: N. share: norm of the residuals over
    the norm of the force.
    """

    values: dict[str, float]
    half: dict[str, float]
    deviation: dict[str, float]
    delay: float
    rms: float
    share: float

    def direction(self) -> float:
        """Logarithm of the ratio of the level for v > 0 to that for v < 0, 0 where they are one."""
        forward, backward = self.values.get("coulomb_forward", 0.0), self.values.get("coulomb_backward", 0.0)
        return float(np.log(forward / backward)) if min(forward, backward) > 0 else 0.0


def columns_of(record: Record, corrections: Sequence[str]) -> dict[str, Array]:
    """Columns of the least squares by name, at each sample."""
    v = record.v
    found: dict[str, Array] = {}
    if record.acceleration is not None:
        found["mass"] = record.acceleration
    if "direction" in corrections:
        for name, side in (("forward", v > 0), ("backward", v < 0)):
            found[f"coulomb_{name}"], found[f"viscous_{name}"] = np.sign(v) * side, v * side
    else:
        found["coulomb"], found["viscous"] = np.sign(v), v
    if "offset" in corrections:
        found["offset"] = np.ones(v.size)
    if "drift" in corrections:
        found["drift"] = record.t - record.t.mean()
    return found


def baseline(records: Sequence[Record], corrections: Sequence[str] = ()) -> Baseline:
    """Fit of Coulomb and viscous friction, and of what axis and corrections add, to records together."""
    columns = [columns_of(record, corrections) for record in records]
    names = list(dict.fromkeys(name for of_record in columns for name in of_record))
    forces = [record.measured for record in records]
    use = np.concatenate([record.valid for record in records])
    target = np.concatenate(forces)

    def solve(delay: float) -> tuple[Array, Array, Array]:
        rows = []
        for record, of_record in zip(records, columns):
            absent = np.zeros(record.t.size)
            stack = np.array([of_record.get(name, absent) for name in names])
            rows.append(record.filtered(delayed(stack, delay, record)))
        matrix = np.concatenate(rows, axis=1).T
        found = np.linalg.lstsq(matrix[use], target[use], rcond=None)[0]
        return found, target - matrix @ found, matrix

    def left_by(delay: float) -> float:
        return float(np.linalg.norm(solve(delay)[1][use]))

    delay = best_delay(left_by) if "delay" in corrections else 0.0
    found, residuals, matrix = solve(delay)
    free = max(int(use.sum()) - len(names), 1)
    scale = float(residuals[use] @ residuals[use]) / free
    spread = np.sqrt(np.maximum(scale * np.diag(np.linalg.pinv(matrix[use].T @ matrix[use])), 0.0))
    ends = np.cumsum([force.size for force in forces])[:-1]
    misfit = misfit_of(records, np.split(residuals, ends))
    half = float(stats.norm.ppf(0.5 + LEVEL / 2)) * spread * (misfit.tau * misfit.repeats) ** 0.5
    left, size = float(np.linalg.norm(residuals[use])), float(np.linalg.norm(target[use]))
    return Baseline(
        dict(zip(names, found.tolist())),
        dict(zip(names, half.tolist())),
        dict(zip(names, spread.tolist())),
        1e-3 * delay,
        left / max(int(use.sum()), 1) ** 0.5,
        left / max(size, 1e-300),
    )


def best_delay(size: Callable[[float], float]) -> float:
    """Delay, ms, that leaves the least: a coarse search, then one within its best step."""
    coarse = DELAY_MAX / 10
    grid = np.arange(-DELAY_MAX, DELAY_MAX + coarse / 2, coarse)
    start = float(grid[int(np.argmin([size(float(delay)) for delay in grid]))])
    found = minimize_scalar(size, bounds=(start - coarse, start + coarse), method="bounded", options={"xatol": 1e-3})
    return float(found.x)


def possible(records: Sequence[Record]) -> tuple[str, ...]:
    """Corrections that records can show: those of both directions where each has a twentieth of the time at least."""
    v = np.concatenate([one.v for one in records])
    moving = v[np.abs(v) > 1e-3 * np.abs(v).max()]
    both_ways = min((moving > 0).mean(), (moving < 0).mean()) > NEGLIGIBLE
    return (("offset", "direction") if both_ways else ()) + ("drift", "delay")


def worthwhile(records: Sequence[Record]) -> tuple[str, ...]:
    """Corrections that reduce the baseline's residual, found one after the other."""
    chosen: tuple[str, ...] = ()
    least = baseline(records, chosen).rms
    while True:
        tried = {name: baseline(records, (*chosen, name)).rms for name in possible(records) if name not in chosen}
        best = min(tried, key=lambda name: tried[name], default=None)
        if best == "direction" and tried.get("offset", np.inf) < OFFSET_FIRST * tried[best]:
            best = "offset"  # in sliding the two are nearly one
        if best is None or tried[best] * (NAMED_DELAY if best == "delay" else NAMED) > least:
            return chosen
        chosen, least = (*chosen, best), tried[best]
