"""Style of the figures, declared once: colour and dash of each law, for parameters varied, for references, a marker for each H."""

import colorsys


def line(color, style="-", width=1.4, **more):
    """Style of a line without markers."""
    return {"color": color, "linestyle": style, "linewidth": width, **more}


DASHED, DOTTED, DASH_DOTTED, LONG = (0, (4, 2)), (0, (1.2, 1.2)), (0, (6, 1.5, 1.2, 1.5)), (0, (8, 2))

# FrDyn2 dashed blue, AdamsStickSlip solid black and SimpackStickSlip dotted red are the pens of Rill and Schuderer (2023).
LAWS = {
    "FrDyn2": line("#1f4ed1", DASHED, 1.8),
    "FrDyn2Linear": line("#35a7ff", "-", 1.8),
    "StaticRegularized": line("#7b3f00"),
    "Coulomb": line("#0a8f9f"),
    "Stribeck": line("#c79a00", LONG),
    "BrownMcPhee": line("#7a5195", DASHED),
    "PoppStelter": line("#5f7f00", DASH_DOTTED),
    "NonReversible": line("#8a8a8a", DOTTED, 1.6),
    "Armstrong": line("#d63fd6", width=1.1),
    "Dahl": line("#e0701a"),
    "LuGre": line("#1f8a3b", LONG),
    "Stefanski2003": line("#ff6f91", DOTTED, 1.6),
    "Stefanski2006": line("#a3123a"),
    "ModelicaFriction": line("#9a6b00", DASH_DOTTED),
    "SimpackStickSlip": line("#d42020", DOTTED, 1.8),
    "AdamsStickSlip": line("#111111"),
}

# Given quantities (an applied force), reference solutions below the curves that are compared with them, limits.
LOAD = line("#888888", width=1.0)
REFERENCE = line("#bdbdbd", width=4.0)
LIMIT = line("#888888", width=0.8)
CIRCLES = {"color": "#d63fd6", "linestyle": "none", "marker": "o", "markersize": 4, "markerfacecolor": "none"}

# Curves that are no laws: methods, bodies, couplings, in the order of a legend.
COLOURS = ["#1f4e79", "#d1661a", "#2b8a3e", "#c026c0", "#1f9bb5", "#8a6d1f", "#7a5195", "#8a8a8a"]
DASHES = ["-", DASHED, DOTTED, DASH_DOTTED]
SERIES = [line(colour, dash) for colour, dash in zip(COLOURS, DASHES + DASHES[:2])]

# Communication step H in s.
MARKERS = {"1e-3": "o", "3e-4": "D", "1e-4": "s", "1e-5": "^", "1e-6": "v"}


def law(name, **changes):
    """Style of a law with changes of its width."""
    return {**LAWS[name], **changes}


def variants(name, count):
    """Styles of a law for values of a parameter, from a dark to a light shade of its colour."""
    colour = LAWS[name]["color"].lstrip("#")
    hue, lightness, saturation = colorsys.rgb_to_hls(*(int(colour[i : i + 2], 16) / 255 for i in (0, 2, 4)))
    styles = []
    for number in range(count):
        shade = 0.75 * lightness + (0.72 - 0.75 * lightness) * number / max(count - 1, 1)
        red, green, blue = (round(255 * part) for part in colorsys.hls_to_rgb(hue, shade, saturation))
        styles.append(line(f"#{red:02x}{green:02x}{blue:02x}", DASHES[number % len(DASHES)], 1.6))
    return styles
