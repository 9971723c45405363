"""Grades the couplings of an element with eight systems, two of them in MuJoCo and two in Exudyn, against the same systems in short steps.

    python examples/coupling_survey.py [--short] [--out DIR]

Each system moves under a friction force that is held over the communication step H. `held` leaves the coupling unstated, `m_eff` states
mass and order, and `block` has the body inside the element, where that is possible. *Serial*: the body moves under the new force.
*Parallel*: under that of the step before. Good: the displacement within 1 % of its range, the work of friction within 1 %, and the force,
as root mean square over the steps, within 5 % of F_s; limits: 5 %, 5 %, 20 %; bad: the rest. The force of a block is not graded.
"""

import contextlib
import csv
import io
import math

import arguments
import exudyn
import mujoco
import numpy as np
from exudyn.utilities import (
    CoordinateSpringDamper,
    LoadCoordinate,
    MarkerNodeCoordinate,
    Mass1D,
    Node1D,
    NodePointGround,
)
from friction_element import FrictionElement
from tqdm import tqdm

G = 9.81  # m/s²
TRUTH = 1e-5  # communication step of the references, s
BODY = 1e-4  # longest step of a body under the held force, s
STEPS = [1e-3, 5e-3, 1e-2]  # s
MU_S = 0.6


class Recorded(FrictionElement):
    """An element whose messages about the coupling are kept."""

    def __init__(self, fmu, **parameters):
        self.said = []
        super().__init__(fmu, **parameters)

    def log(self, environment, instance, status, category, message):
        if category == b"logCoupling":
            self.said.append(message.decode())
        super().log(environment, instance, status, category, message)


class Contact:
    """An element as the master's loop sees it at a communication point, with a record of the motion."""

    def __init__(self, element, h, is_parallel, knows_mass):
        self.element, self.h, self.is_parallel, self.knows_mass = element, h, is_parallel, knows_mass
        self.held, self.rows, self.work = 0.0, [], 0.0

    def force(self, t, x, v, normal_force, mass):
        """The force to apply over the coming step, from the motion at its start."""
        if self.rows:
            self.work += self.rows[-1][2] * (x - self.rows[-1][1])
        if self.knows_mass:
            self.element.set("m_eff", mass)
        new = self.element.step(t, self.h, normal_force, v)
        used, self.held = (self.held if self.is_parallel else new), new
        self.rows.append((t, x, used, normal_force))
        return used


class Python:
    """A body in a loop of its own, with position and velocity at the contact, on a spring and damper to a base, and an integral control."""

    code = "Python"
    has_block = True

    def __init__(self, name, end, mass, load, normal, start=(0.0, 0.0), servo=None, is_smooth=True):
        self.name, self.end, self.mass, self.load, self.normal = name, end, mass, load, normal
        self.start, self.is_smooth = start, is_smooth
        # Stiffness, damping, gain of the integral, and position and velocity of the base.
        self.k, self.d, self.gain, self.base = servo or (0.0, 0.0, 0.0, lambda t: (0.0, 0.0))

    def rates(self, t, y, friction):
        x, v = self.base(t)
        force = self.load(t, y) + self.k * (x - y[0]) + self.d * (v - y[1]) + self.gain * y[2]
        return np.array([y[1], (force - friction) / self.mass, x - y[0]])

    def run(self, contact):
        y, h = np.array([*self.start, 0.0]), contact.h
        count = max(1, round(h / BODY))
        dt = h / count
        for step in range(round(self.end / h)):
            t = step * h
            friction = contact.force(t, y[0], y[1], self.normal(t, y), self.mass)
            for part in range(count):
                at = t + part * dt
                middle = y + 0.5 * dt * self.rates(at, y, friction)
                y = y + dt * self.rates(at + 0.5 * dt, middle, friction)
        contact.force(self.end, y[0], y[1], self.normal(self.end, y), self.mass)

    def block(self):
        return {"mass": self.mass, "stiffness": self.k, "damping": self.d, "x": self.start[0], "v": self.start[1]}

    def run_block(self, block, h, is_parallel):
        """Positions with body, spring and damper inside; the master has the load, whose slope it takes from the last two steps."""
        rows, integral, last = [(0.0, self.start[0])], 0.0, None
        seen = motion = self.start
        for step in range(round(self.end / h)):
            t, (x, v) = step * h, self.base(step * h)
            # In parallel the units of the master have the motion of the step before.
            used, seen = (seen if is_parallel else motion), motion
            force = self.load(t, used) + self.gain * integral
            given = {"F": force, "F_N": self.normal(t, used)}
            if last and self.is_smooth:
                send(block, list(given), [(given[name] - last[name]) / h for name in given])
            last = given
            start, motion = motion, block.exchange(t, h, {**given, "x_base": x, "v_base": v}, ["x", "v"])
            integral += h * (x + 0.5 * h * v - 0.5 * (start[0] + motion[0]))
            rows.append((t + h, motion[0]))
        return rows


