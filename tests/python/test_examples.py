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
    again = subprocess.run(command, capture_output=True, text=True, check=False)
    assert again.returncode != 0 and f"{result} exists already" in again.stderr


def test_friction_element_takes_every_type_of_value():
    root = EXAMPLES.parent
    script = Path(__file__).parent / "friction_element.py"
    fmus = [str(EXAMPLES), str(root / "target" / "fmu"), str(root / "target" / "fmu-cards")]
    subprocess.run([sys.executable, "-B", str(script), *fmus], check=True)
