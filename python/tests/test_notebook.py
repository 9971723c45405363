"""The notebook of the examples: it is committed with its outputs, and runs from top to bottom."""

from __future__ import annotations

from pathlib import Path

import pytest

nbformat = pytest.importorskip("nbformat")
nbclient = pytest.importorskip("nbclient")

NOTEBOOK = Path(__file__).parents[2] / "examples" / "identify.ipynb"


def test_notebook_has_its_outputs_and_runs(tmp_path: Path) -> None:
    if not NOTEBOOK.exists():
        pytest.skip("the notebook is part of the sources, which are not here")
    notebook = nbformat.read(NOTEBOOK, as_version=4)
    code = [cell for cell in notebook.cells if cell.cell_type == "code"]
    assert sum("image/png" in output.get("data", {}) for cell in code for output in cell.outputs) >= 3
    committed = code[-1].outputs[0]["text"]
    resources = {"metadata": {"path": str(tmp_path)}}
    nbclient.NotebookClient(notebook, timeout=600, kernel_name="python3", resources=resources).execute()
    assert code[-1].outputs[0]["text"] == committed, "the numbers have changed; run the notebook and commit it"
