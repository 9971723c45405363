"""Identification: known records give their parameters; quantities that records do not determine are named; refusals have numbers."""

from __future__ import annotations

import json
import math
import re
from datetime import date
from pathlib import Path

import numpy as np
import pytest

import bristle

pytest.importorskip("scipy")

from bristle.identification import fit, misfit, models, records
from bristle.identification.problem import Problem
from bristle.study.synthetic import LAWS, Synthetic, coordinates, draw


def identify(synthetic: Synthetic, **options: object) -> bristle.Identification:
    return bristle.identify(synthetic.data, synthetic.law, **synthetic.arguments(), **options)


@pytest.mark.parametrize("law", LAWS)
def test_record_of_all_motions_gives_its_parameters(law: str) -> None:
    synthetic = draw(3, law, "e")
    result = identify(synthetic)
    true = models.MODELS[law].reported(coordinates(synthetic)[None])[0]
    for logarithm, value in zip(true, result.values.values()):
        if value.determined:
            assert value.value == pytest.approx(np.exp(logarithm), rel=0.15), value
    problem = Problem(models.MODELS[law], result.records)
    assert result.cost <= 1.02 * (problem.residuals(coordinates(synthetic)[None]) ** 2).sum()
    assert result.held_out_rms == pytest.approx(result.rms, rel=0.1)
    assert np.diag(result.correlation)[: len(synthetic.parameters) - 1] == pytest.approx(1.0)


def test_presliding_alone_leaves_sliding_undetermined() -> None:
    result = identify(draw(0, "LuGre", "b"))
    assert "sigma_2" in result.undetermined
    assert "constant speeds" in result.undetermined["sigma_2"]
    assert "pre-sliding alone" in result.undetermined["mu_d"]
    assert result.values["sigma_0"].determined


def test_card_of_a_result_exports_and_equals_the_element(tmp_path: Path) -> None:
    result = identify(draw(1, "Dahl", "e"))
    card = result.card("Pad")
    assert bristle.show(bristle.export(card, tmp_path)) == card
    t = np.arange(0, 0.1, 1e-3)
    v = 0.01 * np.sin(50 * t)
    runs = [bristle.Element(card).simulate(t, F_N=9.0, v=v), result.element().simulate(t, F_N=9.0, v=v)]
    assert np.array_equal(runs[0]["F_R"], runs[1]["F_R"])


def test_units_and_headers_of_a_file(tmp_path: Path) -> None:
    synthetic = draw(2, "Dahl", "c")
    columns = [1e3 * synthetic.data["t"], 1e3 * synthetic.data["v"], synthetic.data["F"]]
    path = tmp_path / "pad.csv"
    np.savetxt(path, np.stack(columns, axis=1), delimiter=",", header="t [ms],v (mm/s),friction [N]", comments="")
    one = bristle.identify(path, "Dahl", F_N=synthetic.F_N, columns={"F": "friction"})
    two = identify(synthetic)
    assert one.parameters == pytest.approx(two.parameters, rel=1e-6)
    assert "pad.csv: UTF-8, commas between the columns, decimal point" in str(one)
    assert "v from `v` in mm/s, times 0.001 to m/s" in str(one)
    bare = dict(synthetic.data)
    with pytest.raises(bristle.Error, match="unit of t is not stated in `t`"):
        bristle.identify(bare, "Dahl", F_N=1.0)
    with pytest.raises(bristle.Error, match=r'unknown unit "furlong", expected a velocity in m/s, mm/s'):
        bristle.identify(bare, "Dahl", F_N=1.0, units={"t": "s", "v": "furlong", "F": "N"})
    with pytest.raises(bristle.Error, match=r"v: found the unit N, a force, expected a velocity"):
        bristle.identify(bare, "Dahl", F_N=1.0, units={"t": "s", "v": "N", "F": "N"})


#: Times (s), velocities (m/s) and forces (N) of a short record.
T = np.arange(100) * 0.01
V = np.round(0.05 * np.sin(8 * T), 4)
FORCE = np.round(4 * np.tanh(V / 0.005), 2)


def table(header: str, scales: tuple[float, ...], separator: str = ",", mark: str = ".", end: str = "\n") -> str:
    """Text of the short record, its columns divided by these scales."""
    rows = [separator.join(f"{value / scale:.9g}" for value, scale in zip(row, scales)) for row in zip(T, V, FORCE)]
    if separator != ",":
        rows = [row.replace(".", mark) for row in rows]
    return end.join([header, *rows, ""])


