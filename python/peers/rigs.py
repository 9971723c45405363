"""The rigs, what is measured on each, and Coulomb's exact solutions.

Each rig returns its measures by name, or nothing where the tool cannot describe its contact. A measure is an error: zero is exact.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace

import numpy as np
from scipy.integrate import quad
from scipy.optimize import brentq

from .contact import Array, Contact, Load, Motion, Peer

BLOCK = Contact()
JOINT = Contact(inertia=0.01, static=1.0, dynamic=1.0, is_rotational=True)
LIGHT_JOINT = replace(JOINT, static=0.5, dynamic=0.5)
INCLINE = replace(BLOCK, dynamic=BLOCK.static)
BELT = Contact(stiffness=100.0, pull=0.1)
PENDULUM = Contact(inertia=1.0, static=1.0, dynamic=1.0, is_rotational=True, start=1.0)
WEIGHT = 9.81  # of the pendulum times the distance of its centre, N m

RAMP = 0.1  # s, until a held load is reached
OVER = 1.05  # load of break-away over F_s
MOVED = 1e-4  # displacement that counts as broken away, m; far above the deflection of a bristle
PULSE = (0.5, 0.3, 100.0)  # mean and amplitude over F_s, and frequency, Hz
SHAKE = (0.7, 0.5, 20.0)

Measures = dict[str, float]


def rise(part: float) -> float:
    """Cubic from 0 to 1."""
    part = min(max(part, 0.0), 1.0)
    return part * part * (3.0 - 2.0 * part)


def sine(contact: Contact, wave: tuple[float, float, float], ramp: float) -> Load:
    """Load that pulsates about a mean, after a ramp."""
    mean, amplitude, omega = contact.static * wave[0], contact.static * wave[1], 2 * math.pi * wave[2]
    return Load(
        lambda t, x: (mean + amplitude * math.sin(omega * t)) * (rise(t / ramp) if t < ramp else 1.0),
        f"({mean!r} + {amplitude!r}*sin({omega!r}*time))*{RISE.format(ramp)}",
    )


def ramped(force: float, ramp: float) -> Load:
    """Load that rises as a cubic and stays."""
    return Load(lambda t, x: force * (rise(t / ramp) if t < ramp else 1.0), f"{force!r}*{RISE.format(ramp)}")


NOTHING = Load(lambda t, x: 0.0, "0.0")
GRAVITY = Load(lambda t, x: -WEIGHT * math.sin(x), f"(-{WEIGHT}*sin(x))")
# `rise` in Modelica, over the duration.
RISE = "(if time < {0!r} then (time/{0!r})^2*(3.0 - 2.0*time/{0!r}) else 1.0)"


def of_peer(peer: Peer, contact: Contact) -> Contact:
    """The contact, with one friction force where the tool has no other."""
    return contact if peer.has_two_forces else replace(contact, dynamic=contact.static)


def creep(peer: Peer, contact: Contact, share: float, seconds: float) -> float:
    """Velocity under a constant share of F_s, over the second half of the time."""
    run = peer.run(contact, ramped(share * contact.static, RAMP), round(seconds / contact.step))
    half = run.x.size // 2
    return float((run.x[-1] - run.x[half]) / (run.t[-1] - run.t[half]))


def hold(peer: Peer, seconds: float) -> Measures:
    """A block under 0.95 F_s."""
    contact = of_peer(peer, BLOCK)
    return {"hold": creep(peer, contact, 0.95, seconds)} if peer.suits(contact) else {}


def pulsate(peer: Peer) -> Measures:
    """A block under a load that pulsates below F_s, over whole periods."""
    contact = of_peer(peer, BLOCK)
    if not peer.suits(contact):
        return {}
    run = peer.run(contact, sine(contact, PULSE, RAMP), round(2.5 / contact.step))
    first = round(0.5 / contact.step)
    return {"pulsate": float((run.x[-1] - run.x[first]) / (run.t[-1] - run.t[first]))}


def joints(peer: Peer) -> Measures:
    """Joints whose friction is above their load: 1.0 over 0.3 N m, and 0.5 over 0.05 N m."""
    if not peer.suits(JOINT):
        return {}
    return {"joint": creep(peer, JOINT, 0.3, 10.0), "light joint": creep(peer, LIGHT_JOINT, 0.1, 10.0)}


def break_away(peer: Peer, ramp: float, step: float) -> Measures:
    """A block under a cubic ramp above F_s: time until it moved 0.1 mm, against Coulomb's, and the largest friction force before, over F_s."""
    contact = of_peer(peer, replace(BLOCK, step=step))
    if not peer.suits(contact):
        return {}
    run = peer.run(contact, ramped(OVER * contact.static, ramp), round((2 * ramp + 0.1) / step))
    name = f"ramp {ramp:g} s"
    moves = crossing(run.t, run.x, MOVED)
    stick = run.t[1:] <= (math.inf if math.isnan(moves) else moves)
    return {
        f"{name}, late": moves - break_away_time(contact, ramp),
        f"{name}, peak": float(run.friction[stick].max() / contact.static) - 1.0,
    }


