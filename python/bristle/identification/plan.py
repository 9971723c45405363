"""Plan of an experiment that determines all parameters of a law."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from .. import _bristle
from .errors import RecordError
from .models import Array, model_of

#: Amplitudes of the nested triangles, relative to x_p.
AMPLITUDES = (0.3, 0.6, 1.0, 2.0, 4.0, 8.0)
#: Durations of triangles, of each speed, and of the sine, s.
TRIANGLES, LEVEL, SINE = 11.0, 0.4, 5.0
#: Speeds of sliding, relative to the velocity at which the force falls, each both ways.
SPEEDS = (0.2, 0.5, 1.2, 2.5, 5.0, 10.0)
#: Frequency of the sine, Hz, and time of a reversal, s.
FREQUENCY, REVERSAL = 1.0, 0.025


@dataclass(frozen=True, eq=False)
class Experiment:
    """A motion to drive a contact with: times (s), positions (m) and velocities (m/s) of shape (samples,), and what it needs.

    x_p: pre-sliding displacement F_s/sigma_0 of the guess, m. encoder_step: largest step that is good, x_p/25, m. notes: what to heed.
    """

    t: Array
    x: Array
    v: Array
    x_p: float
    encoder_step: float
    notes: list[str]

    def save(self, path: str | os.PathLike[str], *, force: bool = False) -> None:
        """Write the motion as CSV with the columns t [s], x [m], v [m/s]. A file that exists is replaced with `force` only."""
        _bristle.refuse_existing(path, force)
        with open(path, "w", encoding="utf-8") as file:
            file.write("".join(f"# {note}\n" for note in self.notes))
            file.write("t [s],x [m],v [m/s]\n")
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
        raise RecordError(
            f"F_N = {F_N} N and rate = {rate} Hz were given where a force above 0 and at least 200 Hz are needed"
        )
    parameters = {name: variable.start or 0.0 for name, variable in _bristle.laws()[law].parameters.items()}
    element = _bristle.Element(law, **dict(guess or {}))
    parameters.update({name: float(element[name]) for name in parameters if name in element.variables})
    falling = parameters.get("v_Stribeck", parameters.get("v_d", 0.01))
    x_p = parameters.get("mu_s", parameters.get("mu_d", 0.0)) * F_N / parameters.get("sigma_0", np.inf)
    velocities = []
    n = round(TRIANGLES / len(AMPLITUDES) * rate)
    if x_p > 0:
        velocities += [triangle(amplitude * x_p, n, rate) for amplitude in AMPLITUDES]
    levels = np.concatenate([[speed * falling, -speed * falling] for speed in SPEEDS])
    velocities.append(speed_levels(levels, rate))
    seconds = np.arange(round(SINE * rate)) / rate
    velocities.append(0.5 * SPEEDS[-1] * falling * np.sin(2 * np.pi * FREQUENCY * seconds))
    v = np.concatenate(velocities)
    t = np.arange(v.size) / rate
    x = np.concatenate([[0.0], np.cumsum(0.5 * (v[1:] + v[:-1]) / rate)])
    notes = [
        f"Excitation for {law} at F_N = {F_N:g} N: triangles of 0.3 to 8 x_p, speeds of {SPEEDS[0]:g} to {SPEEDS[-1]:g} times "
        f"{falling:.3g} m/s both ways, a sine of {FREQUENCY:g} Hz.",
        f"Range of the position: {np.ptp(x):.3g} m; largest speed {np.abs(v).max():.3g} m/s.",
    ]
    if x_p > 0:
        notes.append(
            f"x_p = {x_p:.3g} m: the encoder needs steps of {x_p / 25:.2g} m or finer; {x_p / 10:.2g} m is the coarsest to be of use."
        )
    experiment = Experiment(t, x, v, float(x_p), float(x_p / 25), notes)
    if path is not None:
        experiment.save(path, force=force)
    return experiment


def triangle(amplitude: float, samples: int, rate: float) -> Array:
    """Velocity of one triangle of the position, 0 → amplitude → −amplitude → 0, with rounded reversals, m/s."""
    speed = 4 * amplitude * rate / samples
    phase = np.arange(samples) / samples
    v = np.where((phase < 0.25) | (phase >= 0.75), speed, -speed)
    window = np.hanning(round(REVERSAL * rate) + 2)[1:-1]
    padded = np.concatenate([np.zeros(window.size), v, np.zeros(window.size)])
    return np.asarray(np.convolve(padded, window / window.sum(), mode="same")[window.size : -window.size])


def speed_levels(levels: Array, rate: float) -> Array:
    """Velocity over constant levels with ramps between them, m/s."""
    each = LEVEL + 4 * REVERSAL
    times, values = [0.0], [0.0]
    for i, level in enumerate(levels):
        times += [i * each + 4 * REVERSAL, (i + 1) * each]
        values += [float(level), float(level)]
    end = len(levels) * each + 4 * REVERSAL
    return np.asarray(np.interp(np.arange(round(end * rate)) / rate, [*times, end], [*values, 0.0]))
