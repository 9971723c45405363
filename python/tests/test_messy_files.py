"""Tables as people and loggers leave them: an answer, or a refusal in a sentence; never an exception or a warning of NumPy."""

from __future__ import annotations

import os
import re
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import bristle

pytest.importorskip("scipy")

from messy import messy

#: Number of tables; BRISTLE_MESSY=200 takes more.
COUNT = int(os.environ.get("BRISTLE_MESSY", "40"))
LAWS = ("Dahl", "LuGre", "StaticRegularized", "BrownMcPhee", "FrDyn2")


@pytest.mark.parametrize("seed", range(COUNT))
def test_messy_table_gives_an_answer_or_a_sentence(seed: int) -> None:
    data, arguments = messy(seed)
    law = LAWS[seed % len(LAWS)]

    def identified() -> str:
        result = bristle.identify(data, law, replicates=0, progress=False, **arguments)
        return f"{result}{result.card().text}"

    with warnings.catch_warnings():
        warnings.simplefilter("error", RuntimeWarning)
        for answer in (lambda: str(bristle.inspect(data, **arguments)), identified):
            try:
                assert answer()
            except bristle.Error as refusal:
                assert len(str(refusal)) > 20


def joint(level: float = 12.0, seed: int = 3) -> dict[str, np.ndarray]:
    """Torque of a joint, N m, over its speed, rad/s."""
    t = np.arange(0, 4, 2e-3)
    v = 0.5 * np.sin(2 * np.pi * t)
    force = level * (np.tanh(v / 0.01) + 0.2 * v) + 0.01 * level * np.random.default_rng(seed).standard_normal(t.size)
    return {"t": t, "v": v, "F": force}


def test_normal_force_that_no_coefficient_fits_is_refused_with_its_figure() -> None:
    with pytest.raises(bristle.Error, match=r"force of 1\d\.\d N is 1\d\.\d times F_N = 1 N.*leave F_N out"):
        bristle.identify(joint(), "BrownMcPhee", units="SI", F_N=1.0)


def test_unknown_normal_force_gives_forces(tmp_path: Path) -> None:
    units = {"t": "s", "v": "rad/s", "F": "Nm"}
    result = bristle.identify(joint(), "BrownMcPhee", units=units, radius=0.5)
    level = result.values["F_d"]
    assert level.unit == "N.m" and level.determined
    assert level.low <= 12.0 <= level.high
    card = result.card()
    assert "normal_force" in card.text
    element = bristle.Element(card)
    run = element.simulate(np.linspace(0, 1, 100), outputs=["M_R"], F_N=result.normal_force, omega=0.3)["M_R"][-1]
    assert run == pytest.approx(12 * 1.06, rel=0.03)
    assert result.held_rms is not None and result.held_rms > result.rms
    pytest.importorskip("matplotlib")
    result.report(tmp_path / "joint.html")
    sliding = bristle.identify(joint(), "BrownMcPhee", units="SI")
    assert sliding.values["F_d"].unit == "N"
    assert sliding.values["F_d"].value == pytest.approx(12.0, rel=0.03)
    fixed = bristle.identify(joint(), "BrownMcPhee", units="SI", fixed={"F_d": 12.0})
    assert fixed.values["F_d"].value == pytest.approx(12.0) and fixed.values["F_d"].held
    with pytest.raises(bristle.Error, match="F_d was given to fix where F_N is known"):
        bristle.identify(joint(), "BrownMcPhee", units="SI", F_N=100.0, fixed={"F_d": 12.0})


@pytest.mark.parametrize("normal", [3.0, 1.6])
def test_levels_up_to_the_bound_of_the_element_are_found(normal: float) -> None:
    result = bristle.identify(joint(), "BrownMcPhee", units="SI", F_N=normal, replicates=0)
    assert result.values["mu_d"].value == pytest.approx(12.0 / normal, rel=0.05)


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"F": 1e-3}, r"F reaches 0\.01\d+ N at F_N = 50 N.*is F in kN, or a coefficient itself"),
        ({"F": 1 / 50}, r"a coefficient of friction of 0\.00\d+: is F in kN, or a coefficient itself"),
        ({"F": 15.0}, r"is F_N in kN, or unknown"),
        ({"v": 1e3}, r"v reaches 500 m/s: is it in mm/s"),
    ],
)
def test_implausible_sizes_are_named_with_the_figure(change: dict[str, float], sentence: str) -> None:
    data = joint()
    for name, factor in change.items():
        data[name] = data[name] * factor
    found = "\n".join(bristle.inspect(data, "SI", F_N=50.0).findings)
    assert re.search(sentence, found), found


def test_exchanged_columns_are_named() -> None:
    data: dict[str, Any] = joint()
    assert "exchange the columns" not in str(bristle.inspect(data, "SI", F_N=50.0))
    data["v"], data["F"] = data["F"], data["v"]
    assert "exchange the columns of v and F" in str(bristle.inspect(data, "SI", F_N=50.0))


@pytest.mark.parametrize("rows", ["seventh", "twenty"])
def test_encoder_record_with_lost_rows_is_identified(rows: str) -> None:
    t = np.arange(0, 4, 1e-3)
    x = np.round((1 - np.cos(2 * np.pi * t)) * 0.01 / 1e-6) * 1e-6
    force = 8 * np.tanh(np.sin(2 * np.pi * t) / 0.02) + 0.1 * np.random.default_rng(0).standard_normal(t.size)
    lost = np.arange(t.size) % 7 == 3
    if rows == "twenty":
        lost = np.isin(np.arange(t.size), np.random.default_rng(1).integers(10, t.size - 10, 20))
    data = {"t": t[~lost], "x": x[~lost], "F": force[~lost]}
    result = bristle.identify(data, "BrownMcPhee", units="SI", F_N=20.0, encoder_step=1e-6)
    assert result.values["mu_d"].value == pytest.approx(0.4, rel=0.03)
