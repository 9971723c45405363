"""Modelica, compiled by rumoca: the friction of the standard library's `PartialFriction`, with its modes as discrete variables.

The library itself is in no package registry: the equations are those of its documentation, written out for one body.
"""

from __future__ import annotations

import time
from typing import Any

import numpy as np
import rumoca

from .contact import Contact, Load, Motion, Peer, motion

# `force` is the balance of the body in stick, and leaves the forces of sliding out: with it the modes can be chosen.
MODEL = """
model Body
  constant Integer Backward = -1;
  constant Integer Stuck = 0;
  constant Integer Forward = 1;
  parameter Real inertia = {inertia!r};
  parameter Real static = {static!r};
  parameter Real dynamic = {dynamic!r};
  Real x(start = {start!r}, fixed = true);
  Real v(start = 0.0, fixed = true);
  Real force;
  Real friction;
  Boolean startForward(start = false, fixed = true);
  Boolean startBackward(start = false, fixed = true);
  Boolean locked;
  Integer mode(start = 0, fixed = true);
equation
  force = {load} + {stiffness!r}*({pull!r}*time - x);
  der(x) = v;
  der(v) = if locked then 0.0 else (force - friction)/inertia;
  startForward = pre(mode) == Stuck and (force > static or pre(startForward) and force > dynamic);
  startBackward = pre(mode) == Stuck and (force < -static or pre(startBackward) and force < -dynamic);
  locked = not (pre(mode) == Forward or startForward or pre(mode) == Backward or startBackward);
  friction = if locked then force else if startForward or pre(mode) == Forward then dynamic else -dynamic;
  mode = if (pre(mode) == Forward or startForward) and v > 0.0 then Forward
    else if (pre(mode) == Backward or startBackward) and v < 0.0 then Backward else Stuck;
end Body;
"""


class PartialFriction(Peer):
    """A body with modes; rumoca's solver finds their events."""

    tool, module, friction, law = "rumoca", "rumoca", "PartialFriction, by hand", "Coulomb, events"

    def __init__(self, rtol: float | None = None) -> None:
        super().__init__(rtol=rtol)

    @classmethod
    def candidates(cls) -> list[Peer]:
        """Relative tolerance of the solver."""
        return [cls(None), cls(1e-8), cls(1e-10)]

    def run(self, contact: Contact, load: Load, steps: int) -> Motion:
        """One simulation with an output at each step."""
        text = MODEL.format(**vars(contact), load=load.modelica)
        model = rumoca.Session().loads(text, model="Body")
        tolerance = self.settings["rtol"]
        controls: dict[str, Any] = (
            {"config": rumoca.SimConfig(rtol=tolerance, atol=1e-3 * tolerance)} if tolerance else {}
        )
        begin = time.process_time()
        result = model.simulate(t=(0.0, steps * contact.step), dt=contact.step, **controls)
        seconds = time.process_time() - begin
        columns = dict(zip(result.names, np.asarray(result.to_numpy())))
        t = contact.step * np.arange(steps + 1)
        x, v = (np.interp(t, np.asarray(result.time), np.asarray(columns[name])) for name in ("x", "v"))
        return motion(contact, load, x, v, seconds)


PEERS: list[type[Peer]] = [PartialFriction]
