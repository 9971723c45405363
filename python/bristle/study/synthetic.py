"""Synthetic records: laws with parameters over decades, in the motions, with the noise and the encoders of real test benches."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.integrate import cumulative_trapezoid
from scipy.signal import lfilter

from .. import _bristle
from ..identification.models import MODELS
from ..identification.plan import AMPLITUDES, speed_levels, triangles

Array = NDArray[np.float64]

#: Laws of the study.
LAWS = ("StaticRegularized", "BrownMcPhee", "Dahl", "LuGre", "FrDyn2", "FrDyn2Linear")
#: Kinds of record: a speed levels, b nested triangles, c sine, e all of them one after the other; the place of one seeds its numbers.
KINDS = "abcde"
#: Sampling rate, Hz, and duration, s, of most records.
RATE, DURATION = 1000.0, 8.0
#: Causes beside v that move the level: the load by ±20 % in time, the level by ±10 % along x, and by −20 % over the record.
CAUSES = ("load", "position", "warming")
#: Steps of the truth in a sample.
FINE = 10


@dataclass(frozen=True, eq=False)
class Synthetic:
    """A record and its truth: parameters of the element, x_p (m), and what was measured."""

    law: str
    kind: str
    parameters: dict[str, float]
    F_N: float
    x_p: float
    encoder_step: float | None
    data: dict[str, Array]
    #: Friction force, velocity and position without noise; `fine` is the force at FINE times as many times.
    truth: dict[str, Array] | None = None

    def arguments(self) -> dict[str, object]:
        """Arguments of `identify` beside data and law."""
        return {"units": "SI", "F_N": self.F_N, "encoder_step": self.encoder_step}


def draw(
    seed: int,
    law: str,
    kind: str,
    noise: str = "white",
    q: float | None = None,
    rate: float = RATE,
    duration: float = DURATION,
    cause: str = "",
) -> Synthetic:
    """Record of a law: kind as in KINDS, noise "white" or "coloured", q the encoder step relative to x_p, None for a measured v.

    rate: of the samples, Hz. duration: s. cause: one of CAUSES, which the stated normal force does not show.
    """
    rng = np.random.default_rng([seed, LAWS.index(law), KINDS.index(kind)])
    normal = float(np.exp(rng.uniform(np.log(3.0), np.log(3e3))))
    mu = float(rng.uniform(0.1, 0.5))
    excess = float(np.exp(rng.uniform(np.log(0.15), np.log(1.0))))
    x_p = float(np.exp(rng.uniform(np.log(2e-6), np.log(2e-4))))
    v_fall = float(np.exp(rng.uniform(np.log(2e-3), np.log(3e-2))))
    force = mu * normal
    parameters, top = _parameters(rng, law, normal, mu, excess, x_p, v_fall)
    static = force * (1 + excess) if law != "Dahl" else force
    amplitude = float(rng.uniform(0.01, 0.03)) * static
    n = int(rate * duration)
    steps = max(FINE, round(FINE * RATE / rate))
    fine_t = np.arange(n * steps + 1) / (rate * steps)
    fine_v = _velocity(rng, kind, fine_t, x_p, v_fall, top)
    element = _bristle.Element(law, **parameters)
    fine_x = cumulative_trapezoid(fine_v, fine_t, initial=0)
    change = moved(rng, cause, fine_t / fine_t[-1], (fine_x - fine_x.min()) / np.ptp(fine_x))
    found = element.simulate(fine_t, outputs=["F_R"], interpolate=True, F_N=normal * change, v=fine_v)
    truth = {
        "t": fine_t[::steps],
        "v": fine_v[::steps],
        "x": fine_x[::steps],
        "F": found["F_R"][::steps],
        "load": normal * change[::steps] if cause == "load" else np.zeros(0),
        "fine": found["F_R"],
        "fine_v": fine_v,
    }
    data = {"t": truth["t"], "F": truth["F"] + amplitude * _noise(rng, noise, truth["t"].size, rate)}
    step = None if q is None else q * x_p
    if step is None:
        data["v"] = truth["v"]
    else:
        data["x"] = _encode(rng, truth["x"], step)
    return Synthetic(law, kind, parameters, normal, x_p, step, data, truth)


def moved(rng: np.random.Generator, cause: str, time: Array, place: Array) -> Array:
    """Factor by which a cause moves the level, over the share of the time and of the range of the position."""
    if cause == "load":
        return np.asarray(1 + 0.2 * np.sin(2 * np.pi * rng.uniform(1.3, 6.0) * time + rng.uniform(0, 6)))
    if cause == "position":
        return np.asarray(1 + 0.1 * np.sin(2 * np.pi * (rng.uniform(0.5, 2.0) * place + rng.uniform())))
    return 1 - 0.2 * time if cause == "warming" else np.ones(time.size)


def _parameters(
    rng: np.random.Generator, law: str, normal: float, mu: float, excess: float, x_p: float, v_fall: float
) -> tuple[dict[str, float], float]:
    """Parameters of an element, and the largest speed of its experiment, m/s."""

    def log(low: float, high: float) -> float:
        return float(np.exp(rng.uniform(np.log(low), np.log(high))))

    force, levels = mu * normal, {"mu_s": mu * (1 + excess), "mu_d": mu}
    viscous = log(0.01, 0.05) * force / v_fall
    if law == "Dahl":
        return {"mu_d": mu, "sigma_0": force / x_p}, 10 * v_fall
    if law == "LuGre":
        bristle = {"sigma_0": force * (1 + excess) / x_p, "sigma_1": log(0.1, 2.0) * force / v_fall}
        return {**levels, "v_Stribeck": v_fall, **bristle, "sigma_2": viscous}, 10 * v_fall
    if law == "BrownMcPhee":
        return {**levels, "v_Stribeck": v_fall, "sigma_2": viscous}, 10 * v_fall
    width = log(3.0, 30.0)
    v_s = v_fall / (1 + width) ** 0.5
    common = {**levels, "v_s": v_s, "v_d": v_s * (1 + width)}
    if law == "StaticRegularized":
        return common, 2 * v_s * (1 + width)
    static = force * (1 + excess)
    # Stable on the falling branch: sigma_1 (v_d − v_s) > 1.5 (F_s − F_d).
    least = 2.0 * excess / (1 + excess) / width
    sigma_1 = max(log(0.1, 3.0), least) * static / v_s
    bristle = {**common, "sigma_0": static / x_p, "sigma_1": sigma_1}
    return {**bristle, **({"sigma_2": viscous} if law == "FrDyn2Linear" else {})}, 2 * v_s * (1 + width)


def _velocity(rng: np.random.Generator, kind: str, t: Array, x_p: float, v_fall: float, top: float) -> Array:
    """Velocity of a kind of record over time, m/s."""
    end, rate = t[-1], 1 / (t[1] - t[0])
    if kind == "a":
        return speed_levels(np.geomspace(0.2 * v_fall, top, 6), t.size / 12 / rate, rate)
    if kind == "b":
        return triangles(AMPLITUDES * x_p, t.size / rate, rate)
    if kind == "c":
        frequency = float(np.exp(rng.uniform(np.log(0.5), np.log(5.0))))
        return np.asarray(0.5 * top * np.sin(2 * np.pi * frequency * t))
    v = np.zeros(t.size)
    parts = ((0.0, 0.375, "b"), (0.375, 0.75, "a"), (0.75, 1.0, "c"))
    for low, high, part in parts:
        here = (t >= low * end) & (t < high * end) if high < 1 else t >= low * end
        local = t[here] - t[here][0]
        v[here] = (
            0.5 * top * np.sin(2 * np.pi * local) if part == "c" else _velocity(rng, part, local, x_p, v_fall, top)
        )
    return v


def _noise(rng: np.random.Generator, kind: str, n: int, rate: float = RATE) -> Array:
    """Noise of standard deviation 1: white, or of first order with a correlation time of 5 to 30 ms."""
    if kind == "white":
        return np.asarray(rng.standard_normal(n))
    a = float(np.exp(-1 / (rate * rng.uniform(0.005, 0.03))))
    drive = rng.standard_normal(n) * (1 - a * a) ** 0.5
    return np.asarray(lfilter([1.0], [1.0, -a], drive, zi=[a * rng.standard_normal()])[0])


def _encode(rng: np.random.Generator, x: Array, step: float) -> Array:
    """Positions as an encoder of this step gives them, at a random phase."""
    phase = rng.uniform(0, step)
    return np.asarray(np.round((x + phase) / step) * step - phase)


def coordinates(synthetic: Synthetic) -> Array:
    """Vector of the truth: logarithms of the coordinates of the record's law, no direction, no delay."""
    p = synthetic.parameters
    values = {
        "excess": lambda: p["mu_s"] / p.get("mu_d", 1.0) - 1,
        "spread": lambda: p["v_d"] / p["v_s"] - 1,
        "v_d - v_s": lambda: p["v_d"] - p["v_s"],
        "share": lambda: p["v_s"] / (p["v_d"] - p["v_s"]),
    }
    names = MODELS[synthetic.law].coordinates
    found = [values[name]() if name in values else p[name] for name in names]
    return np.append(np.log(found), [0.0, 0.0])
