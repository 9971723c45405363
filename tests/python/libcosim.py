"""Runs a packaged FrDyn2.fmu in libcosim under a sine of v and prints one line per communication point: "row", v, F_R.

libcosim.py FMU STEPS INTERVAL F_N v F_R       (the last three are value references)

The last thing libcosim did before a step is to set v, so that the rows show what the FMU held over the step.
"""

import math
import sys

from libcosimpy.CosimExecution import CosimExecution
from libcosimpy.CosimManipulator import CosimManipulator
from libcosimpy.CosimObserver import CosimObserver
from libcosimpy.CosimSlave import CosimLocalSlave

fmu, steps, interval, normal_force, v, friction = sys.argv[1:]
steps, interval = int(steps), float(interval)
normal_force, v, friction = int(normal_force), int(v), int(friction)

execution = CosimExecution.from_step_size(step_size=round(interval * 1e9))
slave = execution.add_local_slave(CosimLocalSlave(fmu_path=fmu, instance_name="friction"))
observer = CosimObserver.create_last_value()
execution.add_observer(observer=observer)
manipulator = CosimManipulator.create_override()
execution.add_manipulator(manipulator=manipulator)

for step in range(steps):
    values = [9.81, 0.02 * math.sin(2 * math.pi * 5 * step * interval)]
    assert manipulator.slave_real_values(slave, [normal_force, v], values), "libcosim refused the inputs"
    assert execution.step(), "libcosim refused the step"
    print("row", *(repr(value) for value in observer.last_real_values(slave, [v, friction])))