class MuJoCo:
    """A mechanism in MuJoCo with the element at its first joint; its lever is the friction radius."""

    code = "MuJoCo"
    has_block = False

    def __init__(self, name, end, model, load, normal, lever=1.0):
        self.name, self.end, self.model, self.load = name, end, model, load
        self.normal, self.lever = normal, lever

    def inertia(self, model, data):
        """Generalised inertia of the first joint, of which a force at the contact moves this mass."""
        response, unit = np.zeros((1, model.nv)), np.eye(1, model.nv)
        mujoco.mj_solveM(model, data, response, unit)
        return 1.0 / response[0, 0] / self.lever**2

    def run(self, contact):
        h = contact.h
        count = max(1, round(h / BODY))
        model = mujoco.MjModel.from_xml_string(self.model.format(step=h / count))
        data = mujoco.MjData(model)
        mujoco.mj_forward(model, data)
        for step in range(round(self.end / h) + 1):
            x, v = self.lever * data.qpos[0], self.lever * data.qvel[0]
            friction = contact.force(step * h, x, v, self.normal, self.inertia(model, data))
            for _ in range(count):
                data.qfrc_applied[:] = self.load(data.time + 0.5 * h / count, data)
                data.qfrc_applied[0] -= self.lever * friction
                mujoco.mj_step(model, data)


class Exudyn:
    """Masses on springs in Exudyn, whose solver runs the loop; the element is at the last one."""

    code = "Exudyn"
    has_block = True

    def __init__(self, name, end, masses, springs, load, normal):
        self.name, self.end, self.masses, self.springs, self.load, self.normal = (
            name,
            end,
            masses,
            springs,
            load,
            normal,
        )

    def run(self, contact):
        self.solve(contact.h, lambda t, x, v: -contact.force(t, x, v, self.normal(t), self.masses[-1]), self.masses)

    def solve(self, h, force, masses):
        """Runs the masses; `force` is called at communication points, and gives the force on the last mass from its motion."""
        exudyn.config.printToConsole = False
        system = exudyn.SystemContainer().AddSystem()
        ground = system.AddMarker(MarkerNodeCoordinate(nodeNumber=system.AddNode(NodePointGround()), coordinate=0))
        nodes = [system.AddNode(Node1D(referenceCoordinates=[0.0])) for _ in masses]
        markers = [system.AddMarker(MarkerNodeCoordinate(nodeNumber=node, coordinate=0)) for node in nodes]
        for mass, node in zip(masses, nodes):
            system.AddObject(Mass1D(physicsMass=mass, nodeNumber=node))
        for before, marker, (k, d) in zip([ground, *markers], markers, self.springs):
            system.AddObject(CoordinateSpringDamper(markerNumbers=[before, marker], stiffness=k, damping=d))
        loads = [system.AddLoad(LoadCoordinate(markerNumber=marker, load=0.0)) for marker in markers]
        count = max(1, round(h / BODY))
        dt = h / count
        given = [0.0]

        def before_step(system, end_of_step):
            step = round(end_of_step / dt) - 1
            if step % count == 0:
                kinds = (exudyn.OutputVariableType.Coordinates, exudyn.OutputVariableType.Coordinates_t)
                x, v = (float(np.ravel(system.GetNodeOutput(nodes[-1], kind))[0]) for kind in kinds)
                given[0] = force(step * dt, x, v)
            applied = self.load((step + 0.5) * dt)
            for i, load in enumerate(loads):
                own = applied if i == 0 else 0.0
                system.SetLoadParameter(load, "load", own + (given[0] if i == len(loads) - 1 else 0.0))
            return True

        system.SetPreStepUserFunction(before_step)
        system.Assemble()
        settings = exudyn.SimulationSettings()
        settings.timeIntegration.numberOfSteps = round(self.end / dt) + 1
        settings.timeIntegration.endTime = self.end + dt
        settings.timeIntegration.verboseMode = 0
        settings.solution.file.write = False
        system.SolveDynamic(settings, solverType=exudyn.DynamicSolverType.ExplicitMidpoint)

    def block(self):
        return dict(zip(("mass", "stiffness", "damping"), (self.masses[-1], *self.springs[-1])))

    def run_block(self, block, h, is_parallel):
        """Positions with the last mass and its spring inside; Exudyn has the others, under the mean force on the base."""
        rows, means = [(0.0, 0.0)], [0.0]
        is_alone = len(self.masses) == 1

        def exchange(t, base, velocity):
            if t > self.end - 0.5 * h:
                return 0.0
            inputs = {"F": self.load(t) if is_alone else 0.0, "F_N": self.normal(t), "x_base": base, "v_base": velocity}
            rise = self.load(t + h) - self.load(t) if is_alone else 0.0
            send(block, ["F", "F_N"], [rise / h, (self.normal(t + h) - self.normal(t)) / h])
            x, mean = block.exchange(t, h, inputs, ["x", "F_base"])
            rows.append((t + h, x))
            means.append(mean)
            # In parallel the master has the force of the step before.
            return means[-2] if is_parallel else mean

        if is_alone:
            for step in range(round(self.end / h)):
                exchange(step * h, 0.0, 0.0)
        else:
            self.solve(h, exchange, self.masses[:-1])
        return rows


