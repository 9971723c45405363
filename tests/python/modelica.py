"""Compiles examples/Bristle.mo with rumoca and the Modelica Standard Library, and moves a mass and a shaft against a friction force.

The element is the static law 0.3 F_N tanh(v/e) in place of an imported FMU; the motion is compared with the same equation by the
method of Runge and Kutta. MODELICAPATH names the folder of the library (Modelica, ModelicaServices, Complex.mo).

    python tests/python/modelica.py
"""

import math
import os
import tempfile
from pathlib import Path

import rumoca

EXAMPLE = Path(__file__).parents[2] / "examples" / "Bristle.mo"
LOAD, MU, E = 9.81, 0.3, 1e-3  # N, 1, m/s

CHECK = f"""
package Check
  block Sliding
    extends Bristle.FrictionElement;
  equation
    F_R = {MU}*F_N*tanh(v/{E});
  end Sliding;
  model Translational
    Bristle.TranslationalFriction friction(redeclare model Element = Sliding);
    Modelica.Mechanics.Translational.Components.Fixed ground;
    Modelica.Mechanics.Translational.Components.Mass body(m = 1, v(start = 0, fixed = true), s(start = 0, fixed = true));
    Modelica.Mechanics.Translational.Sources.ConstantForce push(f_constant = 5);
    Modelica.Blocks.Sources.Constant load(k = {LOAD});
  equation
    connect(ground.flange, friction.flange_a);
    connect(friction.flange_b, body.flange_a);
    connect(push.flange, body.flange_b);
    connect(load.y, friction.F_N);
  end Translational;
  model Rotational
    Bristle.RotationalFriction friction(radius = 0.1, redeclare model Element = Sliding);
    Modelica.Mechanics.Rotational.Components.Fixed ground;
    Modelica.Mechanics.Rotational.Components.Inertia body(J = 0.1, w(start = 0, fixed = true), phi(start = 0, fixed = true));
    Modelica.Mechanics.Rotational.Sources.ConstantTorque push(tau_constant = 0.5);
    Modelica.Blocks.Sources.Constant load(k = {LOAD});
  equation
    connect(ground.flange, friction.flange_a);
    connect(friction.flange_b, body.flange_a);
    connect(push.flange, body.flange_b);
    connect(load.y, friction.F_N);
  end Rotational;
end Check;
"""


def expected(inertia, load, radius):
    """Velocity after 1 s of a body under a constant load, its friction at a radius."""
    steps, v = 100_000, 0.0
    h = 1 / steps

    def rate(v):
        return (load - radius * MU * LOAD * math.tanh(radius * v / E)) / inertia

    for _ in range(steps):
        k = [rate(v)]
        for share in (0.5, 0.5, 1):
            k.append(rate(v + share * h * k[-1]))
        v += h * (k[0] + 2 * k[1] + 2 * k[2] + k[3]) / 6
    return v


def main():
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / EXAMPLE.name).write_text(EXAMPLE.read_text(encoding="utf-8"), encoding="utf-8")
        session = rumoca.Session(roots=[os.environ["MODELICAPATH"], folder])
        for model, variable, body in [("Translational", "body.v", (1, 5, 1)), ("Rotational", "body.w", (0.1, 0.5, 0.1))]:
            run = session.loads(CHECK, model=f"Check.{model}").simulate(t=(0, 1), dt=0.1)
            found, right = list(run[variable])[-1], expected(*body)
            print(f"{model}: {variable} = {found:.5f} after 1 s, {right:.5f} by hand")
            if abs(found - right) > 1e-3 * right:
                raise SystemExit("they differ by more than 0.1 %")


if __name__ == "__main__":
    main()
