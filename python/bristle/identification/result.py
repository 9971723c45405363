"""Result of an identification."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np
from scipy import stats

from .. import _bristle
from .fit import Fit
from .misfit import Misfit
from .models import LEVELS, Array, Flags, Model, by_direction
from .plan import Experiment, next_experiment
from .problem import Problem, delayed
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
        return f"[{self.low:.4g}, {self.high:.4g}]" if 0 < self.high - self.low < np.inf else "–"

    def __str__(self) -> str:
        """Line of a table: name, value, interval, unit, gain."""
        gain = "" if self.gain is None else f"  (without it the residual grows by {self.gain - 1:.0%})"
        return (
            f"{self.name:<10} {self.value:>11.4g}{'' if self.unit == '1' else f' {self.unit}'}  {self.interval}{gain}"
        )


@dataclass(frozen=True, eq=False)
class Result:
    """Parameters of a law from records.

    values: the quantities with their intervals, by name; of a rotational contact in N.m and rad/s; F_s and F_d in place of mu_s and mu_d
    where the normal force is unknown. parameters: those of the element, SI units. rms: of all residuals but those left out, N.
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
    misfit: Misfit
    free: Flags
    others: dict[str, Fit] = field(repr=False)
    problem: Problem = field(repr=False)

    @property
    def verdict(self) -> str:
        """Whether the law explains the record, in a sentence."""
        if self.misfit.reason:
            return f"{'The record cannot judge the model' if self.misfit.hidden else 'The model is wrong'}: {self.misfit.reason}."
        known = np.isfinite(self.misfit.noises) and self.misfit.noises > 0
        size = f", {self.misfit.noises:.1f} times the noise of F" if known else ""
        return f"{self.law} explains the record: it leaves {self.misfit.left:.1%} of the force{size}."

    @property
    def levels(self) -> str:
        """F_s and F_d in N, or N.m, beside their coefficients, at the normal force of the records."""
        unit, factor = shown("N", self.radius)
        normal = float(np.median(np.concatenate([record.F_N for record in self.records])))
        known = [(name, self.values[f"mu_{name[-1]}"]) for name in ("F_s", "F_d") if f"mu_{name[-1]}" in self.values]
        found = [f"{name} = {factor * normal * value.value:.4g} {unit}" for name, value in known]
        return f"{' and '.join(found)} at F_N = {normal:.4g} N" if found else ""

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
                middle, half = self.parameters["sigma_2"], self.problem.linear(self.theta)["sigma_2 of direction"]
                # FrDyn2Linear has viscous friction from v_d − v_s on, the correction from where the fit expected that.
                begin = self.parameters.get("v_d", 0.0) - self.parameters.get("v_s", 0.0)
                shift = half * (begin - self.problem.onset) / self.normal_force
                for side, sign in (("forward", 1.0), ("backward", -1.0)):
                    found |= {f"{name}_{side}": found[f"{name}_{side}"] + sign * shift for name in levels}
                    found[f"sigma_2_{side}"] = max(middle + sign * half, 0.0)
        return found

    @cached_property
    def by_record(self) -> dict[str, tuple[float, float]]:
        """Residual of each of several records, N, in the fit of all and from a fit to the others, which validates it."""
        found = {}
        for whole, fit in self.others.items():
            own = replace(fit.problem, records=[one for one in self.records if one.whole == whole])
            within = [one.measured - f for one, f in zip(self.records, self.simulated) if one.whole == whole]
            sizes = (np.concatenate(within)[own.valid], own.all_residuals(fit.theta[None])[0][own.valid])
            found[whole] = (float(np.sqrt((sizes[0] ** 2).mean())), float(np.sqrt((sizes[1] ** 2).mean())))
        return found

    @cached_property
    def between(self) -> dict[str, float]:
        """Half-width of the 95 % interval of each value from its spread between records, relative to it: what no single record shows."""
        count = len(self.others)
        if count < 2:
            return {}
        # The jackknife: fits without one record lie closer together than fits of one, by the factor count − 1.
        logarithms = np.array([self.model.reported(fit.theta[None])[0] for fit in self.others.values()])
        deviation = logarithms.std(axis=0) * (count - 1) ** 0.5
        return dict(zip(self.values, (float(stats.t.ppf(0.975, count - 1)) * deviation).tolist()))

    def residuals(self) -> list[str]:
        """Residuals in sentences: of all samples, of those held out, and of an importer that holds its inputs."""
        out, few = int((~self.problem.valid).sum()), int((self.problem.weight < 0.999).sum())
        lines = [f"residual {self.rms:.3g} N (root mean square), {self.held_out_rms:.3g} N on samples held out"]
        if out or few:
            lines.append(
                f"{out} samples are left out of it, and {few} beyond three deviations have less weight in the fit alone"
            )
        if self.held_rms is not None:
            lines.append(
                f"{self.held_rms:.3g} N where inputs are held between samples, as importers do; the fit has them run straight"
            )
        lines += [
            f"{name}: {own:.3g} N, and {left:.3g} N from the other records"
            for name, (own, left) in self.by_record.items()
        ]
        return lines

    @cached_property
    def held_rms(self) -> float | None:
        """Residual of an element whose inputs are held between samples, N; None for a body, whose force is filtered."""
        if any(one.is_free_body or one.acceleration is not None for one in self.records):
            return None
        left = []
        for one, found in zip(self.records, self.simulated):
            late = float(self.problem.delay(one, self.problem.delays(self.theta)))
            v, normal = (delayed(signal, late, one) for signal in (one.v, one.F_N))
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", _bristle.ModelWarning)  # a prescribed motion has no body
                held, straight = (
                    self.sliding.element().simulate(one.t, outputs=["F_R"], interpolate=way, F_N=normal, v=v)["F_R"]
                    for way in (False, True)
                )
            left.append((one.F - found - (held - straight))[one.valid])
        return float(np.sqrt((np.concatenate(left) ** 2).mean()))

    @property
    def sliding(self) -> Result:
        """Result whose card and element are in N and m/s, also of a rotational contact."""
        return replace(self, records=[replace(one, radius=None) for one in self.records])

    @property
    def delay(self) -> float:
        """Delay of the force behind the velocity, s: the mean of several records."""
        return 1e-3 * float(self.problem.delays(self.theta).mean())

    def card(self, name: str = "Identified", description: str | None = None, *, offset: bool = False) -> _bristle.Card:
        """Card with the identified parameters, ready to export; of a rotational contact where the record has a radius.

        offset: whether the card keeps the offset of the force as F_offset; else it counts as the sensor's. A delay stands in no card.
        """
        keys: dict[str, object] = {"name": name}
        keys["description"] = description or f"{self.law} identified from {self.sample_count} samples"
        radius = self.radius
        if radius is not None:
            keys |= {"motion": "rotational", "radius": radius}
        if self.records[0].nominal:
            keys["normal_force"] = self.normal_force
        parameters = {**self.parameters, **self.signed}
        force = parameters.pop("F_offset", None)
        if force is not None and offset:
            parameters |= {"F_offset": force} if radius is None else {"M_offset": radius * force}
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

    def element(self, *, offset: bool = False) -> _bristle.Element:
        """Element with the identified parameters, with the offset of the force if wanted."""
        if self.signed or self.model.rises or self.radius is not None:
            return _bristle.Element(self.card(offset=offset))
        return _bristle.Element(self.law, **self.parameters)

    def simulate(self, record: Record) -> Array:
        """Force along another record, N, shape (compared samples,): law, corrections and mass of an axis; for validation."""
        wholes, theta = self.problem.wholes, self.theta
        if record.whole not in wholes:
            wholes, theta = (), np.append(theta[: len(self.model.coordinates) + 1], 1e3 * self.delay)
        other = replace(self.problem, records=[record], training=None, weights=None, wholes=wholes)
        linear = self.problem.linear(self.theta)
        terms = np.array([linear.get(name, 0.0) for name in other.terms])
        return np.asarray(other.forces(theta[None])[0] + terms @ other.basis(other.delays(theta)))

    def next_experiment(
        self, quantity: str | None = None, *, stroke: float, speed: float, force: float | None = None
    ) -> Experiment:
        """Motion to measure next: of triangles, speeds, sines and break-aways within the limits that which shrinks an interval most.

        quantity: whose interval, the widest else. stroke: range of the position, m. speed: the largest, m/s. force: the largest that sensor
        and drive allow, N; any else. Of a rotational contact rad, rad/s and N.m. The normal force is the record's median, the rate its own.
        The first note of the experiment is the promise: "sigma_1 from ± 60% to ± 10%", for a fit to the old and the new record together, whose
        offset, drift and delay are unknown.
        """
        return next_experiment(self, quantity, stroke, speed, force)

    def __str__(self) -> str:
        """Table of the values, with what they leave open."""
        lines = [self.verdict]
        lines.append(f"{self.law} from {self.sample_count} samples of {len(self.records)} record(s), 95 % intervals:")
        lines += [*(f"  {value}" for value in self.values.values()), *([self.levels] if self.levels else [])]
        if self.between:
            known = ", ".join(
                f"{name} ± {half:.1%}" for name, half in self.between.items() if not self.values[name].held
            )
            lines.append(f"between records: {known}")
        lines += [record.source for record in self.records if record.source]
        lines += [f"  {correction}" for correction in self.corrections.values()]
        if self.signed:
            lines.append("by direction: " + ", ".join(f"{name} {value:.4g}" for name, value in self.signed.items()))
        lines += self.residuals()
        lines.append(
            f"{self.law} explains {self.explained:.0%} more than Coulomb and viscous friction ({self.baseline_rms:.3g} N)"
            if self.explained >= 0
            else f"Coulomb and viscous friction leave {self.baseline_rms:.3g} N"
        )
        if "F_offset" in self.signed:
            middle = ", that in the middle of its drift," if "drift" in self.problem.corrections else ""
            lines.append(
                f"The offset{middle} counts as the sensor's, and the card leaves it out; card(offset=True) keeps it."
            )
        late = self.problem.delays(self.theta)
        if late.any():
            times = ", ".join(f"{delay:.3g}" for delay in late)
            lines.append(f"The card has no delay: its force compares with the record {times} ms later.")
        lines += [*([] if self.misfit.reason else self.undetermined.values()), *self.warnings]
        if not self.complete:
            lines.append("The search was interrupted: the best so far, with intervals of the linearised problem alone.")
        return "\n".join([*lines, SCOPE])
