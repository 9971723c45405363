"""Result of an identification."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from .. import _bristle
from .models import Array, Model
from .records import Record

#: The sentence that belongs to every interval.
SCOPE = (
    "The intervals cover what noise, sampling and the encoder make uncertain; they exclude model error: a contact is no equation, and "
    "parameters of another day, load or temperature may lie far outside."
)


@dataclass(frozen=True)
class Value:
    """An identified quantity in SI units, with its 95 % interval; `reason` is empty where the data determine it, else says why they do not."""

    name: str
    unit: str
    value: float
    low: float
    high: float
    reason: str = ""
    experiment: str = ""
    held: bool = False

    @property
    def determined(self) -> bool:
        """Whether the data determine the quantity."""
        return not (self.reason or self.held)

    def __str__(self) -> str:
        """Line of a table: name, value, interval, unit."""
        unit = "" if self.unit == "1" else f" {self.unit}"
        if self.held:
            return f"{self.name:<10} {self.value:>11.4g}{unit}  (held)"
        mark = "" if self.determined else "  not determined"
        return f"{self.name:<10} {self.value:>11.4g}{unit}  [{self.low:.4g}, {self.high:.4g}]{mark}"


@dataclass(frozen=True, eq=False)
class Result:
    """Parameters of a law from records.

    values: the quantities with their intervals, by name. parameters: those of the element, SI units. rms: of the residuals, N.
    held_out_rms: of samples that took no part in a first fit, N; its ratio to rms shows overfitting. correlation: of the logarithms of
    the values, shape (quantities, quantities). tau: correlation time of the residuals, samples. offsets: of the force, N: none, one, or
    those for v > 0 and v < 0. complete: False where Ctrl-C ended the search early.
    """

    law: str
    values: dict[str, Value]
    parameters: dict[str, float]
    rms: float
    held_out_rms: float
    correlation: Array
    tau: float
    offsets: list[float]
    warnings: list[str]
    records: Sequence[Record]
    simulated: list[Array]
    complete: bool = True
    cost: float = 0.0
    theta: Array = field(default_factory=lambda: np.zeros(0))
    seconds: float = 0.0
    simulations: int = 0
    model: Model | None = field(default=None, repr=False)

    @property
    def undetermined(self) -> dict[str, str]:
        """Quantities that the data do not determine, with the experiment that would, in words, by quantity."""
        return {
            value.name: f"{value.name} is not determined: {value.reason}. It shows in {value.experiment}."
            for value in self.values.values()
            if value.reason
        }

    @property
    def sample_count(self) -> int:
        """Number of samples."""
        return sum(record.t.size for record in self.records)

    def card(self, name: str = "Identified", description: str | None = None) -> _bristle.Card:
        """Card with the identified parameters, ready to export."""
        text = description or f"{self.law} identified from {self.sample_count} samples"
        return _bristle.Card(self.law, name=name, description=text, parameters=self.parameters)

    def element(self) -> _bristle.Element:
        """Element with the identified parameters."""
        return _bristle.Element(self.law, **self.parameters)

    def simulate(self, record: Record) -> Array:
        """Friction force along another record, N, shape (samples,), filtered as that of the record: for validation."""
        inputs = {"F_N": np.ascontiguousarray(record.F_N), "v": np.ascontiguousarray(record.v)}
        means = self.model.means if self.model is not None else False
        names, vector = list(self.parameters), np.array([list(self.parameters.values())])
        found = _bristle.simulate_batch(self.law, names, vector, record.t, inputs, ["F_R"], 0, means)
        return record.filtered(found[0, 0])

    def __str__(self) -> str:
        """Table of the values, with what they leave open."""
        lines = [f"{self.law} from {self.sample_count} samples of {len(self.records)} record(s), 95 % intervals:"]
        lines += [f"  {value}" for value in self.values.values()]
        lines += [record.source for record in self.records if record.source]
        lines += [f"offset {offset:.4g} N" for offset in self.offsets]
        lines.append(f"residual {self.rms:.3g} N (root mean square), {self.held_out_rms:.3g} N on samples held out")
        lines += [*self.undetermined.values(), *self.warnings]
        if not self.complete:
            lines.append("The search was interrupted: the best so far, with intervals of the linearised problem alone.")
        return "\n".join([*lines, SCOPE])
