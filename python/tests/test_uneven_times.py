"""Lost samples, uneven times and gaps: a fit along the measured times gives the values of the whole record."""

from __future__ import annotations

import numpy as np
import pytest
from test_faulty_records import F_N, TRUTH

import bristle

pytest.importorskip("scipy")

from bristle.identification.filters import slopes
from bristle.identification.inspection import noise_of

#: Times of the truth in a sample.
FINE = 10


def along(t: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Velocities (m/s) and forces (N) of LuGre along a sine at these times, which are those of a fine grid."""
    fine = np.linspace(0, 3, 30_001)
    v = 0.05 * np.sin(2 * np.pi * fine)
    force = bristle.Element("LuGre", **TRUTH).simulate(fine, outputs=["F_R"], interpolate=True, F_N=F_N, v=v)["F_R"]
    places = np.round(t * 10_000).astype(int)
    return v[places], force[places]


def times(kind: str, seed: int) -> np.ndarray:
    """Times of a record of 3 s at 1 kHz, in steps of 0.1 ms."""
    rng = np.random.default_rng([seed, 5])
    places = np.arange(0, 30_001, FINE)
    inner = np.arange(10, places.size - 10)
    if kind == "3 lost":
        places = np.delete(places, rng.choice(inner, 3, replace=False))
    elif kind == "5 % lost":
        places = np.delete(places, rng.choice(inner, 150, replace=False))
    elif kind == "every seventh lost":
        places = places[np.arange(places.size) % 7 != 3]
    elif kind == "jitter":
        places[1:-1] += rng.integers(-4, 5, places.size - 2)
    return places / 10_000


def fitted(kind: str, seed: int) -> bristle.Identification:
    t = times(kind, seed)
    v, force = along(t)
    noise = np.random.default_rng(seed).standard_normal(30_001)[np.round(t * 10_000).astype(int)]
    data = {"t": t, "v": v, "F": force + 0.1 * noise}
    return bristle.identify(data, "LuGre", units="SI", F_N=F_N, corrections=())


@pytest.mark.parametrize("kind", ["3 lost", "5 % lost", "every seventh lost", "jitter"])
@pytest.mark.parametrize("seed", [1, 2])
def test_values_are_those_of_the_whole_record(kind: str, seed: int) -> None:
    whole, found = fitted("even", seed), fitted(kind, seed)
    assert len(found.records) == 1
    for name, value in found.values.items():
        assert value.determined and value.low <= whole.values[name].value <= value.high, value
    for name in ("sigma_0", "sigma_1"):
        assert found.values[name].high / found.values[name].low < 1.5


def test_local_polynomials_are_exact_at_uneven_times() -> None:
    t = np.sort(np.random.default_rng(0).uniform(0, 1, 400))
    value, slope = slopes(t, 2 - 3 * t + 5 * t**2, 11)
    assert np.allclose(value, 2 - 3 * t + 5 * t**2, atol=1e-6)
    assert np.allclose(slope, 10 * t - 3, atol=1e-3)


def test_noise_is_that_of_the_signal_at_uneven_times() -> None:
    rng = np.random.default_rng(4)
    t = times("jitter", 3)
    signal = np.sin(2 * np.pi * t) + 0.01 * rng.standard_normal(t.size)
    assert noise_of(t, signal) == pytest.approx(0.01, rel=0.1)


def test_state_is_lost_in_a_gap_that_hides_the_motion() -> None:
    t = np.delete(times("even", 1), slice(1200, 1230))
    v, force = along(t)
    data = {"t": t, "v": v, "F": force + 0.1 * np.random.default_rng(1).standard_normal(t.size)}
    result = bristle.identify(data, "LuGre", units="SI", F_N=F_N, corrections=())
    assert len(result.records) == 2
    assert any("1 of them lose the state" in sentence for sentence in result.warnings)
    for name, value in result.values.items():
        assert value.low <= TRUTH[name] <= value.high, value


def test_delay_is_found_at_uneven_times() -> None:
    t = times("5 % lost", 2)
    t = t[(t > 0.01) & (t < 2.99)]
    v, force = along(t)[0], along(t - 2e-3)[1]
    data = {"t": t, "v": v, "F": force + 0.1 * np.random.default_rng(1).standard_normal(t.size)}
    delay = bristle.identify(data, "LuGre", units="SI", F_N=F_N).corrections["delay"]
    assert delay.low <= 2e-3 <= delay.high


def test_rests_are_thinned_and_give_the_same_values() -> None:
    t = times("even", 3)
    v, force = along(t)
    noise = 0.1 * np.random.default_rng(3).standard_normal(40_000)
    long = {"t": np.arange(40_000) * 1e-3, "v": np.append(v, np.zeros(40_000 - v.size))}
    long["F"] = np.append(force, np.full(40_000 - v.size, force[-1])) + noise
    short = {name: values[: v.size + 200] for name, values in long.items()}
    results = [bristle.identify(d, "LuGre", units="SI", F_N=F_N, corrections=(), replicates=0) for d in (long, short)]
    assert results[0].sample_count < 4000
    for name, value in results[0].values.items():
        other = results[1].values[name]
        assert value.value == pytest.approx(other.value, abs=0.5 * (other.high - other.low)), name
