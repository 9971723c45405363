"""Bristle: friction force elements as FMUs, at native speed in Python, identified from measurements.

>>> import bristle
>>> bristle.laws()                                         # the friction laws
>>> element = bristle.Element("LuGre", mu_s=0.15)          # one of them, with parameters
>>> result = element.simulate(t, F_N=10.0, v=v)            # a dict of arrays
>>> batch = bristle.Batch("LuGre", 10_000)                 # many at once
>>> bristle.export(bristle.Card("LuGre", name="Pad"))      # Pad.fmu
>>> result = bristle.identify("pad.csv", "LuGre", units={"t": "s", "v": "mm/s", "F_N": "N", "F": "N"})

All numbers are in SI units unless a function takes units by name. Whatever is refused raises `bristle.Error`, a ValueError, with a
sentence that says why and what to do.
"""

from typing import TYPE_CHECKING, Any

from ._bristle import VERSION as __version__
from ._bristle import (
    Batch,
    Card,
    CardError,
    Element,
    Error,
    InputError,
    Law,
    ModelWarning,
    SolverError,
    State,
    Variable,
    export,
    laws,
    show,
)

if TYPE_CHECKING:
    from .identification import (
        Comparison,
        Experiment,
        Identification,
        Inspection,
        Record,
        identify,
        inspect,
        plan_experiment,
    )

__all__ = [
    "Batch",
    "Card",
    "CardError",
    "Comparison",
    "Element",
    "Error",
    "Experiment",
    "Identification",
    "InputError",
    "Inspection",
    "Law",
    "ModelWarning",
    "Record",
    "SolverError",
    "State",
    "Variable",
    "__version__",
    "export",
    "identify",
    "inspect",
    "laws",
    "plan_experiment",
    "show",
]


def __getattr__(name: str) -> Any:
    # The names that need scipy are loaded when they are first used.
    if name in __all__:
        try:
            from . import identification  # noqa: PLC0415 (scipy is an extra)
        except ModuleNotFoundError as missing:
            if missing.name != "scipy":
                raise
            raise ImportError(f"bristle.{name} needs scipy; install it with `pip install bristle[identify]`") from None
        return getattr(identification, name)
    raise AttributeError(f"module 'bristle' has no attribute {name!r}")
