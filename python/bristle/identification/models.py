"""Forms in which laws are identifiable: coordinates that are positive numbers, and what is reported of them.

A fit moves the logarithms of the coordinates. Differences that have to be positive are coordinates of their own: mu_s/mu_d − 1,
v_d/v_s − 1 and, for FrDyn2, v_d − v_s, because the force in sliding depends on |v| + v_s against v_d alone; v_s is a share of that.
Users give and read published names; a published name that is no coordinate is solved for one.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from .. import _bristle
from .errors import RecordError
from .thresholds import INNER_STEPS, TOLERANCE

Array = NDArray[np.float64]
Flags = NDArray[np.bool_]
Columns = dict[str, Array]
#: Smallest and largest entries of a vector.
Bounds = tuple[Array, Array]
#: Coordinate that a published name is solved for, and its value from the others and all fixed values.
Solution = tuple[str, Callable[[Columns, dict[str, float]], "Array | float"]]

#: Experiments that determine parameters, in words.
SLIDING = "constant speeds of sliding, both ways, for 0.3 s and longer each"
SLOW = "six or more constant speeds, log-spaced from 0.2 to 10 times the velocity at which the force falls, both ways"
FAST = "constant speeds up to 10 times the velocity at which the force falls, both ways"
PRESLIDING = "nested triangles of the position with amplitudes of 0.3 to 8 times x_p = F/sigma_0, with an encoder step of x_p/25 or finer"
REVERSALS = "a sine of the velocity through sliding at half the largest speed, with 5 or more samples within the first 2 x_p after a reversal"


#: Parameters of the level, of which each direction may have its own.
LEVELS = {"mu_s", "mu_d"}


def by_direction(names: Sequence[str], vectors: Array, ratios: Array) -> tuple[list[str], Array]:
    """Parameters, shape (vectors, names), with the levels for v > 0 and v < 0 of these ratios, shape (vectors,), in place of their means."""
    columns = {name: vectors[:, place] for place, name in enumerate(names)}
    found = {name: column for name, column in columns.items() if name not in LEVELS}
    for side, factor in (("forward", 2 * ratios / (1 + ratios)), ("backward", 2 / (1 + ratios))):
        found |= {f"{name}_{side}": factor * column for name, column in columns.items() if name in LEVELS}
    return list(found), np.column_stack(list(found.values()))


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
    #: Whether the law is to be used with these coordinates at a normal force, N; searches leave others out.
    feasible: Callable[[Columns, float], Flags] | None = None
    #: The law has a bristle, whose x_p the encoder has to resolve.
    has_bristle: bool = True
    #: Published names that are no coordinates.
    solved: dict[str, Solution] = field(default_factory=dict)
    #: Values of published names that are known.
    fixed: dict[str, float] = field(default_factory=dict)
    #: The level of the force rises with the speed: mu_s lies below mu_d.
    rises: bool = False

    def columns(self, theta: Array) -> Columns:
        """Coordinates by name, shape (vectors,), from their logarithms, shape (vectors, coordinates and more)."""
        values = np.exp(np.atleast_2d(theta)[:, : len(self.coordinates)])
        found = {name: values[:, i] for i, name in enumerate(self.coordinates)}
        for name in self.fixed:
            if name in self.solved:
                coordinate, solve = self.solved[name]
                found[coordinate] = np.maximum(solve(found, self.fixed) + 0 * found[coordinate], 1e-9)
        return found

    def with_fixed(self, fixed: dict[str, float]) -> Model:
        """Return the model with known values of published names."""
        known = list(dict.fromkeys([*(quantity.name for quantity in self.quantities), *self.solved]))
        for name, value in fixed.items():
            if name not in known:
                raise RecordError(f"{self.law} has no {name} to fix; these can be: {', '.join(known)}")
            if not value >= 0:
                raise RecordError(f"{name} = {value!r} was given to fix; give a number from 0 on, in SI units")
        if fixed.get("mu_s", np.inf) < fixed.get("mu_d", 0.0) or fixed.get("v_d", np.inf) <= fixed.get("v_s", 0.0):
            raise RecordError("fixed has mu_s below mu_d, or v_d below v_s; raise the first of the two")
        return replace(self, fixed=dict(fixed))

    def is_fixed(self, quantity: Quantity) -> bool:
        """Whether a quantity has a known value."""
        return quantity.name in self.fixed or ({"v_d", "v_s"} <= set(self.fixed) and quantity.name == "v_d - v_s")

    def fixed_coordinates(self) -> dict[str, float | None]:
        """Coordinates that a search does not move, with their values; None where another coordinate gives it."""
        return {
            self.solved[name][0] if name in self.solved else name: None if name in self.solved else value
            for name, value in self.fixed.items()
        }

    def element_parameters(self, theta: Array) -> tuple[list[str], Array]:
        """Names of the element's parameters and their values, shape (vectors, names)."""
        found = self.parameters(self.columns(theta))
        return list(found), np.ascontiguousarray(np.stack(list(found.values()), axis=1))

    def reported(self, theta: Array) -> Array:
        """Logarithms of the reported quantities, shape (vectors, quantities)."""
        columns = self.columns(theta)
        return np.log(np.stack([quantity.value(columns) for quantity in self.quantities], axis=1))

    def card(self, interval: float, by_direction: bool = False) -> _bristle.Card:
        """Card of the element that a fit runs over samples of this interval, s, if wanted with a level for each direction."""
        steps = INNER_STEPS * max(1.0, interval / 1e-3)
        keys: dict[str, object] = {"experiment": {"tolerance": TOLERANCE}}
        if self.law.startswith("FrDyn2"):
            keys["parameters"] = {"inner_steps_max": steps}
        if by_direction:
            levels = LEVELS & set(_bristle.laws()[self.law].parameters)
            keys["direction"] = {f"{level}_{side}": 1.0 for level in levels for side in ("forward", "backward")}
        return _bristle.Card(self.law, **keys)

    def index(self, coordinate: str) -> int:
        """Place of a coordinate."""
        return self.coordinates.index(coordinate)


