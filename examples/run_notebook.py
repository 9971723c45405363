"""Runs friction.ipynb from top to bottom without a browser and writes it, with its pictures, to a folder.

    python examples/run_notebook.py [--out DIR]
"""

from pathlib import Path

import nbformat
from nbclient import NotebookClient

import arguments

given = arguments.parser(__doc__).parse_args()
path = arguments.result(given, "friction.ipynb")

here = Path(__file__).parent
notebook = nbformat.read(here / "friction.ipynb", as_version=4)
NotebookClient(notebook, timeout=120, kernel_name="python3", resources={"metadata": {"path": str(here)}}).execute()
pictures = sum("image/png" in output.get("data", {}) for cell in notebook.cells for output in cell.get("outputs", []))
if pictures != 3:
    raise SystemExit(f"the notebook drew {pictures} pictures, not 3; open it in Jupyter to see why")
nbformat.write(notebook, path)
print(f"{path}: {len(notebook.cells)} cells, {pictures} pictures")
