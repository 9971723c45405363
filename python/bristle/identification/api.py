"""`identify`: from records to the parameters of a law, or to the law."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, overload

import numpy as np

from .comparison import Comparison, between, compare
from .errors import RecordError
from .fit import Fit, Options, Preparation, check_corrections, search
from .inspection import prepare, sign_fault
from .intervals import Spread, is_plain, judgement, spread
from .models import Model, model_of
from .naming import undetermined
from .progress import Notify, Progress, chosen
from .quality import encoder_fault, notes
from .records import Record, record
from .report import Identification
from .result import Correction, Value, shown
from .thresholds import BY_CAUSE, CUTOFF, DECIMATION


@overload
def identify(data: Any, law: str, **options: Any) -> Identification: ...
@overload
def identify(data: Any, *, laws: Sequence[str], **options: Any) -> Comparison: ...
def identify(  # type: ignore[misc]  # the overloads leave the options out
    data: Any,
    law: str | None = None,
    *,
    laws: Sequence[str] | None = None,
    units: str | Mapping[str, str] | None = None,
    F_N: float | None = None,
    mass: float | None = None,
    encoder_step: float | None = None,
    columns: Mapping[str, str | int] | None = None,
    radius: float | None = None,
    gear_ratio: float = 1.0,
    counts_per_turn: float | None = None,
    cutoff: float = CUTOFF,
    decimation: int = DECIMATION,
    corrections: str | Sequence[str] = "auto",
    free: Sequence[str] = (),
    fixed: Mapping[str, float] | None = None,
    replicates: int = 16,
    progress: bool | Progress | None = None,
    threads: int = 0,
    seed: int = 0,
) -> Identification | Comparison:
    """Identify the parameters of a law from measured records; or, with `laws`, compare laws as well.

    data: the path of a table as text, a mapping of arrays or a DataFrame with the signals below, a Record, or a list of any of these that
    are fitted together. Signals, each of shape (samples,): t; v (contact velocity), or x (position of an encoder); F_N; F (friction
    force, positive for v > 0 and opposing it), or F_applied for a body on which nothing else acts, with its `mass`, or without: the mass
    is then fitted as well. Records begin at rest with an unloaded contact, or with sliding.
    law: FrDyn2, FrDyn2Linear, LuGre, Dahl, BrownMcPhee or StaticRegularized. laws: several of them; the result is a Comparison, whose
    verdict may be that the data do not decide.
    units: "SI", or a unit for each signal, as {"t": "ms", "v": "mm/s", "F": "N"}; headers may have them, "v [mm/s]".
    F_N: normal force where it is constant, N; where it is unknown, leave it out: F_s and F_d in N are found, and may be fixed. mass: of a
    free body, kg. encoder_step: resolution of x, m; the smallest difference of two positions unless given.
    columns: names of columns by signal; those of a file also by number, from 1. radius, gear_ratio, counts_per_turn: of a rotational contact.
    cutoff, decimation: filters of an axis of unknown mass: as in `record`.
    corrections: of the measured force: "auto", or a list of "offset", "drift", "direction" (a level for v > 0 and one for v < 0) and
    "delay" (of F behind v). "auto" keeps those without which the residual of samples held out grows.
    free: quantities to free that are held otherwise: v_s of FrDyn2, of which sliding determines v_d − v_s only. fixed: values of
    parameters that are known, by their published names, SI units.
    replicates: of the bootstrap of an encoder's measurement chain; 0 leaves it out. seed: of its random numbers.
    progress: True shows a bar, None shows it on a terminal; a function gets the stage and the share that is done. Ctrl-C ends a search
    and returns the best so far. threads: of the simulation, 0 for one per processor.

    Inputs run straight between two samples in every fit; `Element.simulate` holds them unless it gets interpolate=True.

    Raises RecordError, a ValueError, with the numbers, where a record cannot give an answer.

    >>> result = bristle.identify("pad.csv", "LuGre", units="SI", F_N=20.0)
    >>> print(result)
    >>> bristle.export(result.card("Pad"))
    """
    if (law is None) == (laws is None):
        raise RecordError("give either law, the name of a law, or laws, a list of names to compare")
    models = [model_of(name) for name in ([law] if law is not None else laws or [])]
    wanted = check_corrections(corrections)
    for model in models:
        names = [quantity.name for quantity in model.quantities]
        for name in set(free) - set(names):
            raise RecordError(f"{model.law} has no {name} to free; these can be: {', '.join(names)}")
        model.with_fixed({PUBLISHED.get(name, name): value for name, value in (fixed or {}).items()})
    show = chosen(progress)
    show("records", 0.0)
    sources = list(data) if isinstance(data, (list, tuple)) else [data]
    arguments: dict[str, Any] = {"F_N": F_N, "mass": mass, "encoder_step": encoder_step, "columns": columns}
    arguments |= {"radius": radius, "gear_ratio": gear_ratio, "counts_per_turn": counts_per_turn}
    arguments |= {"cutoff": cutoff, "decimation": decimation}
    given = [source if isinstance(source, Record) else record(source, units, **arguments) for source in sources]
    if not given:
        raise RecordError("data is an empty list; give at least one record")
    if all(one.nominal for one in given):
        largest = max(float(one.F_N[0]) for one in given)
        given = [replace(one, F_N=np.full(one.t.size, largest)) for one in given]
    names = [one.name for one in given]
    given = [
        replace(one, name=f"{one.name} {i + 1}") if names.count(one.name) > 1 else one for i, one in enumerate(given)
    ]
    known = known_values(fixed or {}, given)
    options = Options(wanted, free, known, replicates, seed, threads, show)
    if fault := sign_fault(given):
        raise RecordError(fault)
    prepared = Preparation.of(prepare(given), wanted)
    if law is not None:
        result = analyse(search(models[0], prepared, options), options)
        return by_cause(result, models[0], prepared, options) if wanted is None else result
    fits = {model.law: search(model, prepared, options) for model in models}
    return compare(fits, prepared.records, lambda name: analyse(fits[name], options))


#: Names of the levels where the normal force is unknown.
NOMINAL = {"mu_s": "F_s", "mu_d": "F_d"}
PUBLISHED = {name: level for level, name in NOMINAL.items()}


def known_values(fixed: Mapping[str, float], records: Sequence[Record]) -> dict[str, float]:
    """Values of published names that are known, with mu_s and mu_d of the nominal normal force for F_s and F_d."""
    nominal = {record.nominal for record in records}
    if len(nominal) > 1:
        raise RecordError("F_N is known of some records only; give F_N=… for all of them, or for none")
    found = {}
    for name, value in fixed.items():
        if name in PUBLISHED and nominal == {False}:
            raise RecordError(f"{name} was given to fix where F_N is known; give {PUBLISHED[name]} = {name}/F_N")
        factor = shown("N", records[0].radius)[1] * float(records[0].F_N[0])
        found[PUBLISHED.get(name, name)] = value / factor if name in PUBLISHED else value
    return found


def analyse(fit: Fit, options: Options) -> Identification:
    """Result of a fit: intervals, what is not determined, warnings."""
    problem, model = fit.problem, fit.problem.model
    encoder_fault(problem, fit.theta)
    complete = fit.complete

    def stage(name: str) -> Notify:
        return lambda share: options.progress(f"{model.law}: {name}", share)

    reasons: dict[str, str] = {}
    others: dict[str, Fit] = {}
    misfit = problem.misfit(fit.theta)
    try:
        misfit = judgement(problem, fit.theta, options.seed)
        replicates = options.replicates if complete else 0
        widths = spread(fit, replicates, options.seed, misfit, stage("intervals"))
        if complete:
            reasons = undetermined(fit, widths, misfit, stage("what the data determine"))
            others = between(fit)
    except KeyboardInterrupt:
        complete = False
        widths = spread(fit, 0, options.seed, misfit, stage("intervals"))
    theta = widths.theta
    residuals = problem.all_residuals(theta[None])[0]
    names, vector = model.element_parameters(theta)
    parameters = {name: value for name, value in zip(names, vector[0].tolist()) if name not in ("rise", "v_rise")}
    rms = float(np.sqrt((residuals[problem.valid] ** 2).mean()))
    weighted = float((problem.residuals(theta[None]) ** 2).sum())
    return Identification(
        law=model.law,
        values=values_of(fit, widths, reasons),
        parameters=parameters,
        rms=rms,
        held_out_rms=fit.held_out_rms,
        correlation=widths.correlation,
        tau=widths.tau,
        corrections=corrections_of(fit, widths),
        baseline_rms=fit.base.rms,
        warnings=notes(problem, theta, fit.base, rms, misfit),
        records=problem.records,
        simulated=problem.parts(problem.force - residuals),
        complete=complete,
        cost=weighted,
        theta=theta,
        misfit=misfit,
        free=fit.free,
        others=others,
        problem=problem,
    )


def by_cause(without: Identification, model: Model, prepared: Preparation, options: Options) -> Identification:
    """Result with a level that follows a further column, where the residual of the one without follows it and that explains it.

    The level is proportional to 1 + slope (column − its mean), as the normal force of the fit then is.
    """
    causes, problem, theta = without.records[0].causes, without.problem, without.theta
    name = next((name for name in without.misfit.strongest if name in causes and without.misfit.reason), "")
    if not (name and without.complete and is_plain(problem)):
        return without
    middle, slope = float(np.mean(causes[name])), 0.0
    for _ in range(BY_CAUSE):
        records = []
        for one, force in zip(prepared.records, problem.parts(problem.force - problem.all_residuals(theta[None])[0])):
            share = one.causes[name] - middle
            factor = np.maximum(1 + slope * share, 0.01)
            records.append(replace(one, F_N=one.F_N * factor, level=force * share / factor))
        fit = search(model, replace(prepared, records=records), options)
        problem, theta = fit.problem, fit.theta
        slope += problem.linear(theta)["level"]
    found = analyse(fit, options)
    if found.misfit.reason:
        return without
    level, label = found.corrections.pop("level"), f"level by {name}"
    low, high, gain = slope + level.low - level.value, slope + level.high - level.value, without.rms / found.rms
    found.corrections[label] = Correction(label, "1", slope, low, high, gain)
    found.warnings.append(
        f"The level follows {name}; without that the law leaves {without.misfit.left:.1%}. The card has the level at {middle:.4g}: give its "
        f"input F_N the factor 1 + {slope:.4g} ({name} − {middle:.4g})."
    )
    return found


def values_of(fit: Fit, widths: Spread, reasons: Mapping[str, str]) -> dict[str, Value]:
    """Quantities with their 95 % intervals."""
    values = {}
    model = fit.problem.model
    centres, first = model.reported(widths.theta[None])[0].tolist(), fit.problem.records[0]
    for place, (centre, quantity) in enumerate(zip(centres, model.quantities)):
        name, unit, factor = quantity.name, *shown(quantity.unit, first.radius)
        if first.nominal and name in NOMINAL:
            unit, factor = shown("N", first.radius)
            name, factor = NOMINAL[name], factor * float(first.F_N[0])
        held = bool(fit.held[model.index(quantity.coordinate)]) or model.is_fixed(quantity)
        half = 0.0 if held else min(float(widths.half[place]), 300.0)
        values[name] = Value(
            name,
            unit,
            factor * float(np.exp(centre)),
            factor * float(np.exp(centre - half)),
            factor * float(np.exp(min(centre + half, 690.0))),
            "" if held else reasons.get(quantity.name, ""),
            quantity.experiment,
            held,
        )
    return values


def corrections_of(fit: Fit, widths: Spread) -> dict[str, Correction]:
    """Corrections of the measured force, and the mass of an axis, with their 95 % intervals."""
    problem, theta = fit.problem, widths.theta
    found = {}
    named = {"offset": "N", "drift": "N/s", "mass": "kg", "sigma_2": "N.s/m", "level": "1"}
    for name, coefficient in problem.linear(theta).items():
        kind = name.split(" of ")[0]
        unit, factor = shown(named[kind], problem.records[0].radius)
        value, half = factor * coefficient, factor * widths.linear.get(name, np.inf)
        found[name] = Correction(name, unit, value, value - half, value + half, fit.gains.get(kind))
    if "direction" in problem.corrections:
        half, value = widths.linear.get("direction", np.inf), float(theta[len(problem.model.coordinates)])
        at, low, high = np.exp(np.clip([value, value - half, value + half], -50, 50)).tolist()
        found["direction"] = Correction("direction", "1", at, low, high, fit.gains.get("direction"))
    for whole, late in zip(problem.wholes, problem.delays(theta)) if "delay" in problem.corrections else ():
        name, value = problem.label("delay", whole), 1e-3 * float(late)
        half = 1e-3 * widths.linear.get(name, np.inf)
        found[name] = Correction(name, "s", value, value - half, value + half, fit.gains.get("delay"))
    return found
