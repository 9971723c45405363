"""Many contacts at once: contact-steps a second on one core and on two, and the time of a gradient; each in a process of its own.

The contacts are blocks under loads of 0.5 to 1.5 times that of the incline. Compiling and making elements do not count.
"""

from __future__ import annotations

import csv
import importlib
import math
import os
import time
from collections.abc import Callable
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import numpy as np

import bristle

from . import quick, rigs, table
from .bristle_peers import MU_S, Block
from .contact import Peer

COUNT, STEPS = 100_000, 50
CONTACT = rigs.BLOCK
H = CONTACT.step
SCALES = np.linspace(0.5, 1.5, COUNT)
LOAD = rigs.sine(CONTACT, rigs.SHAKE, 1e-9)
LOADS = np.array([LOAD((i + 0.5) * H, 0.0) for i in range(STEPS)])
# Velocity at which the force after a step is derived by two forces of the contact and two numbers of the bristle.
SLIDING = 1e-2

RATES = ["one core [1/s]", "two cores [1/s]"]
HEAD = ["tool", "friction", "law", *RATES, "hold [m/s]", "gradient [s]", "reason"]
Row = dict[str, Any]

# Makes all steps of all contacts.
Run = Callable[[], object]


def of_bristle(peer: Peer, cores: int) -> tuple[Run, float]:
    """A batch of elements with their bodies inside; the gradient is that of one element."""
    assert isinstance(peer, Block)
    values, normal_force = peer.values(CONTACT), CONTACT.static / MU_S
    card = bristle.Card(peer.law, block={"mass": CONTACT.inertia})
    batch = bristle.Batch(card, COUNT, threads=cores, **values)
    element = bristle.Element(peer.law, **values)
    element.initialize(F_N=normal_force, v=SLIDING)
    knowns = ["mu_s", "mu_d", "sigma_0", "sigma_1"]

    def run() -> None:
        for load in LOADS:
            batch.step(H, F_N=normal_force, F=load * SCALES)

    return run, seconds(lambda: [element.step_gradient(H, ["F_R"], knowns) for _ in range(1000)]) / 1000


def of_jax(peer: Peer, _: int) -> tuple[Run, float]:
    """The loop over all contacts, compiled as a whole, and its gradient by reverse differentiation."""
    loop = importlib.import_module(".jax_peer", __package__)
    jax = loop.jax
    kind = np.dtype(peer.settings["precision"]).type
    body = loop.body_of(CONTACT, peer.settings["softness"], kind)
    scales, loads = SCALES.astype(kind), LOADS.astype(kind)
    state = tuple(np.zeros(COUNT, kind) for _ in range(3))

    @jax.jit  # type: ignore[untyped-decorator]
    def simulate(state: Any) -> Any:
        return jax.lax.scan(lambda now, load: (loop.advance(body, now, load * scales, H)[0], None), state, loads)[0]

    def friction(knowns: Any, v: Any) -> Any:
        of_knowns = loop.Body(body.inertia, *knowns, body.stiffness)
        return loop.advance(of_knowns, (0.0 * v, v, 0.0 * v), knowns[0], H)[1]

    gradient = jax.jit(jax.vmap(jax.grad(friction), (None, 0)))
    velocities = SLIDING * scales
    runs = (
        lambda: jax.block_until_ready(simulate(state)),
        lambda: jax.block_until_ready(gradient(tuple(body[1:5]), velocities)),
    )
    for run in runs:
        run()  # type: ignore[no-untyped-call]  # compiles
    return runs[0], seconds(runs[1]) / COUNT


def of_mujoco(peer: Any, cores: int) -> tuple[Run, float]:
    """The batched rollout of MuJoCo, with a thread for each core."""
    mujoco, rollout = importlib.import_module("mujoco"), importlib.import_module("mujoco.rollout")
    model = mujoco.MjModel.from_xml_string(peer.text(CONTACT))
    start = np.zeros(mujoco.mj_stateSize(model, mujoco.mjtState.mjSTATE_FULLPHYSICS))
    mujoco.mj_getState(model, mujoco.MjData(model), start, mujoco.mjtState.mjSTATE_FULLPHYSICS)
    starts, loads = np.tile(start, (COUNT, 1)), np.outer(SCALES, LOADS)[:, :, None]
    data = [mujoco.MjData(model) for _ in range(cores)]
    pool = rollout.Rollout(nthread=cores if cores > 1 else 0)
    spec = mujoco.mjtState.mjSTATE_QFRC_APPLIED.value
    return lambda: pool.rollout(model, data, starts, loads, control_spec=spec), math.nan


