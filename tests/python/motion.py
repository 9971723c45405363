"""Runs a packaged FMU in FMPy's Model Exchange with inputs that move without a jump, and prints rows.

motion.py FMU STOP_TIME INTERVAL TOLERANCE [PARAMETER=VALUE ...]

The first line has the number of events. Each row is: time, F_N, v, a, F_t, F_R, with 0 for what an element does not have. The inputs are straight lines
between rows. FMPy sets them where CVode looks for events, at the end of each of its steps, but not while it integrates:
the states are calculated with inputs that lag by a step.
"""

import sys

import numpy as np
from fmpy import read_model_description, simulate_fmu
from fmpy.fmi2 import FMU2Model

fmu, stop_time, interval, tolerance, *parameters = sys.argv[1:]
stop_time, interval = float(stop_time), float(interval)
names = {variable.name for variable in read_model_description(fmu).modelVariables}

time = np.arange(round(stop_time / interval) + 1) * interval
phase = 2 * np.pi * 5 * time + 0.1
signals = {
    "F_N": 9.81 * (1 + 0.3 * np.sin(2 * np.pi * 7 * time)),
    "v": 0.02 * np.sin(phase),
    "a": 0.02 * 2 * np.pi * 5 * np.cos(phase),
    "F_t": 7 * np.sin(2 * np.pi * 13 * time + 0.3),
}
inputs = [name for name in signals if name in names]
table = np.zeros(time.size, dtype=[("time", float)] + [(name, float) for name in inputs])
table["time"] = time
for name in inputs:
    table[name] = signals[name]

events = 0
enter_event_mode = FMU2Model.enterEventMode


def counted(fmu):
    global events
    events += 1
    return enter_event_mode(fmu)


FMU2Model.enterEventMode = counted

output = [name for name in ["F_N", "v", "a", "F_t", "F_R"] if name in names]
result = simulate_fmu(
    fmu,
    fmi_type="ModelExchange",
    stop_time=stop_time,
    output_interval=interval,
    relative_tolerance=float(tolerance),
    record_events=False,
    input=table,
    output=output,
    start_values=dict(parameter.split("=") for parameter in parameters),
)

print(events)
for row in result:
    print(*(repr(float(row[name])) if name in result.dtype.names else "0.0" for name in
            ["time", "F_N", "v", "a", "F_t", "F_R"]))
