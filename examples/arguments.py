"""Arguments that all scripts of this folder take. A file that is missing is one sentence, not a traceback."""

import argparse
from pathlib import Path

FMUS = Path(__file__).resolve().parent.parent / "target/fmu"
# Of the cards in cards/, where `cargo xtask test` leaves them.
CARDS = FMUS.parent / "fmu-cards"


class Parser(argparse.ArgumentParser):
    """Ends the script with one sentence where an argument is wrong, and with the page of help where it is asked for."""

    def error(self, message):
        raise SystemExit(f"{self.prog}: {message}; --help shows what can be given")


def parser(description):
    """A parser of arguments with --out; the first line of the script's description is its help."""
    arguments = Parser(description=description.splitlines()[0])
    arguments.add_argument("--out", type=folder, default=Path("."), help="folder of what the script leaves")
    arguments.add_argument("--force", action="store_true", help="replace files that exist")
    return arguments


def result(given, name):
    """Path of a file that the script leaves; one that exists, also in other capital letters, ends the script unless --force is given."""
    names = [path.name for path in given.out.iterdir()]
    if (name in names and not given.force) or (name not in names and name.lower() in map(str.lower, names)):
        raise SystemExit(f"{given.out / name} exists already; take another --out, or --force to replace it")
    return given.out / name


def with_fmu(arguments, default=FMUS / "FrDyn2.fmu"):
    """Adds --fmu, another FMU than the packaged one."""
    arguments.add_argument("--fmu", type=file, default=str(default), help="FMU of the element")
    return arguments


def folder(text):
    """A folder, made where it is missing."""
    path = Path(text)
    try:
        path.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise argparse.ArgumentTypeError(f"{path} cannot be a folder: {error.strerror}") from None
    return path


def file(text):
    """A file that is there."""
    path = Path(text)
    if not path.is_file():
        raise argparse.ArgumentTypeError(f"{path} does not exist; `cargo xtask package` makes the FMUs in target/fmu")
    return path
