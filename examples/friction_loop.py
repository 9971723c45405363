"""The friction loop of an element: a sine of the velocity, and the friction force over velocity and over time.

    python examples/friction_loop.py [ELEMENT] [--frequency 5] [--amplitude 0.02] [--normal-force 9.81] [NAME=VALUE ...]

The last are parameters of the element, such as mu_s=0.6; `documentation/index.html` in the FMU lists them.
"""

import argparse
from pathlib import Path

import matplotlib
import numpy as np
from fmpy import read_model_description, simulate_fmu

matplotlib.use("Agg")
import matplotlib.pyplot as plt  # noqa: E402  (after the choice of a backend that needs no screen)

arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
arguments.add_argument("element", nargs="?", default="FrDyn2", help="a name that `cargo xtask list` shows")
arguments.add_argument("parameters", nargs="*", metavar="NAME=VALUE")
arguments.add_argument("--frequency", type=float, default=5.0, help="of the velocity, Hz")
arguments.add_argument("--amplitude", type=float, default=0.02, help="of the velocity, m/s")
arguments.add_argument("--normal-force", type=float, default=9.81, help="N")
arguments.add_argument("--step", type=float, default=1e-4, help="communication step, s")
arguments.add_argument("--fmus", type=Path, default=Path(__file__).parent / "../target/fmu", help="folder of the FMUs")
arguments.add_argument("--out", type=Path, default=Path("."), help="folder of the plot")
given = arguments.parse_intermixed_args()  # options may stand between element and parameters

fmu = given.fmus / f"{given.element}.fmu"
inputs = {variable.name for variable in read_model_description(fmu).modelVariables if variable.causality == "input"}

time = np.arange(0, 3 / given.frequency, given.step)
phase = 2 * np.pi * given.frequency * time
signals = {
    "F_N": np.full(time.size, given.normal_force),
    "v": given.amplitude * np.sin(phase),
    # Some laws ask for the acceleration, others for the force that they stick against: there is none here.
    "a": given.amplitude * 2 * np.pi * given.frequency * np.cos(phase),
    "F_t": np.zeros(time.size),
}
table = np.zeros(time.size, dtype=[("time", float)] + [(name, float) for name in signals if name in inputs])
table["time"] = time
for name in signals.keys() & inputs:
    table[name] = signals[name]

result = simulate_fmu(
    fmu,
    fmi_type="CoSimulation",
    stop_time=time[-1],
    step_size=given.step,
    output_interval=given.step,
    input=table,
    output=["v", "F_R"],
    start_values=dict(parameter.split("=") for parameter in given.parameters),
)

figure, (loop, course) = plt.subplots(1, 2, figsize=(10, 4), layout="constrained")
last = result["time"] > 1 / given.frequency
loop.plot(1e3 * result["v"][last], result["F_R"][last])
loop.set(xlabel="v in mm/s", ylabel="F_R in N", title=f"{given.element}, {given.frequency:g} Hz")
course.plot(result["time"], result["F_R"])
course.set(xlabel="t in s", ylabel="F_R in N")
for panel in (loop, course):
    panel.grid(True)
path = given.out / f"friction_loop_{given.element}.png"
figure.savefig(path)
print(f"F_R from {result['F_R'].min():.4g} N to {result['F_R'].max():.4g} N; {path}")
