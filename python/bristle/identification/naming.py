"""Quantities that the data do not determine: refits with a coordinate doubled and halved, bounds, and wide intervals."""

from __future__ import annotations

import numpy as np

from .fit import Fit
from .intervals import Spread
from .misfit import Misfit
from .progress import Notify
from .quality import displacement, reversal_samples, travel
from .search import minimise
from .thresholds import AT_BOUND, FOLLOWS, PRESLIDING, REFIT, REVERSAL_SAMPLES, RISE, SHARP, WIDE


def undetermined(fit: Fit, spread: Spread, misfit: Misfit, notify: Notify) -> dict[str, str]:
    """Reasons by quantity why the data do not determine it, in words; quantities that they determine are absent."""
    problem, theta, held, bounds = fit.problem, fit.theta, fit.held, fit.limits
    model = problem.model
    residuals = problem.residuals(theta[None])[0]
    cost = float(residuals @ residuals)
    unit = cost / problem.count * spread.tau
    reasons: dict[str, str] = {}
    gain = (fit.base.rms**2 * residuals.size - cost) / unit if unit > 0 else np.inf
    for place, quantity in enumerate(model.quantities):
        index = model.index(quantity.coordinate)
        if held[index] or model.is_fixed(quantity):
            continue
        if misfit.reason:
            reasons[quantity.name] = misfit.reason
            continue
        if gain < 2 * RISE and quantity.name not in ("mu_d", "sigma_2"):
            reasons[quantity.name] = "Coulomb and viscous friction explain the record as well"
            continue
        half = float(np.sinh(min(spread.half[place], 50.0)))
        if theta[index] <= bounds[0][index] + AT_BOUND:
            reasons[quantity.name] = "the fit runs into its lower bound: the data do not distinguish it from nothing"
        elif theta[index] >= bounds[1][index] - AT_BOUND:
            reasons[quantity.name] = "the fit runs into its upper bound: the data give a lower limit only"
        elif half > WIDE:
            reasons[quantity.name] = f"its interval is {percent(half)} of the value to either side"
        elif max(spread.sd[place], spread.half[place] / 2) > SHARP:
            change = least_rise(fit, index, cost, unit)
            if change < RISE:
                reasons[quantity.name] = (
                    f"twice or half of it, with the others adjusted, fits almost as well (rise of the cost {change:.1f}, below {RISE:.0f})"
                )
        notify((place + 1) / len(model.quantities))
    x_p, distance = displacement(problem, theta), travel(problem.records)
    if x_p is not None and distance < FOLLOWS * x_p:
        sentence = f"its bristle follows the whole motion of {distance:.3g} m, which is {distance / x_p:.1f} x_p"
        free_of = [q.name for q in model.quantities if not held[model.index(q.coordinate)] and not model.is_fixed(q)]
        reasons.update(dict.fromkeys(free_of, sentence))
    seen = [reversal_samples(one.v, one.t, x_p) or 0 for one in problem.records] if x_p is not None else []
    if seen and "delay" in problem.corrections and max(seen) < REVERSAL_SAMPLES / 2:
        sentence = f"{max(seen)} sample(s) in a reversal do not tell the bristle from the delay of F"
        reasons.update(dict.fromkeys(("sigma_0", "sigma_1"), sentence))
    # A fit may take a tiny velocity of the fall, and the static level for the kinetic one.
    if (
        x_p is not None
        and {"excess", "part"} & set(model.coordinates)
        and distance < PRESLIDING * x_p
        and not held[model.index("mu_d")]
        and not misfit.reason
    ):
        sentence = f"the motion of {distance:.3g} m is {distance / x_p:.0f} x_p, pre-sliding alone, which does not separate it from mu_s"
        reasons["mu_d"] = sentence
    return reasons


def least_rise(fit: Fit, index: int, cost: float, unit: float) -> float:
    """Least rise of the cost with a coordinate doubled or halved and all others adjusted, in units of the noise's variance."""
    problem, theta, others = fit.problem, fit.theta, fit.free.copy()
    others[index] = False
    moved = np.stack([theta, theta])
    moved[0, index] += np.log(2.0)
    moved[1, index] -= np.log(2.0)
    found = (
        minimise(problem, moved, others, fit.limits, REFIT)[1]
        if others.any()
        else (problem.residuals(moved) ** 2).sum(axis=1)
    )
    return max(0.0, float((found.min() - cost) / unit)) if unit > 0 else np.inf


def percent(share: float) -> str:
    """Share in words."""
    return f"{share:.0%}" if share < 10 else "more than ten times"