def send(block, names, slopes):
    """Sends the first derivatives of inputs."""
    references = [block.variable(name).valueReference for name in names]
    block.call(block.slave.setRealInputDerivatives, references, [1] * len(names), slopes)


ARM = """
<mujoco><option timestep="{step}" integrator="RK4"/><worldbody>
  <body><joint type="hinge" axis="0 1 0"/><geom type="capsule" fromto="0 0 0 0.4 0 0" size="0.02" mass="1" contype="0"/>
    <body pos="0.4 0 0"><joint type="hinge" axis="0 1 0"/>
      <geom type="capsule" fromto="0 0 0 0.3 0 0" size="0.02" mass="0.7" contype="0"/></body></body>
</worldbody></mujoco>
"""
CRANE = """
<mujoco><option timestep="{step}" integrator="RK4"/><worldbody>
  <body><joint type="slide" axis="1 0 0"/><inertial pos="0 0 0" mass="3" diaginertia="1 1 1"/>
    <body><joint type="hinge" axis="0 1 0" damping="0.05"/>
      <inertial pos="0 0 -0.6" mass="2" diaginertia="0.01 0.01 0.01"/></body></body>
</worldbody></mujoco>
"""


def drive_of_arm(t, data):
    """Torques of a position control that follows a swing."""
    swing = np.array([0.3, -0.4]) * math.sin(math.pi * t)
    return 60.0 * (swing - data.qpos) - 4.0 * data.qvel


def target(t):
    """Position (m) and velocity (m/s) that a control follows."""
    return 3e-3 * math.sin(6.0 * t), 0.018 * math.cos(6.0 * t)


def swinging(t, y):
    """Normal force in the joint of a pendulum of 1 kg and 0.5 m, whose lever is 0.1 m."""
    return 20.0 + G * math.cos(y[0] / 0.1) + 0.5 * (y[1] / 0.1) ** 2


def push(t, y):
    return MU_S * G * (0.85 if 0.1 <= t < 0.6 else 1.2 if 0.6 <= t < 0.9 else 0.5)


def torque(t, y):
    """Gravity on the same pendulum, as a force at the contact."""
    return -G * 0.5 / 0.1 * math.sin(y[0] / 0.1)


SYSTEMS = [
    MuJoCo("arm", 2.0, ARM, drive_of_arm, 300.0, 0.05),
    MuJoCo("crane", 2.0, CRANE, lambda t, data: [45.0 * math.sin(5.0 * t), 0.0], 5 * G),
    Exudyn("drive", 1.5, [2.0, 1.0], [(0.0, 0.0), (2e4, 10.0)], lambda t: 18.0 * math.sin(9.0 * t), lambda t: 20.0),
    Exudyn("pull", 1.5, [1.5], [(2e3, 2.0)], lambda t: 100.0 * t, lambda t: 15.0 + 5.0 * math.sin(20.0 * t)),
    Python("servo", 1.5, 2.0, lambda t, y: 0.0, lambda t, y: 2 * G, servo=(8e3, 120.0, 6e4, target)),
    Python("pendulum", 2.0, 25.0, torque, swinging, start=(0.12, 0.0)),
    Python("brake", 1.5, 10.0, lambda t, y: 20.0, lambda t, y: 300.0 * min(t, 0.4), start=(0.0, 0.8)),
    Python("push", 1.2, 1.0, push, lambda t, y: G, is_smooth=False),
]


def grade(errors):
    """Grade of errors of displacement, work, and force, each over its reference."""
    for name, bounds in (("good", (0.01, 0.01, 0.05)), ("limits", (0.05, 0.05, 0.2))):
        if all(error <= bound for error, bound in zip(errors, bounds)):
            return name
    return "bad"


