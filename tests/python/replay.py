"""Runs packaged FMUs in one importer under given inputs and prints the force of every element at the end of each step: F_R, M_R of
a rotational element, F_R_x in the plane, and that of the first of several contacts.

replay.py fmpy-cs|fmpy-me|libcosim|ecos FOLDER_OF_FMUS FOLDER_OF_INPUTS [ELEMENT ...]

Each ELEMENT.csv has the time in its first column and the inputs in the others; a row's inputs are held until the next row's
time. The last row only ends the last step. Steps have equal lengths. Printed are lines: "row", element, force.
"""

import sys
from pathlib import Path

import numpy as np
from fmpy import read_model_description, simulate_fmu


def force_of(fmu):
    """The variable of the force: the first whose value reference is that of F_R in its contact."""
    variables = read_model_description(fmu).modelVariables
    return next(variable for variable in variables if variable.valueReference % 128 == 8)


def in_fmpy(fmu, names, table, fmi_type):
    """FMPy sets the inputs of a row at its time; in Model Exchange it takes two rows at one time as an event."""
    if fmi_type == "ModelExchange":
        time, values = np.repeat(table[:, 0], 2)[1:], np.repeat(table[:, 1:], 2, axis=0)[:-1]
    else:
        time, values = table[:, 0], table[:, 1:]
    signals = np.zeros(time.size, dtype=[(name, float) for name in ["time", *names]])
    signals["time"] = time
    for name, column in zip(names, values.T):
        signals[name] = column
    step, force = table[1, 0], force_of(fmu).name
    result = simulate_fmu(fmu, fmi_type=fmi_type, stop_time=table[-1, 0], step_size=step, output_interval=step,
                          relative_tolerance=1e-6, input=signals, output=[force])
    # At an event there are rows before and after it: the first one is the end of the step.
    at = np.searchsorted(result["time"], table[1:, 0])
    assert np.array_equal(result["time"][at], table[1:, 0]), "FMPy left out communication points"
    return result[force][at]


def in_libcosim(fmu, names, table):
    from libcosimpy.CosimExecution import CosimExecution
    from libcosimpy.CosimManipulator import CosimManipulator
    from libcosimpy.CosimObserver import CosimObserver
    from libcosimpy.CosimSlave import CosimLocalSlave

    references = {variable.name: variable.valueReference for variable in read_model_description(fmu).modelVariables}
    inputs, force = [references[name] for name in names], force_of(fmu).valueReference
    # libcosim's time is in whole nanoseconds.
    execution = CosimExecution.from_step_size(step_size=round(table[1, 0] * 1e9))
    slave = execution.add_local_slave(CosimLocalSlave(fmu_path=fmu, instance_name="friction"))
    observer = CosimObserver.create_last_value()
    execution.add_observer(observer=observer)
    manipulator = CosimManipulator.create_override()
    execution.add_manipulator(manipulator=manipulator)
    for row in table[:-1]:
        assert manipulator.slave_real_values(slave, inputs, list(row[1:])), "libcosim refused the inputs"
        assert execution.step(), "libcosim refused the step"
        yield observer.last_real_values(slave, [force])[0]


def in_ecos(fmu, names, table):
    from ecospy import EcosSimulation, EcosSimulationStructure

    force = force_of(fmu).name
    with EcosSimulationStructure() as structure:
        structure.add_model("friction", fmu)
        with EcosSimulation(structure=structure, step_size=table[1, 0]) as simulation:
            simulation.init()
            for row in table[:-1]:
                for name, value in zip(names, row[1:]):
                    simulation.set_real(f"friction::{name}", value)
                simulation.step()
                yield simulation.get_real(f"friction::{force}")
            simulation.terminate()


importers = {
    "fmpy-cs": lambda *given: in_fmpy(*given, "CoSimulation"),
    "fmpy-me": lambda *given: in_fmpy(*given, "ModelExchange"),
    "libcosim": in_libcosim,
    "ecos": in_ecos,
}
importer, fmus, folder, *elements = sys.argv[1:]
for element in elements:
    path = Path(folder) / f"{element}.csv"
    names = path.read_text().split("\n", 1)[0].split(",")[1:]
    table = np.loadtxt(path, delimiter=",", skiprows=1)
    for force in importers[importer](str(Path(fmus) / f"{element}.fmu"), names, table):
        # Importers print lines of their own, too.
        print("row", element, repr(float(force)), flush=True)
