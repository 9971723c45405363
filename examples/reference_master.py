"""A master of one page for a friction element: serial, with step doubling and rollback.

    python examples/reference_master.py [--fmu FILE] [--out DIR]

A body of 1 kg under a load of 1.3 F_s at 2 Hz. The order that `coupling` = serial expects: set v, doStep, get F_R, move the body under
F_R. A step is made once whole and once in halves from the same saved state; the difference of the displacements sets the next
step. Without rollback, call `step` alone. A parallel master moves the body under the F_R of the step before.
"""

import csv
import math

import arguments
from friction_element import FrictionElement

MASS = 1.0  # kg
NORMAL = 9.81  # N
AMPLITUDE = 1.3 * 0.6 * NORMAL  # of the load, N
END = 1.0  # s
SHORTEST, LONGEST = 1e-5, 5e-3  # step, s
ERROR = 1e-7  # of the displacement in a step, m
DISPLACEMENT = 0.0158952  # at END, m: with an allowed error of 1e-12 m, where 7 digits do not change any more


def load(t):
    return AMPLITUDE * math.sin(4.0 * math.pi * t)


def step(element, t, h, body):
    """One communication step from (x, v); returns (x, v) at its end."""
    x, v = body
    force = element.step(t, h, NORMAL, v)
    acceleration = (load(t + 0.5 * h) - force) / MASS
    return x + h * (v + 0.5 * h * acceleration), v + h * acceleration


def run(fmu):
    """Runs the body to END; returns t (s), x (m), v (m/s) and F_R (N) after each accepted pair of steps."""
    t, h, body, rows = 0.0, 1e-3, (0.0, 0.0), []
    with FrictionElement(fmu, m_eff=MASS, coupling="serial") as element:
        while t < END - 1e-12:
            h = min(h, END - t)
            state = element.slave.getFMUState()
            whole = step(element, t, h, body)
            element.slave.setFMUState(state)
            element.slave.freeFMUState(state)
            halves = step(element, t, 0.5 * h, body)
            halves = step(element, t + 0.5 * h, 0.5 * h, halves)
            error = abs(whole[0] - halves[0])
            # The halves stay. A stricter master restores the state once more where the error is too large.
            t, body = t + h, halves
            rows.append((t, *body, element.get("F_R")))
            h *= min(2.0, max(0.2, 0.9 * (ERROR / max(error, 1e-30)) ** (1.0 / 3.0)))
            h = min(LONGEST, max(SHORTEST, h))
    return rows


def main():
    given = arguments.with_fmu(arguments.parser(__doc__)).parse_args()
    path = arguments.result(given, "reference_master.csv")
    rows = run(given.fmu)
    with path.open("w", newline="") as file:
        csv.writer(file).writerows([("t", "x", "v", "F_R"), *rows])
    displacement, peak = rows[-1][1], max(abs(row[3]) for row in rows)
    ratio = peak / (0.6 * NORMAL)
    print(f"{path}: x = {displacement:.6f} m after {END} s in {2 * len(rows)} steps; largest |F_R| = {ratio:.3f} F_s")
    if abs(displacement / DISPLACEMENT - 1.0) > 1e-2 or ratio > 2.0:
        raise SystemExit("the body moves otherwise; is it the FMU of this version?")


if __name__ == "__main__":
    main()