@pytest.mark.parametrize(
    ("text", "encoding"),
    [
        (table("t [s],v [cm/s],F [N]", (1, 0.01, 1)), "utf-8"),
        (table("t [s];v [mm/s];F [kN]", (1, 1e-3, 1e3), ";", ","), "latin-1"),
        (table("Prüfstand 7\r\nKanal;3\r\nt;v;F;\r\ns;µm/s;N;", (1, 1e-6, 1), ";", ",", ";\r\n"), "latin-1"),
        (table("t (ms)\tv (mm/s)\tF (N)", (1e-3, 1e-3, 1), "\t", ","), "utf-16"),
        (table("t [s] v [in/s] F [lbf]", (1, 0.0254, 4.4482216152605), " "), "utf-8-sig"),
        (table("# t (s), v (mm/s), F (N)", (1, 1e-3, 1)), "utf-8"),
    ],
)
def test_everyday_files_give_the_same_record(text: str, encoding: str, tmp_path: Path) -> None:
    path = tmp_path / "pad.csv"
    path.write_bytes(text.encode(encoding))
    one = records.record(path, F_N=9.0)
    assert np.allclose(one.t, T, rtol=1e-8, atol=0)
    assert np.allclose(one.v, V, rtol=1e-8, atol=0)
    assert np.allclose(one.F, FORCE, rtol=1e-8, atol=0)


def test_rotational_records_take_a_radius(tmp_path: Path) -> None:
    path = tmp_path / "joint.csv"
    path.write_text(
        table("time (s);speed (rpm);torque (Nm)", (1, 0.04 * 2 * np.pi / 60, 1 / 0.04), ";"), encoding="utf-8"
    )
    names = {"t": "time", "v": "speed", "F": "torque"}
    for columns in (names, {"t": 1, "v": 2, "F": 3}):
        one = records.record(path, F_N=9.0, radius=0.04, columns=columns)
        assert np.allclose(one.v, V, rtol=1e-8, atol=0)
        assert np.allclose(one.F, FORCE, rtol=1e-8, atol=0)
    frame = {"t": T, "speed [rpm]": V / (0.04 * 2 * np.pi / 60), "F [N]": FORCE}
    assert np.allclose(records.record(frame, {"t": "s"}, F_N=9.0, radius=0.04, columns={"v": "speed"}).v, V)
    with pytest.raises(bristle.Error, match=r"an angular velocity, expected a velocity, in m/s; the friction radius"):
        records.record(path, F_N=9.0, columns=names)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", r"pad\.csv: the file is empty"),
        ("t [s],v [m/s],F [N]\n", r"pad\.csv: found no row with two numbers"),
        ("t,v,F\n0,1,2\n1,2,3\n", "the unit of t is not stated in `t`"),
        ("t [s],v [m/s],F [N]\n0.1,1,2\n0.2,over,2\n0.3,1,2\n", r'pad\.csv:3: found "over" in `v`'),
        ("t [s],v [m/s],F [N]\n0,001,0,42,7,1\n", "whose commas may be decimal marks"),
        ("t [s],v [mm/sek],F [N]\n0.1,1,2\n", r'pad\.csv:1: `v`: found the unknown unit "mm/sek".*did you mean `mm/s`'),
    ],
)
def test_faulty_files_are_refused_with_their_lines(text: str, sentence: str, tmp_path: Path) -> None:
    path = tmp_path / "pad.csv"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(bristle.Error, match=sentence):
        records.record(path, F_N=1.0)
    with pytest.raises(FileNotFoundError):
        records.record(tmp_path / "missing.csv", "SI", F_N=1.0)


def test_columns_that_a_file_has_not_are_named(tmp_path: Path) -> None:
    path = tmp_path / "pad.csv"
    path.write_text(table("t [s],v [m/s],friction [N]", (1, 1, 1)), encoding="utf-8")
    with pytest.raises(bristle.Error, match=r"no column `frictoin` among .*did you mean `friction`"):
        records.record(path, F_N=1.0, columns={"F": "frictoin"})
    frame = {"t [s]": T, "v_mm/s": 1e3 * V, "F_kN": 1e-3 * FORCE}
    with pytest.raises(bristle.Error, match=r"no column `friction` among `t`, `v`, `F`; columns={'F': …} names it"):
        records.record(frame, F_N=1.0, columns={"F": "friction"})
    for names in ({}, {"v": "v_mm/s", "F": "F_kN"}):
        one = records.record(frame, F_N=9.0, columns=names)
        assert np.allclose(one.v, V)
        assert np.allclose(one.F, FORCE)


