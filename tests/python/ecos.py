"""Runs a packaged FrDyn2.fmu in ecos under a sine of v and prints one line per communication point: "row", v, F_R.

ecos.py FMU STEPS INTERVAL

The last thing ecos did before a step is to set v, so that the rows show what the FMU held over the step.
"""

import math
import sys

from ecospy import EcosSimulation, EcosSimulationStructure

fmu, steps, interval = sys.argv[1], int(sys.argv[2]), float(sys.argv[3])

with EcosSimulationStructure() as structure:
    structure.add_model("friction", fmu)
    with EcosSimulation(structure=structure, step_size=interval) as simulation:
        simulation.init()
        simulation.set_real("friction::F_N", 9.81)
        for step in range(steps):
            simulation.set_real("friction::v", 0.02 * math.sin(2 * math.pi * 5 * step * interval))
            simulation.step()
            print("row", repr(simulation.get_real("friction::v")), repr(simulation.get_real("friction::F_R")), flush=True)
        simulation.terminate()
