"""Tasks of `cargo xtask peers`.

python -m peers measure FOLDER   search the settings, run every rig, write peers.csv and sharpness.csv
python -m peers page FOLDER      print the sections of docs/peers.md from them
python -m peers quick FOLDER     run short forms with the table's settings; fails where a number of Bristle does not hold
"""

import sys
from collections.abc import Callable
from pathlib import Path

from . import quick, sharpness, table

PEERS, SHARPNESS = "peers.csv", "sharpness.csv"


def measure(folder: Path) -> None:
    """Measures, and writes both tables."""
    table.write(table.measured(), folder / PEERS)
    sharpness.write(folder / SHARPNESS)


def page(folder: Path) -> None:
    """Prints the sections of the page."""
    print(table.page(table.read(folder / PEERS)) + sharpness.page(folder / SHARPNESS), end="")


TASKS: dict[str, Callable[[Path], None]] = {
    "measure": measure,
    "page": page,
    "quick": lambda folder: quick.check(folder / PEERS),
}

if __name__ == "__main__":
    TASKS[sys.argv[1]](Path(sys.argv[2]))
