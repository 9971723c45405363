"""Figures of Kargaonkar and Singh (2024): static models on the left, dynamic ones on the right."""

from figure import Axis, Curve, Figure, Panel
from styles import LAWS, variants


def characteristic(file, place, element, reach, high, caption):
    """Force of one element over the velocity, up to `reach` in m/s and `high` in N."""
    v, force = Axis("v", "m/s", 1.0, (-reach, reach)), Axis("F_R", "N", 1.0, (-high, high))
    panel = Panel("Force over velocity", "v", v, force, [Curve(element, "F_R", "", LAWS[element])])
    return Figure(file, file, place, caption, 1, [panel])


def compared(file, data, place, column, unit, limits, caption):
    """Quantity of a rig without and with a Stribeck effect, of static and dynamic models.

    The force of Stribeck jumps from step to step between both static forces: an envelope.
    """
    time, quantity = Axis("t", "s", 1.0, (0, 10)), Axis(column, unit, 1.0, limits)
    panels = []
    for mu in ["0.1", "0.15"]:
        for title, models in [("Static", ["Stribeck", "Coulomb", "BrownMcPhee"]), ("Dynamic", ["Dahl", "LuGre"])]:
            curves = [
                Curve(f"{model}; mu_s = {mu}", column, model, LAWS[model], envelope=column == "F_R" and model == "Stribeck")
                for model in models
            ]
            panels.append(Panel(f"{title}, mu_s = {mu}", "t", time, quantity, curves))
    return Figure(file, data, place, caption, 2, panels, (3.8, 2.6))


def curves(law, *labels):
    """F_R of up to three runs of a law that are named by their labels."""
    return [Curve(label, "F_R", label, style) for label, style in zip(labels, variants(law, len(labels)))]


STIFFNESSES = curves("Dahl", "sigma_0 = 100 N/m", "sigma_0 = 400 N/m", "sigma_0 = 1600 N/m")
DAHL_FORCE = Axis("F_R", "N", 1.0, (-1.2, 1.2))

FIGURES = [
    characteristic(
        "ks_01", "[KS] Fig. 1", "Coulomb", 1.0, 1.5,
        "Coulomb friction at the weight of 1 kg, μ = 0.1, under a sine of the velocity.",
    ),
    characteristic(
        "ks_02", "[KS] Fig. 2", "Stribeck", 2.0, 2.0,
        "The Stribeck curve with μ_s = 0.15, μ_k = 0.1, v_S = 0.5 m/s; it jumps at v = 0.",
    ),
    characteristic(
        "ks_03", "[KS] Fig. 3", "BrownMcPhee", 2.0, 2.0,
        "The curve of Brown and McPhee with the same coefficients: smooth, with its peak near v_S.",
    ),
    Figure(
        "ks_04", "ks_04", "[KS] Fig. 4",
        "Dahl friction for three stiffnesses: the stiffer, the shorter the way to F_C.",
        2,
        [
            Panel("(a) Force over velocity", "v", Axis("v", "m/s", 1.0, (-0.11, 0.11)), DAHL_FORCE, STIFFNESSES),
            Panel("(b) Force over position", "x", Axis("x", "m", 1.0, (0.0, 0.035)), DAHL_FORCE, STIFFNESSES),
        ],
    ),
    Figure(
        "ks_05", "ks_05", "[KS] Fig. 5",
        "LuGre for three Stribeck velocities, μ_s = 0.15.",
        1,
        [
            Panel(
                "Force over velocity", "v", Axis("v", "m/s", 1.0, (-1.1, 1.1)), Axis("F_R", "N", 1.0, (-2, 2)),
                curves("LuGre", "v_S = 0.1 m/s", "v_S = 0.5 m/s", "v_S = 1 m/s"),
            ),
        ],
    ),
    compared(
        "ks_07", "ks_07_09", "[KS] Fig. 7", "F_R", "N", (-1.6, 1.6),
        "Friction force on the block: above as printed, below with a Stribeck effect. The sign function of Stribeck jumps between ±F_s where "
        "the block should stick: the area has its range.",
    ),
    compared(
        "ks_08", "ks_07_09", "[KS] Fig. 8", "x", "m", (0.0, 4.5),
        "Position of the block.",
    ),
    compared(
        "ks_09", "ks_07_09", "[KS] Fig. 9", "v", "m/s", (-0.2, 1.0),
        "Velocity of the block: BrownMcPhee, whose slope at v = 0 is finite, is damped.",
    ),
    compared(
        "ks_11", "ks_11_13", "[KS] Fig. 11", "F_R", "N", (-1.6, 1.6),
        "Friction force on the roller: a third of the spring’s while it rolls.",
    ),
    compared("ks_12", "ks_11_13", "[KS] Fig. 12", "x", "m", (0.0, 2.2), "Position of the roller."),
    compared(
        "ks_13", "ks_11_13", "[KS] Fig. 13", "v", "m/s", (-0.1, 0.5),
        "Velocity of the roller: BrownMcPhee slips, which damps the motion.",
    ),
]
