"""A friction element from an FMU, stepped by a program of one's own: the class that a multibody script needs.

A misspelt variable, a value that does not fit it, a missing file and a refusal of the FMU raise `Refused` with one sentence.
A script that does not catch it ends with that sentence and exit code 1, without a traceback.
"""

import difflib
import shutil
import sys
from pathlib import Path

from fmpy import extract, platform, read_model_description
from fmpy.fmi2 import (
    FMU2Slave,
    defaultCallbacks,
    fmi2CallbackFunctions,
    fmi2CallbackLoggerTYPE,
    fmi2Warning,
)


class Refused(SystemExit, ValueError):
    """One sentence on what was refused and why. `except ValueError` catches it like any other."""


class FrictionElement:
    """An FMU in Co-Simulation with the inputs F_N, v and, where the law has them, a and F_t, and with the output F_R; or, about an axis,
    with omega, omega_dot, M_t and M_R. `exchange` serves contacts in the plane, plates and several contacts.

    Parameters and start values are named: `FrictionElement("LuGre.fmu", mu_s=0.5, m_eff=1.0, coupling="parallel")`. Between
    two communication points inputs and F_R are held. Use it as `with FrictionElement(...) as element`.
    """

    def __init__(self, fmu, name="friction", **parameters):
        description = describe(fmu)
        self.element = description.modelName
        self.variables = {variable.name: variable for variable in description.modelVariables}
        # Inputs and output of one contact along a line, or about an axis.
        names = ("F_N", "omega", "omega_dot", "M_t") if "omega" in self.variables else ("F_N", "v", "a", "F_t")
        self.inputs = [name for name in names if name in self.variables]
        self.arguments = [names.index(name) for name in self.inputs]
        self.outputs = [name for name in ("F_R", "M_R") if name in self.variables]
        values = {name: self.value(name, value) for name, value in parameters.items()}
        self.messages = []
        # Kept as long as the instance: the FMU calls it.
        self.callbacks = fmi2CallbackFunctions(
            logger=fmi2CallbackLoggerTYPE(self.log),
            allocateMemory=defaultCallbacks.allocateMemory,
            freeMemory=defaultCallbacks.freeMemory,
        )
        self.folder = extract(str(fmu))
        try:
            self.slave = FMU2Slave(
                guid=description.guid,
                unzipDirectory=self.folder,
                modelIdentifier=description.coSimulation.modelIdentifier,
                instanceName=name,
            )
        except Exception:
            shutil.rmtree(self.folder, ignore_errors=True)
            raise Refused(f"{fmu} holds no library that runs here; export it for {platform}") from None
        try:
            self.call(self.slave.instantiate, callbacks=self.callbacks)
        except Refused:
            shutil.rmtree(self.folder, ignore_errors=True)
            raise
        try:
            for name, value in values.items():
                self.write(name, value)
            self.call(self.slave.setupExperiment, startTime=0.0)
            self.call(self.slave.enterInitializationMode)
            self.call(self.slave.exitInitializationMode)
        except Refused:
            self.close()
            raise

    def step(self, t, h, normal_force, velocity, a=0.0, F_t=0.0):
        """The friction force (N) after a step of h (s) from t (s), against the direction of the velocity.

        The relative acceleration a (m/s²) and the applied tangential force F_t (N) reach laws that have these inputs. About an axis,
        velocity is omega (rad/s), a is omega_dot, F_t is M_t, and the result is M_R (N·m).
        """
        if len(self.inputs) < 2 or len(self.outputs) != 1:
            raise Refused(f"{self.element} is no single contact along a line or about an axis; use exchange")
        given = (normal_force, velocity, a, F_t)
        values = {name: given[place] for name, place in zip(self.inputs, self.arguments)}
        return self.exchange(t, h, values, self.outputs)[0]

    def exchange(self, t, h, inputs, outputs):
        """The values of the outputs of these names after a step of h (s) from t (s) with inputs by name."""
        references = [self.variable(name).valueReference for name in inputs]
        self.call(self.slave.setReal, references, [self.value(name, value) for name, value in inputs.items()])
        self.call(self.slave.doStep, currentCommunicationPoint=t, communicationStepSize=h)
        return self.call(self.slave.getReal, [self.variable(name).valueReference for name in outputs])

    def get(self, name):
        """The value of any variable: a float, an int, or a bool."""
        variable = self.variable(name)
        if variable.type == "Boolean":
            return bool(self.call(self.slave.getBoolean, [variable.valueReference])[0])
        read = self.slave.getReal if variable.type == "Real" else self.slave.getInteger
        return self.call(read, [variable.valueReference])[0]

    def set(self, name, value):
        """Sets a tunable parameter between two steps. An enumeration takes the name of a choice or its number."""
        self.write(name, self.value(name, value))

    def write(self, name, value):
        """Sets a variable to a value of its type."""
        variable = self.variable(name)
        write = {"Real": self.slave.setReal, "Boolean": self.slave.setBoolean}.get(variable.type, self.slave.setInteger)
        self.call(write, [variable.valueReference], [value])

    def variable(self, name):
        """The description of a variable."""
        if name not in self.variables:
            raise Refused(f"{self.element} has no variable {name}{nearest(name, self.variables)}")
        return self.variables[name]

    def value(self, name, value):
        """A value in the type of its variable, from a number, a bool, or text."""
        variable = self.variable(name)
        kinds = {"Real": (number, "a number"), "Integer": (integer, "an integer"), "Boolean": (boolean, "true or false")}
        choices = {}
        if variable.type == "Enumeration":
            choices = {item.name: int(item.value) for item in variable.declaredType.items}
        convert, wanted = kinds.get(variable.type, (integer, "one of " + ", ".join(choices)))
        try:
            result = choices[value] if isinstance(value, str) and value in choices else convert(value)
        except (TypeError, ValueError, OverflowError):
            near = nearest(value, choices) if isinstance(value, str) else ""
            raise Refused(f"{name} of {self.element} is {wanted}, not {value!r}{near}") from None
        if choices and result not in choices.values():
            raise Refused(f"{name} of {self.element} is {wanted} or its number from 1, not {value!r}")
        return result

    def call(self, function, *arguments, **named):
        """Calls a function of the FMU. A refusal is the sentence that the FMU logs; its warnings go to the standard error."""
        self.messages.clear()
        try:
            result = function(*arguments, **named)
        except Exception as error:
            errors = [text for status, text in self.messages if status > fmi2Warning]
            raise Refused(f"{self.element}: {errors[-1] if errors else error}") from None
        for _, text in self.messages:
            print(f"{self.element}: {text}", file=sys.stderr)
        return result

    def log(self, environment, instance, status, category, message):
        """The FMU calls this with a message, in which it doubles % and #, as the standard requires."""
        self.messages.append((status, message.decode("utf-8", "replace").replace("%%", "%").replace("##", "#")))

    def close(self):
        """Frees the instance and removes what was unpacked."""
        self.slave.freeInstance()
        shutil.rmtree(self.folder, ignore_errors=True)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.slave.terminate()
        self.close()