def test_several_records_are_fitted_together_and_validate_each_other() -> None:
    one = draw(5, "LuGre", "a")
    given = []
    fine = np.linspace(0, one.data["t"][-1], one.truth["fine"].size)
    for i, (level, offset, late) in enumerate(((1.0, 0.0, 0.0), (1.0, 0.05, 2e-3), (1.0, -0.1, 5e-3), (1.3, 0.0, 0.0))):
        rng = np.random.default_rng(i)
        size = float(np.abs(one.data["F"]).max())
        force = level * np.interp(one.data["t"] - late, fine, one.truth["fine"]) + offset * size
        force = force + 0.01 * size * rng.standard_normal(force.size)
        given.append(records.record({**one.data, "F": force}, "SI", F_N=one.F_N, name=f"day {i + 1}"))
    result = bristle.identify(given[:3], "LuGre", replicates=0)
    assert not result.misfit.reason
    for i, (offset, late) in enumerate(((0.0, 0.0), (0.05, 2e-3), (-0.1, 5e-3))):
        found = result.corrections[f"offset of day {i + 1}"]
        assert found.low <= offset * size <= found.high
        found = result.corrections[f"delay of day {i + 1}"]
        assert found.value == pytest.approx(late, abs=5e-5) and found.high - found.low < 1e-4
        own, others = result.by_record[f"day {i + 1}"]
        assert own <= others < 1.05 * own
    assert "day 2: " in str(result) and "between records: mu_s ± " in str(result)
    assert max(half for name, half in result.between.items() if name in ("mu_s", "mu_d")) < 0.02
    wrong = bristle.identify([given[0], given[3]], "LuGre", replicates=0)
    assert wrong.misfit.strongest[0] == "record"
    assert min(wrong.by_record["day 4"][1] / wrong.by_record["day 4"][0], wrong.between["mu_d"] / 0.2) > 1


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"v": np.zeros(8001)}, "v is 0 throughout"),
        ({"t": np.zeros(8001)}, "does not lie after"),
        ({"F": np.full(8001, np.nan)}, "finite"),
        ({"F": np.random.default_rng(0).standard_normal(8001)}, "does not rise above its noise"),
        ({"v": np.ones(8000)}, "differ in length"),
    ],
)
def test_records_without_an_answer_are_refused(change: dict[str, np.ndarray], sentence: str) -> None:
    synthetic = draw(0, "Dahl", "a")
    with pytest.raises(bristle.Error, match=sentence):
        bristle.identify({**synthetic.data, **change}, "Dahl", units="SI", F_N=1.0)


def test_coarse_encoders_are_refused_with_numbers() -> None:
    coarse = draw(0, "LuGre", "e", q=30.0)
    with pytest.raises(bristle.Error, match=r"encoder step of .* exceeds|encoder steps of"):
        identify(coarse)
    few = {"t": np.arange(1000) * 1e-3, "x": np.round(np.sin(np.arange(1000) * 0.1)), "F": np.ones(1000)}
    with pytest.raises(bristle.Error, match="passes 2 encoder steps"):
        bristle.identify(few, "LuGre", units="SI", F_N=1.0, encoder_step=1.0)


def test_fair_encoders_are_named_with_the_ratio() -> None:
    result = identify(draw(7, "LuGre", "e", q=1 / 8))
    assert any("which is poor" in warning and "x_p/25" in warning for warning in result.warnings)


def test_ctrl_c_leaves_the_best_so_far() -> None:
    calls = []

    def progress(stage: str, share: float) -> None:
        calls.append(stage)
        if len(calls) == 6:
            raise KeyboardInterrupt

    result = identify(draw(3, "LuGre", "e"), progress=progress)
    assert not result.complete
    assert "interrupted" in str(result)
    assert result.parameters["mu_d"] > 0


def test_comparison_chooses_the_law_or_cannot_tell() -> None:
    laws = ["Dahl", "LuGre", "StaticRegularized"]
    sliding, presliding = draw(3, "Dahl", "e"), draw(3, "Dahl", "b")
    comparison = bristle.identify(sliding.data, laws=laws, **sliding.arguments())
    assert comparison.chosen == "Dahl"
    assert comparison.result.law == "Dahl"
    unsure = bristle.identify(presliding.data, laws=laws, **presliding.arguments())
    assert unsure.chosen is None
    assert unsure.verdict.startswith("Undecided")
    with pytest.raises(ValueError, match="no law is chosen"):
        _ = unsure.result


