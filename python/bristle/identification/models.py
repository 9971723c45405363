"""Forms in which laws are identifiable: coordinates that are positive numbers, and what is reported of them.

A fit moves the logarithms of the coordinates. Differences that have to be positive are coordinates of their own: mu_s/mu_d − 1,
v_d/v_s − 1 and, for FrDyn2, v_d − v_s, because the force in sliding depends on |v| + v_s against v_d alone; v_s is a share of that.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from .. import _bristle
from .errors import RecordError

Array = NDArray[np.float64]
Flags = NDArray[np.bool_]
Columns = dict[str, Array]

#: Experiments that determine parameters, in words.
SLIDING = "constant speeds of sliding, both ways, for 0.3 s and longer each"
SLOW = "six or more constant speeds, log-spaced from 0.2 to 10 times the velocity at which the force falls, both ways"
FAST = "constant speeds up to 10 times the velocity at which the force falls, both ways"
PRESLIDING = "nested triangles of the position with amplitudes of 0.3 to 8 times x_p = F/sigma_0, with an encoder step of x_p/25 or finer"
REVERSALS = "a sine of the velocity through sliding at half the largest speed, with 5 or more samples within the first 2 x_p after a reversal"


#: Tolerance of the element that a fit runs, error of F_R relative to F_s: far below the noise of a measured force.
TOLERANCE = 1e-4
#: Inner steps in a sampling interval that keep the tolerance. Searches pass through parameters whose bristle is unstable; without the
#: limit one of them costs as much as a thousand others.
INNER_STEPS = 8.0


@dataclass(frozen=True)
class Quantity:
    """A reported quantity: its name, unit, value as a function of the coordinates, and the experiment that determines it."""

    name: str
    unit: str
    value: Callable[[Columns], Array]
    experiment: str
    #: Coordinate whose doubling and halving shows whether the data determine the quantity.
    coordinate: str


@dataclass(frozen=True)
class Model:
    """A law in an identifiable form."""

    law: str
    coordinates: tuple[str, ...]
    #: Parameters of the element from the coordinates.
    parameters: Callable[[Columns], Columns]
    quantities: tuple[Quantity, ...]
    #: Coordinates that sliding does not determine and that are held unless freed.
    held: tuple[str, ...] = ()
    #: Inputs are held at means of samples; False: they run straight. See `simulate_batch`.
    means: bool = True
    #: Whether the law is to be used with these coordinates at a normal force, N; searches leave others out.
    feasible: Callable[[Columns, float], Flags] | None = None
    #: The law has a bristle, whose x_p the encoder has to resolve.
    has_bristle: bool = True

    def columns(self, theta: Array) -> Columns:
        """Coordinates by name, shape (vectors,), from their logarithms, shape (vectors, coordinates)."""
        values = np.exp(np.atleast_2d(theta))
        return {name: values[:, i] for i, name in enumerate(self.coordinates)}

    def element_parameters(self, theta: Array) -> tuple[list[str], Array]:
        """Names of the element's parameters and their values, shape (vectors, names)."""
        found = self.parameters(self.columns(theta))
        return list(found), np.ascontiguousarray(np.stack(list(found.values()), axis=1))

    def reported(self, theta: Array) -> Array:
        """Logarithms of the reported quantities, shape (vectors, quantities)."""
        columns = self.columns(theta)
        return np.log(np.stack([quantity.value(columns) for quantity in self.quantities], axis=1))

    @property
    def card(self) -> _bristle.Card:
        """Card of the element that a fit runs."""
        limit = {"parameters": {"inner_steps_max": INNER_STEPS}} if self.law.startswith("FrDyn2") else {}
        return _bristle.Card(self.law, experiment={"tolerance": TOLERANCE}, **limit)

    def index(self, coordinate: str) -> int:
        """Place of a coordinate."""
        return self.coordinates.index(coordinate)

    def coordinate(self, name: str) -> str | None:
        """Coordinate of a quantity, or None where there is neither."""
        if name in self.coordinates:
            return name
        return next((quantity.coordinate for quantity in self.quantities if quantity.name == name), None)


def _own(name: str) -> Callable[[Columns], Array]:
    return lambda columns: columns[name]


def _static(kinetic: str) -> Quantity:
    return Quantity("mu_s", "1", lambda c: c[kinetic] * (1 + c["excess"]), SLOW, "excess")


def _quantity(name: str, unit: str, experiment: str) -> Quantity:
    return Quantity(name, unit, _own(name), experiment, name)


