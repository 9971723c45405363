"""Reads the reference of an Exudyn example: the same system and law solved monolithically, by another program.

`cargo run --release -p bristle-experiments references` made the files; their first line holds the parameters.
"""

import json
from pathlib import Path

import numpy as np


def read(name):
    """The parameters as a dictionary and the columns as a structured array."""
    path = Path(__file__).parent / "reference" / f"{name}.csv"
    with path.open() as lines:
        parameters = json.loads(lines.readline().removeprefix("# "))
        table = np.genfromtxt(lines, delimiter=",", names=True)
    return parameters, table
