"""A block on a plate under a force that rises and stays, as an FMU that PythonFMU builds: the mass for `system.ssp`."""

from pythonfmu import Fmi2Causality, Fmi2Slave, Fmi2Variability, Real


class Block(Fmi2Slave):
    """Moves the block over a step in which friction and load are held."""

    author = "Bristle"
    description = "A block on a plate under a force that rises and stays"

    def __init__(self, **kwargs):
        super().__init__(**kwargs)
        self.mass = 1.0
        self.force = 5.5917
        self.duration = 0.1
        self.F_R = 0.0
        self.u = 0.0
        self.v = 0.0
        self.F_N = 9.81
        for name in ("mass", "force", "duration"):
            self.register_variable(Real(name, causality=Fmi2Causality.parameter, variability=Fmi2Variability.tunable))
        self.register_variable(Real("F_R", causality=Fmi2Causality.input, description="Friction force, N"))
        self.register_variable(Real("u", causality=Fmi2Causality.output, description="Displacement, m"))
        self.register_variable(Real("v", causality=Fmi2Causality.output, description="Velocity, m/s"))
        self.register_variable(Real("F_N", causality=Fmi2Causality.output, description="Normal force, N"))

    def load(self, t):
        part = min(max(t / self.duration, 0.0), 1.0)
        return self.force * part * part * (3 - 2 * part)

    def do_step(self, t, h):
        acceleration = (0.5 * (self.load(t) + self.load(t + h)) - self.F_R) / self.mass
        self.u += h * (self.v + 0.5 * h * acceleration)
        self.v += h * acceleration
        self.F_N = 9.81 * self.mass
        return True
