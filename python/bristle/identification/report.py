"""Report of an identification: a page with its pictures, or the pictures alone."""

from __future__ import annotations

import html
import io
import os
import warnings
from collections.abc import Callable, Sequence
from datetime import date
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy.integrate import cumulative_trapezoid

from .. import _bristle
from .models import Array
from .quality import displacement
from .result import SCOPE, Result

if TYPE_CHECKING:
    from matplotlib.figure import Figure

#: Points of a picture's line: beyond it, a page takes megabytes.
POINTS = 4000
#: Speeds of the characteristic, and time that an element slides at each, s.
SPEEDS, SETTLING = 60, 2.0
#: Colours of measurements, and of the fit.
MEASURED, FITTED = "#9a9a9a", "#1f4e79"

PAGE = """<!doctype html>
<html lang="en"><meta charset="utf-8"><title>{title}</title>
<style>
body {{ font: 15px/1.5 system-ui, sans-serif; max-width: 62em; margin: 2em auto; padding: 0 1em; color: #222 }}
table {{ border-collapse: collapse }} td {{ padding: .2em .8em; border-bottom: 1px solid #ddd; text-align: right }}
td:first-child {{ text-align: left }} svg {{ max-width: 100%; height: auto }} p.note, pre {{ background: #f4f4ee; padding: 1em }}
</style>
<h1>{title}</h1>
<p>{summary}</p>
{values}
<p class="note">{scope}</p>
{open}
{pictures}
<h2>Card</h2><p>Save it as <code>{name}.toml</code>; <code>bristle export {name}.toml</code> makes the FMU.</p><pre>{card}</pre>
</html>
"""


class Identification(Result):
    """Result of an identification that writes its own report."""

    def report(self, path: str | os.PathLike[str], *, force: bool = False) -> None:
        """Write a report: verdict, values, record, fit, residuals, loop, a reversal, characteristic, card. Needs matplotlib.

        path: a file ending in .html, a page with its pictures inside; in .png, the pictures. A file that exists is replaced
        with `force` only.
        """
        try:
            import matplotlib  # noqa: F401, PLC0415 (an extra)
        except ImportError:
            raise _bristle.Error("a report needs matplotlib; install it with `pip install bristle[report]`") from None
        target = Path(path)
        _bristle.refuse_existing(target, force)
        if target.suffix == ".png":
            _figure(self, tuple(PANELS), 3, 10).savefig(target, dpi=110)
        elif target.suffix in (".html", ".htm"):
            target.write_text(_html(self), encoding="utf-8")
        else:
            raise _bristle.Error(f"a report ends in .html or .png, and {target.name} does not; give such a name")


def _summary(result: Result) -> list[str]:
    """Verdict, levels, and what the report is of."""
    names = ", ".join(dict.fromkeys(record.name for record in result.records))
    return [
        result.verdict,
        *([result.levels] if result.levels else []),
        *result.residuals(),
        f"Coulomb and viscous friction leave {result.baseline_rms:.3g} N.",
        f"{result.sample_count} samples of {names}; {date.today().isoformat()}, Bristle {_bristle.VERSION}.",
    ]


#: Symbols in words.
WORDS = {
    "mu_s": "coefficient of static friction",
    "mu_d": "coefficient of kinetic friction",
    "F_s": "static friction",
    "F_d": "kinetic friction",
    "v_Stribeck": "speed at which the static level falls",
    "v_d - v_s": "width of that fall",
    "v_s": "speed at which the static level is reached",
    "v_d": "speed from which on friction is kinetic",
    "sigma_0": "stiffness before sliding",
    "sigma_1": "damping before sliding",
    "sigma_2": "viscous friction",
}


def _rows(result: Result) -> list[list[str]]:
    """Cells of the table: quantities, then corrections."""
    rows = [["quantity", "value", "± (95 %)", "unit", ""]]
    for value in result.values.values():
        half = 0.5 * (value.high - value.low)
        wide = "–" if value.interval == "–" else f"± {half:.2g}"
        state = "held" if value.held else ("" if value.determined else "not determined")
        state = "; ".join(filter(None, [WORDS.get(value.name, ""), state]))
        rows.append([value.name, f"{value.value:.4g}", "" if value.held else wide, value.unit, state])
    for found in result.corrections.values():
        gain = "" if found.gain is None else f"gains {found.gain - 1:.0%}"
        rows.append([found.name, f"{found.value:.4g}", found.interval, found.unit, gain])
    return rows


def _html(result: Result) -> str:
    card, sources = result.card(), dict.fromkeys(record.source for record in result.records if record.source)
    head, *rows = ["".join(f"<td>{html.escape(cell)}</td>" for cell in row) for row in _rows(result)]
    pictures = {
        "Signals and residuals": _figure(result, ("speed", "force", "residual"), 3, 6.5),
        "Friction loop": _figure(result, ("loop", "presliding"), 1, 4),
        "Characteristic": _figure(result, ("steady",), 1, 3.5),
    }
    return PAGE.format(
        title=f"{result.law}, identified",
        summary="<br>".join(html.escape(sentence) for sentence in _summary(result)),
        values=f"<table><tr>{head}</tr>{''.join(f'<tr>{row}</tr>' for row in rows)}</table>",
        scope=html.escape(SCOPE),
        open="".join(
            f"<p>{html.escape(text)}</p>" for text in (*sources, *result.undetermined.values(), *result.warnings)
        ),
        pictures="".join(f"<h2>{title}</h2>{_svg(figure)}" for title, figure in pictures.items()),
        name=card.name,
        card=html.escape(card.text),
    )


