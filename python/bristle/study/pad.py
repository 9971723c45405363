"""`python -m bristle.study.pad`: a synthetic record of a brake pad for the tutorial, and its truth in a second file."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

import numpy as np
from scipy.integrate import cumulative_trapezoid

from .. import _bristle
from ..identification.plan import plan_experiment

#: Law of the record, its parameters in SI units, and its normal force, N.
LAW, F_N = "LuGre", 80.0
TRUTH = {"mu_s": 0.45, "mu_d": 0.31, "v_Stribeck": 0.006, "sigma_0": 4.0e6, "sigma_1": 2.5e3, "sigma_2": 60.0}
#: Knowledge at the time when the experiment was planned.
GUESS = {"mu_s": 0.4, "mu_d": 0.3, "v_Stribeck": 0.008, "sigma_0": 3.0e6}
#: Step of the encoder, m, and standard deviation of the force, N.
ENCODER_STEP, NOISE = 2e-7, 0.4


def record() -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Times (s), positions of the encoder (m) and noisy friction force (N), shape (samples,) each."""
    rng = np.random.default_rng(22)
    plan = plan_experiment(LAW, GUESS, F_N=F_N)
    fine = np.linspace(plan.t[0], plan.t[-1], 10 * (plan.t.size - 1) + 1)
    v = np.interp(fine, plan.t, plan.v)
    force = _bristle.Element(LAW, **TRUTH).simulate(fine, outputs=["F_R"], interpolate=True, F_N=F_N, v=v)["F_R"][::10]
    x = cumulative_trapezoid(v, fine, initial=0)[::10]
    return plan.t, np.round(x / ENCODER_STEP) * ENCODER_STEP, force + NOISE * rng.standard_normal(force.size)


def main() -> int:
    """Write `pad.csv` and `pad_truth.toml` and return the exit code."""
    parser = argparse.ArgumentParser(prog="python -m bristle.study.pad", description=__doc__)
    parser.add_argument("--out", type=Path, default=Path(), help="folder of the files (default: the present one)")
    parser.add_argument("--force", action="store_true", help="replace files that exist")
    given = parser.parse_args()
    out, csv, truth = given.out, given.out / "pad.csv", given.out / "pad_truth.toml"
    try:
        for file in (csv, truth):
            _bristle.refuse_existing(file, given.force)
    except _bristle.Error as error:
        parser.error(str(error).replace("`force=True`", "--force"))
    out.mkdir(parents=True, exist_ok=True)
    t, x, force = record()
    with open(csv, "w", encoding="utf-8") as file:
        file.write("t [s],x [um],F [N]\n")
        np.savetxt(file, np.stack([t, 1e6 * x, force], axis=1), delimiter=",", fmt=["%.4f", "%.1f", "%.4f"])
    _bristle.Card(LAW, name="PadTruth", parameters=TRUTH).save(truth, force=given.force)
    print(f"{csv}: {t.size} samples at F_N = {F_N:g} N; the truth is in {truth}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