def test_plan_tells_what_it_plans(tmp_path: Path) -> None:
    truth = {"mu_s": 0.3, "mu_d": 0.2, "sigma_0": 1e5, "sigma_1": 300.0, "v_Stribeck": 0.01, "sigma_2": 0.4}
    path = tmp_path / "plan.csv"
    plan = bristle.plan_experiment("LuGre", truth, path, F_N=10.0)
    assert plan.x_p == pytest.approx(3e-5)
    read = np.loadtxt(path, delimiter=",", skiprows=len(plan.notes) + 1)
    assert read.shape == (plan.t.size, 3)
    assert np.allclose(np.gradient(plan.x, plan.t), plan.v, atol=0.02 * np.abs(plan.v).max())
    force = bristle.Element("LuGre", **truth).simulate(plan.t, interpolate=True, F_N=10.0, v=plan.v)["F_R"]
    noise = 0.02 * np.random.default_rng(0).standard_normal(force.size)
    result = bristle.identify({"t": plan.t, "v": plan.v, "F": force + noise}, "LuGre", units="SI", F_N=10.0)
    assert not result.undetermined
    for name, value in result.values.items():
        assert value.value == pytest.approx(truth[name], rel=0.1), name


def lugre(parameters: dict[str, float], F_N: float, t: np.ndarray, v: np.ndarray, inner: int = 20) -> np.ndarray:
    """Force of LuGre along straight velocities by an integrator of its own: exact where v is held over each inner step."""
    mu_s, mu_d, fall, *sigma = (
        parameters[name] for name in ("mu_s", "mu_d", "v_Stribeck", "sigma_0", "sigma_1", "sigma_2")
    )

    def decay(w: float) -> float:
        return sigma[0] * abs(w) / (F_N * (mu_d + (mu_s - mu_d) * math.exp(-((w / fall) ** 2))))

    z, force = 0.0, np.zeros(t.size)
    for i in range(1, t.size):
        h = (t[i] - t[i - 1]) / inner
        for k in range(inner):
            w = v[i - 1] + (v[i] - v[i - 1]) * (k + 0.5) / inner
            rate = max(decay(w), 1e-12 / h)
            z += (w / rate - z) * -math.expm1(-rate * h)
        force[i] = sigma[0] * z + sigma[1] * (v[i] - decay(v[i]) * z) + sigma[2] * v[i]
    return force


@pytest.mark.parametrize(("seed", "radius"), [(11, None), (12, 0.05)])
def test_next_experiment_shrinks_an_interval_about_as_promised(seed: int, radius: float | None) -> None:
    one = draw(seed, "LuGre", "c")
    noise, rng, turn = 0.05 * float(np.abs(one.truth["F"]).max()), np.random.default_rng(seed), radius or 1.0

    def measured(t: np.ndarray, v: np.ndarray, force: np.ndarray, name: str) -> records.Record:
        force = turn * (force + noise * rng.standard_normal(t.size))
        units = "SI" if radius is None else {"t": "s", "v": "rad/s", "F": "N.m"}
        data = {"t": t, "v": v, "F": force}
        return records.record(data, units, F_N=one.F_N, radius=radius, name=name)

    given = measured(one.data["t"], one.data["v"] / turn, one.truth["F"], "one")
    first = bristle.identify(given, "LuGre", replicates=0)
    wide = max(first.values.values(), key=lambda value: value.high / value.low).name
    stroke, speed = 0.1 / turn, 0.2 / turn
    plan = first.next_experiment(stroke=stroke, speed=speed)
    assert re.match(rf"{wide} from ± \d+% to ± \d+%: ", plan.notes[0])
    assert np.ptp(plan.x) <= stroke and np.abs(plan.v).max() <= speed
    assert plan.unit == ("m" if radius is None else "rad")
    assert plan.notes[0].endswith(f" {plan.unit}/s.")
    assert plan.after[wide] < 0.25 * plan.before[wide]
    force = lugre(one.parameters, one.F_N, plan.t, turn * plan.v)
    both = bristle.identify([given, measured(plan.t, plan.v, force, "two")], "LuGre", replicates=0)
    value = both.values[wide]
    assert 0.5 < math.sinh(0.5 * math.log(value.high / value.low)) / plan.after[wide] < 2
    weak = first.next_experiment("mu_d", stroke=stroke, speed=speed, force=0.9 * turn * np.abs(force).max())
    along = lugre(one.parameters, one.F_N, weak.t, turn * weak.v)
    assert weak.after["mu_d"] < weak.before["mu_d"] and np.abs(along).max() < 0.95 * np.abs(force).max()


