"""Records of everyday files: names that are found, faults by line and path, and files of the user that stay."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import bristle

pytest.importorskip("scipy")

from bristle.identification import records

#: Times (s), velocities (m/s) and forces (N) of a short record.
T = np.arange(100) * 0.01
V = np.round(0.05 * np.sin(8 * T), 4)
FORCE = np.round(4 * np.tanh(V / 0.005), 2)
RADIUS, RPM = 0.04, 2 * np.pi / 60


def write(path: Path, header: str, *columns: np.ndarray) -> Path:
    np.savetxt(
        path, np.stack(columns, axis=1), delimiter=",", header=header, comments="", fmt="%.12g", encoding="utf-8"
    )
    return path


@pytest.mark.parametrize(
    ("header", "scales"),
    [
        ("time [s],v [m/s],F [N]", (1, 1, 1)),
        ("Zeit [ms],n [rpm],M [Nm]", (1e-3, RADIUS * RPM, 1 / RADIUS)),
        ("Zeit [s],Drehzahl [1/min],Reibmoment [N.m]", (1, RADIUS * RPM, 1 / RADIUS)),
        ("time [s],omega [rad/s],tau_f [N.mm]", (1, RADIUS, 1e-3 / RADIUS)),
        ("t [s],Geschwindigkeit [mm/s],Reibkraft [kN]", (1, 1e-3, 1e3)),
    ],
)
def test_names_of_curves_are_found_in_files_and_mappings(
    header: str, scales: tuple[float, float, float], tmp_path: Path
) -> None:
    columns = [values / scale for values, scale in zip((T, V, FORCE), scales)]
    path = write(tmp_path / "rig.csv", header, *columns)
    frame = dict(zip(header.split(","), columns))
    for data in (path, frame):
        one = records.record(data, F_N=9.0, radius=RADIUS)
        assert np.allclose(one.t, T, rtol=1e-9, atol=1e-12)
        assert np.allclose(one.v, V, rtol=1e-9, atol=1e-12)
        assert np.allclose(one.F, FORCE, rtol=1e-9, atol=1e-12)


def test_columns_and_units_with_a_wrong_key_or_an_unknown_name_are_refused(tmp_path: Path) -> None:
    path = write(tmp_path / "rig.csv", "clock [s],v [m/s],F [N]", T, V, FORCE)
    frame = {"clock [s]": T, "v [m/s]": V, "F [N]": FORCE}
    for data in (path, frame):
        with pytest.raises(bristle.Error, match=r"has no t among its columns `clock.*columns=\{'t': …\}"):
            records.record(data, F_N=9.0)
        with pytest.raises(
            bristle.Error, match=r"found the key 'time' in columns, expected one of t, v, x, F_N, F, F_applied"
        ):
            records.record(data, F_N=9.0, columns={"time": "clock"})
        with pytest.raises(bristle.Error, match=r"found the key 'force' in units, expected one of t, v, .*clock"):
            records.record(data, {"force": "kN"}, F_N=9.0, columns={"t": "clock"})
        assert np.allclose(records.record(data, {"clock": "ms"}, F_N=9.0, columns={"t": "clock"}).t, 1e-3 * T)
        assert records.record(data, columns={"t": "clock"}).nominal
    # The position by its name goes before a velocity by another one, which may be that of the drive.
    position = {"t [s]": T, "x [m]": np.cumsum(V) * 0.01, "speed [m/s]": 0 * V, "F [N]": FORCE}
    assert records.record(position, F_N=9.0, encoder_step=1e-6).position is not None
    both = write(tmp_path / "both.csv", "t [s],v [m/s],Reibkraft [N],M [Nm]", T, V, FORCE, FORCE)
    with pytest.raises(
        bristle.Error, match=r"found `Reibkraft` and `M` for F, expected one; name it by columns=\{'F': …\}"
    ):
        records.record(both, F_N=9.0)


def test_numbers_that_are_none_and_times_that_repeat_are_named_with_line_and_path(tmp_path: Path) -> None:
    force, time = FORCE.copy(), T.copy()
    force[[3, 7]] = np.nan, np.inf
    path = write(tmp_path / "rig.csv", "t [s],v [m/s],F [N]", T, V, force)
    with pytest.raises(bristle.Error) as refusal:
        records.record(path, F_N=9.0)
    assert str(refusal.value).splitlines() == [
        f"{path}:5: found NaN in `F`, expected a finite number",
        f"{path}:9: found inf in `F`, expected a finite number",
    ]
    time[20] = time[19]
    path = write(tmp_path / "rig.csv", "t [s],v [m/s],F [N]", time, V, FORCE)
    with pytest.raises(bristle.Error) as refusal:
        records.record(path, F_N=9.0)
    assert str(refusal.value) == f"{path}:22: found the time 0.19 s after 0.19 s, expected times that rise"
    with pytest.raises(FileNotFoundError, match=r"missing\.csv"):
        records.record(tmp_path / "missing.csv", "SI", F_N=1.0)


def test_units_that_are_words_or_have_odd_prefixes_are_refused(tmp_path: Path) -> None:
    path = write(tmp_path / "rig.csv", "t [s],omega [Grad/s],F [N]", T, V, FORCE)
    with pytest.raises(bristle.Error, match=r'unknown unit "Grad/s".*did you mean `deg/s`'):
        records.record(path, F_N=9.0, radius=0.04)
    with pytest.raises(bristle.Error, match=r'unknown unit "Mm/s", expected a velocity in m/s'):
        records.record({"t": T, "v": V, "F": FORCE}, {"t": "s", "v": "Mm/s", "F": "N"}, F_N=9.0)


def has_libraries(folder: Path) -> bool:
    """Whether the package has libraries, as that of the tests of the whole."""
    try:
        bristle.export("LuGre", folder / "libraries")
    except bristle.Error:
        return False
    return True


def test_files_that_exist_are_replaced_with_force_only(tmp_path: Path) -> None:
    card = bristle.Card("LuGre", name="Pad")
    plan = bristle.plan_experiment("LuGre", F_N=10.0)
    writers = {
        "plan.csv": lambda path, **force: bristle.plan_experiment("LuGre", None, path, F_N=10.0, **force),
        "motion.csv": plan.save,
        "pad.toml": card.save,
        "Pad.fmu": lambda path, **force: bristle.export(card, path, **force),
    }
    for name, write_to in writers.items():
        path = tmp_path / name
        path.write_text("of the user", encoding="utf-8")
        with pytest.raises(
            bristle.Error, match=f"{name} exists already; give another name, or `force=True` to replace it"
        ):
            write_to(path)
        assert path.read_text(encoding="utf-8") == "of the user"
        with pytest.raises(bristle.Error, match="in capital letters only"):
            write_to(path.with_name(f"{path.stem.upper()}{path.suffix}" if name != "Pad.fmu" else "PAD.fmu"))
        if name == "Pad.fmu" and not has_libraries(tmp_path):
            continue
        write_to(path, force=True)
        assert path.read_bytes() != b"of the user"
    if has_libraries(tmp_path):
        # An FMU of Bristle is made again of its card.
        bristle.export(card, tmp_path / "Pad.fmu")


def test_study_of_the_pad_replaces_no_record(tmp_path: Path) -> None:
    def run(*options: str) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-m", "bristle.study.pad", "--out", str(tmp_path), *options]
        return subprocess.run(command, capture_output=True, text=True, check=False)

    (tmp_path / "pad.csv").write_text("measured", encoding="utf-8")
    refused = run()
    assert refused.returncode != 0
    assert "pad.csv exists already; give another name, or --force to replace it" in refused.stderr
    assert (tmp_path / "pad.csv").read_text(encoding="utf-8") == "measured"
    assert not (tmp_path / "pad_truth.toml").exists()
    assert run("--force").returncode == 0
    assert (tmp_path / "pad.csv").read_text(encoding="utf-8").startswith("t [s],x [um],F [N]")
