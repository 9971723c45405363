"""A body on FrDyn2.fmu, pulled by a spring, in long communication steps: the effect of the parameter m_eff.

    python examples/body_on_friction.py [--fmu FILE] [--out DIR]

The other end of the spring moves on at a constant velocity: the body sticks until the force of the spring reaches F_s, slips, and sticks
again. The loop is what a multibody code does with the FMU: ask for the force with the velocity that the body has, then move
the body over the step under that force. That order is `coupling` = serial; docs/coupling.md has the others.
"""


import matplotlib
import numpy as np

import arguments
from friction_element import FrictionElement

matplotlib.use("Agg")
import matplotlib.pyplot as plt  # noqa: E402  (after the choice of a backend that needs no screen)

MASS = 1.0  # kg
GRAVITY = 9.81  # m/s²
STIFFNESS = 100.0  # of the spring, N/m
PULL = 0.05  # velocity of its other end, m/s
END = 6.0  # s
STATIC_FORCE = 0.6 * MASS * GRAVITY  # F_s of FrDyn2 by default, N
SLIPS = 1e-3  # the body slips above this velocity, v_s of FrDyn2, m/s

# Held values, without m_eff, are stable below 4.6e-4 s here, and first order in H: the reference of all others.
REFERENCE = 1e-4
LONG = [1e-3, 5e-3, 1e-2]


def simulate(fmu, h, m_eff):
    """Runs the body in steps of h (s); one row per step: time, displacement, velocity, force of the spring."""
    u = v = 0.0
    rows = []
    with FrictionElement(fmu, m_eff=m_eff, coupling="serial") as element:
        for step in range(round(END / h)):
            friction = element.step(step * h, h, MASS * GRAVITY, v)
            # The spring's force is held over the step, as friction is: at its mean, the end of the step included.
            spring = STIFFNESS * (PULL * (step + 0.5) * h - u - 0.5 * h * v)
            acceleration = (spring - friction) / (MASS + 0.25 * h * h * STIFFNESS)
            u += h * (v + 0.5 * h * acceleration)
            v += h * acceleration
            t = (step + 1) * h
            rows.append((t, u, v, STIFFNESS * (PULL * t - u)))
    return np.array(rows, dtype=[(name, float) for name in ("t", "u", "v", "spring")])


def happened(run):
    """Number of slips, the spring's force at the first (N), creep until 1 s (m), displacement (m)."""
    slips = np.concatenate([[False], run["v"] > SLIPS])
    starts = np.flatnonzero(slips[1:] & ~slips[:-1])
    creep = run["u"][np.searchsorted(run["t"], 1.0)]
    return len(starts), run["spring"][: starts[0] + 1].max(), creep, run["u"][-1]


def main():
    given = arguments.with_fmu(arguments.parser(__doc__)).parse_args()
    path = arguments.result(given, "body_on_friction.png")

    runs = {(REFERENCE, 0.0): simulate(given.fmu, REFERENCE, 0.0)}
    for h in LONG:
        for m_eff in (0.0, MASS):
            runs[h, m_eff] = simulate(given.fmu, h, m_eff)

    print(f"F_s = {STATIC_FORCE:.3f} N")
    print("H, s    m_eff, kg   slips   first at, N   creep until 1 s, m   way in 6 s, m")
    results = {case: happened(run) for case, run in runs.items()}
    for (h, m_eff), (slips, first, creep, way) in results.items():
        print(f"{h:<6g}  {m_eff:9g}  {slips:6}  {first:12.3f}  {creep:19.1e}  {way:14.4f}")

    figure, panel = plt.subplots(figsize=(10, 5), layout="constrained")
    for (h, m_eff), style in {(REFERENCE, 0.0): "k", (1e-2, MASS): "--", (1e-3, 0.0): ""}.items():
        run = runs[h, m_eff]
        panel.plot(run["t"], run["u"], style, label=f"H = {h:g} s, m_eff = {m_eff:g} kg")
    panel.set(xlabel="t in s", ylabel="u in m", title="Displacement of the body")
    panel.grid(True)
    panel.legend()
    figure.savefig(path)
    print(path)

    slips, first, creep, way = results[REFERENCE, 0.0]
    for h in LONG:
        result = results[h, MASS]
        # Times are known to a step only: the spring gains PULL * h from one to the next.
        near = (abs(result[1] - first) < STIFFNESS * PULL * h, abs(result[2] - creep) < 5e-5, abs(result[3] - way) < 2e-3)
        if result[0] != slips or not all(near):
            raise SystemExit(f"with m_eff at H = {h:g} s the body moves otherwise; is it the FMU of this version?")


if __name__ == "__main__":
    main()