def test_next_experiment_says_what_it_cannot_plan() -> None:
    result = identify(draw(3, "LuGre", "c"), replicates=0)
    with pytest.raises(bristle.Error, match="LuGre has no interval of 'sigma_3'; these can be named: mu_s, mu_d"):
        result.next_experiment("sigma_3", stroke=0.1, speed=0.1)
    with pytest.raises(bristle.Error, match="numbers above 0 are needed"):
        result.next_experiment(stroke=0.0, speed=0.1)
    with pytest.raises(
        bristle.Error, match=r"no motion is within stroke = 0.1, speed = 0.1 and force = 1e-06, where x_p is"
    ):
        result.next_experiment(stroke=0.1, speed=0.1, force=1e-6)
    wrong = bristle.identify(draw(205, "LuGre", "c").data, "Dahl", units="SI", F_N=1.0, replicates=0)
    with pytest.raises(
        bristle.Error, match=r"The model is wrong: .*shrinks intervals of a law that explains the record"
    ):
        wrong.next_experiment(stroke=0.1, speed=0.1)


def test_report_is_a_page_or_a_picture(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    result = identify(draw(1, "LuGre", "e"), replicates=0)
    for name in ("pad.html", "pad.png"):
        result.report(tmp_path / name)
    page = (tmp_path / "pad.html").read_text(encoding="utf-8")
    assert page.count("<svg") == 3
    assert page.index("explains the record") < page.index("<table")
    assert 'src="' not in page and "@import" not in page and 'href="http' not in page
    for part in (
        "F_s = ",
        " at F_N = ",
        "stiffness before sliding",
        date.today().isoformat(),
        "sigma_0",
        "exclude model error",
        "[parameters]",
        "bristle export Identified.toml",
        "Coulomb and viscous",
    ):
        assert part in page, part
    assert (tmp_path / "pad.png").stat().st_size > 50_000
    with pytest.raises(bristle.Error, match=r"ends in \.html or \.png"):
        result.report(tmp_path / "pad.pdf")


def test_correlation_time_of_known_noise() -> None:
    rng = np.random.default_rng(1)
    assert misfit.correlation_time(rng.standard_normal(20_000)) == pytest.approx(1.0, abs=0.2)
    a, state, noise = 0.9, 0.0, np.empty(50_000)
    for i, drive in enumerate(rng.standard_normal(noise.size)):
        state = a * state + drive
        noise[i] = state
    assert misfit.correlation_time(noise) == pytest.approx((1 + a) / (1 - a), rel=0.15)


def test_free_body_is_filtered_alike() -> None:
    """Without noise, the force that acceleration and applied force give is the true one under the record's filter."""
    parameters = {"mu_s": 0.4, "mu_d": 0.3, "v_Stribeck": 0.02, "sigma_2": 2.0}
    element, h, mass, normal = bristle.Element("BrownMcPhee", coupling="serial", **parameters), 1e-4, 5.0, 20.0
    rows, v = [], 0.0
    for i in range(40_001):
        applied = 12.0 * np.sin(2 * np.pi * i * h)
        friction = element.step(h, F_N=normal, v=v)
        rows.append((i * h, v, applied, friction))
        v += h * (applied - friction) / mass
    t, v, applied, friction = np.array(rows[::10]).T
    measured = records.record({"t": t, "v": v, "F_applied": applied}, "SI", F_N=normal, mass=mass)
    difference = (measured.F - measured.filtered(friction))[measured.valid]
    assert np.abs(difference).max() < 0.05 * np.abs(friction).max()


def test_training_leaves_a_fifth_out() -> None:
    one = records.record(draw(0, "Dahl", "a").data, "SI", F_N=1.0)
    (mask,) = fit.training([one])
    assert mask.mean() == pytest.approx(0.8, abs=0.01)


def test_unknown_names_are_refused() -> None:
    synthetic = draw(0, "Dahl", "a")
    for arguments, sentence in [
        ({"law": "Coulomb"}, "no identifiable form"),
        ({"law": "Dal"}, "did you mean `Dahl`"),
        ({"law": "Dahl", "fixed": {"mu": 1.0}}, "no mu to fix"),
        ({"law": "Dahl", "corrections": "both"}, '"auto" or a list of offset, drift, direction, delay'),
        ({"law": "LuGre", "fixed": {"excess": 1.0}}, "these can be: mu_s, mu_d, v_Stribeck"),
        ({"law": "LuGre", "fixed": {"mu_s": 0.2, "mu_d": 0.3}}, "mu_s below mu_d"),
        ({"law": "Dahl", "laws": ["Dahl"]}, "either law"),
    ]:
        with pytest.raises(bristle.Error, match=sentence):
            bristle.identify(synthetic.data, units="SI", F_N=1.0, **arguments)


def test_results_are_plain_numbers() -> None:
    result = identify(draw(1, "Dahl", "e"), replicates=0)
    assert json.dumps({name: [value.value, value.low, value.high] for name, value in result.values.items()})
