"""Runs a packaged FrDyn2.fmu in FMPy under a sine of v and prints FMPy's record, row by row.

simulate.py FMU CoSimulation|ModelExchange STOP_TIME INTERVAL TOLERANCE [PARAMETER=VALUE ...]

The inputs are held from one communication point to the next. In Model Exchange that takes two samples at each of them,
which FMPy treats as an event: it applies inputs at communication points only, not while CVode integrates. There, a row
is recorded before and after each event. The recorded v and F_N are what the FMU itself holds at that point, so that a
reference can be given the same. Numbers are printed with all their digits.
"""

import sys

import numpy as np
from fmpy import simulate_fmu

fmu, fmi_type, stop_time, interval, tolerance, *parameters = sys.argv[1:]
stop_time, interval = float(stop_time), float(interval)

time = np.arange(round(stop_time / interval) + 1) * interval
v = 0.02 * np.sin(2 * np.pi * 5 * time)
if fmi_type == "ModelExchange":
    time, v = np.repeat(time, 2)[1:], np.repeat(v, 2)[:-1]
signals = np.zeros(time.size, dtype=[("time", float), ("F_N", float), ("v", float)])
signals["time"] = time
signals["F_N"] = 9.81
signals["v"] = v

result = simulate_fmu(
    fmu,
    fmi_type=fmi_type,
    stop_time=stop_time,
    step_size=interval,
    output_interval=interval,
    relative_tolerance=float(tolerance),
    input=signals,
    output=["F_N", "v", "F_R", "sticking"],
    start_values=dict(parameter.split("=") for parameter in parameters),
)

for row in result:
    print(*(repr(float(row[name])) for name in ("time", "F_N", "v", "F_R", "sticking")))
