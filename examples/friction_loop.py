"""The friction loop of an element: a sine of the velocity, and the friction force over velocity and over time.

    python examples/friction_loop.py [ELEMENT] [--frequency 5] [--amplitude 0.02] [--normal-force 9.81] [NAME=VALUE ...]

The last are parameters of the element, such as mu_s=0.6; `documentation/index.html` in the FMU lists them.
"""

import matplotlib
import numpy as np

import arguments
from friction_element import FrictionElement, Refused

matplotlib.use("Agg")
import matplotlib.pyplot as plt  # noqa: E402  (after the choice of a backend that needs no screen)

parser = arguments.parser(__doc__)
parser.add_argument("element", nargs="?", default="FrDyn2", help="a name of docs/elements.md")
parser.add_argument("parameters", nargs="*", metavar="NAME=VALUE")
parser.add_argument("--frequency", type=float, default=5.0, help="of the velocity, Hz")
parser.add_argument("--amplitude", type=float, default=0.02, help="of the velocity, m/s")
parser.add_argument("--normal-force", type=float, default=9.81, help="N")
parser.add_argument("--step", type=float, default=1e-4, help="communication step, s")
parser.add_argument("--fmus", type=arguments.folder, default=arguments.FMUS, help="folder of the FMUs")
given = parser.parse_intermixed_args()  # options may stand between element and parameters
if given.frequency <= 0 or given.step <= 0:
    raise Refused("--frequency and --step are above 0")
path = arguments.result(given, f"friction_loop_{given.element}.png")
# The velocity does not depend on the force.
parameters = {"coupling": "prescribed"}
for parameter in given.parameters:
    name, equals, value = parameter.partition("=")
    if not equals:
        raise Refused(f"{parameter} is no NAME=VALUE, such as mu_s=0.6")
    parameters[name] = value

time = np.arange(0, 3 / given.frequency, given.step)
phase = 2 * np.pi * given.frequency * time
velocity = given.amplitude * np.sin(phase)
# Some laws have the acceleration as an input.
acceleration = given.amplitude * 2 * np.pi * given.frequency * np.cos(phase)
force = np.zeros(time.size)
with FrictionElement(given.fmus / f"{given.element}.fmu", **parameters) as element:
    for i, t in enumerate(time):
        force[i] = element.step(t, given.step, given.normal_force, velocity[i], a=acceleration[i])

figure, (loop, course) = plt.subplots(1, 2, figsize=(10, 4), layout="constrained")
last = time > 1 / given.frequency
loop.plot(1e3 * velocity[last], force[last])
loop.set(xlabel="v in mm/s", ylabel="F_R in N", title=f"{given.element}, {given.frequency:g} Hz")
course.plot(time + given.step, force)
course.set(xlabel="t in s", ylabel="F_R in N")
for panel in (loop, course):
    panel.grid(True)
figure.savefig(path)
print(f"F_R from {force.min():.4g} N to {force.max():.4g} N; {path}")
