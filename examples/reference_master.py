"""Two masters of one page for friction elements, both with rollback: serial with step doubling, and implicit.

    python examples/reference_master.py [--fmu FILE] [--implicit-fmu FILE] [--out DIR]

A body of 1 kg under a load of 1.3 F_s at 2 Hz. The order that `coupling` = serial expects: set v, doStep, get F_R, move the body under
F_R. A step is made once whole and once in halves from the same saved state; the difference of the displacements sets the next
step. Without rollback, call `step` alone. A parallel master moves the body under the F_R of the step before.

The unknown of the implicit master is the mean force P of each contact over the step. The body moves under P, each element follows the
linear motion that results, and P = 0.65 F_R_mean + 0.35 F_R is solved by Broyden's method; with one contact that is the secant method.
The mass of the body is not needed. The script compares it with held forces, with `m_eff` and without, also for two contacts on one body.
The elements warn of these held forces and of an `m_eff` at each of two contacts; the errors that it prints are the reason.
"""

import csv
import math
from typing import Callable, NamedTuple

import arguments
import numpy as np
from friction_element import FrictionElement, Refused

MASS = 1.0  # kg
NORMAL = 9.81  # N
AMPLITUDE = 1.3 * 0.6 * NORMAL  # of the load, N
END = 1.0  # s
SHORTEST, LONGEST = 1e-5, 5e-3  # step, s
ERROR = 1e-7  # of the displacement in a step, m
DISPLACEMENT = 0.0158952  # at END, m: with an allowed error of 1e-12 m, where 7 digits do not change any more

# Of the implicit master.
SHARE = 0.35  # of F_R at the end of a step in P; a larger one damps more, and follows break-away less exactly
EVALUATIONS = 6  # in a step, before it is split in halves
RESIDUAL = 1e-6 * 0.6 * NORMAL  # N
ALLOWED = 0.06  # error of the displacement, in spans; twice the largest measured
BELT = 0.1  # m/s
FREQUENCY = 30.0  # of the block on its spring of 900 N/m, rad/s


def load(t):
    return AMPLITUDE * math.sin(4.0 * math.pi * t)


def move(t, h, body, force):
    """The body (x, v) after h (s) under the load and a constant friction force (N)."""
    x, v = body
    acceleration = (load(t + 0.5 * h) - force) / MASS
    return x + h * (v + 0.5 * h * acceleration), v + h * acceleration


def step(element, t, h, body):
    """One communication step from (x, v); returns (x, v) at its end."""
    return move(t, h, body, element.step(t, h, NORMAL, body[1]))


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


def implicit_step(elements, t, h, system, body, forces, rate):
    """One implicit step; returns the body at its end, the forces P (N), their rate (N/s), and the number of evaluations.

    P is extrapolated from the last step. Where the iteration fails, as at break-away, the step is split in halves.
    """
    states = [element.slave.getFMUState() for element in elements]
    moved, solution, evaluations = solve(elements, states, t, h, system, body, forces + h * rate)
    for element, state in zip(elements, states):
        element.slave.freeFMUState(state)
    if moved is not None:
        return moved, solution, (solution - forces) / h, evaluations
    if h < SHORTEST:
        raise Refused(f"no forces found at {t} s")
    middle, forces, rate, first = implicit_step(elements, t, 0.5 * h, system, body, forces, rate)
    end, forces, rate, second = implicit_step(elements, t + 0.5 * h, 0.5 * h, system, middle, forces, rate)
    return end, forces, rate, evaluations + first + second


def solve(elements, states, t, h, system, body, forces):
    """Broyden's method from these forces (N). Without a solution the elements are back in the saved states, and there is no body."""
    jacobian, last = np.eye(len(forces)), None
    for evaluation in range(1, EVALUATIONS + 1):
        moved = system.move(t, h, body, sum(forces))
        motions = zip(elements, system.contacts(body), system.contacts(moved))
        residual = forces - [mean_force(element, t, h, start, end) for element, start, end in motions]
        if max(abs(residual)) < RESIDUAL:
            return moved, forces, evaluation
        for element, state in zip(elements, states):
            element.slave.setFMUState(state)
        if last is not None:
            change = forces - last[0]
            miss = residual - last[1] - jacobian @ change
            jacobian += np.outer(miss, change) / (change @ change)
        last = forces, residual
        forces = forces - np.linalg.solve(jacobian, residual)
    return None, forces, EVALUATIONS


def mean_force(element, t, h, start, end):
    """The force (N) of a step of h (s) in which F_N (N) and v (m/s) change linearly from start to end."""
    inputs = [element.variable(name).valueReference for name in ("F_N", "v")]
    rates = [(last - first) / h for first, last in zip(start, end)]
    element.call(element.slave.setReal, inputs, start)
    element.call(element.slave.setRealInputDerivatives, inputs, [1, 1], rates)
    mean, last = element.exchange(t, h, {}, ["F_R_mean", "F_R"])
    return (1.0 - SHARE) * mean + SHARE * last


