"""Ordinary faults of a bench: each is named in one sentence, and taken into the fit where a fit can take it."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest

import bristle

pytest.importorskip("scipy")

from bristle.identification import records
from bristle.study import run
from bristle.study.synthetic import draw

#: LuGre at a small normal force, N, as of a bench with a stiff pad.
F_N = 20.0
TRUTH = {"mu_s": 0.6, "mu_d": 0.4, "v_Stribeck": 0.01, "sigma_0": 5e6, "sigma_1": 3192.75, "sigma_2": 20.0}
#: Noise of the force relative to F_s.
NOISE = 0.0083


@cache
def clean(law: str = "LuGre", duration: float = 6.0) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Times (s), velocities (m/s) and forces (N) of a sine at 1 kHz, from a run ten times as fine."""
    parameters = TRUTH if law == "LuGre" else FRDYN2
    fine = np.linspace(0, duration, int(10_000 * duration) + 1)
    v = 0.05 * np.sin(2 * np.pi * fine)
    found = bristle.Element(law, **parameters).simulate(fine, outputs=["F_R"], interpolate=True, F_N=F_N, v=v)
    return fine[::10], v[::10], found["F_R"][::10]


#: FrDyn2Linear with viscous friction.
FRDYN2 = {"mu_s": 0.5, "mu_d": 0.3, "v_s": 0.002, "v_d": 0.03, "sigma_0": 4e5, "sigma_1": 1500.0, "sigma_2": 25.0}


def bench(seed: int = 1, noise: float = NOISE) -> dict[str, np.ndarray]:
    t, v, force = clean()
    rng = np.random.default_rng(seed)
    return {"t": t, "v": v.copy(), "F": force + noise * 12.0 * rng.standard_normal(t.size)}


def identify(data: object, law: str = "LuGre", **options: object) -> bristle.Identification:
    return bristle.identify(data, law, units="SI", F_N=F_N, **options)


def missed(result: bristle.Identification, truth: dict[str, float] | None = None) -> list[str]:
    """Values that are called determined and whose intervals exclude the truth."""
    known = truth or TRUTH
    return [
        name
        for name, value in result.values.items()
        if value.determined and name in known and not value.low <= known[name] <= value.high
    ]


def distance(result: bristle.Identification, data: dict[str, np.ndarray]) -> float:
    """Distance of the force of the card's element from that of the fit, N, in most samples: a card has no delay."""
    element = bristle.Element(result.card(offset=True), coupling="prescribed")
    run = element.simulate(data["t"], outputs=["F_R"], interpolate=True, F_N=F_N, v=data["v"])
    return float(np.quantile(np.abs(run["F_R"] - result.simulated[0]), 0.9))


@pytest.mark.parametrize("noise", [0.0017, 0.0083])
def test_inputs_move_within_a_sample_so_that_low_noise_leaves_no_bias(noise: float) -> None:
    found = [identify(bench(seed, noise)).values for seed in range(10)]
    for name in ("sigma_0", "sigma_1"):
        assert sum(values[name].low <= TRUTH[name] <= values[name].high for values in found) >= 9, name
        assert all(values[name].determined for values in found)


@pytest.mark.parametrize(("noise", "share"), [(1e-4, 0.2), (1e-3, 0.5)])
def test_noise_of_v_is_found_and_widens_the_intervals(noise: float, share: float) -> None:
    data = bench()
    data["v"] += noise * np.random.default_rng(5).standard_normal(data["v"].size)
    result = identify(data)
    assert any("v has noise of" in sentence for sentence in result.warnings)
    assert result.records[0].noise == pytest.approx(noise, rel=0.1)
    assert not missed(result)
    assert result.values["sigma_0"].high / result.values["sigma_0"].low - 1 > 0.05
    assert result.values["mu_s"].value == pytest.approx(0.6, rel=0.02)
    assert result.values["sigma_0"].value == pytest.approx(5e6, rel=share)


@pytest.mark.parametrize("samples", [1, 2, 4])
def test_delay_of_the_force_is_fitted(samples: int) -> None:
    data = bench()
    data["F"] = np.concatenate([np.full(samples, data["F"][0]), data["F"][:-samples]])
    result = identify(data)
    delay = result.corrections["delay"]
    assert delay.low <= 1e-3 * samples <= delay.high
    assert delay.gain is not None and delay.gain > 1.05
    assert not missed(result)


def test_spike_is_left_out() -> None:
    data, plain = bench(), identify(bench())
    data["F"][2222] += 200.0
    result = identify(data)
    assert any("1 sample(s) of F are spikes" in sentence for sentence in result.warnings)
    for name, value in result.values.items():
        assert value.value == pytest.approx(plain.values[name].value, rel=1e-3)


def test_sensor_at_its_limit_is_named_and_gives_no_wrong_level() -> None:
    data = bench()
    data["F"] = np.clip(data["F"], -9.0, 9.0)
    result = identify(data)
    assert any("flat tops at 9 and -9 N" in sentence for sentence in result.warnings)
    assert not missed(result)


