"""Axes of unknown mass: mass, friction, offset, directions and delay from position and applied force."""

from __future__ import annotations

import os
import warnings
from itertools import product
from pathlib import Path

import numpy as np
import pytest

import bristle

pytest.importorskip("scipy")

from bristle.identification.baseline import baseline
from bristle.identification.records import record
from bristle.study import emps


def test_mass_and_friction_are_found_together() -> None:
    result = bristle.identify(emps.twin(), "LuGre", units="SI", F_N=emps.F_N)
    for name, true in (("mass", emps.MASS), ("offset", emps.OFFSET), ("delay", emps.DELAY)):
        correction = result.corrections[name]
        assert correction.low <= true <= correction.high, correction
        assert correction.value == pytest.approx(true, rel=0.03)
    for name in ("mu_d", "sigma_2"):
        value = result.values[name]
        assert value.determined and value.value == pytest.approx(emps.TWIN[name], rel=0.03)
        assert value.low <= emps.TWIN[name] <= value.high
    assert "Butterworth filter of order 4 at 100 Hz both ways" in str(result)


def test_level_that_rises_with_the_speed_becomes_a_measured_curve(tmp_path: Path) -> None:
    t = np.arange(0, 8, 1e-3)
    v = 0.1 * np.sin(2 * np.pi * 0.5 * t)
    side = np.where(v > 0, 1.1, 0.9)
    level = side * 8 * np.tanh(v / 1e-4) * (1 - 0.45 * np.exp(-((v / 0.015) ** 2))) + 20 * v
    data = {"t": t, "v": v, "F": level + 0.05 * np.random.default_rng(2).standard_normal(t.size)}
    result = bristle.identify(data, "LuGre", units="SI", F_N=20.0)
    assert any("rises with the speed" in sentence for sentence in result.warnings)
    assert result.values["mu_s"].value == pytest.approx(0.55 * 0.4, rel=0.05)
    assert result.values["mu_d"].value == pytest.approx(0.4, rel=0.02)
    card = bristle.show(bristle.export(result.card("Axis"), tmp_path))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for v, side in product((0.002, 0.02, 0.08), (1.1, -0.9)):
            speed = np.copysign(v, side)
            run = bristle.Element(card).simulate(np.arange(0, 1, 1e-3), outputs=["F_R"], F_N=20.0, v=speed)["F_R"][-1]
            true = side * 8 * (1 - 0.45 * np.exp(-((speed / 0.015) ** 2))) + 20 * speed
            assert run == pytest.approx(true, rel=0.05)


def test_filters_of_an_axis_have_limits() -> None:
    data = emps.twin()
    with pytest.raises(bristle.Error, match="a corner below 450 Hz"):
        record(data, "SI", F_N=emps.F_N, cutoff=600.0)
    with pytest.raises(bristle.Error, match="neither x nor v"):
        record({"t": data["t"], "F_applied": data["F_applied"]}, "SI", F_N=emps.F_N)
    assert record(data, "SI").F_N[0] == 100.0


def test_emps_gives_the_published_results() -> None:
    path = os.environ.get(emps.VARIABLE, "")
    if not Path(path).is_file():
        pytest.skip(f"the record of EMPS is not here; set {emps.VARIABLE} to its path")
    one = emps.read(path)
    symmetric = baseline([one], ["offset"])
    for name, (value, deviation) in emps.SYMMETRIC.items():
        assert symmetric.values[name] == pytest.approx(value, abs=1e-4)
        assert 100 * symmetric.deviation[name] / abs(value) == pytest.approx(deviation, abs=0.005)
    rows = emps.table(one)
    errors = {row.model: row.found for row in rows if row.quantity.startswith("force error")}
    assert errors["symmetric"] <= 4.09
    assert errors["by direction"] <= 3.12
    assert errors["LuGre"] <= 2.2
    assert all(row.agrees for row in rows)
    mass = next(row for row in rows if row.model == "LuGre" and row.quantity == "mass")
    assert mass.half is not None and mass.half < 0.01 * mass.found
    assert "| symmetric | mass | 95.1089 | 95.1089 |" in emps.text(rows)