class Reference:
    """A system in short steps with held values: its motion, and the impulse and the work of friction."""

    def __init__(self, system, fmu):
        with Recorded(fmu, coupling="prescribed") as element:
            contact = Contact(element, TRUTH, False, False)
            system.run(contact)
        self.x, self.work = np.array([row[1] for row in contact.rows]), contact.work
        self.impulse = np.concatenate([[0.0], np.cumsum([row[2] * TRUTH for row in contact.rows[:-1]])])

    def errors(self, rows, work):
        """Errors of displacement, work, and of the forces where the rows have them, each over its scale."""
        place = np.rint(np.array([row[0] for row in rows]) / TRUTH).astype(int)
        found = [
            np.abs(np.array([row[1] for row in rows]) - self.x[place]).max() / np.ptp(self.x),
            abs(work / self.work - 1.0),
        ]
        if len(rows[0]) > 2:
            mean = np.diff(self.impulse[place]) / (np.diff(place) * TRUTH)
            errors = [(row[2] - force) / (MU_S * max(row[3], 1.0)) for row, force in zip(rows, mean)]
            found.append(math.sqrt(np.mean(np.square(errors))))
        return found


def couple(system, fmu, h, order, mass_is_known):
    """Rows, work and messages of a run with held values, or with m_eff."""
    parameters = {"coupling": order, "m_eff": 1.0} if mass_is_known else {}
    with Recorded(fmu, **parameters) as element:
        contact = Contact(element, h, order == "parallel", mass_is_known)
        system.run(contact)
        return contact.rows, contact.work, element.said


def inside(system, fmu, h, order):
    """Rows, work and messages of a run with the body inside the element."""
    with Recorded(fmu, coupling=order, **system.block()) as block:
        rows = system.run_block(block, h, order == "parallel")
        return rows, block.get("E_loss"), block.said


def main():
    parser = arguments.with_fmu(arguments.parser(__doc__))
    parser.add_argument(
        "--block", type=arguments.file, default=str(arguments.CARDS / "BeltSlider.fmu"), help="FMU of a block"
    )
    parser.add_argument("--short", action="store_true", help="one system of each code, in steps of 1 ms")
    given = parser.parse_args()
    path = arguments.result(given, "coupling_survey.csv")
    systems, steps = SYSTEMS, STEPS
    if given.short:
        systems, steps = [SYSTEMS[1], SYSTEMS[2], SYSTEMS[7]], STEPS[:1]

    runs = []
    for system in tqdm(systems, unit="system"):
        # The messages are counted here, and not shown.
        with contextlib.redirect_stderr(io.StringIO()):
            reference = Reference(system, given.fmu)
            for h in steps:
                for order in ("serial", "parallel"):
                    found = {
                        "held": couple(system, given.fmu, h, order, False),
                        "m_eff": couple(system, given.fmu, h, order, True),
                    }
                    if system.has_block:
                        found["block"] = inside(system, given.block, h, order)
                    for mode, (rows, work, said) in found.items():
                        errors = reference.errors(rows, work)
                        runs.append((system.name, system.code, h, mode, order, grade(errors), len(said), errors))

    with path.open("w", newline="") as file:
        table = csv.writer(file)
        table.writerow(["system", "code", "H", "mode", "order", "grade", "messages", "displacement", "work", "force"])
        table.writerows([*run[:-1], *(f"{error:.2e}" for error in run[-1])] for run in runs)
    print("| coupling | good | limits | bad | good, warned | bad without a warning |\n|---|---:|---:|---:|---:|---:|")
    for mode in ("held", "m_eff", "block"):
        for order in ("serial", "parallel"):
            own = [(run[5], run[6]) for run in runs if run[3:5] == (mode, order)]
            counts = [sum(found == name for found, _ in own) for name in ("good", "limits", "bad")]
            warned = sum(found == "good" and said > 0 for found, said in own)
            silent = sum(found == "bad" and said == 0 for found, said in own)
            print(f"| {mode}, {order} | " + " | ".join(map(str, [*counts, warned, silent])) + " |")

    silent = [run[:5] for run in runs if run[3] == "held" and not run[6]]
    late = [
        run[:5] for run in runs if run[2] == STEPS[0] and run[3] != "held" and run[4] == "serial" and run[5] != "good"
    ]
    if silent or late:
        raise SystemExit(
            f"an unstated coupling was silent in {silent}, or a stated one not good in {late}; is it the FMU of this version?"
        )


if __name__ == "__main__":
    main()