def belt(peer: Peer, seconds: float) -> Measures:
    """A block on a belt: period of the limit cycle against Coulomb's."""
    if not peer.suits(BELT):
        return {}
    run = peer.run(BELT, NOTHING, round(seconds / BELT.step))
    times = crossings(run.t, run.v, BELT.pull)[2:]
    if times.size < 3:
        return {"belt": math.nan}
    return {"belt": float((times[-1] - times[0]) / (times.size - 1)) / belt_period(BELT) - 1.0}


def pendulum(peer: Peer) -> Measures:
    """A pendulum with friction in its joint: angle after 20 s against the angle of rest; lost energy against the work of Coulomb's
    friction along the path.
    """
    if not peer.suits(PENDULUM):
        return {}
    run = peer.run(PENDULUM, GRAVITY, round(20.0 / PENDULUM.step))
    ends = math.cos(run.x[-1]) - math.cos(run.x[0])
    lost = WEIGHT * ends - 0.5 * PENDULUM.inertia * float(run.v[-1]) ** 2
    work = PENDULUM.dynamic * float(np.abs(np.diff(run.x)).sum())
    return {"pendulum": float(run.x[-1]) - pendulum_rest(PENDULUM)[0], "energy": lost / work - 1.0}


def incline(peer: Peer) -> Measures:
    """A block on an incline that vibrates along its slope: mean velocity against Coulomb's."""
    return {"incline": shaken(shake(peer, INCLINE))} if peer.suits(INCLINE) else {}


def shaken(run: Motion) -> float:
    """Error of the mean velocity on the incline."""
    first = round(0.2 * (run.t.size - 1))
    return float((run.x[-1] - run.x[first]) / (run.t[-1] - run.t[first])) / shaken_velocity(INCLINE) - 1.0


def shake(peer: Peer, contact: Contact) -> Motion:
    """The run of the incline: the block slides and sticks in each period."""
    return peer.run(contact, sine(contact, SHAKE, 1e-9), round(2.5 / contact.step))


def cost(peer: Peer, repeats: int) -> Measures:
    """Processor time of a step, s: median of runs on the incline."""
    return {"cost": incline_at(peer, INCLINE.step, repeats)["cost"]} if peer.suits(INCLINE) else {}


def incline_at(peer: Peer, step: float, repeats: int) -> Measures:
    """Error on the incline with steps of this length, s, and the median processor time of one, s."""
    runs = [shake(peer, replace(INCLINE, step=step)) for _ in range(repeats)]
    return {
        "incline": shaken(runs[0]),
        "cost": float(np.median([run.seconds / (run.t.size - 1) for run in runs])),
    }


# Rigs that the search of settings runs, with the error of each that counts as one.
TOLERANCES = {
    "hold": 1e-6,
    "pulsate": 1e-6,
    "joint": 1e-6,
    "ramp 0.1 s, late": 1e-3,
    "belt": 1e-2,
    "pendulum": 1e-3,
    "incline": 1e-2,
}
SEARCH: list[Callable[[Peer], Measures]] = [
    lambda peer: hold(peer, 5.0),
    pulsate,
    joints,
    lambda peer: break_away(peer, 0.1, 1e-3),
    lambda peer: belt(peer, 8.0),
    pendulum,
    incline,
]


def rigs(is_quick: bool) -> list[Callable[[Peer], Measures]]:
    """All rigs, in the order of the table."""
    return [
        lambda peer: hold(peer, 20.0 if is_quick else 300.0),
        pulsate,
        joints,
        lambda peer: break_away(peer, 0.1, 1e-3),
        lambda peer: break_away(peer, 1e-3, 1e-4),
        lambda peer: belt(peer, 8.0 if is_quick else 20.0),
        pendulum,
        incline,
        lambda peer: cost(peer, 3 if is_quick else 9),
    ]


