"""A joint with friction in MuJoCo: RevoluteJoint.fmu by a callback beside MuJoCo's own frictionloss, under a load below the break-away.

MuJoCo regularises its dry friction: a joint with frictionloss creeps under any load M, with M/J (1 - d)/d d_max T/2, where the impedance
d and the time constant T are solimpfriction and solreffriction: 0.9 and 0.02 s unless given, 0.9999 and two steps at the hardest. The
FMU sticks. The load rises to 0.8 of the break-away torque and stays for ten seconds, then rises to 1.5 of it, so that all joints turn.

    python examples/mujoco_joint.py [--fmu FILE] [--out DIR]
"""

import time

import matplotlib
import mujoco
import numpy as np

import arguments
from friction_element import FrictionElement

matplotlib.use("Agg")
import matplotlib.pyplot as plt  # noqa: E402  (after the choice of a backend that needs no screen)

NORMAL_FORCE = 50.0  # of the joint's preload, N
INERTIA = 0.02  # of the arm about the joint, kg·m²
STEP = 1e-3  # s
HELD = 0.8  # load over the break-away torque that is held, until
RELEASED = 10.2  # s
PULL = 1.5  # load over the break-away torque from then on
END = 10.7  # s

# The arm is in balance about its joint. Euler's method calls the function for passive forces once a step.
MODEL = """
<mujoco>
  <option timestep="{step}" gravity="0 0 0" integrator="Euler"/>
  <worldbody>
    <body>
      <joint name="joint" type="hinge" axis="0 0 1" frictionloss="{loss}" {options}/>
      <inertial pos="0 0 0" mass="1" diaginertia="{inertia} {inertia} {inertia}"/>
    </body>
  </worldbody>
</mujoco>
"""


# The hardest friction that MuJoCo has.
HARD = f'solreffriction="{2 * STEP} 1" solimpfriction="0.9999 0.9999 0.001 0.5 2"'


def load(t):
    """Applied torque over the break-away torque: it rises within 0.2 s to what is held."""
    return HELD * min(t / 0.2, 1.0) if t < RELEASED else PULL


def simulate(break_away, frictionloss=0.0, options="", element=None):
    """Angle and angular velocity after each step, and the processor time of a step (s)."""
    model = mujoco.MjModel.from_xml_string(MODEL.format(step=STEP, loss=frictionloss, options=options, inertia=INERTIA))
    data = mujoco.MjData(model)
    steps = round(END / STEP)
    rows = np.zeros(steps + 1, dtype=[("t", float), ("phi", float), ("omega", float)])

    def friction(model, data):
        """MuJoCo calls this for passive forces, with the state at the start of a step."""
        data.qfrc_passive[0] -= element.step(data.time, model.opt.timestep, NORMAL_FORCE, data.qvel[0])

    mujoco.set_mjcb_passive(friction if element else None)
    try:
        start = time.process_time()
        for step in range(1, steps + 1):
            # Held over the step, at its mean.
            data.qfrc_applied[0] = break_away * load((step - 0.5) * STEP)
            mujoco.mj_step(model, data)
            rows[step] = (data.time, data.qpos[0], data.qvel[0])
        cost = (time.process_time() - start) / steps
    finally:
        mujoco.set_mjcb_passive(None)
    return rows, cost


def creep(run):
    """Mean angular velocity while the load is held, rad/s, after a second."""
    first, last = np.searchsorted(run["t"], [1.0, RELEASED - 0.1])
    return (run["phi"][last] - run["phi"][first]) / (run["t"][last] - run["t"][first])


def main():
    given = arguments.with_fmu(arguments.parser(__doc__), arguments.CARDS / "RevoluteJoint.fmu").parse_args()
    path = arguments.result(given, "mujoco_joint.png")

    with FrictionElement(given.fmu, coupling="serial") as element:
        static, dynamic = (element.get("radius") * element.get(mu) * NORMAL_FORCE for mu in ("mu_s", "mu_d"))
        runs = {"FMU by a callback": simulate(static, element=element)}
    runs["frictionloss"] = simulate(static, frictionloss=static)
    runs["frictionloss, hard"] = simulate(static, frictionloss=static, options=HARD)
    _, alone = simulate(static)

    print(f"break-away at {static:.3g} N·m, {HELD} of it held for ten seconds, steps of {STEP:g} s")
    print("joint                 creep, rad/s   turned while held, rad   turned at the end, rad   time of a step, µs")
    for name, (run, cost) in runs.items():
        turned = run["phi"][np.searchsorted(run["t"], RELEASED - 0.1)]
        print(f"{name:20}  {creep(run):12.1e}  {turned:23.1e}  {run['phi'][-1]:23.3f}  {1e6 * cost:19.1f}")
    print(f"{'without friction':20}  {'':12}  {'':23}  {'':23}  {1e6 * alone:19.1f}")

    figure, panels = plt.subplots(1, 2, figsize=(10, 4), layout="constrained")
    for name, (run, _) in runs.items():
        held = run["t"] < RELEASED
        panels[0].semilogy(run["t"][held][1:], np.abs(run["phi"][held][1:]), label=name)
        panels[1].plot(run["t"][~held], run["omega"][~held], label=name)
    panels[0].set(xlabel="t in s", ylabel="angle in rad", title=f"{HELD} of the break-away torque")
    panels[1].set(xlabel="t in s", ylabel="angular velocity in rad/s", title=f"{PULL} of it")
    for panel in panels:
        panel.grid(True)
        panel.legend()
    figure.savefig(path)
    print(path)

    expected = {
        "FMU by a callback": 0.0,
        "frictionloss": HELD * static / INERTIA * 0.1 / 0.9 * 0.95 * 0.02 / 2,
        "frictionloss, hard": HELD * static / INERTIA * 1e-4 / 0.9999 * 0.9999 * 2 * STEP / 2,
    }
    for name, (run, _) in runs.items():
        if abs(creep(run) - expected[name]) > 1e-12 + 0.01 * expected[name]:
            raise SystemExit(f"{name}: the joint creeps with {creep(run):.2e} rad/s, expected are {expected[name]:.2e}")
        # Sliding friction is the dynamic one, M_d = r mu_d F_N; frictionloss has no other than the break-away torque.
        friction = dynamic if name == "FMU by a callback" else static
        acceleration = (run["omega"][-1] - run["omega"][-101]) / (100 * STEP)
        turns = (PULL * static - friction) / INERTIA
        if abs(acceleration - turns) > 0.01 * turns:
            raise SystemExit(f"{name}: the joint turns with {acceleration:.3f} rad/s², expected are {turns:.3f}")


if __name__ == "__main__":
    main()
