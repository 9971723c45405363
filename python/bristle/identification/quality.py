"""Judgement of records: encoder step, sampling and excitation against what the fit says of the contact."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from scipy.integrate import cumulative_trapezoid

from .baseline import Baseline
from .errors import RecordError
from .misfit import Misfit
from .models import Array
from .problem import Problem
from .records import Record
from .thresholds import FINE, POOR, REVERSAL_SAMPLES


def travel(records: Sequence[Record]) -> float:
    """Largest range of the displacement of a record, m."""
    return max(float(np.ptp(cumulative_trapezoid(record.v, record.t, initial=0))) for record in records)


def displacement(problem: Problem, theta: Array) -> float | None:
    """x_p = F_s/σ_0 at the median normal force, m; None for a law without a bristle."""
    if not problem.model.has_bristle:
        return None
    names, vector = problem.model.element_parameters(theta)
    found = dict(zip(names, vector[0]))
    mu = found.get("mu_s", found.get("mu_d"))
    return float(mu * np.median(problem.normal_force) / found["sigma_0"]) if mu is not None else None


def encoder_fault(problem: Problem, theta: Array) -> None:
    """Refuse records whose encoder is coarser than the pre-sliding displacement."""
    x_p = displacement(problem, theta)
    for record in problem.records:
        if x_p is None or record.encoder_step is None or record.encoder_step <= x_p:
            continue
        raise RecordError(
            f"{record.name}: the encoder step of {record.encoder_step:.3g} m exceeds the pre-sliding displacement x_p = F_s/sigma_0 = "
            f"{x_p:.3g} m that fits best, so that the bristle of {problem.model.law} does not show; an encoder of {x_p / 25:.2g} m or "
            "finer is needed, or a static law: StaticRegularized, BrownMcPhee"
        )


def notes(problem: Problem, theta: Array, base: Baseline, rms: float, misfit: Misfit) -> list[str]:
    """Warnings about records, one sentence each, with the numbers."""
    found = [sentence for record in problem.records for sentence in record.found]
    if problem.records[0].nominal:
        found.append(
            f"F_N is unknown: the forces are found, and the card has the nominal F_N = {problem.records[0].F_N[0]:g} N; F_N=… states it."
        )
    x_p = displacement(problem, theta)
    for record in problem.records:
        step = record.encoder_step
        if x_p is not None and step is not None and step > FINE * x_p:
            grade = "poor: parameters of the bristle are biased" if step > POOR * x_p else "fair"
            found.append(
                f"{record.name}: the encoder step of {step:.3g} m is x_p/{x_p / step:.1f} (x_p = {x_p:.3g} m), which is {grade}; x_p/25 "
                f"= {x_p / 25:.2g} m is good."
            )
        if x_p is not None:
            samples = reversal_samples(record.v, record.t, x_p)
            if samples is None:
                found.append(f"{record.name}: v never reverses; sigma_0 shows in reversals.")
            elif samples < REVERSAL_SAMPLES:
                found.append(
                    f"{record.name}: its slowest reversal has {samples} samples within the first 2 x_p = {2 * x_p:.3g} m; "
                    f"{REVERSAL_SAMPLES} are needed: sample faster or reverse more slowly."
                )
    if problem.model.rises:
        found.append(
            "The level rises with the speed: mu_s lies below mu_d, and the card has the level as a measured curve."
        )
    if rms > base.rms:
        found.append(
            f"{problem.model.law} explains less than Coulomb and viscous friction: its residual of {rms:.3g} N is {rms / base.rms - 1:.0%} "
            "larger; take a law with viscous friction, or free what is fixed."
        )
    if not misfit.reason and misfit.repeats > 1.5:
        found.append(
            f"{misfit.share:.0%} of the residual's mean square repeats with the motion, which noise does not; the "
            "intervals count one period."
        )
    return found


def reversal_samples(v: Array, t: Array, x_p: float) -> int | None:
    """Samples within the first 2 x_p after the slowest reversal; None without one."""
    x = cumulative_trapezoid(v, t, initial=0)
    signs = np.sign(v)
    moving = np.flatnonzero(signs)
    turns = moving[1:][signs[moving][1:] != signs[moving][:-1]]
    if turns.size == 0:
        return None
    most = 0
    for turn in turns[:2000]:
        far = np.abs(x[turn : turn + 500] - x[turn]) > 2 * x_p
        most = max(most, int(np.argmax(far)) if far.any() else far.size)
    return most