def test_noise_of_a_sensor_at_its_limit_comes_from_the_fit() -> None:
    """Of a sine in sliding the sensor shows the reversals alone, in runs too short for differences of the force to give its noise."""
    clipped = run.Case("clipping", "StaticRegularized", "c", 20_042).synthetic()
    result = bristle.identify(clipped.data, clipped.law, **clipped.arguments(), replicates=0)
    assert np.mean(result.records[0].censored != 0) > 0.9
    noise = (clipped.data["F"] - clipped.truth["F"])[result.problem.inside]
    assert result.records[0].force_noise == pytest.approx(noise.std(), rel=0.2)
    assert not missed(result, clipped.parameters)
    assert not result.values["mu_d"].determined


def test_force_that_drives_the_motion_is_refused() -> None:
    data = bench()
    data["F"] = -data["F"]
    with pytest.raises(bristle.Error, match=r"the force does not oppose v.*change the sign of F or of v"):
        identify(data)
    assert "does not oppose v" in str(bristle.inspect(data, "SI", F_N=F_N))


def test_offset_is_found_with_its_gain() -> None:
    data = bench()
    data["F"] += 3.0
    result = identify(data)
    assert result.corrections["offset"].value == pytest.approx(3.0, abs=0.02)
    assert result.corrections["offset"].gain > 5
    assert result.rms < 0.11
    assert not missed(result)
    assert "without it the residual grows by" in str(result)
    assert result.card(offset=True).parameters["F_offset"] == pytest.approx(3.0, abs=0.02)
    assert "F_offset" not in result.card().text and "F_offset" not in result.element().variables
    assert "card(offset=True) keeps it" in str(result)
    assert distance(result, data) < 1e-2


def test_directions_are_found_with_their_gain() -> None:
    data = bench()
    data["F"] *= np.where(data["v"] > 0, 1.15, 0.85)
    result = identify(data)
    direction = result.corrections["direction"]
    assert direction.value == pytest.approx(1.15 / 0.85, rel=0.01)
    assert direction.gain > 5
    # The factor jumps at v = 0, where the force of no law does: those samples have less weight.
    assert (result.cost / data["t"].size) ** 0.5 < 0.12 < result.rms
    assert result.values["mu_s"].value == pytest.approx(0.6, rel=0.01)
    assert result.signed["mu_s_forward"] == pytest.approx(1.15 * 0.6, rel=0.01)
    assert result.signed["sigma_2_backward"] == pytest.approx(0.85 * 20.0, rel=0.05)
    assert distance(result, data) < 1e-2
    assert result.values["sigma_2"].value == pytest.approx(20.0, rel=0.05)


def test_clean_record_has_no_corrections() -> None:
    result = identify(bench())
    assert not result.corrections
    assert not result.warnings
    assert identify(bench(), corrections=["offset"]).corrections.keys() == {"offset"}


def test_sigma_2_of_frdyn2linear_is_fitted_and_fixed() -> None:
    t, v, force = clean("FrDyn2Linear")
    data = {"t": t, "v": v, "F": force + 0.02 * np.random.default_rng(3).standard_normal(t.size)}
    result = identify(data, "FrDyn2Linear")
    assert result.values["sigma_2"].determined
    assert result.values["sigma_2"].value == pytest.approx(25.0, rel=0.03)
    assert result.parameters["sigma_2"] == result.values["sigma_2"].value
    fixed = identify(data, "FrDyn2Linear", fixed={"sigma_2": 25.0, "v_d": 0.03})
    assert fixed.values["sigma_2"].held
    assert fixed.parameters["v_d"] == pytest.approx(0.03)
    assert fixed.values["mu_s"].value == pytest.approx(0.5, rel=0.02)


def test_published_names_can_be_fixed() -> None:
    result = identify(bench(), fixed={"mu_s": 0.6, "sigma_2": 20.0})
    assert result.values["mu_s"].held and result.parameters["mu_s"] == pytest.approx(0.6, rel=1e-12)
    assert not missed(result)


def test_gap_splits_the_record() -> None:
    data = {name: np.delete(values, slice(2300, 3100)) for name, values in bench().items()}
    result = identify(data)
    assert len(result.records) == 2
    assert any("1 gap(s) of up to 0.801 s" in sentence for sentence in result.warnings)
    assert not missed(result)


def test_drift_of_the_force_is_taken_out() -> None:
    data = bench()
    data["F"] += np.linspace(-1, 1, data["F"].size)
    result = identify(data)
    assert result.corrections["drift"].value == pytest.approx(1 / 3, rel=0.02)
    assert not missed(result)


def test_clocks_that_drift_apart_are_a_misfit() -> None:
    data = bench()
    data["F"] = np.interp(data["t"] * 1.0005, data["t"], data["F"])
    result = identify(data)
    assert str(result).startswith("The model is wrong")
    assert not any(value.determined for value in result.values.values())


def test_interval_that_says_nothing_prints_a_dash() -> None:
    data = bench()
    data["v"] = 0.03 + 0.01 * np.sin(2 * np.pi * data["t"])  # one way only: no bristle shows
    data["F"] = 8.0 + 0.1 * np.random.default_rng(0).standard_normal(data["t"].size)
    result = identify(data)
    result = identify(data)
    assert any(value.interval == "–" and not value.determined for value in result.values.values())
    assert "[nan" not in str(result)


