"""Filters of measured signals: velocities and accelerations of positions, and what a decimation needs."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy.integrate import cumulative_trapezoid
from scipy.ndimage import correlate1d, uniform_filter1d
from scipy.signal import cheby1, filtfilt, savgol_coeffs, savgol_filter

from .thresholds import JITTER, ORDER, OUTLYING, WINDOW, WINDOWS

Array = NDArray[np.float64]
#: Samples of which windows are laid out at once: they bound the memory.
CHUNK = 50_000


def decimated(signal: Array, factor: int) -> Array:
    """Signal behind the anti-aliasing filter of a decimation: Chebyshev of order 8, 0.05 dB, applied both ways."""
    b, a = cheby1(8, 0.05, 0.8 / factor)
    return np.asarray(filtfilt(b, a, signal, axis=-1, padtype="odd", padlen=3 * (len(a) - 1)))


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
    """Velocity (m/s) of positions by Savitzky and Golay, and its integral, the motion that a fit sees (m): first the latter."""
    v = slopes(t, x, window)[1]
    return x[0] + cumulative_trapezoid(v, t, initial=0), v


def slopes(t: Array, x: Array, window: int) -> tuple[Array, Array]:
    """Values and slopes of local polynomials: the filter of Savitzky and Golay, which takes even and uneven times."""
    steps = np.diff(t)
    step = float(np.median(steps))
    if np.abs(steps / step - 1).max() < JITTER:
        return (
            np.asarray(savgol_filter(x, window, ORDER)),
            np.asarray(savgol_filter(x, window, ORDER, deriv=1, delta=step)),
        )
    found = np.empty((2, t.size))
    for low in range(0, t.size, CHUNK):
        at = np.arange(low, min(low + CHUNK, t.size))
        index = np.clip(at - window // 2, 0, t.size - window)[:, None] + np.arange(window)
        s = (t[index] - t[at][:, None]) / (window * step)
        # Samples behind a gap count only where there are no others.
        weights = np.where(np.abs(s) < 1, 1.0, 1e-6)
        powers = np.stack([weights * s**k for k in range(2 * ORDER + 1)]).sum(axis=2)
        matrix = np.stack([[powers[i + k] for k in range(ORDER + 1)] for i in range(ORDER + 1)]).transpose(2, 0, 1)
        right = np.stack([(weights * s**k * x[index]).sum(axis=1) for k in range(ORDER + 1)], axis=1)
        matrix = matrix + 1e-12 * np.eye(ORDER + 1)
        value, slope, *_ = np.linalg.solve(matrix, right[..., None])[..., 0].T
        found[:, at] = value, slope / (window * step)
    return found[0], found[1]


def window_of(t: Array, x: Array) -> int:
    """Window for a velocity, samples: 11 ms, less where the motion reverses within less than twice that."""
    step = float(np.median(np.diff(t)))
    window = min(max(WINDOWS[0], round(WINDOW / step) | 1), (t.size // 4) | 1)
    rate = savgol_filter(x, window, ORDER, deriv=1)
    moving = np.flatnonzero(np.abs(rate) > 0.02 * np.abs(rate).max())
    turns = moving[1:][np.diff(np.sign(rate[moving])) != 0]
    if turns.size > 1:
        window = min(window, max(WINDOWS[0], int(np.diff(turns).min()) // 2 | 1))
    return window


def denoised(t: Array, signal: Array, noise: float) -> Array:
    """Signal without white noise of a known standard deviation: each sample by the widest window that removes noise alone around it."""
    found, narrow = signal.copy(), np.ones(signal.size, bool)
    for window in WINDOWS:
        if window * 4 > signal.size:
            break
        own = float(savgol_coeffs(window, ORDER)[window // 2])
        smoothed = slopes(t, signal, window)[0]
        power = uniform_filter1d((signal - smoothed) ** 2, window) / (noise**2 * (1 - own))
        narrow &= power < 1 + OUTLYING * (2 / window) ** 0.5
        found[narrow] = smoothed[narrow]
    return found


def deviation(sizes: Array) -> float:
    """Standard deviation of normal noise from the sizes of its values, by their median."""
    return 1.4826 * float(np.median(sizes))


def noise_of(t: Array, signal: Array, use: NDArray[np.bool_] | None = None) -> float:
    """Standard deviation of white noise on a smooth signal, from its fourth differences between samples that all are of use."""
    if t.size < 5:
        return 0.0
    t, signal, use = t[:CHUNK], signal[:CHUNK], None if use is None else use[:CHUNK]
    # Divided differences, which are those of a polynomial at uneven times; divided by the norm of their weights.
    times = np.stack([t[k : t.size - 4 + k] for k in range(5)])
    products = np.stack([np.prod([times[k] - times[j] for j in range(5) if j != k], axis=0) for k in range(5)])
    weights = 1 / products
    weights /= np.linalg.norm(weights, axis=0)
    differences = np.abs(sum(weights[k] * signal[k : t.size - 4 + k] for k in range(5)))
    if use is not None:
        differences = differences[np.convolve(use, np.ones(5), "valid") > 4.5]
    return deviation(differences) if differences.size else 0.0
