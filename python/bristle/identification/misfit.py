"""Misfit: what the residuals of a fit say of its law, beside noise."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from .models import Array
from .records import Record
from .thresholds import BINS, NEGLIGIBLE, PERIODIC, WINDOW_OF_LAGS


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
        if self.force <= NEGLIGIBLE:
            return ""
        return f"the law does not explain the record: {self.force:.0%} of the force is left and follows the motion"


def misfit_of(records: Sequence[Record], parts: Sequence[Array]) -> Misfit:
    """Misfit of residuals of records: their correlation, their part that a function of v explains, and that repeats with the period of v."""
    taus = [correlation_time(part) for part in parts]
    tau = float(np.average(taus, weights=[part.size for part in parts]))
    shares, repeats = [], []
    for record, part, own in zip(records, parts, taus):
        v, use = record.v[record.compared], record.valid
        place = np.searchsorted(np.quantile(v, np.linspace(0, 1, BINS + 1)[1:-1]), v) + BINS * (np.gradient(v) > 0)
        count = np.bincount(place[use], minlength=2 * BINS)
        sums = np.bincount(place[use], part[use], minlength=2 * BINS)
        total = float(part[use] @ part[use])
        between = float((sums**2 / np.maximum(count, 1)).sum())
        # Share that bins explain of noise with this correlation.
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
    valid = [record.valid for record in records]
    left = sum(float(part[use] @ part[use]) for part, use in zip(parts, valid))
    size = sum(float(record.measured[use] @ record.measured[use]) for record, use in zip(records, valid))
    return Misfit(tau, share, times, (share * left / max(size, 1e-300)) ** 0.5)


def products(signal: Array) -> Array:
    """Sums of the products of a signal with itself a lag later, for lags below half of its length."""
    size = 1 << int(np.ceil(np.log2(2 * signal.size)))
    found: Array = np.fft.irfft(np.abs(np.fft.rfft(signal, size)) ** 2)[: signal.size // 2]
    return found


def period(v: Array) -> int:
    """Samples after which a motion repeats; 0 for one that does not within half of the record."""
    centred, n = v - v.mean(), v.size
    found = products(centred)
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
    covariance = products(residuals - residuals.mean())
    if not covariance[0] > 0:
        return 1.0
    sums = 1 + 2 * np.cumsum(covariance[1:] / covariance[0])
    beyond = np.flatnonzero(np.arange(1, sums.size + 1) > WINDOW_OF_LAGS * np.maximum(sums, 1.0))
    last = beyond[0] if beyond.size else sums.size - 1
    return float(max(1.0, sums[last]))
