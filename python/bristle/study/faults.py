"""Faults of a bench on synthetic records: what ordinary sensors, clocks and cables add."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from .synthetic import Array, Synthetic

Data = dict[str, Array]


def _log(rng: np.random.Generator, low: float, high: float) -> float:
    return float(np.exp(rng.uniform(np.log(low), np.log(high))))


def noise_of_v(data: Data, rng: np.random.Generator) -> None:
    """White noise of v, 1e-4 to 1e-2 of its range."""
    data["v"] = data["v"] + _log(rng, 1e-4, 1e-2) * float(np.ptp(data["v"])) * rng.standard_normal(data["v"].size)


def delay(data: Data, rng: np.random.Generator) -> None:
    """Force behind the velocity by 0 to 5 ms."""
    late, fine = rng.uniform(0.0, 5e-3), np.linspace(data["t"][0], data["t"][-1], data["fine"].size)
    data["F"] = data["F"] + np.interp(data["t"] - late, fine, data["fine"]) - np.interp(data["t"], fine, data["fine"])


def offset_and_drift(data: Data, rng: np.random.Generator) -> None:
    """Offset and drift of the force, each up to a fifth of its size."""
    size = float(np.percentile(np.abs(data["F"]), 95))
    share = data["t"] / data["t"][-1]
    data["F"] = data["F"] + size * (rng.uniform(-0.2, 0.2) + rng.uniform(-0.2, 0.2) * share)


def spikes(data: Data, rng: np.random.Generator) -> None:
    """Five spikes of the force, two to twenty times its size."""
    size = float(np.percentile(np.abs(data["F"]), 95))
    places = rng.integers(10, data["F"].size - 10, 5)
    data["F"] = data["F"].copy()
    data["F"][places] += size * rng.choice([-1, 1], 5) * rng.uniform(2, 20, 5)


def clipping(data: Data, rng: np.random.Generator) -> None:
    """Sensor whose range ends at 0.6 to 0.95 of the largest force."""
    end = rng.uniform(0.6, 0.95) * float(np.percentile(np.abs(data["F"]), 99.5))
    data["F"] = np.clip(data["F"], -end, end)


def force_converter(data: Data, rng: np.random.Generator) -> None:
    """Force in steps of 2 to 10 % of its size."""
    step = _log(rng, 0.02, 0.1) * float(np.percentile(np.abs(data["F"]), 99.5))
    data["F"] = np.round(data["F"] / step) * step


def lost_samples(data: Data, rng: np.random.Generator) -> None:
    """Every twentieth sample lost, by chance, and times that are uneven by up to 40 % of the interval."""
    n, fine = data["t"].size, data["fine"].size
    steps = (fine - 1) // (n - 1)
    places = steps * np.arange(n)
    places[1:-1] += rng.integers(-int(0.4 * steps), int(0.4 * steps) + 1, n - 2)
    use = rng.uniform(size=n) > 0.05
    times = np.linspace(data["t"][0], data["t"][-1], fine)
    noise = data["F"] - data["fine"][::steps]
    data["t"], data["v"], data["F"] = (
        s[use] for s in (times[places], data["fine_v"][places], data["fine"][places] + noise)
    )


def all_but_clipping(data: Data, rng: np.random.Generator) -> None:
    """Delay, offset and drift, spikes and noise of v at once."""
    for fault in (delay, offset_and_drift, spikes, noise_of_v):
        fault(data, rng)


EVERY = (noise_of_v, delay, offset_and_drift, spikes, clipping, force_converter, lost_samples, all_but_clipping)
#: Faults by name.
FAULTS: dict[str, Callable[[Data, np.random.Generator], None]] = {
    fault.__name__.replace("_", " "): fault for fault in EVERY
}


def spoil(synthetic: Synthetic, fault: str, seed: int) -> Synthetic:
    """Record with a fault."""
    truth = synthetic.truth or {}
    data = {**synthetic.data, "fine": truth["fine"], "fine_v": truth["fine_v"]}
    FAULTS[fault](data, np.random.default_rng([seed, list(FAULTS).index(fault)]))
    return replace(synthetic, data={name: signal for name, signal in data.items() if not name.startswith("fine")})