def test_nothing_is_determined_by_a_law_that_does_not_explain_the_record() -> None:
    data = bench()
    data["F"] += 2.0 * np.sin(2 * np.pi * 3 * data["t"])
    result = identify(data, "Dahl")
    assert set(result.undetermined) == {"mu_d", "sigma_0"}
    assert "times the noise of F" in result.undetermined["mu_d"]


def test_bristle_that_follows_the_whole_motion_is_not_determined() -> None:
    data = bench()
    x = np.concatenate([[0.0], np.cumsum(0.5 * (data["v"][1:] + data["v"][:-1]) * np.diff(data["t"]))])
    data["F"] = 300 * x + 60 * data["v"] + 0.02 * np.random.default_rng(0).standard_normal(x.size)
    result = identify(data)
    assert not any(value.determined for value in result.values.values())
    assert "follows the whole motion" in result.undetermined["sigma_0"]


def test_law_that_explains_less_than_coulomb_and_viscous_friction_is_named() -> None:
    data = bench()
    data["F"] = (
        6 * np.sign(data["v"]) + 200 * data["v"] + 0.1 * np.random.default_rng(0).standard_normal(data["t"].size)
    )
    result = identify(data, "Dahl")
    assert result.explained < 0
    assert any("explains less than Coulomb and viscous friction" in sentence for sentence in result.warnings)
    assert identify(bench()).explained > 0.9


def test_inspection_says_the_same() -> None:
    data = bench()
    data["F"] += 3.0
    data["F"][100] = 300.0
    found = bristle.inspect(data, "SI", F_N=F_N)
    assert "F has an offset of about 3" in str(found)
    assert "spikes" in str(found)
    assert "Nothing is wrong" in str(bristle.inspect(bench(), "SI", F_N=F_N))
    late = bench()
    late["F"] = np.concatenate([np.full(4, late["F"][0]), late["F"][:-4]])
    (lag,) = bristle.inspect(late, "SI", F_N=F_N).findings
    assert "F follows v by about 4.0" in lag or "F follows v by about 3.9" in lag or "F follows v by about 4 ms" in lag


def test_inspection_accuses_no_clean_record() -> None:
    found = [
        bristle.inspect(one.data, **one.arguments()).findings
        for one in (
            draw(50 + i, law, "ea"[i % 2]) for i, law in enumerate(("LuGre", "Dahl", "FrDyn2Linear", "BrownMcPhee"))
        )
    ]
    assert not any(found), found


def test_inspection_names_motions_that_show_too_little() -> None:
    data = bench()
    force = 8.0 + 0.1 * np.random.default_rng(0).standard_normal(data["t"].size)
    steady = {"t": data["t"], "v": np.full(force.size, 0.03), "F": force}
    assert "v is about 0.03 m/s throughout" in str(bristle.inspect(steady, "SI", F_N=F_N))
    steady["v"] = 0.03 + 0.02 * np.sin(data["t"])
    assert "v never reverses" in str(bristle.inspect(steady, "SI", F_N=F_N))


def test_gear_and_counts_make_lengths() -> None:
    t = np.arange(200) * 0.01
    angle = np.sin(5 * t)  # rad of the contact
    force = 3 * np.sign(np.cos(5 * t))
    counts = np.round(angle * 50 / (2 * np.pi) * 4096)
    data = {"t": t, "x": counts, "F": force * 0.04 / 50}
    one = records.record(
        data,
        {"t": "s", "x": "count", "F": "Nm"},
        F_N=9.0,
        radius=0.04,
        gear_ratio=50.0,
        counts_per_turn=4096,
    )
    assert np.allclose(one.raw["x"], 0.04 * angle, atol=1e-6)
    assert np.allclose(one.F, force)
    with pytest.raises(bristle.Error, match="counts needs counts_per_turn"):
        records.record(data, {"t": "s", "x": "count", "F": "Nm"}, F_N=9.0, radius=0.04)


def test_result_of_a_rotational_record_is_a_rotational_card() -> None:
    data = bench()
    turning = {"t": data["t"], "v": data["v"] / 0.04 * 60 / (2 * np.pi), "F": data["F"] * 0.04}
    units = {"t": "s", "v": "rpm", "F": "Nm"}
    result = bristle.identify(turning, "LuGre", units=units, F_N=F_N, radius=0.04)
    powers = {"v_Stribeck": -1, "sigma_0": 2, "sigma_1": 2, "sigma_2": 2}
    assert not missed(result, {name: true * 0.04 ** powers.get(name, 0) for name, true in TRUTH.items()})
    assert result.values["sigma_0"].unit == "N.m/rad" and result.values["v_Stribeck"].unit == "rad/s"
    assert result.parameters["sigma_0"] == pytest.approx(result.values["sigma_0"].value / 0.04**2)
    card = result.card("Joint")
    assert 'motion = "rotational"' in card.text and "omega" in card.variables
