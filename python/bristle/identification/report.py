"""Report of an identification: one page of HTML with its pictures inside."""

from __future__ import annotations

import html
import io
import os
from typing import TYPE_CHECKING, Any

import numpy as np

from .. import _bristle, law_styles
from .models import Array
from .result import SCOPE, Result

if TYPE_CHECKING:
    from matplotlib.figure import Figure

#: Points of a picture's line: beyond it, a page takes megabytes.
POINTS = 4000
#: Speeds of the characteristic, and time that an element slides at each, s.
SPEEDS, SETTLING = 60, 2.0
#: Colour of measurements.
MEASURED = "#9a9a9a"
#: Changes of a coordinate's logarithm in the profiles.
PROFILE = np.log(np.array([0.5, 0.7, 0.85, 0.95, 1.0, 1.05, 1.18, 1.43, 2.0]))

PAGE = """<!doctype html>
<html lang="en"><meta charset="utf-8"><title>{title}</title>
<style>
body {{ font: 15px/1.5 system-ui, sans-serif; max-width: 62em; margin: 2em auto; padding: 0 1em; color: #222 }}
table {{ border-collapse: collapse }} td, th {{ padding: .2em .8em; border-bottom: 1px solid #ddd; text-align: right }}
td:first-child, th:first-child, td.text {{ text-align: left }} svg {{ max-width: 100%; height: auto }}
p.note {{ background: #f4f4ee; padding: .6em 1em }} pre {{ background: #f4f4f4; padding: 1em; overflow: auto }}
</style>
<h1>{title}</h1>
<p>{summary}</p>
{values}
<p class="note">{scope}</p>
{open}
<h2>Signals and residuals</h2>{signals}
<h2>Friction loop and characteristic</h2>{loop}
<h2>Profiles</h2><p>Cost relative to the least over each quantity, the others as they are: a flat curve determines nothing, and curves
of correlated quantities are narrower than their intervals.</p>{profiles}
<h2>Correlations</h2>{correlations}
<h2>Card</h2><p>Save it as <code>{name}.toml</code>; <code>bristle export {name}.toml</code> makes the FMU.</p><pre>{card}</pre>
</html>
"""


class Identification(Result):
    """Result of an identification that writes its own report."""

    def report(self, path: str | os.PathLike[str]) -> None:
        """Write a page of HTML: signals, residuals, friction loop, characteristic, profiles; self-contained. Needs matplotlib."""
        _write(self, path)


def _write(result: Identification, path: str | os.PathLike[str]) -> None:
    """Write the report of a result."""
    try:
        import matplotlib  # noqa: F401, PLC0415 (an extra)
    except ImportError:
        raise _bristle.Error("a report needs matplotlib; install it with `pip install bristle[report]`") from None
    card = result.card()
    page = PAGE.format(
        title=f"{result.law}, identified",
        summary=html.escape(
            f"{result.sample_count} samples of {', '.join(record.name for record in result.records)}; residual {result.rms:.3g} N (root mean "
            f"square), {result.held_out_rms:.3g} N on samples held out; correlation time of the residuals {result.tau:.1f} samples."
        ),
        values=_values(result),
        scope=html.escape(SCOPE),
        open="".join(f"<p>{html.escape(text)}</p>" for text in [*result.undetermined.values(), *result.warnings]),
        signals=_svg(_signals(result)),
        loop=_svg(_loop(result)),
        profiles=_svg(_profiles(result)),
        correlations=_correlations(result),
        name=card.name,
        card=html.escape(card.text),
    )
    with open(path, "w", encoding="utf-8") as file:
        file.write(page)


def _values(result: Identification) -> str:
    rows = ["<tr><th>quantity</th><th>value</th><th>95 % interval</th><th>unit</th><th></th></tr>"]
    for value in result.values.values():
        interval = "" if value.held else f"{value.low:.4g} … {value.high:.4g}"
        state = "held" if value.held else ("" if value.determined else "not determined")
        rows.append(
            f"<tr><td>{value.name}</td><td>{value.value:.4g}</td><td>{interval}</td><td>{value.unit}</td><td>{state}</td></tr>"
        )
    return f"<table>{''.join(rows)}</table>"


def _correlations(result: Identification) -> str:
    names = [value.name for value in result.values.values()]
    rows = ["<tr><th></th>" + "".join(f"<th>{name}</th>" for name in names) + "</tr>"]
    for name, row in zip(names, result.correlation):
        rows.append(f"<tr><td>{name}</td>" + "".join(f"<td>{value:.2f}</td>" for value in row) + "</tr>")
    return f"<table>{''.join(rows)}</table>"


