"""Validates model descriptions against the schema of FMI 2.0 and its rules, with FMPy: one folder for each argument."""

import sys

from fmpy.model_description import ValidationError, read_model_description

for folder in sys.argv[1:]:
    try:
        read_model_description(folder, validate=True, validate_variable_names=True, validate_model_structure=True)
    except ValidationError as error:
        sys.exit(f"{folder}: {error}")
