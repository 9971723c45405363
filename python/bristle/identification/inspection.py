"""Inspection of records before a fit: what is wrong with them, by which figure, and what to do; and records in which it is put right.

`prepare` leaves spikes out, marks samples of a sensor at its limit, smooths a noisy velocity and finds gaps. `inspect` shows that, and has
quick fits decide on delay, offset, directions and drift.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from scipy.ndimage import median_filter

from . import thresholds
from .baseline import Baseline, baseline
from .errors import RecordError
from .filters import denoised, deviation, noise_of
from .fit import Fit, Options, Preparation, search
from .intervals import judgement
from .models import MODELS, Array, Flags
from .problem import Problem
from .progress import chosen
from .records import Record, coarse, record, thinned
from .starts import Scales, starts


@dataclass(frozen=True, eq=False)
class Inspection:
    """Findings about records, a sentence each, and the Coulomb and viscous friction that they hold.

    findings: sentences. records: as a fit takes them. baseline: with the corrections that no law does without.
    """

    findings: list[str]
    records: list[Record]
    baseline: Baseline
    corrections: tuple[str, ...]

    def __str__(self) -> str:
        """Findings, and the baseline."""
        base = self.baseline
        values = ", ".join(f"{name} {value:.4g} ± {base.half[name]:.2g}" for name, value in base.values.items())
        return "\n".join(
            [
                *[one.source for one in self.records[:1] if one.source],
                *(self.findings or ["Nothing is wrong with the record."]),
                f"Coulomb and viscous friction: {values} (SI units); residual {base.rms:.4g} N, {base.share:.2%} of the force.",
            ]
        )


def inspect(data: Any, units: Any = None, **options: Any) -> Inspection:
    """Say what is wrong with a record: sign, gaps, spikes, limits, noise, delay, offset, directions, drift.

    data, units and options as `identify` has them. A quick fit decides on the corrections: a bristle delays the force as well, and speeds
    in rising order look like drift.

    >>> print(bristle.inspect("pad.csv", units="SI", F_N=20.0))
    """
    sources = data if isinstance(data, (list, tuple)) else [data]
    given = [one if isinstance(one, Record) else record(one, units, **options) for one in sources]
    records = prepare(given)
    findings = [sentence for one in records for sentence in (*one.found, motion_fault(one)) if sentence]
    fault = sign_fault(records)
    if fault:
        return Inspection([fault, *dict.fromkeys(findings)], records, baseline(records), ())
    fit, left = quick_fit(records)
    corrections = tuple(fit.problem.corrections) if fit else ()
    base = baseline(records, corrections)
    if fit:
        findings += sentences(records, base, fit)
    elif left:
        findings.append(left)
    return Inspection(list(dict.fromkeys(findings)), records, base, corrections)


def quick_fit(records: list[Record]) -> tuple[Fit | None, str]:
    """Fit of the first law that explains some samples of records without corrections, else with them; else None, and what is left."""
    some = [coarse(one) if one.acceleration is not None else one.part(0, thresholds.INSPECTED) for one in records]
    left = ""
    for corrections, laws in (((), thresholds.QUICK), (None, thresholds.QUICK_AGAIN)):
        prepared = Preparation.of(some, corrections)
        for law in laws:
            try:
                fit = search(MODELS[law], prepared, Options(corrections, (), {}, 0, 0, 0, chosen(False)))
            except RecordError:
                continue
            misfit = judgement(fit.problem, fit.theta, 0)
            if not misfit.reason:
                return fit, ""
            left = f"No law explains the record; {law}: {misfit.reason}."
    return None, left


def motion_fault(one: Record) -> str:
    """Sentence about a motion that shows too little of a law; empty for others."""
    low, high = np.percentile(one.v[np.abs(one.v) > 1e-3 * np.abs(one.v).max()], [1, 99])
    if low < 0 < high:
        return ""
    if high - low < thresholds.NEGLIGIBLE * max(abs(low), abs(high)):
        return f"{one.name}: v is about {np.median(one.v):.3g} m/s throughout, which shows one level alone: record several speeds, both ways."
    return f"{one.name}: v never reverses: an offset of F counts as friction, and the bristle does not show: record both directions."


def prepare(records: Sequence[Record]) -> list[Record]:
    """Records as a fit takes them, each with the sentences about it."""
    found = []
    for whole in records:
        found += [checked(thinned(piece)) for piece in between_gaps(whole)]
    return found


def between_gaps(whole: Record) -> list[Record]:
    """Record, or its parts where a long gap loses the state; samples behind a short one that loses it do not count at first."""
    steps = np.diff(whole.t)
    interval = float(np.median(steps))
    gaps = np.flatnonzero(steps > thresholds.GAP * interval)
    if gaps.size == 0:
        return [whole]
    missing = round(float((steps[gaps] / interval - 1).sum()))
    note = (
        f"{whole.name}: about {missing} sample(s) are missing, in {gaps.size} gap(s) of up to {steps[gaps].max():.3g} s"
    )
    x_p = rough_displacement(whole)
    lost = gaps[unknown_motion(whole)[gaps] > thresholds.LOST * x_p]
    use = np.ones(whole.t.size, bool) if whole.use is None else whole.use.copy()
    travel = np.concatenate([[0.0], np.cumsum(np.abs(whole.v[1:]) * np.minimum(steps, thresholds.GAP * interval))])
    for gap in lost:
        use[gap + 1 : np.searchsorted(travel, travel[gap + 1] + thresholds.FORGOTTEN * x_p)] = False
    note += (
        f"; {lost.size} of them lose the state of the contact, and the samples behind count after {thresholds.FORGOTTEN * x_p:.3g} m of travel."
        if lost.size
        else "; the fit runs along the measured times."
    )
    cuts = lost[steps[lost] > thresholds.LONG_GAP * interval] + 1
    whole = replace(whole, use=use, found=(*whole.found, note))
    if cuts.size == 0:
        parts = [whole]
    else:
        ends = [0, *cuts.tolist(), whole.t.size]
        kept = [(low, high) for low, high in zip(ends, ends[1:]) if high - low >= thresholds.LEAST_PART]
        parts = [whole.part(low, high, f"{whole.name}, part {i + 1}") for i, (low, high) in enumerate(kept)]
        parts = [part for part in parts if part.valid.sum() >= thresholds.LEAST_PART and np.abs(part.v).max() > 0]
        parts = [replace(part, found=(note,) if i == 0 else ()) for i, part in enumerate(parts)]
    if sum(int(part.valid.sum()) for part in parts) < thresholds.LEAST_SAMPLES:
        raise RecordError(
            f"{note[:-1]}; fewer than {thresholds.LEAST_SAMPLES} samples are left between them: record without gaps, or at a higher rate"
        )
    return parts


def unknown_motion(one: Record) -> Array:
    """Displacement between two samples that the velocity at them leaves open, m: h³ |v̈|/12, of a straight line for a curved velocity."""
    steps = np.diff(one.t)
    slope = np.diff(one.v) / steps
    curvature = np.abs(np.diff(slope)) / (0.5 * (steps[1:] + steps[:-1]))
    curvature = np.concatenate([curvature[:1], np.maximum(curvature[1:], curvature[:-1]), curvature[-1:]])
    return np.asarray(steps**3 * curvature / 12)


def rough_displacement(one: Record) -> float:
    """x_p of the Dahl law that fits best, m, without a search: its order of magnitude."""
    first = one.part(0, thresholds.MANY) if one.kernel is None and one.acceleration is None else one
    scales = Scales.of([first], first.measured)
    problem = Problem(MODELS["Dahl"], [first])
    theta, cost = starts(problem, scales, 0.0, 0.0)
    level, stiffness = np.exp(theta[int(np.argmin(cost))][:2])
    return float(level * scales.F_N / stiffness)


def checked(one: Record) -> Record:
    """Record without spikes, limits and noise of v, as far as a fit can take them."""
    notes = list(one.found)
    notes += implausible(one)
    use = np.ones(one.t.size, bool) if one.use is None else one.use.copy()
    force_spikes = spikes(one.F) & use
    if force_spikes.any():
        use &= ~force_spikes
        notes.append(
            f"{one.name}: {int(force_spikes.sum())} sample(s) of F are spikes of up to {np.abs(one.F[force_spikes]).max():.3g} N and left out; "
            "look at cable and ground of the sensor."
        )
    step = converter_step(one.F)
    if step > 0:
        size = float(np.percentile(np.abs(one.F), 95))
        notes.append(
            f"{one.name}: F comes in steps of {step:.3g} N, {step / size:.1%} of its size and coarser than its noise; the intervals include "
            "them: use a smaller range, or a finer converter."
        )
    v = one.v
    if one.position is None and one.acceleration is None:
        v_spikes = spikes(v)
        if v_spikes.any():
            v = np.where(v_spikes, median_filter(v, 5), v)
            notes.append(
                f"{one.name}: {int(v_spikes.sum())} sample(s) of v are spikes; their neighbours' median replaces them."
            )
    sides = limits(one.F)
    if sides is not None:
        at = " and ".join(f"{one.F[sides == side][0]:.4g}" for side in (1, -1) if (sides == side).any())
        notes.append(
            f"{one.name}: F has flat tops at {at} N in {np.mean(sides != 0):.1%} of the samples: the sensor is at its limit. The fit limits "
            "its own force alike; parameters of forces above stay unknown: use a larger range."
        )
    noise = 0.0
    if one.position is None and not one.is_free_body and one.acceleration is None:
        noise = noise_of(one.t, v)
        size = float(np.percentile(np.abs(v), 95))
        if noise > thresholds.NOISE * size:
            v = denoised(one.t, v, noise)
            notes.append(
                f"{one.name}: v has noise of {noise:.2g} m/s, {noise / size:.1%} of its size; it is smoothed, and the intervals include it: a "
                "position encoder is better."
            )
        else:
            noise = 0.0
    return replace(
        one,
        v=v,
        use=use,
        censored=sides,
        force_step=step,
        force_noise=0.0 if sides is None else noise_of(one.t, one.F, sides == 0),
        noise=noise,
        found=tuple(notes),
    )


def implausible(one: Record) -> list[str]:
    """Sentences about sizes of signals that a wrong unit or column explains."""
    found = []
    force, fast = float(np.percentile(np.abs(one.F), 95)), float(np.abs(one.v).max())
    normal = float(np.median(one.F_N[one.F_N > 0]))
    sizes = f"{one.name}: F reaches {force:.3g} N at F_N = {normal:.3g} N, a coefficient of friction of {force / normal:.2g}"
    if not one.nominal and one.acceleration is None and force < thresholds.LEAST_MU * normal:
        found.append(f"{sizes}: is F in kN, or a coefficient itself? state its unit, or multiply it by F_N.")
    if not one.nominal and one.acceleration is None and force > thresholds.UNUSUAL_MU * normal:
        found.append(f"{sizes}: is F_N in kN, or unknown? state its unit, or leave it out.")
    if fast > thresholds.UNUSUAL_SPEED:
        found.append(f"{one.name}: v reaches {fast:.3g} m/s: is it in mm/s, or in rpm? state its unit.")
    if one.position is None and one.acceleration is None:
        as_given, swapped = shape(one.v, one.F), shape(one.F, one.v)
        if swapped < 2 * thresholds.NEGLIGIBLE and swapped * thresholds.SWAPPED < as_given:
            found.append(
                f"{one.name}: v over F has the shape of a friction force (a level and a slope leave {swapped:.1%} of it), F over v has not "
                f"({as_given:.1%}): exchange the columns of v and F."
            )
    return found


def shape(motion: Array, force: Array) -> float:
    """Share of a force's mean square that a level by the motion's sign and a slope leave."""
    columns = np.stack([np.sign(motion), motion / max(float(np.abs(motion).max()), 1e-300)], axis=1)
    left = force - columns @ np.linalg.lstsq(columns, force, rcond=None)[0]
    return float(left @ left) / max(float(force @ force), 1e-300)


def spikes(signal: Array) -> Flags:
    """Samples that lie far from the median of their neighbours."""
    distance = np.abs(signal - median_filter(signal, 5))
    usual = deviation(distance)
    found = np.asarray(
        (distance > thresholds.SPIKE * usual) & (distance > thresholds.LARGE * np.percentile(np.abs(signal), 95))
    )
    found[:2] = found[-2:] = False  # these have neighbours on one side only
    # The peak of a break-away stands between forces of both signs; the neighbours of a spike, or of two in a row, agree.
    for place in np.flatnonzero(found):
        change = min(abs(signal[place + after] - signal[place - before]) for before, after in ((1, 1), (1, 2), (2, 1)))
        found[place] = change < thresholds.LARGE * distance[place]
    return found


def converter_step(force: Array) -> float:
    """Step of the converter of a force, N, where successive samples often lie in the same one; 0 for a finer one."""
    values, repeated = np.unique(force), float(np.mean(np.diff(force) == 0))
    if not (3 <= values.size < thresholds.REPEATED * force.size and repeated > thresholds.REPEATED):
        return 0.0
    steps = np.diff(values)
    least = float(steps[steps > 1e-9 * np.ptp(values)].min())
    return least if np.abs(steps / least - np.round(steps / least)).max() < thresholds.NEGLIGIBLE else 0.0


def limits(force: Array) -> Array | None:
    """1 and −1 where the force is at an upper or lower limit of its sensor: equal values in a row at the end of a noisy signal's range."""
    equal = np.diff(force) == 0
    moves = np.sign(np.diff(force)[~equal])
    # Without noise a plateau is the law's: differences of noise change their signs.
    if not equal.any() or moves.size < 2 * thresholds.FLAT or np.mean(moves[1:] != moves[:-1]) < thresholds.NEGLIGIBLE:
        return None
    # A sample is flat where it is in a run of FLAT equal ones.
    run = np.convolve(equal, np.ones(thresholds.FLAT - 1), "valid") > thresholds.FLAT - 1.5
    flat = np.convolve(run, np.ones(thresholds.FLAT)) > 0.5
    sides = np.zeros(force.size)
    for side, end in ((1.0, force.max()), (-1.0, force.min())):
        if (flat & (force == end)).sum() >= 2 * thresholds.FLAT:
            sides[force == end] = side
    # A coarse converter repeats values everywhere.
    if not sides.any() or (flat & (sides == 0)).sum() > 0.2 * (sides != 0).sum():
        return None
    return sides


