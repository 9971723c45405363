"""Result of an identification."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from .. import _bristle
from .misfit import Misfit
from .models import LEVELS, Array, Model, by_direction
from .problem import Problem
from .records import Record

#: The sentence that belongs to every interval.
SCOPE = (
    "The intervals cover what noise, sampling and the encoder make uncertain; they exclude model error: a contact is no equation, and "
    "parameters of another day, load or temperature may lie far outside."
)


#: Units of a rotational contact by those of a sliding one, and the power of its radius that converts them.
TURNING = {
    "N": ("N.m", 1),
    "N/s": ("N.m/s", 1),
    "m/s": ("rad/s", -1),
    "N/m": ("N.m/rad", 2),
    "N.s/m": ("N.m.s/rad", 2),
    "kg": ("kg.m2", 2),
}


def shown(unit: str, radius: float | None) -> tuple[str, float]:
    """Unit in which a result is shown, and the factor to it: with the radius, m, of a rotational contact angles and torques."""
    if radius is None or unit not in TURNING:
        return unit, 1.0
    name, power = TURNING[unit]
    return name, radius**power


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
        return f"{self.name:<10} {self.value:>11.4g}{unit}  {self.interval}{mark}"

    @property
    def interval(self) -> str:
        """Interval as text; a dash where it says nothing: a width of nothing, or two powers of ten and more."""
        wide = not self.low > 0 or not np.isfinite(self.high) or self.high > 100 * self.low
        return "–" if wide or self.high <= self.low * (1 + 1e-12) else f"[{self.low:.4g}, {self.high:.4g}]"


@dataclass(frozen=True)
class Correction:
    """What was corrected in the measured force, or the mass of an axis, in SI units, with its 95 % interval.

    gain: factor by which the residual of samples held out grows without it; None where it was demanded.
    """

    name: str
    unit: str
    value: float
    low: float
    high: float
    gain: float | None = None

    @property
    def interval(self) -> str:
        """Interval as text; a dash where it says nothing."""
        known = np.isfinite(self.low) and np.isfinite(self.high) and self.high > self.low
        return f"[{self.low:.4g}, {self.high:.4g}]" if known else "–"

    def __str__(self) -> str:
        """Line of a table: name, value, interval, unit, gain."""
        unit = "" if self.unit == "1" else f" {self.unit}"
        gain = "" if self.gain is None else f"  (without it the residual grows by {self.gain - 1:.0%})"
        return f"{self.name:<10} {self.value:>11.4g}{unit}  {self.interval}{gain}"


@dataclass(frozen=True, eq=False)
class Result:
    """Parameters of a law from records.

    values: the quantities with their intervals, by name; of a rotational contact in N.m and rad/s; F_s and F_d in place of mu_s and mu_d
    where the normal force is unknown. parameters: those of the element, SI units. rms: of the residuals, N.
    held_out_rms: of samples that took no part in a first fit, N; its ratio to rms shows overfitting. correlation: of the logarithms of
    the values, shape (quantities, quantities). tau: correlation time of the residuals, samples. corrections: of the measured force, and the
    mass of an axis, by name. baseline_rms: residual of Coulomb and viscous friction with the same corrections, N. simulated: force of the
    fit with its corrections, N, for each record. complete: False where Ctrl-C ended the search early.
    """

    law: str
    values: dict[str, Value]
    parameters: dict[str, float]
    rms: float
    held_out_rms: float
    correlation: Array
    tau: float
    corrections: dict[str, Correction]
    baseline_rms: float
    warnings: list[str]
    records: Sequence[Record]
    simulated: list[Array]
    complete: bool
    cost: float
    theta: Array
    seconds: float
    simulations: int
    misfit: Misfit
    problem: Problem = field(repr=False)

    @property
    def verdict(self) -> str:
        """Whether the law explains the record, in a sentence."""
        if self.misfit.reason:
            return f"The model is wrong: {self.misfit.reason}."
        known = np.isfinite(self.misfit.noises) and self.misfit.noises > 0
        size = f", {self.misfit.noises:.1f} times the noise of F" if known else ""
        return f"{self.law} explains the record: it leaves {self.misfit.left:.1%} of the force{size}."

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

    @property
    def model(self) -> Model:
        """Form of the law that was fitted."""
        return self.problem.model

    @property
    def force_error(self) -> float:
        """Norm of all residuals over the norm of the measured force."""
        left = np.concatenate([record.measured - found for record, found in zip(self.records, self.simulated)])
        size = float(np.linalg.norm(np.concatenate([record.measured for record in self.records])))
        return float(np.linalg.norm(left)) / max(size, 1e-300)

    @property
    def explained(self) -> float:
        """Share by which the residual is smaller than that of Coulomb and viscous friction; below 0 where it is larger."""
        return 1 - self.rms / max(self.baseline_rms, 1e-300)

    @property
    def normal_force(self) -> float:
        """Largest normal force, N."""
        return float(max(record.F_N.max() for record in self.records))

    @property
    def radius(self) -> float | None:
        """Radius of a rotational contact, m; None where it slides."""
        return next((record.radius for record in self.records if record.radius is not None), None)

    @property
    def signed(self) -> dict[str, float]:
        """Parameters of each direction, as mu_s_forward, and F_offset, N, as the card has them; empty where the record wants neither."""
        offset = self.problem.linear(self.theta).get("offset")
        found = {} if offset is None else {"F_offset": offset}
        if "direction" in self.corrections:
            levels = {name: value for name, value in self.parameters.items() if name in LEVELS}
            ratio = np.array([self.corrections["direction"].value])
            names, values = by_direction(list(levels), np.array([list(levels.values())]), ratio)
            found |= dict(zip(names, values[0].tolist()))
            if "sigma_2 of direction" in self.corrections:
                middle, half = self.parameters["sigma_2"], self.problem.linear(self.theta)["sigma_2"]
                # FrDyn2Linear has viscous friction from v_d − v_s on, the correction from 0 on.
                shift = half * (self.parameters.get("v_d", 0.0) - self.parameters.get("v_s", 0.0)) / self.normal_force
                for side, sign in (("forward", 1.0), ("backward", -1.0)):
                    found |= {f"{name}_{side}": found[f"{name}_{side}"] + sign * shift for name in levels}
                    found[f"sigma_2_{side}"] = max(middle + sign * half, 0.0)
        return found

    def card(self, name: str = "Identified", description: str | None = None) -> _bristle.Card:
        """Card with the identified parameters, ready to export; of a rotational contact where the record has a radius."""
        keys: dict[str, object] = {"name": name}
        keys["description"] = description or f"{self.law} identified from {self.sample_count} samples"
        radius = self.radius
        if radius is not None:
            keys |= {"motion": "rotational", "radius": radius}
        if self.records[0].nominal:
            keys["normal_force"] = self.normal_force
        parameters = {**self.parameters, **self.signed}
        offset = parameters.pop("F_offset", None)
        if offset is not None:
            parameters |= {"F_offset": offset} if radius is None else {"M_offset": radius * offset}
        if self.model.rises:
            keys |= {"characteristic": {"points": self.level()}, "normal_force": self.normal_force}
            parameters = {name: v for name, v in parameters.items() if not name.startswith(("mu_", "v_Stribeck"))}
        sides = {name: value for name, value in parameters.items() if name.endswith(("_forward", "_backward"))}
        replaced = {*sides, *(name.rsplit("_", 1)[0] for name in sides)}
        keys["parameters"] = {name: value for name, value in parameters.items() if name not in replaced}
        return _bristle.Card(self.law, **keys, **({"direction": sides} if sides else {}))

    def level(self) -> list[list[float]]:
        """Points (v, mu) of a level that rises with the speed, with v < 0 where each direction has its own."""
        columns = {name: float(values[0]) for name, values in self.model.columns(self.theta[None]).items()}
        low, high = columns["mu_d"] * columns["part"], columns["mu_d"]
        v = columns["v_Stribeck"] * np.linspace(0.05, 3, 60)
        mu = high + (low - high) * np.exp(-((v / v[19]) ** 2))
        sides = [np.column_stack([v, self.signed.get("mu_d_forward", high) / high * mu])]
        if "mu_d_backward" in self.signed:
            sides.insert(0, np.column_stack([-v, self.signed["mu_d_backward"] / high * mu])[::-1])
        found: list[list[float]] = np.vstack(sides).tolist()
        return found

    def element(self) -> _bristle.Element:
        """Element with the identified parameters."""
        if self.signed or self.model.rises:
            return _bristle.Element(self.card())
        return _bristle.Element(self.law, **self.parameters)

    def simulate(self, record: Record) -> Array:
        """Force along another record, N, shape (compared samples,): law, corrections and mass of an axis; for validation."""
        other = replace(self.problem, records=[record], training=None, weights=None)
        found = other.forces(self.theta[None])[0]
        terms = {name: self.problem.linear(self.theta)[name] for name in other.terms}
        return np.asarray(found + np.array([*terms.values()]) @ other.basis(float(self.theta[-1]))) if terms else found

    def __str__(self) -> str:
        """Table of the values, with what they leave open."""
        lines = [self.verdict]
        lines.append(f"{self.law} from {self.sample_count} samples of {len(self.records)} record(s), 95 % intervals:")
        lines += [f"  {value}" for value in self.values.values()]
        lines += [record.source for record in self.records if record.source]
        lines += [f"  {correction}" for correction in self.corrections.values()]
        if self.signed:
            lines.append("by direction: " + ", ".join(f"{name} {value:.4g}" for name, value in self.signed.items()))
        lines.append(f"residual {self.rms:.3g} N (root mean square), {self.held_out_rms:.3g} N on samples held out")
        lines.append(
            f"{self.law} explains {self.explained:.0%} more than Coulomb and viscous friction ({self.baseline_rms:.3g} N)"
            if self.explained >= 0
            else f"Coulomb and viscous friction leave {self.baseline_rms:.3g} N"
        )
        lines += [*self.undetermined.values(), *self.warnings]
        if not self.complete:
            lines.append("The search was interrupted: the best so far, with intervals of the linearised problem alone.")
        return "\n".join([*lines, SCOPE])
