"""Figures of Stefański and others (2006), and the pulse loads that Rill and Schuderer describe."""

from figure import Axis, Curve, Figure, Panel
from styles import LAWS, law

LINE = law("Stefanski2006", linewidth=1.0)
THIN = law("Stefanski2006", linewidth=0.5)


def motion(title, run, style):
    """Phase portrait and friction characteristic of one motion."""
    x, v, force = Axis("x", "mm", 1e3, (-30, 30)), Axis("v", "m/s", 1.0, (-1.2, 1.2)), Axis("F_R", "N", 1.0, (-9, 9))
    return [
        Panel(f"{title}: phase portrait", "x", x, v, [Curve(run, "v", "", style)]),
        Panel(f"{title}: friction", "v", v, force, [Curve(run, "F_R", "", style)]),
    ]


# In the order of their displacement.
DRIFTING = ["BrownMcPhee", "StaticRegularized", "Dahl", "LuGre"]
STICKING = ["Armstrong", "SimpackStickSlip", "AdamsStickSlip", "FrDyn2", "Coulomb", "ModelicaFriction"]


def displacements(laws):
    """Displacements under the pulses; Armstrong's spring has no damping and swings."""
    return [Curve(name, "u", name, LAWS[name], envelope=name == "Armstrong") for name in laws]


PULSES_TIME = Axis("t", "s", 1.0, (0, 1.2))
DECADES = Axis("|u|", "µm", 1e6, (1e-5, 3e3), log=True)

FIGURES = [
    Figure(
        "sw_08", "sw_08", "[SW] Fig. 8",
        "The characteristic (14)–(16) under a sine of the velocity. Amplitude (0.3 m/s) and frequency (5 Hz) are chosen.",
        1,
        [
            Panel(
                "Coefficient of friction over velocity", "v", Axis("v", "m/s", 1.0, (-0.35, 0.35)),
                Axis("F_R / F_N", "", 1.0, (-0.35, 0.35)), [Curve("Stefanski2006", "f", "", LINE)],
            ),
        ],
    ),
    Figure(
        "sw_10", "sw_10", "[SW] Fig. 10",
        "The dry friction oscillator after 10 s under four motions of the base, each with its friction characteristic.",
        4,
        [
            *motion("(a) harmonic", "harmonic", LINE),
            *motion("(b) two-periodic", "two-periodic", LINE),
            *motion("(c) quasi-periodic", "quasi-periodic", THIN),
            *motion("(d) chaotic", "chaotic", THIN),
        ],
    ),
    Figure(
        "pulses", "pulses", "[RS] Sec. 5, described there",
        "Five pulses of 0.8 F_s on a resting block: which elements drift, and which return, with μ_s = 0.6 and μ_d = 0.3 as far "
        "as each has both. Armstrong’s spring has no damping and swings on.",
        3,
        [
            Panel("(a) All, by decades", "t", PULSES_TIME, DECADES, displacements(DRIFTING + STICKING)),
            Panel("(b) Those that drift", "t", PULSES_TIME, Axis("u", "µm", 1e6, (-1, 20)), displacements(DRIFTING)),
            Panel("(c) Those that return", "t", PULSES_TIME, Axis("u", "µm", 1e6, (-0.2, 1.4)), displacements(STICKING)),
        ],
        gap=0.06,
    ),
]
