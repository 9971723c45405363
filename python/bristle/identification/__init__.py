"""Identification of friction laws from measured records.

`identify` fits a law, or compares laws; `plan_experiment` plans the motion that determines its parameters. `docs/identification.md` of the
sources has the study of its errors.
"""

from .api import identify
from .comparison import Comparison
from .errors import RecordError
from .plan import Experiment, plan_experiment
from .records import Record, record
from .report import Identification
from .result import Value

__all__ = [
    "Comparison",
    "Experiment",
    "Identification",
    "Record",
    "RecordError",
    "Value",
    "identify",
    "plan_experiment",
    "record",
]
