"""Cards, export and the command."""

from __future__ import annotations

import pickle
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import bristle

fmpy = pytest.importorskip("fmpy")


def pad() -> bristle.Card:
    return bristle.Card(
        "FrDyn2Linear", name="FrontPad", parameters={"mu_s": 0.42, "mu_d": {"value": 0.31, "max": 0.4}}, inputs=["mu_s"]
    )


def test_card_reads_back_from_text_file_and_fmu(tmp_path: Path) -> None:
    card = pad()
    assert bristle.Card.from_text(card.text) == card
    card.save(tmp_path / "pad.toml")
    assert bristle.Card.from_file(tmp_path / "pad.toml") == card
    path = bristle.export(card, tmp_path)
    assert path == tmp_path / "FrontPad.fmu"
    assert bristle.show(path) == card
    assert bristle.Element(path)["mu_s"] == 0.42
    assert card.replace(mu_d=0.2).parameters["mu_d"] == 0.2
    assert card.replace(name="Other").guid != card.guid


def test_faulty_card_names_every_fault() -> None:
    with pytest.raises(bristle.CardError) as caught:
        bristle.Card("LuGre", name="2", parameters={"mu_z": 1.0, "sigma_0": -1.0})
    assert len(str(caught.value).splitlines()) == 3
    with pytest.raises(bristle.InputError, match="did you mean"):
        pad().replace(mu_z=1.0)


def test_command_of_the_package(tmp_path: Path) -> None:
    run = subprocess.run(
        [sys.executable, "-m", "bristle", "list"], capture_output=True, text=True, check=True, cwd=tmp_path
    )
    assert "FrDyn2Linear" in run.stdout
    failed = subprocess.run(
        [sys.executable, "-m", "bristle", "show", "no.fmu"], capture_output=True, text=True, check=False, cwd=tmp_path
    )
    assert failed.returncode == 1
    assert "no.fmu cannot be read" in failed.stderr


@pytest.mark.parametrize("law", bristle.laws())
def test_element_equals_its_fmu_in_bits(law: str, tmp_path: Path) -> None:
    """The FMU in FMPy, call by call, beside `simulate`: all outputs and states, held and interpolated inputs."""
    declared = bristle.laws()[law]
    card = bristle.Card(law, outputs="all")
    path = str(bristle.export(card, tmp_path))
    t = np.cumsum(np.r_[0.0, np.tile([1e-4, 1e-3, 3e-3], 100)])
    signals = {"F_N": 10 + 3 * np.sin(20 * t), "v": 0.02 * np.sin(2 * np.pi * 5 * t) * (t > 0.01)}
    names = [name for name, variable in declared.variables.items() if variable.role == "input"]
    given = {name: signals.get(name, np.cos(50 * t)) for name in names}
    start = {"m_eff": 1.0} if "m_eff" in declared.parameters else {}
    for interpolate in (False, True):
        for parameters in [{}, start]:
            element = bristle.Element(card, **parameters)
            found = element.simulate(t, interpolate=interpolate, **given)
            expected = run_fmu(path, t, given, [name for name in found if name != "t"], parameters, interpolate)
            for name, values in expected.items():
                assert np.array_equal(found[name], values), name


