"""Bristle's FMU in FMPy: in Co-Simulation beside a body, and in Model Exchange as one system with it, which SciPy solves."""

from __future__ import annotations

import ctypes
import functools
import tempfile
from collections.abc import Callable
from typing import Any

import fmpy
import numpy as np
from fmpy.fmi2 import FMU2Model, FMU2Slave

import bristle

from .bristle_peers import MU_S, Effective, parameters
from .contact import Array, Contact, Peer
from .laws import Monolithic

LAW = "FrDyn2Linear"
FOLDER = tempfile.TemporaryDirectory()


@functools.cache
def unit() -> tuple[Any, str]:
    """Description and folder of the FMU."""
    path = bristle.export(bristle.Card(LAW, coupling={"order": "serial"}), FOLDER.name)
    return fmpy.read_model_description(path), fmpy.extract(path, f"{FOLDER.name}/fmu")


class Instance:
    """An instance at rest under the normal force of the contact."""

    def __init__(self, kind: type, contact: Contact, **values: float) -> None:
        description, folder = unit()
        self.variables = {variable.name: variable.valueReference for variable in description.modelVariables}
        name = description.coSimulation.modelIdentifier
        self.fmu = kind(guid=description.guid, unzipDirectory=folder, modelIdentifier=name, instanceName=LAW)
        self.fmu.instantiate()
        self.fmu.setupExperiment()
        self.set(F_N=contact.static / MU_S, **parameters(LAW, contact), **values)
        self.fmu.enterInitializationMode()
        self.fmu.exitInitializationMode()
        self.steps = 0

    def set(self, **values: float) -> None:
        """Sets variables by name."""
        self.fmu.setReal([self.variables[name] for name in values], list(values.values()))

    def step(self, h: float, v: float) -> float:
        """A communication step; the friction force at its end."""
        self.set(v=v)
        self.fmu.doStep(self.steps * h, h)
        self.steps += 1
        return float(self.fmu.getReal([self.variables["F_R"]])[0])

    def __del__(self) -> None:
        self.fmu.freeInstance()


class CoSimulation(Effective):
    """The observer of the body, by `m_eff`."""

    tool, module, friction = "FMPy", "fmpy", "with Bristle's FMU, m_eff"

    def __init__(self) -> None:
        super().__init__(LAW)

    def element(self, contact: Contact, card: bristle.Card, **values: Any) -> Any:
        """The FMU in place of an element."""
        return Instance(FMU2Slave, contact, m_eff=values["m_eff"])


class ModelExchange(Monolithic):
    """Body and FMU as one system."""

    tool, module, friction, law = "FMPy", "fmpy", "with Bristle's FMU, Model Exchange", LAW
    states = 2

    def law_of(
        self, contact: Contact, sigma_0: float, sigma_1: float
    ) -> Callable[[float, Array], tuple[float, list[float]]]:
        """Force and rates from the FMU."""
        instance = Instance(FMU2Model, contact)
        fmu = instance.fmu
        fmu.enterContinuousTimeMode()
        x, rates = np.zeros(2), np.zeros(2)
        at_x, at_rates = (values.ctypes.data_as(ctypes.POINTER(ctypes.c_double)) for values in (x, rates))
        output = [instance.variables["F_R"]]

        def law(v: float, state: Array) -> tuple[float, list[float]]:
            x[:] = state
            fmu.setContinuousStates(at_x, 2)
            instance.set(v=v)
            fmu.getDerivatives(at_rates, 2)
            return float(fmu.getReal(output)[0]), list(rates)

        return law


PEERS: list[type[Peer]] = [CoSimulation, ModelExchange]
