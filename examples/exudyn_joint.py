"""A pendulum on a revolute joint in Exudyn, its friction from RevoluteJoint.fmu: it swings out and sticks off the vertical.

The normal force of the joint is the size of its reaction, which Exudyn calculates. Before each step of Exudyn the FMU makes the same
step and gives the friction torque. The card of the FMU is cards/RevoluteJoint.toml.

    python examples/exudyn_joint.py [--fmu FILE] [--out DIR]
"""

import exudyn
import matplotlib
import numpy as np
from exudyn.utilities import (
    LoadForceVector,
    LoadTorqueVector,
    MarkerBodyPosition,
    MarkerBodyRigid,
    NodeRigidBody2D,
    ObjectGround,
    ObjectJointRevolute2D,
    ObjectRigidBody2D,
)
from tqdm import tqdm

import arguments
from friction_element import FrictionElement

matplotlib.use("Agg")
import matplotlib.pyplot as plt  # noqa: E402  (after the choice of a backend that needs no screen)

MASS, LENGTH = 2.0, 0.5  # of the rod, kg, and from the joint to its centre, m
INERTIA = MASS * (2 * LENGTH) ** 2 / 12  # about its centre, kg·m²
GRAVITY = 9.81  # m/s²
START = 0.15  # angle from the vertical, at rest, rad
END = 14.0  # s
# Communication steps, s. From about 2 sigma_1/sigma_0 = 1.3e-3 s on held values would shake the rod on the bristle.
STEPS = [5e-4, 2.5e-4]


def simulate(fmu, h):
    """Runs the pendulum in steps of h (s): a row per step, the energy that friction took (J), and the element's parameters."""
    exudyn.config.printToConsole = False  # the progress bar has the screen; errors are raised
    system = exudyn.SystemContainer().AddSystem()
    # The angle is that of the rod's axis x, which hangs down at -90°.
    hanging = START - np.pi / 2
    centre = [LENGTH * np.cos(hanging), LENGTH * np.sin(hanging)]
    node = system.AddNode(NodeRigidBody2D(referenceCoordinates=[*centre, hanging]))
    rod = system.AddObject(ObjectRigidBody2D(mass=MASS, inertia=INERTIA, nodeNumber=node))
    pin = system.AddMarker(MarkerBodyPosition(bodyNumber=system.AddObject(ObjectGround())))
    eye = system.AddMarker(MarkerBodyPosition(bodyNumber=rod, localPosition=[-LENGTH, 0, 0]))
    joint = system.AddObject(ObjectJointRevolute2D(markerNumbers=[pin, eye]))
    middle = system.AddMarker(MarkerBodyRigid(bodyNumber=rod))
    system.AddLoad(LoadForceVector(markerNumber=middle, loadVector=[0, -MASS * GRAVITY, 0]))
    torque = system.AddLoad(LoadTorqueVector(markerNumber=middle))

    steps = round(END / h)
    rows = np.zeros(steps + 1, dtype=[("t", float), ("phi", float), ("omega", float), ("F_N", float), ("M_R", float)])
    rows["phi"][0] = START
    with FrictionElement(fmu, coupling="serial") as element, tqdm(total=steps, desc=f"H = {h:g} s", unit="step", mininterval=0.5) as bar:

        def before_step(system, end_of_step):
            """Exudyn calls this with the state at the start of a step and the time at its end."""
            step = round(end_of_step / h)
            turned, omega = (
                system.GetNodeOutput(node, kind)[2]
                for kind in (exudyn.OutputVariableType.Coordinates, exudyn.OutputVariableType.Coordinates_t)
            )
            reaction = np.hypot(*system.GetObjectOutput(joint, exudyn.OutputVariableType.Force)[:2])
            friction = element.step(end_of_step - h, h, reaction, omega)
            system.SetLoadParameter(torque, "loadVector", [0, 0, -friction])
            rows["phi"][step - 1], rows["omega"][step - 1] = START + turned, omega
            rows["t"][step], rows["F_N"][step], rows["M_R"][step] = end_of_step, reaction, friction
            if step % 1000 == 0:
                bar.update(1000)
            return True

        system.SetPreStepUserFunction(before_step)
        system.Assemble()
        settings = exudyn.SimulationSettings()
        settings.timeIntegration.numberOfSteps = steps
        settings.timeIntegration.endTime = END
        settings.timeIntegration.verboseMode = 0
        settings.solution.file.write = False
        try:
            system.SolveDynamic(settings, solverType=exudyn.DynamicSolverType.TrapezoidalIndex2)
        except Exception as error:
            # Exudyn wraps an error of the function above, such as a refusal of the FMU, in pages of its own.
            raise (error.__cause__ or error) from None
        bar.update(steps - bar.n)
        loss = element.get("E_loss")
        parameters = {name: element.get(name) for name in ("radius", "mu_s", "mu_d")}
    rows["phi"][-1] = START + system.GetNodeOutput(node, exudyn.OutputVariableType.Coordinates)[2]
    return rows, loss, parameters


def main():
    given = arguments.with_fmu(arguments.parser(__doc__), arguments.CARDS / "RevoluteJoint.fmu").parse_args()
    path = arguments.result(given, "exudyn_joint.png")

    runs = {h: simulate(given.fmu, h) for h in STEPS}
    figure, panels = plt.subplots(1, 2, figsize=(10, 4), layout="constrained")
    print("H, s     sticks at, rad   lost in half a swing, rad   moves in 4 s, rad   work of friction, J   lost energy, J")
    for h, (run, loss, parameters) in runs.items():
        end = run["phi"][-1]
        rests = run["phi"][np.searchsorted(run["t"], END - 4.0) :]
        energy = MASS * GRAVITY * LENGTH * (np.cos(end) - np.cos(START))
        # Of six half swings; Coulomb friction under the weight alone takes 2 M_d/(m g l) from each.
        turns = np.flatnonzero(run["omega"][1:] * run["omega"][:-1] < 0)
        lost = (START - abs(run["phi"][turns[5]])) / 6
        print(f"{h:<7g}  {end:14.6f}  {lost:24.5f}  {np.ptp(rests):18.1e}  {loss:19.6f}  {energy:14.6f}")

        expected = 2 * parameters["radius"] * parameters["mu_d"] / LENGTH
        if abs(lost - expected) > 0.05 * expected:
            raise SystemExit(f"a half swing loses {lost:.5f} rad, expected are {expected:.5f}; is it the FMU of the card?")
        if abs(end) > parameters["radius"] * parameters["mu_s"] / LENGTH or np.ptp(rests) > 1e-8:
            raise SystemExit("the pendulum does not stick; is it the FMU of this version?")
        if abs(loss - energy) > 0.1 * h * energy:
            raise SystemExit("friction takes another energy than the pendulum loses")
        panels[0].plot(run["t"], run["phi"], label=f"H = {h:g} s")
        rest = np.searchsorted(run["t"], 5.7)
        panels[1].plot(run["t"][rest:], 1e3 * run["phi"][rest:], label=f"H = {h:g} s")
    panels[0].set(xlabel="t in s", ylabel="angle from the vertical in rad")
    panels[1].set(xlabel="t in s", ylabel="angle from the vertical in mrad", title="stick")
    for panel in panels:
        panel.grid(True)
        panel.legend()
    figure.savefig(path)
    print(path)


if __name__ == "__main__":
    main()
