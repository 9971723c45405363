"""Misfit: what the residuals of a fit say of its law, beside noise."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import numpy as np
from scipy.integrate import cumulative_trapezoid

from . import thresholds
from .filters import noise_of
from .models import Array, Flags
from .records import Record


@dataclass(frozen=True)
class Misfit:
    """What the residuals of a fit say of the law.

    tau: their correlation time, samples. repeats: factor on the variance because a share of them repeats from period to period. share: of
    their mean square that repeats. causes: share of their mean square that each recorded signal explains in samples that took no part, by
    name. chance: such a share that the measurement alone leaves. noises: their root mean square relative to the noise of F. uneven: ratio
    of the residual where it is large to that where it is small. left: norm of the residuals over that of the force.
    floor: such a norm that an encoder, a noisy v and the motion between the samples make alone.
    """

    tau: float
    repeats: float
    share: float
    causes: dict[str, float] = field(default_factory=dict)
    chance: float = 0.0
    noises: float = 1.0
    uneven: float = 1.0
    left: float = 0.0
    floor: float = 0.0

    @property
    def strongest(self) -> list[str]:
        """Causes that explain about as much as the best of them, first those that are likelier: one motion may not separate them."""
        named = {name: share for name, share in self.causes.items() if name != "period"}
        best = max(named.values(), default=0.0)
        if best <= thresholds.FOLLOWED:
            return ["period"] if self.causes.get("period", 0.0) > thresholds.FOLLOWED else []
        return [name for name, share in named.items() if share >= thresholds.ALIKE * best]

    @property
    def hidden(self) -> bool:
        """Whether the measurement alone leaves so much that the law cannot be judged."""
        return self.floor > thresholds.HIDDEN * self.left

    @property
    def reason(self) -> str:
        """Why no value is determined; empty where the law explains the record."""
        best = max(self.causes.values(), default=0.0)
        follows = best > max(thresholds.FOLLOWED, 2 * self.chance)
        beyond = self.noises > thresholds.NOISES and (
            best > 0.5 * thresholds.FOLLOWED or self.uneven > thresholds.UNEVEN
        )
        if not (follows or beyond or self.noises > thresholds.MOST_NOISES):
            return ""
        if self.hidden:
            return f"it leaves {self.left:.1%} of the force, and the measurement of v makes {self.floor:.1%} alone; measure v finer or faster"
        size = f"the law leaves {self.left:.1%} of the force, {self.noises:.1f} times the noise of F"
        if not self.strongest:
            return f"{size}, and follows no recorded signal; take another law, or record load and temperature as well, with one clock"
        name, *others = self.strongest
        text = (
            f"{size}, and {self.causes[name]:.0%} of its mean square follows {NAMES.get(name, f'the column `{name}`')}"
        )
        if others:
            text += (
                f" (or {', '.join(NAMES.get(other, other) for other in others)}: this motion does not separate them)"
            )
        return f"{text}; {REMEDIES.get(name, REMEDY)}"


#: Causes in words, and what to do; the order is that of their likelihood.
NAMES = {"record": "the record", "v": "v", "history": "the travel since the last reversal", "F_N": "F_N"}
NAMES |= {"x": "the position", "t": "the time", "period": "the period of the motion"}
REMEDIES = {
    "record": "the level differs between records: identify each alone, or record what changes",
    "v": "take another law",
    "period": "take another law",
    "history": "take a law with another bristle",
    "F_N": "the level is not proportional to F_N: identify the records of each F_N alone",
    "x": "the level changes along the path: shorten the stroke, or identify it by sections",
    "t": "the level, or the delay of F, changes in time: warm up first, use one clock, and record load and temperature",
}
REMEDY = "hold it constant, or identify the records of each of its values alone"


def signals_of(record: Record) -> dict[str, tuple[Array, Flags]]:
    """Signals at the compared samples that a residual may follow, each with a side, by name in the order of their likelihood."""
    v, t = record.v[record.compared], record.t[record.compared]
    x = cumulative_trapezoid(v, t, initial=0)
    travel = np.concatenate([[0.0], np.cumsum(np.abs(np.diff(x)))])
    turns = np.concatenate([[0], np.flatnonzero(np.diff(np.sign(v))) + 1])
    since = travel - travel[turns[np.searchsorted(turns, np.arange(v.size), "right") - 1]]
    found = {"v": (v, np.gradient(v, t) > 0), "history": (since, v > 0)}
    others = {"F_N": record.F_N, **record.causes}
    # A second sensor of the force, as a motor's current, has the residual in itself.
    others = {
        name: signal
        for name, signal in others.items()
        if np.ptp(signal) > thresholds.VARIES * np.abs(signal).max()
        and abs(np.corrcoef(signal, record.F)[0, 1]) < thresholds.COPY
    }
    return {**found, **{k: (s[record.compared], v > 0) for k, s in others.items()}, "x": (x, v > 0), "t": (t, v > 0)}


def explained(signal: Array, side: Flags, part: Array, use: Flags, shape: Array | float = 1.0) -> float:
    """Sum of squares of a residual that multiples of a shape explain, one in each bin of a signal and side: the mean, for a shape of 1.

    The multiples of one half of many blocks explain the other half. Noise explains nothing there, however long it is correlated within a
    block: no correlation time is needed.
    """
    count = int(np.clip(part.size // 8, 2, thresholds.BINS))
    place = 2 * np.searchsorted(np.unique(np.quantile(signal, np.linspace(0, 1, count + 1)[1:-1])), signal) + side
    half = np.arange(part.size) * min(thresholds.BLOCKS, part.size // 4) // part.size % 2
    size = np.broadcast_to(np.square(shape), part.shape)
    predicted = np.zeros(part.size)
    for of in (0, 1):
        known = use & (half == of)
        sums = np.bincount(place[known], (part * shape)[known], minlength=2 * thresholds.BINS + 2)
        sizes = np.bincount(place[known], size[known], minlength=2 * thresholds.BINS + 2) + 2 * size.mean()
        predicted[half != of] = (sums / sizes)[place[half != of]]
    return float((part[use] ** 2).sum() - ((part - predicted * shape)[use] ** 2).sum())


def causes_of(records: Sequence[Record], parts: Sequence[Array]) -> dict[str, float]:
    """Share of the residuals' mean square that each recorded signal explains, by name; by its level, as a share of the force, as well."""
    total = max(sum(float(part[one.valid] @ part[one.valid]) for one, part in zip(records, parts)), 1e-300)
    found: dict[str, float] = {}
    for record, part in zip(records, parts):
        signals = signals_of(record)
        if len(records) > 1:
            signals = {"record": (np.zeros(part.size), signals["history"][1]), **signals}
        for name, (signal, side) in signals.items():
            level = side if name in ("v", "history") else np.zeros_like(side)
            best = max(
                explained(signal, side, part, record.valid),
                explained(signal, level, part, record.valid, record.measured),
            )
            found[name] = found.get(name, 0.0) + best / total
    return found


