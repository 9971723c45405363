"""The tutorial: its commands and its Python run as written, in order."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("scipy")
pytest.importorskip("matplotlib")
pytest.importorskip("fmpy")

TUTORIAL = Path(__file__).parents[2] / "docs" / "tutorial-identify.md"


def test_tutorial_runs_as_written(tmp_path: Path) -> None:
    if not TUTORIAL.exists():
        pytest.skip("the tutorial is part of the sources, which are not here")
    text = TUTORIAL.read_text(encoding="utf-8")
    assert "venv/bin/python -m bristle.study.pad" in text
    subprocess.run([sys.executable, "-m", "bristle.study.pad"], cwd=tmp_path, check=True, capture_output=True)
    assert "venv/bin/python -m bristle.study.emps --twin axis.csv" in text
    twin = [sys.executable, "-m", "bristle.study.emps", "--twin", "axis.csv"]
    subprocess.run(twin, cwd=tmp_path, check=True, capture_output=True)
    blocks = re.findall(r"```python\n(.*?)```", text, re.DOTALL)
    script = tmp_path / "tutorial.py"
    script.write_text("\n".join(blocks), encoding="utf-8")
    run = subprocess.run([sys.executable, script], cwd=tmp_path, check=False, capture_output=True, text=True)
    assert run.returncode == 0, run.stderr
    assert "LuGre: the others leave larger residuals" in run.stdout
    for line in re.findall(r"^- `(.*?)`", text, re.MULTILINE):
        assert line in run.stdout, line
    assert all((tmp_path / name).exists() for name in ("pad.html", "plan.csv", "Pad.fmu"))
    header = (tmp_path / "pad.csv").read_text(encoding="utf-8").splitlines()[0]
    assert header in text


def test_elements_of_the_first_tutorial_run_as_written(tmp_path: Path) -> None:
    page = TUTORIAL.with_name("tutorial-first-fmu.md")
    if not page.exists():
        pytest.skip("the tutorial is part of the sources, which are not here")
    blocks = re.findall(r"```python\n(.*?)```", page.read_text(encoding="utf-8"), re.DOTALL)
    [block] = [block for block in blocks if "import bristle" in block]
    run = subprocess.run([sys.executable, "-c", block], cwd=tmp_path, check=False, capture_output=True, text=True)
    assert run.returncode == 0, run.stderr
    # Full sliding has mu_d F_N = 2.94 N, and the peak is below mu_s F_N = 4.905 N.
    assert 2.94 < float(run.stdout.split()[0]) <= 4.905
    assert (tmp_path / "Pad.fmu").exists()
