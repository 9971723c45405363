"""Steps a packaged FrDyn2.fmu in FMPy on a body of 1 kg that is pushed, and prints the body, row by row.

coupling.py FMU M_EFF FORCE DURATION STEPS MIDDLE [saved|serialised|forgotten]

The master has no model of friction: in steps of 1e-3 s it gets F_R of the element with the velocity that the body has, and
moves the body over the step under F_R and the load, both held. The load rises as a cubic to FORCE (N) within DURATION (s)
and stays. Each row is: u and v of the body, F_R, F_law, with all digits.

With a last argument the run is interrupted after MIDDLE steps: `saved` makes the other steps, goes back to the saved state and
makes them again; `serialised` makes them by a new instance that loads the state from bytes; `forgotten` by a new instance that
starts afresh. Printed are the rows before the middle and those of the last attempt.
"""

import shutil
import sys

from fmpy import extract, read_model_description
from fmpy.fmi2 import FMU2Slave

MASS, GRAVITY, H = 1.0, 9.81, 1e-3

fmu, m_eff, force, duration, steps, middle, *interruption = sys.argv[1:]
m_eff, force, duration, steps, middle = float(m_eff), float(force), float(duration), int(steps), int(middle)
description = read_model_description(fmu)
reference = {variable.name: variable.valueReference for variable in description.modelVariables}
folder = extract(fmu)


def instantiate(start):
    element = FMU2Slave(
        guid=description.guid,
        unzipDirectory=folder,
        modelIdentifier=description.coSimulation.modelIdentifier,
        instanceName="friction",
    )
    element.instantiate()
    element.setReal([reference["m_eff"]], [m_eff])
    if m_eff > 0:
        element.setInteger([reference["coupling"]], [1])
    element.setupExperiment(startTime=start)
    element.enterInitializationMode()
    element.exitInitializationMode()
    return element


def load(t):
    part = min(t / duration, 1.0)
    return force * part * part * (3 - 2 * part)


def run(element, body, first, last):
    """The rows of these steps and the body after them."""
    u, v = body
    rows = []
    for step in range(first, last):
        t = step * H
        element.setReal([reference["F_N"], reference["v"]], [MASS * GRAVITY, v])
        element.doStep(currentCommunicationPoint=t, communicationStepSize=H)
        F_R, F_law = element.getReal([reference["F_R"], reference["F_law"]])
        a = (0.5 * (load(t) + load(t + H)) - F_R) / MASS
        u, v = u + H * (v + 0.5 * H * a), v + H * a
        rows.append((u, v, F_R, F_law))
    return rows, (u, v)


element = instantiate(0.0)
rows, body = run(element, (0.0, 0.0), 0, middle)
if interruption:
    state = element.getFMUstate()
    content = element.serializeFMUstate(state)
    run(element, body, middle, steps)
    if interruption == ["saved"]:
        element.setFMUstate(state)
    element.freeFMUstate(state)
    if interruption != ["saved"]:
        element.terminate()
        element.freeInstance()
        element = instantiate(middle * H)
    if interruption == ["serialised"]:
        state = element.deSerializeFMUstate(content)
        element.setFMUstate(state)
        element.freeFMUstate(state)
rows += run(element, body, middle, steps)[0]
element.terminate()
element.freeInstance()
shutil.rmtree(folder)

for row in rows:
    print(*map(repr, row))
