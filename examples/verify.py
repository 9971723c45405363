"""Replays the experiments in an FMU in FMPy, and prints how far each result is off, over its range.

    python examples/verify.py target/fmu/LuGre.fmu

`bristle verify X.fmu sine sine-result.csv` judges such a result and names the likely mistake.
"""

import io
import sys
import zipfile

import numpy as np
from fmpy import simulate_fmu

FOLDER = "extra/org.fmi-standard.fmi-ls-ref/"


def verify(fmu: str) -> dict[str, float]:
    """Largest deviation over the range of its reference, for each experiment of a given motion."""
    deviations = {}
    with zipfile.ZipFile(fmu) as archive:
        files = [name for name in archive.namelist() if name.startswith(FOLDER) and name.endswith(("sine.csv", "load.csv"))]
        tables = {name: np.genfromtxt(io.TextIOWrapper(archive.open(name)), delimiter=",", names=True, deletechars="") for name in files}
    for name, table in tables.items():
        columns = {column.split("_(")[0]: table[column] for column in table.dtype.names}
        time = columns.pop("time")
        # Held from row to row: the value of a row is repeated until just before the next.
        held = {column: np.repeat(values, 2)[:-1] for column, values in columns.items() if column not in ("F_R", "M_R", "F_R_x", "F_R_y")}
        times = np.sort(np.concatenate([time, time[1:] - 1e-9]))
        signals = np.rec.fromarrays([times, *held.values()], names=["time", *held])
        step = time[1] - time[0]
        result = simulate_fmu(
            fmu, start_time=0.0, stop_time=time[-1], output_interval=step, input=signals, start_values={"coupling": 3}, use_event_mode=False,
            output=[column for column in columns if column not in held],
        )
        deviations[name.removeprefix(FOLDER)] = max(
            float(np.max(np.abs(np.interp(time, result["time"], result[column]) - columns[column])) / np.ptp(columns[column]))
            for column in result.dtype.names[1:]
        )
    return deviations


if __name__ == "__main__":
    for experiment, deviation in verify(sys.argv[1]).items():
        print(f"{experiment}: off by {100 * deviation:.4f} % of the range of the reference")
