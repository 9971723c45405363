"""Starts: a grid over what makes the problem nonlinear, and least squares with coefficients ≥ 0 for the rest."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product

import numpy as np
from scipy.integrate import cumulative_trapezoid
from scipy.optimize import nnls

from .. import _bristle
from .models import Array, Model, by_direction
from .problem import Problem, names_of
from .records import Record
from .thresholds import DELAY_MAX, DIRECTION_MAX


@dataclass(frozen=True)
class Scales:
    """Sizes of the signals, from which grids and bounds come: mu (1), speeds (m/s), displacements (m), normal force (N); and the number of
    whole records."""

    mu: float
    speeds: tuple[float, float]
    displacements: tuple[float, float]
    F_N: float
    wholes: int

    @staticmethod
    def of(records: Sequence[Record], force: Array) -> Scales:
        """Sizes of the signals of records and of the friction force at the compared samples."""
        normal = np.concatenate([record.F_N[record.compared] for record in records])
        speed = np.abs(np.concatenate([record.v for record in records]))
        closed = normal > 0
        # A short motion may lie beyond the percentile.
        fast = float(np.percentile(speed, 99.5)) or float(speed.max())
        moving = speed[speed > 1e-6 * fast]
        slow = max(float(np.percentile(moving, 3)), 1e-5 * fast)
        paths = [cumulative_trapezoid(record.v, record.t, initial=0) for record in records]
        travel = max(float(np.ptp(x)) for x in paths)
        least = float(np.percentile(np.concatenate([np.abs(np.diff(x)) for x in paths]), 5))
        quantum = max((record.encoder_step or 0.0 for record in records), default=0.0)
        low = max(0.1 * least, 0.3 * quantum, 3e-6 * travel)
        mu = float(np.percentile(np.abs(force[closed]) / normal[closed], 95))
        normal_force = float(np.median(normal[closed]))
        return Scales(max(mu, 1e-9), (slow, fast), (low, 0.5 * travel), normal_force, len(names_of(records)))


def bounds(model: Model, scales: Scales) -> tuple[Array, Array]:
    """Smallest and largest logarithms of the coordinates; one for those that are fixed."""
    (slow, fast), (low, high) = scales.speeds, scales.displacements
    force = scales.mu * scales.F_N
    ranges = {
        "mu_d": (1e-2 * scales.mu, 10 * scales.mu),
        "excess": (1e-4, 30.0),
        "part": (0.03, 1.0),
        "v_Stribeck": (0.03 * slow, 100 * fast),
        "v_s": (0.01 * slow, 30 * fast),
        "spread": (1e-2, 1e4),
        "share": (0.01, 1.0),
        "v_d - v_s": (0.03 * slow, 100 * fast),
        "sigma_0": (0.1 * force / high, 30 * force / low),
        "sigma_1": (1e-6 * force / fast, 1e3 * force / slow),
        "sigma_2": (1e-5 * force / fast, 30 * force / fast),
    }
    found = np.log(np.array([ranges[name] for name in model.coordinates]))
    # The element refuses values beyond its own bounds.
    parameters = _bristle.laws()[model.law].parameters
    for place, name in enumerate(model.coordinates):
        if name in parameters:
            least, most = parameters[name].min or 1e-6 * scales.mu, parameters[name].max or 1e300
            found[place] = np.clip(found[place], np.log(least), np.log(most))
    for name, value in model.fixed_coordinates().items():
        if value is not None:
            found[model.index(name)] = np.log(max(value, 1e-12))
    ends = np.array([DIRECTION_MAX, *[DELAY_MAX] * scales.wholes])
    return np.append(found[:, 0], -ends), np.append(found[:, 1], ends)


def starts(problem: Problem, scales: Scales, direction: float, delay: float) -> tuple[Array, Array]:
    """Starts of a search, shape (starts, vector), within the bounds, and their costs, N²; with a direction and a delay, ms."""
    law = problem.model.law
    own = {"Dahl": _dahl, "LuGre": _lugre, "StaticRegularized": _static_regularized, "BrownMcPhee": _brown_mcphee}
    make = own.get(law, _frdyn2)
    found = []
    kept: list[Array] = []
    # A bristle delays the force as well: the sensor's delay lies between nothing and what the baseline finds. Below 1 ms both are close.
    shares = (1.0, 0.0) if abs(delay) < 1.0 else (1.0, 0.75, 0.5, 0.25, 0.0)
    for late in dict.fromkeys(delay * share for share in shares):
        theta, cost = make(Grid(problem, direction, late, kept), scales)
        found.append((np.column_stack([theta, np.tile([direction, *[late] * scales.wholes], (len(theta), 1))]), cost))
    theta, cost = (np.concatenate(both) for both in zip(*found))
    return np.clip(theta, *bounds(problem.model, scales)), cost


@dataclass
class Grid:
    """Runs of a grid: outputs of the element as basis functions, with a direction and a delay that all starts share.

    kept: outputs without a delay, one array for each record; grids that differ in their delay share them.
    """

    problem: Problem
    direction: float
    delay: float
    kept: list[Array]

    def outputs(self, names: list[str], vectors: Array, outputs: list[str]) -> Array:
        """Outputs along the records, shape (vectors, outputs, samples)."""
        if self.direction:
            names, vectors = by_direction(names, vectors, np.full(len(vectors), np.exp(self.direction)))
        if not self.kept:
            self.kept += self.problem.simulated(names, vectors, outputs)
        return self.problem.shown(self.kept, self.delay)

    def fit(self, basis: Array) -> tuple[Array, float]:
        """Coefficients ≥ 0 of basis functions, shape (functions, samples), and the cost, N².

        The other samples give the coefficients; one at the sensor's limit adds to the cost where the force stays short of the limit.
        """
        problem = self.problem
        delays = np.full((len(basis) + 1, len(problem.wholes)), self.delay)
        every = problem.without_terms(np.vstack([basis, problem.force]), delays)
        rows = every[:, problem.mask & problem.inside]
        columns, force = rows[:-1].T, rows[-1]
        if not np.isfinite(columns).all():
            return np.zeros(columns.shape[1]), np.inf
        sizes = np.linalg.norm(columns, axis=0)
        sizes[sizes == 0] = 1.0
        scaled = columns / sizes
        # The normal equations: few functions and many samples.
        matrix = scaled.T @ scaled + 1e-12 * np.eye(sizes.size)
        factor = np.linalg.cholesky(matrix)
        coefficients, _ = nnls(factor.T, np.linalg.solve(factor, scaled.T @ force))
        cost = float(force @ force - 2 * coefficients @ (scaled.T @ force) + coefficients @ matrix @ coefficients)
        coefficients = coefficients / sizes
        if problem.limits is not None:
            cut = problem.mask & ~problem.inside
            short = (every[-1, cut] - coefficients @ every[:-1, cut]) * np.sign(problem.force[cut])
            cost += float((np.maximum(short, 0.0) ** 2).sum())
        return coefficients, max(cost, 0.0)

    def velocity(self, beyond: float = 0.0) -> Array:
        """Velocity beyond a speed, m/s, as the forces are filtered, shape (1, samples)."""
        records = self.problem.records
        columns = [np.sign(record.v) * np.maximum(np.abs(record.v) - beyond, 0.0) for record in records]
        return self.problem.shown(columns, self.delay)[None]


def _log_grid(low: float, high: float, count: int) -> Array:
    return np.geomspace(low, max(high, low * 1.001), count)


def _collect(rows: list[list[float]], costs: list[float]) -> tuple[Array, Array]:
    return np.log(np.clip(np.array(rows), 1e-300, 1e300)), np.array(costs)


def _dahl(grid_of: Grid, scales: Scales) -> tuple[Array, Array]:
    displacements = _log_grid(*scales.displacements, 60)
    vectors = np.stack([np.ones(60), scales.F_N / displacements], axis=1)
    rows, costs = [], []
    for basis, displacement in zip(grid_of.outputs(["mu_d", "sigma_0"], vectors, ["F_R"]), displacements):
        (mu,), cost = grid_of.fit(basis)
        rows.append([mu, mu * scales.F_N / displacement])
        costs.append(cost)
    return _collect(rows, costs)


def _lugre(grid_of: Grid, scales: Scales) -> tuple[Array, Array]:
    """With F_c/σ_0, F_s/F_c and v_Stribeck given, the force is linear in F_c, σ_1 and σ_2."""
    (slow, fast), force = scales.speeds, scales.mu * scales.F_N
    excesses = (0.1, 0.6)
    grid = list(product(_log_grid(*scales.displacements, 14), _log_grid(slow, fast, 5), excesses))
    names = ["mu_s", "mu_d", "v_Stribeck", "sigma_0", "sigma_1", "sigma_2"]
    vectors = np.array([[1 + excess, 1.0, v, scales.F_N / x, 0.0, 0.0] for x, v, excess in grid])
    velocity = grid_of.velocity()
    rows, costs = [], []
    for (x, v, excess), basis in zip(grid, grid_of.outputs(names, vectors, ["F_R", "der(z)"])):
        (mu, damping, viscous), cost = grid_of.fit(np.vstack([basis, velocity]))
        sigma_1 = max(damping, 1e-3 * force / fast)
        rows.append([mu, excess, v, mu * scales.F_N / x, sigma_1, max(viscous, 1e-3 * force / fast)])
        costs.append(cost)
    return _collect(rows, costs)


def _static_regularized(grid_of: Grid, scales: Scales) -> tuple[Array, Array]:
    slow, fast = scales.speeds
    grid = list(product(_log_grid(0.3 * slow, fast, 40), (1.0, 4.0, 20.0)))
    names = ["mu_s", "mu_d", "v_s", "v_d"]
    # The characteristic is linear in mu_d and mu_s − mu_d: two runs give both functions.
    vectors = np.array([[[1.0, 1.0, v, v * (1 + spread)], [1.0, 0.0, v, v * (1 + spread)]] for v, spread in grid])
    found = grid_of.outputs(names, vectors.reshape(-1, 4), ["F_R"])[:, 0].reshape(len(grid), 2, -1)
    rows, costs = [], []
    for (v, spread), basis in zip(grid, found):
        (kinetic, excess), cost = grid_of.fit(basis)
        kinetic = max(kinetic, 0.02 * scales.mu)
        rows.append([kinetic, max(excess / kinetic, 0.02), v, spread])
        costs.append(cost)
    return _collect(rows, costs)


def _brown_mcphee(grid_of: Grid, scales: Scales) -> tuple[Array, Array]:
    (slow, fast), force = scales.speeds, scales.mu * scales.F_N
    velocities = _log_grid(0.3 * slow, fast, 40)
    vectors = np.array([[[1.0, 1.0, v, 0.0], [2.0, 1.0, v, 0.0]] for v in velocities])
    found = grid_of.outputs(["mu_s", "mu_d", "v_Stribeck", "sigma_2"], vectors.reshape(-1, 4), ["F_R"])[:, 0]
    found = found.reshape(velocities.size, 2, -1)
    velocity = grid_of.velocity()
    rows, costs = [], []
    for v, (kinetic_part, both) in zip(velocities, found):
        (kinetic, excess, viscous), cost = grid_of.fit(np.vstack([kinetic_part, both - kinetic_part, velocity]))
        kinetic = max(kinetic, 0.02 * scales.mu)
        rows.append([kinetic, max(excess / kinetic, 0.02), v, max(viscous, 1e-3 * force / fast)])
        costs.append(cost)
    return _collect(rows, costs)


def _frdyn2(grid_of: Grid, scales: Scales) -> tuple[Array, Array]:
    """With displacement, velocities and shape given, the force is linear in one scale of all forces, and in the viscous force."""
    slow, fast = scales.speeds
    #: mu_s/mu_d − 1, (v_d − v_s)/v_s, sigma_1 v_s/F_d.
    shapes = ((0.2, 4.0, 0.5), (0.8, 4.0, 1.0), (0.8, 20.0, 0.3), (0.2, 20.0, 0.1), (0.8, 9.0, 3.0))
    velocities = _log_grid(0.3 * slow, 0.3 * fast, 4)
    grid = list(product(_log_grid(*scales.displacements, 13), velocities, shapes))
    names = ["mu_s", "mu_d", "v_s", "v_d", "sigma_0", "sigma_1"]
    vectors = np.array(
        [
            [1 + excess, 1.0, v, v * (1 + spread), scales.F_N / x, damping * scales.F_N / v]
            for x, v, (excess, spread, damping) in grid
        ]
    )
    viscous = "sigma_2" in grid_of.problem.model.coordinates
    # Viscous friction begins at v_d, where the shift of the characteristic is v_s.
    columns = {width: grid_of.velocity(width) for width in {v * spread for _, v, (_, spread, _) in grid}}
    least = 1e-3 * scales.mu * scales.F_N / fast
    rows, costs = [], []
    for (x, v, (excess, spread, damping)), basis in zip(grid, grid_of.outputs(names, vectors, ["F_R"])):
        (mu, *rest), cost = grid_of.fit(np.vstack([basis, columns[v * spread]]) if viscous else basis)
        row = [mu, excess, mu * scales.F_N / x, mu * damping * scales.F_N / v, v * spread, 1 / spread]
        rows.append([*row, max(rest[0], least)] if viscous else row)
        costs.append(cost)
    return _collect(rows, costs)