def run_fmu(path, t, inputs, outputs, parameters, interpolate):  # type: ignore[no-untyped-def]
    """Outputs of an FMU, stepped from time to time."""
    description = fmpy.read_model_description(path)
    references = {variable.name: variable.valueReference for variable in description.modelVariables}
    flags = {variable.name for variable in description.modelVariables if variable.type == "Boolean"}
    folder = fmpy.extract(path)
    fmu = fmpy.fmi2.FMU2Slave(
        guid=description.guid,
        unzipDirectory=folder,
        modelIdentifier=description.coSimulation.modelIdentifier,
        instanceName="one",
    )
    fmu.instantiate()
    fmu.setupExperiment(startTime=t[0])
    fmu.enterInitializationMode()
    for name, value in parameters.items():
        fmu.setReal([references[name]], [value])
    keys = [references[name] for name in inputs]
    fmu.setReal(keys, [values[0] for values in inputs.values()])
    fmu.exitInitializationMode()
    found = {name: [] for name in outputs}

    def read() -> None:
        for name, column in found.items():
            get = fmu.getBoolean if name in flags else fmu.getReal
            column.append(get([references[name]])[0])

    read()
    # The sum of the steps, as a master that counts them has it.
    now = t[0]
    for i in range(t.size - 1):
        h = t[i + 1] - t[i]
        fmu.setReal(keys, [values[i] for values in inputs.values()])
        if interpolate:
            slopes = [(values[i + 1] - values[i]) / h for values in inputs.values()]
            fmu.setRealInputDerivatives(keys, [1] * len(keys), slopes)
        fmu.doStep(now, h)
        now += h
        read()
    fmu.terminate()
    fmu.freeInstance()
    return {name: np.array(column) for name, column in found.items()}


def test_card_of_a_path_is_that_of_the_file(tmp_path: Path) -> None:
    path = tmp_path / "pad.toml"
    pad().save(path)
    assert bristle.Card(str(path)) == pad()
    with pytest.raises(bristle.InputError, match="is a file"):
        bristle.Card(str(path), parameters={"mu_s": 0.5})
    with pytest.raises(FileNotFoundError):
        bristle.Card(str(tmp_path / "rail.toml"))


def test_card_says_what_its_numbers_mean_and_what_is_unusual() -> None:
    card = bristle.Card("FrDyn2", normal_force=1000.0)
    meanings = {name: (value, unit) for name, value, unit, _ in card.meanings()}
    assert meanings["F_s"] == (pytest.approx(600.0), "N")
    assert meanings["F_s/sigma_0"] == (pytest.approx(1.2), "µm")
    assert meanings["F_N, largest"][0] == pytest.approx(6385.0, rel=1e-3)
    assert card.parameters["sigma_0"] == 5e8
    assert card.remarks() == []
    (remark,) = bristle.Card("FrDyn2", motion="rotational", radius=40).remarks()
    assert remark.startswith("radius = 40 m") and "mm for m?" in remark


def test_torque_joint_speaks_of_torques() -> None:
    joint = bristle.Card("FrDyn2", motion="rotational", parameters={"M_s": 2.0, "M_d": 1.0})
    element = bristle.Element(joint)
    assert element.step(0.5, omega=20.0) == pytest.approx(1.0, rel=1e-5)
    assert element.variables["k"].unit == "N.m/rad"
    assert "F_N" not in element.variables
    assert pickle.loads(pickle.dumps(joint)) == joint
    assert joint.replace(M_s=3.0).parameters["M_s"] == 3.0
    assert [row[0] for row in joint.meanings()][:2] == ["M_s", "M_d"]
    with pytest.raises(bristle.CardError, match=r"M_s in N\.m"):
        bristle.Card("FrDyn2", motion="rotational")


def test_gear_and_units_of_a_card_hold_in_python() -> None:
    worm = bristle.Card(
        "LuGre", motion="rotational", parameters={"M_s": 0.1, "M_d": 0.1}, gear={"k_m": 0.2, "k_e": 1.0}
    )
    assert bristle.Element(worm).step(0.5, omega=20.0, tau_m=1.0, tau_e=-2.0) == pytest.approx(2.3, rel=1e-5)
    pad = bristle.Card("LuGre", units={"length": "mm", "force": "kN"})
    element = bristle.Element(pad)
    assert element.step(0.5, F_N=0.02, v=300.0) == pytest.approx(0.02 * 0.3, rel=1e-5)
    assert element.variables["v"].unit == "mm/s"
    assert pad.replace(sigma_0=4.0).parameters["sigma_0"] == 4.0
    given = bristle.Element(bristle.Card("LuGre", parameters={"F_N": 25.0}))
    assert given.step(0.5, v=0.5) == pytest.approx(7.5, rel=1e-5)
