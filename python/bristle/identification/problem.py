"""A fit's problem: a model, records, corrections of the measurement and what is compared; residuals for many vectors at once.

A vector has the logarithms of the model's coordinates, the logarithm of the ratio of the force level for v > 0 to that for v < 0, and for
each record the delay of its force behind its velocity, ms. Offset, drift, mass and the viscous friction of each direction are linear: least
squares eliminates them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from scipy import stats

from .. import _bristle
from .misfit import Misfit, misfit_of
from .models import Array, Flags, Model, by_direction
from .records import Record
from .thresholds import DIFFERENCE

#: What a fit may correct in the measured force: a constant, a part that grows with time, levels of their own for v > 0 and v < 0, a delay.
CORRECTIONS = ("offset", "drift", "direction", "delay")
#: Linear terms that follow the motion, and have its delay.
SHIFTED = ("mass", "sigma_2 of direction")


@dataclass
class Problem:
    """Residuals of a model over records.

    training: a mask for each record, True where a compared sample counts. corrections: entries of CORRECTIONS. threads: for the
    simulation, 0 for one per processor. weights: square roots of the weights of a robust loss, shape (compared samples,).
    """

    model: Model
    records: Sequence[Record]
    training: Sequence[Flags] | None = None
    corrections: Sequence[str] = ()
    threads: int = 0
    weights: Array | None = None
    #: Speed at which the viscous friction of a direction begins, m/s, as the element of FrDyn2Linear has it.
    onset: float = 0.0
    #: Names of the whole records, each with its own offset, drift and delay; of all `records`, and of others that a vector has a delay of.
    wholes: Sequence[str] = ()
    force: Array = field(init=False, repr=False)
    #: Linear terms and their pseudo-inverse over the training samples, by the bytes of the delays.
    _kept: dict[bytes, tuple[Array, Array]] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        self.wholes = self.wholes or names_of(self.records)
        self.force = np.concatenate([record.measured for record in self.records])
        self.normal_force = np.concatenate([record.F_N[record.compared] for record in self.records])
        self.valid = np.concatenate([record.valid for record in self.records])
        masks = self.training
        self.mask = self.valid & np.concatenate(masks).astype(bool) if masks is not None else self.valid
        #: Ends of the sensor's range and the noise of its force, N, where it is at its limit; None else.
        self.limits = self._limits()
        #: Samples between the ends of the sensor's range; the others show neither noise nor linear terms.
        self.inside = np.ones(self.force.size, bool)
        if self.limits is not None:
            self.inside = (self.force > self.limits[0]) & (self.force < self.limits[1])
        interval = max(min(float(np.diff(r.t).max()), 4 * r.interval) for r in self.records)
        self.cards = [self.model.card(interval, by_direction=signed) for signed in (False, True)]
        self.terms = self._terms()
        self._kept = {}

    @property
    def size(self) -> int:
        """Length of a vector."""
        return len(self.model.coordinates) + 1 + len(self.wholes)

    @property
    def count(self) -> int:
        """Number of training samples that show noise: a sensor at its limit shows none."""
        return int((self.mask & self.inside).sum())

    @property
    def weight(self) -> Array:
        """Square roots of the weights of the training samples."""
        return np.ones(int(self.mask.sum())) if self.weights is None else self.weights[self.mask]

    def flags(self) -> Flags:
        """Entries of a vector behind the coordinates that the corrections free."""
        return np.array(["direction" in self.corrections, *["delay" in self.corrections] * len(self.wholes)])

    def label(self, kind: str, whole: str) -> str:
        """Name of a correction of a record."""
        return f"{kind} of {whole}" if len(self.wholes) > 1 else kind

    def delays(self, theta: Array) -> Array:
        """Delays of vectors, shape (…, wholes), ms."""
        return theta[..., len(self.model.coordinates) + 1 :]

    def delay(self, record: Record, delays: Array) -> Array:
        """Delay of a record, shape (…,), ms, of those of the vectors."""
        return np.asarray(delays[..., self.wholes.index(record.whole)])

    def _limits(self) -> Array | None:
        if all(record.censored is None for record in self.records):
            return None
        rows = []
        for record in self.records:
            ends = [-np.inf, np.inf, 1.0]
            if record.censored is not None:
                for place, side in ((0, -1.0), (1, 1.0)):
                    at = record.F[record.censored == side]
                    ends[place] = float(at[0]) if at.size else ends[place]
                ends[2] = max(record.force_noise, 1e-12 * float(np.abs(record.F).max()))
            rows.append(np.repeat(np.array(ends)[:, None], record.t[record.compared].size, axis=1))
        return np.concatenate(rows, axis=1)

    def _terms(self) -> dict[str, Array]:
        """Linear terms by name, at each sample before any filter, shape (samples,)."""
        found: dict[str, Array] = {}
        records = self.records
        # Each record has an offset and a drift of its own.
        for whole in names_of(records):
            own = [record.whole == whole for record in records]
            ends = [end for record, is_own in zip(records, own) if is_own for end in (record.t[0], record.t[-1])]
            middle = 0.5 * (min(ends) + max(ends))
            if "offset" in self.corrections:
                found[self.label("offset", whole)] = np.concatenate(
                    [np.full(r.t.size, float(o)) for r, o in zip(records, own)]
                )
            if "drift" in self.corrections:
                found[self.label("drift", whole)] = np.concatenate([o * (r.t - middle) for r, o in zip(records, own)])
        if "direction" in self.corrections and "sigma_2" in self.model.coordinates:
            found["sigma_2 of direction"] = np.concatenate(
                [np.maximum(np.abs(record.v) - self.onset, 0.0) for record in records]
            )
        for name, signals in (("mass", [r.acceleration for r in records]), ("level", [r.level for r in records])):
            if any(signal is not None for signal in signals):
                parts = [np.zeros(r.t.size) if signal is None else signal for r, signal in zip(records, signals)]
                found[name] = np.concatenate(parts)
        return found

    def basis(self, delays: Array) -> Array:
        """Linear terms at the compared samples, shape (terms, samples), for the delays of the records, ms."""
        if not self.terms:
            return np.zeros((0, self.force.size))
        ends = np.cumsum([record.t.size for record in self.records])[:-1]
        rows = []
        for name, term in self.terms.items():
            parts = np.split(term, ends)
            if name in SHIFTED:
                parts = [delayed(part, float(self.delay(r, delays)), r) for part, r in zip(parts, self.records)]
            rows.append(np.concatenate([record.filtered(part) for part, record in zip(parts, self.records)]))
        return np.array(rows)

    def simulated(
        self, names: Sequence[str], vectors: Array, outputs: Sequence[str], delays: Array | None = None
    ) -> list[Array]:
        """Outputs along each record, shape (vectors, outputs, samples), with inputs later by `delays`, shape (vectors, wholes), ms."""
        card = self.cards["mu_d_forward" in names]
        found = []
        for one in self.records:
            late = np.zeros(len(vectors)) if delays is None else 1e-3 * self.delay(one, delays)
            rows, place = np.column_stack([vectors, late]), None
            if len(self.wholes) > 1:  # vectors that differ in the delay of another record have one run
                rows, place = np.unique(rows, axis=0, return_inverse=True)
            inputs = {"F_N": np.ascontiguousarray(one.F_N), "v": np.ascontiguousarray(one.v)}
            runs = _bristle.simulate_batch(card, [*names, "delay"], rows, one.t, inputs, outputs, self.threads)
            found.append(runs if place is None else runs[place.ravel()])
        return found

    def shown(self, signals: Sequence[Array], delay: float = 0.0) -> Array:
        """Signals of each record, later by a delay, ms, and filtered as the measured force is, one after the other."""
        parts = [record.filtered(delayed(found, delay, record)) for found, record in zip(signals, self.records)]
        return np.concatenate(parts, axis=-1)

    def forces(self, theta: Array) -> Array:
        """Friction forces of vectors, shape (vectors, samples), N, without linear terms; NaN where the model excludes a vector."""
        names, vectors = self.model.element_parameters(theta)
        ratios, delays = theta[:, len(self.model.coordinates)], self.delays(theta)
        if ratios.any():
            names, vectors = by_direction(names, vectors, np.exp(ratios))
        use = np.ones(len(vectors), bool)
        if self.model.feasible is not None:
            use = self.model.feasible(self.model.columns(theta), float(np.median(self.normal_force)))
        found = np.full((len(vectors), self.force.size), np.nan)
        if use.any():
            found[use] = self.shown(self.simulated(names, vectors[use], ["F_R"], delays[use]))[:, 0]
        return found

    def projection(self, delays: Array) -> tuple[Array, Array]:
        """Linear terms for delays, and the matrix that gives their coefficients in weighted training samples."""
        key = delays.tobytes()
        if key not in self._kept:
            if len(self._kept) > 32:
                self._kept.clear()
            basis = self.basis(delays)
            inside = self.inside[self.mask]
            self._kept[key] = basis, np.linalg.pinv((basis[:, self.mask] * self.weight * inside).T) * inside
        return self._kept[key]

    def coefficients(self, values: Array, delays: Array) -> Array:
        """Coefficients of the linear terms in values, shape (…, samples), by least squares over the training samples: (…, terms)."""
        return np.asarray((values[..., self.mask] * self.weight) @ self.projection(delays)[1].T)

    def without_terms(self, values: Array, delays: Array) -> Array:
        """Values, shape (vectors, samples), less their part in the span of the linear terms; with the delays, ms, of each vector."""
        if not self.terms or not len(values):
            return values
        if np.ptp(delays, axis=0).any() and set(SHIFTED) & set(self.terms):
            return np.concatenate([self.without_terms(row[None], own[None]) for row, own in zip(values, delays)])
        finite = np.isfinite(values).all(axis=-1, keepdims=True)
        found = np.where(finite, values, 0.0)
        return np.where(finite, found - self.coefficients(found, delays[0]) @ self.projection(delays[0])[0], np.nan)

    def linear(self, theta: Array) -> dict[str, float]:
        """Coefficients of the linear terms at a vector: N, N/s, N·s/m, kg."""
        if not self.terms:
            return {}
        difference = self.force - self.forces(theta[None])[0]
        return dict(zip(self.terms, self.coefficients(difference, self.delays(theta)).tolist()))

    def all_residuals(self, theta: Array) -> Array:
        """Measured less simulated force of all compared samples, shape (vectors, samples), N."""
        found = self.without_terms(self.force - self.forces(theta), self.delays(theta))
        return found if self.limits is None else self.force - self.limited(self.force - found)[0]

    def parts(self, values: Array) -> list[Array]:
        """Values at the compared samples by record."""
        ends = np.cumsum([record.t[record.compared].size for record in self.records])[:-1]
        return np.split(values, ends)

    def misfit(self, theta: Array) -> Misfit:
        """Correlation and repetition of the residuals at a vector."""
        return misfit_of(self.records, self.parts(self.all_residuals(theta[None])[0]))

    def limited(self, forces: Array) -> tuple[Array, Array]:
        """Mean of a noisy force behind a sensor of limited range, N, and its derivative by the force: the share that is not cut."""
        if self.limits is None:
            return forces, np.ones_like(forces)
        low, high, noise = self.limits
        # Without a limit on a side the distance to it is infinite; beyond 30 deviations nothing changes.
        above, below = (np.clip((forces - high) / noise, -30.0, None), np.clip((low - forces) / noise, -30.0, None))
        cut = [
            x * stats.norm.cdf(near) + stats.norm.pdf(near) for x in (above, below) for near in [np.minimum(x, 30.0)]
        ]
        inside = 1 - stats.norm.cdf(np.minimum(above, 30.0)) - stats.norm.cdf(np.minimum(below, 30.0))
        return forces + noise * (cut[1] - cut[0]), inside

    def residuals(self, theta: Array) -> Array:
        """Weighted residuals of the training samples, shape (vectors, samples), N."""
        found = self.all_residuals(theta)[:, self.mask]
        return found if self.weights is None else found * self.weight

    def jacobians(self, theta: Array, residuals: Array, free: Flags) -> Array:
        """Derivatives of the residuals of vectors, shape (vectors, samples, free coordinates), by forward differences."""
        indices = np.flatnonzero(free)
        moved = np.repeat(theta, indices.size, axis=0)
        moved[np.arange(moved.shape[0]), np.tile(indices, len(theta))] += DIFFERENCE
        changed = self.residuals(moved).reshape(len(theta), indices.size, -1)
        return np.asarray((changed - residuals[:, None]).transpose(0, 2, 1) / DIFFERENCE)

    def full_jacobian(self, theta: Array, free: Flags) -> Array:
        """Derivatives of the training residuals at a vector by free coordinates and linear terms, shape (samples, both)."""
        indices = np.flatnonzero(free)
        moved = np.repeat(theta[None], indices.size + 1, axis=0)
        moved[np.arange(indices.size), indices] += DIFFERENCE
        forces = self.forces(moved)
        linear = self.linear(theta)
        if linear:
            forces += np.array([[*linear.values()] @ self.projection(delays)[0] for delays in self.delays(moved)])
        columns = np.vstack([(forces[-1] - forces[:-1]) / DIFFERENCE, -self.basis(self.delays(theta))])
        if self.limits is not None:
            columns *= self.limited(forces[-1])[1]
        return np.nan_to_num((columns[:, self.mask] * self.weight).T, posinf=0.0, neginf=0.0)


def names_of(records: Sequence[Record]) -> list[str]:
    """Names of the whole records, each once."""
    return list(dict.fromkeys(record.whole for record in records))


def delayed(signals: Array, delay: float, record: Record) -> Array:
    """Signals, shape (…, samples), later by a delay, ms."""
    if delay == 0:
        return signals
    rows = np.ascontiguousarray(signals.reshape(-1, record.t.size))
    return _bristle.delayed(record.t, rows, 1e-3 * delay).reshape(signals.shape)
