"""Figures of Stefański and others (2006), and the pulse loads that Rill and Schuderer describe."""

from figure import Axis, Curve, Figure, Panel
from styles import ELEMENTS, line

LINE = line("#1f4e79", width=1.0)
THIN = line("#1f4e79", width=0.5)


def motion(title, run, style):
    """Phase portrait and friction characteristic of one motion."""
    x, v, force = Axis("x", "mm", 1e3, (-30, 30)), Axis("v", "m/s", 1.0, (-1.2, 1.2)), Axis("F_R", "N", 1.0, (-9, 9))
    return [
        Panel(f"{title}: phase portrait", "x", x, v, [Curve(run, "v", "", style)]),
        Panel(f"{title}: friction", "v", v, force, [Curve(run, "F_R", "", style)]),
    ]


PULSES = [Curve(element, "u", element, style) for element, style in ELEMENTS.items()]
PULSES_TIME = Axis("t", "s", 1.0, (0, 1.2))

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
                Axis("F_R / F_N", "", 1.0, (-0.35, 0.35)), [Curve("Stefanski2006", "f", "Stefanski2006", LINE)],
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
            "ModelicaFriction move by 0.0002 µm, below the picture; Armstrong’s spring has no damping and swings on. Elements "
            "with a sign function alone cannot rest and are left out."
        ),
        columns=2,
        panels=[
            Panel("Displacement by decades", "t", PULSES_TIME, Axis("|u|", "µm", 1e6, (1e-3, 3e3), log=True), PULSES),
            Panel("Displacement, linear", "t", PULSES_TIME, Axis("u", "µm", 1e6, (-1, 20)), PULSES),
        ],
    ),
]
