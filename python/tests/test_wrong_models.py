"""A model that is wrong is called so, by what its residual follows; one that is right is not."""

from __future__ import annotations

import numpy as np
import pytest

import bristle

pytest.importorskip("scipy")

from bristle.identification.misfit import explained
from bristle.study import run
from bristle.study.synthetic import Synthetic, draw


def identify(synthetic: Synthetic, law: str = "", **options: object) -> bristle.Identification:
    options = {**synthetic.arguments(), "replicates": 0, **options}
    return bristle.identify(synthetic.data, law or synthetic.law, **options)


@pytest.mark.parametrize(
    ("true", "fitted", "kind", "cause"),
    [("LuGre", "Dahl", "c", "v"), ("StaticRegularized", "LuGre", "e", "v"), ("FrDyn2", "LuGre", "e", "history")],
)
def test_wrong_law_is_named_and_determines_nothing(true: str, fitted: str, kind: str, cause: str) -> None:
    result = identify(draw(205, true, kind), fitted)
    assert result.misfit.strongest[0] == cause
    assert str(result).startswith("The model is wrong: the law leaves")
    assert not any(value.determined for value in result.values.values())


@pytest.mark.parametrize(("cause", "column"), [("load", "t"), ("position", "x"), ("warming", "t")])
@pytest.mark.parametrize("law", ["LuGre", "BrownMcPhee"])
def test_cause_beside_the_speed_is_named(cause: str, column: str, law: str) -> None:
    result = identify(draw(302, law, "e", cause=cause))
    assert result.misfit.strongest == [column]
    assert "changes along the path" in str(result) if column == "x" else "changes in time: warm up first" in str(result)
    assert not any(value.determined for value in result.values.values())


def test_further_column_is_named_where_the_residual_follows_it() -> None:
    """Without corrections the column is named; else the level follows it, and the card's normal force takes the factor."""
    synthetic = draw(300, "BrownMcPhee", "c", cause="load")
    load = synthetic.truth["load"]
    synthetic.data["load cell"] = load
    synthetic.data["temperature"] = 20 + synthetic.data["t"]
    without = identify(synthetic, corrections=())
    assert without.misfit.strongest[0] == "load cell"
    assert "of its mean square follows the column `load cell`" in str(without)
    result = identify(synthetic)
    level = result.corrections["level by load cell"]
    assert level.value == pytest.approx(1 / load.mean(), rel=0.01)
    assert level.low <= 1 / load.mean() <= level.high and level.gain == pytest.approx(without.rms / result.rms)
    assert f"give its input F_N the factor 1 + {level.value:.4g} (load cell − {load.mean():.4g})" in str(result)
    for name in ("mu_s", "mu_d"):
        value, true = result.values[name], synthetic.parameters[name] * load.mean() / synthetic.F_N
        assert value.determined and value.value == pytest.approx(true, rel=0.01)
    factor = 1 + level.value * (load - load.mean())
    t, v = synthetic.data["t"], synthetic.data["v"]
    force = result.element().simulate(t, interpolate=True, F_N=synthetic.F_N * factor, v=v)["F_R"]
    noise = np.std(synthetic.data["F"] - synthetic.truth["F"])
    assert np.std(force - synthetic.data["F"]) < 1.05 * noise
    known = {**synthetic.data, "F_N": synthetic.data.pop("load cell")}
    arguments = {**synthetic.arguments(), "F_N": None, "replicates": 0}
    assert not bristle.identify(known, "BrownMcPhee", **arguments).misfit.reason


@pytest.mark.parametrize("law", ["Dahl", "LuGre", "FrDyn2Linear", "StaticRegularized"])
@pytest.mark.parametrize(("noise", "step"), [("white", None), ("coloured", None), ("white", 1 / 20)])
def test_right_law_is_not_accused(law: str, noise: str, step: float | None) -> None:
    result = identify(draw(401, law, "e", noise, step))
    assert not result.misfit.reason
    assert "explains the record: it leaves" in str(result)


def test_correlated_noise_explains_nothing_of_the_other_half() -> None:
    rng = np.random.default_rng(5)
    noise = np.convolve(rng.standard_normal(8100), np.ones(60) / 60, "valid")[:8000]
    t = np.linspace(0, 8, noise.size)
    every = np.ones(noise.size, bool)
    for signal in (np.sin(2 * np.pi * t), t):
        assert explained(signal, np.cos(7 * t) > 0, noise, every) < 0.05 * float(noise @ noise)
    assert explained(t, every, noise + 0.5 * np.sin(t), every) > 0.5 * float(((0.5 * np.sin(t)) ** 2).sum())


def test_motion_that_is_measured_too_coarsely_is_told_from_a_wrong_model() -> None:
    synthetic = draw(20_022, "FrDyn2", "c", rate=20.0, duration=30.0)
    result = identify(synthetic)
    assert result.misfit.hidden
    assert str(result).startswith("The record cannot judge the model: it leaves")
    assert not any(value.determined for value in result.values.values())


def test_residual_that_repeats_with_the_motion_is_a_misfit() -> None:
    result = identify(run.Case("wrong law", "BrownMcPhee", "c", 20_146).synthetic(), "FrDyn2")
    assert result.misfit.strongest == ["period"]
    assert "follows the period of the motion; take another law" in str(result)


def test_few_samples_in_a_reversal_do_not_tell_the_bristle_from_a_delay() -> None:
    """Its fit has a stiffness nine times the true one, and explains the record to the noise."""
    synthetic = run.Case("all but clipping", "FrDyn2", "c", 20_094).synthetic()
    result = identify(synthetic)
    true = synthetic.parameters["sigma_0"]
    value = result.values["sigma_0"]
    assert "delay" in result.corrections
    assert value.low <= true <= value.high or "do not tell the bristle from the delay" in value.reason


def test_second_sensor_of_the_force_is_no_cause() -> None:
    synthetic = draw(401, "Dahl", "c")
    synthetic.data["current"] = 0.3 * synthetic.data["F"]
    assert not identify(synthetic).misfit.reason
