"""Loads every FMU of a release in FMPy, and makes one by the release's own command `bristle`.

Usage: python load.py DIST PLATFORM
"""

import os
import pathlib
import subprocess
import sys
import zipfile

from fmpy import simulate_fmu

dist, platform = pathlib.Path(sys.argv[1]), sys.argv[2]
(archive,) = dist.glob(f"bristle-*-{platform}.zip")
with zipfile.ZipFile(archive) as packed:
    packed.extractall(".")
    (program,) = [name for name in packed.namelist() if name.split("/")[1] in ("bristle", "bristle.exe")]
os.chmod(program, 0o755)
subprocess.run([os.path.abspath(program), "export", "cards/FrontPad.toml"], check=True)

fmus = sorted(dist.glob("*.fmu")) + [pathlib.Path("FrontPad.fmu")]
for fmu in fmus:
    result = simulate_fmu(str(fmu), fmi_type="CoSimulation", stop_time=0.01, start_values={"F_N": 10.0, "v": 0.1})
    assert result["F_R"][-1] != 0, fmu
    print(fmu.name, "F_R =", result["F_R"][-1], "N")
