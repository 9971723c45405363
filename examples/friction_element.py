"""A friction element from an FMU, stepped by a program of one's own: the class that a multibody script needs."""

import shutil

from fmpy import extract, read_model_description
from fmpy.fmi2 import FMU2Slave


class FrictionElement:
    """An FMU in Co-Simulation with the inputs F_N and v and the output F_R.

    Between two communication points F_N, v and F_R are held. Use it as `with FrictionElement(...) as element`.
    """

    def __init__(self, fmu, name="friction", **parameters):
        description = read_model_description(fmu)
        reference = {variable.name: variable.valueReference for variable in description.modelVariables}
        self.inputs = [reference["F_N"], reference["v"]]
        self.output = [reference["F_R"]]
        self.folder = extract(fmu)
        self.slave = FMU2Slave(
            guid=description.guid,
            unzipDirectory=self.folder,
            modelIdentifier=description.coSimulation.modelIdentifier,
            instanceName=name,
        )
        self.slave.instantiate()
        for parameter, value in parameters.items():
            self.slave.setReal([reference[parameter]], [value])
        self.slave.setupExperiment(startTime=0.0)
        self.slave.enterInitializationMode()
        self.slave.exitInitializationMode()

    def step(self, t, h, normal_force, velocity):
        """The friction force (N) after a step of h (s) from t (s), against the direction of the velocity."""
        self.slave.setReal(self.inputs, [normal_force, velocity])
        self.slave.doStep(currentCommunicationPoint=t, communicationStepSize=h)
        return self.slave.getReal(self.output)[0]

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.slave.terminate()
        self.slave.freeInstance()
        shutil.rmtree(self.folder, ignore_errors=True)
