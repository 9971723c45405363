"""`python -m bristle.study`: identify synthetic records and write the tables of `docs/identification.md`."""

from __future__ import annotations

import argparse
import os
import sys
import time
from pathlib import Path

from . import page, score
from .run import run


def main() -> int:
    """Run the command line and return its exit code."""
    parser = argparse.ArgumentParser(prog="python -m bristle.study", description=__doc__)
    parser.add_argument("--share", type=float, default=1.0, help="share of the records to run (default: 1, all)")
    parser.add_argument("--processes", type=int, default=os.cpu_count() or 1, help="default: one per processor")
    parser.add_argument("--docs", type=Path, help="folder of identification.md, whose tables a whole study replaces")
    parser.add_argument("--results", type=Path, help="file that keeps results as they come; a run goes on from it")
    given = parser.parse_args()
    start = time.time()

    def notify(done: int, count: int) -> None:
        if done % 20 == 0 or done == count:
            sys.stderr.write(f"\r{done} of {count} records, {time.time() - start:.0f} s ")
            sys.stderr.flush()

    results = run(given.share, given.processes, given.results, notify)
    sys.stderr.write("\n")
    print(score.table(score.scores(results)))
    print(score.by_kind(results))
    print(score.confusion(results))
    print(score.costs(results))
    if given.docs and given.share >= 1.0:
        page.update(given.docs, results)
    return 0


if __name__ == "__main__":
    sys.exit(main())