def describe(fmu):
    """The model description of an FMU in FMPy's words; refused where the file is none, or no friction element."""
    path = Path(fmu)
    if not path.exists():
        near = nearest(path.name, [other.name for other in path.parent.glob("*.fmu")])
        raise Refused(f"{fmu} does not exist{near or '; `cargo xtask package` makes the FMUs in target/fmu'}")
    try:
        description = read_model_description(str(fmu))
    except Exception as error:
        reason = (str(error).splitlines() or [type(error).__name__])[0]
        raise Refused(f"{fmu} is no FMU: {reason}") from None
    # Without the name or the number of a contact.
    names = {variable.name.split(".")[-1].split("[")[0] for variable in description.modelVariables}
    if description.coSimulation is None or "F_N" not in names or not {"F_R", "F_R_x", "M_R"} & names:
        raise Refused(f"{fmu} is no friction element for Co-Simulation: it lacks F_N or a friction force")
    return description


def nearest(name, known):
    """`; did you mean …?` with the nearest of the known names, or nothing where none is near."""
    lower = {other.lower(): other for other in known}
    near = difflib.get_close_matches(str(name).lower(), lower, n=1, cutoff=0.5)
    return f"; did you mean {lower[near[0]]}?" if near else ""


def number(value):
    """A float, from a number or its text."""
    return float(value)


def integer(value):
    """An int, from a number without fraction or its text."""
    if isinstance(value, str):
        return int(value)
    if int(value) != value:
        raise ValueError(value)
    return int(value)


def boolean(value):
    """A bool, from a bool, 0, 1, or the text of one."""
    texts = {"true": True, "1": True, "false": False, "0": False}
    if isinstance(value, str):
        return texts[value.lower()] if value.lower() in texts else integer("")
    if value not in (0, 1):
        raise ValueError(value)
    return bool(value)
