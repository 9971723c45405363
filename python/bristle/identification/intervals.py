"""Intervals: Gauss–Newton with the effective number of samples, and a bootstrap of the measurement chain of an encoder."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from scipy import stats
from scipy.interpolate import Akima1DInterpolator

from .filters import acceleration, denoised, deviation, smooth
from .fit import Fit
from .misfit import Misfit, causes_of, judged, misfit_of
from .models import Array, Bounds, Flags
from .problem import Problem
from .progress import Notify
from .records import Record, pieces
from .thresholds import BETWEEN, LARGEST_BIAS, LARGEST_STEP, LEVEL, NEGLIGIBLE, REPLICATE_STEPS, TRAINED, UNCERTAIN_BIAS


@dataclass(frozen=True)
class Spread:
    """Spread of the reported quantities, as logarithms: half-widths, shape (quantities,), and correlations.

    theta: the fit, less the bias of an encoder.
    """

    theta: Array
    half: Array
    sd: Array
    correlation: Array
    #: Correlation time of the residuals, samples: n_eff = n/tau.
    tau: float
    #: Half-widths of the corrections by name: linear terms in their units, direction as a logarithm, delay in ms.
    linear: dict[str, float]


def gradient_of_reported(problem: Problem, theta: Array, free: Flags) -> Array:
    """Derivatives of the reported logarithms, shape (quantities, free coordinates)."""
    indices = np.flatnonzero(free)
    step = 1e-5
    moved = np.repeat(theta[None], 2 * indices.size, axis=0)
    for place, index in enumerate(indices):
        moved[2 * place, index] += step
        moved[2 * place + 1, index] -= step
    values = problem.model.reported(moved)
    return np.asarray((values[::2] - values[1::2]).T / (2 * step))


def columns_of(problem: Problem, free: Flags) -> list[str]:
    """Names of the free entries of the vector and of the linear terms."""
    behind = ["direction", *(problem.label("delay", whole) for whole in problem.wholes)]
    return [*np.array([*problem.model.coordinates, *behind])[free].tolist(), *problem.terms]


def believed(problem: Problem, theta: Array, free: Flags) -> Array:
    """Derivatives of the residuals by these columns, of which no sample has more than its share.

    One next to a break-away changes with the parameters by far more than its neighbours.
    """
    jacobian = problem.full_jacobian(theta, free)
    directions = jacobian @ root_of(jacobian)
    share = np.einsum("ij,ij->i", directions, directions)[:, None]
    jacobian *= np.sqrt(np.minimum(1.0, NEGLIGIBLE / np.maximum(share, 1e-300)))
    return jacobian


def variance(problem: Problem, theta: Array, misfit: Misfit) -> float:
    """Variance of a residual, N², enlarged by its correlation and repetition."""
    residuals = problem.residuals(theta[None])[0]
    free = max(problem.count - theta.size - len(problem.terms), 1)
    return float(residuals @ residuals) / free * misfit.tau * misfit.repeats


def root_of(rows: Array) -> Array:
    """Root of the covariance by Gauss and Newton from derivatives, shape (samples, columns), of residuals of variance 1."""
    scale = np.linalg.norm(rows, axis=0)
    scale[~(scale > 0)] = 1.0
    _, singular, right = np.linalg.svd(np.linalg.qr(rows / scale, mode="r"), full_matrices=False)
    # A direction that the data do not see has a huge variance, not an infinite one.
    return np.asarray(right.T / np.maximum(singular, max(1e-8 * singular.max(initial=0.0), 1e-150)) / scale[:, None])


def spread(fit: Fit, replicates: int, seed: int, misfit: Misfit, notify: Notify) -> Spread:
    """Spread at a fit: by Gauss and Newton, and with an encoder or a noisy v by a bootstrap of the measurement chain."""
    problem, theta, free = fit.problem, fit.theta, fit.free
    root = root_of(believed(problem, theta, free)) * variance(problem, theta, misfit) ** 0.5
    quantile = float(stats.norm.ppf(0.5 + LEVEL / 2))
    linear = dict(zip(columns_of(problem, free), (quantile * np.linalg.norm(root, axis=1)).tolist()))
    transfer = gradient_of_reported(problem, theta, free)
    of_reported = transfer @ root[: transfer.shape[1]]
    matrix, sd = of_reported @ of_reported.T, np.linalg.norm(of_reported, axis=1)
    half = quantile * sd
    outer = np.outer(sd, sd)
    correlation = np.divide(matrix, outer, out=np.zeros_like(matrix), where=outer > 0)
    corrected = theta
    if has_chain(problem) and replicates >= 3:
        found = bootstrap(fit, replicates, seed, notify)
        shift = np.median(found, axis=0) - theta
        corrected = np.clip(theta - np.clip(shift, -LARGEST_BIAS, LARGEST_BIAS), *fit.limits)
        corrected = corrected if np.isfinite(problem.residuals(corrected[None])).all() else theta
        reported = problem.model.reported(found)
        bias = problem.model.reported(theta[None])[0] - problem.model.reported(corrected[None])[0]
        of_few = float(stats.t.ppf(0.5 + LEVEL / 2, replicates - 1))
        half = np.maximum(half, of_few * reported.std(axis=0, ddof=1) * (1 + 1 / replicates) ** 0.5)
        half = np.hypot(half, UNCERTAIN_BIAS * bias)
    curved, late = (transfer @ sampling_bias(problem, theta, free)).T
    half = np.hypot(half, quantile * late) + np.abs(curved)
    return Spread(corrected, half, sd, correlation, misfit.tau * misfit.repeats, linear)


def sampling_bias(problem: Problem, theta: Array, free: Flags) -> Array:
    """Changes of the free coordinates, shape (coordinates, 2), by a motion that is curved between the samples and by steps in it.

    The second is a standard deviation: a step of v may lie anywhere between two samples.
    """
    count, problem = int(free.sum()), shorter(problem)
    if not (is_plain(problem) and count):
        return np.zeros((count, 2))
    curved, late = (curved_motion(problem, theta, steps)[problem.mask] * problem.weight for steps in (0.0, 12**-0.5))
    changes = np.column_stack([curved, late - curved])
    return np.asarray(np.linalg.lstsq(problem.full_jacobian(theta, free), changes, rcond=1e-8)[0][:count])


def shorter(problem: Problem) -> Problem:
    """Problem over pieces of long records, which show the same of the motion between the samples and take less memory."""
    few = pieces(problem.records, TRAINED)
    return problem if len(few) == len(problem.records) else replace(problem, records=few, training=None, weights=None)


def is_plain(problem: Problem) -> bool:
    """Whether all forces are compared as they are measured, without the filter of a body."""
    return all(record.kernel is None and record.acceleration is None for record in problem.records)


def curved_motion(problem: Problem, theta: Array, late: float = 0.0) -> Array:
    """Change of the force that a curved motion between the samples makes, in place of a straight one, N.

    late: delay of what the neighbours do not explain of a change of v between two samples, relative to their interval.
    """
    records = []
    for record in problem.records:
        place, between = np.arange(record.t.size), np.arange((record.t.size - 1) * BETWEEN + 1) / BETWEEN
        fine = {name: np.interp(between, place, getattr(record, name)) for name in ("t", "F_N", "F")}
        v = Akima1DInterpolator(record.t, record.v)(fine["t"])
        steps = np.diff(record.v)
        steps = steps - np.convolve(np.pad(steps, 2, "edge"), np.array([-1, 4, 0, 4, -1]) / 6, "valid")
        # The velocity lacks a triangle between the samples, whose area is the displacement by the delay.
        v[:-1] -= late * (np.outer(steps, 1 - np.abs(np.arange(BETWEEN) / BETWEEN * 2 - 1)) * 2).ravel()
        records.append(replace(record, **fine, v=v, use=None, censored=None, level=None))
    curved = replace(problem, records=records, training=None, weights=None, corrections=())
    forces = np.concatenate([part[::BETWEEN] for part in curved.parts(curved.forces(theta[None])[0])])
    return np.asarray(np.nan_to_num(forces - problem.forces(theta[None])[0]))


def bootstrap(fit: Fit, replicates: int, seed: int, notify: Notify) -> Array:
    """Fits to replicates, shape (replicates, coordinates): the motion as smoothed, the force as fitted, noise and steps anew."""
    problem, theta = fit.problem, fit.theta
    rng = np.random.default_rng(seed)
    simulated = problem.force - problem.all_residuals(theta[None])[0]
    ends = np.cumsum([record.t.size for record in problem.records])
    forces = np.split(simulated, ends[:-1])
    found = []
    for i in range(replicates):
        records = [replicate(record, force, rng) for record, force in zip(problem.records, forces)]
        again = replace(problem, records=records)
        found.append(refit(again, theta, fit.free, fit.limits))
        notify((i + 1) / replicates)
    return np.array(found)


def judgement(problem: Problem, theta: Array, seed: int) -> Misfit:
    """Misfit of a fit, beside what an encoder or a noisy v leave of a record that the law makes."""
    residuals, some = problem.all_residuals(theta[None])[0], shorter(problem)
    chance, floor = 0.0, 0.0
    if is_plain(problem):
        mean = (curved_motion(some, theta)[some.valid] ** 2).mean()
        floor = float((mean * problem.valid.sum()) ** 0.5)
    if has_chain(problem):
        rng = np.random.default_rng(seed)
        simulated = problem.parts(problem.force - residuals)
        again = replace(problem, records=[replicate(one, force, rng) for one, force in zip(problem.records, simulated)])
        left = again.all_residuals(theta[None])[0]
        floor, parts = float(np.hypot(floor, np.linalg.norm(left[problem.valid]))), again.parts(left)
        chance = max(*causes_of(again.records, parts).values(), misfit_of(again.records, parts).share)
    return judged(problem.records, problem.parts(residuals), chance, floor)


def has_chain(problem: Problem) -> bool:
    """Whether the measurement makes more than noise of F: an encoder, a noisy v, or a coarse converter of F."""
    return any(record.position is not None or record.noise > 0 or record.force_step > 0 for record in problem.records)


def replicate(record: Record, force: Array, rng: np.random.Generator) -> Record:
    """Record as it could have been measured: `force` with white noise of the residuals' size, positions in steps of another phase."""
    difference = np.diff(record.F - force)
    noise = deviation(np.abs(difference)) / 2**0.5
    if record.force_step > 0:
        noise = max(noise**2 - record.force_step**2 / 12, 0.0) ** 0.5
    measured = force + noise * rng.standard_normal(force.size)
    if record.force_step > 0:
        offset = rng.uniform(0, record.force_step)
        measured = np.round((measured + offset) / record.force_step) * record.force_step - offset
    if record.noise > 0:
        v = record.v + record.noise * rng.standard_normal(record.v.size)
        return replace(record, F=measured, v=denoised(record.t, v, record.noise))
    if record.position is None or record.encoder_step is None:
        return replace(record, F=measured)
    step = record.encoder_step
    phase = rng.uniform(0, step)
    x = np.round((record.position + phase) / step) * step - phase
    position, v = smooth(record.t, x, record.window)
    if record.mass is not None:
        change, _ = acceleration(x - record.position, record.window, 2, record.interval)
        measured = measured - record.mass * change
    return replace(record, F=measured, v=v, position=position)


def refit(problem: Problem, theta: Array, free: Flags, bounds: Bounds) -> Array:
    """Fit close to `theta`: steps of Gauss and Newton with the derivatives of the start."""
    residuals = problem.residuals(theta[None])
    jacobian = problem.jacobians(theta[None], residuals, free)[0]
    matrix = jacobian.T @ jacobian
    matrix += 1e-6 * np.diag(np.maximum(np.diag(matrix), 1e-12 * max(float(np.diag(matrix).max()), 1e-300)))
    best, least = theta, float((residuals**2).sum())
    for _ in range(REPLICATE_STEPS):
        step = -np.linalg.solve(matrix, jacobian.T @ residuals[0])
        proposed = best.copy()
        proposed[free] += np.clip(step, -LARGEST_STEP, LARGEST_STEP)
        proposed = np.clip(proposed, *bounds)
        new = problem.residuals(proposed[None])
        cost = float((new**2).sum())
        if not cost < least:
            break
        best, least, residuals = proposed, cost, new
    return best
