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
        file="sw_08",
        data="sw_08",
        place="[SW] Fig. 8",
        caption=(
            "The characteristic (14)–(16) under a sine of the velocity: contact compliance after each reversal, then a "
            "sliding branch that depends on whether the contact speeds up. Amplitude (0.3 m/s) and frequency (5 Hz) are chosen."
        ),
        columns=1,
        panels=[
            Panel(
                "Coefficient of friction over velocity", "v", Axis("v", "m/s", 1.0, (-0.35, 0.35)),
                Axis("F_R / F_N", "", 1.0, (-0.35, 0.35)), [Curve("Stefanski2006", "f", "", LINE)],
            ),
        ],
    ),
    Figure(
        file="sw_10",
        data="sw_10",
        place="[SW] Fig. 10",
        caption=(
            "The dry friction oscillator, relative displacement and velocity, after 10 s: harmonic, two-periodic, "
            "quasi-periodic and chaotic motion of the base, each with its friction characteristic. The paper gives the "
            "motions in words only; those here are chosen."
        ),
        columns=4,
        panels=[
            *motion("(a) harmonic", "harmonic", LINE),
            *motion("(b) two-periodic", "two-periodic", LINE),
            *motion("(c) quasi-periodic", "quasi-periodic", THIN),
            *motion("(d) chaotic", "chaotic", THIN),
        ],
    ),
    Figure(
        file="pulses",
        data="pulses",
        place="[RS] Sec. 5, described there",
        caption=(
            "Five pulses of 0.8 F_s on a resting block: which elements drift, and which return. All elements that can rest, with "
            "μ_s = 0.6 and μ_d = 0.3 as far as each has both (LuGre v_S = 5 mm/s, Dahl μ = 0.6). Coulomb and "
            "ModelicaFriction move by 0.0002 µm; Armstrong’s spring has no damping and swings on: the area has its range. Elements "
            "with a sign function alone cannot rest and are left out."
        ),
        columns=3,
        panels=[
            Panel("(a) All, by decades", "t", PULSES_TIME, DECADES, displacements(DRIFTING + STICKING)),
            Panel("(b) Those that drift", "t", PULSES_TIME, Axis("u", "µm", 1e6, (-1, 20)), displacements(DRIFTING)),
            Panel("(c) Those that return", "t", PULSES_TIME, Axis("u", "µm", 1e6, (-0.2, 1.4)), displacements(STICKING)),
        ],
    ),
]
