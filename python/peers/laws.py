"""LuGre and FrDyn2Linear with a body as one system, by SciPy's Radau: what a law itself has on a rig, without Bristle's code."""

from __future__ import annotations

import math
import time
from abc import abstractmethod

import numpy as np
from scipy.integrate import solve_ivp

from .contact import Array, Contact, Load, Motion, Peer, motion

# Bristle of the laws' defaults, for a static force of 5.886 N.
SIGMA_0, SIGMA_1, STATIC = 5e6, 3192.75, 5.886


class Monolithic(Peer):
    """Body and law as one system."""

    tool, module, friction = "Radau", "scipy", "monolithic"

    def run(self, contact: Contact, load: Load, steps: int) -> Motion:
        """Integrates with a relative tolerance of 1e-8; a step is no longer than 20 communication steps."""
        t = contact.step * np.arange(steps + 1)
        pull, stiffness, mass = contact.pull, contact.stiffness, contact.inertia
        size = contact.static / STATIC
        law = self.law_of(contact, SIGMA_0 * size, SIGMA_1 * size)

        def rates(now: float, state: Array) -> list[float]:
            x, v, *bristle = state
            friction, moves = law(v, bristle)
            return [v, (load(now, x) + stiffness * (pull * now - x) - friction) / mass, *moves]

        start = np.zeros(2 + self.states)
        start[0] = contact.start
        # Absolute: positions to 1e-12 m, velocities to 1e-10 m/s, the bristle to 1e-14 m.
        absolute = [1e-12, 1e-10, *([1e-14, 1e-10][: self.states])]
        # Steps of the differences: far above the rounding of the states, far below what the law resolves.
        widths = [1e-8, 1e-9, *([1e-13, 1e-9][: self.states])]

        def jacobian(now: float, state: Array) -> Array:
            columns = []
            for i, width in enumerate(widths):
                ends = [state.copy(), state.copy()]
                ends[0][i] -= width
                ends[1][i] += width
                low, high = (np.array(rates(now, end)) for end in ends)
                columns.append((high - low) / (2 * width))
            return np.array(columns).T

        begin = time.process_time()
        run = solve_ivp(
            rates,
            (0.0, t[-1]),
            start,
            "Radau",
            t,
            rtol=1e-8,
            atol=absolute,
            max_step=20 * contact.step,
            jac=jacobian,
        )
        seconds = time.process_time() - begin
        if not run.success:
            raise RuntimeError(run.message)
        return motion(contact, load, run.y[0], run.y[1], seconds)

    states: int

    @abstractmethod
    def law_of(self, contact: Contact, sigma_0: float, sigma_1: float):  # type: ignore[no-untyped-def]
        """Friction force, and rates of the law's states, of velocity and states."""


class LuGre(Monolithic):
    """C. Canudas de Wit et al. 1995, with a Gaussian Stribeck curve."""

    law, states = "LuGre", 1

    def law_of(self, contact: Contact, sigma_0: float, sigma_1: float):  # type: ignore[no-untyped-def]
        """The law's function."""
        static, dynamic = contact.static, contact.dynamic

        def law(v: float, state: list[float]) -> tuple[float, list[float]]:
            (z,) = state
            level = dynamic + (static - dynamic) * math.exp(-((v / 5e-3) ** 2))
            rate = v - sigma_0 * abs(v) / level * z
            return sigma_0 * z + sigma_1 * rate, [rate]

        return law


class FrDyn2Linear(Monolithic):
    """G. Rill, M. Schuderer 2023, equations (2) to (5), with a shift that is linear in the force."""

    law, states = "FrDyn2Linear", 2

    def law_of(self, contact: Contact, sigma_0: float, sigma_1: float):  # type: ignore[no-untyped-def]
        """The law's function."""
        static, dynamic, slow, fast = contact.static, contact.dynamic, 1e-3, 1e-2
        mass = sigma_1**2 / (4 * sigma_0)

        def law(v: float, state: list[float]) -> tuple[float, list[float]]:
            z, u = state
            sticking = sigma_0 * z + sigma_1 * v
            w = v - u + slow * min(max(sticking / static, -1.0), 1.0)
            speed = abs(w)
            part = min((speed - slow) / (fast - slow), 1.0)
            sliding = static - (static - dynamic) * part * part * (3 - 2 * part)
            force = static * w / slow if speed <= slow else math.copysign(sliding, w)
            return force, [u, (force - sigma_0 * z - sigma_1 * u) / mass]

        return law


PEERS: list[type[Peer]] = [LuGre, FrDyn2Linear]