def _lugre(c: Columns) -> Columns:
    return {
        "mu_s": c["mu_d"] * (1 + c["excess"]),
        "mu_d": c["mu_d"],
        "v_Stribeck": c["v_Stribeck"],
        "sigma_0": c["sigma_0"],
        "sigma_1": c["sigma_1"],
        "sigma_2": c["sigma_2"],
    }


def _frdyn2(c: Columns) -> Columns:
    return {
        "mu_s": c["mu_d"] * (1 + c["excess"]),
        "mu_d": c["mu_d"],
        "v_s": c["share"] * c["v_d - v_s"],
        "v_d": (1 + c["share"]) * c["v_d - v_s"],
        "sigma_0": c["sigma_0"],
        "sigma_1": c["sigma_1"],
    }


def _stable(c: Columns, normal_force: float) -> Flags:
    """Bristle of FrDyn2 that is stable on the falling branch; an unstable one oscillates at constant v, and each run costs a hundredfold."""
    return np.asarray(c["sigma_1"] * c["v_d - v_s"] > 1.5 * c["mu_d"] * c["excess"] * normal_force)


def _frdyn2_model(law: str) -> Model:
    return Model(
        law,
        ("mu_d", "excess", "sigma_0", "sigma_1", "v_d - v_s", "share"),
        _frdyn2,
        (
            _static("mu_d"),
            _quantity("mu_d", "1", SLIDING),
            _quantity("v_d - v_s", "m/s", SLOW),
            _quantity("sigma_0", "N/m", PRESLIDING),
            _quantity("sigma_1", "N.s/m", REVERSALS),
            Quantity("v_s", "m/s", lambda c: c["share"] * c["v_d - v_s"], REVERSALS, "share"),
        ),
        held=("share",),
        means=False,
        feasible=_stable,
    )


MODELS: dict[str, Model] = {
    model.law: model
    for model in (
        Model(
            "StaticRegularized",
            ("mu_d", "excess", "v_s", "spread"),
            lambda c: {
                "mu_s": c["mu_d"] * (1 + c["excess"]),
                "mu_d": c["mu_d"],
                "v_s": c["v_s"],
                "v_d": c["v_s"] * (1 + c["spread"]),
            },
            (
                _static("mu_d"),
                _quantity("mu_d", "1", SLIDING),
                _quantity("v_s", "m/s", SLOW),
                Quantity("v_d", "m/s", lambda c: c["v_s"] * (1 + c["spread"]), SLOW, "spread"),
            ),
            has_bristle=False,
        ),
        Model(
            "BrownMcPhee",
            ("mu_d", "excess", "v_Stribeck", "sigma_2"),
            lambda c: {
                "mu_s": c["mu_d"] * (1 + c["excess"]),
                "mu_d": c["mu_d"],
                "v_Stribeck": c["v_Stribeck"],
                "sigma_2": c["sigma_2"],
            },
            (
                _static("mu_d"),
                _quantity("mu_d", "1", SLIDING),
                _quantity("v_Stribeck", "m/s", SLOW),
                _quantity("sigma_2", "N.s/m", FAST),
            ),
            has_bristle=False,
        ),
        Model(
            "Dahl",
            ("mu_d", "sigma_0"),
            lambda c: {"mu_d": c["mu_d"], "sigma_0": c["sigma_0"]},
            (_quantity("mu_d", "1", SLIDING), _quantity("sigma_0", "N/m", PRESLIDING)),
        ),
        Model(
            "LuGre",
            ("mu_d", "excess", "v_Stribeck", "sigma_0", "sigma_1", "sigma_2"),
            _lugre,
            (
                _static("mu_d"),
                _quantity("mu_d", "1", SLIDING),
                _quantity("v_Stribeck", "m/s", SLOW),
                _quantity("sigma_0", "N/m", PRESLIDING),
                _quantity("sigma_1", "N.s/m", REVERSALS),
                _quantity("sigma_2", "N.s/m", FAST),
            ),
        ),
        _frdyn2_model("FrDyn2"),
        _frdyn2_model("FrDyn2Linear"),
    )
}


def model_of(law: str) -> Model:
    """Return the identifiable form of a law."""
    if law not in MODELS:
        if law not in _bristle.laws():
            _bristle.Element(law)  # refuses with the nearest name
        raise RecordError(f"{law} has no identifiable form yet; these have: {', '.join(MODELS)}")
    return MODELS[law]
