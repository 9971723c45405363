"""Exudyn: the bristle of `CoordinateSpringDamperExt` in an implicit solver."""

from __future__ import annotations

import itertools
import time
from typing import Any

import exudyn
import numpy as np
from exudyn.utilities import (
    CoordinateSpringDamperExt,
    LoadCoordinate,
    MarkerNodeCoordinate,
    Mass1D,
    Node1D,
    NodeGenericData,
    NodePointGround,
    SensorNode,
)

from .contact import Contact, Load, Motion, Peer, motion

exudyn.config.printToConsole = False


class Connector(Peer):
    """A mass on one coordinate, with the connector's friction between it and the ground; the solver integrates the load as well."""

    tool, module, friction, law = "Exudyn", "exudyn", "CoordinateSpringDamperExt", "bristle, Stribeck"

    def __init__(self, stiffness: float = 5e6, decay: float = 1e-3, solver: str = "trapezoidal") -> None:
        super().__init__(stiffness=stiffness, decay=decay, solver=solver)

    @classmethod
    def candidates(cls) -> list[Peer]:
        """Stiffness of the bristle, with critical damping, velocity of the Stribeck effect, and the two implicit methods."""
        grid = itertools.product([5e5, 5e6, 5e7], [1e-2, 1e-3, 1e-4], ["trapezoidal", "generalizedAlpha"])
        return [cls(*chosen) for chosen in grid]

    def run(self, contact: Contact, load: Load, steps: int) -> Motion:
        """One run of the solver; its own shorter steps at changes between stick and slip are part of the cost."""
        system = exudyn.SystemContainer().AddSystem()
        ground = system.AddMarker(MarkerNodeCoordinate(nodeNumber=system.AddNode(NodePointGround()), coordinate=0))
        node = system.AddNode(Node1D(referenceCoordinates=[0], initialCoordinates=[contact.start]))
        system.AddObject(Mass1D(physicsMass=contact.inertia, nodeNumber=node))
        marker = system.AddMarker(MarkerNodeCoordinate(nodeNumber=node, coordinate=0))
        data = system.AddNode(NodeGenericData(numberOfDataCoordinates=3, initialCoordinates=[0, contact.start, 0]))
        stiffness = self.settings["stiffness"] * contact.static / 5.886
        system.AddObject(
            CoordinateSpringDamperExt(
                markerNumbers=[ground, marker],
                nodeNumber=data,
                stiffness=contact.stiffness,
                dynamicFrictionForce=contact.dynamic,
                staticFrictionOffsetForce=contact.static - contact.dynamic,
                stickingStiffness=stiffness,
                # Critical damping of half of the mass of the contact, as Bristle's.
                stickingDamping=2 * (0.5 * contact.inertia * stiffness) ** 0.5,
                exponentialDecayStatic=self.settings["decay"],
                frictionProportionalZone=0,
            )
        )
        kind = exudyn.OutputVariableType.Coordinates

        def force(system: Any, t: float, _: float) -> float:
            place = system.GetNodeOutput(node, kind)
            return load(t, float(np.ravel(place)[0])) + contact.stiffness * contact.pull * t

        system.AddLoad(LoadCoordinate(markerNumber=marker, load=0, loadUserFunction=force))
        sensors = [
            system.AddSensor(SensorNode(nodeNumber=node, storeInternal=True, writeToFile=False, outputVariableType=of))
            for of in (kind, exudyn.OutputVariableType.Coordinates_t)
        ]
        system.Assemble()
        settings = exudyn.SimulationSettings()
        integration = settings.timeIntegration
        integration.numberOfSteps, integration.endTime = steps, steps * contact.step
        integration.verboseMode = 0
        settings.solutionSettings.writeSolutionToFile = False
        settings.solutionSettings.sensorsWritePeriod = 0.01 * contact.step
        if self.settings["solver"] == "trapezoidal":
            integration.generalizedAlpha.useNewmark = True
            integration.generalizedAlpha.useIndex2Constraints = True
        begin = time.process_time()
        system.SolveDynamic(settings, solverType=exudyn.DynamicSolverType.GeneralizedAlpha)
        seconds = time.process_time() - begin
        x, v = (system.GetSensorStoredData(sensor) for sensor in sensors)
        t = contact.step * np.arange(steps + 1)
        return motion(contact, load, np.interp(t, x[:, 0], x[:, 1]), np.interp(t, v[:, 0], v[:, 1]), seconds)


PEERS: list[type[Peer]] = [Connector]
