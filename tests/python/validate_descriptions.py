"""Validates model descriptions and terminals against the schemas of FMI and its rules, with FMPy: one folder for each argument."""

import pathlib
import sys

import fmpy
from fmpy.model_description import ValidationError, read_model_description
from lxml import etree

# FMI 2.0.4 takes the terminals of FMI 3.0.
SCHEMA = pathlib.Path(fmpy.__file__).parent / "schema/fmi3/fmi3TerminalsAndIcons.xsd"


def check_terminals(folder: pathlib.Path, variables: set[str]) -> None:
    """The terminals keep their schema, name variables of the element, and their icons are there."""
    terminals = folder / "terminalsAndIcons"
    tree = etree.parse(terminals / "terminalsAndIcons.xml")
    etree.XMLSchema(etree.parse(SCHEMA)).assertValid(tree)
    members = [member.get("variableName") for member in tree.iter("TerminalMemberVariable")]
    assert members and set(members) <= variables, f"{folder}: terminals of unknown variables"
    icons = {terminal.get("iconBaseName") for terminal in tree.iter("TerminalGraphicalRepresentation")}
    for icon in icons | {"icon"}:
        assert (terminals / f"{icon}.png").is_file(), f"{folder}: terminals without {icon}.png"


for folder in sys.argv[1:]:
    try:
        description = read_model_description(
            folder, validate=True, validate_variable_names=True, validate_model_structure=True
        )
    except ValidationError as error:
        sys.exit(f"{folder}: {error}")
    check_terminals(pathlib.Path(folder), {variable.name for variable in description.modelVariables})
