"""Replays the Cross-Check files of elements in FMPy, with the inputs held and interpolated, and compares with the references.

crosscheck.py FOLDER_OF_FMUS FOLDER_OF_FILES [ELEMENT | ELEMENT=held ...]

With "=held", interpolated inputs are not compared: the element switches by the inputs it sees.
"""

import shutil
import sys
from pathlib import Path

import numpy as np
from fmpy import extract, read_model_description, simulate_fmu
from fmpy.fmi2 import FMU2Slave
from fmpy.util import read_csv, read_ref_opt_file

HELD = 1e-9
TUBE, NEIGHBOURS = 0.05, 2



def interpolated(fmu, inputs, h):
    """F_R with straight lines between the rows, told by fmi2SetRealInputDerivatives.

    By hand: FMPy 0.3.32's own option fails where there is more than one input.
    """
    description = read_model_description(fmu)
    reference = {variable.name: variable.valueReference for variable in description.modelVariables}
    names = [name for name in inputs.dtype.names if name != "time"]
    references = [reference[name] for name in names]
    folder = extract(fmu)
    slave = FMU2Slave(guid=description.guid, unzipDirectory=folder, instanceName="interpolated",
                      modelIdentifier=description.coSimulation.modelIdentifier)
    slave.instantiate()
    slave.setupExperiment(startTime=0.0)
    slave.enterInitializationMode()
    slave.exitInitializationMode()
    forces = [slave.getReal([reference["F_R"]])[0]]
    for row, following in zip(inputs[:-1], inputs[1:]):
        slave.setReal(references, [row[name] for name in names])
        slopes = [(following[name] - row[name]) / h for name in names]
        slave.setRealInputDerivatives(references, [1] * len(names), slopes)
        slave.doStep(currentCommunicationPoint=row["time"], communicationStepSize=h)
        forces.append(slave.getReal([reference["F_R"]])[0])
    slave.terminate()
    slave.freeInstance()
    shutil.rmtree(folder, ignore_errors=True)
    return np.array(forces)


fmus, folder, *elements = sys.argv[1:]
for element in elements:
    element, _, held_only = element.partition("=")
    files = Path(folder) / element / element
    inputs, reference = read_csv(f"{files}_in.csv"), read_csv(f"{files}_ref.csv")
    options = read_ref_opt_file(f"{files}_ref.opt")
    outputs = [name for name in reference.dtype.names if name != "time"]
    fmu = str(Path(fmus) / f"{element}.fmu")
    found = simulate_fmu(
        fmu,
        fmi_type="CoSimulation",
        start_time=options["StartTime"],
        stop_time=options["StopTime"],
        step_size=options["StepSize"],
        output_interval=options["StepSize"],
        input=inputs,
        output=outputs,
    )
    assert len(found) == len(reference), f"{element}: {len(found)} points, not {len(reference)}"
    held = 0.0
    for name in outputs:
        size = np.abs(reference[name]).max() or 1.0
        held = max(held, np.abs(found[name] - reference[name]).max() / size)
    assert held <= HELD, f"{element}: held inputs give another result than {files}_ref.csv"
    if held_only:
        print(f"{element}: held within {held:.1e}")
        continue
    force, size = reference["F_R"], np.abs(reference["F_R"]).max()
    wide = np.pad(force, NEIGHBOURS, mode="edge")
    around = np.lib.stride_tricks.sliding_window_view(wide, 2 * NEIGHBOURS + 1)
    other = interpolated(fmu, inputs, options["StepSize"])
    beyond = np.maximum(np.maximum(other - around.max(axis=1), around.min(axis=1) - other), 0)
    # The last points have no neighbours after them.
    outside = beyond[:-NEIGHBOURS].max() / size
    print(f"{element}: held within {held:.1e}; interpolated within {outside:.1e} of the tube of {NEIGHBOURS} steps")
    assert outside <= TUBE, f"{element}: interpolated inputs leave the tube around {files}_ref.csv"
