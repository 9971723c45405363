"""Plans of experiments: the motion that determines all parameters of a law, and the one that a fit needs next."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

import numpy as np
from scipy.integrate import cumulative_trapezoid

from .. import _bristle
from .errors import RecordError
from .intervals import believed, gradient_of_reported, root_of
from .models import Array, Flags, model_of
from .naming import percent
from .problem import Problem
from .records import Record

if TYPE_CHECKING:
    from .result import Result

#: Amplitudes of the nested triangles, relative to x_p.
AMPLITUDES = np.array([0.3, 0.6, 1.0, 2.0, 4.0, 8.0])
#: Durations of triangles, of each speed, of the sine, and of each motion among which the next experiment is chosen, s.
TRIANGLES, LEVEL, SINE, NEXT = 11.0, 0.5, 5.0, 10.0
#: Speeds of sliding, relative to the velocity at which the force falls, each both ways.
SPEEDS = np.array([0.2, 0.5, 1.2, 2.5, 5.0, 10.0])
#: Frequency of the sine, Hz, and time of a reversal, s.
FREQUENCY, REVERSAL = 1.0, 0.02
#: Frequencies of the sines, Hz, and times of the break-aways, s, among which the next experiment is chosen.
FREQUENCIES, BREAK_AWAYS = (0.5, 2.0, 8.0), (0.05, 0.5)


@dataclass(frozen=True, eq=False)
class Experiment:
    """A motion to drive a contact with: times (s), positions (m) and velocities (m/s) of shape (samples,), and what it needs.

    x_p: pre-sliding displacement F_s/sigma_0 of the guess, m. encoder_step: largest step that is good, x_p/25, m. notes: what to heed.
    before, after: half-widths of the 95 % intervals by quantity, relative to its value, of the fit and with this experiment; empty without
    a fit. unit: of x; rad for a rotational contact, with rad/s and rad in place of m/s and m.
    """

    t: Array
    x: Array
    v: Array
    x_p: float
    encoder_step: float
    notes: list[str]
    before: dict[str, float] = field(default_factory=dict)
    after: dict[str, float] = field(default_factory=dict)
    unit: str = "m"

    def save(self, path: str | os.PathLike[str], *, force: bool = False) -> None:
        """Write the motion as CSV with the columns t [s], x [m], v [m/s]. A file that exists is replaced with `force` only."""
        _bristle.refuse_existing(path, force)
        with open(path, "w", encoding="utf-8") as file:
            file.write("".join(f"# {note}\n" for note in self.notes))
            file.write(f"t [s],x [{self.unit}],v [{self.unit}/s]\n")
            np.savetxt(file, np.stack([self.t, self.x, self.v], axis=1), delimiter=",", fmt="%.9g")


def plan_experiment(
    law: str,
    guess: Mapping[str, float] | None = None,
    path: str | os.PathLike[str] | None = None,
    *,
    F_N: float,
    rate: float = 1000.0,
    force: bool = False,
) -> Experiment:
    """Plan the motion that determines a law's parameters: nested triangles, speed levels both ways, a sine; about 21 s.

    law: its name. guess: parameters known so far, as from a first fit (`result.parameters`), SI units; the law's defaults else.
    path: file for the motion, CSV; one that exists is replaced with `force` only. F_N: normal force, N. rate: sampling rate, Hz, 1000 or more.
    """
    model_of(law)
    if not (F_N > 0 and rate >= 200):
        raise RecordError(f"F_N is {F_N} N and rate {rate} Hz; a force above 0 and at least 200 Hz are needed")
    x_p, falling = scales_of(law, guess or {}, F_N)
    v = [triangles(AMPLITUDES * x_p, TRIANGLES, rate)] if x_p > 0 else []
    v += [speed_levels(SPEEDS * falling, LEVEL, rate), sine(0.5 * SPEEDS[-1] * falling, FREQUENCY, SINE, rate)]
    note = (
        f"Excitation for {law} at F_N = {F_N:g} N: triangles of 0.3 to 8 x_p, speeds of {SPEEDS[0]:g} to {SPEEDS[-1]:g} times "
        f"{falling:.3g} m/s both ways, a sine of {FREQUENCY:g} Hz."
    )
    experiment = experiment_of(np.concatenate(v), rate, x_p, note)
    if path is not None:
        experiment.save(path, force=force)
    return experiment


def next_experiment(
    result: Result, quantity: str | None, stroke: float, speed: float, force: float | None
) -> Experiment:
    """Motion within limits that shrinks an interval of a result most; as `Result.next_experiment` has it."""
    radius = result.radius or 1.0
    halves = {value.name: 0.5 * np.log(value.high / value.low) for value in result.values.values() if not value.held}
    name = quantity or max(halves, key=lambda name: halves[name], default="")
    if result.misfit.reason:
        raise RecordError(f"{result.verdict[:-1]}; an experiment shrinks intervals of a law that explains the record")
    if name not in halves:
        raise RecordError(f"{result.law} has no interval of {name!r}; these can be named: {', '.join(halves)}")
    if not min(stroke, speed, 1.0 if force is None else force) > 0:
        raise RecordError(f"stroke, speed and force are {stroke}, {speed} and {force}; numbers above 0 are needed")
    x_p, falling = scales_of(result.law, result.parameters, result.normal_force)
    rate = 1 / result.records[0].interval
    before, least = deviations(replace(result.problem, weights=None), result.theta, result.free), np.inf
    for words, v in motions(x_p, falling, stroke * radius, speed * radius, rate, result.radius).items():
        both, theta, free = with_planned(result, v, rate)
        if force is not None and np.abs(both.records[-1].F).max() * radius > force:
            continue
        ratios = dict(zip(result.values, deviations(both, theta, free) / before))
        if ratios[name] < least:
            least, best, note = ratios[name], v, words
            then = {one: float(np.sinh(min(half * ratios[one], 50.0))) for one, half in halves.items()}
    if np.isinf(least):
        limits = f"stroke = {stroke:g}, speed = {speed:g} and force = {force}"
        raise RecordError(f"no motion is within {limits}, where x_p is {x_p / radius:.3g}; raise them")
    now = {one: float(np.sinh(min(half, 50.0))) for one, half in halves.items()}
    note = f"{name} from ± {percent(now[name])} to ± {percent(then[name])}: {note}."
    return replace(experiment_of(best, rate, x_p, note, result.radius), before=now, after=then)


def deviations(problem: Problem, theta: Array, free: Flags) -> Array:
    """Standard deviations of the reported logarithms for residuals of variance 1."""
    transfer = gradient_of_reported(problem, theta, free)
    root = root_of(believed(problem, theta, free))[: transfer.shape[1]]
    return np.asarray(np.maximum(np.linalg.norm(transfer @ root, axis=1), 1e-150))


def with_planned(result: Result, v: Array, rate: float) -> tuple[Problem, Array, Flags]:
    """Problem of a result and a planned motion, m/s, with the expected force; its vector and free entries.

    The offset, the drift and the delay of the planned record are its own, and unknown.
    """
    problem, first = result.problem, result.records[0]
    t, normal = np.arange(v.size) / rate, np.full(v.size, float(np.median(first.F_N)))
    change, step = (None, 1) if first.acceleration is None else (np.gradient(v, t), first.decimation)
    planned = Record(t, v, normal, np.zeros(v.size), "the planned one", acceleration=change, decimation=step)
    planned = replace(planned, F=np.interp(t, t[planned.compared], result.simulate(planned)))
    both = replace(problem, records=[*problem.records, planned], wholes=[*problem.wholes, planned.whole], weights=None)
    return both, np.append(result.theta, 1e3 * result.delay), np.append(result.free, "delay" in problem.corrections)


def scales_of(law: str, guess: Mapping[str, float], normal_force: float) -> tuple[float, float]:
    """x_p, m, and the velocity at which the force falls, m/s, of a law with some of its parameters."""
    parameters = {name: variable.start or 0.0 for name, variable in _bristle.laws()[law].parameters.items()}
    element = _bristle.Element(law, **dict(guess))
    parameters.update({name: float(element[name]) for name in parameters if name in element.variables})
    falling = parameters.get("v_Stribeck", parameters.get("v_d", 0.01))
    level = parameters.get("mu_s", parameters.get("mu_d", 0.0))
    return float(level * normal_force / parameters.get("sigma_0", np.inf)), float(falling)


def motions(
    x_p: float, falling: float, stroke: float, speed: float, rate: float, radius: float | None
) -> dict[str, Array]:
    """Velocities, m/s, of motions of about ten seconds within a stroke, m, and a speed, m/s, by words: rotational ones with a radius, m."""
    unit, scale = ("m", 1.0) if radius is None else ("rad", 1 / radius)
    usual, wide = np.minimum(SPEEDS * falling, speed), np.geomspace(0.02 * speed, speed, len(SPEEDS))
    found = {}
    amplitudes = AMPLITUDES[2 * AMPLITUDES * x_p < stroke]
    if x_p > 0 and amplitudes.size:
        words = f"triangles of {amplitudes[0]:g} to {amplitudes[-1]:g} x_p, with rounded reversals"
        found[words] = triangles(amplitudes * x_p, NEXT, rate)
    for levels in (usual, wide):
        words = f"speeds from {scale * levels[0]:.3g} to {scale * levels[-1]:.3g} {unit}/s, both ways"
        found[words] = repeated(speed_levels(levels, LEVEL, rate, 0.9 * stroke), rate)
    for fast, frequency in [(fast, f) for fast in (usual[2], 0.5 * usual[-1], speed) for f in FREQUENCIES]:
        top = min(fast, 3.1 * frequency * stroke)
        if frequency < rate / 20:
            words = f"a sine of {frequency:g} Hz with up to {scale * top:.3g} {unit}/s"
            found[words] = sine(top, frequency, NEXT, rate)
    for ramp in BREAK_AWAYS:
        pulse = np.interp(np.arange(round(2.5 * ramp * rate)) / rate / ramp, [0.5, 1.5, 2.0], [0.0, usual[2], 0.0])
        words = f"break-aways from rest with {scale * usual[2] / ramp:.3g} {unit}/s², both ways"
        found[words] = repeated(np.concatenate([pulse, -pulse]), rate)
    distances = {words: np.cumsum(v) / rate for words, v in found.items()}
    return {words: v for words, v in found.items() if np.ptp(distances[words]) <= stroke and np.abs(v).max() <= speed}


def experiment_of(v: Array, rate: float, x_p: float, note: str, radius: float | None = None) -> Experiment:
    """Experiment of a velocity, m/s; with the radius, m, of a rotational contact in rad."""
    unit, scale = ("m", 1.0) if radius is None else ("rad", 1 / radius)
    t, v, x_p = np.arange(v.size) / rate, scale * v, scale * x_p
    x = cumulative_trapezoid(v, t, initial=0)
    notes = [note, f"Range of the position: {np.ptp(x):.3g} {unit}; largest speed {np.abs(v).max():.3g} {unit}/s."]
    if x_p > 0:
        notes.append(
            f"x_p = {x_p:.3g} {unit}: the encoder needs steps of {x_p / 25:.2g} {unit} or finer; {x_p / 10:.2g} {unit} is the coarsest to be "
            "of use."
        )
    return Experiment(t, x, v, x_p, x_p / 25, notes, unit=unit)


def triangles(amplitudes: Array, seconds: float, rate: float) -> Array:
    """Velocity of nested triangles of the position, each 0 → amplitude → −amplitude → 0, m, with rounded reversals, m/s."""
    each, t = seconds / len(amplitudes), np.arange(round(seconds * rate)) / rate
    place = np.minimum((t / each).astype(int), len(amplitudes) - 1)
    phase = t / each - place
    v = 4 * amplitudes[place] / each * np.where((phase < 0.25) | (phase >= 0.75), 1.0, -1.0)
    window = np.hanning(max(1, round(REVERSAL * rate)) + 2)[1:-1]
    return np.asarray(np.convolve(v, window / window.sum(), mode="same"))


def speed_levels(speeds: Array, each: float, rate: float, stroke: float = np.inf) -> Array:
    """Velocity over constant speeds, both ways, for a time each, s, with ramps of a tenth of it, within a stroke, m; m/s."""
    durations = np.repeat(np.minimum(each, stroke / speeds), 2)
    begins = np.cumsum(durations) - durations
    end = begins[-1] + durations[-1]
    times = np.stack([begins + 0.1 * durations, begins + 0.95 * durations], axis=1).ravel()
    levels = np.repeat(np.stack([speeds, -speeds], axis=1).ravel(), 2)
    return np.asarray(np.interp(np.arange(round(end * rate)) / rate, [0.0, *times, end], [0.0, *levels, 0.0]))


def sine(top: float, frequency: float, seconds: float, rate: float) -> Array:
    """Velocity of a sine, m/s."""
    return np.asarray(top * np.sin(2 * np.pi * frequency * np.arange(round(seconds * rate)) / rate))


def repeated(v: Array, rate: float) -> Array:
    """Motion, m/s, as often as it goes into the duration of the next experiment, at least once."""
    return np.tile(v, max(1, round(NEXT * rate / max(v.size, 1))))
