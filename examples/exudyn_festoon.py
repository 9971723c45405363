"""The festoon cable system of a crane in Exudyn, the friction of its two trolleys from FrDyn2.fmu.

Rill and Schuderer, Modelling 2023, 4(3), 366-381, Sec. 6. Trolleys roll on a rail, which is a constraint; its force is the
normal force. Cables are point masses on spring-dampers. A towing trolley, moved by a constraint, pulls at the far end.

    python examples/exudyn_festoon.py [--fmu FILE] [--out DIR]
"""

from contextlib import ExitStack

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
    ObjectConnectorSpringDamper,
    ObjectMassPoint2D,
)
from tqdm import tqdm

import arguments
import reference_run
from friction_element import FrictionElement

matplotlib.use("Agg")
import matplotlib.pyplot as plt  # noqa: E402  (after the choice of a backend that needs no screen)


def towing_velocity(t):
    """The velocity of the towing trolley, m/s: up to 1 m/s within 1 s, down to rest from 4 s to 5 s."""
    return max(0.0, min(t, 1.0, 5.0 - t))


class Festoon:
    """The system in Exudyn: x along the rail, y upward."""

    def __init__(self, given):
        self.given = given
        exudyn.config.printToConsole = False  # the progress bar has the screen; errors are raised
        self.system = exudyn.SystemContainer().AddSystem()
        ground = self.system.AddNode(NodePointGround())
        self.ground = self.system.AddMarker(MarkerNodeCoordinate(nodeNumber=ground, coordinate=0))
        third = given["start"] / 3
        self.trolleys = [self.mass(given["trolley"], third), self.mass(given["trolley"], 2 * third)]
        towed = self.mass(given["trolley"], 3 * third)
        cables = [self.mass(given["cable"], (i + 0.5) * third, -given["depth"]) for i in range(3)]
        hangers = [ground, *self.trolleys, towed]
        for i, cable in enumerate(cables):
            self.link(hangers[i], cable)
            self.link(cable, hangers[i + 1])
        self.rails = [self.hold(trolley, coordinate=1) for trolley in self.trolleys]
        self.hold(towed, coordinate=1)
        self.towing = self.hold(towed, coordinate=0, velocityLevel=True)
        self.frictions = [self.force(trolley) for trolley in self.trolleys]

    def mass(self, mass, x, y=0.0):
        """A point mass with its weight; returns its node."""
        node = self.system.AddNode(NodePoint2D(referenceCoordinates=[x, y]))
        self.system.AddObject(ObjectMassPoint2D(mass=mass, nodeNumber=node))
        self.force(node, [0, -mass * self.given["gravity"], 0])
        return node

    def force(self, node, vector=(0, 0, 0)):
        marker = self.system.AddMarker(MarkerNodePosition(nodeNumber=node))
        return self.system.AddLoad(LoadForceVector(markerNumber=marker, loadVector=list(vector)))

    def link(self, a, b):
        markers = [self.system.AddMarker(MarkerNodePosition(nodeNumber=node)) for node in (a, b)]
        self.system.AddObject(
            ObjectConnectorSpringDamper(
                markerNumbers=markers,
                referenceLength=self.given["link"],
                stiffness=self.given["stiffness"],
                damping=self.given["damping"],
            )
        )

    def hold(self, node, coordinate, **options):
        """A constraint on one coordinate of a node."""
        marker = self.system.AddMarker(MarkerNodeCoordinate(nodeNumber=node, coordinate=coordinate))
        return self.system.AddObject(ObjectConnectorCoordinate(markerNumbers=[self.ground, marker], **options))

    def contact(self, i):
        """Normal force (N), position (m) and velocity (m/s) of a trolley."""
        normal_force = -self.system.GetObjectOutput(self.rails[i], exudyn.OutputVariableType.Force)
        x = self.system.GetNodeOutput(self.trolleys[i], exudyn.OutputVariableType.Position)[0]
        v = self.system.GetNodeOutput(self.trolleys[i], exudyn.OutputVariableType.Velocity)[0]
        return normal_force, x, v