class System(NamedTuple):
    """A body, its contacts, and its true displacement: held values, extrapolated to H = 0 from 4e-6 and 2e-6 s."""

    move: Callable  # (t, h, body, sum of the forces of the contacts) to the body after h
    contacts: Callable  # body to (F_N, v) of each contact
    elements: list  # parameters of each contact
    body: tuple  # (x, v) at the start
    displacements: list  # m, after each quarter of END
    span: float  # of the displacement, m


def move_block(_, h, body, force):
    """A block of 1 kg on a spring after h (s) under a constant friction force (N): an exact rotation about its rest."""
    x, v = body
    rest = -force / (MASS * FREQUENCY**2)
    cosine, sine = math.cos(FREQUENCY * h), math.sin(FREQUENCY * h)
    return rest + (x - rest) * cosine + v / FREQUENCY * sine, v * cosine - (x - rest) * FREQUENCY * sine


PUSHED = System(
    move=move,
    contacts=lambda body: [(NORMAL, body[1])],
    elements=[{}],
    body=(0.0, 0.0),
    displacements=[0.055142, 0.016347, 0.053621, DISPLACEMENT],
    span=0.0766,
)
ON_BELT = System(
    move=move_block,
    contacts=lambda body: [(share * NORMAL, body[1] - BELT) for share in (0.4, 0.6)],
    elements=[{}, {"mu_s": 0.55}],
    body=(0.0, BELT),
    displacements=[2.3351e-3, 4.6694e-3, 6.9941e-3, 8.1815e-3],
    span=9.82e-3,
)
# The law's own force for the implicit master.
METHODS = {
    "implicit": {"coupling": "prescribed"},
    "m_eff": {"coupling": "serial", "m_eff": MASS},
    "held": {"coupling": "serial"},
}


def error(fmu, system, h, method):
    """Largest error of the displacement after each quarter of END, in spans, and evaluations per step of h (s)."""
    elements = [FrictionElement(fmu, **METHODS[method], **own) for own in system.elements]
    body, forces, rate = system.body, np.zeros(len(elements)), np.zeros(len(elements))
    steps, evaluations, found = round(END / h), 0, []
    for t in (number * h for number in range(steps)):
        if method == "implicit":
            body, forces, rate, count = implicit_step(elements, t, h, system, body, forces, rate)
        else:
            held = [element.step(t, h, *inputs) for element, inputs in zip(elements, system.contacts(body))]
            body, count = system.move(t, h, body, sum(held)), 1
        evaluations += count
        found.append(body[0])
    for element in elements:
        element.close()
    errors = [x - true for x, true in zip(found[steps // 4 - 1 :: steps // 4], system.displacements)]
    return max(map(abs, errors)) / system.span, evaluations / steps


def compare(fmu):
    """Prints the errors of three masters, and ends the script where that of the implicit one is too large."""
    print("system: H, s; error of implicit (evaluations a step), m_eff, held, % of the span")
    for name, system in (("pushed body", PUSHED), ("block on a belt, two contacts", ON_BELT)):
        for h in (1e-3, 5e-3, 1e-2):
            [(implicit, count), (m_eff, _), (held, _)] = [error(fmu, system, h, method) for method in METHODS]
            print(f"{name}: {h:g}; {1e2 * implicit:.1f} ({count:.1f}), {1e2 * m_eff:.1f}, {1e2 * held:.1f}")
            if not implicit < ALLOWED:
                raise SystemExit("the body moves otherwise under the implicit master; is it the FMU of this version?")


def main():
    parser = arguments.with_fmu(arguments.parser(__doc__))
    outputs = str(arguments.CARDS / "FrDyn2Outputs.fmu")
    parser.add_argument("--implicit-fmu", type=arguments.file, default=outputs, help="FMU of a card with all outputs")
    given = parser.parse_args()
    path = arguments.result(given, "reference_master.csv")
    rows = run(given.fmu)
    with path.open("w", newline="") as file:
        csv.writer(file).writerows([("t", "x", "v", "F_R"), *rows])
    displacement, peak = rows[-1][1], max(abs(row[3]) for row in rows)
    ratio = peak / (0.6 * NORMAL)
    print(f"{path}: x = {displacement:.6f} m after {END} s in {2 * len(rows)} steps; largest |F_R| = {ratio:.3f} F_s")
    if abs(displacement / DISPLACEMENT - 1.0) > 1e-2 or ratio > 2.0:
        raise SystemExit("the body moves otherwise; is it the FMU of this version?")
    compare(given.implicit_fmu)


if __name__ == "__main__":
    main()
