"""Every script of examples/ as a user runs it, on the FMUs in target/fmu and target/fmu-cards. The scripts compare themselves with their
references, and fail where they are off.

    pytest tests/python/test_examples.py
"""

import importlib.util
import subprocess
import sys
from pathlib import Path

import pytest

EXAMPLES = Path(__file__).parents[2] / "examples"

# Script with its arguments, the packages that it needs, and its result.
SCRIPTS = [
    # As the tutorial calls it.
    ("friction_loop.py FrDyn2 --frequency 5 --amplitude 0.02 mu_s=0.5", "fmpy matplotlib", "friction_loop_FrDyn2.png"),
    ("body_on_friction.py", "fmpy matplotlib", "body_on_friction.png"),
    ("belt_slider.py", "fmpy", "belt_slider.csv"),
    ("reference_master.py", "fmpy", "reference_master.csv"),
    ("exudyn_block.py", "fmpy matplotlib tqdm exudyn", "exudyn_block.png"),
    ("exudyn_festoon.py", "fmpy matplotlib tqdm exudyn", "exudyn_festoon.png"),
    ("exudyn_joint.py", "fmpy matplotlib tqdm exudyn", "exudyn_joint.png"),
    ("exudyn_feet.py", "fmpy matplotlib tqdm exudyn", "exudyn_feet.png"),
    ("mujoco_joint.py", "fmpy matplotlib mujoco", "mujoco_joint.png"),
    ("coupling_survey.py --short", "fmpy exudyn mujoco tqdm", "coupling_survey.csv"),
    ("sweep_dask.py --workers 2", "fmpy matplotlib tqdm distributed pyarrow", "sweep.parquet"),
    ("system_ssp.py", "fmpy pythonfmu", "system.ssp"),
    ("run_notebook.py", "fmpy matplotlib ipykernel nbclient", "friction.ipynb"),
]


@pytest.mark.parametrize(("call", "packages", "result"), SCRIPTS, ids=[call.split()[0] for call, _, _ in SCRIPTS])
def test_script_leaves_its_result(call, packages, result, tmp_path):
    for package in packages.split():
        if importlib.util.find_spec(package) is None:
            pytest.skip(f"Python cannot load {package}; its wheel does not fit this machine")
    script, *arguments = call.split()
    # No caches of compiled scripts beside the sources.
    command = [sys.executable, "-B", str(EXAMPLES / script), *arguments, "--out", str(tmp_path)]
    ended = subprocess.run(command, capture_output=True, text=True, check=False)
    print(ended.stdout)
    assert ended.returncode == 0, ended.stderr
    assert (tmp_path / result).exists()
    if script == "body_on_friction.py":
        printed_rows_are_those_of_the_readme(ended.stdout)
    again = subprocess.run(command, capture_output=True, text=True, check=False)
    assert again.returncode != 0 and f"{result} exists already" in again.stderr


def printed_rows_are_those_of_the_readme(printed):
    page = (EXAMPLES / "README.md").read_text(encoding="utf-8")
    _, table = page.split("| H, s | m_eff, kg | slips |")
    rows = [row.strip("|").split("|") for row in table.splitlines()[2:9]]
    rows = [[float(cell) for cell in row] for row in rows]
    found = [[float(number) for number in row.split()] for row in printed.splitlines()[2:-1]]
    assert len(rows) == len(found) == 7
    for expected, row in zip(rows, found, strict=True):
        # A body that rattles repeats its numbers to some per cent only, whatever changes.
        is_smooth = row[0] == 1e-4 or row[1] == 1.0
        assert row == pytest.approx(expected, rel=2e-3 if is_smooth else 0.2)


def test_friction_element_takes_every_type_of_value():
    root = EXAMPLES.parent
    script = Path(__file__).parent / "friction_element.py"
    fmus = [str(EXAMPLES), str(root / "target" / "fmu"), str(root / "target" / "fmu-cards")]
    subprocess.run([sys.executable, "-B", str(script), *fmus], check=True)


def test_every_fmu_passes_its_own_experiments():
    pytest.importorskip("fmpy")
    specification = importlib.util.spec_from_file_location("verify", EXAMPLES / "verify.py")
    verify = importlib.util.module_from_spec(specification)
    specification.loader.exec_module(verify)
    fmus = sorted((EXAMPLES.parent / "target" / "fmu").glob("*.fmu"))
    assert fmus
    for fmu in fmus:
        deviations = verify.verify(str(fmu))
        assert set(deviations) == {"sine.csv", "load.csv"}
        assert max(deviations.values()) < 1e-4, (fmu.name, deviations)
