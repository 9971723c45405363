"""Figures of Kargaonkar and Singh (2024): static models on the left, dynamic ones on the right."""

from figure import Axis, Curve, Figure, Panel
from styles import LAWS, variants


def characteristic(file, place, element, reach, high, caption):
    """Force of one element over the velocity, up to `reach` in m/s and `high` in N."""
    v, force = Axis("v", "m/s", 1.0, (-reach, reach)), Axis("F_R", "N", 1.0, (-high, high))
    panel = Panel("Force over velocity", "v", v, force, [Curve(element, "F_R", "", LAWS[element])])
    return Figure(file, file, place, caption, 1, [panel])


def compared(file, data, place, column, unit, limits, caption, reach=0.0):
    """Quantity of a rig without and with a Stribeck effect, of static and dynamic models; within `reach` their differences.

    The force of Stribeck jumps from step to step between both static forces: an envelope.
    """
    time, quantity = Axis("t", "s", 1.0, (0, 10)), Axis(column, unit, 1.0, limits)
    difference = Axis(f"difference of {column}", unit, 1.0, (-reach, reach))
    panels = []
    for mu in ["0.1", "0.15"]:
        for title, models in [("Static", ["Stribeck", "Coulomb", "BrownMcPhee"]), ("Dynamic", ["Dahl", "LuGre"])]:
            suffix = f"; mu_s = {mu}"
            curves = [
                Curve(model + suffix, column, model, LAWS[model], envelope=column == "F_R" and model == "Stribeck")
                for model in models
            ]
            panels.append(Panel(f"{title}, mu_s = {mu}", "t", time, quantity, curves))
            if reach:
                base = "Coulomb" if title == "Static" else "Dahl"
                others = [model for model in models if model != base]
                curves = [Curve(model + suffix, column, model, LAWS[model], (base + suffix, column)) for model in others]
                panels.append(Panel(f"minus {base}", "t", time, difference, curves))
    return Figure(file, data, place, caption, 4 if reach else 2, panels, (2.9, 2.4) if reach else (3.8, 2.6))


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
        file="ks_04",
        data="ks_04",
        place="[KS] Fig. 4",
        caption=(
            "Dahl friction under a sine of the velocity for three stiffnesses: the stiffer, the shorter the way to F_C. "
            "Amplitude and stiffnesses are chosen around Table 3."
        ),
        columns=2,
        panels=[
            Panel("(a) Force over velocity", "v", Axis("v", "m/s", 1.0, (-0.11, 0.11)), DAHL_FORCE, STIFFNESSES),
            Panel("(b) Force over position", "x", Axis("x", "m", 1.0, (0.0, 0.035)), DAHL_FORCE, STIFFNESSES),
        ],
    ),
    Figure(
        file="ks_05",
        data="ks_05",
        place="[KS] Fig. 5",
        caption=(
            "LuGre under a sine of the velocity for three Stribeck velocities, μ_s = 0.15. The velocities are chosen around "
            "Table 3."
        ),
        columns=1,
        panels=[
            Panel(
                "Force over velocity", "v", Axis("v", "m/s", 1.0, (-1.1, 1.1)), Axis("F_R", "N", 1.0, (-2, 2)),
                curves("LuGre", "v_S = 0.1 m/s", "v_S = 0.5 m/s", "v_S = 1 m/s"),
            ),
        ],
    ),
    compared(
        "ks_07", "ks_07_09", "[KS] Fig. 7", "F_R", "N", (-1.6, 1.6),
        "Friction force on the block. Above with Table 3 as printed, below with a Stribeck effect. Where the block should "
        "stick, the sign function of Stribeck jumps from step to step between ±F_s: the area has its range.",
    ),
    compared(
        "ks_08", "ks_07_09", "[KS] Fig. 8", "x", "m", (0.0, 4.5),
        "Position of the block: stick and slip. The curves of the models hardly differ; the panels beside them have the differences, of "
        "which the data resolve 0.01 m.",
        0.5,
    ),
    compared(
        "ks_09", "ks_07_09", "[KS] Fig. 9", "v", "m/s", (-0.2, 1.0),
        "Velocity of the block. With Coulomb friction it touches 0 once in a period; BrownMcPhee, whose slope at v = 0 is "
        "finite, is damped. Dahl and LuGre agree where μ_s = μ_k.",
        0.8,
    ),
    compared(
        "ks_11", "ks_11_13", "[KS] Fig. 11", "F_R", "N", (-1.6, 1.6),
        "Friction force on the roller: a third of the spring’s while it rolls. The sign function of Stribeck jumps between "
        "±F_s instead, and only its mean moves the roller: the area has its range.",
    ),
    compared("ks_12", "ks_11_13", "[KS] Fig. 12", "x", "m", (0.0, 2.2), "Position of the roller, and the differences.", 0.2),
    compared(
        "ks_13", "ks_11_13", "[KS] Fig. 13", "v", "m/s", (-0.1, 0.5),
        "Velocity of the roller. BrownMcPhee slips with the velocity at which friction balances the force, which damps the motion; "
        "the other models agree.",
        0.3,
    ),
]
