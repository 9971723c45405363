"""A fit's problem: a model, records and what is compared; residuals for many parameter vectors at once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from .. import _bristle
from .models import Array, Flags, Model
from .records import Record

#: Change of a logarithm for differences: truncation and rounding of the simulation are both below 1e-3 of a derivative.
DIFFERENCE = 1e-3
#: Offsets that a fit can have: none, one for all samples, one for each direction of v.
OFFSETS = ("none", "constant", "direction")


@dataclass
class Problem:
    """Residuals of a model over records.

    training: a mask for each record, True where a sample counts. offset: an entry of OFFSETS, eliminated by least squares. threads: for
    the simulation, 0 for one per processor.
    """

    model: Model
    records: Sequence[Record]
    training: Sequence[Flags] | None = None
    offset: str = "none"
    threads: int = 0
    #: Simulations so far.
    simulations: int = 0
    _groups: list[Flags] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.force = np.concatenate([record.F for record in self.records])
        self.normal_force = np.concatenate([record.F_N for record in self.records])
        masks = self.training
        self.valid = np.concatenate([record.valid for record in self.records])
        self.mask = self.valid & np.concatenate(masks).astype(bool) if masks is not None else self.valid
        self.card = self.model.card
        v = np.concatenate([record.v for record in self.records])
        if self.offset == "constant":
            self._groups = [np.ones(v.size, bool)]
        elif self.offset == "direction":
            self._groups = [v > 0, v < 0]

    def outputs(self, names: Sequence[str], vectors: Array, outputs: Sequence[str]) -> Array:
        """Outputs along all records, shape (vectors, outputs, samples), filtered as the measured force is."""
        self.simulations += len(vectors)
        parts = []
        for record in self.records:
            inputs = {"F_N": np.ascontiguousarray(record.F_N), "v": np.ascontiguousarray(record.v)}
            vectors = np.ascontiguousarray(vectors, dtype=float)
            found = _bristle.simulate_batch(
                self.card, names, vectors, record.t, inputs, outputs, self.threads, self.model.means
            )
            parts.append(record.filtered(found))
        return np.concatenate(parts, axis=2)

    def forces(self, theta: Array) -> Array:
        """Friction forces of vectors of logarithms, shape (vectors, samples), N, without offsets; NaN where the model excludes a vector."""
        names, vectors = self.model.element_parameters(theta)
        if self.model.feasible is None:
            return self.outputs(names, vectors, ["F_R"])[:, 0]
        use = self.model.feasible(self.model.columns(theta), float(np.median(self.normal_force)))
        found = np.full((len(vectors), self.force.size), np.nan)
        if use.any():
            found[use] = self.outputs(names, vectors[use], ["F_R"])[:, 0]
        return found

    def without_offsets(self, values: Array) -> Array:
        """Values less their part in the span of the offsets, as least squares over the training samples takes it."""
        if not self._groups:
            return values
        values = values.copy()
        for group in self._groups:
            use = group & self.mask
            if use.any():
                values[..., group] -= values[..., use].mean(axis=-1, keepdims=True)
        return values

    def offsets(self, theta: Array) -> list[float]:
        """Offsets of the force at a vector, N."""
        difference = self.force - self.forces(theta)[0]
        return [float(difference[group & self.mask].mean()) for group in self._groups]

    def all_residuals(self, theta: Array) -> Array:
        """Measured less simulated force of all samples, shape (vectors, samples), N."""
        return self.without_offsets(self.force - self.forces(theta))

    def residuals(self, theta: Array) -> Array:
        """Measured less simulated force of the training samples, shape (vectors, samples), N."""
        return self.all_residuals(theta)[:, self.mask]

    def jacobians(self, theta: Array, residuals: Array, free: Flags) -> Array:
        """Derivatives of the residuals of vectors, shape (vectors, samples, free coordinates), by forward differences."""
        indices = np.flatnonzero(free)
        moved = np.repeat(theta, indices.size, axis=0)
        moved[np.arange(moved.shape[0]), np.tile(indices, len(theta))] += DIFFERENCE
        changed = self.residuals(moved).reshape(len(theta), indices.size, -1)
        return np.asarray((changed - residuals[:, None]).transpose(0, 2, 1) / DIFFERENCE)
