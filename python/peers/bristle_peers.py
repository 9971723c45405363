"""Bristle: elements beside a body with held forces or `m_eff`, and elements with the body inside."""

from __future__ import annotations

import math
import warnings
from dataclasses import replace
from typing import Any

import bristle

from .contact import Contact, Peer, Step, SteppedPeer

# F_N of the laws' defaults, N, and their static coefficient.
NORMAL_FORCE, MU_S = 9.81, 0.6


def parameters(law: str, contact: Contact) -> dict[str, float]:
    """Parameters of a law for the forces of the contact, its bristle scaled with them."""
    size = contact.static / (MU_S * NORMAL_FORCE)
    ratio = contact.dynamic / contact.static
    if law == "Coulomb":
        return {"mu_d": MU_S}
    if law == "ModelicaFriction":
        # A table of constant friction, and the peak at rest.
        table = {f"mu_v{i}": ratio * MU_S for i in range(1, 5)}
        return {"mu_0": ratio * MU_S, "peak": 1.0 / ratio, **table}
    return {"mu_s": MU_S, "mu_d": ratio * MU_S, "sigma_0": 5e6 * size, "sigma_1": 3192.75 * size}


def sharpened(size: float, sharpness: float = 1.0) -> dict[str, float]:
    """The bristle of the defaults with velocities smaller by the sharpness: stiffness by its square and damping by itself keep the
    damping ratio, and the stability on the falling branch, as they are.
    """
    if sharpness == 1.0:
        return {}
    return {
        "v_s": 1e-3 / sharpness,
        "v_d": 1e-2 / sharpness,
        "sigma_0": 5e6 * size * sharpness**2,
        "sigma_1": 3192.75 * size * sharpness,
    }


class BristlePeer(SteppedPeer):
    """An element of one law."""

    tool, module = "Bristle", "bristle"

    def __init__(self, law: str, **chosen: Any) -> None:
        super().__init__(law=law, **chosen)
        self.law = law
        self.chosen = chosen

    @property
    def has_two_forces(self) -> bool:  # type: ignore[override]
        """Coulomb's law here has one."""
        return self.law != "Coulomb"

    def values(self, contact: Contact) -> dict[str, float]:
        """Parameters of the element: those of the contact, and the chosen ones, whose forces scale with the contact."""
        size = contact.static / (MU_S * NORMAL_FORCE)
        return {**parameters(self.law, contact), **sharpened(size, **self.chosen)}

    def element(self, contact: Contact, card: bristle.Card, **values: Any) -> bristle.Element:
        """The element, at rest under the normal force of the contact; its warnings are counted as failures by the caller."""
        element = bristle.Element(card, **self.values(contact), **values)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            element.initialize(F_N=contact.static / MU_S)
        return element


class Beside(BristlePeer):
    """The element first, then the body under its force: serial coupling."""

    def begin(self, contact: Contact) -> Step:
        """Makes element and body; the body is integrated exactly under held forces."""
        element = self.element(contact, bristle.Card(self.law), coupling="serial", **self.mass(contact))
        h, mass = contact.step, contact.inertia
        state = [contact.start, 0.0]
        omega = math.sqrt(contact.stiffness / mass)
        c, s = math.cos(omega * h), math.sin(omega * h)
        needs_force = "F_t" in element.variables

        def step(force: float) -> tuple[float, float]:
            x, v = state
            # Coulomb and ModelicaFriction take F_t + m v/H.
            balance = {"F_t": force - contact.stiffness * x + mass * v / h} if needs_force else {}
            free = force - element.step(h, v=v, **balance)
            if omega:
                rest = free / contact.stiffness
                state[:] = rest + (x - rest) * c + v / omega * s, v * c - (x - rest) * omega * s
            else:
                state[:] = x + h * (v + 0.5 * h * free / mass), v + h * free / mass
            return state[0], state[1]

        return step

    def mass(self, contact: Contact) -> dict[str, float]:
        """The effective mass."""
        return {}


class Held(Beside):
    """Values held over steps of a quarter of the limit of a body in stick, which docs/coupling.md states, without a mass.

    A body that is lighter than the bristle chatters at half of it.
    """

    friction = "held"

    def begin(self, contact: Contact) -> Step:
        """So many equal steps within each one of the rig."""
        values = self.values(contact)
        over, damping = values["sigma_0"] / contact.inertia, 2 * values["sigma_1"] / contact.inertia
        limit = (math.sqrt(damping**2 + 16 * over) - damping) / (2 * over)
        count = math.ceil(contact.step / (0.25 * limit))
        step = super().begin(replace(contact, step=contact.step / count))

        def steps(force: float) -> tuple[float, float]:
            for _ in range(count - 1):
                step(force)
            return step(force)

        return steps


class Effective(Beside):
    """The observer of the body, by `m_eff`."""

    friction = "m_eff"

    def mass(self, contact: Contact) -> dict[str, float]:
        """The effective mass."""
        return {"m_eff": contact.inertia}


class Block(BristlePeer):
    """The body, and its spring, inside the element."""

    friction, pulls = "block", True

    def begin(self, contact: Contact) -> Step:
        """Makes the element in the frame of the spring's other end, in which the surface moves backwards."""
        block: dict[str, float] = {"mass": contact.inertia}
        if contact.stiffness:
            block["stiffness"] = contact.stiffness
        h, pull = contact.step, contact.pull
        element = self.element(contact, bristle.Card(self.law, block=block), x=contact.start, v=-pull)
        element["v_surface"] = -pull
        count = [0]

        def step(force: float) -> tuple[float, float]:
            element.step(h, F=force)
            count[0] += 1
            return element["x"] + pull * h * count[0], element["v"] + pull

        return step


def peers() -> list[Peer]:
    """The forms, with defaults: nothing is searched for."""
    return [
        Held("FrDyn2Linear"),
        Effective("FrDyn2Linear"),
        Block("FrDyn2Linear"),
        Effective("FrDyn2Linear", sharpness=20.0),
        Block("FrDyn2Linear", sharpness=20.0),
        Effective("LuGre"),
        Block("LuGre"),
        Block("Coulomb"),
        Block("ModelicaFriction"),
    ]