def _own(name: str) -> Callable[[Columns], Array]:
    return lambda columns: columns[name]


def _static(kinetic: str) -> Quantity:
    return Quantity("mu_s", "1", lambda c: c[kinetic] * (1 + c["excess"]), SLOW, "excess")


def _quantity(name: str, unit: str, experiment: str) -> Quantity:
    return Quantity(name, unit, _own(name), experiment, name)


#: mu_s as a published name of laws with the coordinate mu_s/mu_d − 1.
STATIC: dict[str, Solution] = {"mu_s": ("excess", lambda c, fixed: fixed["mu_s"] / c["mu_d"] - 1)}


def _parameters(*names: str) -> Callable[[Columns], Columns]:
    """Parameters that are coordinates of the same names, and mu_s."""
    return lambda c: {"mu_s": c["mu_d"] * (1 + c["excess"]), **{name: c[name] for name in names}}


def _rising(c: Columns) -> Columns:
    """LuGre with a level that rises with the speed: the element has mu_s = mu_d, and its normal force the rise."""
    names = ("mu_d", "v_Stribeck", "sigma_0", "sigma_1", "sigma_2")
    return {"mu_s": c["mu_d"], **{n: c[n] for n in names}, "rise": c["part"] - 1, "v_rise": c["v_Stribeck"]}


def _frdyn2(c: Columns) -> Columns:
    found = {
        "mu_s": c["mu_d"] * (1 + c["excess"]),
        "mu_d": c["mu_d"],
        "v_s": c["share"] * c["v_d - v_s"],
        "v_d": (1 + c["share"]) * c["v_d - v_s"],
        "sigma_0": c["sigma_0"],
        "sigma_1": c["sigma_1"],
    }
    return {**found, "sigma_2": c["sigma_2"]} if "sigma_2" in c else found


def _stable(c: Columns, normal_force: float) -> Flags:
    """Bristle of FrDyn2 that is stable on the falling branch; an unstable one oscillates at constant v, and each run costs a hundredfold."""
    return np.asarray(c["sigma_1"] * c["v_d - v_s"] > 1.5 * c["mu_d"] * c["excess"] * normal_force)


