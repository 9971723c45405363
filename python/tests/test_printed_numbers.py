"""Numbers that a result prints are those of the record, and its element gives them again."""

from __future__ import annotations

import numpy as np
import pytest
from test_faulty_records import F_N, FRDYN2, bench, identify

import bristle

pytest.importorskip("scipy")


def test_residual_is_the_plain_root_mean_square() -> None:
    data = bench()
    rng = np.random.default_rng(3)
    data["F"] += np.where(rng.uniform(size=data["F"].size) < 0.02, rng.choice([-0.6, 0.6], data["F"].size), 0.0)
    result = identify(data, corrections=())
    left = (data["F"] - result.simulated[0])[result.records[0].valid]
    assert result.rms == pytest.approx(float(np.sqrt((left**2).mean())), rel=1e-9)
    assert f"residual {result.rms:.3g} N (root mean square)" in str(result)
    assert "beyond three deviations have less weight" in str(result)


def test_element_of_directions_and_viscous_friction_gives_the_force_of_the_fit() -> None:
    sides = {
        f"{name}_{side}": FRDYN2[name] * f
        for name in ("mu_s", "mu_d")
        for side, f in (("forward", 1.1), ("backward", 0.9))
    }
    sides |= {"sigma_2_forward": 40.0, "sigma_2_backward": 20.0}
    rest = {name: value for name, value in FRDYN2.items() if name.startswith(("v_", "sigma_0", "sigma_1"))}
    card = bristle.Card("FrDyn2Linear", parameters=rest, direction=sides)
    fine = np.linspace(0, 6, 60_001)
    v = 0.05 * np.sin(2 * np.pi * fine)
    force = bristle.Element(card).simulate(fine, outputs=["F_R"], interpolate=True, F_N=F_N, v=v)["F_R"][::10]
    noise = 0.02 * np.random.default_rng(2).standard_normal(force.size)
    result = identify({"t": fine[::10], "v": v[::10], "F": force + noise}, "FrDyn2Linear", replicates=0)
    assert "sigma_2_forward" in result.signed
    run = result.element().simulate(fine[::10], outputs=["F_R"], interpolate=True, F_N=F_N, v=v[::10])["F_R"]
    assert np.abs(run - result.simulated[0])[10:].max() < 3e-4 * FRDYN2["mu_s"] * F_N


def test_held_inputs_give_the_residual_that_is_printed() -> None:
    data = {name: values[::20] for name, values in bench(noise=1e-3).items()}
    result = identify(data, corrections=(), replicates=0)
    run = result.element().simulate(data["t"], outputs=["F_R"], F_N=F_N, v=data["v"])["F_R"]
    assert result.held_rms == pytest.approx(float(np.sqrt(((run - data["F"]) ** 2).mean())), rel=0.01)
    assert result.held_rms > 2 * result.rms
    assert f"{result.held_rms:.3g} N where inputs are held between samples" in str(result)


def test_delay_is_said_where_the_card_has_none() -> None:
    data = bench()
    data["F"] = np.concatenate([np.full(4, data["F"][0]), data["F"][:-4]])
    result = identify(data, corrections=["delay"], replicates=0)
    assert result.delay == pytest.approx(4e-3, rel=0.05)
    assert "The card has no delay: its force compares with the record" in str(result)
