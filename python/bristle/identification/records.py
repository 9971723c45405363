"""Records: measured signals in SI units, with the velocity that an encoder allows."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.ndimage import correlate1d
from scipy.signal import butter, filtfilt

from .. import _bristle
from . import thresholds
from .errors import RecordError
from .filters import acceleration, decimated, smooth, window_of

Array = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Record:
    """A measured record in SI units: what a fit compares the law with.

    t, v, F_N, F: times (s), contact velocity (m/s), normal force (N) and friction force (N, positive for v > 0 and opposing it), each
    of shape (samples,). position: the integral of v where an encoder gave it (m), else None. encoder_step: its resolution, m. window:
    samples of the filter behind the velocity, 0 where the velocity was measured. mass: of a free body, kg. kernel: weights of the
    filter that acts on the force of a free body; the fit applies it to the simulated force as well, and leaves its length out at
    either end. source: a sentence about the file: encoding, separators, units.

    acceleration: of an axis of unknown mass, m/s²; F is then the applied force, and both are compared behind an anti-aliasing filter, at
    each `decimation`-th sample. use: samples that count. censored: 1 and −1 where the sensor is at its upper or lower limit, beside the
    noise of F there, force_noise, N. noise: of a
    measured v, standard deviation, m/s; v is then smoothed. found: sentences of the inspection. radius: friction
    radius of a rotational contact, m.
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
    acceleration: Array | None = None
    decimation: int = 1
    use: NDArray[np.bool_] | None = None
    censored: Array | None = None
    force_noise: float = 0.0
    noise: float = 0.0
    found: tuple[str, ...] = ()
    radius: float | None = None
    #: Further columns, in the units of their table: what else can move the level.
    causes: dict[str, Array] = field(default_factory=dict)
    #: The normal force is unknown: F_N is a power of ten above the force, and mu_s F_N is what a fit finds.
    nominal: bool = False
    #: Step of the converter of F, N, where it is larger than the noise.
    force_step: float = 0.0
    #: Change of F by a level that follows a further column, N, for a slope of 1.
    level: Array | None = None

    @cached_property
    def interval(self) -> float:
        """Sampling interval, s: the median."""
        return float(np.median(np.diff(self.t)))

    @property
    def whole(self) -> str:
        """Name of the record that this is a part of."""
        return self.name.split(", part ")[0]

    @property
    def is_free_body(self) -> bool:
        """Whether the friction force is an applied force less mass times acceleration."""
        return self.kernel is not None

    @property
    def valid(self) -> NDArray[np.bool_]:
        """Compared samples that a fit can use: all but the ends of a filtered force, and those that the inspection leaves out."""
        use = np.ones(self.t.size, bool) if self.use is None else self.use.copy()
        if self.kernel is not None:
            use[: self.kernel.size] = use[-self.kernel.size :] = False
        return use[self.compared]

    @property
    def compared(self) -> slice:
        """Samples at which measured and simulated force are compared."""
        return slice((self.t.size - 1) % self.decimation, None, self.decimation)

    def filtered(self, forces: Array) -> Array:
        """Pass forces, shape (…, samples), through the filter of the measured force: shape (…, compared samples)."""
        if self.decimation > 1:
            return decimated(forces, self.decimation)[..., self.compared]
        if self.kernel is None:
            return forces
        return np.asarray(correlate1d(forces, self.kernel, axis=-1, mode="nearest"))

    @property
    def measured(self) -> Array:
        """Force that a fit compares, N."""
        return self.filtered(self.F) if self.decimation > 1 else self.F

    def part(self, low: int, high: int, name: str | None = None, settle: bool = False, step: int = 1) -> Record:
        """Part of the record, each `step`-th sample from low to high.

        With `settle`, its first hundredth of travel does not count, because the bristle starts unknown.
        """
        return self.at(slice(low, high, step), name, settle)

    def at(self, places: Any, name: str | None = None, settle: bool = False) -> Record:
        """Samples of the record at a slice or at places, as `part` has them."""
        cut = {
            key: value[places]
            for key in ("t", "v", "F_N", "F", "position", "acceleration", "use", "censored", "level")
            if (value := getattr(self, key)) is not None
        }
        if settle:
            travel = np.cumsum(np.abs(cut["v"]))
            use = cut.get("use", np.ones(travel.size, bool)).copy()
            use[travel < 0.01 * travel[-1]] = False
            cut["use"] = use
        raw = {key: values[places] for key, values in self.raw.items()}
        causes = {key: values[places] for key, values in self.causes.items()}
        return replace(self, name=name or self.name, raw=raw, causes=causes, **cut)


