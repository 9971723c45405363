"""Tasks of `cargo xtask peers`.

python -m peers measure FOLDER   search the settings, run every rig, write the tables
python -m peers many FOLDER      measure many contacts at once with the table's settings, write many.csv
python -m peers work FOLDER      measure work and precision with the table's settings, write work.csv
python -m peers page FOLDER      print the sections of docs/peers.md from them
python -m peers quick FOLDER     run short forms with the table's settings; fails where a number of Bristle does not hold
"""

import sys
from collections.abc import Callable
from pathlib import Path

from . import many, quick, sharpness, table, work

PEERS, SHARPNESS, MANY, WORK = "peers.csv", "sharpness.csv", "many.csv", "work.csv"


def measure(folder: Path) -> None:
    """Measures, and writes all tables."""
    table.write(table.measured(), folder / PEERS)
    sharpness.write(folder / SHARPNESS)
    many_at_once(folder)
    work_and_precision(folder)


def many_at_once(folder: Path) -> None:
    """Measures contact-steps a second."""
    many.write(folder / MANY, table.read(folder / PEERS))


def work_and_precision(folder: Path) -> None:
    """Measures error and time over the communication step."""
    work.write(folder / WORK, table.read(folder / PEERS))


def page(folder: Path) -> None:
    """Prints the sections of the page."""
    print(
        table.page(table.read(folder / PEERS)) + many.page(folder / MANY) + sharpness.page(folder / SHARPNESS), end=""
    )


TASKS: dict[str, Callable[[Path], None]] = {
    "measure": measure,
    "many": many_at_once,
    "work": work_and_precision,
    "page": page,
    "quick": lambda folder: quick.check(folder / PEERS),
}

if __name__ == "__main__":
    TASKS[sys.argv[1]](Path(sys.argv[2]))
