"""A master of one page for a friction element: serial, with step doubling and rollback.

    python examples/reference_master.py [FMU]

A body of 1 kg under a load of 1.3 F_s at 2 Hz. The order that `coupling` = serial expects: set v, doStep, get F_R, move the body under
F_R. A step is made once whole and once in halves from the same saved state; the difference of the displacements sets the next
step. Without rollback, call `step` alone. A parallel master moves the body under the F_R of the step before.
"""

import math
import sys

from friction_element import FrictionElement

MASS = 1.0  # kg
NORMAL = 9.81  # N
AMPLITUDE = 1.3 * 0.6 * NORMAL  # of the load, N
END = 1.0  # s
SHORTEST, LONGEST = 1e-5, 5e-3  # step, s
ERROR = 1e-7  # of the displacement in a step, m


def load(t):
    return AMPLITUDE * math.sin(4.0 * math.pi * t)


def step(element, t, h, body):
    """One communication step from (x, v); returns (x, v) at its end."""
    x, v = body
    force = element.step(t, h, NORMAL, v)
    acceleration = (load(t + 0.5 * h) - force) / MASS
    return x + h * (v + 0.5 * h * acceleration), v + h * acceleration


def run(fmu):
    """Runs the body to END; returns its displacement (m), the number of steps and the largest |F_R| (N)."""
    t, h, body, count, peak = 0.0, 1e-3, (0.0, 0.0), 0, 0.0
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
            t, body, count = t + h, halves, count + 2
            peak = max(peak, abs(element.get("F_R")))
            h *= min(2.0, max(0.2, 0.9 * (ERROR / max(error, 1e-30)) ** (1.0 / 3.0)))
            h = min(LONGEST, max(SHORTEST, h))
    return body[0], count, peak


def main():
    displacement, count, peak = run(sys.argv[1] if len(sys.argv) > 1 else "target/fmu/FrDyn2.fmu")
    print(f"x = {displacement:.6f} m after {END} s in {count} steps; largest |F_R| = {peak / (0.6 * NORMAL):.3f} F_s")


if __name__ == "__main__":
    main()
