"""Search: Levenberg–Marquardt from several starts at once, so that each iteration simulates all of them in one batch."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from .models import Array, Bounds, Flags
from .problem import Problem
from .thresholds import CONVERGED, DAMPING, HOPELESS_START, LARGEST_STEP, TRIAL


def minimise(
    problem: Problem,
    theta: Array,
    free: Flags,
    bounds: Bounds,
    iterations: int,
    notify: Callable[[Array], None] | None = None,
) -> tuple[Array, Array]:
    """Vectors and their costs, sums of squares, N², the best first, after steps of Levenberg and Marquardt in the free coordinates.

    theta: the starts, shape (starts, coordinates).
    """
    theta = np.clip(np.array(theta, dtype=float), *bounds)
    residuals = problem.residuals(theta)
    cost = _cost(residuals)
    damping = np.full(len(theta), DAMPING)
    active = np.isfinite(cost)
    fresh = np.zeros(len(theta), bool)
    indices = np.flatnonzero(free)
    hessian = np.zeros((len(theta), indices.size, indices.size))
    gradient = np.zeros((len(theta), indices.size))
    quiet = np.zeros(len(theta), int)
    for round_number in range(iterations):
        stale = active & ~fresh
        if stale.any():
            jacobians = problem.jacobians(theta[stale], residuals[stale], free)
            jacobians = np.nan_to_num(jacobians, nan=0.0, posinf=0.0, neginf=0.0)
            hessian[stale] = np.einsum("mnp,mnq->mpq", jacobians, jacobians, optimize=True)
            gradient[stale] = np.einsum("mnp,mn->mp", jacobians, residuals[stale], optimize=True)
            fresh |= stale
        rows = np.flatnonzero(active)
        if rows.size == 0:
            break
        proposed = theta[rows].copy()
        for place, row in enumerate(rows):
            step = _step(hessian[row], gradient[row], damping[row], theta[row, indices], bounds, indices)
            proposed[place, indices] += step
        proposed = np.clip(proposed, *bounds)
        new_residuals = problem.residuals(proposed)
        new_cost = _cost(new_residuals)
        for place, row in enumerate(rows):
            if new_cost[place] < cost[row]:
                gain = 1 - new_cost[place] / cost[row]
                theta[row], residuals[row], cost[row] = proposed[place], new_residuals[place], new_cost[place]
                damping[row] = max(damping[row] * 0.2, 1e-9)
                fresh[row] = False
                quiet[row] = quiet[row] + 1 if gain < CONVERGED else 0
            else:
                damping[row] *= 8.0
                quiet[row] += damping[row] > 1e4
                moved = np.abs(proposed[place] - theta[row]).max()
                quiet[row] += 2 * int(moved < 1e-6)
            active[row] = quiet[row] < 1
        if round_number == TRIAL:
            active &= cost < HOPELESS_START * cost.min()
        if notify is not None:
            notify(theta[int(np.argmin(cost))])
    order = np.argsort(cost)
    return theta[order], cost[order]


def _cost(residuals: Array) -> Array:
    cost = np.einsum("mn,mn->m", residuals, residuals)
    return np.where(np.isfinite(cost), cost, np.inf)


def _step(
    hessian: Array, gradient: Array, damping: float, at: Array, bounds: Bounds, indices: NDArray[np.intp]
) -> Array:
    """Step in the free coordinates; those that would leave their bounds stay."""
    low, high = bounds[0][indices], bounds[1][indices]
    use = np.ones(at.size, bool)
    step = np.zeros(at.size)
    for _ in range(at.size):
        diagonal = np.maximum(np.diag(hessian)[use], 1e-12 * max(float(np.diag(hessian).max()), 1e-300))
        matrix = hessian[np.ix_(use, use)] + damping * np.diag(diagonal)
        step[:] = 0.0
        try:
            step[use] = -np.linalg.solve(matrix, gradient[use])
        except np.linalg.LinAlgError:
            return np.zeros(at.size)
        step = np.clip(step, -LARGEST_STEP, LARGEST_STEP)
        leaving = use & (((at <= low) & (step < 0)) | ((at >= high) & (step > 0)))
        if not leaving.any():
            break
        use &= ~leaving
        if not use.any():
            return np.zeros(at.size)
    return step


def distinct(theta: Array, cost: Array, count: int, apart: float = 0.6) -> Array:
    """Best vectors that lie apart in at least one logarithm, at most this many."""
    chosen: list[int] = []
    for row in np.argsort(cost):
        if not np.isfinite(cost[row]):
            break
        if all(np.abs(theta[row] - theta[other]).max() >= apart for other in chosen):
            chosen.append(int(row))
        if len(chosen) == count:
            break
    return theta[chosen]
