"""`python -m bristle.study`: identify synthetic records and write the table of `docs/identification.md`."""

from __future__ import annotations

import argparse
import json
import os
import sys
from pathlib import Path

from .. import _bristle
from ..identification.progress import bar
from . import score
from .run import run


def main() -> int:
    """Run the command line and return its exit code."""
    parser = argparse.ArgumentParser(prog="python -m bristle.study", description=__doc__)
    parser.add_argument("--processes", type=int, default=os.cpu_count() or 1, help="default: one per processor")
    parser.add_argument("--repeats", type=int, default=2, help="records of each condition and law (default: 2)")
    parser.add_argument("--only", nargs="*", default=(), help="conditions, as 'force converter' (default: all)")
    parser.add_argument("--docs", type=Path, help="folder of identification.md, whose table is replaced")
    parser.add_argument("--results", type=Path, help="file for the result of each record, JSON")
    parser.add_argument("--force", action="store_true", help="replace a file of results that exists")
    given = parser.parse_args()
    try:
        if given.results:
            _bristle.refuse_existing(given.results, given.force)
    except _bristle.Error as error:
        parser.error(str(error).replace("`force=True`", "--force"))
    results = run(given.processes, lambda done, count: bar("study", done / count), given.repeats, given.only)
    if given.results:
        given.results.write_text(json.dumps(results), encoding="utf-8")
    print(score.sentences(results))
    print(score.table(results))
    if given.docs:
        score.update(given.docs, results)
    return 0


if __name__ == "__main__":
    sys.exit(main())