def _frdyn2_model(law: str, viscous: tuple[str, ...] = ()) -> Model:
    return Model(
        law,
        ("mu_d", "excess", "sigma_0", "sigma_1", "v_d - v_s", "share", *viscous),
        _frdyn2,
        (
            _static("mu_d"),
            _quantity("mu_d", "1", SLIDING),
            _quantity("v_d - v_s", "m/s", SLOW),
            _quantity("sigma_0", "N/m", PRESLIDING),
            _quantity("sigma_1", "N.s/m", REVERSALS),
            Quantity("v_s", "m/s", lambda c: c["share"] * c["v_d - v_s"], REVERSALS, "share"),
            *(_quantity(name, "N.s/m", FAST) for name in viscous),
        ),
        held=("share",),
        feasible=_stable,
        solved={
            **STATIC,
            "v_d": (
                "v_d - v_s",
                lambda c, fixed: fixed["v_d"] - fixed["v_s"] if "v_s" in fixed else fixed["v_d"] / (1 + c["share"]),
            ),
            "v_s": (
                "share",
                lambda c, fixed: fixed["v_s"] / (fixed["v_d"] - fixed["v_s"] if "v_d" in fixed else c["v_d - v_s"]),
            ),
        },
    )


_LUGRE = (
    _quantity("mu_d", "1", SLIDING),
    _quantity("v_Stribeck", "m/s", SLOW),
    _quantity("sigma_0", "N/m", PRESLIDING),
    _quantity("sigma_1", "N.s/m", REVERSALS),
    _quantity("sigma_2", "N.s/m", FAST),
)

MODELS: dict[str, Model] = {
    model.law: model
    for model in (
        Model(
            "StaticRegularized",
            ("mu_d", "excess", "v_s", "spread"),
            lambda c: {**_parameters("mu_d", "v_s")(c), "v_d": c["v_s"] * (1 + c["spread"])},
            (
                _static("mu_d"),
                _quantity("mu_d", "1", SLIDING),
                _quantity("v_s", "m/s", SLOW),
                Quantity("v_d", "m/s", lambda c: c["v_s"] * (1 + c["spread"]), SLOW, "spread"),
            ),
            has_bristle=False,
            solved={**STATIC, "v_d": ("spread", lambda c, fixed: fixed["v_d"] / c["v_s"] - 1)},
        ),
        Model(
            "BrownMcPhee",
            ("mu_d", "excess", "v_Stribeck", "sigma_2"),
            _parameters("mu_d", "v_Stribeck", "sigma_2"),
            (_static("mu_d"), *(quantity for quantity in _LUGRE if quantity.name in ("mu_d", "v_Stribeck", "sigma_2"))),
            has_bristle=False,
            solved=STATIC,
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
            _parameters("mu_d", "v_Stribeck", "sigma_0", "sigma_1", "sigma_2"),
            (_static("mu_d"), *_LUGRE),
            solved=STATIC,
        ),
        _frdyn2_model("FrDyn2"),
        _frdyn2_model("FrDyn2Linear", ("sigma_2",)),
    )
}

#: LuGre with mu_s below mu_d; its card has a measured curve.
RISING = Model(
    "LuGre",
    ("mu_d", "part", "v_Stribeck", "sigma_0", "sigma_1", "sigma_2"),
    _rising,
    (Quantity("mu_s", "1", lambda c: c["mu_d"] * c["part"], SLOW, "part"), *_LUGRE),
    solved={"mu_s": ("part", lambda c, fixed: fixed["mu_s"] / c["mu_d"])},
    rises=True,
)


def model_of(law: str) -> Model:
    """Return the identifiable form of a law."""
    if law not in MODELS:
        if law not in _bristle.laws():
            _bristle.Element(law)  # refuses with the nearest name
        raise RecordError(f"{law} has no identifiable form yet; these have: {', '.join(MODELS)}")
    return MODELS[law]
