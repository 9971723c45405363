"""Tables as loggers and people leave them: random faults, alone and together, in a random record."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from bristle.study.synthetic import Array

Data = dict[str, Array]
Rng = np.random.Generator


def keep(data: Data, use: Array) -> None:
    """Keep some rows."""
    for name in data:
        data[name] = data[name][use]


def record(rng: Rng) -> Data:
    """Static friction with a little noise along a random motion; between 60 and 1500 samples."""
    n = int(rng.integers(60, 1500))
    t = np.arange(n) * 10 ** rng.uniform(-4, -1)
    size, level = 10 ** rng.uniform(-4, 1), 10 ** rng.uniform(-3, 4)
    turns = rng.uniform(0.5, 8)
    phase = 2 * np.pi * turns * t / t[-1]
    v = size * np.sin(phase) if rng.uniform() < 0.7 else size * (1 + rng.uniform(-0.5, 2) * np.sin(phase))
    x = np.concatenate([[0.0], np.cumsum(0.5 * (v[1:] + v[:-1]) * np.diff(t))])
    force = level * (np.tanh(v / (0.02 * size)) + 0.1 * v / size)
    return {"t": t, "v": v, "x": x, "F": force + 0.02 * level * rng.standard_normal(n)}


def lost(data: Data, rng: Rng) -> None:
    """Lose a random share of the rows."""
    keep(data, rng.uniform(size=data["t"].size) > rng.choice([0.01, 0.05, 0.3]))


def seventh(data: Data, rng: Rng) -> None:
    """Lose every seventh row."""
    keep(data, np.arange(data["t"].size) % 7 != 3)


def block(data: Data, rng: Rng) -> None:
    """Lose a block of rows."""
    n = data["t"].size
    low = int(rng.integers(0, n // 2))
    keep(data, (np.arange(n) < low) | (np.arange(n) > low + n // 3))


def jitter(data: Data, rng: Rng) -> None:
    """Shift the times by up to 40 % of the interval."""
    data["t"] = data["t"] + 0.4 * np.median(np.diff(data["t"])) * rng.uniform(-1, 1, data["t"].size)


def twice(data: Data, rng: Rng) -> None:
    """Repeat a row."""
    place = int(rng.integers(1, data["t"].size))
    for name in data:
        data[name] = np.insert(data[name], place, data[name][place])


def not_numbers(data: Data, rng: Rng) -> None:
    """Put values into a signal that are no numbers."""
    name = str(rng.choice(list(data)))
    data[name] = data[name].copy()
    data[name][rng.integers(0, data[name].size, 3)] = rng.choice([np.nan, np.inf, -np.inf])


def scaled(data: Data, rng: Rng) -> None:
    """Multiply a signal by a power of ten, or by −1, 0 or something tiny."""
    name = str(rng.choice(list(data)))
    data[name] = data[name] * rng.choice([1e-9, 1e-6, 1e-3, 1e3, 1e6, 1e9, -1.0, 0.0, 1e-300])


def constant(data: Data, rng: Rng) -> None:
    """Hold a signal other than the time."""
    name = str(rng.choice([name for name in data if name != "t"]))
    data[name] = np.full(data[name].size, data[name][0] + rng.choice([0.0, 1.0]))


def stepped(data: Data, rng: Rng) -> None:
    """Round a signal to a few steps of its range."""
    name = str(rng.choice([name for name in data if name != "t"]))
    step = float(np.ptp(data[name])) / rng.choice([2, 5, 30])
    data[name] = np.round(data[name] / step) * step if step > 0 else data[name]


def swapped(data: Data, rng: Rng) -> None:
    """Exchange velocity and force."""
    if "v" in data:
        data["v"], data["F"] = data["F"], data["v"]


def spiked(data: Data, rng: Rng) -> None:
    """Put huge values into the force."""
    data["F"] = data["F"].copy()
    data["F"][rng.integers(0, data["F"].size, 5)] *= 1e4


def short(data: Data, rng: Rng) -> None:
    """Keep the first rows alone."""
    keep(data, np.arange(data["t"].size) < rng.integers(5, 70))


def late(data: Data, rng: Rng) -> None:
    """Begin at a large time."""
    data["t"] = data["t"] + 10 ** rng.uniform(3, 10)


def resting(data: Data, rng: Rng) -> None:
    """Rest for most of the record."""
    still = np.arange(data["t"].size) > rng.uniform(0.02, 0.5) * data["t"].size
    for name in {"v", "F"} & set(data):
        data[name] = np.where(still, 0.0, data[name])


#: Faults of a table.
FAULTS: tuple[Callable[[Data, Rng], None], ...] = (
    lost,
    seventh,
    block,
    jitter,
    twice,
    not_numbers,
    scaled,
    constant,
    stepped,
    swapped,
    spiked,
    short,
    late,
    resting,
)


def messy(seed: int) -> tuple[Data, dict[str, Any]]:
    """Table with up to three faults, and arguments of `identify` that a person could give."""
    rng = np.random.default_rng([74, seed])
    data = record(rng)
    kind = rng.choice(["v", "x", "x and v", "body"], p=[0.45, 0.3, 0.15, 0.1])
    data = {name: values for name, values in data.items() if name in {"t", "F"} or name in kind or kind == "body"}
    arguments: dict[str, Any] = {"units": "SI"}
    for place in rng.permutation(len(FAULTS))[: rng.integers(0, 4)]:
        FAULTS[place](data, rng)
    if kind == "body":
        data["F_applied"] = data.pop("F")
        data.pop(str(rng.choice(["x", "v"])), None)
        if rng.uniform() < 0.5:
            arguments["mass"] = float(10 ** rng.uniform(-2, 3))
    if rng.uniform() < 0.7:
        arguments["F_N"] = (
            float(10 ** rng.uniform(-2, 6)) if rng.uniform() < 0.8 else float(rng.choice([0.0, -1.0, 1.0]))
        )
    if rng.uniform() < 0.2:
        arguments["radius"] = 0.05
        data = {
            {"v": "v [rad/s]", "x": "x [rad]", "F": "F [Nm]"}.get(name, name): values for name, values in data.items()
        }
        arguments["units"] = {"t": "s", **({"F_N": "N"} if "F_N" in data else {})}
        if "F_applied" in data:
            arguments["units"]["F_applied"] = "Nm"
    return data, arguments
