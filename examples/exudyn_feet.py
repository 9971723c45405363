"""A steel block on four feet in Exudyn, pulled and turned, its friction from Plate.fmu.

Each foot is a stiff spring on the ground and has the normal force that Exudyn calculates: a pull above the ground loads the feet in front.
Friction is one plate on four points: velocity and spin of the block at the ground in, force and torque out, in the axes of the block.
The card of the FMU is cards/Plate.toml.

    python examples/exudyn_feet.py [--fmu FILE] [--out DIR]
"""

import exudyn
import matplotlib
import numpy as np
from exudyn.utilities import (
    InertiaCuboid,
    LoadForceVector,
    LoadTorqueVector,
    MarkerBodyPosition,
    MarkerBodyRigid,
    ObjectConnectorCartesianSpringDamper,
    ObjectGround,
)
from tqdm import tqdm

import arguments
from friction_element import FrictionElement

matplotlib.use("Agg")
import matplotlib.pyplot as plt  # noqa: E402  (after the choice of a backend that needs no screen)

SIZE = [0.2, 0.1, 0.1]  # of the block between its feet, and its height, m
DENSITY = 7850.0  # kg/m³
MASS = DENSITY * np.prod(SIZE)  # kg
INERTIA = MASS * (SIZE[0] ** 2 + SIZE[1] ** 2) / 12  # about the vertical, kg·m²
GRAVITY = 9.81  # m/s²
FEET = [[0.1, 0.05], [-0.1, 0.05], [-0.1, -0.05], [0.1, -0.05]]  # as in the card, m
LEVER = np.hypot(*FEET[0])  # of each foot about the vertical, m
STIFFNESS, DAMPING = 1e6, 2e3  # of a foot, N/m and N·s/m
STEP = 1e-4  # communication step, s
# Times: the pull below the break-away, above it, rest, the torque below the break-away, above it, rest, s.
PULL, SLIDE, REST, TURN, SPIN, LAST, END = 0.2, 1.0, 1.3, 2.0, 2.8, 2.9, 3.3
BELOW, ABOVE = 0.8, 1.3  # load over the break-away


def load(t):
    """Pull and torque over their break-away values at a time."""
    force = BELOW * min(t / PULL, 1.0) if t < SLIDE else ABOVE if t < REST else 0.0
    torque = 0.0 if t < TURN else BELOW * min((t - TURN) / PULL, 1.0) if t < SPIN else ABOVE if t < LAST else 0.0
    return force, torque


class Block:
    """The block in Exudyn: x along the pull, z upward; its feet touch the ground at z = 0."""

    def __init__(self):
        exudyn.config.printToConsole = False  # the progress bar has the screen; errors are raised
        self.system = exudyn.SystemContainer().AddSystem()
        middle = 0.5 * SIZE[2]
        self.body = self.system.CreateRigidBody(
            referencePosition=[0, 0, middle],
            inertia=InertiaCuboid(density=DENSITY, sideLengths=SIZE),
            gravity=[0, 0, -GRAVITY],
            initialDisplacement=[0, 0, -MASS * GRAVITY / (4 * STIFFNESS)],
        )
        ground = self.system.AddObject(ObjectGround())
        self.feet = []
        for x, y in FEET:
            markers = [
                self.system.AddMarker(MarkerBodyPosition(bodyNumber=ground, localPosition=[x, y, 0])),
                self.system.AddMarker(MarkerBodyPosition(bodyNumber=self.body, localPosition=[x, y, -middle])),
            ]
            spring = ObjectConnectorCartesianSpringDamper(
                markerNumbers=markers, stiffness=[0, 0, STIFFNESS], damping=[0, 0, DAMPING]
            )
            self.feet.append(self.system.AddObject(spring))
        self.sole = [0, 0, -middle]
        below = self.system.AddMarker(MarkerBodyRigid(bodyNumber=self.body, localPosition=self.sole))
        centre = self.system.AddMarker(MarkerBodyRigid(bodyNumber=self.body))
        self.friction = self.system.AddLoad(LoadForceVector(markerNumber=below, bodyFixed=True))
        self.torque = self.system.AddLoad(LoadTorqueVector(markerNumber=below, bodyFixed=True))
        self.pull = self.system.AddLoad(LoadForceVector(markerNumber=centre))
        self.twist = self.system.AddLoad(LoadTorqueVector(markerNumber=centre))

    def output(self, kind, position=(0, 0, 0)):
        """Output of the block at a point of it."""
        return self.system.GetObjectOutputBody(self.body, kind, localPosition=list(position))

    def inputs(self):
        """Inputs of the FMU: normal forces, velocity at the ground and spin, in the axes of the block."""
        axes = self.output(exudyn.OutputVariableType.RotationMatrix).reshape(3, 3)
        velocity = axes.T @ self.output(exudyn.OutputVariableType.Velocity, self.sole)
        omega = self.output(exudyn.OutputVariableType.AngularVelocityLocal)[2]
        values = {"v_x": velocity[0], "v_y": velocity[1], "omega": omega}
        for i, foot in enumerate(self.feet, 1):
            values[f"F_N[{i}]"] = max(0.0, -self.system.GetObjectOutput(foot, exudyn.OutputVariableType.Force)[2])
        return values