def crossings(t: Array, values: Array, level: float) -> Array:
    """Times at which values rise through a level, linear within a step."""
    before = np.flatnonzero((values[:-1] < level) & (values[1:] >= level))
    share = (level - values[before]) / (values[before + 1] - values[before])
    times: Array = t[before] + share * (t[before + 1] - t[before])
    return times


def crossing(t: Array, values: Array, level: float) -> float:
    """First of them, NaN where there is none."""
    times = crossings(t, values, level)
    return float(times[0]) if times.size else math.nan


def break_away_time(contact: Contact, ramp: float) -> float:
    """Time at which Coulomb's block has moved 0.1 mm under the cubic ramp, s."""
    force = OVER * contact.static

    # Integrals of the load from 0 to t, N s and N s2: of the cubic until its end, and of the full load.
    def once(t: float) -> float:
        part, after = min(t / ramp, 1.0), max(t - ramp, 0.0)
        return force * (ramp * (part**3 - 0.5 * part**4) + after)

    def twice(t: float) -> float:
        part, after = min(t / ramp, 1.0), max(t - ramp, 0.0)
        return force * (ramp**2 * (0.25 * part**4 - 0.1 * part**5) + 0.5 * ramp * after + 0.5 * after**2)

    slip = ramp * brentq(lambda part: OVER * rise(part) - 1.0, 0.0, 1.0, xtol=1e-15)

    def missing(t: float) -> float:
        moved = twice(t) - twice(slip) - once(slip) * (t - slip) - 0.5 * contact.dynamic * (t - slip) ** 2
        return float(moved) - contact.inertia * MOVED

    return float(brentq(missing, slip, slip + ramp + 1.0, xtol=1e-15))


def belt_period(contact: Contact) -> float:
    """Period of Coulomb's limit cycle on a belt, s: the time in stick and that in slip."""
    omega = math.sqrt(contact.stiffness / contact.inertia)
    drop = contact.static - contact.dynamic
    phase = math.atan2(contact.pull / omega, drop / contact.stiffness)
    return 2 * drop / (contact.stiffness * contact.pull) + (math.pi + 2 * phase) / omega


def pendulum_rest(contact: Contact) -> tuple[float, float]:
    """Angle at which Coulomb's pendulum rests, rad, and the time at which it does, s."""
    angle, t = contact.start, 0.0
    while WEIGHT * math.sin(abs(angle)) > contact.static:
        # A half swing from rest to rest: potential energy is lost to friction.
        side = math.copysign(1.0, angle)

        def left(x: float, side: float = side, angle: float = angle) -> float:
            return WEIGHT * (math.cos(x) - math.cos(angle)) - contact.dynamic * side * (angle - x)

        # Where the friction torque balances the weight, the velocity is largest: the end lies beyond.
        fastest = side * math.asin(contact.dynamic / WEIGHT)
        end = float(brentq(left, fastest, -angle, xtol=1e-15))
        centre, half = 0.5 * (angle + end), 0.5 * (angle - end)

        # x = centre + half cos(theta) takes the roots at both ends away.
        def duration(
            theta: float, centre: float = centre, half: float = half, left: Callable[[float], float] = left
        ) -> float:
            return (
                abs(half) * math.sin(theta) / math.sqrt(2.0 * left(centre + half * math.cos(theta)) / contact.inertia)
            )

        t += quad(duration, 1e-6, math.pi - 1e-6, epsabs=1e-11, epsrel=1e-11)[0]
        angle = end
    return angle, t


def shaken_velocity(contact: Contact) -> float:
    """Mean velocity of Coulomb's block on the incline, m/s: it slides once in each period."""
    mean, amplitude, frequency = SHAKE
    omega = 2 * math.pi * frequency
    scale = contact.static / contact.inertia
    begin = math.asin((1.0 - mean) / amplitude) / omega

    def velocity(t: float) -> float:
        return scale * (
            (mean - 1.0) * (t - begin) - amplitude / omega * (math.cos(omega * t) - math.cos(omega * begin))
        )

    end = float(brentq(velocity, begin + 0.25 / frequency, begin + 1.0 / frequency, xtol=1e-15))
    return quad(velocity, begin, end, epsabs=1e-15)[0] * frequency
