"""A parameter study of FrDyn2.fmu on Dask: the influence of static friction and of the width of the falling branch on a friction loop.

    python examples/sweep_dask.py [--workers 2 | --scheduler tcp://HOST:8786] [--points 12] [--fmu FILE] [--out DIR]

Each task simulates one point with FMPy on whatever worker is free. The FMU travels with the tasks: workers need FMPy and
the platform that the FMU was made for, and no shared folder. The results are a Parquet file with the units as metadata.
"""

import itertools
import json
from pathlib import Path

import numpy as np

import arguments

UNITS = {
    "mu_s": "1",
    "v_d": "m/s",
    "break_away": "N",
    "loss_per_cycle": "J",
}
NORMAL_FORCE = 9.81  # N
AMPLITUDE = 0.02  # m/s
FREQUENCY = 5.0  # Hz


def unpacked(fmu):
    """The FMU's folder on this worker, unpacked once, however many points it simulates."""
    import fmpy
    from dask.distributed import get_worker

    worker = get_worker()
    if not hasattr(worker, "fmu_folder"):
        # Dask removes this folder with the worker.
        folder = Path(worker.local_directory)
        (folder / "element.fmu").write_bytes(fmu)
        worker.fmu_folder = fmpy.extract(folder / "element.fmu", unzipdir=folder / "element")
    return str(worker.fmu_folder)


def simulate(fmu, mu_s, v_d):
    """One point: three cycles of a sine, and the results of the last one."""
    from fmpy import simulate_fmu

    cycle = 2000
    step = 1 / FREQUENCY / cycle
    time = np.arange(3 * cycle + 1) * step
    table = np.zeros(time.size, dtype=[("time", float), ("F_N", float), ("v", float)])
    table["time"], table["F_N"] = time, NORMAL_FORCE
    table["v"] = AMPLITUDE * np.sin(2 * np.pi * FREQUENCY * time)
    result = simulate_fmu(
        unpacked(fmu),
        fmi_type="CoSimulation",
        stop_time=time[-1],
        step_size=step,
        output_interval=step,
        input=table,
        output=["F_R", "E_loss"],
        start_values={"mu_s": mu_s, "mu_d": 0.3, "v_d": v_d, "coupling": 3},  # prescribed
    )
    return {
        "mu_s": mu_s,
        "v_d": v_d,
        "break_away": float(result["F_R"][-cycle:].max()),
        "loss_per_cycle": float(result["E_loss"][-1] - result["E_loss"][-1 - cycle]),
    }


def write(path, rows):
    """A Parquet file; the unit of each column is in its metadata."""
    import pyarrow
    import pyarrow.parquet

    fields = [pyarrow.field(name, pyarrow.float64(), metadata={"unit": unit}) for name, unit in UNITS.items()]
    given = {"model": "FrDyn2", "F_N": f"{NORMAL_FORCE} N", "v": f"{AMPLITUDE} m/s * sin(2 pi {FREQUENCY} Hz t)"}
    schema = pyarrow.schema(fields, metadata={"experiment": json.dumps(given)})
    pyarrow.parquet.write_table(pyarrow.Table.from_pylist(rows, schema=schema), path)


def draw(path, rows):
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    figure, panels = plt.subplots(1, 2, figsize=(10, 4), layout="constrained")
    for v_d in sorted({row["v_d"] for row in rows}):
        line = [row for row in rows if row["v_d"] == v_d]
        for panel, name in zip(panels, ["break_away", "loss_per_cycle"]):
            panel.plot([row["mu_s"] for row in line], [row[name] for row in line], ".-", label=f"v_d = {v_d:g} m/s")
            panel.set(xlabel="mu_s", ylabel=f"{name.replace('_', ' ')} in {UNITS[name]}")
            panel.grid(True)
    panels[0].legend()
    figure.savefig(path)


def main():
    from dask.distributed import Client, LocalCluster, as_completed
    from tqdm import tqdm

    parser = arguments.with_fmu(arguments.parser(__doc__))
    parser.add_argument("--workers", type=int, default=2, help="processes of the local cluster")
    parser.add_argument("--scheduler", help="address of a running scheduler instead")
    parser.add_argument("--points", type=int, default=12, help="values of mu_s; each with four of v_d")
    given = parser.parse_args()
    table, picture = (arguments.result(given, name) for name in ("sweep.parquet", "sweep.png"))

    points = list(itertools.product(np.linspace(0.3, 0.9, given.points), [0.0075, 0.01, 0.02, 0.04]))
    if given.scheduler:
        cluster = None
    else:
        cluster = LocalCluster(n_workers=given.workers, threads_per_worker=1, dashboard_address=None)
    with Client(given.scheduler or cluster) as client:
        # Sent once to the workers, not with each task.
        fmu = client.scatter(given.fmu.read_bytes(), broadcast=True)
        tasks = [client.submit(simulate, fmu, float(mu_s), v_d) for mu_s, v_d in points]
        done = as_completed(tasks, with_results=True)
        rows = [row for _, row in tqdm(done, total=len(tasks), desc="points", unit="point")]
        workers = len(client.scheduler_info(n_workers=-1)["workers"])
    if cluster:
        cluster.close()

    rows.sort(key=lambda row: (row["v_d"], row["mu_s"]))
    write(table, rows)
    draw(picture, rows)
    print(f"{len(rows)} points on {workers} workers; {table}, {picture}")


if __name__ == "__main__":
    main()