def simulate(fmu):
    """Runs the block; a row per step, and the coefficients of friction."""
    block = Block()
    steps = round(END / STEP)
    names = ["t", "x", "y", "phi", "v", "omega", "sticking", *(f"F_N[{i}]" for i in range(1, 5))]
    rows = np.zeros(steps + 1, dtype=[(name, float) for name in names])

    def record(step):
        """Records the block at the start of a step, and returns the inputs of the FMU."""
        values = block.inputs()
        rows["x"][step], rows["y"][step] = block.output(exudyn.OutputVariableType.Displacement)[:2]
        rows["phi"][step] = block.output(exudyn.OutputVariableType.Rotation)[2]
        rows["v"][step], rows["omega"][step] = np.hypot(values["v_x"], values["v_y"]), values["omega"]
        for i in range(1, 5):
            rows[f"F_N[{i}]"][step] = values[f"F_N[{i}]"]
        return values

    with FrictionElement(fmu, coupling="serial") as element, tqdm(total=steps, unit="step", mininterval=0.5) as bar:
        mu_s, mu_d = element.get("mu_s"), element.get("mu_d")

        def before_step(system, end_of_step):
            """Exudyn calls this with the state at the start of a step and the time at its end."""
            step = round(end_of_step / STEP)
            start = end_of_step - STEP
            force_x, force_y, torque = element.exchange(start, STEP, record(step - 1), ["F_R_x", "F_R_y", "M_R"])
            system.SetLoadParameter(block.friction, "loadVector", [-force_x, -force_y, 0])
            system.SetLoadParameter(block.torque, "loadVector", [0, 0, -torque])
            pull, twist = load(start + 0.5 * STEP)
            system.SetLoadParameter(block.pull, "loadVector", [pull * mu_s * MASS * GRAVITY, 0, 0])
            system.SetLoadParameter(block.twist, "loadVector", [0, 0, twist * mu_s * MASS * GRAVITY * LEVER])
            rows["t"][step], rows["sticking"][step] = end_of_step, element.get("sticking")
            if step % 1000 == 0:
                bar.update(1000)
            return True

        block.system.SetPreStepUserFunction(before_step)
        block.system.Assemble()
        settings = exudyn.SimulationSettings()
        settings.timeIntegration.numberOfSteps = steps
        settings.timeIntegration.endTime = END
        settings.timeIntegration.verboseMode = 0
        settings.solution.file.write = False
        try:
            block.system.SolveDynamic(settings, solverType=exudyn.DynamicSolverType.TrapezoidalIndex2)
        except Exception as error:
            # Exudyn wraps an error of the function above, such as a refusal of the FMU, in pages of its own.
            raise (error.__cause__ or error) from None
    record(steps)
    return rows, mu_s, mu_d


def main():
    given = arguments.with_fmu(arguments.parser(__doc__), arguments.CARDS / "Plate.fmu").parse_args()
    path = arguments.result(given, "exudyn_feet.png")
    run, mu_s, mu_d = simulate(given.fmu)

    def at(t):
        """The block at a time."""
        return run[np.searchsorted(run["t"], t - 0.5 * STEP)]

    # The pull at half the height is balanced by friction on the ground and by the feet.
    shift = BELOW * mu_s * MASS * GRAVITY * 0.5 * SIZE[2] / (2 * SIZE[0])
    front, rear = MASS * GRAVITY / 4 + shift, MASS * GRAVITY / 4 - shift
    # Rigid bodies under Coulomb friction: speed gained under the load, way until it is lost again.
    acceleration, deceleration = (ABOVE * mu_s - mu_d) * GRAVITY, mu_d * GRAVITY
    slid = 0.5 * acceleration * (1 + acceleration / deceleration) * (REST - SLIDE) ** 2
    faster, slower = (factor * MASS * LEVER / INERTIA for factor in (acceleration, deceleration))
    spun = 0.5 * faster * (1 + faster / slower) * (LAST - SPIN) ** 2
    moved = [at(0.99 * SLIDE)["x"] - at(0.5 * SLIDE)["x"], at(SPIN - 0.01)["phi"] - at(TURN + 0.3)["phi"]]
    rows = [
        ("normal force of a foot in front, N", at(0.9)["F_N[1]"], front, 1e-3 * front),
        ("normal force of a foot at the rear, N", at(0.9)["F_N[2]"], rear, 1e-3 * rear),
        (f"moves within 0.5 s under {BELOW} of the break-away force, m", moved[0], 0.0, 1e-12),
        (f"turns within 0.5 s under {BELOW} of the break-away torque, rad", moved[1], 0.0, 1e-12),
        ("slides, m", at(TURN)["x"], slid, 0.02 * slid),
        ("spins, rad", at(END)["phi"], spun, 0.02 * spun),
    ]
    for what, found, expected, _ in rows:
        print(f"{what:62}  {found:11.5g}, expected {expected:.5g}")

    figure, panels = plt.subplots(1, 2, figsize=(10, 4), layout="constrained")
    panels[0].plot(run["t"], run["x"], label="x in m")
    panels[0].plot(run["t"], run["phi"], label="angle in rad")
    for foot, place in ((1, "in front"), (2, "at the rear")):
        panels[1].plot(run["t"], run[f"F_N[{foot}]"], label=f"foot {place}")
    panels[0].set(xlabel="t in s", title="Block")
    panels[1].set(xlabel="t in s", ylabel="F_N in N", title="Normal forces")
    for panel in panels:
        panel.grid(True)
        panel.legend()
    figure.savefig(path)
    print(path)

    for what, found, expected, allowed in rows:
        if abs(found - expected) > allowed:
            raise SystemExit(f"{what}: {found:.5g}, expected {expected:.5g}; is it the FMU of this version?")


if __name__ == "__main__":
    main()