def unevenness(records: Sequence[Record], parts: Sequence[Array]) -> float:
    """Ratio of the residual's size in its largest tenth of blocks to that in its smallest quarter: about one for noise."""
    sizes = []
    for record, part in zip(records, parts):
        for block, use in zip(np.array_split(part, thresholds.BLOCKS), np.array_split(record.valid, thresholds.BLOCKS)):
            if use.sum() > 3:
                sizes.append(float(np.sqrt((block[use] ** 2).mean())))
    low, high = np.quantile(sizes, [0.25, 0.9]) if sizes else (1.0, 1.0)
    return float(high / max(low, 1e-300))


def noise_in(record: Record) -> float:
    """Noise of the compared force, N: white noise, and steps of its converter; infinite where a filter hides it."""
    if record.kernel is not None:
        return np.inf
    inside = None if record.censored is None else record.censored[record.compared] == 0
    return max(noise_of(record.t[record.compared], record.measured, inside), record.force_step / 12**0.5, 1e-150)


def misfit_of(records: Sequence[Record], parts: Sequence[Array]) -> Misfit:
    """Correlation of the residuals of records, and their repetition with the period of v."""
    taus = [correlation_time(part) for part in parts]
    shares, repeats = [], []
    for record, part, own in zip(records, parts, taus):
        v, use = record.v[record.compared], record.valid
        lag, times, share = period(v), 1.0, 0.0
        if lag:
            both = use[lag:] & use[:-lag]
            size = max(float(part[lag:][both] @ part[lag:][both]), 1e-300)
            alike = float(part[lag:][both] @ part[:-lag][both]) / size - 2 * np.sqrt(own / max(both.sum(), 1))
            share = min(max(alike, 0.0), 1.0)
            times = 1 + max(alike, 0.0) * (v.size / lag - 1)
        shares.append(share)
        repeats.append(times)
    sizes = [part.size for part in parts]
    tau, repeat, share = (float(np.average(of, weights=sizes)) for of in (taus, repeats, shares))
    return Misfit(tau, repeat, share)


def judged(records: Sequence[Record], parts: Sequence[Array], chance: float, floor: float) -> Misfit:
    """Misfit with its causes, judged by the noise of F."""
    left = np.concatenate([part[record.valid] for record, part in zip(records, parts)])
    force = np.concatenate([record.measured[record.valid] for record in records])
    noise = float(
        np.sqrt(np.average([noise_in(one) ** 2 for one in records], weights=[one.valid.sum() for one in records]))
    )
    found, size = misfit_of(records, parts), max(float(np.linalg.norm(force)), 1e-300)
    return replace(
        found,
        causes={**causes_of(records, parts), "period": found.share},
        chance=chance,
        noises=float(np.sqrt((left**2).mean())) / noise,
        uneven=unevenness(records, parts),
        left=float(np.linalg.norm(left)) / size,
        floor=floor / size,
    )


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
    if after.size == 0 or after.max() < thresholds.PERIODIC:
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
    beyond = np.flatnonzero(np.arange(1, sums.size + 1) > thresholds.WINDOW_OF_LAGS * np.maximum(sums, 1.0))
    last = beyond[0] if beyond.size else sums.size - 1
    return float(max(1.0, sums[last]))