def _figure(result: Result, panels: Sequence[str], rows: int, height: float) -> Figure:
    """Figure of panels, row by row."""
    from matplotlib.figure import Figure  # noqa: PLC0415 (an extra)

    figure = Figure(figsize=(10, height), layout="constrained")
    axes = figure.subplots(rows, len(panels) // rows, squeeze=False).ravel()
    for axis, panel in zip(axes, panels):
        PANELS[panel](result, axis)
    return figure


def _svg(figure: Figure) -> str:
    buffer = io.StringIO()
    figure.savefig(buffer, format="svg")
    text = buffer.getvalue()
    return text[text.index("<svg") :]


def _thin(*signals: Array) -> list[Array]:
    step = max(1, signals[0].size // POINTS)
    return [signal[::step] for signal in signals]


def _parts(result: Result) -> list[tuple[Array, Array, Array, Array]]:
    """Times, velocities, measured force and residuals at the compared samples of each record."""
    return [
        (record.t[record.compared], record.v[record.compared], record.measured, record.measured - found)
        for record, found in zip(result.records, result.simulated)
    ]


def _over_time(result: Result, axis: Any, panel: str) -> None:
    for t, v, force, left in _parts(result):
        signal = {"speed": v, "force": force, "residual": left}[panel]
        axis.plot(*_thin(t, signal), lw=0.6, color=MEASURED if panel == "force" else None)
        if panel == "force":
            axis.plot(*_thin(t, force - left), lw=0.8, color=FITTED)
    labels = {"speed": "v / (m/s)", "force": "F / N, measured in grey", "residual": "residual / N"}
    axis.set(ylabel=labels[panel], xlabel="t / s")


def _presliding(result: Result, axis: Any) -> None:
    """Loop at the scale of x_p, around the first reversal that slides on both sides."""
    x_p = displacement(result.problem, result.theta)
    for t, v, force, model in _friction(result)[:1]:
        x = cumulative_trapezoid(v, t, initial=0)
        width = 10 * x_p if x_p else float(np.ptp(x)) / 50
        turns = np.flatnonzero(np.diff(np.sign(v)) != 0)
        turn = int(turns[turns.size // 2]) if turns.size else 0
        near = np.abs(x - x[turn]) < width
        near &= np.cumsum(~near) == np.cumsum(~near)[turn]
        axis.plot(x[near], force[near], ".", ms=2, color=MEASURED)
        axis.plot(x[near], model[near], lw=1, color=FITTED)
    title = f"a reversal, at the scale of x_p = {x_p:.2g} m" if x_p else "a reversal"
    axis.set(xlabel="displacement / m", ylabel="friction force / N", title=title)


def _loop(result: Result, axis: Any) -> None:
    for t, v, force, model in _friction(result):
        x = cumulative_trapezoid(v, t, initial=0)
        axis.plot(*_thin(x, force), lw=0.4, color=MEASURED)
        axis.plot(*_thin(x, model), lw=0.7, color=FITTED)
    axis.set(xlabel="displacement / m", ylabel="friction force / N", title="loop: measured, and simulated over it")


def _friction(result: Result) -> list[tuple[Array, Array, Array, Array]]:
    """Times, velocities, measured and simulated force of the element for each record: without mass and drift."""
    parts, problem = _parts(result), result.problem
    terms = zip(problem.linear(result.theta).items(), problem.basis(problem.delays(result.theta)))
    rest = sum(value * row for (name, value), row in terms if name in ("mass", "drift"))
    ends = np.cumsum([part[0].size for part in parts])[:-1]
    models = np.split(np.concatenate(result.simulated) - rest, ends)
    return [(t, v, model + left, model) for (t, v, _, left), model in zip(parts, models)]


def _steady(result: Result, axis: Any) -> None:
    for _, v, force, _ in _friction(result):
        axis.plot(*_thin(v, force), ".", ms=1, color=MEASURED)
    axis.plot(*characteristic(result), lw=1.5, color=FITTED)
    axis.set(xlabel="v / (m/s)", ylabel="friction force / N", title="characteristic: constant speeds")


def characteristic(result: Result) -> tuple[Array, Array]:
    """Speeds (m/s) and the force of the element after it slid at each of them (N)."""
    fastest = float(max(np.abs(record.v).max() for record in result.records))
    normal = float(np.median(np.concatenate([record.F_N for record in result.records])))
    half = np.geomspace(1e-4 * fastest, fastest, SPEEDS // 2)
    speeds = np.concatenate([-half[::-1], half])
    forces = []
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", _bristle.ModelWarning)  # a prescribed motion has no body
        for speed in speeds:
            times = np.linspace(0.0, SETTLING, 200)
            run = result.sliding.element(offset=True).simulate(times, outputs=["F_R"], F_N=normal, v=float(speed))
            forces.append(float(run["F_R"][-1]))
    return speeds, np.array(forces)


#: Panels of the pictures by name.
PANELS: dict[str, Callable[[Result, Any], None]] = {
    **{panel: partial(_over_time, panel=panel) for panel in ("speed", "force", "residual")},
    "loop": _loop,
    "presliding": _presliding,
    "steady": _steady,
}