def _colour(result: Identification) -> str:
    """Colour of the law in all figures; a law of another crate is dark blue."""
    return str(law_styles.LAWS.get(result.law, {"color": "#1f4e79"})["color"])


def _figure(rows: int, columns: int, height: float) -> tuple[Figure, Any]:
    from matplotlib.figure import Figure  # noqa: PLC0415 (an extra)

    figure = Figure(figsize=(10, height), layout="constrained")
    return figure, figure.subplots(rows, columns, squeeze=False)


def _svg(figure: Figure) -> str:
    buffer = io.StringIO()
    figure.savefig(buffer, format="svg")
    text = buffer.getvalue()
    return text[text.index("<svg") :]


def _thin(*signals: Array) -> list[Array]:
    step = max(1, signals[0].size // POINTS)
    return [signal[::step] for signal in signals]


def _signals(result: Identification) -> Figure:
    count, colour = len(result.records), _colour(result)
    figure, axes = _figure(3, count, 6.5)
    for i, (record, simulated) in enumerate(zip(result.records, result.simulated)):
        t, v, force, model = _thin(record.t, record.v, record.F, simulated)
        axes[0, i].plot(t, v, lw=0.8)
        axes[1, i].plot(t, force, lw=0.6, color=MEASURED, label="measured")
        axes[1, i].plot(t, model, lw=0.8, color=colour, label=result.law)
        axes[2, i].plot(t, force - model, lw=0.5)
        axes[0, i].set_title(record.name)
        axes[0, i].set_ylabel("v / (m/s)")
        axes[1, i].set_ylabel("F / N")
        axes[2, i].set(ylabel="residual / N", xlabel="t / s")
    handles, labels = axes[1, 0].get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside lower center", ncols=2, frameon=False)
    return figure


def _loop(result: Identification) -> Figure:
    colour = _colour(result)
    figure, axes = _figure(1, 2, 4)
    for record, simulated in zip(result.records, result.simulated):
        x = np.concatenate([[0.0], np.cumsum(0.5 * (record.v[1:] + record.v[:-1]) * np.diff(record.t))])
        x, force, model = _thin(x, record.F, simulated)
        axes[0, 0].plot(x, force, lw=0.4, color=MEASURED)
        axes[0, 0].plot(x, model, lw=0.7, color=colour)
    axes[0, 0].set(xlabel="displacement / m", ylabel="F / N", title="loop: measured, and simulated over it")
    speeds, forces = characteristic(result)
    axes[0, 1].plot(
        np.concatenate([r.v for r in result.records])[::10],
        np.concatenate([r.F for r in result.records])[::10],
        ".",
        ms=1,
        color=MEASURED,
    )
    axes[0, 1].plot(speeds, forces, lw=1.5, color=colour)
    axes[0, 1].set(xlabel="v / (m/s)", ylabel="F / N", title="characteristic: constant speeds")
    return figure


def characteristic(result: Identification) -> tuple[Array, Array]:
    """Speeds (m/s) and the force of the element after it slid at each of them (N)."""
    fastest = float(max(np.abs(record.v).max() for record in result.records))
    normal = float(np.median(np.concatenate([record.F_N for record in result.records])))
    half = np.geomspace(1e-4 * fastest, fastest, SPEEDS // 2)
    speeds = np.concatenate([-half[::-1], half])
    forces = []
    for speed in speeds:
        element = result.element()
        run = element.simulate(np.linspace(0.0, SETTLING, 200), outputs=["F_R"], F_N=normal, v=float(speed))
        forces.append(float(run["F_R"][-1]))
    return speeds, np.array(forces)


def _profiles(result: Identification) -> Figure:
    figure, axes = _figure(1, 1, 4)
    problem, model = result.problem, result.model
    if problem is not None and model is not None:
        for quantity in model.quantities:
            if result.values[quantity.name].held:
                continue
            theta = np.repeat(result.theta[None], PROFILE.size, axis=0)
            theta[:, model.index(quantity.coordinate)] += PROFILE
            cost = np.nansum(problem.residuals(theta) ** 2, axis=1)
            axes[0, 0].plot(np.exp(PROFILE), cost / max(result.cost, 1e-300), ".-", label=quantity.coordinate)
        axes[0, 0].legend(fontsize=8)
    axes[0, 0].set(xscale="log", yscale="log", xlabel="factor on the quantity", ylabel="cost / least cost")
    return figure
