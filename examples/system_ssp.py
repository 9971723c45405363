"""Packs system.ssp, a block on a plate with FrDyn2.fmu as its friction, and runs it in FMPy.

    python examples/system_ssp.py [--fmu FILE] [--out DIR]

Tools that read SSP 1.0 open the file as a complete system of two connected FMUs. The block is a program in Python, which
PythonFMU makes an FMU: it runs where Python 3 does.
"""

import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

import numpy as np
from fmpy.ssp.simulation import simulate_ssp

import arguments
import reference_run

given = arguments.with_fmu(arguments.parser(__doc__)).parse_args()

sources = Path(__file__).parent / "system"
path = arguments.result(given, "system.ssp")
with tempfile.TemporaryDirectory() as folder:
    build = [sys.executable, "-m", "pythonfmu", "build", "-f", str(sources / "block.py"), "-d", folder]
    subprocess.run(build, check=True, stdout=subprocess.DEVNULL)
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.write(sources / "SystemStructure.ssd", "SystemStructure.ssd")
        archive.write(given.fmu, "resources/FrDyn2.fmu")
        archive.write(Path(folder) / "Block.fmu", "resources/Block.fmu")

# FMPy steps both at once, with the values of the last communication point: that is stable below 2.1e-4 s here.
h = 2e-5
parameters, reference = reference_run.read("block_stick")
result = simulate_ssp(str(path), stop_time=parameters["end"], step_size=h)
# FMPy names a row by the start of its step; its values are those of the end.
difference = np.abs(np.interp(reference["t"], result["time"] + h, result["u"]) - reference["u"]).max()
print(f"{path}: displacement within {difference:.1e} m of {np.abs(reference['u']).max():.3g} m at H = {h:g} s")
if difference > 5e-10:
    raise SystemExit("the block is off by more than 5e-10 m; is it the FMU of this version?")