def coarse(record: Record) -> Record:
    """Record of an axis at fewer samples, its force behind the anti-aliasing filter already; other records as they are."""
    factor = next((factor for factor in (5, 4, 3, 2) if record.decimation % factor == 0), 1)
    if record.acceleration is None or factor in (1, record.decimation):
        return record
    first = (record.t.size - 1) % factor
    smooth = replace(record, F=decimated(record.F, record.decimation))
    return replace(smooth.part(first, record.t.size, step=factor), decimation=record.decimation // factor)


def thinned(record: Record) -> Record:
    """Record with one of many samples of a long rest."""
    rest = np.abs(record.v) <= thresholds.RESTING * np.abs(record.v).max()
    deep = np.convolve(rest, np.ones(2 * thresholds.REST + 1), "same") > 2 * thresholds.REST + 0.5
    if record.kernel is not None or record.acceleration is not None or not deep.any():
        return record
    return record.at(np.flatnonzero(~deep | (np.arange(rest.size) % thresholds.REST == 0)))


def pieces(records: Sequence[Record], most: int = thresholds.MANY) -> list[Record]:
    """Records, or pieces spread over them where they have more samples than `most`."""
    total = sum(record.t.size for record in records)
    if total <= most or any(record.is_free_body or record.acceleration is not None for record in records):
        return list(records)
    found = []
    for record in records:
        length = int(record.t.size * most / total / thresholds.PIECES)
        for i in range(thresholds.PIECES):
            low = int((record.t.size - length) * i / (thresholds.PIECES - 1))
            found.append(record.part(low, low + length, settle=i > 0))
    return found


def record(
    data: Any,
    units: str | Mapping[str, str] | None = None,
    *,
    F_N: float | None = None,
    mass: float | None = None,
    encoder_step: float | None = None,
    columns: Mapping[str, str | int] | None = None,
    radius: float | None = None,
    gear_ratio: float = 1.0,
    counts_per_turn: float | None = None,
    cutoff: float = thresholds.CUTOFF,
    decimation: int = thresholds.DECIMATION,
    name: str | None = None,
) -> Record:
    """Record from arrays, a DataFrame or a file; the arguments are those of `identify`.

    Other columns of numbers are kept: a residual that follows one of them names it. F_N (N), mass (kg) and encoder_step (m) are in SI units
    unless `units` names them. columns: names, as {"F": "friction"}, or numbers of a file's columns. radius: m; angles (rad, deg/s, rpm) become
    lengths and velocities, torques (Nm) forces. gear_ratio: turns of the measured shaft in a turn of the contact. counts_per_turn: of an
    encoder whose unit is "count". cutoff, decimation: of an axis of unknown mass: the corner of the Butterworth filter of fourth order that x
    passes both ways, Hz, and the samples behind an anti-aliasing filter of which one is compared.
    """
    if not gear_ratio > 0 or (radius is not None and not radius > 0):
        raise RecordError(f"gear_ratio is {gear_ratio} and radius {radius}; numbers above 0 are needed")
    turning = None if radius is None else radius / gear_ratio
    stated = dict(units) if isinstance(units, Mapping) else {}
    counts = [signal for signal in ("x", "encoder_step") if stated.get(signal) == "count"]
    if counts and not (counts_per_turn and turning):
        raise RecordError(
            "x in counts needs counts_per_turn=… and radius=… (m); or state the length of a count as encoder_step"
        )
    stated.update(dict.fromkeys(counts, "rev"))
    given = {"F_N": F_N, "mass": mass, "encoder_step": encoder_step}
    try:
        source = _read(data, units, stated, dict(columns or {}), turning)
        constants = {
            key: value * _bristle.unit_factor(key, stated.get(key, "SI"), turning) if value is not None else None
            for key, value in given.items()
        }
    except _bristle.InputError as error:
        raise RecordError(str(error)) from None
    source = replace(source, label=name or source.label)
    for count in counts:
        if count in source.signals:
            source.signals[count] = source.signals[count] / (counts_per_turn or 1.0)
        length = constants.get(count)
        if length is not None:
            constants[count] = length / (counts_per_turn or 1.0)
    _need_finite(source)
    return replace(_assemble(source, constants, cutoff, decimation), radius=radius)


@dataclass(frozen=True)
class _Source:
    """Signals in SI units as they were read, by name, with the name of the record, its columns in words, and a sentence about the file."""

    label: str
    columns: str
    signals: dict[str, Array]
    remark: str = ""
    others: dict[str, Array] = field(default_factory=dict)

    def need(self, signal: str, otherwise: str) -> Array:
        """Signal; an error that says what to do otherwise where there is none."""
        if signal not in self.signals:
            raise RecordError(
                f"{self.label} has no {signal} among its columns {self.columns}; {otherwise}, or name a column: "
                f"columns={{{signal!r}: …}}"
            )
        return self.signals[signal]


def _read(
    data: Any,
    units: str | Mapping[str, str] | None,
    stated: Mapping[str, str],
    named: Mapping[str, str | int],
    radius: float | None,
) -> _Source:
    """Signals of a file, a DataFrame or a mapping."""
    if isinstance(data, (str, os.PathLike)):
        signals, remark, columns, others = _bristle.read_record(data, stated, named, units == "SI", radius)
        return _Source(os.path.basename(os.fspath(data)), columns, signals, remark, others)
    if hasattr(data, "keys"):
        return _of_mapping(data, stated or units, named, radius)
    kind = type(data).__name__
    raise RecordError(f"data has to be the path of a file, a DataFrame, a mapping or a Record, not {kind}")


def _need_finite(source: _Source) -> None:
    for signal, values in source.signals.items():
        if values.ndim != 1 or not np.isfinite(values).all():
            bad = int(np.flatnonzero(~np.isfinite(values.ravel()))[0]) if values.size else 0
            raise RecordError(f"{source.label}: {signal} has to be one-dimensional and finite; look at its value {bad}")


def _of_mapping(
    data: Any, units: str | Mapping[str, str] | None, named: Mapping[str, str | int], radius: float | None
) -> _Source:
    """Signals of a mapping of arrays or a DataFrame, SI units."""
    keys = list(data.keys())
    taken = set()
    stated = units if isinstance(units, Mapping) else {}
    signals: dict[str, Array] = {}
    for signal, i in _bristle.find_signals([str(key) for key in keys], stated, named):
        name, unit = _bristle.split_header(str(keys[i]))
        stated_unit = stated.get(signal) or stated.get(name) or stated.get(str(keys[i]))
        unit = stated_unit or unit or ("SI" if units == "SI" else None)
        if unit is None:
            raise RecordError(
                f"record: the unit of {signal} is not stated in `{keys[i]}`; give units={{{signal!r}: …}} or units='SI', or a header as "
                f"'{signal} [SI]'"
            )
        taken.add(keys[i])
        factor = _bristle.unit_factor(signal, unit, radius)
        try:
            signals[signal] = np.asarray(data[keys[i]], dtype=float) * factor
        except (TypeError, ValueError):
            raise RecordError(f"record: {signal} has values that are no numbers; give an array of numbers") from None
    size = signals["t"].size if "t" in signals else 0
    others = {}
    for key in keys:
        values = np.asarray(data[key])
        if key not in taken and values.shape == (size,) and values.dtype.kind in "fiu" and np.isfinite(values).all():
            others[str(key)] = values.astype(float)
    return _Source("record", ", ".join(f"`{key}`" for key in keys), signals, "", others)


def _assemble(source: _Source, constants: dict[str, float | None], cutoff: float, decimation: int) -> Record:
    """Record of signals and constants: the normal force, then velocity and friction force, or an axis of unknown mass."""
    label, signals = source.label, source.signals
    t = _times(source)
    use = None
    if "F" not in signals and "F_applied" in signals:
        source, use = _even(source)
        signals, t = source.signals, source.signals["t"]
    mass, step = constants["mass"], constants["encoder_step"]
    mass_unknown = mass is None and "F" not in signals and "F_applied" in signals
    normal, nominal = _normal_force(source, constants["F_N"])
    if mass_unknown:
        axis = _axis(source, normal, step, cutoff, decimation)
        causes = {name: values[thresholds.SETTLING :] for name, values in source.others.items()}
        return replace(axis, nominal=nominal, causes=causes, use=None if use is None else use[thresholds.SETTLING :])
    position, window = None, 0
    if "v" in signals:
        v = signals["v"]
    else:
        x = source.need("x", "give the velocity v, or the position x with encoder_step")
        position, v, window, step = _of_encoder(label, t, x, step)
    if "F" in signals:
        force, kernel = signals["F"], None
    else:
        force, kernel = _of_free_body(source, v, window, mass)
    _need_motion(label, v, force)
    encoder = step if window else None
    raw = dict(signals)
    one = Record(t, v, normal, np.asarray(force), label, position, encoder, window, mass, kernel, raw, source.remark)
    _need_possible_level(one)
    return replace(one, causes=source.others, nominal=nominal, use=use)


def _times(source: _Source) -> Array:
    """Times of the samples, s, which rise and are as many as those of every signal."""
    label = source.label
    t = source.need("t", "give the times of the samples")
    if t.size < thresholds.LEAST_SAMPLES:
        raise RecordError(f"{label} has {t.size} samples; at least {thresholds.LEAST_SAMPLES} are needed")
    lengths = {signal: values.size for signal, values in source.signals.items()}
    if len(set(lengths.values())) > 1:
        raise RecordError(f"{label}: the signals differ in length: {lengths}")
    steps, duration = np.diff(t), float(t[-1] - t[0])
    if not (steps > 0).all():
        raise RecordError(f"{label}: t[{int(np.flatnonzero(steps <= 0)[0]) + 1}] does not lie after the time before it")
    if not thresholds.SHORTEST < duration < thresholds.LONGEST:
        raise RecordError(
            f"{label} lasts {duration:.3g} s where {thresholds.SHORTEST:g} to {thresholds.LONGEST:g} s are expected; check the unit of t"
        )
    return t


def _normal_force(source: _Source, constant: float | None) -> tuple[Array, bool]:
    """Normal force, N: measured, or given as a constant; where it is unknown, the power of ten above the force, and True."""
    label, signals = source.label, source.signals
    normal = signals.get("F_N")
    nominal = normal is None and constant is None
    if normal is None:
        if constant is None:
            force = signals.get("F", signals.get("F_applied", np.zeros(1)))
            constant = float(10 ** np.ceil(np.log10(max(float(np.percentile(np.abs(force), 95)), 1e-6))))
        normal = np.full(signals["t"].size, constant)
    closed = (normal > 0).mean()
    if not closed > 0.5:
        raise RecordError(f"{label}: F_N is above 0 in {closed:.0%} of the samples; the contact has to be closed")
    return normal, nominal


def _need_possible_level(one: Record) -> None:
    """Refuse a force that no coefficient of friction gives."""
    closed = one.F_N > 0
    force, normal = float(np.percentile(np.abs(one.F[closed]), 95)), float(np.median(one.F_N[closed]))
    if force > thresholds.LARGEST_MU * normal:
        raise RecordError(
            f"{one.name}: the force of {force:.3g} N is {force / normal:.3g} times F_N = {normal:.3g} N, and a coefficient of friction is "
            f"{thresholds.LARGEST_MU:g} at most; leave F_N out where it is unknown, or correct its unit"
        )


def _of_encoder(label: str, t: Array, x: Array, step: float | None) -> tuple[Array, Array, int, float]:
    """Motion that a fit sees (m), velocity (m/s), window of the filter (samples) and step (m) of an encoder's positions."""
    if step is None:
        step = _least_difference(x)
    travel = float(np.ptp(x))
    if travel < thresholds.LEAST_ENCODER_STEPS * step:
        raise RecordError(
            f"{label}: the motion of {travel:.3g} m passes {travel / step:.0f} encoder steps of {step:.3g} m; at least "
            f"{thresholds.LEAST_ENCODER_STEPS} are needed: a finer encoder or a longer motion"
        )
    window = window_of(t, x)
    position, v = smooth(t, x, window)
    return position, v, window, step


def _of_free_body(source: _Source, v: Array, window: int, mass: float | None) -> tuple[Array, Array]:
    """Friction force of a free body, N: the applied force less mass times acceleration; and the weights of their filter."""
    label, signals = source.label, source.signals
    applied = source.need("F_applied", "give the friction force F, or F_applied with the mass of the body")
    if mass is None or not mass > 0:
        raise RecordError(f"{label} has F_applied with mass = {mass}; give the mass of the body in kg, above 0")
    t = signals["t"]
    delta = float(np.median(np.diff(t)))
    # The second derivative of a position, or the first of a measured velocity.
    signal, derivative = (signals["x"], 2) if window else (v, 1)
    length = window or window_of(t, np.cumsum(v) * delta)
    a, kernel = acceleration(signal, length, derivative, delta)
    return correlate1d(applied, kernel, mode="nearest") - mass * a, kernel


def _axis(source: _Source, normal: Array, step: float | None, cutoff: float, decimation: int) -> Record:
    """Record of an axis of unknown mass: velocity and acceleration by central differences of the filtered position."""
    label, signals, remark = source.label, source.signals, source.remark
    t, applied = signals["t"], signals["F_applied"]
    delta = float(np.median(np.diff(t)))
    if not 0 < cutoff < 0.45 / delta or not decimation >= 1 or t.size < 20 * (thresholds.SETTLING + decimation):
        raise RecordError(
            f"{label}: {t.size} samples at {1 / delta:.4g} Hz, cutoff = {cutoff:g} Hz and decimation = {decimation} were given; needed are "
            f"a corner below {0.45 / delta:.4g} Hz, a decimation from 1 on and {20 * (thresholds.SETTLING + decimation)} samples"
        )
    b, a = butter(4, 2 * cutoff * delta)
    motion = signals["x"] if "x" in signals else signals.get("v")
    if motion is None:
        raise RecordError(f"{label} has neither x nor v; give the position of the axis, or its velocity")
    smoothed = np.asarray(filtfilt(b, a, motion, padlen=3 * (len(a) - 1)))
    v = np.gradient(smoothed, delta) if "x" in signals else smoothed
    acceleration = np.gradient(v, delta)
    _need_motion(label, v, applied)
    remark = f"{remark}; " if remark else ""
    remark += (
        f"{label}: an axis of unknown mass; v and its derivative by central differences of x behind a Butterworth filter of order 4 at "
        f"{cutoff:g} Hz both ways, forces compared at every {decimation}th sample behind its anti-aliasing filter"
    )
    if "F_N" not in signals:
        remark += f"; F_N = {normal[0]:g} N"
    whole = Record(
        t, v, normal, applied, label, None, step, 0, None, None, dict(signals), remark, acceleration, decimation
    )
    return whole.part(thresholds.SETTLING, t.size)


def is_even(t: Array) -> bool:
    """Whether times lie at an even rate."""
    steps = np.diff(t)
    return bool(np.abs(steps / np.median(steps) - 1).max() < thresholds.JITTER)


def _even(source: _Source) -> tuple[_Source, NDArray[np.bool_] | None]:
    """Signals at an even rate, which the filters of a free body and of an axis need, and the samples that are next to a measured one."""
    t = source.signals["t"]
    if is_even(t):
        return source, None
    interval = float(np.median(np.diff(t)))
    count = int((t[-1] - t[0]) / interval) + 1
    if count > 20 * t.size:
        raise RecordError(
            f"{source.label}: the times leave {count - t.size} of {count} samples out, and a body's acceleration needs an even rate; give "
            "the record between its gaps"
        )
    even = t[0] + interval * np.arange(count)
    steps = np.append(np.diff(t), interval)
    use = steps[np.searchsorted(t, even, "right") - 1] < thresholds.GAP * interval
    signals = {name: np.interp(even, t, values) for name, values in source.signals.items()}
    others = {name: np.interp(even, t, values) for name, values in source.others.items()}
    return replace(source, signals={**signals, "t": even}, others=others), use


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