def sign_fault(records: Sequence[Record]) -> str:
    """Sentence about a force that drives the motion; empty where it opposes it."""
    for one in records:
        power = float(one.F @ one.v)
        size = float(np.linalg.norm(one.F) * np.linalg.norm(one.v))
        if size > 0 and power < -thresholds.NEGLIGIBLE * size:
            return (
                f"{one.name}: the force does not oppose v: the mean of F v is {power / one.t.size:.3g} W, and a positive one is expected; "
                f"change the sign of {'F_applied' if one.acceleration is not None else 'F'} or of v"
            )
    return ""


def sentences(records: Sequence[Record], base: Baseline, fit: Fit) -> list[str]:
    """Sentences about the corrections of a fit."""
    linear, values = fit.problem.linear(fit.theta), base.values
    forward, backward = values.get("coulomb_forward", 0.0), values.get("coulomb_backward", 0.0)
    duration = max(float(one.t[-1] - one.t[0]) for one in records)
    late = ", ".join(f"{delay:.3g}" for delay in fit.problem.delays(fit.theta))
    named = {
        "offset": f"F has an offset of about {linear.get('offset', 0.0):.3g} N; the fit takes it out: set the sensor to zero.",
        "drift": f"F drifts by about {linear.get('drift', 0.0) * duration:.3g} N over the record; the fit takes it out: warm the sensor up.",
        "direction": f"The level is about {forward:.3g} N for v > 0 and {backward:.3g} N for v < 0; the fit gives each its own.",
        "delay": f"F follows v by about {late} ms, beside the bristle; the fit takes it out: filter both alike.",
    }
    return [named[name] for name in fit.problem.corrections]
