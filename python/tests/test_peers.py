"""Coulomb's exact solutions of the rigs of docs/peers.md, against an integration with events."""

from __future__ import annotations

import math
from dataclasses import replace
from functools import partial
from pathlib import Path

import numpy as np
import pytest
from scipy.integrate import solve_ivp

from peers import quick, rigs, table
from peers.bristle_peers import Block
from peers.contact import Contact, Load


def coulomb(contact: Contact, load: Load, end: float) -> tuple[np.ndarray, np.ndarray, list[float]]:
    """Times, positions and the begins of slip of Coulomb's body, by modes and events."""
    t, x, v, times, places, begins = 0.0, contact.start, 0.0, [0.0], [contact.start], []

    def applied(t: float, x: float) -> float:
        return load(t, x) + contact.stiffness * (contact.pull * t - x)

    while t < end:
        here = x

        def over(t: float, _: np.ndarray, here: float = here) -> float:
            return abs(applied(t, here)) - contact.static

        over.terminal, over.direction = True, 1.0
        if over(t, np.array([])) < 0:
            stick = solve_ivp(lambda t, y: [0.0], (t, end), [0.0], events=over, max_step=1e-3, rtol=1e-10)
            t = stick.t[-1]
            times.append(t)
            places.append(x)
            if t >= end:
                break
        side = math.copysign(1.0, applied(t, x))
        begins.append(t)

        def rates(t: float, y: np.ndarray, side: float = side) -> list[float]:
            return [y[1], (applied(t, y[0]) - side * contact.dynamic) / contact.inertia]

        def rest(t: float, y: np.ndarray, side: float = side, begin: float = t) -> float:
            return side * y[1] if t > begin + 1e-5 else 1.0

        rest.terminal, rest.direction = True, -1.0
        slip = solve_ivp(rates, (t, end), [x, v], events=rest, max_step=1e-3, rtol=1e-11, atol=1e-13)
        t, (x, v) = slip.t[-1], slip.y[:, -1]
        v = 0.0
        times += list(slip.t)
        places += list(slip.y[0])
    return np.array(times), np.array(places), begins


def test_period_on_the_belt_is_that_of_events() -> None:
    for contact in (rigs.BELT, replace(rigs.BELT, inertia=3.0, pull=0.25)):
        _, _, begins = coulomb(contact, rigs.NOTHING, 6 * rigs.belt_period(contact) + 1.0)
        assert np.diff(begins)[1:] == pytest.approx(rigs.belt_period(contact), rel=1e-5)


def test_pendulum_rests_where_events_say() -> None:
    angle, rest = rigs.pendulum_rest(rigs.PENDULUM)
    times, places, begins = coulomb(rigs.PENDULUM, rigs.GRAVITY, 8.0)
    assert places[-1] == pytest.approx(angle, abs=1e-6)
    moving = times[np.abs(places - places[-1]) > 1e-8]
    assert moving[-1] == pytest.approx(rest, abs=2e-3)
    assert len(begins) > 2


def test_break_away_on_a_ramp_is_that_of_events() -> None:
    for ramp in (0.1, 1e-3):
        exact = rigs.break_away_time(rigs.BLOCK, ramp)
        load = rigs.ramped(rigs.OVER * rigs.BLOCK.static, ramp)
        begin = coulomb(rigs.BLOCK, load, exact)[2][0]
        rates = partial(excess, load)
        run = solve_ivp(rates, (begin, exact), [0.0, 0.0], rtol=1e-11, atol=1e-14, max_step=1e-4)
        assert run.y[0, -1] == pytest.approx(rigs.MOVED, rel=1e-6)


def excess(load: Load, t: float, state: np.ndarray) -> list[float]:
    """Velocity and acceleration of the sliding block."""
    return [state[1], (load(t, 0.0) - rigs.BLOCK.dynamic) / rigs.BLOCK.inertia]


def test_incline_slides_as_far_as_with_events() -> None:
    contact = replace(rigs.BLOCK, dynamic=rigs.BLOCK.static)
    load = rigs.sine(contact, rigs.SHAKE, 1e-9)
    times, places, _ = coulomb(contact, load, 0.6)
    ends = np.interp([0.2, 0.6], times, places)
    assert (ends[1] - ends[0]) / 0.4 == pytest.approx(rigs.shaken_velocity(contact), rel=1e-5)


EXACT = ["incline", "pendulum", "energy", "joint", "light joint"]


def test_blocks_with_exact_stick_are_on_the_solutions() -> None:
    coulombs = rigs.incline(Block("Coulomb")) | rigs.pendulum(Block("Coulomb")) | rigs.joints(Block("Coulomb"))
    assert coulombs == pytest.approx(dict.fromkeys(EXACT, 0), abs=1e-3)
    assert rigs.belt(Block("ModelicaFriction"), 8.0)["belt"] == pytest.approx(0, abs=1e-3)


def test_short_form_names_a_number_that_does_not_hold() -> None:
    row = table.Row("Bristle", law="FrDyn2Linear", friction="block", measures={"hold": 1e-9, "belt": 0.0313})
    law = {"belt": 0.0312}
    assert quick.wrong(row, law) == ["block of FrDyn2Linear: hold is 1e-09, 0 within 1e-12 are expected"]
    row.measures = {"hold": 1e-18, "belt": math.nan}
    assert len(quick.wrong(row, law)) == 1


def test_table_is_read_as_it_was_written(tmp_path: Path) -> None:
    rows = [table.Row("MuJoCo", "4", "frictionloss", "Coulomb", {"time": "2h"}, 24, "", False, {"hold": 1e-7})]
    rows.append(table.Row("Simbody", reason="no package"))
    table.write(rows, tmp_path / "peers.csv")
    assert table.read(tmp_path / "peers.csv") == rows
