"""Drake: a block on a half space, with the contact solvers of the discrete plant, or as a continuous system."""

from __future__ import annotations

import itertools
import logging
from typing import Any

import numpy as np
from pydrake.geometry import HalfSpace, Sphere
from pydrake.math import RigidTransform
from pydrake.multibody.plant import AddMultibodyPlantSceneGraph, CoulombFriction, DiscreteContactApproximation
from pydrake.multibody.tree import PrismaticJoint, PrismaticSpring, SpatialInertia, UnitInertia
from pydrake.systems.analysis import ResetIntegratorFromFlags, Simulator
from pydrake.systems.framework import DiagramBuilder

from .contact import Contact, Peer, Step, SteppedPeer

logging.getLogger("drake").setLevel(logging.ERROR)

GRAVITY = 9.81
# Depth at which a weight is carried, m.
ALLOWANCE = 1e-4


class Drake(SteppedPeer):
    """A ball on two sliders, along the plane and across it, so that it does not turn."""

    tool, module, has_axes = "Drake", "drake", False

    def begin(self, contact: Contact) -> Step:
        """Builds the plant and its simulator."""
        builder = DiagramBuilder()
        plant, _ = AddMultibodyPlantSceneGraph(builder, contact.step if self.is_discrete else 0.0)
        self.configure(plant)
        plant.mutable_gravity_field().set_gravity_vector([0.0, 0.0, -GRAVITY])
        mu = contact.static / (GRAVITY * contact.inertia)
        friction = CoulombFriction(mu, mu * contact.dynamic / contact.static)
        plant.RegisterCollisionGeometry(plant.world_body(), RigidTransform(), HalfSpace(), "plane", friction)
        carrier = plant.AddRigidBody("carrier", SpatialInertia(0.0, np.zeros(3), UnitInertia(0.0, 0.0, 0.0), True))
        ball = plant.AddRigidBody("ball", SpatialInertia(contact.inertia, np.zeros(3), UnitInertia.SolidSphere(0.1)))
        plant.RegisterCollisionGeometry(ball, RigidTransform(), Sphere(0.1), "ball", friction)
        across = plant.AddJoint(PrismaticJoint("z", plant.world_frame(), carrier.body_frame(), [0, 0, 1]))
        along = plant.AddJoint(PrismaticJoint("x", carrier.body_frame(), ball.body_frame(), [1, 0, 0]))
        if contact.stiffness:
            plant.AddForceElement(PrismaticSpring(along, 0.0, contact.stiffness))
        plant.AddJointActuator("load", along)
        plant.set_penetration_allowance(ALLOWANCE)
        plant.Finalize()
        plant.set_stiction_tolerance(self.settings["slip"])
        simulator = Simulator(builder.Build())
        context = simulator.get_mutable_context()
        own = plant.GetMyMutableContextFromRoot(context)
        across.set_translation(own, 0.1)
        port = plant.get_actuation_input_port()
        port.FixValue(own, [0.0])
        self.configure_simulator(simulator)
        simulator.Initialize()
        settled = 1.0
        simulator.AdvanceTo(settled)
        along.set_translation(own, contact.start)
        along.set_translation_rate(own, 0.0)
        count = [0]

        def step(load: float) -> tuple[float, float]:
            port.FixValue(own, [load])
            count[0] += 1
            simulator.AdvanceTo(settled + count[0] * contact.step)
            return along.get_translation(own), along.get_translation_rate(own)

        return step

    is_discrete = True

    def configure(self, plant: Any) -> None:
        """Settings before the plant is final."""

    def configure_simulator(self, simulator: Any) -> None:
        """Settings of the integrator."""


class Tamsi(Drake):
    """Regularised friction, implicit in velocity. The discrete plant has no static coefficient of its own."""

    friction, law, has_two_forces = "TAMSI", "regularised", False
    ahead = 0.0

    def __init__(self, slip: float = 1e-3) -> None:
        super().__init__(slip=slip)

    @classmethod
    def candidates(cls) -> list[Peer]:
        """Velocity up to which the contact counts as sticking."""
        return [cls(slip) for slip in (1e-3, 1e-5, 1e-7, 1e-9)]

    def configure(self, plant: Any) -> None:
        """Chooses the solver."""
        plant.set_discrete_contact_approximation(DiscreteContactApproximation.kTamsi)


class Sap(Drake):
    """The convex solver, which has one coefficient as well."""

    friction, law, has_two_forces = "SAP", "soft Coulomb", False
    ahead = 0.0

    def __init__(self, model: str = "kLagged", slip: float = 1e-3) -> None:
        super().__init__(model=model, slip=slip)

    @classmethod
    def candidates(cls) -> list[Peer]:
        """The three convex approximations, and their velocity of stick."""
        return [cls(*chosen) for chosen in itertools.product(["kSap", "kLagged", "kSimilar"], [1e-3, 1e-5, 1e-7])]

    def configure(self, plant: Any) -> None:
        """Chooses the solver."""
        plant.set_discrete_contact_approximation(getattr(DiscreteContactApproximation, self.settings["model"]))


class Continuous(Drake):
    """The continuous plant, whose integrator controls its error."""

    friction, law, is_discrete = "continuous", "regularised", False

    def __init__(self, slip: float = 1e-3, scheme: str = "runge_kutta3", accuracy: float | None = None) -> None:
        super().__init__(slip=slip, scheme=scheme, accuracy=accuracy)

    @classmethod
    def candidates(cls) -> list[Peer]:
        """Velocity up to which the contact counts as sticking, with the explicit default and, as it is stiff, with Radau's method."""
        return [cls(), cls(accuracy=1e-6), *(cls(slip, "radau3", 1e-6) for slip in (1e-3, 1e-4, 1e-5))]

    def configure_simulator(self, simulator: Any) -> None:
        """Chooses the integrator, whose first step is at most 1 ms, and its accuracy."""
        if self.settings["accuracy"]:
            integrator = ResetIntegratorFromFlags(simulator, self.settings["scheme"], 1e-3)
            integrator.set_target_accuracy(self.settings["accuracy"])


PEERS: list[type[Peer]] = [Tamsi, Sap, Continuous]
