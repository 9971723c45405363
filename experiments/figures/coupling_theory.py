"""Stability of the body observer: spectral radii, and the tables and figure of docs/internals/coupling-theory.md.

A body of mass m sticks to a rigid contact, on a grounded spring c or without one, under a master that holds the force P. All
lengths of time are in units of H, forces in units that make m = 1.
"""

import numpy as np

from figure import Axis, axes, legend, plt, prepare, save
from styles import DASHED, DOTTED, LIMIT, SERIES

SERIAL = {"theta": 1.0, "kappa": 0.1, "beta": 1.0, "rate": 0.5}
PARALLEL = {"theta": 0.5, "kappa": 0.05, "beta": 0.5, "rate": 0.5}
STABLE = 1 + 1e-9


def motion(stiffness):
    """Transition of (x, v) over a step, and its response to a held force, for a stiffness c H²/m."""
    omega = np.sqrt(stiffness)
    if omega == 0:
        return np.array([[1.0, 1.0], [0.0, 1.0]]), np.array([-0.5, -1.0])
    c, s = np.cos(omega), np.sin(omega)
    return np.array([[c, s / omega], [-omega * s, c]]), np.array([-(1 - c) / stiffness, -s / omega])


def step_matrix(ratio, stiffness, gains, parallel):
    """Linear map of one communication step, for an assumed mass of `ratio` times the true one.

    State: x, v of the body, v of the step before, the lag x - x_s, the smoothed load S, S of the step before, the forces P of the
    last two steps.
    """
    theta, kappa, beta, rate = (gains[name] for name in ("theta", "kappa", "beta", "rate"))
    transition, response = motion(stiffness)
    columns = []
    for unit in np.eye(8):
        x, v, v_before, lag, load, load_before, applied, applied_before = unit
        # Observer: the load over the last step, under the force that the master used.
        used = applied_before if parallel else applied
        measured = ratio * (v - v_before) + used
        smooth = load + beta * (measured - load)
        slope = rate * (smooth - load)
        # Corrector: the body of the observer rests; the lag grows by the way of the true body.
        lag = lag + 0.5 * (v + v_before)
        if parallel:
            # Predictor over the step in which the known force acts, then over the one for which P is calculated.
            v_next = v + (smooth + slope - applied) / ratio
            force = smooth + 2 * slope + ratio * (theta * v_next + kappa * (lag + 0.5 * (v + v_next)))
            acts = applied
        else:
            force = smooth + slope + ratio * (theta * v + kappa * lag)
            acts = force
        x_next, v_after = transition @ [x, v] + response * acts
        columns.append([x_next, v_after, v, lag, smooth, load, force, applied])
    return np.array(columns).T


def radius(ratio, stiffness, gains, parallel):
    """Largest modulus of an eigenvalue, without the one of the displacement of a free body."""
    values = np.linalg.eigvals(step_matrix(ratio, stiffness, gains, parallel))
    if stiffness == 0:
        values = np.delete(values, np.argmin(abs(values - 1)))
    return max(abs(values))


def limit(of, low, high):
    """Smallest value between `low`, which is stable, and `high` from which on `of` exceeds 1."""
    grid = np.linspace(low, high, 4000)
    unstable = [value for value in grid if of(value) > STABLE]
    return unstable[0] if unstable else None


def window(gains, parallel):
    """Range of M/m around 1 that is stable without a spring."""
    grid = np.linspace(0.01, 4, 4000)
    stable = np.array([radius(ratio, 0.0, gains, parallel) <= STABLE for ratio in grid])
    below, above = np.flatnonzero(~stable & (grid < 1)), np.flatnonzero(~stable & (grid > 1))
    return grid[below[-1] + 1 if below.size else 0], grid[above[0] - 1 if above.size else -1]


def main(picture):
    """Draws the figure, and prints the table."""
    drawing = plt.figure()
    over_mass, over_stiffness = axes(drawing, 2, 2, (4.6, 3.6))
    masses, stiffnesses = np.linspace(0.02, 3, 300), np.linspace(0, 4, 300)[1:]
    print("<!-- begin limits -->")
    print("| coupling | λ | stable M/m, free body | stable up to c H²/m, right mass | up to c H²/m, half the mass |")
    print("|---|---:|---:|---:|---:|")
    for name, gains, parallel, colour in (("serial", SERIAL, False, SERIES[0]["color"]), ("parallel", PARALLEL, True, SERIES[1]["color"])):
        for rate, dash in ((0.5, "-"), (1.0, DASHED), (0.0, DOTTED)):
            varied = {**gains, "rate": rate}
            label = f"{name}, λ = {rate}"
            over_mass.plot(masses, [radius(m, 0.0, varied, parallel) for m in masses], linestyle=dash, color=colour, label=label)
            over_stiffness.plot(stiffnesses, [radius(1.0, c, varied, parallel) for c in stiffnesses], linestyle=dash, color=colour)
            low, high = window(varied, parallel)
            ends = [limit(lambda c, ratio=ratio: radius(ratio, c, varied, parallel), 1e-3, 12) for ratio in (1.0, 0.5)]
            ends = ["stable up to 12" if end is None else "unstable" if end < 0.01 else f"{end:.2f}" for end in ends]
            print(f"| {name} | {rate} | {low:.2f} – {high:.2f} | {ends[0]} | {ends[1]} |")
    print("<!-- end limits -->")
    for ax in (over_mass, over_stiffness):
        ax.axhline(1, **LIMIT)
    prepare(over_mass, Axis("$M / m$", "", 1.0, (0, 3)), Axis("spectral radius", "", 1.0, (0, 2.5)), "(a) Free body")
    prepare(over_stiffness, Axis("$c H^2 / m$", "", 1.0, (0, 4)), Axis("spectral radius", "", 1.0, (0, 2.5)), "(b) Body on a grounded spring")
    legend(drawing)
    save(drawing, picture, "Spectral radius of a coupled step in stick over the assumed mass and over the stiffness of the body's support")
