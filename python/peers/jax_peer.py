"""JAX: LuGre and a body in one implicit step, as its users write a loop of their own. All of `advance` is what a user would write."""

from __future__ import annotations

from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np

from .contact import Contact, Peer, Step, SteppedPeer

jax.config.update("jax_enable_x64", True)

V_S = 5e-3  # Stribeck velocity, m/s
NEWTON = 8  # iterations: a fixed number, so that a gradient goes through them


class Body(NamedTuple):
    """Numbers of the contact, for one or for many."""

    inertia: Any
    static: Any
    dynamic: Any
    sigma_0: Any
    sigma_1: Any
    stiffness: Any


def advance(body: Body, state: tuple[Any, Any, Any], force: Any, h: float) -> tuple[tuple[Any, Any, Any], Any]:
    """Position, velocity and deflection after a step of Euler's implicit method, and the friction force."""
    x, v, z = state

    def bristle(w: Any) -> tuple[Any, Any]:
        level = body.dynamic + (body.static - body.dynamic) * jnp.exp(-((w / V_S) ** 2))
        end = (z + h * w) / (1.0 + h * body.sigma_0 * jnp.abs(w) / level)
        return end, body.sigma_0 * end + body.sigma_1 * (end - z) / h

    def residual(w: Any) -> Any:
        return body.inertia * (w - v) / h + body.stiffness * (x + h * w) + bristle(w)[1] - force

    def newton(w: Any, _: None) -> tuple[Any, None]:
        value, slope = jax.jvp(residual, (w,), (jnp.ones_like(w),))
        return w - value / slope, None

    w, _ = jax.lax.scan(newton, v, None, NEWTON)
    end, friction = bristle(w)
    return (x + h * w, w, end), friction


def body_of(contact: Contact, softness: float, kind: Any) -> Body:
    """The bristle of the laws' defaults at the size of the contact, or a softer one with its damping ratio."""
    size = contact.static / 5.886
    bristle = (5e6 * size / softness, 3192.75 * size / softness**0.5)
    return Body(*map(kind, (contact.inertia, contact.static, contact.dynamic, *bristle, contact.stiffness)))


class Loop(SteppedPeer):
    """The step, compiled, in a loop in Python."""

    tool, module, friction, law, ahead = "JAX", "jax", "loop, implicit", "LuGre", 0.0

    def __init__(self, precision: str = "float64", softness: float = 1.0) -> None:
        super().__init__(precision=precision, softness=softness)

    @classmethod
    def candidates(cls) -> list[Peer]:
        """Double precision with the bristle of the laws' defaults and with softer ones."""
        return [cls("float64", softness) for softness in (1.0, 3.0, 10.0)]

    def begin(self, contact: Contact) -> Step:
        """Compiles the step."""
        kind = getattr(np, self.settings["precision"])
        body = body_of(contact, self.settings["softness"], kind)
        compiled = jax.jit(lambda state, force: advance(body, state, force, contact.step)[0])
        state = [(kind(contact.start), kind(0.0), kind(0.0))]

        def step(force: float) -> tuple[float, float]:
            state[0] = compiled(state[0], kind(force))
            return float(state[0][0]), float(state[0][1])

        return step


PEERS: list[type[Peer]] = [Loop]
