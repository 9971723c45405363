"""MuJoCo: `frictionloss` of a joint, a `dcmotor` with LuGre, a joint spring with `springyield`, and a contact on a plane."""

from __future__ import annotations

import itertools
from typing import Any

import mujoco

import bristle

from .bristle_peers import parameters
from .contact import Contact, Peer, Step, SteppedPeer

# Settings that make a run unstable are seen in its measures; MuJoCo's file of warnings is not needed.
mujoco.set_mju_user_warning(lambda _: None)

MODEL = """
<mujoco>
  <compiler angle="radian"/>
  <option timestep="{step}" gravity="0 0 0" integrator="{integrator}"/>
  <worldbody>
    <body>
      <joint name="joint" type="{kind}" axis="{axis}" {joint}/>
      <inertial pos="0 0 0" mass="{inertia}" diaginertia="{inertia} {inertia} {inertia}"/>
    </body>
  </worldbody>
  {actuator}
</mujoco>
"""

# A ball without rotation on a plane. It has all three sliders: where a direction of the plane is locked, the NoSlip solver has no effect.
ON_A_PLANE = """
<mujoco>
  <option timestep="{step}" gravity="0 0 -9.81" cone="elliptic" integrator="{integrator}"
          impratio="{impratio}" noslip_iterations="{noslip}"/>
  <worldbody>
    <geom type="plane" size="1 1 1" friction="{mu} 0 0" solref="{time} 1"/>
    <body pos="0 0 0.1">
      <joint type="slide" axis="1 0 0" {joint}/>
      <joint type="slide" axis="0 1 0"/>
      <joint type="slide" axis="0 0 1"/>
      <geom type="sphere" size="0.1" mass="{inertia}" friction="{mu} 0 0" solref="{time} 1"/>
    </body>
  </worldbody>
</mujoco>
"""


class MuJoCo(SteppedPeer):
    """A joint of MuJoCo, stepped with an applied force."""

    tool, module, ahead = "MuJoCo", "mujoco", 0.0

    settling = 0  # steps before the run

    def begin(self, contact: Contact) -> Step:
        """Compiles the model."""
        model = mujoco.MjModel.from_xml_string(self.text(contact))
        data = mujoco.MjData(model)
        data.qpos[0] = contact.start
        for _ in range(self.settling):
            mujoco.mj_step(model, data)
        applied, position, velocity = data.qfrc_applied, data.qpos, data.qvel

        def step(force: float) -> tuple[float, float]:
            applied[0] = force
            mujoco.mj_step(model, data)
            return position[0], velocity[0]

        return step

    def text(self, contact: Contact) -> str:
        """The model of the body in MuJoCo's language."""
        kind, axis = ("hinge", "0 0 1") if contact.is_rotational else ("slide", "1 0 0")
        return MODEL.format(
            step=contact.step,
            inertia=contact.inertia,
            kind=kind,
            axis=axis,
            integrator=self.settings["integrator"],
            joint=self.joint(contact),
            actuator=self.actuator(contact),
        )

    def joint(self, contact: Contact) -> str:
        """Attributes of the joint."""
        return f'stiffness="{contact.stiffness}"'

    def actuator(self, contact: Contact) -> str:
        """Elements beside the bodies."""
        return ""


class Frictionloss(MuJoCo):
    """Dry friction of a joint: a soft constraint, whose time constant and impedance are settings."""

    friction, law, has_two_forces = "frictionloss", "soft Coulomb", False

    def __init__(self, integrator: str = "Euler", time: str = "default", impedance: str = "default") -> None:
        super().__init__(integrator=integrator, time=time, impedance=impedance)

    @classmethod
    def candidates(cls) -> list[Peer]:
        """Time constants from the default to the least that MuJoCo allows, impedances from the default to the largest."""
        grid = itertools.product(
            ["Euler", "implicitfast", "discrete"], ["default", "2h"], ["default", "0.99", "0.999", "0.9999"]
        )
        return [cls(*chosen) for chosen in grid]

    def joint(self, contact: Contact) -> str:
        """Attributes of the joint, by those of the settings that differ from the defaults."""
        text = f'frictionloss="{contact.static}"'
        if self.settings["time"] != "default":
            text += f' solreffriction="{2 * contact.step} 1"'
        if self.settings["impedance"] != "default":
            text += ' solimpfriction="{0} {0} 0.001 0.5 2"'.format(self.settings["impedance"])
        return text


