"""Identification of friction laws from measured records.

`identify` fits a law, or compares laws; `plan_experiment` plans the motion that determines its parameters. `docs/identification.md` of the
sources has the study of its errors.
"""

from .api import identify
from .comparison import Comparison
from .errors import RecordError
from .inspection import Inspection, inspect
from .plan import Experiment, plan_experiment
from .records import Record, record
from .report import Identification
from .result import Correction, Value

__all__ = [
    "Comparison",
    "Correction",
    "Experiment",
    "Identification",
    "Inspection",
    "Record",
    "RecordError",
    "Value",
    "identify",
    "inspect",
    "plan_experiment",
    "record",
]
