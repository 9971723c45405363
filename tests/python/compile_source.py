"""Unpacks an FMU with C source into a folder, and compiles it there with FMPy, without optimisation,
which takes less time.

compile_source.py FMU FOLDER
"""

import os
import sys

from fmpy import extract
from fmpy.build import build_platform_binary

fmu, folder = sys.argv[1:]
# FMPy calls CMake, which lies beside its interpreter.
os.environ["PATH"] = os.path.dirname(sys.executable) + os.pathsep + os.environ["PATH"]
build_platform_binary(extract(fmu, unzipdir=folder), configuration="Debug")