class DcMotor(MuJoCo):
    """A motor without windings: LuGre as a passive force of the joint."""

    friction, law = "dcmotor, lugre", "LuGre"

    def __init__(self, integrator: str = "implicitfast", softness: float = 1.0, damping: float = 1.0) -> None:
        super().__init__(integrator=integrator, softness=softness, damping=damping)

    @classmethod
    def candidates(cls) -> list[Peer]:
        """The bristle of the laws' defaults and softer ones, and damping over the critical one."""
        grid = itertools.product(["Euler", "implicitfast", "discrete"], [1.0, 3.0, 10.0, 30.0], [0.3, 1.0, 3.0])
        return [cls(*chosen) for chosen in grid]

    def actuator(self, contact: Contact) -> str:
        """LuGre with the numbers of Bristle's defaults, at the joint's size."""
        stiffness = 5e6 * contact.static / 5.886 / self.settings["softness"]
        # Critical damping of the mass whose weight is half of the normal force.
        damping = 3192.75 * contact.static / 5.886 / self.settings["softness"] ** 0.5 * self.settings["damping"]
        numbers = f"{stiffness} {damping} {contact.dynamic} {contact.static} 0.005"
        motor = f'joint="joint" motorconst="0 0" resistance="1" input="none" lugre="{numbers}"'
        return f"<actuator><dcmotor {motor}/></actuator>"


class SpringYield(MuJoCo):
    """A joint spring that yields: the friction force is its stiffness times its yield displacement."""

    friction, law, has_two_forces = "springyield", "elastoplastic", False

    def __init__(self, integrator: str = "discrete", stiffness: float = 0.1, damping: float = 0.0) -> None:
        super().__init__(integrator=integrator, stiffness=stiffness, damping=damping)

    @classmethod
    def candidates(cls) -> list[Peer]:
        """Stiffness times h²/m, and damping over the critical one."""
        grid = itertools.product(["implicitfast", "discrete"], [1e-2, 1e-1, 1.0, 10.0], [0.0, 1e-3, 1e-2, 0.1])
        return [cls(*chosen) for chosen in grid]

    def joint(self, contact: Contact) -> str:
        """Attributes of the joint."""
        stiffness = self.settings["stiffness"] * contact.inertia / contact.step**2
        damping = self.settings["damping"] * 2 * (stiffness * contact.inertia) ** 0.5
        return f'stiffness="{stiffness}" springyield="{contact.static / stiffness}" damping="{damping}"'


class PlaneContact(MuJoCo):
    """A ball that slides on a plane, with an elliptic cone."""

    friction, law, has_two_forces, has_axes = "contact", "soft Coulomb", False, False
    settling = 1000  # the ball sinks into the plane

    def __init__(
        self, integrator: str = "Euler", noslip: int = 0, time: str = "default", impratio: float = 1.0
    ) -> None:
        super().__init__(integrator=integrator, noslip=noslip, time=time, impratio=impratio)

    @classmethod
    def candidates(cls) -> list[Peer]:
        """What the documentation names against slip: the time constant, `impratio`, `noslip_iterations`."""
        grid = itertools.product(["Euler", "discrete"], [0, 20], ["default", "2h"], [1.0, 100.0])
        return [cls(*chosen) for chosen in grid]

    def text(self, contact: Contact) -> str:
        """The model of the body in MuJoCo's language."""
        settings: dict[str, Any] = {
            **self.settings,
            "time": 0.02 if self.settings["time"] == "default" else 2 * contact.step,
        }
        mu = contact.static / (9.81 * contact.inertia)
        return ON_A_PLANE.format(
            step=contact.step, inertia=contact.inertia, mu=mu, joint=self.joint(contact), **settings
        )


class WithElement(MuJoCo):
    """A joint without friction of MuJoCo, and an element of Bristle that is stepped before it, as examples/mujoco_joint.py does."""

    friction, law = "joint with a Bristle element, m_eff", "FrDyn2Linear"

    def __init__(self, integrator: str = "Euler") -> None:
        super().__init__(integrator=integrator)

    def begin(self, contact: Contact) -> Step:
        """Makes model and element."""
        model = super().begin(contact)
        values = parameters(self.law, contact)
        element = bristle.Element(self.law, m_eff=contact.inertia, coupling="serial", **values)
        element.initialize(F_N=contact.static / values["mu_s"])
        velocity = [0.0]

        def step(force: float) -> tuple[float, float]:
            x, velocity[0] = model(force - element.step(contact.step, v=velocity[0]))
            return x, velocity[0]

        return step


PEERS: list[type[Peer]] = [Frictionloss, DcMotor, SpringYield, PlaneContact, WithElement]
