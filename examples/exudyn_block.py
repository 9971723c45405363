"""A block on a plate in Exudyn, its friction from FrDyn2.fmu: stick and break-away as in the paper.

Rill and Schuderer, Modelling 2023, 4(3), 366-381, Sec. 4 and 5. Exudyn moves the block; the plate is a constraint, whose
force is the normal force. Before each step of Exudyn the FMU makes the same step and gives the friction force.

    python examples/exudyn_block.py [--fmu FILE] [--out DIR]
"""


import exudyn
import matplotlib
import numpy as np
from exudyn.utilities import (
    LoadForceVector,
    MarkerNodeCoordinate,
    MarkerNodePosition,
    NodePoint2D,
    NodePointGround,
    ObjectConnectorCoordinate,
    ObjectMassPoint2D,
)
from tqdm import tqdm

import arguments
import reference_run
from friction_element import FrictionElement

matplotlib.use("Agg")
import matplotlib.pyplot as plt  # noqa: E402  (after the choice of a backend that needs no screen)


def load(t, force, duration):
    """The force that pushes the block, N: it rises as a cubic and stays."""
    part = min(max(t / duration, 0.0), 1.0)
    return force * part * part * (3 - 2 * part)


def simulate(fmu, given, h):
    """Runs the block in steps of h (s); one row per step: time, displacement, friction force."""
    exudyn.config.printToConsole = False  # the progress bar has the screen; errors are raised
    system = exudyn.SystemContainer().AddSystem()
    ground = system.AddMarker(MarkerNodeCoordinate(nodeNumber=system.AddNode(NodePointGround()), coordinate=0))
    block = system.AddNode(NodePoint2D())
    system.AddObject(ObjectMassPoint2D(mass=given["mass"], nodeNumber=block))
    height = system.AddMarker(MarkerNodeCoordinate(nodeNumber=block, coordinate=1))
    plate = system.AddObject(ObjectConnectorCoordinate(markerNumbers=[ground, height]))
    weight = given["mass"] * given["gravity"]
    forces = system.AddLoad(
        LoadForceVector(markerNumber=system.AddMarker(MarkerNodePosition(nodeNumber=block)), loadVector=[0, -weight, 0])
    )

    steps = round(given["end"] / h)
    rows = np.zeros(steps + 1, dtype=[("t", float), ("u", float), ("F_R", float)])
    displacement, velocity = exudyn.OutputVariableType.Displacement, exudyn.OutputVariableType.Velocity

    with FrictionElement(fmu, coupling="serial") as element, tqdm(total=steps, desc=f"H = {h:g} s", unit="step", mininterval=0.5) as bar:

        def before_step(system, end_of_step):
            """Exudyn calls this with the state at the start of a step and the time at its end."""
            step = round(end_of_step / h)
            start = end_of_step - h
            normal_force = -system.GetObjectOutput(plate, exudyn.OutputVariableType.Force)
            v = system.GetNodeOutput(block, velocity)[0]
            friction = element.step(start, h, normal_force, v)
            # Loads are held over a step, as friction is: at the mean of both ends.
            push = 0.5 * sum(load(t, given["force"], given["duration"]) for t in (start, end_of_step))
            system.SetLoadParameter(forces, "loadVector", [push - friction, -weight, 0])
            rows["u"][step - 1] = system.GetNodeOutput(block, displacement)[0]
            rows["t"][step], rows["F_R"][step] = end_of_step, friction
            if step % 1000 == 0:
                bar.update(1000)
            return True

        system.SetPreStepUserFunction(before_step)
        system.Assemble()
        settings = exudyn.SimulationSettings()
        settings.timeIntegration.numberOfSteps = steps
        settings.timeIntegration.endTime = given["end"]
        settings.timeIntegration.verboseMode = 0
        settings.solution.file.write = False
        # Newmark's method with beta = 1/2, gamma = 1 holds a load over the step: it takes the acceleration at the end of the step alone,
        # where the trapezoidal rule takes the mean with that of the step before.
        settings.timeIntegration.generalizedAlpha.useNewmark = True
        settings.timeIntegration.generalizedAlpha.newmarkBeta = 0.5
        settings.timeIntegration.generalizedAlpha.newmarkGamma = 1.0
        try:
            system.SolveDynamic(settings, solverType=exudyn.DynamicSolverType.GeneralizedAlpha)
        except Exception as error:
            # Exudyn wraps an error of the function above, such as a refusal of the FMU, in pages of its own.
            raise (error.__cause__ or error) from None
        bar.update(steps - bar.n)
    rows["u"][-1] = system.GetNodeOutput(block, displacement)[0]
    return rows


def main():
    given = arguments.with_fmu(arguments.parser(__doc__)).parse_args()
    path = arguments.result(given, "exudyn_block.png")

    figure, panels = plt.subplots(2, 2, figsize=(10, 6), layout="constrained")
    # Displacement (m) and friction force (N, root mean square) may differ by this: the coupling is first order in H.
    allowed = {"block_stick": (5e-11, 5e-4), "block_break_away": (7e-4, 3e-3)}
    for column, (name, h) in zip(panels.T, [("block_stick", 2e-5), ("block_break_away", 5e-5)]):
        parameters, reference = reference_run.read(name)
        run = simulate(given.fmu, parameters, h)
        at = np.rint(reference["t"] / h).astype(int)
        displacement = np.abs(run["u"][at] - reference["u"]).max()
        friction = np.sqrt(np.mean((run["F_R"][at] - reference["F_R"]) ** 2))
        print(f"{name}: against the monolithic solution at H = {h:g} s: "
              f"displacement within {displacement:.1e} m of {np.abs(reference['u']).max():.3g} m, "
              f"friction force within {friction:.1e} N (root mean square) of {np.abs(reference['F_R']).max():.3g} N")
        if displacement > allowed[name][0] or friction > allowed[name][1]:
            raise SystemExit(f"{name} is off by more than {allowed[name]} (m, N); is it the FMU of this version?")
        for panel, what, unit in zip(column, ["u", "F_R"], ["m", "N"]):
            panel.plot(run["t"], run[what], label="Exudyn with FrDyn2.fmu")
            panel.plot(reference["t"], reference[what], "--", label="monolithic")
            panel.set(xlabel="t in s", ylabel=f"{what} in {unit}")
            panel.grid(True)
        column[0].set_title(f"{parameters['force']:.3g} N in {parameters['duration']:g} s")
    panels[0, 0].legend()
    figure.savefig(path)
    print(path)


if __name__ == "__main__":
    main()
