"""Records: measured signals in SI units, with the velocity that an encoder allows."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.ndimage import correlate1d
from scipy.signal import savgol_coeffs, savgol_filter

from .. import _bristle
from .errors import RecordError

Array = NDArray[np.float64]

#: Length of the Savitzky–Golay window that makes a velocity of encoder positions, s: best up to steps of x_p/5.
WINDOW = 0.011
#: Order of its polynomial.
ORDER = 2
#: Smallest window, samples.
LEAST_WINDOW = 5
#: Fewest samples of a record.
LEAST_SAMPLES = 50
#: Fewest encoder steps that a motion has to pass.
LEAST_ENCODER_STEPS = 20
#: Signals of a record.
SIGNALS = ("t", "v", "x", "F_N", "F", "F_applied")
#: Largest deviation of a sampling interval from their median, for signals that are filtered.
JITTER = 0.02


@dataclass(frozen=True, eq=False)
class Record:
    """A measured record in SI units: what a fit compares the law with.

    t, v, F_N, F: times (s), contact velocity (m/s), normal force (N) and friction force (N, positive for v > 0 and opposing it), each
    of shape (samples,). position: the integral of v where an encoder gave it (m), else None. encoder_step: its resolution, m. window:
    samples of the filter behind the velocity, 0 where the velocity was measured. mass: of a free body, kg. kernel: weights of the
    filter that acts on the force of a free body; the fit applies it to the simulated force as well, and leaves its length out at
    either end. source: a sentence about the file: encoding, separators, units.
    """

    t: Array
    v: Array
    F_N: Array
    F: Array
    name: str = "record"
    position: Array | None = None
    encoder_step: float | None = None
    window: int = 0
    mass: float | None = None
    kernel: Array | None = None
    raw: dict[str, Array] = field(default_factory=dict)
    source: str = ""

    @property
    def interval(self) -> float:
        """Sampling interval, s: the median."""
        return float(np.median(np.diff(self.t)))

    @property
    def is_free_body(self) -> bool:
        """Whether the friction force is an applied force less mass times acceleration."""
        return self.kernel is not None

    @property
    def valid(self) -> NDArray[np.bool_]:
        """Samples that a fit can use: all but the ends of a filtered force."""
        use = np.ones(self.t.size, bool)
        if self.kernel is not None:
            use[: self.kernel.size] = use[-self.kernel.size :] = False
        return use

    def filtered(self, forces: Array) -> Array:
        """Pass forces, shape (…, samples), through the filter of the measured force."""
        if self.kernel is None:
            return forces
        return np.asarray(correlate1d(forces, self.kernel, axis=-1, mode="nearest"))


def acceleration(signal: Array, window: int, derivative: int, step: float) -> tuple[Array, Array]:
    """Acceleration (m/s²) as the filtered derivative of order 1 of a velocity or 2 of a position, and the weights by which it averages.

    The filter gives a weighted mean of the true acceleration. A force that is compared with it has to pass the same weights: those of
    the derivative, summed up once or twice, by the trapezoidal rule.
    """
    weights = savgol_coeffs(window, ORDER, deriv=derivative, delta=step, use="dot")
    found = correlate1d(signal, weights, mode="nearest")
    for _ in range(derivative):
        summed = -np.cumsum(weights)[:-1] * step
        weights = 0.5 * (np.append(summed, 0.0) + np.append(0.0, summed))
    return np.asarray(found), np.asarray(weights)


def smooth(t: Array, x: Array, window: int) -> tuple[Array, Array]:
    """Velocity (m/s) of positions by Savitzky and Golay, evenly sampled, and its integral, the motion that a fit sees (m): first the latter."""
    step = float(np.median(np.diff(t)))
    v = np.asarray(savgol_filter(x, window, ORDER, deriv=1, delta=step))
    return x[0] + np.concatenate([[0.0], np.cumsum(0.5 * (v[1:] + v[:-1]) * np.diff(t))]), v


def window_of(t: Array, x: Array) -> int:
    """Window for a velocity, samples: 11 ms, less where the motion reverses within less than twice that."""
    step = float(np.median(np.diff(t)))
    window = max(LEAST_WINDOW, round(WINDOW / step) | 1)
    reversal = shortest_reversal(x, window)
    if reversal is not None:
        window = min(window, max(LEAST_WINDOW, (reversal // 2) | 1))
    return window


def shortest_reversal(x: Array, window: int) -> int | None:
    """Samples between the nearest two reversals of a motion, or None without two."""
    span = float(np.ptp(x))
    if span == 0.0 or x.size <= window:
        return None
    rate = savgol_filter(x, window, ORDER, deriv=1)
    rate = np.where(np.abs(rate) < 0.02 * np.abs(rate).max(), 0.0, rate)
    moving = np.flatnonzero(rate)
    if moving.size == 0:
        return None
    signs = np.sign(rate[moving])
    turns = moving[1:][signs[1:] != signs[:-1]]
    return int(np.diff(turns).min()) if turns.size > 1 else None


def record(
    data: Any,
    units: str | Mapping[str, str] | None = None,
    *,
    F_N: float | None = None,
    mass: float | None = None,
    encoder_step: float | None = None,
    columns: Mapping[str, str | int] | None = None,
    radius: float | None = None,
    name: str | None = None,
) -> Record:
    """Record from arrays, a DataFrame or a file.

    data: a mapping of names to arrays of shape (samples,), a pandas.DataFrame, or the path of a table as text with a header. Signals:
    t; v, or x with `encoder_step`; F_N, unless it is constant and given here; F, or F_applied with `mass` for a body that only
    friction and an applied force move. Other columns are ignored.
    units: "SI", or a unit for each signal, as {"t": "s", "v": "mm/s", "F": "N"}; headers may have them, "v [mm/s]". F_N (N),
    mass (kg) and encoder_step (m) are in SI units unless `units` names them.
    columns: names of the columns by signal where they are called otherwise, as {"F": "friction"}; those of a file also by number, from 1.
    radius: friction radius of a rotational contact, m: angles (rad, deg/s, rpm) become lengths and velocities, torques (Nm) forces.
    """
    stated = dict(units) if isinstance(units, Mapping) else {}
    named = dict(columns or {})
    source = ""
    try:
        if isinstance(data, (str, os.PathLike)):
            label = os.path.basename(os.fspath(data))
            signals, source = _bristle.read_record(data, stated, named, units == "SI", radius)
        elif hasattr(data, "keys"):
            label, signals = "record", _of_mapping(data, units, named, radius)
        else:
            kind = type(data).__name__
            raise RecordError(
                f"data has to be the path of a file, a DataFrame, a mapping of arrays or a Record, not {kind}"
            )
        given = {"F_N": F_N, "mass": mass, "encoder_step": encoder_step}
        constants = {
            key: value * _bristle.unit_factor(key, stated.get(key, "SI"), radius) if value is not None else None
            for key, value in given.items()
        }
    except _bristle.InputError as error:
        raise RecordError(str(error)) from None
    label = name or label
    for signal, values in signals.items():
        if values.ndim != 1 or not np.isfinite(values).all():
            bad = int(np.flatnonzero(~np.isfinite(values.ravel()))[0]) if values.size else 0
            raise RecordError(f"{label}: {signal} has to be one-dimensional and finite; look at its value {bad}")
    return _assemble(label, signals, constants, source)


def _of_mapping(
    data: Any, units: str | Mapping[str, str] | None, named: Mapping[str, str | int], radius: float | None
) -> dict[str, Array]:
    """Signals of a mapping of arrays or a DataFrame, SI units."""
    found: dict[str | int, tuple[Any, str | None]] = {}
    for key in data.keys():  # noqa: SIM118 (a DataFrame iterates otherwise)
        name, unit = _bristle.split_header(str(key))
        found[str(key)] = found[name] = (key, unit)
    signals: dict[str, Array] = {}
    for signal in SIGNALS:
        column = named.get(signal, signal)
        if column not in found:
            if signal in named:
                raise RecordError(f"record: no column {column!r} for {signal} among {', '.join(map(str, found))}")
            continue
        key, unit = found[column]
        if isinstance(units, Mapping):
            unit = units.get(signal) or units.get(str(column)) or unit
        unit = unit or ("SI" if units == "SI" else None)
        if unit is None:
            raise RecordError(
                f"record: the unit of {signal} is not stated; give units={{{signal!r}: …}} or units='SI', or a header as '{signal} [SI]'"
            )
        signals[signal] = np.asarray(data[key], dtype=float) * _bristle.unit_factor(signal, unit, radius)
    return signals


def _assemble(label: str, signals: dict[str, Array], constants: dict[str, float | None], remark: str) -> Record:
    def need(what: str, otherwise: str) -> Array:
        if what not in signals:
            raise RecordError(f"{label} has no {what}; {otherwise}")
        return signals[what]

    t = need("t", "give the times of the samples")
    if t.size < LEAST_SAMPLES:
        raise RecordError(f"{label} has {t.size} samples; at least {LEAST_SAMPLES} are needed")
    lengths = {signal: values.size for signal, values in signals.items()}
    if len(set(lengths.values())) > 1:
        raise RecordError(f"{label}: the signals differ in length: {lengths}")
    steps = np.diff(t)
    if not (steps > 0).all():
        raise RecordError(f"{label}: t[{int(np.flatnonzero(steps <= 0)[0]) + 1}] does not lie after the time before it")
    mass, constant = constants["mass"], constants["F_N"]
    normal = signals.get("F_N")
    if normal is None:
        if constant is None:
            raise RecordError(f"{label} has no F_N; give a column, or F_N=… where the normal force is constant")
        normal = np.full(t.size, constant)
    if not (normal > 0).mean() > 0.5:
        raise RecordError(
            f"{label}: F_N is above 0 in {(normal > 0).mean():.0%} of the samples; the contact has to be closed"
        )
    raw = dict(signals)
    step = constants["encoder_step"]
    position, window = None, 0
    if "v" in signals:
        v = signals["v"]
    else:
        x = need("x", "give the velocity v, or the position x with encoder_step")
        _need_even(label, steps)
        if step is None:
            step = _least_difference(x)
        travel = float(np.ptp(x))
        if travel < LEAST_ENCODER_STEPS * step:
            raise RecordError(
                f"{label}: the motion of {travel:.3g} m passes {travel / step:.0f} encoder steps of {step:.3g} m; at least "
                f"{LEAST_ENCODER_STEPS} are needed: a finer encoder or a longer motion"
            )
        window = window_of(t, x)
        position, v = smooth(t, x, window)
    force, kernel = signals.get("F"), None
    if force is None:
        applied = need("F_applied", "give the friction force F, or F_applied with the mass of the body")
        if mass is None or not mass > 0:
            raise RecordError(f"{label} has F_applied without the mass of the body; give mass=… (kg)")
        _need_even(label, steps)
        delta = float(np.median(steps))
        length = window or window_of(t, np.cumsum(v) * delta)
        source, derivative = (v, 1) if position is None else (signals["x"], 2)
        a, kernel = acceleration(source, length, derivative, delta)
        force = correlate1d(applied, kernel, mode="nearest") - mass * a
    _need_motion(label, v, force)
    encoder = step if window else None
    return Record(t, v, normal, np.asarray(force), label, position, encoder, window, mass, kernel, raw, remark)


def _need_even(label: str, steps: Array) -> None:
    jitter = float(np.abs(steps / np.median(steps) - 1).max())
    if jitter > JITTER:
        raise RecordError(
            f"{label}: the sampling interval varies by {jitter:.0%}; positions are filtered at an even rate only (up to {JITTER:.0%}): "
            "resample them, or give v"
        )


def _least_difference(x: Array) -> float:
    """Step of the encoder, as the smallest difference of two positions."""
    differences = np.diff(np.unique(x))
    return float(differences[differences > 1e-9 * np.ptp(x)].min()) if np.ptp(x) > 0 else 0.0


def _need_motion(label: str, v: Array, force: Array) -> None:
    if not np.abs(v).max() > 0:
        raise RecordError(f"{label}: v is 0 throughout; friction shows in motion only")
    size, noise = float(np.percentile(np.abs(force), 95)), float(np.median(np.abs(np.diff(force)))) / 0.954
    if not size > 2 * noise:
        raise RecordError(
            f"{label}: the force (95 % below {size:.3g} N) does not rise above its noise ({noise:.3g} N); raise the normal force or "
            "average"
        )
