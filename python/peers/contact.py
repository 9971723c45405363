"""A body with one frictional contact, and the interface of the tools that move it."""

from __future__ import annotations

import time
from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

# A step under a held force: position and velocity at its end.
Step = Callable[[float], tuple[float, float]]


@dataclass(frozen=True)
class Load:
    """Force on the body besides spring and friction, of time and position: as a function, and in Modelica."""

    value: Callable[[float, float], float]
    modelica: str

    def __call__(self, t: float, x: float) -> float:
        """The force."""
        return self.value(t, x)


@dataclass(frozen=True)
class Contact:
    """A body on a line, or about an axis, with friction at its contact; the defaults are the contact of the laws' defaults."""

    inertia: float = 1.0  # kg; kg m2 about an axis
    static: float = 5.886  # largest force in stick, N; N m about an axis
    dynamic: float = 2.943  # force in full sliding, N; N m
    stiffness: float = 0.0  # of a spring to the body, N/m
    pull: float = 0.0  # velocity of the spring's other end, m/s
    is_rotational: bool = False
    start: float = 0.0  # position at t = 0, m; rad
    step: float = 1e-3  # communication step, s

    @property
    def has_one_force(self) -> bool:
        """Whether the body slides under the force that it sticks under."""
        return self.static == self.dynamic


@dataclass(frozen=True)
class Motion:
    """A run: position and velocity at the ends of the steps, and the mean friction force of each step."""

    t: Array
    x: Array
    v: Array
    friction: Array
    seconds: float  # processor time


class Peer(ABC):
    """A tool with one way to describe friction, and the settings of it."""

    tool: str
    friction: str  # the tool's word for it
    law: str
    module = ""  # of Python, whose version counts
    has_two_forces = True  # static and dynamic
    has_lines, has_axes = True, True
    settings: dict[str, Any]

    def __init__(self, **settings: Any) -> None:
        self.settings = settings

    @classmethod
    def candidates(cls) -> list[Peer]:
        """The settings that the search compares."""
        return [cls()]

    def suits(self, contact: Contact) -> bool:
        """Whether the tool can describe the contact."""
        is_described = self.has_axes if contact.is_rotational else self.has_lines
        return is_described and (self.has_two_forces or contact.has_one_force)

    @abstractmethod
    def run(self, contact: Contact, load: Load, steps: int) -> Motion:
        """Moves the body over so many steps."""


class SteppedPeer(Peer):
    """A tool that is stepped under held forces."""

    # Whether the tool moves the spring's other end itself.
    pulls = False
    # Share of a step at which the load takes the position: the middle where the tool's body follows a held force exactly, the begin
    # where its integrator is the semi-implicit method of Euler, which would gain energy from a later place.
    ahead = 0.5

    @abstractmethod
    def begin(self, contact: Contact) -> Step:
        """The function that makes a step."""

    def run(self, contact: Contact, load: Load, steps: int) -> Motion:
        """Holds the load over each step at its value in the middle, which is an error of second order."""
        step = self.begin(contact)
        h = contact.step
        rate = 0.0 if self.pulls else contact.stiffness * contact.pull
        x, v = np.full(steps + 1, contact.start), np.zeros(steps + 1)
        position, velocity = contact.start, 0.0
        begin = time.process_time()
        for i in range(steps):
            middle = (i + 0.5) * h
            position, velocity = step(load(middle, position + self.ahead * h * velocity) + rate * middle)
            x[i + 1], v[i + 1] = position, velocity
        seconds = time.process_time() - begin
        return motion(contact, load, x, v, seconds)


def motion(contact: Contact, load: Load, x: Array, v: Array, seconds: float) -> Motion:
    """A run from positions and velocities; the momentum of each step gives its mean friction force."""
    t: Array = contact.step * np.arange(x.size, dtype=np.float64)
    middle, place = 0.5 * (t[1:] + t[:-1]), 0.5 * (x[1:] + x[:-1])
    applied = np.array([load(*pair) for pair in zip(middle, place)])
    spring = contact.stiffness * (contact.pull * middle - place)
    friction: Array = applied + spring - contact.inertia * np.diff(v) / contact.step
    return Motion(t, x, v, friction, seconds)
