"""Judgement of records: encoder step, sampling and excitation against what the fit says of the contact."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from .baseline import Baseline
from .errors import RecordError
from .models import Array, Columns
from .problem import Problem
from .records import Record

#: Encoder steps relative to x_p: up to FINE they do not show, from POOR on they bias, beyond HOPELESS they hide the bristle.
FINE, POOR, HOPELESS = 1 / 25, 1 / 10, 1.0
#: Samples that a reversal needs within its first 2 x_p.
REVERSAL_SAMPLES = 5

#: Share of the force, norm over norm, up to which a residual that follows the motion is borne; beyond, the law does not explain it.
BORNE = 0.05
#: Correlation of v with itself a period later that makes a motion periodic.
PERIODIC = 0.9
#: Bins of v, for each sign of its derivative, in which the mean residual follows the motion.
BINS = 15

#: Lags, in units of the correlation time, beyond which correlations of the residuals are not added.
WINDOW_OF_LAGS = 6.0

#: Travel, in units of x_p, below which a motion is of pre-sliding alone.
PRESLIDING = 30.0


@dataclass(frozen=True)
class Misfit:
    """What the residuals of a fit say of the law.

    tau: their correlation time, samples. share: of their mean square that follows the motion. repeats: factor on the variance because that
    share repeats from period to period. force: norm of the share that follows the motion, over the norm of the force.
    """

    tau: float
    share: float
    repeats: float
    force: float

    @property
    def reason(self) -> str:
        """Why no value is determined; empty where the law explains the record."""
        if self.force <= BORNE:
            return ""
        return f"the law does not explain the record: {self.force:.0%} of the force is left and follows the motion"


def misfit_of(problem: Problem, theta: Array) -> Misfit:
    """Misfit at a vector: correlation of the residuals, their part that a function of v explains, and that repeats with the period of v."""
    residuals = problem.all_residuals(theta[None])[0]
    ends = np.cumsum([record.t[record.compared].size for record in problem.records])[:-1]
    parts = np.split(residuals, ends)
    taus = [correlation_time(part) for part in parts]
    tau = float(np.average(taus, weights=[part.size for part in parts]))
    shares, repeats = [], []
    for record, part, use, own in zip(problem.records, parts, np.split(problem.valid, ends), taus):
        v = record.v[record.compared]
        place = np.searchsorted(np.quantile(v, np.linspace(0, 1, BINS + 1)[1:-1]), v) + BINS * (np.gradient(v) > 0)
        count = np.bincount(place[use], minlength=2 * BINS)
        sums = np.bincount(place[use], part[use], minlength=2 * BINS)
        total = float(part[use] @ part[use])
        between = float((sums**2 / np.maximum(count, 1)).sum())
        # What bins take from noise with this correlation.
        chance = min(2 * BINS * own / max(use.sum(), 1), 0.9)
        share = max(0.0, (between / max(total, 1e-300) - chance) / (1 - chance) - chance)
        lag, times = period(v), 1.0
        if lag:
            both = use[lag:] & use[:-lag]
            size = max(float(part[lag:][both] @ part[lag:][both]), 1e-300)
            alike = float(part[lag:][both] @ part[:-lag][both]) / size - 2 * np.sqrt(own / max(both.sum(), 1))
            share = max(share, alike)
            times = 1 + max(alike, 0.0) * (v.size / lag - 1)
        shares.append(min(share, 1.0))
        repeats.append(times)
    weights = [part.size for part in parts]
    share, times = float(np.average(shares, weights=weights)), float(np.average(repeats, weights=weights))
    left, size = (float(np.linalg.norm(values[problem.valid])) for values in (residuals, problem.force))
    return Misfit(tau, share, times, left / max(size, 1e-300) * share**0.5)


def period(v: Array) -> int:
    """Samples after which a motion repeats; 0 for one that does not within half of the record."""
    centred = v - v.mean()
    n = v.size
    size = 1 << int(np.ceil(np.log2(2 * n)))
    found = np.fft.irfft(np.abs(np.fft.rfft(centred, size)) ** 2)[: n // 2]
    energy = np.concatenate([[0.0], np.cumsum(centred**2)])
    lags = np.arange(found.size)
    both = np.sqrt(np.maximum(energy[n - lags] * (energy[n] - energy[lags]), 1e-300))
    alike = found / both
    negative = np.flatnonzero(alike < 0.5)
    if negative.size == 0:
        return 0
    after = alike[negative[0] :]
    if after.size == 0 or after.max() < PERIODIC:
        return 0
    # The first of equal maxima: from where it begins up to its peak.
    place = int(np.flatnonzero(after > after.max() - 0.02)[0])
    while place + 1 < after.size and after[place + 1] > after[place]:
        place += 1
    return int(negative[0]) + place


def correlation_time(residuals: Array) -> float:
    """τ = 1 + 2 Σ ρ_k of residuals, shape (samples,), over lags up to 6 τ; at least 1."""
    centred = residuals - residuals.mean()
    n = centred.size
    size = 1 << int(np.ceil(np.log2(2 * n)))
    spectrum = np.abs(np.fft.rfft(centred, size)) ** 2
    covariance = np.fft.irfft(spectrum)[: n // 2]
    if not covariance[0] > 0:
        return 1.0
    sums = 1 + 2 * np.cumsum(covariance[1:] / covariance[0])
    beyond = np.flatnonzero(np.arange(1, sums.size + 1) > WINDOW_OF_LAGS * np.maximum(sums, 1.0))
    last = beyond[0] if beyond.size else sums.size - 1
    return float(max(1.0, sums[last]))


def travel(records: Sequence[Record]) -> float:
    """Largest range of the displacement of a record, m."""
    ranges = []
    for record in records:
        x = np.concatenate([[0.0], np.cumsum(0.5 * (record.v[1:] + record.v[:-1]) * np.diff(record.t))])
        ranges.append(float(np.ptp(x)))
    return max(ranges)


def columns(problem: Problem, theta: Array) -> Columns:
    """Parameters of the element at a vector, by name."""
    names, vector = problem.model.element_parameters(theta)
    return dict(zip(names, vector[0]))


def displacement(problem: Problem, theta: Array) -> float | None:
    """x_p = F_s/σ_0 at the median normal force, m; None for a law without a bristle."""
    if not problem.model.has_bristle:
        return None
    found = columns(problem, theta)
    mu = found.get("mu_s", found.get("mu_d"))
    return float(mu * np.median(problem.normal_force) / found["sigma_0"]) if mu is not None else None


def encoder_fault(problem: Problem, theta: Array) -> None:
    """Refuse records whose encoder is coarser than the pre-sliding displacement."""
    x_p = displacement(problem, theta)
    for record in problem.records:
        if x_p is None or record.encoder_step is None or record.encoder_step <= HOPELESS * x_p:
            continue
        raise RecordError(
            f"{record.name}: the encoder step of {record.encoder_step:.3g} m exceeds the pre-sliding displacement x_p = F_s/sigma_0 = "
            f"{x_p:.3g} m that fits best, so that the bristle of {problem.model.law} does not show; an encoder of {x_p / 25:.2g} m or "
            "finer is needed, or a static law: StaticRegularized, BrownMcPhee"
        )


def notes(problem: Problem, theta: Array, base: Baseline, rms: float, misfit: Misfit) -> list[str]:
    """Warnings about records, one sentence each, with the numbers."""
    found = [sentence for record in problem.records for sentence in record.found]
    x_p = displacement(problem, theta)
    for record in problem.records:
        step = record.encoder_step
        if x_p is not None and step is not None and step > FINE * x_p:
            grade = "poor: parameters of the bristle are biased" if step > POOR * x_p else "fair"
            found.append(
                f"{record.name}: the encoder step of {step:.3g} m is x_p/{x_p / step:.1f} (x_p = {x_p:.3g} m), which is {grade}; x_p/25 "
                f"= {x_p / 25:.2g} m is good."
            )
        if x_p is not None:
            samples = reversal_samples(record.v, record.t, x_p)
            if samples is None:
                found.append(f"{record.name}: v never reverses; sigma_0 shows in reversals.")
            elif samples < REVERSAL_SAMPLES:
                found.append(
                    f"{record.name}: its slowest reversal has {samples} samples within the first 2 x_p = {2 * x_p:.3g} m; "
                    f"{REVERSAL_SAMPLES} are needed: sample faster or reverse more slowly."
                )
        if record.is_free_body:
            found.append(
                f"{record.name}: the friction force is the applied force less mass times acceleration, both filtered; such a record is "
                "better for validation than for fitting."
            )
    if problem.model.rises:
        found.append(
            "The level rises with the speed: mu_s lies below mu_d, and the card has the level as a measured curve."
        )
    if rms > base.rms:
        found.append(
            f"{problem.model.law} explains less than Coulomb and viscous friction: its residual of {rms:.3g} N is {rms / base.rms - 1:.0%} "
            "larger; take a law with viscous friction, or free what is fixed."
        )
    if misfit.reason:
        found.append(f"{problem.model.law}: {misfit.reason}; check units and signs, or take another law.")
    elif misfit.repeats > 1.5:
        found.append(
            f"{misfit.share:.0%} of the residual's mean square follows the motion and repeats with it, which noise does not; the "
            "intervals count one period."
        )
    return found


def reversal_samples(v: Array, t: Array, x_p: float) -> int | None:
    """Samples within the first 2 x_p after the slowest reversal; None without one."""
    step = np.diff(t)
    x = np.concatenate([[0.0], np.cumsum(0.5 * (v[1:] + v[:-1]) * step)])
    signs = np.sign(v)
    moving = np.flatnonzero(signs)
    turns = moving[1:][signs[moving][1:] != signs[moving][:-1]]
    if turns.size == 0:
        return None
    most = 0
    for turn in turns[:2000]:
        far = np.abs(x[turn : turn + 500] - x[turn]) > 2 * x_p
        most = max(most, int(np.argmax(far)) if far.any() else far.size)
    return most
