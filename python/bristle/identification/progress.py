"""Progress of a fit on the standard error."""

from __future__ import annotations

import sys
from collections.abc import Callable

#: A function of the stage's name and the share that is done, 0 to 1.
Progress = Callable[[str, float], None]
#: A function of the share that is done.
Notify = Callable[[float], None]


def bar(stage: str, share: float) -> None:
    """Draw a bar in place; the last one ends the line."""
    filled = round(30 * share)
    end = "\n" if share >= 1 else ""
    sys.stderr.write(f"\r{stage:<28} [{'#' * filled}{' ' * (30 - filled)}] {share:4.0%}{end}")
    sys.stderr.flush()


def chosen(progress: bool | Progress | None) -> Progress:
    """Return the function that an argument asks for; None shows a bar on a terminal."""
    if callable(progress):
        return progress
    wanted = sys.stderr.isatty() if progress is None else progress
    return bar if wanted else lambda stage, share: None
