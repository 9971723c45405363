"""Line styles: one for each element, wherever one figure has several."""


def line(color, style="-", width=1.4, **more):
    """Style of a line without markers."""
    return {"color": color, "linestyle": style, "linewidth": width, **more}


# The pens of Rill and Schuderer (2023).
FRDYN2 = line("#1f4ed1", "--", 1.8)
ADAMS = line("#111111")
SIMPACK = line("#d42020", ":", 1.8)
LOAD = line("#888888", width=1.0)
THIN = line("#111111", "--", 1.0)
CIRCLES = {"color": "#c026c0", "linestyle": "none", "marker": "o", "markersize": 4, "markerfacecolor": "none"}

# Up to three curves of one kind.
FIRST = line("#1f4ed1")
SECOND = line("#d1661a", "--")
THIRD = line("#2b8a3e", ":", 1.8)

ELEMENTS = {
    "StaticRegularized": line("#888888"),
    "BrownMcPhee": line("#888888", "--"),
    "Dahl": line("#d1661a"),
    "LuGre": line("#2b8a3e"),
    "Armstrong": line("#c026c0", width=1.1),
    "SimpackStickSlip": SIMPACK,
    "AdamsStickSlip": ADAMS,
    "FrDyn2": FRDYN2,
    "Coulomb": line("#0a8f9f"),
    "ModelicaFriction": line("#9a6b00", "-."),
}
