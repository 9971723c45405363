"""Style of the figures, declared once: for parameters varied, for references, a marker for each H; the laws' are the package's."""

import colorsys
import runpy
from pathlib import Path

_DECLARED = runpy.run_path(str(Path(__file__).parents[2] / "python/bristle/law_styles.py"))
line, LAWS = _DECLARED["line"], _DECLARED["LAWS"]
DASHED, DOTTED, DASH_DOTTED = (_DECLARED[name] for name in ("DASHED", "DOTTED", "DASH_DOTTED"))

# Given quantities (an applied force), reference solutions below the curves that are compared with them, limits.
LOAD = line("#888888", width=1.0)
REFERENCE = line("#bdbdbd", width=4.0)
LIMIT = line("#888888", width=0.8)
CIRCLES = {"color": "#d63fd6", "linestyle": "none", "marker": "o", "markersize": 4, "markerfacecolor": "none"}

# Curves that are no laws: methods, bodies, couplings, in the order of a legend.
COLOURS = ["#1f4e79", "#d1661a", "#2b8a3e", "#c026c0", "#1f9bb5", "#8a6d1f"]
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
