"""Fit of a law to records, as it stands after a search."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from .models import Array, Flags
from .problem import Problem


@dataclass
class Fit:
    """Where a fit stands. free: coordinates that the search moved, and that are uncertain; held: those that are not reported as identified."""

    problem: Problem
    theta: Array
    free: Flags
    held: Flags
    limits: tuple[Array, Array]
    held_out_rms: float
    complete: bool = True

    def rms(self) -> float:
        """Root mean square of the residuals, N."""
        residuals = self.problem.residuals(self.theta[None])
        return float(np.sqrt((residuals**2).mean()))