WAYS: dict[str, Callable[[Any, int], tuple[Run, float]]] = {"Bristle": of_bristle, "JAX": of_jax, "MuJoCo": of_mujoco}
# Tool, its friction in the table of peers, and its law there.
CHOSEN = [
    ("Bristle", "block", "FrDyn2Linear"),
    ("Bristle", "block", "LuGre"),
    ("JAX", "loop, implicit", "LuGre"),
    ("MuJoCo", "frictionloss", "soft Coulomb"),
    ("MuJoCo", "dcmotor, lugre", "LuGre"),
]


def seconds(run: Run) -> float:
    """Time of a run by the clock: they are long enough for one to do."""
    begin = time.perf_counter()
    run()
    return time.perf_counter() - begin


def pin(cores: int) -> None:
    """Keeps this process on so many cores."""
    os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[:cores])


def rate(peer: Peer, cores: int) -> tuple[float, float]:
    """Contact-steps a second, and the time of a gradient, s."""
    with table.quiet():
        run, gradient = WAYS[peer.tool](peer, cores)
        return COUNT * STEPS / seconds(run), gradient


def measured(committed: list[table.Row]) -> list[Row]:
    """All ways with the settings of the table; single precision beside double where the tool has both."""
    rows = []
    for tool, found in table.families():
        if isinstance(found, str):
            if tool in WAYS:
                rows.append({"tool": tool, "reason": found})
            continue
        for candidates in found:
            peer = quick.chosen(candidates, committed)
            if (tool, peer.friction, peer.law) not in CHOSEN or "sharpness" in peer.settings:
                continue
            rows.append(row_of(peer))
            if "precision" in peer.settings:
                rows.append(row_of(type(peer)(**{**peer.settings, "precision": "float32"})))
    return rows


def row_of(peer: Peer) -> Row:
    """Measures of one way."""
    row: Row = {"tool": peer.tool, "friction": peer.friction, "law": peer.law}
    if "precision" in peer.settings:
        row["friction"] += f", {peer.settings['precision']}"
    for cores, name in enumerate(RATES, 1):
        if cores <= len(os.sched_getaffinity(0)):
            with get_context("spawn").Pool(1, pin, (cores,)) as pool:
                row[name], gradient = pool.apply(rate, (peer, cores))
            row.setdefault("gradient [s]", gradient)
    row["hold [m/s]"] = table.measure(peer, [lambda peer: rigs.hold(peer, 5.0)])["hold"]
    print(row, flush=True)
    return row


def write(path: Path, committed: list[table.Row]) -> None:
    """Measures, and writes a table beside that of the peers."""
    with path.open("w", encoding="utf-8", newline="") as file:
        out = csv.DictWriter(file, HEAD, lineterminator="\n")
        out.writeheader()
        for row in measured(committed):
            out.writerow({name: f"{value:.3g}" if isinstance(value, float) else value for name, value in row.items()})


def page(path: Path) -> str:
    """Section of docs/peers.md."""
    with path.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    lines = ["<!-- begin many -->"]
    lines += [
        "| friction | law | one core, 10⁶/s | two cores, 10⁶/s | hold, m/s | gradient, µs |",
        "|---|---|" + "---:|" * 4,
    ]
    for row in rows:
        if row["reason"]:
            lines.append(f"| {row['tool']} | not run: {row['reason']} |" + " |" * 4)
            continue
        rates = [f"{float(row[name]) / 1e6:.2g}" if row[name] else "–" for name in RATES]
        gradient = float(row["gradient [s]"])
        last = "–" if math.isnan(gradient) else f"{1e6 * gradient:.2g}"
        hold = table.velocity(float(row["hold [m/s]"]))
        lines.append("| " + " | ".join([f"{row['tool']} {row['friction']}", row["law"], *rates, hold, last]) + " |")
    return "\n".join([*lines, "<!-- end many -->"]) + "\n"
