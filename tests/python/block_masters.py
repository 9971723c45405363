"""Runs an FMU with a block on a belt by three masters, and prints master, communication step, and position of the block at 0.5 s.

block_masters.py FMU

`fmpy` is FMPy's own loop, with the block alone. The others have a second instance of the FMU as the base of the block, a body of 5 kg on a
spring to the ground and without friction: `simulink` makes the calls in the order of Simulink's co-simulation, all inputs, all steps, and
then the exchange of all outputs; `ssp` is FMPy's master of systems in SSP.
"""

import shutil
import sys
import tempfile
import zipfile
from pathlib import Path
from types import SimpleNamespace

from fmpy import extract, read_model_description, simulate_fmu
from fmpy.fmi2 import FMU2Slave
from fmpy.ssp.simulation import simulate_ssp

FMU, END, STEPS = sys.argv[1], 0.5, (1e-3, 5e-3)
INPUTS = {"F_N": 9.81, "v_surface": 0.1}
BASE = {"mass": 5.0, "stiffness": 2e4, "damping": 20.0}
# Outputs, and the inputs that they become.
CONNECTIONS = [("base", "x", "block", "x_base"), ("base", "v", "block", "v_base"), ("block", "F_base", "base", "F")]


def simulink(h):
    description = read_model_description(FMU)
    place = {variable.name: variable.valueReference for variable in description.modelVariables}
    folder, slaves = extract(FMU), {}
    for name, values in (("block", INPUTS), ("base", BASE)):
        slave = FMU2Slave(
            guid=description.guid,
            unzipDirectory=folder,
            modelIdentifier=description.coSimulation.modelIdentifier,
            instanceName=name,
        )
        slave.instantiate()
        slave.setReal([place[variable] for variable in values], list(values.values()))
        slave.setupExperiment(startTime=0.0)
        slave.enterInitializationMode()
        slave.exitInitializationMode()
        slaves[name] = slave
    signals = [0.0] * len(CONNECTIONS)
    for step in range(round(END / h)):
        for (_, _, to, given), value in zip(CONNECTIONS, signals):
            slaves[to].setReal([place[given]], [value])
        for slave in slaves.values():
            slave.doStep(currentCommunicationPoint=step * h, communicationStepSize=h)
        signals = [slaves[of].getReal([place[output]])[0] for of, output, _, _ in CONNECTIONS]
    x = slaves["block"].getReal([place["x"]])[0]
    for slave in slaves.values():
        slave.terminate()
        slave.freeInstance()
    shutil.rmtree(folder)
    return x


def component(name):
    ends = [
        (kind, end)
        for of, out, to, into in CONNECTIONS
        for who, kind, end in ((of, "output", out), (to, "input", into))
        if who == name
    ]
    if name == "block":
        ends.append(("output", "x"))
    connectors = "".join(f'<ssd:Connector name="{end}" kind="{kind}"><ssc:Real/></ssd:Connector>' for kind, end in ends)
    return f'<ssd:Component name="{name}" source="resources/Block.fmu"><ssd:Connectors>{connectors}</ssd:Connectors></ssd:Component>'


def ssp(h):
    connections = "".join(
        f'<ssd:Connection startElement="{of}" startConnector="{out}" endElement="{to}" endConnector="{into}"/>'
        for of, out, to, into in CONNECTIONS
    )
    structure = (
        '<?xml version="1.0" encoding="UTF-8"?><ssd:SystemStructureDescription version="1.0" name="TwoBodies" '
        'xmlns:ssd="http://ssp-standard.org/SSP1/SystemStructureDescription" '
        'xmlns:ssc="http://ssp-standard.org/SSP1/SystemStructureCommon"><ssd:System name="TwoBodies">'
        f"<ssd:Elements>{component('block')}{component('base')}</ssd:Elements>"
        f"<ssd:Connections>{connections}</ssd:Connections></ssd:System></ssd:SystemStructureDescription>"
    )
    values = {f"block.{name}": value for name, value in INPUTS.items()} | {
        f"base.{name}": value for name, value in BASE.items()
    }
    parameters = SimpleNamespace(parameters=[SimpleNamespace(name=name, value=value) for name, value in values.items()])
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "system.ssp"
        with zipfile.ZipFile(path, "w") as archive:
            archive.writestr("SystemStructure.ssd", structure)
            archive.write(FMU, "resources/Block.fmu")
        result = simulate_ssp(str(path), stop_time=END - 0.5 * h, step_size=h, parameter_set=parameters)
    return result["block.x"][-1]


for h in STEPS:
    alone = simulate_fmu(FMU, stop_time=END, step_size=h, output_interval=h, start_values=INPUTS, output=["x"])
    print("fmpy", h, repr(float(alone["x"][-1])))
    print("simulink", h, repr(simulink(h)))
    print("ssp", h, repr(float(ssp(h))))
