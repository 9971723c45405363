"""Loads every FMU of a release in FMPy, and makes one by the release's own command `bristle` and by its Python package.

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

# A stock element is a card with a name and a law: both commands have to make the FMU of the release.
pathlib.Path("LuGre.toml").write_text('name = "LuGre"\nlaw = "LuGre"\n')
stock = (dist / "LuGre.fmu").read_bytes()
subprocess.run([sys.executable, "-m", "pip", "install", "--no-index", "--find-links", dist, "bristle"], check=True)
for command in (os.path.abspath(program), "bristle"):
    subprocess.run([command, "export", "LuGre.toml"], check=True)
    made = pathlib.Path("LuGre.fmu")
    assert made.read_bytes() == stock, f"{command} exports another FMU"
    made.unlink()

for fmu in sorted(dist.glob("*.fmu")):
    result = simulate_fmu(str(fmu), fmi_type="CoSimulation", stop_time=0.01, start_values={"F_N": 10.0, "v": 0.1})
    assert result["F_R"][-1] != 0, fmu
    print(fmu.name, "F_R =", result["F_R"][-1], "N")