def simulate(fmu, given, h):
    """Runs the festoon in steps of h (s); columns of time, positions, velocities and friction forces."""
    festoon = Festoon(given)
    steps = round(given["end"] / h)
    names = ["t", "x_T1", "v_T1", "F_N1", "F_R1", "x_T2", "v_T2", "F_N2", "F_R2"]
    rows = np.zeros(steps + 1, dtype=[(name, float) for name in names])

    def record(step):
        """Records the trolleys at the start of a step, and returns their contacts."""
        contacts = [festoon.contact(i) for i in range(2)]
        for i, (normal_force, x, v) in enumerate(contacts, 1):
            rows[f"F_N{i}"][step], rows[f"x_T{i}"][step], rows[f"v_T{i}"][step] = normal_force, x, v
        return contacts

    with ExitStack() as stack:
        friction = {"mu_s": given["mu_s"], "mu_d": given["mu_d"], "coupling": "serial"}
        elements = [stack.enter_context(FrictionElement(fmu, f"trolley{i}", **friction)) for i in (1, 2)]
        bar = stack.enter_context(tqdm(total=steps, desc=f"H = {h:g} s", unit="step", mininterval=0.5))

        def before_step(system, end_of_step):
            """Exudyn calls this with the state at the start of a step and the time at its end."""
            step = round(end_of_step / h)
            for i, (normal_force, _, v) in enumerate(record(step - 1)):
                friction = elements[i].step(end_of_step - h, h, normal_force, v)
                system.SetLoadParameter(festoon.frictions[i], "loadVector", [-friction, 0, 0])
                rows[f"F_R{i + 1}"][step] = friction
            system.SetObjectParameter(festoon.towing, "offset", towing_velocity(end_of_step))
            rows["t"][step] = end_of_step
            if step % 1000 == 0:
                bar.update(1000)
            return True

        system = festoon.system
        system.SetPreStepUserFunction(before_step)
        system.Assemble()
        settings = exudyn.SimulationSettings()
        settings.timeIntegration.numberOfSteps = steps
        settings.timeIntegration.endTime = given["end"]
        settings.timeIntegration.verboseMode = 0
        settings.solution.file.write = False
        settings.timeIntegration.newton.useModifiedNewton = True
        try:
            system.SolveDynamic(settings, solverType=exudyn.DynamicSolverType.TrapezoidalIndex2)
        except Exception as error:
            # Exudyn wraps an error of the function above, such as a refusal of the FMU, in pages of its own.
            raise (error.__cause__ or error) from None
        bar.update(steps - bar.n)
    record(steps)
    return rows


def main():
    given = arguments.with_fmu(arguments.parser(__doc__)).parse_args()
    path = arguments.result(given, "exudyn_festoon.png")

    parameters, reference = reference_run.read("festoon")
    h = 1e-4
    run = simulate(given.fmu, parameters, h)
    at = np.rint(reference["t"] / h).astype(int)
    # The coupling is first order in H; friction differs most where a trolley changes from slip to stick.
    allowed = {"x_T1": 1e-4, "x_T2": 1e-4, "F_N1": 1e-2, "F_N2": 1e-2, "F_R1": 5e-2, "F_R2": 5e-2}
    print(f"against the monolithic solution at H = {h:g} s, largest difference and root mean square:")
    for name, most in allowed.items():
        difference = np.abs(run[name][at] - reference[name])
        mean = np.sqrt(np.mean(difference**2))
        unit = "m" if name.startswith("x") else "N"
        print(f"  {name}: {difference.max():.1e} {unit}, {mean:.1e} {unit} of {np.abs(reference[name]).max():.3g} {unit}")
        if mean > most:
            raise SystemExit(f"{name} is off by more than {most:g} {unit}; is it the FMU of this version?")

    figure, panels = plt.subplots(3, 1, figsize=(9, 9), sharex=True, layout="constrained")
    quantities = [("v_T", "velocity in m/s"), ("F_N", "normal force in N"), ("F_R", "friction force in N")]
    for panel, (quantity, label) in zip(panels, quantities):
        for i in (1, 2):
            panel.plot(run["t"][1:], run[f"{quantity}{i}"][1:], label=f"trolley {i}, Exudyn with FrDyn2.fmu")
            panel.plot(reference["t"], reference[f"{quantity}{i}"], ":", color="black", linewidth=0.8,
                       label="monolithic" if i == 2 else None)
        panel.set_ylabel(label)
        panel.grid(True)
    panels[0].legend()
    panels[-1].set_xlabel("t in s")
    figure.savefig(path)
    print(path)


if __name__ == "__main__":
    main()
